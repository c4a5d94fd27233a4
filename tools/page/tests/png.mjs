// PNG files, as another program would write them.

import { crc32, deflateSync, inflateSync } from "node:zlib";

const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Turns a PNG upside down. */
export function upsideDown(png) {
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  const head = chunks.find(([name]) => name === "IHDR")[1];
  const [width, height, depth, type] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8], head[9]];
  const pixel = Math.max(1, (CHANNELS[type] * depth) / 8);
  const line = Math.ceil((width * CHANNELS[type] * depth) / 8);
  const raw = inflateSync(Buffer.concat(chunks.filter(([name]) => name === "IDAT").map(([, data]) => data)));
  const rows = [];
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (line + 1)];
    const bytes = Buffer.from(raw.subarray(row * (line + 1) + 1, (row + 1) * (line + 1)));
    const above = rows[row - 1] ?? Buffer.alloc(line);
    for (let at = 0; at < line; at += 1) {
      const [left, up, corner] = [bytes[at - pixel] ?? 0, above[at], at >= pixel ? above[at - pixel] : 0];
      bytes[at] += [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    }
    rows.push(bytes);
  }
  const filtered = rows.reverse().map((bytes) => Buffer.concat([Buffer.from([0]), bytes]));
  const made = chunks.filter(([name]) => !["IDAT", "IEND"].includes(name));
  made.push(["IDAT", deflateSync(Buffer.concat(filtered))], ["IEND", Buffer.alloc(0)]);
  return Buffer.concat([png.subarray(0, 8), ...made.map(([name, data]) => chunk(name, data))]);
}

function paeth(left, up, corner) {
  const [one, other, both] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return one <= other && one <= both ? left : other <= both ? up : corner;
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const all = Buffer.alloc(8 + body.length);
  all.writeUInt32BE(data.length, 0);
  body.copy(all, 4);
  all.writeUInt32BE(crc32(body), 4 + body.length);
  return all;
}

/** Returns an image of red, green and blue as a PNG. */
export function png(width, height, pixels) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.alloc(1), pixels.subarray(row * width * 3, (row + 1) * width * 3)]),
  );
  const sign = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([sign, chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.concat(rows))), chunk("IEND", Buffer.alloc(0))]);
}
