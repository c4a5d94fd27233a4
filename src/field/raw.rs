//! Fields of raw bytes, whose type states why they are preserved.

use super::hex::{hex, unhex};
use super::layout::{Class, Expected, Leaf, Shape, Shaped, Takes};
use super::sink::Source;
use bytemuck::{Pod, Zeroable};

/// Sets a field from hexadecimal text.
fn load_hex(source: &dyn Source, bytes: &mut [u8]) -> Result<(), Expected> {
    let found = source.text().and_then(|text| unhex(&text)).filter(|found| found.len() == bytes.len());
    bytes.copy_from_slice(&found.ok_or_else(|| format!("{} bytes in hexadecimal", bytes.len()))?);
    Ok(())
}

macro_rules! raw {
    ($($(#[$meta:meta])* $name:ident, $class:expr;)*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
        #[repr(transparent)]
        pub struct $name<const N: usize>(pub [u8; N]);

        impl<const N: usize> Shaped for $name<N> {
            const SHAPE: Shape = Shape::Leaf(&Leaf {
                name: "bytes",
                size: N,
                takes: Takes::Hex,
                put: |bytes, sink| sink.hex(bytes),
                load: load_hex,
                number: None,
                tail: None,
                nan: |_| false,
                refers: false,
            });
            const CLASS: Class = $class;
        }

        impl<const N: usize> From<[u8; N]> for $name<N> {
            fn from(bytes: [u8; N]) -> Self {
                Self(bytes)
            }
        }

        impl<const N: usize> core::fmt::Debug for $name<N> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(&hex(&self.0))
            }
        }
    )* };
}

raw! {
    /// Leftover memory.
    Stale, Class::Stale;
    /// Alignment inside a record.
    Padding, Class::Padding;
    /// Bytes whose meaning is not yet known.
    Opaque, Class::Opaque;
}

/// Four characters that name a type, a creator or a chunk; any bytes, shown in Mac OS Roman.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub struct FourCc(pub [u8; 4]);

impl FourCc {
    /// Returns the four characters as text.
    #[must_use]
    pub fn text(self) -> String {
        super::text::decode(crate::MACINTOSH, &self.0)
    }
}

impl Shaped for FourCc {
    const SHAPE: Shape = Shape::Leaf(&Leaf {
        name: "four characters",
        size: 4,
        takes: Takes::Text,
        put: |bytes, sink| sink.encoded(crate::MACINTOSH, bytes),
        load: |source, bytes| {
            let found = source.text().and_then(|text| super::text::encode(crate::MACINTOSH, &text));
            let found = found.filter(|found| found.len() == bytes.len());
            bytes.copy_from_slice(&found.ok_or("four characters of Mac OS Roman")?);
            Ok(())
        },
        number: None,
        tail: None,
        nan: |_| false,
        refers: false,
    });
    const CLASS: Class = Class::Semantic;
}

impl core::fmt::Debug for FourCc {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_characters_convert_to_text() {
        let tag = FourCc(*b"PNT\xA5");
        assert_eq!((tag.text(), format!("{tag:?}")), ("PNT•".to_owned(), r#""PNT•""#.to_owned()));
    }
}
