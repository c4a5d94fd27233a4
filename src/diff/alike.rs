//! What two models have in common, so that it need not be looked into: one edit of a world leaves nearly all of it alike.

use core::hash::{Hash as _, Hasher as _};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::edit::sort;
use crate::field::{Datum, Error, Group, Json, Place, Result, Row, Rule, Run, Step, Visitor, What, visit, wide};
use crate::format::Model;

/// What a value begins with that stands for a part which both models have.
const MARK: &str = "\0alike ";
/// So many bytes can be a part. To look into fewer costs less than to keep them in mind.
const LONG: usize = 128;

/// The keys of the groups on the way in: hashes of the steps there.
#[derive(Debug, Default)]
struct Way(Vec<u64>);

impl Way {
    fn last(&self) -> u64 {
        self.0.last().copied().unwrap_or_default()
    }

    fn enter(&mut self, group: Group, place: &Place) {
        let key = match (group, place.labels().last()) {
            (Group::Entry { .. }, Some(label)) => key(self.last(), label.to_string()),
            _ => self.inner(place),
        };
        self.0.push(key);
    }

    /// The key of what the last step leads to.
    fn inner(&self, place: &Place) -> u64 {
        match place.steps().last() {
            Some(Step::Name(name)) => key(self.last(), name),
            Some(Step::Index(index)) => key(self.last(), index),
            Some(Step::Entry) | None => self.last(),
        }
    }
}

fn key(outer: u64, step: impl core::hash::Hash) -> u64 {
    let mut hasher = FxHasher::default();
    outer.hash(&mut hasher);
    step.hash(&mut hasher);
    hasher.finish()
}

/// The parts of a model: what is in each, by its key.
#[derive(Default)]
struct Parts {
    way: Way,
    /// The groups that are open.
    open: Vec<Open>,
    held: FxHashMap<u64, u64>,
    /// What can be found in the other model: each part with where it is. An item can be at another index.
    found: FxHashSet<u64>,
    /// Lists in which it is said of entries.
    tables: FxHashSet<u64>,
    /// The keys of the entries that are open, and before them that of the file.
    containers: Vec<u64>,
    /// How many of them are bytes as they are in the exchange form, which have no parts.
    raw: usize,
    buffer: Vec<u8>,
}

/// A group that is open: where it began, what has been in it so far, and whether an entry was.
struct Open {
    begin: u64,
    held: FxHasher,
    has_entries: bool,
}

/// Where a part can be found: a member by its name, an item by its list.
fn site(outer: u64, place: &Place, held: u64) -> u64 {
    match place.steps().last() {
        Some(Step::Name(name)) => key(key(outer, name), held),
        _ => key(outer, held),
    }
}

impl Parts {
    fn of(model: &Model) -> core::result::Result<Self, Error> {
        let mut parts = Self::default();
        visit(model, &mut parts)?;
        Ok(parts)
    }

    fn add(&mut self, what: impl core::hash::Hash) {
        if let Some(open) = self.open.last_mut() {
            what.hash(&mut open.held);
        }
    }

    /// Notes what is in so many bytes of a part, be it only a piece of it.
    fn hold(&mut self, place: &Place, key: u64, held: u64, bytes: u64) {
        if self.raw > 0 {
            return;
        }
        let before = self.held.get(&key).copied();
        let held = before.map_or(held, |before| self::key(before, held));
        self.held.insert(key, held);
        // A short piece of an item counts, but alone it is not worth finding.
        if bytes >= wide(LONG) || before.is_some() {
            self.found.insert(site(self.way.last(), place, held));
        }
    }
}

impl Visitor for Parts {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let mut hasher = FxHasher::default();
        (datum.bytes, sort(datum.what)).hash(&mut hasher);
        if let What::Run(Run::Padding(wanted)) = datum.what {
            wanted.hash(&mut hasher);
        }
        // What a rule gives instead is shown, too.
        if let What::Fields(layout, rules @ Some(_)) = datum.what {
            layout.shown(datum.bytes, rules, &mut self.buffer, |field, _, computed| {
                if let (Rule::Outside | Rule::Exact(_), Some(computed)) = (field.rule, computed) {
                    (field.name, computed).hash(&mut hasher);
                }
                true
            });
        }
        if let What::Block(_, Some(rules)) = datum.what {
            rules.hash(&mut hasher);
        }
        let held = hasher.finish();
        if is_part(datum) {
            self.hold(datum.place, self.way.inner(datum.place), held, wide(datum.bytes.len()));
        }
        self.add((datum.place.steps().last(), held));
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        if let (Group::Entry { .. }, Some(label)) = (group, place.labels().last()) {
            self.open.iter_mut().for_each(|open| open.has_entries = true);
            if let Row::Item(list, _) = label.row {
                self.tables.insert(key(self.containers.last().copied().unwrap_or_default(), list));
            }
        }
        self.way.enter(group, place);
        if let Group::Entry { raw, .. } = group {
            self.containers.push(self.way.last());
            self.raw = self.raw.saturating_add(usize::from(raw.is_some()));
        }
        self.open.push(Open { begin: offset, held: FxHasher::default(), has_entries: false });
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        let key = self.way.last();
        self.way.0.pop();
        let Some(Open { begin, held, has_entries }) = self.open.pop() else { return };
        let held = held.finish();
        match group {
            Group::Entry { raw, .. } => {
                self.containers.pop();
                self.raw = self.raw.saturating_sub(usize::from(raw.is_some()));
            }
            _ if has_entries => {}
            _ => self.hold(place, key, held, offset.saturating_sub(begin)),
        }
        self.add((place.steps().last(), held));
    }

    fn fact(&mut self, place: &Place, fact: Json) {
        self.add((place.steps().last(), fact.to_string()));
    }

    fn wants_facts(&self) -> bool {
        true
    }

    fn judges(&self) -> bool {
        true
    }
}

/// The parts of a model that another has as well, to be left out where it is gone through.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    way: Way,
    held: FxHashMap<u64, u64>,
    found: FxHashSet<u64>,
    tables: FxHashSet<u64>,
    /// How deep the place of the part is that is being left out.
    inside: Option<usize>,
}

impl Alike {
    /// What two models have in common, for each of them.
    ///
    /// # Errors
    /// Returns an error if one of them cannot be laid.
    pub(crate) fn of(old: &Model, new: &Model) -> core::result::Result<[Self; 2], Error> {
        let [mut old, new] = [Parts::of(old)?, Parts::of(new)?];
        old.tables.extend(&new.tables);
        let both: FxHashSet<u64> = old.found.intersection(&new.found).copied().collect();
        let (tables, found) = (old.tables, both);
        Ok([
            Self { held: old.held, found: found.clone(), tables: tables.clone(), ..Self::default() },
            Self { held: new.held, found, tables, ..Self::default() },
        ])
    }

    /// What stands for what is at a place, if both models have it.
    fn mark(&self, key: u64, place: &Place) -> Option<Json> {
        let outer = self.way.last();
        let held = *self.held.get(&key)?;
        let is_told = self.tables.contains(&key) || self.tables.contains(&outer);
        (!is_told && self.found.contains(&site(outer, place, held))).then(|| format!("{MARK}{held:016x}").into())
    }

    /// Notes that a group begins. Returns what stands for it if it is left out, and whether it is in one that is.
    pub(crate) fn enter(&mut self, group: Group, place: &Place) -> (Option<Json>, bool) {
        let is_entry = matches!(group, Group::Entry { .. });
        let key = self.way.inner(place);
        let (was_inside, mark) = match self.inside {
            Some(_) => (true, None),
            None if is_entry => (false, None),
            None => (false, self.mark(key, place)),
        };
        if mark.is_some() {
            self.inside = Some(place.steps().len());
        }
        self.way.enter(group, place);
        (mark, was_inside)
    }

    /// Notes that a group ends. Returns whether it was left out, or in one that is.
    pub(crate) fn leave(&mut self, place: &Place) -> bool {
        self.way.0.pop();
        let was_inside = self.inside.is_some();
        self.inside.take_if(|depth| *depth == place.steps().len());
        was_inside
    }

    /// Whether what is being laid is in a group that is left out.
    pub(crate) fn is_inside(&self) -> bool {
        self.inside.is_some()
    }

    /// What stands for long data that both models have.
    pub(crate) fn datum(&self, datum: &Datum<'_>) -> Option<Json> {
        is_part(datum).then(|| self.mark(self.way.inner(datum.place), datum.place)).flatten()
    }
}

/// Whether data can be a part. Those of a record can not, since its fields are members of the group that it is in, and what
/// is shown of some is nothing.
fn is_part(datum: &Datum<'_>) -> bool {
    let is_shown = matches!(datum.what, What::Block(..) | What::Text(_) | What::Run(_)) && !is_padding(datum);
    is_shown && datum.bytes.len() >= LONG && matches!(datum.place.steps().last(), Some(Step::Name(_)))
}

fn is_padding(datum: &Datum<'_>) -> bool {
    matches!(datum.what, What::Run(Run::Padding(_)))
}

/// Whether something stands in a value for a part that has been left out.
pub(super) fn is_marked(value: &Json) -> bool {
    match value {
        Json::Text(text) => text.starts_with(MARK),
        Json::List(items) => items.iter().any(is_marked),
        Json::Object(members) => members.iter().any(|(_, value)| is_marked(value)),
        _ => false,
    }
}
