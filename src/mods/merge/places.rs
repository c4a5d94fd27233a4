//! Places in lists of which two copies insert and delete items: as they are in the original, and after the changes of both.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::edit::diff::Change;
use field::{Address, Thresholds, wide};

use super::outer;

/// The changes of a copy, with the places that they have in the original.
pub(super) struct Based {
    pub(super) changes: Vec<Change>,
    pub(super) moves: Moves,
    /// The changed items beside inserted or deleted ones: which of them is which is a guess, so nobody else may change them.
    guessed: HashSet<Address>,
}

/// An item that is inserted before one of the original, or one of the original that is deleted; the first index counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Insert(u64),
    Delete(u64),
}

impl Event {
    /// Returns a key by which events are in the order of the list: what is inserted before an item comes before it.
    const fn order(self) -> (u64, bool) {
        match self {
            Self::Insert(gap) => (gap, false),
            Self::Delete(item) => (item, true),
        }
    }
}

/// The items that are inserted and deleted, by list of the original.
#[derive(Default)]
pub(super) struct Moves(HashMap<Address, Vec<Event>>);

/// What is at an index of a list.
enum At {
    /// This item of the original.
    Item(u64),
    /// An item that was inserted.
    New,
}

/// Returns what is at an index after some events, and the index in the original of the item that an item inserted there comes before.
fn found(events: &[Event], index: u64) -> (At, u64) {
    let (mut now, mut item) = (0_u64, 0_u64);
    let mut gap = None;
    for event in events {
        let (at, _) = event.order();
        let between = at.saturating_sub(item);
        if index < now + between {
            let found = item + (index - now);
            return (At::Item(found), gap.unwrap_or(found));
        }
        (now, item) = (now + between, at.max(item));
        if index == now && gap.is_none() {
            gap = Some(item);
        }
        match event {
            Event::Insert(_) if index == now => return (At::New, gap.unwrap_or(item)),
            Event::Insert(_) => now += 1,
            Event::Delete(_) => item += 1,
        }
    }
    let found = item + (index - now.min(index));
    (At::Item(found), gap.unwrap_or(found))
}

impl Moves {
    pub(super) fn insert(&mut self, list: Address, gap: u64) {
        self.add(list, Event::Insert(gap));
    }

    pub(super) fn delete(&mut self, list: Address, item: u64) {
        self.add(list, Event::Delete(item));
    }

    fn add(&mut self, list: Address, event: Event) {
        let events = self.0.entry(list).or_default();
        let at = events.partition_point(|it| it.order() <= event.order());
        events.insert(at, event);
    }

    /// Returns the lists, each with the index in the original of the first item that moves or is deleted, and the number of deleted ones.
    pub(super) fn lists(&self) -> impl Iterator<Item = (&Address, u64, u64)> {
        self.0.iter().filter_map(|(list, events)| {
            let first = events.first()?.order().0;
            let deleted = events.iter().filter(|it| matches!(it, Event::Delete(_))).count();
            Some((list, first, wide(deleted)))
        })
    }

    /// Returns the place in the original of a place after these moves, or `None` if it is in an item that was inserted.
    fn before(&self, at: &Address) -> Option<Address> {
        let mut before = Address::of_entry(at.entry.as_str());
        for key in &at.keys {
            let key = match (self.0.get(&before), key.parse()) {
                (Some(events), Ok(index)) => match found(events, index).0 {
                    At::Item(item) => item.to_string(),
                    At::New => return None,
                },
                _ => key.clone(),
            };
            before.keys.push(key);
        }
        Some(before)
    }

    /// Returns how far an item of the original has moved: items inserted before it, and deleted ones. `None` if it is itself deleted. An
    /// item that is inserted there stands after others that are.
    fn shift(&self, list: &Address, item: u64) -> Option<[u64; 2]> {
        let events = self.0.get(list).map(Vec::as_slice).unwrap_or_default();
        if events.binary_search_by_key(&(item, true), |it| it.order()).is_ok() {
            return None;
        }
        Some(Self::counts(events, item))
    }

    /// Returns the numbers of items inserted and deleted before an item of the original.
    fn counts(events: &[Event], item: u64) -> [u64; 2] {
        let before = events.partition_point(|it| it.order() <= (item, false));
        let before = events.get(..before).unwrap_or_default();
        let inserted = before.iter().filter(|it| matches!(it, Event::Insert(_))).count();
        [wide(inserted), wide(before.len() - inserted)]
    }

    /// Returns the place of a place of the original after these moves and `made`. `None` if it is in an item that was deleted.
    pub(super) fn now(&self, made: &Self, at: &Address) -> Option<Address> {
        let (mut before, mut now) = (Address::of_entry(at.entry.as_str()), Address::of_entry(at.entry.as_str()));
        for key in &at.keys {
            let moved = match key.parse::<u64>() {
                Ok(item) if self.0.contains_key(&before) || made.0.contains_key(&before) => {
                    let [one, other] = [self.shift(&before, item)?, made.shift(&before, item)?];
                    (item + one[0] + other[0]).checked_sub(one[1] + other[1])?.to_string()
                }
                _ => key.clone(),
            };
            before.keys.push(key.clone());
            now.keys.push(moved);
        }
        Some(now)
    }

    /// Returns the place at which an item is inserted before one of the original, after these moves and `made`.
    pub(super) fn gap_now(&self, made: &Self, list: &Address, gap: u64) -> Option<Address> {
        let counts = |moves: &Self| {
            let events = moves.0.get(list).map(Vec::as_slice).unwrap_or_default();
            Self::counts(events, gap)
        };
        let [one, other] = [counts(self), counts(made)];
        let index = (gap + one[0] + other[0]).checked_sub(one[1] + other[1])?;
        Some(self.now(made, list)?.with(index.to_string()))
    }
}

impl Based {
    /// Returns the changes of a copy with the places of the original. `None` if entries and other items of one table have moved.
    pub(super) fn of(changes: &[Change]) -> Option<Self> {
        let mut based = Self { changes: Vec::new(), moves: Moves::default(), guessed: HashSet::new() };
        let mut tables: HashSet<&str> = HashSet::new();
        for change in changes {
            let mut change_based = change.clone();
            match &mut change_based {
                Change::Set { at, .. } | Change::Order { at, .. } => *at = based.moves.before(at)?,
                Change::Insert { at, .. } => {
                    let (list, index) = outer(at)?;
                    let list = based.moves.before(&list)?;
                    let gap = based.moves.0.get(&list).map_or(index, |events| found(events, index).1);
                    *at = list.with(gap.to_string());
                    based.moves.insert(list, gap);
                }
                Change::Delete { at, .. } => {
                    *at = based.moves.before(at)?;
                    let (list, item) = outer(at)?;
                    based.moves.delete(list, item);
                }
                Change::Add { .. } | Change::Remove { .. } | Change::Move { .. } => {
                    tables.insert(container(change.entry()));
                }
                Change::Rename { .. } | Change::Replace { .. } => {}
            }
            based.changes.push(change_based);
        }
        based.guessed = based.guessed();
        // The rows of entries are in a list of their container itself.
        let is_clear = based.moves.0.keys().all(|list| !tables.contains(list.entry.as_str()) || list.keys.len() > 1);
        is_clear.then_some(based)
    }

    /// Returns the items in which something is changed, by their lists: those from which items are deleted, or into which some are inserted,
    /// or those in which all have kept their places.
    fn changed_items(&self, of_moved: bool) -> HashMap<Address, BTreeSet<u64>> {
        let mut changed: HashMap<Address, BTreeSet<u64>> = HashMap::new();
        for change in &self.changes {
            let (at, is_item) = match change {
                Change::Set { at, .. } => (at, false),
                Change::Insert { at, .. } | Change::Delete { at, .. } if of_moved => (at, true),
                _ => continue,
            };
            let mut around = at.clone();
            while let Some((list, key)) = around.outer() {
                // An item that is itself inserted or deleted is no changed one.
                let is_changed = !(is_item && around == *at) && self.moves.0.contains_key(&list) == of_moved;
                if let (Ok(item), true) = (key.parse(), is_changed) {
                    changed.entry(list.clone()).or_default().insert(item);
                }
                around = list;
            }
        }
        changed
    }

    /// Returns the changed items in a row with inserted or deleted ones.
    fn guessed(&self) -> HashSet<Address> {
        let changed = self.changed_items(true);
        let mut guessed = self.swapped();
        for (list, items) in &changed {
            let events = self.moves.0.get(list).map(Vec::as_slice).unwrap_or_default();
            let gone: HashSet<u64> =
                events.iter().filter(|it| matches!(it, Event::Delete(_))).map(|it| it.order().0).collect();
            let at: BTreeSet<u64> = events.iter().map(|it| it.order().0).collect();
            let mut rest = items.iter().copied().chain(gone).collect::<BTreeSet<u64>>().into_iter().peekable();
            while let Some(begin) = rest.next() {
                let mut end = begin + 1;
                while rest.next_if_eq(&end).is_some() {
                    end += 1;
                }
                // A row that something is inserted into or deleted from, at one of its ends or between.
                if at.range(begin..=end).next().is_some() {
                    guessed.extend((begin..end).map(|item| list.with(item.to_string())));
                }
            }
        }
        guessed
    }

    /// Returns the items of lists that are compared by index alone, if several are changed: they can be others that took their places.
    fn swapped(&self) -> HashSet<Address> {
        /// So many changed items are no edits by hand.
        const MANY: usize = 1000;
        // The lengths of lists that `diff` compares so; the index of a changed item is as much of the length as changes say.
        let Thresholds { items_of_vector: few, items_compared: long, .. } = *Thresholds::here();
        let is_by_index = |last: &u64| *last < wide(few) || *last >= wide(long);
        let is_doubtful =
            |items: &BTreeSet<u64>| items.len() > MANY || items.len() > 1 && items.last().is_some_and(is_by_index);
        let doubtful = self.changed_items(false).into_iter().filter(|(_, items)| is_doubtful(items));
        doubtful.flat_map(|(list, items)| items.into_iter().map(move |item| list.with(item.to_string()))).collect()
    }

    /// Returns the outermost item around a change that is [guessed](Self::guessed).
    pub(super) fn item_around(&self, change: &Change) -> Option<Address> {
        let (Change::Set { at, .. } | Change::Insert { at, .. } | Change::Delete { at, .. }) = change else {
            return None;
        };
        let ends = 1..=at.keys.len();
        let part =
            |end: usize| Address { entry: at.entry.clone(), keys: at.keys.get(..end).unwrap_or_default().to_vec() };
        let is_item = matches!(change, Change::Insert { .. });
        ends.map(part).find(|part| self.guessed.contains(part) && !(is_item && part == at))
    }

    /// Returns the list in which a change inserts, deletes or replaces an item, of which the other changes there are a part.
    pub(super) fn list_around(&self, change: &Change) -> Option<Address> {
        let list = |at: &Address| at.outer().map(|(list, _)| list);
        let found = match change {
            Change::Insert { at, .. } | Change::Delete { at, .. } => list(at),
            _ => self.item_around(change).as_ref().and_then(list),
        };
        found.filter(|list| self.moves.0.contains_key(list))
    }

    /// Returns the changes, each with the item that it concerns as a whole, if there is one.
    pub(super) fn touching(&self) -> impl Iterator<Item = (&Change, Option<Address>)> {
        self.changes.iter().map(|change| (change, self.item_around(change)))
    }

    /// Returns the indices of the changes of another copy that insert the same items at the same places as this one.
    pub(super) fn same_inserts(&self, other: &Self) -> HashSet<usize> {
        let inserts = |based: &Self| {
            let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for (nth, change) in based.changes.iter().enumerate() {
                if let Change::Insert { at, .. } = change {
                    found.entry(at.to_string()).or_default().push(nth);
                }
            }
            found
        };
        let own = inserts(self);
        let mut same = HashSet::new();
        for (at, items) in inserts(other) {
            let Some(here) = own.get(&at).filter(|here| here.len() == items.len()) else { continue };
            let is_same = |(one, two): (&usize, &usize)| match (self.changes.get(*one), other.changes.get(*two)) {
                (Some(one), Some(two)) => one.is_same(two),
                _ => false,
            };
            if here.iter().zip(&items).all(is_same) {
                same.extend(items);
            }
        }
        same
    }

    /// Returns the index at which the row of an entry is added, after the rows that this copy has added and removed.
    pub(super) fn row_now(&self, entry: &str, index: u64) -> u64 {
        let own = container(entry);
        let rows = |is_it: fn(&Change) -> bool| {
            let of_table = |change: &&Change| is_it(change) && container(change.entry()) == own;
            self.changes.iter().filter(of_table).count()
        };
        let added = rows(|it| matches!(it, Change::Add { .. }));
        let removed = rows(|it| matches!(it, Change::Remove { .. }));
        (index + wide(added)).saturating_sub(wide(removed))
    }
}

/// Returns the container of an entry.
pub(super) fn container(entry: &str) -> &str {
    entry.rsplit_once('!').map_or("", |(outer, _)| outer)
}
