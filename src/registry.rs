//! The table of all kinds. Recognition, `verify`, `formats`, the table of the guide and the tests all use it.

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
    sounds::Sounds,
    wad::Wad,
};
use crate::zipper::{
    anim::Anim, archive::Archive, avi::Avi, bm::Bm, gamez::Gamez, interp::Interp, messages::Dll, motion::Motion,
    reader::Reader, rof::Rof, text_reader::TextReader, texture::Package, wave::Wave, zmap::Zmap,
};

use crate::lint::Trap;

pub use crate::kind::{AnyModel, Kind, Memory, Model, named, recognize};

/// All kinds, in the order in which content is checked. A new format adds one line here.
///
/// The numbers are those of [`Memory`]: measured with the worst files known, which consist of the smallest records or of parts that share
/// their bytes, plus half as much for a list that grows, since its capacity has then just been doubled. A wrapper takes as much as the
/// worst file in it. The test target `memory` fails if a number is too low, and searches for worse files.
pub static KINDS: &[Kind] = &[
    Kind::of::<Erf>().taking(120, 12, 300),
    Kind::of::<Bif>().taking(120, 4, 300),
    Kind::of::<Key>().taking(40, 0, 100),
    Kind::of::<Gff>().taking(9, 0, 220),
    Kind::of::<Tlk>().taking(4, 0, 220),
    Kind::of::<TwoDa>().taking(3, 0, 20),
    Kind::of::<Binary2da>().taking(3, 0, 40),
    Kind::of::<Ssf>().taking(120, 0, 300),
    Kind::of::<Plt>().taking(3, 0, 34),
    Kind::of::<Ltr>().taking(3, 0, 40),
    Kind::of::<Ncs>().taking(3, 0, 200),
    Kind::of::<Interp>().taking(14, 4, 110),
    Kind::of::<Dll>().taking(24, 0, 300),
    Kind::of::<Anim>().taking(28, 0, 80),
    Kind::of::<Gamez>().taking(11, 0, 50),
    Kind::of::<Archive>().taking(60, 4, 92),
    Kind::of::<Wave>().taking(60, 0, 63),
    Kind::of::<Avi>().taking(45, 0, 47),
    Kind::of::<Motion>().taking(46, 0, 92),
    Kind::of::<Package>().taking(14, 12, 110),
    Kind::of::<Zmap>().taking(20, 0, 80),
    Kind::of::<Reader>().taking(24, 0, 90),
    Kind::of::<TextReader>().taking(146, 0, 171),
    Kind::of::<AppleSingle>().taking(146, 58, 420),
    Kind::of::<MacBinary>().taking(146, 58, 420),
    Kind::of::<Physics>().taking(18, 0, 56),
    Kind::of::<Film>().taking(3, 0, 300),
    Kind::of::<Sounds>().taking(36, 0, 110),
    Kind::of::<ResourceFork>().taking(146, 4, 420),
    Kind::of::<PictureFile>().taking(146, 0, 420),
    Kind::of::<ShapesPatch>().taking(11, 0, 82),
    Kind::of::<Wad>().taking(146, 58, 420),
    Kind::of::<Shapes>().taking(110, 0, 200),
    Kind::of::<Rof>().taking(41, 9, 90),
    Kind::of::<Bm>().taking(3, 0, 20),
    Kind::of::<Mdl>().taking(120, 0, 330),
    Kind::of::<TextModel>().taking(3, 0, 20),
    Kind::of::<Tileset>().taking(3, 0, 20),
];

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
        .chain(crate::zipper::save::crimson::TRAPS)
        .copied()
        .collect();
    traps.sort_by_key(|trap| trap.id);
    traps.dedup_by_key(|trap| trap.id);
    traps
}
