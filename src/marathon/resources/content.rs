//! Contents of resources.

use bytes::Bytes;

use field::Label;
use kind::{Format as _, payloads};
use lint::no_traps;

use super::super::film::Film;
use super::super::picture::Picture;
use super::super::shapes::{Collection, Encoding};
use super::super::sounds::SoundResource;
use super::{Colors, PascalString, PlainText, StringList};

no_traps!(Picture, SoundResource, Colors, PascalString, StringList, PlainText);

payloads! {
    /// The contents of a resource.
    pub enum Content {
        Picture(Box<Picture>) = "picture";
        Sound(Box<SoundResource>) = "sound";
        Shapes(Box<Collection>) = "collection", empty Box::new(Collection::of(Encoding::Marathon));
        Film(Box<Film>) = Film::NAME;
        Colors(Colors) = "color-table";
        PascalString(PascalString) = "string";
        StringList(StringList) = "string-list";
        Text(PlainText) = "text";
    }
}

impl Content {
    /// Recognizes the contents by the resource type at the start of the label.
    fn fitting(label: &Label, _: &Bytes) -> Self {
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
            b"TEXT" | b"term" => Self::Text(PlainText::default()),
            _ => Self::default(),
        }
    }
}
