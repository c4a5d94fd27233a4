//! The values of a mesh that follow from its vertices and faces, recomputed when the user asks for it.
//!
//! They are those that the compiler of the model computes from a text. Without the text, the order of its vertices is unknown, so the last
//! bits can differ from those of files. Values that agree to within rounding stay.
//!
//! Source: `nwn-mdl.md`, section 4.5; `nwn-mdl-text.md`, section 8.

use std::collections::HashSet;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use field::build::Tape;
use field::{Change, F32, Fault, I16, Result, U16, change, wide};

use super::Vec3;
use super::mesh::{Corner, Face, Mesh};
use super::mesh_types::MeshType;
use super::model_text::arithmetic::{self, Measures, zip};
use super::model_text::profile::Profile;

/// The relative tolerance of values that compilers computed: all of the examined files are within it.
const NEAR: f32 = 1e-3;

/// Recomputes the wanted values of a mesh. The tape is at its node.
///
/// # Errors
/// Returns an error if a face has a neighbor whose index does not fit its field.
pub(super) fn recompute(mesh: &mut Mesh, t: &mut Tape<'_>) -> Result {
    if mesh.streams.vertices.is_empty() {
        return Ok(());
    }
    let vertices: Vec<[f32; 3]> = mesh.streams.vertices.iter().map(|at| at.map(F32::get)).collect();
    t.group("mesh", |t| recompute_header(mesh, &vertices, t))?;
    recompute_faces(mesh, &vertices, t)
}

/// Returns the compiler that wrote a mesh.
fn profile(mesh: &Mesh) -> Profile {
    Profile::of_mesh(mesh.head.functions)
}

/// Returns `true` if a mesh states the area of its faces.
fn has_area(mesh: &Mesh) -> bool {
    matches!(mesh.mesh_type, MeshType::Plain | MeshType::Aabb(_))
}

/// Measures a mesh. Each position counts once, as it does in a text.
fn measured(profile: Profile, faces: &[Face], vertices: &[[f32; 3]], has_area: bool) -> Measures {
    let mut seen = HashSet::new();
    let distinct: Vec<_> = vertices.iter().copied().filter(|at| seen.insert(at.map(f32::to_bits))).collect();
    Measures::of(profile, &distinct, faces.iter().filter_map(|face| corners(face, vertices)), has_area)
}

fn recompute_header(mesh: &mut Mesh, vertices: &[[f32; 3]], t: &mut Tape<'_>) -> Result {
    let has_area = has_area(mesh);
    let Measures { low, high, average, area, .. } = measured(profile(mesh), &mesh.faces, vertices, has_area);
    let profile = profile(mesh);
    let head = &mut mesh.head;
    for (name, corner, now) in [("box_min", &mut head.box_min, low), ("box_max", &mut head.box_max, high)] {
        t.recompute(name, corner, |it, _| {
            // 0.0 and -0.0 are equal.
            Ok(if it.map(F32::get) == now { None } else { change(it, now.map(F32::new)) })
        })?;
    }
    t.recompute("average", &mut head.average, |it, _| Ok(approach(it, average)))?;
    let radius = arithmetic::radius(profile, vertices, head.average.map(F32::get));
    t.recompute("radius", &mut head.radius, |it, _| Ok(approach_one(it, radius)))?;
    if has_area {
        t.recompute("area", &mut head.area, |it, _| Ok(approach_one(it, area)))?;
    }
    Ok(())
}

fn recompute_faces(mesh: &mut Mesh, vertices: &[[f32; 3]], t: &mut Tape<'_>) -> Result {
    // Strips are not the faces one by one.
    let is_strip = mesh.head.triangle_mode.get() == 4;
    if let ([list], false) = (mesh.lists.as_mut_slice(), is_strip) {
        let faces = &mesh.faces;
        t.group("mesh", |t| {
            t.recompute("lists_at", &mut list.vertices, |vertices, _| {
                let rule: Vec<Corner> = faces.iter().flat_map(|face| face.vertices).map(Corner).collect();
                if **vertices == rule {
                    return Ok(None);
                }
                *vertices = rule.into();
                Ok(Some(("different vertices".into(), "the vertices of the faces".into())))
            })
        })?;
    }
    let (neighbors, profile) = (neighbors(&mesh.faces, vertices), profile(mesh));
    mesh.faces.edit(|faces| {
        for (index, (face, neighbors)) in faces.iter_mut().zip(neighbors).enumerate() {
            let plane = corners(face, vertices).map(|corners| arithmetic::plane(profile, corners));
            t.nth("faces", index, |t| {
                if let Some((normal, distance)) = plane {
                    t.recompute("normal", &mut face.normal, |it, _| Ok(approach(it, normal)))?;
                    t.recompute("distance", &mut face.distance, |it, _| Ok(approach_one(it, distance)))?;
                }
                t.recompute("adjacent", &mut face.adjacent, |it, t| {
                    let too_large = |face| t.error_in("adjacent", Fault::TooLarge { value: wide(face), field: "i16" });
                    Ok(change(it, adjacent(neighbors).map_err(too_large)?))
                })
            })?;
        }
        Ok(())
    })
}

/// The values of a mesh that follow from its vertices and faces.
#[cfg(feature = "export")]
pub(super) struct Derived {
    low: [f32; 3],
    high: [f32; 3],
    average: [f32; 3],
    radius: f32,
    area: Option<f32>,
}

#[cfg(feature = "export")]
impl Derived {
    /// Computes them for a new mesh.
    pub(super) fn of(faces: &[Face], vertices: &[[f32; 3]], has_area: bool) -> Self {
        Self::by(Profile::B, faces, vertices, has_area)
    }

    /// Computes them for other faces and positions of a mesh, as its compiler does.
    pub(super) fn like(mesh: &Mesh, faces: &[Face], vertices: &[[f32; 3]]) -> Self {
        Self::by(profile(mesh), faces, vertices, has_area(mesh))
    }

    fn by(profile: Profile, faces: &[Face], vertices: &[[f32; 3]], has_area: bool) -> Self {
        let Measures { low, high, average, radius, area } = measured(profile, faces, vertices, has_area);
        Self { low, high, average, radius, area: has_area.then_some(area) }
    }

    /// Returns those that a mesh has.
    pub(super) fn stored(mesh: &Mesh) -> Self {
        let head = &mesh.head;
        let [low, high, average] = [head.box_min, head.box_max, head.average].map(|it| it.map(F32::get));
        Self { low, high, average, radius: head.radius.get(), area: has_area(mesh).then_some(head.area.get()) }
    }

    /// Returns the values by the names of their fields.
    pub(super) fn values(&self) -> Vec<(&'static str, Vec<f32>)> {
        let Self { low, high, average, radius, area } = self;
        let values = [
            ("box_min", low.to_vec()),
            ("box_max", high.to_vec()),
            ("average", average.to_vec()),
            ("radius", vec![*radius]),
            ("area", area.iter().copied().collect()),
        ];
        values.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }
}

/// Returns `true` if values agree as well as those that compilers computed.
#[cfg(feature = "export")]
pub(super) fn are_near(one: &[f32], other: &[f32]) -> bool {
    let near = |(one, other): (&f32, &f32)| (one - other).abs() <= NEAR * other.abs().max(1.0);
    one.iter().zip(other).all(near)
}

/// Returns the normal and the distance of the plane of a face as the compiler of a mesh computes them, or `None` if a vertex is missing.
#[cfg(feature = "export")]
pub(super) fn plane_of(mesh: &Mesh, face: &Face, vertices: &[[f32; 3]]) -> Option<([f32; 3], f32)> {
    corners(face, vertices).map(|corners| arithmetic::plane(profile(mesh), corners))
}

/// Sets a vector, unless it is as near as those that compilers computed.
fn approach(value: &mut Vec3, now: [f32; 3]) -> Change {
    let was = value.map(F32::get);
    let near = length(zip(was, now, |was, now| was - now)) <= NEAR * length(now).max(1.0);
    if near { None } else { change(value, now.map(F32::new)) }
}

/// Sets a number, unless it is as near as those that compilers computed.
fn approach_one(value: &mut F32, now: f32) -> Change {
    let near = (value.get() - now).abs() <= NEAR * now.abs().max(1.0);
    if near { None } else { change(value, F32::new(now)) }
}

/// The faces across the edges (0, 1), (1, 2) and (2, 0) of a face.
pub(super) type Neighbors = [Option<usize>; 3];

/// Returns the field of a face for its neighbors, with -1 for none.
///
/// # Errors
/// Returns the index of a neighbor that does not fit the field.
pub(super) fn adjacent(neighbors: Neighbors) -> core::result::Result<[I16; 3], usize> {
    let number = |face: usize| i16::try_from(face).map_err(|_| face);
    let [a, b, c] = neighbors.map(|face| face.map_or(Ok(-1), number).map(I16::new));
    Ok([a?, b?, c?])
}

/// Returns the neighbors of each face: across an edge, the first other one that shares both positions.
pub(super) fn neighbors(faces: &[Face], vertices: &[[f32; 3]]) -> Vec<Neighbors> {
    let keys = faces.iter().map(|face| corners(face, vertices).map(|all| all.map(|at| at.map(f32::to_bits))));
    across_edges(&keys.collect::<Vec<_>>())
}

/// Returns the neighbors of each face, given what its corners are: across an edge, the first other face with the same two.
pub(super) fn across_edges<K: Copy + Ord + Hash>(faces: &[Option<[K; 3]>]) -> Vec<Neighbors> {
    let edges = |[a, b, c]: [K; 3]| [(a, b), (b, c), (c, a)].map(|(one, other)| (one.min(other), one.max(other)));
    let mut by_edge: FxHashMap<(K, K), [Option<usize>; 2]> = FxHashMap::default();
    for (index, face) in faces.iter().enumerate() {
        for edge in face.map(edges).into_iter().flatten() {
            match by_edge.entry(edge).or_default() {
                [first @ None, _] => *first = Some(index),
                // A face can have an edge twice. Two faces are enough to know the other one.
                [Some(first), second @ None] if *first != index => *second = Some(index),
                _ => {}
            }
        }
    }
    let across = |(index, face): (usize, &Option<[K; 3]>)| {
        let other = |edge| by_edge.get(&edge)?.iter().flatten().find(|other| **other != index).copied();
        face.map_or([None; 3], |face| edges(face).map(other))
    };
    faces.iter().enumerate().map(across).collect()
}

/// Returns the positions of the vertices of a face, or `None` if there is no such vertex.
fn corners(face: &Face, vertices: &[[f32; 3]]) -> Option<[[f32; 3]; 3]> {
    let at = |vertex: U16| vertices.get(usize::from(vertex.get())).copied();
    let [a, b, c] = face.vertices.map(at);
    Some([a?, b?, c?])
}

fn length([x, y, z]: [f32; 3]) -> f32 {
    (x * x + y * y + z * z).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [4.0, 4.0, 2.0], [0.0, 4.0, 2.0]];

    fn face(vertices: [u16; 3]) -> Face {
        Face { vertices: vertices.map(U16::new), ..bytemuck::Zeroable::zeroed() }
    }

    #[test]
    fn plane_of_a_face() {
        for profile in [Profile::A, Profile::B, Profile::C] {
            let plane = |face| corners(&face, &SQUARE).map(|corners| arithmetic::plane(profile, corners));
            let expected = Some(([0.0, 0.0, 1.0], -2.0));
            assert_eq!([face([0, 1, 2]), face([0, 2, 3])].map(plane), [expected; 2]);
            let flat = if profile == Profile::B { [0.0; 3] } else { [1.0, 0.0, 0.0] };
            assert_eq!(plane(face([0, 0, 1])).map(|(normal, _)| normal), Some(flat), "no area");
        }
        assert_eq!(corners(&face([0, 1, 4]), &SQUARE), None, "no such vertex");
    }

    #[test]
    fn faces_across_edges_share_positions() {
        let found = neighbors(&[face([0, 1, 2]), face([0, 2, 3])], &SQUARE);
        assert_eq!(found, [[None, None, Some(1)], [Some(0), None, None]]);
        let fields: Vec<_> = found.into_iter().map(|it| adjacent(it).map(|face| face.map(I16::get))).collect();
        assert_eq!(fields, [Ok([-1, -1, 1]), Ok([0, -1, -1])]);
    }

    #[test]
    fn neighbor_that_does_not_fit_is_not_none() {
        let fits = adjacent([Some(32767), None, None]).map(|face| face.map(I16::get));
        assert_eq!((fits, adjacent([None, Some(32768), None])), (Ok([32767, -1, -1]), Err(32768)));
    }

    #[test]
    fn average_counts_a_position_once() {
        let twice: Vec<_> = SQUARE.into_iter().chain(SQUARE.into_iter().take(2)).collect();
        assert_eq!(measured(Profile::B, &[], &twice, false).average, [2.0, 2.0, 2.0]);
    }
}
