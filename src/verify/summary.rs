//! The totals of a run: files by status, kind and game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Report, Row, SCHEMA, Status};
use crate::kind::Game;
use crate::passes::Census;

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
    /// The number of files with lost bytes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub damaged: u64,
    /// The number of other files in which bytes may be lost.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub suspect: u64,
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
    pub fn count(&mut self, report: &Report) {
        let games: Vec<_> = report.games.iter().map(|game| game.code()).collect();
        self.add(report.bytes, report.status.name(), report.kind, &games.join("|"), report.is_pristine());
        match report.severity() {
            Some("damaged") => self.damaged = self.damaged.saturating_add(1),
            Some(_) => self.suspect = self.suspect.saturating_add(1),
            None => {}
        }
        self.tally.count(report);
    }

    /// Counts the file of a row, except for its [tally](Self::tally).
    pub(crate) fn count_row(&mut self, row: &Row) {
        let games: Vec<_> = row.game.iter().chain(&row.games).map(String::as_str).collect();
        self.add(row.bytes.unwrap_or(0), &row.status, row.kind.as_deref(), &games.join("|"), row.pristine);
    }

    fn add(&mut self, bytes: u64, status: &str, kind: Option<&str>, games: &str, pristine: bool) {
        self.files = self.files.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
        self.pristine = self.pristine.saturating_add(pristine.into());
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
        Some(count) => *count = count.saturating_add(1),
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
        self.files = self.files.saturating_add(*files);
        self.identical = self.identical.saturating_add(*identical);
        self.bytes = self.bytes.saturating_add(*bytes);
        self.census.add(census);
        self.deviating = self.deviating.saturating_add(*deviating);
        self.undecoded = self.undecoded.saturating_add(*undecoded);
    }
}

/// The totals of files of supported kinds, by kind and by the games they can belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally(BTreeMap<(Vec<Game>, &'static str), Sum>);

impl Tally {
    /// Counts a file, if its kind is supported.
    pub fn count(&mut self, report: &Report) {
        let Some(kind) = report.kind else { return };
        if !report.status.is_ours() {
            return;
        }
        self.0.entry((report.games.clone(), kind)).or_default().add(&Sum {
            files: 1,
            identical: (report.status == Status::Identical).into(),
            bytes: report.bytes,
            census: report.census.unwrap_or_default(),
            deviating: (!report.deviations.is_empty()).into(),
            undecoded: (!report.undecoded.is_empty()).into(),
        });
    }

    /// Returns games, kind and totals, grouped by game.
    pub fn rows(&self) -> impl Iterator<Item = (&[Game], &'static str, &Sum)> {
        self.0.iter().map(|((games, kind), sum)| (games.as_slice(), *kind, sum))
    }

    /// Returns the totals per kind, over all games.
    #[must_use]
    pub fn by_kind(&self) -> BTreeMap<&'static str, Sum> {
        let mut kinds: BTreeMap<&'static str, Sum> = BTreeMap::new();
        for ((_, kind), sum) in &self.0 {
            kinds.entry(kind).or_default().add(sum);
        }
        kinds
    }
}
