// The summary that `inspect` prints.

/** The number of lines that are shown. */
const MOST = 20_000;

export function Outline({ lines }: { lines: string[] }) {
  const more = lines.length - MOST;
  return (
    <pre tabIndex={0} aria-label="Summary">
      {lines.slice(0, MOST).join("\n")}
      {more > 0 ? `\n… ${more} more lines` : ""}
    </pre>
  );
}
