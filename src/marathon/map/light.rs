//! Lights.

use field::record;
use field::{I16be, Stale, U16be};

use super::super::names::{EarlyLightKind, EarlyLightMode, LightFlags, LightFunction, LightKind};
use super::super::numbers::Fixed;

record! {
    /// A light of Marathon, 32 bytes. Source: `marathon-map.md`, `LITE`, data version 0.
    pub struct EarlyLight: 32 {
        /// Set in a running game.
        flags: U16be as Pointer,
        kind: EarlyLightKind,
        mode: EarlyLightMode,
        phase: I16be = 0,
        minimum_intensity: Fixed,
        maximum_intensity: Fixed,
        period: I16be,
        intensity: Fixed = 0x8000,
        unused: Stale<10>,
    }
}

record! {
    /// The behavior of a light in one of its states, 14 bytes. Source: `marathon-map.md`, `LITE`, data version 1 and 2.
    pub struct Pulse: 14 {
        function: LightFunction,
        period: I16be,
        delta_period: I16be,
        intensity: Fixed,
        delta_intensity: Fixed,
    }
}

record! {
    /// A light, 100 bytes. Source: `marathon-map.md`, `LITE`, data version 1 and 2.
    pub struct Light: 100 {
        kind: LightKind,
        flags: LightFlags,
        phase: I16be,
        primary_active: Pulse,
        secondary_active: Pulse,
        becoming_active: Pulse,
        primary_inactive: Pulse,
        secondary_inactive: Pulse,
        becoming_inactive: Pulse,
        tag: I16be,
        unused: [I16be; 4] = [I16be::new(0); 4],
    }
}

record! {
    /// A light in a saved game, 128 bytes. Source: `marathon-wad.md`, section 9.
    pub struct SavedLight: 128 {
        flags: U16be,
        state: I16be,
        intensity: Fixed,
        phase: I16be,
        period: I16be,
        initial_intensity: Fixed,
        final_intensity: Fixed,
        unused: Stale<8>,
        light: Light,
    }
}
