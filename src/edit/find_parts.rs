//! Finds the parts of a model to edit, and records what must stay unchanged in the rest of it.

use std::collections::HashMap;

use super::editor::{Deviating, Entries, Piece, Which, counts};
use exchange::document::Recorder;
use field::{Address, Datum, Group, Item, Layout, Place, Result, Rule, Run, Shape, Step, Value, Visitor, What, wide};
use json::Kept;

use super::other_parts::Fingerprint;
use super::part_value::shown;

/// The parts to edit, and the facts needed about the others.
#[derive(Debug)]
pub(super) struct FoundParts {
    /// The parts with their current values.
    pub(super) pieces: Vec<Piece>,
    /// Derived values of other parts that differ from what their rules compute.
    pub(super) deviating: Deviating,
    /// A hash of the types of the other parts.
    pub(super) outside: u64,
}

/// The way to a place: the number of its part, and the keys in that part.
pub(super) type Way = (usize, Vec<String>);

/// Finds parts while a model is walked.
pub(super) struct PartFinder {
    wanted: Vec<Wanted>,
    /// The wanted places in each entry, by the entry's place.
    by_entry: HashMap<String, Vec<usize>>,
    entries: Entries,
    /// The places wanted in the open entries.
    open: Vec<Vec<usize>>,
    pieces: Vec<Piece>,
    deviating: Deviating,
    numbered: u64,
    fingerprint: Fingerprint,
    /// The part that a step walks, if any: its number, the depth of its place, and its contents so far.
    step: Option<(usize, usize, Recorder)>,
    /// `true` if something is wanted that cannot be a part.
    is_unfit: bool,
    buffer: Vec<u8>,
}

/// A place to find.
struct Wanted {
    keys: Vec<Key>,
    /// The part that holds it, and the number of keys that lead to that part.
    found: Option<(usize, usize)>,
    /// `true` if the part has such a value, even if it is as expected and thus not shown.
    is_known: bool,
    /// `true` if the item there is deleted, or another one inserted before it: then its list is the part.
    is_item: bool,
}

struct Key {
    text: String,
    index: Option<u64>,
}

impl Key {
    fn is(&self, step: Step) -> bool {
        match step {
            Step::Name(name) => self.text == name,
            Step::Index(index) => self.index == Some(index),
            Step::Entry => false,
        }
    }
}

impl Wanted {
    /// Returns the keys that lead on from a place, or `None` if the place is not on the way.
    fn behind(&self, pointer: &[Step]) -> Option<&[Key]> {
        let (way, rest) = self.keys.split_at_checked(pointer.len())?;
        way.iter().zip(pointer).all(|(key, step)| key.is(*step)).then_some(rest)
    }
}

impl PartFinder {
    /// Creates a visitor that finds the parts with these values.
    pub(super) fn new(places: &[Address]) -> Self {
        Self::of(&places.iter().collect::<Vec<_>>(), &[])
    }

    /// Creates a visitor that finds the parts with these values, and those with the lists of these items.
    pub(super) fn of(values: &[&Address], items: &[&Address]) -> Self {
        let mut by_entry: HashMap<String, Vec<usize>> = HashMap::new();
        let places = || values.iter().chain(items).copied();
        for (number, place) in places().enumerate() {
            by_entry.entry(place.entry.clone()).or_default().push(number);
        }
        let key = |text: &String| Key { text: text.clone(), index: text.parse().ok() };
        let wanted = |(number, place): (usize, &Address)| Wanted {
            keys: place.keys.iter().map(key).collect(),
            found: None,
            is_known: false,
            is_item: number >= values.len(),
        };
        let root = by_entry.get("").cloned().unwrap_or_default();
        Self {
            wanted: places().enumerate().map(wanted).collect(),
            by_entry,
            entries: Entries::default(),
            open: vec![root],
            pieces: Vec::new(),
            deviating: Deviating::new(),
            numbered: 0,
            fingerprint: Fingerprint::default(),
            step: None,
            // An entry as a whole is not a part of itself.
            is_unfit: places().any(|place| place.keys.is_empty()),
            buffer: Vec::new(),
        }
    }

    /// Returns the parts, and for each place its part and the keys in it, or `None` if a place has not been found.
    pub(super) fn finish(self) -> Option<(FoundParts, Vec<Way>)> {
        let Self { wanted, pieces, deviating, fingerprint, is_unfit, .. } = self;
        let way = |Wanted { keys, found, .. }: Wanted| {
            let (piece, depth) = found?;
            Some((piece, keys.into_iter().skip(depth).map(|key| key.text).collect()))
        };
        let ways = wanted.into_iter().map(way).collect::<Option<Vec<_>>>().filter(|_| !is_unfit)?;
        Some((FoundParts { pieces, deviating, outside: fingerprint.finish() }, ways))
    }

    /// Returns for each place what is there: a value, or an inner `None` if it is as expected.
    pub(super) fn values(self) -> Vec<Option<Option<Value>>> {
        let Self { wanted, pieces, .. } = self;
        let value = |Wanted { keys, found, is_known, .. }: Wanted| {
            let (piece, depth) = found?;
            let whole = &pieces.get(piece)?.json;
            let value = keys.iter().skip(depth).try_fold(whole, |json, key| json.step(&key.text));
            let value = value.filter(|value| **value != Value::Null).cloned();
            (value.is_some() || is_known).then_some(value)
        };
        wanted.into_iter().map(value).collect()
    }

    /// Returns the preserved derived values alone.
    pub(super) fn into_deviating(self) -> Deviating {
        self.deviating
    }

    /// Returns the part of this type at a place.
    fn piece(&mut self, place: &Place, which: Which, show: impl FnOnce() -> Value) -> usize {
        let (entry, pointer) = (self.entries.last(), place.pointer());
        let known = |it: &Piece| it.entry == entry && it.which == which && it.steps == pointer;
        if let Some(known) = self.pieces.iter().position(known) {
            return known;
        }
        self.pieces.push(Piece { entry, steps: pointer.to_vec(), which, json: show() });
        self.pieces.len() - 1
    }

    /// Records that a place is in a part, and whether that has a value there.
    fn found(&mut self, number: usize, (piece, depth): (usize, usize), is_known: bool) {
        if let Some(wanted) = self.wanted.get_mut(number) {
            wanted.found = Some((piece, depth));
            wanted.is_known = is_known;
        }
    }

    /// Checks whether bytes are a wanted part. Returns the wanted rows, and whether the bytes are wanted as a whole.
    fn look(&mut self, datum: &Datum<'_>) -> (Vec<u64>, bool) {
        let (mut rows, mut all) = (Vec::new(), false);
        let Some(numbers) = self.open.last().filter(|numbers| !numbers.is_empty()) else { return (rows, all) };
        let (numbers, pointer) = (numbers.clone(), datum.place.pointer());
        for number in numbers {
            let Some(wanted) = self.wanted.get(number).filter(|it| it.found.is_none()) else { continue };
            let Some(rest) = wanted.behind(pointer) else { continue };
            let (which, depth) = match (datum.what, rest) {
                (What::Fields(layout, _), [key, ..]) if layout.fields.iter().any(|it| it.name == key.text) => {
                    let first = layout.fields.first().map_or("", |field| field.name);
                    all = true;
                    (Which::Fields(first), pointer.len())
                }
                (What::Block(..), [_]) if wanted.is_item => (Which::Datum, pointer.len()),
                (What::Block(item, _), [Key { index: Some(index), .. }, ..])
                    if *index < wide(datum.bytes.len()).checked_div(wide(item.size)).unwrap_or(0) =>
                {
                    rows.push(*index);
                    (Which::Row(*index), pointer.len() + 1)
                }
                // As the last key, `-` is the place after the last row.
                (What::Block(..), [Key { text, .. }]) if text == "-" => (Which::Datum, pointer.len()),
                (What::Value(_) | What::Text(_) | What::Coded(..), _) | (What::Block(..), []) => {
                    (Which::Datum, pointer.len())
                }
                (What::Run(run), []) if !matches!(run, Run::Padding(_)) && !datum.bytes.is_empty() => {
                    (Which::Datum, pointer.len())
                }
                _ => continue,
            };
            all |= which == Which::Datum;
            let is_known = has(datum.what, which, rest);
            let piece = self.piece(datum.place, which, || shown(datum, which));
            self.found(number, (piece, depth), is_known);
        }
        // A block can be loaded by row or as a whole, but not both.
        self.is_unfit |= all && !rows.is_empty();
        (rows, all)
    }

    /// Records the derived values that differ from what their rules compute.
    fn deviates(&mut self, datum: &Datum<'_>, rows: &[u64]) {
        let number = self.numbered;
        self.numbered = number + 1;
        let mut kept = Vec::new();
        each_preserved(datum, &mut self.buffer, |row, at, preserved| {
            if row.is_none_or(|row| !rows.contains(&row)) {
                kept.push((at, preserved));
            }
        });
        if !kept.is_empty() {
            self.deviating.push_back((number, kept));
        }
    }

    /// Checks whether a list is a wanted part: as a whole, or to get another item.
    fn look_in(&mut self, group: Group, place: &Place) {
        // The contents of an object can decide which other data there are.
        let (Some(numbers), Group::List) = (self.open.last(), group) else { return };
        let (numbers, pointer) = (numbers.clone(), place.pointer());
        for number in numbers {
            let Some(rest) = self.wanted.get(number).filter(|it| it.found.is_none()).and_then(|it| it.behind(pointer))
            else {
                continue;
            };
            let is_it = match rest {
                [] => true,
                [key] => key.text == "-" || key.index.is_some(),
                _ => false,
            };
            if is_it {
                let piece = self.piece(place, Which::Step, Value::default);
                self.found(number, (piece, pointer.len()), false);
                if self.step.is_none() {
                    self.step = Some((piece, place.steps().len(), Recorder::whole(false)));
                }
            }
        }
    }
}

/// Passes on the derived values of a record or block that differ from what the rules of their container compute: the row of each, its offset
/// in the bytes, and the value.
pub(super) fn each_preserved(
    datum: &Datum<'_>,
    buffer: &mut Vec<u8>,
    mut preserved: impl FnMut(Option<u64>, u64, Kept),
) {
    let mut record = |layout: &'static Layout, row: Option<u64>, at: u64, bytes: &[u8], rules: Option<&[u8]>| {
        if !layout.waits_for_container() {
            return;
        }
        layout.shown(bytes, rules, buffer, |field, found, computed| {
            if let (Some(computed), Rule::Outside | Rule::Exact(_)) = (computed, field.rule) {
                let (value, computed) = (found.to_vec(), Some(computed.to_vec()));
                let steps = vec![Step::Name(field.name)];
                preserved(row, at + wide(field.offset), Kept { steps, computed, value });
            }
            true
        });
    };
    match datum.what {
        What::Fields(layout, rules) => record(layout, None, 0, datum.bytes, rules),
        What::Block(Item { shape: Shape::Record(layout), size, .. }, Some(rules)) => {
            let each = (*size).max(1);
            for (index, (row, rules)) in (0..).zip(datum.bytes.chunks_exact(each).zip(rules.chunks_exact(each))) {
                record(layout, Some(index), index * wide(each), row, Some(rules));
            }
        }
        _ => {}
    }
}

/// Returns `true` if a part has a value to which these keys lead from its datum: one that is as expected is not shown.
fn has(what: What<'_>, which: Which, keys: &[Key]) -> bool {
    match (what, which, keys) {
        (What::Fields(..), Which::Fields(_), [_]) | (What::Block(..), Which::Row(_), [_]) | (_, Which::Datum, []) => {
            true
        }
        (What::Block(Item { shape: Shape::Record(layout), .. }, _), Which::Row(_), [_, key]) => {
            layout.fields.iter().any(|field| field.name == key.text)
        }
        _ => false,
    }
}

impl Visitor for PartFinder {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if let Some((.., whole)) = &mut self.step {
            return whole.data(datum);
        }
        let (rows, all) = self.look(datum);
        let is_datum = all && !matches!(datum.what, What::Fields(..));
        if !is_datum {
            self.fingerprint.add(datum);
        }
        match counts(datum.what) {
            true if all => self.numbered += 1,
            true => self.deviates(datum, &rows),
            false => {}
        }
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        self.fingerprint.enter(place);
        if let Group::Entry { .. } = group {
            self.entries.enter();
            self.open.push(self.by_entry.get(&place.container()).cloned().unwrap_or_default());
            // The contents of an entry are not a value of the surrounding part.
            self.is_unfit |= self.step.is_some();
        } else if self.step.is_none() {
            self.look_in(group, place);
        }
        if let Some((.., whole)) = &mut self.step {
            whole.enter(group, place, offset);
        }
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        self.fingerprint.leave();
        if let Some((.., whole)) = &mut self.step {
            whole.leave(group, place, offset);
        }
        if let Group::Entry { .. } = group {
            self.entries.leave();
            self.open.pop();
        }
        if let Some((piece, _, whole)) = self.step.take_if(|(_, depth, _)| *depth == place.steps().len()) {
            let name =
                place.pointer().last().and_then(|step| if let Step::Name(name) = step { Some(*name) } else { None });
            let value = name.and_then(|name| whole.value(&[name.to_owned()]));
            match (value, self.pieces.get_mut(piece)) {
                // A list that is walked more than once comes in pieces, and cannot be loaded at once.
                (Some(value), Some(piece)) if piece.json == Value::Null => piece.json = value,
                _ => self.is_unfit = true,
            }
        }
    }

    fn fact(&mut self, place: &Place, fact: Value) {
        if let Some((.., whole)) = &mut self.step {
            whole.fact(place, fact);
        }
    }

    fn wants_facts(&self) -> bool {
        self.step.is_some()
    }

    fn judges(&self) -> bool {
        true
    }
}
