// Changes the files in the folder of a game, where the browser may write one, with the journal that undoes it.

import type { Engine, Made, Wanted } from "./engine";

/** Returns `true` if the browser can write into a folder that the user names. */
export const canSave = "showDirectoryPicker" in globalThis;

/** Lets the user name a folder to write into. Returns nothing if none was named. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await (globalThis as any).showDirectoryPicker({ id: "game", mode: "readwrite" });
  } catch (why) {
    if (why instanceof DOMException && why.name === "AbortError") return undefined;
    throw why;
  }
}

/** What is in a folder: folders, and files. */
type Names = Map<string, FileSystemHandle>;

async function namesIn(folder: FileSystemDirectoryHandle, path: string, names: Names): Promise<Names> {
  for await (const handle of (folder as any).values() as AsyncIterable<FileSystemHandle>) {
    const inner = path ? `${path}/${handle.name}` : handle.name;
    names.set(inner, handle);
    if (handle.kind === "directory") await namesIn(handle as FileSystemDirectoryHandle, inner, names);
  }
  return names;
}

/** A file that was edited: its path in the game, and its bytes before, if there was one, and after, if there is one. */
export interface Change {
  path: string;
  old: Uint8Array | undefined;
  new: Uint8Array | undefined;
}

/** What was done in a folder: the name of the change, and its files. */
export interface Done {
  name: string;
  files: string[];
}

/** Returns the handle of a file by a path in any case. */
function fileOf(names: Names, path: string): FileSystemFileHandle | undefined {
  const lower = path.toLowerCase();
  const found = names.get(path) ?? [...names].find(([other]) => other.toLowerCase() === lower)?.[1];
  return found?.kind === "file" ? (found as FileSystemFileHandle) : undefined;
}

async function bytesIn(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer());
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Saves edited files in the game, as one edit. */
export function saveInto(game: FileSystemDirectoryHandle, engine: Engine, changes: Change[]): Promise<Done> {
  return changed(game, engine, async (names) => {
    const files = [];
    for (const it of changes) {
      if (!it.old || !it.new) throw new Error(`${it.path}: a mod adds or removes this file; apply the mod to the folder instead`);
      const handle = fileOf(names, it.path);
      if (!handle) throw new Error(`${game.name}: has no ${it.path}; choose the folder of the game`);
      const now = await handle.getFile();
      // After a change that was interrupted, it can be there already.
      if (now.size === it.new.length && isSame(await bytesIn(now), it.new)) continue;
      files.push({ path: it.path, old: it.old, new: it.new });
    }
    return files.length > 0 ? { files } : undefined;
  });
}

/** Applies a mod to the game. */
export function applyTo(game: FileSystemDirectoryHandle, engine: Engine, name: string, text: Uint8Array): Promise<Done> {
  return changed(game, engine, async () => ({ mods: [{ name, text }] }));
}

/** Undoes the last change that the journal of the game has. */
export function undoIn(game: FileSystemDirectoryHandle, engine: Engine): Promise<Done> {
  return changed(game, engine, async () => ({}));
}

/** Keeps other pages of this browser from changing a game meanwhile. */
async function alone<T>(body: () => Promise<T>): Promise<T> {
  let isGiven = false;
  try {
    return await navigator.locks.request("game", { ifAvailable: true }, async (lock) => {
      isGiven = true;
      if (!lock) throw new Error("another page is changing a game; wait for its end");
      return body();
    });
  } catch (why) {
    // A page from the disk has no locks in some browsers.
    if (isGiven || !(why instanceof DOMException)) throw why;
    return body();
  }
}

/**
 * Makes a change as a whole: the library plans it, as it does for the program, and says which operations to make. Whatever ends the page
 * meanwhile, the next call of the program or of the page finishes the change, or restores the files.
 */
function changed(game: FileSystemDirectoryHandle, engine: Engine, wanted: (names: Names) => Promise<Wanted | undefined>): Promise<Done> {
  return alone(async () => {
    for (;;) {
      const names = await namesIn(game, "", new Map());
      const what = await wanted(names);
      if (!what) return { name: "", files: [] };
      const { made, read } = await planned(game, engine, names, what);
      for (const [kind, path, bytes] of made.operations) {
        try {
          await isUnchanged(read.get(path));
          await make(game, kind, path, bytes);
          read.delete(path);
        } catch (why) {
          const reason = why instanceof Error ? why.message : String(why);
          throw new Error(
            `${path}: ${reason}; call this again, or bitexact mod finish ${game.name}, which finishes the change or restores the files`,
          );
        }
      }
      // An earlier change that was interrupted has ended first, so that the files can be others.
      if (!made.recovered) return made;
    }
  });
}

/** A file as it was when it was read. */
interface Read {
  handle: FileSystemFileHandle;
  bytes: Uint8Array;
  size: number;
  modified: number;
}

/** Lets the library plan a change; what it needs for that is read. */
async function planned(
  game: FileSystemDirectoryHandle,
  engine: Engine,
  names: Names,
  wanted: Wanted,
): Promise<{ made: Made; read: Map<string, Read> }> {
  const read = new Map<string, Read>();
  const now = Math.floor(Date.now() / 1000);
  for (;;) {
    const entries = [...names].map(([path, it]): [string, boolean, Uint8Array?] => [path, it.kind === "directory", read.get(path)?.bytes]);
    const told = await engine.inGame(game.name, now, entries, wanted);
    if ("operations" in told) return { made: told, read };
    for (const path of told.lacks) {
      const handle = names.get(path) as FileSystemFileHandle;
      const file = await handle.getFile();
      read.set(path, { handle, bytes: await bytesIn(file), size: file.size, modified: file.lastModified });
    }
  }
}

/** Checks that nothing else has written a file since it was read. */
async function isUnchanged(read: Read | undefined): Promise<void> {
  if (!read) return;
  const file = await read.handle.getFile();
  if (file.size !== read.size || file.lastModified !== read.modified) throw new Error("something else has changed the file meanwhile");
}

async function make(game: FileSystemDirectoryHandle, kind: string, path: string, bytes?: Uint8Array): Promise<void> {
  const parts = path.split("/");
  const name = parts.pop()!;
  let folder = game;
  for (const part of parts) folder = await folder.getDirectoryHandle(part);
  if (kind === "create") await folder.getDirectoryHandle(name, { create: true });
  else if (kind === "remove") await folder.removeEntry(name);
  else {
    const file = await folder.getFileHandle(name, { create: true });
    // The bytes take the place of the old ones when it is closed.
    const writable = await file.createWritable();
    try {
      await writable.write(bytes as BufferSource);
    } catch (why) {
      await writable.abort();
      throw why;
    }
    await writable.close();
  }
}
