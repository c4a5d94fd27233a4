// A table: values with commas, as the program writes them for spreadsheets.

import { useMemo, useState } from "preact/hooks";

/** The number of rows that are shown at first. */
const FIRST = 200;

/** Splits a text into rows of cells. A cell in quotation marks can have commas, ends of lines, and doubled quotation marks. */
export function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let [row, cell, isQuoted] = [[] as string[], "", false];
  const end = () => {
    rows.push([...row, cell]);
    [row, cell] = [[], ""];
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[(at += 1)];
      else isQuoted = false;
    } else if (letter === '"' && cell === "") isQuoted = true;
    else if (letter === ",") {
      row.push(cell);
      cell = "";
    } else if (letter === "\n") end();
    else if (letter !== "\r") cell += letter;
  }
  if (cell !== "" || row.length > 0) end();
  return rows;
}

export function Table({ bytes, name }: { bytes: Uint8Array; name: string }) {
  const rows = useMemo(() => rowsOf(new TextDecoder().decode(bytes)), [bytes]);
  const [most, setMost] = useState(FIRST);
  const [head = [], ...all] = rows;
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={name}>
        <table class="grid">
          <thead>
            <tr>
              {head.map((it) => (
                <th scope="col">{it}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {all.slice(0, most).map((row, index) => (
              <tr key={index}>{row.map((it, column) => (column === 0 ? <th scope="row">{it}</th> : <td>{it}</td>))}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {all.length > most && (
        <button type="button" onClick={() => setMost(most * 8)}>
          Show more ({all.length - most} rows are left)
        </button>
      )}
    </>
  );
}
