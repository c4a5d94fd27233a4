//! The arithmetic of the tools that wrote worlds, with their precision.

use crate::Vec3;
use field::F32;

/// Returns the engine's approximate square root: the bits shifted right, plus half the exponent's bias.
///
/// Source: `zipper-nodes.md`, section 9.
#[must_use]
pub fn rough_root(square: f32) -> f32 {
    let bits = i32::from_le_bytes(square.to_le_bytes()) >> 1;
    f32::from_le_bytes(bits.wrapping_add(0x1FC0_0000).to_le_bytes())
}

/// Returns the approximate distance from the center of a cell to a corner. Computed as f64 and rounded once.
///
/// Source: `zipper-nodes.md`, section 9.
#[must_use]
pub fn cell_diagonal([half_x, half_z]: [f32; 2], [low, high]: [f32; 2]) -> f32 {
    let [x, z, low, high] = [half_x, half_z, low, high].map(f64::from);
    let rise = (low - high) * 0.5;
    rough_root(narrow(x * x + z * z + rise * rise))
}

/// Rounds a number to single precision.
#[must_use]
#[expect(clippy::as_conversions, reason = "there is no other way to round, and rounding is what is wanted")]
pub fn narrow(wide: f64) -> f32 {
    wide as f32
}

/// Returns one over the tangent of an angle, computed as f64, or 0 if the angle is 0, as in Crimson Skies.
///
/// Source: `zipper-nodes.md`, section 6.1.
#[must_use]
pub fn cotangent(angle: f32) -> f32 {
    if angle == 0.0 { 0.0 } else { narrow(1.0 / f64::from(angle).tan()) }
}

/// Returns the center and half the diagonal of points, as Recoil's engine computes them, or `None` for no points.
///
/// Source: `zipper-models.md`, section 2.2.
#[must_use]
pub fn bounds<'p>(points: impl IntoIterator<Item = &'p Vec3>) -> Option<([f32; 3], f32)> {
    let mut points = points.into_iter();
    let first = points.next()?.map(F32::get);
    let (mut low, mut high) = (first, first);
    for point in points {
        for ((low, high), value) in low.iter_mut().zip(&mut high).zip(point.map(F32::get)) {
            (*low, *high) = (low.min(value), high.max(value));
        }
    }
    let ([x, y, z], [right, top, back]) = (low, high);
    let [half_x, half_y, half_z] = [(right - x) * 0.5, (top - y) * 0.5, (back - z) * 0.5];
    let diagonal = rough_root(half_x * half_x + half_y * half_y + half_z * half_z);
    Some(([x + half_x, y + half_y, z + half_z], diagonal))
}

/// The order in which an object rotates around its axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Formula A, that of the games.
    A,
    /// Formula B, that of an older tool for Crimson Skies. Both give the same rows for an object that turns around one axis.
    B,
}

/// Returns the rows of the matrix that rotates by the angles and scales.
///
/// Sine and cosine are rounded to f32, and so is each product and sum, from left to right.
/// Source: `zipper-nodes.md`, section 6.4.
#[must_use]
pub fn rotation(turn: Turn, angles: [f32; 3], scale: [f32; 3]) -> [f32; 9] {
    let [x, y, z] = if turn == Turn::A { angles } else { angles.map(|angle| -angle) };
    let ([sx, cx], [sy, cy], [sz, cz]) = (sine(x), sine(y), sine(z));
    let rows = match turn {
        Turn::A => [
            [sy * sx * sz + cy * cz, cx * sz, cy * sx * sz - sy * cz],
            [sy * sx * cz - cy * sz, cx * cz, cy * sx * cz + sy * sz],
            [sy * cx, -sx, cy * cx],
        ],
        Turn::B => [
            [cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz],
            [cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz],
            [-sy, sx * cy, cx * cy],
        ],
    };
    let [[a, b, c], [d, e, f], [g, h, i]] = rows;
    let [x, y, z] = scale;
    let by = |scale: f32, value: f32| if scale == 1.0 { value } else { value * scale };
    [by(x, a), by(x, b), by(x, c), by(y, d), by(y, e), by(y, f), by(z, g), by(z, h), by(z, i)]
}

fn sine(angle: f32) -> [f32; 2] {
    let (sine, cosine) = f64::from(angle).sin_cos();
    [narrow(sine), narrow(cosine)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the table of `zipper-nodes.md`, section 9.
    #[test]
    fn rough_root_matches_the_table() {
        for (square, root) in [
            (0x0000_0000, 0x1FC0_0000),
            (0x3F80_0000, 0x3F80_0000),
            (0x4000_0000, 0x3FC0_0000),
            (0x4080_0000, 0x4000_0000),
            (0x42C8_0000, 0x4124_0000),
            (0x4700_0000, 0x4340_0000),
            (0x4800_0000, 0x43C0_0000),
            (0x4A00_0000, 0x44C0_0000),
        ] {
            assert_eq!(rough_root(f32::from_bits(square)).to_bits(), root, "{square:#x}");
        }
        assert_eq!([256.0_f32, 1024.0].map(|size| rough_root(size * size * 2.0) * -0.5), [-192.0, -768.0]);
    }

    /// Source: the second table of `zipper-nodes.md`, section 9.
    #[test]
    fn cell_diagonal_matches_the_table() {
        for (low, high, half, bits) in [
            (0.0, 0.0, 128.0, 0x4340_0000),
            (-10.0, 30.0, 128.0, 0x4340_C800),
            (-3.5, 117.25, 128.0, 0x4347_1E92),
            (0.1, 123.456, 128.0, 0x4347_6E16),
            (-256.0, 256.0, 128.0, 0x43A0_0000),
            (0.0, 0.0, 512.0, 0x4440_0000),
            (-100.0, 900.0, 512.0, 0x445E_8480_u32),
        ] {
            assert_eq!(cell_diagonal([half, -half], [low, high]).to_bits(), bits, "{low} {high} {half}");
        }
    }

    /// Source: `zipper-nodes.md`, section 6.1.
    #[test]
    fn cotangent_matches_the_spec() {
        for (half, cotangent_bits) in
            [(0x3F00_0000, 0x3FEA_4D6C), (0x3F06_0A92, 0x3FDD_B3D7), (0x3F32_B8C2, 0x3F98_8B62)]
        {
            assert_eq!(cotangent(f32::from_bits(half)).to_bits(), cotangent_bits, "{half:#x}");
        }
        assert_eq!(cotangent(0.0).to_bits(), 0);
    }

    /// Source: `zipper-nodes.md`, section 6.4.
    #[test]
    fn rotation_follows_both_formulas() {
        let first = |turn| rotation(turn, [0.3, -0.7, 1.1], [1.0; 3])[0];
        assert!((first(Turn::A) - 0.177_262).abs() < 1e-6, "{}", first(Turn::A));
        assert!((first(Turn::B) - 0.346_929).abs() < 1e-6, "{}", first(Turn::B));
        let negative = |turn| {
            let elements = rotation(turn, [0.0; 3], [1.0; 3]);
            (0..9).filter(|&at| elements[at].to_bits() == 0x8000_0000).collect::<Vec<_>>()
        };
        assert_eq!((negative(Turn::A), negative(Turn::B)), (vec![7], vec![3, 7]));
        assert_eq!(rotation(Turn::A, [0.0; 3], [2.0, 3.0, 4.0])[4], 3.0);
    }
}
