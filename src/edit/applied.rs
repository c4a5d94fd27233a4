//! Changes that are made in the parts with the values, without the documents that hold them.

use std::collections::BTreeSet;

use super::diff::{Change, is_expected};
use super::{Batch, BatchError, Batched, Values};
use field::{Address, Error, Thresholds, Value};
use kind::{Kind, Model};

/// Makes changes in the parts with the values if they set nothing else. Returns `None` if [`diff::apply`](super::diff::apply) is needed,
/// or has the reason why they do not fit. The model is that of a file of this kind and name (the last part of its path).
///
/// # Errors
/// Returns an error if the model cannot be laid out, or if the edited file takes more memory than allowed.
pub fn apply_to_parts(
    kinds: &'static [Kind],
    file: (&'static Kind, &Model, &str),
    changes: &[Change],
) -> Result<Option<Batched>, Error> {
    let set = |change: &Change| match change {
        Change::Set { at, old: Some(old), new: Some(new) } => Some((at.clone(), old.clone(), new.clone())),
        _ => None,
    };
    let Some(set) = changes.iter().map(set).collect::<Option<Vec<_>>>() else { return Ok(None) };
    let places: BTreeSet<String> = set.iter().map(|(at, ..)| at.to_string()).collect();
    // A later change of the same value expects what an earlier one has set.
    if set.is_empty() || set.len() > Thresholds::here().values_edited || places.len() < set.len() {
        return Ok(None);
    }
    let places: Vec<Address> = set.iter().map(|(at, ..)| at.clone()).collect();
    let Some(values) = Values::open(file.1, &places)? else { return Ok(None) };
    let is_fit = |(nth, (_, old, _)): (usize, &(Address, Value, Value))| is_expected(values.get(nth), Some(old));
    if !set.iter().enumerate().all(is_fit) {
        return Ok(None);
    }
    let set = set.into_iter().map(|(at, _, new)| (at, new)).collect();
    match (Batch { set, retype: true, ..Batch::default() }).of_values(kinds, file) {
        Ok(batched) => Ok(batched),
        Err(BatchError::Error(error)) if error.is_memory() => Err(error),
        Err(_) => Ok(None),
    }
}
