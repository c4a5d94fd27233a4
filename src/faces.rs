//! What users of the library see of the crates below it. The rest of them is for the formats, and for this crate.

/// The exchange format: converts a file to a folder of editable JSON, and back.
///
/// `bitexact.json` states the kind of the file and holds the model; each entry is a separate file, in the folder named after its
/// container. Computed values are omitted: counts, offsets, constants and others that follow from a rule. Sounds and other media are
/// files in common formats.
pub mod exchange {
    #[cfg(feature = "exchange")]
    #[doc(inline)]
    pub use ::exchange::{
        About, Contents, Fate, Form, Inside, Listed, Packed, Recording, RoundTripError, SCHEMA, SalvagedFiles, WRITTEN,
        Written, add, contents, documents, edited, is_safe, print, read, record, recover, repacked, salvaged, schema,
        through, write,
    };
    #[doc(inline)]
    pub use ::exchange::{MANIFEST, fold, is_litter, litter_in, parse, show, unmarked};
}

/// The vocabulary of formats: records, the tape, layout tables, places, errors, limits. It is independent of the games.
///
/// The crate `bitexact-field` has more: descriptions of records, the values of codecs, and the drivers that load and change a model. A program
/// that needs them depends on both crates, in the same version.
pub mod field {
    #[doc(inline)]
    pub use ::field::{
        Address, Arrangement, Block, Class, CodePage, Codec, Datum, Detail, Error, F32, F32be, Fault, FileTime,
        Fixed16be, Flags, FourCc, Group, I16, I16be, I32, I32be, Label, LoadError, Mac, Opaque, Pad, Padding, Pascal,
        Place, Places, Record, Result, Run, Stale, Step, Style, Table, Text, Truth, U8, U16, U16be, U32, U32be,
        UnsignedFixed16be, Value, Visitor, What, Windows, as_read, build, decode, encode, lay, limits, memory, size,
        sizes, visit, walk, wide,
    };
}

/// JSON as the exchange format uses it: the text of values and documents, and models loaded from it.
///
/// A [`JsonText`](json::JsonText) is an index of a document. [`load_text`](json::load_text) builds a model from it, as a driver of the tape
/// on which formats lay out their models, and leaves a [`Recomputation`](json::Recomputation) of the values that depend on others.
pub mod json {
    #[doc(inline)]
    pub use ::json::{
        At, Compact, Content, Describe, Document, DocumentError, Documents, Flat, Given, Import, JsonText, Kept,
        Loading, Media, Member, NoFiles, Parsed, Recomputation, Reference, ReplacedValue, Token, load, load_text,
        parse, serde, unmarked,
    };
}

/// Kinds of files: formats without their types, and how the kind of a file is recognized.
pub mod kind {
    #[doc(inline)]
    pub use ::kind::{
        Align, AnyModel, Arrange, Compiles, Container, Contents, Drawing, EntryRef, EntryTable, Export, ExportError,
        ExportOptions, Format, Game, Images, Import, Imported, ImportedEdit, Kind, LevelDrawing, Made, Memory, MeshRef,
        Model, Moved, Name, Named, Outline, Pairs, Parts, Salvage, Salvaged, TextForm, counted, foreign, named,
        recognize,
    };
}

/// Warnings: values that a file can hold and that a game does not handle as an editor might expect.
///
/// Formats declare their traps and report them from their models, by [`Lint`](lint::Lint). [`warnings`](lint::warnings) collects what a
/// model reports.
pub mod lint {
    #[doc(inline)]
    pub use ::lint::{Entries, Lint, Scope, Trap, Warning, Warnings, Watch, reencoded, warnings};
}

/// Files of other programs, with their pixels and samples: PNG, WAV, contact sheets. These modules are independent of
/// any game.
pub mod media {
    #[doc(inline)]
    pub use ::media::{Around, Files, Imported, Location, Medium, MediumError, Placed, Replaced, record, riff, wav};
    #[cfg(feature = "png")]
    #[doc(inline)]
    pub use ::media::{Error, Picture, Pixels, Rgba, png};
    #[cfg(feature = "export")]
    #[doc(inline)]
    pub use ::media::{csv, gltf, sheet};
}

/// Output: files that are written atomically, and text that is safe for a terminal.
pub mod output {
    #[cfg(feature = "exchange")]
    #[doc(inline)]
    pub use ::output::{
        back_up, can_replace, can_write_to, end_writing, folder_of, is_one_place, is_stdout, write, write_and,
        write_by, write_pieces_and,
    };
    #[doc(inline)]
    pub use ::output::{name_of, parts, plain_name, printable};
}

/// Passes over a model. Each is a [`Visitor`](crate::field::Visitor).
pub mod passes {
    #[doc(inline)]
    pub use ::passes::{
        Census, Check, Counts, Deviation, Encodings, Extent, Find, Followed, Locate, Map, NameAt, Proof, Receiver,
        Rules, Sha, Span, Spans, Stretch, Strings, Strip, extra, names, spans,
    };
}
