// What the page says of copies of games: the verdict, the digest, the page that is saved, and what is compared.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { drop, give, open, page, program, shots, verified } from "./chromium.mjs";
import { applyMod, call, check, downloadMod, files, install, none, run, scratch, sha, started } from "./common.mjs";

/** Calls the program in a folder. */
function runIn(folder, ...all) {
  try {
    return execFileSync(program, all, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (error.status === 1) return error.stdout;
    throw error;
  }
}

/** Returns the rows of `verify --json` about installs, in a folder. */
function installsOf(folder, ...paths) {
  const lines = runIn(folder, "verify", "--json", ...paths)
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line).install).filter((it) => it !== undefined);
}

const surveyed = (it) => it.evaluate(() => globalThis.bitexact.surveyed);

function assertSame(ours, theirs) {
  const wanted = theirs.map((row) => ({
    root: row.root,
    verdict: row.verdict,
    sentence: row.sentence,
    sha256: row.sha256_of_list ?? null,
    differ: row.differ.length,
    missing: row.missing.length,
    unexpected: row.unlisted,
  }));
  const found = ours.map((it) => ({
    root: it.root,
    verdict: it.verdict,
    sentence: it.sentences.join(" "),
    sha256: it.sha256,
    differ: it.differ.length,
    missing: it.missing.length + it.optional.length,
    unexpected: it.unexpected,
  }));
  assert.deepEqual(found, wanted);
}

/** Saves the page of the overview. */
async function saved(it) {
  const [download] = await Promise.all([
    it.waitForEvent("download"),
    it.getByRole("button", { name: "Save all of this as a page" }).click(),
  ]);
  return readFileSync(await download.path(), "utf8");
}

check(
  "verdict of an install, its digest and the page are those of verify",
  async () => {
    const { it, wrong, context } = await open(started);
    await give(it, install, true);
    const { installs } = await surveyed(it);
    const theirs = installsOf(dirname(install), "install");
    assert.ok(theirs.length >= 5, `${theirs.length} installs`);
    assertSame(installs, theirs);
    await it.getByText(theirs[0].sentence.split(". ")[0]).first().waitFor();
    const html = join(scratch, "install.html");
    runIn(dirname(install), "verify", "--html", html, "install");
    assert.equal(await saved(it), readFileSync(html, "utf8"));
    await it.screenshot({ path: join(shots, "certificates.png"), fullPage: true });
    assert.deepEqual(wrong, []);
    await context.close();
  },
  { skip: none },
);

check("bytes that follow a file are no damage, as the sentence about the copy has it", async () => {
  const { it, wrong, context } = await open(started);
  await give(it, join(install, "rc"), true);
  await it
    .getByText(/no damage found\./)
    .first()
    .waitFor();
  await it.getByText(/^All \d+ game files are read and written without changing a bit; other bytes follow 2 of them\.$/).waitFor();
  await it.getByRole("heading", { name: "Other bytes after the file (2)" }).waitFor();
  assert.equal(await it.getByText(/signs of damage/i).count(), 0);
  // A world without a triangle says so.
  await it.evaluate(() => globalThis.bitexact.select({ path: "rc/zbd/m6/gamez.zbd", entry: "" }));
  await it.getByText("Nothing of this has triangles, so the view is empty.").waitFor();
  assert.deepEqual(wrong, []);
  await context.close();
  // Lost bytes are.
  const folder = join(scratch, "lost", "rc");
  cpSync(join(install, "rc"), folder, { recursive: true });
  const path = join(folder, "zbd", "soundsh.zbd");
  const bytes = readFileSync(path);
  bytes.fill(0, 512, 7168);
  writeFileSync(path, bytes);
  const other = await open(started);
  await give(other.it, folder, true);
  await other.it.getByRole("heading", { name: "Signs of damage (1)" }).waitFor();
  await other.it.getByRole("heading", { name: "Other bytes after the file (2)" }).waitFor();
  await other.context.close();
});

check(
  "folders and zips that are dropped, several at once, are read as the program reads them",
  async () => {
    const { zipSync } = await import("fflate");
    const folder = join(scratch, "dropped");
    for (const game of ["m2", "mw"]) cpSync(join(install, game), join(folder, game), { recursive: true });
    writeFileSync(join(folder, "mw", ".DS_Store"), "ignored, as the program ignores it");
    const inside = {};
    for (const path of files(join(install, "rc")))
      inside[`Recoil\\${path.replaceAll("/", "\\")}`] = new Uint8Array(readFileSync(join(install, "rc", path)));
    writeFileSync(join(folder, "rc.zip"), zipSync(inside, { level: 1 }));
    // A zip in a folder is one of its files.
    writeFileSync(join(folder, "mw", "old.zip"), zipSync({ "a.txt": new Uint8Array(3) }));
    const { it, wrong, context } = await open(started);
    const names = ["m2", "mw", "rc.zip"];
    await drop(
      it,
      names.map((name) => join(folder, name)),
    );
    const theirs = runIn(folder, "verify", "--json", ...names)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const rows = await it.evaluate(() => globalThis.bitexact.inOrder.map((item) => item.row));
    assert.deepEqual(
      rows,
      theirs.filter((row) => row.path !== undefined),
    );
    assertSame(
      (await surveyed(it)).installs.toSorted((one, other) => one.root.localeCompare(other.root)),
      theirs
        .map((row) => row.install)
        .filter((row) => row)
        .toSorted((one, other) => one.root.localeCompare(other.root)),
    );
    assert.deepEqual(wrong, []);
    await context.close();
    // A file in a zip that has another checksum than that states cannot be read.
    const bytes = readFileSync(join(folder, "rc.zip"));
    bytes[bytes.length >> 1] ^= 0x55;
    writeFileSync(join(scratch, "spoiled.zip"), bytes);
    const second = await open(started);
    await give(second.it, join(scratch, "spoiled.zip"));
    const bad = await second.it.evaluate(
      () => [...globalThis.bitexact.items.values()].filter((item) => item.row.status === "unreadable").length,
    );
    assert.equal(bad, 1);
    await second.context.close();
  },
  { skip: none },
);

/** Returns the page with another worker. */
function planted(name, change) {
  const text = readFileSync(page, "utf8");
  const [whole, begin, packed] = /(<script type="application\/octet-stream" id="worker">)([^<]*)/.exec(text);
  const worker = gunzipSync(Buffer.from(packed, "base64")).toString();
  const other = change(worker);
  assert.notEqual(other, worker, "the bug was planted");
  const path = join(scratch, `${name}.html`);
  writeFileSync(path, text.replace(whole, begin + gzipSync(other).toString("base64")));
  return pathToFileURL(path).href;
}

check("bug that is planted between the library and a hash shows as different", async () => {
  // The calls with which the library hands over re-encoded bytes.
  const call = /\bwrite\((\w+)\)\{/;
  const plants = {
    "bit-flipped": (text) => text.replace(call, (whole, bytes) => `${whole}${bytes}=${bytes}.slice();${bytes}[0]^=1;`),
    "bytes-dropped": (text) => text.replace(call, (whole, bytes) => `${whole}${bytes}=${bytes}.subarray(1);`),
    "bytes-added": (text) => text.replace(call, (whole, bytes) => `${whole}${bytes}=new Uint8Array([...${bytes},0]);`),
    "nothing-written": (text) => text.replace(call, (whole) => `${whole}return;`),
  };
  for (const [name, change] of Object.entries(plants)) {
    const { it, context } = await open(started, undefined, undefined, planted(name, change));
    await give(it, join(install, "m2"), true);
    const rows = await it.evaluate(() => [...globalThis.bitexact.items.values()].map((item) => item.row));
    const decoded = rows.filter((row) => row.rewritten_sha256 !== undefined && row.bytes > 0);
    assert.ok(decoded.length > 5, name);
    for (const row of decoded) {
      assert.equal(row.status, "different", `${name}: ${row.path}`);
      assert.notEqual(row.sha256, row.rewritten_sha256, `${name}: ${row.path}`);
    }
    await it.getByText("cannot be read or written without a change").first().waitFor();
    await context.close();
  }
});

check("hash that the browser does not compute is that of the library", async () => {
  const { it, context } = await open(
    started,
    undefined,
    undefined,
    planted("without-digest", (text) => text.replaceAll("crypto?.subtle", "crypto?.none")),
  );
  await give(it, join(install, "m2"), true);
  const rows = await it.evaluate(() => [...globalThis.bitexact.items.values()].map((item) => item.row));
  for (const row of rows) assert.equal(row.sha256, sha(readFileSync(join(install, row.path))), row.path);
  assert.ok(rows.some((row) => row.status === "identical" && row.rewritten_sha256 === row.sha256));
  await context.close();
});

check(
  "two files are compared as diff compares them",
  async () => {
    const folder = join(scratch, "compared");
    const source = join(install, "m2", "Physics Models");
    const [name] = files(source);
    const described = run("ls", "--json", join(source, name))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const entry = described.find((row) => ["monsters", "projectiles", "weapons"].includes(row.kind)).entry;
    cpSync(join(source, name), join(folder, "one", name));
    const place = firstNumber(JSON.parse(run("inspect", "--json", join(source, name), entry)).value, "");
    run("patch", join(source, name), "--set", `${entry}:${place}=9`, "-o", join(folder, "other.phyA"));
    cpSync(join(folder, "other.phyA"), join(folder, "other", name));
    const { it, wrong, context } = await open(started);
    await give(it, [join(folder, "one", name), join(folder, "other.phyA")]);
    const theirs = JSON.parse(run("diff", "--json", join(folder, "one", name), join(folder, "other.phyA"))).changes.length;
    await it.evaluate((name) => globalThis.bitexact.select({ path: name, entry: "" }), name);
    await it.getByRole("tab", { name: "Compare" }).click();
    await it.getByLabel("Compare with").selectOption("other.phyA");
    await it.getByRole("heading", { name: `${theirs} change` }).waitFor();
    assert.equal(theirs, 1);
    await context.close();
    // Two folders: the same file differs, and no other.
    const second = await open(started);
    cpSync(join(install, "m2", "Map.sceA"), join(folder, "one", "Map.sceA"));
    cpSync(join(install, "m2", "Map.sceA"), join(folder, "other", "Map.sceA"));
    writeFileSync(join(folder, "other", "more.txt"), "more");
    await drop(second.it, [join(folder, "one"), join(folder, "other")]);
    const section = second.it.getByRole("region", { name: "Compare two folders" });
    await section.getByText("1 file is the same, 1 differs").waitFor();
    await section.getByText("1 only in other").waitFor();
    await section.getByText(`one/${name}`).click();
    await section.getByText(`${entry}:${place}`).waitFor();
    await second.it.screenshot({ path: join(shots, "compared.png"), fullPage: true });
    assert.deepEqual([wrong, second.wrong], [[], []]);
    await second.context.close();
  },
  { skip: none },
);

/** Returns the place of the first small number in a value. */
function firstNumber(value, place) {
  if (Number.isInteger(value) && value >= 0 && value < 100 && value !== 9) return place;
  if (value && typeof value === "object") {
    for (const [key, inner] of Object.entries(value)) {
      const found = firstNumber(inner, `${place}/${key}`);
      if (found) return found;
    }
  }
  return undefined;
}

check(
  "mod of several files, which adds and removes some, is applied to a dropped install as mod apply does, or not at all",
  async () => {
    const [old, fresh] = [join(scratch, "mod-old"), join(scratch, "mod-new")];
    for (const folder of [old, fresh]) cpSync(join(install, "m2"), folder, { recursive: true });
    const [physics] = files(join(old, "Physics Models"));
    const path = join("Physics Models", physics);
    const row = run("ls", "--json", join(old, path))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const entry = row.find((it) => ["monsters", "projectiles", "weapons"].includes(it.kind)).entry;
    const place = `${entry}:${firstNumber(JSON.parse(run("inspect", "--json", join(old, path), entry)).value, "")}`;
    run("patch", join(fresh, path), "--set", `${place}=9`);
    const map = run("ls", "--json", join(old, "Map.sceA"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    run("patch", join(fresh, "Map.sceA"), "--remove", map.find((it) => it.kind === "terminals").entry);
    const gone = files(fresh).find((name) => name !== path && name !== "Map.sceA");
    rmSync(join(fresh, gone));
    mkdirSync(join(fresh, "New"));
    writeFileSync(join(fresh, "New", "notes.txt"), "added by the mod");
    const mod = join(scratch, "two.bxmod");
    run("mod", "make", old, fresh, "-o", mod);
    const { it, wrong, context } = await open(started);
    await give(it, join(install, "m2"), true);
    await applyMod(it, mod);
    await it.getByText("was applied to 4 files").waitFor();
    for (const name of [path, "Map.sceA"])
      assert.equal(sha(Uint8Array.from((await call(it, `m2/${name}`, "bytes")).bytes)), sha(readFileSync(join(fresh, name))), name);
    // What the page makes of it is the same mod.
    assert.equal(sha((await downloadMod(it)).bytes), sha(readFileSync(mod)));
    // What it has added and removed, too.
    const shown = await it.evaluate(() => [...globalThis.bitexact.items.keys()]);
    assert.ok(shown.includes("m2/New/notes.txt") && !shown.includes(`m2/${gone}`), String(shown));
    await it.getByRole("button", { name: "Take two.bxmod back" }).click();
    await it.getByText("two.bxmod was taken back").waitFor();
    await verified(it);
    const back = await it.evaluate(() => [...globalThis.bitexact.items.values()].map((item) => [item.path, item.row?.sha256]).sort());
    const wanted = files(old).map((name) => [`m2/${name}`, sha(readFileSync(join(old, name)))]);
    assert.deepEqual(back, wanted.sort());
    assert.equal(await it.evaluate(() => globalThis.bitexact.edited.length + globalThis.bitexact.removed.size), 0);
    assert.deepEqual(wrong, []);
    await context.close();
    // An install in which one of the files has another value is not changed at all.
    run("patch", join(old, path), "--set", `${place}=11`);
    const second = await open(started);
    await give(second.it, old, true);
    await applyMod(second.it, mod);
    await second.it.locator(".said.error").waitFor();
    assert.equal(await second.it.evaluate(() => globalThis.bitexact.edited.length), 0);
    await second.context.close();
  },
  { skip: none },
);
