//! Parses whole values, and says why a text is no JSON.

use serde_core::Deserialize as _;
use serde_core::de::Error as _;
use serde_json::Deserializer;
use serde_json::de::Read;

use super::number::{is_of_number, why_not};
use super::read::{NULL, Parsed};
use field::Value;

/// Parses a value from text.
///
/// # Errors
/// Returns an error with the line, the column and the reason if the text is not valid JSON.
pub fn parse(text: &[u8]) -> Result<Value, serde_json::Error> {
    let text = unmarked(text).map_err(serde_json::Error::custom)?;
    // Validating the text as a whole makes it unnecessary for every string. Invalid characters are reported during parsing.
    let read = match core::str::from_utf8(text) {
        Ok(text) => read(Deserializer::from_str(text)),
        Err(_) => read(Deserializer::from_slice(text)),
    };
    // The parser takes numbers for others.
    let is_valid = read.as_ref().map_or_else(serde_json::Error::is_data, |_| true);
    match misread(text).filter(|_| is_valid) {
        Some((before, why)) => {
            let (line, column) = line_and(|_| true, text, before);
            Err(serde_json::Error::custom(format!("{why} at line {line} column {column}")))
        }
        None => read.map_err(|error| match not_utf8(text).filter(|_| is_about_utf8(&error.to_string())) {
            Some(before) => {
                let (line, column) = line_and(|_| true, text, before);
                serde_json::Error::custom(format!("{SAVE_AS_UTF8} at line {line} column {column}"))
            }
            None => in_words(error),
        }),
    }
}

/// Returns the position of the first number in a JSON text that the parser would change, and why it is refused.
fn misread(text: &[u8]) -> Option<(usize, String)> {
    let mut at = 0_usize;
    loop {
        let rest = text.get(at..)?;
        at += rest.iter().position(|byte| matches!(byte, b'"' | b'-' | b'0'..=b'9'))?;
        let token = text.get(at..)?;
        if token.first() == Some(&b'"') {
            let is_escaped = |end: usize| {
                let before = token.get(..end).into_iter().flatten().rev();
                before.take_while(|byte| **byte == b'\\').count() % 2 == 1
            };
            at += 1 + memchr::memchr_iter(b'"', token).skip(1).find(|end| !is_escaped(*end))?;
            continue;
        }
        let number = token.get(..token.iter().take_while(|byte| is_of_number(**byte)).count())?;
        match why_not(number) {
            Some(why) => return Some((at, why)),
            None => at += number.len(),
        }
    }
}

/// Returns an error of the parser in other words where it uses those of programmers.
fn in_words(error: serde_json::Error) -> serde_json::Error {
    let text = error.to_string();
    let Some(what) = text.strip_prefix("EOF while parsing a") else { return error };
    serde_json::Error::custom(match what.strip_prefix(" value") {
        Some(at) => format!("expected a value, found the end of the text{at}"),
        None => format!("the text ends inside a{what}"),
    })
}

fn read<'de>(mut reader: Deserializer<impl Read<'de>>) -> Result<Value, serde_json::Error> {
    // The visitor itself limits the nesting depth.
    reader.disable_recursion_limit();
    let Parsed(json) = Parsed::deserialize(&mut reader)?;
    reader.end()?;
    Ok(json)
}

/// Returns the text without the byte order mark that some editors put before UTF-8.
///
/// # Errors
/// Returns an error if the byte order mark is that of UTF-16.
pub fn unmarked(text: &[u8]) -> Result<&[u8], &'static str> {
    match text {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Err("expected UTF-8, found UTF-16; save the file as UTF-8"),
        _ => Ok(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)),
    }
}

/// What to do about a text in another encoding.
const SAVE_AS_UTF8: &str = "expected UTF-8; save the file as UTF-8";

/// Returns a text in UTF-8 without its byte order mark.
///
/// # Errors
/// Returns an error, with the line if there is one, if the text is in another encoding.
pub fn utf8(text: &[u8]) -> Result<&str, String> {
    let text = unmarked(text)?;
    core::str::from_utf8(text).map_err(|error| {
        let (line, _) = line_and(is_first, text, error.valid_up_to());
        format!("line {line}: {SAVE_AS_UTF8}")
    })
}

/// Returns the offset of the first bytes that are not UTF-8, or `None` if all are.
fn not_utf8(text: &[u8]) -> Option<usize> {
    core::str::from_utf8(text).err().map(|error| error.valid_up_to())
}

/// Returns `true` for an error of the parser about bytes that are no character.
fn is_about_utf8(error: &str) -> bool {
    error.starts_with("invalid unicode code point")
}

/// Returns the line and the column of an offset, both from 1, counting only the bytes that begin a column.
pub(super) fn line_and(counts: impl Fn(u8) -> bool, text: &[u8], offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.iter().filter(|byte| **byte == b'\n').count();
    let begin = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let column = before.iter().skip(begin).filter(|byte| counts(**byte)).count();
    (line + 1, column + 1)
}

/// Returns `true` if a byte begins a character of UTF-8.
pub(super) fn is_first(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// Returns why a file is not JSON, with the line and column if there is one. The parser counts bytes.
pub(super) fn refused(path: &str, file: &[u8], error: &serde_json::Error) -> String {
    let why = error.to_string();
    let (line, column) = (error.line(), error.column());
    let Some(why) = why.strip_suffix(&format!(" at line {line} column {column}")).filter(|_| line > 0) else {
        return format!("{path}: {why}");
    };
    let text = unmarked(file).unwrap_or(file);
    let row = text.split(|byte| *byte == b'\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let before = row.iter().take(column.saturating_sub(1));
    // At the end of the text, the parser is at the end of a line, or before the first byte of one. A null is refused after it has
    // been read.
    let read = if why == NULL { "ull".len() } else { 0 };
    let column = (before.filter(|byte| is_first(**byte)).count() + 1).saturating_sub(read);
    format!("{path}:{line}:{column}: {why}")
}
