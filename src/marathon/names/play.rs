//! Game settings and player actions.
#![allow(missing_docs, reason = "the names are all there is to say")]

use field::{flags, names};

names! {
    /// The type of game. Source: `marathon-enums.md`.
    pub struct GameKind(I16be: i16) {
        KILL_MONSTERS = 0;
        COOPERATIVE = 1;
        CAPTURE_THE_FLAG = 2;
        KING_OF_THE_HILL = 3;
        KILL_THE_MAN_WITH_THE_BALL = 4;
        DEFENSE = 5;
        RUGBY = 6;
        TAG = 7;
        CUSTOM = 8;
    }
}

flags! {
    /// The rules of a game. Source: `marathon-enums.md`.
    pub struct GameOptions(U16be: u16) {
        MULTIPLAYER = 0x0001;
        AMMUNITION_REPLENISHES = 0x0002;
        WEAPONS_REPLENISH = 0x0004;
        SPECIALS_REPLENISH = 0x0008;
        MONSTERS_REPLENISH = 0x0010;
        NO_MOTION_SENSOR = 0x0020;
        OMNISCIENT_MAP = 0x0040;
        ITEMS_BURN_ON_DEATH = 0x0080;
        LIVE_STATISTICS = 0x0100;
        KILL_LIMIT = 0x0200;
        UNIQUE_TEAMS = 0x0400;
        DYING_PENALIZED = 0x0800;
        SUICIDE_PENALIZED = 0x1000;
        MAP_SHOWS_ITEMS = 0x2000;
        MAP_SHOWS_MONSTERS = 0x4000;
        MAP_SHOWS_PROJECTILES = 0x8000;
    }
}

names! {
    /// The difficulty level. Source: `marathon-enums.md`.
    pub struct Difficulty(I16be: i16) {
        KINDERGARTEN = 0;
        EASY = 1;
        NORMAL = 2;
        MAJOR_DAMAGE = 3;
        TOTAL_CARNAGE = 4;
    }
}

names! {
    /// The engine version that made a recording. Source: `marathon-enums.md`.
    pub struct Recording(I16be: i16) {
        ORIGINAL = 0;
        MARATHON = 1;
        MARATHON_2 = 2;
        INFINITY = 3;
        EARLY_ALEPH_ONE = 4;
        ALEPH_ONE_1_0 = 7;
        ALEPH_ONE_1_1 = 8;
        ALEPH_ONE_1_2 = 9;
        ALEPH_ONE_1_3 = 10;
        ALEPH_ONE_1_4 = 11;
        ALEPH_ONE_1_7 = 12;
        ALEPH_ONE_1_11 = 13;
    }
}

flags! {
    /// A player's actions in a tick. With an absolute mode, bits without a name form a number. Source: `marathon-enums.md`.
    pub struct ActionFlags(U32be: u32) {
        ABSOLUTE_YAW = 1 << 0;
        TURN_LEFT = 1 << 1;
        TURN_RIGHT = 1 << 2;
        SIDESTEP_INSTEAD_OF_TURN = 1 << 3;
        LOOK_LEFT = 1 << 4;
        LOOK_RIGHT = 1 << 5;
        ABSOLUTE_PITCH = 1 << 8;
        LOOK_UP = 1 << 9;
        LOOK_DOWN = 1 << 10;
        LOOK_CENTER = 1 << 11;
        ABSOLUTE_POSITION = 1 << 14;
        FORWARD = 1 << 15;
        BACKWARD = 1 << 16;
        RUN = 1 << 17;
        LOOK_INSTEAD_OF_TURN = 1 << 18;
        SIDESTEP_LEFT = 1 << 22;
        SIDESTEP_RIGHT = 1 << 23;
        LEFT_TRIGGER = 1 << 24;
        RIGHT_TRIGGER = 1 << 25;
        ACTION = 1 << 26;
        NEXT_WEAPON = 1 << 27;
        PREVIOUS_WEAPON = 1 << 28;
        MAP = 1 << 29;
        MICROPHONE = 1 << 30;
        SWIM = 1 << 31;
    }
}
