//! The common parts of two models, which need not be compared: one edit of a world leaves nearly all of it unchanged.

use core::hash::{Hash as _, Hasher as _};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::edit::type_of;
use field::{Datum, DescribedIn, Group, Place, Result, Rule, Run, Step, Thresholds, Value, Visitor, What, wide};
use json::Compact;

/// Prefix of a value that replaces a part which both models have.
pub(super) const MARK: &str = "\0alike ";

/// The keys of the groups on the way in: hashes of their steps.
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

    /// Returns the key of the target of the last step.
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

/// The parts of a model: the hash of the contents of each, by its key.
#[derive(Default)]
pub(crate) struct Parts {
    way: Way,
    /// The open groups.
    open: Vec<Open>,
    held: FxHashMap<u64, u64>,
    /// The parts that can be found in the other model, each with its site. An item can have a different index there.
    found: FxHashSet<u64>,
    /// The lists whose items describe entries.
    tables: FxHashSet<u64>,
    /// The keys of the open entries, preceded by that of the file.
    containers: Vec<u64>,
    /// The number of open entries that are raw bytes in the exchange format, and so have no parts.
    raw: usize,
    buffer: Vec<u8>,
}

/// An open group: where it began, a hash of its contents so far, and whether it holds an entry.
struct Open {
    begin: u64,
    held: FxHasher,
    has_entries: bool,
}

/// Returns the hash of where a part can be found: a member by its name, an item by its list.
fn site(outer: u64, place: &Place, held: u64) -> u64 {
    match place.steps().last() {
        Some(Step::Name(name)) => key(key(outer, name), held),
        _ => key(outer, held),
    }
}

impl Parts {
    fn add(&mut self, what: impl core::hash::Hash) {
        if let Some(open) = self.open.last_mut() {
            what.hash(&mut open.held);
        }
    }

    /// Records the hash of that many bytes of a part, which can be just one piece of it.
    fn hold(&mut self, place: &Place, key: u64, held: u64, bytes: u64) {
        if self.raw > 0 {
            return;
        }
        let before = self.held.get(&key).copied();
        let held = before.map_or(held, |before| self::key(before, held));
        self.held.insert(key, held);
        // A short piece after the first counts too, but a short part is not worth finding.
        if bytes >= wide(Thresholds::here().bytes_compared) || before.is_some() {
            self.found.insert(site(self.way.last(), place, held));
        }
    }
}

impl Visitor for Parts {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let mut hasher = FxHasher::default();
        (datum.bytes, type_of(datum.what)).hash(&mut hasher);
        if let What::Run(Run::Padding(wanted)) = datum.what {
            wanted.hash(&mut hasher);
        }
        // The value that a rule computes is shown, too.
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
            if let DescribedIn::Item(list, _) = label.described_in {
                self.tables.insert(key(self.containers.last().copied().unwrap_or_default(), list));
            }
        }
        self.way.enter(group, place);
        if let Group::Entry { raw, .. } = group {
            self.containers.push(self.way.last());
            self.raw += usize::from(raw.is_some());
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
            _ => self.hold(place, key, held, offset - begin),
        }
        self.add((place.steps().last(), held));
    }

    fn fact(&mut self, place: &Place, fact: Value) {
        self.add((place.steps().last(), Compact(&fact).to_string()));
    }

    fn wants_facts(&self) -> bool {
        true
    }

    fn judges(&self) -> bool {
        true
    }
}

/// The parts that two models have in common, and the lists of both whose items describe entries.
#[derive(Debug)]
pub(crate) struct Common {
    found: FxHashSet<u64>,
    tables: FxHashSet<u64>,
}

impl Common {
    /// Finds the common parts of two models.
    pub(crate) fn of(old: &Parts, new: &Parts) -> Self {
        Self {
            found: old.found.intersection(&new.found).copied().collect(),
            tables: old.tables.union(&new.tables).copied().collect(),
        }
    }
}

/// The parts of a model that another model has as well, which a walk can leave out.
pub(crate) struct CommonParts<'p> {
    way: Way,
    parts: &'p Parts,
    common: &'p Common,
    /// The depth of the place of the part that is being left out.
    inside: Option<usize>,
}

impl<'p> CommonParts<'p> {
    /// Prepares to leave out the common parts of a model that has these parts.
    pub(crate) fn of(parts: &'p Parts, common: &'p Common) -> Self {
        Self { way: Way::default(), parts, common, inside: None }
    }

    /// Returns the mark for the part at a place, or `None` if the models do not share it.
    fn mark(&self, key: u64, place: &Place) -> Option<Value> {
        let outer = self.way.last();
        let held = *self.parts.held.get(&key)?;
        let Common { found, tables } = self.common;
        let is_told = tables.contains(&key) || tables.contains(&outer);
        (!is_told && found.contains(&site(outer, place, held))).then(|| format!("{MARK}{held:016x}").into())
    }

    /// Records the beginning of a group. Returns its mark if it is left out, and whether it is inside a group that is.
    pub(crate) fn enter(&mut self, group: Group, place: &Place) -> (Option<Value>, bool) {
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

    /// Records the end of a group. Returns `true` if it was left out, or is inside a group that is.
    pub(crate) fn leave(&mut self, place: &Place) -> bool {
        self.way.0.pop();
        let was_inside = self.inside.is_some();
        self.inside.take_if(|depth| *depth == place.steps().len());
        was_inside
    }

    /// Returns `true` if the walk is in a group that is left out.
    pub(crate) fn is_inside(&self) -> bool {
        self.inside.is_some()
    }

    /// Returns the mark for long data, or `None` if the models do not share it.
    pub(crate) fn datum(&self, datum: &Datum<'_>) -> Option<Value> {
        is_part(datum).then(|| self.mark(self.way.inner(datum.place), datum.place)).flatten()
    }
}

/// Returns `true` if data can be a part. Those of a record cannot, since its fields are members of the surrounding group, and
/// some data is not shown.
fn is_part(datum: &Datum<'_>) -> bool {
    let is_shown = matches!(datum.what, What::Block(..) | What::Text(_) | What::Run(_)) && !is_padding(datum);
    // Comparing smaller ones costs less than remembering them.
    let is_long = datum.bytes.len() >= Thresholds::here().bytes_compared;
    is_shown && is_long && matches!(datum.place.steps().last(), Some(Step::Name(_)))
}

fn is_padding(datum: &Datum<'_>) -> bool {
    matches!(datum.what, What::Run(Run::Padding(_)))
}

/// Returns `true` if a value contains the mark of a part that has been left out.
pub(super) fn is_marked(value: &Value) -> bool {
    match value {
        Value::Text(text) => text.starts_with(MARK),
        Value::List(items) => items.iter().any(is_marked),
        Value::Object(members) => members.iter().any(|(_, value)| is_marked(value)),
        _ => false,
    }
}
