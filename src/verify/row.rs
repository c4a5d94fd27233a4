//! The rows of `verify --json` and of snapshots, one object a line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Entry, Report, Status, Trouble};
use crate::field::{self, Json, wide};
use crate::kind::Game;
use crate::passes::{Census, Deviation, Followed};

/// The version of the rows.
pub const SCHEMA: u32 = 1;

/// What is said of a file. A row of a snapshot has less than one of `verify --json`, and counts besides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The version of the row.
    pub schema: u32,
    /// The path. In a snapshot, from the root of the install on, `/` between its parts, as
    /// [`lossless`](crate::install::lossless) writes it.
    pub path: String,
    /// Its kind, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The game, where only one is possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The games that are possible, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<String>,
    /// The size, unless it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The hash, unless it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The hash of what its model lays down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewritten_sha256: Option<String>,
    /// What became of it.
    pub status: String,
    /// Whether it is as it was sold.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pristine: bool,
    /// In a snapshot: entries at all depths, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub entries: BTreeMap<String, u64>,
    /// In a snapshot: items of lists and blocks, by place with indices starred.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub records: BTreeMap<String, u64>,
    /// Who owns its bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub census: Option<Census>,
    /// What deviates from the documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deviations: Vec<RowDeviation>,
    /// How many values follow the rules that compute them, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<BTreeMap<String, Followed>>,
    /// Entries that do not decode.
    #[serde(default, skip_serializing_if = "RowUndecoded::is_none")]
    pub undecoded: RowUndecoded,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorRow>,
}

/// A kind of deviation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowDeviation {
    /// The places, indices as `*`.
    pub path: String,
    /// How many there are.
    pub count: u64,
    /// The first of them, but not in a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Where that is in the file, but not in a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// What is expected at the first of them.
    pub expected: Json,
    /// What is found there.
    pub found: Json,
}

/// Entries that do not decode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RowUndecoded {
    /// In a snapshot, how many.
    Count(u64),
    /// Each.
    Each(Vec<UndecodedRow>),
}

/// An entry that does not decode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UndecodedRow {
    entry: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    field: String,
    message: String,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    message: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    internal: bool,
}

/// What `verify --entries` says of an entry.
#[derive(Debug, Serialize)]
pub struct EntryRow<'a> {
    schema: u32,
    path: &'a str,
    entry: String,
    kind: &'static str,
    offset: u64,
    bytes: u64,
    census: Census,
}

/// The game, or the games that are possible.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Games {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    games: Vec<String>,
}

impl Row {
    /// What `verify --json` says of a file.
    #[must_use]
    pub fn new(path: String, report: &Report) -> Self {
        let followed = |(place, followed): (&String, &Followed)| (place.clone(), *followed);
        Self {
            bytes: (report.status != Status::Unreadable).then_some(report.bytes),
            rewritten_sha256: report.rewritten.map(|sha| sha.to_string()),
            pristine: report.is_pristine(),
            deviations: report.deviations.iter().map(RowDeviation::new).collect(),
            rules: report.rules.as_ref().map(|rules| rules.iter().map(followed).collect()),
            undecoded: RowUndecoded::Each(report.undecoded.iter().map(UndecodedRow::new).collect()),
            error: report.trouble.as_ref().map(ErrorRow::new),
            ..Self::common(path, report)
        }
    }

    /// What a snapshot says of a file, as reported with [counts](super::How::counts).
    #[must_use]
    pub fn of_snapshot(path: String, report: &Report) -> Self {
        let counts = report.counts.as_ref();
        let entries = counts.map(|counts| counts.entries.iter().map(|(&kind, &count)| (kind.to_owned(), count)));
        let deviation = |it| RowDeviation { first: None, offset: None, ..RowDeviation::new(it) };
        Self {
            bytes: report.sha256.map(|_| report.bytes),
            entries: entries.into_iter().flatten().collect(),
            records: counts.map(|counts| counts.records.clone()).unwrap_or_default(),
            deviations: report.deviations.iter().map(deviation).collect(),
            undecoded: RowUndecoded::Count(wide(report.undecoded.len())),
            ..Self::common(path, report)
        }
    }

    fn common(path: String, report: &Report) -> Self {
        let Games { game, games } = Games::of(&report.games);
        Self {
            schema: SCHEMA,
            path,
            kind: report.kind.map(str::to_owned),
            game,
            games,
            sha256: report.sha256.map(|sha| sha.to_string()),
            status: report.status.name().to_owned(),
            census: report.census,
            ..Self::default()
        }
    }

    /// Whether it can be of a snapshot: it has nothing that only `verify --json` writes.
    pub(crate) fn is_of_snapshot(&self) -> bool {
        let Self { rewritten_sha256, pristine, deviations, rules, undecoded, error, .. } = self;
        let is_placed = deviations.iter().any(|it| it.first.is_some() || it.offset.is_some());
        let is_listed = matches!(undecoded, RowUndecoded::Each(_));
        !(rewritten_sha256.is_some() || *pristine || is_placed || rules.is_some() || is_listed || error.is_some())
    }
}

impl RowDeviation {
    fn new(deviation: &Deviation) -> Self {
        Self {
            path: deviation.path.clone(),
            count: deviation.count,
            first: Some(deviation.first.to_string()),
            offset: Some(deviation.offset),
            expected: deviation.expected.clone(),
            found: deviation.found.clone(),
        }
    }
}

impl RowUndecoded {
    fn is_none(&self) -> bool {
        match self {
            Self::Count(count) => *count == 0,
            Self::Each(all) => all.is_empty(),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Count(count) => *count,
            Self::Each(all) => wide(all.len()),
        }
    }
}

impl Default for RowUndecoded {
    fn default() -> Self {
        Self::Count(0)
    }
}

impl UndecodedRow {
    fn new(field::Undecoded { entry, error }: &field::Undecoded) -> Self {
        Self {
            entry: entry.entry(),
            offset: error.offset(),
            field: error.place().to_string(),
            message: error.fault().to_string(),
        }
    }
}

impl ErrorRow {
    fn new(trouble: &Trouble) -> Self {
        Self {
            offset: trouble.offset(),
            field: trouble.place().map(ToString::to_string),
            message: trouble.message(),
            internal: matches!(trouble, Trouble::Internal(_)),
        }
    }
}

impl<'a> EntryRow<'a> {
    /// The row of an entry of the file at this path.
    #[must_use]
    pub fn new(path: &'a str, entry: &Entry) -> Self {
        let Entry { place, kind, offset, bytes, census, .. } = entry;
        Self { schema: SCHEMA, path, entry: place.entry(), kind, offset: *offset, bytes: *bytes, census: *census }
    }
}

impl Games {
    /// The members for these games.
    #[must_use]
    pub fn of(games: &[Game]) -> Self {
        match games {
            [game] => Self { game: Some(game.code().to_owned()), games: Vec::new() },
            games => Self { game: None, games: games.iter().map(|game| game.code().to_owned()).collect() },
        }
    }
}
