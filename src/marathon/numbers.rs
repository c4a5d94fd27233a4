//! The numbers of the trilogy. All are big endian. Source: `marathon-wad.md`.

use crate::field::{I16be, I32be, U16be};

/// A fraction: 65,536 is 1.
pub type Fixed = I32be;

/// A distance: 1,024 is the length of a unit of the world.
pub type Distance = I16be;

/// An angle: 512 is a full circle. Others occur, and are kept.
pub type Angle = I16be;

/// The position of something in a list, -1 for none.
pub type Index = I16be;

/// A picture: bits 0 to 7 say which, 8 to 12 the collection, 13 to 15 the color table; 65,535 is none. Source:
/// `marathon-enums.md`.
pub type Shape = U16be;
