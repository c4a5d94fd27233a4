//! The words of a text, and the values that they stand for. Source: `zipper-reader.md`, sections 4.1 and 4.2.

use core::ops::Range;

use field::{LoadError, Loaded, Step, Style as _, Value, Windows, decode_text, limits, single, wide};
use json::Describe as _;

use super::LONGEST;

/// The spelling of values that no word of a text exists for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Spelling {
    /// As in text files of the game: floats have at least six decimals, and strings can be hexadecimal numbers without quotes.
    Text,
    /// As a view of binary data: every value reads back with its type.
    Binary,
}

/// The words and parentheses of a text.
pub(super) struct Words<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Words<'t> {
    pub(super) fn of(text: &'t [u8]) -> Self {
        Self { text, at: 0 }
    }
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.text.get(self.at..)?;
        let begin = self.at + space(rest);
        let length = word(self.text.get(begin..)?);
        self.at = begin + length;
        (length > 0).then_some(begin..self.at)
    }
}

/// Returns the length of the white space and comments at the beginning of a text.
fn space(text: &[u8]) -> usize {
    let mut length = 0;
    loop {
        length += until(text, length, |byte| !byte.is_ascii_whitespace());
        if text.get(length) != Some(&b';') {
            return length;
        }
        length += until(text, length, |byte| byte == b'\n');
    }
}

/// Returns the length of the word at the beginning of a text.
fn word(text: &[u8]) -> usize {
    if matches!(text.first(), Some(b'(' | b')')) {
        return 1;
    }
    let mut length = 0;
    loop {
        length += until(text, length, |byte| byte == b'"' || parts(byte));
        if text.get(length) != Some(&b'"') {
            return length;
        }
        let quoted = length + 1;
        length = (quoted + until(text, quoted, |byte| byte == b'"') + 1).min(text.len());
    }
}

/// Returns the number of bytes from an offset to the first byte that matches `is_so`, or to the end.
fn until(text: &[u8], from: usize, is_so: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.iter().position(|&byte| is_so(byte)).unwrap_or(rest.len())
}

/// Returns `true` if a byte outside of quotes ends the word before it.
fn parts(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'(' | b')')
}

/// Returns `true` if all bytes match. Looks at many of them before it decides, which takes less time than one by one.
pub(super) fn all(text: &[u8], is_so: impl Fn(u8) -> bool) -> bool {
    text.chunks(64).all(|chunk| chunk.iter().fold(true, |all, &byte| all & is_so(byte)))
}

/// Returns `true` if a text is one list of words of ASCII that the engine reads, without quotes and comments. No word has to be found for
/// that. Other texts can be one list too.
pub(super) fn is_plain_list(text: &[u8]) -> bool {
    let [b'(', inner @ .., b')'] = text.trim_ascii() else { return false };
    // A word that is too long covers at least one of these pieces.
    let is_short = || inner.chunks_exact(LONGEST.div_ceil(2)).all(|piece| piece.iter().any(|&byte| parts(byte)));
    if !all(inner, |byte| byte.is_ascii() && byte != b'"' && byte != b';') || !is_short() {
        return false;
    }
    let mut depth = 1_usize;
    for piece in inner.chunks(16) {
        let count = |one: u8| usize::from(piece.iter().fold(0_u8, |count, &byte| count + u8::from(byte == one)));
        let (opened, closed) = (count(b'('), count(b')'));
        if closed < depth {
            depth = depth + opened - closed;
            continue;
        }
        for &byte in piece {
            depth = depth + usize::from(byte == b'(') - usize::from(byte == b')');
            if depth == 0 {
                return false;
            }
        }
    }
    depth == 1
}

/// Describes the first part of a text that binary data cannot hold with a certain type, or returns `None` if there is none.
pub(in super::super) fn oddity(text: &[u8]) -> Option<String> {
    let mut begin = 0;
    for span in Words::of(text) {
        let word = text.get(span.clone()).unwrap_or_default();
        let shown = || decode_text(Windows::PAGE, word);
        let digits = word.strip_prefix(b"-").or_else(|| word.strip_prefix(b"+")).unwrap_or(word);
        if has_comment(text.get(begin..span.start)) {
            return Some("binary data cannot hold a comment; remove it".to_owned());
        } else if is_hex(word) {
            let shown = shown();
            return Some(format!("{shown}: write a number in decimal, or a string as \"{shown}\""));
        } else if !word.is_ascii() {
            return Some(format!("{}: expected ASCII", shown()));
        } else if is_number(digits) && matches!(value(word), Value::Text(_)) {
            let shown = shown();
            return Some(format!("{shown}: does not fit in 32 bits; write a string as \"{shown}\""));
        }
        begin = span.end;
    }
    has_comment(text.get(begin..)).then(|| "binary data cannot hold a comment; remove it".to_owned())
}

/// Returns `true` if there is a comment in the space between words.
fn has_comment(space: Option<&[u8]>) -> bool {
    space.unwrap_or_default().contains(&b';')
}

/// Returns `true` if a word consists of digits and points.
fn is_number(digits: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    digits.iter().all(is_part) && digits.iter().any(u8::is_ascii_digit)
}

/// Returns `true` if the quotes of a word are in pairs.
pub(super) fn is_word(word: &[u8]) -> bool {
    word.iter().filter(|&&byte| byte == b'"').count() % 2 == 0
}

/// Returns the value of a word: an integer, a float or a string.
pub(super) fn value(word: &[u8]) -> Value {
    let text = decode_text(Windows::PAGE, word);
    if text.contains('"') {
        return text.replace('"', "").into();
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
    if is_number(digits.as_bytes()) {
        match digits.matches('.').count() {
            0 => {
                if let Ok(whole) = text.parse::<i32>() {
                    return whole.into();
                }
            }
            1 => {
                if let Some(float) = text.parse::<f32>().ok().filter(|float| float.is_finite()) {
                    return float.into();
                }
            }
            _ => {}
        }
    }
    text.into()
}

/// Returns a value that is not a list as a word, or an error that names the expected values.
pub(super) fn spell(json: &Value, spelling: Spelling) -> Result<String, String> {
    match json {
        Value::Integer(value) => {
            i32::try_from(*value).map(|value| value.to_string()).map_err(|_| "a whole number of 32 bits".to_owned())
        }
        Value::Float(value) if value.is_finite() => {
            let mut text = single(*value).to_string();
            let point = text.find('.').unwrap_or_else(|| {
                text.push('.');
                text.len() - 1
            });
            let decimals = if spelling == Spelling::Text { 6 } else { 1 };
            while text.len() - point - 1 < decimals {
                text.push('0');
            }
            Ok(text)
        }
        Value::Text(text) => spell_text(text, spelling),
        _ => Err("a list, a string or a finite number".to_owned()),
    }
}

fn spell_text(text: &str, spelling: Spelling) -> Result<String, String> {
    let is_odd = |byte: u8| byte == b'"' || !(byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    if text.strip_prefix("f32:").and_then(field::float_of_bits).is_some() {
        return Err("a list, a string or a finite number".to_owned());
    }
    if text.bytes().any(is_odd) {
        return Err("ASCII without quotes and control characters".to_owned());
    }
    let divides = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b';');
    // Whether the game reads a hexadecimal number as a number depends on its place.
    let is_hex = spelling == Spelling::Binary && is_hex(text.as_bytes());
    let is_bare =
        !text.is_empty() && !text.bytes().any(divides) && value(text.as_bytes()).text() == Some(text) && !is_hex;
    let word = if is_bare { text.to_owned() } else { format!("\"{text}\"") };
    if word.len() > LONGEST { Err(format!("a word of at most {LONGEST} bytes")) } else { Ok(word) }
}

/// Returns `true` if a word is a hexadecimal number.
fn is_hex(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X"));
    digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit))
}

/// Returns a list as a text: a line per item if one of them is a list.
///
/// # Errors
/// Returns an error if it is not a list, or if a text cannot hold one of its values.
pub(in super::super) fn print(json: &Value, spelling: Spelling) -> Loaded<Vec<u8>> {
    let mut text = Vec::new();
    let Value::List(_) = json else { return Err(LoadError::new(Vec::new(), "a list", json.describe())) };
    put(json, spelling, 0, &mut text, &mut Vec::new())?;
    text.push(b'\n');
    Ok(text)
}

/// Appends a value at this depth.
pub(super) fn put(json: &Value, spelling: Spelling, depth: usize, text: &mut Vec<u8>, way: &mut Vec<Step>) -> Loaded {
    let Value::List(items) = json else {
        let word =
            spell(json, spelling).map_err(|expected| LoadError::new(way.clone(), expected, json.describe_text()))?;
        text.extend_from_slice(word.as_bytes());
        return Ok(());
    };
    if depth > limits::NESTING {
        return Err(LoadError::new(way.clone(), format!("at most {} levels", limits::NESTING), json.describe()));
    }
    let is_long = items.iter().any(|item| matches!(item, Value::List(_)));
    text.push(b'(');
    for (index, item) in items.iter().enumerate() {
        if is_long {
            line(text, depth + 1);
        } else if index > 0 {
            text.push(b' ');
        }
        way.push(Step::Index(wide(index)));
        put(item, spelling, depth + 1, text, way)?;
        way.pop();
    }
    if is_long {
        line(text, depth);
    }
    text.push(b')');
    Ok(())
}

fn line(text: &mut Vec<u8>, depth: usize) {
    text.push(b'\n');
    text.extend(core::iter::repeat_n(b'\t', depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what [`is_plain_list`] says of a text, found word by word.
    fn is_list_by_words(text: &[u8]) -> bool {
        let (mut depth, mut ended) = (0_usize, false);
        for span in Words::of(text) {
            let word = text.get(span).unwrap_or_default();
            match word {
                _ if ended || !word.is_ascii() || !is_word(word) || word.len() > LONGEST => return false,
                b"(" => depth += 1,
                b")" if depth == 0 => return false,
                b")" => depth -= 1,
                _ if depth == 0 => return false,
                _ => {}
            }
            ended = depth == 0;
        }
        ended
    }

    #[test]
    fn words_end_at_spaces_and_parentheses_outside_of_quotes() {
        for (text, expected) in [
            ("", &[][..]),
            (" \t;x(\n", &[]),
            ("; a\n;b\n c", &["c"]),
            ("(a;b)", &["(", "a;b", ")"]),
            ("a\"b c\"d\"(\" e", &["a\"b c\"d\"(\"", "e"]),
            ("(\"a;b\nc\");d", &["(", "\"a;b\nc\"", ")"]),
            ("a \"b ) ", &["a", "\"b ) "]),
            ("a\"", &["a\""]),
        ] {
            let words = Words::of(text.as_bytes()).filter_map(|span| text.get(span));
            assert_eq!(words.collect::<Vec<_>>(), expected, "{text:?}");
        }
    }

    #[test]
    fn plain_lists_are_lists_word_by_word() {
        let long = |bytes: usize| format!("(a ({}) b)", "x".repeat(bytes));
        let deep = |depth: usize| format!("{}{}", "(".repeat(depth), ")".repeat(depth));
        let rows = |rows: usize| format!("(KEYS ({}))\r\n", "(UP keya(0x2d) joybtn(0x1))\r\n".repeat(rows));
        let texts = [
            "", "(", ")", "()", ")(", "(a)", "(a", "a)", "(a))", "((a)", "(a)(b)", " (a) b", "b (a)", "(a))(b)", "(é)",
        ];
        let texts = texts.map(str::to_owned).into_iter();
        let texts = texts.chain([100, 127, 128, 254, 255, 256, 257, 400, 1000].map(long));
        let texts = texts.chain([1, 7, 16, 17, 40].map(deep)).chain([1, 2, 9].map(rows));
        let mut plain = 0;
        for text in texts {
            // Each of them, and each with one byte less or another byte.
            let bytes = text.as_bytes();
            let cut = (0..bytes.len()).map(|at| [&bytes[..at], &bytes[at + 1..]].concat());
            let changed = (0..bytes.len())
                .flat_map(|at| b"() x\n\xE9".map(|byte| [&bytes[..at], &[byte], &bytes[at + 1..]].concat()));
            for text in [bytes.to_vec()].into_iter().chain(cut).chain(changed) {
                let shown = text.escape_ascii();
                let (found, expected) = (is_plain_list(&text), is_list_by_words(&text));
                // A word of ASCII that is not too long can be in a piece without spaces.
                let is_long = text.len() > 2 * 128;
                assert!(found == expected || expected && is_long, "{shown}: {found}");
                plain += usize::from(found);
            }
        }
        assert!(plain > 1000, "{plain}");
        for text in ["(a \"b\")", "(a ; b\n)", "(\"a)", "(;a)"] {
            assert!(!is_plain_list(text.as_bytes()), "{text}");
        }
    }
}
