//! The texture directory: the textures that materials refer to by index.

use bytemuck::{Pod, Zeroable};
use field::GAME_TEXT;
use json::Compact;

use field::{Class, I32, Leaf, Nest, Shape, Shaped, Sink, Source, Takes, U32, decode_text, encode_text, unhex};
use field::{names, record};

use super::games::GameRecord;

names! {
    /// The state of a texture. Source: `zipper-gamez.md`, section 4.
    pub struct TextureState(U32: u32) {
        /// Its image was loaded.
        ASSIGNED = 1;
        /// Its image is to be loaded on first use.
        USED = 2;
        /// Its image is to be loaded again.
        RELOAD = 3;
    }
}

record! {
    /// A texture of Recoil, 36 bytes. Source: `zipper-gamez.md`, section 4.
    pub struct TextureRc: 36 {
        image_ptr: U32 = 0,
        surface_ptr: U32 = 0,
        name: FileName,
        state: TextureState = TextureState::USED,
        /// The next smaller variant, or -1 for none.
        mip_index: I32,
    }
}

record! {
    /// A texture of MechWarrior 3, 40 bytes. Source: `zipper-gamez.md`, section 4.
    pub struct TextureMw: 40 {
        image_ptr: U32 = 0,
        surface_ptr: U32 = 0,
        name: FileName,
        state: TextureState = TextureState::USED,
        category: I32 = 0,
        /// The next smaller variant, or -1 for none.
        mip_index: I32,
    }
}

record! {
    /// A texture from Pirate's Moon onward, 44 bytes. Source: `zipper-gamez.md`, section 4.
    pub struct TexturePm: 44 {
        /// Null for a texture that is used but not assigned.
        image_ptr: U32 as Pointer,
        unk_04: U32 = 0,
        surface_ptr: U32 = 0,
        name: FileName,
        state: TextureState => |it| if it.image_ptr.get() == 0 { TextureState::USED } else { TextureState::ASSIGNED },
        category: I32 = 0,
        /// The next smaller variant, or -1 for none.
        mip_index: I32,
    }
}

/// An entry of the texture directory.
pub trait Texture: GameRecord {
    /// Returns the name of the file that it was made from.
    fn name(&self) -> FileName;
}

macro_rules! texture {
    ($($of:ty),*) => { $(
        impl Texture for $of {
            fn name(&self) -> FileName {
                self.name
            }
        }
    )* };
}
texture!(TextureRc, TextureMw, TexturePm);

/// The size of a texture's name in bytes.
const NAME: usize = 20;

/// The name of a texture: `stem NUL extension NUL…`, because the build tool replaced the last dot of a path by a NUL, or the first of
/// several dots in a row.
///
/// In JSON it is `rock01.tif`; a field that no such name produces is `{"bytes": hex}`. Source: `zipper-gamez.md`,
/// section 4.
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct FileName([u8; NAME]);

/// Returns the stem, the extension, and the offset of the bytes after them.
fn split(field: &[u8]) -> (&[u8], &[u8], usize) {
    let end = |of: &[u8]| of.iter().position(|&byte| byte == 0).unwrap_or(of.len());
    let (stem, rest) = field.split_at_checked(end(field)).unwrap_or((field, &[]));
    let rest = rest.get(1..).unwrap_or_default();
    let extension = rest.get(..end(rest)).unwrap_or(rest);
    let text = if extension.is_empty() { stem.len() } else { stem.len() + 1 + extension.len() };
    (stem, extension, (text + 1).min(field.len()))
}

impl FileName {
    /// Returns the field that holds this name: the last dot in what fits becomes a NUL, or the first of those in a row with it, as in
    /// `bldhwk_cowling..tif`.
    #[must_use]
    pub fn of(name: &[u8]) -> Self {
        let mut field = [0; NAME];
        field.iter_mut().zip(name).for_each(|(byte, &of)| *byte = of);
        let dot = field.iter().rposition(|&byte| byte == b'.').map(|last| {
            let before = field.get(..last).unwrap_or_default();
            before.iter().rposition(|&byte| byte != b'.').map_or(0, |letter| letter + 1)
        });
        let end = dot.or((name.len() >= NAME).then_some(NAME - 1));
        if let Some(byte) = end.and_then(|end| field.get_mut(end)) {
            *byte = 0;
        }
        Self(field)
    }

    /// Returns the name with its dot.
    #[must_use]
    pub fn name(&self) -> Vec<u8> {
        let (stem, extension, _) = split(&self.0);
        let dot: &[u8] = if extension.is_empty() { b"" } else { b"." };
        [stem, dot, extension].concat()
    }

    /// Returns the name as text.
    #[must_use]
    pub fn shown(&self) -> String {
        decode_text(GAME_TEXT, &self.name())
    }

    fn put(bytes: &[u8], sink: &mut dyn Sink) {
        match bytemuck::try_pod_read_unaligned::<Self>(bytes) {
            Ok(field) if Self::of(&field.name()) == field => sink.text(&field.shown()),
            _ => {
                sink.begin(Nest::Object);
                sink.name("bytes");
                sink.hex(bytes);
                sink.end();
            }
        }
    }
}

impl Shaped for FileName {
    const SHAPE: Shape = Shape::Leaf(&Leaf {
        name: "file name",
        size: NAME,
        takes: Takes::Text,
        put: Self::put,
        load: |source, bytes| {
            let field = match source.text() {
                Some(name) => encode_text(GAME_TEXT, &name)
                    .filter(|name| Self::of(name).name() == *name)
                    .map(|name| Self::of(&name)),
                None => source.value().only("bytes").and_then(|raw| {
                    let raw = unhex(&Source::text(raw)?)?;
                    Some(Self(raw.try_into().ok()?))
                }),
            };
            let field = field.ok_or("a texture name of at most 20 bytes, including its dot")?;
            bytes.copy_from_slice(&field.0);
            Ok(())
        },
        number: None,
        tail: Some(|bytes| {
            let (.., at) = split(bytes);
            let zeros = bytes.iter().skip(at).all(|&byte| byte == 0);
            (at, if zeros { Class::Padding } else { Class::Stale })
        }),
        nan: |_| false,
        refers: false,
    });
    const CLASS: Class = Class::Semantic;
}

impl core::fmt::Debug for FileName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", Compact(&Self::SHAPE.show(&self.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(bytes: &[u8]) -> FileName {
        let mut field = [0; NAME];
        field[..bytes.len()].copy_from_slice(bytes);
        FileName(field)
    }

    /// Source: the table of `zipper-gamez.md`, section 4.
    #[test]
    fn file_names_round_trip() {
        for (bytes, name) in [
            (&b"foo\0tif"[..], "foo.tif"),
            (b"sixteen_letters_\0tif", "sixteen_letters_.tif"),
            (b"seventeen_letters\0ti", "seventeen_letters.ti"),
            (b"foo", "foo"),
            (b"a.b\0tif", "a.b.tif"),
            (b"nineteen_characters", "nineteen_characters"),
            (b"bldhwk_cowling\0.tif", "bldhwk_cowling..tif"),
            (b"a.b\0..tif", "a.b...tif"),
            (b"\0.tif", "..tif"),
        ] {
            assert_eq!(field(bytes).name(), name.as_bytes());
            assert_eq!(FileName::of(name.as_bytes()), field(bytes), "{name}");
            assert_eq!(format!("{:?}", field(bytes)), format!("{name:?}"));
        }
    }

    #[test]
    fn field_that_no_name_produces_is_shown_as_bytes() {
        assert_eq!(format!("{:?}", FileName([b'x'; NAME])), format!(r#"{{"bytes":"{}"}}"#, field::hex(&[b'x'; NAME])));
        // A stem that ends with a dot: the name would be cut at the dot before it.
        assert!(format!("{:?}", field(b"foo.\0tif")).starts_with(r#"{"bytes":"66 6f 6f 2e 00"#));
        let stale = field(b"rock\0tif\0old");
        assert!(format!("{stale:?}").starts_with(r#"{"bytes":"72 6f 63 6b 00"#));
        assert_eq!(split(&stale.0).2, 9);
    }
}
