//! Properties of levels.
#![allow(missing_docs, reason = "the names are all there is to say")]

use field::{flags, names};

/// Declares flags for the types of game that a level can be played in.
macro_rules! entry_points {
    ($(#[$meta:meta])* $name:ident($store:ident: $of:ty)) => {
        flags! {
            $(#[$meta])*
            pub struct $name($store: $of) {
                SOLO = 0x01;
                COOPERATIVE = 0x02;
                CARNAGE = 0x04;
                KILL_THE_MAN_WITH_THE_BALL = 0x08;
                KING_OF_THE_HILL = 0x10;
                DEFENSE = 0x20;
                RUGBY = 0x40;
                CAPTURE_THE_FLAG = 0x80;
            }
        }
    };
}

entry_points! {
    /// The types of game that a level can be played in; no level of Marathon has the solo flag. Source: `marathon-enums.md`.
    EntryPointFlags(U32be: u32)
}

entry_points! {
    /// Entry point flags, truncated to 16 bits by one editor. Source: `marathon-map.md`, `Minf`.
    ShortEntryPointFlags(U16be: u16)
}

flags! {
    /// The mission of a level; in files of Marathon the plain bits mean Marathon's missions. Source: `marathon-enums.md`.
    pub struct MissionFlags(U16be: u16) {
        EXTERMINATION = 0x01;
        EXPLORATION = 0x02;
        RETRIEVAL = 0x04;
        REPAIR = 0x08;
        RESCUE = 0x10;
        MARATHON_EXPLORATION = 0x20;
        MARATHON_RESCUE = 0x40;
        MARATHON_REPAIR = 0x80;
    }
}

flags! {
    /// Special conditions in a level. Source: `marathon-enums.md`.
    pub struct EnvironmentFlags(U16be: u16) {
        VACUUM = 0x0001;
        MAGNETIC = 0x0002;
        REBELLION = 0x0004;
        LOW_GRAVITY = 0x0008;
        MARATHON_GLUE = 0x0010;
        MARATHON_OUCH = 0x0020;
        MARATHON_REBELLION = 0x0040;
        SONG_INDEX = 0x0080;
        TERMINALS_STOP_TIME = 0x0100;
        MARATHON_ACTIVATION_RANGE = 0x0200;
        MARATHON_WEAPONS = 0x0400;
        NETWORK = 0x2000;
        SOLO = 0x4000;
    }
}

names! {
    /// The walls of a level, in Marathon 2 and Infinity. Source: `marathon-enums.md`.
    pub struct Environment(I16be: i16) {
        WATER = 0;
        LAVA = 1;
        SEWAGE = 2;
        JJARO = 3;
        PFHOR = 4;
    }
}

names! {
    /// The sky of a level, in Marathon 2 and Infinity. Source: `marathon-enums.md`, Wad level.
    pub struct Landscape(I16be: i16) {
        DAY = 0;
        NIGHT = 1;
        MOON = 2;
        OUTER_SPACE = 3;
    }
}

names! {
    /// The contents of a wad. Source: `marathon-enums.md`, Wad level.
    pub struct DataVersion(I16be: i16) {
        /// A map of Marathon, or physics of any game.
        MARATHON_OR_PHYSICS = 0;
        /// A map of Marathon 2 or Infinity.
        MARATHON_2_OR_INFINITY = 1;
        /// A saved game of Infinity, or a map.
        INFINITY = 2;
    }
}
