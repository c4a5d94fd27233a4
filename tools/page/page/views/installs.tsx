// Two installs, or other folders, compared: which files differ, and in what.

import { useState } from "preact/hooks";
import { type Item, store } from "../store";

/** The number of files that are shown of a list. */
const FILES = 200;
/** The number of changes that are shown of a file. */
const CHANGES = 300;

/** Returns the folders that can be compared: the installs, or else the folders that were dropped. */
function roots(): string[] {
  const installs = store.surveyed?.installs.map((install) => install.root).filter((root) => root !== "") ?? [];
  if (installs.length > 1) return installs;
  const folders = new Set([...store.items.keys()].filter((path) => path.includes("/")).map((path) => path.split("/")[0]!));
  return [...folders];
}

/** Returns the files below a folder, by their paths in it without case, as Windows has them. */
function filesOf(root: string): Map<string, Item> {
  const prefix = `${root}/`;
  const all = [...store.items.values()].filter((item) => item.path.startsWith(prefix));
  return new Map(all.map((item) => [item.path.slice(prefix.length).toLowerCase(), item]));
}

export function CompareInstalls() {
  const all = roots();
  const [one, setOne] = useState("");
  const [other, setOther] = useState("");
  if (all.length < 2) return null;
  const first = all.includes(one) ? one : all[0]!;
  const second = all.includes(other) ? other : all[1]!;
  const choice = (label: string, value: string, set: (root: string) => void) => (
    <label>
      {label}{" "}
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        {all.map((root) => (
          <option value={root}>{root}</option>
        ))}
      </select>
    </label>
  );
  return (
    <section class="compare" aria-label="Compare two folders">
      <h3>Compare two folders</h3>
      <p>
        {choice("Compare", first, setOne)} {choice("with", second, setOther)}
      </p>
      {first === second ? <p class="quiet">Choose two folders.</p> : <Compared key={`${first}|${second}`} one={first} other={second} />}
    </section>
  );
}

function Compared({ one, other }: { one: string; other: string }) {
  const [ours, theirs] = [filesOf(one), filesOf(other)];
  const only = (those: Map<string, Item>, rest: Map<string, Item>) =>
    [...those].filter(([path]) => !rest.has(path)).map(([, item]) => item);
  const both = [...ours].filter(([path]) => theirs.has(path)).map(([path, item]): [Item, Item] => [item, theirs.get(path)!]);
  const differing = both.filter(([item, match]) => item.row?.sha256 !== match.row?.sha256 || item.edited || match.edited);
  const names = (title: string, items: Item[]) =>
    items.length > 0 && (
      <details open={items.length <= 10}>
        <summary>
          {items.length} only in {title}
        </summary>
        <ul class="paths">
          {items.slice(0, FILES).map((item) => (
            <li key={item.path}>{item.path}</li>
          ))}
        </ul>
        {items.length > FILES && <p class="quiet">and {items.length - FILES} more</p>}
      </details>
    );
  return (
    <>
      <p>
        {both.length - differing.length} {both.length - differing.length === 1 ? "file is" : "files are"} the same, {differing.length}{" "}
        {differing.length === 1 ? "differs" : "differ"}.
      </p>
      {differing.slice(0, FILES).map(([item, match]) => (
        <Difference key={item.path} item={item} match={match} />
      ))}
      {differing.length > FILES && <p class="quiet">and {differing.length - FILES} more</p>}
      {names(one, only(ours, theirs))}
      {names(other, only(theirs, ours))}
    </>
  );
}

function Difference({ item, match }: { item: Item; match: Item }) {
  const [words, setWords] = useState<string[]>();
  const load = async () => {
    try {
      const bytes = (it: Item) => store.bytesOf(it);
      const name = item.path.split("/").pop()!;
      const changes = await store.engine.compare(name, await bytes(item), await bytes(match));
      setWords(changes.length > 0 ? changes.map((change) => change.words) : ["only the layout differs"]);
    } catch (why) {
      setWords([why instanceof Error ? why.message : String(why)]);
    }
  };
  return (
    <details
      onToggle={(event) => {
        if (event.currentTarget.open && !words) void load();
      }}
    >
      <summary>{item.path}</summary>
      {!words && <p class="quiet">Comparing…</p>}
      {words && (
        <ul class="changes">
          {words.slice(0, CHANGES).map((it) => (
            <li>
              <code>{it}</code>
            </li>
          ))}
        </ul>
      )}
      {words && words.length > CHANGES && <p class="quiet">and {words.length - CHANGES} more</p>}
    </details>
  );
}
