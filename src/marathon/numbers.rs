//! Numbers of the trilogy, all big-endian. Source: [`marathon-wad.md`](formats::marathon_wad).

use field::{Fixed16be, I16be, U16be, UnsignedFixed16be};

pub use super::names::{EarlyShape, Shape};

/// A fraction with 16 bits after the point, shown as a decimal.
pub type Fixed = Fixed16be;

/// Such a fraction without a sign.
pub type UnsignedFixed = UnsignedFixed16be;

/// A distance: 1,024 is the length of a world unit.
pub type Distance = I16be;

/// An angle: 512 is a full circle. Other values occur and are preserved.
pub type Angle = I16be;

/// A position in a list, or -1 for none.
pub type Index = I16be;

/// A sequence or frame of the collection that its record names; 65,535 is none. Source: `marathon-physics.md`.
pub type OwnShape = U16be;
