// Images, sounds and texts of a file or an entry, as `unpack` writes them.

import { useEffect, useRef, useState } from "preact/hooks";
import { useLoaded } from "../content";
import { save } from "../files";
import { type Item, store } from "../store";
import { Picture } from "./picture";
import { Sound } from "./sound";

/** The number of files that are shown at once. */
const MOST = 60;

export function Media({ item, entry, kind }: { item: Item; entry: string; kind: string }) {
  const { value, error, isBusy } = useLoaded(() => store.engine.media(item, entry), [item.path, entry]);
  const [most, setMost] = useState(MOST);
  if (error) return <p class="error">{error}</p>;
  if (!value) return <p class="quiet">{isBusy ? "Unpacking…" : ""}</p>;
  if (value.length === 0) return <p>This {kind} has no image, sound or text of its own; its values are in another tab.</p>;
  return (
    <div class="media">
      {value.slice(0, most).map((path) => <Medium key={path} item={item} entry={entry} path={path} isOnly={value.length === 1} />)}
      {value.length > most && <button type="button" onClick={() => setMost(most + MOST)}>Show more of {value.length}</button>}
    </div>
  );
}

function Medium({ item, entry, path, isOnly }: { item: Item; entry: string; path: string; isOnly: boolean }) {
  const { value, error } = useLoaded(() => store.engine.medium(item, entry, path), [item.path, entry, path]);
  const extension = path.split(".").pop()!.toLowerCase();
  const name = path.split("/").pop()!;
  const replace = async (file: File) => {
    const end = file.name.split(".").pop()!.toLowerCase();
    const content = new Uint8Array(await file.arrayBuffer());
    await store.change(item.path, (it) =>
      entry && isOnly ? store.engine.replace(it, entry, end, content) : store.engine.repack(it, path, content));
  };
  const input = useRef<HTMLInputElement>(null);
  const canReplace = !entry || isOnly;
  return (
    <figure
      data-takes
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file && canReplace) void replace(file);
      }}
    >
      {error && <p class="error">{error}</p>}
      {value && extension === "png" && <Picture bytes={value} name={name} />}
      {value && extension === "wav" && <Sound bytes={value} name={name} />}
      {value && extension !== "png" && extension !== "wav" && <Text bytes={value} />}
      <figcaption>
        {name}{" "}
        <button type="button" disabled={!value} onClick={() => value && save(name, value)}>Download</button>{" "}
        {canReplace && (
          <>
            <button type="button" onClick={() => input.current!.click()}>Replace…</button>
            <span class="quiet"> or drop a .{extension} here</span>
            <input
              ref={input}
              type="file"
              hidden
              accept={`.${extension}`}
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                event.currentTarget.value = "";
                if (file) void replace(file);
              }}
            />
          </>
        )}
      </figcaption>
    </figure>
  );
}

/** Text, or the first bytes of what is none. */
export function Text({ bytes }: { bytes: Uint8Array }) {
  const [text, setText] = useState("");
  useEffect(() => {
    const most = bytes.subarray(0, 1_000_000);
    let decoded: string;
    try {
      decoded = new TextDecoder("utf-8", { fatal: true }).decode(most);
    } catch {
      decoded = new TextDecoder("windows-1252").decode(most);
    }
    setText(decoded + (bytes.length > most.length ? "\n…" : ""));
  }, [bytes]);
  return <pre tabIndex={0} aria-label="Text">{text}</pre>;
}
