// Numbers and values as text.

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const units = ["kB", "MB", "GB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Returns a value as short text. */
export function words(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

export function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** Returns a text from a field of several lines, where all line ends are the same, with the line ends of the text that it replaces. */
export function withEndsOf(old: string, text: string): string {
  const ANY = /\r\n|\r|\n/g;
  const [before, ends, lines] = [old.split(ANY), old.match(ANY) ?? [], text.split("\n")];
  let same = 0;
  while (same < lines.length && lines[same] === before[same]) same += 1;
  // Lines after the change are as far from the end as before.
  const later = before.length - lines.length;
  const ended = lines.slice(0, -1).map((line, index) => line + (ends[index < same ? index : index + later] ?? ends[0] ?? "\n"));
  return ended.join("") + lines[lines.length - 1];
}
