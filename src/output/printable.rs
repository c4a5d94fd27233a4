//! Makes untrusted text safe to print: names, paths and contents come from files of any origin.
//!
//! It escapes characters that would move the cursor, color the screen, ring, or change the order of a line.

use core::fmt::{self, Display, Write as _};
use std::io;

use serde_core::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Returns `true` if a character affects a terminal: a control character, or a mark of the writing direction.
#[must_use]
pub fn is_escaped(it: char) -> bool {
    it.is_control()
        || matches!(it, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A value that is printed on one line, with every [such character](is_escaped) as `\n`, `\u{1b}` and the like.
#[derive(Clone, Copy, Debug)]
pub struct Printable<T>(pub T);

impl<T: Display> Display for Printable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escape(f), "{}", self.0)
    }
}

struct Escape<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl fmt::Write for Escape<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        parts(text, |clean, escaped| {
            self.0.write_str(clean)?;
            escaped.map_or(Ok(()), |it| write!(self.0, "{}", it.escape_default()))
        })
    }
}

/// Calls `tell` for each part of the text that needs no escape, with the character after it.
fn parts<E>(text: &str, mut tell: impl FnMut(&str, Option<char>) -> Result<(), E>) -> Result<(), E> {
    text.split_inclusive(is_escaped).try_for_each(|part| {
        let last = part.chars().next_back().filter(|it| is_escaped(*it));
        tell(part.strip_suffix(|it| Some(it) == last).unwrap_or(part), last)
    })
}

/// Returns text on one line, as [`Printable`] shows it.
#[must_use]
pub fn printable(text: &str) -> String {
    Printable(text).to_string()
}

/// Returns a number with its digits in groups of three: `1,246,905`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (left, digit) in (0..digits.len()).rev().zip(digits.chars()) {
        grouped.push(digit);
        if left > 0 && left % 3 == 0 {
            grouped.push(',');
        }
    }
    grouped
}

/// Returns the first of these names, and how many more there are: `a, b and 2 more`.
#[must_use]
pub fn first<T: AsRef<str>>(names: &[T], most: usize) -> String {
    let shown = names.iter().take(most).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(most) {
        None | Some(0) => shown,
        Some(more) => format!("{shown} and {more} more"),
    }
}

/// Returns an argument of a command as a shell takes it: in quotation marks, unless it is plain.
#[must_use]
pub fn argument(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/_.:-".contains(&byte));
    if is_plain { text.to_owned() } else { format!("\"{text}\"") }
}

/// Returns a number with its unit, such as `1 byte` or `1,024 bytes`.
#[must_use]
pub fn counted(count: u64, unit: &str) -> String {
    format!("{} {unit}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Returns an error of `serde_json` about one line of a text with its column first, and without the line, which it would always call 1.
pub fn in_line(why: &str) -> String {
    match why.rsplit_once(" at line 1 column ") {
        Some((why, column)) => format!("column {column}: {why}"),
        None => why.to_owned(),
    }
}

/// Returns JSON on one line that decodes to the original values and is safe for a terminal.
///
/// # Errors
/// Returns an error if the value cannot be JSON, such as a map whose keys are not strings.
pub fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut text = Vec::new();
    write_json(value, &mut text)?;
    String::from_utf8(text).map_err(|error| serde_json::Error::io(io::Error::other(error)))
}

/// Writes JSON as [`json`] returns it.
pub fn write_json(value: &impl Serialize, to: impl io::Write) -> Result<(), serde_json::Error> {
    value.serialize(&mut Serializer::with_formatter(to, OneLine))
}

/// The compact form of JSON, except for [such characters](is_escaped) that JSON itself does not escape.
struct OneLine;

impl Formatter for OneLine {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        parts(fragment, |clean, escaped| {
            writer.write_all(clean.as_bytes())?;
            escaped.map_or(Ok(()), |it| write!(writer, "\\u{:04x}", u32::from(it)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}[31m\u{7}\n\u{7f}\u{9b}1m\u{202e}b\u{2066}\u{200f}\u{61c}ü✓";

    #[test]
    fn text_shows_control_characters_as_escapes() {
        let expected = r"a\u{1b}[31m\u{7}\n\u{7f}\u{9b}1m\u{202e}b\u{2066}\u{200f}\u{61c}ü✓";
        assert_eq!(printable(HOSTILE), expected);
        assert_eq!(printable(expected), expected, "once is enough");
        assert_eq!((printable(""), printable("\u{1b}\u{1b}")), (String::new(), r"\u{1b}\u{1b}".to_owned()));
    }

    #[test]
    fn json_decodes_to_the_value_and_shows_no_control_character() {
        let text = json(&[(HOSTILE, 1.5)]).expect("it is JSON");
        assert!(!text.chars().any(is_escaped), "{text}");
        assert!(text.contains(r"\u202e") && text.contains("ü✓\",1.5]"), "{text}");
        let again: Vec<(String, f64)> = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(again, [(HOSTILE.to_owned(), 1.5)]);
    }
}
