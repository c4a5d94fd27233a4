//! Rows that several mods append to one table: each gets the next free number.

use core::fmt::{self, Display};
use std::collections::{BTreeMap, BTreeSet};

use crate::edit::diff::Change;
use crate::edit::{label_of, name_in};
use crate::loose::moved_rows::{Followed, MovedRange, Moves, table_name};
use crate::loose::references::is_named;
use field::{Address, Value, wide};
use output::printable::counted;
use passes::Sha;

use super::conflicts::conflicts;
use super::follow::{HINT, follow};
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
    /// The number of values of the mod that name these rows and have followed, or `None` if nothing is known that names rows of this list.
    pub followed: Option<u64>,
}

impl Display for Renumbered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, name, list, first, rows, by, followed } = self;
        let range = |first: u64| match rows {
            1 => first.to_string(),
            rows => format!("{first} to {}", first + rows - 1),
        };
        let (what, are) = if *rows == 1 { ("item", "becomes") } else { ("items", "become") };
        let (old, new) = (range(*first), range(first + by));
        write!(f, "{path}: {name}: {what} {old} of {list} {are} {new}, after those of other mods; ")?;
        match followed {
            None => write!(f, "files that refer to {old} need the new number"),
            Some(0) => {
                write!(f, "nothing else in the mod is known to refer to {old}; scripts that do need the new number")
            }
            Some(count) => {
                let (values, were) = (counted(*count, "value"), if *count == 1 { "was" } else { "were" });
                write!(
                    f,
                    "{values} of the mod that may refer to {old} {were} changed; scripts that refer to {old} need the new number"
                )
            }
        }
    }
}

impl Game {
    /// Returns mods that can be applied together although they append rows to the same lists: the rows of later ones get the next free
    /// indices. A label that is the index of its row follows, and so do the places of other changes of the mod, and what else in the mod is
    /// known to name rows of the table. What other mods, the game and scripts say about the rows does not.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if a value that names a row cannot follow.
    pub fn renumbered(&self, mods: Vec<Named>) -> Result<(Vec<Named>, Vec<Renumbered>)> {
        let loaded = self.loaded()?;
        let applied = by_path(loaded.iter().map(|(it, file)| (it.name.as_str(), &file.files)));
        let (mut done, mut all) = (Vec::<Named>::new(), Vec::new());
        for mut named in mods {
            let before = by_path(done.iter().map(|it| (it.name.as_str(), &it.file.files)));
            let moves_of = |edit: &FileEdit| {
                moves_of((&named.name, edit), edits_of(&applied, &edit.path), edits_of(&before, &edit.path))
            };
            let moves: Vec<Vec<Move>> = named.file.files.iter().map(moves_of).collect();
            if moves.iter().any(|moves| !moves.is_empty()) {
                let tables = tables(named.file.files.iter().zip(&moves));
                let mut followed = Followed::new(&tables, HINT);
                let mut said = Vec::new();
                for (edit, moves) in named.file.files.iter_mut().zip(moves) {
                    let mut new = edit.clone();
                    for change in new.changes.iter_mut().flatten().filter(|_| !moves.is_empty()) {
                        *change = moved(change, &moves);
                    }
                    let has_followed = follow(&mut new, &mut followed).map_err(at(&edit.path))?;
                    let is_new = match (moves.is_empty(), has_followed) {
                        (true, true) => self.restate(&mut new).map(|()| true)?,
                        (true, false) => false,
                        (false, _) => {
                            self.base(&mut new, edits_of(&applied, &edit.path), edits_of(&before, &edit.path))?
                        }
                    };
                    if is_new {
                        said.extend(moves.into_iter().map(|it| (edit.path.clone(), it.table(edit.name()), it)));
                        *edit = new;
                    }
                }
                if !said.is_empty() {
                    named.sha256 = named.file.sha256().map_err(at(&named.name))?;
                }
                all.extend(said.into_iter().map(|(path, table, it)| {
                    let table = table.filter(|table| tables.contains_key(table) && is_named(table));
                    let followed = table.map(|table| followed.count.get(&table).copied().unwrap_or(0));
                    let (name, MovedRange { first, rows, by }) = (named.name.clone(), it.range);
                    Renumbered { path, name, list: it.list, first, rows, by, followed }
                }));
            }
            done.push(named);
        }
        Ok((done, all))
    }

    /// States the file that an edit with moved rows is made for: the one with the edits of the mods that are applied, and of those that will
    /// be before it. Returns `false` if it cannot be made.
    fn base(&self, edit: &mut FileEdit, applied: &[(&str, &FileEdit)], before: &[(&str, &FileEdit)]) -> Result<bool> {
        let Some(changes) = &edit.changes else { return Ok(false) };
        let old = self.file(&Locator::new(&self.journal.disk), &edit.path)?;
        // What keeps them from being applied is found again by the plan.
        let Some(Some(file)) = self.chained(old, applied, before, &mut Vec::new())? else { return Ok(false) };
        let bytes = self.journal.bytes(&file).map_err(placed(|error| refusal(&edit.path, error)))?;
        let Ok(new) = apply::change(edit, &bytes, changes) else { return Ok(false) };
        (edit.before, edit.after) = (Some(file.sha256), Some(Sha::of(&new).to_string()));
        edit.bytes = wide(new.len());
        Ok(true)
    }

    /// States the result of an edit whose values have followed moved rows, if the file that it was made for is there.
    fn restate(&self, edit: &mut FileEdit) -> Result {
        let Some(changes) = &edit.changes else { return Ok(()) };
        let held = self.journal.state.files.get(&edit.path);
        let original = self.stored(held.and_then(|held| held.original.as_ref()))?;
        let now = self.file(&Locator::new(&self.journal.disk), &edit.path)?;
        let known = [original, now].into_iter().flatten().find(|it| Some(&it.sha256) == edit.before.as_ref());
        let Some(file) = known else { return Ok(()) };
        let bytes = self.journal.bytes(&file).map_err(placed(|error| refusal(&edit.path, error)))?;
        let new = match apply::change(edit, &bytes, changes) {
            Ok(new) => new,
            Err(unfit) => return Err(refusal(&edit.path, unfit.at(&edit.path)?)),
        };
        (edit.after, edit.bytes) = (Some(Sha::of(&new).to_string()), wide(new.len()));
        Ok(())
    }
}

/// Returns the rows of an edit that must move after those of mods that are applied, and of those that will be before it.
fn moves_of((name, edit): (&str, &FileEdit), applied: &[(&str, &FileEdit)], before: &[(&str, &FileEdit)]) -> Vec<Move> {
    let Some(changes) = &edit.changes else { return Vec::new() };
    let others: Vec<_> = applied.iter().chain(before).copied().collect();
    let of_others: Vec<&[Change]> = others.iter().filter_map(|(_, it)| it.changes.as_deref()).collect();
    let moves = moves(changes, &of_others);
    if moves.is_empty() {
        return moves;
    }
    // The rest must fit as it is: whatever else contradicts the other mods stays a conflict.
    let rest = FileEdit {
        changes: Some(changes.iter().filter(|change| !moves.iter().any(|it| it.is_row(change))).cloned().collect()),
        ..edit.clone()
    };
    let is_clear = others.iter().all(|other| conflicts(*other, (name, &rest)).is_empty());
    if is_clear { moves } else { Vec::new() }
}

/// Returns the moved rows of all tables of a mod. If the mod has two tables of one name whose new rows do not move alike, it is not known
/// which of them a number means, and nothing follows.
fn tables<'e>(edits: impl Iterator<Item = (&'e FileEdit, &'e Vec<Move>)>) -> Moves {
    let mut tables: BTreeMap<String, Option<MovedRange>> = BTreeMap::new();
    for (edit, moves) in edits {
        for table in tables_with_new_rows(edit) {
            let moved = moves.iter().find(|it| it.table(edit.name()).as_ref() == Some(&table));
            let range = moved.map(|it| it.range);
            let known = tables.entry(table).or_insert(range);
            *known = known.filter(|known| Some(*known) == range);
        }
    }
    tables.into_iter().filter_map(|(table, range)| Some((table, range?))).collect()
}

/// Returns the names of the tables that an edit adds, replaces or inserts rows into, in lower case.
fn tables_with_new_rows(edit: &FileEdit) -> BTreeSet<String> {
    let whole = edit.content.as_ref().and_then(|_| table_name(edit.name()));
    let of_change = |change: &Change| match change {
        Change::Insert { at, .. } => {
            let (_, list) = at.keys.split_last()?;
            table_of_rows(&Address { entry: at.entry.clone(), keys: list.to_vec() }, edit.name())
        }
        Change::Add { entry, .. } | Change::Replace { entry, .. } => table_name(name_in(label_of(entry))),
        _ => None,
    };
    edit.changes.iter().flatten().filter_map(of_change).chain(whole).collect()
}

/// Returns the name of the table whose rows are at a place in a file of this name, in lower case.
fn table_of_rows(list: &Address, file: &str) -> Option<String> {
    let entry = name_in(label_of(&list.entry));
    let is_rows = matches!(list.keys.as_slice(), [rows] if rows == "rows");
    table_name(if entry.is_empty() { file } else { entry }).filter(|_| is_rows)
}

/// Items of a list that move.
#[derive(Debug, PartialEq)]
struct Move {
    list: Address,
    range: MovedRange,
}

impl Move {
    /// Returns the name of the table whose rows these are, in lower case, if the list is that of the rows of a table in a file of this name.
    fn table(&self, file: &str) -> Option<String> {
        table_of_rows(&self.list, file)
    }

    /// Returns `true` if a change inserts one of the items.
    fn is_row(&self, change: &Change) -> bool {
        matches!(change, Change::Insert { at, .. } if self.index(at).is_some_and(|(_, rest)| rest.is_empty()))
    }

    /// Returns the index of the item that holds a place, if it moves, and the keys inside it.
    fn index<'a>(&self, at: &'a Address) -> Option<(u64, &'a [String])> {
        let rest = Some(at).filter(|at| at.entry == self.list.entry)?.keys.strip_prefix(self.list.keys.as_slice())?;
        let (index, rest) = rest.split_first()?;
        let index: u64 = index.parse().ok()?;
        (index >= self.range.first).then_some((index, rest))
    }

    /// Returns a place after the move.
    fn moved(&self, at: &Address) -> Option<Address> {
        let (index, rest) = self.index(at)?;
        let mut moved = self.list.with((index + self.range.by).to_string());
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
    let is_row_of_others = |at: &Address, new: &Value| {
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
        moves.push(Move { list, range: MovedRange { first, rows: wide(own.len()), by: wide(beside.len()) } });
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
    let found = moves.iter().find_map(|it| Some((it.index(at)?.0, it.range.by, it.moved(at)?)));
    let Some((old, by, new)) = found else { return change };
    *at = new;
    // The number of a row is its label, too.
    if let Change::Insert { new: row, .. } = &mut change
        && row.get("label").and_then(Value::text) == Some(old.to_string().as_str())
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
        assert_eq!(moves, [Move { list: "a.2da:/rows".into(), range: MovedRange { first: 28, rows: 2, by: 1 } }]);
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
