// Edits and mods in the folder of a game, with the journal that the program undoes. The folder is one of the browser's own, which has the
// interface of those on the disk; a page from a server has one.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { give, open, page, shots } from "./chromium.mjs";
import { check, files, install, none, PIXEL, run, scratch, sha, started } from "./common.mjs";

/** Serves the page on this machine. */
async function served(body) {
  const server = createServer((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end(readFileSync(page)));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await body(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Puts a folder into that of the browser, and lets the page find it where it asks for a folder. */
async function put(it, folder) {
  const all = files(folder).map((path) => [path, readFileSync(join(folder, path)).toString("base64")]);
  await it.evaluate(async (all) => {
    const game = await (await navigator.storage.getDirectory()).getDirectoryHandle("game", { create: true });
    for (const [path, text] of all) {
      const parts = path.split("/");
      let at = game;
      for (const part of parts.slice(0, -1)) at = await at.getDirectoryHandle(part, { create: true });
      const file = await (await at.getFileHandle(parts.at(-1), { create: true })).createWritable();
      await file.write(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
      await file.close();
    }
    globalThis.showDirectoryPicker = async () => game;
  }, all);
}

/** Writes the folder of the browser to the disk. */
async function fetched(it, folder) {
  rmSync(folder, { recursive: true, force: true });
  const all = await it.evaluate(async () => {
    const found = [];
    const walk = async (at, path) => {
      for await (const [name, handle] of at.entries()) {
        const inner = path ? `${path}/${name}` : name;
        if (handle.kind === "directory") {
          await walk(handle, inner);
          continue;
        }
        const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
        let text = "";
        for (const byte of bytes) text += String.fromCharCode(byte);
        found.push([inner, btoa(text)]);
      }
    };
    await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle("game"), "");
    return found;
  });
  for (const [path, text] of all) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), Buffer.from(text, "base64"));
  }
}

const setNumber = (it, path, value) =>
  it.evaluate(
    ({ path, value }) => globalThis.bitexact.change(path, (item) => globalThis.bitexact.engine.edit(item, { set: [["/unk04", value]] })),
    { path, value },
  );

check(
  "edits are saved into the game with a journal that the program lists and undoes",
  async () => {
    const game = join(scratch, "saved", "rc");
    cpSync(join(install, "rc"), game, { recursive: true });
    const maps = files(join(game, "maps")).filter((name) => name.endsWith(".zmap"));
    const path = join("maps", maps[0]);
    await served(async (address) => {
      const { it, wrong, context } = await open(started, undefined, undefined, address);
      await put(it, game);
      await give(it, game, true);
      assert.equal(await setNumber(it, `rc/${path}`, 77), true);
      await it.getByRole("button", { name: "Save into the game…" }).click();
      await it.getByText("Saved maps/").waitFor({ timeout: 60_000 });
      assert.equal(await it.evaluate(() => globalThis.bitexact.edited.length), 0);
      await it.screenshot({ path: join(shots, "saved.png") });
      // Once more, and the same edit is continued.
      assert.equal(await setNumber(it, `rc/${path}`, 78), true);
      await it.getByRole("button", { name: "Save into the game…" }).click();
      await it.getByText("Saved maps/").waitFor({ timeout: 60_000 });
      const after = join(scratch, "saved", "after");
      await fetched(it, after);
      assert.deepEqual(wrong, []);
      await context.close();
      const patched = join(scratch, "saved", "patched");
      run("patch", join(game, path), "--set", "/unk04=78", "-o", patched);
      assert.equal(sha(readFileSync(join(after, path))), sha(readFileSync(patched)));
      assert.match(run("mod", "list", after), /page/);
      run("mod", "undo", after, "page");
      assert.ok(!existsSync(join(after, ".bitexact-mods")));
      const all = files(game).sort();
      assert.deepEqual(files(after).sort(), all);
      for (const name of all) assert.equal(sha(readFileSync(join(after, name))), sha(readFileSync(join(game, name))), name);
    });
  },
  { skip: none },
);

check(
  "save that is ended half-way is finished or restored by the program",
  async () => {
    const game = join(scratch, "halfway", "rc");
    cpSync(join(install, "rc"), game, { recursive: true });
    const maps = files(join(game, "maps")).filter((name) => name.endsWith(".zmap"));
    await served(async (address) => {
      let isDone = false;
      const seen = new Set();
      for (let least = 0; !isDone; least += 1) {
        const { it, context } = await open(started, undefined, undefined, address);
        await put(it, game);
        await give(it, game, true);
        for (const name of maps.slice(0, 2)) assert.equal(await setNumber(it, `rc/maps/${name}`, 91), true);
        // The disk is full after some writes.
        await it.evaluate((least) => {
          let count = 0;
          const real = FileSystemWritableFileStream.prototype.write;
          globalThis.realWrite = real;
          FileSystemWritableFileStream.prototype.write = function (...all) {
            count += 1;
            if (count > least) throw new DOMException("the disk is full", "QuotaExceededError");
            return real.apply(this, all);
          };
          globalThis.bitexact.say(undefined);
        }, least);
        await it.locator(".said").waitFor({ state: "detached" });
        await it.getByRole("button", { name: "Save into the game…" }).click();
        await it.locator(".said").waitFor({ timeout: 60_000 });
        isDone = (await it.locator(".said.error").count()) === 0;
        const after = join(scratch, "halfway", `after-${least}`);
        await fetched(it, after);
        run("mod", "finish", after);
        const hashes = maps
          .slice(0, 2)
          .map((name) => sha(readFileSync(join(after, "maps", name))) !== sha(readFileSync(join(game, "maps", name))));
        assert.ok(
          hashes.every((it) => it === hashes[0]),
          `after ${least} writes: ${hashes}`,
        );
        assert.ok(!isDone || hashes[0], "all is new at the end");
        seen.add(hashes[0]);
        // The page itself goes on, too.
        if (!isDone) {
          await it.evaluate(() => {
            FileSystemWritableFileStream.prototype.write = globalThis.realWrite;
          });
          await it.getByRole("button", { name: "Close this message" }).click();
          await it.getByRole("button", { name: "Save into the game…" }).click();
          await it.getByText("Saved maps/").waitFor({ timeout: 60_000 });
          await fetched(it, after);
          run("mod", "finish", after);
          for (const name of maps.slice(0, 2))
            assert.notEqual(sha(readFileSync(join(after, "maps", name))), sha(readFileSync(join(game, "maps", name))));
          run("mod", "undo", after);
          same(after, game);
        }
        await context.close();
      }
      assert.equal(seen.size, 2, "old and new were both seen");
    });
  },
  { skip: none },
);

/** Opens the part of the page about mods in a folder, and chooses a mod. */
async function chooseMod(it, path) {
  await it.getByText("Mods in a game folder").click();
  await it.getByRole("button", { name: "Choose a mod…" }).locator("xpath=following-sibling::input[1]").setInputFiles(path);
}

const same = (one, other) => {
  assert.deepEqual(files(one).sort(), files(other).sort());
  for (const name of files(other)) assert.equal(sha(readFileSync(join(one, name))), sha(readFileSync(join(other, name))), name);
};

check(
  "mod is applied to a folder as the program applies it, and undone by either",
  async () => {
    const [game, edited] = ["game", "edited"].map((name) => join(scratch, "applied", name));
    for (const folder of [game, edited]) cpSync(join(install, "rc"), folder, { recursive: true });
    const maps = files(join(game, "maps")).filter((name) => name.endsWith(".zmap"));
    run("patch", join(edited, "maps", maps[0]), "--set", "/unk04=5");
    rmSync(join(edited, "maps", maps[1]));
    mkdirSync(join(edited, "extras", "more"), { recursive: true });
    writeFileSync(join(edited, "extras", "more", "picture.png"), Buffer.from(PIXEL, "base64"));
    const mod = join(scratch, "applied", "cool.bxmod");
    run("mod", "make", game, edited, "-o", mod, "--title", "Cool");
    const after = join(scratch, "applied", "after");
    await served(async (address) => {
      const { it, wrong, context } = await open(started, undefined, undefined, address);
      await put(it, game);
      await chooseMod(it, mod);
      await it.getByRole("button", { name: "Apply to a game folder…" }).click();
      await it.getByText("applied cool.bxmod, 3 files").waitFor({ timeout: 60_000 });
      await it.screenshot({ path: join(shots, "applied-to-folder.png") });
      await fetched(it, after);
      // As the program does it, but for the journal's own files.
      const theirs = join(scratch, "applied", "theirs");
      cpSync(game, theirs, { recursive: true });
      run("mod", "apply", theirs, mod);
      same(after, theirs);
      assert.equal(run("mod", "list", after), run("mod", "list", theirs));
      run("mod", "undo", after);
      same(after, game);
      assert.ok(!existsSync(join(after, ".bitexact-mods")));
      assert.ok(!existsSync(join(after, "extras")));
      // Applied again: nothing is new. Then undone by the page.
      await it.getByRole("button", { name: "Undo in a game folder…" }).click();
      await it.getByText("undid cool.bxmod, 3 files").waitFor({ timeout: 60_000 });
      await fetched(it, after);
      same(after, game);
      await it.getByRole("button", { name: "Undo in a game folder…" }).click();
      await it.getByText("no mod is applied").waitFor({ timeout: 60_000 });
      await fetched(it, after);
      same(after, game);
      assert.deepEqual(wrong, []);
      await context.close();
      // What the program has applied, the page undoes.
      const second = await open(started, undefined, undefined, address);
      await put(second.it, theirs);
      await second.it.getByText("Mods in a game folder").click();
      await second.it.getByRole("button", { name: "Undo in a game folder…" }).click();
      await second.it.getByText("undid cool.bxmod, 3 files").waitFor({ timeout: 60_000 });
      await fetched(second.it, after);
      same(after, game);
      await second.context.close();
    });
  },
  { skip: none },
);

check("folder of another game, or with other bytes, is not changed", async () => {
  const game = join(install, "rc");
  const name = files(join(game, "maps")).find((it) => it.endsWith(".zmap"));
  await served(async (address) => {
    const { it, context } = await open(started, undefined, undefined, address);
    await put(it, join(install, "m2"));
    await give(it, game, true);
    assert.equal(await setNumber(it, `rc/maps/${name}`, 77), true);
    await it.getByRole("button", { name: "Save into the game…" }).click();
    await it.getByText("choose the folder of the game").waitFor();
    await it.evaluate(async (name) => {
      const root = await (await navigator.storage.getDirectory()).getDirectoryHandle("game");
      const maps = await root.getDirectoryHandle("maps", { create: true });
      const file = await (await maps.getFileHandle(name, { create: true })).createWritable();
      await file.write("by something else");
      await file.close();
    }, name);
    await it.getByRole("button", { name: "Close this message" }).click();
    await it.getByRole("button", { name: "Save into the game…" }).click();
    await it.getByText("something else has changed the file").waitFor();
    assert.equal(await it.evaluate(() => globalThis.bitexact.edited.length), 1, "the edit is still there");
    await context.close();
  });
});
