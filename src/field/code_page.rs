//! Code pages: how text is written as bytes.

use core::fmt::{self, Debug};

/// A code page. The two that most formats use map every byte to a different character, so their text encodes to the same bytes.
#[derive(Clone, Copy)]
pub struct CodePage {
    name: &'static str,
    coding: Coding,
}

#[derive(Clone, Copy)]
enum Coding {
    /// ASCII, then these characters.
    Table(&'static [char; 128]),
    /// A syntax of its own, which shows ASCII differently: the functions that decode and encode it, and what they expect.
    Own(fn(&[u8]) -> String, fn(&str) -> Option<Vec<u8>>, &'static str),
    /// Characters of more than one byte, or of languages that few files use.
    #[cfg(feature = "code-pages")]
    Other(&'static encoding_rs::Encoding),
}

/// Windows-1252.
pub const WINDOWS_1252: &CodePage = &CodePage { name: "windows-1252", coding: Coding::Table(&LATER_WINDOWS_1252) };

/// Mac OS Roman.
pub const MACINTOSH: &CodePage = &CodePage { name: "macintosh", coding: Coding::Table(&LATER_MACINTOSH) };

impl CodePage {
    /// Creates a page from an encoding of another crate.
    #[cfg(feature = "code-pages")]
    pub(crate) const fn of(name: &'static str, encoding: &'static encoding_rs::Encoding) -> Self {
        Self { name, coding: Coding::Other(encoding) }
    }

    /// Creates a page with functions of its own, and the text that they expect.
    pub(super) const fn own(
        name: &'static str,
        decode: fn(&[u8]) -> String,
        encode: fn(&str) -> Option<Vec<u8>>,
        expected: &'static str,
    ) -> Self {
        Self { name, coding: Coding::Own(decode, encode, expected) }
    }

    /// Returns the name of the page, as used on the web.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Decodes bytes as text.
    #[must_use]
    pub fn decode(&self, bytes: &[u8]) -> String {
        match self.coding {
            Coding::Table(_) if bytes.is_ascii() => String::from_utf8_lossy(bytes).into_owned(),
            Coding::Table(later) => {
                let character = |&byte: &u8| {
                    let at = byte.checked_sub(128).and_then(|at| later.get(usize::from(at)));
                    at.copied().unwrap_or(char::from(byte))
                };
                bytes.iter().map(character).collect()
            }
            Coding::Own(decode, ..) => decode(bytes),
            #[cfg(feature = "code-pages")]
            Coding::Other(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
        }
    }

    /// Returns `true` if ASCII decodes to the same text.
    pub(super) fn begins_with_ascii(&self) -> bool {
        !matches!(self.coding, Coding::Own(..))
    }

    /// Describes the text that it encodes.
    pub(crate) fn encodes(&self) -> String {
        match self.coding {
            Coding::Own(.., expected) => expected.to_owned(),
            _ => format!("characters of {}", self.name),
        }
    }

    /// Encodes text, or returns `None` if the page lacks a character.
    #[must_use]
    pub fn encode(&self, text: &str) -> Option<Vec<u8>> {
        match self.coding {
            Coding::Table(_) if text.is_ascii() => Some(text.as_bytes().to_vec()),
            Coding::Table(later) => {
                let byte = |it: char| match u8::try_from(it) {
                    Ok(ascii) if ascii < 128 => Some(ascii),
                    _ => (128..=u8::MAX).zip(later).find_map(|(byte, known)| (*known == it).then_some(byte)),
                };
                text.chars().map(byte).collect()
            }
            Coding::Own(_, encode, _) => encode(text),
            #[cfg(feature = "code-pages")]
            Coding::Other(encoding) => {
                let (bytes, _, lacking) = encoding.encode(text);
                (!lacking).then(|| bytes.into_owned())
            }
        }
    }
}

impl Debug for CodePage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// From 0x80 on; bytes without a character are control characters.
#[rustfmt::skip]
static LATER_WINDOWS_1252: [char; 128] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    '\u{A0}', '¡', '¢', '£', '¤', '¥', '¦', '§', '¨', '©', 'ª', '«', '¬', '\u{AD}', '®', '¯',
    '°', '±', '²', '³', '´', 'µ', '¶', '·', '¸', '¹', 'º', '»', '¼', '½', '¾', '¿',
    'À', 'Á', 'Â', 'Ã', 'Ä', 'Å', 'Æ', 'Ç', 'È', 'É', 'Ê', 'Ë', 'Ì', 'Í', 'Î', 'Ï',
    'Ð', 'Ñ', 'Ò', 'Ó', 'Ô', 'Õ', 'Ö', '×', 'Ø', 'Ù', 'Ú', 'Û', 'Ü', 'Ý', 'Þ', 'ß',
    'à', 'á', 'â', 'ã', 'ä', 'å', 'æ', 'ç', 'è', 'é', 'ê', 'ë', 'ì', 'í', 'î', 'ï',
    'ð', 'ñ', 'ò', 'ó', 'ô', 'õ', 'ö', '÷', 'ø', 'ù', 'ú', 'û', 'ü', 'ý', 'þ', 'ÿ',
];

/// From 0x80 on.
#[rustfmt::skip]
static LATER_MACINTOSH: [char; 128] = [
    'Ä', 'Å', 'Ç', 'É', 'Ñ', 'Ö', 'Ü', 'á', 'à', 'â', 'ä', 'ã', 'å', 'ç', 'é', 'è',
    'ê', 'ë', 'í', 'ì', 'î', 'ï', 'ñ', 'ó', 'ò', 'ô', 'ö', 'õ', 'ú', 'ù', 'û', 'ü',
    '†', '°', '¢', '£', '§', '•', '¶', 'ß', '®', '©', '™', '´', '¨', '≠', 'Æ', 'Ø',
    '∞', '±', '≤', '≥', '¥', 'µ', '∂', '∑', '∏', 'π', '∫', 'ª', 'º', 'Ω', 'æ', 'ø',
    '¿', '¡', '¬', '√', 'ƒ', '≈', '∆', '«', '»', '…', '\u{A0}', 'À', 'Ã', 'Õ', 'Œ', 'œ',
    '–', '—', '“', '”', '‘', '’', '÷', '◊', 'ÿ', 'Ÿ', '⁄', '€', '‹', '›', 'ﬁ', 'ﬂ',
    '‡', '·', '‚', '„', '‰', 'Â', 'Ê', 'Á', 'Ë', 'È', 'Í', 'Î', 'Ï', 'Ì', 'Ó', 'Ô',
    '\u{F8FF}', 'Ò', 'Ú', 'Û', 'Ù', 'ı', 'ˆ', '˜', '¯', '˘', '˙', '˚', '¸', '˝', '˛', 'ˇ',
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_is_shown_by_its_name() {
        assert_eq!(format!("{WINDOWS_1252:?} {MACINTOSH:?}"), "windows-1252 macintosh");
    }

    #[test]
    fn tables_are_those_of_another_crate() {
        let bytes: Vec<u8> = (0..=255).collect();
        for (page, other) in [(WINDOWS_1252, encoding_rs::WINDOWS_1252), (MACINTOSH, encoding_rs::MACINTOSH)] {
            assert_eq!(page.name().to_ascii_lowercase(), other.name().to_ascii_lowercase());
            let text = page.decode(&bytes);
            assert_eq!(text, other.decode_without_bom_handling(&bytes).0);
            assert_eq!(page.encode(&text).as_deref(), Some(&bytes[..]));
            assert_eq!((page.encode("\u{3042}"), page.encode("")), (None, Some(Vec::new())));
            for it in ('\0'..='\u{2FFFF}').map(String::from) {
                let (bytes, _, lacking) = other.encode(&it);
                assert_eq!(page.encode(&it), (!lacking).then(|| bytes.into_owned()), "{it:?}");
            }
        }
    }
}
