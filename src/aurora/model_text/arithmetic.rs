//! The arithmetic of each compiler: which results it rounds to 32 bits decides the last bits of planes, normals, boxes and areas.
//!
//! Source: `nwn-mdl-text.md`, section 8.

use field::single;

use super::profile::Profile;

/// A point or a direction.
pub(crate) type Vector = [f32; 3];

/// What the cross product of two edges is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Plane,
    Normal,
    Area,
}

fn round(value: f64) -> f64 {
    single(value).into()
}

/// Returns the results of a function for each part of two points.
pub(crate) fn zip<T: Copy, R>([a, b, c]: [T; 3], [x, y, z]: [T; 3], of: impl Fn(T, T) -> R) -> [R; 3] {
    [of(a, x), of(b, y), of(c, z)]
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

fn cross_single([a, b, c]: Vector, [x, y, z]: Vector) -> Vector {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    (x * x + y * y + z * z).sqrt()
}

/// Returns the cross product of two edges of a triangle.
pub(crate) fn across(profile: Profile, [a, b, c]: [Vector; 3], purpose: Use) -> [f64; 3] {
    let from = if purpose == Use::Area { a } else { b };
    if profile == Profile::C {
        let minus = |to, from| zip(to, from, |to: f32, from| to - from);
        return cross_single(minus(b, a), minus(c, from)).map(f64::from);
    }
    let minus = |to: Vector, from: Vector| zip(to.map(f64::from), from.map(f64::from), |to, from| to - from);
    let (first, second) = (minus(b, a), minus(c, from));
    if profile == Profile::A {
        return cross(first.map(round), second.map(round)).map(round);
    }
    let [x, y, z] = first;
    let z = if purpose == Use::Normal { round(z) } else { z };
    let [cx, cy, cz] = cross([round(x), round(y), z], second);
    [round(cx), round(cy), cz]
}

/// Returns the normal and the distance of the plane of a face.
pub(crate) fn plane(profile: Profile, corners: [Vector; 3]) -> (Vector, f32) {
    let normal = across(profile, corners, Use::Plane);
    let [first, ..] = corners;
    if profile == Profile::C {
        let normal = normal.map(single);
        let [x, y, z] = normal;
        let normal = match x * x + y * y + z * z {
            0.0 => [1.0, 0.0, 0.0],
            square => normal.map(|it| it * (1.0 / square.sqrt())),
        };
        let [x, y, z] = zip(normal, first, |normal, at| normal * at);
        return (normal, -(x + y + z));
    }
    let normal = match length(normal) {
        0.0 if profile == Profile::A => [1.0, 0.0, 0.0],
        0.0 => [0.0; 3],
        length => normal.map(|it| single(it / length)),
    };
    let [x, y, z] = zip(normal, first, |normal, at| f64::from(normal) * f64::from(at));
    (normal, single(-(x + y + z)))
}

/// Adds a cross product to those of other faces at a vertex.
pub(crate) fn add(profile: Profile, sum: [f64; 3], more: [f64; 3]) -> [f64; 3] {
    let sum = zip(sum, more, |sum, more| sum + more);
    if profile == Profile::B { sum } else { sum.map(round) }
}

/// Returns the normal of a vertex from the sum of the cross products of its faces.
pub(crate) fn normal(profile: Profile, sum: [f64; 3]) -> Vector {
    let [x, y, z] = sum;
    match profile {
        Profile::A => match length(sum) {
            0.0 => [1.0, 0.0, 0.0],
            length => sum.map(|it| single(it / length)),
        },
        Profile::B => match length(sum) {
            0.0 => [0.0; 3],
            length => {
                let by = round(1.0 / length);
                [single(x * by), single(round(y) * by), single(round(z) * by)]
            }
        },
        Profile::C => {
            let sum = sum.map(single);
            let [x, y, z] = sum;
            match x * x + y * y + z * z {
                0.0 => [1.0, 0.0, 0.0],
                square => sum.map(|it| it * (1.0 / square.sqrt())),
            }
        }
    }
}

/// The values of a mesh that follow from its vertices and faces.
pub(crate) struct Measures {
    pub(crate) low: Vector,
    pub(crate) high: Vector,
    pub(crate) average: Vector,
    pub(crate) radius: f32,
    pub(crate) area: f32,
}

/// Returns the number of some items, of which a mesh has few.
fn number(count: usize) -> f64 {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}

impl Measures {
    /// Measures a mesh by its vertices in the order of the text.
    pub(crate) fn of(
        profile: Profile,
        vertices: &[Vector],
        faces: impl Iterator<Item = [Vector; 3]>,
        has_area: bool,
    ) -> Self {
        let fold = |pick: fn(f32, f32) -> f32| vertices.iter().fold([0.0; 3], |corner, at| zip(corner, *at, pick));
        let average = average(profile, vertices);
        let radius = radius(profile, vertices, average);
        let area = if has_area { area(profile, faces) } else { 0.0 };
        Self { low: fold(f32::min), high: fold(f32::max), average, radius, area }
    }
}

fn average(profile: Profile, vertices: &[Vector]) -> Vector {
    let count = number(vertices.len());
    if vertices.is_empty() {
        return if profile == Profile::B { [f32::from_bits(0xFFC0_0000); 3] } else { [0.0; 3] };
    }
    if profile == Profile::C {
        let sum = vertices.iter().fold([0.0_f32; 3], |sum, at| zip(sum, *at, |sum, at| sum + at));
        return sum.map(|it| it * single(1.0 / count));
    }
    let sum = vertices.iter().fold([0.0_f64; 3], |sum, at| zip(sum, at.map(f64::from), |sum, at| sum + at));
    if profile == Profile::A {
        return sum.map(|it| single(it / count));
    }
    let ([x, y, z], by) = (sum, round(1.0 / count));
    [single(x * by), single(y * by), single(round(z) * by)]
}

/// Returns the largest distance of a vertex from a point.
pub(crate) fn radius(profile: Profile, vertices: &[Vector], from: Vector) -> f32 {
    vertices.iter().map(|at| distance(profile, *at, from)).fold(0.0, f32::max)
}

fn distance(profile: Profile, at: Vector, from: Vector) -> f32 {
    if profile == Profile::C {
        let [x, y, z] = zip(at, from, |at: f32, from| at - from);
        return (x * x + y * y + z * z).sqrt();
    }
    let away = zip(at.map(f64::from), from.map(f64::from), |at, from| at - from);
    single(length(if profile == Profile::A { away.map(round) } else { away }))
}

fn area(profile: Profile, faces: impl Iterator<Item = [Vector; 3]>) -> f32 {
    let all = faces.map(|corners| across(profile, corners, Use::Area));
    match profile {
        Profile::A => all.fold(0.0_f32, |sum, it| single(f64::from(sum) + round(length(it)) / 2.0)),
        Profile::B => single(all.map(|it| length(it) / 2.0).sum()),
        Profile::C => all.fold(0.0_f32, |sum, it| {
            let [x, y, z] = it.map(single);
            sum + (x * x + y * y + z * z).sqrt() / 2.0
        }),
    }
}

/// Returns the rotation by an angle around an axis: x, y, z, w.
///
/// Source: `nwn-mdl-text.md`, section 8.7.
pub(crate) fn rotation([x, y, z, angle]: [f32; 4]) -> [f32; 4] {
    let (half, axis) = (f64::from(angle) / 2.0, [x, y, z].map(f64::from));
    let (sine, cosine) = (half.sin(), half.cos());
    let [x, y, z] = axis;
    match round(length(axis)) {
        0.0 => [0.0, 0.0, 0.0, 1.0],
        length => {
            let by = 1.0 / length;
            let other = |it: f64| single(round(it * round(by)) * round(sine));
            [single(x * by * sine), other(y), other(z), single(cosine)]
        }
    }
}

/// Returns the axis and the angle of a rotation x, y, z, w: the nearest ones that give it again, if there are such.
pub(crate) fn axis_angle(turn: [f32; 4]) -> [f32; 4] {
    let [x, y, z, w] = turn.map(f64::from);
    let sine = length([x, y, z]);
    if sine == 0.0 && w == 1.0 {
        return [0.0; 4];
    }
    let angle = 2.0 * sine.atan2(w);
    let axis = if sine == 0.0 { [1.0, 0.0, 0.0] } else { [x, y, z].map(|it| it / sine) };
    let [x, y, z] = axis.map(single);
    let nearest = [x, y, z, single(angle)];
    let step = |it: f32, by: i32| f32::from_bits(it.to_bits().wrapping_add_signed(by));
    let is_it = |tried: [f32; 4]| rotation(tried).map(f32::to_bits) == turn.map(f32::to_bits);
    for by in [0, 1, -1, 2, -2] {
        let angle = step(single(angle), by);
        if is_it([x, y, z, angle]) {
            return [x, y, z, angle];
        }
    }
    for nth in 1..27 {
        // No step, one up or one down, for each part of the axis.
        let [of_x, of_y, of_z] = [nth % 3, nth / 3 % 3, nth / 9].map(|it| if it == 2 { -1 } else { it });
        let tried = [step(x, of_x), step(y, of_y), step(z, of_z), single(angle)];
        if is_it(tried) {
            return tried;
        }
    }
    nearest
}
