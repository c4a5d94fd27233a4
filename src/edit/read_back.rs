//! Checks whether a packed file would be read back as the model that has been packed.
//!
//! The bytes are the same, so it is if the parts are the same, and the facts that are not stored in bytes. An edit of a value that
//! determines the type or the length of other data can change them.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use field::{Datum, Error, Group, Place, Result as Laid, Value, Visitor, visit};
use json::Describe as _;
use kind::{Kind, Model};
use passes::{Span, SpanFinder, Spans};

use super::Refusal;
use super::place_hash::PlaceHash;

/// Returns the first difference between a model and its packed file as read back, or `None` if there is none.
///
/// # Errors
/// Returns an error if the model cannot be laid out, or if the file does not decode.
pub fn misread(model: &Model, kind: &Kind, file: &Bytes) -> Result<Option<Refusal>, Error> {
    misread_as(model, &(kind.decode)(file.clone())?.model)
}

/// Returns the first difference between a model and the one that its file is read back as, or `None` if there is none.
///
/// # Errors
/// Returns an error if one of them cannot be laid out.
pub fn misread_as(model: &Model, again: &Model) -> Result<Option<Refusal>, Error> {
    misread_by((Some(model), &Gist::of(model)?), (again, &Gist::of(again)?))
}

/// Does the same as [`misread_as`] for models that have been walked. Without the packed one, the place of another part is not known.
///
/// # Errors
/// Returns an error if one of them cannot be laid out.
pub(super) fn misread_by(
    (model, packed): (Option<&Model>, &Gist),
    (again, read): (&Model, &Gist),
) -> Result<Option<Refusal>, Error> {
    let entries = &packed.entries.spans;
    if let Some(refusal) = entries.iter().find_map(|(place, span)| other_entry(place, *span, &read.entries.spans)) {
        return Ok(Some(refusal));
    }
    match packed.other_fact(read) {
        None if packed.parts.finish() != read.parts.finish() => {
            let found = match model {
                Some(model) => other_part(&Parts::of(model)?.0, &Parts::of(again)?.0),
                None => None,
            };
            // The hash sees what a place as text does not show, such as an index and a name of the same digits.
            let unplaced = || Refusal { place: String::new(), why: "would be read back as other parts".to_owned() };
            Ok(Some(found.unwrap_or_else(unplaced)))
        }
        refusal => Ok(refusal),
    }
}

/// Returns why an entry would not be read back as itself.
fn other_entry(place: &str, span: Span, read: &Spans) -> Option<Refusal> {
    let why = match read.get(place) {
        Some(found) if *found == span => return None,
        Some(found) if span.is_opaque() => format!("would be read back as {}; remove its `\"kind\"`", found.kind),
        Some(found) if found.kind != span.kind => format!("would be read back as {}, not {}", found.kind, span.kind),
        Some(_) => "would be read back as a different part of the file".to_owned(),
        None => "would not be found when the file is read back".to_owned(),
    };
    Some(Refusal { place: place.to_owned(), why })
}

/// A visitor that finds what must be the same when a file is read back: the entries, the facts that are not stored in bytes, and the parts.
#[derive(Default)]
pub(super) struct Gist {
    pub(super) entries: SpanFinder,
    facts: BTreeMap<String, Value>,
    /// A hash of the places and lengths of all parts: they are nearly always the same, and there are many.
    parts: PlaceHash,
}

impl Gist {
    pub(super) fn of(model: &Model) -> Result<Self, Error> {
        let mut gist = Self::default();
        visit(model, &mut gist)?;
        Ok(gist)
    }

    /// Returns `true` if another model has the same entries, labels and other facts.
    pub(super) fn names_as(&self, other: &Self) -> bool {
        self.entries.spans.keys().eq(other.entries.spans.keys()) && self.facts == other.facts
    }

    /// Returns `true` if another model has the same entries and facts, except that one entry has another label, with those in it.
    pub(super) fn renames_as(&self, (entry, to): (&str, &str), other: &Self) -> bool {
        let renamed = match entry.rsplit_once('!') {
            Some((outer, _)) => format!("{outer}!{to}"),
            None => to.to_owned(),
        };
        let new_place = |place: &str| match place.strip_prefix(entry) {
            Some(inner) if inner.is_empty() || inner.starts_with(['!', ':']) => format!("{renamed}{inner}"),
            _ => place.to_owned(),
        };
        let (old, new) = (&self.entries.spans, &other.entries.spans);
        old.contains_key(entry)
            && old.len() == new.len()
            && old.iter().all(|(place, span)| new.get(&new_place(place)) == Some(span))
            && self.facts.len() == other.facts.len()
            && self.facts.iter().all(|(place, fact)| other.facts.get(&new_place(place)) == Some(fact))
    }

    fn other_fact(&self, read: &Self) -> Option<Refusal> {
        let places: BTreeSet<&String> = self.facts.keys().chain(read.facts.keys()).collect();
        let place = places.into_iter().find(|place| self.facts.get(*place) != read.facts.get(*place))?;
        let word = |gist: &Self| gist.facts.get(place).map_or_else(|| "absent".to_owned(), Value::describe);
        let why = format!("would be read back as {}, not {}", word(read), word(self));
        Some(Refusal { place: place.clone(), why })
    }
}

impl Visitor for Gist {
    fn data(&mut self, datum: &Datum<'_>) -> Laid {
        if !datum.bytes.is_empty() {
            self.parts.add(datum.place, true, datum.bytes.len());
        }
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        self.entries.enter(group, place, offset);
        self.parts.enter(place);
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        self.entries.leave(group, place, offset);
        self.parts.leave();
    }

    fn fact(&mut self, place: &Place, fact: Value) {
        self.facts.insert(place.to_string(), fact);
    }

    fn wants_facts(&self) -> bool {
        true
    }
}

/// The parts of a model in file order: their places and lengths.
#[derive(Default)]
struct Parts(Vec<(String, usize)>);

impl Parts {
    fn of(model: &Model) -> Result<Self, Error> {
        let mut parts = Self::default();
        visit(model, &mut parts)?;
        Ok(parts)
    }
}

impl Visitor for Parts {
    fn data(&mut self, datum: &Datum<'_>) -> Laid {
        if !datum.bytes.is_empty() {
            self.0.push((datum.place.to_string(), datum.bytes.len()));
        }
        Ok(())
    }
}

/// Returns the first part that would be read back as another.
fn other_part(packed: &[(String, usize)], read: &[(String, usize)]) -> Option<Refusal> {
    let same = packed.iter().zip(read).take_while(|(packed, read)| packed == read).count();
    let word = |(place, bytes): &(String, usize)| format!("{bytes} bytes of {place}");
    match (packed.get(same), read.get(same)) {
        (Some(packed), Some(read)) => {
            let why = format!("would be read back as {}, not {} bytes", word(read), packed.1);
            Some(Refusal { place: packed.0.clone(), why })
        }
        (Some((place, _)), None) => {
            Some(Refusal { place: place.clone(), why: "would not be found when the file is read back".to_owned() })
        }
        (None, Some(read)) => Some(Refusal {
            place: read.0.clone(),
            why: format!("would appear as {} when the file is read back", word(read)),
        }),
        (None, None) => None,
    }
}
