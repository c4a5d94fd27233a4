// Starts Chromium with the page, as a double click on its file does.

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "..", "..", "..");
export const page = join(here, "..", "built", "bitexact.html");
export const shots = join(here, "shots");

/** Returns a program of this machine, or nothing. */
export function found(...paths) {
  return paths.find((path) => path && existsSync(path));
}

export const browser = found(process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const programs = ["release", "debug"].map((profile) => join(target, profile, "bitexact")).filter((path) => existsSync(path));
/** The program that was named, or else the one that was built last. */
export const program = found(process.env.BITEXACT) ?? programs.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)[0];

/** Starts the browser. Software draws the 3D, since a machine for tests has no other means. */
export function start() {
  const args = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"];
  args.push("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader");
  return chromium.launch({ executablePath: browser, args, chromiumSandbox: process.getuid?.() !== 0 });
}

/** Opens the page, and collects what should never occur: errors, and anything asked of a network. */
export async function open(started, size = { width: 1280, height: 860 }, scheme = "light", address = pathToFileURL(page).href) {
  const context = await started.newContext({ viewport: size, colorScheme: scheme, acceptDownloads: true });
  // A busy machine takes longer than the usual half a minute to show the first page.
  context.setDefaultTimeout(120_000);
  const it = await context.newPage();
  const wrong = [];
  it.on("console", (message) => {
    // Software drawing is slow to read back, which the browser says.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|software WebGL|swiftshader/i.test(message.text()))
      wrong.push(message.text());
  });
  it.on("pageerror", (error) => wrong.push(String(error)));
  it.on("dialog", (dialog) => void dialog.dismiss());
  it.on("request", (request) => {
    const isPage = request.url() === address;
    if (!isPage && !/^(file|blob|data):/.test(request.url())) wrong.push(`asked for ${request.url()}`);
  });
  await it.goto(address);
  await it.getByRole("heading", { name: "bitexact" }).waitFor();
  await it.getByText("Drop a game here").waitFor();
  return { it, wrong, context };
}

/** Drops files and folders on the page, as a file manager does. */
export async function drop(it, paths, isVerified = true) {
  const session = await it.context().newCDPSession(it);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
  if (isVerified) await verified(it);
}

/** Gives the page files or a folder, and waits until they are verified. */
export async function give(it, paths, isFolder = false) {
  const inputs = it.locator("main.welcome input[type=file]");
  await inputs.nth(isFolder ? 0 : 1).setInputFiles(paths);
  await verified(it);
}

export async function verified(it) {
  await it.waitForFunction(
    () => {
      const store = globalThis.bitexact;
      return store.items.size > 0 && !store.progress && [...store.items.values()].every((item) => item.row);
    },
    undefined,
    { timeout: 600_000 },
  );
}
