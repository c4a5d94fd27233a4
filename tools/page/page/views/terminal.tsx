// A terminal of Marathon as the game shows it: `$B` and `$b` begin and end bold text, `$I` italic, `$U` underlined, `$C0` to `$C7` color.

import { useState } from "preact/hooks";

interface Run {
  text: string;
  style: string;
}

/** Splits a line into runs of one style; the style goes on in the next line. */
function runs(line: string, style: { bold: boolean; italic: boolean; under: boolean; color: number }): Run[] {
  const found: Run[] = [];
  const add = (text: string) => {
    const names = [style.bold && "bold", style.italic && "italic", style.under && "under", `color-${style.color}`];
    if (text !== "") found.push({ text, style: names.filter(Boolean).join(" ") });
  };
  let at = 0;
  for (const code of line.matchAll(/\$(?:([BbIiUu])|C([0-7]))/g)) {
    add(line.slice(at, code.index));
    at = code.index + code[0].length;
    if (code[2] !== undefined) style.color = Number(code[2]);
    else if ("Bb".includes(code[1]!)) style.bold = code[1] === "B";
    else if ("Ii".includes(code[1]!)) style.italic = code[1] === "I";
    else style.under = code[1] === "U";
  }
  add(line.slice(at));
  return found;
}

export function Terminal({ text }: { text: string }) {
  const [isPlain, setPlain] = useState(false);
  const style = { bold: false, italic: false, under: false, color: 0 };
  const lines = text.split("\n").map((line, index) => {
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
    Object.assign(style, { bold: false, italic: false, under: false, color: 0 });
    return (
      <div key={index} class="page-of">
        {line.slice(1)}
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
