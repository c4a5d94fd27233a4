//! Snapshots: what an install was, and what has become of it.
//!
//! A snapshot is text, one JSON object a line: a [`Row`] for each file in the order of the install, then a summary, without
//! which it is not complete. Nothing in it depends on the clock, or on where the install lies.

mod compare;
mod sums;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::census::Census;
use crate::exchange::unmarked;
use crate::field::{Json, wide};
use crate::printable::json;
use crate::verify::{Report, Status};

pub use compare::{Aspect, Change, Difference, Finding};
pub use sums::line as sums_line;

/// The version of the rows.
pub const SCHEMA: u32 = 1;

/// What a snapshot says of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The version of the row.
    pub schema: u32,
    /// The path from the root of the install on, `/` between its parts, as [`lossless`](crate::install::lossless) writes it.
    pub path: String,
    /// The size, unless it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The hash, unless it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// What became of it.
    pub status: String,
    /// Its kind, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The game, where only one is possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The games that are possible, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<String>,
    /// Entries at all depths, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub entries: BTreeMap<String, u64>,
    /// Items of lists and blocks, by place with indices starred.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub records: BTreeMap<String, u64>,
    /// Who owns its bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub census: Option<Census>,
    /// What deviates from the documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deviations: Vec<Deviates>,
    /// How many entries do not decode.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub undecoded: u64,
}

/// What a snapshot says of a kind of deviation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviates {
    /// The places, indices as `*`.
    #[serde(alias = "path")]
    pub place: String,
    /// How many there are.
    pub count: u64,
    /// What is expected at the first of them.
    pub expected: Json,
    /// What is found there.
    pub found: Json,
}

/// The last line of a snapshot.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Summary {
    files: u64,
    bytes: u64,
    status: BTreeMap<String, u64>,
    kind: BTreeMap<String, u64>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Row {
    /// What a snapshot says of a file of this path, as reported with [counts](crate::verify::VerifyOptions::counts).
    #[must_use]
    pub fn new(path: String, report: &Report) -> Self {
        let games: Vec<_> = report.games.iter().map(|game| game.code().to_owned()).collect();
        let (game, games) = match <[String; 1]>::try_from(games) {
            Ok([game]) => (Some(game), Vec::new()),
            Err(games) => (None, games),
        };
        let counts = report.counts.as_ref();
        let entries = counts.map(|counts| counts.entries.iter().map(|(&kind, &count)| (kind.to_owned(), count)));
        let deviates = |it: &crate::check::Deviation| Deviates {
            place: it.place.clone(),
            count: it.count,
            expected: it.expected.clone(),
            found: it.found.clone(),
        };
        Self {
            schema: SCHEMA,
            path,
            bytes: report.sha256.map(|_| report.bytes),
            sha256: report.sha256.map(|sha| sha.to_string()),
            status: report.status.name().to_owned(),
            kind: report.kind.map(str::to_owned),
            game,
            games,
            entries: entries.into_iter().flatten().collect(),
            records: counts.map(|counts| counts.records.clone()).unwrap_or_default(),
            census: report.census,
            deviations: report.deviations.iter().map(deviates).collect(),
            undecoded: wide(report.undecoded.len()),
        }
    }
}

impl Row {
    /// Returns the row with the present names of what earlier versions called `unrecognised` or wrote with spaces.
    fn respelled(mut self) -> Self {
        if self.status == "unrecognised" {
            self.status = Status::Unknown.name().to_owned();
        }
        self.kind = self.kind.map(|kind| kind.replace(' ', "-"));
        self.entries = self.entries.into_iter().map(|(kind, count)| (kind.replace(' ', "-"), count)).collect();
        self
    }
}

impl Summary {
    fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        let mut summary = Self::default();
        for row in rows {
            summary.files += 1;
            summary.bytes = summary.bytes.saturating_add(row.bytes.unwrap_or(0));
            *summary.status.entry(row.status.clone()).or_default() += 1;
            if let Some(kind) = &row.kind {
                *summary.kind.entry(kind.clone()).or_default() += 1;
            }
        }
        summary
    }
}

/// The text of a snapshot.
///
/// # Errors
/// None that a row of ours can cause.
pub fn print(rows: &[Row]) -> Result<String, serde_json::Error> {
    #[derive(Serialize)]
    struct Last {
        schema: u32,
        summary: Summary,
    }
    let mut text = String::new();
    for row in rows {
        text.push_str(&json(row)?);
        text.push('\n');
    }
    text.push_str(&json(&Last { schema: SCHEMA, summary: Summary::of(rows) })?);
    text.push('\n');
    Ok(text)
}

/// The path of a file from the root of an install on, `/` between its parts; of a file that is the root itself, its name.
#[must_use]
pub fn path_below(root: &Path, file: &Path) -> Vec<u8> {
    let below = file.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
    let below = below.or(file.file_name().map(Path::new)).unwrap_or(file);
    below.iter().map(|part| part.as_encoded_bytes()).collect::<Vec<_>>().join(&b'/')
}

/// The files of an install as they were once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    files: BTreeMap<String, Known>,
}

/// What is known of a file.
#[derive(Clone, Debug, PartialEq)]
enum Known {
    /// All that a snapshot says.
    Row(Box<Row>),
    /// Only the hash.
    Sha256(String),
}

/// A line that is no part of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Which, from 1.
    pub line: usize,
    /// Why not.
    pub why: String,
}

impl core::fmt::Display for BadLine {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl core::error::Error for BadLine {}

impl Snapshot {
    /// The snapshot, or the list of `sha256sum`, that some text is.
    ///
    /// # Errors
    /// The first line that belongs to neither.
    pub fn parse(text: &[u8]) -> Result<Self, BadLine> {
        let text = unmarked(text).map_err(|why| BadLine { line: 1, why: why.to_owned() })?;
        let lines = (1..).zip(text.split(|&byte| byte == b'\n'));
        let mut lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty()).peekable();
        match lines.peek() {
            Some((_, line)) if line.trim_ascii().starts_with(b"{") => Self::of_rows(lines),
            _ => Self::of_sums(lines),
        }
    }

    fn of_rows<'a>(lines: impl Iterator<Item = (usize, &'a [u8])>) -> Result<Self, BadLine> {
        #[derive(Deserialize)]
        struct Line {
            schema: u32,
            summary: Option<Summary>,
        }
        let mut snapshot = Self::default();
        let (mut summary, mut last) = (None, 0);
        for (line, text) in lines {
            let bad = |why: String| BadLine { line, why };
            let unread = |error: serde_json::Error| {
                let why = error.to_string();
                // A row is one line for serde_json, which counts it as the first.
                let why = why.rsplit_once(" at line 1 column").map_or(why.as_str(), |(why, _)| why);
                bad(format!("column {}: {why}", error.column()))
            };
            if summary.is_some() {
                return Err(bad("expected no rows after the summary".to_owned()));
            }
            let Line { schema, summary: here } = serde_json::from_slice(text).map_err(unread)?;
            if schema != SCHEMA {
                return Err(bad(format!("expected schema {SCHEMA}, found {schema}")));
            }
            (summary, last) = (here, line);
            if summary.is_none() {
                let row: Row = serde_json::from_slice(text).map_err(unread)?;
                let row = row.respelled();
                snapshot.add(line, row.path.clone(), Known::Row(Box::new(row)))?;
            }
        }
        match summary {
            Some(Summary { files, .. }) if files == wide(snapshot.files.len()) => Ok(snapshot),
            Some(Summary { files, .. }) => {
                let why = format!("expected {files} rows before the summary, found {}", snapshot.files.len());
                Err(BadLine { line: last, why })
            }
            None => Err(BadLine {
                line: last,
                why: "expected a summary after this line; the snapshot is truncated".to_owned(),
            }),
        }
    }

    fn of_sums<'a>(lines: impl Iterator<Item = (usize, &'a [u8])>) -> Result<Self, BadLine> {
        let mut snapshot = Self::default();
        for (line, text) in lines.filter(|(_, text)| !text.starts_with(b"#")) {
            let why = "expected a row of a snapshot or a line of sha256sum";
            let (sha256, path) = sums::parse(text).ok_or_else(|| BadLine { line, why: why.to_owned() })?;
            snapshot.add(line, path, Known::Sha256(sha256))?;
        }
        match snapshot.files.is_empty() {
            false => Ok(snapshot),
            true => Err(BadLine { line: 1, why: "expected a snapshot or a list of sha256sum".to_owned() }),
        }
    }

    fn add(&mut self, line: usize, path: String, known: Known) -> Result<(), BadLine> {
        let why = format!("duplicate row of {path}");
        match self.files.insert(path, known) {
            None => Ok(()),
            Some(_) => Err(BadLine { line, why }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(path: &str) -> Row {
        let census = Some(Census { semantic: 3, ..Census::default() });
        let deviation = Deviates { place: "/far".into(), count: 2, expected: 1.0_f32.into(), found: (-0.5_f32).into() };
        Row {
            schema: SCHEMA,
            path: path.to_owned(),
            bytes: Some(3),
            sha256: Some("00".repeat(32)),
            status: "identical".to_owned(),
            kind: Some("zmap".to_owned()),
            records: [("/features".to_owned(), 2)].into(),
            census,
            deviations: vec![deviation],
            ..Row::default()
        }
    }

    fn why(text: &str) -> String {
        Snapshot::parse(text.as_bytes()).expect_err("refused").to_string()
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let text = print(&[row("a"), row("b")]).expect("prints");
        let snapshot = Snapshot::parse(text.as_bytes()).expect("parses");
        let expected = ["a", "b"].map(|path| (path.to_owned(), Known::Row(Box::new(row(path)))));
        assert_eq!(snapshot.files, BTreeMap::from(expected));
    }

    #[test]
    fn rows_with_the_names_of_earlier_versions_are_read() {
        let new = Row {
            status: "unknown".to_owned(),
            kind: Some("ole-document".to_owned()),
            entries: [("raw-picture".to_owned(), 2)].into(),
            ..row("a")
        };
        let text = print(&[new.clone()]).expect("prints");
        let places =
            [("\"unknown\"", "\"unrecognised\""), ("ole-document", "ole document"), ("raw-picture", "raw picture")];
        let old = places.iter().fold(text.clone(), |text, (now, then)| text.replace(now, then));
        let old = old.replace("\"place\":\"/far\"", "\"path\":\"/far\"");
        assert_eq!(old.matches("unrecognised").count(), 2, "the row and the summary: {old}");
        assert!(
            old.contains("\"path\":\"/far\"") && old.contains("raw picture") && old.contains("ole document"),
            "{old}"
        );
        let mut snapshot = Snapshot::parse(old.as_bytes()).expect("parses");
        assert_eq!(snapshot, Snapshot::parse(text.as_bytes()).expect("parses"));
        assert_eq!(snapshot.compare(&new), None);
    }

    #[test]
    fn a_snapshot_that_is_not_whole_is_refused() {
        let text = print(&[row("a"), row("b")]).expect("prints");
        let lines: Vec<_> = text.lines().collect();
        let [a, b, summary] = lines[..] else { panic!("three lines") };
        assert_eq!(
            why(&format!("{a}\n{b}\n")),
            "line 2: expected a summary after this line; the snapshot is truncated"
        );
        assert_eq!(why(&format!("{a}\n{summary}\n")), "line 2: expected 2 rows before the summary, found 1");
        assert_eq!(why(&format!("{summary}\n{a}\n")), "line 2: expected no rows after the summary");
        assert_eq!(why(&format!("{a}\n{a}\n{summary}\n")), "line 2: duplicate row of a");
        assert_eq!(why(&format!("{a}\n\n{{\"schema\":2}}\n")), "line 3: expected schema 1, found 2");
        assert!(why(&format!("{a}\n{}\n", b.replace("status", "state"))).starts_with("line 2: column "));
    }

    #[test]
    fn paths_start_behind_the_root() {
        let below = |root: &str, file: &str| String::from_utf8(path_below(Path::new(root), Path::new(file)));
        assert_eq!(below("games/rc", "games/rc/maps/m1.zmap").as_deref(), Ok("maps/m1.zmap"));
        assert_eq!(below("games/rc/", "games/rc/maps/m1.zmap").as_deref(), Ok("maps/m1.zmap"));
        assert_eq!(below(".", "./maps/m1.zmap").as_deref(), Ok("maps/m1.zmap"));
        assert_eq!(below("maps/m1.zmap", "maps/m1.zmap").as_deref(), Ok("m1.zmap"));
    }
}
