//! Sides of lines.

use crate::field::I16be;
use crate::record;

use super::super::names::{ControlPanel, SideFlags, SideKind, TransferMode};
use super::super::numbers::{Distance, Fixed, Index, Shape};

record! {
    /// A texture of a side, 6 bytes. Source: `marathon-map.md`, `SIDS`.
    pub struct Texture: 6 {
        x: Distance,
        y: Distance,
        shape: Shape,
    }
}

/// Declares a side: Marathon has different numbers for control panels.
macro_rules! side {
    ($(#[$meta:meta])* $name:ident, $panel:ty) => {
        record! {
            $(#[$meta])*
            pub struct $name: 64 {
                kind: SideKind as Derived,
                flags: SideFlags,
                primary: Texture,
                /// If it is none, x and y are leftover values.
                secondary: Texture,
                transparent: Texture,
                /// Four points; exact in processed maps only.
                exclusion_zone: [[Distance; 2]; 4] as Derived,
                control_panel: $panel,
                /// The light, polygon, tag or terminal of the control panel.
                permutation: I16be,
                primary_transfer_mode: TransferMode,
                secondary_transfer_mode: TransferMode,
                transparent_transfer_mode: TransferMode,
                /// In Marathon a different value, not yet understood.
                polygon: Index as Derived,
                line: Index as Derived,
                primary_light: Index,
                secondary_light: Index,
                transparent_light: Index,
                ambient_delta: Fixed,
                unused: I16be = 0,
            }
        }
    };
}

side! {
    /// A side, 64 bytes. Source: `marathon-map.md`, `SIDS`.
    Side, ControlPanel
}

side! {
    /// A side in Marathon, 64 bytes. Source: `marathon-map.md`, `SIDS`.
    EarlySide, I16be
}
