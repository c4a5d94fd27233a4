//! A whole file in the exchange format: the facts that the format states besides the model, and the result of packing.

use std::collections::BTreeMap;

use field::{CodePage, Members, Value};
use kind::{Game, Kind, Model};
use media::Replaced;
use passes::{Deviation, Sha};

/// The version of the exchange format. A folder with another one is refused.
pub const SCHEMA: u32 = 3;
/// Members of [`MANIFEST`](super::MANIFEST) that are for people only and are not read again.
pub(super) const FOR_PEOPLE: [&str; 1] = ["games"];

/// Facts about a file besides its model.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Its kind.
    pub kind: &'static Kind,
    /// The games that it can belong to.
    pub games: &'a [Game],
    /// Its hash.
    pub sha256: Sha,
    /// Its deviations from the format specs; for people only, not read again.
    pub deviations: &'a [Deviation],
}

/// A file packed from the exchange format.
#[non_exhaustive]
pub struct Packed {
    /// Its kind.
    pub kind: &'static Kind,
    /// The model.
    pub model: Model,
    /// The stated hash of the file that was unpacked.
    pub original: Option<String>,
    /// The stated deviations of that file: the places with `*` for indices, and how many each has.
    pub deviations: BTreeMap<String, u64>,
    /// Values that have been replaced because they depend on an edited value, or on a file beside the JSON.
    pub recomputed: Vec<Replaced>,
}

/// The member of [`MANIFEST`](super::MANIFEST) with the code page of the texts, if one was chosen.
pub(super) const ENCODING: &str = "encoding";

/// Returns the members of [`MANIFEST`](super::MANIFEST) that do not come from the model.
pub(super) fn head(about: About<'_>) -> Members {
    let mut head = vec![
        ("schema".into(), SCHEMA.into()),
        ("kind".into(), about.kind.name.into()),
        ("games".into(), about.games.iter().map(|game| game.code()).collect()),
        ("sha256".into(), about.sha256.to_string().into()),
    ];
    // The folder is packed with it again.
    if let Some(page) = CodePage::chosen() {
        head.push((ENCODING.into(), page.name().into()));
    }
    if !about.deviations.is_empty() {
        head.push(("deviations".into(), about.deviations.iter().map(deviation).collect()));
    }
    head
}

fn deviation(it: &Deviation) -> Value {
    Value::from([
        ("place", it.place.as_str().into()),
        ("count", it.count.into()),
        ("first_place", it.first_place.to_string().into()),
        ("expected", it.expected.clone()),
        ("found", it.found.clone()),
    ])
}

/// Returns the places and counts of a list of deviations.
pub(super) fn deviations_of(list: &Value) -> BTreeMap<String, u64> {
    let row = |it: &Value| Some((it.get("place")?.text()?.to_owned(), it.get("count")?.whole()?));
    list.items().into_iter().flatten().filter_map(row).collect()
}
