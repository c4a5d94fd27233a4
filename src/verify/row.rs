//! The rows of `verify --json` and of snapshots, one object per line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Entry, Failure, Report, Status};
use field::{self, Value, wide};
use kind::Game;
use lint::Warning;
use passes::{Census, Deviation, Followed};

/// The version of the rows.
pub const SCHEMA: u32 = 1;

/// A file in the output of `verify --json`, or in a snapshot, which omits some members and adds counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The version of the row.
    pub schema: u32,
    /// The path. In a snapshot, relative to the root of the install, with `/` between its parts, as
    /// [`lossless`](crate::install::lossless) writes it.
    pub path: String,
    /// Its kind, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What the entries of an archive are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
    /// The game, if only one is possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The possible games, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<String>,
    /// The edition of the install around it, if that is identified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// The path of the install around it, as in the row of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The size, unless it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The hash, unless it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The hash of the re-encoded file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewritten_sha256: Option<String>,
    /// The name of its [status](Status).
    pub status: String,
    /// `true` if the file matches the known retail release.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pristine: bool,
    /// In a snapshot: entries at all depths, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub entries: BTreeMap<String, u64>,
    /// In a snapshot: items of lists and blocks, by place with indices starred.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub records: BTreeMap<String, u64>,
    /// Its bytes, counted by class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub census: Option<Census>,
    /// The values that the format specs do not expect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deviations: Vec<RowDeviation>,
    /// The signs of damage, except in a snapshot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<RowDamage>,
    /// With `--rules`: the values that match computed rules, by place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<BTreeMap<String, Followed>>,
    /// Entries that do not decode.
    #[serde(default, skip_serializing_if = "RowUndecoded::is_none")]
    pub undecoded: RowUndecoded,
    /// The reason if the file failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorRow>,
}

/// A kind of deviation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowDeviation {
    /// The places, indices as `*`.
    pub place: String,
    /// The number of such deviations.
    pub count: u64,
    /// The first of them, except in a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_place: Option<String>,
    /// The file offset of the first, except in a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The value expected at the first of them.
    #[serde(with = "json::serde")]
    pub expected: Value,
    /// The value found there.
    #[serde(with = "json::serde")]
    pub found: Value,
}

/// A kind of damage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowDamage {
    /// The id of the warning.
    pub id: String,
    /// `damaged`, `extra` or `suspect`.
    pub severity: String,
    /// The places, indices as `*`.
    pub place: String,
    /// The number of such places.
    pub count: u64,
    /// The first of them.
    pub first_place: String,
    /// What is wrong at the first.
    pub message: String,
    /// The consequence, and what to do.
    pub effect: String,
    /// The format spec, its section, and the evidence.
    pub source: String,
}

/// Entries that do not decode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RowUndecoded {
    /// The number of entries, in a snapshot.
    Count(u64),
    /// The entries.
    Each(Vec<UndecodedRow>),
}

/// An entry that does not decode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UndecodedRow {
    entry: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    place: String,
    message: String,
}

/// The reason why a file failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    message: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    internal: bool,
}

/// An entry in the output of `verify --entries`.
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

/// The game, or the possible games.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Games {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    games: Vec<String>,
}

impl Row {
    /// Returns the row of `verify --json` for a file.
    #[must_use]
    pub fn new(path: String, report: &Report) -> Self {
        let followed = |(place, followed): (&String, &Followed)| (place.clone(), *followed);
        Self {
            bytes: (report.status != Status::Unreadable).then_some(report.bytes),
            rewritten_sha256: report.rewritten.map(|sha| sha.to_string()),
            holds: report.holds.map(str::to_owned),
            pristine: report.is_pristine(),
            deviations: report.deviations.iter().map(RowDeviation::new).collect(),
            damage: report.damage.iter().map(RowDamage::new).collect(),
            rules: report.rules.as_ref().map(|rules| rules.iter().map(followed).collect()),
            undecoded: RowUndecoded::Each(report.undecoded.iter().map(UndecodedRow::new).collect()),
            error: report.failure.as_ref().map(ErrorRow::new),
            ..Self::common(path, report)
        }
    }

    /// Returns the row of a snapshot for a file, as reported with [counts](super::VerifyOptions::counts).
    #[must_use]
    pub fn of_snapshot(path: String, report: &Report) -> Self {
        let counts = report.counts.as_ref();
        let entries = counts.map(|counts| counts.entries.iter().map(|(&kind, &count)| (kind.to_owned(), count)));
        let deviation = |it| RowDeviation { first_place: None, offset: None, ..RowDeviation::new(it) };
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

    /// Returns `true` if the row can be from a snapshot: it has no members that only `verify --json` writes.
    pub(crate) fn is_of_snapshot(&self) -> bool {
        let Self {
            holds, edition, root, rewritten_sha256, pristine, deviations, damage, rules, undecoded, error, ..
        } = self;
        let is_placed = deviations.iter().any(|it| it.first_place.is_some() || it.offset.is_some());
        let is_listed = matches!(undecoded, RowUndecoded::Each(_));
        !(holds.is_some()
            || edition.is_some()
            || root.is_some()
            || rewritten_sha256.is_some()
            || *pristine
            || !damage.is_empty()
            || is_placed
            || rules.is_some()
            || is_listed
            || error.is_some())
    }
}

impl RowDeviation {
    fn new(deviation: &Deviation) -> Self {
        Self {
            place: deviation.place.clone(),
            count: deviation.count,
            first_place: Some(deviation.first_place.to_string()),
            offset: Some(deviation.offset),
            expected: deviation.expected.clone(),
            found: deviation.found.clone(),
        }
    }
}

impl RowDamage {
    fn new(warning: &Warning) -> Self {
        let Warning { trap, place, count, first_place, .. } = warning;
        Self {
            id: trap.id.to_owned(),
            severity: trap.scope.severity().unwrap_or_default().to_owned(),
            place: place.clone(),
            count: *count,
            first_place: first_place.to_string(),
            message: warning.message(),
            effect: trap.effect.to_owned(),
            source: trap.source.to_owned(),
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

    /// Returns the number of entries.
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

impl<'a> EntryRow<'a> {
    /// Returns the row of an entry of the file at this path.
    #[must_use]
    pub fn new(path: &'a str, entry: &Entry) -> Self {
        let Entry { place, kind, offset, bytes, census, .. } = entry;
        Self { schema: SCHEMA, path, entry: place.entry(), kind, offset: *offset, bytes: *bytes, census: *census }
    }
}

impl Games {
    /// Returns the members for these games.
    #[must_use]
    pub fn of(games: &[Game]) -> Self {
        match games {
            [game] => Self { game: Some(game.code().to_owned()), games: Vec::new() },
            games => Self { game: None, games: games.iter().map(|game| game.code().to_owned()).collect() },
        }
    }
}
