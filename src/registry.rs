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

use crate::lint::Trap;

pub use crate::kind::{AnyModel, Game, Kind, Memory, Model, named, recognize};

/// Makes the table of all kinds, and the models by kind.
macro_rules! kinds {
    ($($model:ident: $direct:literal, $entries:literal, $exchange:literal;)*) => {
        /// All kinds, in the order in which content is checked.
        ///
        /// The numbers are those of [`Memory`]: measured with the worst files known, which consist of the smallest records or of parts
        /// that share their bytes, plus half as much for a list that grows, since its capacity has then just been doubled. A wrapper
        /// takes as much as the worst file in it. The test target `memory` fails if a number is too low, and searches for worse files.
        pub static KINDS: &[Kind] = &[$(Kind::of::<$model>().taking($direct, $entries, $exchange)),*];

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

// A new format adds one line here: its memory directly, for entries, and through the exchange format.
kinds! {
    Erf: 120, 12, 300;
    Bif: 120, 4, 300;
    Key: 40, 0, 100;
    Gff: 9, 0, 220;
    Tlk: 4, 0, 220;
    TwoDa: 3, 0, 20;
    Binary2da: 3, 0, 40;
    Ssf: 120, 0, 300;
    Plt: 3, 0, 34;
    Ltr: 3, 0, 40;
    Ncs: 3, 0, 200;
    Interp: 14, 4, 110;
    Dll: 24, 0, 300;
    Anim: 28, 0, 80;
    Gamez: 11, 0, 50;
    Archive: 60, 4, 92;
    Wave: 60, 0, 63;
    Avi: 45, 0, 47;
    Motion: 46, 0, 92;
    Package: 14, 12, 110;
    Zmap: 20, 0, 80;
    Reader: 24, 0, 90;
    TextReader: 146, 0, 171;
    AppleSingle: 146, 58, 420;
    MacBinary: 146, 58, 420;
    Physics: 18, 0, 56;
    Film: 3, 0, 300;
    Sounds: 36, 0, 110;
    ResourceFork: 146, 4, 420;
    PictureFile: 146, 0, 420;
    ShapesPatch: 11, 0, 82;
    SoundsPatch: 36, 0, 110;
    Wad: 146, 58, 420;
    Shapes: 110, 0, 200;
    Rof: 41, 9, 90;
    Bm: 3, 0, 20;
    Mdl: 120, 0, 330;
    TextModel: 3, 0, 20;
    Tileset: 3, 0, 20;
}

/// Returns all traps, by id.
#[must_use]
pub fn traps() -> Vec<&'static Trap> {
    let of_kinds = KINDS.iter().flat_map(|kind| kind.traps);
    let mut traps: Vec<_> = of_kinds
        .chain(crate::lint::ADDRESSES)
        .chain(crate::passes::damage::TRAPS)
        .chain(crate::lint::ENCODINGS)
        .chain(crate::passes::spoiled::TRAPS)
        .chain(crate::zipper::install::TRAPS)
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
