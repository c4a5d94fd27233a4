//! The entries that no edit has touched: they are taken over from the file as they are, and not made from documents again.

use core::ops::Range;
use std::collections::{BTreeMap, HashMap, HashSet};

use bytes::Bytes;

use super::super::find_parts::each_preserved;
use field::{Datum, Group, Place, Result as Laid, Visitor, wide};
use json::{Content, Kept, Recomputation};
use passes::{Span, SpanFinder};

/// The entries of a file that no edit has touched.
#[derive(Clone, Debug, Default)]
pub(super) struct Untouched {
    /// The bytes of the whole file.
    bytes: Bytes,
    /// The file and the span of each entry, by its place.
    entries: BTreeMap<String, (String, Span)>,
    /// The place of each entry, by its file.
    places: HashMap<String, String>,
    /// The places of the entries that are only parts of a file. How one is read depends on the rest of its container, so it stays as it is
    /// only if all of that does.
    parts: HashSet<String>,
    /// Derived values that differ from what their rules compute, by their offsets.
    kept: BTreeMap<u64, Kept>,
    /// The ranges of entries whose contents are bytes, in file order.
    raw: Vec<Range<u64>>,
}

/// The entries that no edit has touched, after all edits.
pub(super) struct Settled {
    /// The contents of the outermost ones, by their files.
    pub(super) contents: BTreeMap<String, Content>,
    /// The files of those in them.
    pub(super) inside: HashSet<String>,
}

impl Untouched {
    /// Records that an edit touches the entry with this file, and thus those around it.
    pub(super) fn touch(&mut self, file: &str) {
        let Some(place) = self.places.remove(file) else { return };
        for outer in around(&place) {
            self.entries.remove(outer);
        }
        self.entries.remove(&place);
    }

    pub(super) fn finish(self) -> Settled {
        let Self { bytes, entries, parts, kept, raw, .. } = self;
        let (mut contents, mut inside) = (BTreeMap::new(), HashSet::new());
        let stays = |place: &str| entries.contains_key(place) && !parts.contains(place);
        for (place, (file, span)) in &entries {
            if around(place).any(stays) {
                inside.insert(file.clone());
                continue;
            }
            if !stays(place) {
                continue;
            }
            let Some(content) = span.range().and_then(|range| bytes.get(range.clone()).map(|_| bytes.slice(range)))
            else {
                continue;
            };
            let moved = |at: u64| at - span.begin;
            let kept = kept.range(span.begin..span.end).map(|(at, kept)| (moved(*at), kept.clone())).collect();
            let first = raw.partition_point(|range| range.start < span.begin);
            let within = raw.iter().skip(first).take_while(|range| range.end <= span.end);
            let as_they_are = within.map(|range| moved(range.start)..moved(range.end)).collect();
            let recomputation = Recomputation { kept, as_they_are, ..Recomputation::default() };
            contents.insert(file.clone(), Content::AsIs(content, Box::new(recomputation)));
        }
        Settled { contents, inside }
    }
}

/// Returns the places of the entries around another, the outermost first.
fn around(place: &str) -> impl Iterator<Item = &str> {
    place.match_indices('!').filter_map(|(end, _)| place.get(..end))
}

/// A visitor that finds the entries of a model, its bytes, and what must stay in them.
#[derive(Default)]
pub(super) struct UntouchedFinder {
    bytes: Vec<u8>,
    spans: SpanFinder,
    kept: BTreeMap<u64, Kept>,
    raw: Vec<Range<u64>>,
    /// The offsets at which the open entries begin.
    open: Vec<u64>,
    /// The places of the entries that are only parts of a file.
    parts: HashSet<String>,
    buffer: Vec<u8>,
}

impl UntouchedFinder {
    /// Returns the number of bytes that it holds.
    pub(super) fn held(&self) -> u64 {
        wide(self.bytes.len())
    }

    /// Returns the entries, given the file of each by its place.
    pub(super) fn finish(self, files: &BTreeMap<String, String>) -> Untouched {
        let Self { bytes, spans, kept, mut raw, parts, .. } = self;
        raw.sort_by_key(|range| range.start);
        let entry = |(place, span): (String, Span)| {
            let file = files.get(&place)?.clone();
            Some((place, (file, span)))
        };
        let entries: BTreeMap<_, _> = spans.spans.into_iter().filter_map(entry).collect();
        let places = entries.iter().map(|(place, (file, _))| (file.clone(), place.clone())).collect();
        Untouched { bytes: bytes.into(), entries, places, parts, kept, raw }
    }
}

impl Visitor for UntouchedFinder {
    fn data(&mut self, datum: &Datum<'_>) -> Laid {
        self.bytes.extend_from_slice(datum.bytes);
        let Self { kept, buffer, .. } = self;
        each_preserved(datum, buffer, |_, at, preserved| drop(kept.insert(datum.offset + at, preserved)));
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        self.spans.enter(group, place, offset);
        if let Group::Entry { is_part, .. } = group {
            self.open.push(offset);
            if is_part {
                self.parts.insert(place.container());
            }
        }
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        self.spans.leave(group, place, offset);
        if let Group::Entry { raw, .. } = group {
            let begin = self.open.pop().unwrap_or(offset);
            if raw.is_some() {
                self.raw.push(begin..offset);
            }
        }
    }

    fn judges(&self) -> bool {
        true
    }
}
