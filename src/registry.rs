//! The one table of kinds. Recognition, `verify`, `formats`, the README's matrix and the tests all draw from it.

use bytes::Bytes;
use globset::{GlobBuilder, GlobMatcher};

use crate::aurora::model::Model as Mdl;
use crate::exchange::Medium;
use crate::field::{
    At, Decoded, Documents, Given, JsonText, Result, build, decode, decode_within, limits, load_text, walk,
};
use crate::format::{Format, Game, Parts};
use crate::marathon::{
    applesingle::AppleSingle,
    film::Film,
    macbinary::MacBinary,
    physics::Physics,
    picture::{self, PictureFile},
    resources::ResourceFork,
    shapes::{self, Shapes, ShapesPatch},
    sounds::{self, Sounds},
    terminal,
    wad::Wad,
};
use crate::verify::How;
use crate::zipper::{
    anim::Anim,
    archive::Archive,
    avi::Avi,
    bm::Bm,
    gamez::Gamez,
    interp::Interp,
    messages::Dll,
    motion::Motion,
    reader::Reader,
    rof::Rof,
    text_reader::TextReader,
    texture::{self, Package},
    wave::Wave,
    zmap::Zmap,
};

/// All kinds, in the order in which content is judged. A new format is one line here.
///
/// The numbers are those of [`Memory`]: what files of nothing but the smallest records were measured to take, and half as much again
/// for a list that grows, since it takes that right after its capacity was doubled. A wrapper takes as much as the worst file in it.
/// The test target `memory` fails if a number is too low.
pub static KINDS: &[Kind] = &[
    Kind::of::<Interp>().taking(14, 4, 60),
    Kind::of::<Dll>().taking(24, 0, 300),
    Kind::of::<Anim>().taking(28, 0, 80),
    Kind::of::<Gamez>().taking(11, 0, 50),
    Kind::of::<Archive>().taking(60, 4, 92),
    Kind::of::<Wave>().taking(60, 0, 63),
    Kind::of::<Avi>().taking(38, 0, 41),
    Kind::of::<Motion>().taking(46, 0, 92),
    Kind::of::<Package>().taking(14, 12, 48),
    Kind::of::<Zmap>().taking(15, 0, 80),
    Kind::of::<Reader>().taking(3, 0, 20),
    Kind::of::<TextReader>().taking(146, 0, 171),
    Kind::of::<AppleSingle>().taking(146, 58, 420),
    Kind::of::<MacBinary>().taking(146, 58, 420),
    Kind::of::<Physics>().taking(18, 0, 56),
    Kind::of::<Film>().taking(3, 0, 300),
    Kind::of::<Sounds>().taking(11, 0, 38),
    Kind::of::<ResourceFork>().taking(146, 4, 420),
    Kind::of::<PictureFile>().taking(146, 0, 420),
    Kind::of::<ShapesPatch>().taking(3, 0, 74),
    Kind::of::<Wad>().taking(146, 58, 420),
    Kind::of::<Shapes>().taking(6, 0, 44),
    Kind::of::<Rof>().taking(41, 9, 90),
    Kind::of::<Bm>().taking(3, 0, 20),
    Kind::of::<Mdl>().taking(11, 0, 28),
];

/// What is an image, a sound or a text that other programs edit, in which containers it ever is.
pub static MEDIA: &[&Medium] = {
    let [collection, shapes_patch] = &shapes::MEDIA;
    let [sound, sounds] = &sounds::MEDIA;
    &[&texture::MEDIUM, &picture::MEDIUM, collection, shapes_patch, sound, sounds, &terminal::MEDIUM]
};

/// A model whose type has been forgotten.
pub type Model = Box<dyn Whole>;

/// A model of a whole file.
pub trait Whole: build::Lay + walk::Lay + Send {
    /// The same model once more. Long blocks are shared.
    fn copy(&self) -> Model;
}

impl<F: build::Lay + walk::Lay + Send + Clone + 'static> Whole for F {
    fn copy(&self) -> Model {
        Box::new(self.clone())
    }
}

/// A kind of file: a [`Format`] without its type.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The kind in one word.
    pub name: &'static str,
    /// The kind in a few words.
    pub title: &'static str,
    /// The games that have such files.
    pub games: &'static [Game],
    /// File names that are expected to hold it.
    pub claims: &'static [&'static str],
    /// The games whose file some bytes can be, judged by content alone.
    pub recognise: fn(&[u8]) -> Option<Vec<Game>>,
    /// Whether some bytes of a claimed name can be meant to be this kind.
    pub suits: fn(&[u8]) -> bool,
    /// Reads a model from a whole file.
    pub decode: fn(Bytes) -> Result<Decoded<Model>>,
    /// Reads a model from a whole file, with so many bytes of memory for both together.
    pub decode_within: fn(Bytes, u64) -> Result<Decoded<Model>>,
    /// Fills a model from its exchange form.
    pub load: fn(JsonText, At, &mut dyn Documents) -> Result<Given<Model>>,
    /// Where the exchange form has the bytes as they are: the extension of the file.
    pub raw: Option<&'static str>,
    /// Lists whose items are files of their own in the exchange form.
    pub parts: &'static [Parts],
    /// What people want to see first of a whole file, a line each.
    pub outline: fn(Bytes) -> Result<Option<Vec<String>>>,
    /// How much memory it takes to verify a file of this kind.
    pub memory: Memory,
}

/// The memory that it takes at most to verify a file, in multiples of its size: that of a file of nothing but the smallest records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// By way of the model.
    pub direct: u64,
    /// What rows of entries add.
    pub entries: u64,
    /// By way of the exchange form.
    pub exchange: u64,
}

impl Memory {
    /// What a kind takes that says nothing else.
    const USUAL: Self = Self { direct: limits::MEMORY_FACTOR, entries: 0, exchange: limits::MEMORY_FACTOR_OF_EXCHANGE };

    /// The factor for a way to verify a file.
    #[must_use]
    pub const fn factor(self, how: How) -> u64 {
        let way = if how.through_exchange { self.exchange } else { self.direct };
        way.saturating_add(if how.entries { self.entries } else { 0 })
    }

    /// The bytes that a file of this size takes at most.
    #[must_use]
    pub const fn of(self, bytes: u64, how: How) -> u64 {
        limits::MEMORY_BASE.saturating_add(bytes.saturating_mul(self.factor(how)))
    }
}

impl Kind {
    /// The kind of a format.
    #[must_use]
    pub const fn of<F: Format>() -> Self {
        Self {
            name: F::NAME,
            title: F::TITLE,
            games: F::GAMES,
            claims: F::CLAIMS,
            recognise: F::recognise,
            suits: F::suits,
            decode: |file| {
                let Decoded { model, undecoded } = decode::<F>(file)?;
                Ok(Decoded { model: Box::new(model), undecoded })
            },
            decode_within: |file, memory| {
                let Decoded { model, undecoded } = decode_within::<F>(file, memory)?;
                Ok(Decoded { model: Box::new(model), undecoded })
            },
            load: |text, at, documents| {
                let Given { model, settlement, undecoded } = load_text::<F>(text, at, documents)?;
                Ok(Given { model: Box::new(model), settlement, undecoded })
            },
            raw: F::RAW,
            parts: F::PARTS,
            outline: |file| decode::<F>(file)?.model.outline(),
            memory: Memory::USUAL,
        }
    }

    /// Returns the kind with other factors of [`Memory`].
    #[must_use]
    pub const fn taking(self, direct: u64, entries: u64, exchange: u64) -> Self {
        Self { memory: Memory { direct, entries, exchange }, ..self }
    }

    /// Whether a file of this name is expected to hold this kind.
    #[must_use]
    pub fn claims(&self, name: &str) -> bool {
        self.claims.iter().any(|claim| matcher(claim).is_some_and(|claim| claim.is_match(name)))
    }
}

fn matcher(glob: &str) -> Option<GlobMatcher> {
    Some(GlobBuilder::new(glob).case_insensitive(true).build().ok()?.compile_matcher())
}

/// The kind of this name.
#[must_use]
pub fn named(kinds: &'static [Kind], name: &str) -> Option<&'static Kind> {
    kinds.iter().find(|kind| kind.name == name)
}

/// The kind of a file and the games it can be of: by its content, else by its name (the last part of its path).
#[must_use]
pub fn recognise(kinds: &'static [Kind], name: &str, file: &[u8]) -> Option<(&'static Kind, Vec<Game>)> {
    let by_content = kinds.iter().find_map(|kind| Some((kind, (kind.recognise)(file)?)));
    by_content.or_else(|| {
        let kind = kinds.iter().find(|kind| kind.claims(name) && (kind.suits)(file))?;
        Some((kind, kind.games.to_vec()))
    })
}
