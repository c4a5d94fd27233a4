//! What a level as a whole is.

use bitflags::Flags as _;

use crate::field::{I16be, Mac, Stale, Text};
use crate::record;

use super::super::names::{EntryPointFlags, Environment, EnvironmentFlags, MissionFlags, ShortEntryPointFlags};
use super::super::wad::LevelData;

/// Declares the information of a level: Marathon has other numbers for walls, one editor short flags.
macro_rules! information {
    ($(#[$meta:meta])* $name:ident: $size:literal, $environment:ty, $entry_points:ty) => {
        record! {
            $(#[$meta])*
            pub struct $name: $size {
                environment: $environment,
                physics_model: I16be,
                /// The landscape; in Marathon the song.
                landscape: I16be,
                mission_flags: MissionFlags,
                environment_flags: EnvironmentFlags,
                unused: Stale<8>,
                level_name: Text<66, Mac>,
                entry_point_flags: $entry_points,
            }
        }

        impl $name {
            /// What a directory repeats of it.
            pub(in crate::marathon) fn repeated(&self) -> LevelData {
                LevelData {
                    mission_flags: self.mission_flags,
                    environment_flags: self.environment_flags,
                    entry_point_flags: EntryPointFlags::from_bits_retain(self.entry_point_flags.bits().into()),
                    level_name: self.level_name,
                }
            }
        }
    };
}

information! {
    /// What a level is, 88 bytes. Source: `marathon-map.md`, `Minf`.
    Information: 88, Environment, EntryPointFlags
}

information! {
    /// What a level of Marathon is, 88 bytes. Source: `marathon-map.md`, `Minf`.
    EarlyInformation: 88, I16be, EntryPointFlags
}

information! {
    /// What a level is for one editor, 86 bytes. Source: `marathon-map.md`, `Minf`.
    ShortInformation: 86, Environment, ShortEntryPointFlags
}

record! {
    /// The name of a level of Marathon once more, 64 bytes. Source: `marathon-map.md`, `NAME`.
    pub struct Name: 64 {
        level_name: Text<64, Mac>,
    }
}
