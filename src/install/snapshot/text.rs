//! Snapshots as text, and the files that they record.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::install::known::Digest;
use crate::install::zipper::KnownFile;
use crate::verify::{Row, SCHEMA, Summary};
use field::memory::{self, Meter};
use field::wide;
use kind::Game;
use output::printable::{in_line, json};

/// Returns the text of a snapshot.
///
/// # Errors
/// Returns an error if a row cannot be serialized, which never happens to rows of bitexact.
pub fn print(rows: &[Row]) -> Result<String, serde_json::Error> {
    let (mut text, mut summary) = (String::new(), Summary::default());
    for row in rows {
        summary.count_row(row);
        text.push_str(&json(row)?);
        text.push('\n');
    }
    text.push_str(&json(&summary.row())?);
    text.push('\n');
    Ok(text)
}

/// Returns the path of a file from the root of an install, with `/` between its parts; for the root itself, its name.
#[must_use]
pub fn path_below(root: &Path, file: &Path) -> Vec<u8> {
    let below = file.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
    let below = below.or(file.file_name().map(Path::new)).unwrap_or(file);
    below.iter().map(|part| part.as_encoded_bytes()).collect::<Vec<_>>().join(&b'/')
}

/// The recorded files of an install.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    pub(super) files: BTreeMap<String, Known>,
    /// The kind of the digests of a list, if it is not SHA-256.
    pub(super) other: Option<Digest>,
}

/// The recorded facts about a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// A full row of a snapshot.
    Row(Box<Row>),
    /// Just the digest.
    Digest(String),
}

/// A line that is not part of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadLine {
    /// The number of the line, from 1.
    pub line: usize,
    /// The reason.
    pub why: String,
}

impl core::fmt::Display for BadLine {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl core::error::Error for BadLine {}

/// The memory that a recorded file takes besides its row or hash: its entry, and what finds it again under another path if it is
/// missing. A test measures it.
const FILE: usize = 1 << 10;
/// The memory for the texts of a line, as a multiple of its length: the path is a text of its own in several tables.
pub(in crate::install) const TEXTS: usize = 4;

/// Counts memory for a line of a list, before it is allocated.
pub(in crate::install) fn charge(meter: &Meter, line: usize, bytes: usize) -> Result<(), BadLine> {
    meter.charge(wide(bytes)).map_err(|fault| BadLine { line, why: fault.to_string() })
}

impl Snapshot {
    /// Parses a snapshot, or a list of `sha256sum` or of another digest. Paths of Windows are taken as well.
    ///
    /// # Errors
    /// Returns an error for the first line that belongs to neither, or for which there is no more memory.
    pub fn parse(text: &[u8]) -> Result<Self, BadLine> {
        let meter = Meter::new(memory::allowed(), wide(text.len()));
        let text = crate::install::utf8(text).map_err(|why| BadLine { line: 1, why: why.to_owned() })?;
        let lines = (1..).zip(text.split(|&byte| byte == b'\n'));
        let mut lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty()).peekable();
        match lines.peek() {
            Some((_, line)) if line.trim_ascii().starts_with(b"{") => Self::of_rows(lines, &meter),
            _ => Self::of_sums(lines, &meter),
        }
    }

    fn of_rows<'a>(lines: impl Iterator<Item = (usize, &'a [u8])>, meter: &Meter) -> Result<Self, BadLine> {
        #[derive(Deserialize)]
        struct Line {
            schema: u32,
            summary: Option<Summary>,
        }
        let mut snapshot = Self::default();
        let (mut summary, mut last) = (None, 0);
        for (line, text) in lines {
            let bad = |why: String| BadLine { line, why };
            let unread = |error: serde_json::Error| bad(in_line(&error.to_string()));
            if summary.is_some() {
                return Err(bad("expected no rows after the summary".to_owned()));
            }
            let Line { schema, summary: here } = serde_json::from_slice(text).map_err(unread)?;
            if schema != SCHEMA {
                return Err(bad(format!("expected schema {SCHEMA}, found {schema}")));
            }
            (summary, last) = (here, line);
            if summary.is_none() {
                charge(meter, line, FILE + size_of::<Row>() + TEXTS * text.len())?;
                let row: Row = serde_json::from_slice(text).map_err(unread)?;
                if !row.is_of_snapshot() {
                    return Err(bad("expected a row of `snapshot`, found one of `verify --json`".to_owned()));
                }
                snapshot.add(line, row.path.clone(), Known::Row(Box::new(row)))?;
            }
        }
        let why = match summary {
            Some(Summary { files, .. }) if files == wide(snapshot.files.len()) => return Ok(snapshot),
            Some(Summary { files, .. }) => {
                format!("expected {files} rows before the summary, found {}", snapshot.files.len())
            }
            None => "expected a summary after this line; the snapshot is truncated".to_owned(),
        };
        Err(BadLine { line: last, why })
    }

    fn of_sums<'a>(lines: impl Iterator<Item = (usize, &'a [u8])>, meter: &Meter) -> Result<Self, BadLine> {
        let mut snapshot = Self::default();
        let mut first = None;
        for (line, text) in lines.filter(|(_, text)| !text.starts_with(b"#") && !text.starts_with(b";")) {
            charge(meter, line, FILE + TEXTS * text.len())?;
            let bad = |why: &str| BadLine { line, why: why.to_owned() };
            let parsed = super::sums::parse(text);
            let (digest, path) = parsed.ok_or_else(|| {
                bad("expected a row of a snapshot or a line of sha256sum, sha1sum, md5sum or git ls-tree")
            })?;
            let kind = Digest::kind(&digest);
            if *first.get_or_insert(kind) != kind {
                return Err(bad("expected the same kind of digest as in the first line"));
            }
            snapshot.other = kind.filter(|kind| *kind != Digest::Sha256);
            snapshot.add(line, path, Known::Digest(digest))?;
        }
        let empty = || BadLine { line: 1, why: "expected a snapshot or a list of sha256sum".to_owned() };
        (!snapshot.files.is_empty()).then_some(snapshot).ok_or_else(empty)
    }

    /// Returns the kind of the digests that the files are compared by, if it is not SHA-256.
    #[must_use]
    pub fn other_digest(&self) -> Option<Digest> {
        self.other
    }

    /// Returns the files with their hashes as known files, which `source` describes.
    pub(in crate::install) fn known(self, source: &str) -> Vec<KnownFile> {
        let known = self.files.into_iter().filter_map(|(path, known)| match known {
            Known::Digest(digest) => Some(KnownFile::listed(digest, path, source.to_owned())),
            Known::Row(row) => {
                let file = KnownFile::listed(row.sha256?, path, source.to_owned());
                let game = row.game.and_then(|code| Game::ALL.into_iter().find(|game| game.code() == code));
                Some(KnownFile { bytes: row.bytes, game, ..file })
            }
        });
        known.collect()
    }

    fn add(&mut self, line: usize, path: String, known: Known) -> Result<(), BadLine> {
        let why = format!("duplicate row of {path}");
        self.files.insert(path, known).map_or(Ok(()), |_| Err(BadLine { line, why }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::RowDeviation;
    use passes::Census;

    fn row(path: &str) -> Row {
        let census = Some(Census { semantic: 3, ..Census::default() });
        let deviation = RowDeviation {
            place: "/far".into(),
            count: 2,
            first_place: None,
            offset: None,
            expected: 1.0_f32.into(),
            found: (-0.5_f32).into(),
        };
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
    fn printed_snapshot_parses_again() {
        let text = print(&[row("a"), row("b")]).expect("prints");
        let snapshot = Snapshot::parse(text.as_bytes()).expect("parses");
        let expected = ["a", "b"].map(|path| (path.to_owned(), Known::Row(Box::new(row(path)))));
        assert_eq!(snapshot.files, BTreeMap::from(expected));
    }

    #[test]
    fn incomplete_snapshot_is_refused() {
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
        let of_verify = b.replace("\"place\":\"/far\"", "\"place\":\"/far\",\"first_place\":\"/far\"");
        assert_eq!(
            why(&format!("{a}\n{of_verify}\n")),
            "line 2: expected a row of `snapshot`, found one of `verify --json`"
        );
    }

    #[test]
    fn paths_start_after_the_root() {
        let below = |root: &str, file: &str| String::from_utf8(path_below(Path::new(root), Path::new(file)));
        assert_eq!(below("games/rc", "games/rc/maps/m1.zmap").as_deref(), Ok("maps/m1.zmap"));
        assert_eq!(below("games/rc/", "games/rc/maps/m1.zmap").as_deref(), Ok("maps/m1.zmap"));
        assert_eq!(below(".", "./maps/m1.zmap").as_deref(), Ok("maps/m1.zmap"));
        assert_eq!(below("maps/m1.zmap", "maps/m1.zmap").as_deref(), Ok("m1.zmap"));
    }
}
