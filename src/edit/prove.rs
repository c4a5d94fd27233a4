//! Proves an edited file before it is written.

use bytes::Bytes;

use crate::field::{Visitor, visit};
use crate::kind::{Kind, Model, named};
use crate::passes::Spans;
use crate::verify::{Candidate, Status, VerifyOptions};

use super::inventory::{Inventory, Nobody};
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
    let mut gist = Gist::default();
    visit(model, &mut gist).map_err(|error| error.to_string())?;
    prove_beside(kinds, kind, (model, &gist), (name, bytes), &mut Nobody).map(|(model, _)| model)
}

/// Does the same as [`prove`] for a model that has been walked, and takes the inventory of the model that is read back, in a walk that it
/// shares with another visitor.
///
/// # Errors
/// Returns an error with the reason if the bytes are not a file of their kind that round-trips, or if the visitor stops.
pub(super) fn prove_beside(
    kinds: &'static [Kind],
    kind: &Kind,
    (model, packed): (&Model, &Gist),
    (name, bytes): (&str, &Bytes),
    other: &mut dyn Visitor,
) -> Result<(Model, Inventory), String> {
    if let Some(why) = (kind.uneditable)(bytes) {
        return Err(why.to_owned());
    }
    let how = VerifyOptions::default().spread(true);
    let candidate = Candidate::new(kinds, name, bytes.clone());
    let proof = Inventory::by(other, |visitor| Ok::<_, String>(candidate.take_apart_with(how, Some(visitor))));
    let (inventory, (report, again)) = proof?;
    let again = match (report.failure, again) {
        _ if report.kind != Some(kind.name) => {
            let found = report.kind.unwrap_or("an unknown format");
            return Err(format!("the edited file would be recognized as {found}, not {}", kind.name));
        }
        (Some(failure), _) => return Err(format!("the edited file does not round-trip: {failure}")),
        (None, Some(again)) if report.status == Status::Identical => again,
        (None, _) => return Err(format!("the edited file is {}", report.status.name())),
    };
    let inventory = inventory.with_watched(&again);
    let read = (&again, &inventory.gist);
    if let Some(refusal) = misread_by((model, packed), read).map_err(|error| error.to_string())? {
        return Err(refusal.to_string());
    }
    match uneditable_entry(kinds, inventory.entries(), bytes) {
        Some(why) => Err(why),
        None => Ok((again, inventory)),
    }
}

/// Returns why a file must not be edited, if it holds an entry of a kind that must not be, at any depth.
fn uneditable_entry(kinds: &'static [Kind], entries: &Spans, bytes: &Bytes) -> Option<String> {
    entries.iter().find_map(|(place, span)| {
        let why = (named(kinds, span.kind)?.uneditable)(span.of(bytes)?)?;
        Some(format!("{place}: {why}"))
    })
}
