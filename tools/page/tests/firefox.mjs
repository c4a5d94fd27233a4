// The page in Firefox, by its own protocol (WebDriver BiDi): what it needs of a browser is there too.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { found, page, shots } from "./chromium.mjs";
import { install, sha } from "./common.mjs";
import { display, screen } from "./screen.mjs";

const firefox = found(process.env.FIREFOX, "/usr/bin/firefox", "/usr/bin/firefox-esr");
const missing = !firefox
  ? "Firefox is not installed (Debian: apt-get install firefox-esr); the page was not tested in it"
  : !globalThis.WebSocket
    ? "node has no WebSocket (from 22 on, or with --experimental-websocket); the page was not tested in Firefox"
    : !existsSync(page)
      ? "the page has not been built (./build)"
      : undefined;
if (missing) console.log(missing);

/** Starts the browser, and returns what calls it and what ends it. */
async function start(profile) {
  // Without a screen, it draws nothing in 3D.
  const shown = display && (await screen());
  const options = ["--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const child = spawn(firefox, shown ? options : ["--headless", ...options], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...(shown && { DISPLAY: shown.name, LIBGL_ALWAYS_SOFTWARE: "1" }) },
  });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stderr.on("data", (data) => {
      text += data;
      const [, found] = /WebDriver BiDi listening on (ws:\S+)/.exec(text) ?? [];
      if (found) resolve(found);
    });
    child.on("exit", () => {
      shown?.end();
      reject(new Error(`Firefox has ended: ${text}`));
    });
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error("no session"));
  });
  const waiting = new Map();
  const logged = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.method === "log.entryAdded" && ["error", "warn"].includes(message.params.level)) logged.push(message.params.text);
    const { resolve, reject } = waiting.get(message.id) ?? {};
    waiting.delete(message.id);
    if (message.type === "error") reject?.(new Error(`${message.error}: ${message.message}`));
    else resolve?.(message.result);
  };
  let next = 0;
  const call = (method, params) =>
    new Promise((resolve, reject) => {
      const id = (next += 1);
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  await call("session.new", { capabilities: {} });
  await call("session.subscribe", { events: ["log.entryAdded"] });
  const end = async () => {
    socket.close();
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill();
    await ended;
  };
  return { call, logged, end };
}

test("page works in Firefox", { skip: missing ?? false, timeout: 300_000 }, async () => {
  const profile = mkdtempSync(join(tmpdir(), "bitexact-firefox-"));
  const { call, logged, end } = await start(profile);
  try {
    const { contexts } = await call("browsingContext.getTree", {});
    const { context } = contexts[0];
    await call("browsingContext.setViewport", { context, viewport: { width: 1280, height: 860 } });
    await call("browsingContext.navigate", { context, url: pathToFileURL(page).href, wait: "complete" });
    const evaluate = async (expression) => {
      const told = await call("script.evaluate", {
        expression: `(async () => JSON.stringify(await (${expression})))()`,
        target: { context },
        awaitPromise: true,
      });
      if (told.type === "exception") throw new Error(told.exceptionDetails.text);
      return told.result.value === undefined ? undefined : JSON.parse(told.result.value);
    };
    const until = async (expression) => {
      for (let tries = 0; tries < 600; tries += 1) {
        if (await evaluate(expression)) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await shot("failed");
      throw new Error(`never true: ${expression}; the page says ${await evaluate("document.body.innerText.slice(-600)")}; ${logged}`);
    };
    const shot = async (name) => {
      mkdirSync(shots, { recursive: true });
      writeFileSync(
        join(shots, `firefox-${name}.png`),
        Buffer.from((await call("browsingContext.captureScreenshot", { context })).data, "base64"),
      );
    };
    await until(`document.querySelectorAll("main.welcome input[type=file]").length === 2`);
    const paths = ["m2/Map.sceA", "m2/Shapes.shpA", "mw/zbd/c1/gamez.zbd", "nwn/override/appearance.2da", "rc/maps/m1.zmap"].map((path) =>
      join(install, path),
    );
    const { nodes } = await call("browsingContext.locateNodes", {
      context,
      locator: { type: "css", value: "main.welcome input[type=file]" },
    });
    await call("input.setFiles", { context, element: { sharedId: nodes[1].sharedId }, files: paths });
    await until(`bitexact.items.size === ${paths.length} && !bitexact.progress`);
    const rows = await evaluate(`[...bitexact.items.values()].map((item) => item.row)`);
    for (const row of rows) {
      const path = paths.find((path) => path.endsWith(`/${row.path}`));
      assert.equal(row.status, "identical", row.path);
      assert.deepEqual([row.sha256, row.rewritten_sha256], [sha(readFileSync(path)), sha(readFileSync(path))], row.path);
    }
    // Shown: a map and a world.
    await evaluate(`bitexact.select({ path: "Map.sceA", entry: "" })`);
    await until(`document.querySelector(".map .canvas")`);
    await shot("map");
    await evaluate(`bitexact.select({ path: "gamez.zbd", entry: "" })`);
    await until(`document.querySelector("canvas[data-ready]") || document.body.innerText.includes("cannot be shown in 3D")`);
    if (await evaluate(`!document.querySelector("canvas[data-ready]")`))
      console.log("Firefox has no WebGL on this machine, which the page says; the world was not shown");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await shot("world");
    // Changed, and taken back.
    assert.equal(await evaluate(`bitexact.change("m1.zmap", (item) => bitexact.engine.edit(item, { set: [["/unk04", 77]] }))`), true);
    assert.equal(await evaluate(`bitexact.edited.length`), 1);
    await evaluate(`bitexact.change("m1.zmap", (item) => bitexact.engine.undo(item))`);
    assert.equal(await evaluate(`bitexact.edited.length`), 0);
    assert.deepEqual(
      logged.filter((text) => !/WebGL|willReadFrequently/i.test(text)),
      [],
    );
  } finally {
    await end();
    rmSync(profile, { recursive: true, force: true });
  }
});
