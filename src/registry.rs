//! The one table of kinds. Recognition, `verify`, `formats`, the README's matrix and the tests all draw from it.

use bytes::Bytes;
use globset::{GlobBuilder, GlobMatcher};

use crate::aurora::model::Model as Mdl;
use crate::exchange::Medium;
use crate::field::{Decoded, Documents, Given, Json, Lay, Result, decode, load};
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
pub static KINDS: &[Kind] = &[
    Kind::of::<Interp>(),
    Kind::of::<Dll>(),
    Kind::of::<Anim>(),
    Kind::of::<Gamez>(),
    Kind::of::<Archive>(),
    Kind::of::<Wave>(),
    Kind::of::<Avi>(),
    Kind::of::<Motion>(),
    Kind::of::<Package>(),
    Kind::of::<Zmap>(),
    Kind::of::<Reader>(),
    Kind::of::<TextReader>(),
    Kind::of::<AppleSingle>(),
    Kind::of::<MacBinary>(),
    Kind::of::<Physics>(),
    Kind::of::<Film>(),
    Kind::of::<Sounds>(),
    Kind::of::<ResourceFork>(),
    Kind::of::<PictureFile>(),
    Kind::of::<ShapesPatch>(),
    Kind::of::<Wad>(),
    Kind::of::<Shapes>(),
    Kind::of::<Rof>(),
    Kind::of::<Bm>(),
    Kind::of::<Mdl>(),
];

/// What is an image, a sound or a text that other programs edit, in which containers it ever is.
pub static MEDIA: &[&Medium] = {
    let [collection, shapes_patch] = &shapes::MEDIA;
    let [sound, sounds] = &sounds::MEDIA;
    &[&texture::MEDIUM, &picture::MEDIUM, collection, shapes_patch, sound, sounds, &terminal::MEDIUM]
};

/// A model whose type has been forgotten.
pub type Model = Box<dyn Lay + Send>;

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
    /// Fills a model from its exchange form.
    pub load: fn(Json, &mut dyn Documents) -> Result<Given<Model>>,
    /// Where the exchange form has the bytes as they are: the extension of the file.
    pub raw: Option<&'static str>,
    /// Lists whose items are files of their own in the exchange form.
    pub parts: &'static [Parts],
    /// What people want to see first of a whole file, a line each.
    pub outline: fn(Bytes) -> Result<Option<Vec<String>>>,
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
            load: |json, documents| {
                let Given { model, settlement, undecoded } = load::<F>(json, documents)?;
                Ok(Given { model: Box::new(model), settlement, undecoded })
            },
            raw: F::RAW,
            parts: F::PARTS,
            outline: |file| decode::<F>(file)?.model.outline(),
        }
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
