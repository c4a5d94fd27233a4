//! The driver that recomputes values by the rules of their containers.

use core::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::describe::Describe as _;
use crate::{Recomputation, Reference, ReplacedValue};
use field::driver::{Driver, Fact, Given, Here, Role};
use field::{
    Address, Error, Fault, Field, Item, Lay, Layout, Place, Referents, Result, Rule, Shape, Step, Value, What, drive,
    limits, walk, wide,
};

struct Recomputer<'t> {
    recomputation: &'t Recomputation,
    /// `true` if rules are applied; otherwise only values that formats fill in themselves are updated.
    judges: bool,
    /// The offset at which the current entry begins.
    entered: u64,
    /// The first value that has changed in this pass, and the offset at which its entry begins.
    changed: Option<(u64, ReplacedValue)>,
    /// `true` if a count, length or offset was filled in with a different value in this pass.
    filled: Cell<bool>,
    replaced: Vec<ReplacedValue>,
    /// Changes that formats themselves have made, in this pass or an earlier one.
    changes: Changes,
    /// The error for the first stated value that is not true, or the first name that refers to nothing.
    untrue: Option<Error>,
    /// What the indices of the current part refer to.
    referents: Option<Rc<dyn Referents>>,
    /// The offsets of the indices for which names were given, as far as these have been looked up.
    looked_up: FxHashSet<u64>,
    /// For each place to recompute: whether there is a value that has a rule.
    is_ruled: Vec<bool>,
}

/// Changes in the order in which they first occurred.
#[derive(Default)]
struct Changes {
    replaced: Vec<ReplacedValue>,
    /// The index of the change at each place.
    at: HashMap<Place, usize>,
}

/// Sets every value to the one that the rule of its container computes, unless it is preserved, and returns the replaced values.
///
/// # Errors
/// Returns an error if the model cannot be written, if a stated value is not true, or if a value keeps changing, so that no result is
/// stable.
pub fn recompute<M: Lay + ?Sized>(model: &mut M, recomputation: &Recomputation) -> Result<Vec<ReplacedValue>> {
    recompute_all(model, recomputation).map(|(replaced, _)| replaced)
}

/// Recomputes every value at these places that has a rule, and the values that depend on it. Returns the replaced values, and the places
/// without such a value.
///
/// # Errors
/// Returns an error if [`recompute`] would.
pub fn recompute_at<'a, M: Lay + ?Sized>(
    model: &mut M,
    mut recomputation: Recomputation,
    places: &'a [Address],
) -> Result<(Vec<ReplacedValue>, Vec<&'a Address>)> {
    recomputation.recompute = places.to_vec();
    let (replaced, is_ruled) = recompute_all(model, &recomputation)?;
    let idle = places.iter().zip(is_ruled).filter(|(_, is_ruled)| !is_ruled).map(|(place, _)| place);
    Ok((replaced, idle.collect()))
}

/// Recomputes until nothing changes. Also returns for each place to recompute whether there is a value that has a rule.
fn recompute_all<M: Lay + ?Sized>(model: &mut M, how: &Recomputation) -> Result<(Vec<ReplacedValue>, Vec<bool>)> {
    // A checksum depends on bytes that other rules compute, in nested containers; one more pass confirms the result.
    let (mut last, mut changes, mut is_ruled) = (Vec::new(), Changes::default(), Vec::new());
    for left in (0..limits::CONTAINERS + 2).rev() {
        let mut recomputer = Recomputer::new(how, true, changes);
        drive(model, &mut recomputer, u64::MAX).map_err(|error| how.located(recomputer.entered, error))?;
        let Recomputer { changed, filled, untrue, looked_up, .. } = recomputer;
        (last, changes, is_ruled) = (recomputer.replaced, recomputer.changes, recomputer.is_ruled);
        match changed {
            None if filled.get() && left > 0 => {}
            None => {
                untrue.map_or(Ok(()), Err)?;
                how.all_looked_up(&looked_up)?;
                break;
            }
            Some((entered, ReplacedValue { place, was, now })) if left == 0 => {
                let fault = Fault::Unknown { found: now.describe(), expected: was.describe() };
                return Err(how.located(entered, Error::in_exchange(place, fault)));
            }
            Some(_) => {}
        }
    }
    Ok((how.replaced.iter().cloned().chain(changes.replaced).chain(last).collect(), is_ruled))
}

/// Sets counts, lengths and offsets to the values that the model requires. Values computed by rules stay unchanged.
///
/// # Errors
/// Returns an error if the model cannot be written.
pub fn fill_in<M: Lay + ?Sized>(model: &mut M) -> Result {
    let recomputation = Recomputation::default();
    // Filling in a value can move a part whose offset is stored elsewhere.
    for _ in 0..limits::CONTAINERS {
        let mut recomputer = Recomputer::new(&recomputation, false, Changes::default());
        drive(model, &mut recomputer, u64::MAX)?;
        if !recomputer.filled.get() && recomputer.changed.is_none() {
            break;
        }
    }
    Ok(())
}

/// Encodes a model that may have been edited, after filling in its counts, lengths and offsets. What other rules give stays as it is, such as
/// a checksum: [`recompute`] sets it.
///
/// # Errors
/// Returns an error if the model cannot be written.
pub fn encode_edited<M: Lay + walk::Lay + ?Sized>(model: &mut M) -> Result<Vec<u8>> {
    fill_in(model)?;
    walk::encode(model)
}

impl<'t> Recomputer<'t> {
    fn new(recomputation: &'t Recomputation, judges: bool, changes: Changes) -> Self {
        Self {
            recomputation,
            judges,
            entered: 0,
            changed: None,
            filled: Cell::new(false),
            replaced: Vec::new(),
            changes,
            untrue: None,
            referents: None,
            looked_up: FxHashSet::default(),
            is_ruled: vec![false; recomputation.recompute.len()],
        }
    }

    /// Recomputes wanted values in a field or a value.
    fn inner(&mut self, shape: &Shape, bytes: &mut [u8], at: u64, place: &Place) {
        if !self.recomputes() || !shape.ruled() {
            return;
        }
        match shape {
            Shape::Record(layout) => self.fields(layout, None, bytes, at, &|| place.clone()),
            Shape::Array(of, _) => {
                let each = of.size().max(1);
                for (index, row) in (0..).zip(bytes.chunks_exact_mut(each)) {
                    self.inner(of, row, at + index * wide(each), &place.with([Step::Index(index)]));
                }
            }
            Shape::Leaf(_) => {}
        }
    }

    fn fields(&mut self, layout: &Layout, rules: Option<&[u8]>, record: &mut [u8], at: u64, place: &dyn Fn() -> Place) {
        if !self.judges {
            return;
        }
        self.look_up(layout, record, at, place);
        let recomputation = self.recomputation;
        let stretch = recomputation.as_they_are.partition_point(|stretch| stretch.end <= at);
        let stays = recomputation.as_they_are.get(stretch).is_some_and(|stretch| stretch.contains(&at));
        let waits = layout.waits_for_container();
        if stays || !(waits || layout.ruled && self.recomputes()) {
            return;
        }
        let mut buffer = Vec::new();
        for field in layout.fields {
            // Most fields are free.
            if !self.recomputes() && !matches!(field.rule, Rule::Outside | Rule::Exact(_)) {
                continue;
            }
            let expected = match field.rule {
                Rule::Outside => rules.and_then(|rules| field.of(rules)),
                Rule::Exact(_) if waits || self.recomputes() => field.expected(record, &mut buffer),
                Rule::Advisory(_) if self.recomputes() => field.expected(record, &mut buffer),
                _ => None,
            };
            let is_stale = || recomputation.stale.contains(&(at + wide(field.offset)));
            let wants = expected.is_some() && self.recomputes() && (is_stale() || self.wants(&place(), field.name));
            let expected = expected.filter(|_| wants || waits && !matches!(field.rule, Rule::Advisory(_)));
            let Some(expected) = expected else {
                self.filled(field, record, at, place);
                if self.recomputes() && field.shape.ruled() {
                    let inside = place().with([Step::Name(field.name)]);
                    self.inner(&field.shape, field.of_mut(record), at + wide(field.offset), &inside);
                }
                continue;
            };
            let kept = recomputation.kept.get(&(at + wide(field.offset))).filter(|_| !wants);
            let value = match kept {
                Some(kept) if kept.computed.as_ref().is_none_or(|it| it == expected) => kept.value.as_slice(),
                Some(kept) => {
                    self.report(
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
                if wants || self.changed.is_none() {
                    let (was, now) = (field.shape.show(found), field.shape.show(value));
                    let place = place().with([Step::Name(field.name)]);
                    if wants {
                        self.recomputed(place, was, now);
                    } else {
                        self.changed = Some((self.entered, ReplacedValue { place, was, now }));
                    }
                }
                found.copy_from_slice(value);
            }
        }
    }

    /// Sets the indices for which names were given.
    fn look_up(&mut self, layout: &Layout, record: &mut [u8], at: u64, place: &dyn Fn() -> Place) {
        if !layout.refers || self.recomputation.references.is_empty() {
            return;
        }
        let Some(referents) = self.referents.clone() else { return };
        for field in layout.fields {
            let at = at + wide(field.offset);
            let Some(leaf) = field.index_leaf() else { continue };
            let Some(Reference { name, .. }) = self.recomputation.references.get(&at) else { continue };
            let Some(roster) = referents.of_field(field.name) else { continue };
            self.looked_up.insert(at);
            let found = field.of_mut(record);
            let mut now = found.to_vec();
            match roster.index(name).and_then(|index| leaf.set(&Value::Integer(index), &mut now)) {
                Ok(()) if *found == *now => {}
                Ok(()) => {
                    found.copy_from_slice(&now);
                    let replaced = || {
                        let place = place().with([Step::Name(field.name)]);
                        ReplacedValue { place, was: Value::Text(name.clone()), now: leaf.show(&now) }
                    };
                    // In the first pass, every name is one, and only the first is reported.
                    self.changed.get_or_insert_with(|| (self.entered, replaced()));
                }
                Err(expected) if self.untrue.is_none() => {
                    let fault = Fault::Unknown { found: Value::Text(name.clone()).describe(), expected };
                    let error = Error::in_exchange(place().with([Step::Name(field.name)]), fault);
                    self.untrue = Some(self.recomputation.located(self.entered, error));
                }
                Err(_) => {}
            }
        }
    }

    /// Reports the preserved value of a field if its container has filled in a different one.
    fn filled(&mut self, field: &Field, record: &[u8], at: u64, place: &dyn Fn() -> Place) {
        if !self.judges || !matches!(field.rule, Rule::Outside | Rule::Exact(_)) {
            return;
        }
        let kept = self.recomputation.kept.get(&(at + wide(field.offset)));
        if let (Some(kept), Some(found)) = (kept, field.of(record))
            && kept.value != found
        {
            let (was, now) = (field.shape.show(&kept.value), field.shape.show(found));
            self.report(place().with([Step::Name(field.name)]), was, now);
        }
    }

    /// Records a preserved value that its rule has replaced.
    fn report(&mut self, place: Place, was: Value, now: Value) {
        if self.judges {
            self.replaced.push(ReplacedValue { place, was, now });
        }
    }
}

impl Driver for Recomputer<'_> {
    fn role(&self) -> Role {
        Role::Recompute
    }

    fn fixed(&mut self, what: What<'_>, bytes: &mut [u8], Here { at, place, .. }: Here<'_>) -> Result {
        match what {
            What::Fields(layout, rules) => self.fields(layout, rules, bytes, at, &|| place.clone()),
            What::Value(Item { shape, .. }) => {
                // A part that was a record when it was loaded may have become leftover memory.
                if let Shape::Record(layout) = shape {
                    layout.fields.iter().for_each(|field| self.filled(field, bytes, at, &|| place.clone()));
                }
                self.inner(shape, bytes, at, place);
            }
            _ => {}
        }
        Ok(())
    }

    fn changes_rows(&self, item: &Item, has_rules: bool) -> bool {
        has_rules || self.recomputes() && item.ruled
    }

    /// Recomputes records, end to end, from the records that their container's rules compute.
    fn rows(&mut self, item: &Item, rules: Option<&[u8]>, rows: &mut [u8], here: Here<'_>) {
        let (Shape::Record(layout), each) = (item.shape, item.size.max(1)) else { return };
        let (mut rules, mut at) = (rules.map(|rules| rules.chunks_exact(each)), here.at);
        for (index, row) in (0..).zip(rows.chunks_exact_mut(each)) {
            let rules = rules.as_mut().and_then(Iterator::next);
            self.fields(layout, rules, row, at, &|| here.place.with([Step::Index(index)]));
            at += wide(each);
        }
    }

    fn entered(&mut self, at: u64) {
        self.entered = at;
    }

    /// Reports a stated fact if the model now holds a different one.
    fn fact(&mut self, fact: &mut Fact<'_>, here: Here<'_>) -> Result<Given> {
        if self.recomputation.facts.is_empty() {
            return Ok(Given::Stays);
        }
        let (place, now) = (here.member(fact.name), fact.shown());
        let said = self.recomputation.facts.get(&(here.entered, place.steps().to_vec()));
        let is_renewed = || {
            let mut around = (0..place.steps().len()).map_while(|depth| place.steps().get(..depth));
            around.any(|steps| self.recomputation.renewed.contains(&(here.entered, steps.to_vec())))
        };
        if let Some(was) = said.filter(|was| **was != now && !is_renewed()) {
            self.report(place, was.clone(), now);
        }
        Ok(Given::Stays)
    }

    /// Reports a label in the exchange format that is no longer that of its part.
    fn label(&mut self, name: &'static str, here: Here<'_>, label: &mut dyn FnMut() -> Option<Value>) {
        if let Some(said) = self.recomputation.stated.get(&(here.at, name)).filter(|_| self.judges) {
            let now = label().unwrap_or_default();
            if *said != now {
                self.report(here.member(name), said.clone(), now);
            }
        }
    }

    /// Refuses a stated number if the model has a different one.
    fn number(&mut self, name: &'static str, says: Option<u64>, here: Here<'_>) -> Result {
        let stated = self.recomputation.stated.get(&(here.at, name)).filter(|_| self.judges);
        if let (Some(said), Some(says)) = (stated, says)
            && *said != Value::from(says)
            && self.untrue.is_none()
        {
            let fault = Fault::Unknown { found: said.describe(), expected: Value::from(says).describe() };
            let error = Error::in_exchange(here.member(name), fault);
            self.untrue = Some(self.recomputation.located(self.entered, error));
        }
        Ok(())
    }

    fn gives_up(&mut self, place: Place, was: Value, now: Value) {
        self.report(place, was, now);
    }

    fn change(&mut self, (place, _): (Place, u64), was: Value, now: Value) {
        let Changes { replaced, at } = &mut self.changes;
        let nth = *at.entry(place.clone()).or_insert(replaced.len());
        match replaced.get_mut(nth) {
            Some(change) => change.now = now,
            None => replaced.push(ReplacedValue { place, was, now }),
        }
    }

    fn judges(&self) -> bool {
        self.judges
    }

    fn judge(&mut self, judges: bool) -> bool {
        core::mem::replace(&mut self.judges, judges) != judges
    }

    fn fills(&self) {
        self.filled.set(true);
    }

    fn moved(&mut self, place: &Place, was: u64, now: u64) {
        if self.changed.is_none() {
            let changed = ReplacedValue { place: place.clone(), was: was.into(), now: now.into() };
            self.changed = Some((self.entered, changed));
        }
    }

    fn recomputes(&self) -> bool {
        !(self.recomputation.recompute.is_empty() && self.recomputation.stale.is_empty())
    }

    fn wants(&mut self, place: &Place, name: &'static str) -> bool {
        let places = &self.recomputation.recompute;
        if places.is_empty() || !self.judges {
            return false;
        }
        let entry = place.container();
        let steps = || place.pointer().iter().copied().chain([Step::Name(name)]);
        let mut wants = false;
        for (at, is_ruled) in places.iter().zip(&mut self.is_ruled) {
            let holds = at.holds(&entry, steps());
            *is_ruled |= holds;
            wants |= holds;
        }
        wants
    }

    fn recomputed(&mut self, place: Place, was: Value, now: Value) {
        if self.changed.is_none() {
            self.changed =
                Some((self.entered, ReplacedValue { place: place.clone(), was: was.clone(), now: now.clone() }));
        }
        self.change((place, self.entered), was, now);
    }

    fn refer_to(&mut self, referents: &mut dyn FnMut() -> Option<Rc<dyn Referents>>) -> Option<Rc<dyn Referents>> {
        if self.recomputation.references.is_empty() {
            None
        } else {
            core::mem::replace(&mut self.referents, referents())
        }
    }

    fn refer_again(&mut self, referents: Option<Rc<dyn Referents>>) {
        self.referents = referents;
    }
}
