//! The mod file: a line of JSON about the whole, then one for each file.

use std::collections::BTreeSet;
use std::io::{self, Write};

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::edit::diff::{self, Change, nested};
use crate::registry::{KINDS, recognize};
use exchange::fold;
use field::memory::{self, Meter};
use field::{CodePage, Value, wide};
use output::printable::{in_line, write_json};
use passes::Hashing;

use super::packed::{Packed, Text};
use super::{About, Applied, Reason, Refusal, Result, path, refusal};

/// The schema version of [`ModFile`].
pub const SCHEMA: u32 = 1;

/// A mod: the changes of the files of an install, or of one file.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ModFile {
    /// What the mod says about itself.
    pub about: About,
    /// The files, by path.
    pub files: Vec<FileEdit>,
}

/// The changes of one file. A file is changed, replaced, added or removed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// The encoding of the texts in the changes, if it is not Windows-1252 or that of the language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The changes by place, with their old values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<Change>>,
    /// The whole result, if the file is added or cannot be compared by place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Packed>,
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
    #[serde(default, skip_serializing_if = "About::is_empty")]
    about: About,
}

impl ModFile {
    /// Reads a mod.
    ///
    /// # Errors
    /// Returns an error with the line and the reason if the text is not a mod, if a path leads out of the install, or if it takes more
    /// memory than [`memory::allowed`].
    pub fn read(name: &str, text: &[u8]) -> Result<Self> {
        let mut lines = Lines::of(name, wide(text.len()));
        for line in text.split(|byte| *byte == b'\n') {
            lines.next(line, &|why| found(name, text, why))?;
        }
        lines.end(&|why| found(name, text, why))
    }

    /// Returns the text of the mod.
    ///
    /// # Errors
    /// Returns an error if a value cannot be written as JSON.
    pub fn print(&self) -> core::result::Result<String, serde_json::Error> {
        let mut text = Vec::new();
        self.write(&mut text)?;
        String::from_utf8(text).map_err(serde::ser::Error::custom)
    }

    /// Returns the SHA-256 of the text of the mod.
    pub(super) fn sha256(&self) -> core::result::Result<String, serde_json::Error> {
        let mut text = Hashing::new(io::sink());
        self.write(&mut text)?;
        let (_, sha256, _) = text.finish();
        Ok(sha256.to_string())
    }

    /// Writes the text of the mod.
    pub(super) fn write(&self, to: &mut dyn Write) -> core::result::Result<(), serde_json::Error> {
        let header = Header {
            bitexact: "mod".into(),
            schema: SCHEMA,
            diff_schema: diff::SCHEMA,
            files: wide(self.files.len()),
            about: self.about.clone(),
        };
        write_json(&header, &mut *to)?;
        for file in &self.files {
            to.write_all(b"\n").map_err(serde_json::Error::io)?;
            write_json(file, &mut *to)?;
        }
        to.write_all(b"\n").map_err(serde_json::Error::io)
    }
}

/// Reads a mod line by line.
pub(super) struct Lines<'n> {
    name: &'n str,
    /// The number of the last line.
    line: usize,
    /// The number of files in the first line, once that is read.
    stated: Option<u64>,
    about: About,
    files: Vec<FileEdit>,
    paths: BTreeSet<String>,
    meter: Meter,
    /// `true` for the edit of a journal, whose contents are stored there.
    is_edit: bool,
    /// The SHA-256 of the text in the journal, if its contents stay there.
    kept: Option<&'n str>,
}

/// Returns what the first line is that is not the one of a mod, given the error.
type Describe<'d> = &'d dyn Fn(String) -> String;

impl<'n> Lines<'n> {
    /// Creates the reader of a mod, whose text takes this much memory.
    fn of(name: &'n str, text: u64) -> Self {
        let meter = Meter::new(memory::allowed(), text);
        let (files, paths) = (Vec::new(), BTreeSet::new());
        Self { name, line: 0, stated: None, about: About::default(), files, paths, meter, is_edit: false, kept: None }
    }

    /// Creates the reader of an applied mod, or of an edit, from the journal. The contents of whole files stay there.
    pub(super) fn of_journal(applied: &'n Applied) -> Self {
        let (is_edit, kept) = (applied.date.is_some(), Some(applied.sha256.as_str()));
        Self { is_edit, kept, ..Self::of(&applied.name, 0) }
    }

    fn wrong(&self, line: usize, why: impl Reason) -> Refusal {
        refusal(format!("{}:{line}", self.name), why)
    }

    /// Reads the next line.
    pub(super) fn next(&mut self, text: &[u8], describe: Describe<'_>) -> Result {
        self.line += 1;
        if text.trim_ascii().is_empty() {
            return Ok(());
        }
        match self.stated {
            None => self.header(text, describe),
            Some(_) => self.file(text),
        }
    }

    fn header(&mut self, text: &[u8], describe: Describe<'_>) -> Result {
        let expected = "expected a mod, as `bitexact mod make` writes it; found";
        let header: Header = nested(text).map_err(|why| self.wrong(1, format!("{expected} {}", describe(why))))?;
        match (header.bitexact.as_str(), header.schema, header.diff_schema) {
            ("mod", SCHEMA, diff::SCHEMA) => {}
            ("mod", schema, of_diff) => {
                let why = format!(
                    "expected schema {SCHEMA} and {}, as this version writes them (make the mod again), found {schema} and {of_diff}",
                    diff::SCHEMA
                );
                return Err(self.wrong(1, why));
            }
            (found, ..) => return Err(self.wrong(1, format!("expected \"bitexact\": \"mod\", found {found:?}"))),
        }
        (self.stated, self.about) = (Some(header.files), header.about);
        Ok(())
    }

    fn file(&mut self, text: &[u8]) -> Result {
        let (line, taken) = (self.line, self.meter.taken());
        let charged = self.meter.charge(weight(text, may_have_changes(text)));
        charged.map_err(|fault| self.wrong(line, fault))?;
        let mut file: FileEdit = nested(text).map_err(|why| self.wrong(line, in_line(&why)))?;
        path::check(&file.path).map_err(|why| self.wrong(line, why))?;
        if !(self.is_edit && file.is_stored()) {
            file.check().map_err(|why| self.wrong(line, why))?;
        }
        if !self.paths.insert(fold(&file.path)) {
            return Err(self.wrong(line, format!("{} occurs twice", file.path)));
        }
        if let (Some(content), Some(kept)) = (&mut file.content, self.kept) {
            *content = Packed(Text::Kept(kept.to_owned()));
            self.meter.release_to(taken);
        }
        self.files.push(file);
        Ok(())
    }

    /// Returns the mod after the last line.
    pub(super) fn end(mut self, describe: Describe<'_>) -> Result<ModFile> {
        if self.stated.is_none() {
            self.header(b"", describe)?;
        }
        let paths = self.files.iter().map(|file: &FileEdit| (file.path.as_str(), None));
        if let Some((why, ..)) = path::clashes::<()>(paths).first() {
            return Err(self.wrong(1, format!("{why}; a mod cannot have both")));
        }
        match (wide(self.files.len()), self.stated) {
            (0, _) => Err(self.wrong(1, "expected at least one file, found none")),
            (found, Some(stated)) if found != stated => {
                Err(self.wrong(1, format!("expected {stated} files, found {found}; the mod is incomplete")))
            }
            _ => Ok(ModFile { about: self.about, files: self.files }),
        }
    }
}

/// Returns the memory that a line of a mod takes once it is read, at most. Text in Base64, which has slashes too, has no places.
fn weight(text: &[u8], has_places: bool) -> u64 {
    /// A value in a list that has just grown. A test measures it.
    const VALUE: usize = 2 * size_of::<(Value, Value)>();
    /// A key of a place, with its allocation.
    const KEY: usize = 4 * size_of::<String>();
    let each = text.iter().map(|byte| match byte {
        b',' | b'[' | b'{' | b':' => VALUE,
        b'/' if has_places => KEY,
        _ => 0,
    });
    wide(text.len() + each.sum::<usize>())
}

/// Returns `true` if a line may have changes: it names them, or has escapes, by which it could.
fn may_have_changes(text: &[u8]) -> bool {
    memmem::find(text, b"\"changes\"").is_some() || text.contains(&b'\\')
}

/// Counts the memory of text that is written, and of what it was printed from.
struct Weight(u64);

impl Write for Weight {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0 += weight(text, true) + wide(text.len());
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns what a file is that is no mod, or why it is none.
fn found(name: &str, text: &[u8], why: String) -> String {
    if diff::read(text).is_ok() {
        return "changes of one file by `bitexact diff --json`; `bitexact patch FILE --apply` makes them".to_owned();
    }
    if text.starts_with(b"PK\x03\x04") {
        return "an archive, in which changes.jsonl is the text of the mod".to_owned();
    }
    match recognize(KINDS, name, text) {
        // Modules have the same extension.
        Some(_) if text.starts_with(b"MOD ") => "a module of Neverwinter Nights".to_owned(),
        Some((kind, _)) => format!("a game file: {}", kind.title),
        None => in_line(&why),
    }
}

impl FileEdit {
    /// States that its texts are in the encoding that is chosen.
    pub(super) fn in_chosen_encoding(self) -> Self {
        Self { encoding: CodePage::chosen().map(|page| page.name().to_owned()), ..self }
    }

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

    /// Returns the memory that the edit and its text take, at most.
    pub(super) fn weight(&self) -> core::result::Result<u64, serde_json::Error> {
        let mut weight = Weight(0);
        write_json(self, &mut weight)?;
        Ok(weight.0)
    }

    /// Returns `true` if the result is stored in the journal.
    pub(super) fn is_stored(&self) -> bool {
        self.after.is_some() && self.changes.is_none() && self.content.is_none()
    }
}

impl core::fmt::Display for FileEdit {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        use output::printable::counted;
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
