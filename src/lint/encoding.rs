//! Texts in another encoding than the game reads: an editor that saves a script as UTF-8 says nothing, and the game shows two characters
//! for each one above 7F.

use std::collections::HashSet;

use field::{CodePage, Place};

use super::warning::tell;
use super::{Lint, Warning, Warnings};
use crate::traps;

traps! { TRAPS:
    ENCODING = "text-encoding" in File:
        "the text is in another encoding than the game reads" =>
        "the game takes each byte for a character; save it as Windows-1252",
        "nwn-gff.md, section 7.1 (checked)";
    REPLACED = "replacement-character" in File:
        "the text contains U+FFFD" => "the character that was there is lost; an editor has read the text in a wrong encoding",
        "nwn-gff.md, section 7.1 (checked)";
}

/// U+FFFD in UTF-8, which editors put in place of bytes that they cannot read.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// Reports the traps that the encoding of a text is.
pub fn of_text(text: &[u8], out: &mut Warnings<'_>) {
    if text.is_ascii() && !text.contains(&0) {
        return;
    }
    if let Some(found) = foreign(text) {
        out.warn(&ENCODING, &[], found);
    }
    if let Some(at) = memchr::memmem::find(text, REPLACEMENT) {
        out.warn(&REPLACED, &[], format!("line {}", line_of(text, at)));
    }
}

/// Returns what shows that a text is not in a code page with a byte for each character, or `None` if nothing does.
fn foreign(text: &[u8]) -> Option<String> {
    if text.starts_with(&[0xFF, 0xFE]) || text.starts_with(&[0xFE, 0xFF]) {
        return text.contains(&0).then(|| "UTF-16".to_owned());
    }
    if CodePage::chosen().is_some_and(|page| page.name() == "utf-8") {
        return None;
    }
    let unicode = core::str::from_utf8(text).ok()?;
    // U+FFFD is a trap of its own.
    let (at, first) = unicode.char_indices().find(|(_, letter)| !letter.is_ascii() && *letter != '\u{FFFD}')?;
    Some(match first {
        '\u{FEFF}' => "UTF-8, with a byte order mark".to_owned(),
        first => format!("UTF-8, {first:?} in line {}", line_of(text, at)),
    })
}

/// Returns the number of the line, from 1, at an offset.
fn line_of(text: &[u8], at: usize) -> usize {
    memchr::memchr_iter(b'\n', text.get(..at).unwrap_or_default()).count() + 1
}

/// Returns a warning for each text that is in another encoding than the game reads, and was not in the model before.
#[must_use]
pub fn reencoded(before: &dyn Lint, after: &dyn Lint) -> Vec<Warning> {
    let [old, mut new] = [before, after].map(|model| {
        let mut found = Vec::new();
        tell(model, &|_| false, &mut |place, trap, value| {
            if TRAPS.iter().any(|it| it.id == trap.id) {
                found.push(Warning::of(trap, place, value));
            }
        });
        found
    });
    let known: HashSet<(&str, &Place)> = old.iter().map(|it| (it.trap.id, &it.first_place)).collect();
    new.retain(|it| !known.contains(&(it.trap.id, &it.first_place)));
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_in_other_encodings_are_told_from_those_of_a_code_page() {
        for (text, found) in [
            (&b"plain"[..], None),
            (b"// caf\xE9\r\n", None),
            (b"a\xC3\xA9\xE9", None),
            ("// a\n// café\n".as_bytes(), Some("UTF-8, 'é' in line 2")),
            ("\u{FEFF}void main()".as_bytes(), Some("UTF-8, with a byte order mark")),
            ("caf\u{FFFD}".as_bytes(), None),
            (b"\xFF\xFEa\0", Some("UTF-16")),
            (b"\xFF\xFEa", None),
        ] {
            assert_eq!(foreign(text).as_deref(), found, "{}", text.escape_ascii());
        }
    }
}
