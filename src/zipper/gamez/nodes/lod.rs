//! Levels of detail.

use crate::field::{F32, I32, U32};
use crate::record;
use crate::zipper::gamez::games::GameRecord;

record! {
    /// A level of Recoil or MechWarrior 3, 80 bytes. Source: `zipper-nodes.md`, section 6.5.
    pub struct LodRc: 80 {
        level: I32,
        /// Stored as the square, because squaring its root would not always give the same value.
        range_near_sq: F32,
        range_far: F32,
        range_far_sq: F32 => |it| square(it.range_far),
        fade: [U32; 11] = [U32::new(0); 11],
        unk_3c: F32,
        unk_3c_sq: F32 => |it| square(it.unk_3c),
        active: I32 = 1,
        /// 0 or 1.
        unk_48: U32,
        /// Not null if `unk_48` is 1: an address, or the bits of a float.
        unk_4c: U32 as Pointer,
    }
}

record! {
    /// A level from Pirate's Moon onward, 92 bytes. Source: `zipper-nodes.md`, section 6.5.
    pub struct LodPm: 92 {
        level: I32,
        /// Stored as the square, because squaring its root would not always give the same value.
        range_near_sq: F32,
        range_far: F32,
        range_far_sq: F32 => |it| square(it.range_far),
        fade: [U32; 12] = [U32::new(0); 12],
        unk_40: F32,
        unk_40_sq: F32 => |it| square(it.unk_40),
        unk_48: F32,
        unk_48_sq: F32 => |it| square(it.unk_48),
        active: I32 = 1,
        unk_54: U32 = 0,
        unk_58: U32 = 0,
    }
}

/// Returns a square in single precision.
fn square(of: F32) -> f32 {
    of.get() * of.get()
}

/// A level of detail.
pub trait Lod: GameRecord {
    /// Returns an address and whether its data must exist, or `None` if the game has none.
    fn address(&self) -> Option<(&'static str, U32, bool)>;

    /// Returns the square of the near distance, and the far distance, between which its children are visible.
    fn range(&self) -> [F32; 2];
}

impl Lod for LodRc {
    fn address(&self) -> Option<(&'static str, U32, bool)> {
        Some(("unk_4c", self.unk_4c, self.unk_48.get() == 1))
    }

    fn range(&self) -> [F32; 2] {
        [self.range_near_sq, self.range_far]
    }
}

impl Lod for LodPm {
    fn address(&self) -> Option<(&'static str, U32, bool)> {
        None
    }

    fn range(&self) -> [F32; 2] {
        [self.range_near_sq, self.range_far]
    }
}
