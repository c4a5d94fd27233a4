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

export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** A place in the dropped files: a file, and an entry in it or an empty text. */
export interface Spot {
  path: string;
  entry: string;
}
