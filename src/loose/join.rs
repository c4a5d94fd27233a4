//! The resources of several containers or folders in one: what only one has, what is the same, and what differs.
//!
//! Tables to which two have appended rows are joined on request: the later rows get the next free numbers, and so do the fields and cells of
//! the same container that name them. Scripts that name them by numbers do not; which tables have moved is said.

use std::collections::{BTreeMap, BTreeSet};

use crate::aurora::two_da::{RowsOfTwo, TwoDa};
use field::{decode, encode, wide};

use super::build::Loose;
use super::moved_rows::{Followed, MovedRange, Moves};
use super::references::is_named;
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
    /// `false` if no field and no column is known that names rows of this table, so that nothing can follow.
    pub is_named: bool,
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
    /// Tables of the same rows whose spaces or line ends differ, each with the container that it was taken from.
    pub alike: Vec<(String, String)>,
    /// Rows with other numbers.
    pub moved: Vec<MovedRows>,
    /// The number of scripts, by their names, of containers whose rows have moved: numbers in them have not.
    pub scripts: usize,
    /// The containers whose own date and descriptions are not taken, since they differ from those of the first.
    pub left_out: Vec<String>,
}

/// Joins the resources of containers or folders, each with its name for messages.
///
/// # Errors
/// Returns an error for each resource that differs in two of them, unless the options decide, and for each value that names a moved row and
/// cannot follow.
pub fn join(sources: Vec<(String, Loose)>, options: JoinOptions) -> Result<Joined, Vec<String>> {
    let (mut joined, mut errors) = (Joined::default(), Vec::new());
    let mut known: BTreeMap<(String, u16), (Resource, String)> = BTreeMap::new();
    for (nth, (source, mut loose)) in sources.into_iter().enumerate() {
        match loose.container.take() {
            own if nth == 0 => joined.loose.container = own,
            Some(own) if joined.loose.container.as_ref() != Some(&own) => joined.left_out.push(source.clone()),
            _ => {}
        }
        joined.loose.others.append(&mut loose.others);
        joined.loose.notes.append(&mut loose.notes);
        let mut moves = Moves::new();
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
                let bytes = match encode(&own) {
                    Ok(bytes) => bytes,
                    Err(why) => {
                        errors.push(format!("{source}: {}: {why}", it.path));
                        continue;
                    }
                };
                moves.insert(
                    it.name.to_lowercase(),
                    MovedRange { first: wide(rows.common), by: wide(by), rows: wide(rows.rows[1] - rows.common) },
                );
                it.bytes = bytes.into();
            }
        }
        let mut followed = BTreeMap::new();
        if !moves.is_empty() {
            let mut refused = Vec::new();
            followed = follow(&mut loose, &moves, &mut refused);
            errors.extend(refused.iter().map(|why| format!("{source}: {why}")));
            // A script is there as its source, compiled, or both.
            let scripts = loose.resources.iter().filter(|it| it.is("nss") || it.is("ncs"));
            joined.scripts += scripts.map(|it| it.name.to_lowercase()).collect::<BTreeSet<_>>().len();
        }
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
                Some((before, of)) if moves.contains_key(&it.name.to_lowercase()) && it.is("2da") => {
                    (*before, *of) = (it, source.clone());
                }
                Some((before, of)) => {
                    let rows = tables(before, &it).map(|(.., rows)| rows);
                    match (rows, options.favor) {
                        (Some(rows), _) if rows.rows == [rows.common; 2] => joined.alike.push((path, of.clone())),
                        // One table is the beginning of the other.
                        (Some(rows), _) if rows.rows[0] == rows.common || rows.rows[1] == rows.common => {
                            if rows.rows[1] > rows.common {
                                (*before, *of) = (it, source.clone());
                            }
                            joined.longer.push((path, of.clone()));
                        }
                        (Some(rows), Some(_)) if options.renumber && rows.rows.iter().all(|all| *all > rows.joint) => {
                            errors.push(format!(
                                "{path}: differs in {of} and {source}{}, and both append rows, some of them dropped by --favor; edit \
                                 one of the tables so that only new rows differ, and --renumber joins them",
                                why(&it, Some(rows))
                            ));
                        }
                        (_, Some(FavorIn::First)) => joined.decided.push((path, of.clone())),
                        (_, Some(FavorIn::Last)) => {
                            (*before, *of) = (it, source.clone());
                            joined.decided.push((path, source.clone()));
                        }
                        (rows, None) => {
                            let why = why(&it, rows);
                            errors.push(format!("{path}: differs in {of} and {source}{why}; {DECIDE}"));
                        }
                    }
                }
            }
        }
        joined.added.push((source.clone(), added));
        for (table, it) in moves {
            joined.moved.push(MovedRows {
                followed: followed.get(&table).copied().unwrap_or_default(),
                is_named: is_named(&table),
                of: source.clone(),
                first: [it.first, it.first + it.by],
                rows: it.rows,
                table,
            });
        }
    }
    joined.loose.resources = known.into_values().map(|(it, _)| it).collect();
    joined.loose.resources.sort_by_cached_key(Resource::order);
    if errors.is_empty() { Ok(joined) } else { Err(errors) }
}

/// What to do about a resource whose numbers cannot follow.
const HINT: &str = "repair it or leave it out, or join without --renumber";

/// Changes the numbers of moved rows in the fields and cells of a container, and returns how many have changed by table. Each value that
/// cannot follow is an error with the path of the resource.
fn follow(loose: &mut Loose, moves: &Moves, errors: &mut Vec<String>) -> BTreeMap<String, u64> {
    let mut followed = Followed::new(moves, HINT);
    for it in &mut loose.resources {
        let name = format!("{}.{}", it.name, it.kind.extension());
        // A joined table begins with rows of another container.
        let joined = moves.get(&it.name.to_lowercase()).filter(|_| it.is("2da"));
        let first = joined.map_or(0, |it| usize::try_from(it.first + it.by).unwrap_or(usize::MAX));
        let why = match followed.resource(&name, &it.bytes, first) {
            Ok(new) => {
                if let Some(new) = new {
                    it.bytes = new;
                }
                None
            }
            Err(why) => Some(why),
        };
        errors.extend(why.into_iter().chain(followed.errors.drain(..)).map(|why| format!("{}: {why}", it.path)));
    }
    followed.count
}

/// What helps if two resources differ.
const DECIDE: &str = "--favor first or --favor last decides";

/// Returns two resources as tables that can be compared row by row.
fn tables(one: &Resource, other: &Resource) -> Option<(TwoDa, TwoDa, RowsOfTwo)> {
    if !one.is("2da") {
        return None;
    }
    let table = |it: &Resource| decode::<TwoDa>(it.bytes.clone()).ok().map(|decoded| decoded.model);
    let (one, other) = (table(one)?, table(other)?);
    let rows = one.compare_rows(&other)?;
    Some((one, other, rows))
}

/// Describes how two tables differ, and what helps.
fn why(it: &Resource, rows: Option<RowsOfTwo>) -> String {
    match rows {
        None if it.is("2da") => ": their columns, labels of rows or defaults are not the same".to_owned(),
        None => String::new(),
        Some(RowsOfTwo { edited: 0, common, rows: [one, other], .. }) => format!(
            ": after {common} equal rows, they append {} and {}; --renumber gives the later ones the next free numbers",
            one - common,
            other - common
        ),
        Some(RowsOfTwo { edited: 1, common, .. }) => format!(": row {common} was edited"),
        Some(RowsOfTwo { edited, common, .. }) => format!(": {edited} rows from {common} on were edited"),
    }
}
