//! The JSON rows of `verify`. Those of files in folders wait for the installs around them, which are known only after the last file.

use std::io::{BufRead as _, BufReader, Error, Result, Seek as _, SeekFrom, Write as _};

use bitexact::kind::Game;
use bitexact::output::printable::json;
use bitexact::verify::Row;
use serde::Serialize;
use tempfile::{SpooledTempFile, spooled_tempfile};

use super::Code;
use super::out::Out;

/// The bytes of rows that wait in memory; more of them wait in a temporary file.
const HELD: usize = 32 << 20;
/// What the line of a file begins with while it waits; the line before it has the path and the games.
const FILE: u8 = b'f';
/// What any other line begins with while it waits.
const OTHER: u8 = b'o';
/// The root in a row that waits, in whose place its games and its install come. No path has this character in JSON.
const MARK: &str = "\u{1}";

/// What the install around a file states.
#[derive(Clone, Debug)]
pub(crate) struct Around {
    /// The path of the install.
    pub(crate) root: String,
    /// Its edition, or an empty text.
    pub(crate) edition: String,
    /// The game of the file, if it belongs to that of the install.
    pub(crate) game: Option<Game>,
}

/// The rows of a run, in the order in which they are printed.
pub(crate) struct Rows {
    /// The rows that wait, if any do.
    held: Option<SpooledTempFile>,
    /// `true` after an error of the temporary file: then no row is printed, since some are missing.
    is_full: bool,
}

/// Returns why rows are not printed.
fn unwritten(error: &Error) -> String {
    let folder = std::env::temp_dir();
    format!("{}: a temporary file for the rows: {error}; free space there, or set TMPDIR", folder.display())
}

/// The members of a row that depend on the install around its file.
#[derive(Serialize)]
struct Members {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    games: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edition: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
}

impl Members {
    /// Returns the members of a file that can belong to these games, with those of the install around it.
    fn of((game, games): (Option<String>, Vec<String>), around: Option<&Around>) -> Self {
        let code = around.and_then(|it| it.game).map(Game::code);
        let code = code.filter(|code| game.is_none() && (games.is_empty() || games.iter().any(|it| it == code)));
        let (game, games) = match code {
            Some(code) => (Some(code.to_owned()), Vec::new()),
            None => (game, games),
        };
        let edition = around.map(|it| it.edition.clone()).filter(|edition| !edition.is_empty());
        Self { game, games, edition, root: around.map(|it| it.root.clone()) }
    }

    /// Returns the members as a row has them, each with a comma after it.
    fn text(&self) -> serde_json::Result<String> {
        let text = json(self)?;
        let inner = text.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap_or_default();
        Ok(if inner.is_empty() { String::new() } else { format!("{inner},") })
    }
}

impl Rows {
    /// Creates rows, which wait for [`release`](Self::release) if files can be in an install.
    pub(crate) fn new(are_held: bool) -> Self {
        Self { held: are_held.then(|| spooled_tempfile(HELD)), is_full: false }
    }

    /// Adds the row of a file.
    pub(crate) fn file(&mut self, row: Row, out: &mut Out) {
        if self.held.is_none() {
            return out.json(&row);
        }
        self.add(FILE, &(&row.path, &row.game, &row.games), out);
        self.add(OTHER, &Row { game: None, games: Vec::new(), root: Some(MARK.to_owned()), ..row }, out);
    }

    /// Adds another row.
    pub(crate) fn other(&mut self, row: &impl Serialize, out: &mut Out) {
        self.add(OTHER, row, out);
    }

    fn add(&mut self, mark: u8, row: &impl Serialize, out: &mut Out) {
        if self.is_full {
            return;
        }
        let Some(held) = &mut self.held else { return out.json(row) };
        match json(row) {
            Ok(line) => {
                let line = [&[mark][..], line.as_bytes(), b"\n"].concat();
                if let Err(error) = held.write_all(&line) {
                    // A part of the line may have been written.
                    self.is_full = true;
                    out.error(Code::Failed, unwritten(&error));
                }
            }
            Err(error) => out.error(Code::Internal, error),
        }
    }

    /// Prints the rows that wait, given what the install around a path states.
    pub(crate) fn release(self, around: impl Fn(&str) -> Option<Around>, out: &mut Out) {
        if let Some(held) = self.held.filter(|_| !self.is_full)
            && let Err(error) = replay(held, around, out)
        {
            out.error(Code::Failed, unwritten(&error));
        }
    }
}

/// Prints the lines of a file of rows.
fn replay(mut held: SpooledTempFile, around: impl Fn(&str) -> Option<Around>, out: &mut Out) -> Result<()> {
    held.seek(SeekFrom::Start(0))?;
    let mark = format!("\"root\":{},", json(&MARK)?);
    let (mut held, mut line, mut members) = (BufReader::new(held), Vec::new(), None);
    while held.read_until(b'\n', &mut line)? > 0 && !out.is_closed() {
        match (line.split_first(), members.take()) {
            (Some((&FILE, text)), _) => {
                let (path, game, games): (String, Option<String>, Vec<String>) = serde_json::from_slice(text)?;
                members = Some(Members::of((game, games), around(&path).as_ref()).text()?);
            }
            (Some((_, text)), Some(members)) => {
                let text = String::from_utf8_lossy(text);
                out.bytes(text.replacen(&mark, &members, 1).as_bytes());
            }
            (Some((_, text)), None) => out.bytes(text),
            (None, _) => {}
        }
        line.clear();
    }
    Ok(())
}
