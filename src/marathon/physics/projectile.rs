//! Effects and projectiles.

use field::I16be;
use field::record;

use super::super::names::{
    Collection, EffectFlags, EffectKind, MediaDetonation, ProjectileFlags, ProjectileKind, Sound,
};
use super::super::numbers::{Distance, Fixed};
use super::Damage;

record! {
    /// An effect, 14 bytes. Source: `marathon-physics.md`, section 2.
    pub struct Effect: 14 {
        collection: Collection,
        shape: I16be,
        sound_pitch: Fixed,
        flags: EffectFlags,
        delay: I16be,
        delay_sound: Sound,
    }
}

record! {
    /// A projectile, 48 bytes. Source: `marathon-physics.md`, section 3.
    pub struct Projectile: 48 {
        /// -1 if invisible.
        collection: Collection,
        shape: I16be,
        detonation_effect: EffectKind,
        media_detonation_effect: MediaDetonation,
        contrail_effect: EffectKind,
        ticks_between_contrails: I16be,
        /// -1 for no limit.
        maximum_contrails: I16be,
        media_promotion: ProjectileKind,
        radius: Distance,
        area_of_effect: Distance,
        damage: Damage,
        flags: ProjectileFlags,
        speed: Distance,
        /// -1 for no limit.
        maximum_range: Distance,
        sound_pitch: Fixed,
        flyby_sound: Sound,
        rebound_sound: Sound,
    }
}
