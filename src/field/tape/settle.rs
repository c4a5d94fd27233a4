//! Settling: values that rules of a container give are made to say what they should.

use core::cell::Cell;
use core::ops::Range;
use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::super::error::{Error, Fault, Result};
use super::super::json::Json;
use super::super::json_text::Sources;
use super::super::layout::{Field, Item, Layout, Rule, Shape};
use super::super::limits;
use super::super::load::Kept;
use super::super::place::{Place, Step};
use super::super::visit::{Detail, What};
use super::super::walk;
use super::load::keys_of;
use super::{Lay, Mode, Tape, wide};

/// What is to be settled in a model, by the offset of the field in the file to be.
#[derive(Debug, Default)]
pub struct Settlement {
    /// Values that are kept as long as their rule gives what it gave, or whatever it gives.
    pub kept: FxHashMap<u64, Kept>,
    /// Stretches that are to stay as they are, in file order.
    pub as_they_are: Vec<Range<u64>>,
    /// What is said of fields, and has to be true.
    pub remarks: FxHashMap<(u64, &'static str), Json>,
    /// What is said that no byte tells, by where its entry begins, and the steps to it. Labels of entries are no help: in the
    /// exchange form they are names of files.
    pub facts: FxHashMap<(u64, Vec<Step>), Json>,
    /// Values that were kept, and which a rule has replaced.
    pub told: Vec<Told>,
    /// The texts of the documents, for errors: by where the entry of each begins, and how many entries that is in.
    pub(crate) sources: FxHashMap<(u64, usize), Sources>,
}

impl Settlement {
    /// Returns an error in an entry that begins at an offset, with its position in the text that the entry was loaded from.
    fn located(&self, entered: u64, error: Error) -> Error {
        let place = error.place();
        let sources = self.sources.get(&(entered, place.labels().len()));
        let spot = sources.and_then(|sources| sources.spot_of(&keys_of(place), false));
        error.with_spot(spot)
    }
}

/// A value that was kept, and that its rule has replaced because it gives something else now.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The field.
    pub place: Place,
    /// What had been kept.
    pub was: Json,
    /// What stands there now.
    pub now: Json,
}

pub(super) struct Settler<'t> {
    settlement: &'t Settlement,
    /// Whether rules are followed; else only what formats fill in themselves is.
    judges: bool,
    /// Where the entry begins that is being laid.
    entered: u64,
    /// The first value that has been changed in this pass, and where its entry begins.
    changed: Option<(u64, Told)>,
    /// Whether a count, length or offset has been filled in with another than it was in this pass.
    filled: Cell<bool>,
    told: Vec<Told>,
    /// What formats themselves have changed, in this pass or one before it.
    changes: Changes,
    /// The first remark that is not true.
    untrue: Option<Error>,
}

/// Changes in the order in which they came first.
#[derive(Default)]
struct Changes {
    told: Vec<Told>,
    /// Which of them is of a place.
    at: HashMap<Place, usize>,
}

/// Makes every value say what the rule of its container gives, except those that are kept; gives what was replaced.
///
/// # Errors
/// When the model cannot be written, a remark is not true, or a value never comes to rest: nothing gives what is said of it.
pub fn settle<M: Lay + ?Sized>(model: &mut M, settlement: &Settlement) -> Result<Vec<Told>> {
    // A checksum counts bytes that other rules give, in containers in containers; then all is said.
    let (mut last, mut changes) = (Vec::new(), Changes::default());
    for left in (0..limits::CONTAINERS.saturating_add(2)).rev() {
        let settler = Settler::new(settlement, true, changes);
        let mut tape = Tape::new(Mode::Settle(Box::new(settler)), Detail::Places);
        model.lay(&mut tape).map_err(|error| settlement.located(tape.entered, error))?;
        let Mode::Settle(settler) = tape.mode else { return Ok(Vec::new()) };
        let Settler { changed, filled, untrue, .. } = *settler;
        (last, changes) = (settler.told, settler.changes);
        match changed {
            None if filled.get() && left > 0 => {}
            None => {
                untrue.map_or(Ok(()), Err)?;
                break;
            }
            Some((entered, Told { place, was, now })) if left == 0 => {
                let fault = Fault::Unknown { found: now.describe(), expected: was.describe() };
                return Err(settlement.located(entered, Error::in_exchange(place, fault)));
            }
            Some(_) => {}
        }
    }
    Ok(settlement.told.iter().cloned().chain(changes.told).chain(last).collect())
}

/// Makes counts, lengths and offsets say what the model says. What rules give stays as it is.
///
/// # Errors
/// When the model cannot be written.
pub fn fill_in<M: Lay + ?Sized>(model: &mut M) -> Result {
    let settlement = Settlement::default();
    // What is filled in can move what another tells the place of.
    for _ in 0..limits::CONTAINERS {
        let settler = Settler::new(&settlement, false, Changes::default());
        let mut tape = Tape::new(Mode::Settle(Box::new(settler)), Detail::Places);
        model.lay(&mut tape)?;
        if !matches!(tape.mode, Mode::Settle(settler) if settler.filled.get() || settler.changed.is_some()) {
            break;
        }
    }
    Ok(())
}

/// The bytes of a model that may have been edited: what follows from the edits is filled in first.
///
/// # Errors
/// When the model cannot be written.
pub fn encode_edited<M: Lay + walk::Lay + ?Sized>(model: &mut M) -> Result<Vec<u8>> {
    fill_in(model)?;
    walk::encode(model)
}

impl Tape<'_> {
    /// Where a model is settled, makes its counts, lengths and offsets say what it says before a rule looks at its bytes: a
    /// checksum does.
    ///
    /// # Errors
    /// When the model cannot be written.
    pub fn fill_in<M: Lay + ?Sized>(&mut self, model: &mut M) -> Result {
        match &mut self.mode {
            Mode::Settle(settler) if settler.judges => settler.judges = false,
            _ => return Ok(()),
        }
        let (at, begun, last) = (self.at, self.begun, self.last);
        model.lay(self)?;
        (self.at, self.begun, self.last) = (at, begun, last);
        if let Mode::Settle(settler) = &mut self.mode {
            settler.judges = true;
        }
        Ok(())
    }
}

impl<'t> Settler<'t> {
    fn new(settlement: &'t Settlement, judges: bool, changes: Changes) -> Self {
        Self {
            settlement,
            judges,
            entered: 0,
            changed: None,
            filled: Cell::new(false),
            told: Vec::new(),
            changes,
            untrue: None,
        }
    }

    /// Notes where the entry begins that is being laid.
    pub(super) fn enter(&mut self, entered: u64) {
        self.entered = entered;
    }

    pub(super) fn judges(&self) -> bool {
        self.judges
    }

    pub(super) fn fixed(&mut self, what: What<'_>, record: &mut [u8], at: u64, place: &Place) {
        match what {
            What::Fields(layout, rules) => self.fields(layout, rules, record, at, || place.clone()),
            // What was a record when it was loaded may have become leftover memory.
            What::Value(Item { shape: Shape::Record(layout), .. }) => {
                layout.fields.iter().for_each(|field| self.filled(field, record, at, || place.clone()));
            }
            _ => {}
        }
    }

    /// Settles records, end to end, by the same records as their container's rules would have them.
    pub(super) fn rows(&mut self, item: &Item, rules: &[u8], rows: &mut [u8], mut at: u64, place: &Place) {
        let (Shape::Record(layout), each) = (item.shape, item.size.max(1)) else { return };
        for (index, (row, rules)) in (0..).zip(rows.chunks_exact_mut(each).zip(rules.chunks_exact(each))) {
            self.fields(layout, Some(rules), row, at, || place.with([Step::Index(index)]));
            at = at.saturating_add(wide(each));
        }
    }

    fn fields(&mut self, layout: &Layout, rules: Option<&[u8]>, record: &mut [u8], at: u64, place: impl Fn() -> Place) {
        if !self.judges {
            return;
        }
        let settlement = self.settlement;
        let stretch = settlement.as_they_are.partition_point(|stretch| stretch.end <= at);
        let stays = settlement.as_they_are.get(stretch).is_some_and(|stretch| stretch.contains(&at));
        if stays || !layout.settles() {
            return;
        }
        let mut buffer = Vec::new();
        for field in layout.fields {
            let expected = match field.rule {
                Rule::Outside => rules.and_then(|rules| field.of(rules)),
                Rule::Exact(_) => field.expected(record, &mut buffer),
                _ => None,
            };
            let Some(expected) = expected else {
                self.filled(field, record, at, &place);
                continue;
            };
            let value = match settlement.kept.get(&at.saturating_add(wide(field.offset))) {
                Some(kept) if kept.computed.as_ref().is_none_or(|it| it == expected) => kept.value.as_slice(),
                Some(kept) => {
                    self.tell(
                        place().with([Step::Name(field.name)]),
                        field.shape.show(&kept.value),
                        field.shape.show(expected),
                    );
                    expected
                }
                None => expected,
            };
            let found = record.get_mut(field.offset..).and_then(|rest| rest.get_mut(..value.len()));
            if let Some(found) = found.filter(|found| **found != *value) {
                if self.changed.is_none() {
                    let (was, now) = (field.shape.show(found), field.shape.show(value));
                    let changed = Told { place: place().with([Step::Name(field.name)]), was, now };
                    self.changed = Some((self.entered, changed));
                }
                found.copy_from_slice(value);
            }
        }
    }

    /// Says what was kept of a field that its container has filled in, whatever was said of it.
    fn filled(&mut self, field: &Field, record: &[u8], at: u64, place: impl Fn() -> Place) {
        if !self.judges || !matches!(field.rule, Rule::Outside | Rule::Exact(_)) {
            return;
        }
        let kept = self.settlement.kept.get(&at.saturating_add(wide(field.offset)));
        if let (Some(kept), Some(found)) = (kept, field.of(record))
            && kept.value != found
        {
            let (was, now) = (field.shape.show(&kept.value), field.shape.show(found));
            self.tell(place().with([Step::Name(field.name)]), was, now);
        }
    }

    /// Notes that a count, length or offset has been filled in with another than it was.
    pub(super) fn fills(&self) {
        self.filled.set(true);
    }

    /// Notes that something begins elsewhere than what was settled before it knew.
    pub(super) fn moved(&mut self, place: &Place, was: u64, now: u64) {
        if self.changed.is_none() {
            let changed = Told { place: place.clone(), was: was.into(), now: now.into() };
            self.changed = Some((self.entered, changed));
        }
    }

    /// Says what a value was that something else stands for now.
    pub(super) fn tell(&mut self, place: Place, was: Json, now: Json) {
        if self.judges {
            self.told.push(Told { place, was, now });
        }
    }

    /// Says what a value was before a format changed it.
    pub(super) fn change(&mut self, place: Place, was: Json, now: Json) {
        let Changes { told, at } = &mut self.changes;
        let nth = *at.entry(place.clone()).or_insert(told.len());
        match told.get_mut(nth) {
            Some(change) => change.now = now,
            None => told.push(Told { place, was, now }),
        }
    }

    /// Whether anything is said that no byte tells.
    pub(super) fn knows_facts(&self) -> bool {
        !self.settlement.facts.is_empty()
    }

    /// Says what a fact was that something else holds instead of now.
    pub(super) fn fact(&mut self, entered: u64, place: Place, now: Json) {
        let said = self.settlement.facts.get(&(entered, place.steps().to_vec()));
        if let Some(was) = said.filter(|was| **was != now) {
            self.tell(place, was.clone(), now);
        }
    }

    pub(super) fn remark(&mut self, name: &'static str, at: u64, place: &Place, remark: impl FnOnce() -> Option<Json>) {
        let said = self.settlement.remarks.get(&(at, name)).filter(|_| self.judges);
        let Some(said) = said else { return };
        let remark = remark().unwrap_or_default();
        if *said != remark && self.untrue.is_none() {
            let fault = Fault::Unknown { found: said.describe(), expected: remark.describe() };
            let error = Error::in_exchange(place.with([Step::Name(name)]), fault);
            self.untrue = Some(self.settlement.located(self.entered, error));
        }
    }
}
