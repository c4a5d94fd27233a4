//! Rows that several mods append to one table: each gets the next free number.

use core::fmt::{self, Display};
use std::collections::BTreeMap;

use crate::edit::diff::Change;
use crate::field::{Address, Json, wide};
use crate::passes::Sha;

use super::conflicts::conflicts;
use super::path::Locator;
use super::plan::{by_path, edits_of};
use super::{FileEdit, Game, Named, Result, apply, at, placed, refusal};

/// Rows of a mod that have been moved after those that other mods append to the same list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Renumbered {
    /// The path of the file in the game.
    pub path: String,
    /// The name of the mod.
    pub name: String,
    /// The list.
    pub list: Address,
    /// The index of its first row, as the mod states it.
    pub first: u64,
    /// The number of its rows.
    pub rows: u64,
    /// The number of rows that other mods append.
    pub by: u64,
}

impl Display for Renumbered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, name, list, first, rows, by } = self;
        let range = |first: u64| match rows {
            1 => first.to_string(),
            rows => format!("{first} to {}", first + rows - 1),
        };
        let (what, are) = if *rows == 1 { ("item", "becomes") } else { ("items", "become") };
        let (old, new) = (range(*first), range(first + by));
        write!(
            f,
            "{path}: {name}: {what} {old} of {list} {are} {new}, after those of other mods; files that refer to {old} need the new number"
        )
    }
}

impl Game {
    /// Returns mods that can be applied together although they append rows to the same lists: the rows of later ones get the next free
    /// indices. A label that is the index of its row follows, and so do the places of other changes of the mod. What other files say about
    /// the row does not.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn renumbered(&self, mods: Vec<Named>) -> Result<(Vec<Named>, Vec<Renumbered>)> {
        let loaded = self.loaded()?;
        let applied = by_path(loaded.iter().map(|(it, file)| (it.name.as_str(), &file.files)));
        let (mut done, mut all) = (Vec::<Named>::new(), Vec::new());
        for mut named in mods {
            let before = by_path(done.iter().map(|it| (it.name.as_str(), &it.file.files)));
            let mut moved = Vec::new();
            for edit in &mut named.file.files {
                let path = edit.path.clone();
                moved.extend(self.renumber(
                    (&named.name, edit),
                    edits_of(&applied, &path),
                    edits_of(&before, &path),
                )?);
            }
            if !moved.is_empty() {
                named.sha256 = named.file.sha256().map_err(at(&named.name))?;
            }
            all.extend(moved);
            done.push(named);
        }
        Ok((done, all))
    }

    /// Moves the rows of an edit after those of mods that are applied, and of those that will be before it.
    fn renumber(
        &self,
        (name, edit): (&str, &mut FileEdit),
        applied: &[(&str, &FileEdit)],
        before: &[(&str, &FileEdit)],
    ) -> Result<Vec<Renumbered>> {
        let Some(changes) = &edit.changes else { return Ok(Vec::new()) };
        let others: Vec<_> = applied.iter().chain(before).copied().collect();
        let of_others: Vec<&[Change]> = others.iter().filter_map(|(_, it)| it.changes.as_deref()).collect();
        let moves = moves(changes, &of_others);
        if moves.is_empty() {
            return Ok(Vec::new());
        }
        // The rest must fit as it is: whatever else contradicts the other mods stays a conflict.
        let rest = FileEdit {
            changes: Some(changes.iter().filter(|change| !moves.iter().any(|it| it.is_row(change))).cloned().collect()),
            ..edit.clone()
        };
        let is_clear = others.iter().all(|other| conflicts(*other, (name, &rest)).is_empty());
        if !is_clear {
            return Ok(Vec::new());
        }
        let changes: Vec<Change> = changes.iter().map(|change| moved(change, &moves)).collect();
        let old = self.file(&Locator::new(&self.journal.disk), &edit.path)?;
        // What keeps them from being applied is found again by the plan.
        let Some(Some(file)) = self.chained(old, applied, before, &mut Vec::new())? else { return Ok(Vec::new()) };
        let bytes = self.journal.bytes(&file).map_err(placed(|error| refusal(&edit.path, error)))?;
        let Ok(new) = apply::change(edit, &bytes, &changes) else { return Ok(Vec::new()) };
        (edit.before, edit.after) = (Some(file.sha256), Some(Sha::of(&new).to_string()));
        (edit.bytes, edit.changes) = (wide(new.len()), Some(changes));
        let said = |it: Move| Renumbered {
            path: edit.path.clone(),
            name: name.to_owned(),
            list: it.list,
            first: it.first,
            rows: it.rows,
            by: it.by,
        };
        Ok(moves.into_iter().map(said).collect())
    }
}

/// Items of a list that move.
#[derive(Debug, PartialEq)]
struct Move {
    list: Address,
    first: u64,
    rows: u64,
    by: u64,
}

impl Move {
    /// Returns `true` if a change inserts one of the items.
    fn is_row(&self, change: &Change) -> bool {
        matches!(change, Change::Insert { at, .. } if self.index(at).is_some_and(|(_, rest)| rest.is_empty()))
    }

    /// Returns the index of the item that holds a place, if it moves, and the keys inside it.
    fn index<'a>(&self, at: &'a Address) -> Option<(u64, &'a [String])> {
        let rest = Some(at).filter(|at| at.entry == self.list.entry)?.keys.strip_prefix(self.list.keys.as_slice())?;
        let (index, rest) = rest.split_first()?;
        let index: u64 = index.parse().ok()?;
        (index >= self.first).then_some((index, rest))
    }

    /// Returns a place after the move.
    fn moved(&self, at: &Address) -> Option<Address> {
        let (index, rest) = self.index(at)?;
        let mut moved = self.list.with((index + self.by).to_string());
        moved.keys.extend_from_slice(rest);
        Some(moved)
    }
}

/// The lists that changes insert items into, with the indices, or `None` if items are deleted there, too.
fn inserted(changes: &[Change]) -> BTreeMap<String, Option<(Address, Vec<u64>)>> {
    let mut lists: BTreeMap<String, Option<(Address, Vec<u64>)>> = BTreeMap::new();
    for change in changes {
        let (Change::Insert { at, .. } | Change::Delete { at, .. }) = change else { continue };
        let Some((list, index)) = at.outer() else { continue };
        let known = lists.entry(list.to_string()).or_insert_with(|| Some((list, Vec::new())));
        match (change, index.parse::<u64>()) {
            (Change::Insert { .. }, Ok(index)) => known.iter_mut().for_each(|(_, indices)| indices.push(index)),
            _ => *known = None,
        }
    }
    lists
}

/// Returns the items that one mod appends to lists to which others have appended some, too.
fn moves(changes: &[Change], others: &[&[Change]]) -> Vec<Move> {
    let is_row_of_others = |at: &Address, new: &Json| {
        let is_it = |it: &Change| it.is_same(&Change::Insert { at: at.clone(), length: None, new: new.clone() });
        others.iter().any(|changes| changes.iter().any(is_it))
    };
    let of_others: Vec<_> = others.iter().map(|changes| inserted(changes)).collect();
    let mut moves = Vec::new();
    for (key, known) in inserted(changes) {
        let Some((list, mut own)) = known else { continue };
        let beside: Option<Vec<u64>> =
            of_others.iter().filter_map(|lists| lists.get(&key)).try_fold(Vec::new(), |mut all, known| {
                all.extend_from_slice(&known.as_ref()?.1);
                Some(all)
            });
        let Some(mut beside) = beside else { continue };
        own.sort_unstable();
        beside.sort_unstable();
        let Some(first) = own.first().copied() else { continue };
        // All are appended to the list as it was, one after the other.
        let is_run = |indices: &[u64]| indices.iter().zip(first..).all(|(index, nth)| *index == nth);
        let is_known = |change: &Change| match change {
            Change::Insert { at, new, .. } => {
                at.outer().is_some_and(|(outer, _)| outer == list) && is_row_of_others(at, new)
            }
            _ => false,
        };
        if beside.is_empty() || !is_run(&own) || !is_run(&beside) || changes.iter().any(is_known) {
            continue;
        }
        moves.push(Move { list, first, rows: wide(own.len()), by: wide(beside.len()) });
    }
    moves
}

/// Returns a change after moves.
fn moved(change: &Change, moves: &[Move]) -> Change {
    let mut change = change.clone();
    let (Change::Set { at, .. } | Change::Order { at, .. } | Change::Insert { at, .. } | Change::Delete { at, .. }) =
        &mut change
    else {
        return change;
    };
    let found = moves.iter().find_map(|it| Some((it.index(at)?.0, it.by, it.moved(at)?)));
    let Some((old, by, new)) = found else { return change };
    *at = new;
    // The number of a row is its label, too.
    if let Change::Insert { new: row, .. } = &mut change
        && row.get("label").and_then(Json::text) == Some(old.to_string().as_str())
    {
        row.put("label", (old + by).to_string().as_str().into());
    }
    change
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(text: &str) -> Vec<Change> {
        serde_json::from_str(text).expect("changes")
    }

    fn row(index: u64, cell: &str) -> String {
        let at = format!("a.2da:/rows/{index}");
        format!(r#"{{"do":"insert","at":"{at}","new":{{"label":"{index}","cells":{{"A":"{cell}"}}}}}}"#)
    }

    #[test]
    fn appended_rows_move_after_those_of_others() {
        let own = changes(&format!("[{},{}]", row(28, "x"), row(29, "y")));
        let other = changes(&format!("[{}]", row(28, "z")));
        let moves = moves(&own, &[other.as_slice()]);
        assert_eq!(moves, [Move { list: "a.2da:/rows".into(), first: 28, rows: 2, by: 1 }]);
        let new: Vec<Change> = own.iter().map(|change| moved(change, &moves)).collect();
        assert_eq!(new, changes(&format!("[{},{}]", row(29, "x"), row(30, "y"))));
    }

    #[test]
    fn other_rows_do_not_move() {
        let own = changes(&format!("[{}]", row(28, "x")));
        for other in [
            format!("[{}]", row(28, "x")),
            format!("[{}]", row(27, "z")),
            format!(r#"[{},{{"do":"delete","at":"a.2da:/rows/3","old":1}}]"#, row(28, "z")),
            "[]".to_owned(),
        ] {
            assert!(moves(&own, &[changes(&other).as_slice()]).is_empty(), "{other}");
        }
    }
}
