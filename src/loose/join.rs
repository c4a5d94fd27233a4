//! The resources of several containers or folders in one: what only one has, what is the same, and what differs.
//!
//! Tables to which two have appended rows are joined on request: the later rows get the next free numbers, and so do the fields and cells of
//! the same container that name them. Scripts that name them by numbers do not; which tables have moved is said.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::aurora::resource::ResourceType;
use crate::aurora::two_da::{RowsOfTwo, TwoDa};
use crate::exchange::{parse, print};
use crate::field::{Json, decode, encode, wide};
use crate::kind::{Kind, named};
use crate::registry::KINDS;

use super::build::Loose;
use super::references::{columns_of_table, table_of_field};
use super::resource::Resource;

/// Which of two different resources with one name is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FavorIn {
    /// That of the first container, as the game does with the HAKs of a module.
    First,
    /// That of the last container.
    Last,
}

/// How resources are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JoinOptions {
    /// Which of two different resources is taken. Without one, they are errors.
    pub favor: Option<FavorIn>,
    /// `true` if rows that two containers append to one table get different numbers.
    pub renumber: bool,
}

impl JoinOptions {
    /// Sets which of two different resources is taken.
    #[must_use]
    pub fn favor(self, favor: Option<FavorIn>) -> Self {
        Self { favor, ..self }
    }

    /// Sets whether rows that two containers append to one table get different numbers.
    #[must_use]
    pub fn renumber(self, renumber: bool) -> Self {
        Self { renumber, ..self }
    }
}

/// Rows of a table that have been moved after those of another container.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MovedRows {
    /// The name of the table.
    pub table: String,
    /// The container that they come from.
    pub of: String,
    /// The number of the first of them in that container, and now.
    pub first: [u64; 2],
    /// Their number.
    pub rows: u64,
    /// The number of fields and cells of that container that have followed.
    pub followed: u64,
}

/// What has been joined.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Joined {
    /// The resources.
    pub loose: Loose,
    /// For each container, how many of its resources no other one before it has.
    pub added: Vec<(String, usize)>,
    /// The number of resources that several have with the same content.
    pub same: usize,
    /// Resources that differ, each with the container that it was taken from.
    pub decided: Vec<(String, String)>,
    /// Tables that are one container's with rows that another one appends.
    pub longer: Vec<(String, String)>,
    /// Rows with other numbers.
    pub moved: Vec<MovedRows>,
    /// The scripts of containers whose rows have moved: numbers in them have not.
    pub scripts: usize,
}

/// Joins the resources of containers or folders, each with its name for messages.
///
/// # Errors
/// Returns an error for each resource that differs in two of them, unless the options decide.
pub fn join(sources: Vec<(String, Loose)>, options: JoinOptions) -> Result<Joined, Vec<String>> {
    let (mut joined, mut errors) = (Joined::default(), Vec::new());
    let mut known: BTreeMap<(String, u16), (Resource, String)> = BTreeMap::new();
    for (nth, (source, mut loose)) in sources.into_iter().enumerate() {
        if nth == 0 {
            joined.loose.container = loose.container.take();
        }
        joined.loose.others.append(&mut loose.others);
        let mut moves = BTreeMap::new();
        if options.renumber {
            for it in &mut loose.resources {
                let Some((before, _)) = known.get(&it.order()).filter(|(before, _)| before.bytes != it.bytes) else {
                    continue;
                };
                let Some((own, theirs, rows)) = tables(before, it) else { continue };
                if rows.edited > 0 || rows.rows.iter().any(|count| *count <= rows.common) {
                    continue;
                }
                let (mut own, by) = (own, rows.rows[0] - rows.common);
                own.append_rows(&theirs, rows.common);
                let Ok(bytes) = encode(&own) else { continue };
                moves.insert(
                    it.name.to_lowercase(),
                    Move { first: rows.common, by, rows: rows.rows[1] - rows.common, new: rows.rows[0] },
                );
                it.bytes = bytes.into();
            }
        }
        let followed = match moves.is_empty() {
            true => BTreeMap::new(),
            false => follow(&mut loose, &moves),
        };
        joined.scripts +=
            if moves.is_empty() { 0 } else { loose.resources.iter().filter(|it| is(it.kind, "nss")).count() };
        let mut added = 0;
        for it in loose.resources {
            let path = it.path.clone();
            match known.get_mut(&it.order()) {
                None => {
                    added += 1;
                    known.insert(it.order(), (it, source.clone()));
                }
                Some((before, _)) if before.bytes == it.bytes => joined.same += 1,
                // It begins with the rows of the table before, whose place it takes.
                Some((before, of)) if moves.contains_key(&it.name.to_lowercase()) && is(it.kind, "2da") => {
                    (*before, *of) = (it, source.clone());
                }
                Some((before, of)) => {
                    let rows = tables(before, &it).map(|(.., rows)| rows);
                    match (rows, options.favor) {
                        // One table is the beginning of the other.
                        (Some(rows), _) if rows.rows[0] == rows.common || rows.rows[1] == rows.common => {
                            if rows.rows[1] > rows.common {
                                (*before, *of) = (it, source.clone());
                            }
                            joined.longer.push((path, of.clone()));
                        }
                        (_, Some(FavorIn::First)) => joined.decided.push((path, of.clone())),
                        (_, Some(FavorIn::Last)) => {
                            (*before, *of) = (it, source.clone());
                            joined.decided.push((path, source.clone()));
                        }
                        (rows, None) => errors.push(format!("{path}: differs in {of} and {source}{}", why(rows))),
                    }
                }
            }
        }
        joined.added.push((source.clone(), added));
        for (table, it) in moves {
            joined.moved.push(MovedRows {
                followed: followed.get(&table).copied().unwrap_or_default(),
                of: source.clone(),
                first: [it.first, it.new].map(wide),
                rows: wide(it.rows),
                table,
            });
        }
    }
    joined.loose.resources = known.into_values().map(|(it, _)| it).collect();
    joined.loose.resources.sort_by_cached_key(Resource::order);
    if errors.is_empty() { Ok(joined) } else { Err(errors) }
}

/// Rows that get other numbers.
struct Move {
    first: usize,
    /// How far they move.
    by: usize,
    rows: usize,
    /// The new number of the first.
    new: usize,
}

impl Move {
    fn of(&self, number: u64) -> Option<u64> {
        let index = usize::try_from(number).ok()?;
        let is_moved = index >= self.first && index - self.first < self.rows;
        is_moved.then(|| wide(index + self.by))
    }
}

fn is(kind: ResourceType, extension: &str) -> bool {
    kind.extension().eq_ignore_ascii_case(extension)
}

/// Returns two resources as tables that can be compared row by row.
fn tables(one: &Resource, other: &Resource) -> Option<(TwoDa, TwoDa, RowsOfTwo)> {
    if !is(one.kind, "2da") {
        return None;
    }
    let table = |it: &Resource| decode::<TwoDa>(it.bytes.clone()).ok().map(|decoded| decoded.model);
    let (one, other) = (table(one)?, table(other)?);
    let rows = one.compare_rows(&other)?;
    Some((one, other, rows))
}

/// Describes how two tables differ, and what helps.
fn why(rows: Option<RowsOfTwo>) -> String {
    match rows {
        None => String::new(),
        Some(RowsOfTwo { edited: 0, common, rows: [one, other] }) => format!(
            ": after {common} equal rows, they append {} and {}; --renumber gives the later ones the next free numbers",
            one - common,
            other - common
        ),
        Some(RowsOfTwo { edited, .. }) => format!(": {edited} rows were edited"),
    }
}

/// Changes the numbers of moved rows in the fields and cells of a container, and returns how many have changed by table.
fn follow(loose: &mut Loose, moves: &BTreeMap<String, Move>) -> BTreeMap<String, u64> {
    let mut followed = BTreeMap::new();
    let gff = named(KINDS, "gff");
    for it in &mut loose.resources {
        match is(it.kind, "2da") {
            true => follow_cells(it, moves, &mut followed),
            false => {
                if let Some(kind) = gff.filter(|kind| (kind.recognize)(&it.bytes).is_some()) {
                    follow_fields(it, kind, moves, &mut followed);
                }
            }
        }
    }
    followed
}

fn follow_cells(it: &mut Resource, moves: &BTreeMap<String, Move>, followed: &mut BTreeMap<String, u64>) {
    let Ok(decoded) = decode::<TwoDa>(it.bytes.clone()) else { return };
    let (mut table, mut count) = (decoded.model, 0);
    // A joined table begins with rows of another container, whose numbers stay.
    let first = moves.get(&it.name.to_lowercase()).map_or(0, |it| it.new);
    for (column, of) in columns_of_table(&it.name) {
        if let Some(by) = moves.get(of) {
            let changed = table.renumber(column, first, &|number| by.of(number));
            *followed.entry(of.to_owned()).or_default() += changed;
            count += changed;
        }
    }
    if let (true, Ok(bytes)) = (count > 0, encode(&table)) {
        it.bytes = bytes.into();
    }
}

fn follow_fields(it: &mut Resource, kind: &Kind, moves: &BTreeMap<String, Move>, followed: &mut BTreeMap<String, u64>) {
    let Some(form) = kind.text else { return };
    let Some(mut tree) = form.write(&it.bytes).ok().and_then(|text| parse(&text).ok()) else { return };
    // Only what the text holds to the last bit is written anew.
    if (form.read)(&print(&tree)).is_ok_and(|again| again != it.bytes) {
        return;
    }
    let of = tree.get("__data_type").and_then(Json::text).unwrap_or_default().to_owned();
    let mut count = BTreeMap::new();
    fields(&mut tree, &mut vec![of], moves, &mut count);
    if count.is_empty() {
        return;
    }
    if let Ok(bytes) = (form.read)(&print(&tree)) {
        it.bytes = Bytes::from(bytes);
        for (table, count) in count {
            *followed.entry(table).or_default() += count;
        }
    }
}

fn fields(
    json: &mut Json,
    within: &mut Vec<String>,
    moves: &BTreeMap<String, Move>,
    count: &mut BTreeMap<String, u64>,
) {
    let Json::Object(members) = json else { return };
    for (label, field) in members.iter_mut() {
        let around: Vec<&str> = within.iter().map(String::as_str).collect();
        let table = table_of_field(label, &around).and_then(|table| Some((table, moves.get(table)?)));
        let Some(value) = field.step_mut("value") else { continue };
        if let (Some((table, by)), Some(number)) = (table, value.whole()) {
            if let Some(new) = by.of(number) {
                *value = Json::from(i64::try_from(new).unwrap_or(i64::MAX));
                *count.entry(table.to_owned()).or_default() += 1;
            }
            continue;
        }
        within.push(label.to_string());
        match value {
            Json::List(items) => items.iter_mut().for_each(|item| fields(item, within, moves, count)),
            inner => fields(inner, within, moves, count),
        }
        within.pop();
    }
}
