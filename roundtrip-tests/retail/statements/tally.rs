//! Counts equal values of the fields that statements are about.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use bitexact::field::{Class, Datum, Visitor};

use super::fact::{Fact, Is, fits, starred};
use super::facts::statements;

/// The bytes of equal values, each with its number.
pub(super) type Equal = BTreeMap<Vec<u8>, u64>;

/// Bytes below a place.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) start: u64,
    pub(super) length: u64,
}

/// What is counted in a file.
#[derive(Default)]
pub(super) struct Tally {
    /// By place as in the statements.
    pub(super) values: BTreeMap<&'static str, Equal>,
    pub(super) extents: BTreeMap<&'static str, Extent>,
    /// The records by place, each with the values of all its fields that a statement names.
    records: BTreeMap<&'static str, Vec<BTreeMap<&'static str, Vec<u8>>>>,
    pub(super) addresses: Equal,
    /// The wanted places of values by their form with stars.
    wanted: BTreeMap<String, BTreeSet<&'static str>>,
    wanted_records: BTreeMap<&'static str, BTreeSet<&'static str>>,
    wanted_extents: BTreeSet<&'static str>,
}

impl Tally {
    /// Counts what some statements need.
    fn new(facts: impl IntoIterator<Item = Fact>) -> Self {
        let mut tally = Self::default();
        for fact in facts {
            for place in fact.places() {
                tally.wanted.entry(starred(place)).or_default().insert(place);
            }
            match fact.inner() {
                Fact::With(places, fields) => {
                    for place in places {
                        let names = tally.wanted_records.entry(place).or_default();
                        names.extend(fields.iter().map(|(name, _)| name));
                    }
                }
                Fact::Start(places) | Fact::Length(places) => tally.wanted_extents.extend(places),
                _ => {}
            }
        }
        tally
    }

    /// Counts what the statements and their shapes need.
    pub(super) fn of_statements() -> Self {
        static FACTS: LazyLock<BTreeSet<Fact>> =
            LazyLock::new(|| statements().iter().flat_map(|it| [it.fact, it.fact.of_any()]).collect());
        Self::new(FACTS.iter().copied())
    }

    /// Returns the number of records at a place of which fields have these values.
    pub(super) fn with(&self, place: &str, fields: &[(&str, Is)]) -> u64 {
        let records = self.records.get(place).into_iter().flatten();
        let fits = |record: &&BTreeMap<&str, Vec<u8>>| {
            fields.iter().all(|(name, is)| {
                record.get(name).is_some_and(|bytes| match is {
                    Is::Number(wanted) => number(bytes) == *wanted,
                    Is::Text(wanted) => text(bytes) == *wanted,
                })
            })
        };
        records.filter(fits).count() as u64
    }
}

/// Returns the number in little-endian order.
pub(super) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value: u64, byte| value << 8 | u64::from(*byte))
}

/// Returns the text up to the first NUL, a character for each byte.
pub(super) fn text(bytes: &[u8]) -> String {
    bytes.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect()
}

/// Returns the text of a whole field and one more NUL.
pub(super) fn whole_text(bytes: &[u8]) -> String {
    bytes.iter().chain([&0]).map(|byte| char::from(*byte)).collect()
}

impl Visitor for Tally {
    fn data(&mut self, datum: &Datum<'_>) -> bitexact::field::Result {
        let below = datum.place.starred();
        for wanted in self.wanted_extents.iter().filter(|wanted| below.starts_with(*wanted)) {
            let extent = self.extents.entry(wanted).or_insert(Extent { start: datum.offset, length: 0 });
            extent.start = extent.start.min(datum.offset);
            extent.length += datum.bytes.len() as u64;
        }
        // The text of a field and the bytes after it are two parts, and so are the length and the text of a string.
        let mut parts: Vec<(String, String, Vec<u8>)> = Vec::new();
        datum.owners(&mut |owner| {
            if owner.class == Class::Pointer && owner.bytes.iter().any(|byte| *byte != 0) {
                *self.addresses.entry(owner.bytes.to_vec()).or_default() += 1;
            }
            let place = owner.place.starred();
            let (record, _) = place.rsplit_once('/').unwrap_or_default();
            if !self.wanted.contains_key(&place) && !self.wanted_records.contains_key(record) {
                return;
            }
            let exact = owner.place.to_string();
            match parts.last_mut() {
                Some((_, last, bytes)) if *last == exact => bytes.extend(owner.bytes),
                _ => parts.push((place, exact, owner.bytes.to_vec())),
            }
        });
        let mut last = String::new();
        for (place, exact, bytes) in parts {
            for wanted in self.wanted.get(&place).into_iter().flatten().filter(|wanted| fits(wanted, &exact)) {
                *self.values.entry(wanted).or_default().entry(bytes.clone()).or_default() += 1;
            }
            let (record, name) = place.rsplit_once('/').unwrap_or_default();
            if let Some((record, names)) = self.wanted_records.get_key_value(record) {
                let of = exact.rsplit_once('/').unwrap_or_default().0;
                let records = self.records.entry(record).or_default();
                if of != last {
                    records.push(BTreeMap::new());
                    of.clone_into(&mut last);
                }
                if let (Some(name), Some(record)) = (names.get(name), records.last_mut()) {
                    record.insert(name, bytes);
                }
            }
        }
        Ok(())
    }
}
