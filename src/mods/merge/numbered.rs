//! Lists whose items other values refer to by number: whoever moves items changes what the values of the other copy mean.

use std::collections::HashMap;

use bytes::Bytes;

use crate::edit::Edit;
use crate::edit::diff::Change;
use exchange::About;
use field::{Address, Error, wide};
use kind::Kind;
use passes::{Sha, spans};

use super::places::Based;

/// The kinds whose items nothing refers to by number, except for [these resources](NUMBERED_RESOURCES).
const FREE: [&str; 5] = ["gff", "reader", "text-reader", "script", "scripts"];
/// Resources of Neverwinter Nights whose items refer to each other by number: dialogues, factions.
const NUMBERED_RESOURCES: [&[u8]; 2] = [b"DLG ", b"FAC "];

/// The parts of a file in which each copy moves items that have numbers, with the first change that does.
pub(super) struct Numbered {
    moved: [HashMap<String, usize>; 2],
}

/// Returns `true` if a change inserts or deletes an item of a list.
fn moves_items(change: &Change, list: &Address) -> bool {
    match change {
        Change::Insert { at, .. } | Change::Delete { at, .. } => at.outer().is_some_and(|(outer, _)| outer == *list),
        _ => false,
    }
}

/// Returns `true` if a change is of a value in a list.
fn is_within(change: &Change, list: &Address) -> bool {
    match change {
        Change::Set { at, .. } | Change::Insert { at, .. } | Change::Delete { at, .. } => at.is_in(list),
        _ => false,
    }
}

/// Returns the part of a file in which numbers are meant: an entry, or the entry around a chunk.
fn part(entry: &str) -> &str {
    entry.rsplit_once('!').map_or(entry, |(outer, _)| outer)
}

impl Numbered {
    /// Finds the lists of an original whose items two copies move.
    ///
    /// # Errors
    /// Returns an error if the original does not decode.
    pub(super) fn of(kind: &'static Kind, base: &Bytes, copies: [&Based; 2]) -> Result<Self, Error> {
        let mut numbered = Self { moved: [HashMap::new(), HashMap::new()] };
        if copies.iter().all(|copy| copy.moves.lists().next().is_none()) {
            return Ok(numbered);
        }
        let model = (kind.decode)(base.clone())?.model;
        let entries = spans(&model)?;
        let is_numbered = |bytes: &[u8]| NUMBERED_RESOURCES.iter().any(|it| bytes.starts_with(it));
        // Whether the items of an entry have numbers, and if so, whether it is such a resource.
        let numbered_in = |entry: &str| {
            let (kind, bytes) = match entry {
                "" => (kind.name, Some(&**base)),
                entry => entries.get(entry).map_or(("", None), |span| (span.kind, span.of(base))),
            };
            let is_resource = bytes.is_some_and(is_numbered);
            (is_resource || !FREE.contains(&kind)).then_some(is_resource)
        };
        let about = About { kind, games: &[], sha256: Sha::of(base), deviations: &[] };
        let mut draft = Edit::of(&model, about)?;
        for (copy, moved) in copies.into_iter().zip(&mut numbered.moved) {
            for (list, first, deleted) in copy.moves.lists() {
                let Some(is_resource) = numbered_in(&list.entry) else { continue };
                let length = draft.get(list).and_then(|list| list.items()).map_or(0, |items| wide(items.len()));
                // Items at the end come and go without changing the numbers of others. But all items of a dialogue change if one is inserted,
                // so that it may seem to be the last one.
                let is_edited = || copy.changes.iter().any(|it| is_within(it, list) && !moves_items(it, list));
                let is_outer = is_resource && list.keys.len() <= 2;
                if length <= first + deleted && !(is_outer && is_edited()) {
                    continue;
                }
                if let Some(nth) = copy.changes.iter().position(|it| moves_items(it, list)) {
                    let known = moved.entry(part(&list.entry).to_owned()).or_insert(nth);
                    *known = (*known).min(nth);
                }
            }
        }
        Ok(numbered)
    }

    /// Returns a change of the first copy that one of the second contradicts because one of both moves numbered items beside the other,
    /// and says so.
    pub(super) fn against<'b>(
        &self,
        [one, other]: [&'b Based; 2],
        change: &Change,
    ) -> Option<(&'b Change, Option<String>)> {
        let part_of = part(change.entry());
        let [by_one, by_other] = &self.moved;
        let moving = by_one.get(part_of).and_then(|nth| one.changes.get(*nth));
        let (moved, against) = match (moving, by_other.get(part_of).and_then(|nth| other.changes.get(*nth))) {
            (Some(moving), _) => (moving, moving),
            (None, Some(moving)) => (moving, one.changes.iter().find(|it| part(it.entry()) == part_of)?),
            (None, None) => return None,
        };
        let (Change::Insert { at, .. } | Change::Delete { at, .. }) = moved else { return None };
        let list = at.outer().map(|(list, _)| list.to_string()).unwrap_or_default();
        Some((against, Some(format!("the items of {list} have other numbers then, by which values refer to them"))))
    }
}
