// What dropped files are as copies of games: the sentence, the digest of the whole, and what differs.

import type { Install, Pair, Surveyed } from "../types";

/** The number of names that are shown of a list. */
const NAMES = 200;

/** What others type in the folder to get the same digest. */
const SUMS = "find -L . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum";

export function Certificates({ surveyed }: { surveyed: Surveyed }) {
  const { installs, digests, too_deep } = surveyed;
  return (
    <>
      {installs.map((install) => (
        <Certificate key={install.root} install={install} isOne={installs.length === 1} />
      ))}
      {digests.map(([folder, sha256]) => (
        <Digest key={folder} of={folder} sha256={sha256} />
      ))}
      {too_deep.map(([folder, game]) => (
        <p key={folder} class="quiet">
          {folder} looks one level too deep: drop the folder of {game} that contains it.
        </p>
      ))}
    </>
  );
}

function Certificate({ install, isOne }: { install: Install; isOne: boolean }) {
  const [first, ...rest] = install.sentences;
  const lists: [string, Pair[]][] = [
    ["known to differ", install.differ],
    ["in a wrong place", install.moved],
    ["of another size than the game states", install.resized],
    ["equal to another that should differ", install.alike],
    ["with the bytes of another", install.copies],
    ["missing", install.missing],
    ["optional, and not there", install.optional],
    ["unexpected", install.unexpected.map((path) => [path, ""])],
  ];
  const Title = isOne ? "h2" : "h3";
  return (
    <section class="certificate" aria-label={install.name}>
      <Title>
        <span class={`tag ${install.tone}`}>{install.verdict}</span> {first}
      </Title>
      <p>{rest.join(" ")}</p>
      <p class="quiet">
        {install.root && `In ${install.root}. `}
        {install.evidence ? `Evidence of the edition: ${install.evidence}.` : "The edition is not identified."}
      </p>
      {lists.map(([what, all]) => all.length > 0 && <Listed key={what} what={what} all={all} />)}
      {install.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {install.sha256 && <Digest of="the whole" sha256={install.sha256} />}
    </section>
  );
}

function Listed({ what, all }: { what: string; all: Pair[] }) {
  return (
    <details open={all.length <= 10 && !what.startsWith("optional")}>
      <summary>
        {all.length} {all.length === 1 ? "file" : "files"} {what}
      </summary>
      <ul class="paths">
        {all.slice(0, NAMES).map(([path, why]) => (
          <li key={path}>
            <bdi>{path}</bdi> {why && <span class="quiet">{why}</span>}
          </li>
        ))}
      </ul>
      {all.length > NAMES && <p class="quiet">and {all.length - NAMES} more</p>}
    </details>
  );
}

function Digest({ of, sha256 }: { of: string; sha256: string }) {
  return (
    <details class="digest">
      <summary>
        SHA-256 of {of}: <code class="hash">{sha256}</code>
      </summary>
      <p class="quiet">
        It is that of the list of all files, which others get in the folder by <code>{SUMS}</code>.
      </p>
    </details>
  );
}
