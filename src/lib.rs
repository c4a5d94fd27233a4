//! Decodes data files of 1994–2002 games into typed models and encodes them again without changing a bit.
//!
//! Open a file, change a value, save it:
//!
//! ```
//! # #[cfg(feature = "mods")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use bitexact::registry::TypedMut;
//!
//! let mut file = bitexact::open("golden/install/rc/maps/m1.zmap")?; // proven to come back bit for bit
//! if let TypedMut::Zmap(map) = file.typed_mut()? {
//!     map.features.truncate(1);
//! }
//! file.set("/features/0/objective", 7)?; // or by place, as `bitexact patch` does
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! file.save(folder.join("m1.zmap"))?; // what follows is recomputed, and the file is proven again
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "mods"))]
//! # fn main() {}
//! ```
//!
//! [`open`] gives any supported file as a [`GameFile`]; the formats alone are `decode` and `encode`:
//!
//! ```
//! use bitexact::field::{decode, encode};
//! use bitexact::zipper::zmap::Zmap;
//!
//! // Recoil's map screen: a header, then an orange line of two points (`zipper-zmap.md`, section 2).
//! let mut file = vec![5, 0, 0, 0, 1, 0, 0, 0];
//! file.extend([-1.0, 0.0, -1.0, 1.0, 0.0, 1.0_f32].iter().flat_map(|it| it.to_le_bytes()));
//! file.extend([0xFF, 0x80, 0x00, 2, 0, 0, 0]);
//! file.extend([-1.0, 0.0, -1.0, 1.0, 0.0, 1.0_f32].iter().flat_map(|it| it.to_le_bytes()));
//! file.extend((-1_i32).to_le_bytes());
//!
//! let map: Zmap = decode(file.clone())?.model;
//! assert_eq!(map.features[0].points.len(), 2);
//! assert_eq!(encode(&map)?, file);
//! # Ok::<(), bitexact::field::Error>(())
//! ```
//!
//! # Modules
//!
//! * [`guide`]: the laws, the declaration of records and formats, the notation of places, a page for each command, the
//!   [format specs](guide::formats), and a glossary.
//! * [`field`]: the building blocks. [`record!`] declares a record, [`lay!`] a layout function; tapes read and walk every byte of
//!   every format; layout tables, places and errors.
//! * [`kind`]: the description of a format, and the [entries of containers](kind::Container); [`media`]: the images and sounds that other programs edit, and models as glTF.
//! * [`zipper`], [`marathon`], [`aurora`]: the formats, one file each.
//! * [`opened`]: files of any kind, opened by [`open`].
//! * [`registry`]: the table of supported [kinds](kind), which the modules below use.
//! * [`mod@lint`]: the warnings of models.
//! * [`passes`]: the operations on any model. Each is a [`field::Visitor`].
//! * [`mod@exchange`], [`mod@edit`]: the exchange format, edits of values and entries, and the [changes](edit::diff)
//!   between two files.
//! * [`loose`]: containers of Neverwinter Nights from loose files, and loose files from them.
//! * [`mod@verify`]: the proof of the round trip, and [work in parallel](verify::jobs).
//! * [`install`]: the files of an install; [`snapshot`](install::snapshot): its recorded state, and the changes since.
//! * [`mods`]: mods for an install, applied together and undone bit for bit.
//! * [`report`]: reports of a run for people and for CI systems.
//! * [`output`]: files that are written atomically, and [safe text for a terminal](output::printable).
//!
//! # Features
//!
//! | Feature | Adds |
//! |---|---|
//! | none | the formats: decode, encode, verify, passes, edits of values; 30 crates of others |
//! | `binrw` (default) | binrw's traits for records and formats |
//! | `code-pages` | messages of DLLs as text in Japanese, Chinese, Korean, Russian and others |
//! | `exchange` | the exchange format, edits of entries, diffs, output files; needs `code-pages`, `png` and `serde` |
//! | `export` | drawings: glTF, contact sheets, overhead maps; needs `png` |
//! | `install` | the files of an install, snapshots; needs `serde` |
//! | `mods` | [`open`] and files that are edited and saved, mods for an install; needs `exchange` and `install` |
//! | `report` | the HTML page and JUnit; needs `install` |
//! | `png`, `serde` | images as PNG; serde's traits for rows and mods |
//! | `cli` (default) | the program; needs all of them |
//!
//! A program that opens files needs `default-features = false, features = ["mods"]`, and `export` for models and pictures: 70 of the 122
//! crates that the default builds. All but `cli` compile for `wasm32-unknown-unknown`.

#![cfg_attr(not(feature = "cli"), allow(dead_code, reason = "some is used only by what other features build"))]

// Tests declare records here, and the macros refer to the crate by its own name.
#[cfg(test)]
extern crate self as bitexact;

pub mod edit;
mod faces;
pub mod install;
#[cfg(feature = "exchange")]
pub mod loose;
#[cfg(feature = "mods")]
pub mod mods;
#[cfg(feature = "mods")]
pub mod opened;
pub mod registry;
#[cfg(feature = "report")]
pub mod report;
#[cfg(test)]
mod tests;
pub mod verify;

#[doc(inline)]
pub use ::{aurora, marathon, zipper};
#[doc(hidden)]
pub use ::field::macros;
#[doc(inline)]
pub use ::field::{flags, lay, names, record};
#[doc(inline)]
pub use ::json::recompute;
pub use faces::{exchange, field, json, kind, lint, media, output, passes};
#[cfg(feature = "mods")]
pub use opened::{GameFile, open};

/// The guide.
///
/// | Page | Contents |
/// |---|---|
/// | [`games`](guide::games) | all kinds of files, and a page for each game: its files, what can be changed in them, and how |
/// | [`questions`](guide::questions) | what people ask first |
/// | [`windows`](guide::windows), [`git`](guide::git) | a quick start for each |
/// | [`glossary`](guide::glossary) | all terms |
/// | [`laws`](guide::laws), [`places`](guide::places) | the rules of every format; the notation of places in errors and commands |
/// | [`verify`](guide::verify) | `verify`: statuses, rows, reports |
/// | [`snapshot`](guide::snapshot) | `snapshot`, and `verify --against` |
/// | [`inspect`](guide::inspect) | `inspect` |
/// | [`exchange`](guide::exchange) | `unpack` and `pack`, and the exchange format |
/// | [`patch`](guide::patch) | `patch`, `diff`, and mods for one file |
/// | [`mods`](guide::mods) | `mod`: mods for an install |
/// | [`export`](guide::export), [`import`](guide::import) | `export`; `import`, and models in Blender |
/// | [`lint`](guide::lint) | `lint`, and the warnings of `patch` and `pack` |
/// | [`commands`](guide::commands) | all commands, statuses and exit codes; `formats`, `completions`, `man` |
/// | [`python`](guide::python) | the package for Python |
/// | [`browser`](guide::browser) | the page for a browser |
/// | [`formats`] | the format specs, by game and file |
/// | [`concepts`](guide::concepts) | the ten concepts of [`field`], which all formats and all commands are made of |
/// | [`records`](guide::records), [`adding_a_format`](guide::adding_a_format) | the declaration of formats; the steps to add one |
pub mod guide {
    #[doc = include_str!("guide/adding-a-format.md")]
    pub mod adding_a_format {}
    #[doc = include_str!("guide/browser.md")]
    pub mod browser {}
    #[doc = include_str!("guide/commands.md")]
    pub mod commands {}
    #[doc = include_str!("guide/concepts.md")]
    pub mod concepts {}
    #[doc = include_str!("guide/exchange.md")]
    pub mod exchange {}
    #[doc = include_str!("guide/export.md")]
    pub mod export {}
    #[doc(inline)]
    pub use formats;
    #[doc = include_str!("guide/games.md")]
    pub mod games {
        #[doc = include_str!("guide/games/crimson-skies.md")]
        pub mod crimson_skies {}
        #[doc = include_str!("guide/games/marathon.md")]
        pub mod marathon {}
        #[doc = include_str!("guide/games/mechwarrior-3.md")]
        pub mod mechwarrior_3 {}
        #[doc = include_str!("guide/games/neverwinter-nights.md")]
        pub mod neverwinter_nights {}
        #[doc = include_str!("guide/games/pirates-moon.md")]
        pub mod pirates_moon {}
        #[doc = include_str!("guide/games/recoil.md")]
        pub mod recoil {}
    }
    #[doc = include_str!("guide/git.md")]
    pub mod git {}
    #[doc = include_str!("guide/glossary.md")]
    pub mod glossary {}
    #[doc = include_str!("guide/import.md")]
    pub mod import {}
    #[doc = include_str!("guide/inspect.md")]
    pub mod inspect {}
    #[doc = include_str!("guide/laws.md")]
    pub mod laws {}
    #[doc = include_str!("guide/mods.md")]
    pub mod mods {}
    #[doc = include_str!("guide/patch.md")]
    pub mod patch {}
    #[doc = include_str!("guide/lint.md")]
    pub mod lint {}
    #[doc = include_str!("guide/places.md")]
    pub mod places {}
    #[doc = include_str!("guide/python.md")]
    pub mod python {}
    #[doc = include_str!("guide/questions.md")]
    pub mod questions {}
    #[doc = include_str!("guide/records.md")]
    pub mod records {}
    #[doc = include_str!("guide/snapshot.md")]
    pub mod snapshot {}
    #[doc = include_str!("guide/verify.md")]
    pub mod verify {}
    #[doc = include_str!("guide/windows.md")]
    pub mod windows {}
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
