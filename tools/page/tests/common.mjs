// What all tests of the page share: the browser, the program, and calls of the library in the page.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browser, page, program, root, shots, start } from "./chromium.mjs";

export const install = join(root, "golden", "install");
const missing = !browser
  ? "Chromium is not installed (Debian: apt-get install chromium); the page was not tested"
  : !existsSync(page)
    ? "the page has not been built (./build); it was not tested"
    : undefined;
if (missing) console.log(missing);
export const none = program ? false : "the program bitexact was not found (BITEXACT=PATH, or cargo build); not compared with it";
if (!missing && none) console.log(none);

export let started;
export let scratch;
before(async () => {
  if (missing) return;
  started = await start();
  scratch = mkdtempSync(join(tmpdir(), "bitexact-page-"));
  mkdirSync(shots, { recursive: true });
});
after(async () => {
  await started?.close();
  if (scratch) rmSync(scratch, { recursive: true });
});

export function run(...all) {
  try {
    return execFileSync(program, all, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    // Exit code 1 is a finding.
    if (error.status === 1) return error.stdout;
    throw new Error(`${all.join(" ")}: ${error.stderr}`);
  }
}

export const sha = (bytes) => createHash("sha256").update(bytes).digest("hex");
export const files = (folder) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((it) => statSync(join(folder, it)).isFile());

/** Calls the library in the page; the result of a call is an array of numbers where it is bytes. */
export async function call(it, path, name, ...all) {
  return it.evaluate(
    async ({ path, name, all }) => {
      const { engine, items } = globalThis.bitexact;
      const given = all.map((one) => (one?.bytes ? new Uint8Array(one.bytes) : one));
      const value = await engine[name](items.get(path), ...given);
      return value instanceof Uint8Array ? { bytes: Array.from(value) } : value;
    },
    { path, name, all },
  );
}

export async function select(it, path, entry = "") {
  await it.evaluate(({ path, entry }) => globalThis.bitexact.select({ path, entry }), { path, entry });
  await it.waitForFunction(({ path }) => typeof globalThis.bitexact.described.get(path) === "object", { path });
}

export const check = (name, body, options = {}) => test(name, { skip: missing ?? options.skip ?? false, timeout: 900_000 }, body);

/** Returns the part of the view in 3D that a model covers. */
export const covered = (it) =>
  it.evaluate(() => {
    const canvas = document.querySelector("canvas[data-ready]");
    const context = canvas.getContext("webgl2");
    const [width, height] = [context.drawingBufferWidth, context.drawingBufferHeight];
    const pixels = new Uint8Array(4 * width * height);
    context.readPixels(0, 0, width, height, context.RGBA, context.UNSIGNED_BYTE, pixels);
    let count = 0;
    for (let at = 4; at < pixels.length; at += 4) if (pixels[at] !== pixels[0] || pixels[at + 1] !== pixels[1]) count += 1;
    return count / (width * height);
  });

/** A PNG of one pixel. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==";

/** Downloads the changes as a mod, with what it says about itself. */
export async function downloadMod(it, about = {}, picture = undefined) {
  await it.getByRole("button", { name: "Download as a mod…" }).click();
  const dialog = it.getByRole("dialog", { name: "Download as a mod" });
  for (const [name, text] of Object.entries(about)) await dialog.getByLabel(name, { exact: true }).fill(text);
  if (picture) await dialog.getByLabel("Picture").setInputFiles(picture);
  const [download] = await Promise.all([it.waitForEvent("download"), dialog.getByRole("button", { name: "Download" }).click()]);
  await dialog.waitFor({ state: "detached" });
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Applies a mod to the dropped files. */
export async function applyMod(it, path) {
  await it.getByRole("button", { name: "Apply a mod…" }).locator("xpath=following-sibling::input[1]").setInputFiles(path);
}
