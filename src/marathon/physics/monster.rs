//! Monsters, their attacks and damage.

use field::I16be;
use field::record;

use super::super::names::{
    Collection, DamageFlags, DamageKind, DamageKinds, EarlyCollection, EarlyMonsterClasses, EffectKind, Item,
    MonsterClasses, MonsterFlags, ProjectileKind, Sound,
};
use super::super::numbers::{Angle, Distance, Fixed, OwnShape};

record! {
    /// Damage to a target, 12 bytes. Source: `marathon-physics.md`, section 1.
    pub struct Damage: 12 {
        kind: DamageKind,
        flags: DamageFlags,
        base: I16be,
        random: I16be,
        scale: Fixed,
    }
}

/// Declares the attack of a monster: Marathon has other numbers for projectiles.
macro_rules! attack {
    ($(#[$meta:meta])* $name:ident, $projectile:ty) => {
        record! {
            $(#[$meta])*
            pub struct $name: 16 {
                projectile: $projectile,
                repetitions: I16be,
                error: Angle,
                range: Distance,
                /// The sequence to show.
                shape: I16be,
                dx: Distance,
                dy: Distance,
                dz: Distance,
            }
        }
    };
}

attack! {
    /// The attack of a monster, 16 bytes. Source: `marathon-physics.md`, section 1.
    Attack, ProjectileKind
}

attack! {
    /// The attack of a monster of Marathon, 16 bytes. Source: `marathon-physics.md`, section 6.
    EarlyAttack, I16be
}

/// Declares a monster: Marathon has fewer fields, and other numbers for collections, classes, sounds, items and effects.
macro_rules! monster {
    (
        $(#[$meta:meta])* $name:ident: $size:literal {
            collection { $($collection:tt)* }
            classes: $classes:ty,
            sounds { $($sounds:tt)* }
            item: $item:ty,
            effects { $($effects:tt)* }
            shapes { $($shapes:tt)* }
            attack: $attack:ty,
        }
    ) => {
        record! {
            $(#[$meta])*
            pub struct $name: $size {
                $($collection)*
                vitality: I16be,
                immunities: DamageKinds,
                weaknesses: DamageKinds,
                flags: MonsterFlags,
                class: $classes,
                friends: $classes,
                enemies: $classes,
                $($sounds)*
                random_sound_mask: I16be,
                carried_item: $item,
                radius: Distance,
                height: Distance,
                hover_height: Distance,
                minimum_ledge_delta: Distance,
                maximum_ledge_delta: Distance,
                external_velocity_scale: Fixed,
                $($effects)*
                half_visual_arc: Angle,
                half_vertical_arc: Angle,
                visual_range: Distance,
                dark_visual_range: Distance,
                intelligence: I16be,
                speed: I16be,
                gravity: I16be,
                terminal_velocity: I16be,
                door_retry_mask: I16be,
                /// -1 for none.
                shrapnel_radius: I16be,
                shrapnel_damage: Damage,
                hit: OwnShape,
                hard_dying: OwnShape,
                soft_dying: OwnShape,
                hard_dead: OwnShape,
                soft_dead: OwnShape,
                stationary: OwnShape,
                moving: OwnShape,
                $($shapes)*
                attack_frequency: I16be,
                melee_attack: $attack,
                ranged_attack: $attack,
            }
        }
    };
}

monster! {
    /// A monster, 156 bytes. Source: `marathon-physics.md`, section 1.
    Monster: 156 {
        collection {
            /// The color table in bits 5 to 7.
            collection: Collection,
        }
        classes: MonsterClasses,
        sounds {
            sound_pitch: Fixed,
            activation_sound: Sound,
            friendly_activation_sound: Sound,
            clear_sound: Sound,
            kill_sound: Sound,
            apology_sound: Sound,
            friendly_fire_sound: Sound,
            flaming_sound: Sound,
            random_sound: Sound,
        }
        item: Item,
        effects {
            impact_effect: EffectKind,
            melee_impact_effect: EffectKind,
            contrail_effect: EffectKind,
        }
        shapes {
            teleport_in: OwnShape,
            teleport_out: OwnShape,
        }
        attack: Attack,
    }
}

monster! {
    /// A monster of Marathon, 138 bytes. Source: `marathon-physics.md`, section 6.
    EarlyMonster: 138 {
        collection {
            collection: EarlyCollection,
        }
        classes: EarlyMonsterClasses,
        sounds {
            activation_sound: I16be,
            conversation_sound: I16be,
            flaming_sound: I16be,
            random_sound: I16be,
        }
        item: I16be,
        effects {
            impact_effect: I16be,
            melee_impact_effect: I16be,
        }
        shapes {}
        attack: EarlyAttack,
    }
}
