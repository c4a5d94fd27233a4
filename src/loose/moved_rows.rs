//! Fields of trees and cells of tables that name rows of tables, after these rows have got other numbers.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use crate::aurora::two_da::{TwoDa, renumbered};
use crate::registry::KINDS;
use exchange::{parse, print};
use field::{Value, decode, encode};
use kind::named;

use super::references::{Field, columns_of_table, field_within};

/// The kind of trees.
const TREE: &str = "gff";
/// The extension of tables.
const TABLE: &str = ".2da";

/// Rows that get other numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MovedRange {
    pub(crate) first: u64,
    pub(crate) rows: u64,
    /// How far they move.
    pub(crate) by: u64,
}

impl MovedRange {
    fn of(&self, number: u64) -> Option<u64> {
        let is_moved = number >= self.first && number - self.first < self.rows;
        is_moved.then(|| number + self.by)
    }
}

/// Moved rows by the names of their tables, in lower case.
pub(crate) type Moves = BTreeMap<String, MovedRange>;

/// Returns the name of a table, in lower case, or `None` for a resource that is none.
pub(crate) fn table_name(resource: &str) -> Option<String> {
    resource.to_ascii_lowercase().strip_suffix(TABLE).map(str::to_owned)
}

/// What has followed moved rows, and what could not.
pub(crate) struct Followed<'m> {
    moves: &'m Moves,
    /// What to do about a value that cannot follow.
    hint: &'static str,
    /// The entry that is looked at, which errors name. Empty for the file itself.
    entry: String,
    /// The number of values that have followed, by table.
    pub(crate) count: BTreeMap<String, u64>,
    /// Why other values could not, each with its place.
    pub(crate) errors: Vec<String>,
}

impl<'m> Followed<'m> {
    pub(crate) fn new(moves: &'m Moves, hint: &'static str) -> Self {
        Self { moves, hint, entry: String::new(), count: BTreeMap::new(), errors: Vec::new() }
    }

    /// Names the entry that is looked at next.
    pub(crate) fn within(&mut self, entry: &str) -> &mut Self {
        entry.clone_into(&mut self.entry);
        self
    }

    /// Returns the moved rows of all tables but these.
    pub(crate) fn moves_but(&self, tables: &BTreeSet<String>) -> Moves {
        let moves = self.moves.iter().filter(|(table, _)| !tables.contains(*table));
        moves.map(|(table, range)| (table.clone(), *range)).collect()
    }

    /// Adds what has followed elsewhere, and what could not.
    pub(crate) fn add(&mut self, count: BTreeMap<String, u64>, errors: Vec<String>) {
        count.iter().for_each(|(table, count)| self.followed(table, *count));
        self.errors.extend(errors);
    }

    /// Returns a resource with other numbers, or `None` if it stays as it is. If it is a joined table, its rows before `first` are those of
    /// another container, whose numbers stay.
    ///
    /// # Errors
    /// Returns the reason why no value in it can follow; [`errors`](Self::errors) has those of single values.
    pub(crate) fn resource(&mut self, name: &str, bytes: &Bytes, first: usize) -> Result<Option<Bytes>, String> {
        match table_name(name) {
            Some(table) => self.cells(&table, bytes, first),
            None if named(KINDS, TREE).is_some_and(|kind| (kind.recognize)(bytes).is_some()) => self.tree(bytes),
            None => Ok(None),
        }
    }

    /// Changes the numbers in a value of a resource, at these keys in the exchange format.
    pub(crate) fn value(&mut self, name: &str, keys: &[String], value: &mut Value) {
        let end = name.rsplit_once('.').map_or("", |(_, end)| end);
        let type_of_file = format!("{:4}", end.to_ascii_uppercase());
        let mut steps: Vec<String> = [&[type_of_file][..], keys].concat();
        match table_name(name) {
            Some(table) => self.cell(&table, value, &mut steps),
            None if named(KINDS, TREE).is_some_and(|kind| kind.claims(name)) => self.field(value, &mut steps),
            None => {}
        }
    }

    fn followed(&mut self, table: &str, count: u64) {
        if count > 0 {
            *self.count.entry(table.to_owned()).or_default() += count;
        }
    }

    /// Changes the cells of a table.
    fn cells(&mut self, name: &str, bytes: &Bytes, first: usize) -> Result<Option<Bytes>, String> {
        let hint = self.hint;
        let columns: Vec<_> = columns_of_table(name).filter(|(_, of)| self.moves.contains_key(*of)).collect();
        let Some((column, of)) = columns.first() else { return Ok(None) };
        let decoded = decode::<TwoDa>(bytes.clone());
        let mut table = decoded
            .map_err(|why| {
                format!(
                    "its column {column} names rows of {of}.2da that move, but it is no table as text: {why}; {hint}"
                )
            })?
            .model;
        let mut count = 0;
        for (column, of) in columns {
            if let Some(by) = self.moves.get(of) {
                let changed = table.renumber(column, first, &|number| by.of(number));
                self.followed(of, changed);
                count += changed;
            }
        }
        let changed = (count > 0).then(|| encode(&table).map_err(|why| format!("{why}; {hint}")));
        Ok(changed.transpose()?.map(Bytes::from))
    }

    /// Changes the numbers in a part of a table at these steps: of a cell, of a row, or of all.
    fn cell(&mut self, name: &str, value: &mut Value, steps: &mut Vec<String>) {
        let column =
            if let [.., cells, column] = steps.as_slice() { (cells == "cells").then_some(column) } else { None };
        let of = column.and_then(|it| columns_of_table(name).find(|(column, _)| column.eq_ignore_ascii_case(it)));
        let moved = of.and_then(|(_, of)| Some((of, *self.moves.get(of)?)));
        if let (Some((of, by)), Some(cell)) = (moved, value.text())
            && let Some(new) = renumbered(cell, &|number| by.of(number))
        {
            *value = new.as_str().into();
            return self.followed(of, 1);
        }
        each_inside(value, steps, &mut |inner, steps| self.cell(name, inner, steps));
    }

    /// Changes the fields of a tree.
    fn tree(&mut self, bytes: &Bytes) -> Result<Option<Bytes>, String> {
        let hint = self.hint;
        let form =
            named(KINDS, TREE).and_then(|kind| kind.text).ok_or("internal error: trees of fields have no text")?;
        let unread = |why: &dyn core::fmt::Display| {
            format!("cannot be read, so that numbers of rows in it cannot follow: {why}; {hint}")
        };
        let text = form.write(bytes).map_err(|why| unread(&why))?;
        let mut tree = parse(&text).map_err(|why| unread(&why))?;
        let of = tree.get("__data_type").and_then(Value::text).unwrap_or_default().to_owned();
        let (before, refused) = (self.count.clone(), self.errors.len());
        self.field(&mut tree, &mut vec![of]);
        if self.count == before || self.errors.len() > refused {
            return Ok(None);
        }
        // Only what the text holds to the last bit is written anew.
        let original = print(&parse(&text).map_err(|why| unread(&why))?);
        if (form.read)(&original).is_ok_and(|again| again != *bytes) {
            return Err(format!("names rows that move, but its text would not become the same file; {hint}"));
        }
        let new = (form.read)(&print(&tree)).map_err(|why| format!("{why}; {hint}"))?;
        Ok(Some(new.into()))
    }

    /// Changes the numbers in a part of a tree: of a value, of a field, or of all. The steps are the type of the file, then those to the part.
    fn field(&mut self, json: &mut Value, steps: &mut Vec<String>) {
        let moved = |label: &[String]| {
            let (label, around) = label.split_last()?;
            let of = field_within(label, around)?;
            Some((of, *self.moves.get(of.table)?))
        };
        if let Some((of, by)) = moved(steps) {
            let of_type = json.get("type").and_then(Value::text).unwrap_or("dword");
            let (most, bits) = (most(of_type), bits(of_type));
            if let Some(word) = json.get("word").and_then(Value::whole) {
                if new_number((of, by), word & bits).is_some() {
                    let (place, hint, table) = (self.place_of(steps), self.hint, of.table);
                    self.errors.push(format!(
                        "{place}/word: names a row of {table}.2da, whose rows move, but has bits beyond its type: found {word}; {hint}"
                    ));
                }
                return;
            }
            if let Some(number) = json.get("value").and_then(Value::whole) {
                if let Some(value) = json.step_mut("value") {
                    steps.push("value".to_owned());
                    self.number((of, by), (number, value), most, steps);
                    steps.pop();
                }
                return;
            }
        }
        // The value of a field alone.
        if let [label @ .., last] = steps.as_slice()
            && last == "value"
            && let (Some(moved), Some(number)) = (moved(label), json.whole())
        {
            return self.number(moved, (number, json), None, steps);
        }
        each_inside(json, steps, &mut |inner, steps| self.field(inner, steps));
    }

    /// Changes the number of a row, if its field holds the new one.
    fn number(
        &mut self,
        (of, by): (&Field, MovedRange),
        (number, value): (u64, &mut Value),
        most: Option<i64>,
        steps: &[String],
    ) {
        let Some(new) = new_number((of, by), number) else { return };
        let table = of.table;
        match i64::try_from(new) {
            Ok(fits) if most.is_none_or(|most| fits <= most) => {
                *value = Value::from(fits);
                self.followed(table, 1);
            }
            _ => self.errors.push(format!(
                "{}: row {number} of {table}.2da becomes {new}, but the field holds at most {}; take rows out of one of the tables, \
                 or do it without --renumber",
                self.place_of(steps),
                most.unwrap_or(i64::MAX)
            )),
        }
    }

    /// Returns the place of a part. The first step is the type of the file.
    fn place_of(&self, steps: &[String]) -> String {
        let begin = if self.entry.is_empty() { String::new() } else { format!("{}:", self.entry) };
        steps.iter().skip(1).fold(begin, |place, step| place + "/" + step)
    }
}

/// Returns the new number of a row that a field names, or `None` if it stays.
fn new_number((of, by): (&Field, MovedRange), number: u64) -> Option<u64> {
    by.of(number).filter(|_| of.none != Some(number))
}

/// Calls `act` for the members of an object or the items of a list, with the steps to each.
fn each_inside(json: &mut Value, steps: &mut Vec<String>, act: &mut dyn FnMut(&mut Value, &mut Vec<String>)) {
    let mut each = |step: String, inner: &mut Value| {
        steps.push(step);
        act(inner, steps);
        steps.pop();
    };
    match json {
        Value::Object(members) => members.iter_mut().for_each(|(name, inner)| each(name.to_string(), inner)),
        Value::List(items) => items.iter_mut().enumerate().for_each(|(nth, inner)| each(nth.to_string(), inner)),
        _ => {}
    }
}

/// Returns the bits of its word that a field of a type holds. Source: `nwn-gff.md`, section 2.
fn bits(of: &str) -> u64 {
    match of {
        "byte" | "char" => u8::MAX.into(),
        "word" | "short" => u16::MAX.into(),
        _ => u32::MAX.into(),
    }
}

/// Returns the largest number that a field of a type holds. Source: `nwn-gff.md`, section 2.
fn most(of: &str) -> Option<i64> {
    match of {
        "byte" => Some(u8::MAX.into()),
        "char" => Some(i8::MAX.into()),
        "word" => Some(u16::MAX.into()),
        "short" => Some(i16::MAX.into()),
        "dword" => Some(u32::MAX.into()),
        "int" => Some(i32::MAX.into()),
        _ => None,
    }
}
