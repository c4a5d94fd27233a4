//! Fields and cells that name rows of tables, after these have got other numbers.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::aurora::two_da::TwoDa;
use crate::exchange::{parse, print};
use crate::field::{Json, decode, encode, wide};
use crate::kind::{Kind, named};
use crate::registry::KINDS;

use super::build::Loose;
use super::references::{columns_of_table, field_within};
use super::resource::Resource;

/// Rows that get other numbers.
pub(super) struct Move {
    pub(super) first: usize,
    /// How far they move.
    pub(super) by: usize,
    pub(super) rows: usize,
    /// The new number of the first.
    pub(super) new: usize,
}

impl Move {
    fn of(&self, number: u64) -> Option<u64> {
        let index = usize::try_from(number).ok()?;
        let is_moved = index >= self.first && index - self.first < self.rows;
        is_moved.then(|| wide(index + self.by))
    }
}

/// What has followed, by table, and what could not.
struct Followed<'m> {
    moves: &'m BTreeMap<String, Move>,
    count: BTreeMap<String, u64>,
    errors: Vec<String>,
}

/// Changes the numbers of moved rows in the fields and cells of a container, and returns how many have changed by table. Each value that
/// cannot follow is an error with the path of the resource.
pub(super) fn follow(
    loose: &mut Loose,
    moves: &BTreeMap<String, Move>,
    errors: &mut Vec<String>,
) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    let gff = named(KINDS, "gff");
    for it in &mut loose.resources {
        let mut followed = Followed { moves, count: BTreeMap::new(), errors: Vec::new() };
        let result = match (it.is("2da"), gff.filter(|kind| (kind.recognize)(&it.bytes).is_some())) {
            (true, _) => followed.cells(it),
            (false, Some(kind)) => followed.fields_of(it, kind),
            (false, None) => Ok(()),
        };
        errors.extend(result.err().into_iter().chain(followed.errors).map(|why| format!("{}: {why}", it.path)));
        for (table, count) in followed.count {
            *all.entry(table).or_default() += count;
        }
    }
    all
}

/// What to do about a resource whose numbers cannot follow.
const HINT: &str = "repair it or leave it out, or join without --renumber";

impl Followed<'_> {
    /// Changes the cells of a table.
    fn cells(&mut self, it: &mut Resource) -> Result<(), String> {
        let columns: Vec<_> = columns_of_table(&it.name).filter(|(_, of)| self.moves.contains_key(*of)).collect();
        let Some((column, of)) = columns.first() else { return Ok(()) };
        let decoded = decode::<TwoDa>(it.bytes.clone());
        let mut table = decoded
            .map_err(|why| {
                format!(
                    "its column {column} names rows of {of}.2da that move, but it is no table as text: {why}; {HINT}"
                )
            })?
            .model;
        // A joined table begins with rows of another container, whose numbers stay.
        let first = self.moves.get(&it.name.to_lowercase()).map_or(0, |it| it.new);
        let mut count = 0;
        for (column, of) in columns {
            if let Some(by) = self.moves.get(of) {
                let changed = table.renumber(column, first, &|number| by.of(number));
                *self.count.entry(of.to_owned()).or_default() += changed;
                count += changed;
            }
        }
        if count > 0 {
            it.bytes = encode(&table).map_err(|why| format!("{why}; {HINT}"))?.into();
        }
        Ok(())
    }

    /// Changes the fields of a tree.
    fn fields_of(&mut self, it: &mut Resource, kind: &Kind) -> Result<(), String> {
        let form = kind.text.ok_or("internal error: trees of fields have no text")?;
        let unread = |why: &dyn core::fmt::Display| {
            format!("cannot be read, so that numbers of rows in it cannot follow: {why}; {HINT}")
        };
        let text = form.write(&it.bytes).map_err(|why| unread(&why))?;
        let mut tree = parse(&text).map_err(|why| unread(&why))?;
        let of = tree.get("__data_type").and_then(Json::text).unwrap_or_default().to_owned();
        let before = print(&tree);
        self.fields(&mut tree, &mut vec![of]);
        if self.count.is_empty() || !self.errors.is_empty() {
            return Ok(());
        }
        // Only what the text holds to the last bit is written anew.
        if (form.read)(&before).is_ok_and(|again| again != it.bytes) {
            return Err(format!("names rows that move, but its text would not become the same file; {HINT}"));
        }
        it.bytes = Bytes::from((form.read)(&print(&tree)).map_err(|why| format!("{why}; {HINT}"))?);
        Ok(())
    }

    /// Changes the fields of an object. `within` is the type of the file, then the steps to the object.
    fn fields(&mut self, json: &mut Json, within: &mut Vec<String>) {
        let Json::Object(members) = json else { return };
        for (label, field) in members.iter_mut() {
            let around: Vec<&str> = within.iter().map(String::as_str).collect();
            let of = field_within(label, &around);
            let table = of.and_then(|of| Some((of.table, self.moves.get(of.table)?)));
            let most = field.get("type").and_then(Json::text).and_then(most);
            if let (Some((table, _)), Some(word)) = (table, field.get("word")) {
                let word = word.describe();
                let place = place_of(&around);
                self.errors.push(format!(
                    "{place}/{label}/word: names a row of {table}.2da, whose rows move, but has bits beyond its type: found {word}; {HINT}"
                ));
            }
            let Some(value) = field.step_mut("value") else { continue };
            if let (Some((table, by)), Some(number)) = (table, value.whole()) {
                let is_none = of.is_some_and(|of| of.none == Some(number));
                let Some(new) = by.of(number).filter(|_| !is_none) else { continue };
                match i64::try_from(new) {
                    Ok(fits) if most.is_none_or(|most| fits <= most) => {
                        *value = Json::from(fits);
                        *self.count.entry(table.to_owned()).or_default() += 1;
                    }
                    _ => self.errors.push(format!(
                        "{}/{label}/value: row {number} of {table}.2da becomes {new}, but the field holds at most {}; take rows out of one of \
                         the tables, or join without --renumber",
                        place_of(&around),
                        most.unwrap_or(i64::MAX)
                    )),
                }
                continue;
            }
            within.extend([label.to_string(), "value".to_owned()]);
            match value {
                Json::List(items) => {
                    for (nth, item) in items.iter_mut().enumerate() {
                        within.push(nth.to_string());
                        self.fields(item, within);
                        within.pop();
                    }
                }
                inner => self.fields(inner, within),
            }
            within.truncate(within.len() - 2);
        }
    }
}

/// Returns the place of an object. The first step is the type of the file.
fn place_of(within: &[&str]) -> String {
    within.iter().skip(1).fold(String::new(), |place, step| place + "/" + step)
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
