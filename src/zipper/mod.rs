//! Zipper Interactive's engine: Recoil, MechWarrior 3, Pirate's Moon, Crimson Skies.

pub mod motion;
pub mod zmap;

use crate::field::F32;

/// A point or direction: x, y, z.
pub type Vec3 = [F32; 3];

/// A rotation: w, x, y, z.
pub type Quaternion = [F32; 4];
