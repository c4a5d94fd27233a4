//! Objects, their frequencies, and notes.

use field::record;
use field::{I16be, Mac, Shape, Shaped as _, Text, U16be};

use super::super::names::{FrequencyFlags, Item, MonsterKind, ObjectFlags, ObjectGroup, Scenery};
use super::super::numbers::{Angle, Distance, Index};

/// The names of the indices in a group of objects, or plain numbers.
fn names(group: ObjectGroup) -> &'static Shape {
    match group {
        ObjectGroup::MONSTER => &MonsterKind::SHAPE,
        ObjectGroup::SCENERY => &Scenery::SHAPE,
        ObjectGroup::ITEM => &Item::SHAPE,
        _ => &I16be::SHAPE,
    }
}

/// Declares an object: Marathon has other monsters, items and scenery.
macro_rules! object {
    ($(#[$meta:meta])* $name:ident, [$($named:tt)*]) => {
        record! {
            $(#[$meta])*
            pub struct $name: 16 {
                group: ObjectGroup,
                /// Index in its group: a monster, a piece of scenery, an item, a team, a goal, a sound.
                index: I16be $($named)*,
                /// For a sound source: the volume, or the light that it depends on if negative.
                facing: Angle,
                polygon: Index,
                x: Distance,
                y: Distance,
                /// Height above the floor or below the ceiling.
                z: Distance,
                flags: ObjectFlags,
            }
        }
    };
}

object! {
    /// An object, 16 bytes. The names of its index depend on its group. Source: `marathon-map.md`, `OBJS`.
    Object, [as Named => |object| names(object.group)]
}

object! {
    /// An object of Marathon, 16 bytes. Source: `marathon-map.md`, `OBJS`.
    EarlyObject, []
}

record! {
    /// The frequency of an item or a monster, 12 bytes. Source: `marathon-map.md`, `plac`.
    pub struct Frequency: 12 {
        flags: FrequencyFlags,
        initial_count: I16be,
        minimum: I16be,
        maximum: I16be,
        /// -1 for no limit.
        random_count: I16be,
        random_chance: U16be,
    }
}

record! {
    /// The frequencies of all items and monsters, 1,536 bytes. Source: `marathon-map.md`, `plac`.
    pub struct Placement: 1536 {
        items: [Frequency; 64],
        monsters: [Frequency; 64],
    }
}

record! {
    /// A note on the map, 72 bytes. Source: `marathon-map.md`, `NOTE`.
    pub struct Annotation: 72 {
        kind: I16be,
        x: Distance,
        y: Distance,
        polygon: Index,
        text: Text<64, Mac>,
    }
}
