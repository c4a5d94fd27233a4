//! Monsters.
#![allow(missing_docs, reason = "the names are all there is to say")]

use field::names;

names! {
    /// A monster of Marathon 2 and Infinity. Source: `marathon-enums.md`.
    pub struct MonsterKind(I16be: i16) {
        NONE = -1;
        MARINE = 0;
        TICK_ENERGY = 1;
        TICK_OXYGEN = 2;
        TICK_KAMIKAZE = 3;
        COMPILER_MINOR = 4;
        COMPILER_MAJOR = 5;
        COMPILER_MINOR_INVISIBLE = 6;
        COMPILER_MAJOR_INVISIBLE = 7;
        FIGHTER_MINOR = 8;
        FIGHTER_MAJOR = 9;
        FIGHTER_MINOR_PROJECTILE = 10;
        FIGHTER_MAJOR_PROJECTILE = 11;
        CIVILIAN_CREW = 12;
        CIVILIAN_SCIENCE = 13;
        CIVILIAN_SECURITY = 14;
        CIVILIAN_ASSIMILATED = 15;
        HUMMER_MINOR = 16;
        HUMMER_MAJOR = 17;
        HUMMER_BIG_MINOR = 18;
        HUMMER_BIG_MAJOR = 19;
        HUMMER_POSSESSED = 20;
        CYBORG_MINOR = 21;
        CYBORG_MAJOR = 22;
        CYBORG_FLAME_MINOR = 23;
        CYBORG_FLAME_MAJOR = 24;
        ENFORCER_MINOR = 25;
        ENFORCER_MAJOR = 26;
        HUNTER_MINOR = 27;
        HUNTER_MAJOR = 28;
        TROOPER_MINOR = 29;
        TROOPER_MAJOR = 30;
        MOTHER_OF_ALL_CYBORGS = 31;
        MOTHER_OF_ALL_HUNTERS = 32;
        SEWAGE_YETI = 33;
        WATER_YETI = 34;
        LAVA_YETI = 35;
        DEFENDER_MINOR = 36;
        DEFENDER_MAJOR = 37;
        JUGGERNAUT_MINOR = 38;
        JUGGERNAUT_MAJOR = 39;
        TINY_FIGHTER = 40;
        TINY_BOB = 41;
        TINY_YETI = 42;
        CIVILIAN_FUSION_CREW = 43;
        CIVILIAN_FUSION_SCIENCE = 44;
        CIVILIAN_FUSION_SECURITY = 45;
        CIVILIAN_FUSION_ASSIMILATED = 46;
    }
}
