// The workers, and the files that are open in one of them.

import type { Merged } from "./merge";
import type { Source } from "./source";
import type { Described, Entry, Extent, Row, Stretch, Surveyed, Told, Value } from "./types";

/** The memory that a file and its model may take, in bytes. */
const MEMORY = 1.5 * 2 ** 30;
/** The size of files that stay open without an edit. */
const KEPT = 200 * 2 ** 20;

export class Failure extends Error {
  dead = false;
  /** `true` if another call has stopped the worker, so that this one can be made again. */
  again = false;
}

interface Waiting {
  resolve(value: any): void;
  reject(why: Failure): void;
}

/** A worker that is started again if the library stops in it. */
export class Hand {
  private worker: Worker | undefined;
  private waiting = new Map<number, Waiting>();
  private next = 0;
  private begun: Promise<unknown> | undefined;
  /** Counts the workers that have ended. */
  age = 0;

  constructor(private parts: Promise<{ url: string; module: WebAssembly.Module }>) {}

  private async start(): Promise<void> {
    const { url, module } = await this.parts;
    const worker = new Worker(url);
    this.worker = worker;
    worker.onmessage = ({ data }) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error === undefined) {
        waiting?.resolve(data.value);
        return;
      }
      const failure = new Failure(data.error);
      failure.dead = data.dead === true;
      if (failure.dead) {
        const other = new Failure(failure.message);
        other.again = true;
        this.stop(other);
      }
      waiting?.reject(failure);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const failure = new Failure(`internal error: ${event.message || "a worker stopped"}`);
      failure.dead = true;
      this.stop(failure);
    };
    await this.send("begin", [module, MEMORY], []);
  }

  private send(name: string, all: unknown[], moved: Transferable[]): Promise<any> {
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { resolve, reject });
      this.worker!.postMessage({ id, name, all }, moved);
    });
  }

  async call(name: string, all: unknown[], moved: Transferable[] = []): Promise<any> {
    this.begun ??= this.start();
    await this.begun;
    return this.send(name, all, moved);
  }

  /** Ends a worker that has nothing to do, since its memory never becomes smaller. The next call starts another. */
  rest(): void {
    if (this.waiting.size > 0) return;
    this.worker?.terminate();
    this.worker = undefined;
    this.begun = undefined;
  }

  /** Ends the worker; the next call starts another. */
  stop(why: Failure): void {
    this.age += 1;
    this.worker?.terminate();
    this.worker = undefined;
    this.begun = undefined;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    all.forEach((it) => it.reject(why));
  }
}

/** The page as a whole is there: its script comes first, so that it is shown before its large parts are read. */
const whole = new Promise<void>((resolve) => {
  if (document.readyState !== "loading") resolve();
  else document.addEventListener("DOMContentLoaded", () => resolve());
});

/** The page was shown once. One in the background has no frames. */
const shown = new Promise<void>((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 1000);
});

/** The parts of the page that are stored in it compressed. */
async function part(id: string): Promise<ArrayBuffer> {
  await whole;
  const text = document.getElementById(id)!.textContent!;
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

export async function textPart(id: string): Promise<string> {
  return new TextDecoder().decode(await part(id));
}

let scene: Promise<typeof import("./views/scene")> | undefined;

/** Returns the part of the interface that draws in 3D. It is larger than all others, so it is run when it is first needed. */
export function inThreeDimensions(): Promise<typeof import("./views/scene")> {
  scene ??= textPart("scene").then(
    (code) => {
      const script = document.createElement("script");
      // The policy of the page knows its hash.
      script.textContent = code;
      document.head.append(script);
      return (globalThis as any).sceneOfPage;
    },
    (why) => {
      // The next model tries again.
      scene = undefined;
      throw why;
    },
  );
  return scene;
}

export interface Openable {
  path: string;
  read(): Promise<Uint8Array>;
}

/** A file to be verified, and where a worker reads it; without that, `read` reads it. */
export interface Verifiable extends Openable {
  size: number;
  source?: Source | undefined;
  inDemo?: boolean;
}

/** A drawing, and what it does not show. */
export interface Drawing {
  /** The file, unless a model is only shown. */
  file?: Uint8Array;
  about: { left_out?: Record<string, number>; lacking?: string[] };
  /** A model that does not move, in parts. */
  parts?: Merged;
  /** Draws it again with more textures, if it lacks some that could be further away. */
  more?: () => Promise<Drawing | undefined>;
}

/** What is to be done in the folder of a game: files are saved, or mods applied; without any of them, the last change is undone. */
export interface Wanted {
  files?: { path: string; old: Uint8Array; new: Uint8Array }[];
  mods?: { name: string; text: Uint8Array }[];
}

/** What is done in the folder of a game. */
export interface Made {
  /** In their order: what is made, the path, and the bytes of a file that is written. */
  operations: ["write" | "remove" | "create", string, Uint8Array?][];
  name: string;
  files: string[];
  /** How an earlier change ends that was interrupted, if the operations only end it. */
  recovered: string;
}

/** What a mod says about itself. */
export interface AboutMod {
  title?: string;
  author?: string;
  version?: string;
  description?: string;
}

/** A mod that is to be made: of these files, for the game that the rows of its folder show. */
export interface NewMod {
  files: { path: string; old: Uint8Array | undefined; new: Uint8Array | undefined }[];
  about: AboutMod;
  picture: { name: string; bytes: Uint8Array } | undefined;
  game: Game | undefined;
}

/** The folder of a game, with the rows of its files. */
export interface Game {
  folder: string;
  files: Verified[];
}

/** A mod that was read. */
export interface ToldMod {
  title: string | null;
  author: string | null;
  version: string | null;
  description: string | null;
  made_for: string | null;
  /** The sentence that it was made for another game than this. */
  differs: string | null;
  files: { path: string; words: string }[];
}

/** The row of a file, and what tells the install around it. */
export interface Verified {
  text: string;
  facts: string;
}

interface Open {
  size: number;
  /** The edits so far, made again if the worker is started again. */
  log: [string, unknown[]][];
  described: Described | undefined;
}

/** The library. */
export class Engine {
  private parts: Promise<{ url: string; module: WebAssembly.Module }>;
  readonly hands: Hand[];
  /** The worker with the open files. */
  private desk: Hand;
  private deskAge = 0;
  private open = new Map<string, Open>();
  private isOpen = new Set<string>();
  private queue: Promise<unknown> = Promise.resolve();
  private schemas = new Map<string, any>();
  /** The number of lists of files that are being verified. */
  private verifying = 0;

  constructor(count: number) {
    this.parts = (async () => {
      await shown;
      const [code, wasm] = await Promise.all([part("worker"), part("wasm")]);
      const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
      return { url, module: await WebAssembly.compile(wasm) };
    })();
    this.hands = Array.from({ length: count }, () => new Hand(this.parts));
    this.desk = new Hand(this.parts);
  }

  /** One call of the desk after the other, so that files are not closed between two calls that need them. */
  private inTurn<T>(job: () => Promise<T>): Promise<T> {
    const done = this.queue.then(job, job);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async ensure(file: Openable): Promise<Open> {
    if (this.desk.age !== this.deskAge) {
      this.isOpen.clear();
      this.deskAge = this.desk.age;
    }
    const known = this.open.get(file.path);
    if (known && this.isOpen.has(file.path)) return known;
    let total = 0;
    for (const path of [...this.isOpen]) total += this.open.get(path)?.size ?? 0;
    for (const path of [...this.isOpen]) {
      if (total <= KEPT) break;
      const it = this.open.get(path);
      if (it && it.log.length === 0) {
        total -= it.size;
        await this.desk.call("close", [path]);
        this.isOpen.delete(path);
      }
    }
    const bytes = await file.read();
    const size = bytes.length;
    const name = file.path.split("/").pop()!;
    await this.desk.call("open", [file.path, name, bytes], [bytes.buffer as ArrayBuffer]);
    const open = known ?? { size, log: [], described: undefined };
    for (const [call, all] of open.log) await this.desk.call(call, [file.path, ...all]);
    this.open.set(file.path, open);
    this.isOpen.add(file.path);
    return open;
  }

  private async of(file: Openable, name: string, ...all: unknown[]): Promise<any> {
    return this.inTurn(async () => {
      await this.ensure(file);
      return this.desk.call(name, [file.path, ...all]);
    });
  }

  private async change(file: Openable, name: string, ...all: unknown[]): Promise<any> {
    return this.inTurn(async () => {
      const open = await this.ensure(file);
      const told = await this.desk.call(name, [file.path, ...all]);
      open.log.push([name, all]);
      open.described = undefined;
      return told;
    });
  }

  /** Forgets a file, and its edits. */
  forget(path: string): Promise<void> {
    return this.inTurn(async () => {
      if (this.isOpen.delete(path)) await this.desk.call("close", [path]);
      this.open.delete(path);
    });
  }

  /** Returns whether edits of a file were made in the worker that are not taken back. */
  isEdited(path: string): boolean {
    const log = this.open.get(path)?.log ?? [];
    return log.reduce((count, [call]) => count + (call === "undo" ? -1 : 1), 0) > 0;
  }

  async described(file: Openable): Promise<Described> {
    const known = this.open.get(file.path)?.described;
    if (known) return known;
    const described: Described = await this.of(file, "described");
    const open = this.open.get(file.path);
    if (open) open.described = described;
    return described;
  }

  outline = (file: Openable, entry: string): Promise<string[]> => this.of(file, "outline", entry);
  value = (file: Openable, place: string, most: number): Promise<Value> => this.of(file, "value", place, most);
  find = (file: Openable, text: string): Promise<{ place: string; text: string }[]> => this.of(file, "find", text);
  extent = (file: Openable, place: string): Promise<Extent> => this.of(file, "extent", place);
  owner = (file: Openable, offset: number): Promise<string | undefined> => this.of(file, "owner", offset);
  owners = (file: Openable, begin: number, end: number): Promise<Stretch[]> => this.of(file, "owners", begin, end);
  bytes = (file: Openable): Promise<Uint8Array> => this.of(file, "bytes");
  original = (file: Openable): Promise<Uint8Array> => this.of(file, "original");
  range = (file: Openable, begin: number, end: number): Promise<Uint8Array> => this.of(file, "range", begin, end);
  entry = (file: Openable, entry: string): Promise<Uint8Array> => this.of(file, "entry", entry);
  media = (file: Openable, entry: string): Promise<string[]> => this.of(file, "media", entry);
  medium = (file: Openable, entry: string, path: string): Promise<Uint8Array> => this.of(file, "medium", entry, path);
  changes = (file: Openable): Promise<string> => this.of(file, "changes");

  draw = (
    file: Openable,
    entry: string,
    extension: string,
    level: number,
    names: string[],
    more: (Source | Uint8Array)[],
  ): Promise<Drawing> => this.of(file, "draw", entry, extension, level, names, more);

  /** Returns a world or a library of models in parts, if it is one. */
  still = (file: Openable, entry: string, packages: (Source | Uint8Array)[]): Promise<Drawing | undefined> =>
    this.of(file, "still", entry, packages);

  edit = (file: Openable, wishes: object | string): Promise<Told> =>
    this.change(file, "edit", typeof wishes === "string" ? wishes : JSON.stringify(wishes));
  replace = (file: Openable, entry: string, extension: string, content: Uint8Array): Promise<Told> =>
    this.change(file, "replace", entry, extension, content);
  add = (file: Openable, entry: string, extension: string, content: Uint8Array): Promise<Told> =>
    this.change(file, "add", entry, extension, content);
  repack = (file: Openable, entry: string, path: string, content: Uint8Array): Promise<Told> =>
    this.change(file, "repack", entry, path, content);
  apply = (file: Openable, changes: Uint8Array): Promise<Told> => this.change(file, "apply", changes);
  undo = (file: Openable): Promise<boolean> => this.change(file, "undo");
  redo = (file: Openable): Promise<boolean> => this.change(file, "redo");

  mod = (wanted: NewMod): Promise<Uint8Array> => this.inTurn(() => this.desk.call("mod", [wanted]));
  toldMod = (name: string, text: Uint8Array, game: Game | undefined): Promise<ToldMod> =>
    this.inTurn(() => this.desk.call("toldMod", [name, text, game]));
  inGame = (folder: string, now: number, entries: [string, boolean, Uint8Array?][], wanted: Wanted): Promise<Made | { lacks: string[] }> =>
    this.inTurn(() => this.desk.call("inGame", [folder, now, entries, wanted]));
  applyMod = (name: string, text: Uint8Array, path: string, old?: Uint8Array): Promise<Uint8Array | undefined> =>
    this.inTurn(() => this.desk.call("applyMod", [name, text, path, old]));
  compare = (name: string, one: Uint8Array, other: Uint8Array): Promise<{ entry: string; words: string }[]> =>
    this.inTurn(() => this.desk.call("compare", [name, one, other]));

  async schema(kind: string): Promise<any> {
    if (!this.schemas.has(kind)) {
      const text: string | undefined = await this.inTurn(() => this.desk.call("schema", [kind]));
      this.schemas.set(kind, text === undefined ? undefined : JSON.parse(text));
    }
    return this.schemas.get(kind);
  }

  /**
   * Verifies files on all workers. Each has two at a time, a large and a small one, so that it decodes one while the browser reads or hashes
   * the other. `told` gets each row; `stop` is asked before each file.
   */
  async verify(files: Verifiable[], told: (path: string, verified: Verified, row: Row) => void, stop: () => boolean): Promise<void> {
    const sorted = [...files].sort((one, other) => other.size - one.size);
    const work = async (hand: Hand, next: () => Verifiable | undefined) => {
      for (;;) {
        const file = stop() ? undefined : next();
        if (!file) return;
        const verified = await this.verified(hand, file);
        told(file.path, verified, JSON.parse(verified.text));
      }
    };
    this.verifying += 1;
    try {
      await Promise.all(this.hands.flatMap((hand) => [work(hand, () => sorted.shift()), work(hand, () => sorted.pop())]));
    } finally {
      this.verifying -= 1;
      if (this.verifying === 0) this.hands.forEach((hand) => hand.rest());
    }
  }

  private async verified(hand: Hand, file: Verifiable): Promise<Verified> {
    for (let hasRead = false; ;) {
      try {
        return await hand.call("verify", ...(await this.sent(file)));
      } catch (why) {
        if (why instanceof Failure && why.again) continue;
        if (!hasRead && !(why instanceof Failure && why.dead) && (await this.isReadHere(file))) {
          hasRead = true;
          continue;
        }
        const words = why instanceof Error ? why.message : String(why);
        try {
          return await hand.call("unreadable", [file.path, words]);
        } catch {
          return { text: JSON.stringify({ schema: 1, path: file.path, status: "unreadable", error: { message: words } }), facts: "" };
        }
      }
    }
  }

  /** `true` if workers cannot read files: in WebKit, those of a page from the disk cannot. */
  private readsHere = false;

  /** Finds out whether a file can be read here that a worker could not read. */
  private async isReadHere(file: Verifiable): Promise<boolean> {
    if (!file.source) return false;
    // Another file has shown it meanwhile.
    if (this.readsHere) return true;
    try {
      await file.read();
    } catch {
      return false;
    }
    this.readsHere = true;
    return true;
  }

  /** Returns where a worker finds the bytes of a file, or else these. */
  async found(file: Verifiable): Promise<Source | Uint8Array> {
    return file.source && !this.readsHere ? file.source : file.read();
  }

  /** Returns what a worker is sent to verify a file, and what of it is handed over. */
  private async sent(file: Verifiable): Promise<[unknown[], Transferable[]]> {
    const from = await this.found(file);
    return [[file.path, from, file.inDemo === true], from instanceof Uint8Array ? [from.buffer as ArrayBuffer] : []];
  }

  /** Returns for each path whether it is ignored, and whether it is in a demo that is not supported. */
  async sorted(paths: string[]): Promise<{ isLitter: boolean; inDemo: boolean }[]> {
    const [litter, demo]: [Uint8Array, Uint8Array] = await this.inTurn(async () => [
      // The folder that was dropped can have any name.
      await this.desk.call("litter", [paths.map((path) => path.slice(path.indexOf("/") + 1))]),
      await this.desk.call("inDemo", [paths]),
    ]);
    return paths.map((_, index) => ({ isLitter: litter[index] === 1, inDemo: demo[index] === 1 }));
  }

  survey = (folders: string[], list: Verified[]): Promise<Surveyed> => this.inTurn(() => this.desk.call("survey", [folders, list]));

  /** Returns the page that `verify --html` writes. All files are verified once more, in the order of their paths, by one worker. */
  async report(folders: string[], paths: string[], files: Verifiable[], told: (file: Verifiable) => boolean): Promise<string | undefined> {
    const hand = new Hand(this.parts);
    try {
      await hand.call("reportBegin", [folders]);
      for (const file of [...files].sort((one, other) => inOrder(one.path, other.path))) {
        await hand.call("reportFile", ...(await this.sent(file)));
        if (!told(file)) return undefined;
      }
      return await hand.call("reportEnd", [paths]);
    } finally {
      hand.stop(new Failure("ended"));
    }
  }
}

/** Compares paths as the program walks folders: part by part, by the bytes of the names. */
export function inOrder(one: string, other: string): number {
  const [ours, theirs] = [one.split("/"), other.split("/")];
  for (let index = 0; index < Math.min(ours.length, theirs.length); index += 1) {
    if (ours[index] !== theirs[index]) return byBytes(ours[index]!, theirs[index]!);
  }
  return ours.length - theirs.length;
}

/** Compares texts by the bytes of UTF-8, whose order is that of the code points. */
export function byBytes(one: string, other: string): number {
  const [ours, theirs] = [[...one], [...other]];
  for (let index = 0; index < Math.min(ours.length, theirs.length); index += 1) {
    const step = ours[index]!.codePointAt(0)! - theirs[index]!.codePointAt(0)!;
    if (step !== 0) return step;
  }
  return ours.length - theirs.length;
}

/** Returns the entries directly below an entry, or below the file itself. */
export function below(entries: Entry[], entry: string): Entry[] {
  const prefix = entry === "" ? "" : `${entry}!`;
  return entries.filter((it) => it.entry.startsWith(prefix) && !it.entry.slice(prefix.length).includes("!"));
}
