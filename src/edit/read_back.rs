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

#[cfg(test)]
mod tests {
    use super::*;
    use field::{Label, U32, lay};
    use passes::spans;

    /// A number in an entry of its own.
    #[derive(Default)]
    struct Inner(U32);

    lay! {
        impl Lay for Inner {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Laid {
                t.part(Label::role("in"), "number", |t| t.value("number", at!(self.0)))
            }
        }
    }

    fn span(kind: &'static str, begin: u64, end: u64) -> Span {
        let mut span = spans(&Inner::default()).expect("is laid out").into_values().next().expect("is an entry");
        (span.kind, span.begin, span.end) = (kind, begin, end);
        span
    }

    fn gist(entries: &[(&str, &'static str, u64)], facts: &[(&str, i64)]) -> Gist {
        let mut gist = Gist::default();
        let mut begin = 0;
        for (place, kind, length) in entries {
            let end = begin + length;
            gist.entries.spans.insert((*place).to_owned(), span(kind, begin, end));
            begin = end;
        }
        gist.facts = facts.iter().map(|(place, fact)| ((*place).to_owned(), (*fact).into())).collect();
        gist
    }

    #[test]
    fn entry_must_be_read_back_as_the_same() {
        let span = |kind, end| span(kind, 2, end);
        let why = |packed: Span, read: Span| {
            let read = [("a.mod!b".to_owned(), read)].into();
            other_entry("a.mod!b", packed, &read).map(|it| it.to_string())
        };
        assert_eq!(why(span("gff", 9), span("gff", 9)), None);
        let said = |packed, read| why(packed, read).expect("they differ");
        assert!(said(span("opaque", 9), span("gff", 9)).ends_with("would be read back as gff; remove its `\"kind\"`"));
        assert!(said(span("opaque", 9), span("opaque", 8)).contains("remove its"));
        assert!(said(span("gff", 9), span("opaque", 9)).ends_with("would be read back as opaque, not gff"));
        assert!(said(span("gff", 9), span("gff", 8)).ends_with("would be read back as a different part of the file"));
        let missing = other_entry("c", span("gff", 9), &Spans::new()).expect("it is missing");
        assert_eq!(missing.to_string(), "c: would not be found when the file is read back");
    }

    #[test]
    fn names_are_those_of_entries_and_facts() {
        let one = gist(&[("a", "gff", 3), ("b", "gff", 4)], &[("a:/label", 1)]);
        assert!(one.names_as(&one));
        assert!(
            one.names_as(&gist(&[("a", "gff", 5), ("b", "opaque", 4)], &[("a:/label", 1)])),
            "contents do not count"
        );
        assert!(!one.names_as(&gist(&[("a", "gff", 3), ("c", "gff", 4)], &[("a:/label", 1)])));
        assert!(!one.names_as(&gist(&[("a", "gff", 3), ("b", "gff", 4)], &[("a:/label", 2)])));
        assert!(!one.names_as(&gist(&[("a", "gff", 3), ("b", "gff", 4)], &[])));
    }

    #[test]
    fn entry_with_another_name_has_the_same_entries_and_facts_in_it() {
        let kinds = |second: &'static str| [("m!a", "erf", 9), ("m!a!in", second, 3), ("m!ab", "gff", 4)];
        let facts = [("m!a:/label", 1), ("m!a!in:/label", 2), ("m!ab:/label", 3)];
        let old = gist(&kinds("gff"), &facts);
        let new_names = |kind: &'static str| [("m!z", "erf", 9), ("m!z!in", kind, 3), ("m!ab", "gff", 4)];
        let new_facts = [("m!z:/label", 1), ("m!z!in:/label", 2), ("m!ab:/label", 3)];
        let to = ("m!a", "z");
        assert!(old.renames_as(to, &gist(&new_names("gff"), &new_facts)));
        assert!(!old.renames_as(to, &gist(&new_names("opaque"), &new_facts)), "another kind");
        assert!(!old.renames_as(to, &old), "nothing is renamed");
        assert!(!old.renames_as(("m!q", "z"), &old), "there is no such entry");
        // The name of another entry begins with the same letters.
        let both = [("m!z", "erf", 9), ("m!z!in", "gff", 3), ("m!zb", "gff", 4)];
        assert!(!old.renames_as(to, &gist(&both, &[("m!z:/label", 1), ("m!z!in:/label", 2), ("m!zb:/label", 3)])));
        assert!(
            !old.renames_as(
                to,
                &gist(&new_names("gff"), &[("m!z:/label", 1), ("m!z!in:/label", 2), ("m!ab:/label", 9)])
            )
        );
        assert!(!old.renames_as(to, &gist(&new_names("gff"), &new_facts[..2])));
        assert!(!old.renames_as(to, &gist(&[new_names("gff")[0], new_names("gff")[1]], &new_facts)), "one is missing");
        assert!(
            gist(&[("a", "gff", 1)], &[]).renames_as(("a", "b"), &gist(&[("b", "gff", 1)], &[])),
            "at the outermost"
        );
    }

    #[test]
    fn facts_that_differ_are_named() {
        let one = gist(&[], &[("/a", 1), ("/b", 2)]);
        assert!(one.other_fact(&one).is_none());
        let said = |read: &Gist| one.other_fact(read).expect("they differ").to_string();
        assert_eq!(said(&gist(&[], &[("/a", 1), ("/b", 3)])), "/b: would be read back as 3, not 2");
        assert_eq!(said(&gist(&[], &[("/b", 2)])), "/a: would be read back as absent, not 1");
        assert_eq!(said(&gist(&[], &[("/a", 1), ("/b", 2), ("/c", 4)])), "/c: would be read back as 4, not absent");
    }
}
