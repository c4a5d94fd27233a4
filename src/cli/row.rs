//! The rows of `--json`, one object per line.

use std::collections::BTreeMap;

use bitexact::census::Census;
use bitexact::check::{Deviation, Followed};
use bitexact::field::{Json, Undecoded};
use bitexact::format::Game;
use bitexact::report::is_pristine;
use bitexact::verify::{Entry, Failure, Report, Status};
use serde::Serialize;

/// The version of these rows.
pub(crate) const SCHEMA: u32 = 1;

/// A file in the output of `verify`.
#[derive(Serialize)]
pub(crate) struct FileRow<'a> {
    schema: u32,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(flatten)]
    games: Games,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rewritten_sha256: Option<String>,
    status: &'static str,
    /// The file matches the known retail release.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pristine: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    census: Option<Census>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    deviations: Vec<DeviationRow<'a>>,
    /// By `--rules`.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<BTreeMap<&'a str, RuleRow>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undecoded: Vec<UndecodedRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRow>,
}

/// An entry in the output of `verify --entries`.
#[derive(Serialize)]
pub(crate) struct EntryRow<'a> {
    schema: u32,
    path: &'a str,
    entry: String,
    kind: &'static str,
    offset: u64,
    bytes: u64,
    census: Census,
}

/// The game, or the possible games.
#[derive(Default, Serialize)]
pub(crate) struct Games {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    games: Vec<&'static str>,
}

#[derive(Serialize)]
struct DeviationRow<'a> {
    place: &'a str,
    count: u64,
    first_place: String,
    offset: u64,
    expected: &'a Json,
    found: &'a Json,
}

#[derive(Serialize)]
struct RuleRow {
    follow: u64,
    differ: u64,
}

#[derive(Serialize)]
struct UndecodedRow {
    entry: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    place: String,
    message: String,
}

#[derive(Serialize)]
struct ErrorRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    message: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    internal: bool,
}

/// The last line.
#[derive(Serialize)]
pub(crate) struct SummaryRow<'a> {
    schema: u32,
    summary: &'a Summary,
}

/// Numbers of files.
#[derive(Default, Serialize)]
pub(crate) struct Summary {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) status: BTreeMap<&'static str, u64>,
    pub(crate) kind: BTreeMap<&'static str, u64>,
    pub(crate) game: BTreeMap<String, u64>,
    /// Files that match the known retail release.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) pristine: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) finding: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) interrupted: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl<'a> FileRow<'a> {
    pub(crate) fn new(path: &'a str, report: &'a Report) -> Self {
        Self {
            schema: SCHEMA,
            path,
            kind: report.kind,
            games: Games::of(&report.games),
            bytes: (report.status != Status::Unreadable).then_some(report.bytes),
            sha256: report.sha256.map(|sha| sha.to_string()),
            rewritten_sha256: report.rewritten.map(|sha| sha.to_string()),
            status: report.status.name(),
            pristine: is_pristine(report),
            census: report.census,
            deviations: report.deviations.iter().map(DeviationRow::new).collect(),
            rules: report.rules.as_ref().map(|rules| rules.iter().map(RuleRow::new).collect()),
            undecoded: report.undecoded.iter().map(UndecodedRow::new).collect(),
            error: report.failure.as_ref().map(ErrorRow::new),
        }
    }
}

impl RuleRow {
    fn new<'a>((path, it): (&'a String, &Followed)) -> (&'a str, Self) {
        (path, Self { follow: it.follow, differ: it.differ })
    }
}

impl<'a> EntryRow<'a> {
    pub(crate) fn new(path: &'a str, entry: &Entry) -> Self {
        let Entry { place, kind, offset, bytes, census } = entry;
        Self { schema: SCHEMA, path, entry: place.entry(), kind, offset: *offset, bytes: *bytes, census: *census }
    }
}

impl Games {
    pub(crate) fn of(games: &[Game]) -> Self {
        match games {
            [game] => Self { game: Some(game.code()), games: Vec::new() },
            games => Self { game: None, games: games.iter().map(|game| game.code()).collect() },
        }
    }
}

impl<'a> DeviationRow<'a> {
    fn new(deviation: &'a Deviation) -> Self {
        Self {
            place: &deviation.place,
            count: deviation.count,
            first_place: deviation.first_place.to_string(),
            offset: deviation.offset,
            expected: &deviation.expected,
            found: &deviation.found,
        }
    }
}

impl UndecodedRow {
    fn new(undecoded: &Undecoded) -> Self {
        let Undecoded { entry, error } = undecoded;
        Self {
            entry: entry.entry(),
            offset: error.offset(),
            place: error.place().to_string(),
            message: error.fault().to_string(),
        }
    }
}

impl ErrorRow {
    fn new(failure: &Failure) -> Self {
        Self {
            offset: failure.offset(),
            place: failure.place().map(ToString::to_string),
            message: failure.message(),
            internal: matches!(failure, Failure::Internal(_)),
        }
    }
}

impl Summary {
    /// Counts a file.
    pub(crate) fn count(&mut self, report: &Report) {
        self.files = self.files.saturating_add(1);
        self.bytes = self.bytes.saturating_add(report.bytes);
        let more = |count: &mut u64| *count = count.saturating_add(1);
        more(self.status.entry(report.status.name()).or_default());
        if let Some(kind) = report.kind {
            more(self.kind.entry(kind).or_default());
        }
        if is_pristine(report) {
            more(&mut self.pristine);
        }
        if !report.games.is_empty() {
            more(self.game.entry(game_names(&report.games)).or_default());
        }
    }

    pub(crate) fn row(&self) -> SummaryRow<'_> {
        SummaryRow { schema: SCHEMA, summary: self }
    }

    /// Returns the number of files with this status.
    pub(crate) fn of(&self, status: Status) -> u64 {
        self.status.get(status.name()).copied().unwrap_or(0)
    }
}

/// Returns the codes of some games as one word: `m2|mi`.
pub(crate) fn game_names(games: &[Game]) -> String {
    games.iter().map(|game| game.code()).collect::<Vec<_>>().join("|")
}
