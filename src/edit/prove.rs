//! Proves an edited file before it is written.

use bytes::Bytes;

use crate::kind::{Kind, Model, named};
use crate::passes::spans;
use crate::verify::{Candidate, Status, VerifyOptions};

use super::misread_as;

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
    if let Some(why) = (kind.uneditable)(bytes) {
        return Err(why.to_owned());
    }
    let how = VerifyOptions::default().spread(true);
    let (report, again) = Candidate::new(kinds, name, bytes.clone()).take_apart(how);
    match (report.failure, again) {
        _ if report.kind != Some(kind.name) => {
            let found = report.kind.unwrap_or("an unknown format");
            Err(format!("the edited file would be recognized as {found}, not {}", kind.name))
        }
        (Some(failure), _) => Err(format!("the edited file does not round-trip: {failure}")),
        (None, Some(again)) if report.status == Status::Identical => {
            match misread_as(model, &again).map_err(|error| error.to_string())? {
                Some(refusal) => Err(refusal.to_string()),
                None => match uneditable_entry(kinds, &again, bytes)? {
                    Some(why) => Err(why),
                    None => Ok(again),
                },
            }
        }
        (None, _) => Err(format!("the edited file is {}", report.status.name())),
    }
}

/// Returns why a file must not be edited, if it holds an entry of a kind that must not be, at any depth.
fn uneditable_entry(kinds: &'static [Kind], model: &Model, bytes: &Bytes) -> Result<Option<String>, String> {
    let entries = spans(&**model).map_err(|error| error.to_string())?;
    Ok(entries.iter().find_map(|(place, span)| {
        let why = (named(kinds, span.kind)?.uneditable)(span.of(bytes)?)?;
        Some(format!("{place}: {why}"))
    }))
}
