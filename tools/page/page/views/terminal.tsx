// A terminal of Marathon as the game shows it. `$B` and `$b` begin and end bold letters, `$I` italic, `$U` underlined ones, `$C0` to `$C9`
// set their color; a line that ends with a lone `$` goes on in the next.

import { useState } from "preact/hooks";
import { type Item, store } from "../store";
import type { Value } from "../types";

interface Run {
  text: string;
  style: string;
}

interface Style {
  bold: boolean;
  italic: boolean;
  under: boolean;
  color: number;
}

const PLAIN: Style = { bold: false, italic: false, under: false, color: 0 };

/** Splits a line into runs of one style; the style goes on in the next line. */
function runs(line: string, style: Style): Run[] {
  const found: Run[] = [];
  const add = (text: string) => {
    const names = [style.bold && "bold", style.italic && "italic", style.under && "under", `color-${style.color}`];
    if (text !== "") found.push({ text, style: names.filter(Boolean).join(" ") });
  };
  let at = 0;
  for (const code of line.matchAll(/\$(?:([BbIiUu])|C([0-9])|([$#])|x([0-9A-F]{2})|,)/g)) {
    add(line.slice(at, code.index));
    at = code.index + code[0].length;
    const [, face, color, sign, letter] = code;
    if (color !== undefined) style.color = Number(color);
    else if (sign !== undefined) add(sign);
    else if (letter !== undefined) add(String.fromCharCode(Number.parseInt(letter, 16)));
    else if (face === undefined) continue;
    else if ("Bb".includes(face)) style.bold = face === "B";
    else if ("Ii".includes(face)) style.italic = face === "I";
    else style.under = face === "U";
  }
  add(line.slice(at));
  return found;
}

/** Joins lines that end with a lone `$` to the next one. Before a group, the `$` says that the text has no end of a line there. */
function joined(text: string): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const dollars = /\$*$/.exec(line)![0].length;
    const goesOn = dollars % 2 === 1;
    const own = goesOn ? line.slice(0, -1) : line;
    if (isOpen && !line.startsWith("#")) lines[lines.length - 1] += own;
    else lines.push(own);
    isOpen = goesOn;
  }
  return lines;
}

export function Terminal({ text, item, entry }: { text: string; item: Item; entry: string }) {
  const [isPlain, setPlain] = useState(false);
  const style = { ...PLAIN };
  const lines = joined(text).map((line, index) => {
    if (!line.startsWith("#"))
      return (
        <div key={index}>
          {runs(line, style).map((run) => (
            <span class={run.style}>{run.text}</span>
          ))}
          {"\u200b"}
        </div>
      );
    // Each page begins anew.
    Object.assign(style, PLAIN);
    return (
      <div key={index} class="page-of">
        {line.slice(1)} <Link line={line} item={item} entry={entry} />
      </div>
    );
  });
  return (
    <>
      <label class="quiet">
        <input type="checkbox" checked={isPlain} onChange={(event) => setPlain(event.currentTarget.checked)} /> as it is stored
      </label>
      {isPlain ? (
        <pre tabIndex={0} aria-label="Text">
          {text}
        </pre>
      ) : (
        <div class="terminal" tabIndex={0} role="region" aria-label="Terminal">
          {lines}
        </div>
      )}
    </>
  );
}

/** Leads to what a page of a terminal names: a polygon, a goal on the map of its level, or another level. */
function Link({ line, item, entry }: { line: string; item: Item; entry: string }) {
  const [, word, number] = /^#(INTRALEVEL_TELEPORT|INTERLEVEL_TELEPORT|CHECKPOINT) (\d+)/.exec(line) ?? [];
  const level = entry.split("!").slice(0, -1).join("!");
  if (!word || !number || level === "") return null;
  const show = (list: string, index: number) => store.select({ path: item.path, entry: level, mark: { list, index } });
  const follow = async () => {
    if (word === "INTRALEVEL_TELEPORT") return show("polygons", Number(number));
    if (word === "INTERLEVEL_TELEPORT") {
      const other = [...level.split("!").slice(0, -1), number].join("!");
      const described = await store.describe(item.path);
      if (described?.entries.some((it) => it.entry === other)) return store.select({ path: item.path, entry: other });
      throw new Error(`${item.path}: has no level ${number}`);
    }
    const described = await store.describe(item.path);
    const objects = described?.entries.find((it) => it.entry.startsWith(`${level}!`) && /^(early_)?objects$/.test(it.kind));
    const value = objects && ((await store.engine.value(item, objects.entry, 100_000)) as { [name: string]: Value });
    const list = (value?.objects ?? []) as { [name: string]: Value }[];
    const index = list.findIndex((it) => it.group === "GOAL" && String(it.index) === number);
    if (index < 0) throw new Error(`${entry}: the level has no goal ${number}`);
    show("objects", index);
  };
  const label = { INTRALEVEL_TELEPORT: "Show the polygon", INTERLEVEL_TELEPORT: "Open the level", CHECKPOINT: "Show the goal" }[word];
  return (
    <button type="button" class="small" onClick={() => void follow().catch((why) => store.fail(why))}>
      {label}
    </button>
  );
}
