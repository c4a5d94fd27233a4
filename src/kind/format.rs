//! The interface of a format: its name, its games, the file names it claims, and how its content is recognized.

use core::fmt::{self, Display};
use std::collections::HashMap;

use bytes::Bytes;

use field::{Layout, Result, Value, build, walk};
use lint::{Lint, Trap};

use super::{Name, Salvage};

/// A game with supported files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Game {
    /// Recoil (1999).
    Recoil,
    /// MechWarrior 3 (1999).
    MechWarrior3,
    /// MechWarrior 3: Pirate's Moon (1999).
    PiratesMoon,
    /// Crimson Skies (2000).
    CrimsonSkies,
    /// Neverwinter Nights (2002).
    Neverwinter,
    /// Marathon (1994).
    Marathon,
    /// Marathon 2: Durandal (1995).
    Marathon2,
    /// Marathon Infinity (1996).
    Infinity,
}

impl Game {
    /// All games, in the order of the matrix.
    pub const ALL: [Self; 8] = [
        Self::Recoil,
        Self::MechWarrior3,
        Self::PiratesMoon,
        Self::CrimsonSkies,
        Self::Neverwinter,
        Self::Marathon,
        Self::Marathon2,
        Self::Infinity,
    ];

    /// Returns the short name, as in rows and `--game`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Recoil => "rc",
            Self::MechWarrior3 => "mw",
            Self::PiratesMoon => "pm",
            Self::CrimsonSkies => "cs",
            Self::Neverwinter => "nwn",
            Self::Marathon => "m1",
            Self::Marathon2 => "m2",
            Self::Infinity => "mi",
        }
    }

    /// Returns the game with this short name, or `None` if there is none.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.code() == code)
    }

    /// Returns the full name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Recoil => "Recoil",
            Self::MechWarrior3 => "MechWarrior 3",
            Self::PiratesMoon => "Pirate's Moon",
            Self::CrimsonSkies => "Crimson Skies",
            Self::Neverwinter => "Neverwinter Nights",
            Self::Marathon => "Marathon",
            Self::Marathon2 => "Marathon 2",
            Self::Infinity => "Marathon Infinity",
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Game {
    fn serialize<S: serde::Serializer>(&self, to: S) -> core::result::Result<S::Ok, S::Error> {
        to.serialize_str(self.code())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Game {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> core::result::Result<Self, D::Error> {
        let code = String::deserialize(from)?;
        Self::of_code(&code).ok_or_else(|| serde::de::Error::custom(format!("no game is called {code}")))
    }
}

impl Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Returns a model as that of its format.
#[cfg(feature = "export")]
pub fn model_of<F: Format>(model: &super::Model) -> core::result::Result<&F, super::ExportError> {
    let model: &dyn core::any::Any = &**model;
    model
        .downcast_ref()
        .ok_or_else(|| super::ExportError::content(format_args!("internal error: not a model of {}", F::NAME)))
}

/// A list whose items are separate files in the exchange format.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The list.
    pub list: &'static str,
    /// The member of an item that its file is named after.
    pub name: &'static str,
}

/// The only table of a container, in which entries have names. An empty container gets its first entry by it.
#[derive(Clone, Copy, Debug)]
pub struct EntryTable {
    /// The kind of the container: that of the file, or of an entry in it.
    pub kind: &'static str,
    /// The list of its rows.
    pub list: &'static str,
    /// Returns the fields at the beginning of a row, given the container in the exchange format.
    pub row: fn(&Value) -> &'static Layout,
    /// The member of a row that holds the name.
    pub name: &'static str,
    /// The member of a row that holds the extension of the name, if it is not in the name.
    pub extension: Option<&'static str>,
    /// The kind of all entries, if they have only one.
    pub entry: Option<&'static str>,
}

/// An item of a list that has been put in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The list.
    pub list: &'static str,
    /// Its name.
    pub name: String,
    /// Its index before.
    pub from: usize,
    /// Its index now.
    pub to: usize,
}

/// Puts the entries of a document in the order that their game needs, and returns those that moved.
pub type Arrange = fn(&mut Value) -> Vec<Moved>;

/// Gives what has the same place in an old and a new document the same name in the new one, where a name depends on what comes before.
pub type Align = fn(&Value, &mut Value, Pairs<'_>);

/// Pairs the items of a new list with those of an old one that they equal or replace, given their texts: returns the index of the old item
/// by that of the new one. It takes no more time than any comparison of lists.
pub type Pairs<'p> = &'p dyn Fn(&[String], &[String]) -> HashMap<usize, usize>;

/// A whole file of one kind.
pub trait Format: build::Lay + walk::Lay + Lint + Default + Clone + Send + Sync + 'static {
    /// The kind as one word, as in rows.
    const NAME: &'static str;
    /// A short description of the kind, for people.
    const TITLE: &'static str;
    /// The games that have such files.
    const GAMES: &'static [Game];
    /// File names (globs without case) that are expected to hold this kind.
    const CLAIMS: &'static [&'static str];
    /// The file extension for kinds that the exchange format keeps as raw bytes, because other programs can read them.
    const RAW: Option<&'static str> = None;
    /// Lists whose items are separate files in the exchange format, because people edit them one at a time.
    const PARTS: &'static [Parts] = &[];
    /// The tables of entries with names: its own, and those of containers in it that are not files.
    const TABLES: &'static [EntryTable] = &[];
    /// `false` if [`ends_at`](Self::ends_at) can never tell that a file lacks its end.
    const TELLS_CUT: bool = true;
    /// The members that hold names of things in it, the most important ones first. Entries have their own.
    const NAMES: &'static [Name] = &[];
    /// Puts the entries of a document in the order that their game needs, if their files had that order before an edit.
    const ARRANGE: Option<Arrange> = None;
    /// Gives what has the same place in two documents the same name, where a name depends on what comes before.
    const ALIGN: Option<Align> = None;
    /// The traps that it [reports](Lint).
    const TRAPS: &'static [&'static Trap] = &[];

    /// Returns the games that the file can belong to, judging by its content alone, or `None` if the format does not recognize it.
    /// It uses magics and lengths that cover the file, but never names, and never a derived value such as a checksum.
    fn recognize(file: &[u8]) -> Option<Vec<Game>>;

    /// Returns `true` if a file with a claimed name is likely of this kind, and not of another that claims the same name.
    fn suits(file: &[u8]) -> bool {
        let _ = file;
        true
    }

    /// Returns the length of the file that some bytes begin with, if other bytes follow it and its content tells where it ends, or if
    /// its content tells that these bytes lack its end.
    fn ends_at(file: &[u8]) -> Option<usize> {
        let _ = file;
        None
    }

    /// Returns the entries that are whole in a container that lacks a part of its bytes, or `None` if the kind has none, or none is found.
    fn salvage(file: &Bytes) -> Option<Salvage> {
        let _ = file;
        None
    }

    /// Returns what the entries of a file are, in the plural, if files of this kind hold different things.
    fn holds(file: &[u8]) -> Option<&'static str> {
        let _ = file;
        None
    }

    /// Returns the reason why a file must not be edited, if there is one: it holds values that would no longer agree.
    fn uneditable(file: &[u8]) -> Option<&'static str> {
        let _ = file;
        None
    }

    /// Returns the trap of a file with this name (the last part of its path) and size in bytes, with the values found, or `None`.
    fn trap_of_name(name: &str, bytes: u64) -> Option<(&'static Trap, String)> {
        let _ = (name, bytes);
        None
    }

    /// Returns a summary for people, a line each, if there is a better one than the fields: a tree, a script.
    fn outline(&mut self) -> Result<Option<Vec<String>>> {
        Ok(None)
    }
}

/// Implements the traits of binrw for a [`Format`] by its layout function, for use by other Rust programs.
#[cfg(feature = "binrw")]
#[macro_export]
macro_rules! binrw_over_lay {
    ($format:ty) => {
        impl binrw::BinRead for $format {
            type Args<'a> = ();

            fn read_options<R: std::io::Read + std::io::Seek>(
                reader: &mut R,
                _: binrw::Endian,
                (): Self::Args<'_>,
            ) -> binrw::BinResult<Self> {
                let pos = reader.stream_position()?;
                let mut file = Vec::new();
                reader.read_to_end(&mut file)?;
                $crate::macros::field::decode(file).map(|decoded| decoded.model).map_err(|error| binrw::Error::Custom {
                    pos: pos + error.offset().unwrap_or(0),
                    err: Box::new(error),
                })
            }
        }

        impl binrw::BinWrite for $format {
            type Args<'a> = ();

            fn write_options<W: std::io::Write + std::io::Seek>(
                &self,
                writer: &mut W,
                _: binrw::Endian,
                (): Self::Args<'_>,
            ) -> binrw::BinResult<()> {
                let pos = writer.stream_position()?;
                let bytes = $crate::macros::field::encode(self)
                    .map_err(|error| binrw::Error::Custom { pos, err: Box::new(error) })?;
                Ok(writer.write_all(&bytes)?)
            }
        }
    };
}
/// Without the feature, a format has no traits of binrw.
#[cfg(not(feature = "binrw"))]
#[macro_export]
macro_rules! binrw_over_lay {
    ($format:ty) => {};
}
