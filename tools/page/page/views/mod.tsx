// What a mod says about itself, asked for before it is downloaded.

import { useEffect, useRef } from "preact/hooks";
import { store } from "../store";

/** Asks for the title, the author, the version, the description and a picture. All of them can be left out. */
export function ModDialog({ close }: { close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const text = (name: string) => String(data.get(name) ?? "").trim() || undefined;
    const about = { title: text("title"), author: text("author"), version: text("version"), description: text("description") };
    const given = Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined));
    const picture = data.get("picture");
    const file = picture instanceof File && picture.size > 0 ? picture : undefined;
    void store.downloadMod(given, file).then(close);
  };
  return (
    <dialog ref={dialog} class="asks" aria-labelledby="mod-title" onClose={close} data-takes>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <h2 id="mod-title">Download as a mod</h2>
        <p class="quiet">
          The mod has only what you have changed. <code>.bxmod</code> is an archive that any program for zips opens; this page and bitexact
          apply it. Everything here can be left empty.
        </p>
        <label>
          Title <input name="title" type="text" maxLength={200} />
        </label>
        <label>
          Author <input name="author" type="text" maxLength={200} />
        </label>
        <label>
          Version <input name="version" type="text" maxLength={60} />
        </label>
        <label>
          Description <textarea name="description" rows={3} />
        </label>
        <label>
          Picture (PNG or JPEG) <input name="picture" type="file" accept="image/png,image/jpeg" />
        </label>
        <div class="actions">
          <button type="submit" class="first">
            Download
          </button>
          <button type="button" onClick={() => dialog.current!.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
