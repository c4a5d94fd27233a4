//! Names used in physics models.
#![allow(missing_docs, reason = "the names are all there is to say")]

use field::{flags, names};

/// Declares the types of damage, each of which is also a bit.
macro_rules! damage {
    ($($kind:ident = $number:literal;)*) => {
        names! {
            /// The type of damage. Source: `marathon-enums.md`.
            pub struct DamageKind(I16be: i16) {
                NONE = -1;
                $($kind = $number;)*
            }
        }

        flags! {
            /// The types of damage that a monster is immune to or weak against. Source: `marathon-enums.md`.
            pub struct DamageKinds(U32be: u32) {
                $($kind = 1 << $number;)*
            }
        }
    };
}

damage! {
    EXPLOSION = 0;
    ELECTRICAL_STAFF = 1;
    PROJECTILE = 2;
    ABSORBED = 3;
    FLAME = 4;
    HOUND_CLAWS = 5;
    ALIEN_PROJECTILE = 6;
    HULK_SLAP = 7;
    COMPILER_BOLT = 8;
    FUSION_BOLT = 9;
    HUNTER_BOLT = 10;
    FIST = 11;
    TELEPORTER = 12;
    DEFENDER = 13;
    YETI_CLAWS = 14;
    YETI_PROJECTILE = 15;
    CRUSHING = 16;
    LAVA = 17;
    SUFFOCATION = 18;
    GOO = 19;
    ENERGY_DRAIN = 20;
    OXYGEN_DRAIN = 21;
    HUMMER_BOLT = 22;
    SHOTGUN_PROJECTILE = 23;
}

flags! {
    /// The origin of damage: that of aliens is weaker at lower difficulty. Source: `marathon-enums.md`.
    pub struct DamageFlags(U16be: u16) {
        ALIEN = 1 << 0;
    }
}

flags! {
    /// The class of a monster, and those of its friends and enemies. Source: `marathon-enums.md`.
    pub struct MonsterClasses(U32be: u32) {
        PLAYER = 1 << 0;
        CIVILIAN = 1 << 1;
        MADD = 1 << 2;
        POSSESSED_HUMMER = 1 << 3;
        DEFENDER = 1 << 4;
        FIGHTER = 1 << 5;
        TROOPER = 1 << 6;
        HUNTER = 1 << 7;
        ENFORCER = 1 << 8;
        JUGGERNAUT = 1 << 9;
        HUMMER = 1 << 10;
        COMPILER = 1 << 11;
        CYBORG = 1 << 12;
        ASSIMILATED_CIVILIAN = 1 << 13;
        TICK = 1 << 14;
        YETI = 1 << 15;
    }
}

flags! {
    /// The classes of monsters in Marathon. Source: `marathon-enums.md`.
    pub struct EarlyMonsterClasses(U32be: u32) {
        PLAYER = 1 << 0;
        CIVILIAN = 1 << 1;
        MADD = 1 << 2;
        FIGHTER = 1 << 3;
        TROOPER = 1 << 4;
        HUNTER = 1 << 5;
        ENFORCER = 1 << 6;
        JUGGERNAUT = 1 << 7;
        COMPILER = 1 << 9;
        HULK = 1 << 10;
        LOOKER = 1 << 12;
        WASP = 1 << 14;
        ASSIMILATED_CIVILIAN = 1 << 15;
    }
}

flags! {
    /// The behavior of a monster; the minor type of a pair comes before the major one. Source: `marathon-enums.md`.
    pub struct MonsterFlags(U32be: u32) {
        OMNISCIENT = 1 << 0;
        FLIES = 1 << 1;
        ALIEN = 1 << 2;
        MAJOR = 1 << 3;
        MINOR = 1 << 4;
        CANNOT_BE_DROPPED = 1 << 5;
        FLOATS = 1 << 6;
        CANNOT_ATTACK = 1 << 7;
        USES_SNIPER_LEDGES = 1 << 8;
        INVISIBLE = 1 << 9;
        SUBTLY_INVISIBLE = 1 << 10;
        KAMIKAZE = 1 << 11;
        BERSERKER = 1 << 12;
        ENLARGED = 1 << 13;
        DELAYED_HARD_DEATH = 1 << 14;
        FIRES_SYMMETRICALLY = 1 << 15;
        NUCLEAR_HARD_DEATH = 1 << 16;
        CANNOT_FIRE_BACKWARDS = 1 << 17;
        CAN_DIE_IN_FLAMES = 1 << 18;
        WAITS_WITH_A_CLEAR_SHOT = 1 << 19;
        TINY = 1 << 20;
        ATTACKS_IMMEDIATELY = 1 << 21;
        NOT_AFRAID_OF_WATER = 1 << 22;
        NOT_AFRAID_OF_SEWAGE = 1 << 23;
        NOT_AFRAID_OF_LAVA = 1 << 24;
        NOT_AFRAID_OF_GOO = 1 << 25;
        CAN_TELEPORT_UNDER_MEDIA = 1 << 26;
        CHOOSES_WEAPONS_RANDOMLY = 1 << 27;
    }
}

flags! {
    /// The end and the type of an effect. Source: `marathon-enums.md`.
    pub struct EffectFlags(U16be: u16) {
        ENDS_WHEN_THE_ANIMATION_LOOPS = 1 << 0;
        ENDS_WHEN_THE_TRANSFER_ANIMATION_LOOPS = 1 << 1;
        SOUND_ONLY = 1 << 2;
        MAKES_TWIN_VISIBLE = 1 << 3;
        MEDIA_EFFECT = 1 << 4;
    }
}

/// Declares the behavior of projectiles: Marathon has the first 16 of the bits.
macro_rules! projectile {
    ($(#[$meta:meta])* $name:ident($store:ident: $of:ty) { $($later:tt)* }) => {
        flags! {
            $(#[$meta])*
            pub struct $name($store: $of) {
                GUIDED = 1 << 0;
                STOPS_WHEN_THE_ANIMATION_LOOPS = 1 << 1;
                PERSISTENT = 1 << 2;
                ALIEN = 1 << 3;
                GRAVITY = 1 << 4;
                NO_HORIZONTAL_ERROR = 1 << 5;
                NO_VERTICAL_ERROR = 1 << 6;
                TOGGLES_PANELS = 1 << 7;
                POSITIVE_VERTICAL_ERROR = 1 << 8;
                MELEE = 1 << 9;
                PERSISTENT_AND_VIRULENT = 1 << 10;
                USUALLY_PASSES_TRANSPARENT_SIDES = 1 << 11;
                SOMETIMES_PASSES_TRANSPARENT_SIDES = 1 << 12;
                DOUBLE_GRAVITY = 1 << 13;
                REBOUNDS_FROM_FLOOR = 1 << 14;
                PENETRATES_MEDIA = 1 << 15;
                $($later)*
            }
        }
    };
}

projectile! {
    /// The behavior of a projectile. Source: `marathon-enums.md`.
    ProjectileFlags(U32be: u32) {
        BECOMES_ITEM = 1 << 16;
        BLEEDING = 1 << 17;
        HORIZONTAL_WANDER = 1 << 18;
        VERTICAL_WANDER = 1 << 19;
        HALF_GRAVITY = 1 << 20;
        PENETRATES_MEDIA_BOUNDARY = 1 << 21;
        PASSES_THROUGH_OBJECTS = 1 << 22;
    }
}

projectile! {
    /// The behavior of a projectile in Marathon. Source: `marathon-enums.md`.
    EarlyProjectileFlags(U16be: u16) {}
}

names! {
    /// The size of a splash. Source: `marathon-enums.md`.
    pub struct MediaDetonation(I16be: i16) {
        NONE = -1;
        SMALL = 0;
        MEDIUM = 1;
        LARGE = 2;
        LARGE_EMERGENCE = 3;
    }
}

names! {
    /// The use of a weapon. Source: `marathon-enums.md`.
    pub struct WeaponClass(I16be: i16) {
        MELEE = 0;
        NORMAL = 1;
        DUAL_FUNCTION = 2;
        TWO_FISTED = 3;
        MULTIPURPOSE = 4;
    }
}

flags! {
    /// The behavior of a weapon; in Marathon bit 2 means that it disappears after use. Source: `marathon-enums.md`.
    pub struct WeaponFlags(U16be: u16) {
        AUTOMATIC = 1 << 0;
        DISAPPEARS_AFTER_USE = 1 << 1;
        PLAYS_SHELL_CASING_SOUND_AT_ONCE = 1 << 2;
        OVERLOADS = 1 << 3;
        RANDOM_AMMUNITION_ON_PICKUP = 1 << 4;
        TEMPORARY_POWERUP = 1 << 5;
        RELOADS_IN_ONE_HAND = 1 << 6;
        FIRES_OUT_OF_PHASE = 1 << 7;
        FIRES_UNDER_MEDIA = 1 << 8;
        TRIGGERS_SHARE_AMMUNITION = 1 << 9;
        SECONDARY_FLIPS = 1 << 10;
        MARATHON_WEAPON = 1 << 12;
        FLUTTERS = 1 << 13;
    }
}

names! {
    /// The shell casing that a weapon ejects. Source: `marathon-enums.md`.
    pub struct ShellCasing(I16be: i16) {
        NONE = -1;
        RIFLE = 0;
        PISTOL = 1;
        PISTOL_LEFT = 2;
        PISTOL_RIGHT = 3;
        SMG = 4;
    }
}
