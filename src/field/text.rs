//! Text of fixed room: text, NUL and a tail of leftover memory over a background.
#![allow(clippy::multiple_bound_locations, reason = "bytemuck's derive repeats the bounds")]

use core::marker::PhantomData;

use bytemuck::{Pod, Zeroable};
use encoding_rs::Encoding;
use serde_json::{Value, json};

use super::layout::{Class, Leaf, Shape, Shaped};
use super::raw::hex;

/// How a family writes its texts.
pub trait Style: Pod + core::fmt::Debug + PartialEq {
    /// The code page; one of those that are reversible for all 256 bytes.
    const PAGE: &'static Encoding;
    /// What stands behind the NUL when nothing else was left there.
    const BACKGROUND: u8 = 0;
}

/// Windows-1252: everything that ran on Windows.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Windows;

impl Style for Windows {
    const PAGE: &'static Encoding = encoding_rs::WINDOWS_1252;
}

/// Mac OS Roman: the Marathon trilogy.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Mac;

impl Style for Mac {
    const PAGE: &'static Encoding = encoding_rs::MACINTOSH;
}

/// A text field of `N` bytes: text, NUL, tail. A text that fills the field has no NUL.
///
/// In JSON it is a string while the tail is background, else `{"text": …, "tail": hex}`.
#[derive(Clone, Copy, PartialEq, Zeroable, Pod)]
#[repr(transparent)]
pub struct Text<const N: usize, S: Style = Windows> {
    bytes: [u8; N],
    style: PhantomData<S>,
}

/// A Pascal string in a field of `N` bytes in all: length, text, tail.
///
/// A length that reaches past the field is shown as bytes.
#[derive(Clone, Copy, PartialEq, Zeroable, Pod)]
#[repr(transparent)]
pub struct Pascal<const N: usize, S: Style = Mac> {
    bytes: [u8; N],
    style: PhantomData<S>,
}

/// Bytes as text in a code page.
#[must_use]
pub fn decode(page: &'static Encoding, bytes: &[u8]) -> String {
    page.decode_without_bom_handling(bytes).0.into_owned()
}

/// The text before the tail, the tail, and where the tail begins.
fn split_text(bytes: &[u8]) -> (&[u8], &[u8], usize) {
    let text = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let tail = text.saturating_add(1).min(bytes.len());
    (bytes.get(..text).unwrap_or_default(), bytes.get(tail..).unwrap_or_default(), tail)
}

fn split_pascal(bytes: &[u8]) -> Option<(&[u8], &[u8], usize)> {
    let (&length, rest) = bytes.split_first()?;
    let (text, tail) = rest.split_at_checked(length.into())?;
    Some((text, tail, text.len().saturating_add(1)))
}

fn is_background<S: Style>(tail: &[u8]) -> bool {
    tail.iter().all(|&byte| byte == S::BACKGROUND)
}

fn tail_class<S: Style>(tail: &[u8]) -> Class {
    if is_background::<S>(tail) { Class::Padding } else { Class::Stale }
}

fn show<S: Style>(text: &[u8], tail: &[u8]) -> Value {
    let text = decode(S::PAGE, text);
    if is_background::<S>(tail) { Value::from(text) } else { json!({"text": text, "tail": hex(tail)}) }
}

impl<const N: usize, S: Style> Text<N, S> {
    /// The field with this content, whatever it is.
    #[must_use]
    pub const fn new(bytes: [u8; N]) -> Self {
        Self { bytes, style: PhantomData }
    }

    /// Whether the text fills the field, so that there is no NUL.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.bytes().len() == N
    }

    /// The bytes before the first NUL.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        split_text(&self.bytes).0
    }
}

impl<const N: usize, S: Style> Pascal<N, S> {
    /// The bytes of the text, or nothing where the length reaches past the field.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        split_pascal(&self.bytes).map(|(text, ..)| text)
    }
}

impl<const N: usize, S: Style> Shaped for Text<N, S> {
    const SHAPE: Shape = Shape::Leaf(&Leaf {
        name: "text",
        size: N,
        show: |bytes| {
            let (text, tail, _) = split_text(bytes);
            show::<S>(text, tail)
        },
        tail: Some(|bytes| {
            let (_, tail, at) = split_text(bytes);
            (at, tail_class::<S>(tail))
        }),
        nan: |_| false,
    });
    const CLASS: Class = Class::Semantic;
}

impl<const N: usize, S: Style> Shaped for Pascal<N, S> {
    const SHAPE: Shape = Shape::Leaf(&Leaf {
        name: "pascal string",
        size: N,
        show: |bytes| match split_pascal(bytes) {
            Some((text, tail, _)) => show::<S>(text, tail),
            None => json!({"bytes": hex(bytes)}),
        },
        tail: Some(|bytes| match split_pascal(bytes) {
            Some((_, tail, at)) => (at, tail_class::<S>(tail)),
            None => (bytes.len(), Class::Padding),
        }),
        nan: |_| false,
    });
    const CLASS: Class = Class::Semantic;
}

impl<const N: usize, S: Style> core::fmt::Debug for Text<N, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", Self::SHAPE.show(&self.bytes))
    }
}

impl<const N: usize, S: Style> core::fmt::Debug for Pascal<N, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", Self::SHAPE.show(&self.bytes))
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
            assert_eq!(page.encode(&text).0, all, "{}", page.name());
        }
    }

    #[test]
    fn a_tail_shows_only_where_it_differs_from_the_background() {
        let plain = Text::<6>::new(*b"hip\0\0\0");
        let stale = Text::<6>::new(*b"hip\0XY");
        let full = Text::<3>::new(*b"hip");
        assert_eq!(format!("{plain:?}"), r#""hip""#);
        assert_eq!(format!("{stale:?}"), r#"{"text":"hip","tail":"58 59"}"#);
        assert_eq!(format!("{full:?}"), r#""hip""#);
        assert_eq!(split_text(b"hip\0XY").2, 4);
        assert_eq!(split_text(b"hip").2, 3);
    }

    #[test]
    fn pascal_strings() {
        assert_eq!(split_pascal(b"\x02ab\0"), Some((&b"ab"[..], &b"\0"[..], 3)));
        assert_eq!(split_pascal(b"\x09ab\0"), None);
    }
}
