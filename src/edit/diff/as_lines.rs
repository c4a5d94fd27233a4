//! All values of a file as lines of text, for programs that compare lines, such as `git diff`.
//!
//! The lines are those of the values that changes are about: the same values give the same lines, on every system. What a file keeps
//! beside its values is left out: its layout, and the order of fields where that has no meaning.

use core::fmt::Write as _;
use std::collections::{BTreeMap, HashSet};

use bytes::Bytes;

use crate::edit::inventory::Inventory;
use field::{CodePage, Error, GAME_TEXT, Value, decode_text, wide};
use json::Compact;
use json::{Document, LAYOUT};
use kind::{Kind, Model};
use output::printable::counted;
use passes::Sha;

use super::common_parts::Parts;
use super::compared_file::{ComparedFile, Walked};

/// The number of columns that a value may take on one line, beside its name.
const COLUMNS: usize = 100;
/// The number of bytes on a line.
const ROW: usize = 32;

/// Returns all values of a file as lines: those of the file itself, then those of its entries, each after its place.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn as_lines(kind: &'static Kind, file: &Bytes, model: &Model) -> Result<String, Error> {
    let inventory = Inventory::of(model)?;
    let parts = Parts::default();
    let walked = Walked { bytes: file, model, entries: inventory.entries(), parts: &parts };
    let it = ComparedFile::new(kind, walked, &HashSet::new(), None)?;
    let mut lines = Text::default();
    let root = match it.raw {
        true => it.shown("", &Document::Raw(file.clone())),
        false => it.shown("", &Document::Json(it.root.clone())),
    };
    lines.section(kind.name, "", root);
    let entries: BTreeMap<&String, &String> = it.files.iter().collect();
    for (entry, name) in entries {
        if let Some(document) = it.documents.get(name) {
            let kind = it.entry(entry).0.to_owned();
            lines.section(&kind, entry, it.shown(name, document));
        }
    }
    Ok(lines.0)
}

/// Returns the bytes of a file that has no values to show, as lines: text as it is, anything else in hexadecimal.
#[must_use]
pub fn bytes_as_lines(file: &[u8]) -> String {
    let mut lines = Text::default();
    lines.block(file, 0);
    lines.0
}

/// What is shown of a document.
enum Shown {
    Value(Value),
    Bytes(Bytes),
}

impl ComparedFile {
    /// Returns what is shown of a document: a value of which only the meaning counts, or bytes.
    fn shown(&self, file: &str, document: &Document) -> Shown {
        match document {
            Document::Json(json) if self.encoded.contains(file) => Shown::Value(json::by_name(json)),
            Document::Json(json) => Shown::Value(json.clone()),
            Document::Raw(bytes) => match self.codecs.get(file) {
                Some(codec) if !codec.is_text() => Shown::Value((codec.show)(bytes)),
                _ => Shown::Bytes(bytes.clone()),
            },
        }
    }
}

/// Lines that are being written.
#[derive(Default)]
struct Text(String);

impl Text {
    /// Writes an entry, or the file itself.
    fn section(&mut self, kind: &str, entry: &str, shown: Shown) {
        match entry {
            "" => self.line(0, &[kind]),
            entry => self.line(0, &[entry, ": ", kind]),
        }
        match shown {
            Shown::Value(Value::Null) => {}
            Shown::Value(value) => self.inner(&value, 1),
            Shown::Bytes(bytes) => self.block(&bytes, 1),
        }
    }

    fn line(&mut self, indent: usize, parts: &[&str]) {
        for _ in 0..indent {
            self.0.push_str("  ");
        }
        parts.iter().for_each(|part| self.0.push_str(part));
        self.0.push('\n');
    }

    /// Writes a value after its name, or after the mark of an item.
    fn value(&mut self, name: &str, value: &Value, indent: usize) {
        if fits(value, &mut COLUMNS.clone()) {
            return self.line(indent, &[name, " ", &Compact(value).to_string()]);
        }
        self.line(indent, &[name]);
        self.inner(value, indent + 1);
    }

    /// Writes what is in a value.
    fn inner(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Object(members) => {
                for (name, value) in members.iter().filter(|(name, _)| name != LAYOUT) {
                    self.value(&format!("{name}:"), value, indent);
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.value("-", item, indent)),
            Value::Text(text) => {
                // The texts of the Mac end lines with a carriage return.
                let end = if text.contains('\n') { '\n' } else { '\r' };
                text.split_inclusive(end)
                    .for_each(|line| self.line(indent, &[&Compact(&Value::from(line)).to_string()]));
            }
            Value::Bytes(bytes) => bytes.chunks(ROW).for_each(|row| self.row(row, indent)),
            other => self.line(indent, &[&Compact(other).to_string()]),
        }
    }

    /// Writes bytes: the lines of a text, or rows.
    fn block(&mut self, bytes: &[u8], indent: usize) {
        let is_text = !bytes.iter().any(|byte| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r' | b'\t'));
        if !is_text {
            self.whole(bytes, indent);
            return bytes.chunks(ROW).for_each(|row| self.row(row, indent));
        }
        let text = match core::str::from_utf8(bytes) {
            // The same text in another encoding is another one.
            Ok(text) if CodePage::chosen().is_none() && !text.is_ascii() => {
                self.line(indent, &["encoding: UTF-8"]);
                text.to_owned()
            }
            _ => decode_text(GAME_TEXT, bytes),
        };
        let [windows, unix, mac] = ["\r\n", "\n", "\r"].map(|end| text.matches(end).count());
        let end = if unix == 0 && mac > 0 { '\r' } else { '\n' };
        // The ends of lines are no part of what is shown.
        match (windows, unix, mac) {
            (_, _, 0) => {}
            (windows, unix, mac) if windows == unix && unix == mac => self.line(indent, &["line ends: CR LF"]),
            (_, 0, _) => self.line(indent, &["line ends: CR"]),
            _ => self.whole(bytes, indent),
        }
        text.split_inclusive(end).for_each(|line| self.line(indent, &[line.trim_end_matches(['\n', '\r'])]));
        if !text.is_empty() && !text.ends_with(end) {
            self.line(indent, &["no line end after the last line"]);
        }
    }

    fn whole(&mut self, bytes: &[u8], indent: usize) {
        let (size, hash) = (counted(wide(bytes.len()), "byte"), Sha::of(bytes).to_string());
        self.line(indent, &[&size, ", SHA-256 ", &hash]);
    }

    fn row(&mut self, row: &[u8], indent: usize) {
        let mut text = String::with_capacity(2 * ROW);
        for byte in row {
            // A string can always be written to.
            _ = write!(text, "{byte:02x}");
        }
        self.line(indent, &[&text]);
    }
}

/// Returns `true` if a value takes no more than these columns on one line, and nothing in it is left out.
fn fits(value: &Value, left: &mut usize) -> bool {
    let mut take = |columns: usize| {
        *left = left.saturating_sub(columns);
        *left > 0
    };
    match value {
        Value::Text(text) => {
            let inner = text.trim_end_matches(['\n', '\r']);
            take(text.len() + 2) && !inner.contains(['\n', '\r'])
        }
        Value::Bytes(bytes) => take(2 * bytes.len() + 2),
        Value::List(items) => take(2) && items.iter().all(|item| fits(item, left) && *left > 0),
        Value::Object(members) => {
            let fits = |(name, value): &(_, Value)| {
                let name: &smol_str::SmolStr = name;
                *left = left.saturating_sub(name.len() + 4);
                *left > 0 && name != LAYOUT && fits(value, left)
            };
            members.iter().all(fits)
        }
        Value::Integer(_) | Value::Named(..) | Value::Float(_) | Value::Fixed(_) | Value::Bool(_) | Value::Null => {
            take(8)
        }
    }
}
