// Images, sounds and texts of a file or an entry, as `unpack` writes them.

import { useEffect, useRef, useState } from "preact/hooks";
import { useLoaded } from "../content";
import { save } from "../files";
import { type Item, store } from "../store";
import { Picture } from "./picture";
import { Sound } from "./sound";
import { Terminal } from "./terminal";

/** The number of files that are shown at once. */
const MOST = 60;

export function Media({
  item,
  entry,
  kind,
  paths,
  isEditable,
}: {
  item: Item;
  entry: string;
  kind: string;
  paths: string[] | undefined;
  isEditable: boolean;
}) {
  const { value, error, isBusy } = useLoaded(async () => paths ?? store.engine.media(item, entry), [item.path, entry, paths]);
  const [most, setMost] = useState(MOST);
  if (error) return <p class="error">{error}</p>;
  if (!value) return <p class="quiet">{isBusy ? "Unpacking…" : ""}</p>;
  return (
    <div class="media">
      {value.slice(0, most).map((path) => (
        <Medium key={path} item={item} entry={entry} kind={kind} path={path} isOnly={value.length === 1} isEditable={isEditable} />
      ))}
      {value.length > most && (
        <button type="button" onClick={() => setMost(most + MOST)}>
          Show more of {value.length}
        </button>
      )}
    </div>
  );
}

interface One {
  item: Item;
  entry: string;
  kind: string;
  path: string;
  isOnly: boolean;
  isEditable: boolean;
}

function Medium({ item, entry, kind, path, isOnly, isEditable }: One) {
  const { value, error } = useLoaded(() => store.engine.medium(item, entry, path), [item.path, entry, path]);
  const extension = path.split(".").pop()!.toLowerCase();
  const name = path.split("/").pop()!;
  const set = (content: Uint8Array, end: string) =>
    store.change(item.path, (it) =>
      // An image can have another size than before, which only the entry as a whole can take over.
      entry && isOnly && end === extension ? store.engine.replace(it, entry, end, content) : store.engine.repack(it, entry, path, content),
    );
  const replace = async (file: File) =>
    void (await set(new Uint8Array(await file.arrayBuffer()), file.name.split(".").pop()!.toLowerCase()));
  const input = useRef<HTMLInputElement>(null);
  return (
    <figure
      data-takes
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file) void replace(file);
      }}
    >
      {error && <p class="error">{error}</p>}
      {value && extension === "png" && <Picture bytes={value} name={name} />}
      {value && extension === "wav" && <Sound bytes={value} name={name} />}
      {value && extension !== "png" && extension !== "wav" && (
        <Editable
          item={item}
          entry={entry}
          bytes={value}
          name={name}
          kind={kind}
          isEditable={isEditable}
          set={(text) => set(new TextEncoder().encode(text), extension)}
        />
      )}
      <figcaption>
        {name}{" "}
        <button type="button" disabled={!value} onClick={() => value && save(name, value)}>
          Download
        </button>{" "}
        {isEditable && (
          <>
            <button type="button" onClick={() => input.current!.click()}>
              Replace…
            </button>
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

/** Text that can be edited, if it is Unicode: in any other code page, the page would write other bytes than it has read. */
function Editable(props: {
  item: Item;
  entry: string;
  bytes: Uint8Array;
  name: string;
  kind: string;
  isEditable: boolean;
  set(text: string): Promise<boolean>;
}) {
  const { item, entry, bytes, name, kind, isEditable, set } = props;
  const [draft, setDraft] = useState<string>();
  let text: string | undefined;
  try {
    text = bytes.length <= 1_000_000 ? new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) : undefined;
  } catch {
    text = undefined;
  }
  if (draft !== undefined) {
    return (
      <>
        <textarea class="whole" aria-label={name} rows={20} value={draft} onInput={(event) => setDraft(event.currentTarget.value)} />
        <p>
          <button
            type="button"
            class="first"
            onClick={() =>
              void set(draft).then((done) => {
                if (done) setDraft(undefined);
              })
            }
          >
            Set this text
          </button>{" "}
          <button type="button" onClick={() => setDraft(undefined)}>
            Leave it as it was
          </button>
        </p>
      </>
    );
  }
  // A text field in a browser turns all ends of lines into its own.
  const isPlain = text !== undefined && !text.includes("\r");
  return (
    <>
      {kind === "terminals" && text !== undefined ? <Terminal text={text} item={item} entry={entry} /> : <Text bytes={bytes} />}
      {isEditable && isPlain && (
        <p>
          <button type="button" onClick={() => setDraft(text)}>
            Edit the text
          </button>
        </p>
      )}
    </>
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
  return (
    <pre tabIndex={0} aria-label="Text">
      {text}
    </pre>
  );
}
