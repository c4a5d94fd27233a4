//! Contents of archive entries.

use bytes::Bytes;

use crate::field::{self, Block, Label, Result, Run, U8, lay};
use crate::kind::Format;
use crate::record;

use super::bm::Bm;
use super::gamez::games::{MechWarrior3, PiratesMoon};
use super::mechlib::{LibraryFormat, LibraryMaterials, LibraryVersion, Mech, is_pirates_moon};
use super::motion::Motion;
use super::reader::Reader;
use super::save::Saved;
use super::wave::Wave;

record! {
    /// An entry that only holds a place in the table, 1 byte. Source: `zipper-sounds.md`, section 1.
    pub struct Placeholder: 1 {
        zero: U8 = 0,
    }
}

/// The contents of an entry.
#[derive(Clone, Debug)]
pub enum Payload {
    /// A sound.
    Wave(Box<Wave>),
    /// A motion.
    Motion(Box<Motion>),
    /// Reader data.
    Reader(Reader),
    /// A livery image.
    Bm(Box<Bm>),
    /// An entry of a save game.
    Saved(Box<Saved>),
    /// The format record of a 'Mech library.
    LibraryFormat(LibraryFormat),
    /// The version of a 'Mech library.
    LibraryVersion(LibraryVersion),
    /// The materials of a 'Mech library.
    LibraryMaterials(LibraryMaterials),
    /// A model of MechWarrior 3.
    Mech(Mech<MechWarrior3>),
    /// A model of Pirate's Moon.
    LaterMech(Mech<PiratesMoon>),
    /// A single zero byte.
    Placeholder(Placeholder),
    /// Raw bytes.
    Opaque(Block),
}

impl Default for Payload {
    fn default() -> Self {
        Self::Opaque(Block::default())
    }
}

lay! {
    impl Lay for Payload {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            match self {
                Self::Wave(wave) => wave.lay(t),
                Self::Motion(motion) => motion.lay(t),
                Self::Reader(reader) => reader.lay(t),
                Self::Bm(image) => image.lay(t),
                Self::Saved(saved) => saved.lay(t),
                Self::LibraryFormat(format) => format.lay(t),
                Self::LibraryVersion(version) => version.lay(t),
                Self::LibraryMaterials(materials) => materials.lay(t),
                Self::Mech(mech) => mech.lay(t),
                Self::LaterMech(mech) => mech.lay(t),
                Self::Placeholder(zero) => t.fields(zero),
                Self::Opaque(bytes) => t.rest("bytes", Run::Opaque, bytes),
            }
        }
    }
}

impl field::Payload for Payload {
    fn kind(&self) -> &'static str {
        match self {
            Self::Wave(_) => Wave::NAME,
            Self::Motion(_) => Motion::NAME,
            Self::Reader(_) => Reader::NAME,
            Self::Bm(_) => Bm::NAME,
            Self::Saved(saved) => saved.kind(),
            Self::LibraryFormat(_) => "mechlib-format",
            Self::LibraryVersion(_) => "mechlib-version",
            Self::LibraryMaterials(_) => "mechlib-materials",
            Self::Mech(_) => "mech-27",
            Self::LaterMech(_) => "mech-41",
            Self::Placeholder(_) => "placeholder",
            Self::Opaque(_) => "opaque",
        }
    }

    fn recognise(label: &Label, bytes: &Bytes) -> Self {
        let name = label.name.to_ascii_lowercase();
        let named = |ending: &[u8]| name.ends_with(ending);
        // The state of a mission may begin like a motion, so it is tried first.
        if let Some(saved) = Saved::recognise(&label.name, bytes) {
            Self::Saved(Box::new(saved))
        } else if Wave::begins(bytes) {
            Self::Wave(Box::default())
        } else if Motion::begins(bytes) {
            Self::Motion(Box::default())
        } else if Reader::begins(bytes) && (named(b".zrd") || Reader::extent(bytes) == Some(bytes.len())) {
            Self::Reader(Reader::default())
        } else if named(b".bm") && Bm::fits(bytes) {
            Self::Bm(Box::default())
        } else if name == b"format" && bytes.len() == size_of::<LibraryFormat>() {
            Self::LibraryFormat(LibraryFormat::default())
        } else if name == b"version" && bytes.len() == size_of::<LibraryVersion>() {
            Self::LibraryVersion(LibraryVersion::default())
        } else if name == b"materials" {
            Self::LibraryMaterials(LibraryMaterials::default())
        } else if named(b".flt") {
            if is_pirates_moon(bytes) { Self::LaterMech(Mech::default()) } else { Self::Mech(Mech::default()) }
        } else if **bytes == [0] {
            Self::Placeholder(Placeholder::default())
        } else {
            Self::opaque()
        }
    }

    fn opaque() -> Self {
        Self::default()
    }

    fn of_kind(kind: &str) -> Option<Self> {
        let all = [
            Self::Wave(Box::default()),
            Self::Motion(Box::default()),
            Self::Reader(Reader::default()),
            Self::Bm(Box::default()),
            Self::LibraryFormat(LibraryFormat::default()),
            Self::LibraryVersion(LibraryVersion::default()),
            Self::LibraryMaterials(LibraryMaterials::default()),
            Self::Mech(Mech::default()),
            Self::LaterMech(Mech::default()),
            Self::Placeholder(Placeholder::default()),
            Self::opaque(),
        ];
        let known = all.into_iter().find(|payload| payload.kind() == kind);
        known.or_else(|| Some(Self::Saved(Box::new(Saved::of_kind(kind)?))))
    }

    fn raw(&self) -> Option<&'static str> {
        match self {
            Self::Wave(_) => Wave::RAW,
            Self::Opaque(_) => Some("bin"),
            _ => None,
        }
    }
}
