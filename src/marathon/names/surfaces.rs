//! Purposes of polygons, and appearance of surfaces.
#![allow(missing_docs, reason = "the names are all there is to say")]

use field::{flags, names};

names! {
    /// The purpose of a polygon, in Marathon 2 and Infinity; names from 19 onward are those of Marathon. Source: `marathon-enums.md`.
    pub struct PolygonKind(I16be: i16) {
        NORMAL = 0;
        ITEM_IMPASSABLE = 1;
        MONSTER_IMPASSABLE = 2;
        HILL = 3;
        BASE = 4;
        PLATFORM = 5;
        LIGHT_ON_TRIGGER = 6;
        PLATFORM_ON_TRIGGER = 7;
        LIGHT_OFF_TRIGGER = 8;
        PLATFORM_OFF_TRIGGER = 9;
        TELEPORTER = 10;
        ZONE_BORDER = 11;
        GOAL = 12;
        VISIBLE_MONSTER_TRIGGER = 13;
        INVISIBLE_MONSTER_TRIGGER = 14;
        DUAL_MONSTER_TRIGGER = 15;
        ITEM_TRIGGER = 16;
        MUST_BE_EXPLORED = 17;
        AUTOMATIC_EXIT = 18;
        MINOR_OUCH = 19;
        MAJOR_OUCH = 20;
        GLUE = 21;
        GLUE_TRIGGER = 22;
        SUPERGLUE = 23;
    }
}

names! {
    /// The drawing and motion of a surface. Source: `marathon-enums.md`.
    pub struct TransferMode(I16be: i16) {
        NONE = -1;
        NORMAL = 0;
        FADE_OUT_TO_BLACK = 1;
        INVISIBILITY = 2;
        SUBTLE_INVISIBILITY = 3;
        PULSATE = 4;
        WOBBLE = 5;
        FAST_WOBBLE = 6;
        STATIC = 7;
        HALF_STATIC = 8;
        LANDSCAPE = 9;
        SMEAR = 10;
        FADE_OUT_STATIC = 11;
        PULSATING_STATIC = 12;
        FOLD_IN = 13;
        FOLD_OUT = 14;
        HORIZONTAL_SLIDE = 15;
        FAST_HORIZONTAL_SLIDE = 16;
        VERTICAL_SLIDE = 17;
        FAST_VERTICAL_SLIDE = 18;
        WANDER = 19;
        FAST_WANDER = 20;
        BIG_LANDSCAPE = 21;
        REVERSE_HORIZONTAL_SLIDE = 22;
        REVERSE_FAST_HORIZONTAL_SLIDE = 23;
        REVERSE_VERTICAL_SLIDE = 24;
        REVERSE_FAST_VERTICAL_SLIDE = 25;
        DOUBLE = 26;
        QUADRUPLE = 27;
    }
}

names! {
    /// The purpose of a polygon in Marathon. Source: `marathon-enums.md`.
    pub struct EarlyPolygonKind(I16be: i16) {
        NORMAL = 0;
        ITEM_IMPASSABLE = 1;
        MONSTER_IMPASSABLE = 2;
        MINOR_OUCH = 3;
        MAJOR_OUCH = 4;
        PLATFORM = 5;
        LIGHT_ON_TRIGGER = 6;
        PLATFORM_ON_TRIGGER = 7;
        LIGHT_OFF_TRIGGER = 8;
        PLATFORM_OFF_TRIGGER = 9;
        TELEPORTER = 10;
        GLUE = 11;
        GLUE_TRIGGER = 12;
        SUPERGLUE = 13;
        MUST_BE_EXPLORED = 14;
        AUTOMATIC_EXIT = 15;
    }
}

flags! {
    /// Special properties of a polygon. Source: `marathon-enums.md`.
    pub struct PolygonFlags(U16be: u16) {
        DETACHED = 1 << 14;
    }
}

flags! {
    /// Passability of an endpoint. Source: `marathon-enums.md`.
    pub struct EndpointFlags(U16be: u16) {
        SOLID = 1 << 0;
        ELEVATION = 1 << 1;
        TRANSPARENT = 1 << 2;
    }
}

flags! {
    /// Passability and visibility of a line. Source: `marathon-enums.md`.
    pub struct LineFlags(U16be: u16) {
        DECORATIVE = 1 << 8;
        HAS_TRANSPARENT_SIDE = 1 << 9;
        VARIABLE_ELEVATION = 1 << 10;
        ELEVATION = 1 << 11;
        LANDSCAPED = 1 << 12;
        TRANSPARENT = 1 << 13;
        SOLID = 1 << 14;
    }
}

names! {
    /// The visible parts of a side. Source: `marathon-enums.md`.
    pub struct SideKind(I16be: i16) {
        FULL = 0;
        HIGH = 1;
        LOW = 2;
        COMPOSITE = 3;
        SPLIT = 4;
    }
}

flags! {
    /// Special properties of a side, mostly of its control panel. Source: `marathon-enums.md`.
    pub struct SideFlags(U16be: u16) {
        PANEL_STATUS_ON = 1 << 0;
        CONTROL_PANEL = 1 << 1;
        REPAIR_SWITCH = 1 << 2;
        DESTRUCTIVE = 1 << 3;
        LIGHTED_SWITCH = 1 << 4;
        CAN_BE_DESTROYED = 1 << 5;
        ONLY_BY_PROJECTILES = 1 << 6;
        ITEM_OPTIONAL = 1 << 7;
        MARATHON_LIGHTED_SWITCH = 1 << 8;
        EDITOR_DIRTY = 1 << 14;
        RESERVED = 1 << 15;
    }
}

names! {
    /// The type of a control panel, and its texture; Marathon has its own numbers. Source: `marathon-enums.md`.
    pub struct ControlPanel(I16be: i16) {
        NONE = -1;
        WATER_OXYGEN = 0;
        WATER_SHIELD = 1;
        WATER_DOUBLE_SHIELD = 2;
        WATER_CHIP_INSERTION = 3;
        WATER_LIGHT_SWITCH = 4;
        WATER_PLATFORM_SWITCH = 5;
        WATER_TAG_SWITCH = 6;
        WATER_PATTERN_BUFFER = 7;
        WATER_TERMINAL = 8;
        WATER_WIRES = 9;
        LAVA_SHIELD = 10;
        LAVA_DOUBLE_SHIELD = 11;
        LAVA_TRIPLE_SHIELD = 12;
        LAVA_LIGHT_SWITCH = 13;
        LAVA_PLATFORM_SWITCH = 14;
        LAVA_TAG_SWITCH = 15;
        LAVA_PATTERN_BUFFER = 16;
        LAVA_TERMINAL = 17;
        LAVA_OXYGEN = 18;
        LAVA_CHIP_INSERTION = 19;
        LAVA_WIRES = 20;
        SEWAGE_SHIELD = 21;
        SEWAGE_DOUBLE_SHIELD = 22;
        SEWAGE_TRIPLE_SHIELD = 23;
        SEWAGE_LIGHT_SWITCH = 24;
        SEWAGE_PLATFORM_SWITCH = 25;
        SEWAGE_TAG_SWITCH = 26;
        SEWAGE_PATTERN_BUFFER = 27;
        SEWAGE_TERMINAL = 28;
        SEWAGE_OXYGEN = 29;
        SEWAGE_CHIP_INSERTION = 30;
        SEWAGE_WIRES = 31;
        PFHOR_SHIELD = 32;
        PFHOR_DOUBLE_SHIELD = 33;
        PFHOR_TRIPLE_SHIELD = 34;
        PFHOR_LIGHT_SWITCH = 35;
        PFHOR_PLATFORM_SWITCH = 36;
        PFHOR_TAG_SWITCH = 37;
        PFHOR_PATTERN_BUFFER = 38;
        PFHOR_TERMINAL = 39;
        PFHOR_OXYGEN = 40;
        PFHOR_CHIP_INSERTION = 41;
        PFHOR_WIRES = 42;
        JJARO_SHIELD = 43;
        JJARO_DOUBLE_SHIELD = 44;
        JJARO_TRIPLE_SHIELD = 45;
        JJARO_LIGHT_SWITCH = 46;
        JJARO_PLATFORM_SWITCH = 47;
        JJARO_TAG_SWITCH = 48;
        JJARO_PATTERN_BUFFER = 49;
        JJARO_TERMINAL = 50;
        JJARO_OXYGEN = 51;
        JJARO_CHIP_INSERTION = 52;
        JJARO_WIRES = 53;
    }
}
