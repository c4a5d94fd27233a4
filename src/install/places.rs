//! What the places of a game hold. A file of another kind in a place is not the file of the place.
//!
//! Source: [`zipper-installs.md`](crate::guide::formats::zipper_installs), sections 1 to 5, and
//! [`nwn-installs.md`](crate::guide::formats::nwn_installs), section 1.

use std::sync::LazyLock;

use super::zipper::expand;
use kind::glob;

/// What a place holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A file of one of these kinds, as reports name them; an empty name is an unknown kind.
    Kinds(&'static [&'static str]),
    /// An archive with such entries.
    Archive(&'static str),
}

use Holds::{Archive, Kinds};

/// The forms of a file of a Mac.
const SHAPES: Holds = Kinds(&["shapes", "resources", "macbinary", "applesingle"]);
const SOUNDS: Holds = Kinds(&["sounds", "resources", "macbinary", "applesingle"]);
const IMAGES: Holds = Kinds(&["wad", "resources", "macbinary", "applesingle"]);
const PHYSICS: Holds = Kinds(&["physics", "wad", "macbinary", "applesingle"]);
const MAP: Holds = Kinds(&["wad", "macbinary", "applesingle"]);
/// A file that bitexact does not read.
const OTHER: Holds = Kinds(&["", "resources", "macbinary", "applesingle"]);

/// The names of files in lower case, with lists in braces and `*`, and what they hold. The first that fits counts.
const PLACES: &[(&str, Holds)] = &[
    ("interp.zbd", Kinds(&["interp"])),
    ("mechlib.zbd", Archive("models")),
    ("motion.zbd", Archive("motions")),
    ("{reader*,zrdr}.zbd", Archive("readers")),
    ("sounds{l,m,h}.zbd", Archive("sounds")),
    ("{gamez,planes}.zbd", Kinds(&["gamez"])),
    ("{anim,cam_anim,mis_anim}.zbd", Kinds(&["anim"])),
    ("{*tex*,*image,rlab}.zbd", Kinds(&["texture"])),
    ("defaultctlconfig.zrd", Kinds(&["text-reader", "reader"])),
    ("*.zmap", Kinds(&["zmap"])),
    ("*.rof", Kinds(&["rof"])),
    ("*.avi", Kinds(&["avi"])),
    ("*.mpg", Kinds(&["mpeg"])),
    ("*.tga", Kinds(&["targa"])),
    ("*.wav", Kinds(&["wave"])),
    ("{*.exe,*.dll}", Kinds(&["program", "messages"])),
    ("*.icd", Kinds(&["encrypted-program"])),
    ("*.ifr", Kinds(&["force-feedback"])),
    ("{map,map.scen,map.scea,map.sce2}", MAP),
    ("{shapes,shapes.shps,shapes.shpa,shapes.shp2}", SHAPES),
    ("{sounds,sounds.sndz,sounds.snda,sounds.snd2}", SOUNDS),
    ("{images,images.imga,images.img2}", IMAGES),
    ("{physics model,physics.phys,standard.phya}", PHYSICS),
    ("*.fila", Kinds(&["film", "macbinary", "applesingle"])),
    ("{*.mml,*.xml,*.ogg,music,marathon,marathon 2,marathon infinity,marathon.appl}", OTHER),
    ("*.key", Kinds(&["key"])),
    ("*.bif", Kinds(&["bif"])),
    ("*.tlk", Kinds(&["tlk"])),
];

impl Holds {
    /// Returns what the place at a path holds, or `None` for a place that is not declared.
    pub(super) fn at(path: &str) -> Option<Self> {
        static EXPANDED: LazyLock<Vec<(String, Holds)>> = LazyLock::new(|| {
            let of = |&(patterns, holds): &(&str, Holds)| expand(patterns).into_iter().map(move |it| (it, holds));
            PLACES.iter().flat_map(of).collect()
        });
        let name = path.rsplit('/').next().unwrap_or_default();
        EXPANDED.iter().find(|(pattern, _)| glob::fits(pattern, name, true)).map(|(_, holds)| *holds)
    }

    /// Returns `true` if a file of this kind, whose entries are these, can be in the place.
    pub(super) fn takes(self, kind: Option<&str>, entries: Option<&str>) -> bool {
        match self {
            Kinds(kinds) => kinds.contains(&kind.unwrap_or_default()),
            // What some archives hold cannot be inferred.
            Archive(wanted) => kind == Some("archive") && entries.is_none_or(|entries| entries == wanted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_places_exist() {
        let is_kind = |name: &str| crate::registry::KINDS.iter().any(|kind| kind.name == name);
        let exists = |name: &str| name.is_empty() || is_kind(name) || kind::foreign::named(name).is_some();
        let entries = ["models", "motions", "readers", "sounds"];
        for (patterns, holds) in PLACES {
            match holds {
                Kinds(names) => names.iter().for_each(|name| assert!(exists(name), "{patterns}: {name}")),
                Archive(wanted) => assert!(entries.contains(wanted), "{patterns}: {wanted}"),
            }
        }
    }

    #[test]
    fn places_take_files_of_their_kind_only() {
        let takes = |path: &str, kind: &str, entries: &str| {
            let named = |text: &'static str| Some(text).filter(|it| !it.is_empty());
            let (kind, entries): (&'static str, &'static str) = (kind.to_owned().leak(), entries.to_owned().leak());
            Holds::at(path).expect(path).takes(named(kind), named(entries))
        };
        for (path, kind, entries) in [
            ("zbd/c1/gamez.zbd", "gamez", ""),
            ("zbd/reader.zbd", "archive", "readers"),
            ("zbd/c1/readerm1.zbd", "archive", "readers"),
            ("zbd/motion.zbd", "archive", ""),
            ("zbd/m1/rtexture4.zbd", "texture", ""),
            ("zbd/rimage.zbd", "texture", ""),
            ("Map.sceA", "wad", ""),
            ("scripts/Marathon 2.mml", "", ""),
            ("messages.dll", "program", ""),
        ] {
            assert!(takes(path, kind, entries), "{path} {kind}");
        }
        for (path, kind, entries) in [
            ("zbd/c1/gamez.zbd", "anim", ""),
            ("zbd/c1/gamez.zbd", "wad", ""),
            ("zbd/c1/gamez.zbd", "", ""),
            ("zbd/reader.zbd", "archive", "motions"),
            ("zbd/reader.zbd", "texture", ""),
            ("Map.sceA", "shapes", ""),
            ("Sounds.sndA", "shapes", ""),
            ("recoil.exe", "png", ""),
            ("scripts/Marathon 2.mml", "png", ""),
        ] {
            assert!(!takes(path, kind, entries), "{path} {kind}");
        }
    }
}
