//! Properties of a level.

use bitflags::Flags as _;

use field::record;
use field::{I16be, Mac, Shape, Shaped as _, Stale, Text};

use super::super::names::{
    EntryPointFlags, Environment, EnvironmentFlags, Landscape, MissionFlags, ShortEntryPointFlags,
};
use super::super::wad::LevelData;

/// Returns the names of landscapes, or plain numbers for levels whose landscape is the index of a song.
fn landscape(flags: EnvironmentFlags) -> &'static Shape {
    if flags.contains(EnvironmentFlags::SONG_INDEX) { &I16be::SHAPE } else { &Landscape::SHAPE }
}

/// Declares the information of a level: Marathon has other numbers for walls, and one editor writes short flags.
macro_rules! information {
    ($(#[$meta:meta])* $name:ident: $size:literal, $environment:ty, [$($landscape:tt)*], $entry_points:ty) => {
        record! {
            $(#[$meta])*
            pub struct $name: $size {
                environment: $environment,
                physics_model: I16be,
                /// The landscape; in Marathon, or with `SONG_INDEX`, the song.
                landscape: I16be $($landscape)*,
                mission_flags: MissionFlags,
                environment_flags: EnvironmentFlags,
                unused: Stale<8>,
                level_name: Text<66, Mac>,
                entry_point_flags: $entry_points,
            }
        }

        impl $name {
            /// Returns the level data that a directory repeats.
            pub(in crate) fn repeated(&self) -> LevelData {
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
    /// The properties of a level, 88 bytes. Source: `marathon-map.md`, `Minf`.
    Information: 88, Environment, [as Named => |it| landscape(it.environment_flags)], EntryPointFlags
}

information! {
    /// The properties of a level of Marathon, 88 bytes. Source: `marathon-map.md`, `Minf`.
    EarlyInformation: 88, I16be, [], EntryPointFlags
}

information! {
    /// The properties of a level written by one editor, 86 bytes. Source: `marathon-map.md`, `Minf`.
    ShortInformation: 86, Environment, [as Named => |it| landscape(it.environment_flags)], ShortEntryPointFlags
}

record! {
    /// A second copy of the name of a level of Marathon, 64 bytes. Source: `marathon-map.md`, `NAME`.
    pub struct Name: 64 {
        level_name: Text<64, Mac>,
    }
}
