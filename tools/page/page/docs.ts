// The format specs, which the page has in it: what they say about a field.

import { textPart } from "./engine";

let pages: Promise<Record<string, string[]>> | undefined;

/** The format specs of each family of kinds, by the beginning of their names. */
const FAMILIES: [RegExp, string][] = [
  [/^(erf|bif|key|gff|tlk|2da|binary-2da|ssf|plt|ltr|ncs|mdl|text-model|set)$/, "nwn-"],
  [/^(applesingle|macbinary|physics|film|sounds|resources|picture|shapes|shapes-patch|wad)$/, "marathon-"],
];

/** Returns the rows of tables in the format specs that name a field, with the page that each is on. */
export async function docsOf(kind: string, field: string): Promise<string[]> {
  pages ??= textPart("docs").then((text) => JSON.parse(text));
  const family = FAMILIES.find(([kinds]) => kinds.test(kind))?.[1] ?? "zipper-";
  const name = new RegExp(`(^|[^a-z0-9_])${field.replace(/[^a-z0-9_]/gi, ".")}([^a-z0-9_]|$)`);
  const found: string[] = [];
  for (const [page, rows] of Object.entries(await pages)) {
    if (!page.startsWith(family)) continue;
    for (const row of rows) if (name.test(row)) found.push(`${row} (${page})`);
  }
  return found.slice(0, 6);
}
