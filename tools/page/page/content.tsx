// The selected file or entry: what it is best looked at as, its values, its bytes, and what the proof found.

import { useEffect, useRef, useState } from "preact/hooks";
import { save } from "./files";
import { isShortcut } from "./keys";
import { type Item, store } from "./store";
import type { Described, Form, Spot } from "./types";
import { Bytes } from "./views/bytes";
import { Compare } from "./views/compare";
import { Drawn } from "./views/drawn";
import { Media } from "./views/media";
import { Find } from "./views/find";
import { Outline } from "./views/outline";
import { Proof } from "./views/proof";
import { Values } from "./views/values";
import { size } from "./words";

interface Loaded<T> {
  value?: T;
  error?: string;
  isBusy: boolean;
}

/** Loads something, and again after each edit. */
export function useLoaded<T>(load: () => Promise<T>, keys: unknown[]): Loaded<T> {
  const [state, setState] = useState<Loaded<T>>({ isBusy: true });
  useEffect(() => {
    let isOff = false;
    const set = (next: Partial<Loaded<T>>) => {
      if (!isOff) setState({ isBusy: false, ...next });
    };
    setState((before) => ({ ...before, isBusy: true }));
    load().then(
      (value) => set({ value }),
      (why) => set({ error: why instanceof Error ? why.message : String(why) }),
    );
    return () => {
      isOff = true;
    };
  }, [...keys, store.version]);
  return state;
}

interface Tab {
  id: string;
  title: string;
}

/** The kinds whose documents have images, sounds or texts beside them. */
const WITH_MEDIA = new Set([
  "image",
  "picture",
  "raw-picture",
  "bm",
  "targa",
  "plt",
  "wave",
  "sound",
  "text",
  "text-reader",
  "terminals",
  "string",
  "string-list",
  "script",
  "collection",
  "texture",
  "tlk",
  "set",
  "ncs",
  "2da",
]);

export function Content({ spot }: { spot: Spot }) {
  const item = store.items.get(spot.path);
  const described = store.described.get(spot.path);
  const [chosen, setTab] = useState<string | undefined>(spot.keys ? "values" : spot.bytes !== undefined ? "bytes" : undefined);
  const outline = useLoaded(
    async () => (item && described && typeof described !== "string" ? store.engine.outline(item, spot.entry) : undefined),
    [described, spot.entry],
  );
  // A package has hundreds of images, which are unpacked when they are asked for.
  const media = useLoaded(async () => {
    if (!item || !described || typeof described === "string") return undefined;
    const kind = described.entries.find((it) => it.entry === spot.entry)?.kind ?? described.kind;
    return WITH_MEDIA.has(kind) && kind !== "texture" ? store.engine.media(item, spot.entry) : [];
  }, [described, spot.entry]);
  if (!item) return null;
  if (described === undefined) return <p class="quiet">Opening {spot.path}…</p>;
  if (typeof described === "string") {
    return (
      <article>
        <Heading name={spot.path} of={spot.path} />
        <p class="error">{described}</p>
        <Proof item={item} />
      </article>
    );
  }
  const entry = described.entries.find((it) => it.entry === spot.entry);
  const kind = entry?.kind ?? described.kind;
  const { forms, of, level } = formsOf(described, spot.entry);
  // Without a drawing, they decide what comes first. What was loaded stays until it is loaded again, so that an edit does not take the view
  // away.
  const isLoading = [outline, media].some((it) => it.value === undefined && it.error === undefined);
  if (isLoading && forms.length === 0) return <p class="quiet">Opening {spot.path}…</p>;
  const tabs: Tab[] = [];
  if (forms.length > 0) tabs.push({ id: "drawn", title: titleOf(forms) });
  if (kind === "texture" || (media.value?.length ?? 0) > 0) tabs.push({ id: "media", title: "Contents" });
  const hasLines = (outline.value?.length ?? 0) > 0;
  if (hasLines) tabs.push({ id: "outline", title: "Summary" });
  tabs.push({ id: "values", title: "Values" }, { id: "bytes", title: "Bytes" });
  if (!spot.entry) tabs.push({ id: "find", title: "Find" });
  if (!spot.entry) tabs.push({ id: "proof", title: "Proof" }, { id: "compare", title: "Compare" });
  const tab = tabs.some((it) => it.id === chosen) ? chosen! : tabs[0]!.id;
  return (
    <article>
      <Head item={item} described={described} spot={spot} kind={kind} bytes={entry?.bytes ?? described.bytes} />
      <Tabs tabs={tabs} tab={tab} choose={setTab} />
      <div role="tabpanel" id="panel" aria-labelledby={`tab-${tab}`} class="panel">
        {tab === "drawn" && <Drawn item={item} entry={of} forms={forms} level={level} mark={spot.mark} />}
        {tab === "media" && (
          <Media
            item={item}
            entry={spot.entry}
            kind={kind}
            paths={kind === "texture" ? undefined : media.value}
            isEditable={described.editable}
          />
        )}
        {tab === "outline" && <Outline lines={outline.value ?? []} />}
        {tab === "values" && <Values item={item} entry={spot.entry} kind={kind} isEditable={described.editable} aim={spot.keys} />}
        {tab === "find" && <Find item={item} />}
        {tab === "bytes" && <Bytes item={item} offset={entry?.offset ?? 0} bytes={entry?.bytes ?? described.bytes} aim={spot.bytes} />}
        {tab === "proof" && <Proof item={item} />}
        {tab === "compare" && <Compare item={item} />}
      </div>
    </article>
  );
}

function titleOf(forms: Form[]): string {
  const has = (end: string) => forms.some((it) => it.extension === end);
  return has("glb") ? "Model" : has("svg") ? "Map" : has("png") ? "Images" : has("csv") ? "Table" : "Text";
}

/** Returns the drawings of an entry, or those of the wad that it is a level of. */
function formsOf(described: Described, entry: string): { forms: Form[]; of: string; level: number } {
  const own = described.entries.find((it) => it.entry === entry);
  // A picture in a resource fork lacks the header of a file.
  const all = entry === "" ? described.forms : own && own.kind !== "picture" ? own.forms : [];
  if (all.length > 0) {
    const forms = all.filter((it) => it.extension !== "gltf" && hasFor(described, it.extension));
    // A wad is first of all its level.
    forms.sort((one, other) => Number(other.extension === "svg") - Number(one.extension === "svg"));
    return { forms, of: entry, level: 0 };
  }
  const parts = entry.split("!");
  const level = Number(parts[parts.length - 1]);
  const outer = parts.slice(0, -1).join("!");
  const forms = outer === "" ? described.forms : (described.entries.find((it) => it.entry === outer)?.forms ?? []);
  const svg = forms.filter((it) => it.extension === "svg");
  return entry !== "" && Number.isInteger(level) ? { forms: svg, of: outer, level } : { forms: [], of: entry, level: 0 };
}

/** Returns whether a wad, or what is wrapped around one, has what a drawing shows. */
function hasFor(described: Described, extension: string): boolean {
  if (!["wad", "macbinary", "applesingle"].includes(described.kind)) return true;
  const shown = extension === "svg" ? /^(early_)?(lines|polygons)$/ : /^(image|picture|raw-picture|collection|color-table)$/;
  return described.entries.some((it) => shown.test(it.kind));
}

function Tabs({ tabs, tab, choose }: { tabs: Tab[]; tab: string; choose(id: string): void }) {
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    if (isShortcut(event)) return;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const index = (tabs.findIndex((it) => it.id === tab) + step + tabs.length) % tabs.length;
    choose(tabs[index]!.id);
    list.current!.querySelectorAll("button")[index]!.focus();
  };
  return (
    <div role="tablist" class="tabs" ref={list} onKeyDown={onKey}>
      {tabs.map((it) => (
        <button
          type="button"
          role="tab"
          key={it.id}
          id={`tab-${it.id}`}
          aria-selected={it.id === tab}
          aria-controls="panel"
          tabIndex={it.id === tab ? 0 : -1}
          onClick={() => choose(it.id)}
        >
          {it.title}
        </button>
      ))}
    </div>
  );
}

/** The name of the file or entry that is shown. */
function Heading({ name, of }: { name: string; of: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The link that led here is gone, and with it the focus: who uses the keyboard or a screen reader goes on here.
    if (document.activeElement === document.body) heading.current!.focus({ preventScroll: true });
  }, [of]);
  return (
    <h2 ref={heading} tabIndex={-1}>
      {name}
    </h2>
  );
}

function Head(props: { item: Item; described: Described; spot: Spot; kind: string; bytes: number }) {
  const { item, described, spot, kind, bytes } = props;
  const input = useRef<HTMLInputElement>(null);
  const replace = async (file: File) => {
    const extension = file.name.includes(".") ? file.name.split(".").pop()!.toLowerCase() : "";
    const content = new Uint8Array(await file.arrayBuffer());
    await store.change(item.path, (it) => store.engine.replace(it, spot.entry, extension, content));
  };
  const rename = () => {
    const old = spot.entry.split("!").pop()!;
    const name = prompt(`New name of ${old}`, old);
    if (name && name !== old) {
      void store
        .change(item.path, (it) => store.engine.edit(it, { rename: [[spot.entry, name]] }))
        .then((done) => {
          if (done) store.select({ path: item.path, entry: "" });
        });
    }
  };
  const remove = () => {
    void store
      .change(item.path, (it) => store.engine.edit(it, { remove: [spot.entry] }))
      .then((done) => {
        if (done) store.select({ path: item.path, entry: "" });
      });
  };
  const name = spot.entry ? spot.entry.split("!").pop()! : item.path.split("/").pop()!;
  return (
    <div class="head">
      <Heading name={name} of={`${item.path}!${spot.entry}`} />
      <p class="quiet">
        {spot.entry ? `${kind} in ${item.path}` : `${described.title} (${described.games.join(", ")})`}, {size(bytes)}
        {!spot.entry && (
          <>
            {" "}
            · SHA-256 <code class="hash">{described.sha256}</code>
          </>
        )}
      </p>
      <div class="actions">
        {spot.entry ? (
          <>
            <button
              type="button"
              onClick={() =>
                void store.engine.entry(item, spot.entry).then(
                  (it) => save(name, it),
                  (why) => store.fail(why),
                )
              }
            >
              Download the entry
            </button>
            {described.editable && (
              <>
                <button type="button" onClick={() => input.current!.click()}>
                  Replace by a file…
                </button>
                <button type="button" onClick={rename}>
                  Rename…
                </button>
                <button type="button" onClick={remove}>
                  Remove
                </button>
              </>
            )}
          </>
        ) : (
          <>
            <button type="button" class={described.edited ? "first" : ""} onClick={() => void store.download(item.path)}>
              Download
            </button>
            {described.editable && described.entries.length > 0 && (
              <button type="button" onClick={() => input.current!.click()}>
                Add an entry…
              </button>
            )}
          </>
        )}
        <button type="button" disabled={described.undo === 0} onClick={() => void store.change(item.path, (it) => store.engine.undo(it))}>
          Undo
        </button>
        <button type="button" disabled={described.redo === 0} onClick={() => void store.change(item.path, (it) => store.engine.redo(it))}>
          Redo
        </button>
        <input
          ref={input}
          type="file"
          hidden
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            event.currentTarget.value = "";
            if (!file) return;
            if (spot.entry) void replace(file);
            else void addEntry(item, file);
          }}
        />
      </div>
    </div>
  );
}

async function addEntry(item: Item, file: File): Promise<void> {
  const name = prompt("Name of the new entry", file.name);
  if (!name) return;
  const extension = file.name.includes(".") ? file.name.split(".").pop()!.toLowerCase() : "";
  const content = new Uint8Array(await file.arrayBuffer());
  await store.change(item.path, (it) => store.engine.add(it, name, extension, content));
}
