// The state of the page, and what one does with it.

import { zipSync } from "fflate";
import { type AboutMod, byBytes, Engine, type Game, inOrder, type ToldMod } from "./engine";
import { type Dropped, fileInZip, save } from "./files";
import { applyTo, type Change, type Done, saveInto, undoIn } from "./folder";
import type { Described, Row, Spot, Surveyed, Told } from "./types";

/** A file of the page. */
export interface Item extends Omit<Dropped, "source"> {
  /** Where a worker reads it, unless a mod has replaced it. */
  source: Dropped["source"] | undefined;
  /** `true` in a demo that is not supported. */
  inDemo: boolean;
  row: Row | undefined;
  /** The row as the library prints it, without the install around the file. */
  text: string;
  /** The row as `verify --json` prints it. */
  line: string;
  /** What tells the install around it, as the library prints it. */
  facts: string;
  /** The same of the file as it was dropped. */
  own: string;
  /** The contents that a mod has given it. */
  replaced: Uint8Array | undefined;
  /** Reads the file as it was dropped. */
  original(): Promise<Uint8Array>;
  /** `true` if a mod has added it. */
  added: boolean;
  /** `true` if an edit or a mod has changed it. */
  edited: boolean;
}

/** What a file is before a worker has seen it and before anyone has changed it. */
const UNSEEN = {
  inDemo: false,
  row: undefined,
  text: "",
  line: "",
  facts: "",
  own: "",
  replaced: undefined,
  added: false,
  edited: false,
} satisfies Partial<Item>;

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
  /** The picture of a mod. */
  picture?: Blob | undefined;
}

/** The folder beside a game with the journal of mods. */
export const JOURNAL = ".bitexact-mods";

const cores = Math.max(1, Math.min(navigator.hardwareConcurrency || 2, 8));

export class Store {
  readonly engine = new Engine(cores);
  items = new Map<string, Item>();
  /** The files that a mod has removed. */
  removed = new Map<string, Item>();
  /** What takes the last mod back. */
  lastMod: { name: string; before: Before[] } | undefined;
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
  /** Counts the values, bytes and shapes that were gone to. */
  private goals = 0;
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
        ...UNSEEN,
        inDemo: demos.has(file.path),
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
        if (item) [item.text, item.line, item.facts, item.own, item.row] = [text, text, facts, item.own || facts, row];
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
      // A file of several games is of that of the install around it.
      const rows = new Map(this.surveyed.rows);
      for (const item of items) {
        const line = rows.get(item.path) ?? item.text;
        if (line !== item.line) [item.line, item.row] = [line, JSON.parse(line)];
      }
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
    this.removed.clear();
    this.lastMod = undefined;
    this.described.clear();
    this.expanded.clear();
    this.selected = undefined;
    this.said = undefined;
    this.surveyed = undefined;
    this.changed();
  }

  select(spot: Spot): void {
    // The same value can be gone to again, after another part of its file was looked at.
    const isGoal = spot.keys !== undefined || spot.bytes !== undefined || spot.mark !== undefined;
    this.selected = isGoal ? { ...spot, nth: (this.goals += 1) } : spot;
    // The tree shows what is selected.
    const parts = spot.entry.split("!");
    if (spot.entry !== "") this.expanded.add(spot.path);
    for (let end = 1; end < parts.length; end += 1) this.expanded.add(`${spot.path}!${parts.slice(0, end).join("!")}`);
    this.changed();
    void this.describe(spot.path);
  }

  /** Goes to the value at a place of a file, as the program prints places. */
  goTo(path: string, place: string): void {
    const [entry, pointer] = splitPlace(place);
    const keys = pointer.split("/").slice(1);
    this.select({ path, entry, keys: keys.length === 1 && keys[0] === "" ? [] : keys });
  }

  /** Goes to the bytes of the value at a place. */
  goToBytes(path: string, place: string): void {
    this.select({ path, entry: splitPlace(place)[0], bytes: place });
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

  /** Returns the bytes of a file with all edits. It can be of a kind that the library does not open. */
  bytesOf(item: Item): Promise<Uint8Array> {
    return this.engine.isEdited(item.path) ? this.engine.bytes(item) : item.read();
  }

  get edited(): Item[] {
    return [...this.items.values()].filter((item) => item.edited);
  }

  async download(path: string): Promise<void> {
    const item = this.items.get(path);
    if (!item) return;
    try {
      save(path.split("/").pop()!, await this.bytesOf(item));
    } catch (why) {
      this.fail(why, path);
    }
  }

  async downloadAll(): Promise<void> {
    try {
      const all: Record<string, Uint8Array> = {};
      for (const item of this.edited) all[item.path] = await this.bytesOf(item);
      save("changed.zip", zipSync(all, { level: 6, mtime: new Date(1980, 0, 1) }), "application/zip");
    } catch (why) {
      this.fail(why);
    }
  }

  /** Downloads the changes of all files as a mod. Returns `false` if it cannot be made. */
  async downloadMod(about: AboutMod, picture: File | undefined): Promise<boolean> {
    try {
      const { files, root } = await this.changes();
      const bytes = picture && { name: picture.name, bytes: new Uint8Array(await picture.arrayBuffer()) };
      const mod = await this.engine.mod({ files, about, picture: bytes, game: this.gameOf(root) });
      save(`${fileNameOf(about.title ?? "")}.bxmod`, mod, "application/zip");
      return true;
    } catch (why) {
      this.fail(why);
      return false;
    }
  }

  /** Returns the files below the folder of a game, as they were dropped. */
  private gameOf(root: string): Game | undefined {
    if (root === "") return undefined;
    const items = [...this.inOrder, ...this.removed.values()].filter((it) => it.path.startsWith(root) && !it.added && it.text !== "");
    return { folder: root.slice(0, -1), files: items.map((it) => ({ text: it.text, facts: it.own })) };
  }

  /** Returns all changes, with paths from the folder of their game, in the order in which `mod make` has them. */
  private async changes(): Promise<{ files: Change[]; root: string }> {
    const items = [...this.edited, ...this.removed.values()].sort((one, other) => byBytes(one.path, other.path));
    const roots = new Set(items.map((item) => this.rootOf(item.path)));
    // Of several games, each path begins with its own.
    const root = roots.size === 1 ? [...roots][0]! : "";
    const files: Change[] = [];
    for (const item of items) {
      files.push({
        path: item.path.slice(root.length),
        old: item.added ? undefined : await item.original(),
        new: this.removed.has(item.path) ? undefined : await this.bytesOf(item),
      });
    }
    return { files, root };
  }

  /** Does something in the folder of a game, with its journal. */
  private async inFolder(words: string, game: FileSystemDirectoryHandle, body: () => Promise<void>): Promise<void> {
    this.progress = { words: `${words} ${game.name}`, done: 0, total: 0, begun: performance.now() };
    this.changed();
    try {
      await body();
    } catch (why) {
      this.fail(why);
    } finally {
      this.progress = undefined;
      this.changed();
    }
  }

  /** Saves all edited files into the folder of the game, with the journal that undoes them. */
  saveInto(game: FileSystemDirectoryHandle): Promise<void> {
    return this.inFolder("Saving into", game, async () => {
      const items = this.edited;
      const { files } = await this.changes();
      const paths = files.map(({ path }) => path);
      await saveInto(game, this.engine, files);
      // From now on, the saved bytes are the originals.
      for (const item of items) {
        const blob = new Blob([(await this.bytesOf(item)) as BlobPart]);
        await this.engine.forget(item.path);
        this.described.delete(item.path);
        item.source = { blob };
        item.original = async () => new Uint8Array(await blob.arrayBuffer());
        [item.replaced, item.edited, item.added, item.own, item.size] = [undefined, false, false, "", blob.size];
      }
      this.lastMod = undefined;
      this.version += 1;
      const last = "The originals are kept there: Undo in a game folder… restores them, and so does";
      this.say({ kind: "note", words: `Saved ${paths.join(", ")} in ${game.name}. ${last} bitexact mod undo ${game.name}.` });
      this.progress = undefined;
      await this.verify(items);
      const path = this.selected?.path;
      if (path) await this.describe(path);
    });
  }

  /** Applies a mod to the folder of a game, with the journal that undoes it. */
  applyIn(game: FileSystemDirectoryHandle, file: File): Promise<void> {
    return this.inFolder("Applying a mod to", game, async () => {
      const { text } = await textOfMod(file);
      this.sayDone(game, `applied ${file.name}`, await applyTo(game, this.engine, file.name, text));
    });
  }

  /** Undoes the last change in the folder of a game. */
  undoIn(game: FileSystemDirectoryHandle): Promise<void> {
    return this.inFolder("Undoing the last change in", game, async () => {
      const done = await undoIn(game, this.engine);
      this.sayDone(game, `undid ${done.name}`, done);
    });
  }

  private sayDone(game: FileSystemDirectoryHandle, what: string, { files }: Done): void {
    const count = `${files.length} ${files.length === 1 ? "file" : "files"}`;
    const hint = this.items.size > 0 ? " Files that were dropped before are still shown as they were." : "";
    this.say({ kind: "note", words: `${game.name}: ${what}, ${count}: ${files.slice(0, 20).join(", ")}.${hint}` });
  }

  /** Returns the beginning of a path up to the game: the deepest install around it, or else the only folder that was dropped. */
  private rootOf(path: string): string {
    const roots = this.surveyed?.installs.map((install) => `${install.root}/`) ?? [];
    const around = roots.filter((root) => path.startsWith(root)).sort((one, other) => other.length - one.length)[0];
    const { folders } = this;
    return around ?? (folders.length === 1 && path.includes("/") ? `${folders[0]}/` : "");
  }

  /** Applies a mod to the dropped files: all of it, or nothing. */
  async applyMod(file: File): Promise<void> {
    const { name } = file;
    try {
      const { text, picture } = await textOfMod(file);
      const first = await this.engine.toldMod(name, text, undefined);
      const root = this.rootOfMod(first);
      const told = await this.engine.toldMod(name, text, this.gameOf(root));
      const results: { item: Item | undefined; path: string; after: Uint8Array | undefined; before: Uint8Array | undefined }[] = [];
      for (const { path } of told.files) {
        const item = this.inPlace(root, path);
        const before = item && (await this.bytesOf(item));
        const after = await this.engine.applyMod(name, text, path, before?.slice());
        results.push({ item, path: item?.path ?? root + path, after, before });
      }
      const before: Before[] = [];
      const fresh: Item[] = [];
      for (const it of results) {
        before.push({ path: it.path, item: it.item && { ...it.item }, bytes: it.before });
        const item = await this.become(it.path, it.item, it.after);
        if (item) fresh.push(item);
      }
      this.lastMod = { name, before };
      this.version += 1;
      this.say({ kind: "note", words: appliedWords(name, told, results.length), picture });
      await this.verify(fresh);
      const path = this.selected?.path;
      if (path) await this.describe(path);
    } catch (why) {
      this.fail(why, name);
    }
  }

  /** Gives a file other contents, adds it or removes it. */
  private async become(path: string, item: Item | undefined, after: Uint8Array | undefined): Promise<Item | undefined> {
    await this.engine.forget(path);
    this.described.delete(path);
    if (!after) {
      if (item) {
        this.items.delete(path);
        if (!item.added) this.removed.set(path, item);
      }
      if (this.selected?.path === path) this.selected = undefined;
      return undefined;
    }
    const back = item ?? this.removed.get(path);
    this.removed.delete(path);
    const it: Item = back ?? {
      path,
      size: 0,
      source: undefined,
      read: async () => it.replaced!.slice(),
      original: async () => new Uint8Array(),
      ...UNSEEN,
      added: true,
      edited: true,
    };
    [it.replaced, it.edited, it.size, it.source, it.row] = [after, true, after.length, undefined, undefined];
    this.items.set(path, it);
    return it;
  }

  /** Takes the last mod back, unless its files have been edited since. */
  async undoMod(): Promise<void> {
    const { lastMod } = this;
    if (!lastMod) return;
    try {
      const later = lastMod.before.find(({ path }) => this.engine.isEdited(path));
      if (later) throw new Error(`${later.path}: was edited since; undo those edits first`);
      const fresh: Item[] = [];
      for (const { path, item, bytes } of lastMod.before) {
        const now = this.items.get(path) ?? this.removed.get(path);
        const it = await this.become(path, now, bytes);
        if (!it || !item) continue;
        // Of a file that was not edited before, the dropped bytes are there again.
        Object.assign(it, item, { replaced: item.edited ? bytes : undefined, row: undefined, read: it.read });
        fresh.push(it);
      }
      this.lastMod = undefined;
      this.version += 1;
      this.say({ kind: "note", words: `${lastMod.name} was taken back.` });
      await this.verify(fresh);
      const path = this.selected?.path;
      if (path) await this.describe(path);
    } catch (why) {
      this.fail(why);
    }
  }

  /** Returns the folder of the game that has most of the files of a mod. */
  private rootOfMod(told: ToldMod): string {
    const counts = new Map<string, number>();
    for (const { path } of told.files) {
      const lower = path.toLowerCase();
      for (const other of [...this.items.keys(), ...this.removed.keys()]) {
        const it = other.toLowerCase();
        if (it !== lower && !it.endsWith(`/${lower}`)) continue;
        const root = other.slice(0, other.length - path.length);
        counts.set(root, (counts.get(root) ?? 0) + 1);
      }
    }
    const [best] = [...counts].sort(([one, few], [other, many]) => many - few || one.length - other.length);
    if (best) return best[0];
    // A mod that only adds files fits any game.
    const roots = new Set([...this.items.keys()].map((path) => this.rootOf(path)));
    if (roots.size === 1) return [...roots][0]!;
    throw new Error(`no file of the mod was dropped, such as ${told.files[0]!.path}`);
  }

  /** Returns the dropped file at a path of a mod. */
  private inPlace(root: string, path: string): Item | undefined {
    const whole = root + path;
    const known = this.items.get(whole);
    if (known) return known;
    const lower = whole.toLowerCase();
    return [...this.items.values()].find((item) => item.path.toLowerCase() === lower);
  }
}

/** Splits a place into its entry and its pointer. The name of an entry can have a colon, too. */
function splitPlace(place: string): [string, string] {
  if (place.startsWith("/")) return ["", place];
  const at = place.indexOf(":/");
  return at < 0 ? [place, ""] : [place.slice(0, at), place.slice(at + 1)];
}

/** A file before a mod was applied. */
interface Before {
  path: string;
  item: Item | undefined;
  bytes: Uint8Array | undefined;
}

/** The name that the text of a mod has in its archive. */
const CHANGES = "changes.jsonl";

/** Returns the text of a mod, which can be in an archive, and its picture. */
async function textOfMod(file: File): Promise<{ text: Uint8Array; picture: Blob | undefined }> {
  const text = await fileInZip(file, (path) => path === CHANGES);
  if (text === null) return { text: new Uint8Array(await file.arrayBuffer()), picture: undefined };
  if (!text) throw new Error(`expected a mod, found an archive without ${CHANGES}; unpack it, and look for a mod inside`);
  const picture = await fileInZip(file, (path) => /^picture\.(png|jpg)$/.test(path)).catch(() => undefined);
  return {
    text,
    picture: picture ? new Blob([picture as BlobPart], { type: picture[0] === 0xff ? "image/jpeg" : "image/png" }) : undefined,
  };
}

function appliedWords(name: string, told: ToldMod, count: number): string {
  const title = told.title ? `${told.title}${told.version ? ` ${told.version}` : ""}` : name;
  const author = told.author ? ` by ${told.author}` : "";
  const other = told.differs ? ` It was ${told.differs}.` : "";
  const about = told.description ? ` ${told.description}` : "";
  return `${title}${author} was applied to ${count} ${count === 1 ? "file" : "files"}.${other} Download them to keep them.${about}`;
}

/** Returns a name for a file, which every system takes. */
function fileNameOf(title: string): string {
  const name = title
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._ -]+/gu, " ")
    .trim()
    .replace(/\s+/g, "-")
    .replace(/^[.]+|[.]+$/g, "")
    .slice(0, 60);
  return name === "" || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ? "my-mod" : name;
}

export const store = new Store();
// For scripts of users, and the tests.
(globalThis as { bitexact?: Store }).bitexact = store;
