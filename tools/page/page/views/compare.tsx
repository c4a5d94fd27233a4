// The changes since a file was opened, or between it and another file.

import { useState } from "preact/hooks";
import { useLoaded } from "../content";
import { save } from "../files";
import { type Item, store } from "../store";

export function Compare({ item }: { item: Item }) {
  const [other, setOther] = useState("");
  const load = async () => {
    const name = item.path.split("/").pop()!;
    const now = await store.bytesOf(item);
    if (other) {
      const it = store.items.get(other)!;
      return store.engine.compare(name, await store.bytesOf(it), now);
    }
    return store.engine.compare(name, await item.original(), now);
  };
  const { value, error, isBusy } = useLoaded(load, [item.path, other]);
  const alike = [...store.items.values()].filter((it) => it.path !== item.path && it.row?.kind === item.row?.kind);
  return (
    <div class="compare">
      <p>
        <label>
          Compare with{" "}
          <select value={other} onChange={(event) => setOther(event.currentTarget.value)}>
            <option value="">the file as it was dropped</option>
            {alike.slice(0, 500).map((it) => (
              <option value={it.path}>{it.path}</option>
            ))}
          </select>
        </label>{" "}
        {!other && value && value.length > 0 && (
          <button
            type="button"
            onClick={() =>
              void store.engine.changes(item).then(
                (text) => save(`${item.path.split("/").pop()}.diff.json`, text, "application/json"),
                (why) => store.fail(why),
              )
            }
          >
            Download the changes (as diff --json)
          </button>
        )}
      </p>
      {isBusy && <p class="quiet">Comparing…</p>}
      {error && <p class="error">{error}</p>}
      {value && <h3>{value.length === 0 ? "No differences" : `${value.length} ${value.length === 1 ? "change" : "changes"}`}</h3>}
      {value && (
        <ul class="changes">
          {value.slice(0, 1000).map((it) => (
            <li>
              <code>{it.words}</code>
            </li>
          ))}
        </ul>
      )}
      {value && value.length > 1000 && <p>and {value.length - 1000} more</p>}
    </div>
  );
}
