//! Weapons.

use field::I16be;
use field::record;

use super::super::names::{Collection, Item, ProjectileKind, ShellCasing, Sound, WeaponClass, WeaponFlags};
use super::super::numbers::{Angle, Distance, Fixed};

record! {
    /// The effect of a trigger, 36 bytes. Source: `marathon-physics.md`, section 5.
    pub struct Trigger: 36 {
        rounds_per_magazine: I16be,
        ammunition: Item,
        ticks_per_round: I16be,
        recovery_ticks: I16be,
        charging_ticks: I16be,
        recoil: Distance,
        firing_sound: Sound,
        click_sound: Sound,
        charging_sound: Sound,
        shell_casing_sound: Sound,
        reloading_sound: Sound,
        charged_sound: Sound,
        projectile: ProjectileKind,
        theta_error: Angle,
        dx: Distance,
        dz: Distance,
        shell_casing: ShellCasing,
        burst_count: I16be,
    }
}

record! {
    /// A weapon, 134 bytes. Source: `marathon-physics.md`, section 5.
    pub struct Weapon: 134 {
        item: Item,
        powerup: Item,
        class: WeaponClass,
        flags: WeaponFlags,
        firing_light_intensity: Fixed,
        firing_light_decay_ticks: I16be,
        idle_height: Fixed,
        bob_amplitude: Fixed,
        kick_height: Fixed,
        reload_height: Fixed,
        idle_width: Fixed,
        horizontal_amplitude: Fixed,
        collection: Collection,
        idle_shape: I16be,
        firing_shape: I16be,
        reloading_shape: I16be,
        /// -1 or 0.
        unused: I16be as Reserved,
        charging_shape: I16be,
        charged_shape: I16be,
        ready_ticks: I16be,
        await_reload_ticks: I16be,
        loading_ticks: I16be,
        finish_loading_ticks: I16be,
        powerup_ticks: I16be,
        primary_trigger: Trigger,
        secondary_trigger: Trigger,
    }
}
