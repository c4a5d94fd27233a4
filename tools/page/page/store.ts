// The state of the page, and what one does with it.

import { zipSync } from "fflate";
import { Engine, inOrder } from "./engine";
import { type Dropped, save } from "./files";
import type { Described, Row, Spot, Surveyed, Told } from "./types";

/** A file of the page. */
export interface Item extends Omit<Dropped, "source"> {
  /** Where a worker reads it, unless a mod has replaced it. */
  source: Dropped["source"] | undefined;
  /** `true` in a demo that is not supported. */
  inDemo: boolean;
  row: Row | undefined;
  /** The row as the library prints it. */
  text: string;
  /** What tells the install around it, as the library prints it. */
  facts: string;
  /** The contents that a mod has given it. */
  replaced: Uint8Array | undefined;
  /** Reads the file as it was dropped. */
  original(): Promise<Uint8Array>;
  /** `true` if an edit or a mod has changed it. */
  edited: boolean;
}

export interface Progress {
  words: string;
  done: number;
  total: number;
  begun: number;
}

/** What was said last: an error, or what an edit has brought. */
export interface Said {
  kind: "error" | "told" | "note";
  words: string;
  told?: Told;
}

/** The folder beside a game with the journal of mods. */
export const JOURNAL = ".bitexact-mods";

const cores = Math.max(1, Math.min(navigator.hardwareConcurrency || 2, 8));

export class Store {
  readonly engine = new Engine(cores);
  items = new Map<string, Item>();
  described = new Map<string, Described | string>();
  expanded = new Set<string>();
  selected: Spot | undefined;
  progress: Progress | undefined;
  /** What the files are as copies of games, once all are verified. */
  surveyed: Surveyed | undefined;
  said: Said | undefined;
  filter = "";
  /** Counts the edits, so that views load again. */
  version = 0;
  private cancelled = false;
  private listeners = new Set<() => void>();

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private pending = false;

  /** Draws the page again, at most once per frame. */
  changed(): void {
    if (this.pending) return;
    this.pending = true;
    const draw = () => {
      this.pending = false;
      this.listeners.forEach((listener) => listener());
    };
    // A page in the background has no frames.
    if (document.hidden) setTimeout(draw, 50);
    else requestAnimationFrame(draw);
  }

  say(said: Said | undefined): void {
    this.said = said;
    this.changed();
  }

  fail(why: unknown, place = ""): void {
    const words = why instanceof Error ? why.message : String(why);
    this.say({ kind: "error", words: place && !words.startsWith(place) ? `${place}: ${words}` : words });
  }

  /** Adds files and verifies them. */
  async add(files: Promise<Dropped[]>): Promise<void> {
    let list: Dropped[];
    try {
      list = await files;
    } catch (why) {
      this.fail(why);
      return;
    }
    const fresh: Item[] = [];
    const sorts = await this.engine.sorted(list.map((file) => file.path));
    const wanted = list.filter((file, index) => !sorts[index]!.isLitter && !file.path.includes(`/${JOURNAL}/`));
    const demos = new Set(list.filter((_, index) => sorts[index]!.inDemo).map((file) => file.path));
    for (const file of wanted) {
      const path = this.free(file.path);
      const item: Item = {
        ...file,
        path,
        inDemo: demos.has(file.path),
        row: undefined,
        text: "",
        facts: "",
        replaced: undefined,
        edited: false,
        original: file.read,
      };
      item.read = async () => (item.replaced ? item.replaced.slice() : item.original());
      this.items.set(path, item);
      fresh.push(item);
      // A short list is shown with its folders open.
      if (list.length <= 400) {
        const parts = path.split("/");
        for (let end = 1; end < parts.length; end += 1) this.expanded.add(parts.slice(0, end).join("/") + "/");
      }
    }
    if (fresh.length === 0) {
      this.say({ kind: "note", words: "There are no files in it." });
      return;
    }
    if (fresh.length === 1) this.select({ path: fresh[0]!.path, entry: "" });
    await this.verify(fresh);
  }

  /** Returns a path that no other file has. */
  private free(path: string): string {
    if (!this.items.has(path)) return path;
    for (let number = 2; ; number += 1) {
      const other = `${number}/${path}`;
      if (!this.items.has(other)) return other;
    }
  }

  /** The number of lists of files that are being verified. */
  private running = 0;

  async verify(items: Item[]): Promise<void> {
    if (this.running === 0) this.cancelled = false;
    this.running += 1;
    const before = this.progress;
    const total = (before?.total ?? 0) + items.reduce((sum, item) => sum + item.size, 0);
    const words = before ? "Verifying" : `Verifying ${items.length} ${items.length === 1 ? "file" : "files"}`;
    this.progress = { words, done: before?.done ?? 0, total, begun: before?.begun ?? performance.now() };
    this.changed();
    await this.engine.verify(
      items,
      (path, { text, facts }, row) => {
        const item = this.items.get(path);
        if (item) [item.text, item.facts, item.row] = [text, facts, row];
        if (this.progress) this.progress.done += item?.size ?? 0;
        this.changed();
      },
      () => this.cancelled,
    );
    this.running -= 1;
    if (this.running > 0) return;
    if (this.cancelled) this.say({ kind: "note", words: "Verifying was cancelled; the overview says how many files were not read." });
    await this.survey();
    this.progress = undefined;
    this.changed();
  }

  /** The files in the order of their paths, as the program prints them. */
  get inOrder(): Item[] {
    return [...this.items.values()].sort((one, other) => inOrder(one.path, other.path));
  }

  /** The folders and zips that were dropped, by name. */
  private get folders(): string[] {
    const paths = [...this.items.keys()].filter((path) => path.includes("/"));
    return [...new Set(paths.map((path) => path.split("/")[0]!))].sort(inOrder);
  }

  /** Finds out what the files are as copies of games. */
  private async survey(): Promise<void> {
    this.surveyed = undefined;
    const items = this.inOrder;
    if (this.folders.length === 0 || !items.every((item) => item.row)) return;
    try {
      this.surveyed = await this.engine.survey(
        this.folders,
        items.map(({ text, facts }) => ({ text, facts })),
      );
    } catch (why) {
      this.fail(why);
    }
  }

  /** Saves the page that `verify --html` writes. */
  async saveReport(): Promise<void> {
    const items = this.inOrder;
    const paths = [...new Set(items.map((item) => item.path.split("/")[0]!))];
    this.cancelled = false;
    const total = items.reduce((sum, item) => sum + item.size, 0);
    this.progress = { words: "Making the report", done: 0, total, begun: performance.now() };
    this.changed();
    try {
      const page = await this.engine.report(this.folders, paths, items, (file) => {
        this.progress!.done += file.size;
        this.changed();
        return !this.cancelled;
      });
      if (page !== undefined) save(`${paths.length === 1 ? paths[0] : "report"}.html`, page, "text/html");
    } catch (why) {
      this.fail(why);
    } finally {
      this.progress = undefined;
      this.changed();
    }
  }

  /** Verifies the files that were not read before it was cancelled. */
  verifyRest(): Promise<void> {
    return this.verify([...this.items.values()].filter((item) => !item.row));
  }

  cancel(): void {
    this.cancelled = true;
  }

  clear(): void {
    for (const path of this.items.keys()) void this.engine.forget(path);
    this.items.clear();
    this.described.clear();
    this.expanded.clear();
    this.selected = undefined;
    this.said = undefined;
    this.surveyed = undefined;
    this.changed();
  }

  select(spot: Spot): void {
    this.selected = spot;
    this.changed();
    void this.describe(spot.path);
  }

  /** Opens a file, so that its entries are known; again after an edit. */
  async describe(path: string, isAgain = false): Promise<Described | undefined> {
    const known = this.described.get(path);
    if (!isAgain && known && typeof known !== "string") return known;
    const item = this.items.get(path);
    if (!item) return undefined;
    try {
      const described = await this.engine.described(item);
      this.described.set(path, described);
      return described;
    } catch (why) {
      this.described.set(path, why instanceof Error ? why.message : String(why));
      return undefined;
    } finally {
      this.changed();
    }
  }

  /** Makes an edit, and says what it has brought. Returns `false` if it was refused. */
  async change(path: string, edit: (item: Item) => Promise<Told | boolean>): Promise<boolean> {
    const item = this.items.get(path);
    if (!item) return false;
    try {
      const told = await edit(item);
      const described = await this.describe(path, true);
      item.edited = described?.edited === true || item.replaced !== undefined;
      this.version += 1;
      this.say(typeof told === "boolean" ? undefined : { kind: "told", words: "", told });
      return true;
    } catch (why) {
      this.fail(why);
      return false;
    }
  }

  get edited(): Item[] {
    return [...this.items.values()].filter((item) => item.edited);
  }

  async download(path: string): Promise<void> {
    const item = this.items.get(path);
    if (!item) return;
    try {
      save(path.split("/").pop()!, await this.engine.bytes(item));
    } catch (why) {
      this.fail(why, path);
    }
  }

  async downloadAll(): Promise<void> {
    try {
      const all: Record<string, Uint8Array> = {};
      for (const item of this.edited) all[item.path] = await this.engine.bytes(item);
      save("changed.zip", zipSync(all, { level: 6, mtime: new Date(1980, 0, 1) }), "application/zip");
    } catch (why) {
      this.fail(why);
    }
  }

  async downloadMod(): Promise<void> {
    try {
      save("my.mod", await this.engine.mod(await this.changes(this.edited)), "application/json");
    } catch (why) {
      this.fail(why);
    }
  }

  private async changes(items: Item[]): Promise<{ path: string; old: Uint8Array; new: Uint8Array }[]> {
    const roots = new Set(items.map((item) => this.rootOf(item.path)));
    // Of several games, each path begins with its own.
    const skip = roots.size === 1 ? [...roots][0]!.length : 0;
    const list = [];
    for (const item of items) {
      list.push({ path: item.path.slice(skip), old: await item.original(), new: await this.engine.bytes(item) });
    }
    return list;
  }

  /** Returns the beginning of a path up to the game: the deepest install around it, or else the only folder that was dropped. */
  private rootOf(path: string): string {
    const roots = this.surveyed?.installs.map((install) => `${install.root}/`) ?? [];
    const around = roots.filter((root) => path.startsWith(root)).sort((one, other) => other.length - one.length)[0];
    const { folders } = this;
    return around ?? (folders.length === 1 && path.includes("/") ? `${folders[0]}/` : "");
  }

  /** Applies a mod to the dropped files: all of it, or nothing. */
  async applyMod(name: string, text: Uint8Array): Promise<void> {
    try {
      const files = await this.engine.modFiles(name, text);
      const results: [Item, Uint8Array][] = [];
      for (const { path } of files) {
        const item = this.inPlace(path);
        if (!item) throw new Error(`${name}: ${path}: no such file was dropped`);
        const old = await item.read();
        const current = item.edited ? await this.engine.bytes(item) : old;
        const after = await this.engine.applyMod(name, text, path, current);
        if (!after) throw new Error(`${name}: ${path}: the mod removes this file, which this page cannot do; use bitexact mod apply`);
        results.push([item, after]);
      }
      for (const [item, after] of results) {
        await this.engine.forget(item.path);
        this.described.delete(item.path);
        [item.replaced, item.edited, item.size, item.source] = [after, true, after.length, undefined];
      }
      this.version += 1;
      this.say({
        kind: "note",
        words: `${name} was applied to ${results.length} ${results.length === 1 ? "file" : "files"}. Download them to keep them.`,
      });
      await this.verify(results.map(([item]) => item));
      const path = this.selected?.path;
      if (path) await this.describe(path);
    } catch (why) {
      this.fail(why);
    }
  }

  /** Returns the dropped file at a path of a mod. */
  private inPlace(path: string): Item | undefined {
    const lower = path.toLowerCase();
    const all = [...this.items.values()];
    const fits = (item: Item) => item.path.toLowerCase() === lower || item.path.toLowerCase().endsWith(`/${lower}`);
    return all.find((item) => item.path === path) ?? all.find(fits);
  }
}

export const store = new Store();
// For scripts of users, and the tests.
(globalThis as { bitexact?: Store }).bitexact = store;
