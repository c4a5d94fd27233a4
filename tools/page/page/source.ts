// Where the bytes of a file are. A source is handed to a worker, which reads it there.

import { Inflate } from "fflate";

/** A file, or one in a zip. */
export type Source =
  | { blob: Blob }
  | { zip: Blob; offset: number; packed: number; full: number; method: number; isEncrypted: boolean; crc: number }
  | { error: string };

/** Returns the bytes of a file. */
export async function bytesOf(source: Source): Promise<Uint8Array> {
  if ("error" in source) throw new Error(source.error);
  if ("blob" in source) return new Uint8Array(await source.blob.arrayBuffer());
  const { zip, offset, packed, full, method, isEncrypted, crc } = source;
  if (isEncrypted) throw new Error("is encrypted in its zip; unzip it first");
  const head = new DataView(await zip.slice(offset, offset + 30).arrayBuffer());
  if (head.byteLength < 30 || head.getUint32(0, true) !== 0x04034b50) throw new Error("its zip is damaged");
  const data = offset + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const bytes = new Uint8Array(await zip.slice(data, data + packed).arrayBuffer());
  if (method === 0) return checked(bytes, crc);
  if (method !== 8) throw new Error(`is compressed by a method (${method}) that this page cannot read; unzip it first`);
  return checked(inflated(bytes, full), crc);
}

/** Returns bytes that have this CRC-32. */
function checked(bytes: Uint8Array, crc: number): Uint8Array {
  let sum = -1;
  for (let at = 0; at < bytes.length; at += 1) sum = TABLE[(sum ^ bytes[at]!) & 0xff]! ^ (sum >>> 8);
  if (~sum >>> 0 !== crc) throw new Error("its bytes have another checksum than its zip states; the zip is damaged");
  return bytes;
}

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

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
