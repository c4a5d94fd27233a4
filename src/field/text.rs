//! Text in a field of fixed size: text, NUL and a tail of leftover memory over a background.
#![allow(clippy::multiple_bound_locations, reason = "bytemuck's derive repeats the bounds")]

use core::marker::PhantomData;
use std::borrow::Cow;

use super::code_page::CodePage;
use super::hex::unhex;
use super::layout::{Class, Leaf, Shape, Shaped, Takes};
use super::sink::{Nest, Sink, Source};
use super::value::Value;
use bytemuck::{Pod, Zeroable};

/// The text format of a family of games.
pub trait Style: Pod + core::fmt::Debug + PartialEq {
    /// The code page; one of those that are reversible for all 256 bytes.
    const PAGE: &'static CodePage;
    /// The contents of a field before text is written over its beginning: these bytes, then zeros; without text, zeros. A tail is
    /// as usual if it still equals them.
    const BACKGROUND: &'static [u8] = b"";
}

/// Windows-1252, for all games on Windows.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Windows;

impl Style for Windows {
    const PAGE: &'static CodePage = crate::GAME_TEXT;
}

/// Mac OS Roman, for the Marathon trilogy.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Mac;

impl Style for Mac {
    const PAGE: &'static CodePage = crate::MACINTOSH;
}

/// A text field of `N` bytes: text, NUL, tail. Text that fills the field has no NUL.
///
/// It is shown as a string if the tail equals the background, else `{"text": …, "tail": hex}`.
#[derive(Clone, Copy, PartialEq, Zeroable, Pod)]
#[repr(transparent)]
pub struct Text<const N: usize, S: Style = Windows> {
    bytes: [u8; N],
    style: PhantomData<S>,
}

/// A Pascal string in a field of `N` bytes in total: length, text, tail.
///
/// If the length extends past the field, the text is all of the rest but zeros at the end, and it is shown as `{"text": …, "length": …}`.
#[derive(Clone, Copy, PartialEq, Zeroable, Pod)]
#[repr(transparent)]
pub struct Pascal<const N: usize, S: Style = Mac> {
    bytes: [u8; N],
    style: PhantomData<S>,
}

/// Decodes bytes as text in a code page.
#[must_use]
pub fn decode(page: &'static CodePage, bytes: &[u8]) -> String {
    page.decode(bytes)
}

/// Encodes text in a code page, or returns `None` if the page lacks a character.
#[must_use]
pub fn encode(page: &'static CodePage, text: &str) -> Option<Vec<u8>> {
    page.encode(text)
}

/// Returns the position of the first NUL. It looks at eight bytes at once, because names are counted in every record.
pub fn first_nul(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    let (words, rest) = bytes.as_chunks::<8>();
    let within = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        // The lowest bit set is that of the first byte that is zero.
        let nuls = word.wrapping_sub(ONES) & !word & HIGH;
        if nuls == 0 { None } else { usize::try_from(nuls.trailing_zeros() / 8).ok() }
    };
    let at = (0..).step_by(8).zip(words).find_map(|(at, word)| Some(within(word)? + at));
    let after = || Some(rest.iter().position(|&byte| byte == 0)? + words.as_flattened().len());
    at.or_else(after)
}

/// Returns the text before the tail, the tail, and the position at which the tail begins.
fn split_text(bytes: &[u8]) -> (&[u8], &[u8], usize) {
    let text = first_nul(bytes).unwrap_or(bytes.len());
    let tail = (text + 1).min(bytes.len());
    (bytes.get(..text).unwrap_or_default(), bytes.get(tail..).unwrap_or_default(), tail)
}

fn split_pascal(bytes: &[u8]) -> Option<(&[u8], &[u8], usize)> {
    let (&length, rest) = bytes.split_first()?;
    let (text, tail) = rest.split_at_checked(length.into())?;
    Some((text, tail, text.len() + 1))
}

/// Returns the length of a string that extends past its field, and the text: all of the rest but zeros at the end.
fn overlong(bytes: &[u8]) -> (u8, &[u8]) {
    let Some((&length, rest)) = bytes.split_first() else { return (0, &[]) };
    let end = rest.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    (length, rest.get(..end).unwrap_or_default())
}

/// Returns the contents of a field from an offset onward before text is written to it, without the zeros at the end.
fn background<S: Style>(at: usize) -> &'static [u8] {
    if at <= 1 { b"" } else { S::BACKGROUND.get(at..).unwrap_or(b"") }
}

fn is_background<S: Style>(tail: &[u8], at: usize) -> bool {
    let usual = background::<S>(at);
    let (own, zeros) = tail.split_at_checked(usual.len()).unwrap_or((tail, b""));
    usual.starts_with(own) && zeros.iter().fold(0, |all, byte| all | byte) == 0
}

fn tail_class<S: Style>(tail: &[u8], at: usize) -> Class {
    // Check for zeros first, all at once: nearly every tail is zeros.
    let is_usual = tail.iter().fold(0, |all, byte| all | byte) == 0 || is_background::<S>(tail, at);
    if is_usual { Class::Padding } else { Class::Stale }
}

/// Puts the text, with its tail if that is not the background.
fn put<S: Style>((own, tail, at): (&[u8], &[u8], usize), sink: &mut dyn Sink) {
    if is_background::<S>(tail, at) {
        return sink.encoded(S::PAGE, own);
    }
    sink.begin(Nest::Object);
    sink.name("text");
    sink.encoded(S::PAGE, own);
    sink.name("tail");
    sink.hex(tail);
    sink.end();
}

/// Encodes a text of at most this many bytes.
fn encoded<S: Style>(text: Option<&str>, most: usize) -> Result<Vec<u8>, String> {
    let page = || format!("characters of {}", S::PAGE.name());
    let text = encode(S::PAGE, text.ok_or("a string")?).ok_or_else(page)?;
    if text.len() <= most { Ok(text) } else { Err(format!("a string of at most {most} bytes")) }
}

/// Returns the text and the tail of a value that is not a plain string, with text of at most this many bytes.
fn with_tail<S: Style>(value: &Value, most: usize) -> Result<(Vec<u8>, Vec<u8>), String> {
    let Value::Object(members) = value else { return Err("a string".to_owned()) };
    if members.iter().any(|(name, _)| name != "text" && name != "tail") {
        return Err("a string and its tail, without other members".to_owned());
    }
    let tail = value.get("tail").and_then(Source::text).and_then(|tail| unhex(&tail));
    let tail = tail.ok_or("a tail in hexadecimal")?;
    Ok((encoded::<S>(value.get("text").and_then(Source::text).as_deref(), most)?, tail))
}

/// Fills the rest of a field from an offset onward: the tail keeps its place at the end, regardless of the length of the text before
/// it.
fn put_tail<S: Style>(tail: &[u8], field: &mut [u8], at: usize) {
    let room = field.get_mut(at..).unwrap_or_default();
    room.fill(0);
    room.iter_mut().zip(background::<S>(at)).for_each(|(to, usual)| *to = *usual);
    room.iter_mut().rev().zip(tail.iter().rev()).for_each(|(to, from)| *to = *from);
}

/// Why a field cannot hold a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// It is longer than the field.
    TooLong {
        /// Its length in the code page.
        bytes: usize,
        /// The maximum.
        most: usize,
    },
    /// It has a character that the code page lacks.
    Lacking {
        /// The name of the code page.
        page: &'static str,
    },
    /// It contains a NUL, which would end it.
    Nul,
}

impl core::fmt::Display for TextError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooLong { bytes, most } => write!(f, "expected text of at most {most} bytes, found {bytes}"),
            Self::Lacking { page } => write!(f, "expected characters of {page}"),
            Self::Nul => f.write_str("expected text without NUL"),
        }
    }
}

impl core::error::Error for TextError {}

/// Encodes text for a field that holds at most this many bytes.
fn fitting<S: Style>(text: &str, most: usize) -> Result<Vec<u8>, TextError> {
    let text = encode(S::PAGE, text).ok_or(TextError::Lacking { page: S::PAGE.name() })?;
    if text.len() <= most { Ok(text) } else { Err(TextError::TooLong { bytes: text.len(), most }) }
}

/// Returns a tail that a new text has to keep: none if it equals the background.
fn kept<S: Style>((_, tail, at): (&[u8], &[u8], usize)) -> Vec<u8> {
    if is_background::<S>(tail, at) { Vec::new() } else { tail.to_vec() }
}

impl<const N: usize, S: Style> Text<N, S> {
    /// Creates a field with these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; N]) -> Self {
        Self { bytes, style: PhantomData }
    }

    /// Returns `true` if the text fills the field, so that there is no NUL.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.bytes().len() == N
    }

    /// Returns the bytes before the first NUL.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        split_text(&self.bytes).0
    }

    /// Replaces the text. A tail of leftover memory keeps its place at the end of the field, as far as the text leaves room.
    ///
    /// ```
    /// # extern crate bitexact_field as bitexact;
    /// use bitexact::field::Text;
    ///
    /// let mut name = Text::<8>::new(*b"hip\0WXYZ");
    /// name.set("ankle")?;
    /// assert_eq!(name, Text::new(*b"ankle\0YZ"));
    /// assert_eq!(name.to_string(), "ankle");
    /// # Ok::<(), bitexact::field::TextError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the text does not fit, has a character that the code page lacks, or contains a NUL.
    pub fn set(&mut self, text: &str) -> Result<(), TextError> {
        let text = fitting::<S>(text, N)?;
        if text.contains(&0) {
            return Err(TextError::Nul);
        }
        let tail = kept::<S>(split_text(&self.bytes));
        self.bytes.fill(0);
        self.bytes.iter_mut().zip(&text).for_each(|(to, from)| *to = *from);
        put_tail::<S>(&tail, &mut self.bytes, text.len() + 1);
        Ok(())
    }
}

impl<const N: usize, S: Style> Pascal<N, S> {
    /// Returns the bytes of the text, or `None` if the length extends past the field.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        split_pascal(&self.bytes).map(|(text, ..)| text)
    }

    /// Returns the expected and the found length if it is greater than `most`, for [`expect`](super::Tape::expect).
    #[must_use]
    pub fn too_long(&self, most: u8) -> Option<(Value, Value)> {
        let length = self.bytes.first().copied().filter(|length| *length > most)?;
        Some((format!("a length of at most {most}").into(), length.into()))
    }

    /// Replaces the text. A tail of leftover memory keeps its place at the end of the field, as far as the text leaves room. If the
    /// length extended past the field, there was no tail.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the text does not fit or has a character that the code page lacks.
    pub fn set(&mut self, text: &str) -> Result<(), TextError> {
        let text = fitting::<S>(text, Self::MOST)?;
        let tail = split_pascal(&self.bytes).map(kept::<S>).unwrap_or_default();
        let Some((length, rest)) = self.bytes.split_first_mut() else { return Ok(()) };
        *length = u8::try_from(text.len()).unwrap_or(u8::MAX);
        rest.iter_mut().zip(&text).for_each(|(to, from)| *to = *from);
        put_tail::<S>(&tail, &mut self.bytes, text.len() + 1);
        Ok(())
    }

    /// The maximum length of the text.
    const MOST: usize = match N.saturating_sub(1) {
        room @ ..256 => room,
        _ => 255,
    };
}

/// Implements what both types of fields share; the expression returns the bytes of the text.
macro_rules! text_traits {
    ($name:ident, |$field:ident| $own:expr) => {
        /// Displays the text, decoded, without the tail.
        impl<const N: usize, S: Style> core::fmt::Display for $name<N, S> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let $field = self;
                f.pad(&decode(S::PAGE, $own))
            }
        }

        /// Creates a field with a text over the background.
        impl<const N: usize, S: Style> TryFrom<&str> for $name<N, S> {
            type Error = TextError;

            fn try_from(text: &str) -> Result<Self, TextError> {
                let mut field: Self = Zeroable::zeroed();
                field.set(text)?;
                Ok(field)
            }
        }

        /// Compares the text, decoded, without the tail.
        impl<const N: usize, S: Style> PartialEq<str> for $name<N, S> {
            fn eq(&self, text: &str) -> bool {
                let $field = self;
                decode(S::PAGE, $own) == text
            }
        }

        /// Compares the text, decoded, without the tail.
        impl<const N: usize, S: Style> PartialEq<&str> for $name<N, S> {
            fn eq(&self, text: &&str) -> bool {
                *self == **text
            }
        }
    };
}
text_traits!(Text, |field| field.bytes());
// All that a field has is shown if its length extends past it.
text_traits!(Pascal, |field| field.bytes().or_else(|| field.bytes.get(1..)).unwrap_or_default());

impl<const N: usize, S: Style> Shaped for Text<N, S> {
    const SHAPE: Shape = Shape::Leaf(&Leaf {
        name: "text",
        size: N,
        takes: Takes::Text,
        put: |bytes, sink| put::<S>(split_text(bytes), sink),
        load: |source, bytes| {
            let given = source.text();
            // Most text is plain, and has no tail.
            let plain =
                given.as_deref().filter(|text| text.is_ascii() && text.len() <= N && S::PAGE.begins_with_ascii());
            let (text, tail) = match (plain, given.as_deref()) {
                (Some(plain), _) => (Cow::Borrowed(plain.as_bytes()), Vec::new()),
                (None, Some(text)) => (encoded::<S>(Some(text), N)?.into(), Vec::new()),
                (None, None) => with_tail::<S>(&source.value(), N).map(|(text, tail)| (text.into(), tail))?,
            };
            if text.contains(&0) {
                return Err("a string without NUL".into());
            }
            bytes.fill(0);
            bytes.iter_mut().zip(&*text).for_each(|(to, from)| *to = *from);
            put_tail::<S>(&tail, bytes, text.len() + 1);
            Ok(())
        },
        number: None,
        tail: Some(|bytes| {
            let (_, tail, at) = split_text(bytes);
            (at, tail_class::<S>(tail, at))
        }),
        nan: |_| false,
        refers: false,
    });
    const CLASS: Class = Class::Semantic;
}

impl<const N: usize, S: Style> Shaped for Pascal<N, S> {
    const SHAPE: Shape = Shape::Leaf(&Leaf {
        name: "pascal string",
        size: N,
        takes: Takes::Text,
        put: |bytes, sink| match split_pascal(bytes) {
            Some(split) => put::<S>(split, sink),
            None => {
                let (length, own) = overlong(bytes);
                sink.begin(Nest::Object);
                sink.name("text");
                sink.encoded(S::PAGE, own);
                sink.name("length");
                sink.whole(length.into());
                sink.end();
            }
        },
        load: |source, bytes| {
            let (text, tail) = if let Some(text) = source.text() {
                (encoded::<S>(Some(&text), Self::MOST)?, Vec::new())
            } else {
                let json = source.value();
                if let Value::Object(members) = &*json
                    && let Some(length) = json.get("length")
                {
                    let is_past = |length: &u8| usize::from(*length) > Self::MOST;
                    let length = length.whole().and_then(|it| u8::try_from(it).ok()).filter(is_past);
                    let length = length.filter(|_| members.len() == 2);
                    let length = length.ok_or_else(|| format!("a string, or one with a length from {} to 255", N))?;
                    let text = encoded::<S>(json.get("text").and_then(Source::text).as_deref(), Self::MOST)?;
                    let all = core::iter::once(length).chain(text).chain(core::iter::repeat(0));
                    bytes.iter_mut().zip(all).for_each(|(to, from)| *to = from);
                    return Ok(());
                }
                with_tail::<S>(&json, Self::MOST)?
            };
            let Some((length, rest)) = bytes.split_first_mut() else { return Ok(()) };
            *length = u8::try_from(text.len()).unwrap_or(u8::MAX);
            rest.iter_mut().zip(&text).for_each(|(to, from)| *to = *from);
            put_tail::<S>(&tail, bytes, text.len() + 1);
            Ok(())
        },
        number: None,
        tail: Some(|bytes| match split_pascal(bytes) {
            Some((_, tail, at)) => (at, tail_class::<S>(tail, at)),
            None => (bytes.len(), Class::Padding),
        }),
        nan: |_| false,
        refers: false,
    });
    const CLASS: Class = Class::Semantic;
}

/// Displays the text, and with it a tail that is not the background, or a wrong length.
fn fmt_shown(shown: &Value, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
    match shown {
        Value::Text(text) => write!(f, "{text:?}"),
        Value::Object(members) => {
            f.write_str("{")?;
            for (index, (name, value)) in members.iter().enumerate() {
                write!(f, "{}{name:?}:", if index > 0 { "," } else { "" })?;
                fmt_shown(value, f)?;
            }
            f.write_str("}")
        }
        other => write!(f, "{}", other.integer().unwrap_or_default()),
    }
}

impl<const N: usize, S: Style> core::fmt::Debug for Text<N, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        fmt_shown(&Self::SHAPE.show(&self.bytes), f)
    }
}

impl<const N: usize, S: Style> core::fmt::Debug for Pascal<N, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        fmt_shown(&Self::SHAPE.show(&self.bytes), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_code_pages_are_reversible_for_every_byte() {
        let all: Vec<u8> = (0..=255).collect();
        for page in [Windows::PAGE, Mac::PAGE] {
            let text = decode(page, &all);
            assert_eq!(text.chars().count(), 256);
            assert_eq!(page.encode(&text), Some(all.clone()), "{}", page.name());
        }
    }

    #[test]
    fn tail_is_shown_only_if_it_differs_from_the_background() {
        let plain = Text::<6>::new(*b"hip\0\0\0");
        let stale = Text::<6>::new(*b"hip\0XY");
        let full = Text::<3>::new(*b"hip");
        assert_eq!(format!("{plain:?}"), r#""hip""#);
        assert_eq!(format!("{stale:?}"), r#"{"text":"hip","tail":"58 59"}"#);
        assert_eq!(format!("{full:?}"), r#""hip""#);
        assert_eq!(split_text(b"hip\0XY").2, 4);
        assert_eq!(split_text(b"hip").2, 3);
        for length in 0..40 {
            let mut bytes = vec![0x80; length];
            assert_eq!(first_nul(&bytes), None);
            for at in (0..length).rev() {
                bytes[at] = 0;
                assert_eq!(first_nul(&bytes), Some(at));
                bytes[at] = 1;
                assert_eq!(first_nul(&bytes), (at + 1 < length).then_some(at + 1));
                bytes[at] = 0;
            }
        }
    }

    #[test]
    fn every_field_round_trips_to_the_byte() {
        fn back<T: Shaped + PartialEq + core::fmt::Debug>(field: T) {
            let Shape::Leaf(leaf) = T::SHAPE else { panic!("a leaf") };
            let mut again: T = bytemuck::Zeroable::zeroed();
            let json = leaf.show(crate::bytes_of(&field));
            leaf.set(&json, crate::bytes_of_mut(&mut again)).expect("loads");
            assert_eq!(again, field, "{json:?}");
        }
        for bytes in [*b"hip\0\0\0", *b"hip\0XY", *b"hipXYZ", *b"\0\0\0XYZ", *b"\x80\x81\x9d\xff\0\0", *b"hipXY\0"] {
            back(Text::<6>::new(bytes));
            back(Text::<6, Mac>::new(bytes));
        }
        for bytes in [*b"\x03hip\0\0", *b"\x03hipXY", *b"\x09hipXY", *b"\0hipXY", *b"\x05hipXY", *b"\x02a\0\0\0\0"] {
            back(Pascal::<6> { bytes, style: PhantomData });
        }
    }

    #[test]
    fn tail_keeps_its_place_when_the_text_changes() {
        let Shape::Leaf(leaf) = Text::<8>::SHAPE else { panic!("a leaf") };
        let mut field = *b"hip\0WXYZ";
        let tail = |text: &str| Value::from([("text", text.into()), ("tail", "57 58 59 5a".into())]);
        leaf.set(&tail("ankle"), &mut field).expect("loads");
        assert_eq!(field, *b"ankle\0YZ");
        leaf.set(&tail("a"), &mut field).expect("loads");
        assert_eq!(field, *b"a\0\0\0WXYZ");
        assert_eq!(leaf.set(&"too long a text".into(), &mut field), Err("a string of at most 8 bytes".to_owned()));
        assert_eq!(leaf.set(&"\u{3bb}".into(), &mut field), Err("characters of windows-1252".to_owned()));
        assert!(leaf.set(&"a\0b".into(), &mut field).is_err());
        assert_eq!(field, *b"a\0\0\0WXYZ");
    }

    #[test]
    fn set_keeps_the_tail_or_restores_the_background() {
        let mut field = Text::<8>::new(*b"hip\0WXYZ");
        field.set("a").expect("it fits");
        assert_eq!(field, Text::new(*b"a\0\0\0WXYZ"));
        field.set("eight by").expect("it fits");
        assert_eq!(field.bytes, *b"eight by");
        field.set("").expect("it fits");
        assert_eq!(field.bytes, [0; 8]);

        let mut named = Text::<8, Named>::try_from("hi").expect("it fits");
        assert_eq!(named.bytes, *b"hi\0ault\0");
        named.set("hip").expect("it fits");
        assert_eq!(named.bytes, *b"hip\0ult\0");

        let mut string = Pascal::<8> { bytes: *b"\x03hipWXYZ", style: PhantomData };
        string.set("ankle").expect("it fits");
        assert_eq!(string.bytes, *b"\x05ankleYZ");
        string = Pascal { bytes: *b"\x09hipWXYZ", style: PhantomData };
        string.set("hip").expect("it fits");
        assert_eq!(string.bytes, *b"\x03hip\0\0\0\0");
    }

    #[test]
    fn set_refuses_text_that_does_not_fit_and_changes_nothing() {
        let mut field = Text::<3>::new(*b"hip");
        assert_eq!(field.set("ankle"), Err(TextError::TooLong { bytes: 5, most: 3 }));
        assert_eq!(field.set("\u{3bb}"), Err(TextError::Lacking { page: "windows-1252" }));
        assert_eq!(field.set("a\0"), Err(TextError::Nul));
        assert_eq!(field.bytes, *b"hip");
        assert_eq!(Pascal::<4>::try_from("ankle").map(|_| ()), Err(TextError::TooLong { bytes: 5, most: 3 }));
        assert!(Pascal::<300>::try_from(&*"a".repeat(256)).is_err());
        assert!(Pascal::<300>::try_from(&*"a".repeat(255)).is_ok());
    }

    #[test]
    fn text_is_displayed_in_its_code_page() {
        let name = Text::<6>::new(*b"\xFCber\0X");
        assert_eq!((format!("{name}"), format!("{name:>6}")), ("über".to_owned(), "  über".to_owned()));
        assert!(name == "über" && name != "uber");
        let string: Pascal<6> = "über".try_into().expect("it fits");
        assert_eq!((string.bytes, string.to_string()), (*b"\x04\x9Fber\0", "über".to_owned()));
        assert_eq!(Pascal::<4> { bytes: *b"\x09abc", style: PhantomData }.to_string(), "abc");
    }

    #[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
    #[repr(C)]
    struct Named;

    impl Style for Named {
        const PAGE: &'static CodePage = crate::GAME_TEXT;
        const BACKGROUND: &'static [u8] = b"Default";
    }

    #[test]
    fn tail_is_stale_if_it_is_neither_background_nor_zeros() {
        let Shape::Leaf(Leaf { tail: Some(tail), .. }) = Text::<8, Named>::SHAPE else { panic!("a leaf with a tail") };
        assert_eq!(tail(b"hi\0ault\0"), (3, Class::Padding));
        assert_eq!(tail(b"hi\0\0\0\0\0\0"), (3, Class::Padding));
        assert_eq!(tail(b"hi\0aulX\0"), (3, Class::Stale));
    }

    #[test]
    fn members_other_than_text_and_tail_are_refused() {
        let load = |members: &[(&'static str, Value)]| {
            let json = Value::Object(members.iter().map(|(name, value)| ((*name).into(), value.clone())).collect());
            let (Shape::Leaf(leaf), mut field) = (Text::<6>::SHAPE, [0; 6]) else { panic!("is one value") };
            leaf.set(&json, &mut field).map(|()| field)
        };
        assert_eq!(load(&[("text", "hip".into()), ("tail", "58 59".into())]), Ok(*b"hip\0XY"));
        let more = load(&[("text", "hip".into()), ("tail", "".into()), ("more", 1.into())]);
        assert_eq!(more, Err("a string and its tail, without other members".to_owned()));
    }

    #[test]
    fn text_without_nul_is_full() {
        assert!(Text::<3>::new(*b"hip").is_full() && !Text::<3>::new(*b"hi\0").is_full());
    }

    #[test]
    fn pascal_string_is_shown_with_its_length_if_that_is_wrong() {
        let [string, overlong] = [*b"\x02ab\0", *b"\x09ab\0"].map(|bytes| Pascal::<4> { bytes, style: PhantomData });
        assert_eq!([string.bytes(), overlong.bytes()], [Some(&b"ab"[..]), None]);
        assert_eq!(format!("{string:?} {overlong:?}"), r#""ab" {"text":"ab","length":9}"#);
        assert_eq!(split_pascal(b"\x02ab\0"), Some((&b"ab"[..], &b"\0"[..], 3)));
        assert_eq!(split_pascal(b"\x09ab\0"), None);
    }

    #[test]
    fn error_of_a_text_says_what_was_expected() {
        let shown =
            [TextError::TooLong { bytes: 9, most: 8 }, TextError::Lacking { page: "macintosh" }, TextError::Nul];
        assert_eq!(
            shown.map(|it| it.to_string()),
            [
                "expected text of at most 8 bytes, found 9",
                "expected characters of macintosh",
                "expected text without NUL",
            ]
        );
    }
}
