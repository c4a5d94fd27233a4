//! The mod file: a line of JSON about the whole, then one for each file.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::edit::diff::{self, Change, nested};
use crate::exchange::fold;
use crate::field::wide;
use crate::output::printable::{in_line, json};
use crate::passes::Sha;
use crate::registry::{KINDS, recognize};

use super::{Result, path, refusal};

/// The schema version of [`ModFile`].
pub const SCHEMA: u32 = 1;

/// A mod: the changes of the files of an install, or of one file.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ModFile {
    /// The files, by path.
    pub files: Vec<FileEdit>,
}

/// The changes of one file. A file is changed, replaced, added or removed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEdit {
    /// The path in the install, with `/` between its parts.
    pub path: String,
    /// The kind of the file, if it is supported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The SHA-256 of the file for which the mod was made, or `None` if the mod adds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The SHA-256 of the result, or `None` if the mod removes the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The size of the result in bytes.
    pub bytes: u64,
    /// The changes by place, with their old values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<Change>>,
    /// The whole result as Base64 of a zlib stream, if the file is added or cannot be compared by place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    /// Always `mod`.
    bitexact: String,
    schema: u32,
    /// The schema of the changes.
    diff_schema: u32,
    /// The number of files, so that a cut file is noticed.
    files: u64,
}

impl ModFile {
    /// Reads a mod.
    ///
    /// # Errors
    /// Returns an error with the line and the reason if the text is not a mod, or if a path leads out of the install.
    pub fn read(name: &str, text: &[u8]) -> Result<Self> {
        Self::parse(name, text, false)
    }

    /// Reads a mod, or the edit of a journal, whose contents are stored there.
    pub(super) fn parse(name: &str, text: &[u8], is_edit: bool) -> Result<Self> {
        let wrong = |line: usize, why: &dyn core::fmt::Display| refusal(format!("{name}:{line}"), why);
        let mut lines = text.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
        let first = lines.next().map(|(_, line)| line).unwrap_or_default();
        let expected = "expected a mod, as `bitexact mod make` writes it; found";
        let header: Header =
            nested(first).map_err(|why| wrong(1, &format!("{expected} {}", found(name, text, why))))?;
        match (header.bitexact.as_str(), header.schema, header.diff_schema) {
            ("mod", SCHEMA, diff::SCHEMA) => {}
            ("mod", schema, of_diff) => {
                let why = format!(
                    "expected schema {SCHEMA} and {}, as this version writes them (make the mod again), found {schema} and {of_diff}",
                    diff::SCHEMA
                );
                return Err(wrong(1, &why));
            }
            (found, ..) => return Err(wrong(1, &format!("expected \"bitexact\": \"mod\", found {found:?}"))),
        }
        let (mut files, mut paths) = (Vec::new(), BTreeSet::new());
        for (line, text) in lines {
            let line = line + 1;
            let file: FileEdit = nested(text).map_err(|why| wrong(line, &in_line(&why)))?;
            path::check(&file.path).map_err(|why| wrong(line, &why))?;
            if !(is_edit && file.is_stored()) {
                file.check().map_err(|why| wrong(line, &why))?;
            }
            if !paths.insert(fold(&file.path)) {
                return Err(wrong(line, &format!("{} occurs twice", file.path)));
            }
            files.push(file);
        }
        if let Some((why, ..)) =
            path::clashes::<()>(files.iter().map(|file: &FileEdit| (file.path.as_str(), None))).first()
        {
            return Err(wrong(1, &format!("{why}; a mod cannot have both")));
        }
        match wide(files.len()) {
            0 => Err(wrong(1, &"expected at least one file, found none")),
            found if found == header.files => Ok(Self { files }),
            found => Err(wrong(1, &format!("expected {} files, found {found}; the mod is incomplete", header.files))),
        }
    }

    /// Returns the text of the mod.
    ///
    /// # Errors
    /// Returns an error if a value cannot be written as JSON.
    pub fn print(&self) -> core::result::Result<String, serde_json::Error> {
        let header =
            Header { bitexact: "mod".into(), schema: SCHEMA, diff_schema: diff::SCHEMA, files: wide(self.files.len()) };
        let mut text = json(&header)?;
        for file in &self.files {
            text.push('\n');
            text.push_str(&json(file)?);
        }
        text.push('\n');
        Ok(text)
    }
}

/// Returns what a file is that is no mod, or why it is none.
fn found(name: &str, text: &[u8], why: String) -> String {
    if diff::read(text).is_ok() {
        return "changes of one file by `bitexact diff --json`; `bitexact patch FILE --apply` makes them".to_owned();
    }
    match recognize(KINDS, name, text) {
        // Modules have the same extension.
        Some(_) if text.starts_with(b"MOD ") => "a module of Neverwinter Nights".to_owned(),
        Some((kind, _)) => format!("a game file: {}", kind.title),
        None => in_line(&why),
    }
}

impl FileEdit {
    /// Checks that the members fit each other.
    fn check(&self) -> core::result::Result<(), String> {
        match (&self.before, &self.after, &self.changes, &self.content) {
            (Some(_), Some(_), Some(_), None) if self.kind.is_some() => Ok(()),
            (_, Some(_), None, Some(_)) | (Some(_), None, None, None) => Ok(()),
            _ => Err(format!(
                "{}: expected \"kind\", \"before\", \"after\" and \"changes\", or \"after\" and \"content\", or only \"before\"",
                self.path
            )),
        }
    }

    /// Returns the last part of the path.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Returns `true` if the result is stored in the journal.
    pub(super) fn is_stored(&self) -> bool {
        self.after.is_some() && self.changes.is_none() && self.content.is_none()
    }

    /// Returns `true` if the result has these bytes.
    pub(super) fn results_in(&self, bytes: &[u8]) -> bool {
        self.after.as_ref().is_some_and(|after| *after == Sha::of(bytes).to_string())
    }
}

impl core::fmt::Display for FileEdit {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        use crate::output::printable::counted;
        let size = counted(self.bytes, "byte");
        match (&self.before, &self.after, &self.changes) {
            (Some(_), Some(_), Some(changes)) => {
                write!(f, "{}: {}", self.path, counted(wide(changes.len()), "change"))
            }
            (Some(_), Some(_), None) => write!(f, "{}: replaced as a whole, {size}", self.path),
            (None, Some(_), _) => write!(f, "{}: added, {size}", self.path),
            (_, None, _) => write!(f, "{}: removed", self.path),
        }
    }
}
