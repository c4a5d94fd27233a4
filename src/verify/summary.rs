//! The totals of a run: files by status, kind and game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Report, Row, SCHEMA, Status};
use kind::Game;
use passes::Census;

/// Numbers of files: the last line of `verify --json` and of snapshots, and the header of the HTML report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The number of files.
    pub files: u64,
    /// The size of all files.
    pub bytes: u64,
    /// The number of files by status.
    pub status: BTreeMap<String, u64>,
    /// The number of files by kind.
    pub kind: BTreeMap<String, u64>,
    /// The number of files by the games they can belong to.
    #[serde(default)]
    pub game: BTreeMap<String, u64>,
    /// The number of files that match the known retail release.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pristine: u64,
    /// The number of files with lost or changed bytes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub damaged: u64,
    /// The number of other files in which bytes may be lost.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub suspect: u64,
    /// The number of files that other bytes follow, without another sign of damage.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub extra: u64,
    /// The number of changes since a snapshot, by type.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub finding: BTreeMap<String, u64>,
    /// `true` if the run was stopped before its last file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// The files of supported kinds, by game and kind.
    #[serde(skip)]
    pub tally: Tally,
}

/// The last line of `verify --json`.
#[derive(Debug, Serialize)]
pub struct SummaryRow<'a> {
    schema: u32,
    summary: &'a Summary,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Summary {
    /// Counts a file.
    pub fn count(&mut self, file: &Counted) {
        let games: Vec<_> = file.games.iter().map(|game| game.code()).collect();
        self.add(file.sum.bytes, file.status.name(), file.sort.kind, &games.join("|"), file.is_pristine);
        match file.severity {
            Some("damaged") => self.damaged += 1,
            Some("suspect") => self.suspect += 1,
            Some("extra") => self.extra += 1,
            _ => {}
        }
        self.tally.count(file);
    }

    /// Counts the file of a row, except for its [tally](Self::tally).
    pub(crate) fn count_row(&mut self, row: &Row) {
        let games: Vec<_> = row.game.iter().chain(&row.games).map(String::as_str).collect();
        self.add(row.bytes.unwrap_or(0), &row.status, row.kind.as_deref(), &games.join("|"), row.pristine);
    }

    fn add(&mut self, bytes: u64, status: &str, kind: Option<&str>, games: &str, pristine: bool) {
        self.files += 1;
        self.bytes += bytes;
        self.pristine += u64::from(pristine);
        more(&mut self.status, status);
        if let Some(kind) = kind {
            more(&mut self.kind, kind);
        }
        if !games.is_empty() {
            more(&mut self.game, games);
        }
    }

    /// Counts a change since a snapshot.
    pub fn find(&mut self, change: &str) {
        more(&mut self.finding, change);
    }

    /// Returns the number of files with this status.
    #[must_use]
    pub fn of(&self, status: Status) -> u64 {
        self.status.get(status.name()).copied().unwrap_or(0)
    }

    /// Returns the last line.
    #[must_use]
    pub const fn row(&self) -> SummaryRow<'_> {
        SummaryRow { schema: SCHEMA, summary: self }
    }
}

fn more(counts: &mut BTreeMap<String, u64>, key: &str) {
    match counts.get_mut(key) {
        Some(count) => *count += 1,
        None => _ = counts.insert(key.to_owned(), 1),
    }
}

/// The totals of some files of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The number of files.
    pub files: u64,
    /// The number of identical files.
    pub identical: u64,
    /// The size of all files.
    pub bytes: u64,
    /// The bytes of all files, counted by class.
    pub census: Census,
    /// The number of files with deviations.
    pub deviating: u64,
    /// The number of files with entries that do not decode.
    pub undecoded: u64,
}

impl Sum {
    /// Returns the number of files that failed.
    #[must_use]
    pub const fn failed(&self) -> u64 {
        self.files.saturating_sub(self.identical)
    }

    /// Adds other totals.
    pub fn add(&mut self, other: &Self) {
        let Self { files, identical, bytes, census, deviating, undecoded } = other;
        self.files += *files;
        self.identical += *identical;
        self.bytes += *bytes;
        self.census.add(census);
        self.deviating += *deviating;
        self.undecoded += *undecoded;
    }
}

/// A kind of file, and what its entries are if files of the kind hold different things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Sort {
    /// The kind, if any.
    pub kind: Option<&'static str>,
    /// What the entries are, in the plural.
    pub holds: Option<&'static str>,
}

impl core::fmt::Display for Sort {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.kind.unwrap_or_default())?;
        self.holds.map_or(Ok(()), |holds| write!(f, " of {holds}"))
    }
}

/// What a [`Summary`] needs of the report on a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Counted {
    /// The games that it can belong to. They can be replaced by the game of the install around it, which is known later.
    pub games: Vec<Game>,
    sort: Sort,
    status: Status,
    is_pristine: bool,
    severity: Option<&'static str>,
    sum: Sum,
}

impl Counted {
    /// Creates it from the report.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        Self {
            games: report.games.clone(),
            sort: Sort { kind: report.kind, holds: report.holds },
            status: report.status,
            is_pristine: report.is_pristine(),
            severity: report.severity(),
            sum: Sum {
                files: 1,
                identical: (report.status == Status::Identical).into(),
                bytes: report.bytes,
                census: report.census.unwrap_or_default(),
                deviating: (!report.deviations.is_empty()).into(),
                undecoded: (!report.undecoded.is_empty()).into(),
            },
        }
    }
}

/// The totals of files of supported kinds, by kind and by the games they can belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally(BTreeMap<(Vec<Game>, Sort), Sum>);

impl Tally {
    /// Counts a file, if its kind is supported.
    fn count(&mut self, file: &Counted) {
        if file.sort.kind.is_some() && file.status.is_ours() {
            self.0.entry((file.games.clone(), file.sort)).or_default().add(&file.sum);
        }
    }

    /// Returns games, kind and totals, grouped by game.
    pub fn rows(&self) -> impl Iterator<Item = (&[Game], Sort, &Sum)> {
        self.0.iter().map(|((games, sort), sum)| (games.as_slice(), *sort, sum))
    }

    /// Returns the totals per kind, over all games.
    #[must_use]
    pub fn by_kind(&self) -> BTreeMap<Sort, Sum> {
        let mut kinds: BTreeMap<Sort, Sum> = BTreeMap::new();
        for ((_, sort), sum) in &self.0 {
            kinds.entry(*sort).or_default().add(sum);
        }
        kinds
    }
}
