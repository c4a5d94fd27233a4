//! Physics of Marathon, which has its own numbers for items, projectiles, effects and sounds.

use field::I16be;
use field::record;

use super::super::names::{EarlyCollection, EarlyProjectileFlags, EffectFlags, WeaponClass, WeaponFlags};
use super::super::numbers::{Angle, Distance, Fixed};
use super::Damage;

record! {
    /// An effect of Marathon, 6 bytes. Source: `marathon-physics.md`, section 6.
    pub struct EarlyEffect: 6 {
        collection: EarlyCollection,
        shape: I16be,
        flags: EffectFlags,
    }
}

record! {
    /// A projectile of Marathon, 36 bytes. Source: `marathon-physics.md`, section 6.
    pub struct EarlyProjectile: 36 {
        collection: EarlyCollection,
        shape: I16be,
        detonation_effect: I16be,
        contrail_effect: I16be,
        ticks_between_contrails: I16be,
        maximum_contrails: I16be,
        radius: Distance,
        area_of_effect: Distance,
        damage: Damage,
        flags: EarlyProjectileFlags,
        speed: Distance,
        maximum_range: Distance,
        flyby_sound: I16be,
    }
}

record! {
    /// A weapon of Marathon, 120 bytes; in pairs of fields the first is for the primary trigger. Source: `marathon-physics.md`, section 6.
    pub struct EarlyWeapon: 120 {
        item: I16be,
        class: WeaponClass,
        flags: WeaponFlags,
        primary_ammunition: I16be,
        primary_rounds: I16be,
        secondary_ammunition: I16be,
        secondary_rounds: I16be,
        firing_light_intensity: Fixed,
        firing_light_decay_ticks: I16be,
        idle_height: Fixed,
        bob_amplitude: Fixed,
        kick_height: Fixed,
        reload_height: Fixed,
        idle_width: Fixed,
        horizontal_amplitude: Fixed,
        collection: EarlyCollection,
        idle_shape: I16be,
        firing_shape: I16be,
        reloading_shape: I16be,
        unused: I16be as Reserved,
        charging_shape: I16be,
        charged_shape: I16be,
        ticks_per_round: [I16be; 2],
        await_reload_ticks: I16be,
        ready_ticks: I16be,
        recovery_ticks: [I16be; 2],
        charging_ticks: [I16be; 2],
        recoil: [Distance; 2],
        firing_sound: [I16be; 2],
        click_sound: [I16be; 2],
        reloading_sound: I16be,
        charging_sound: I16be,
        shell_casing_sound: [I16be; 2],
        sound_activation_range: [I16be; 2],
        projectile: [I16be; 2],
        theta_error: [Angle; 2],
        primary_offset: [Distance; 2],
        secondary_offset: [Distance; 2],
        burst_count: [I16be; 2],
        instant_reload_tick: I16be,
    }
}
