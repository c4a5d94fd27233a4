// A worker: the library, and the files that are open in it.

import * as library from "../built/page.js";

const files = new Map<string, library.File>();

type Call = (...all: any[]) => unknown;

const calls: Record<string, Call> = {
  verify: (path: string, file: Uint8Array) => library.verify(path, file, false),
  unreadable: (path: string, why: string) => library.unreadable(path, why),
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

self.onmessage = (event: MessageEvent) => {
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
    const value = answer(name, all);
    const moved = value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [];
    self.postMessage({ id, value }, { transfer: moved });
  } catch (why) {
    // After a trap, the memory of the module can be in any state.
    const dead = why instanceof WebAssembly.RuntimeError || why instanceof RangeError;
    const text = why instanceof Error ? why.message : String(why);
    self.postMessage({ id, error: dead ? `internal error: ${panic || text}` : text, dead });
  }
};
