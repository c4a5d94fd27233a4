//! Levels of detail.

use crate::gamez::games::GameRecord;
use field::record;
use field::{F32, I32, U32};

record! {
    /// A level of Recoil or MechWarrior 3, 80 bytes. Source: `zipper-nodes.md`, section 6.5.
    pub struct LodRc: 80 {
        /// 1 if it computes its own distance, 0 if it uses that of the level above it.
        level: I32,
        /// Stored as the square, because squaring its root would not always give the same value.
        range_near_sq: F32,
        range_far: F32,
        range_far_sq: F32 => |it| square(it.range_far),
        fade: [U32; 11] = [U32::new(0); 11],
        /// The distance over which it fades out.
        far_fade: F32,
        far_fade_sq: F32 => |it| square(it.far_fade),
        /// 1 if the fade along x scales all axes.
        active: I32 = 1,
        /// 1 if it fades near the end of its range.
        range_fade: U32,
        /// The bits of a float, the square of the distance from the end of the range at which it begins to fade; 0 if `range_fade` is 0.
        unk_4c: U32 as Pointer,
    }
}

record! {
    /// A level from Pirate's Moon onward, 92 bytes. Source: `zipper-nodes.md`, section 6.5.
    pub struct LodPm: 92 {
        /// 1 if it computes its own distance, 0 if it uses that of the level above it.
        level: I32,
        /// Stored as the square, because squaring its root would not always give the same value.
        range_near_sq: F32,
        range_far: F32,
        range_far_sq: F32 => |it| square(it.range_far),
        fade: [U32; 12] = [U32::new(0); 12],
        /// The distance over which it fades out.
        far_fade: F32,
        far_fade_sq: F32 => |it| square(it.far_fade),
        unk_48: F32,
        unk_48_sq: F32 => |it| square(it.unk_48),
        /// 1 if the fade along x scales all axes.
        active: I32 = 1,
        /// In earlier games, 1 if it fades near the end of its range.
        unk_54: U32 = 0,
        /// In earlier games, the bits of a float, the square of a distance.
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
        Some(("unk_4c", self.unk_4c, self.range_fade.get() == 1))
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
