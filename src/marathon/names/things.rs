//! Contents of a level: objects, lights, liquids, sounds, platforms.
#![allow(missing_docs, reason = "the names are all there is to say")]

use field::{flags, names};

names! {
    /// The type of an object. Source: `marathon-enums.md`.
    pub struct ObjectGroup(I16be: i16) {
        MONSTER = 0;
        SCENERY = 1;
        ITEM = 2;
        PLAYER = 3;
        GOAL = 4;
        SOUND_SOURCE = 5;
    }
}

flags! {
    /// The placement of an object, and the activation bias of a monster. Source: `marathon-enums.md`.
    pub struct ObjectFlags(U16be: u16) {
        INVISIBLE_OR_PLATFORM_SOUND = 0x0001;
        HANGS_FROM_CEILING = 0x0002;
        BLIND = 0x0004;
        DEAF = 0x0008;
        FLOATS = 0x0010;
        NETWORK_ONLY = 0x0020;
        BIAS_RANDOM = 0x3000;
        BIAS_GOAL = 0x2000;
        BIAS_NEAREST_HOSTILE = 0x1000;
    }
}

flags! {
    /// The respawning of objects. Source: `marathon-enums.md`.
    pub struct FrequencyFlags(U16be: u16) {
        REAPPEARS_IN_RANDOM_PLACE = 0x0001;
    }
}

names! {
    /// The targets that a monster activates for. Source: `marathon-enums.md`, Objects.
    pub struct ActivationBias(I16be: i16) {
        PLAYER = 0;
        NEAREST_HOSTILE = 1;
        GOAL = 2;
        RANDOM = 3;
    }
}

names! {
    /// The type of a light. Source: `marathon-enums.md`.
    pub struct LightKind(I16be: i16) {
        NORMAL = 0;
        STROBE = 1;
        MEDIA = 2;
    }
}

flags! {
    /// The behavior of a light. Source: `marathon-enums.md`.
    pub struct LightFlags(U16be: u16) {
        INITIALLY_ACTIVE = 0x1;
        SLAVED_INTENSITIES = 0x2;
        STATELESS = 0x4;
    }
}

names! {
    /// The change of an intensity over a period. Source: `marathon-enums.md`.
    pub struct LightFunction(I16be: i16) {
        CONSTANT = 0;
        LINEAR = 1;
        SMOOTH = 2;
        FLICKER = 3;
        RANDOM = 4;
        FLUORESCENT = 5;
    }
}

names! {
    /// The type of a light in Marathon. Source: `marathon-enums.md`.
    pub struct EarlyLightKind(I16be: i16) {
        NORMAL = 0;
        RHEOSTAT = 1;
        FLUORESCENT = 2;
        STROBE = 3;
        FLICKERS = 4;
        PULSATES = 5;
        ANNOYING = 6;
        ENERGY_EFFICIENT = 7;
    }
}

names! {
    /// The state of a light in Marathon. Source: `marathon-enums.md`.
    pub struct EarlyLightMode(I16be: i16) {
        TURNING_ON = 0;
        ON = 1;
        TURNING_OFF = 2;
        OFF = 3;
        TOGGLE = 4;
    }
}

names! {
    /// The type of liquid in a polygon. Source: `marathon-enums.md`.
    pub struct MediaKind(I16be: i16) {
        WATER = 0;
        LAVA = 1;
        GOO = 2;
        SEWAGE = 3;
        JJARO = 4;
    }
}

flags! {
    /// The behavior of a liquid. Source: `marathon-enums.md`.
    pub struct MediaFlags(U16be: u16) {
        SOUND_OBSTRUCTED_BY_FLOOR = 0x0001;
        /// Set in a running game, but also in files.
        SLOT_IN_USE = 0x8000;
    }
}

flags! {
    /// The behavior of a random sound. Source: `marathon-enums.md`.
    pub struct RandomSoundFlags(U16be: u16) {
        NOT_DIRECTIONAL = 0x0001;
    }
}

names! {
    /// The type of a platform. Source: `marathon-enums.md`.
    pub struct PlatformKind(I16be: i16) {
        SPHT_DOOR = 0;
        SPLIT_DOOR = 1;
        LOCKED_DOOR = 2;
        SPHT_PLATFORM = 3;
        NOISY_PLATFORM = 4;
        HEAVY_DOOR = 5;
        PFHOR_DOOR = 6;
        HEAVY_PLATFORM = 7;
        PFHOR_PLATFORM = 8;
    }
}

names! {
    /// The usual speeds of a platform, in world distances per tick. Source: `marathon-enums.md`, Platforms.
    pub struct PlatformSpeed(I16be: i16) {
        VERY_SLOW = 8;
        SLOW = 17;
        FAST = 34;
        VERY_FAST = 51;
        BLINDING = 68;
    }
}

flags! {
    /// The behavior of a platform. Source: `marathon-enums.md`.
    pub struct PlatformFlags(U32be: u32) {
        INITIALLY_ACTIVE = 1 << 0;
        INITIALLY_EXTENDED = 1 << 1;
        DEACTIVATES_AT_EACH_LEVEL = 1 << 2;
        DEACTIVATES_AT_INITIAL_LEVEL = 1 << 3;
        ACTIVATES_ADJACENT_WHEN_DEACTIVATING = 1 << 4;
        EXTENDS_FLOOR_TO_CEILING = 1 << 5;
        COMES_FROM_FLOOR = 1 << 6;
        COMES_FROM_CEILING = 1 << 7;
        CAUSES_DAMAGE = 1 << 8;
        DOES_NOT_ACTIVATE_PARENT = 1 << 9;
        ACTIVATES_ONLY_ONCE = 1 << 10;
        ACTIVATES_LIGHT = 1 << 11;
        DEACTIVATES_LIGHT = 1 << 12;
        PLAYER_CONTROLLABLE = 1 << 13;
        MONSTER_CONTROLLABLE = 1 << 14;
        REVERSES_WHEN_OBSTRUCTED = 1 << 15;
        CANNOT_BE_EXTERNALLY_DEACTIVATED = 1 << 16;
        USES_NATIVE_POLYGON_HEIGHTS = 1 << 17;
        DELAYS_BEFORE_ACTIVATION = 1 << 18;
        ACTIVATES_ADJACENT_WHEN_ACTIVATING = 1 << 19;
        DEACTIVATES_ADJACENT_WHEN_ACTIVATING = 1 << 20;
        DEACTIVATES_ADJACENT_WHEN_DEACTIVATING = 1 << 21;
        CONTRACTS_SLOWER = 1 << 22;
        ACTIVATES_ADJACENT_AT_EACH_LEVEL = 1 << 23;
        /// In files of Marathon the platform floods.
        LOCKED = 1 << 24;
        SECRET = 1 << 25;
        DOOR = 1 << 26;
        FLOODS_AS_IN_MARATHON = 1 << 27;
    }
}

flags! {
    /// The state of a platform. Source: `marathon-enums.md`.
    pub struct PlatformState(U16be: u16) {
        ACTIVE = 1 << 0;
        EXTENDING = 1 << 1;
        MOVING = 1 << 2;
        HAS_BEEN_ACTIVATED = 1 << 3;
        WAS_MOVING = 1 << 4;
        FULLY_EXTENDED = 1 << 5;
        FULLY_CONTRACTED = 1 << 6;
        JUST_CHANGED = 1 << 7;
        FLOOR_BELOW_MEDIA = 1 << 8;
        CEILING_BELOW_MEDIA = 1 << 9;
    }
}
