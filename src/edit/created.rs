//! Deviations that an edit has created.

use std::collections::{BTreeMap, HashSet};

use crate::field::{Error, visit, walk};
use crate::passes::{Check, Deviation};

/// Returns the deviations of an edited model, each by its own place, that the model did not have before.
///
/// An edit can move items of a list, so places are compared only for kinds of deviations that occur more often than before.
///
/// # Errors
/// Returns an error if a model cannot be laid out.
pub fn created<M: walk::Lay + ?Sized>(before: &M, after: &M) -> Result<Vec<Deviation>, Error> {
    let [old, new] = [found(before, Check::default())?, found(after, Check::default())?];
    let counts: BTreeMap<&str, u64> = old.iter().map(|it| (it.place.as_str(), it.count)).collect();
    let more: HashSet<&str> = new
        .iter()
        .filter(|it| counts.get(it.place.as_str()).is_none_or(|count| *count < it.count))
        .map(|it| it.place.as_str())
        .collect();
    if more.is_empty() {
        return Ok(Vec::new());
    }
    let [old, new] = [found(before, Check::listing())?, found(after, Check::listing())?];
    let old: HashSet<String> = old.iter().map(|it| it.first_place.to_string()).collect();
    let is_new = |it: &Deviation| more.contains(it.place.as_str()) && !old.contains(&it.first_place.to_string());
    Ok(new.into_iter().filter(is_new).collect())
}

fn found<M: walk::Lay + ?Sized>(model: &M, mut check: Check) -> Result<Vec<Deviation>, Error> {
    visit(model, &mut check)?;
    Ok(check.finish().0)
}
