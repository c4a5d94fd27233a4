// The tests of the page as a whole, in Chromium: `npm test`, or `node --test tests/`.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { upsideDown } from "./png.mjs";
import { applyMod, call, check, covered, downloadMod, files, install, none, PIXEL, run, scratch, select, sha, started } from "./common.mjs";
import { drop, give, open, page, program, root, shots, verified } from "./chromium.mjs";

check("page is one file that opens without a server and asks for nothing", async () => {
  assert.ok(statSync(page).size <= 12 * 2 ** 20, "at most 12 MB");
  const text = readFileSync(page, "utf8");
  assert.match(text, /default-src 'none'/);
  assert.doesNotMatch(text.replace(/<script type="application[\s\S]*?<\/script>/g, ""), /<(link|img|iframe)\b[^>]*(src|href)=/);
  const { it, wrong, context } = await open(started);
  const painted = await it.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  const paint = await painted.jsonValue();
  console.log(`first paint after ${Math.round(paint)} ms; ${statSync(page).size} bytes`);
  await it.screenshot({ path: join(shots, "welcome.png") });
  assert.deepEqual(wrong, []);
  await context.close();
});

check("policy of the page lets no script run that a file brings, and nothing be asked for", async () => {
  const { it, context } = await open(started);
  const did = await it.evaluate(async () => {
    const image = document.createElement("div");
    image.innerHTML = `<img src="data:," onerror="globalThis.ran = true">`;
    document.body.append(image);
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.body.append(script);
    const asked = await fetch("https://localhost/").then(
      () => true,
      () => false,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { ran: globalThis.ran === true, asked };
  });
  assert.deepEqual(did, { ran: false, asked: false });
  await context.close();
});

check(
  "rows of the sample install equal those of verify --json",
  async () => {
    const { it, wrong, context } = await open(started);
    const begun = Date.now();
    await give(it, install, true);
    const taken = Date.now() - begun;
    const rows = await it.evaluate(() => [...globalThis.bitexact.items.values()].map((item) => item.line));
    const theirs = rows.flatMap((text) => text.trim().split("\n")).sort();
    const ours = run("verify", "--json", install)
      .trim()
      .split("\n")
      .filter((line) => JSON.parse(line).path !== undefined);
    const ourRows = ours.map((line) => line.replaceAll(JSON.stringify(`${install}/`).slice(1, -1), "install/")).sort();
    assert.equal(theirs.length, files(install).length);
    assert.deepEqual(
      theirs,
      ourRows.filter((line) => JSON.parse(line).kind !== "summary"),
    );
    console.log(`${theirs.length} rows are equal, after ${taken} ms`);
    await it.screenshot({ path: join(shots, "verdict.png") });
    // Lines of the tree are below each other.
    const lines = await it.getByRole("treeitem").evaluateAll((all) => all.slice(0, 5).map((line) => line.getBoundingClientRect().top));
    assert.ok(
      lines.every((top, index) => index === 0 || top > lines[index - 1] + 10),
      String(lines),
    );
    await it
      .getByText(/All \d+ game files are read and written without changing a bit|show signs of damage|cannot be read or written/)
      .first()
      .waitFor();
    assert.deepEqual(wrong, []);
    await context.close();
  },
  { skip: none },
);

check("zip gives the rows of the files in it", async () => {
  const { zipSync } = await import("fflate");
  const all = {};
  for (const path of files(join(install, "m2"))) all[`m2/${path}`] = new Uint8Array(readFileSync(join(install, "m2", path)));
  const zip = join(scratch, "m2.zip");
  writeFileSync(zip, zipSync(all, { level: 6 }));
  const { it, wrong, context } = await open(started);
  await give(it, zip);
  const rows = await it.evaluate(() =>
    Object.fromEntries([...globalThis.bitexact.items.values()].map((item) => [item.path, item.row.sha256])),
  );
  assert.deepEqual(rows, Object.fromEntries(Object.entries(all).map(([path, bytes]) => [`m2.zip/${path}`, sha(bytes)])));
  assert.deepEqual(wrong, []);
  // A zip that is cut off, or that states other sizes, is an error of that file.
  const bytes = readFileSync(zip);
  const cut = join(scratch, "cut.zip");
  writeFileSync(cut, bytes.subarray(0, bytes.length - 1000));
  const second = await open(started);
  await second.it.locator("main.welcome input[type=file]").nth(1).setInputFiles(cut);
  await second.it.getByText("not a zip that can be read").waitFor();
  await second.context.close();
  await context.close();
});

const world = join("mw", "zbd", "c1", "gamez.zbd");

check(
  "edit in the page downloads the bytes that patch writes, and can be undone",
  async () => {
    const path = join(install, "m2", "Physics Models");
    const name = files(path)[0];
    const source = join(path, name);
    const { it, wrong, context } = await open(started);
    await give(it, source);
    const found = JSON.parse(run("inspect", "--json", source)).value;
    // The first integer of the file, wherever that is.
    const first = (value, place) => {
      if (Number.isInteger(value) && value >= 0 && value < 100) return place;
      if (value && typeof value === "object") {
        for (const [key, inner] of Object.entries(value)) {
          const got = first(inner, `${place}/${key}`);
          if (got) return got;
        }
      }
      return undefined;
    };
    const entries = run("ls", "--json", source)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter((row) => row.kind === "monsters" || row.kind === "projectiles" || row.kind === "weapons");
    const entry = entries[0]?.entry ?? "";
    const value = entry ? JSON.parse(run("inspect", "--json", source, entry)).value : found;
    const place = `${entry}${entry ? ":" : ""}${first(value, "")}`;
    const told = await it.evaluate(
      async ({ name, place }) => {
        const { store } = { store: globalThis.bitexact };
        return store.change(name, (item) => store.engine.edit(item, { set: [[place, 7]] }));
      },
      { name, place },
    );
    assert.equal(told, true, await it.locator(".messages").innerText());
    const patched = join(scratch, "patched");
    run("patch", source, "--set", `${place}=7`, "-o", patched);
    await select(it, name);
    const [download] = await Promise.all([it.waitForEvent("download"), it.getByRole("button", { name: "Download", exact: true }).click()]);
    assert.equal(sha(readFileSync(await download.path())), sha(readFileSync(patched)));
    assert.notEqual(sha(readFileSync(patched)), sha(readFileSync(source)));
    // A mod is what `mod make` writes.
    mkdirSync(join(scratch, "old"));
    mkdirSync(join(scratch, "new"));
    copyFileSync(source, join(scratch, "old", name));
    copyFileSync(patched, join(scratch, "new", name));
    const [made, picture] = [join(scratch, "made.bxmod"), join(scratch, "picture.png")];
    writeFileSync(picture, Buffer.from(PIXEL, "base64"));
    const about = { Title: "Größere Monster", Author: "Ann", Version: "1.0", Description: "They hit harder.\nTwice." };
    const options = Object.entries(about).flatMap(([name, text]) => [`--${name.toLowerCase()}`, text]);
    run("mod", "make", join(scratch, "old"), join(scratch, "new"), "-o", made, ...options, "--picture", picture);
    const mod = await downloadMod(it, about, picture);
    assert.equal(mod.name, "Größere-Monster.bxmod");
    assert.equal(sha(mod.bytes), sha(readFileSync(made)));
    assert.deepEqual(JSON.parse(run("mod", "show", "--json", made)).title, about.Title);
    // Without a word about it, too.
    run("mod", "make", join(scratch, "old"), join(scratch, "new"), "-o", join(scratch, "plain.bxmod"));
    assert.equal(sha((await downloadMod(it)).bytes), sha(readFileSync(join(scratch, "plain.bxmod"))));
    // Undone and made again.
    await it.getByRole("button", { name: "Undo" }).click();
    await it.waitForFunction(() => !globalThis.bitexact.edited.length);
    assert.equal(sha(Uint8Array.from((await call(it, name, "bytes")).bytes)), sha(readFileSync(source)));
    await it.getByRole("button", { name: "Redo" }).click();
    await it.waitForFunction(() => globalThis.bitexact.edited.length === 1);
    assert.equal(sha(Uint8Array.from((await call(it, name, "bytes")).bytes)), sha(readFileSync(patched)));
    assert.deepEqual(wrong, []);
    await context.close();
    // The mod applied to the original gives the edited file.
    const second = await open(started);
    await give(second.it, source);
    await applyMod(second.it, made);
    await second.it.getByText("Größere Monster 1.0 by Ann was applied to 1 file").waitFor();
    await second.it.getByAltText("The picture of the mod").waitFor();
    await second.it.screenshot({ path: join(shots, "applied.png") });
    assert.equal(sha(Uint8Array.from((await call(second.it, name, "bytes")).bytes)), sha(readFileSync(patched)));
    // Taken back, and applied again from its text alone.
    await second.it.getByRole("button", { name: "Take made.bxmod back" }).click();
    await second.it.getByText("made.bxmod was taken back").waitFor();
    assert.equal(sha(Uint8Array.from((await call(second.it, name, "bytes")).bytes)), sha(readFileSync(source)));
    assert.equal(await second.it.evaluate(() => globalThis.bitexact.edited.length), 0);
    run("mod", "make", join(scratch, "old"), join(scratch, "new"), "-o", join(scratch, "made.mod"));
    await applyMod(second.it, join(scratch, "made.mod"));
    await second.it.getByText("made.mod was applied to 1 file").waitFor();
    assert.equal(sha(Uint8Array.from((await call(second.it, name, "bytes")).bytes)), sha(readFileSync(patched)));
    assert.deepEqual(second.wrong, []);
    await second.context.close();
    // Without the game, and an archive that is no mod.
    const third = await open(started);
    await drop(third.it, [made], false);
    await third.it.getByText("Drop the game first").waitFor();
    await give(third.it, source);
    const { zipSync } = await import("fflate");
    writeFileSync(join(scratch, "other.bxmod"), zipSync({ "readme.txt": new Uint8Array(3) }));
    await applyMod(third.it, join(scratch, "other.bxmod"));
    await third.it.getByText("expected a mod, found an archive without changes.jsonl").waitFor();
    await third.context.close();
  },
  { skip: none },
);

check("refused edit says why, and changes nothing", async () => {
  const source = join(install, "rc", "maps");
  const name = files(source)[0];
  const { it, wrong, context } = await open(started);
  await give(it, join(source, name));
  const done = await it.evaluate(
    (name) => globalThis.bitexact.change(name, (item) => globalThis.bitexact.engine.edit(item, { set: [["/features/0/nothing", 1]] })),
    name,
  );
  assert.equal(done, false);
  await it.locator(".said.error").waitFor();
  assert.equal(sha(Uint8Array.from((await call(it, name, "bytes")).bytes)), sha(readFileSync(join(source, name))));
  assert.deepEqual(wrong, []);
  await context.close();
});

check("value is edited with the keyboard alone", async () => {
  const source = join(install, "rc", "maps");
  const name = files(source)[0];
  const { it, context } = await open(started);
  await give(it, join(source, name));
  await it
    .getByRole("tab", { name: "Values" })
    .focus()
    .catch(() => undefined);
  await it.getByRole("tab").first().focus();
  for (let step = 0; step < 8 && (await it.getByRole("tab", { selected: true }).innerText()) !== "Values"; step += 1)
    await it.keyboard.press("ArrowRight");
  assert.equal(await it.getByRole("tab", { selected: true }).innerText(), "Values");
  const field = it.getByLabel("unk04", { exact: true });
  await field.focus();
  await it.keyboard.press("Control+A");
  await it.keyboard.type("77");
  await it.keyboard.press("Enter");
  await it.getByText("Changed, and proven").waitFor();
  assert.equal(await it.evaluate(() => document.activeElement.getAttribute("aria-label")), "unk04", "the focus stays");
  if (program) {
    const patched = join(scratch, "zmap");
    run("patch", join(source, name), "--set", "/unk04=77", "-o", patched);
    assert.equal(sha(Uint8Array.from((await call(it, name, "bytes")).bytes)), sha(readFileSync(patched)));
  }
  await it.screenshot({ path: join(shots, "values.png") });
  // The tree: the first row, opened and chosen by keys.
  await it.getByRole("tree").focus();
  await it.keyboard.press("Home");
  await it.keyboard.press("Enter");
  assert.equal(await it.getByRole("treeitem", { selected: true }).count(), 1);
  await context.close();
});

check("link to a file leaves the focus at the name of the file", async () => {
  const { it, wrong, context } = await open(started);
  await give(it, join(install, "rc"), true);
  const link = it.getByRole("button", { name: "rc/zbd/m2/anim.zbd" });
  await link.focus();
  await it.keyboard.press("Enter");
  await it.waitForFunction(() => document.activeElement.tagName === "H2" && document.activeElement.textContent.trim() === "anim.zbd");
  await it.keyboard.press("Tab");
  assert.equal(await it.evaluate(() => document.activeElement.textContent.trim()), "Download");
  // Also of one that does not open.
  const cut = join(scratch, "failing");
  mkdirSync(cut);
  copyFileSync(join(install, "rc", "zbd", "m2", "anim.zbd"), join(cut, "whole.zbd"));
  writeFileSync(join(cut, "cut.zbd"), readFileSync(join(install, "rc", "zbd", "m2", "anim.zbd")).subarray(0, 200));
  const second = await open(started);
  await give(second.it, cut, true);
  await second.it.getByRole("button", { name: "failing/cut.zbd" }).first().focus();
  await second.it.keyboard.press("Enter");
  await second.it.waitForFunction(() => document.activeElement.tagName === "H2" && document.activeElement.textContent === "failing/cut.zbd");
  assert.deepEqual(second.wrong, []);
  await second.context.close();
  // In the tree, the focus stays there.
  await it.getByRole("tree").focus();
  await it.keyboard.press("ArrowDown");
  await it.keyboard.press("Enter");
  await it.waitForTimeout(300);
  assert.equal(await it.evaluate(() => document.activeElement.getAttribute("role")), "tree");
  assert.deepEqual(wrong, []);
  await context.close();
});

check("what is typed is set once, also by going to its bytes, and keeps its line ends", async () => {
  const { it, wrong, context } = await open(started);
  await give(it, join(install, "nwn", "dialog.tlk"));
  const undone = async () => (await call(it, "dialog.tlk", "described")).undo;
  const goTo = async (place, label) => {
    await it.evaluate((place) => globalThis.bitexact.goTo("dialog.tlk", place), place);
    await it.waitForFunction((label) => document.activeElement.getAttribute("aria-label") === label, label);
  };
  const place = "/entries/0/text";
  const set = (text) =>
    it.evaluate(
      ({ place, text }) =>
        globalThis.bitexact.change("dialog.tlk", (item) => globalThis.bitexact.engine.edit(item, { set: [[place, text]] })),
      { place, text },
    );
  assert.equal(await set("one\r\ntwo\rthree\nfour"), true);
  assert.equal(await undone(), 1);
  // A field that was only looked at is not set to the line ends of the browser.
  await goTo(place, "text");
  await it.locator(".its").getByText(`${place} has no bytes of its own; /entries/0: `).waitFor();
  await it.keyboard.press("Tab");
  await goTo(place, "text");
  await it.keyboard.press("Control+End");
  await it.keyboard.press("Enter");
  await it.keyboard.type("five");
  await it.keyboard.press("Alt+Enter");
  await it.locator(".byte.sought").first().waitFor();
  await it.getByText("Changed, and proven").waitFor();
  assert.equal(await call(it, "dialog.tlk", "value", place, 30), "one\r\ntwo\rthree\nfour\r\nfive");
  assert.equal(await undone(), 2);
  // Escape takes back what is typed.
  await goTo(place, "text");
  await it.keyboard.type("nothing");
  await it.keyboard.press("Escape");
  await it.keyboard.press("Tab");
  assert.equal(await undone(), 2);
  // Enter, and leaving the field before the edit is made.
  await goTo("/language", "language");
  await it.keyboard.type("5");
  await it.keyboard.press("Enter");
  await it.keyboard.press("Tab");
  await it.waitForFunction(() => globalThis.bitexact.described.get("dialog.tlk").undo === 3);
  assert.equal(await call(it, "dialog.tlk", "value", "/language", 30), 5);
  assert.equal(await undone(), 3);
  // What is refused is not kept in the field.
  await it.getByLabel("language", { exact: true }).fill("many");
  await it.keyboard.press("Enter");
  await it.locator(".said.error").waitFor();
  assert.equal(await it.getByLabel("language", { exact: true }).inputValue(), "5");
  assert.equal(await undone(), 3);
  assert.deepEqual(wrong, []);
  await context.close();
});

check("field whose name ends with an exclamation mark is no entry", async () => {
  const { it, wrong, context } = await open(started);
  await give(it, join(install, "nwn", "override", "c_boar.utc"));
  const rating = await call(it, "c_boar.utc", "value", "/ChallengeRating", 30);
  const done = await it.evaluate(
    (rating) => globalThis.bitexact.change("c_boar.utc", (item) => globalThis.bitexact.engine.edit(item, { set: [["/Rating!", rating]] })),
    rating,
  );
  assert.equal(done, true, await it.locator(".messages").innerText());
  await it.evaluate(() => globalThis.bitexact.goTo("c_boar.utc", "/Rating!/value"));
  await it.locator(".its").getByText("/Rating!/value").waitFor();
  await it.keyboard.press("Alt+Enter");
  await it.locator(".byte.sought").first().waitFor();
  assert.deepEqual(wrong, []);
  await context.close();
});

check(
  "images and sounds equal those that unpack writes",
  async () => {
    const { it, wrong, context } = await open(started);
    await give(it, install, true);
    let compared = 0;
    for (const path of [
      "mw/zbd/rimage.zbd",
      "rc/zbd/image.zbd",
      "m2/Images.imgA",
      "m2/Shapes.shpA",
      "mw/zbd/soundsL.zbd",
      "nwn/override/cloak.plt",
    ]) {
      const source = join(install, path);
      if (!existsSync(source)) continue;
      const folder = join(scratch, path.replaceAll("/", "_"));
      run("unpack", source, folder);
      const media = files(folder).filter((file) => /\.(png|wav|txt)$/.test(file) && !file.startsWith("."));
      for (const file of media.slice(0, 12)) {
        const bytes = await call(it, `install/${path}`, "medium", "", file);
        assert.equal(sha(Uint8Array.from(bytes.bytes)), sha(readFileSync(join(folder, file))), `${path}: ${file}`);
        compared += 1;
      }
    }
    assert.ok(compared > 20, `only ${compared} were compared`);
    console.log(`${compared} images and sounds are equal`);
    assert.deepEqual(wrong, []);
    await context.close();
  },
  { skip: none },
);

check(
  "image, sound and text that are replaced are those that pack makes of them",
  async () => {
    const { it, wrong, context } = await open(started);
    await give(it, install, true);
    // What replaces: a file of the same place, changed as another program would change it.
    const cases = [
      ["rc/zbd/image.zbd", "image", upsideDown, "png"],
      ["mw/zbd/soundsL.zbd", "wave", (bytes) => bytes.map((byte, at) => (at > 60 ? byte ^ 1 : byte)), "wav"],
      ["m2/Map.sceA", "terminals", (bytes) => Buffer.from(bytes.toString().replace("Welcome to Arrival.", "Goodbye")), "txt"],
    ];
    for (const [path, kind, change, extension] of cases) {
      const key = join("install", path);
      const source = join(install, path);
      const described = await call(it, key, "described");
      const { entry } = described.entries.find((one) => one.kind === kind);
      const [medium] = (await call(it, key, "media", entry)).filter((one) => one.endsWith(`.${extension}`));
      const old = Buffer.from((await call(it, key, "medium", entry, medium)).bytes);
      const fresh = change(old);
      await call(it, key, "repack", entry, medium, { bytes: Array.from(fresh) });
      const now = Uint8Array.from((await call(it, key, "bytes")).bytes);
      const again = Buffer.from((await call(it, key, "medium", entry, medium)).bytes);
      // The library writes an image in its own way.
      if (extension !== "png") assert.equal(sha(again), sha(fresh), `${path}: what was set is there`);
      else assert.notEqual(sha(again), sha(old), `${path}: another image is there`);
      const folder = join(scratch, `replaced-${kind}`);
      run("unpack", source, folder);
      const at = files(folder)
        .filter((file) => !file.startsWith("."))
        .find((file) => sha(readFileSync(join(folder, file))) === sha(old));
      writeFileSync(join(folder, at), fresh);
      run("pack", folder, join(scratch, `packed-${kind}`));
      assert.equal(sha(now), sha(readFileSync(join(scratch, `packed-${kind}`))), path);
      assert.notEqual(sha(now), sha(readFileSync(source)), `${path} has changed`);
    }
    assert.deepEqual(wrong, []);
    await context.close();
  },
  { skip: none },
);

/** Counts the colors of a part of the page, which an empty drawing has few of. */
async function colors(it, locator) {
  const shot = await locator.screenshot();
  return it.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const all = new Set();
    for (let at = 0; at < data.length; at += 4) all.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
    return all.size;
  }, Array.from(shot));
}

check("models, maps, images, sounds and texts are shown", async () => {
  const { it, wrong, context } = await open(started);
  await give(it, install, true);
  const shown = [];
  const look = async (name, path, entry, locator, least) => {
    await select(it, `install/${path}`, entry);
    const element = it.locator(locator).first();
    await element.waitFor({ timeout: 120_000 });
    await it.waitForTimeout(400);
    const count = await colors(it, element);
    await it.screenshot({ path: join(shots, `${name}.png`) });
    shown.push(`${name}: ${count} colors`);
    assert.ok(count >= least, `${name}: only ${count} colors`);
  };
  await look("world", world, "", "canvas[data-ready]", 6);
  await look("model", "nwn/override/c_boar.mdl", "", "canvas[data-ready]", 4);
  await look("map", "m2/Map.sceA", "", ".map .canvas", 5);
  await look("terminal", "m2/Map.sceA", "0!term", ".terminal", 4);
  await look("textures", "mw/zbd/rimage.zbd", "", ".picture img", 3);
  const { entries } = await call(it, "install/mw/zbd/soundsL.zbd", "described");
  await look("sound", "mw/zbd/soundsL.zbd", entries[0].entry, ".sound canvas", 3);
  await look("table", "nwn/override/appearance.2da", "", "article", 3);
  console.log(shown.join("; "));
  assert.deepEqual(wrong, []);
  await context.close();
});

check("model with animations that was turned is seen as before after an edit, any other as a whole", async () => {
  const { it, wrong, context } = await open(started);
  await give(it, join(install, "nwn", "override", "c_boar.mdl"));
  await select(it, "c_boar.mdl");
  await it.locator("canvas[data-ready]").waitFor({ timeout: 120_000 });
  await it.getByRole("button", { name: "Pause" }).click();
  /** Moves all parts to the side, and returns how much of the view they cover then. */
  const moved = async (side) => {
    const done = await it.evaluate((side) => {
      const set = [0, 1, 2, 3].map((part) => [`/root/children/${part}/controllers/0/rows/0/1`, side]);
      return globalThis.bitexact.change("c_boar.mdl", (item) => globalThis.bitexact.engine.edit(item, { set }));
    }, side);
    assert.equal(done, true, await it.locator(".messages").innerText());
    await it.waitForTimeout(3000);
    return covered(it);
  };
  const whole = await covered(it);
  assert.ok(whole > 0.02, `${whole} of the view is covered`);
  // Nobody has turned it, a click alone included: it is followed to where it is now.
  await it.locator("canvas").click();
  const away = await moved(5000);
  assert.ok(away > whole / 2, `${away} of the view is covered, and ${whole} before the edit`);
  await it.locator("canvas").focus();
  for (let times = 0; times < 8; times += 1) await it.keyboard.press("-");
  await it.waitForTimeout(1000);
  const far = await covered(it);
  assert.ok(far > 0 && far < away / 3, `${far} of the view is covered, and ${away} by the whole`);
  const still = await moved(5000.5);
  assert.ok(Math.abs(still - far) < far / 4, `${still} of the view is covered, and ${far} before the edit`);
  // So does the mouse turn it, until all of it is asked for again.
  await it.getByRole("button", { name: "Whole view" }).click();
  await it.locator("canvas").hover();
  for (let times = 0; times < 12; times += 1) await it.mouse.wheel(0, 200);
  await it.waitForTimeout(1000);
  const wheeled = await covered(it);
  assert.ok(wheeled > 0 && wheeled < away / 2, `${wheeled} of the view is covered, and ${away} by the whole`);
  const kept = await moved(5000);
  assert.ok(Math.abs(kept - wheeled) < wheeled / 4, `${kept} of the view is covered, and ${wheeled} before the edit`);
  await it.getByRole("button", { name: "Whole view" }).click();
  const again = await moved(0.5);
  assert.ok(again > whole / 2, `${again} of the view is covered, and ${whole} at first`);
  assert.deepEqual(wrong, []);
  await context.close();
});

check("places lead to their values: from a map, a search, the bytes, and terminals to the map", async () => {
  const { it, wrong, context } = await open(started);
  await give(it, join(install, "m2", "Map.sceA"));
  const aim = () => it.locator(".aim").first();
  // A shape of the map.
  await select(it, "Map.sceA");
  await it.locator(".map .canvas").waitFor();
  await it.locator('.map g[id="polygons"] [data-index="7"]').first().dispatchEvent("click");
  await aim().waitFor();
  assert.equal(await it.evaluate(() => globalThis.bitexact.selected.entry), "0!POLY");
  assert.match(await aim().innerText(), /^▾ 7/);
  // A text that is found.
  await select(it, "Map.sceA");
  await it.getByRole("tab", { name: "Find" }).click();
  await it.getByLabel("Text or number to find").fill("Arrival");
  await it.getByRole("button", { name: "Find", exact: true }).click();
  await it.getByRole("button", { name: "0!Minf:/level_name" }).click();
  await aim().waitFor();
  await it.waitForFunction(() => document.activeElement.value === "Arrival");
  // A byte, whose owner is a value.
  await select(it, "Map.sceA", "0!POLY");
  await it.getByRole("tab", { name: "Bytes" }).click();
  await it.locator(".byte").nth(3).click();
  // The pointer on its way to the button chooses no other.
  await it.locator(".byte").nth(9).hover();
  assert.equal(await it.locator(".byte").nth(3).getAttribute("data-at"), await it.locator(".byte.at").getAttribute("data-at"));
  await it.getByRole("button", { name: "Show the value" }).click();
  await aim().waitFor();
  // Terminals with pages that lead to a polygon, a goal and another level.
  const text = "#INTRALEVEL_TELEPORT 5 lines=1\nGo$$ \n$BThere$b \n#CHECKPOINT 3\n#INTERLEVEL_TELEPORT 1\n#END";
  const done = await it.evaluate(async (text) => {
    const { engine } = globalThis.bitexact;
    return globalThis.bitexact.change("Map.sceA", async (item) => {
      const [path] = (await engine.media(item, "0!term")).filter((one) => one.endsWith(".txt"));
      await engine.edit(item, {
        set: [
          ["0!OBJS:/objects/2/group", "GOAL"],
          ["0!OBJS:/objects/2/index", 3],
        ],
      });
      return engine.repack(item, "0!term", path, new TextEncoder().encode(text));
    });
  }, text);
  assert.equal(done, true, await it.locator(".messages").innerText());
  const follow = async (name) => {
    await select(it, "Map.sceA", "0!term");
    await it.getByText("Go$ ", { exact: false }).waitFor();
    await it.screenshot({ path: join(shots, "terminal-links.png") });
    await it.getByRole("button", { name }).first().click();
  };
  await follow("Show the polygon");
  await it.getByText("polygon 5", { exact: false }).waitFor();
  assert.equal(await it.locator(".map .marked").getAttribute("data-index"), "5");
  await it.screenshot({ path: join(shots, "marked.png") });
  await follow("Show the goal");
  await it.getByText("object 2", { exact: false }).waitFor();
  assert.equal(await it.locator('.map g[id="objects"] .marked').getAttribute("data-index"), "2");
  await follow("Open the level");
  await it.waitForFunction(() => globalThis.bitexact.selected.entry === "1");
  assert.deepEqual(wrong, []);
  await context.close();
});

check("value leads to its bytes and back, with the keyboard alone", async () => {
  const { it, wrong, context } = await open(started);
  await give(it, join(install, "m2", "Map.sceA"));
  const goTo = async (place) => {
    await it.evaluate((place) => globalThis.bitexact.goTo("Map.sceA", place), place);
    await it.locator(".aim").first().waitFor();
  };
  const sought = () => it.locator(".byte.sought").allInnerTexts();
  const label = () => it.evaluate(() => document.activeElement.getAttribute("aria-label"));
  await goTo("0!OBJS:/objects/2/x");
  await it.waitForFunction(() => document.activeElement.getAttribute("aria-label") === "x");
  const x = Number(await it.evaluate(() => document.activeElement.value));
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(x);
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  // The bytes are shown beside the values, and marked among all of them.
  await it.locator(".its code").getByText(text.join(" "), { exact: true }).waitFor();
  await it.keyboard.press("Alt+Enter");
  await it.locator(".byte.sought").first().waitFor();
  assert.deepEqual(await sought(), text);
  assert.equal(await label(), "Bytes");
  await it.screenshot({ path: join(shots, "value-bytes.png") });
  // The next byte is that of the same value, the one after it of the next. Keys of the browser move nothing.
  await it.keyboard.press("Control+ArrowRight");
  await it.keyboard.press("ArrowRight");
  await it.keyboard.press("Enter");
  await it.waitForFunction(() => document.activeElement.getAttribute("aria-label") === "x");
  await it.keyboard.press("Alt+Enter");
  await it.locator(".byte.sought").first().waitFor();
  await it.keyboard.press("ArrowRight");
  await it.keyboard.press("ArrowRight");
  await it.keyboard.press("Enter");
  await it.waitForFunction(() => document.activeElement.getAttribute("aria-label") === "y");
  // The same bytes once more, after the values were chosen by their tab.
  await goTo("0!OBJS:/objects/2/x");
  await it.waitForFunction(() => document.activeElement.getAttribute("aria-label") === "x");
  await it.keyboard.press("Alt+Enter");
  await it.locator(".byte.sought").first().waitFor();
  await it.getByRole("tab", { name: "Values" }).click();
  await it.getByRole("button", { name: "2", exact: true }).click();
  await it.getByLabel("x", { exact: true }).focus();
  await it.keyboard.press("Alt+Enter");
  await it.locator(".byte.sought").first().waitFor();
  // A whole record, by its button.
  await goTo("0!OBJS:/objects/2");
  await it.getByRole("button", { name: "Show the bytes" }).click();
  await it.locator(".byte.sought").first().waitFor();
  assert.equal((await sought()).length, 16, "an object has 16 bytes");
  // Bytes far from the beginning are scrolled to.
  const far = await it.evaluate(async () => {
    const { engine, items } = globalThis.bitexact;
    const { entries } = await engine.described(items.get("Map.sceA"));
    const last = entries.filter((entry) => entry.kind === "polygons").pop();
    const list = await engine.value(items.get("Map.sceA"), `${last.entry}:/polygons`, 1_000_000);
    return `${last.entry}:/polygons/${list.length - 1}`;
  });
  await goTo(far);
  await it.keyboard.press("Alt+Enter");
  await it.locator(".byte.sought").first().waitFor();
  assert.ok(await it.locator(".byte.sought").first().isVisible());
  assert.deepEqual(wrong, []);
  await context.close();
});

check("empty value leads to the byte before the end of the file and back to itself, not to the owner of that byte", async () => {
  const { it, wrong, context } = await open(started);
  await give(it, [join(install, "m1", "Sounds.sndz"), join(install, "mi", "Physics Models", "Standard.phyA")]);
  const last = statSync(join(install, "m1", "Sounds.sndz")).size - 1;
  const at = () => it.locator(".byte.at").getAttribute("data-at");
  const goTo = (path, place) =>
    it.evaluate(
      async ({ path, place }) => {
        await globalThis.bitexact.describe(path);
        globalThis.bitexact.goToBytes(path, place);
      },
      { path, place },
    );
  const aim = () => it.waitForFunction(() => document.activeElement.getAttribute("aria-label") === "comment");
  await goTo("Sounds.sndz", "/comment");
  await it.getByText(`/comment is empty, at ${last + 1}`).waitFor();
  assert.equal(await at(), String(last));
  await it.keyboard.press("Enter");
  await aim();
  await it.keyboard.press("Alt+Enter");
  await it.getByText(`/comment is empty, at ${last + 1}`).waitFor();
  assert.equal(await at(), String(last));
  await it.getByRole("button", { name: "Show the value" }).click();
  await aim();
  // Whoever goes on from there goes to the owners of the bytes.
  await goTo("Sounds.sndz", "/comment");
  await it.locator(".byte.at").waitFor();
  await it.keyboard.press("ArrowLeft");
  await it.keyboard.press("ArrowRight");
  assert.equal(await at(), String(last));
  await it.locator(".byte.owned").first().waitFor();
  const owner = await call(it, "Sounds.sndz", "owner", last);
  await it.keyboard.press("Enter");
  await it.waitForFunction(() => globalThis.bitexact.selected.keys);
  const { entry, keys } = await it.evaluate(() => globalThis.bitexact.selected);
  assert.equal(`${entry}${entry ? ":" : ""}/${keys.join("/")}`, owner);
  assert.notEqual(owner, "/comment");
  // A part without any byte.
  await goTo("Standard.phyA", "0!NOTE:/annotations");
  await it.getByText("0!NOTE:/annotations is empty, at ").waitFor();
  await it.keyboard.press("Enter");
  await it.waitForFunction(() => globalThis.bitexact.selected.keys?.join() === "annotations");
  assert.deepEqual(wrong, []);
  await context.close();
});

check("value of a part is edited among the values of the whole file, and has its bytes there", async () => {
  const { it, wrong, context } = await open(started);
  const source = join(install, "m2", "Map.sceA");
  await give(it, source);
  const keys = ["0!", "OBJS!", "objects", "2", "x"];
  await it.evaluate((keys) => globalThis.bitexact.select({ path: "Map.sceA", entry: "", keys }), keys);
  await it.waitForFunction(() => document.activeElement.getAttribute("aria-label") === "x");
  await it.locator(".its").getByText("0!OBJS:/objects/2/x: 2 bytes").waitFor();
  await it.keyboard.type("77");
  await it.keyboard.press("Enter");
  await it.getByText("Changed, and proven").waitFor();
  if (program) {
    const patched = join(scratch, "part");
    run("patch", source, "--set", "0!OBJS:/objects/2/x=77", "-o", patched);
    assert.equal(sha(Uint8Array.from((await call(it, "Map.sceA", "bytes")).bytes)), sha(readFileSync(patched)));
  }
  assert.deepEqual(wrong, []);
  await context.close();
});

check("shapes of a map are reached and opened with the keyboard, and have names", async () => {
  const { it, wrong, context } = await open(started);
  await give(it, join(install, "m2", "Map.sceA"));
  const show = async () => {
    await select(it, "Map.sceA");
    await it.getByRole("region", { name: "Map" }).focus();
  };
  const focused = () =>
    it.evaluate(() => {
      const shape = document.activeElement.shadowRoot?.activeElement;
      const { left, top, width, height } = shape?.getBoundingClientRect() ?? {};
      return { name: shape?.getAttribute("aria-label"), x: left + width / 2, y: top + height / 2 };
    });
  await it.getByRole("region", { name: "Map" }).waitFor();
  await show();
  await it.keyboard.press("Home");
  const first = await focused();
  assert.match(first.name, /^polygon 0\b/);
  await it.keyboard.press("PageDown");
  assert.match((await focused()).name, /^polygon 1\b/);
  await it.keyboard.press("PageUp");
  // Whatever lies in a direction can be gone to.
  let moved = 0;
  for (const [key, ahead] of [
    ["ArrowRight", (from, to) => to.x - from.x],
    ["ArrowDown", (from, to) => to.y - from.y],
    ["ArrowLeft", (from, to) => from.x - to.x],
    ["ArrowUp", (from, to) => from.y - to.y],
  ]) {
    const from = await focused();
    await it.keyboard.press(key);
    const to = await focused();
    if (to.name === from.name) continue;
    assert.ok(ahead(from, to) > 0, `${key}: from ${JSON.stringify(from)} to ${JSON.stringify(to)}`);
    moved += 1;
  }
  assert.ok(moved > 0, "the focus moves");
  await it.screenshot({ path: join(shots, "map-keys.png") });
  await it.keyboard.press("PageDown");
  const opened = Number(/^polygon (\d+)/.exec((await focused()).name)[1]);
  await it.keyboard.press("Enter");
  await it.locator(".aim").first().waitFor();
  const aimed = () => it.evaluate(() => globalThis.bitexact.selected);
  assert.deepEqual([(await aimed()).entry, (await aimed()).keys], ["0!POLY", ["polygons", String(opened)]]);
  // Objects, which a screen reader finds as links, too.
  await show();
  await it.getByLabel("Keys go to").selectOption("objects");
  await it.getByRole("region", { name: "Map" }).focus();
  await it.keyboard.press("End");
  const last = Number(/^object (\d+): \w+/.exec((await focused()).name)[1]);
  await it.getByRole("link", { name: new RegExp(`^object ${last}:`) }).waitFor();
  await it.keyboard.press("Enter");
  await it.locator(".aim").first().waitFor();
  assert.deepEqual([(await aimed()).entry, (await aimed()).keys], ["0!OBJS", ["objects", String(last)]]);
  assert.deepEqual(wrong, []);
  await context.close();
});

check("page fits windows from 360 to 1920 pixels, light and dark", async () => {
  for (const [width, height, scheme] of [
    [360, 740, "light"],
    [800, 700, "dark"],
    [1920, 1080, "dark"],
  ]) {
    const { it, wrong, context } = await open(started, { width, height }, scheme);
    await give(it, install, true);
    await select(it, "install/m2/Map.sceA");
    for (const tab of ["Map", "Values", "Bytes", "Find", "Proof"]) {
      await it.getByRole("tab", { name: tab }).click();
      await it.waitForTimeout(250);
      const wide = await it.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${tab} at ${width}: ${wide} pixels too wide`);
      await it.screenshot({ path: join(shots, `${tab.toLowerCase()}-${width}.png`) });
    }
    assert.deepEqual(wrong, []);
    await context.close();
  }
});

check("every control has a name for screen readers", async () => {
  const { it, context } = await open(started);
  await give(it, install, true);
  for (const path of ["install/m2/Map.sceA", `install/${world}`, "install/nwn/override/appearance.2da", "install/mw/zbd/rimage.zbd"]) {
    await select(it, path);
    for (const tab of await it.getByRole("tab").all()) {
      await tab.click();
      await it.waitForTimeout(200);
      const nameless = await it.evaluate(() =>
        [...document.querySelectorAll("button, input:not([hidden]), select, textarea, audio, canvas, [tabindex='0']")]
          .filter(
            (element) =>
              !(
                element.getAttribute("aria-label") ||
                element.getAttribute("aria-labelledby") ||
                element.closest("label") ||
                element.textContent.trim()
              ),
          )
          .map((element) => element.outerHTML.slice(0, 120)),
      );
      assert.deepEqual(nameless, [], path);
    }
  }
  await context.close();
});

/** The same numbers in every run. */
function numbers(seed) {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

check("names with markup are text", async () => {
  const { it, wrong, context } = await open(started);
  const name = `<img src=x onerror="globalThis.ran=true">&amp;';--.zmap`;
  await it.evaluate(
    async ({ name, bytes }) => {
      const file = new File([new Uint8Array(bytes)], name);
      await globalThis.bitexact.add(
        Promise.resolve([{ path: name, size: file.size, read: async () => new Uint8Array(await file.arrayBuffer()) }]),
      );
    },
    { name, bytes: Array.from(readFileSync(join(install, "rc", "maps", files(join(install, "rc", "maps"))[0]))) },
  );
  await verified(it);
  await it.waitForTimeout(200);
  assert.equal(await it.evaluate(() => globalThis.ran === true), false);
  assert.equal(await it.locator(".line .label").first().innerText(), name);
  assert.deepEqual(wrong, []);
  await context.close();
});

check("hostile files leave every worker alive", async () => {
  const { it, context } = await open(started);
  const samples = files(install)
    .map((path) => readFileSync(join(install, path)))
    .filter((bytes) => bytes.length > 0 && bytes.length < 60_000);
  const names = files(install).filter((path) => {
    const size = statSync(join(install, path)).size;
    return size > 0 && size < 60_000;
  });
  const count = Number(process.env.BITEXACT_MUTANTS ?? 10_000);
  const pick = numbers(49);
  const told = {};
  const begun = Date.now();
  for (let done = 0; done < count;) {
    const batch = [];
    for (; batch.length < 200 && done < count; done += 1) {
      const index = pick(samples.length);
      const bytes = Uint8Array.from(samples[index]);
      for (let change = 1 + pick(4); change > 0; change -= 1) {
        const at = pick(bytes.length);
        const with_ = [0, 255, 127, 128, pick(256)][pick(5)];
        bytes.fill(with_, at, Math.min(bytes.length, at + 1 + pick(4)));
      }
      const cut = pick(8) === 0 ? bytes.subarray(0, pick(bytes.length)) : bytes;
      batch.push({ name: names[index].split("/").pop(), text: Buffer.from(cut).toString("base64") });
    }
    const statuses = await it.evaluate(async (batch) => {
      const { engine } = globalThis.bitexact;
      const all = batch.map(({ name, text }, number) => {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        // What is read is handed over.
        return { path: `${number}/${name}`, size: bytes.length, read: async () => bytes.slice() };
      });
      const rows = [];
      await engine.verify(
        all,
        (_path, _text, row) => rows.push(row),
        () => false,
      );
      const told = rows.map((row) =>
        row.error?.message.startsWith("internal") ? `internal: ${row.path}: ${row.error.message}` : row.status,
      );
      // Some are looked at, too: their values, their bytes, their summary, and what can be drawn of them.
      const look = async (call) => {
        const why = await call.then(
          () => "",
          (why) => String(why.message),
        );
        if (why.startsWith("internal")) told.push(`internal: ${why}`);
      };
      for (const { path } of rows.filter(({ status }, index) => status === "identical" && index % 10 === 0)) {
        const it = all.find((one) => one.path === path);
        const { forms } = await engine.described(it);
        const owners = await engine.owners(it, 0, 1e6).catch(() => []);
        const owned = owners[owners.length >> 1] ?? { offset: 0, place: "/" };
        const more = [
          ["outline", ""],
          ["value", "/", 30],
          ["value", owned.place, 30],
          ["owners", 0, 1e6],
          ["owner", owned.offset],
          ["extent", "/"],
          ["extent", owned.place],
          ["find", "a"],
          ["media", ""],
          ["still", "", []],
        ];
        for (const [name, ...given] of more) await look(engine[name](it, ...given));
        for (const { extension } of forms) await look(engine.draw(it, "", extension, 0, [], []));
        await engine.forget(path);
        told.push("looked at");
      }
      return told;
    }, batch);
    for (const status of statuses) told[status] = (told[status] ?? 0) + 1;
  }
  const ages = await it.evaluate(() => [...globalThis.bitexact.engine.hands, globalThis.bitexact.engine.desk].map((hand) => hand.age));
  console.log(`${count} mutants in ${Date.now() - begun} ms:`, told);
  assert.ok(told["looked at"] > 0, "none was looked at");
  assert.deepEqual(
    Object.keys(told).filter((status) => status.startsWith("internal")),
    [],
  );
  assert.ok(
    ages.every((age) => age === 0),
    `workers were started again: ${ages}`,
  );
  await context.close();
});

check("worker in which the library stops is started again, and edits are made again", async () => {
  const source = join(install, "rc", "maps");
  const name = files(source)[0];
  const { it, context } = await open(started);
  await give(it, join(source, name));
  const edit = () =>
    it.evaluate(
      (name) => globalThis.bitexact.change(name, (item) => globalThis.bitexact.engine.edit(item, { set: [["/unk04", 78]] })),
      name,
    );
  assert.equal(await edit(), true);
  const before = sha(Uint8Array.from((await call(it, name, "bytes")).bytes));
  await it.evaluate(() => globalThis.bitexact.engine.desk.stop(new Error("for the test")));
  assert.equal(sha(Uint8Array.from((await call(it, name, "bytes")).bytes)), before);
  assert.equal(await it.evaluate(() => globalThis.bitexact.engine.desk.age), 1);
  assert.notEqual(before, sha(readFileSync(join(source, name))));
  await context.close();
});

check("verifying can be cancelled, and gone on with", async () => {
  const { it, wrong, context } = await open(started);
  await it.locator("main.welcome input[type=file]").nth(0).setInputFiles(install);
  await it.evaluate(() => globalThis.bitexact.cancel());
  await it.waitForFunction(() => globalThis.bitexact.items.size > 0 && !globalThis.bitexact.progress);
  const left = await it.evaluate(() => [...globalThis.bitexact.items.values()].filter((item) => !item.row).length);
  if (left > 0) await it.getByRole("button", { name: "Verify the rest" }).click();
  await verified(it);
  console.log(`${left} files were left when verifying was cancelled`);
  assert.deepEqual(wrong, []);
  await context.close();
});

const attacks = join(root, "..", "shared", "findings", "attack-3");
check(
  "files of earlier attacks are refused or shown",
  async () => {
    const { it, context } = await open(started);
    const all = files(attacks)
      .map((path) => join(attacks, path))
      .filter((path) => statSync(path).size > 0);
    await give(it, all);
    const rows = await it.evaluate(() =>
      [...globalThis.bitexact.items.values()].map((item) => [item.path, item.row.status, item.row.error?.message]),
    );
    for (const [path, status] of rows) {
      if (status !== "identical") continue;
      await it.evaluate(async (path) => {
        const store = globalThis.bitexact;
        const described = await store.describe(path);
        for (const form of described?.forms ?? [])
          await store.engine.draw(store.items.get(path), "", form.extension, 0, [], []).catch(() => undefined);
      }, path);
    }
    console.log(`${rows.length} files of attacks:`, rows.map(([, status]) => status).join(" "));
    assert.deepEqual(
      rows.filter(([, , why]) => why?.startsWith("internal")),
      [],
    );
    const ages = await it.evaluate(() => [...globalThis.bitexact.engine.hands, globalThis.bitexact.engine.desk].map((hand) => hand.age));
    assert.deepEqual(new Set(ages), new Set([0]), "no worker was started again, neither by a file nor by a drawing of it");
    await context.close();
  },
  { skip: existsSync(attacks) ? false : "the files of earlier attacks are not here" },
);
