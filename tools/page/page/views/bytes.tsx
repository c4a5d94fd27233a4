// The bytes of what is selected, with the owner of each.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLoaded } from "../content";
import { isShortcut } from "../keys";
import { type Item, store } from "../store";
import type { Extent, Stretch } from "../types";
import { hex } from "../words";

const HEIGHT = 20;
const LINE = 16;
/** Browsers draw no element higher than some millions of pixels. */
const MOST = 250_000;

/** Returns where the byte at a position is: the page of lines that begins there, and the line in it. */
function lineOf(position: number): { begin: number; line: number } {
  const begin = Math.floor(position / (MOST * LINE)) * MOST * LINE;
  return { begin, line: Math.floor((position - begin) / LINE) };
}

interface Shown {
  item: Item;
  offset: number;
  bytes: number;
  /** The place of the value whose bytes are looked for. */
  aim: string | undefined;
}

/** Returns which bytes are marked. */
export function wordsOf({ place, ranges }: Extent, aim: string): string {
  if (ranges.length === 0) return `${aim} has no bytes`;
  const count = ranges.reduce((sum, [begin, end]) => sum + end - begin, 0);
  const [[begin] = [0]] = ranges;
  const parts = ranges.length > 1 ? `, in ${ranges.length} parts,` : "";
  const those = count === 0 ? ` is empty, at ${begin}` : `: ${count} ${count === 1 ? "byte" : "bytes"}${parts} from ${begin}`;
  return `${place === aim ? "" : `${aim} has no bytes of its own; `}${place}${those}`;
}

export function Bytes({ item, offset, bytes, aim }: Shown) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  const [at, setAt] = useState<number>();
  const [begin, setBegin] = useState(0);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => setHeight(box.current!.clientHeight));
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  const { value: sought, error: lost } = useLoaded(
    async () => (aim === undefined ? undefined : store.engine.extent(item, aim)),
    [item.path, aim],
  );
  const found = sought?.ranges[0]?.[0];
  const [isAtFound, setAtFound] = useState(false);
  /** The empty value that was gone to. The byte there is that of another one, which is not meant. */
  const empty = isAtFound && sought?.ranges.every(([begin, end]) => begin === end) ? aim : undefined;
  /** Where to scroll to, once the page of lines is there. */
  const [goal, setGoal] = useState<{ line: number; isFound: boolean }>();
  const goTo = (wanted: number, isFound: boolean) => {
    // What is empty can be after the last byte.
    const position = Math.max(offset, Math.min(wanted, offset + bytes - 1));
    const { begin, line } = lineOf(position - offset);
    setBegin(begin);
    setAt(position);
    setAtFound(isFound);
    setGoal({ line, isFound });
  };
  /** Where it has gone to last, for the bytes that are looked for. */
  const gone = useRef<{ found: number; offset: number }>(undefined);
  useEffect(() => {
    // After an edit, the offset is there before the bytes are found again; if they have not moved, what is looked at stays.
    if (found === undefined || (gone.current?.found === found && gone.current.offset === offset)) return;
    if (!gone.current) box.current!.focus({ preventScroll: true });
    gone.current = { found, offset };
    goTo(found, true);
  }, [sought]);
  useLayoutEffect(() => {
    if (!goal) return;
    const [element, { line, isFound }] = [box.current!, goal];
    const [first, last] = [line * HEIGHT, (line + 1) * HEIGHT - element.clientHeight];
    if (isFound) element.scrollTop = Math.max(0, first - element.clientHeight / 3);
    else if (first < element.scrollTop) element.scrollTop = first;
    else if (last > element.scrollTop) element.scrollTop = last;
  }, [goal]);
  const isSought = (position: number) => {
    const ranges = sought?.ranges ?? [];
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranges[middle]![1] <= position) low = middle + 1;
      else high = middle;
    }
    return low < ranges.length && ranges[low]![0] <= position;
  };
  const lines = Math.min(MOST, Math.ceil((bytes - begin) / LINE));
  const first = Math.max(0, Math.floor(top / HEIGHT) - 4);
  // Loaded in pieces, so that scrolling does not ask for each line.
  const PIECE = 64;
  const from = Math.floor(first / PIECE) * PIECE;
  const count = Math.ceil((height / HEIGHT + 8) / PIECE + 1) * PIECE;
  const start = offset + begin + from * LINE;
  const end = Math.min(offset + bytes, start + count * LINE);
  const { value, error } = useLoaded(
    async () => ({ start, data: await store.engine.range(item, start, end), owners: await store.engine.owners(item, start, end) }),
    [item.path, start, end],
  );
  const owner = useMemo(
    () =>
      at === undefined || empty !== undefined ? undefined : value?.owners.find((it) => it.offset <= at && at < it.offset + it.bytes),
    [value, at, empty],
  );
  const classOf = (() => {
    let index = 0;
    return (position: number): Stretch | undefined => {
      const owners = value?.owners ?? [];
      while (index < owners.length && owners[index]!.offset + owners[index]!.bytes <= position) index += 1;
      return owners[index];
    };
  })();
  const rows = [];
  if (value) {
    const last = Math.min(from + count, lines);
    for (let line = from; line < last; line += 1) {
      const position = offset + begin + line * LINE;
      const cells = [];
      let text = "";
      for (let index = 0; index < LINE && position + index < offset + bytes; index += 1) {
        const byte = value.data[position + index - value.start];
        if (byte === undefined) break;
        const it = classOf(position + index);
        const isOwned = owner && it === owner;
        const marks = `${isOwned ? " owned" : ""}${isSought(position + index) ? " sought" : ""}${position + index === at ? " at" : ""}`;
        cells.push(
          <span class={`byte ${it?.class ?? ""}${marks}`} data-at={position + index}>
            {hex(byte, 2)}
          </span>,
        );
        text += byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·";
      }
      rows.push(
        <div class="hexline" style={{ top: `${line * HEIGHT}px` }} key={line}>
          <span class="offset">{hex(position, 8)}</span>
          <span class="cells">{cells}</span>
          <span class="text">{text}</span>
        </div>,
      );
    }
  }
  const pick = (event: Event) => {
    const it = (event.target as Element).closest("[data-at]")?.getAttribute("data-at");
    if (!it) return;
    setAt(Number(it));
    setAtFound(false);
  };
  const showValue = async () => {
    const from = store.selected;
    try {
      const place = empty ?? (at === undefined ? undefined : await store.engine.owner(item, at));
      // Meanwhile, something else can have been chosen.
      if (place !== undefined && store.selected === from) store.goTo(item.path, place);
    } catch (why) {
      store.fail(why);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    if (isShortcut(event)) return;
    if (event.key === "Enter" && (empty ?? owner?.place)) {
      event.preventDefault();
      void showValue();
      return;
    }
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: LINE, ArrowUp: -LINE }[event.key];
    if (!step) return;
    event.preventDefault();
    goTo((at ?? offset - step) + step, false);
  };
  return (
    <div class="bytes">
      <p class="quiet" aria-live="polite">
        {owner ? (
          <>
            <span class={`dot ${owner.class}`} /> {owner.class}: <code>{owner.place || "the file itself"}</code>
            {`, ${owner.bytes} bytes from ${owner.offset}`}
            {owner.each ? `, records of ${owner.each}` : ""}{" "}
            {owner.place && (
              <button type="button" class="small" onClick={() => void showValue()}>
                Show the value
              </button>
            )}
          </>
        ) : (
          "Click a byte, or use the arrow keys, to see which part of the file owns it; Enter shows the value."
        )}
      </p>
      {sought && aim !== undefined && (
        <p class="quiet">
          {wordsOf(sought, aim)}{" "}
          {empty !== undefined && (
            <button type="button" class="small" onClick={() => void showValue()}>
              Show the value
            </button>
          )}
        </p>
      )}
      {lost && <p class="error">{lost}</p>}
      {bytes > MOST * LINE && (
        <p>
          <label>
            From byte{" "}
            <input
              type="number"
              min={0}
              max={bytes - 1}
              step={MOST * LINE}
              value={begin}
              onChange={(event) => setBegin(Math.max(0, Math.min(bytes - 1, Math.floor(Number(event.currentTarget.value) / LINE) * LINE)))}
            />
          </label>
        </p>
      )}
      {error && <p class="error">{error}</p>}
      <div
        class="hex"
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="Bytes"
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onClick={pick}
        onKeyDown={onKey}
      >
        <div style={{ height: `${lines * HEIGHT}px`, position: "relative" }}>{rows}</div>
      </div>
    </div>
  );
}
