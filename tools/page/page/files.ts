// The files that were dropped: from folders, from zips, or alone. They are read when they are needed.

import { bytesOf, type Source } from "./source";

/** A file that was dropped. */
export interface Dropped {
  /** The path with `/` between its parts, as the program prints it. */
  path: string;
  size: number;
  source: Source;
  read(): Promise<Uint8Array>;
}

function from(path: string, size: number, source: Source): Dropped {
  return { path, size, source, read: () => bytesOf(source) };
}

function ofBlob(path: string, file: Blob): Dropped {
  return from(path, file.size, { blob: file });
}

/** Returns a file, or the files in it if it is a zip. */
async function expanded(path: string, file: File): Promise<Dropped[]> {
  if (file.size > 22 && new DataView(await file.slice(0, 4).arrayBuffer()).getUint32(0, true) === 0x04034b50) {
    return zipped(path, file);
  }
  return [ofBlob(path, file)];
}

/** Returns the files of a drop: of folders, zips and files, several at once. A zip in a folder is one of its files. */
export async function dropped(items: DataTransfer): Promise<Dropped[]> {
  // The list is empty after the first wait.
  const entries = [...items.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...items.files];
  if (!entries.some((entry) => entry?.isDirectory)) return flat(files.map((file) => expanded(file.name, file)));
  // In Chromium, a page from the disk gets no files from entries, but from handles, which others do not have.
  const asked = [...items.items].map((item) => (item as any).getAsFileSystemHandle?.() as Promise<FileSystemHandle | null> | undefined);
  if (asked.every((it) => it !== undefined)) {
    const handles = await Promise.all(asked);
    return flat(handles.map(async (handle) => (handle ? ofHandle(handle, handle.name, true) : [])));
  }
  return flat(entries.map(async (entry) => (entry?.isFile ? expanded(entry.name, await fileOf(entry)) : entry ? inFolder(entry) : [])));
}

async function ofHandle(handle: FileSystemHandle, path: string, isNamed: boolean): Promise<Dropped[]> {
  if (handle.kind === "file") {
    const file = await (handle as FileSystemFileHandle).getFile();
    return isNamed ? expanded(path, file) : [ofBlob(path, file)];
  }
  const inner: Promise<Dropped[]>[] = [];
  for await (const it of (handle as any).values() as AsyncIterable<FileSystemHandle>) inner.push(ofHandle(it, `${path}/${it.name}`, false));
  return flat(inner);
}

async function flat(all: Promise<Dropped[]>[]): Promise<Dropped[]> {
  return (await Promise.all(all)).flat();
}

function fileOf(entry: FileSystemEntry): Promise<File> {
  return new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
}

async function inFolder(entry: FileSystemEntry): Promise<Dropped[]> {
  if (entry.isFile) return [ofBlob(entry.fullPath.replace(/^\//, ""), await fileOf(entry))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: Dropped[] = [];
  for (;;) {
    // A browser returns a part of a large folder at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...(await flat(some.map(inFolder))));
  }
}

/** Returns the files of an input element. */
export async function chosen(files: FileList): Promise<Dropped[]> {
  return flat(
    [...files].map(async (file) => {
      const inner = file.webkitRelativePath;
      return inner ? [ofBlob(inner, file)] : expanded(file.name, file);
    }),
  );
}

/** Returns a file in a zip by its path: nothing if it has no such file, `null` if the file is no zip. */
export async function fileInZip(zip: File, fits: (path: string) => boolean): Promise<Uint8Array | undefined | null> {
  const all = await expanded("", zip);
  if (all.length === 1 && all[0]!.path === "") return null;
  return all.find((it) => fits(it.path.slice(1)))?.read();
}

/** Returns the files in a zip by its directory, without reading them. Their paths are below that of the zip. */
async function zipped(path: string, zip: File): Promise<Dropped[]> {
  const amiss = (why: string) => new Error(`${path}: not a zip that can be read: ${why}`);
  const tail = new Uint8Array(await zip.slice(Math.max(0, zip.size - 65_557)).arrayBuffer());
  const view = new DataView(tail.buffer);
  let end = tail.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw amiss("the directory at its end is missing");
  const [count, size, begin] = [view.getUint16(end + 10, true), view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  if (count === 0xffff || begin === 0xffffffff) throw amiss("it is in the format for more than 4 GB; unzip it first");
  if (begin + size > zip.size) throw amiss("it is cut off");
  const list = new DataView(await zip.slice(begin, begin + size).arrayBuffer());
  const all: Dropped[] = [];
  for (let at = 0, number = 0; number < count; number += 1) {
    if (at + 46 > size || list.getUint32(at, true) !== 0x02014b50) throw amiss("its directory is damaged");
    const [flags, method] = [list.getUint16(at + 8, true), list.getUint16(at + 10, true)];
    const [crc, packed, full] = [16, 20, 24].map((it) => list.getUint32(at + it, true)) as [number, number, number];
    const [nameSize, extra, comment] = [28, 30, 32].map((it) => list.getUint16(at + it, true)) as [number, number, number];
    const offset = list.getUint32(at + 42, true);
    if (at + 46 + nameSize > size) throw amiss("its directory is damaged");
    const letters = new Uint8Array(list.buffer, at + 46, nameSize);
    const name = new TextDecoder(flags & 0x800 ? "utf-8" : "windows-1252").decode(letters);
    const parts = name.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
    at += 46 + nameSize + extra + comment;
    if (/[/\\]$/.test(name) || parts[0] === "__MACOSX" || parts.length === 0) continue;
    if (parts.some((part) => part === ".." || /[:\0]/.test(part))) {
      all.push(from(`${path}/?`, full, { error: `${name}: expected a path inside the archive` }));
      continue;
    }
    all.push(from([path, ...parts].join("/"), full, { zip, offset, packed, full, method, isEncrypted: (flags & 1) !== 0, crc }));
  }
  return all;
}

/** Offers bytes as a file to save. */
export function save(name: string, content: Uint8Array | string, type = "application/octet-stream"): void {
  const url = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
