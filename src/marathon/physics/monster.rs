//! Monsters, their attacks and damage.

use field::I16be;
use field::record;

use super::super::names::{
    Collection, DamageFlags, DamageKind, DamageKinds, EffectKind, Item, MonsterClasses, MonsterFlags, ProjectileKind,
    Sound,
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

record! {
    /// A monster, 156 bytes. Source: `marathon-physics.md`, section 1.
    pub struct Monster: 156 {
        /// The color table in bits 5 to 7.
        collection: Collection,
        vitality: I16be,
        immunities: DamageKinds,
        weaknesses: DamageKinds,
        flags: MonsterFlags,
        class: MonsterClasses,
        friends: MonsterClasses,
        enemies: MonsterClasses,
        sound_pitch: Fixed,
        activation_sound: Sound,
        friendly_activation_sound: Sound,
        clear_sound: Sound,
        kill_sound: Sound,
        apology_sound: Sound,
        friendly_fire_sound: Sound,
        flaming_sound: Sound,
        random_sound: Sound,
        random_sound_mask: I16be,
        carried_item: Item,
        radius: Distance,
        height: Distance,
        hover_height: Distance,
        minimum_ledge_delta: Distance,
        maximum_ledge_delta: Distance,
        external_velocity_scale: Fixed,
        impact_effect: EffectKind,
        melee_impact_effect: EffectKind,
        contrail_effect: EffectKind,
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
        teleport_in: OwnShape,
        teleport_out: OwnShape,
        attack_frequency: I16be,
        melee_attack: Attack,
        ranged_attack: Attack,
    }
}
