// A worker: the library, and the files that are open in it.

import * as library from "../built/page.js";
import type { Game, NewMod, Wanted } from "./engine";
import { handedOver, merged } from "./merge";
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
  mod: ({ files, about, picture, game }: NewMod) => {
    const making = new library.Making();
    try {
      for (const it of files) making.add(it.path, it.old, it.new);
      making.about(JSON.stringify(about));
      if (picture) making.picture(picture.name, picture.bytes);
      return making.finish(game && surveyOf(game));
    } finally {
      making.free();
    }
  },
  toldMod: (name: string, text: Uint8Array, game?: Game) => {
    const mod = new library.Reading(name, text);
    try {
      return JSON.parse(mod.told(game && surveyOf(game)));
    } finally {
      mod.free();
    }
  },
  inGame: (folder: string, now: number, entries: [string, boolean, Uint8Array?][], wanted: Wanted) => {
    const saving = new library.Saving(now);
    try {
      for (const [path, isFolder, bytes] of entries) saving.has(path, isFolder, bytes);
      for (const it of wanted.files ?? []) saving.add(it.path, it.old, it.new);
      for (const it of wanted.mods ?? []) saving.add_mod(it.name, it.text);
      const told = JSON.parse(saving.run(folder));
      if (told.operations) for (const [nth, operation] of told.operations.entries()) operation.push(saving.bytes(nth));
      return told;
    } finally {
      saving.free();
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

/** Returns what the files of a folder show of its game. A call takes it over. */
function surveyOf({ folder, files }: Game): library.Survey {
  const survey = new library.Survey([folder]);
  for (const { text, facts } of files) survey.see(text, facts);
  return survey;
}

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
  extent: (file, place: string) => JSON.parse(file.extent(place)),
  owner: (file, offset: number) => file.owner(offset),
  owners: (file, begin: number, end: number) => JSON.parse(file.owners(begin, end)),
  bytes: (file) => file.bytes(),
  original: (file) => file.original(),
  range: (file, begin: number, end: number) => file.range(begin, end),
  entry: (file, entry: string) => file.entry(entry),
  draw: async (file, entry: string, extension: string, level: number, names: string[], more: (Source | Uint8Array)[]) => {
    const files = await Promise.all(more.map((it) => (it instanceof Uint8Array ? it : bytesOf(it))));
    const drawing = file.draw(entry, extension, level, names, files);
    try {
      const [drawn, about] = [drawing.file, JSON.parse(drawing.about)];
      const parts = extension === "glb" ? merged(drawn) : undefined;
      const moved = [drawn.buffer as ArrayBuffer, ...(parts ? handedOver(parts) : [])];
      return new Moved({ file: drawn, about, parts }, moved);
    } finally {
      drawing.free();
    }
  },
  still: async (file, entry: string, more: (Source | Uint8Array)[]) => {
    const files = await Promise.all(more.map((it) => (it instanceof Uint8Array ? it : bytesOf(it))));
    const still = file.still(entry, files);
    if (!still) return undefined;
    try {
      const parts = Array.from(still.materials(), (material, part) => {
        const [positions, normals, coordinates, colors] = [0, 1, 2, 3].map((list) => still.floats(part, list) as Float32Array<ArrayBuffer>);
        return {
          material,
          positions: positions!,
          normals: normals!,
          coordinates: coordinates!,
          colors: colors!,
          indices: still.indices(part),
        };
      });
      const images = Array.from({ length: still.count() }, (_, number) => still.image(number));
      const surfaces = JSON.parse(still.surfaces()).map((it: any) => ({ ...it, image: it.image ?? -1 }));
      const merged = { parts, surfaces, images, triangles: parts.reduce((sum, part) => sum + part.indices.length / 3, 0) };
      return new Moved({ about: JSON.parse(still.about()), parts: merged }, handedOver(merged));
    } finally {
      still.free();
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

/** A value that is handed over without a copy. */
class Moved {
  constructor(
    readonly value: unknown,
    readonly parts: ArrayBuffer[],
  ) {}
}

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
    const found = given instanceof Promise ? await given : given;
    if (found instanceof Moved) {
      self.postMessage({ id, value: found.value }, { transfer: found.parts });
      return;
    }
    const moved = found instanceof Uint8Array ? [found.buffer as ArrayBuffer] : [];
    self.postMessage({ id, value: found }, { transfer: moved });
  } catch (why) {
    // After a trap, the memory of the module can be in any state.
    const dead = isDeadly(why);
    const text = why instanceof Error ? why.message : String(why);
    self.postMessage({ id, error: dead ? `internal error: ${panic || text}` : text, dead });
  }
};
