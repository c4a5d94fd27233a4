//! Code pages: how text is written as bytes.

use core::fmt::{self, Debug};
use std::cell::Cell;

thread_local! {
    /// The code page that the texts of games have instead of Windows-1252.
    static CHOSEN: Cell<Option<&'static CodePage>> = const { Cell::new(None) };
}

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
    /// The code page that is [chosen](CodePage::during), or else Windows-1252.
    OfGame,
    /// UTF-8. Bytes that are none are [kept](KEPT).
    Utf8,
    /// A page of another crate. Bytes that are no character of it, or that it would write differently, are [kept](KEPT).
    #[cfg(feature = "code-pages")]
    Exact(&'static encoding_rs::Encoding),
    /// A syntax of its own, which shows ASCII differently: the functions that decode and encode it, and what they expect.
    Own(fn(&[u8]) -> String, fn(&str) -> Option<Vec<u8>>, &'static str),
    /// Characters of more than one byte, or of languages that few files use.
    #[cfg(feature = "code-pages")]
    Other(&'static encoding_rs::Encoding),
}

/// Windows-1252.
pub const WINDOWS_1252: &CodePage = &CodePage { name: "windows-1252", coding: Coding::Table(&LATER_WINDOWS_1252) };

/// The code page of texts in games on Windows: Windows-1252, unless another is [chosen](CodePage::during).
pub const GAME_TEXT: &CodePage = &CodePage { name: WINDOWS_1252.name, coding: Coding::OfGame };

/// UTF-8.
static UTF_8: CodePage = CodePage { name: "utf-8", coding: Coding::Utf8 };

/// The code pages that can be chosen, by their names on the web, besides UTF-8 and Windows-1252.
#[cfg(feature = "code-pages")]
static OTHERS: [CodePage; 15] = [
    CodePage::exact("windows-1250", encoding_rs::WINDOWS_1250),
    CodePage::exact("windows-1251", encoding_rs::WINDOWS_1251),
    CodePage::exact("windows-1253", encoding_rs::WINDOWS_1253),
    CodePage::exact("windows-1254", encoding_rs::WINDOWS_1254),
    CodePage::exact("windows-1255", encoding_rs::WINDOWS_1255),
    CodePage::exact("windows-1256", encoding_rs::WINDOWS_1256),
    CodePage::exact("windows-1257", encoding_rs::WINDOWS_1257),
    CodePage::exact("windows-1258", encoding_rs::WINDOWS_1258),
    CodePage::exact("windows-874", encoding_rs::WINDOWS_874),
    CodePage::exact("koi8-r", encoding_rs::KOI8_R),
    CodePage::exact("ibm866", encoding_rs::IBM866),
    CodePage::exact("shift_jis", encoding_rs::SHIFT_JIS),
    CodePage::exact("gbk", encoding_rs::GBK),
    CodePage::exact("big5", encoding_rs::BIG5),
    CodePage::exact("euc-kr", encoding_rs::EUC_KR),
];

/// The numbers by which Windows knows pages whose names do not have them.
const NUMBERS: [(&str, &str); 7] = [
    ("65001", "utf-8"),
    ("20866", "koi8-r"),
    ("866", "ibm866"),
    ("932", "shift_jis"),
    ("936", "gbk"),
    ("949", "euc-kr"),
    ("950", "big5"),
];

/// Where bytes go that are no text in the chosen page: 0x80 to 0xFF are U+F780 to U+F7FF, as in the encoding `x-user-defined` of the web. So
/// every text encodes to the bytes that it was decoded from.
const KEPT: core::ops::RangeInclusive<char> = '\u{F780}'..='\u{F7FF}';

/// Returns the character that keeps a byte from 0x80 on.
fn kept(byte: u8) -> char {
    char::from_u32(0xF700 + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Returns the byte that a character keeps.
fn byte_of(character: char) -> Option<u8> {
    if KEPT.contains(&character) { u8::try_from(u32::from(character) - 0xF700).ok() } else { None }
}

/// Decodes UTF-8, keeping all other bytes.
fn decode_utf8(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match byte_of(character) {
                // This character stands for a byte, so its own bytes are kept.
                Some(_) => text.extend(character.encode_utf8(&mut [0; 4]).bytes().map(kept)),
                None => text.push(character),
            }
        }
        text.extend(chunk.invalid().iter().copied().map(kept));
    }
    text
}

/// Decodes bytes of a page, keeping those that are none of its characters.
#[cfg(feature = "code-pages")]
fn decode_exactly(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> String {
    /// The length of the longest character in any page.
    const LONGEST: usize = 4;
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, others @ ..] = rest {
        let character = |length: usize| {
            let piece = rest.get(..length)?;
            let decoded = encoding.decode_without_bom_handling_and_without_replacement(piece)?;
            let is_same = !decoded.chars().any(|it| KEPT.contains(&it)) && {
                let (again, _, is_lacking) = encoding.encode(&decoded);
                !is_lacking && *again == *piece
            };
            is_same.then(|| (length, decoded.into_owned()))
        };
        match if first.is_ascii() { None } else { (1..=LONGEST).find_map(character) } {
            Some((length, decoded)) => {
                text.push_str(&decoded);
                rest = rest.get(length..).unwrap_or_default();
            }
            None => {
                text.push(if first.is_ascii() { char::from(*first) } else { kept(*first) });
                rest = others;
            }
        }
    }
    text
}

/// Mac OS Roman.
pub const MACINTOSH: &CodePage = &CodePage { name: "macintosh", coding: Coding::Table(&LATER_MACINTOSH) };

impl CodePage {
    /// Creates a page from an encoding of another crate.
    #[cfg(feature = "code-pages")]
    pub const fn of(name: &'static str, encoding: &'static encoding_rs::Encoding) -> Self {
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

    /// Creates a page that can be chosen.
    #[cfg(feature = "code-pages")]
    const fn exact(name: &'static str, encoding: &'static encoding_rs::Encoding) -> Self {
        Self { name, coding: Coding::Exact(encoding) }
    }

    /// Returns the names of the pages that can be chosen.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::all().map(|page| page.name)
    }

    fn all() -> impl Iterator<Item = &'static Self> {
        #[cfg(feature = "code-pages")]
        let others = OTHERS.iter();
        #[cfg(not(feature = "code-pages"))]
        let others = [].into_iter();
        [WINDOWS_1252, &UTF_8].into_iter().chain(others)
    }

    /// Returns the page with this name or number, which can be chosen: `windows-1251`, `cp1251` and `1251` are the same.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = name.to_ascii_lowercase().replace('_', "-");
        let number = name.strip_prefix("cp").or_else(|| name.strip_prefix("windows-")).unwrap_or(&name);
        let name = match (NUMBERS.iter().find(|(of, _)| *of == number), name.as_str()) {
            (Some((_, name)), _) => (*name).to_owned(),
            (None, "utf8") => "utf-8".to_owned(),
            (None, "shift-jis" | "sjis") => "shift_jis".to_owned(),
            (None, _) if number.parse::<u16>().is_ok() => format!("windows-{number}"),
            (None, name) => name.to_owned(),
        };
        Self::all().find(|page| page.name == name)
    }

    /// Makes a call in which the texts of games on Windows have this code page, in this thread and in all that the library starts. Without
    /// such a call, they are in Windows-1252. Talk tables and messages that state their languages have the pages of these.
    pub fn during<T>(&'static self, call: impl FnOnce() -> T) -> T {
        Self::during_or(Some(self), call)
    }

    /// Makes a call with a chosen page, or with none, whatever is chosen now.
    pub fn during_or<T>(page: Option<&'static Self>, call: impl FnOnce() -> T) -> T {
        /// Restores the page, even after a panic.
        struct Restore(Option<&'static CodePage>);
        impl Drop for Restore {
            fn drop(&mut self) {
                CHOSEN.set(self.0);
            }
        }
        let _restore = Restore(CHOSEN.replace(page));
        call()
    }

    /// Returns the page that is chosen in this thread, if one is.
    #[must_use]
    pub fn chosen() -> Option<&'static Self> {
        CHOSEN.get()
    }

    /// Returns the page that this one stands for here.
    fn here(&self) -> &Self {
        match self.coding {
            Coding::OfGame => Self::chosen().unwrap_or(WINDOWS_1252),
            _ => self,
        }
    }

    /// Returns the name of the page, as used on the web.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.here().name
    }

    /// Decodes bytes as text.
    #[must_use]
    pub fn decode(&self, bytes: &[u8]) -> String {
        match self.here().coding {
            Coding::OfGame => WINDOWS_1252.decode(bytes),
            Coding::Utf8 => decode_utf8(bytes),
            #[cfg(feature = "code-pages")]
            Coding::Exact(encoding) => decode_exactly(encoding, bytes),
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
    pub fn begins_with_ascii(&self) -> bool {
        !matches!(self.coding, Coding::Own(..))
    }

    /// Describes the text that it encodes.
    pub fn encodes(&self) -> String {
        match self.coding {
            Coding::Own(.., expected) => expected.to_owned(),
            _ => format!("characters of {}", self.name()),
        }
    }

    /// Encodes text, or returns `None` if the page lacks a character.
    #[must_use]
    pub fn encode(&self, text: &str) -> Option<Vec<u8>> {
        match self.here().coding {
            Coding::OfGame => WINDOWS_1252.encode(text),
            Coding::Utf8 if !text.contains(|it| KEPT.contains(&it)) => Some(text.as_bytes().to_vec()),
            Coding::Utf8 => {
                let bytes = |it: char| match byte_of(it) {
                    Some(byte) => vec![byte],
                    None => it.encode_utf8(&mut [0; 4]).as_bytes().to_vec(),
                };
                Some(text.chars().flat_map(bytes).collect())
            }
            #[cfg(feature = "code-pages")]
            Coding::Exact(encoding) => {
                let mut bytes = Vec::with_capacity(text.len());
                for piece in text.split_inclusive(|it| KEPT.contains(&it)) {
                    let end = piece.chars().next_back().and_then(|last| Some((byte_of(last)?, last.len_utf8())));
                    let own = piece.len() - end.map_or(0, |(_, length)| length);
                    let (encoded, _, is_lacking) = encoding.encode(piece.get(..own)?);
                    if is_lacking {
                        return None;
                    }
                    bytes.extend_from_slice(&encoded);
                    bytes.extend(end.map(|(byte, _)| byte));
                }
                Some(bytes)
            }
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
        f.write_str(self.name())
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
    fn every_text_in_a_chosen_page_encodes_to_its_bytes() {
        use rand_chacha::ChaCha8Rng;
        use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut samples: Vec<Vec<u8>> = vec![(0..=255).collect(), "Prêtre \u{F7EA} Привет".as_bytes().to_vec()];
        for length in 1..200 {
            let mut bytes = vec![0; length];
            random.fill_bytes(&mut bytes);
            samples.push(bytes);
        }
        for page in CodePage::all() {
            for bytes in &samples {
                let text = page.decode(bytes);
                assert_eq!(page.encode(&text).as_deref(), Some(&bytes[..]), "{page:?} {text:?}");
            }
        }
    }

    #[test]
    fn pages_are_chosen_by_name_or_number_for_a_call() {
        let name = |name: &str| CodePage::named(name).map(CodePage::name);
        assert_eq!((name("1252"), name("UTF8"), name("65001")), (Some("windows-1252"), Some("utf-8"), Some("utf-8")));
        assert_eq!((name("klingon"), name("macintosh"), name("99")), (None, None, None));
        assert_eq!((GAME_TEXT.name(), GAME_TEXT.decode(b"\xC3\xA9")), ("windows-1252", "Ã©".to_owned()));
        let page = CodePage::named("utf-8").expect("UTF-8");
        let inside =
            page.during(|| (GAME_TEXT.name(), GAME_TEXT.decode(b"\xC3\xA9\xE9"), GAME_TEXT.encode("é\u{F7E9}")));
        let of_threads = page.during(|| crate::work::share(&[(); 64], 3, |()| GAME_TEXT.name()));
        assert_eq!(of_threads, vec!["utf-8"; 64]);
        assert_eq!(inside, ("utf-8", "é\u{F7E9}".to_owned(), Some(b"\xC3\xA9\xE9".to_vec())));
        assert_eq!(GAME_TEXT.name(), "windows-1252");
    }

    #[cfg(feature = "code-pages")]
    #[test]
    fn other_pages_have_their_characters() {
        let name = |name: &str| CodePage::named(name).map(CodePage::name);
        assert_eq!(
            (name("cp1251"), name("Windows-1254"), name("949")),
            (Some("windows-1251"), Some("windows-1254"), Some("euc-kr"),)
        );
        let page = CodePage::named("1251").expect("it is known");
        assert_eq!(page.encode("Привет").as_deref(), Some(&b"\xCF\xF0\xE8\xE2\xE5\xF2"[..]));
        assert_eq!((page.decode(b"\xCF\xF0\xE8"), page.encode("é")), ("При".to_owned(), None));
        let page = CodePage::named("shift_jis").expect("it is known");
        assert_eq!(
            (page.decode(b"a\x82\xA0\x82"), page.encode("aあ\u{F782}")),
            ("aあ\u{F782}".to_owned(), Some(b"a\x82\xA0\x82".to_vec()),)
        );
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
