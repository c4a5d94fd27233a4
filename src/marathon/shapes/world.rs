//! The extent of a frame in the world, which tools compute from its origin, its key point, the size of its bitmap, and a scale.
//!
//! No field stores the scale of a frame: many have another one than their collection, such as 7.5. It is the one that the extent shows.
//! Of 814 frames in known patches, 735 have the extent that follows from such a scale. Those of the others are smaller than their
//! bitmaps.
//!
//! Source: `marathon-shapes.md`, section 4; the formulas are those of editors of shapes.

use core::cmp::Ordering;
use std::collections::HashMap;

use field::{I16be, Result, Step, Tape, change};
use lint::{Warnings, traps};

use super::bitmap::Bitmap;
use super::records::Frame;

traps! { TRAPS:
    FRAME_WORLD = "frame-world" in Addition:
        "the world fields of a frame are not those of its origin, key point and bitmap" =>
        "the game draws the frame by the world fields alone; recompute them", "marathon-shapes.md, section 4 (measured)";
}

/// What the extents of the frames of a collection follow from.
#[derive(Clone, Debug, Default)]
pub(super) struct Worlds {
    /// The width and the height of bitmaps, by index.
    bitmaps: HashMap<i64, [i64; 2]>,
    /// The scale of the collection, if it is known.
    pixels_to_world: Option<i64>,
}

/// A fraction; the second number is greater than 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scale(i64, i64);

/// The largest second number of a scale. A larger one would distinguish scales that give the same extent.
const FINEST: i64 = 1 << 10;

impl Scale {
    fn compare(self, other: Self) -> Ordering {
        self.0.saturating_mul(other.1).cmp(&other.0.saturating_mul(self.1))
    }

    /// Returns pixels in world units, without the fraction.
    fn world(self, pixels: i64) -> Option<I16be> {
        let world = self.0.checked_mul(pixels)?.checked_div(self.1)?;
        i16::try_from(world).ok().map(I16be::new)
    }
}

/// Returns the distances of a frame in pixels: from its origin to the left, the right, the top and the bottom of its bitmap, and to its
/// key point.
fn pixels(frame: &Frame, [width, height]: [i64; 2]) -> [i64; 6] {
    let number = |it: I16be| i64::from(it.get());
    let ([x, y], [key_x, key_y]) = (frame.origin.map(number), frame.key_point.map(number));
    [-x, width - x, y, y - height, key_x - x, y - key_y]
}

/// Returns the same distances in the world.
fn world(frame: &Frame) -> [i64; 6] {
    let [key_x, key_y] = frame.world_key_point;
    [frame.world_left, frame.world_right, frame.world_top, frame.world_bottom, key_x, key_y].map(|it| it.get().into())
}

/// Returns `true` if one scale gives all these distances.
fn fits(pixels: [i64; 6], world: [i64; 6]) -> bool {
    let (mut least, mut most) = (Scale(0, 1), Scale(i64::from(i32::MAX), 1));
    for (pixels, world) in pixels.into_iter().zip(world) {
        let (length, scaled) = (pixels.abs(), world.abs());
        if length == 0 || (scaled > 0 && pixels.signum() != world.signum()) {
            if scaled > 0 {
                return false;
            }
            continue;
        }
        // The fraction is cut off.
        let (from, to) = (Scale(scaled, length), Scale(scaled + 1, length));
        least = if from.compare(least).is_gt() { from } else { least };
        most = if to.compare(most).is_lt() { to } else { most };
    }
    // No scale is 0.
    least.compare(most).is_lt() && (least.0 > 0 || pixels == [0; 6])
}

/// Returns the scale that an extent shows, whatever the origin was: the usual one if it can be, or else the simplest fraction.
fn shown(world: [i64; 6], [width, height]: [i64; 2], usual: Option<i64>) -> Option<Scale> {
    let [left, right, top, bottom, ..] = world;
    let sizes = [(right - left, width), (top - bottom, height)];
    if sizes.iter().any(|(world, pixels)| *world <= 0 || *pixels <= 0) {
        return None;
    }
    // The fractions of both sides are cut off.
    let is_it = |scale: Scale| {
        scale.0 > 0
            && sizes.iter().all(|(world, pixels)| {
                let above = Scale(world - 2, *pixels).compare(scale).is_lt();
                above && Scale(world + 2, *pixels).compare(scale).is_gt()
            })
    };
    let least = |of: i64| {
        let above = |(world, pixels): &(i64, i64)| (world - 2).checked_mul(of)?.checked_div_euclid(*pixels);
        Some(Scale(sizes.iter().filter_map(above).max()?.max(0) + 1, of))
    };
    let usual = usual.map(|usual| Scale(usual, 1)).filter(|usual| is_it(*usual));
    usual.or_else(|| (1..=FINEST).filter_map(least).find(|scale| is_it(*scale)))
}

impl Worlds {
    /// Creates the rules of a collection with these bitmaps, each with its index.
    pub(super) fn of<'b>(bitmaps: impl Iterator<Item = (u64, &'b Bitmap)>, pixels_to_world: Option<I16be>) -> Self {
        let size = |(index, bitmap): (u64, &Bitmap)| {
            let size = [bitmap.head.width, bitmap.head.height].map(|it| it.get().into());
            Some((i64::try_from(index).ok()?, size))
        };
        let pixels_to_world = pixels_to_world.map(|it| it.get().into());
        Self { bitmaps: bitmaps.filter_map(size).collect(), pixels_to_world }
    }

    /// Returns the size of the bitmap of a frame, or `None` if it is not known.
    fn bitmap(&self, frame: &Frame) -> Option<[i64; 2]> {
        self.bitmaps.get(&frame.bitmap.get().into()).copied()
    }

    /// Returns a frame with its computed extent, or `None` if its bitmap or its scale is not known, or if the extent does not fit. An
    /// extent that follows from any scale stays.
    fn computed(&self, frame: &Frame) -> Option<Frame> {
        let bitmap = self.bitmap(frame)?;
        let (pixels, world) = (pixels(frame, bitmap), world(frame));
        if fits(pixels, world) {
            return Some(*frame);
        }
        let scale = shown(world, bitmap, self.pixels_to_world);
        let scale = scale.or_else(|| self.pixels_to_world.map(|usual| Scale(usual, 1)))?;
        let [left, right, top, bottom, key_x, key_y] = pixels.map(|pixels| scale.world(pixels));
        Some(Frame {
            world_left: left?,
            world_right: right?,
            world_top: top?,
            world_bottom: bottom?,
            world_key_point: [key_x?, key_y?],
            ..*frame
        })
    }

    /// Warns if the extent of a frame follows from no scale. `steps` are its path from here.
    pub(super) fn lint(&self, out: &mut Warnings<'_>, steps: &[Step], frame: &Frame) {
        if self.bitmap(frame).is_some_and(|bitmap| !fits(pixels(frame, bitmap), world(frame))) {
            out.warn(&FRAME_WORLD, steps, "");
        }
    }

    /// Recomputes the fields of the frame that is being laid out, where that is wanted.
    pub(super) fn recompute(&self, t: &mut Tape<'_>, frame: &mut Frame) -> Result {
        let Some(now) = self.computed(frame) else { return Ok(()) };
        t.recompute("world_left", frame, |it, _| Ok(change(&mut it.world_left, now.world_left)))?;
        t.recompute("world_right", frame, |it, _| Ok(change(&mut it.world_right, now.world_right)))?;
        t.recompute("world_top", frame, |it, _| Ok(change(&mut it.world_top, now.world_top)))?;
        t.recompute("world_bottom", frame, |it, _| Ok(change(&mut it.world_bottom, now.world_bottom)))?;
        t.recompute("world_key_point", frame, |it, _| Ok(change(&mut it.world_key_point, now.world_key_point)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rules of one bitmap of 72 to 140 pixels.
    fn worlds(pixels_to_world: Option<i16>) -> Worlds {
        Worlds { bitmaps: HashMap::from([(0, [72, 140])]), pixels_to_world: pixels_to_world.map(i64::from) }
    }

    /// Returns a frame with these world fields.
    fn frame(world: [i16; 6]) -> Frame {
        let [left, right, top, bottom, key_x, key_y] = world.map(I16be::new);
        Frame {
            origin: [25, 136].map(I16be::new),
            key_point: [1, 1].map(I16be::new),
            world_left: left,
            world_right: right,
            world_top: top,
            world_bottom: bottom,
            world_key_point: [key_x, key_y],
            ..Frame::default()
        }
    }

    #[test]
    fn scale_is_that_of_the_old_extent_or_of_the_collection() {
        let computed = |worlds: &Worlds, world| worlds.computed(&frame(world));
        // As a known patch has them, once with the scale of its collection and once with its own.
        let of_seven = [-175, 329, 952, -28, -168, 945];
        let of_seven_and_a_half = [-187, 352, 1020, -30, -180, 1012];
        for world in [of_seven, of_seven_and_a_half] {
            assert_eq!(computed(&worlds(None), world), Some(frame(world)), "{world:?}");
            // The extent of another origin has the scale.
            let [left, right, top, bottom, key_x, key_y] = world;
            let other = [left - 33, right - 33, top + 70, bottom + 70, key_x, key_y];
            assert_eq!(computed(&worlds(Some(7)), other), Some(frame(world)), "{world:?}");
        }
        for other in [[0; 6], [0, 540, 980, 0, 0, 0], [540, 0, 0, 1050, 0, 0]] {
            assert_eq!(computed(&worlds(Some(7)), other), Some(frame(of_seven)), "{other:?}");
        }
        assert_eq!(computed(&worlds(None), [0; 6]), None, "no scale");
        assert_eq!(computed(&worlds(Some(i16::MAX)), [0; 6]), None, "too large");
        let of_none = Frame { bitmap: I16be::new(-1), ..frame([0; 6]) };
        assert_eq!(worlds(Some(4)).computed(&of_none), None);
    }

    #[test]
    fn extents_fit_if_one_scale_gives_them() {
        let pixels = [-25, 47, 136, -4, -24, 135];
        for (world, expected) in [
            ([-187, 352, 1020, -30, -180, 1012], true),
            ([-187, 352, 1020, -30, -180, 1011], false),
            ([187, 352, 1020, -30, -180, 1012], false),
            ([0; 6], false),
        ] {
            assert_eq!(fits(pixels, world), expected, "{world:?}");
        }
        assert!(!fits([0; 6], [1, 0, 0, 0, 0, 0]) && fits([0; 6], [0; 6]));
    }
}
