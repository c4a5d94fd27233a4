//! Objects, their frequencies, and notes.

use crate::field::{I16be, Mac, Text, U16be};
use crate::record;

use super::super::names::{FrequencyFlags, ObjectFlags, ObjectGroup};
use super::super::numbers::{Angle, Distance, Index};

record! {
    /// An object, 16 bytes. Source: `marathon-map.md`, `OBJS`.
    pub struct Object: 16 {
        group: ObjectGroup,
        /// Index in its group: a monster, a piece of scenery, an item, a team, a goal, a sound.
        index: I16be,
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
