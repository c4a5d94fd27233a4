// The selected file or entry: what it is best looked at as, its values, its bytes, and what the proof found.

import { useEffect, useRef, useState } from "preact/hooks";
import { save } from "./files";
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

/** Loads something, and again after each edit. */
export function useLoaded<T>(load: () => Promise<T>, keys: unknown[]): { value?: T; error?: string; isBusy: boolean } {
  const [state, setState] = useState<{ value?: T; error?: string; isBusy: boolean }>({ isBusy: true });
  useEffect(() => {
    let isOff = false;
    setState((before) => ({ ...before, isBusy: true }));
    load().then(
      (value) => { if (!isOff) setState({ value, isBusy: false }); },
      (why) => { if (!isOff) setState({ error: why instanceof Error ? why.message : String(why), isBusy: false }); },
    );
    return () => { isOff = true; };
  }, [...keys, store.version]);
  return state;
}

interface Tab {
  id: string;
  title: string;
}

/** The kinds whose documents have images, sounds or texts beside them. */
const WITH_MEDIA = new Set(["image", "picture", "raw-picture", "bm", "targa", "plt", "wave", "sound", "text", "text-reader", "terminals", "string", "string-list", "script", "collection", "texture", "tlk", "set", "ncs", "2da"]);

export function Content({ spot }: { spot: Spot }) {
  const item = store.items.get(spot.path);
  const described = store.described.get(spot.path);
  const [chosen, setTab] = useState<string>();
  const outline = useLoaded(async () => (item && described && typeof described !== "string" ? store.engine.outline(item, spot.entry) : undefined), [described, spot.entry]);
  if (!item) return null;
  if (described === undefined) return <p class="quiet">Opening {spot.path}…</p>;
  if (outline.isBusy && !outline.value && typeof described !== "string") return <p class="quiet">Opening {spot.path}…</p>;
  if (typeof described === "string") {
    return (
      <article>
        <h2>{spot.path}</h2>
        <p class="error">{described}</p>
        <Proof item={item} />
      </article>
    );
  }
  const entry = described.entries.find((it) => it.entry === spot.entry);
  const kind = entry?.kind ?? described.kind;
  const { forms, of, level } = formsOf(described, spot.entry);
  const tabs: Tab[] = [];
  if (forms.length > 0) tabs.push({ id: "drawn", title: titleOf(forms) });
  if (WITH_MEDIA.has(kind)) tabs.push({ id: "media", title: "Contents" });
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
        {tab === "drawn" && <Drawn item={item} entry={of} forms={forms} level={level} />}
        {tab === "media" && <Media item={item} entry={spot.entry} kind={kind} />}
        {tab === "outline" && <Outline lines={outline.value ?? []} />}
        {tab === "values" && <Values item={item} entry={spot.entry} kind={kind} isEditable={described.editable} />}
        {tab === "find" && <Find item={item} />}
        {tab === "bytes" && <Bytes item={item} offset={entry?.offset ?? 0} bytes={entry?.bytes ?? described.bytes} />}
        {tab === "proof" && <Proof item={item} />}
        {tab === "compare" && <Compare item={item} />}
      </div>
    </article>
  );
}

function titleOf(forms: Form[]): string {
  const has = (end: string) => forms.some((it) => it.extension === end);
  return has("glb") ? "Model" : has("svg") ? "Map" : has("png") ? "Images" : "Text";
}

/** Returns the drawings of an entry, or those of the wad that it is a level of. */
function formsOf(described: Described, entry: string): { forms: Form[]; of: string; level: number } {
  const all = entry === "" ? described.forms : (described.entries.find((it) => it.entry === entry)?.forms ?? []);
  if (all.length > 0) {
    const forms = all.filter((it) => it.extension !== "gltf");
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

function Tabs({ tabs, tab, choose }: { tabs: Tab[]; tab: string; choose(id: string): void }) {
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
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
      void store.change(item.path, (it) => store.engine.edit(it, { rename: [[spot.entry, name]] })).then((done) => {
        if (done) store.select({ path: item.path, entry: "" });
      });
    }
  };
  const remove = () => {
    void store.change(item.path, (it) => store.engine.edit(it, { remove: [spot.entry] })).then((done) => {
      if (done) store.select({ path: item.path, entry: "" });
    });
  };
  const name = spot.entry ? spot.entry.split("!").pop()! : item.path.split("/").pop()!;
  return (
    <div class="head">
      <h2>{name}</h2>
      <p class="quiet">
        {spot.entry ? `${kind} in ${item.path}` : `${described.title} (${described.games.join(", ")})`}, {size(bytes)}
        {!spot.entry && <> · SHA-256 <code class="hash">{described.sha256}</code></>}
      </p>
      <div class="actions">
        {spot.entry ? (
          <>
            <button type="button" onClick={() => void store.engine.entry(item, spot.entry).then((it) => save(name, it), (why) => store.fail(why))}>Download the entry</button>
            {described.editable && (
              <>
                <button type="button" onClick={() => input.current!.click()}>Replace by a file…</button>
                <button type="button" onClick={rename}>Rename…</button>
                <button type="button" onClick={remove}>Remove</button>
              </>
            )}
          </>
        ) : (
          <>
            <button type="button" class={described.edited ? "first" : ""} onClick={() => void store.download(item.path)}>Download</button>
            {described.editable && described.entries.length > 0 && <button type="button" onClick={() => input.current!.click()}>Add an entry…</button>}
          </>
        )}
        <button type="button" disabled={described.undo === 0} onClick={() => void store.change(item.path, (it) => store.engine.undo(it))}>Undo</button>
        <button type="button" disabled={described.redo === 0} onClick={() => void store.change(item.path, (it) => store.engine.redo(it))}>Redo</button>
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
