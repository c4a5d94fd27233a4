//! Sides of lines.

use field::I16be;
use field::record;

use super::super::names::{ControlPanel, SideFlags, SideKind, TransferMode};
use super::super::numbers::{Distance, EarlyShape, Fixed, Index, Shape};

/// Declares a texture of a side: Marathon has other collections.
macro_rules! texture {
    ($(#[$meta:meta])* $name:ident, $shape:ty) => {
        record! {
            $(#[$meta])*
            pub struct $name: 6 {
                x: Distance,
                y: Distance,
                shape: $shape,
            }
        }
    };
}

texture! {
    /// A texture of a side, 6 bytes. Source: `marathon-map.md`, `SIDS`.
    Texture, Shape
}

texture! {
    /// A texture of a side in Marathon, 6 bytes. Source: `marathon-map.md`, `SIDS`.
    EarlyTexture, EarlyShape
}

/// Declares a side: Marathon has different numbers for control panels.
macro_rules! side {
    ($(#[$meta:meta])* $name:ident, $texture:ty, $panel:ty) => {
        record! {
            $(#[$meta])*
            pub struct $name: 64 {
                kind: SideKind as Derived,
                flags: SideFlags,
                primary: $texture,
                /// If it is none, x and y are leftover values.
                secondary: $texture,
                transparent: $texture,
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
    Side, Texture, ControlPanel
}

side! {
    /// A side in Marathon, 64 bytes. Source: `marathon-map.md`, `SIDS`.
    EarlySide, EarlyTexture, I16be
}
