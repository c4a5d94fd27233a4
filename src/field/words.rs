//! Lines of words, each ended by a NUL, as text that people write: with spaces between the words.
//!
//! ```text
//! SetTextureDirectory ..\data\%CHAPTER%\textures
//! set TITLE "two words" "" "\xE9\"\\"
//! ```
//!
//! As in the source of a script, a comma separates words too, and `a,,b` has an empty word between two others (`zipper-interp.md`,
//! section 2).
//!
//! A word is in quotes if it begins with `#`, has white space, a control character, a comma or a quote, or is empty at an end of the line.
//! In quotes, `\"` is a quote, `\\` a backslash, and `\x0A` the byte with this number. A `\` after the last quote states that the last word
//! has no NUL.

use super::code_page::{CodePage, WINDOWS_1252};
use super::hex::unhex;

/// Words in Windows-1252, each ended by a NUL: as text, they are separated by spaces.
pub const WORDS: &CodePage = &CodePage::own(
    "words of windows-1252",
    show,
    |text| parse(text).ok(),
    "words between spaces or commas, with comments and quotes only in quotes; an empty word is a,,b",
);

/// Returns words as text.
fn show(bytes: &[u8]) -> String {
    if let Some(text) = show_simple(bytes) {
        return text;
    }
    let (whole, open) = match bytes.strip_suffix(b"\0") {
        Some(whole) => (whole, false),
        None => (bytes, true),
    };
    if bytes.is_empty() {
        return String::new();
    }
    let words = || whole.split(|&byte| byte == 0).enumerate();
    let inner = {
        let mut full = words().filter(|(_, word)| !word.is_empty()).map(|(index, _)| index);
        full.next().filter(|first| *first == 0).map_or(0..0, |first| first..full.last().unwrap_or(first))
    };
    let (count, mut text, mut empty) = (words().count(), String::new(), 0_usize);
    for (index, word) in words() {
        let is_open = open && index + 1 == count;
        // Between two others, an empty word has a form that the game reads.
        if word.is_empty() && inner.contains(&index) {
            empty += 1;
            continue;
        }
        match core::mem::take(&mut empty) {
            0 if index == 0 => {}
            0 => text.push(' '),
            empty => text.extend(core::iter::repeat_n(',', empty + 1)),
        }
        match !is_open && is_bare(word) {
            true => text.push_str(&WINDOWS_1252.decode(word)),
            false => put_quoted(word, &mut text),
        }
        if is_open {
            text.push('\\');
        }
    }
    text
}

/// Returns `true` for a byte that never needs quotes, wherever it is in a word.
const fn is_simple(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'#' | b',')
}

/// Returns words of [simple](is_simple) bytes as text, as nearly all are, or `None` for others.
fn show_simple(bytes: &[u8]) -> Option<String> {
    let (0, whole) = bytes.split_last()? else { return None };
    are_simple(whole, 0).then_some(())?;
    String::from_utf8(replaced(whole, 0, b' ')).ok()
}

/// Returns the bytes of [simple](is_simple) words with single spaces between them, or `None` for any other text.
fn parse_simple(text: &str) -> Option<Vec<u8>> {
    let text = text.as_bytes();
    are_simple(text, b' ').then_some(())?;
    let mut bytes = replaced(text, b' ', 0);
    bytes.push(0);
    Some(bytes)
}

/// Returns `true` for one or more words of [simple](is_simple) bytes with one separator between them.
fn are_simple(words: &[u8], separator: u8) -> bool {
    let ([first, ..], [.., last], Some(others)) = (words, words, words.get(1..)) else { return false };
    // No byte depends on the one before it and there is no branch, so that many bytes are looked at in the time of one.
    let fit = words.iter().fold(true, |all, &byte| all & (is_simple(byte) | (byte == separator)));
    let touch =
        words.iter().zip(others).fold(false, |any, (&one, &next)| any | ((one == separator) & (next == separator)));
    fit && !touch && *first != separator && *last != separator
}

/// Returns bytes with another one in place of a separator, and room for one more.
fn replaced(bytes: &[u8], separator: u8, by: u8) -> Vec<u8> {
    let mut new = Vec::with_capacity(bytes.len() + 1);
    new.extend(bytes.iter().map(|&byte| if byte == separator { by } else { byte }));
    new
}

/// Returns `true` if a word needs no quotes.
fn is_bare(word: &[u8]) -> bool {
    let is_plain = |it: char| !(it.is_control() || it.is_whitespace() || matches!(it, '"' | ','));
    !word.is_empty() && !word.starts_with(b"#") && WINDOWS_1252.decode(word).chars().all(is_plain)
}

fn put_quoted(word: &[u8], text: &mut String) {
    text.push('"');
    for (character, byte) in WINDOWS_1252.decode(word).chars().zip(word) {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            // Spaces that look like others would be lost in an editor.
            _ if character != ' ' && (character.is_control() || character.is_whitespace()) => {
                text.push_str(&format!("\\x{byte:02X}"));
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}

/// Returns the words of a text.
///
/// # Errors
/// Returns an error with the reason if the text is not such a line.
fn parse(text: &str) -> Result<Vec<u8>, String> {
    match parse_simple(text) {
        Some(bytes) => Ok(bytes),
        None => parse_any(text),
    }
}

/// Returns `true` if all words of a text end with a NUL.
///
/// # Errors
/// Returns an error with the reason if the text is not such a line.
pub fn are_whole(text: &str) -> Result<bool, String> {
    Ok(are_simple(text.as_bytes(), b' ') || parse_any(text)?.ends_with(b"\0"))
}

fn parse_any(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.trim_matches(is_blank);
    if rest.is_empty() {
        return Err("expected a word, found none; an empty word is \"\"".to_owned());
    }
    if rest.starts_with(COMMA) {
        return Err("expected a word before the comma; an empty word at the beginning is \"\"".to_owned());
    }
    while !rest.is_empty() {
        let behind = match rest.strip_prefix('"') {
            Some(quoted) => unquote(quoted, &mut bytes)?,
            None => {
                let (word, behind) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
                bytes.extend(bare(word)?);
                behind
            }
        };
        if behind == "\\" {
            return Ok(bytes);
        }
        if !behind.is_empty() && !behind.starts_with(is_separator) {
            return Err(format!("expected a space after a quoted word, found {behind:?}"));
        }
        bytes.push(0);
        let after = behind.trim_start_matches(COMMA);
        let commas = behind.len() - after.len();
        bytes.extend(core::iter::repeat_n(0, commas.saturating_sub(1)));
        rest = after.trim_start_matches(is_blank);
        if rest.starts_with(COMMA) {
            return Err("expected commas without spaces between them; an empty word is a,,b".to_owned());
        }
        if commas > 0 && rest.is_empty() {
            return Err("expected a word after the comma; an empty word at the end is \"\"".to_owned());
        }
    }
    Ok(bytes)
}

/// What separates words, as spaces do.
const COMMA: char = ',';

fn is_separator(character: char) -> bool {
    character == COMMA || is_blank(character)
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

fn lacking() -> String {
    format!("expected characters of {}", WINDOWS_1252.name())
}

/// Returns the bytes of a word without quotes.
fn bare(word: &str) -> Result<Vec<u8>, String> {
    if word.starts_with('#') {
        return Err(format!("the file cannot hold the comment {word:?}; remove it, or write the word in quotes"));
    }
    let odd = word.chars().find(|it| it.is_control() || it.is_whitespace() || *it == '"');
    match odd {
        Some(odd) => {
            Err(format!("expected words between spaces, found {odd:?}; write a word that contains it in quotes"))
        }
        None => WINDOWS_1252.encode(word).ok_or_else(lacking),
    }
}

/// Appends the bytes of a quoted word, given the text after its first quote, and returns the text after its last.
fn unquote<'t>(text: &'t str, bytes: &mut Vec<u8>) -> Result<&'t str, String> {
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Ok(text.get(at + 1..).unwrap_or_default()),
            '\\' => match characters.next() {
                Some((_, sign @ ('"' | '\\'))) => bytes.extend(u8::try_from(sign)),
                Some((_, 'x')) => {
                    let digits: String = characters.by_ref().take(2).map(|(_, digit)| digit).collect();
                    let byte = unhex(&digits).filter(|byte| byte.len() == 1 && *byte != [0]);
                    bytes
                        .extend(byte.ok_or_else(|| format!("expected a byte from \\x01 to \\xFF, found \\x{digits}"))?);
                }
                _ => return Err("expected \\\\, \\\" or \\x and two digits in a quoted word".to_owned()),
            },
            _ if character.is_control() => return Err(format!("expected \\x and two digits, found {character:?}")),
            _ => bytes.extend(WINDOWS_1252.encode(character.encode_utf8(&mut [0; 4])).ok_or_else(lacking)?),
        }
    }
    Err("a quoted word has no quote at its end".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_spaces_and_quoted_only_if_necessary() {
        for (bytes, text) in [
            (&b"SetClipNear\x00685\0"[..], "SetClipNear 685"),
            (b"source\0..\\a\\%B%.gw\0", "source ..\\a\\%B%.gw"),
            (b"\0", "\"\""),
            (b"a\0\0b\0", "a,,b"),
            (b"a\0\0\0b\0c\0", "a,,,b c"),
            (b"\0lead\0\0double\0\0", "\"\" lead \"\" double \"\""),
            (b"lead\0\0double\0\0", "lead,,double \"\""),
            (b"two words\0a,b\0#\0a#\0\"\0\\ \0", "\"two words\" \"a,b\" \"#\" a# \"\\\"\" \"\\\\ \""),
            (b"Gel\xE4nde\0\x80\x81\xA0\0\x01\r\n\0", "Gelände \"€\\x81\\xA0\" \"\\x01\\x0D\\x0A\""),
            (b"Quit", "\"Quit\"\\"),
            (b"set\0A\0B", "set A \"B\"\\"),
            (b"A\0\0B", "A,,\"B\"\\"),
            (b"A\0\0", "A \"\""),
            (b"A\0\0\0\xE9 \0", "A,,,\"é \""),
            (b"", ""),
        ] {
            assert_eq!(show(bytes), text);
            assert_eq!(parse_simple(text).is_some(), show_simple(bytes).is_some(), "{text}");
            assert_eq!(parse_any(text).ok(), (!bytes.is_empty()).then(|| bytes.to_vec()), "{text}");
            assert_eq!(parse(text).ok(), (!bytes.is_empty()).then(|| bytes.to_vec()), "{text}");
        }
    }

    #[test]
    fn any_bytes_round_trip() {
        let mut bytes: Vec<u8> = (0..=255).rev().collect();
        for end in [0, 1] {
            for first in 0..=255 {
                bytes.extend([first, end]);
                assert_eq!(parse(&show(&bytes)).as_ref(), Ok(&bytes));
                assert_eq!(parse(&show(&[first])), Ok(vec![first]));
            }
        }
    }

    #[test]
    fn text_that_people_write_is_read_or_refused() {
        assert_eq!(parse("\tset   A\t1 "), Ok(b"set\0A\x001\0".to_vec()));
        assert_eq!(parse("set 1,2, 3"), Ok(b"set\x001\x002\x003\0".to_vec()));
        assert_eq!(parse("set A \"\" b"), Ok(b"set\0A\0\0b\0".to_vec()));
        assert_eq!(parse("set Gelände"), Ok(b"set\0Gel\xE4nde\0".to_vec()));
        for (text, why) in [
            ("", "expected a word"),
            ("# sky", "cannot hold the comment"),
            ("set A #sky", "cannot hold the comment"),
            (",set", "before the comma"),
            ("set 1,", "after the comma"),
            ("set 1,, ", "after the comma"),
            ("set 1 ,2", "without spaces"),
            ("set 1, ,2", "without spaces"),
            ("set a\"b\"", "found '\"'"),
            ("set a\u{1}", "found '\\u{1}'"),
            ("set a\u{A0}b", "found '\\u{a0}'"),
            ("set \"a\u{1}\"", "found '\\u{1}'"),
            ("set \"a\"b", "expected a space after"),
            ("set \"a", "no quote at its end"),
            ("set \"\\n\"", "expected \\\\, \\\" or \\x"),
            ("set \"\\x0\"", "expected a byte from"),
            ("set \"\\x00\"", "expected a byte from"),
            ("set \u{3bb}", "expected characters of windows-1252"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
