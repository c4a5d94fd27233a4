// The files that were dropped: from folders, from zips, or alone. They are read when they are needed.

import { Inflate } from "fflate";

/** A file that was dropped. */
export interface Dropped {
  /** The path with `/` between its parts, as the program prints it. */
  path: string;
  size: number;
  read(): Promise<Uint8Array>;
}

function ofBlob(path: string, file: Blob): Dropped {
  return { path, size: file.size, read: async () => new Uint8Array(await file.arrayBuffer()) };
}

/** Returns a file, or the files in it if it is a zip. */
async function expanded(path: string, file: File): Promise<Dropped[]> {
  if (file.size > 22 && new DataView(await file.slice(0, 4).arrayBuffer()).getUint32(0, true) === 0x04034b50) {
    return zipped(path, file);
  }
  return [ofBlob(path, file)];
}

/** Returns the files of a drop, with the folders in it. */
export async function dropped(items: DataTransfer): Promise<Dropped[]> {
  const found: Promise<Dropped[]>[] = [];
  // The list is empty after the first wait.
  const entries = [...items.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...items.files];
  if (entries.some((entry) => entry?.isDirectory)) {
    for (const entry of entries) if (entry) found.push(inFolder(entry));
  } else {
    for (const file of files) found.push(expanded(file.name, file));
  }
  return (await Promise.all(found)).flat();
}

async function inFolder(entry: FileSystemEntry): Promise<Dropped[]> {
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return expanded(path, file);
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: Dropped[] = [];
  for (;;) {
    // A browser returns a part of a large folder at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    for (const inner of some) all.push(...(await inFolder(inner)));
  }
}

/** Returns the files of an input element. */
export async function chosen(files: FileList): Promise<Dropped[]> {
  const all = [...files].map((file) => expanded(file.webkitRelativePath || file.name, file));
  return (await Promise.all(all)).flat();
}

/** Returns the files in a zip by its directory, without reading them. */
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
    const [packed, full] = [list.getUint32(at + 20, true), list.getUint32(at + 24, true)];
    const [nameSize, extra, comment] = [28, 30, 32].map((it) => list.getUint16(at + it, true)) as [number, number, number];
    const offset = list.getUint32(at + 42, true);
    if (at + 46 + nameSize > size) throw amiss("its directory is damaged");
    const letters = new Uint8Array(list.buffer, at + 46, nameSize);
    const name = new TextDecoder(flags & 0x800 ? "utf-8" : "windows-1252").decode(letters).replaceAll("\\", "/");
    at += 46 + nameSize + extra + comment;
    if (name.endsWith("/") || name.startsWith("__MACOSX/")) continue;
    const read = async () => {
      if (flags & 1) throw new Error("is encrypted in its zip; unzip it first");
      const head = new DataView(await zip.slice(offset, offset + 30).arrayBuffer());
      if (head.byteLength < 30 || head.getUint32(0, true) !== 0x04034b50) throw new Error("its zip is damaged");
      const data = offset + 30 + head.getUint16(26, true) + head.getUint16(28, true);
      const bytes = new Uint8Array(await zip.slice(data, data + packed).arrayBuffer());
      if (method === 0) return bytes;
      if (method !== 8) throw new Error(`is compressed by a method (${method}) that this page cannot read; unzip it first`);
      return inflated(bytes, full);
    };
    all.push({ path: name, size: full, read });
  }
  return all;
}

/** Inflates bytes to a known size, and stops where they are more. */
function inflated(bytes: Uint8Array, size: number): Uint8Array {
  // A stated size is believed only as far as the bytes can give it.
  if (size > bytes.length * 1_100 + 64) throw new Error(`expected ${size} bytes in its zip, found fewer`);
  const all = new Uint8Array(size);
  let at = 0;
  const inflate = new Inflate((piece) => {
    if (at + piece.length > size) throw new Error(`expected ${size} bytes in its zip, found more`);
    all.set(piece, at);
    at += piece.length;
  });
  const PIECE = 1 << 16;
  for (let from = 0; from < bytes.length; from += PIECE) {
    inflate.push(bytes.subarray(from, from + PIECE), from + PIECE >= bytes.length);
  }
  if (at !== size) throw new Error(`expected ${size} bytes in its zip, found ${at}`);
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
