//! Scenery.
#![allow(missing_docs, reason = "the names are all there is to say")]

use field::names;

names! {
    /// A piece of scenery of Marathon 2 and Infinity, with the walls that it goes with. Source: `marathon-enums.md`, Scenery.
    pub struct Scenery(I16be: i16) {
        LAVA_LIGHT_DIRT = 0;
        LAVA_DARK_DIRT = 1;
        LAVA_BONES = 2;
        LAVA_BONE = 3;
        LAVA_RIBS = 4;
        LAVA_SKULL = 5;
        LAVA_HANGING_LIGHT_1 = 6;
        LAVA_HANGING_LIGHT_2 = 7;
        LAVA_SMALL_CYLINDER = 8;
        LAVA_LARGE_CYLINDER = 9;
        LAVA_BLOCK_1 = 10;
        LAVA_BLOCK_2 = 11;
        LAVA_BLOCK_3 = 12;
        WATER_PISTOL_CLIP = 13;
        WATER_SHORT_LIGHT = 14;
        WATER_LONG_LIGHT = 15;
        WATER_SIREN = 16;
        WATER_ROCKS = 17;
        WATER_BLOOD_DROPS = 18;
        WATER_FILTRATION_DEVICE = 19;
        WATER_GUN = 20;
        WATER_BOB_REMAINS = 21;
        WATER_PUDDLES = 22;
        WATER_BIG_PUDDLES = 23;
        WATER_SECURITY_MONITOR = 24;
        WATER_ALIEN_SUPPLY_CAN = 25;
        WATER_MACHINE = 26;
        WATER_FIGHTERS_STAFF = 27;
        SEWAGE_STUBBY_LIGHT = 28;
        SEWAGE_LONG_LIGHT = 29;
        SEWAGE_JUNK = 30;
        SEWAGE_BIG_ANTENNA_1 = 31;
        SEWAGE_BIG_ANTENNA_2 = 32;
        SEWAGE_SUPPLY_CAN = 33;
        SEWAGE_BONES = 34;
        SEWAGE_BIG_BONES = 35;
        SEWAGE_PFHOR_PIECES = 36;
        SEWAGE_BOB_PIECES = 37;
        SEWAGE_BOB_BLOOD = 38;
        PFHOR_GREEN_LIGHT = 39;
        PFHOR_SMALL_LIGHT = 40;
        PFHOR_CEILING_ROD_LIGHT = 41;
        PFHOR_YELLOW_OBJECT = 42;
        PFHOR_GRAY_OBJECT = 43;
        PFHOR_SKELETON = 44;
        PFHOR_MASK = 45;
        PFHOR_GREEN_STUFF = 46;
        PFHOR_HUNTER_SHIELD = 47;
        PFHOR_BONES = 48;
        PFHOR_SLUDGE = 49;
        JJARO_SHORT_CEILING_LIGHT = 50;
        JJARO_LONG_LIGHT = 51;
        JJARO_WEIRD_ROD = 52;
        JJARO_PFHOR_SHIP = 53;
        JJARO_SUN = 54;
        JJARO_GLASS_CONTAINER = 55;
        JJARO_NUB_1 = 56;
        JJARO_NUB_2 = 57;
        JJARO_LHOWON = 58;
        JJARO_FLOOR_ANTENNA = 59;
        JJARO_CEILING_ANTENNA = 60;
    }
}
