// A search for text and numbers in a file.

import { useState } from "preact/hooks";
import { type Item, store } from "../store";

/** The number of places that are shown. */
const MOST = 500;

export function Find({ item }: { item: Item }) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<{ place: string; text: string }[]>();
  const find = (event: Event) => {
    event.preventDefault();
    store.engine.find(item, text).then(setFound, (why) => store.fail(why));
  };
  return (
    <div>
      <form onSubmit={find} role="search">
        <input
          type="search"
          value={text}
          aria-label="Text or number to find"
          placeholder="A text or a number"
          onInput={(event) => setText(event.currentTarget.value)}
        />{" "}
        <button type="submit" disabled={!text}>
          Find
        </button>
      </form>
      {found && (
        <section aria-live="polite">
          <h3>{found.length === 0 ? "Nothing found" : `Found ${found.length}`}</h3>
          <ul class="found">
            {found.slice(0, MOST).map((it) => (
              <li>
                <button type="button" class="link" onClick={() => store.goTo(item.path, it.place)}>
                  {it.place}
                </button>
                <span>{it.text}</span>
              </li>
            ))}
          </ul>
          {found.length > MOST && <p>and {found.length - MOST} more</p>}
        </section>
      )}
    </div>
  );
}
