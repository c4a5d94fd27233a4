// What the library returns as JSON.

/** A row of `verify --json`. */
export interface Row {
  path: string;
  kind?: string;
  holds?: string;
  game?: string;
  games?: string[];
  bytes?: number;
  sha256?: string;
  status: string;
  pristine?: boolean;
  census?: Record<string, number>;
  deviations?: { place: string; count: number; first_place?: string; expected: unknown; found: unknown }[];
  damage?: { id: string; severity: string; place: string; count: number; first_place: string; message: string; effect: string }[];
  undecoded?: { entry: string; place: string; message: string }[];
  error?: { offset?: number; place?: string; message: string; internal?: boolean };
}

export interface Form {
  extension: string;
  shows: string;
}

export interface Entry {
  entry: string;
  kind: string;
  offset: number;
  bytes: number;
  forms: Form[];
}

/** An opened file. */
export interface Described {
  name: string;
  kind: string;
  title: string;
  games: string[];
  bytes: number;
  sha256: string;
  deviations: { place: string; count: number; expected: unknown; found: unknown }[];
  forms: Form[];
  editable: boolean;
  edited: boolean;
  undo: number;
  redo: number;
  entries: Entry[];
}

/** What an edit has brought. */
export interface Told {
  recomputed: { place: string; was: unknown; now: unknown }[];
  deviations: string[];
  warnings: string[];
}

export interface Stretch {
  offset: number;
  bytes: number;
  class: string;
  place: string;
  each: number | null;
}

/** The bytes of a value, or of one around it. */
export interface Extent {
  place: string;
  /** Begins and ends, in file order. */
  ranges: [number, number][];
}

export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** A path, and a reason or another path. */
export type Pair = [string, string];

/** What an install is. */
export interface Install {
  root: string;
  name: string;
  verdict: string;
  tone: "fine" | "bad" | "doubtful";
  sentences: string[];
  evidence: string;
  sha256: string | null;
  files: number;
  differ: Pair[];
  moved: Pair[];
  resized: Pair[];
  alike: Pair[];
  copies: Pair[];
  missing: Pair[];
  optional: Pair[];
  unexpected: string[];
  notes: string[];
}

/** The installs among the dropped files, or else the digest of each folder. */
export interface Surveyed {
  installs: Install[];
  /** Folders, and their digests. */
  digests: Pair[];
  /** Folders that look one level too deep, and their games. */
  too_deep: Pair[];
  /** The paths and rows of files in installs, which state these. */
  rows: Pair[];
}

/** A place in the dropped files: a file, and an entry in it or an empty text. */
export interface Spot {
  path: string;
  entry: string;
  /** A value of it to look at, by its keys. */
  keys?: string[];
  /** The place of a value whose bytes are to be looked at. */
  bytes?: string;
  /** A shape of its map to look at: the list and the index in it. */
  mark?: { list: string; index: number };
  /** Tells one of these from the one before, even if it is the same. */
  nth?: number;
}
