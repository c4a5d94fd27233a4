//! The encoding that the texts of a model seem to have, if it is not the one in which they are read.

use std::collections::HashSet;

use field::{Datum, GAME_TEXT, Result, Value, Visitor, What};

/// Looks at the texts of a model. Each is judged by its bytes, and only beyond ASCII.
#[derive(Debug, Default)]
pub struct Encodings {
    /// The different texts that are UTF-8, and the number of texts that are not.
    utf8: HashSet<Vec<u8>>,
    others: usize,
    /// Letters of words of only Cyrillic letters, if they are in Windows-1251.
    cyrillic: usize,
    /// Words of letters of ASCII and accents.
    accented: usize,
    /// Words with a sign of Windows-1252 between letters that is a letter of Windows-1250: `ł`, `ą`, `ż`, `ź`.
    central: usize,
    /// Words with a letter of Icelandic that is one of Turkish in Windows-1254: `ı`, `ş`, `ğ`, `İ`, `Ş`.
    turkish: usize,
}

/// The number of words that are not there by chance.
const ENOUGH: usize = 3;

impl Encodings {
    /// Returns the name of the encoding that the texts seem to have, or `None` if they can be as they are read.
    #[must_use]
    pub fn likely(&self) -> Option<&'static str> {
        let is_common = |words: usize| words >= ENOUGH && words > self.accented / 4;
        match () {
            // A single text can be a mistake, or mean what it shows.
            () if self.utf8.len() >= 2 && self.utf8.len() / 9 >= self.others => Some("utf-8"),
            () if self.cyrillic >= 2 * ENOUGH && self.cyrillic > 2 * self.accented => Some("windows-1251"),
            () if is_common(self.central) => Some("windows-1250"),
            () if is_common(self.turkish) => Some("windows-1254"),
            () => None,
        }
    }

    /// Looks at a text.
    pub fn text(&mut self, bytes: &[u8]) {
        if bytes.is_ascii() {
            return;
        }
        let bytes = without_colors(bytes);
        if bytes.is_ascii() {
            return;
        }
        if core::str::from_utf8(&bytes).is_ok() {
            self.utf8.insert(bytes);
            return;
        }
        self.others += 1;
        for word in bytes.split(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic()).filter(|word| !word.is_ascii()) {
            let is_letter = |byte: &u8| *byte >= 0xC0 || matches!(byte, 0xA8 | 0xB8);
            if word.len() >= 3 && word.iter().all(is_letter) {
                self.cyrillic += word.len();
                continue;
            }
            self.accented += 1;
            let has = |letters: &[u8]| {
                word.windows(2).any(|two| matches!(two, [a, b] if a.is_ascii() && letters.contains(b)))
            };
            self.central += usize::from(has(&[0x9F, 0xB3, 0xB9, 0xBF]));
            self.turkish += usize::from(has(&[0xDD, 0xDE, 0xF0, 0xFD, 0xFE]));
        }
    }

    fn json(&mut self, json: &Value) {
        match json {
            Value::Text(text) if !text.is_ascii() => {
                if let Some(bytes) = GAME_TEXT.encode(text) {
                    self.text(&bytes);
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.json(item)),
            Value::Object(members) => members.iter().for_each(|(_, value)| self.json(value)),
            _ => {}
        }
    }
}

/// Returns a text without `<c` and the three bytes of a color, which can be any (`nwn-gff.md`, section 7.1).
fn without_colors(bytes: &[u8]) -> Vec<u8> {
    let (mut plain, mut rest) = (Vec::with_capacity(bytes.len()), bytes);
    while let [first, others @ ..] = rest {
        match rest {
            [b'<', b'c', _, _, _, b'>', after @ ..] => rest = after,
            _ => {
                plain.push(*first);
                rest = others;
            }
        }
    }
    plain
}

impl Visitor for Encodings {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        match datum.what {
            What::Text(_) => self.text(datum.bytes),
            What::Coded(codec, _) if !datum.bytes.is_ascii() => self.json(&(codec.show)(datum.bytes)),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likely(texts: &[&[u8]]) -> Option<&'static str> {
        let mut seen = Encodings::default();
        texts.iter().for_each(|text| seen.text(text));
        seen.likely()
    }

    #[test]
    fn encodings_are_told_by_their_texts() {
        assert_eq!(likely(&["Prêtre".as_bytes(), b"Wizard", "é".as_bytes()]), Some("utf-8"));
        assert_eq!(likely(&["Prêtre".as_bytes(), "Prêtre".as_bytes()]), None);
        assert_eq!(likely(&[b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xDD\xF2\xEE"]), Some("windows-1251"));
        assert_eq!(likely(&[b"z\xB3oto, ksi\xB9\xBFka, by\xB3, m\xF3j"]), Some("windows-1250"));
        assert_eq!(likely(&[b"k\xFDl\xFD\xE7 ya\xF0mur ba\xFE"]), Some("windows-1254"));
    }

    #[test]
    fn texts_in_windows_1252_are_as_they_are_read() {
        let german: &[u8] = b"Gr\xF6\xDFe, \xDCbung, f\xFCr, \xE4\xF6\xFC";
        assert_eq!(likely(&[german, b"\xC0 la p\xEAche, \xE9t\xE9, c\x9Cur", b"a\xF1o, ni\xF1a, \xBFqu\xE9?"]), None);
        // Colors have bytes of any value, and one text in UTF-8 among others was saved so by mistake.
        assert_eq!(likely(&[b"<c\xFE\xFD\xF0>red</c> <c\xFE\xFE\xFE>", "é".as_bytes(), german]), None);
    }
}
