// The page: what was dropped on the left, what is selected on the right.

import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { chosen, dropped, save } from "./files";
import { canSave, pickFolder } from "./folder";
import { Content } from "./content";
import { store } from "./store";
import { SIGNS, Tree } from "./tree";
import type { Spot } from "./types";
import { Certificates } from "./views/certificate";
import { CompareInstalls } from "./views/installs";
import { ModDialog } from "./views/mod";
import { size, words } from "./words";

export function useStore(): void {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => store.listen(() => draw(undefined)), []);
}

export function App() {
  useStore();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const stop = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      // A part of the page that takes a file has done so already.
      if (event.dataTransfer && !(event.target as Element).closest?.("[data-takes]")) take(event.dataTransfer);
    };
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!event.relatedTarget) setOver(false);
    };
    const key = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest?.("input:not([type=checkbox], [type=range]), textarea");
      const path = store.selected?.path;
      if ((event.ctrlKey || event.metaKey) && !isTyping && path && ["z", "y"].includes(event.key.toLowerCase())) {
        event.preventDefault();
        const isRedo = event.key.toLowerCase() === "y" || event.shiftKey;
        void store.change(path, (item) => (isRedo ? store.engine.redo(item) : store.engine.undo(item)));
      }
    };
    const leaving = (event: BeforeUnloadEvent) => {
      if (store.edited.length + store.removed.size > 0) event.preventDefault();
    };
    const all: [string, any][] = [
      ["dragenter", stop],
      ["dragover", over],
      ["dragleave", leave],
      ["drop", drop],
      ["keydown", key],
      ["beforeunload", leaving],
    ];
    all.forEach(([name, listener]) => window.addEventListener(name, listener));
    return () => all.forEach(([name, listener]) => window.removeEventListener(name, listener));
  }, []);
  const has = store.items.size > 0;
  return (
    <div class={`page${isOver ? " over" : ""}`}>
      <header>
        <h1>bitexact</h1>
        {has && <Actions />}
      </header>
      <Messages />
      {has ? (
        <main>
          <Tree />
          <div class="side">{store.selected ? <Content key={keyOf(store.selected)} spot={store.selected} /> : <Verdict />}</div>
        </main>
      ) : (
        <Welcome />
      )}
    </div>
  );
}

/** What is selected is shown anew if it is something else, or if a value of it was gone to. */
function keyOf({ path, entry, nth }: Spot): string {
  return `${path}!${entry} ${nth ?? ""}`;
}

/** Takes what was dropped: mods are applied, all else is added. */
function take(items: DataTransfer): void {
  const files = [...items.files];
  const name = files.length === 1 ? files[0]!.name.toLowerCase() : "";
  if (name.endsWith(".bxmod") && store.items.size === 0) store.say({ kind: "note", words: "Drop the game first, and then the mod." });
  else if (name.endsWith(".bxmod")) void store.applyMod(files[0]!);
  else if (name.endsWith(".mod") && store.items.size > 0) void takeMod(files[0]!, items);
  else void store.add(dropped(items));
}

async function takeMod(file: File, items: DataTransfer): Promise<void> {
  // Modules of Neverwinter Nights have the same extension.
  const list = dropped(items);
  const begin = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (new TextDecoder().decode(begin) === "MOD ") await store.add(list);
  else await store.applyMod(file);
}

function Pick(props: { label: string; isFolder?: boolean; accept?: string; class?: string; chosen(files: FileList): void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (props.isFolder) input.current!.webkitdirectory = true;
  }, []);
  return (
    <>
      <button type="button" class={props.class} onClick={() => input.current!.click()}>
        {props.label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={!props.accept}
        accept={props.accept}
        onChange={(event) => {
          const { files } = event.currentTarget;
          if (files && files.length > 0) props.chosen(files);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

function Welcome() {
  return (
    <main class="welcome">
      <div class="target">
        <p class="big">Drop a game here: a folder, a zip, or single files.</p>
        <p>
          <Pick label="Choose a folder…" isFolder class="first" chosen={(files) => void store.add(chosen(files))} />{" "}
          <Pick label="Choose files…" chosen={(files) => void store.add(chosen(files))} />
        </p>
        <p class="quiet">
          Nothing leaves this machine: the page has no way to load or send anything, and your files are only changed where you save
          something.
        </p>
      </div>
      <Folders />
      <p>
        Recoil, MechWarrior 3, Pirate’s Moon, Crimson Skies, Neverwinter Nights, Marathon, Marathon 2 and Marathon Infinity. The page proves
        for each file that it is read and written again without changing a bit, shows what is in it, and changes what you want changed.
      </p>
    </main>
  );
}

function Actions() {
  const count = store.edited.length + store.removed.size;
  const [asks, setAsks] = useState(false);
  return (
    <div class="actions">
      <button
        type="button"
        onClick={() => {
          store.selected = undefined;
          store.changed();
        }}
      >
        Overview
      </button>
      <Pick label="Add files…" chosen={(files) => void store.add(chosen(files))} />
      <Pick label="Apply a mod…" accept=".bxmod,.mod,.zip,.jsonl,.json" chosen={(files) => void store.applyMod(files[0]!)} />
      {store.lastMod && (
        <button type="button" onClick={() => void store.undoMod()}>
          Take {store.lastMod.name} back
        </button>
      )}
      {count > 0 && (
        <>
          <button type="button" onClick={() => setAsks(true)}>
            Download as a mod…
          </button>
          {asks && <ModDialog close={() => setAsks(false)} />}
          {canSave && (
            <button type="button" onClick={() => void inFolder((game) => store.saveInto(game))}>
              Save into the game…
            </button>
          )}
          {store.edited.length > 0 && (
            <button type="button" onClick={() => void store.downloadAll()}>
              Download {store.edited.length} changed as a zip
            </button>
          )}
        </>
      )}
      <button
        type="button"
        onClick={() => {
          if (count === 0 || confirm("Forget all files, and the edits that you have not downloaded?")) store.clear();
        }}
      >
        Close all
      </button>
    </div>
  );
}

/** Does something in the folder of a game, which the user names. */
async function inFolder(body: (game: FileSystemDirectoryHandle) => Promise<void>): Promise<void> {
  try {
    const game = await pickFolder();
    if (game) await body(game);
  } catch (why) {
    store.fail(why);
  }
}

/** Mods in the folder of a game, where the browser can write into one. */
function Folders() {
  const mod = useRef<File>(undefined);
  const [name, setName] = useState<string>();
  if (!canSave) return null;
  return (
    <details class="folders">
      <summary>Mods in a game folder</summary>
      <p class="quiet">
        The changes are written into the folder that you choose. All of a mod is applied, or nothing; the originals are kept in the folder{" "}
        <code>.bitexact-mods</code> of the game, and undoing restores every bit.
      </p>
      <div class="actions">
        <Pick
          label={name ? `Mod: ${name}` : "Choose a mod…"}
          accept=".bxmod,.mod,.zip,.jsonl,.json"
          chosen={(files) => {
            mod.current = files[0]!;
            setName(files[0]!.name);
          }}
        />
        <button type="button" disabled={!name} onClick={() => void inFolder((game) => store.applyIn(game, mod.current!))}>
          Apply to a game folder…
        </button>
        <button type="button" onClick={() => void inFolder((game) => store.undoIn(game))}>
          Undo in a game folder…
        </button>
      </div>
    </details>
  );
}

function Messages() {
  const { progress, said } = store;
  return (
    <div class="messages">
      {progress && <Running />}
      <div role="status" aria-live="polite">
        {said && (
          <div class={`said ${said.kind}`}>
            <button type="button" class="close" aria-label="Close this message" onClick={() => store.say(undefined)}>
              ×
            </button>
            {said.picture && <Shown picture={said.picture} />}
            {said.words && <p>{said.words}</p>}
            {said.told && <Brought told={said.told} />}
          </div>
        )}
      </div>
    </div>
  );
}

/** The picture of a mod. */
function Shown({ picture }: { picture: Blob }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return url ? <img class="picture-of-mod" src={url} alt="The picture of the mod" /> : null;
}

function Brought({ told }: { told: NonNullable<NonNullable<typeof store.said>["told"]> }) {
  const { recomputed, deviations, warnings } = told;
  const isQuiet = recomputed.length + deviations.length + warnings.length === 0;
  return (
    <>
      <p>Changed, and proven to be read back as written.{isQuiet ? " Nothing else followed from it." : ""}</p>
      {recomputed.length > 0 && (
        <>
          <p>Values that follow from it:</p>
          <ul>
            {recomputed.slice(0, 20).map((it) => (
              <li>
                <code>{it.place}</code>: {words(it.was)} → {words(it.now)}
              </li>
            ))}
          </ul>
          {recomputed.length > 20 && <p>and {recomputed.length - 20} more</p>}
        </>
      )}
      {deviations.length > 0 && (
        <>
          <p>New deviations from the format:</p>
          <ul>
            {deviations.map((it) => (
              <li>{it}</li>
            ))}
          </ul>
        </>
      )}
      {warnings.length > 0 && (
        <>
          <p>Warnings:</p>
          <ul>
            {warnings.map((it) => (
              <li>{it}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Running() {
  const progress = store.progress!;
  const part = progress.total > 0 ? progress.done / progress.total : 0;
  const passed = (performance.now() - progress.begun) / 1000;
  const left = part > 0.02 && passed > 1 ? (passed / part) * (1 - part) : undefined;
  return (
    <div class="running">
      <progress max={1} value={part} aria-label={progress.words} />
      <span>
        {progress.words}
        {progress.total > 0 && `: ${size(progress.done)} of ${size(progress.total)}`}
        {left !== undefined && `, about ${Math.ceil(left)} s left`}
      </span>
      <button type="button" onClick={() => store.cancel()}>
        Cancel
      </button>
    </div>
  );
}

/** What the program says of all files. */
function Verdict() {
  const items = [...store.items.values()];
  const counts = new Map<string, number>();
  for (const item of items) if (item.row) counts.set(item.row.status, (counts.get(item.row.status) ?? 0) + 1);
  const failed = items.filter((it) => it.row && ["different", "refused", "unreadable"].includes(it.row.status));
  // Bytes after the end of a file are no damage, and the sentence about the copy does not count them either.
  const damaged = items.filter((it) => it.row?.damage?.some((sign) => sign.severity !== "extra"));
  const followed = items.filter((it) => (it.row?.damage?.length ?? 0) > 0 && !damaged.includes(it));
  const deviating = items.filter((it) => it.row && (it.row.deviations?.length ?? 0) > 0);
  const waiting = items.filter((it) => !it.row).length;
  const supported = items.filter((it) => it.row && !["foreign", "unknown"].includes(it.row.status)).length;
  const same = counts.get("identical") ?? 0;
  const sentence =
    waiting > 0
      ? `${waiting} of ${items.length} files are still to be read.`
      : supported === 0
        ? "No file here is of a supported game."
        : failed.length > 0
          ? `${failed.length} of ${supported} game files cannot be read or written without a change.`
          : damaged.length > 0
            ? `All ${supported} game files are read and written without changing a bit, but ${damaged.length} show signs of damage.`
            : followed.length > 0
              ? `All ${supported} game files are read and written without changing a bit; other bytes follow ${followed.length} of them.`
              : `All ${supported} game files are read and written without changing a bit.`;
  const signs = (item: (typeof items)[number]) => item.row!.damage!.map((it) => `${it.first_place}: ${it.message}`).join("; ");
  const list = (title: string, those: typeof items, say: (item: (typeof items)[number]) => string) =>
    those.length > 0 && (
      <section>
        <h3>
          {title} ({those.length})
        </h3>
        <ul class="found">
          {those.slice(0, 200).map((item) => (
            <li key={item.path}>
              <button type="button" class="link" onClick={() => store.select({ path: item.path, entry: "" })}>
                {item.path}
              </button>
              <span>{say(item)}</span>
            </li>
          ))}
        </ul>
        {those.length > 200 && <p>and {those.length - 200} more; the rows list them all</p>}
      </section>
    );
  return (
    <div class="verdict">
      {store.surveyed && <Certificates surveyed={store.surveyed} />}
      {store.surveyed && store.surveyed.installs.length > 0 ? <p>{sentence}</p> : <h2>{sentence}</h2>}
      {waiting > 0 && !store.progress && (
        <p>
          <button type="button" onClick={() => void store.verifyRest()}>
            Verify the rest
          </button>
        </p>
      )}
      <table class="counts">
        <tbody>
          {[...counts].sort().map(([status, count]) => (
            <tr key={status}>
              <td>
                <span class={`sign ${status}`}>{SIGNS[status] ?? ""}</span> {status}
              </td>
              <td class="number">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {same} identical of {items.length} files, {size(items.reduce((sum, it) => sum + it.size, 0))}.{" "}
        <button
          type="button"
          disabled={waiting > 0}
          onClick={() => save("rows.jsonl", store.inOrder.map((it) => it.line).join(""), "application/json")}
        >
          Download the rows (as verify --json)
        </button>{" "}
        <button type="button" disabled={waiting > 0 || !!store.progress} onClick={() => void store.saveReport()}>
          Save all of this as a page (as verify --html)
        </button>
      </p>
      {waiting === 0 && <CompareInstalls />}
      <Folders />
      {list("Failed", failed, (item) =>
        item.row!.error ? `${item.row!.error.place ? `${item.row!.error.place}: ` : ""}${item.row!.error.message}` : item.row!.status,
      )}
      {list("Signs of damage", damaged, signs)}
      {list("Other bytes after the file", followed, signs)}
      {list("Deviations from the format", deviating, (item) =>
        item
          .row!.deviations!.slice(0, 3)
          .map((it) => `${it.place}${it.count > 1 ? ` (${it.count} times)` : ""}`)
          .join(", "),
      )}
    </div>
  );
}
