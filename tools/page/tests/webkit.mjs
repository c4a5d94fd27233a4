// The page in WebKitGTK, which has the engine of Safari, by WebDriver. Safari itself runs only on a Mac.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { found, page, shots } from "./chromium.mjs";
import { install, sha } from "./common.mjs";
import { display, screen } from "./screen.mjs";

const libraries = "/usr/lib/x86_64-linux-gnu";
const driver = found(process.env.WEBKIT_DRIVER, "/usr/bin/WebKitWebDriver");
const browser = found(process.env.WEBKIT, `${libraries}/webkit2gtk-4.1/MiniBrowser`, `${libraries}/webkit2gtk-4.0/MiniBrowser`);
const missing =
  !driver || !browser || !display
    ? "WebKitGTK is not installed (Debian: apt-get install webkit2gtk-driver xvfb); the page was not tested in it"
    : !existsSync(page)
      ? "the page has not been built (./build)"
      : undefined;
if (missing) console.log(missing);

/** Starts the driver and a browser, and returns what calls it. */
async function start() {
  const { name, look, end: endScreen } = await screen();
  const env = { ...process.env, DISPLAY: name, GDK_BACKEND: "x11", LIBGL_ALWAYS_SOFTWARE: "1", WEBKIT_DISABLE_DMABUF_RENDERER: "1" };
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const child = spawn(driver, [`--port=${port}`], { env, stdio: "ignore" });
  const end = () => {
    child.kill();
    endScreen();
  };
  const call = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  for (let tries = 0; ; tries += 1) {
    try {
      await call("GET", "/status");
      break;
    } catch (why) {
      if (tries > 100) {
        end();
        throw why;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  const options = { binary: browser, args: ["--automation", "--geometry=1270x880"] };
  const { sessionId, capabilities } = await call("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } },
  });
  const of = (method, path, body) => call(method, `/session/${sessionId}${path}`, body);
  return {
    of,
    look,
    version: capabilities.browserVersion,
    end: async () => {
      await of("DELETE", "").catch(() => undefined);
      end();
    },
  };
}

test("page works in WebKit", { skip: missing ?? false, timeout: 600_000 }, async () => {
  const { of, look, version, end } = await start();
  try {
    console.log(`WebKitGTK ${version}`);
    await of("POST", "/timeouts", { script: 300_000, pageLoad: 120_000 });
    await of("POST", "/url", { url: pathToFileURL(page).href });
    const evaluate = async (expression) => {
      const script = `const done = arguments[0]; (async () => JSON.stringify(await (${expression})) ?? "null")().then(done, (why) => done("!" + why));`;
      const told = await of("POST", "/execute/async", { script, args: [] });
      if (told.startsWith("!")) throw new Error(told);
      return JSON.parse(told);
    };
    const shot = async (name) => {
      mkdirSync(shots, { recursive: true });
      await new Promise((resolve) => setTimeout(resolve, 500));
      writeFileSync(join(shots, `webkit-${name}.png`), look());
    };
    const until = async (expression) => {
      for (let tries = 0; tries < 600; tries += 1) {
        if (await evaluate(expression)) return;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      await shot("failed");
      throw new Error(`never true: ${expression}; the page says ${await evaluate("document.body.innerText.slice(-600)")}`);
    };
    await until(`document.querySelectorAll("main.welcome input[type=file]").length >= 2`);
    await evaluate(`(globalThis.wrong = [], addEventListener("error", (event) => wrong.push(String(event.message))),
      addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason))), 1)`);
    await shot("welcome");
    const paths = ["m2/Map.sceA", "m2/Shapes.shpA", "mw/zbd/c1/gamez.zbd", "nwn/override/appearance.2da", "rc/maps/m1.zmap"].map((path) =>
      join(install, path),
    );
    const inputs = await of("POST", "/elements", { using: "css selector", value: "main.welcome .target input[type=file]" });
    const id = Object.values(inputs[1])[0];
    await of("POST", `/element/${id}/value`, { text: paths.join("\n") });
    await until(`bitexact.items.size === ${paths.length} && !bitexact.progress`);
    const rows = await evaluate(`[...bitexact.items.values()].map((item) => item.row)`);
    for (const row of rows) {
      const path = paths.find((path) => path.endsWith(`/${row.path}`));
      assert.equal(row.status, "identical", `${row.path}: ${row.error?.message}`);
      assert.deepEqual([row.sha256, row.rewritten_sha256], [sha(readFileSync(path)), sha(readFileSync(path))], row.path);
    }
    await evaluate(`(bitexact.select({ path: "Map.sceA", entry: "" }), 1)`);
    await until(`!!document.querySelector(".map .canvas")`);
    await shot("map");
    await evaluate(`(bitexact.select({ path: "gamez.zbd", entry: "" }), 1)`);
    await until(`!!document.querySelector("canvas[data-ready]") || document.body.innerText.includes("cannot be shown in 3D")`);
    if (await evaluate(`!document.querySelector("canvas[data-ready]")`))
      console.log("WebKitGTK has no WebGL on this machine, which the page says; the world was not shown");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await shot("world");
    await evaluate(`(bitexact.select({ path: "appearance.2da", entry: "" }), 1)`);
    await until(`document.querySelector("article h2")?.innerText === "appearance.2da"`);
    await shot("table");
    // Changed, and taken back.
    assert.equal(await evaluate(`bitexact.change("m1.zmap", (item) => bitexact.engine.edit(item, { set: [["/unk04", 77]] }))`), true);
    assert.equal(await evaluate(`bitexact.edited.length`), 1);
    await evaluate(`bitexact.change("m1.zmap", (item) => bitexact.engine.undo(item))`);
    assert.equal(await evaluate(`bitexact.edited.length`), 0);
    assert.deepEqual(await evaluate("wrong"), []);
  } finally {
    await end();
  }
});
