// Measures the page: `node tests/speed.mjs FOLDER [WORLD]` prints the first paint, how long all files of a folder take to be verified and
// with how much memory, and how long a world takes until it is shown. Nothing else should run meanwhile.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { give, open, start } from "./chromium.mjs";

const [folder, world] = process.argv.slice(2);
if (!folder) throw new Error("usage: node tests/speed.mjs FOLDER [WORLD]");

/** Returns the memory of the processes that show pages, in MB: what they have for themselves. */
function memory() {
  let most = 0;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, "utf8").includes("--type=renderer")) continue;
      const [, anonymous] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"));
      const [, shared] = /^RssShmem:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"));
      most = Math.max(most, Number(anonymous) + Number(shared));
    } catch {
      // It has ended.
    }
  }
  return Math.round(most / 1000);
}

/** Returns the processor time that this browser has taken so far, in seconds: other work on the machine does not change it. */
function processor() {
  const all = new Map();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").pop().split(" ");
      all.set(Number(id), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
    } catch {
      // It has ended.
    }
  }
  const isOurs = (id) => id !== undefined && (id === process.pid || isOurs(all.get(id)?.parent));
  let ticks = 0;
  for (const [id, it] of all) if (id !== process.pid && isOurs(id)) ticks += it.ticks;
  return ticks / 100;
}

const started = await start();
try {
  const { it, context } = await open(started);
  // On a busy machine, the picture is there later than what is in it.
  const painted = await it.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  const paint = await painted.jsonValue();
  console.log(`first paint after ${Math.round(paint)} ms, with ${memory()} MB`);
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, memory())), 50);
  await it.evaluate(() => {
    const { verify } = globalThis.bitexact.engine;
    globalThis.bitexact.engine.verify = async function (...all) {
      const begun = performance.now();
      await verify.apply(this, all);
      globalThis.took = performance.now() - begun;
    };
  });
  const begun = performance.now();
  const before = processor();
  await give(it, folder, true);
  const told = await it.evaluate(() => {
    const items = [...globalThis.bitexact.items.values()];
    const counts = {};
    for (const item of items) counts[item.row.status] = (counts[item.row.status] ?? 0) + 1;
    return { files: items.length, bytes: items.reduce((sum, item) => sum + item.size, 0), took: globalThis.took, counts };
  });
  clearInterval(watch);
  const all = Math.round(performance.now() - begun);
  console.log(
    `${told.files} files, ${told.bytes} bytes: verified in ${Math.round(told.took)} ms; with choosing, the verdict and drawing ${all} ms`,
  );
  console.log(`at most ${most} MB; ${(processor() - before).toFixed(1)} s of processor time;`, told.counts);
  if (world) {
    const path = join(basename(folder), world);
    const begun = performance.now();
    const before = processor();
    await it.evaluate((path) => globalThis.bitexact.select({ path, entry: "" }), path);
    await it.locator("canvas[data-ready]").first().waitFor({ timeout: 120_000 });
    const ready = Math.round(performance.now() - begun);
    const taken = (processor() - before).toFixed(1);
    // The colors of a pixel are there once all is drawn. What follows is a picture without anything to load or compile.
    const again = await it.evaluate(async () => {
      const canvas = document.querySelector("canvas[data-ready]");
      const context = canvas.getContext("webgl2");
      const finish = () => context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, new Uint8Array(4));
      finish();
      globalThis.drawn = performance.now();
      canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const begun = performance.now();
      finish();
      return performance.now() - begun;
    });
    const drawn = Math.round(performance.now() - begun - again);
    const all = (processor() - before).toFixed(1);
    const size = statSync(join(folder, world)).size;
    console.log(`${world}, ${size} bytes: sent to be drawn after ${ready} ms (${taken} s of processor time)`);
    console.log(`drawn after ${drawn} ms; one more picture takes ${Math.round(again)} ms; all that ${all} s of processor time`);
  }
  await context.close();
} finally {
  await started.close();
}
