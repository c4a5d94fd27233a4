// The row of a file: its proof, and what its bytes are.

import type { Item } from "../store";
import { size, words } from "../words";

const CLASSES: Record<string, string> = {
  semantic: "have a meaning of their own",
  derived: "follow from others",
  reserved: "are always the same",
  pointer: "were addresses in memory",
  stale: "are left over from memory",
  padding: "fill gaps",
  opaque: "are not understood",
};

export function Proof({ item }: { item: Item }) {
  const row = item.row;
  if (!row) return <p class="quiet">This file has not been verified yet.</p>;
  const total = row.bytes ?? 0;
  return (
    <div class="proof">
      <p>
        <strong class={row.status}>{row.status}</strong>
        {row.pristine ? ", as published" : ""}
      </p>
      {row.error && (
        <p class="error">
          {row.error.place ? `${row.error.place}: ` : ""}
          {row.error.message}
        </p>
      )}
      <table>
        <tbody>
          {row.sha256 && (
            <tr>
              <th scope="row">SHA-256 of the file</th>
              <td>
                <code class="hash">{row.sha256}</code>
              </td>
            </tr>
          )}
          {row.status === "identical" && (
            <tr>
              <th scope="row">read and written again</th>
              <td>
                <code class="hash">{(row as any).rewritten_sha256}</code>
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {row.census && (
        <table class="counts">
          <caption>Of its {size(total)}:</caption>
          <tbody>
            {Object.entries(row.census)
              .filter(([, count]) => count > 0)
              .map(([name, count]) => (
                <tr>
                  <td>
                    <span class={`dot ${name}`} /> {name}
                  </td>
                  <td class="number">{count}</td>
                  <td>{CLASSES[name] ?? ""}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      {row.damage && row.damage.length > 0 && (
        <>
          <h3>{row.damage.every((it) => it.severity === "extra") ? "Other bytes after the file" : "Signs of damage"}</h3>
          <ul>
            {row.damage.map((it) => (
              <li>
                <code>{it.first_place}</code>: {it.message}. {it.effect}
              </li>
            ))}
          </ul>
        </>
      )}
      {row.deviations && row.deviations.length > 0 && (
        <>
          <h3>Deviations from the format</h3>
          <ul>
            {row.deviations.map((it) => (
              <li>
                <code>{it.first_place ?? it.place}</code>: expected {words(it.expected)}, found {words(it.found)}
                {it.count > 1 ? `, ${it.count} times` : ""}
              </li>
            ))}
          </ul>
        </>
      )}
      {row.undecoded && row.undecoded.length > 0 && (
        <>
          <h3>Entries kept as bytes, because they do not decode</h3>
          <ul>
            {row.undecoded.map((it) => (
              <li>
                <code>{it.entry}</code>: {it.message}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
