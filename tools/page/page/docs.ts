// The format specs, which the page has in it: what they say about a field.

import { textPart } from "./engine";

let pages: Promise<Record<string, string[]>> | undefined;

/** The format specs of each family of kinds, by the beginning of their names. */
const FAMILIES: [RegExp, string][] = [
  [/^(erf|bif|key|gff|tlk|2da|binary-2da|ssf|plt|ltr|ncs|mdl|text-model|set)$/, "nwn-"],
  [/^(applesingle|macbinary|physics|film|sounds|sounds-patch|resources|picture|shapes|shapes-patch|wad)$/, "marathon-"],
];

/** Pages about a part that is called otherwise. */
const ABOUT: [RegExp, RegExp][] = [
  [/^gamez$/, /-(gamez|nodes|models|materials)$/],
  [/^(motion|archive)$/, /-(motion|archive|mechlib)/],
  [
    /^(lines|sides|polygons|endpoints|objects|platforms|lights|liquids|placement|information|notes|terminals)$/,
    /-(map|level|wad|terminals|enums)/,
  ],
  [/^(collection|shapes)$/, /-shapes/],
  [/^mdl$/, /-mdl/],
];

/** Returns how likely a page is about a kind. */
function nearness(page: string, kind: string): number {
  const name = page.replace(/^[a-z]+-/, "");
  if (name === kind) return 3;
  if (name.startsWith(kind) || kind.startsWith(name)) return 2;
  return ABOUT.some(([kinds, pages]) => kinds.test(kind) && pages.test(page)) ? 2 : 0;
}

/**
 * Returns the rows of tables in the format specs that name a field, with the page that each is on: those about the entry or the file first.
 */
export async function docsOf(kind: string, part: string, field: string): Promise<string[]> {
  pages ??= textPart("docs").then((text) => JSON.parse(text));
  const family = FAMILIES.find(([kinds]) => kinds.test(kind))?.[1] ?? "zipper-";
  const name = new RegExp(`(^|[^a-z0-9_])${field.replace(/[^a-z0-9_]/gi, ".")}([^a-z0-9_]|$)`);
  const found: { row: string; near: number }[] = [];
  for (const [page, rows] of Object.entries(await pages)) {
    if (!page.startsWith(family)) continue;
    const near = 2 * nearness(page, part) + nearness(page, kind);
    for (const row of rows) if (name.test(row)) found.push({ row: `${row} (${page})`, near });
  }
  return found
    .sort((one, other) => other.near - one.near)
    .slice(0, 6)
    .map(({ row }) => row);
}
