//! Sounds, by their numbers in the sounds file.
#![allow(missing_docs, reason = "the names are all there is to say")]

use field::names;

/// Declares the sounds, with other values in front.
macro_rules! sounds {
    ($(#[$meta:meta])* $name:ident($store:ident: $of:ty) $($first:ident = $value:expr)?) => {
        names! {
            $(#[$meta])*
            pub struct $name($store: $of) {
                $($first = $value;)?
                STARTUP = 0;
                TELEPORT_IN = 1;
                TELEPORT_OUT = 2;
                BODY_BEING_CRUNCHED = 3;
                CREAK = 4;
                ABSORBED = 5;
                BREATHING = 6;
                OXYGEN_WARNING = 7;
                SUFFOCATION = 8;
                ENERGY_REFUEL = 9;
                OXYGEN_REFUEL = 10;
                CANT_TOGGLE_SWITCH = 11;
                SWITCH_ON = 12;
                SWITCH_OFF = 13;
                PUZZLE_SWITCH = 14;
                CHIP_INSERTION = 15;
                PATTERN_BUFFER = 16;
                DESTROY_CONTROL_PANEL = 17;
                ADJUST_VOLUME = 18;
                GOT_POWERUP = 19;
                GOT_ITEM = 20;
                BULLET_RICOCHET = 21;
                METALLIC_RICOCHET = 22;
                EMPTY_GUN = 23;
                SPHT_DOOR_OPENING = 24;
                SPHT_DOOR_CLOSING = 25;
                SPHT_DOOR_OBSTRUCTED = 26;
                SPHT_PLATFORM_STARTING = 27;
                SPHT_PLATFORM_STOPPING = 28;
                OWL = 29;
                SMG_FIRING = 30;
                SMG_RELOADING = 31;
                HEAVY_SPHT_PLATFORM_STARTING = 32;
                HEAVY_SPHT_PLATFORM_STOPPING = 33;
                FIST_HITTING = 34;
                MAGNUM_FIRING = 35;
                MAGNUM_RELOADING = 36;
                ASSAULT_RIFLE_FIRING = 37;
                GRENADE_LAUNCHER_FIRING = 38;
                GRENADE_EXPLODING = 39;
                GRENADE_FLYBY = 40;
                FUSION_FIRING = 41;
                FUSION_EXPLODING = 42;
                FUSION_FLYBY = 43;
                FUSION_CHARGING = 44;
                ROCKET_EXPLODING = 45;
                ROCKET_FLYBY = 46;
                ROCKET_FIRING = 47;
                FLAMETHROWER = 48;
                BODY_FALLING = 49;
                BODY_EXPLODING = 50;
                BULLET_HITTING_FLESH = 51;
                FIGHTER_ACTIVATE = 52;
                FIGHTER_WAIL = 53;
                FIGHTER_SCREAM = 54;
                FIGHTER_CHATTER = 55;
                FIGHTER_ATTACK = 56;
                FIGHTER_PROJECTILE_HIT = 57;
                FIGHTER_PROJECTILE_FLYBY = 58;
                COMPILER_ATTACK = 59;
                COMPILER_DEATH = 60;
                COMPILER_HIT = 61;
                COMPILER_PROJECTILE_FLYBY = 62;
                COMPILER_PROJECTILE_HIT = 63;
                CYBORG_MOVING = 64;
                CYBORG_ATTACK = 65;
                CYBORG_HIT = 66;
                CYBORG_DEATH = 67;
                CYBORG_PROJECTILE_BOUNCE = 68;
                CYBORG_PROJECTILE_HIT = 69;
                CYBORG_PROJECTILE_FLYBY = 70;
                HUMMER_ACTIVATE = 71;
                HUMMER_START_ATTACK = 72;
                HUMMER_ATTACK = 73;
                HUMMER_DYING = 74;
                HUMMER_DEATH = 75;
                HUMMER_PROJECTILE_HIT = 76;
                HUMMER_PROJECTILE_FLYBY = 77;
                HUMAN_WAIL = 78;
                HUMAN_SCREAM = 79;
                HUMAN_HIT = 80;
                HUMAN_CHATTER = 81;
                ASSIMILATED_HUMAN_CHATTER = 82;
                HUMAN_TRASH_TALK = 83;
                HUMAN_APOLOGY = 84;
                HUMAN_ACTIVATION = 85;
                HUMAN_CLEAR = 86;
                HUMAN_STOP_SHOOTING_ME_YOU_BASTARD = 87;
                HUMAN_AREA_SECURE = 88;
                KILL_THE_PLAYER = 89;
                WATER = 90;
                SEWAGE = 91;
                LAVA = 92;
                GOO = 93;
                UNDER_MEDIA = 94;
                WIND = 95;
                WATERFALL = 96;
                SIREN = 97;
                FAN = 98;
                SPHT_DOOR = 99;
                SPHT_PLATFORM = 100;
                ALIEN_HARMONICS = 101;
                HEAVY_SPHT_PLATFORM = 102;
                LIGHT_MACHINERY = 103;
                HEAVY_MACHINERY = 104;
                TRANSFORMER = 105;
                SPARKING_TRANSFORMER = 106;
                WATER_DRIP = 107;
                WALKING_IN_WATER = 108;
                EXIT_WATER = 109;
                ENTER_WATER = 110;
                SMALL_WATER_SPLASH = 111;
                MEDIUM_WATER_SPLASH = 112;
                LARGE_WATER_SPLASH = 113;
                WALKING_IN_LAVA = 114;
                ENTER_LAVA = 115;
                EXIT_LAVA = 116;
                SMALL_LAVA_SPLASH = 117;
                MEDIUM_LAVA_SPLASH = 118;
                LARGE_LAVA_SPLASH = 119;
                WALKING_IN_SEWAGE = 120;
                EXIT_SEWAGE = 121;
                ENTER_SEWAGE = 122;
                SMALL_SEWAGE_SPLASH = 123;
                MEDIUM_SEWAGE_SPLASH = 124;
                LARGE_SEWAGE_SPLASH = 125;
                WALKING_IN_GOO = 126;
                EXIT_GOO = 127;
                ENTER_GOO = 128;
                SMALL_GOO_SPLASH = 129;
                MEDIUM_GOO_SPLASH = 130;
                LARGE_GOO_SPLASH = 131;
                MAJOR_FUSION_FIRING = 132;
                MAJOR_FUSION_CHARGED = 133;
                ASSAULT_RIFLE_RELOADING = 134;
                ASSAULT_RIFLE_SHELL_CASINGS = 135;
                SHOTGUN_FIRING = 136;
                SHOTGUN_RELOADING = 137;
                BALL_BOUNCE = 138;
                YOU_ARE_IT = 139;
                GOT_BALL = 140;
                COMPUTER_INTERFACE_LOGON = 141;
                COMPUTER_INTERFACE_LOGOUT = 142;
                COMPUTER_INTERFACE_PAGE = 143;
                HEAVY_SPHT_DOOR = 144;
                HEAVY_SPHT_DOOR_OPENING = 145;
                HEAVY_SPHT_DOOR_CLOSING = 146;
                HEAVY_SPHT_DOOR_OPEN = 147;
                HEAVY_SPHT_DOOR_CLOSED = 148;
                HEAVY_SPHT_DOOR_OBSTRUCTED = 149;
                HUNTER_ACTIVATE = 150;
                HUNTER_ATTACK = 151;
                HUNTER_DYING = 152;
                HUNTER_LANDING = 153;
                HUNTER_EXPLODING = 154;
                HUNTER_PROJECTILE_HIT = 155;
                HUNTER_PROJECTILE_FLYBY = 156;
                ENFORCER_ACTIVATE = 157;
                ENFORCER_ATTACK = 158;
                ENFORCER_PROJECTILE_HIT = 159;
                ENFORCER_PROJECTILE_FLYBY = 160;
                YETI_MELEE_ATTACK = 161;
                YETI_MELEE_ATTACK_HIT = 162;
                YETI_PROJECTILE_ATTACK = 163;
                YETI_PROJECTILE_SEWAGE_ATTACK_HIT = 164;
                YETI_PROJECTILE_SEWAGE_FLYBY = 165;
                YETI_PROJECTILE_LAVA_ATTACK_HIT = 166;
                YETI_PROJECTILE_LAVA_FLYBY = 167;
                YETI_DYING = 168;
                MACHINE_BINDER = 169;
                MACHINE_BOOKPRESS = 170;
                MACHINE_PUNCHER = 171;
                ELECTRIC = 172;
                ALARM = 173;
                NIGHT_WIND = 174;
                SURFACE_EXPLOSION = 175;
                UNDERGROUND_EXPLOSION = 176;
                DEFENDER_ATTACK = 177;
                DEFENDER_HIT = 178;
                DEFENDER_FLYBY = 179;
                DEFENDER_BEING_HIT = 180;
                DEFENDER_EXPLODING = 181;
                TICK_CHATTER = 182;
                TICK_FALLING = 183;
                TICK_FLAPPING = 184;
                TICK_EXPLODING = 185;
                CEILING_LAMP_EXPLODING = 186;
                PFHOR_PLATFORM_STARTING = 187;
                PFHOR_PLATFORM_STOPPING = 188;
                PFHOR_PLATFORM = 189;
                PFHOR_DOOR_OPENING = 190;
                PFHOR_DOOR_CLOSING = 191;
                PFHOR_DOOR_OBSTRUCTED = 192;
                PFHOR_DOOR = 193;
                PFHOR_SWITCH_OFF = 194;
                PFHOR_SWITCH_ON = 195;
                JUGGERNAUT_FIRING = 196;
                JUGGERNAUT_WARNING = 197;
                JUGGERNAUT_EXPLODING = 198;
                JUGGERNAUT_PREPARING_TO_FIRE = 199;
                ENFORCER_EXPLODING = 200;
                ALIEN_NOISE1 = 201;
                ALIEN_NOISE2 = 202;
                CIVILIAN_FUSION_WAIL = 203;
                CIVILIAN_FUSION_SCREAM = 204;
                CIVILIAN_FUSION_HIT = 205;
                CIVILIAN_FUSION_CHATTER = 206;
                ASSIMILATED_CIVILIAN_FUSION_CHATTER = 207;
                CIVILIAN_FUSION_TRASH_TALK = 208;
                CIVILIAN_FUSION_APOLOGY = 209;
                CIVILIAN_FUSION_ACTIVATION = 210;
                CIVILIAN_FUSION_CLEAR = 211;
                CIVILIAN_FUSION_STOP_SHOOTING_ME_YOU_BASTARD = 212;
                CIVILIAN_FUSION_AREA_SECURE = 213;
                CIVILIAN_FUSION_KILL_THE_PLAYER = 214;
            }
        }
    };
}

sounds! {
    /// A sound of the sounds file of Marathon 2 and Infinity. Source: `marathon-enums.md`, Sound codes.
    Sound(I16be: i16) NONE = -1
}

sounds! {
    /// A definition in the sounds file of Marathon 2 and Infinity. Source: `marathon-enums.md`, Sound codes.
    SoundIndex(U16be: u16)
}

names! {
    /// A continuous sound. Source: `marathon-enums.md`.
    pub struct AmbientSound(I16be: i16) {
        NONE = -1;
        WATER = 0;
        SEWAGE = 1;
        LAVA = 2;
        GOO = 3;
        UNDER_MEDIA = 4;
        WIND = 5;
        WATERFALL = 6;
        SIREN = 7;
        FAN = 8;
        SPHT_DOOR = 9;
        SPHT_PLATFORM = 10;
        HEAVY_SPHT_DOOR = 11;
        HEAVY_SPHT_PLATFORM = 12;
        LIGHT_MACHINERY = 13;
        HEAVY_MACHINERY = 14;
        TRANSFORMER = 15;
        SPARKING_TRANSFORMER = 16;
        MACHINE_BINDER = 17;
        MACHINE_BOOKPRESS = 18;
        MACHINE_PUNCHER = 19;
        ELECTRIC = 20;
        ALARM = 21;
        NIGHT_WIND = 22;
        PFHOR_DOOR = 23;
        PFHOR_PLATFORM = 24;
        ALIEN_NOISE1 = 25;
        ALIEN_NOISE2 = 26;
        ALIEN_HARMONICS = 27;
    }
}

names! {
    /// An intermittent sound. Source: `marathon-enums.md`.
    pub struct RandomSound(I16be: i16) {
        NONE = -1;
        WATER_DRIP = 0;
        SURFACE_EXPLOSION = 1;
        UNDERGROUND_EXPLOSION = 2;
        OWL = 3;
        CREAK = 4;
    }
}
