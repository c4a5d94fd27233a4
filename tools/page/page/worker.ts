// A worker: the library, and the files that are open in it.

import * as library from "../built/page.js";
import { bytesOf, type Source } from "./source";

const files = new Map<string, library.File>();

type Call = (...all: any[]) => unknown;

const calls: Record<string, Call> = {
  verify: async (path: string, from: Source | Uint8Array, inDemo: boolean) => {
    const verified = await proven(path, from, inDemo, false);
    try {
      return { text: verified.row(), facts: verified.facts() };
    } finally {
      verified.free();
    }
  },
  unreadable: (path: string, why: string) => {
    const verified = library.Verified.unreadable(path, why);
    try {
      return { text: verified.row(), facts: verified.facts() };
    } finally {
      verified.free();
    }
  },
  litter: (paths: string[]) => library.litter(paths),
  inDemo: (paths: string[]) => library.in_demo(paths),
  survey: (folders: string[], list: { text: string; facts: string }[]) => {
    const survey = new library.Survey(folders);
    try {
      for (const { text, facts } of list) survey.see(text, facts);
      return JSON.parse(survey.installs());
    } finally {
      survey.free();
    }
  },
  reportBegin: (folders: string[]) => {
    reporting?.free();
    reporting = new library.Reporting(folders);
  },
  reportFile: async (path: string, from: Source | Uint8Array, inDemo: boolean) => {
    let verified: library.Verified;
    try {
      verified = await proven(path, from, inDemo, true);
    } catch (why) {
      if (isDeadly(why)) throw why;
      verified = library.Verified.unreadable(path, why instanceof Error ? why.message : String(why));
    }
    reporting!.see(verified);
  },
  reportEnd: (paths: string[]) => {
    const page = reporting!.finish(paths);
    reporting = undefined;
    return page;
  },
  version: () => library.version(),
  formats: () => JSON.parse(library.formats()),
  schema: (kind: string) => library.schema(kind),
  compare: (name: string, one: Uint8Array, other: Uint8Array) => JSON.parse(library.compare(name, one, other)),
  open: (key: string, name: string, file: Uint8Array) => {
    close(key);
    files.set(key, new library.File(name, file));
  },
  close: (key: string) => close(key),
  mod: (list: { path: string; old?: Uint8Array; new?: Uint8Array }[]) => {
    const making = new library.Making();
    try {
      for (const it of list) making.add(it.path, it.old, it.new);
      return making.finish();
    } finally {
      making.free();
    }
  },
  modFiles: (name: string, text: Uint8Array) => {
    const mod = new library.Reading(name, text);
    try {
      return JSON.parse(mod.files());
    } finally {
      mod.free();
    }
  },
  applyMod: (name: string, text: Uint8Array, path: string, old?: Uint8Array) => {
    const mod = new library.Reading(name, text);
    try {
      return mod.apply(path, old);
    } finally {
      mod.free();
    }
  },
};

/** The report that is being made. */
let reporting: library.Reporting | undefined;

/** Returns the SHA-256 of bytes, by the browser where it computes one: not in a page from a server without encryption. */
async function digest(bytes: Uint8Array): Promise<Uint8Array> {
  if (!globalThis.crypto?.subtle) return library.digest(bytes);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as BufferSource));
}

/** Receives the bytes of a file that is encoded again, in place of the original, of which the browser has a copy by then. */
class Rewritten {
  private length = 0;

  constructor(private place: Uint8Array) {}

  write(bytes: Uint8Array): void {
    const end = this.length + bytes.length;
    if (end > this.place.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.place.length));
      larger.set(this.place.subarray(0, this.length));
      this.place = larger;
    }
    this.place.set(bytes, this.length);
    this.length = end;
  }

  /** All bytes that were received, and no others. */
  get bytes(): Uint8Array {
    return this.place.subarray(0, this.length);
  }
}

/** Verifies a file. Both hashes are of bytes: of those that were read, and of those that the library has encoded again. */
async function proven(path: string, from: Source | Uint8Array, inDemo: boolean, strip: boolean): Promise<library.Verified> {
  const file = from instanceof Uint8Array ? from : await bytesOf(from).catch(unreadable);
  // The digest is that of the bytes at the time of the call.
  const original = digest(file);
  const rewritten = new Rewritten(file);
  const verifying = new library.Verifying(path, file, strip, rewritten);
  const again = digest(rewritten.bytes);
  return verifying.finish(await original, await again, inDemo);
}

function unreadable(why: unknown): never {
  // A file that is too large for a browser is no error of the library.
  throw new Error(why instanceof Error ? why.message : String(why));
}

function isDeadly(why: unknown): boolean {
  return why instanceof WebAssembly.RuntimeError || why instanceof RangeError;
}

function close(key: string): void {
  files.get(key)?.free();
  files.delete(key);
}

/** The calls of an open file. */
const of: Record<string, (file: library.File, ...all: any[]) => unknown> = {
  described: (file) => JSON.parse(file.described()),
  outline: (file, entry: string) => file.outline(entry),
  value: (file, place: string, most: number) => JSON.parse(file.value(place, most)),
  find: (file, text: string) => JSON.parse(file.find(text)),
  owners: (file, begin: number, end: number) => JSON.parse(file.owners(begin, end)),
  bytes: (file) => file.bytes(),
  original: (file) => file.original(),
  range: (file, begin: number, end: number) => file.range(begin, end),
  entry: (file, entry: string) => file.entry(entry),
  draw: (file, entry: string, extension: string, level: number, names: string[], more: Uint8Array[]) => {
    const drawing = file.draw(entry, extension, level, names, more);
    try {
      return { file: drawing.file, about: JSON.parse(drawing.about) };
    } finally {
      drawing.free();
    }
  },
  media: (file, entry: string) => JSON.parse(file.media(entry)),
  medium: (file, entry: string, path: string) => file.medium(entry, path),
  edit: (file, wishes: string) => JSON.parse(file.edit(wishes)),
  replace: (file, entry: string, extension: string, content: Uint8Array) => JSON.parse(file.replace(entry, extension, content)),
  add: (file, entry: string, extension: string, content: Uint8Array) => JSON.parse(file.add(entry, extension, content)),
  repack: (file, entry: string, path: string, content: Uint8Array) => JSON.parse(file.repack(entry, path, content)),
  apply: (file, changes: Uint8Array) => JSON.parse(file.apply(changes)),
  undo: (file) => file.undo(),
  redo: (file) => file.redo(),
  changes: (file) => file.changes(),
};

function answer(name: string, all: unknown[]): unknown {
  const call = calls[name];
  if (call) return call(...all);
  const [key, ...rest] = all as [string, ...unknown[]];
  const file = files.get(key);
  const method = of[name];
  if (!file || !method) throw new Error(`no open file ${key}, or no call ${name}`);
  return method(file, ...rest);
}

/** The last panic, which the library prints before it stops. */
let panic = "";

self.onmessage = async (event: MessageEvent) => {
  const { id, name, all } = event.data as { id: number; name: string; all: unknown[] };
  if (name === "begin") {
    const [module, memory] = all as [WebAssembly.Module | Uint8Array, number];
    const print = console.error.bind(console);
    console.error = (...texts: unknown[]) => {
      panic = texts.map(String).join(" ");
      print(...texts);
    };
    try {
      library.initSync({ module: module as BufferSource });
      library.begin(memory);
      self.postMessage({ id, value: null });
    } catch (why) {
      self.postMessage({ id, error: String(why), dead: true });
    }
    return;
  }
  try {
    panic = "";
    const given = answer(name, all);
    // Without a wait, calls that do not wait are answered in their order.
    const value = given instanceof Promise ? await given : given;
    const moved = value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [];
    self.postMessage({ id, value }, { transfer: moved });
  } catch (why) {
    // After a trap, the memory of the module can be in any state.
    const dead = isDeadly(why);
    const text = why instanceof Error ? why.message : String(why);
    self.postMessage({ id, error: dead ? `internal error: ${panic || text}` : text, dead });
  }
};
