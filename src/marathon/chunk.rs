//! Contents of the chunks of a wad, by tag and type of wad.
//!
//! Nearly all chunks are records to their end; if a length does not fit, the remaining bytes are kept after them and reported. Kept as raw
//! bytes are single records of a different length, chunks with unknown tags, and chunks that the engine reads as a Mac resource.
//!
//! Source: [`marathon-wad.md`](formats::marathon_wad), section 3.

use bytes::Bytes;

use field::{self, Block, FourCc, I16be, Label, Result, Run, U8, lay};

use lint::lint_as;

use super::across_chunks::Level;
use super::array::Array;
use super::map::{
    AmbientSource, Annotation, AnyPolygon, EarlyInformation, EarlyLight, EarlyObject, EarlyPolygon, EarlySide,
    Endpoint, Information, Light, Line, Liquid, Name, Object, Placement, Platform, PlatformPlan, Point, Polygon,
    RandomSource, SavedLight, ShortInformation, Side, ruled,
};
use super::physics::{Effect, Monster, Player, Projectile, Weapon};
use super::picture::{Palette, Picture, RawPicture};
use super::resources::PlainText;
use super::saved::{Arsenal, Computer, SavedEffect, SavedMonster, SavedObject, SavedPlayer, SavedProjectile, World};
use super::script::Scripts;
use super::shapes::ShapesPatch;
use super::sounds::{SoundResource, SoundsPatch};
use super::terminal::Terminals;
use super::wad::LevelData;

/// The type of wad that a chunk is in, as far as its records depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// Data version 0.
    Marathon,
    /// Data version 1 or 2.
    Later,
    /// Data version 1 or 2, with the state of a game.
    Saved,
}

impl Age {
    /// Returns the age of an entry with chunks of these tags.
    pub(super) fn of(data_version: i16, tags: &[[u8; 4]]) -> Self {
        match data_version {
            0 => Self::Marathon,
            _ if tags.contains(b"plyr") => Self::Saved,
            _ => Self::Later,
        }
    }
}

/// Declares the possible contents of a chunk, with its tag and the age of its wads: records to its end, under a name that is also the
/// kind unless another is given, some of them with rules that depend on their level; one record of this kind; or a model of its own.
/// The first match is used.
macro_rules! chunks {
    (
        arrays { $($array:ident($item:ty) = $list:literal $(as $title:literal)?, $tag:literal $(in $age:ident)? $(, $ruled:ident)?;)* }
        singles { $($single:ident($record:ty) = $kind:literal, $single_tag:literal $(in $single_age:ident)?;)* }
        models { $($model:ident($of:ty) = $word:literal, $($model_tag:literal)|+;)* }
    ) => {
        /// The contents of a chunk.
        #[derive(Clone, Debug)]
        #[allow(missing_docs, reason = "the types in them say it")]
        pub enum Content {
            $($array(Array<$item>),)*
            $($single(Box<$record>),)*
            $($model($of),)*
            /// Bytes kept as raw bytes.
            Opaque(Block),
        }

        lay! {
            /// Lays out the chunk in a level, which is used to judge rules over several chunks.
            impl LayBy<Option<&Level>> for Content {
                fn lay_by(self: at!(Self), t: &mut Tape<'_>, level: Option<&Level>) -> Result {
                    match self {
                        $(Self::$array(array) => {
                            let rules = chunks!(@rules array, level, $($ruled)?);
                            array.lay_by(t, ($list, rules.as_ref()))
                        })*
                        $(Self::$single(record) => t.fields(at!(**record)),)*
                        $(Self::$model(model) => model.lay(t),)*
                        Self::Opaque(bytes) => t.rest("bytes", Run::Opaque, bytes),
                    }
                }
            }

            impl Lay for Content {
                fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                    self.lay_by(t, None)
                }
            }
        }

        impl field::Payload for Content {
            fn kind(&self) -> &'static str {
                match self {
                    $(Self::$array(_) => chunks!(@title $list $(, $title)?),)*
                    $(Self::$single(_) => $kind,)*
                    $(Self::$model(_) => $word,)*
                    Self::Opaque(_) => "opaque",
                }
            }

            /// Returns raw bytes: the contents depend on the tag, which is not available here.
            fn recognize(_: &Label, _: &Bytes) -> Self {
                Self::opaque()
            }

            fn opaque() -> Self {
                Self::default()
            }

            fn of_kind(kind: &str) -> Option<Self> {
                Some(match kind {
                    $(chunks!(@title $list $(, $title)?) => Self::$array(Array::default()),)*
                    $($kind => Self::$single(Box::default()),)*
                    $($word => Self::$model(<$of>::default()),)*
                    "opaque" => Self::opaque(),
                    _ => return None,
                })
            }

            fn raw(&self) -> Option<&'static str> {
                matches!(self, Self::Opaque(_)).then_some("bin")
            }
        }

        impl Content {
            /// Returns the name and the number of the records of a chunk, and the number of bytes after them, or `None` for other chunks.
            pub(super) fn counted(&self) -> Option<(&'static str, usize, usize)> {
                match self {
                    $(Self::$array(array) => Some(($list, array.records.len(), array.rest.len())),)*
                    _ => None,
                }
            }

            /// Returns an empty chunk for a tag and a length, ready to be read.
            pub(super) fn of(tag: FourCc, length: usize, age: Age) -> Self {
                match (&tag.0, age) {
                    $(($tag, chunks!(@age $($age)?)) => Self::$array(Array::default()),)*
                    $(($single_tag, chunks!(@age $($single_age)?)) if length == size_of::<$record>() => {
                        Self::$single(Box::default())
                    })*
                    $(($($model_tag)|+, _) => Self::$model(<$of>::default()),)*
                    _ => Self::default(),
                }
            }
        }
    };
    (@rules $array:ident, $level:ident, ruled) => { $level.map(|level| ruled(&$array.records, level.geometry())) };
    (@rules $array:ident, $level:ident,) => { None };
    (@title $list:literal) => { $list };
    (@title $list:literal, $title:literal) => { $title };
    (@age) => { _ };
    (@age $age:ident) => { Age::$age };
}

chunks! {
    arrays {
        Points(Point) = "points", b"PNTS";
        Endpoints(Endpoint) = "endpoints", b"EPNT", ruled;
        Lines(Line) = "lines", b"LINS", ruled;
        EarlySides(EarlySide) = "early_sides", b"SIDS" in Marathon;
        Sides(Side) = "sides", b"SIDS";
        EarlyPolygons(EarlyPolygon) = "early_polygons", b"POLY" in Marathon, ruled;
        Polygons(Polygon) = "polygons", b"POLY", ruled;
        Lights(Light) = "lights", b"LITE" in Later;
        EarlyLights(EarlyLight) = "early_lights", b"LITE" in Marathon;
        SavedLights(SavedLight) = "saved_lights", b"LITE";
        Annotations(Annotation) = "annotations", b"NOTE";
        // In JSON, they have the name of the objects of later games.
        EarlyObjects(EarlyObject) = "objects" as "early_objects", b"OBJS" in Marathon;
        Objects(Object) = "objects", b"OBJS";
        PlatformPlans(PlatformPlan) = "platform_plans", b"plat";
        Platforms(Platform) = "platforms", b"PLAT";
        Liquids(Liquid) = "liquids", b"medi";
        AmbientSounds(AmbientSource) = "ambient_sounds", b"ambi";
        RandomSounds(RandomSource) = "random_sounds", b"bonk";
        Indices(I16be) = "indices", b"iidx";
        Monsters(Monster) = "monsters", b"MNpx";
        Effects(Effect) = "effects", b"FXpx";
        Projectiles(Projectile) = "projectiles", b"PRpx";
        PlayerPhysics(Player) = "player_physics", b"PXpx";
        Weapons(Weapon) = "weapons", b"WPpx";
        SavedPlayers(SavedPlayer) = "saved_players", b"plyr";
        SavedObjects(SavedObject) = "saved_objects", b"mobj";
        SavedMonsters(SavedMonster) = "saved_monsters", b"mOns";
        SavedEffects(SavedEffect) = "saved_effects", b"fx  ";
        SavedProjectiles(SavedProjectile) = "saved_projectiles", b"bang";
        Worlds(World) = "worlds", b"dwol";
        Arsenals(Arsenal) = "arsenals", b"weap";
        Computers(Computer) = "computers", b"cint";
        // One bit each, the lowest first.
        SeenLines(U8) = "seen_lines", b"alin";
        SeenPolygons(U8) = "seen_polygons", b"apol";
    }
    singles {
        EarlyInformation(EarlyInformation) = "early_information", b"Minf" in Marathon;
        Information(Information) = "information", b"Minf";
        ShortInformation(ShortInformation) = "short_information", b"Minf";
        Name(Name) = "name", b"NAME";
        Placement(Placement) = "placement", b"plac";
        Colors(Palette) = "colors", b"clut";
    }
    models {
        ShapesPatch(Box<ShapesPatch>) = "shapes-patch", b"ShPa";
        SoundsPatch(Box<SoundsPatch>) = "sounds-patch", b"SnPa";
        Terminals(Terminals) = "terminals", b"term";
        Scripts(Scripts) = "scripts", b"MMLS" | b"LUAS";
        Picture(Box<Picture>) = "picture", b"PICT";
        RawPicture(Box<RawPicture>) = "raw-picture", b"pict";
        Sound(Box<SoundResource>) = "sound", b"snd ";
        Text(PlainText) = "text", b"TEXT";
    }
}

lint_as!(Content, it => match it {
    Self::ShapesPatch(patch) => patch,
    _ => &(),
});

impl Default for Content {
    fn default() -> Self {
        Self::Opaque(Block::default())
    }
}

/// Declares functions that return the records of a chunk.
macro_rules! records {
    ($($name:ident, $array:ident($of:ty);)*) => {
        impl Content {
            $(
                /// Returns these records, or `None` if the chunk holds other data or no records.
                #[must_use]
                pub fn $name(&self) -> Option<&[$of]> {
                    if let Self::$array(array) = self { Some(&*array.records).filter(|it| !it.is_empty()) } else { None }
                }
            )*
        }
    };
}

records! {
    points, Points(Point);
    endpoints, Endpoints(Endpoint);
    lines, Lines(Line);
    polygons, Polygons(Polygon);
    early_polygons, EarlyPolygons(EarlyPolygon);
    annotations, Annotations(Annotation);
    indices, Indices(I16be);
    platforms, Platforms(Platform);
}

impl Content {
    /// Returns the objects, or `None` if the chunk holds other data or no records.
    #[must_use]
    pub fn objects(&self) -> Option<&[Object]> {
        let objects = match self {
            Self::Objects(array) => &*array.records,
            Self::EarlyObjects(array) => bytemuck::must_cast_slice(&array.records),
            _ => return None,
        };
        Some(objects).filter(|it| !it.is_empty())
    }

    /// Returns the polygons of any game, none if the chunk holds other data.
    #[must_use]
    pub fn any_polygons(&self) -> Vec<&dyn AnyPolygon> {
        fn any<P: AnyPolygon>(polygon: &P) -> &dyn AnyPolygon {
            polygon
        }
        match self {
            Self::Polygons(array) => array.records.iter().map(any).collect(),
            Self::EarlyPolygons(array) => array.records.iter().map(any).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the level data of this chunk that a directory repeats.
    pub(super) fn repeated(&self) -> Option<LevelData> {
        Some(match self {
            Self::Information(information) => information.repeated(),
            Self::EarlyInformation(information) => information.repeated(),
            Self::ShortInformation(information) => information.repeated(),
            _ => return None,
        })
    }

    /// Returns the expected length of a chunk that is kept as raw bytes although its tag is known, or `None` if that is normal.
    pub(super) fn unusual(&self, tag: FourCc) -> Option<&'static str> {
        match (self, &tag.0) {
            (Self::Opaque(bytes), _) if bytes.is_empty() => None,
            (Self::Opaque(_), b"Minf") => Some("88 bytes"),
            (Self::Opaque(_), b"NAME") => Some("64 bytes"),
            (Self::Opaque(_), b"plac") => Some("1536 bytes"),
            (Self::Opaque(_), b"clut") => Some("1542 bytes"),
            (Self::Opaque(_), b"door" | b"p\x8Cth") => Some("no bytes"),
            _ => None,
        }
    }
}
