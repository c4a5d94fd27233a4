//! Liquids and sounds.

use field::record;
use field::{I16be, U16be};

use super::super::names::{AmbientSound, MediaFlags, MediaKind, RandomSound, RandomSoundFlags, TransferMode};
use super::super::numbers::{Angle, Distance, Fixed, Index, Shape};

record! {
    /// A liquid, 32 bytes. Source: `marathon-map.md`, `medi`.
    pub struct Liquid: 32 {
        kind: MediaKind,
        flags: MediaFlags,
        /// The light that moves its surface.
        light: Index,
        current_direction: Angle,
        current_magnitude: Distance,
        low: Distance,
        high: Distance,
        /// Set in a running game, like the next field.
        origin: [Distance; 2] as Pointer,
        height: Distance as Pointer,
        minimum_light_intensity: Fixed,
        /// Set in a running game, like the next field.
        texture: Shape as Pointer,
        transfer_mode: TransferMode as Pointer,
        unused: [I16be; 2] = [I16be::new(0); 2],
    }
}

record! {
    /// A continuous sound, 16 bytes. Source: `marathon-map.md`, `ambi`.
    pub struct AmbientSource: 16 {
        flags: U16be,
        sound: AmbientSound,
        volume: I16be,
        unused: [I16be; 5] = [I16be::new(0); 5],
    }
}

record! {
    /// An intermittent sound, 32 bytes. Source: `marathon-map.md`, `bonk`.
    pub struct RandomSource: 32 {
        flags: RandomSoundFlags,
        sound: RandomSound,
        volume: I16be,
        delta_volume: I16be,
        period: I16be,
        delta_period: I16be,
        direction: Angle,
        delta_direction: Angle,
        pitch: Fixed,
        delta_pitch: Fixed,
        /// Set in a running game, but also in files.
        phase: I16be as Stale,
        unused: [I16be; 3] = [I16be::new(0); 3],
    }
}
