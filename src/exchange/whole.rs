//! A file by way of its exchange form: what the form says of it besides its model, and what it is packed to.

use crate::field::{Error, Json, Members};
use crate::kind::{Game, Kind, Model};
use crate::media::Replaced;
use crate::passes::{Deviation, Sha};

/// The version of the form.
pub const SCHEMA: u32 = 1;
/// Members of [`MANIFEST`](super::MANIFEST) that are for people only and are not read again.
pub(super) const FOR_PEOPLE: [&str; 2] = ["games", "deviations"];

/// What is known of a file besides its model.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Its kind.
    pub kind: &'static Kind,
    /// The games it can be of.
    pub games: &'a [Game],
    /// Its hash.
    pub sha256: Sha,
    /// What deviates from the documents: for people, nobody reads it again.
    pub deviations: &'a [Deviation],
}

/// A file packed from its exchange form.
#[non_exhaustive]
pub struct Packed {
    /// Its kind.
    pub kind: &'static Kind,
    /// The model.
    pub model: Model,
    /// The hash of the file that was unpacked, as the form says.
    pub original: Option<String>,
    /// Values that have been replaced, because what they follow has changed: a rule, or a file beside the JSON.
    pub recomputed: Vec<Replaced>,
}

/// The members of [`MANIFEST`](super::MANIFEST) that do not come from the model.
pub(super) fn head(about: About<'_>) -> Members {
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
        ("place", it.place.as_str().into()),
        ("count", it.count.into()),
        ("first_place", it.first_place.to_string().into()),
        ("expected", it.expected.clone()),
        ("found", it.found.clone()),
    ])
}

/// Why a model did not go through its exchange form.
#[derive(Clone, Debug, PartialEq)]
pub enum Lost {
    /// It takes more memory than allowed.
    Memory(Error),
    /// It does not come back, and where.
    Exchange(String),
}

impl From<Error> for Lost {
    fn from(error: Error) -> Self {
        if error.is_memory() { Self::Memory(error) } else { Self::Exchange(error.to_string()) }
    }
}

/// A model that has gone through its exchange form, the text and bytes of every file, with so much memory for all of it, of which
/// so much is taken by something else.
///
/// # Errors
/// Where it does not come back.
pub fn through(
    kinds: &'static [Kind],
    model: Model,
    about: About<'_>,
    memory: u64,
    elsewhere: u64,
) -> Result<Model, Lost> {
    // Whoever verifies many files does so on all cores already.
    let contents = super::print::contents_within(&model, about, 1, (memory, elsewhere))?.files;
    // Two models need not be in memory at once.
    drop(model);
    let packed = super::Form::parse_on(1, contents).map_err(Lost::Exchange)?.pack(kinds)?;
    match packed.recomputed.first() {
        None => Ok(packed.model),
        Some(told) => Err(Lost::Exchange(format!("{}: kept value {} became {}", told.place, told.was, told.now))),
    }
}
