//! Arithmetic of points, rotations and colors.

use super::Transform;

/// A point or direction.
pub(crate) type Vector = [f32; 3];

/// Returns `true` if no value is infinite or NaN.
pub fn is_finite<const N: usize>(values: &[f32; N]) -> bool {
    values.iter().all(|value| value.is_finite())
}

pub(crate) fn minus([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ax - bx, ay - by, az - bz]
}

pub(crate) fn plus([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ax + bx, ay + by, az + bz]
}

/// Returns a vector times a number.
pub fn times(of: Vector, by: f32) -> Vector {
    of.map(|value| value * by)
}

/// Returns the dot product.
pub fn dot([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> f32 {
    ax * bx + ay * by + az * bz
}

pub(crate) fn cross([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

pub(crate) fn length([x, y, z]: Vector) -> f32 {
    x.hypot(y).hypot(z)
}

/// Returns new numbers with the bits of the old ones where both are zero for a program that has neither negative zeros nor numbers below
/// the smallest normal one. Retail models have both.
pub fn with_zeros_of<const N: usize>(was: [f32; N], mut now: [f32; N]) -> [f32; N] {
    let is_zero = |value: f32| value.abs() < f32::MIN_POSITIVE;
    for (now, was) in now.iter_mut().zip(was).filter(|(now, was)| is_zero(**now) && is_zero(*was)) {
        *now = was;
    }
    now
}

/// Scales a vector to length 1; returns `None` if it has no direction, or one too short for single precision.
pub fn unit<const N: usize>(of: [f32; N]) -> Option<[f32; N]> {
    let most = of.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    if !is_finite(&of) || most < f32::MIN_POSITIVE {
        return None;
    }
    // Scaled first, so that the square neither overflows nor underflows.
    let near = of.map(|value| value / most);
    let length = near.iter().map(|value| value * value).sum::<f32>().sqrt();
    Some(near.map(|value| value / length))
}

/// The axes and the origin of a node, in the coordinates of a parent.
pub type Place = ([Vector; 3], Vector);

/// The identity.
pub const HERE: Place = ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]);

/// Returns a point of a node in the coordinates of its parent.
pub fn point([x, y, z]: Vector, (rows, at): &Place) -> Vector {
    let [right, up, back] = *rows;
    plus(plus(plus(times(right, x), times(up, y)), times(back, z)), *at)
}

/// Returns the transform of a node, given that of its parent.
pub fn within((rows, at): Place, parent: &Place) -> Place {
    let (axes, _) = parent;
    (rows.map(|row| point(row, &(*axes, [0.0; 3]))), point(at, parent))
}

/// Returns the inverse of a transform, or `None` if single precision cannot represent it.
pub fn inverse((rows, at): Place) -> Option<Place> {
    let [x, y, z] = rows;
    let [yz, zx, xy] = [cross(y, z), cross(z, x), cross(x, y)];
    let volume = dot(x, yz);
    let [[xx, yx, zx], [xy, yy, zy], [xz, yz, zz]] = [yz, zx, xy].map(|column| times(column, 1.0 / volume));
    let rows = [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]];
    let back = point(times(at, -1.0), &(rows, [0.0; 3]));
    (rows.iter().all(is_finite) && is_finite(&back)).then_some((rows, back))
}

/// Converts a color component of the screen, from 0 to 1, to linear light.
pub fn linear(screen: f32) -> f32 {
    match screen {
        dark if dark <= 0.040_45 => (dark / 12.92).max(0.0),
        light if light < 1.0 => ((light + 0.055) / 1.055).powf(2.4),
        // Out of range, or NaN.
        _ => 1.0,
    }
}

/// Converts linear light to a color component of the screen, from 0 to 1.
pub fn screen(linear: f32) -> f32 {
    match linear {
        dark if dark <= 0.003_130_8 => (dark * 12.92).max(0.0),
        light => 1.055 * light.powf(1.0 / 2.4) - 0.055,
    }
}

/// Rounds a number to single precision.
#[expect(clippy::as_conversions, reason = "there is no other way to round, and rounding is what is wanted")]
pub(crate) fn narrow(wide: f64) -> f32 {
    wide as f32
}

/// The tolerance between the rows of a file and a rotation with a scale: more than the last bits, less than is visible.
const NEAR: f32 = 1e-3;

impl Default for Transform {
    fn default() -> Self {
        Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] }
    }
}

impl Transform {
    /// Returns the axes and the origin after the transform.
    pub fn place(&self) -> Place {
        let ([right, up, back], _) = HERE;
        let [wide, high, deep] = self.scale;
        let axes = [times(right, wide), times(up, high), times(back, deep)];
        (axes.map(|axis| turned(self.rotation, axis)), self.translation)
    }

    /// Returns `true` if single precision can represent the axes, their lengths, and the origin after the transform.
    pub(super) fn is_finite(&self) -> bool {
        let (rows, at) = self.place();
        rows.into_iter().all(|row| length(row).is_finite()) && is_finite(&at)
    }

    /// Returns the transform that these rows and this translation describe, and `true` if it is exact: a scene cannot shear.
    /// Returns `None` if a number is not finite.
    pub fn of_rows(rows: [Vector; 3], translation: Vector) -> Option<(Self, bool)> {
        let [x, y, z] = rows;
        let right = unit(x).or_else(|| unit(cross(y, z))).unwrap_or([1.0, 0.0, 0.0]);
        let up = upright(right, y).or_else(|| upright(right, cross(z, right)));
        let up = up.or_else(|| upright(right, [0.0, 1.0, 0.0])).or_else(|| upright(right, [0.0, 0.0, 1.0]));
        let up = up.unwrap_or([0.0, 1.0, 0.0]);
        let back = cross(right, up);
        let mirrored = if dot(back, z) < 0.0 { -1.0 } else { 1.0 };
        let scale = [length(x), length(y), length(z) * mirrored];
        let transform = Self { translation, rotation: turn([right, up, back])?, scale };
        let [wide, high, deep] = scale;
        let again = [times(right, wide), times(up, high), times(back, deep)];
        let near = |(row, again): (Vector, Vector)| length(minus(row, again)) <= NEAR * length(row).max(NEAR);
        let exact = rows.into_iter().zip(again).all(near);
        (is_finite(&translation) && is_finite(&scale)).then_some((transform, exact))
    }
}

/// Returns the part of a direction that is perpendicular to another of length 1, scaled to length 1.
fn upright(to: Vector, of: Vector) -> Option<Vector> {
    let of = unit(of)?;
    let rest = minus(of, times(to, dot(to, of)));
    if length(rest) < NEAR { None } else { unit(rest) }
}

/// Rotates a direction by a quaternion of length 1.
fn turned([x, y, z, w]: [f32; 4], of: Vector) -> Vector {
    let axis = [x, y, z];
    let twice = times(cross(axis, of), 2.0);
    plus(plus(of, times(twice, w)), cross(axis, twice))
}

/// Returns the quaternion that rotates the axes onto these.
fn turn([[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]: [Vector; 3]) -> Option<[f32; 4]> {
    // Four times the square of each component; dividing by the largest is the most accurate.
    let squares = [1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz, 1.0 + xx + yy + zz];
    let most = squares.iter().copied().fold(f32::MIN, f32::max);
    let [x, y, z, _] = squares;
    let parts = if x >= most {
        [x, xy + yx, zx + xz, yz - zy]
    } else if y >= most {
        [xy + yx, y, yz + zy, zx - xz]
    } else if z >= most {
        [zx + xz, yz + zy, z, xy - yx]
    } else {
        [yz - zy, zx - xz, xy - yx, most]
    };
    unit(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transform_that_overflows_is_left_out() {
        use crate::gltf::{Node, Scene};
        let mut scene = Scene::default();
        let turn = [0.6, 0.0, 0.0, 0.8];
        for scale in [[1.0; 3], [f32::MAX; 3], [f32::INFINITY, 1.0, 1.0], [1e30, 1.0, 1.0]] {
            let transform = Transform { rotation: turn, scale, ..Transform::default() };
            scene.put(Node { transform, ..Node::default() }, None);
        }
        let kept: Vec<bool> = scene.nodes.iter().map(|node| node.transform.rotation == turn).collect();
        let left_out = scene.left_out.get("transforms that are not finite");
        assert_eq!((kept, left_out), (vec![true, false, false, true], Some(&2)));
    }

    #[test]
    fn rows_become_rotations_and_scales() {
        let (s, c) = (0.6, 0.8);
        for rows in [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]],
            [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
            [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]],
            [[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]],
            [[2.0 * c, 2.0 * s, 0.0], [-s, c, 0.0], [0.0, 0.0, -3.0]],
            [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
            [[0.0; 3], [0.0, 0.0, 1.0], [0.0, -2.0, 0.0]],
            [[0.0; 3]; 3],
        ] {
            let (transform, exact) = Transform::of_rows(rows, [1.0, 2.0, 3.0]).expect("finite");
            assert!(exact, "{rows:?}");
            let (found, at) = transform.place();
            assert!(
                found.into_iter().zip(rows).all(|(found, row)| length(minus(found, row)) < 1e-5),
                "{rows:?}: {found:?}"
            );
            assert_eq!(at, [1.0, 2.0, 3.0]);
            let there_and_back =
                inverse(transform.place()).map(|back| point(point([4.0, 5.0, 6.0], &(found, at)), &back));
            let is_flat = rows.contains(&[0.0; 3]);
            assert!(there_and_back.map_or(is_flat, |back| length(minus(back, [4.0, 5.0, 6.0])) < 1e-4), "{rows:?}");
        }
        let sheared = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!(!Transform::of_rows(sheared, [0.0; 3]).expect("finite").1);
        assert_eq!(Transform::of_rows([[f32::NAN; 3]; 3], [0.0; 3]), None);
        assert_eq!(Transform::of_rows([[1.0; 3]; 3], [f32::INFINITY; 3]), None);
    }

    #[test]
    fn linear_light_is_within_bounds() {
        assert_eq!([0.0, 1.0, 7.0, -3.0, f32::NAN].map(linear), [0.0, 1.0, 1.0, 0.0, 1.0]);
        assert!((linear(0.5) - 0.214).abs() < 1e-3);
    }

    #[test]
    fn unit_is_none_without_a_direction() {
        assert_eq!(unit([0.0, 3.0, -4.0]), Some([0.0, 0.6, -0.8]));
        assert_eq!(unit([1.5e38, 0.0, 2e38]), Some([0.6, 0.0, 0.8]));
        assert_eq!([[0.0; 3], [f32::NAN, 0.0, 1.0], [f32::INFINITY, 0.0, 0.0]].map(unit), [None; 3]);
    }
}
