// The values of a file or an entry, each editable in place.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLoaded } from "../content";
import { docsOf } from "../docs";
import { isShortcut } from "../keys";
import { type Said, saidOf } from "../schema";
import { type Item, store } from "../store";
import type { Described, Value } from "../types";
import { hex, withEndsOf, words } from "../words";
import { wordsOf } from "./bytes";

/** The number of items of a list that are shown at first. */
const FIRST = 30;

interface Context {
  item: Item;
  entry: string;
  kind: string;
  schema: any;
  isEditable: boolean;
  /** The keys of the value to look at. */
  aim: string[] | undefined;
}

/** The entries of a file, and those around them. */
const known = new WeakMap<Described, Set<string>>();

function isEntry(path: string, entry: string): boolean {
  const described = store.described.get(path);
  if (!described || typeof described === "string") return false;
  let all = known.get(described);
  if (!all) {
    all = new Set();
    for (const { entry } of described.entries) {
      const parts = entry.split("!");
      parts.forEach((_, index) => all!.add(parts.slice(0, index + 1).join("!")));
    }
    known.set(described, all);
  }
  return all.has(entry);
}

/**
 * Returns the place of a value, as the program writes it. The name of an entry with `!` leads into it, where the pointer begins again; a
 * field can have such a name, too.
 */
function placeOf({ item, entry }: Pick<Context, "item" | "entry">, keys: string[]): string {
  let [inner, rest]: [string, string[]] = [entry, []];
  for (const key of keys) {
    const name = [inner, key.slice(0, -1)].filter((it) => it !== "").join("!");
    if (key.endsWith("!") && isEntry(item.path, name)) [inner, rest] = [name, []];
    else rest.push(key);
  }
  const pointer = rest.length > 0 ? `/${rest.join("/")}` : "";
  return inner === "" ? pointer || "/" : pointer === "" ? inner : `${inner}:${pointer}`;
}

export function Values(props: { item: Item; entry: string; kind: string; isEditable: boolean; aim?: string[] | undefined }) {
  const { item, entry, kind, aim } = props;
  const { value, error, isBusy } = useLoaded(
    async () => ({ value: await store.engine.value(item, placeOf(props, []), FIRST), schema: await store.engine.schema(kind) }),
    [item.path, entry],
  );
  const [place, setPlace] = useState<string>();
  if (error) return <p class="error">{error}</p>;
  if (!value) return <p class="quiet">{isBusy ? "Reading…" : ""}</p>;
  const placeAt = (event: Event) => (event.target as Element).closest<HTMLElement>("[data-place]")?.dataset.place;
  const choose = (event: Event) => {
    const it = placeAt(event);
    if (it !== undefined) setPlace(it);
  };
  const onKey = (event: KeyboardEvent) => {
    const it = event.altKey && event.key === "Enter" ? placeAt(event) : undefined;
    if (it === undefined) return;
    event.preventDefault();
    // What was typed is set, as whenever a field is left.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    store.goToBytes(item.path, it);
  };
  const context: Context = { ...props, aim, schema: value.schema };
  const root = value.value;
  return (
    <div class="values" onFocusIn={choose} onClick={choose} onKeyDown={onKey}>
      <Its item={item} place={place} />
      {!props.isEditable && <p class="quiet">Files of this kind are shown, but not edited.</p>}
      {isGroup(root) ? (
        <Group context={context} keys={[]} value={root} />
      ) : (
        <div data-place={placeOf(props, [])}>
          <Leaf context={context} keys={[]} value={root} label={kind} />
        </div>
      )}
    </div>
  );
}

/** The bytes of the value that was chosen last. */
function Its({ item, place }: { item: Item; place: string | undefined }) {
  const [settled, setSettled] = useState(place);
  useEffect(() => {
    // Who goes through many values does not wait for the bytes of each.
    const timer = setTimeout(() => setSettled(place), 150);
    return () => clearTimeout(timer);
  }, [place]);
  const { value } = useLoaded(async () => {
    if (settled === undefined) return undefined;
    const extent = await store.engine.extent(item, settled);
    const [begin, end] = extent.ranges[0] ?? [0, 0];
    const data = await store.engine.range(item, begin, Math.min(end, begin + 16));
    return { extent, data, isCut: end > begin + 16 || extent.ranges.length > 1, of: settled };
  }, [item.path, settled]);
  if (!value || place === undefined || value.of !== place)
    return <p class="its quiet">{place ?? "Choose a value to see its bytes; Alt+Enter goes to them."}</p>;
  return (
    <p class="its quiet">
      {wordsOf(value.extent, place)}{" "}
      <code>
        {[...value.data].map((byte) => hex(byte, 2)).join(" ")}
        {value.isCut && " …"}
      </code>{" "}
      <button type="button" class="small" onClick={() => store.goToBytes(item.path, place)}>
        Show the bytes
      </button>
    </p>
  );
}

function isGroup(value: Value): value is Value[] | { [name: string]: Value } {
  return typeof value === "object" && value !== null;
}

/** Returns the number of items that a list has beyond those shown. */
function more(list: Value[]): number {
  const last = list[list.length - 1];
  const found = typeof last === "string" ? /^… (\d+) more$/.exec(last) : null;
  return found ? Number(found[1]) : 0;
}

function Group({ context, keys, value }: { context: Context; keys: string[]; value: Value[] | { [name: string]: Value } }) {
  const [shown, setShown] = useState(value);
  const [source, setSource] = useState(value);
  const [isTable, setTable] = useState(false);
  if (source !== value) {
    // An edit has brought other values.
    setSource(value);
    setShown(value);
  }
  if (Array.isArray(shown)) {
    const rest = more(shown);
    const items = rest > 0 ? shown.slice(0, -1) : shown;
    const load = () =>
      store.engine.value(context.item, placeOf(context, keys), Math.min(items.length * 8, 20_000)).then(
        (it) => setShown(it as Value[]),
        (why) => store.fail(why),
      );
    const columns = columnsOf(items);
    const isOnWay = context.aim !== undefined && keys.every((key, index) => context.aim![index] === key);
    const sought = isOnWay ? Number(context.aim![keys.length] ?? -1) : -1;
    return (
      <>
        {columns.length > 1 && items.length > 1 && (
          <label class="astable">
            <input type="checkbox" checked={isTable} onChange={(event) => setTable(event.currentTarget.checked)} /> as a table
          </label>
        )}
        {isTable ? (
          <Table context={context} keys={keys} items={items} columns={columns} />
        ) : items.length === 0 ? (
          <p class="quiet">none</p>
        ) : (
          <ul role="group">
            {items.map((it, index) => (
              <Member context={context} keys={[...keys, String(index)]} label={String(index)} value={it} key={index} inList />
            ))}
          </ul>
        )}
        {rest > 0 && (
          <button type="button" onClick={() => void load()}>
            Show more ({rest} are left)
          </button>
        )}
        {sought >= items.length && sought < items.length + rest && (
          <ul role="group">
            <Far context={context} keys={[...keys, String(sought)]} />
          </ul>
        )}
      </>
    );
  }
  return (
    <ul role="group">
      {Object.entries(shown).map(([name, it]) => (
        <Member context={context} keys={[...keys, name]} label={name} value={it} key={name} />
      ))}
    </ul>
  );
}

/** The item that is looked for, of a list that is not shown as far as that. */
function Far({ context, keys }: { context: Context; keys: string[] }) {
  const { value, error } = useLoaded(
    () => store.engine.value(context.item, placeOf(context, keys), FIRST),
    [context.item.path, placeOf(context, keys)],
  );
  if (error) return <li class="error">{error}</li>;
  return value === undefined ? null : <Member context={context} keys={keys} label={keys[keys.length - 1]!} value={value} inList />;
}

/** The fields that the objects of a list have in common, if they are few. */
function columnsOf(items: Value[]): string[] {
  const names = new Set<string>();
  for (const it of items.slice(0, 50)) {
    if (!isGroup(it)) return [];
    if (Array.isArray(it)) {
      if (it.some(isGroup) || it.length > 24) return [];
      it.forEach((_, index) => names.add(String(index)));
    } else {
      for (const [name, inner] of Object.entries(it)) if (!isGroup(inner)) names.add(name);
    }
  }
  return names.size <= 40 ? [...names] : [];
}

function Table({ context, keys, items, columns }: { context: Context; keys: string[]; items: Value[]; columns: string[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table">
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">#</th>
            {columns.map((it) => (
              <th scope="col">{it}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((row, index) => (
            <tr key={index}>
              <th scope="row">{index}</th>
              {columns.map((name) => {
                const value = isGroup(row) ? (row as { [name: string]: Value })[name] : undefined;
                return (
                  <td data-place={placeOf(context, [...keys, String(index), name])}>
                    {value === undefined || isGroup(value) ? (
                      ""
                    ) : (
                      <Editor context={context} keys={[...keys, String(index), name]} value={value} label={`${name} of ${index}`} />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isShort(value: Value): value is (string | number | boolean | null)[] {
  return Array.isArray(value) && value.length <= 8 && value.length > 0 && !value.some(isGroup) && more(value) === 0;
}

/** A name for an item of a list, if it has one. */
function nameOf(value: Value): string {
  if (!isGroup(value) || Array.isArray(value)) return "";
  for (const key of ["name", "label", "title", "path", "kind", "type"])
    if (typeof value[key] === "string" && value[key] !== "") return value[key] as string;
  return "";
}

function Member({
  context,
  keys,
  label,
  value,
  inList,
}: {
  context: Context;
  keys: string[];
  label: string;
  value: Value;
  inList?: boolean;
}) {
  const isOnWay = context.aim !== undefined && keys.every((key, index) => context.aim![index] === key);
  const isAim = isOnWay && (keys.length === context.aim!.length || !isGroup(value) || isShort(value));
  const place = placeOf(context, keys);
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isAim) return;
    line.current?.scrollIntoView({ block: "center" });
    // A number of a short list has a place of its own in the line.
    const nth = Number(context.aim![keys.length] ?? 0);
    const around = isShort(value) ? line.current?.querySelectorAll("[data-place]")[nth] : isGroup(value) ? undefined : line.current;
    const editor = around?.querySelector<HTMLElement>("input, select, textarea, summary");
    (editor ?? line.current?.querySelector("button"))?.focus({ preventScroll: true });
    // What is typed takes the place of the value, as after the tab key.
    if (editor instanceof HTMLInputElement) editor.select();
  }, [isAim]);
  const [isOpen, setOpen] = useState(isOnWay || (keys.length <= 1 && !inList && (!Array.isArray(value) || value.length <= 12)));
  if (!isGroup(value))
    return (
      <li ref={line} class={isAim ? "aim" : undefined} data-place={place}>
        <Leaf context={context} keys={keys} value={value} label={label} inList={inList} />
      </li>
    );
  if (isShort(value)) {
    return (
      <li ref={line} class={`leaf${isAim ? " aim" : ""}`} data-place={place}>
        <Label context={context} keys={keys} label={label} />
        <span class="vector">
          {value.map((it, index) => (
            <span data-place={placeOf(context, [...keys, String(index)])}>
              <Editor context={context} keys={[...keys, String(index)]} value={it} label={`${label} ${index}`} />
            </span>
          ))}
        </span>
        {inList && <Tools context={context} keys={keys} value={value} />}
      </li>
    );
  }
  const count = Array.isArray(value) ? value.length - (more(value) > 0 ? 1 : 0) + more(value) : 0;
  return (
    <li ref={line} class={isAim ? "aim" : undefined} data-place={place}>
      <div class="leaf">
        <button type="button" class="twist" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {label}
        </button>
        <span class="quiet">{Array.isArray(value) ? `${count} ${count === 1 ? "item" : "items"}` : nameOf(value)}</span>
        {inList && <Tools context={context} keys={keys} value={value} />}
      </div>
      {isOpen && <Group context={context} keys={keys} value={value} />}
    </li>
  );
}

/** Copies or deletes an item of a list. */
function Tools({ context, keys, value }: { context: Context; keys: string[]; value: Value }) {
  if (!context.isEditable) return null;
  const place = placeOf(context, keys);
  const last = Number(keys[keys.length - 1]);
  const after = placeOf(context, [...keys.slice(0, -1), String(last + 1)]);
  const copy = async () => {
    // What is shown can be cut short.
    const whole = isGroup(value) ? await store.engine.value(context.item, place, 1_000_000) : value;
    await store.change(context.item.path, (it) => store.engine.edit(it, { insert: [[after, whole]] }));
  };
  return (
    <span class="itemtools">
      <button type="button" class="small" onClick={() => void copy().catch((why) => store.fail(why))}>
        Copy
      </button>
      <button
        type="button"
        class="small"
        onClick={() => void store.change(context.item.path, (it) => store.engine.edit(it, { delete: [place] }))}
      >
        Delete
      </button>
    </span>
  );
}

function Label({ context, keys, label }: { context: Context; keys: string[]; label: string }) {
  const [docs, setDocs] = useState<string[]>();
  const name = [...keys].reverse().find((key) => !/^\d+$/.test(key));
  const isField = name === label;
  return (
    <>
      <span class="name" title={placeOf(context, keys)}>
        {label}
        {isField && (
          <button
            type="button"
            class="help"
            aria-label={`What the format spec says about ${label}`}
            onClick={() =>
              docs ? setDocs(undefined) : void docsOf(context.item.row?.kind ?? context.kind, context.kind, label).then(setDocs)
            }
          >
            ?
          </button>
        )}
      </span>
      {docs && (
        <span class="docs">{docs.length === 0 ? "The format specs do not name this field." : docs.map((it) => <span>{it}</span>)}</span>
      )}
    </>
  );
}

function Leaf({
  context,
  keys,
  value,
  label,
  inList,
}: {
  context: Context;
  keys: string[];
  value: Value;
  label: string;
  inList?: boolean;
}) {
  return (
    <div class="leaf">
      <Label context={context} keys={keys} label={label} />
      <Editor context={context} keys={keys} value={value} label={label} />
      {inList && <Tools context={context} keys={keys} value={value} />}
    </div>
  );
}

/** Returns a number as JSON that a person has typed, or nothing if it is none. */
function numberOf(text: string, isFloat: boolean): string | undefined {
  const trimmed = text.trim();
  if (/^-?(0|[1-9]\d*)$/.test(trimmed)) return isFloat ? `${trimmed}.0` : trimmed;
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed) ? trimmed : undefined;
}

function Editor({ context, keys, value, label }: { context: Context; keys: string[]; value: Value; label: string }) {
  const said: Said = saidOf(context.schema, keys);
  const place = placeOf(context, keys);
  const set = (json: string) =>
    store.change(context.item.path, (it) => store.engine.edit(it, `{"set":[[${JSON.stringify(place)},${json}]]}`));
  // Long bytes are shown by their beginning, which is not what is stored.
  const isCut = typeof value === "string" && /^[\d,]+ bytes: .*…$/.test(value);
  if (!context.isEditable || isCut || isGroup(value) || value === null) return <span class="value">{words(value)}</span>;
  if (typeof value === "boolean") {
    return <input type="checkbox" aria-label={label} checked={value} onChange={(event) => void set(String(event.currentTarget.checked))} />;
  }
  if (said.bits && (typeof value === "string" || typeof value === "number"))
    return <Flags bits={said.bits} value={value} label={label} set={set} />;
  if (said.names && said.names.length > 0) {
    const isKnown = said.names.includes(String(value));
    return (
      <select aria-label={label} value={String(value)} onChange={(event) => void set(JSON.stringify(event.currentTarget.value))}>
        {!isKnown && <option value={String(value)}>{String(value)}</option>}
        {said.names.map((name) => (
          <option value={name}>{name}</option>
        ))}
      </select>
    );
  }
  // A float without a fraction looks like an integer in JavaScript.
  const isFloat = typeof value === "number" && (said.isFloat === true || !Number.isInteger(value));
  const commit = async (text: string) => {
    if (typeof value === "string") return set(JSON.stringify(withEndsOf(value, text)));
    const json = numberOf(text, isFloat);
    if (json !== undefined) return set(json);
    store.fail(`${place}: expected a number, found ${JSON.stringify(text)}`);
    return false;
  };
  if (typeof value === "string" && (/[\r\n]/.test(value) || value.length > 80)) {
    return <Long value={value} label={label} commit={commit} />;
  }
  const range = said.minimum !== undefined && said.maximum !== undefined && !isFloat ? `${said.minimum} to ${said.maximum}` : undefined;
  return <Short value={value} label={label} range={range} commit={commit} />;
}

/** Sets a value to what was typed. Returns `false` if that was refused. */
type Commit = (text: string) => Promise<boolean>;

/** Keeps what is typed in a field apart from its value. The element stays when the value changes, and with it the focus. */
function useDraft<T extends HTMLInputElement | HTMLTextAreaElement>(value: string | number, commit: Commit) {
  const input = useRef<T>(null);
  /** The value as the field shows it, also one that is being set: Enter sets it, and leaving the field does not set it again. */
  const settled = useRef("");
  const show = () => {
    if (!input.current) return;
    input.current.value = String(value);
    // Browsers change line ends.
    settled.current = input.current.value;
  };
  const renew = () => {
    const draft = input.current?.value;
    const isDraft = draft !== settled.current;
    show();
    if (isDraft && draft !== undefined) input.current!.value = draft;
  };
  // The value is there before the field is chosen.
  useLayoutEffect(renew, [value]);
  // A field that loses the focus can be gone from the page already.
  const set = async (field: T) => {
    const text = field.value;
    if (text === settled.current) return;
    settled.current = text;
    if (!(await commit(text)) && settled.current === text) renew();
  };
  return { input, show, set };
}

/** A value on one line. */
function Short({ value, label, range, commit }: { value: string | number; label: string; range: string | undefined; commit: Commit }) {
  const { input, show, set } = useDraft<HTMLInputElement>(value, commit);
  return (
    <input
      type="text"
      ref={input}
      class={typeof value === "number" ? "number" : "words"}
      inputMode={typeof value === "number" ? "decimal" : "text"}
      aria-label={label}
      title={range}
      size={Math.max(4, Math.min(60, String(value).length + 1))}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !isShortcut(event)) void set(event.currentTarget);
        if (event.key === "Escape") show();
      }}
      onBlur={(event) => void set(event.currentTarget)}
    />
  );
}

function Long({ value, label, commit }: { value: string; label: string; commit: Commit }) {
  const { input, show, set } = useDraft<HTMLTextAreaElement>(value, commit);
  const rows = Math.min(12, value.split(/\r\n|\r|\n/).length + 1);
  return (
    <textarea
      aria-label={label}
      ref={input}
      rows={rows}
      onKeyDown={(event) => {
        if (event.key === "Escape") show();
      }}
      onBlur={(event) => void set(event.currentTarget)}
    />
  );
}

function Flags({
  bits,
  value,
  label,
  set,
}: {
  bits: string[];
  value: string | number;
  label: string;
  set(json: string): Promise<boolean>;
}) {
  const now = String(value)
    .split("|")
    .map((it) => it.trim())
    .filter((it) => it !== "" && it !== "0");
  const toggle = (bit: string) => {
    const next = now.includes(bit)
      ? now.filter((it) => it !== bit)
      : [...bits.filter((it) => it === bit || now.includes(it)), ...now.filter((it) => !bits.includes(it))];
    void set(JSON.stringify(next.join(" | ")));
  };
  if (typeof value === "number" && value !== 0) return <span class="value">{value}</span>;
  return (
    <details class="flags">
      <summary aria-label={label}>{now.length === 0 ? "none" : now.join(" | ")}</summary>
      {bits.map((bit) => (
        <label>
          <input type="checkbox" checked={now.includes(bit)} onChange={() => toggle(bit)} /> {bit}
        </label>
      ))}
    </details>
  );
}
