//! Three-way merges: what one copy of a file has changed since a common original is changed in another copy, too.
//!
//! Both copies are compared with the original by place, and their changes with each other. Changes of different places are made
//! together, and the result is proven before anything is returned; a change that the other copy contradicts is a [`Conflict`].

mod numbered;
mod places;

use core::fmt::{self, Display};
use std::collections::{HashMap, HashSet};

use bytes::Bytes;

use crate::edit::diff::Change;
use crate::edit::{Comparison, changes_between};
use crate::registry::{KINDS, recognize};
use field::Address;
use json::Describe as _;
use kind::Kind;
use output::printable::counted;
use passes::Deviation;

use super::apply::{self, Unfit};
use super::conflicts::{Reach, Side, brief};
use super::{FileEdit, Result, make, refusal};
use numbered::Numbered;
use places::{Based, Moves, container};

/// The copy whose values win where both have changed the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Favor {
    /// The copy that is merged into.
    Ours,
    /// The copy that is merged.
    Theirs,
}

/// Two changes that contradict each other, or the reason why nothing of a file can be merged. Places are those of the original.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// What the copy that is merged into has changed, in words.
    pub ours: String,
    /// What the copy that is merged has changed, in words.
    pub theirs: String,
    /// Why both do not fit, unless they change the same.
    pub why: Option<String>,
}

impl Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&*self.ours, &*self.theirs, &self.why) {
            ("", "", Some(why)) => f.write_str(why),
            (ours, theirs, why) => {
                write!(f, "ours:   {ours}\ntheirs: {theirs}")?;
                why.iter().try_for_each(|why| write!(f, "\n        {why}"))
            }
        }
    }
}

/// A file that both copies were merged into.
#[derive(Debug)]
#[non_exhaustive]
pub struct Merged {
    /// The file.
    pub bytes: Bytes,
    /// The changes that were made in the copy that is merged into, by their places there.
    pub changes: Vec<Change>,
    /// The conflicts that were decided for the favored copy.
    pub decided: Vec<Conflict>,
    /// The deviations that neither copy has.
    pub deviations: Vec<Deviation>,
}

/// The result of a merge.
#[derive(Debug)]
pub enum Merge {
    /// The merged file.
    Merged(Merged),
    /// The places at which the copies contradict each other.
    Conflicts(Vec<Conflict>),
}

impl Merge {
    fn of(bytes: &Bytes) -> Self {
        Self::Merged(Merged { bytes: bytes.clone(), changes: Vec::new(), decided: Vec::new(), deviations: Vec::new() })
    }

    /// Returns the favored copy as a whole, or the conflict.
    fn whole(why: String, [ours, theirs]: [&Bytes; 2], favor: Option<Favor>) -> Self {
        let conflict = Conflict { ours: String::new(), theirs: String::new(), why: Some(why) };
        let bytes = match favor {
            None => return Self::Conflicts(vec![conflict]),
            Some(Favor::Ours) => ours,
            Some(Favor::Theirs) => theirs,
        };
        match Self::of(bytes) {
            Self::Merged(merged) => Self::Merged(Merged { decided: vec![conflict], ..merged }),
            other => other,
        }
    }
}

/// Merges two copies of a file that have a common original, which is empty if both have added it. `name` is the last part of its path.
///
/// # Errors
/// Returns an error if a copy is of no supported kind or does not round-trip, or if the memory limit does not allow the work.
pub fn merge(name: &str, base: &Bytes, [ours, theirs]: [&Bytes; 2], favor: Option<Favor>) -> Result<Merge> {
    if ours == theirs || base == theirs {
        return Ok(Merge::of(ours));
    }
    if base == ours {
        return Ok(Merge::of(theirs));
    }
    let whole = |why: String| Ok(Merge::whole(why, [ours, theirs], favor));
    if base.is_empty() {
        return whole("both add the file, with different contents".to_owned());
    }
    let kind_of = |file: &Bytes| recognize(KINDS, name, file).map(|(kind, _)| kind);
    let Some(kind) = kind_of(ours) else {
        return Err(refusal(name, "the file to merge into is of an unknown format, so its values are unknown"));
    };
    for (what, file) in [("the original", base), ("the file to merge", theirs)] {
        match kind_of(file) {
            Some(other) if other.name == kind.name => {}
            other => {
                let other = other.map_or("an unknown format", |it| it.name);
                return whole(format!("{what} is of kind {other}, the file to merge into of kind {}", kind.name));
            }
        }
    }
    let merging = Merging { name, kind, base };
    let [a, b] = [ours, theirs].map(|copy| merging.changes(copy));
    let (Some(a), Some(b)) = (a?, b?) else {
        for (what, file) in [("the original", base), ("the file to merge into", ours), ("the file to merge", theirs)] {
            (kind.decode)(file.clone()).map_err(|why| refusal(name, format!("{what} does not decode: {why}")))?;
        }
        return whole("a copy differs from the original in a way that no list of changes says".to_owned());
    };
    let Some(into) = Based::of(&a).zip(Based::of(&b)) else {
        return whole(
            "a copy has moved entries and other items of one table, whose places are then unclear".to_owned(),
        );
    };
    let (ours_based, theirs_based) = into;
    match favor {
        None => merging.both_ways([(ours, &ours_based), (theirs, &theirs_based)]),
        Some(Favor::Ours) => merging.favored((ours, &ours_based), (theirs, &theirs_based), false),
        Some(Favor::Theirs) => merging.favored((theirs, &theirs_based), (ours, &ours_based), true),
    }
}

/// A file to merge.
struct Merging<'a> {
    name: &'a str,
    kind: &'static Kind,
    base: &'a Bytes,
}

/// A copy, and its changes.
type Copy<'a> = (&'a Bytes, &'a Based);

impl Merging<'_> {
    fn edit(&self) -> FileEdit {
        let edit =
            FileEdit { path: self.name.to_owned(), kind: Some(self.kind.name.to_owned()), ..FileEdit::default() };
        edit.in_chosen_encoding()
    }

    /// Returns the changes of values that turn the original into a copy, proven. `None` if changes do not.
    fn changes(&self, copy: &Bytes) -> Result<Option<Vec<Change>>> {
        let found = make::by_place(self.edit(), self.kind, (self.base, copy)).map_err(|why| refusal(self.name, why))?;
        let changes = found.and_then(|compared| compared.edit.changes);
        Ok(changes.map(|changes| changes.into_iter().filter(|change| !change.is_of_layout()).collect()))
    }

    /// Makes changes in a copy.
    fn made(&self, copy: &Bytes, changes: &[Change]) -> Result<core::result::Result<Bytes, String>> {
        match apply::change(&self.edit(), copy, changes) {
            Ok(bytes) => Ok(Ok(bytes)),
            Err(Unfit::Other(why)) => Ok(Err(why)),
            Err(unfit @ Unfit::Memory(_)) => unfit.at(self.name).map(Err),
        }
    }

    /// Merges two copies, none of which is favored. Merging either into the other must give the same values.
    fn both_ways(&self, [ours, theirs]: [Copy<'_>; 2]) -> Result<Merge> {
        let numbered = Numbered::of(self.kind, self.base, [ours.1, theirs.1]).map_err(|why| refusal(self.name, why))?;
        let (_, found) = conflicts(ours.1, theirs.1, &numbered);
        if !found.is_empty() {
            return Ok(Merge::Conflicts(found));
        }
        let whole = |why: String| Ok(Merge::whole(why, [ours.0, theirs.0], None));
        let forward = rebased(ours.1, theirs.1, |_| true);
        let backward = rebased(theirs.1, ours.1, |_| true);
        let (Some(forward), Some(backward)) = (forward, backward) else {
            return whole("the changes of one copy are inside items that the other has deleted".to_owned());
        };
        let results = (self.made(ours.0, &forward)?, self.made(theirs.0, &backward)?);
        let (bytes, other) = match results {
            (Ok(bytes), Ok(other)) => (bytes, other),
            (Err(why), _) | (_, Err(why)) => return whole(format!("the changes do not fit each other: {why}")),
        };
        let rest = changes_between(self.kind, bytes.clone(), other).map_err(|why| refusal(self.name, why))?;
        let is_order = |change: &Change| change.is_of_layout() || matches!(change, Change::Move { .. });
        if let Some(change) = rest.iter().find(|change| !is_order(change)) {
            return whole(format!("the result depends on which copy is merged into the other: {}", brief(change)));
        }
        let deviations = self.deviations(&bytes, [ours.0, theirs.0])?;
        if let Some(it) = deviations.first() {
            let (place, expected, found) = (&it.first_place, it.expected.describe(), it.found.describe());
            return whole(format!("the values do not fit each other: {place}: expected {expected}, found {found}"));
        }
        Ok(Merge::Merged(Merged { bytes, changes: forward, decided: Vec::new(), deviations }))
    }

    /// Merges a copy into the favored one. `is_swapped` if that is the copy to merge.
    fn favored(&self, one: Copy<'_>, other: Copy<'_>, is_swapped: bool) -> Result<Merge> {
        let numbered = Numbered::of(self.kind, self.base, [one.1, other.1]).map_err(|why| refusal(self.name, why))?;
        let (lost, found) = conflicts(one.1, other.1, &numbered);
        let decided: Vec<Conflict> = found
            .into_iter()
            .map(|it| match is_swapped {
                true => Conflict { ours: it.theirs, theirs: it.ours, ..it },
                false => it,
            })
            .collect();
        let refuse = |why: &str| refusal(self.name, format!("the changes that remain do not fit: {why}"));
        let Some(changes) = rebased(one.1, other.1, |nth| !lost.contains(&nth)) else {
            return Err(refuse("they are inside items that the favored copy has deleted"));
        };
        let bytes = self.made(one.0, &changes)?.map_err(|why| refuse(&why))?;
        let of_ours = || changes_between(self.kind, other.0.clone(), bytes.clone());
        let changes = if is_swapped { of_ours().map_err(|why| refusal(self.name, why))? } else { changes };
        let deviations = self.deviations(&bytes, [one.0, other.0])?;
        Ok(Merge::Merged(Merged { bytes, changes, decided, deviations }))
    }

    /// Returns the deviations of a result that neither copy has.
    fn deviations(&self, result: &Bytes, copies: [&Bytes; 2]) -> Result<Vec<Deviation>> {
        let since = |copy: &Bytes| {
            let [before, after] = [(self.kind.decode)(copy.clone())?.model, (self.kind.decode)(result.clone())?.model];
            Comparison::of(self.kind, (copy, &before), (result, &after))?.new_deviations()
        };
        let failed = |why: field::Error| refusal(self.name, why);
        let [one, other] = copies;
        let mut found = since(one).map_err(failed)?;
        if !found.is_empty() {
            let others = since(other).map_err(failed)?;
            found.retain(|it| others.iter().any(|other| other.place == it.place));
        }
        Ok(found)
    }
}

/// Returns the indices of the changes of the second copy that conflict with those of the first, and the conflicts, each once.
fn conflicts(one: &Based, other: &Based, numbered: &Numbered) -> (HashSet<usize>, Vec<Conflict>) {
    let side = Side::with(one.touching(), Reach::Item);
    let same = one.same_inserts(other);
    let (mut lost, mut found, mut seen) = (HashSet::new(), Vec::<Conflict>::new(), HashSet::new());
    let mut runs = HashMap::new();
    // Where the conflicts that one moved item causes are in the list, and how many more there are.
    let mut moved: HashMap<(String, String), (usize, u64)> = HashMap::new();
    for (nth, (change, item)) in other.touching().enumerate() {
        if is_same(&side, &same, (nth, change)) {
            continue;
        }
        let against = side.against_item(change, item).map(|against| (against, None));
        let Some((against, why)) = against.or_else(|| numbered.against([one, other], change)) else { continue };
        lost.insert(nth);
        if let Some(list) = other.list_around(change) {
            runs.entry(list).or_insert_with(|| brief(against));
        }
        let conflict = Conflict { ours: brief(against), theirs: brief(change), why };
        let cause = conflict.why.clone().map(|why| (conflict.ours.clone(), why));
        if let Some((_, more)) = cause.as_ref().and_then(|cause| moved.get_mut(cause)) {
            *more += 1;
            continue;
        }
        if seen.insert((conflict.ours.clone(), conflict.theirs.clone())) {
            moved.extend(cause.map(|cause| (cause, (found.len(), 0))));
            found.push(conflict);
        }
    }
    // What one copy has put in place of some items is one change, of which no part is made without the others.
    for (nth, (change, _)) in other.touching().enumerate() {
        let ours = other.list_around(change).and_then(|list| runs.get(&list));
        let Some(ours) = ours.filter(|_| !lost.contains(&nth) && !is_same(&side, &same, (nth, change))) else {
            continue;
        };
        lost.insert(nth);
        found.push(Conflict { ours: ours.clone(), theirs: brief(change), why: None });
    }
    for (nth, more) in moved.into_values().filter(|(_, more)| *more > 0) {
        if let Some(conflict) = found.get_mut(nth) {
            conflict.theirs.push_str(&format!("\n        and {}", counted(more, "other change")));
        }
    }
    (lost, found)
}

/// Returns `true` if the first copy also makes a change, by its index among those of the second. `same` are the [same
/// items](Based::same_inserts) that both insert.
fn is_same(side: &Side<'_>, same: &HashSet<usize>, (nth, change): (usize, &Change)) -> bool {
    match change {
        Change::Insert { .. } => same.contains(&nth),
        change => side.makes(change),
    }
}

/// Returns the changes of a copy, of those that are wanted, as changes of the other one. `None` if a place is not there.
fn rebased(onto: &Based, copy: &Based, is_wanted: impl Fn(usize) -> bool) -> Option<Vec<Change>> {
    let side = Side::with(onto.touching(), Reach::Item);
    let same = onto.same_inserts(copy);
    let (mut made, mut changes) = (Moves::default(), Vec::new());
    // The rows that the copy has removed and added before a place, and that are not removed or added here.
    let mut passed: HashMap<String, [u64; 2]> = HashMap::new();
    for (nth, change) in copy.changes.iter().enumerate() {
        if !is_wanted(nth) || is_same(&side, &same, (nth, change)) {
            let [removed, added] = passed.entry(container(change.entry()).to_owned()).or_default();
            match change {
                Change::Add { .. } => *added += 1,
                Change::Remove { .. } => *removed += 1,
                _ => {}
            }
            continue;
        }
        let mut change = change.clone();
        match &mut change {
            Change::Set { at, .. } | Change::Order { at, .. } => *at = onto.moves.now(&made, at)?,
            Change::Insert { at, .. } => {
                let (list, gap) = outer(at)?;
                let now = onto.moves.gap_now(&made, &list, gap)?;
                made.insert(list, gap);
                *at = now;
            }
            Change::Delete { at, .. } => {
                let (list, item) = outer(at)?;
                let now = onto.moves.now(&made, at)?;
                made.delete(list, item);
                *at = now;
            }
            // The other copy may have removed entries before it, or added some.
            Change::Add { at, entry, .. } => {
                if let Some((table, index)) = outer(at) {
                    let [removed, added] = passed.get(container(entry)).copied().unwrap_or_default();
                    let index = (onto.row_now(entry, index) + removed).saturating_sub(added);
                    *at = table.with(index.to_string());
                }
            }
            Change::Rename { .. } | Change::Move { .. } | Change::Remove { .. } | Change::Replace { .. } => {}
        }
        changes.push(change);
    }
    Some(changes)
}

/// Returns the list of an item, and its index.
fn outer(at: &Address) -> Option<(Address, u64)> {
    let (list, index) = at.outer()?;
    Some((list, index.parse().ok()?))
}
