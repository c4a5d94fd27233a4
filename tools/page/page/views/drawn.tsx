// Drawings of a file: models and worlds, maps, sheets of images, texts.

import { useEffect, useRef, useState } from "preact/hooks";
import { useLoaded } from "../content";
import { save } from "../files";
import { isShortcut } from "../keys";
import { type Item, store } from "../store";
import { type Drawing, inThreeDimensions } from "../engine";
import type { Merged } from "../merge";
import type { Source } from "../source";
import type { Form, Spot } from "../types";
import { Text } from "./media";
import { Picture } from "./picture";
import type { Scene, View } from "./scene";
import { Table } from "./table";

/** The size of texture packages that are read for one model, in bytes. */
const TEXTURES = 120 * 2 ** 20;

/** Returns the texture packages that lie beside a file or above it, the best ones first. */
function packages(item: Item): Item[] {
  const folder = item.path.split("/").slice(0, -1).join("/");
  const beside = [...store.items.values()].filter((it) => {
    if (it.row?.kind !== "texture") return false;
    const other = it.path.split("/").slice(0, -1).join("/");
    return other === folder || folder === other || folder.startsWith(other === "" ? "" : `${other}/`);
  });
  const near = (it: Item) => it.path.split("/").length;
  return beside.sort((one, other) => near(other) - near(one) || other.size - one.size);
}

/** Returns where the bytes of a file are. */
async function sourceOf(item: Item): Promise<Source | Uint8Array> {
  if (item.edited) return store.bytesOf(item);
  return store.engine.found(item);
}

/** What a drawing says of textures that no package has. */
const ABSENT = "textures that are not in the given packages";

/**
 * Draws a world or a library, first with the packages that are nearest. Those above are as large as ten worlds, and seldom have textures of
 * it, so it is drawn again with them once it is shown.
 */
async function drawStill(item: Item, entry: string, all: Item[]): Promise<Drawing | undefined> {
  const folder = (it: Item) => it.path.split("/").slice(0, -1).join("/");
  const near = all.filter((it) => folder(it) === folder(all[0] ?? it));
  const sources = (list: Item[]) => Promise.all(list.map(sourceOf));
  const still = await store.engine.still(item, entry, await sources(near));
  if (!still || near.length === all.length || !still.about.left_out?.[ABSENT]) return still;
  const more = async () => {
    const whole = await store.engine.still(item, entry, await sources(all));
    return whole && whole.parts!.images.length > still.parts!.images.length ? whole : undefined;
  };
  return { ...still, more };
}

/** Draws an entry. A model that is only to be shown needs no file, which is larger than what is shown. */
async function draw(item: Item, entry: string, extension: string, level: number, isShown = true): Promise<Drawing> {
  const names: string[] = [];
  const files: (Source | Uint8Array)[] = [];
  if (extension === "glb") {
    let total = 0;
    const used = packages(item).filter((it) => {
      const fits = total + it.size <= TEXTURES;
      if (fits) total += it.size;
      return fits;
    });
    const still = isShown ? await drawStill(item, entry, used) : undefined;
    if (still) return still;
    for (const it of used) {
      names.push("");
      files.push(await sourceOf(it));
    }
  }
  const drawing = await store.engine.draw(item, entry, extension, level, names, files);
  const lacking = new Set(drawing.about.lacking ?? []);
  if (lacking.size === 0) return drawing;
  // Textures can be files of their own.
  let found = 0;
  for (const it of store.items.values()) {
    const name = it.path.split("/").pop()!.toLowerCase();
    const [stem, end] = [name.replace(/\.[^.]*$/, ""), name.split(".").pop()!];
    if (lacking.has(stem) && ["png", "dds", "tga"].includes(end)) {
      names.push(name);
      files.push(await sourceOf(it));
      found += 1;
    }
  }
  return found > 0 ? store.engine.draw(item, entry, extension, level, names, files) : drawing;
}

interface Shown {
  item: Item;
  entry: string;
  forms: Form[];
  level: number;
  mark: Spot["mark"];
}

export function Drawn({ item, entry, forms, level, mark }: Shown) {
  const [extension, setExtension] = useState(forms[0]!.extension);
  const [chosen, setLevel] = useState(level);
  const { value: first, error, isBusy } = useLoaded(() => draw(item, entry, extension, chosen), [item.path, entry, extension, chosen]);
  const [better, setBetter] = useState<Drawing>();
  /** The drawing that can be seen. Another one is made only then, so that it does not take the processor from this one. */
  const [seen, setSeen] = useState<Merged>();
  useEffect(() => {
    let isOff = false;
    setBetter(undefined);
    if (!first?.more || seen !== first.parts) return;
    first.more().then(
      (it) => {
        if (!isOff) setBetter(it);
      },
      (why) => store.fail(why),
    );
    return () => {
      isOff = true;
    };
  }, [first, seen === first?.parts]);
  const value = better ?? first;
  const name = `${(entry || item.path)
    .split(/[!/]/)
    .pop()!
    .replace(/\.[^.]*$/, "")}.${extension}`;
  const left = Object.entries(value?.about.left_out ?? {});
  const download = async () => {
    try {
      const { file } = value?.file ? value : await draw(item, entry, extension, chosen, false);
      if (file) save(name, file);
    } catch (why) {
      store.fail(why);
    }
  };
  return (
    <div class="drawn">
      <div class="tools">
        {forms.length > 1 && (
          <label>
            Show as{" "}
            <select value={extension} onChange={(event) => setExtension(event.currentTarget.value)}>
              {forms.map((it) => (
                <option value={it.extension}>{it.shows}</option>
              ))}
            </select>
          </label>
        )}
        {extension === "svg" && (
          <label>
            Level{" "}
            <input type="number" min={0} value={chosen} onChange={(event) => setLevel(Math.max(0, Number(event.currentTarget.value)))} />
          </label>
        )}
        <button type="button" disabled={!value} onClick={() => void download()}>
          Download as .{extension}
        </button>
      </div>
      {error && <p class="error">{error}</p>}
      {isBusy && <p class="quiet">Drawing…</p>}
      {value && extension === "glb" && (
        <Model
          subject={`${item.path}!${entry}`}
          file={value.file}
          parts={value.parts}
          onShown={(parts) => parts === first?.parts && setSeen(parts)}
        />
      )}
      {value?.file && extension === "svg" && <Map file={value.file} item={item} entry={entry} level={chosen} mark={mark} />}
      {value?.file && extension === "png" && <Picture bytes={value.file} name={name} />}
      {value?.file && extension === "csv" && <Table bytes={value.file} name={name} />}
      {value?.file && !["glb", "svg", "png", "csv"].includes(extension) && <Text bytes={value.file} />}
      {left.length > 0 && <p class="quiet">Not shown: {left.map(([what, count]) => `${what} (${count})`).join(", ")}</p>}
      {(value?.about.lacking?.length ?? 0) > 0 && (
        <p class="quiet">Textures that were not dropped: {value!.about.lacking!.slice(0, 20).join(", ")}</p>
      )}
    </div>
  );
}

/** Returns what a shape of a map is. */
function wordsOf(element: Element): string {
  const list = element.closest("g[id]")?.id ?? "";
  const type = [...element.classList].filter((it) => it !== "marked").join(" ");
  const text = [...element.childNodes].filter((it) => it.nodeType === Node.TEXT_NODE).map((it) => it.textContent!.trim());
  const more = [type, ...text].filter((it) => it !== "").join(", ");
  return `${list.replace(/s$/, "")} ${element.getAttribute("data-index")}${more ? `: ${more}` : ""}`;
}

/** The directions of keys on a map, to the right and down. */
const DIRECTIONS: Record<string, [number, number]> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** Returns the shape that is nearest in a direction: straight ahead counts more than to the side. */
function nearest(from: Element, all: Element[], [right, down]: [number, number]): Element | undefined {
  const center = (element: Element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2] as const;
  };
  const [x, y] = center(from);
  let [best, least]: [Element | undefined, number] = [undefined, Infinity];
  for (const element of all) {
    const [otherX, otherY] = center(element);
    const ahead = (otherX - x) * right + (otherY - y) * down;
    const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
    const far = ahead + 2 * aside;
    if (element !== from && ahead > 0.01 && far < least) [best, least] = [element, far];
  }
  return best;
}

/** A level from above, with the place of what the pointer is on. */
function Map(props: { file: Uint8Array; item: Item; entry: string; level: number; mark: Spot["mark"] }) {
  const { file, item, entry, level, mark } = props;
  const box = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState("");
  const [sought, setSought] = useState("");
  const [zoom, setZoom] = useState(1);
  const [lists, setLists] = useState<string[]>([]);
  const [list, setList] = useState("polygons");
  /** The shape that has the focus, or had it last. */
  const focused = useRef<Element>(undefined);
  useEffect(() => {
    const text = new TextDecoder().decode(file);
    // The policy of the page allows no style in a document, but one that a script makes.
    const style = /<style>([^<]*)<\/style>/.exec(text);
    const parsed = new DOMParser().parseFromString(style ? text.replace(style[0], "") : text, "image/svg+xml");
    const svg = parsed.documentElement;
    const root = box.current!.shadowRoot ?? box.current!.attachShadow({ mode: "open" });
    if (svg.nodeName !== "svg") {
      root.textContent = "The drawing is damaged.";
      return;
    }
    // The drawing is our own, but the names in it are not.
    for (const element of [...svg.querySelectorAll("script, style, foreignObject, a, image, use")]) element.remove();
    for (const element of [svg, ...svg.querySelectorAll("*")]) {
      for (const attribute of [...element.attributes]) if (/^on|href$/i.test(attribute.name)) element.removeAttribute(attribute.name);
    }
    const sheet = new CSSStyleSheet();
    const own = "svg { display: block; width: 100%; height: auto } [data-index] { cursor: pointer }";
    sheet.replaceSync(
      `${style?.[1] ?? ""} ${own} [data-index]:hover { stroke: #fff; stroke-width: 12 } [data-index]:focus { outline: none; stroke: #fff; stroke-width: 24 } .marked { stroke: #fe3; stroke-width: 24 }`,
    );
    root.adoptedStyleSheets = [sheet];
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", "The level from above");
    for (const shape of svg.querySelectorAll("[data-index]")) {
      shape.setAttribute("role", "link");
      shape.setAttribute("aria-label", wordsOf(shape));
      shape.setAttribute("tabindex", "-1");
    }
    root.replaceChildren(document.adoptNode(svg));
    focused.current = undefined;
    const named = [...svg.querySelectorAll("g[id]")].filter((it) => it.querySelector("[data-index]")).map((it) => it.id);
    setLists(named);
    setList((before) => (named.includes(before) ? before : (named[0] ?? before)));
    const marked = mark && svg.querySelector(`g[id="${mark.list}"] [data-index="${mark.index}"]`);
    if (!mark) return;
    if (!marked) {
      setSought(`There is no ${mark.list.replace(/s$/, "")} ${mark.index} on this map.`);
      return;
    }
    marked.classList.add("marked");
    focused.current = marked;
    setList(mark.list);
    setSought(wordsOf(marked));
    marked.scrollIntoView({ block: "center", inline: "center" });
  }, [file, mark]);
  const under = (event: Event) => (event.composedPath()[0] as Element).closest?.("[data-index]") ?? undefined;
  const describe = (event: Event) => {
    const element = under(event);
    setOver(element ? wordsOf(element) : "");
  };
  /** Gives the focus to another shape. A shape of the list that is chosen comes first. */
  const onKey = (event: KeyboardEvent) => {
    if (isShortcut(event)) return;
    const all = [...box.current!.shadowRoot!.querySelectorAll(`g[id="${list}"] [data-index]`)];
    const at = focused.current ? all.indexOf(focused.current) : -1;
    const before = at < 0 ? undefined : all[at];
    const direction = DIRECTIONS[event.key];
    let next: Element | undefined;
    if (direction) next = before ? nearest(before, all, direction) : all[0];
    else if (event.key === "PageDown") next = all[at + 1];
    else if (event.key === "PageUp") next = all[at - 1];
    else if (event.key === "Home") next = all[0];
    else if (event.key === "End") next = all[all.length - 1];
    else if ((event.key === "Enter" || event.key === " ") && before) open(before);
    else return;
    event.preventDefault();
    if (!next) return;
    focused.current = next;
    (next as SVGElement).focus();
    setOver(wordsOf(next));
  };
  const open = (element: Element | undefined) => {
    // Each shape has its place as its title.
    const place = element?.querySelector("title")?.textContent;
    if (place) {
      store.goTo(item.path, place);
      return;
    }
    const list = element?.closest("g[id]")?.id;
    const described = store.described.get(item.path);
    if (!list || !described || typeof described === "string") return;
    const within = entry ? `${entry}!${level}!` : `${level}!`;
    const it = described.entries.find((other) => other.entry.startsWith(within) && other.kind.replace(/^early_/, "") === list);
    if (it) store.select({ path: item.path, entry: it.entry });
  };
  return (
    <div class="map">
      <div class="tools">
        <label>
          Zoom{" "}
          <input type="range" min={1} max={8} step={0.5} value={zoom} onInput={(event) => setZoom(Number(event.currentTarget.value))} />
        </label>
        <span class="quiet" aria-live="polite">
          {over || sought}
        </span>
        <label>
          Keys go to{" "}
          <select value={list} onChange={(event) => setList(event.currentTarget.value)}>
            {lists.map((it) => (
              <option value={it}>{it}</option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => store.select({ path: item.path, entry: entry ? `${entry}!${level}` : `${level}` })}>
          Open the parts of this level
        </button>
      </div>
      <p class="quiet" id="map-keys">
        Arrow keys go to the nearest of the {list}, Page Up and Page Down to the one before and after by number; Enter opens it.
      </p>
      <div class="canvas scroll" tabIndex={0} role="region" aria-label="Map" aria-describedby="map-keys" onKeyDown={onKey}>
        <div ref={box} style={{ width: `${zoom * 100}%` }} onMouseOver={describe} onClick={(event) => open(under(event))} />
      </div>
    </div>
  );
}

/** A model or world in 3D. */
function Model(props: { subject: string; file: Uint8Array | undefined; parts: Merged | undefined; onShown(parts?: Merged): void }) {
  const { subject, file, parts, onShown } = props;
  /** From where it was seen last, if someone has turned it: with more textures, or after an edit, it is seen from there again. */
  const last = useRef<{ subject: string; view: View }>(undefined);
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useRef<Scene | undefined>(undefined);
  const [state, setState] = useState<{ animations: string[]; triangles: number; error?: string }>();
  const [speed, setSpeed] = useState(1);
  const [isPlaying, setPlaying] = useState(true);
  const [hasWires, setWires] = useState(false);
  const [animation, setAnimation] = useState(0);
  useEffect(() => {
    let isOff = false;
    const show = async () => {
      try {
        const { Scene } = await inThreeDimensions();
        if (isOff) return;
        const view = last.current?.subject === subject ? last.current.view : undefined;
        const made = await Scene.of(canvas.current!, file, parts, view);
        if (isOff) {
          made.end();
          return;
        }
        scene.current = made;
        setState({ animations: made.animations, triangles: made.triangles });
        await made.shown;
        if (!isOff) onShown(parts);
      } catch (why) {
        if (isOff) return;
        setState({ animations: [], triangles: 0, error: `cannot be shown in 3D: ${why instanceof Error ? why.message : String(why)}` });
      }
    };
    void show();
    return () => {
      isOff = true;
      const view = scene.current?.view;
      // One that nobody has turned is shown as a whole again, since an edit can move or enlarge it.
      if (scene.current) last.current = view && { subject, view };
      scene.current?.end();
      scene.current = undefined;
    };
  }, [file, parts]);
  useEffect(() => scene.current?.play(animation, isPlaying ? speed : 0), [state, animation, isPlaying, speed]);
  useEffect(() => scene.current?.wires(hasWires), [state, hasWires]);
  return (
    <div class="model">
      <div class="tools">
        {state && state.animations.length > 0 && (
          <>
            <button type="button" onClick={() => setPlaying(!isPlaying)}>
              {isPlaying ? "Pause" : "Play"}
            </button>
            <label>
              Animation{" "}
              <select value={String(animation)} onChange={(event) => setAnimation(Number(event.currentTarget.value))}>
                {state.animations.map((name, index) => (
                  <option value={String(index)}>{name || `number ${index}`}</option>
                ))}
              </select>
            </label>
            <label>
              Speed{" "}
              <input
                type="range"
                min={0.1}
                max={3}
                step={0.1}
                value={speed}
                onInput={(event) => setSpeed(Number(event.currentTarget.value))}
              />
            </label>
          </>
        )}
        <label>
          <input type="checkbox" checked={hasWires} onChange={(event) => setWires(event.currentTarget.checked)} /> Wires
        </label>
        <button type="button" onClick={() => scene.current?.home()}>
          Whole view
        </button>
        {state && !state.error && <span class="quiet">{state.triangles} triangles</span>}
      </div>
      {state?.error && <p class="error">{state.error}</p>}
      {state && !state.error && state.triangles === 0 && <p class="quiet">Nothing of this has triangles, so the view is empty.</p>}
      <canvas
        ref={canvas}
        class="view"
        tabIndex={0}
        role="img"
        aria-label="The model in 3D. The arrow keys turn it, plus and minus bring it nearer or further away."
        hidden={state?.error !== undefined}
        data-ready={state && !state.error ? "yes" : undefined}
      />
    </div>
  );
}
