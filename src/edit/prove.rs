//! Proves an edited file before it is written.

use bytes::Bytes;

use crate::verify::{Candidate, Status};
use field::Visitor;
use kind::{Kind, Model, named};
use passes::Spans;

use super::inventory::Inventory;
use super::read_back::{Gist, misread_by};

/// Proves that the bytes of an edited model are a file of its kind that round-trips, and returns the model that they are read back
/// as. `name` is the last part of the file's path.
///
/// # Errors
/// Returns an error with the reason if they are not.
pub fn prove(
    kinds: &'static [Kind],
    kind: &Kind,
    model: &Model,
    (name, bytes): (&str, &Bytes),
) -> Result<Model, String> {
    let packed = Gist::of(model).map_err(|error| error.to_string())?;
    let mut read = Gist::default();
    let again = taken_apart(kinds, kind, (name, bytes), &mut read)?;
    agree(kinds, (Some(model), &packed), (&again, &read), bytes)?;
    Ok(again)
}

/// Does the same as [`prove`] for a model that has been walked, and takes the inventory of the model that is read back, in a walk that it
/// shares with another visitor, with the parts of the model or without. Without the model itself, a difference is found but has no place.
///
/// # Errors
/// Returns an error with the reason if the bytes are not a file of their kind that round-trips, or if the visitor stops.
pub(super) fn prove_beside(
    kinds: &'static [Kind],
    kind: &Kind,
    packed: (Option<&Model>, &Gist),
    (name, bytes): (&str, &Bytes),
    (with_parts, other): (bool, &mut dyn Visitor),
) -> Result<(Model, Inventory), String> {
    let (inventory, again) =
        Inventory::by((with_parts, other), |visitor| taken_apart(kinds, kind, (name, bytes), visitor))?;
    agree(kinds, packed, (&again, &inventory.gist), bytes)?;
    Ok((again, inventory))
}

/// Reads a file back in a walk that proves it and that a visitor shares. Returns an error with the reason if it is no file of its kind that
/// round-trips.
fn taken_apart(
    kinds: &'static [Kind],
    kind: &Kind,
    (name, bytes): (&str, &Bytes),
    visitor: &mut dyn Visitor,
) -> Result<Model, String> {
    if let Some(why) = (kind.uneditable)(bytes) {
        return Err(why.to_owned());
    }
    let (report, again) = Candidate::new(kinds, name, bytes.clone()).take_apart_with(visitor);
    match (report.failure, again) {
        _ if report.kind != Some(kind.name) => {
            let found = report.kind.unwrap_or("an unknown format");
            Err(format!("the edited file would be recognized as {found}, not {}", kind.name))
        }
        (Some(failure), _) => Err(format!("the edited file does not round-trip: {failure}")),
        (None, Some(again)) if report.status == Status::Identical => Ok(again),
        (None, _) => Err(format!("the edited file is {}", report.status.name())),
    }
}

/// Returns an error with the reason if a file is read back as another model than the one that was packed, or holds what must not be edited.
fn agree(
    kinds: &'static [Kind],
    packed: (Option<&Model>, &Gist),
    read: (&Model, &Gist),
    bytes: &Bytes,
) -> Result<(), String> {
    if let Some(refusal) = misread_by(packed, read).map_err(|error| error.to_string())? {
        return Err(refusal.to_string());
    }
    uneditable_entry(kinds, &read.1.entries.spans, bytes).map_or(Ok(()), Err)
}

/// Returns why a file must not be edited, if it holds an entry of a kind that must not be, at any depth.
fn uneditable_entry(kinds: &'static [Kind], entries: &Spans, bytes: &Bytes) -> Option<String> {
    entries.iter().find_map(|(place, span)| {
        let why = (named(kinds, span.kind)?.uneditable)(span.of(bytes)?)?;
        Some(format!("{place}: {why}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::tests::{Sample, archive, samples};
    use crate::registry::KINDS;

    #[test]
    fn file_must_be_read_back_as_the_model_that_was_packed() {
        let archives: Vec<_> = samples().filter(|it| it.kind.name == "archive").collect();
        let [Sample { kind, name, bytes, model }, .., Sample { model: other, .. }] = archives.as_slice() else {
            panic!("too few")
        };
        assert!(prove(KINDS, kind, model, (name, bytes)).is_ok());
        let why = prove(KINDS, kind, other, (name, bytes)).err().expect("it is another one");
        assert!(why.contains("read back"), "{why}");
        let packed = Gist::of(other).expect("is laid out");
        let beside = prove_beside(KINDS, kind, (None, &packed), (name, bytes), (false, &mut passes::Nobody));
        assert!(beside.is_err_and(|why| why.contains("read back")));
    }

    #[test]
    fn file_must_be_of_its_kind() {
        let Sample { name, bytes, model, .. } = &archive();
        let other = named(KINDS, "erf").expect("it is a kind");
        let why = prove(KINDS, other, model, (name, bytes)).err().expect("it is none");
        assert_eq!(why, "the edited file would be recognized as archive, not erf");
        let short = bytes.slice(..bytes.len() - 1);
        assert!(prove(KINDS, named(KINDS, "archive").expect("a kind"), model, (name, &short)).is_err());
    }

    #[test]
    fn entry_that_must_not_be_edited_is_named() {
        let mut entries = passes::spans(&archive().model).expect("is laid out");
        let mut span = *entries.values().next().expect("it has entries");
        (span.kind, span.begin, span.end) = ("bif", 2, 12);
        entries.clear();
        entries.insert("a!b.bif".to_owned(), span);
        let of = |bytes: &'static [u8]| uneditable_entry(KINDS, &entries, &Bytes::from_static(bytes));
        assert!(of(b"..BIFFE1  ..").is_some_and(|why| why.starts_with("a!b.bif: ")), "{:?}", of(b"..BIFFE1  .."));
        assert_eq!(of(b"..BIFFV1  .."), None);
    }
}
