//! Items to pick up, and weapons.
#![allow(missing_docs, reason = "the names are all there is to say")]

use field::names;

names! {
    /// An item to pick up. Source: `marathon-enums.md`.
    pub struct Item(I16be: i16) {
        NONE = -1;
        KNIFE = 0;
        MAGNUM = 1;
        MAGNUM_MAGAZINE = 2;
        PLASMA_PISTOL = 3;
        PLASMA_MAGAZINE = 4;
        ASSAULT_RIFLE = 5;
        ASSAULT_RIFLE_MAGAZINE = 6;
        ASSAULT_GRENADE_MAGAZINE = 7;
        MISSILE_LAUNCHER = 8;
        MISSILE_LAUNCHER_MAGAZINE = 9;
        INVISIBILITY_POWERUP = 10;
        INVINCIBILITY_POWERUP = 11;
        INFRAVISION_POWERUP = 12;
        ALIEN_SHOTGUN = 13;
        ALIEN_SHOTGUN_MAGAZINE = 14;
        FLAMETHROWER = 15;
        FLAMETHROWER_CANISTER = 16;
        EXTRAVISION_POWERUP = 17;
        OXYGEN_POWERUP = 18;
        ENERGY_POWERUP = 19;
        DOUBLE_ENERGY_POWERUP = 20;
        TRIPLE_ENERGY_POWERUP = 21;
        SHOTGUN = 22;
        SHOTGUN_MAGAZINE = 23;
        SPHT_DOOR_KEY = 24;
        UPLINK_CHIP = 25;
        LIGHT_BLUE_BALL = 26;
        RED_BALL = 27;
        VIOLET_BALL = 28;
        YELLOW_BALL = 29;
        BROWN_BALL = 30;
        ORANGE_BALL = 31;
        BLUE_BALL = 32;
        GREEN_BALL = 33;
        SMG = 34;
        SMG_AMMO = 35;
    }
}
