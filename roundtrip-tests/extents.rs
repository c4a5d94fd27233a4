//! The bytes of a value are those that hold it, also in files whose layout is not that of the shown values.

use core::ops::Range;
use std::fs;

use bitexact::exchange::show;
use bitexact::field::{Address, Datum, Result, Value, Visitor, visit, wide};
use bitexact::kind::Model;
use bitexact::passes::Extent;

use crate::harness;

/// Each owner with its bytes, in file order, and each part without bytes.
#[derive(Default)]
struct Owners(Vec<(Address, Range<u64>)>);

impl Visitor for Owners {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if datum.bytes.is_empty() {
            self.0.push((datum.place.to_string().as_str().into(), datum.offset..datum.offset));
            return Ok(());
        }
        datum.owners(&mut |owner| {
            let end = owner.offset + wide(owner.bytes.len());
            self.0.push((owner.place.to_string().as_str().into(), owner.offset..end));
        });
        Ok(())
    }
}

impl Owners {
    /// Returns the bytes of each owner at a place and inside it.
    fn inside(&self, at: &Address) -> Vec<&Range<u64>> {
        let is_inside = |owner: &Address| match at.keys.is_empty() && owner.entry != at.entry {
            true => at.entry.is_empty() || owner.entry.starts_with(&format!("{}!", at.entry)),
            false => owner.entry == at.entry && owner.keys.starts_with(&at.keys),
        };
        self.0.iter().filter(|(owner, _)| is_inside(owner)).map(|(_, range)| range).collect()
    }

    /// Returns the bytes of the owners at a place and inside it. If all are empty, they are where the first one is.
    fn within(&self, at: &Address) -> Vec<Range<u64>> {
        let all = self.inside(at);
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for range in all.iter().filter(|range| !range.is_empty()) {
            match ranges.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => ranges.push((*range).clone()),
            }
        }
        if ranges.is_empty() {
            ranges.extend(all.first().map(|range| (*range).clone()));
        }
        ranges
    }
}

fn extent(model: &Model, at: &Address) -> Vec<Range<u64>> {
    let mut extent = Extent::of(at.clone());
    visit(model, &mut extent).unwrap();
    extent.ranges()
}

/// Returns every value and its place, that of the whole file first.
fn values<'a>(value: &'a Value, at: &Address, all: &mut Vec<(Address, &'a Value)>) {
    all.push((at.clone(), value));
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| values(value, &at.with(key.as_str()), all)),
        Value::List(items) => (0..).zip(items).for_each(|(nth, value)| values(value, &at.with(nth.to_string()), all)),
        _ => {}
    }
}

/// Checks each value of a sample file, and that so many texts are in bytes that only the value around them owns.
fn check(kind: &str, path: &str, least: usize) {
    let bytes = fs::read(harness::golden_install().join("nwn").join(path)).unwrap();
    let model = (harness::kind(kind).decode)(bytes.clone().into()).unwrap().model;
    let mut owners = Owners::default();
    visit(&model, &mut owners).unwrap();
    let shown = show(&model, "", usize::MAX).unwrap().unwrap();
    let (mut all, mut climbed) = (Vec::new(), 0);
    values(&shown, &Address::default(), &mut all);
    for (place, value) in all {
        let own = extent(&model, &place);
        assert_eq!(own, owners.within(&place), "{path}: {place}");
        let text = match value {
            Value::Text(text) if text.is_ascii() && !text.is_empty() => text.as_bytes(),
            _ => continue,
        };
        // As the page does it: a value without bytes is in those of the value around it.
        let (mut at, mut ranges) = (place.clone(), own.clone());
        while let (true, Some((outer, _))) = (ranges.is_empty(), at.outer()) {
            ranges = extent(&model, &outer);
            at = outer;
        }
        let holds = |range: &Range<u64>| {
            let part = &bytes[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()];
            part.windows(text.len()).any(|it| it == text)
        };
        if !at.keys.is_empty() && own.is_empty() && ranges.iter().any(holds) {
            climbed += 1;
        }
    }
    assert!(climbed >= least, "{path}: only {climbed} texts are in the bytes of the value around them");
}

#[test]
fn values_of_a_gff_are_in_the_bytes_of_their_fields() {
    check("gff", "override/c_boar.utc", 3);
}

#[test]
fn cells_of_a_2da_are_in_the_bytes_of_their_rows() {
    check("2da", "override/appearance.2da", 10);
}

#[test]
fn texts_of_a_tlk_are_in_the_bytes_of_their_entries() {
    check("tlk", "dialog.tlk", 3);
}

/// Empty values of each file of the sample install and some of its other values, of lists only the first items.
#[test]
fn empty_values_are_where_their_bytes_would_be() {
    let (mut empty, mut partly) = (0, 0);
    for harness::Case { name, kind, bytes, .. } in harness::known_files(&harness::golden_install(), "install") {
        let model = (kind.decode)(bytes.into()).unwrap().model;
        let mut owners = Owners::default();
        visit(&model, &mut owners).unwrap();
        let shown = show(&model, "", 2).unwrap().unwrap();
        let mut all = Vec::new();
        values(&shown, &Address::default(), &mut all);
        for (nth, (place, _)) in all.iter().enumerate() {
            let (expected, inside) = (owners.within(place), owners.inside(place));
            let is_empty = expected.iter().any(Range::is_empty);
            let has_empty = !place.keys.is_empty() && inside.iter().any(|range| range.is_empty());
            empty += usize::from(is_empty);
            partly += usize::from(has_empty && !is_empty);
            if has_empty || nth % 16 == 0 {
                assert_eq!(extent(&model, place), expected, "{name}: {place}");
            }
        }
    }
    println!("{empty} values are empty, {partly} have empty parts");
    assert!(empty > 0 && partly > 0, "no value was empty, or had an empty part");
}
