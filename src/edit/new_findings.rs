//! Deviations and warnings that an edit has created.

use std::collections::{BTreeMap, HashSet};

use super::Values;
use field::{Address, Error, Place, Value, visit};
use json::Describe as _;
use kind::Model;
use lint::{Addresses, IsSame, Warning, changed, counted, listed_more};
use passes::{Check, Deviation};

/// Returns the deviations of an edited model, each by its own place, that the model did not have before. Both models are given with all
/// kinds of their deviations.
///
/// # Errors
/// Returns an error if a model cannot be laid out.
pub(super) fn deviations_since(
    (before, old): (&Model, &[Deviation]),
    (after, new): (&Model, &[Deviation]),
) -> Result<Vec<Deviation>, Error> {
    let counts: BTreeMap<&str, u64> = old.iter().map(|it| (it.place.as_str(), it.count)).collect();
    let more: HashSet<&str> = new
        .iter()
        .filter(|it| counts.get(it.place.as_str()).is_none_or(|count| *count < it.count))
        .map(|it| it.place.as_str())
        .collect();
    if more.is_empty() {
        return Ok(Vec::new());
    }
    // What has become the first of its kind is known with its place.
    let is_first = |it: &Deviation| it.count == 1 && !counts.contains_key(it.place.as_str());
    let is_more = |it: &&Deviation| more.contains(it.place.as_str());
    if new.iter().filter(is_more).all(is_first) {
        return Ok(new.iter().filter(is_more).cloned().collect());
    }
    let [old, new] = [listed_deviations(before)?, listed_deviations(after)?];
    let old: HashSet<String> = old.iter().map(|it| it.first_place.to_string()).collect();
    let is_new = |it: &Deviation| more.contains(it.place.as_str()) && !old.contains(&it.first_place.to_string());
    Ok(new.into_iter().filter(is_new).collect())
}

/// Returns the deviations of a model, each by its own place.
fn listed_deviations(model: &Model) -> Result<Vec<Deviation>, Error> {
    let mut check = Check::listing();
    visit(model, &mut check)?;
    Ok(check.finish().0)
}

/// Returns the warnings that an edited model has and the original does not, and those of changed values. Both models are given with their
/// addresses. Entries that are the same in both are not looked at.
///
/// # Errors
/// Returns an error if a model cannot be laid out.
pub(super) fn warnings_since(
    (before, original): (&Model, &Addresses),
    (after, edited): (&Model, &Addresses),
    is_same: IsSame<'_>,
) -> Result<Vec<Warning>, Error> {
    let [old, new] = listed_more(before, after, is_same);
    let old: HashSet<(&str, &Place)> = old.iter().map(|it| (it.trap.id, &it.first_place)).collect();
    let is_new = |it: &Warning| !old.contains(&(it.trap.id, &it.first_place));
    let mut found: Vec<Warning> = new.into_iter().filter(is_new).collect();
    found.extend(with_values(before, after, counted(changed((before, original), (after, edited), is_same)?))?);
    Ok(counted(found))
}

/// Adds the old and the new value to warnings of changed values.
fn with_values(before: &Model, after: &Model, mut changed: Vec<Warning>) -> Result<Vec<Warning>, Error> {
    let places = changed.iter().map(|it| Address::from(it.first_place.to_string().as_str()));
    // Other changes are of whole entries.
    let places: Vec<Address> = places.filter(|place| !place.keys.is_empty()).collect();
    if places.is_empty() {
        return Ok(changed);
    }
    let (Some(old), Some(new)) = (Values::open(before, &places)?, Values::open(after, &places)?) else {
        return Ok(changed);
    };
    let ofs = changed.iter_mut().filter(|it| !it.first_place.pointer().is_empty());
    for (number, warning) in ofs.enumerate() {
        if let (Some(was), Some(now)) = (old.get(number), new.get(number)) {
            let text = |value: &Value| value.get("text").unwrap_or(value).describe();
            let (was, now) = (text(was), text(now));
            // Large values can look alike.
            if was != now {
                warning.found = format!("{was} → {now}");
            }
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::registry::KINDS;

    /// Returns the deviations of a model by their kinds.
    fn all(model: &Model) -> Vec<Deviation> {
        let mut check = Check::default();
        visit(model, &mut check).expect("is laid out");
        check.finish().0
    }

    #[test]
    fn new_deviations_are_those_at_places_without_one_before_of_a_kind_of_which_there_are_more() {
        let mut files: BTreeMap<&str, Vec<Model>> = BTreeMap::new();
        for size in [forge::Size::Tiny, forge::Size::Small] {
            for sample in forge::samples(7, size) {
                let kind = kind::named(KINDS, sample.kind).expect("it is a kind");
                let model = (kind.decode)(sample.bytes.into()).expect("it decodes").model;
                files.entry(kind.name).or_default().push(model);
            }
        }
        let (mut first, mut listed, mut nothing) = (0, 0, 0);
        for models in files.values() {
            for (before, after) in models.iter().zip(models.iter().skip(1)).chain(models.iter().skip(1).zip(models)) {
                let (old, new) = (all(before), all(after));
                let found = deviations_since((before, &old), (after, &new)).expect("are laid out");
                let [each_old, each_new] = [before, after].map(|it| listed_deviations(it).expect("is laid out"));
                let count = |of: &[Deviation], place: &str| of.iter().filter(|it| it.place == place).count();
                let is_new = |it: &&Deviation| {
                    count(&each_new, &it.place) > count(&each_old, &it.place)
                        && each_old.iter().all(|old| old.first_place.to_string() != it.first_place.to_string())
                };
                let expected: Vec<&Deviation> = each_new.iter().filter(is_new).collect();
                let places = |of: &[&Deviation]| {
                    let mut places: Vec<String> = of.iter().map(|it| it.first_place.to_string()).collect();
                    places.sort_unstable();
                    places
                };
                assert_eq!(places(&found.iter().collect::<Vec<_>>()), places(&expected));
                let are_first = new.iter().all(|it| it.count == 1);
                *(match () {
                    () if expected.is_empty() => &mut nothing,
                    () if are_first => &mut first,
                    () => &mut listed,
                }) += 1;
            }
        }
        assert!([first, listed, nothing].iter().all(|count| *count > 0), "{first} {listed} {nothing}");
    }
}
