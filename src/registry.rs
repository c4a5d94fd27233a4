//! The table of all kinds. Recognition, `verify`, `formats`, the table of the guide and the tests all use it.

use core::any::Any;

use crate::aurora::{
    bif::Bif,
    binary_2da::Binary2da,
    erf::Erf,
    gff::Gff,
    key::Key,
    ltr::Ltr,
    model::Model as Mdl,
    ncs::Ncs,
    plt::Plt,
    ssf::Ssf,
    text::{TextModel, Tileset},
    tlk::Tlk,
    two_da::TwoDa,
};
use crate::marathon::{
    applesingle::AppleSingle,
    film::Film,
    macbinary::MacBinary,
    physics::Physics,
    picture::PictureFile,
    resources::ResourceFork,
    shapes::{Shapes, ShapesPatch},
    sounds::{Sounds, SoundsPatch},
    wad::Wad,
};
use crate::zipper::{
    anim::Anim, archive::Archive, avi::Avi, bm::Bm, gamez::Gamez, interp::Interp, messages::Dll, motion::Motion,
    reader::Reader, rof::Rof, text_reader::TextReader, texture::Package, wave::Wave, zmap::Zmap,
};

#[cfg(feature = "export")]
use crate::marathon::export::{of_forks, sheet};
#[allow(unused_imports, reason = "not without the features of what they show")]
use crate::{aurora, marathon, zipper};
use lint::Trap;

pub use kind::{AnyModel, Game, Kind, Memory, Model, named, recognize};

/// Makes the table of all kinds, and the models by kind.
macro_rules! kinds {
    ($(
        $model:ident: $direct:literal, $entries:literal, $exchange:literal
        $(, media $media:expr)? $(, text $text:expr)? $(, exports $exports:expr)? $(, import $import:expr)?
        $(, compiles $compiles:expr)?;
    )*) => {
        /// All kinds, in the order in which content is checked.
        ///
        /// The numbers are those of [`Memory`]: measured with the worst files known, which consist of the smallest records or of parts
        /// that share their bytes, plus half as much for a list that grows, since its capacity has then just been doubled. A wrapper
        /// takes as much as the worst file in it. The test target `memory` fails if a number is too low, and searches for worse files.
        pub static KINDS: &[Kind] = &[$(Kind {
            $(#[cfg(feature = "exchange")] media: $media,)?
            $(text: Some(&$text),)?
            $(#[cfg(feature = "export")] exports: &$exports,)?
            $(#[cfg(feature = "export")] import: Some($import),)?
            $(compiles: Some(&$compiles),)?
            ..Kind::of::<$model>().taking($direct, $entries, $exchange)
        }),*];

        /// The model of a file, by its kind.
        #[derive(Clone, Copy)]
        #[non_exhaustive]
        pub enum Typed<'m> {
            $(#[doc = concat!("A model of type [`", stringify!($model), "`].")] $model(&'m $model),)*
            /// A model of a kind that is not in the table.
            Other,
        }

        /// The model of a file, by its kind, for changing.
        #[non_exhaustive]
        pub enum TypedMut<'m> {
            $(#[doc = concat!("A model of type [`", stringify!($model), "`].")] $model(&'m mut $model),)*
            /// A model of a kind that is not in the table.
            Other,
        }

        impl<'m> Typed<'m> {
            /// Returns a model by its kind.
            #[must_use]
            pub fn of(model: &'m Model) -> Self {
                let any: &dyn Any = &**model;
                $(if let Some(model) = any.downcast_ref() {
                    return Self::$model(model);
                })*
                Self::Other
            }
        }

        impl<'m> TypedMut<'m> {
            /// Returns a model by its kind.
            #[must_use]
            pub fn of(model: &'m mut Model) -> Self {
                $({
                    let any: &dyn Any = &**model;
                    if any.is::<$model>() {
                        let any: &mut dyn Any = &mut **model;
                        return any.downcast_mut().map_or(Self::Other, Self::$model);
                    }
                })*
                Self::Other
            }
        }
    };
}

// A new format adds one line here: its memory directly, for entries, and through the exchange format; then, if it has them, its media, its
// form as text, the drawings of its files, what finds the edits in a drawing, and how its texts are compiled.
kinds! {
    Erf: 120, 12, 300;
    Bif: 120, 4, 300;
    Key: 40, 0, 100;
    Gff: 9, 0, 220, text aurora::gff::text::TEXT;
    Tlk: 4, 0, 220, text aurora::tlk::text::TEXT, exports [aurora::tlk::csv::EXPORT], import aurora::tlk::csv::import;
    TwoDa: 3, 0, 20, exports [aurora::two_da::csv::EXPORT], import aurora::two_da::csv::import;
    Binary2da: 3, 0, 40;
    Ssf: 120, 0, 300;
    Plt: 3, 0, 34;
    Ltr: 3, 0, 40;
    Ncs: 3, 0, 200, text aurora::ncs::text::TEXT;
    Interp: 14, 4, 110, media &[&zipper::interp::text::MEDIUM];
    Dll: 24, 0, 300, exports [zipper::messages::csv::EXPORT], import zipper::messages::csv::import;
    Anim: 28, 0, 80;
    Gamez: 11, 0, 50, exports zipper::scene::WORLD, import zipper::scene::import_world;
    Archive: 60, 4, 92, exports zipper::scene::LIBRARY, import zipper::scene::import_library;
    Wave: 60, 0, 63;
    Avi: 45, 0, 47;
    Motion: 46, 0, 92;
    Package: 14, 12, 110, media &[&zipper::texture::pictured::MEDIUM], exports [zipper::texture::sheet::EXPORT];
    Zmap: 20, 0, 80;
    Reader: 24, 0, 90, text zipper::reader::text::TEXT;
    TextReader: 146, 0, 171;
    AppleSingle: 146, 58, 420, media marathon::MEDIA, exports of_forks::<AppleSingle>();
    MacBinary: 146, 58, 420, media marathon::MEDIA, text marathon::binhex::TEXT, exports of_forks::<MacBinary>();
    Physics: 18, 0, 56, media marathon::MEDIA;
    Film: 3, 0, 300, media marathon::MEDIA;
    Sounds: 36, 0, 110, media marathon::MEDIA;
    ResourceFork: 146, 4, 420, media marathon::MEDIA, exports [sheet::of_forks::<ResourceFork>()];
    PictureFile: 146, 0, 420, media marathon::MEDIA, exports [sheet::PICTURE];
    ShapesPatch: 11, 0, 82, media marathon::MEDIA, exports [sheet::SHAPES_PATCH];
    SoundsPatch: 36, 0, 110, media marathon::MEDIA;
    Wad: 146, 58, 420, media marathon::MEDIA, exports of_forks::<Wad>();
    Shapes: 110, 0, 200, media marathon::MEDIA, exports [sheet::SHAPES];
    Rof: 41, 9, 90;
    Bm: 3, 0, 20;
    Mdl: 120, 0, 330, text aurora::model_text::TEXT, exports aurora::scene::EXPORTS, import aurora::scene::import;
    TextModel: 3, 0, 20, exports aurora::scene::TEXT_EXPORTS, compiles aurora::model_text::COMPILES;
    Tileset: 3, 0, 20;
}

/// Returns all traps, by id.
#[must_use]
pub fn traps() -> Vec<&'static Trap> {
    let of_kinds = KINDS.iter().flat_map(|kind| kind.traps);
    let mut traps: Vec<_> = of_kinds
        .chain(lint::ADDRESSES)
        .chain(passes::damage::TRAPS)
        .chain(lint::ENCODINGS)
        .chain(passes::spoiled::TRAPS)
        .chain(crate::install::zipper::TRAPS)
        .chain(crate::zipper::attached::TRAPS)
        .chain(crate::zipper::save::crimson::TRAPS)
        .chain(crate::aurora::module::TRAPS)
        .chain(crate::aurora::texture_settings::TRAPS)
        .chain(crate::aurora::texture_settings::OF_MATERIALS)
        .chain(crate::marathon::RULES.into_iter().flatten())
        .copied()
        .collect();
    traps.sort_by_key(|trap| trap.id);
    traps.dedup_by_key(|trap| trap.id);
    traps
}
