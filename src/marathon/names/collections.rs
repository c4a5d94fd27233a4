//! Collections of shapes, and words that refer to them. Source: `marathon-enums.md`, Geometry.

use field::packed;
use field::packed::{Part, Word};

/// The collections of Marathon 2 and Infinity.
const COLLECTIONS: &[(u32, &str)] = &[
    (0, "INTERFACE"),
    (1, "WEAPONS_IN_HAND"),
    (2, "JUGGERNAUT"),
    (3, "TICK"),
    (4, "ROCKET"),
    (5, "HUNTER"),
    (6, "PLAYER"),
    (7, "ITEMS"),
    (8, "TROOPER"),
    (9, "FIGHTER"),
    (10, "DEFENDER"),
    (11, "YETI"),
    (12, "CIVILIAN"),
    (13, "CIVILIAN_FUSION"),
    (14, "ENFORCER"),
    (15, "HUMMER"),
    (16, "COMPILER"),
    (17, "WALLS1"),
    (18, "WALLS2"),
    (19, "WALLS3"),
    (20, "WALLS4"),
    (21, "WALLS5"),
    (22, "SCENERY1"),
    (23, "SCENERY2"),
    (24, "SCENERY3"),
    (25, "SCENERY4"),
    (26, "SCENERY5"),
    (27, "LANDSCAPE1"),
    (28, "LANDSCAPE2"),
    (29, "LANDSCAPE3"),
    (30, "LANDSCAPE4"),
    (31, "CYBORG"),
];

/// The collections of Marathon.
const EARLY_COLLECTIONS: &[(u32, &str)] = &[
    (0, "INTERFACE"),
    (1, "WEAPONS_IN_HAND"),
    (2, "PFHOR_WALLS"),
    (3, "LOOKER"),
    (4, "ROCKET"),
    (5, "HUNTER"),
    (6, "PLAYER"),
    (7, "ITEMS"),
    (8, "MARATHON_SWITCHES"),
    (9, "FIGHTER"),
    (10, "STATUS_DISPLAY"),
    (12, "CIVILIAN"),
    (14, "ENFORCER"),
    (15, "HULK"),
    (16, "COMPILER"),
    (17, "WALLS1"),
    (18, "WALLS2"),
    (19, "WALLS3"),
    (21, "JUGGERNAUT"),
    (22, "MADD"),
    (23, "SCENERY2"),
    (24, "PFHOR_SWITCHES"),
    (25, "SCENERY4"),
    (26, "TROOPER"),
    (27, "WASP"),
    (29, "PFHOR_QUEEN"),
];

/// Returns the parts of a shape in one of these collections.
const fn shape(collections: &'static [(u32, &'static str)]) -> [Part; 3] {
    [
        Part::named("COLLECTION", 0x1F00, collections),
        Part { is_always_shown: true, ..Part::number("SHAPE", 0x00FF) },
        Part::number("COLOR_TABLE", 0xE000),
    ]
}

/// Returns the parts of one of these collections.
const fn collection(collections: &'static [(u32, &'static str)]) -> [Part; 2] {
    [Part::named("COLLECTION", 0x1F, collections), Part::number("COLOR_TABLE", 0xE0)]
}

packed! {
    /// A shape of a collection, drawn with a color table: in JSON `WALLS1 | SHAPE=5 | COLOR_TABLE=2`. Source: `marathon-enums.md`, Shape
    /// descriptor.
    pub struct Shape(U16be: u16) = Word { has_none: true, is_little: false, parts: &const { shape(COLLECTIONS) } }
}

packed! {
    /// A shape of a collection of Marathon. Source: `marathon-enums.md`, Shape descriptor.
    pub struct EarlyShape(U16be: u16) = Word { has_none: true, is_little: false, parts: &const { shape(EARLY_COLLECTIONS) } }
}

packed! {
    /// The collection of a definition in a physics model, and its color table: in JSON `FIGHTER | COLOR_TABLE=2`. Source:
    /// `marathon-enums.md`, Shape descriptor.
    pub struct Collection(I16be: i16) = Word { has_none: true, is_little: false, parts: &const { collection(COLLECTIONS) } }
}

packed! {
    /// The collection of a definition in a physics model of Marathon. Source: `marathon-enums.md`, Shape descriptor.
    pub struct EarlyCollection(I16be: i16) = Word { has_none: true, is_little: false, parts: &const { collection(EARLY_COLLECTIONS) } }
}

packed! {
    /// The collection that a patch of shapes changes. Source: `marathon-enums.md`, Collections.
    pub struct PatchedCollection(U32be: u32) =
        Word { has_none: false, is_little: false, parts: &const { [Part::named("COLLECTION", 0x1F, COLLECTIONS)] } }
}
