// A screen without a monitor, for browsers that draw in 3D only on a screen.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { found } from "./chromium.mjs";
import { png } from "./png.mjs";

export const display = found("/usr/bin/Xvfb");

/** Starts a screen without a monitor, and returns its name and what ends it. */
export async function screen() {
  const folder = mkdtempSync(join(tmpdir(), "bitexact-screen-"));
  const options = ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-fbdir", folder];
  const child = spawn(display, options, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const number = await new Promise((resolve, reject) => {
    child.stdio[3].once("data", (data) => resolve(String(data).trim()));
    child.once("exit", () => reject(new Error("Xvfb has ended")));
  });
  const end = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { name: `:${number}`, look: () => shown(readFileSync(join(folder, "Xvfb_screen0"))), end };
}

/** Returns a screen as a PNG. Its file has the format of `xwd`: a header, colors, and four bytes for each pixel, blue first. */
function shown(dump) {
  const word = (index) => dump.readUInt32BE(index * 4);
  const [header, width, height, line, colors] = [word(0), word(4), word(5), word(12), word(19)];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = header + colors * 12 + y * line + x * 4;
      [2, 1, 0].forEach((channel, index) => (pixels[(y * width + x) * 3 + index] = dump[at + channel]));
    }
  }
  return png(width, height, pixels);
}
