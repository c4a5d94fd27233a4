//! Contents of resources.

use bytes::Bytes;

use crate::field::{self, Block, Label, Result, Run, lay};
use crate::kind::Format as _;

use super::super::film::Film;
use super::super::picture::Picture;
use super::super::shapes::{Collection, Encoding};
use super::super::sounds::SoundResource;
use super::{Colors, PascalString, PlainText, StringList};

/// The contents of a resource.
#[derive(Clone, Debug)]
pub enum Content {
    /// `PICT`: a picture.
    Picture(Box<Picture>),
    /// `snd `: a sound.
    Sound(Box<SoundResource>),
    /// `.256`: a collection of shapes.
    Shapes(Box<Collection>),
    /// `film`: a game recording.
    Film(Box<Film>),
    /// `clut`: colors.
    Colors(Colors),
    /// `STR `: a string.
    PascalString(PascalString),
    /// `STR#`: strings.
    StringList(StringList),
    /// `TEXT`: text without its length.
    Text(PlainText),
    /// Bytes kept as raw bytes.
    Opaque(Block),
}

impl Default for Content {
    fn default() -> Self {
        Self::Opaque(Block::default())
    }
}

lay! {
    impl Lay for Content {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            match self {
                Self::Picture(picture) => picture.lay(t),
                Self::Sound(sound) => sound.lay(t),
                Self::Shapes(collection) => collection.lay(t),
                Self::Film(film) => film.lay(t),
                Self::Colors(colors) => colors.lay(t),
                Self::PascalString(string) => string.lay(t),
                Self::StringList(list) => list.lay(t),
                Self::Text(text) => text.lay(t),
                Self::Opaque(bytes) => t.rest("bytes", Run::Opaque, bytes),
            }
        }
    }
}

impl field::Payload for Content {
    fn kind(&self) -> &'static str {
        match self {
            Self::Picture(_) => "picture",
            Self::Sound(_) => "sound",
            Self::Shapes(_) => "collection",
            Self::Film(_) => Film::NAME,
            Self::Colors(_) => "color-table",
            Self::PascalString(_) => "string",
            Self::StringList(_) => "string-list",
            Self::Text(_) => "text",
            Self::Opaque(_) => "opaque",
        }
    }

    /// Recognizes the contents by the resource type at the start of the label.
    fn recognise(label: &Label, _: &Bytes) -> Self {
        // In the exchange format, the label is the path of a file.
        let name = label.name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let code = name.split(|byte| *byte == b' ').next().unwrap_or_default();
        match code {
            b"PICT" => Self::Picture(Box::default()),
            b"snd" => Self::Sound(Box::default()),
            b".256" => Self::Shapes(Box::new(Collection::of(Encoding::Marathon))),
            b"film" => Self::Film(Box::default()),
            b"clut" => Self::Colors(Colors::default()),
            b"STR" => Self::PascalString(PascalString::default()),
            b"STR#" => Self::StringList(StringList::default()),
            b"TEXT" => Self::Text(PlainText::default()),
            _ => Self::opaque(),
        }
    }

    fn opaque() -> Self {
        Self::default()
    }

    fn of_kind(kind: &str) -> Option<Self> {
        let all = [
            Self::Picture(Box::default()),
            Self::Sound(Box::default()),
            Self::Shapes(Box::new(Collection::of(Encoding::Marathon))),
            Self::Film(Box::default()),
            Self::Colors(Colors::default()),
            Self::PascalString(PascalString::default()),
            Self::StringList(StringList::default()),
            Self::Text(PlainText::default()),
            Self::opaque(),
        ];
        all.into_iter().find(|content| content.kind() == kind)
    }

    fn raw(&self) -> Option<&'static str> {
        matches!(self, Self::Opaque(_)).then_some("bin")
    }
}
