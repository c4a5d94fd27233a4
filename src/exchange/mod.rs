//! The exchange format: converts a file to a folder of editable JSON, and back.
//!
//! `bitexact.json` states the kind of the file and holds the model; each entry is a separate file, in the folder named after its
//! container. Computed values are omitted: counts, offsets, constants and others that a rule gives. Sounds and other media are
//! files in common formats.

pub(crate) mod document;
mod folder;
mod form;
pub(crate) mod media;
pub(crate) mod print;
pub(crate) mod sequence;
mod show;
mod text;

use crate::field::{Error, Json, Members};
use crate::kind::{Game, Kind, Model};
use crate::media::Replaced;
use crate::passes::{Deviation, Sha};

pub use crate::field::{parse, unmarked};
pub use document::HEAD;
pub use folder::{Written, read, recover, write};
pub use form::Form;
pub use print::{Contents, contents, documents};
pub use show::show;
pub use text::print;

/// The schema version of the exchange format.
pub const SCHEMA: u32 = 1;
/// The members of [`HEAD`] that are for people only and are not read again.
const FOR_PEOPLE: [&str; 2] = ["games", "deviations"];

/// Facts about a file besides its model.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Its kind.
    pub kind: &'static Kind,
    /// The games that it can belong to.
    pub games: &'a [Game],
    /// Its hash.
    pub sha256: Sha,
    /// Its deviations, which are for people only and are not read again.
    pub deviations: &'a [Deviation],
}

/// A file packed from the exchange format.
#[non_exhaustive]
pub struct Packed {
    /// Its kind.
    pub kind: &'static Kind,
    /// The model.
    pub model: Model,
    /// The hash of the file that was unpacked, as the manifest states it.
    pub original: Option<String>,
    /// Values that have been replaced because what they depend on has changed: a rule, or a file beside the JSON.
    pub told: Vec<Replaced>,
}

/// Returns the members of [`HEAD`] that do not come from the model.
fn head(about: About<'_>) -> Members {
    let mut head = vec![
        ("schema".into(), SCHEMA.into()),
        ("kind".into(), about.kind.name.into()),
        ("games".into(), about.games.iter().map(|game| game.code()).collect()),
        ("sha256".into(), about.sha256.to_string().into()),
    ];
    if !about.deviations.is_empty() {
        head.push(("deviations".into(), about.deviations.iter().map(deviation).collect()));
    }
    head
}

fn deviation(it: &Deviation) -> Json {
    Json::from([
        ("path", it.path.as_str().into()),
        ("count", it.count.into()),
        ("first", it.first.to_string().into()),
        ("expected", it.expected.clone()),
        ("found", it.found.clone()),
    ])
}

/// The reason why a model did not survive the exchange format.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Lost {
    /// It takes more memory than allowed.
    Memory(Error),
    /// It does not round-trip, with the place.
    Exchange(String),
}

impl From<Error> for Lost {
    fn from(error: Error) -> Self {
        if error.is_memory() { Self::Memory(error) } else { Self::Exchange(error.to_string()) }
    }
}

/// Sends a model through the exchange format, with the text and bytes of every file, using at most `memory` bytes, of which
/// `elsewhere` are already in use.
///
/// # Errors
/// Returns an error with the place if the model does not round-trip.
pub(crate) fn through(
    kinds: &'static [Kind],
    model: Model,
    about: About<'_>,
    memory: u64,
    elsewhere: u64,
) -> Result<Model, Lost> {
    // A caller that verifies many files uses all cores already.
    let contents = print::contents_within(&model, about, 1, (memory, elsewhere))?.files;
    // Two models need not be in memory at once.
    drop(model);
    let packed = Form::parse_on(1, contents).map_err(Lost::Exchange)?.pack(kinds)?;
    match packed.told.first() {
        None => Ok(packed.model),
        Some(told) => Err(Lost::Exchange(format!("{}: {} was kept, and became {}", told.place, told.was, told.now))),
    }
}
