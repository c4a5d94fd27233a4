// The tree of files and entries. Only the rows in view are in the document, so it can have any number.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { below } from "./engine";
import { isShortcut } from "./keys";
import { type Item, store } from "./store";

interface Line {
  key: string;
  label: string;
  depth: number;
  kind: string;
  status: string;
  hasMore: boolean;
  path: string;
  entry: string;
  isFolder: boolean;
}

const HEIGHT = 26;

interface Folder {
  folders: Map<string, Folder>;
  files: Item[];
}

function foldersOf(items: Iterable<Item>): Folder {
  const root: Folder = { folders: new Map(), files: [] };
  for (const item of items) {
    let folder = root;
    for (const part of item.path.split("/").slice(0, -1)) {
      let inner = folder.folders.get(part);
      if (!inner) folder.folders.set(part, (inner = { folders: new Map(), files: [] }));
      folder = inner;
    }
    folder.files.push(item);
  }
  return root;
}

const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** What a status looks like, besides its color. */
export const SIGNS: Record<string, string> = {
  identical: "✓",
  different: "✗",
  refused: "✗",
  unreadable: "✗",
  foreign: "–",
  unknown: "?",
};

function linesOf(filter: string): Line[] {
  const lines: Line[] = [];
  const wanted = filter.trim().toLowerCase();
  const items = [...store.items.values()];
  const shown = wanted
    ? items.filter((it) => `${it.path} ${it.row?.kind ?? ""} ${it.row?.status ?? ""}`.toLowerCase().includes(wanted))
    : items;
  const addEntries = (item: Item, entry: string, depth: number) => {
    const described = store.described.get(item.path);
    if (!described || typeof described === "string") return;
    for (const it of below(described.entries, entry)) {
      const key = `${item.path}!${it.entry}`;
      const hasMore = described.entries.some((other) => other.entry.startsWith(`${it.entry}!`));
      const label = it.entry.slice(entry === "" ? 0 : entry.length + 1);
      lines.push({ key, label, depth, kind: it.kind, status: "", hasMore, path: item.path, entry: it.entry, isFolder: false });
      if (hasMore && store.expanded.has(key)) addEntries(item, it.entry, depth + 1);
    }
  };
  const addFolder = (folder: Folder, path: string, depth: number) => {
    for (const [name, inner] of [...folder.folders].sort(([one], [other]) => byName.compare(one, other))) {
      const key = `${path}${name}/`;
      lines.push({ key, label: name, depth, kind: "", status: "", hasMore: true, path: "", entry: "", isFolder: true });
      if (store.expanded.has(key) || wanted) addFolder(inner, key, depth + 1);
    }
    for (const item of [...folder.files].sort((one, other) => byName.compare(one.path, other.path))) {
      const described = store.described.get(item.path);
      const known = described && typeof described !== "string" ? described : undefined;
      const hasMore = known ? known.entries.length > 0 : item.row?.status === "identical" || item.row?.status === "different";
      const label = item.path.split("/").pop()! + (item.edited ? " •" : "");
      const [kind, status] = [item.row?.kind ?? "", item.row?.status ?? ""];
      lines.push({ key: item.path, label, depth, kind, status, hasMore, path: item.path, entry: "", isFolder: false });
      if (known && store.expanded.has(item.path)) addEntries(item, "", depth + 1);
    }
  };
  addFolder(foldersOf(shown), "", 0);
  return lines;
}

export function Tree() {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [active, setActive] = useState("");
  const lines = linesOf(store.filter);
  const at = useMemo(() => lines.findIndex((line) => line.key === active), [lines, active]);

  useLayoutEffect(() => {
    const element = box.current!;
    const watch = new ResizeObserver(() => setHeight(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const selected = store.selected;
  useEffect(() => {
    if (selected) setActive(selected.entry ? `${selected.path}!${selected.entry}` : selected.path);
  }, [selected]);
  const chosen = selected
    ? lines.findIndex((line) => line.key === (selected.entry ? `${selected.path}!${selected.entry}` : selected.path))
    : -1;
  useEffect(() => {
    // Once it is there, which an entry is only after its file was opened.
    if (chosen >= 0) show(chosen);
  }, [selected, chosen >= 0]);

  const show = (index: number) => {
    const element = box.current!;
    if (index * HEIGHT < element.scrollTop) element.scrollTop = index * HEIGHT;
    if ((index + 1) * HEIGHT > element.scrollTop + element.clientHeight) element.scrollTop = (index + 1) * HEIGHT - element.clientHeight;
  };
  const go = (index: number) => {
    const line = lines[Math.max(0, Math.min(index, lines.length - 1))];
    if (!line) return;
    setActive(line.key);
    show(lines.indexOf(line));
  };
  const toggle = (line: Line, open: boolean) => {
    if (open) store.expanded.add(line.key);
    else store.expanded.delete(line.key);
    if (open && !line.isFolder) void store.describe(line.path);
    store.changed();
  };
  const choose = (line: Line) => {
    setActive(line.key);
    if (line.isFolder) toggle(line, !store.expanded.has(line.key));
    else store.select({ path: line.path, entry: line.entry });
  };
  const onKey = (event: KeyboardEvent) => {
    if (isShortcut(event)) return;
    const line = lines[at];
    const page = Math.max(1, Math.floor(height / HEIGHT) - 1);
    const parent = () => {
      for (let index = at - 1; index >= 0; index -= 1) if (lines[index]!.depth < (line?.depth ?? 0)) return index;
      return at;
    };
    switch (event.key) {
      case "ArrowDown":
        go(at + 1);
        break;
      case "ArrowUp":
        go(at < 0 ? 0 : at - 1);
        break;
      case "PageDown":
        go(at + page);
        break;
      case "PageUp":
        go(at - page);
        break;
      case "Home":
        go(0);
        break;
      case "End":
        go(lines.length - 1);
        break;
      case "ArrowRight":
        if (line?.hasMore && !store.expanded.has(line.key)) toggle(line, true);
        else if (line?.hasMore) go(at + 1);
        break;
      case "ArrowLeft":
        if (line && store.expanded.has(line.key)) toggle(line, false);
        else go(parent());
        break;
      case "Enter":
      case " ":
        if (line) choose(line);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  const first = Math.max(0, Math.floor(top / HEIGHT) - 5);
  const last = Math.min(lines.length, Math.ceil((top + height) / HEIGHT) + 5);
  return (
    <div class="tree">
      <input
        type="search"
        aria-label="Show only files whose path, kind or status contains this"
        placeholder="Filter"
        value={store.filter}
        onInput={(event) => {
          store.filter = event.currentTarget.value;
          store.changed();
        }}
      />
      <div
        class="rows"
        role="tree"
        aria-label="Files"
        tabIndex={0}
        ref={box}
        aria-activedescendant={at >= 0 ? `line-${at}` : undefined}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={onKey}
      >
        <div style={{ height: `${lines.length * HEIGHT}px`, position: "relative" }} role="none">
          {lines.slice(first, last).map((line, index) => {
            const number = first + index;
            const isOpen = store.expanded.has(line.key);
            const isSelected = !!selected && !line.isFolder && selected.path === line.path && selected.entry === line.entry;
            return (
              <div
                key={line.key}
                id={`line-${number}`}
                role="treeitem"
                aria-level={line.depth + 1}
                aria-expanded={line.hasMore ? isOpen : undefined}
                aria-selected={isSelected}
                aria-label={`${line.label} ${line.kind} ${line.status}`}
                class={`line${number === at ? " active" : ""}${isSelected ? " selected" : ""}`}
                style={{ top: `${number * HEIGHT}px`, paddingLeft: `${6 + Math.min(line.depth, 12) * 14}px` }}
                title={line.entry || line.path || line.label}
                onClick={() => choose(line)}
              >
                <span
                  class="twist"
                  onClick={(event) => {
                    if (!line.hasMore || line.isFolder) return;
                    event.stopPropagation();
                    toggle(line, !isOpen);
                  }}
                >
                  {line.hasMore ? (isOpen ? "▾" : "▸") : ""}
                </span>
                {line.status && <span class={`sign ${line.status}`}>{SIGNS[line.status] ?? ""}</span>}
                <span class="label">{line.label}</span>
                <span class="kind">{line.kind}</span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
