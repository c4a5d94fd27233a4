//! Files that silence warnings: `bitexact.allow`, in the folder of a file or above it.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use bitexact::registry::traps;
use globset::{GlobBuilder, GlobMatcher};

use super::Code;
use super::out::Out;

/// The name of such a file.
const NAME: &str = "bitexact.allow";

/// A line of the file: the id of a warning, and the paths below its folder for which it is silenced; `None` for all.
struct Line {
    id: String,
    paths: Option<GlobMatcher>,
}

/// The lines of a file.
type Lines = Arc<[Line]>;

/// The files met so far, by their folders.
#[derive(Default)]
pub(super) struct Allowed(HashMap<PathBuf, Option<Lines>>);

impl Allowed {
    /// Returns `true` if a file in the folder of a path or above silences a warning. One that cannot be read is reported once, and silences
    /// none.
    pub(super) fn silences(&mut self, path: &Path, id: &str, out: &mut Out) -> bool {
        let Ok(path) = std::path::absolute(path) else { return false };
        path.ancestors().skip(1).any(|folder| {
            let Some(lines) = self.lines(folder, out) else { return false };
            let inner = path.strip_prefix(folder).map(|inner| inner.to_string_lossy().replace('\\', "/"));
            let is_silent = |line: &Line| match (&line.paths, &inner) {
                _ if line.id != id => false,
                (None, _) => true,
                (Some(paths), Ok(inner)) => paths.is_match(inner),
                (Some(_), Err(_)) => false,
            };
            lines.iter().any(is_silent)
        })
    }

    fn lines(&mut self, folder: &Path, out: &mut Out) -> Option<Lines> {
        if let Some(known) = self.0.get(folder) {
            return known.clone();
        }
        let file = folder.join(NAME);
        let lines = match read(&file) {
            Ok(lines) => lines,
            Err(error) => {
                out.error(Code::Failed, format_args!("{}: {error:#}", file.display()));
                None
            }
        };
        self.0.insert(folder.to_owned(), lines.clone());
        lines
    }
}

/// Reads a file, if there is one.
fn read(file: &Path) -> anyhow::Result<Option<Lines>> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        // A folder above that may not be read holds no file for this one.
        Err(error) if error.kind() == ErrorKind::PermissionDenied && !file.exists() => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    lines(&text).map(Some)
}

/// Returns the lines of a text: an id each, and a glob after it. A `#` begins a remark.
fn lines(text: &str) -> anyhow::Result<Lines> {
    let known = traps();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        let (id, glob) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if id.is_empty() {
            continue;
        }
        if !known.iter().any(|trap| trap.id == id) {
            bail!("line {number}: no warning has the id {id}; see `bitexact lint --list`");
        }
        let glob = glob.trim().replace('\\', "/");
        let paths = (!glob.is_empty()).then(|| {
            let glob = GlobBuilder::new(&glob).case_insensitive(true).literal_separator(false).build();
            glob.map(|glob| glob.compile_matcher())
        });
        let paths = paths.transpose().with_context(|| format!("line {number}"))?;
        lines.push(Line { id: id.to_owned(), paths });
    }
    Ok(lines.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_id_a_glob_and_a_remark() {
        let all = lines("\u{FEFF}# all\r\n\r\nline-twice\r\nmap-points maps\\*.zmap # seen\n").expect("it is read");
        let shown: Vec<_> = all.iter().map(|line| (line.id.as_str(), line.paths.is_some())).collect();
        assert_eq!(shown, [("line-twice", false), ("map-points", true)]);
        let glob = all[1].paths.as_ref().expect("a glob");
        assert!(glob.is_match("Maps/M1.ZMAP") && !glob.is_match("m1.zmap"));
        for (text, why) in [
            ("line-twise\n", "line 1: no warning has the id line-twise; see `bitexact lint --list`"),
            ("\nmap-points [", "line 2"),
        ] {
            assert_eq!(lines(text).map(|_| ()).expect_err("it is wrong").to_string(), why);
        }
    }
}
