//! Finds places at which two mods change one file in different ways, without quadratic work.

use std::collections::{HashMap, HashSet};

use crate::edit::diff::Change;
use field::{Address, wide};
use output::printable::counted;

use super::FileEdit;

/// The maximum number of conflicts listed for two mods and one file.
const MOST: usize = 10;

/// The step to the order of the fields of an object, which no field has as its name.
const ORDER: &str = "__order";

/// A place as the steps that lead to it from the file: entries, then keys.
type Steps = Vec<String>;

/// Returns the steps to an entry.
fn entry(entry: &str) -> Steps {
    entry.split('!').filter(|part| !part.is_empty()).map(|part| format!("!{part}")).collect()
}

/// Returns the steps to a place.
fn place(at: &Address) -> Steps {
    entry(&at.entry).into_iter().chain(at.keys.iter().cloned()).collect()
}

/// The effect of a change on other changes of the file.
enum Touch {
    /// Changes this place and everything in it.
    Whole(Steps),
    /// Moves the items of a list from an index onward. `true` if it adds the row of an entry, which is found by its name.
    Items(Steps, u64, bool),
    /// Puts an item before this one of a list, without moving what others have changed: their places are those in the original.
    Gap(Steps, u64),
    /// Moves the rows of this container. `true` if their order matters.
    Rows(Steps, bool),
}

fn touches(change: &Change, reach: Reach) -> Vec<Touch> {
    match (change, reach) {
        (Change::Insert { at, .. }, Reach::Item) => match at.outer() {
            Some((list, key)) => vec![Touch::Gap(place(&list), key.parse().unwrap_or(u64::MAX))],
            None => vec![Touch::Whole(place(at))],
        },
        (Change::Delete { at, .. }, Reach::Item) => vec![Touch::Whole(place(at))],
        _ => touches_of_list(change),
    }
}

fn touches_of_list(change: &Change) -> Vec<Touch> {
    let item = |at: &Address, is_row| match at.outer() {
        Some((list, key)) => Touch::Items(place(&list), key.parse().unwrap_or(u64::MAX), is_row),
        None => Touch::Whole(place(at)),
    };
    let outer = |name: &str| entry(name.rsplit_once('!').map_or("", |(outer, _)| outer));
    match change {
        Change::Set { at, .. } => vec![Touch::Whole(place(at))],
        // The order of fields concerns no single one of them.
        Change::Order { at, .. } => vec![Touch::Whole(place(&at.with(ORDER)))],
        Change::Insert { at, .. } | Change::Delete { at, .. } => vec![item(at, false)],
        Change::Rename { entry: old, to } => {
            let mut new = outer(old);
            new.extend(entry(to.rsplit('!').next().unwrap_or_default()));
            vec![Touch::Whole(entry(old)), Touch::Whole(new)]
        }
        Change::Move { entry, .. } => vec![Touch::Rows(outer(entry), true)],
        Change::Add { entry: name, at, .. } => vec![Touch::Whole(entry(name)), item(at, true)],
        Change::Remove { entry: name, .. } => vec![Touch::Whole(entry(name)), Touch::Rows(outer(name), false)],
        Change::Replace { entry: name, .. } => vec![Touch::Whole(entry(name))],
    }
}

/// What an inserted or deleted item concerns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reach {
    /// All later items of its list, whose places it moves.
    #[default]
    List,
    /// No other item: all places are those in the original.
    Item,
}

/// The changes of a file by a mod, prepared for comparison.
#[derive(Default)]
pub(super) struct Side<'a> {
    reach: Reach,
    /// The items that are inserted, by list and the index of the item after them.
    gaps: HashMap<(Steps, u64), &'a Change>,
    changes: HashMap<Steps, Vec<&'a Change>>,
    whole: HashMap<Steps, &'a Change>,
    /// The places around changed ones.
    around: HashMap<Steps, &'a Change>,
    /// The first index from which a list is moved.
    items: HashMap<Steps, (u64, bool, &'a Change)>,
    /// The last index with a change in it, by list.
    last: HashMap<Steps, (u64, &'a Change)>,
    rows: HashMap<Steps, (bool, &'a Change)>,
    /// The containers with a change at an index.
    indexed: HashMap<Steps, &'a Change>,
    /// The containers to which an entry is added, if all places are those in the original.
    added: HashMap<Steps, &'a Change>,
}

/// Returns a key by which equal changes are found.
fn key(change: &Change) -> Steps {
    match touches_of_list(change).into_iter().next() {
        Some(Touch::Whole(steps) | Touch::Items(steps, ..) | Touch::Gap(steps, _) | Touch::Rows(steps, _)) => steps,
        None => Steps::new(),
    }
}

/// Returns every list index on the way to a place, with the list.
fn indices(steps: &[String]) -> impl Iterator<Item = (&[String], u64)> {
    steps.iter().enumerate().filter_map(|(at, step)| Some((steps.get(..at)?, step.parse().ok()?)))
}

/// Returns the container of a place.
fn container(steps: &[String]) -> &[String] {
    let entries = steps.iter().take_while(|step| step.starts_with('!')).count();
    steps.get(..entries).unwrap_or_default()
}

impl<'a> Side<'a> {
    pub(super) fn of(edit: &'a FileEdit) -> Self {
        Self::with(edit.changes.iter().flatten().map(|change| (change, None)), Reach::default())
    }

    /// Prepares changes, of which some concern the whole item at a place around them.
    pub(super) fn with(changes: impl IntoIterator<Item = (&'a Change, Option<Address>)>, reach: Reach) -> Self {
        let mut side = Self { reach, ..Self::default() };
        for (change, item) in changes {
            side.changes.entry(key(change)).or_default().push(change);
            for touch in item.map_or_else(|| touches(change, reach), |item| vec![Touch::Whole(place(&item))]) {
                side.add(touch, change);
            }
        }
        side
    }

    fn add(&mut self, touch: Touch, change: &'a Change) {
        let (steps, length) = match touch {
            Touch::Rows(steps, matters) => {
                let known = self.rows.entry(steps).or_insert((matters, change));
                known.0 |= matters;
                return;
            }
            Touch::Whole(steps) => {
                self.whole.entry(steps.clone()).or_insert(change);
                let length = steps.len();
                (steps, length)
            }
            Touch::Items(list, first, is_row) => {
                let known = self.items.entry(list.clone()).or_insert((first, is_row, change));
                known.1 &= is_row;
                if first < known.0 {
                    *known = (first, known.1, change);
                }
                let length = list.len() + 1;
                (list.into_iter().chain([first.to_string()]).collect(), length)
            }
            Touch::Gap(list, index) => {
                self.gaps.entry((list.clone(), index)).or_insert(change);
                let length = list.len() + 1;
                (list.into_iter().chain([index.to_string()]).collect(), length)
            }
        };
        for end in 0..length {
            self.around.entry(steps.get(..end).unwrap_or_default().to_vec()).or_insert(change);
        }
        for (list, index) in indices(&steps) {
            // An added row moves no other one that is found by its place in the original.
            let known = if self.reach == Reach::Item && is_add(change) { &mut self.added } else { &mut self.indexed };
            known.entry(container(list).to_vec()).or_insert(change);
            let known = self.last.entry(list.to_vec()).or_insert((index, change));
            if index > known.0 {
                *known = (index, change);
            }
        }
    }

    /// Returns `true` if the mod also makes this change.
    pub(super) fn makes(&self, change: &Change) -> bool {
        self.changes.get(&key(change)).is_some_and(|known| known.iter().any(|it| it.is_same(change)))
    }

    /// Returns a change of the mod that a change of another mod contradicts.
    fn against(&self, change: &Change) -> Option<&'a Change> {
        self.against_item(change, None)
    }

    /// Returns a change of the mod that a change contradicts, which concerns the whole item at a place around it, if that is given.
    pub(super) fn against_item(&self, change: &Change, item: Option<Address>) -> Option<&'a Change> {
        let touches = item.map_or_else(|| touches(change, self.reach), |item| vec![Touch::Whole(place(&item))]);
        touches.into_iter().find_map(|touch| match touch {
            Touch::Whole(steps) => self.around.get(&steps).copied().or_else(|| self.inward(&steps)),
            Touch::Items(list, first, is_row) => {
                let items = self.items.get(&list).filter(|(_, other, _)| !(is_row && *other));
                let last = self.last.get(&list).filter(|(last, it)| *last >= first && !(is_row && is_add(it)));
                let found = items.map(|it| it.2).or_else(|| last.map(|it| it.1));
                let rows = self.rows.get(container(&list));
                let rows = rows.filter(|(matters, _)| *matters || !(is_row && self.reach == Reach::Item));
                found.or_else(|| self.inward(&list)).or_else(|| rows.map(|it| it.1))
            }
            Touch::Gap(list, index) => {
                let gap = self.gaps.get(&(list.clone(), index)).copied();
                gap.or_else(|| self.inward(&list)).or_else(|| self.rows.get(container(&list)).map(|it| it.1))
            }
            Touch::Rows(steps, matters) => {
                let rows = self.rows.get(&steps).filter(|(other, _)| matters || *other).map(|it| it.1);
                let added = matters.then(|| self.added.get(&steps).copied()).flatten();
                rows.or_else(|| self.indexed.get(&steps).copied()).or(added)
            }
        })
    }

    /// Returns a change of this place from further out: of something around it, or of the indices that lead to it.
    fn inward(&self, steps: &[String]) -> Option<&'a Change> {
        let whole = (0..=steps.len()).find_map(|end| self.whole.get(steps.get(..end)?).copied());
        let moved = || {
            indices(steps).find_map(|(list, index)| {
                let items = self.items.get(list).filter(|(first, ..)| *first <= index).map(|it| it.2);
                items.or_else(|| self.rows.get(container(list)).map(|it| it.1))
            })
        };
        whole.or_else(moved)
    }
}

fn is_add(change: &Change) -> bool {
    matches!(change, Change::Add { .. })
}

/// Returns the conflicts of an edit with an earlier one of the same file, as text. Equal changes are none.
pub(super) fn conflicts((earlier, one): (&str, &FileEdit), (later, other): (&str, &FileEdit)) -> Vec<String> {
    let (Some(_), Some(changes)) = (&one.changes, &other.changes) else {
        return match one.after == other.after {
            true => Vec::new(),
            false => vec![format!("{later} ({}) and {earlier} ({})", what(other), what(one))],
        };
    };
    let side = Side::of(one);
    let (mut found, mut seen, mut more) = (Vec::new(), HashSet::new(), 0_usize);
    for change in changes.iter().filter(|change| !side.makes(change)) {
        if let Some(against) = side.against(change)
            && seen.insert((key(change), key(against)))
        {
            match found.len() < MOST {
                true => found.push(format!("{later} ({}) and {earlier} ({})", brief(change), brief(against))),
                false => more += 1,
            }
        }
    }
    if more > 0 {
        found.push(format!("{later} and {earlier}: {}", counted(wide(more), "more conflict")));
    }
    found
}

/// Describes an edit without its path.
fn what(edit: &FileEdit) -> String {
    edit.to_string().get(edit.path.len() + 2..).unwrap_or_default().to_owned()
}

/// Returns the first line of a change.
pub(super) fn brief(change: &Change) -> String {
    change.to_string().lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(changes: &str) -> FileEdit {
        let changes = serde_json::from_str(changes).expect("changes");
        FileEdit {
            path: "a".into(),
            kind: Some("archive".into()),
            before: Some(String::new()),
            after: Some(String::new()),
            changes: Some(changes),
            ..FileEdit::default()
        }
    }

    const SET_1: &str = r#"[{"do":"set","at":"a.zrd:/0/1","old":1,"new":2}]"#;

    #[test]
    fn changes_of_one_place_conflict_whichever_comes_first() {
        for other in [
            r#"[{"do":"set","at":"a.zrd:/0/1","old":1,"new":3}]"#,
            r#"[{"do":"set","at":"a.zrd:/0","old":1,"new":3}]"#,
            r#"[{"do":"set","at":"a.zrd:/0/1/x","old":1,"new":3}]"#,
            r#"[{"do":"insert","at":"a.zrd:/0/0","new":3}]"#,
            r#"[{"do":"insert","at":"a.zrd:/0/1","new":3}]"#,
            r#"[{"do":"delete","at":"a.zrd:/0","old":3}]"#,
            r#"[{"do":"remove","entry":"a.zrd","sha256":"","kind":"reader","bytes":1}]"#,
            r#"[{"do":"rename","entry":"a.zrd","to":"b.zrd"}]"#,
            r#"[{"do":"rename","entry":"b.zrd","to":"a.zrd"}]"#,
        ] {
            let (one, other) = (edit(SET_1), edit(other));
            assert_eq!(conflicts(("x", &one), ("y", &other)).len(), 1, "{other:?}");
            assert_eq!(conflicts(("y", &other), ("x", &one)).len(), 1, "{other:?}");
        }
    }

    #[test]
    fn changes_of_different_places_do_not_conflict() {
        for (one, other) in [
            (SET_1, SET_1),
            (SET_1, r#"[{"do":"set","at":"a.zrd:/0/10","old":1,"new":3}]"#),
            (SET_1, r#"[{"do":"set","at":"b.zrd:/0/1","old":1,"new":3}]"#),
            (SET_1, r#"[{"do":"insert","at":"a.zrd:/0/2","new":3}]"#),
            (SET_1, r#"[{"do":"rename","entry":"c.zrd","to":"d.zrd"}]"#),
            (SET_1, r#"[{"do":"remove","entry":"c.zrd","sha256":"","kind":"reader","bytes":1}]"#),
            (
                r#"[{"do":"remove","entry":"c.zrd","sha256":"","kind":"reader","bytes":1}]"#,
                r#"[{"do":"remove","entry":"d.zrd","sha256":"","kind":"reader","bytes":1}]"#,
            ),
            (
                r#"[{"do":"add","entry":"c.zrd","at":"/entries/3","row":{},"content":{"kind":"r","bytes":1,"files":[]}}]"#,
                r#"[{"do":"add","entry":"d.zrd","at":"/entries/3","row":{},"content":{"kind":"r","bytes":1,"files":[]}}]"#,
            ),
        ] {
            let (one, other) = (edit(one), edit(other));
            assert_eq!(conflicts(("x", &one), ("y", &other)), [""; 0]);
            assert_eq!(conflicts(("y", &other), ("x", &one)), [""; 0]);
        }
    }

    #[test]
    fn moved_rows_conflict_with_changes_of_rows() {
        let set = r#"[{"do":"set","at":"/entries/3/flags","old":1,"new":3}]"#;
        for other in [
            r#"[{"do":"remove","entry":"c.zrd","sha256":"","kind":"reader","bytes":1}]"#,
            r#"[{"do":"move","entry":"c.zrd","from":1,"to":0}]"#,
            r#"[{"do":"add","entry":"c.zrd","at":"/entries/3","row":{},"content":{"kind":"r","bytes":1,"files":[]}}]"#,
        ] {
            let (one, other) = (edit(set), edit(other));
            assert_eq!(conflicts(("x", &one), ("y", &other)).len(), 1, "{other:?}");
            assert_eq!(conflicts(("y", &other), ("x", &one)).len(), 1, "{other:?}");
        }
    }
}
