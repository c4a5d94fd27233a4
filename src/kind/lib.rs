//! Kinds of files: formats without their types, and how the kind of a file is recognized.

#![cfg_attr(
    not(feature = "export"),
    allow(dead_code, unreachable_pub, reason = "some is used only by what other features build")
)]

mod container;
mod export;
pub mod foreign;
mod format;
pub mod glob;
mod import;
#[doc(hidden)]
pub mod macros {
    //! For the expansions of [`payloads!`](crate::payloads!).

    pub use {field, lint};
}
mod mesh;
mod model;
mod name;
mod outline;
mod payloads;
mod salvage;
mod spans;
mod text_form;

use bytes::Bytes;

use field::{Decoded, Result, decode, decode_within, limits};
use json::{At, Documents, Given, JsonText, load_text};
use media::Medium;

pub use container::{Container, Contents, EntryRef, encode_with, own};
pub use export::{Drawing, Export, ExportError, ExportOptions, Images, LevelDrawing};
#[cfg(feature = "export")]
pub use format::model_of;
pub use format::{Align, Arrange, EntryTable, Format, Game, Moved, Pairs, Parts};
pub use import::{Import, Imported, ImportedEdit};
pub use mesh::MeshRef;
pub use model::{AnyModel, Model};
pub use name::{Name, Named};
pub use outline::{Outline, counted};
pub use salvage::{Salvage, Salvaged};
pub use spans::{Span, SpanFinder, Spans, spans};
pub use text_form::{Compiles, Made, TextForm};

/// A kind of file: a [`Format`] without its type.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The kind as one word.
    pub name: &'static str,
    /// A short description of the kind.
    pub title: &'static str,
    /// The games that have such files.
    pub games: &'static [Game],
    /// File names that are expected to hold this kind.
    pub claims: &'static [&'static str],
    /// Returns the games that a file can belong to, judging by its content alone.
    pub recognize: fn(&[u8]) -> Option<Vec<Game>>,
    /// Returns `true` if a file with a claimed name is likely of this kind.
    pub suits: fn(&[u8]) -> bool,
    /// Returns the length of the file that some bytes begin with, if other bytes follow it and its content tells where it ends.
    pub ends_at: fn(&[u8]) -> Option<usize>,
    /// `true` if that can be behind the end of a file that is cut; see [`Format::TELLS_CUT`].
    pub tells_cut: bool,
    /// Returns the entries that are whole in a container that lacks a part of its bytes, or `None` if the kind has none, or none is found.
    pub salvage: fn(&Bytes) -> Option<Salvage>,
    /// Returns what the entries of a file are, in the plural, if files of this kind hold different things.
    pub holds: fn(&[u8]) -> Option<&'static str>,
    /// Returns the reason why a file must not be edited, if there is one.
    pub uneditable: fn(&[u8]) -> Option<&'static str>,
    /// Reads a model from a whole file.
    pub decode: fn(Bytes) -> Result<Decoded<Model>>,
    /// Reads a model from a whole file, with at most this many bytes of memory for both.
    pub decode_within: fn(Bytes, u64) -> Result<Decoded<Model>>,
    /// Loads a model from the exchange format.
    pub load: fn(JsonText, At, &mut dyn Documents) -> Result<Given<Model>>,
    /// The file extension for kinds that the exchange format keeps as raw bytes.
    pub raw: Option<&'static str>,
    /// Lists whose items are separate files in the exchange format.
    pub parts: &'static [Parts],
    /// The tables of entries with names: its own, and those of containers in it that are not files.
    pub tables: &'static [EntryTable],
    /// The members that hold names, the most important ones first.
    pub names: &'static [Name],
    /// Puts the entries of a document in the order that their game needs.
    pub arrange: Option<Arrange>,
    /// Gives what has the same place in two documents the same name.
    pub align: Option<Align>,
    /// The images, sounds and text in it, and in its entries, that other programs edit.
    pub media: &'static [&'static Medium],
    /// The drawings that can be made of a file.
    pub exports: &'static [Export],
    /// Finds the edits that another program has made in one of these drawings.
    pub import: Option<Import>,
    /// The form of its files as text that people write.
    pub text: Option<&'static TextForm>,
    /// How its files, which are texts, are compiled to those of another kind.
    pub compiles: Option<&'static Compiles>,
    /// The traps that a model reports.
    pub traps: &'static [&'static lint::Trap],
    /// Returns the trap of a file with this name and size, with the values found.
    pub trap_of_name: fn(&str, u64) -> Option<(&'static lint::Trap, String)>,
    /// Returns a summary of a whole file for people, a line each.
    pub outline: fn(Bytes) -> Result<Option<Vec<String>>>,
    /// The memory that it takes to verify a file of this kind.
    pub memory: Memory,
}

/// The maximum memory to verify a file, in multiples of its size, as for a file that consists only of the smallest records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Memory {
    /// For the round trip through the model.
    pub direct: u64,
    /// The addition for the rows of entries.
    pub entries: u64,
    /// For the round trip through the exchange format.
    pub exchange: u64,
}

impl Memory {
    /// The default for kinds.
    const USUAL: Self = Self { direct: limits::MEMORY_FACTOR, entries: 0, exchange: limits::MEMORY_FACTOR_OF_EXCHANGE };
}

impl Kind {
    /// Returns the kind of a format. Media, exports, import and text are none of its business: who lists the kinds adds them.
    #[must_use]
    pub const fn of<F: Format>() -> Self {
        Self {
            name: F::NAME,
            title: F::TITLE,
            games: F::GAMES,
            claims: F::CLAIMS,
            recognize: F::recognize,
            suits: F::suits,
            ends_at: F::ends_at,
            tells_cut: F::TELLS_CUT,
            salvage: F::salvage,
            holds: F::holds,
            uneditable: F::uneditable,
            decode: |file| {
                let Decoded { model, undecoded } = decode::<F>(file)?;
                Ok(Decoded { model: Box::new(model), undecoded })
            },
            decode_within: |file, memory| {
                let Decoded { model, undecoded } = decode_within::<F>(file, memory)?;
                Ok(Decoded { model: Box::new(model), undecoded })
            },
            load: |text, at, documents| {
                let Given { model, recomputation, undecoded } = load_text::<F>(text, at, documents)?;
                Ok(Given { model: Box::new(model), recomputation, undecoded })
            },
            raw: F::RAW,
            parts: F::PARTS,
            tables: F::TABLES,
            names: F::NAMES,
            arrange: F::ARRANGE,
            align: F::ALIGN,
            media: &[],
            exports: &[],
            import: None,
            text: None,
            compiles: None,
            traps: F::TRAPS,
            trap_of_name: F::trap_of_name,
            outline: |file| decode::<F>(file)?.model.outline(),
            memory: Memory::USUAL,
        }
    }

    /// Returns the kind with these factors of [`Memory`].
    #[must_use]
    pub const fn taking(self, direct: u64, entries: u64, exchange: u64) -> Self {
        Self { memory: Memory { direct, entries, exchange }, ..self }
    }

    /// Returns `true` if a file with this name is expected to hold this kind.
    #[must_use]
    pub fn claims(&self, name: &str) -> bool {
        self.claims.iter().any(|claim| glob::fits(claim, name, false))
    }
}

/// Returns the kind with this name.
#[must_use]
pub fn named(kinds: &'static [Kind], name: &str) -> Option<&'static Kind> {
    kinds.iter().find(|kind| kind.name == name)
}

/// Returns the kind of a file and the games it can belong to: by its content, else by its name (the last part of its path).
#[must_use]
pub fn recognize(kinds: &'static [Kind], name: &str, file: &[u8]) -> Option<(&'static Kind, Vec<Game>)> {
    let by_content = kinds.iter().find_map(|kind| Some((kind, (kind.recognize)(file)?)));
    by_content.or_else(|| {
        let kind = kinds.iter().find(|kind| kind.claims(name) && (kind.suits)(file))?;
        Some((kind, kind.games.to_vec()))
    })
}
