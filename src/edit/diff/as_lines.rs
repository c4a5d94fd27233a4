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

/// Returns `true` if a value takes fewer than these columns on one line, and nothing in it is left out.
fn fits(value: &Value, left: &mut usize) -> bool {
    fn take(left: &mut usize, columns: usize) -> bool {
        *left = left.saturating_sub(columns);
        *left > 0
    }
    match value {
        Value::Text(text) => take(left, text.len() + 2) && !text.trim_end_matches(['\n', '\r']).contains(['\n', '\r']),
        Value::Bytes(bytes) => take(left, 2 * bytes.len() + 2),
        Value::List(items) => take(left, 2) && items.iter().all(|item| fits(item, left)),
        Value::Object(members) => {
            members.iter().all(|(name, value)| take(left, name.len() + 4) && name != LAYOUT && fits(value, left))
        }
        Value::Integer(_) | Value::Named(..) | Value::Float(_) | Value::Fixed(_) | Value::Bool(_) | Value::Null => {
            take(left, 8)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::tests::{Sample, samples};

    fn lines(value: Value) -> Vec<String> {
        let mut text = Text::default();
        text.value("it", &value, 0);
        text.0.lines().map(str::to_owned).collect()
    }

    fn object(members: &[(&str, Value)]) -> Value {
        Value::Object(members.iter().map(|(name, value)| ((*name).into(), value.clone())).collect())
    }

    #[test]
    fn value_that_fits_takes_one_line() {
        let number = || Value::from(1);
        let [longest, long] = [COLUMNS - 3, COLUMNS - 2].map(|length| "x".repeat(length));
        let columns = |names: &[&str]| object(&names.iter().map(|name| (*name, number())).collect::<Vec<_>>());
        let [fitting, over] = [COLUMNS - 13, COLUMNS - 12].map(|length| "n".repeat(length));
        let [empty, over_empty] =
            [COLUMNS - 5, COLUMNS - 4].map(|length| object(&[(&"n".repeat(length), object(&[]))]));
        let of_bytes = |length| Value::Bytes(Box::new(vec![7_u8; length].into()));
        for (one_line, more) in [
            (Value::from(longest.as_str()), Value::from(long.as_str())),
            (Value::from("one\r\n"), Value::from("one\rtwo")),
            (Value::from("\n"), Value::from("one\ntwo\n")),
            (of_bytes(48), of_bytes(49)),
            (Value::List(vec![number(); 12]), Value::List(vec![number(); 13])),
            (columns(&["abcd"; 6]), columns(&["abcd"; 7])),
            (columns(&[&fitting]), columns(&[&over])),
            (empty, over_empty),
            (object(&[("other", number())]), object(&[(LAYOUT, number())])),
            (Value::List(vec![]), Value::List(vec![object(&[("a", number()), (LAYOUT, number())])])),
        ] {
            let (shown, whole) = (lines(one_line.clone()), format!("it {}", Compact(&one_line)));
            assert_eq!(shown, [whole]);
            assert_eq!(lines(more.clone())[0], "it", "{}", Compact(&more));
        }
        assert_eq!(lines(object(&[(LAYOUT, number()), ("a", number())])), ["it", "  a: 1"]);
        assert_eq!(
            lines(of_bytes(49)),
            ["it".to_owned(), format!("  {}", "07".repeat(32)), format!("  {}", "07".repeat(17))]
        );
        assert_eq!(lines(Value::from("one\rtwo")), ["it", r#"  "one\r""#, r#"  "two""#]);
        let rows = Value::List(vec![Value::from(long.as_str()), number()]);
        assert_eq!(lines(rows), ["it".to_owned(), "  -".to_owned(), format!("    \"{long}\""), "  - 1".to_owned()]);
    }

    #[test]
    fn text_is_shown_with_its_encoding_and_line_ends() {
        let whole = |bytes: &[u8]| format!("{} bytes, SHA-256 {}\n", bytes.len(), Sha::of(bytes));
        for (file, expected) in [
            ("a\n\nb\n", "a\n\nb\n"),
            ("a\tb", "a\tb\nno line end after the last line\n"),
            ("", ""),
            ("a\r\nb\r\n", "line ends: CR LF\na\nb\n"),
            ("a\rb\r", "line ends: CR\na\nb\n"),
            ("a\rb", "line ends: CR\na\nb\nno line end after the last line\n"),
            ("\u{e9}\n", "encoding: UTF-8\n\u{e9}\n"),
        ] {
            assert_eq!(bytes_as_lines(file.as_bytes()), expected, "{file:?}");
        }
        assert_eq!(bytes_as_lines(b"\xe9\n"), "\u{e9}\n");
        // Of other line ends, only the hash of the file says that they are the same.
        for (file, lines) in [
            (&b"a\r\nb\n"[..], "a\nb\n"),
            (b"a\nb\r\n", "a\nb\n"),
            (b"a\r\nb\r", "a\nb\nno line end after the last line\n"),
            (b"a\rb\n", "a\rb\n"),
        ] {
            assert_eq!(bytes_as_lines(file), whole(file) + lines, "{file:?}");
        }
        let data = [0xAB; 34].map(|byte| if byte == 0xAB { 0 } else { byte });
        let rows = format!("{}\n{}\n", "00".repeat(ROW), "00".repeat(2));
        assert_eq!(bytes_as_lines(&data), whole(&data) + &rows);
    }

    #[test]
    fn texts_are_shown_as_they_are_and_values_by_name_only_where_their_order_has_no_meaning() {
        let (mut texts, mut in_order, mut by_name) = (0, 0, 0);
        for Sample { kind, name, bytes: file, model } in samples() {
            let shown = as_lines(kind, &file, &model).expect("it is laid out");
            let inner = shown.strip_prefix(&format!("{}\n", kind.name)).expect("the kind comes first");
            let inventory = Inventory::of(&model).expect("it is laid out");
            let parts = Parts::default();
            let walked = Walked { bytes: &file, model: &model, entries: inventory.entries(), parts: &parts };
            let compared = ComparedFile::new(kind, walked, &HashSet::new(), None).expect("it is laid out");
            if compared.raw {
                let as_bytes: String = bytes_as_lines(&file).lines().map(|line| format!("  {line}\n")).collect();
                let is_text = compared.codecs.get("").is_none_or(|codec| codec.is_text());
                assert_eq!(inner.starts_with(&as_bytes), is_text, "{}", name);
                texts += usize::from(is_text);
            } else if let Value::Object(members) = &compared.root {
                let lines = inner.lines().filter_map(|line| line.strip_prefix("  ").filter(|it| !it.starts_with(' ')));
                let first: Vec<&str> = lines.filter_map(|line| line.split(':').next()).collect();
                let mut sorted: Vec<&str> =
                    members.iter().map(|(member, _)| member.as_str()).filter(|it| *it != LAYOUT).collect();
                if compared.encoded.contains("") {
                    sorted.sort_unstable();
                    by_name += 1;
                } else {
                    in_order += usize::from(!sorted.is_sorted());
                }
                assert!(first.starts_with(&sorted), "{}: {first:?} {sorted:?}", name);
            }
        }
        assert!([texts, in_order, by_name].iter().all(|count| *count > 0), "{texts} {in_order} {by_name}");
    }
}
