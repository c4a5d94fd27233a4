//! Applies the changes of one file in memory, and proves the result.

use std::borrow::Cow;

use bytes::Bytes;

use crate::edit::diff::{self, Change, Held};
use crate::edit::{Edit, prove};
use crate::exchange::About;
use crate::field::encode;
use crate::kind::{Kind, Model};
use crate::passes::{Deviation, Sha};
use crate::registry::{KINDS, recognize};
use crate::verify::{Candidate, Status, VerifyOptions};

use super::{FileEdit, content, hash};

/// Returns the file after an edit without the changes for which `made` is true, or `None` if the edit removes the file. `stored` returns
/// contents of the journal by their hash.
///
/// # Errors
/// Returns an error if the file is not the one expected, or if the result does not round-trip.
pub(super) fn apply(
    edit: &FileEdit,
    old: Option<&Bytes>,
    made: impl Fn(&Change) -> bool,
    stored: &dyn Fn(&str) -> Result<Vec<u8>, String>,
) -> Result<Option<Bytes>, String> {
    let hash = hash(old);
    if let Some(changes) = &edit.changes {
        let old = old.ok_or("expected a file, found none")?;
        let changes: Cow<'_, [Change]> = match changes.iter().any(&made) {
            false => Cow::Borrowed(changes),
            true => changes.iter().filter(|change| !made(change)).cloned().collect(),
        };
        let new = change(edit, old, &changes)?;
        // With the same original, a different result would be that of a bug or of a different version.
        return match hash == edit.before && !edit.results_in(&new) {
            true => Err(format!("expected a result with SHA-256 {}, found {}", shown(&edit.after), Sha::of(&new))),
            false => Ok(Some(new)),
        };
    }
    let is_as_expected = hash == edit.before || hash == edit.after;
    if !is_as_expected && edit.after.is_none() {
        return Err(format!("expected to remove SHA-256 {}, found {}", shown(&edit.before), shown(&hash)));
    }
    if !is_as_expected {
        return Err(match &edit.before {
            Some(before) => {
                format!("the whole file is replaced: expected SHA-256 {before}, found {}", shown(&hash))
            }
            None => format!("the file is added: expected none of its name, found SHA-256 {}", shown(&hash)),
        });
    }
    let new = Bytes::from(match (&edit.content, &edit.after) {
        (_, None) => return Ok(None),
        (Some(packed), _) => content::unpack(packed, edit.bytes)?,
        (None, Some(hash)) => stored(hash)?,
    });
    if !edit.results_in(&new) {
        return Err(format!("content: expected SHA-256 {}, found {}", shown(&edit.after), Sha::of(&new)));
    }
    if let Some(kind) = &edit.kind {
        decoded(kind, edit.name(), &new)?;
    }
    Ok(Some(new))
}

fn shown(hash: &Option<String>) -> &str {
    hash.as_deref().unwrap_or("no file")
}

/// A file that is of the expected kind and round-trips.
struct Decoded {
    kind: &'static Kind,
    model: Model,
    deviations: Vec<Deviation>,
}

fn decoded(kind: &str, name: &str, file: &Bytes) -> Result<Decoded, String> {
    let found = recognize(KINDS, name, file).map(|(kind, _)| kind);
    let Some(kind) = found.filter(|found| found.name == kind) else {
        return Err(format!(
            "expected a file of kind {kind}, found {}",
            found.map_or("an unknown format", |it| it.name)
        ));
    };
    let how = VerifyOptions::default().spread(true);
    let (report, model) = Candidate::new(KINDS, name, file.clone()).take_apart(how);
    match (report.failure, model) {
        (None, Some(model)) if report.status == Status::Identical => {
            Ok(Decoded { kind, model, deviations: report.deviations })
        }
        (Some(failure), _) => Err(format!("does not round-trip: {failure}")),
        (None, _) => Err(format!("does not round-trip: {}", report.status.name())),
    }
}

/// Makes changes by place, each where its old value matches.
fn change(edit: &FileEdit, old: &Bytes, changes: &[Change]) -> Result<Bytes, String> {
    let text = |error: crate::field::Error| error.to_string();
    let Decoded { kind, model, deviations } = decoded(edit.kind.as_deref().unwrap_or_default(), edit.name(), old)?;
    let about = About { kind, games: &[], sha256: Sha::of(old), deviations: &deviations };
    let (whole, entries) = (Held::of(kind.name, old), diff::held(&model, old).map_err(text)?);
    let held = |entry: &str| if entry.is_empty() { Some(whole) } else { entries.get(entry).copied() };
    let mut draft = Edit::of(&model, about).map_err(text)?;
    diff::apply(changes, &mut draft, held).map_err(|refusal| refusal.to_string())?;
    let packed = draft.pack(KINDS).map_err(text)?;
    let new = Bytes::from(encode(&packed.model).map_err(text)?);
    prove(KINDS, kind, &packed.model, (edit.name(), &new))?;
    Ok(new)
}
