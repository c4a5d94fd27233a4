//! Whether a packed file would be taken for what has been packed.
//!
//! The bytes are the same, so it is if they are the same parts, and if what no byte tells is the same: then the file says
//! what the model says. An edit of a value that tells what something is, or how long it is, can have it otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash as _, Hasher as _};

use bytes::Bytes;
use rustc_hash::FxHasher;

use crate::entries::{Span, Spans, spans};
use crate::field::{Datum, Error, Json, Place, Result as Laid, Visitor, visit};
use crate::format::Model;
use crate::kind::Kind;

use super::Refusal;

/// What a packed file would be taken for, where that is not what has been packed.
///
/// # Errors
/// When the model cannot be laid, or the file does not decode.
pub fn misread(model: &Model, kind: &Kind, file: &Bytes) -> Result<Option<Refusal>, Error> {
    misread_as(model, &(kind.decode)(file.clone())?.model)
}

/// The same of a model and the one that its file is read as.
///
/// # Errors
/// Returns an error if one of them cannot be laid.
pub fn misread_as(model: &Model, again: &Model) -> Result<Option<Refusal>, Error> {
    let (packed, read) = (spans(model)?, spans(again)?);
    if let Some(refusal) = packed.iter().find_map(|(place, span)| other_entry(place, *span, &read)) {
        return Ok(Some(refusal));
    }
    let (packed, read) = (Gist::of(model)?, Gist::of(again)?);
    match packed.other_fact(&read) {
        None if packed.parts.finish() != read.parts.finish() => {
            Ok(other_part(&Parts::of(model)?.0, &Parts::of(again)?.0))
        }
        refusal => Ok(refusal),
    }
}

/// Why an entry would not be taken for what it is.
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

/// What no byte tells of a model, and its parts.
#[derive(Default)]
struct Gist {
    facts: BTreeMap<String, Json>,
    /// Of the places and lengths of all parts: nearly always they are the same, and there are many.
    parts: FxHasher,
}

impl Gist {
    fn of(model: &Model) -> Result<Self, Error> {
        let mut gist = Self::default();
        visit(model, &mut gist)?;
        Ok(gist)
    }

    fn other_fact(&self, read: &Self) -> Option<Refusal> {
        let places: BTreeSet<&String> = self.facts.keys().chain(read.facts.keys()).collect();
        let place = places.into_iter().find(|place| self.facts.get(*place) != read.facts.get(*place))?;
        let word = |gist: &Self| gist.facts.get(place).map_or_else(|| "absent".to_owned(), Json::describe);
        let why = format!("would be read back as {}, not {}", word(read), word(self));
        Some(Refusal { place: place.clone(), why })
    }
}

impl Visitor for Gist {
    fn data(&mut self, datum: &Datum<'_>) -> Laid {
        if !datum.bytes.is_empty() {
            (datum.place, datum.bytes.len()).hash(&mut self.parts);
        }
        Ok(())
    }

    fn fact(&mut self, place: &Place, fact: Json) {
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

/// The first part that would be taken for another.
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
