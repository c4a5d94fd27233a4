//! The numbers of vertices as texture coordinates.
//!
//! Blender before 4.0 drops attributes of its own accord, even those with `_`, but keeps every set of texture coordinates to the bit.
//! So the last set holds the number of each vertex to the right, and a check of it downward: a program that cuts an edge interpolates
//! both, and the check of such a vertex is wrong.

use super::NEW;

/// The numbers from here on are not whole in single precision.
const END: u32 = 1 << 24;

/// Returns the texture coordinates that stand for the number of a vertex.
pub(super) fn mark(vertex: u32) -> [f32; 2] {
    if vertex < END { [float(vertex), float(check(vertex))] } else { [-1.0, -1.0] }
}

/// Returns the number that texture coordinates stand for, or [`NEW`] if they stand for none.
pub(super) fn vertex([number, check_of_it]: [f32; 2]) -> u32 {
    numbered(number).filter(|&vertex| (float(check(vertex)) - check_of_it).abs() < NEAR).unwrap_or(NEW)
}

/// The tolerance of whole numbers: importers can store coordinates with less precision.
const NEAR: f32 = 1e-2;

/// Returns the number that a float stands for, or `None` if it is not whole or too large.
pub(super) fn numbered(value: f32) -> Option<u32> {
    let whole = value.round();
    if !(0.0..float(END)).contains(&whole) || (whole - value).abs() >= NEAR {
        return None;
    }
    #[expect(clippy::as_conversions, reason = "a whole number within the range of the type")]
    Some(whole as u32)
}

/// Returns a number that does not change evenly with the vertex.
fn check(vertex: u32) -> u32 {
    let vertex = vertex % 8191;
    (vertex * vertex * 31 + vertex * 7919 + 17) % 8191
}

/// Converts a number below [`END`], which is exact.
pub(super) fn float(number: u32) -> f32 {
    let [low, high] = [number & 0xFFFF, number >> 16].map(|half| u16::try_from(half).unwrap_or(u16::MAX));
    f32::from(high) * 65536.0 + f32::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_for_one_number_and_their_middles_for_none() {
        let all = [0, 1, 2, 255, 4099, 65_535, 65_536, 77_559, END - 1];
        for number in all {
            assert_eq!((vertex(mark(number)), numbered(float(number))), (number, Some(number)));
            // Blender turns coordinates upside down, twice.
            let [right, down] = mark(number);
            assert_eq!(vertex([right, 1.0 - (1.0 - down)]), number);
        }
        let middle = |[a, b]: [u32; 2]| {
            let ([ax, ay], [bx, by]) = (mark(a), mark(b));
            vertex([(ax + bx) / 2.0, (ay + by) / 2.0])
        };
        let wrong = (0..1000).filter(|&a| middle([a, a + 2]) != NEW).count();
        assert!(wrong < 5, "{wrong} of 1000 middles look like vertices");
        assert_eq!([mark(NEW), mark(END), [f32::NAN, 0.0], [0.0, 0.0]].map(vertex), [NEW; 4]);
    }
}
