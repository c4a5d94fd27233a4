// Entries of containers: added, replaced, renamed and removed by the buttons of the page, undone and made again.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { give, open } from "./chromium.mjs";
import { call, check, install, none, run, scratch, select, sha, started } from "./common.mjs";

const source = join(install, "nwn", "erf", "export.erf");
const now = async (it) => sha(Uint8Array.from((await call(it, "export.erf", "bytes")).bytes));

/** Answers the next question of the page. */
function answer(it, text) {
  it.removeAllListeners("dialog");
  it.once("dialog", (dialog) => void dialog.accept(text));
}

check(
  "entries are added, replaced, renamed and removed as by patch, undone and made again",
  async () => {
    const { it, wrong, context } = await open(started);
    await give(it, source);
    const entries = run("ls", "--json", source)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const first = entries[0].entry;
    const extension = first.split(".").pop();
    const states = [await now(it)];
    assert.equal(states[0], sha(readFileSync(source)));
    const expect = async (...all) => {
      const before = join(scratch, `entries-${states.length - 1}`);
      const after = join(scratch, `entries-${states.length}`);
      run("patch", states.length === 1 ? source : before, ...all, "-o", after);
      await it.getByText("Changed, and proven").waitFor();
      await it.getByRole("button", { name: "Close this message" }).click();
      states.push(await now(it));
      assert.equal(states.at(-1), sha(readFileSync(after)), all.join(" "));
      assert.notEqual(states.at(-1), states.at(-2), all.join(" "));
    };

    // Added: a copy of the first one under another name.
    const copy = join(scratch, `copy.${extension}`);
    writeFileSync(copy, Uint8Array.from((await call(it, "export.erf", "entry", first)).bytes));
    await select(it, "export.erf");
    answer(it, `added.${extension}`);
    const [chooser] = await Promise.all([it.waitForEvent("filechooser"), it.getByRole("button", { name: "Add an entry…" }).click()]);
    await chooser.setFiles(copy);
    await expect("--add", `added.${extension}=${copy}`);

    // Renamed.
    await select(it, "export.erf", `added.${extension}`);
    answer(it, `renamed.${extension}`);
    await it.getByRole("button", { name: "Rename…" }).click();
    await expect("--rename", `added.${extension}=renamed.${extension}`);

    // Replaced by the bytes of another of its kind, or else by text.
    const other = entries.find((row) => row.kind === entries[0].kind && row.entry !== first);
    const fresh = join(scratch, `fresh.${extension}`);
    if (other) {
      writeFileSync(fresh, Uint8Array.from((await call(it, "export.erf", "entry", other.entry)).bytes));
      await select(it, "export.erf", `renamed.${extension}`);
      const [again] = await Promise.all([it.waitForEvent("filechooser"), it.getByRole("button", { name: "Replace by a file…" }).click()]);
      await again.setFiles(fresh);
      await expect("--replace", `renamed.${extension}=${fresh}`);
    }

    // Removed.
    await select(it, "export.erf", first);
    await it.getByRole("button", { name: "Remove", exact: true }).click();
    await expect("--remove", first);

    // Every state comes back, in both directions.
    await select(it, "export.erf");
    for (const state of states.slice(0, -1).toReversed()) {
      await it.getByRole("button", { name: "Undo" }).click();
      await it.waitForFunction(() => !globalThis.bitexact.said);
      await it.waitForTimeout(100);
      assert.equal(await now(it), state);
    }
    assert.equal(await it.evaluate(() => globalThis.bitexact.edited.length), 0);
    assert.ok(await it.getByRole("button", { name: "Undo" }).isDisabled());
    for (const state of states.slice(1)) {
      await it.keyboard.press("Control+y");
      await it.waitForTimeout(300);
      assert.equal(await now(it), state);
    }
    assert.ok(await it.getByRole("button", { name: "Redo" }).isDisabled());

    // The worker begins again, and makes all edits again.
    await it.evaluate(() => globalThis.bitexact.engine.desk.stop(new Error("for the test")));
    assert.equal(await now(it), states.at(-1));
    assert.deepEqual(wrong, []);
    await context.close();
  },
  { skip: none },
);

check("entry with markup in its name is text", async () => {
  const { it, wrong, context } = await open(started);
  await give(it, source);
  const name = "<b>&amp;<i>.nss";
  const done = await it.evaluate(
    (name) =>
      globalThis.bitexact.change("export.erf", (item) =>
        globalThis.bitexact.engine.add(item, name, "nss", new TextEncoder().encode("<script>x</script>")),
      ),
    name,
  );
  if (done) {
    await select(it, "export.erf", name);
    await it.getByRole("heading", { name }).waitFor();
    assert.equal(await it.locator(".head b, .head i").count(), 0);
  } else {
    await it.locator(".said.error").waitFor();
    assert.equal(await it.locator(".said b, .said i").count(), 0);
  }
  assert.deepEqual(wrong, []);
  await context.close();
});
