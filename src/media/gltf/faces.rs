//! The differences of a mesh: moved vertices, changed corners, deleted and new faces.
//!
//! Triangles are recognized by the numbers of their vertices, so their order, and the way in which another program splits vertices, do
//! not matter.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::alike::is_near_color;
use super::paint::{Paint, Paints};
use super::vector::{Vector, cross, dot, length, minus, unit, with_zeros_of};
use super::{Mesh, NEW, Primitive};

/// The changes of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshEdit {
    /// The mesh in the scene that has just been made.
    pub mesh: usize,
    /// New positions, by the number of the vertex.
    pub vertices: BTreeMap<u32, Vector>,
    /// New values of corners, by face and corner.
    pub corners: BTreeMap<[u32; 2], CornerEdit>,
    /// New materials of faces.
    pub materials: BTreeMap<u32, Paint>,
    /// Deleted faces.
    pub deleted: BTreeSet<u32>,
    /// New triangles.
    pub added: Vec<NewFace>,
    /// What differs and is no edit, with counts.
    pub(crate) ignored: BTreeMap<&'static str, usize>,
}

/// New values of a corner, if they have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CornerEdit {
    /// The normal.
    pub normal: Option<Vector>,
    /// The texture coordinates.
    pub coordinates: Option<[f32; 2]>,
    /// The color: red, green, blue, alpha from 0 to 1.
    pub color: Option<[f32; 4]>,
    /// The joints that move it, with their weights.
    pub binding: Option<Binding>,
}

/// The nodes that move a vertex, in the scene that has just been made, with their weights: those without a weight are last, and the
/// weights add up to 1.
pub type Binding = [(usize, f32); 4];

/// The nodes of the scene that has just been made that are the joints of a mesh; `None` for a joint that it does not have.
pub(super) type Joints = [Option<usize>];

/// A new triangle.
#[derive(Clone, Debug, PartialEq)]
pub struct NewFace {
    /// The face that it replaces or borders on; a new mesh has none.
    pub like: Option<u32>,
    /// The material, if it has one.
    pub material: Option<Paint>,
    /// The corners, in order.
    pub corners: [NewCorner; 3],
}

/// A corner of a new triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewCorner {
    /// The number of its vertex, or `None` if the vertex is new.
    pub vertex: Option<u32>,
    /// The position, in the unit of the drawing.
    pub position: Vector,
    /// Its normal, or that of the triangle; `None` if neither is known.
    pub normal: Option<Vector>,
    /// The texture coordinates.
    pub coordinates: Option<[f32; 2]>,
    /// The color: red, green, blue, alpha from 0 to 1.
    pub color: Option<[f32; 4]>,
}

impl NewFace {
    /// Returns the texture coordinates of the corners.
    ///
    /// # Errors
    /// Returns the reason, as a sentence without the mesh, if a corner has none.
    pub fn coordinates(&self) -> Result<[[f32; 2]; 3], &'static str> {
        match self.corners.each_ref().map(|corner| corner.coordinates) {
            [Some(a), Some(b), Some(c)] => Ok([a, b, c]),
            _ => Err("its mesh has no texture coordinates, but its material has a texture; unwrap it"),
        }
    }
}

impl MeshEdit {
    fn ignore(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let known = self.ignored.entry(what).or_default();
            *known += count;
        }
    }

    /// Returns the number of changes, without the new triangles.
    pub(super) fn len(&self) -> usize {
        self.vertices.len() + self.corners.len() + self.materials.len() + self.deleted.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0 && self.added.is_empty()
    }
}

/// A corner of a triangle of either scene.
#[derive(Clone, Copy, Debug)]
struct Flat {
    vertex: u32,
    /// The face and the corner of the face; only in a scene that has just been made.
    source: [u32; 2],
    position: Vector,
    normal: Option<Vector>,
    coordinates: Option<[f32; 2]>,
    color: Option<[f32; 4]>,
    binding: Option<Binding>,
}

#[derive(Clone, Copy, Debug)]
struct Triangle {
    corners: [Flat; 3],
    material: Option<usize>,
}

/// The memory that a given triangle takes until it is an edit: itself, again as part of a pair or as a new one, and its corners beside
/// those of the file, in lists that grow.
pub(super) const OF_TRIANGLE: usize = 3 * size_of::<Triangle>() + 3 * 3 * size_of::<Flat>();

/// Tolerances: of positions and coordinates as a fraction of the largest number, of normals as the cosine of an angle (1 degree), of
/// weights, which programs store in bytes.
const NEAR: f32 = 4e-6;
const NEAR_COORDINATES: f32 = 1e-5;
const NEAR_ANGLE: f32 = 0.999_85;
const NEAR_WEIGHT: f32 = 1.0 / 255.0;

/// Returns the nodes that move a vertex, or `None` if the mesh is not bound.
///
/// # Errors
/// Returns the reason if a joint is not a node of the file.
fn binding(primitive: &Primitive, index: usize, nodes: &Joints) -> Result<Option<Binding>, String> {
    let (Some(joints), Some(weights)) = (primitive.joints.get(index), primitive.weights.get(index)) else {
        return Ok(None);
    };
    if nodes.is_empty() {
        return Ok(None);
    }
    let (mut all, mut used): (Binding, usize) = ([(usize::MAX, 0.0); 4], 0);
    for (&joint, &weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        let node = nodes.get(usize::from(joint)).copied().flatten();
        let node = node.ok_or_else(|| {
            let vertex = primitive.vertices.get(index).copied().unwrap_or(NEW);
            format!("vertex {vertex} has joint {joint}, which is not a node of the file; bind it to nodes of the model")
        })?;
        if let Some((_, known)) = all.iter_mut().find(|(known, _)| *known == node) {
            *known += weight;
        } else if let Some(free) = all.get_mut(used) {
            *free = (node, weight);
            used += 1;
        }
    }
    let sum: f32 = all.iter().map(|(_, weight)| weight).sum();
    if !(sum > 0.0 && sum.is_finite()) {
        let vertex = primitive.vertices.get(index).copied().unwrap_or(NEW);
        return Err(format!("vertex {vertex} has no weight; give it at least one joint with a weight"));
    }
    all.iter_mut().for_each(|(_, weight)| *weight /= sum);
    Ok(Some(all))
}

fn is_near_binding(was: &Binding, now: &Binding) -> bool {
    let of = |all: &Binding, node: usize| all.iter().find(|(it, _)| *it == node).map_or(0.0, |(_, weight)| *weight);
    was.iter().chain(now).all(|&(node, _)| (of(was, node) - of(now, node)).abs() <= NEAR_WEIGHT)
}

fn triangles(mesh: &Mesh, joints: &Joints) -> Result<Vec<Triangle>, String> {
    let mut all = Vec::with_capacity(mesh.primitives.iter().map(|primitive| primitive.indices.len() / 3).sum());
    for primitive in &mesh.primitives {
        let bindings = (0..primitive.joints.len()).map(|index| binding(primitive, index, joints));
        let bindings = bindings.collect::<Result<Vec<_>, _>>()?;
        let at = |nth: usize, index: u32| {
            let index = usize::try_from(index).ok()?;
            Some(Flat {
                binding: bindings.get(index).copied().flatten(),
                vertex: primitive.vertices.get(index).copied().unwrap_or(NEW),
                source: primitive.corners.get(nth).copied().unwrap_or_default(),
                position: *primitive.positions.get(index)?,
                normal: primitive.normals.get(index).copied(),
                coordinates: primitive.coordinates.get(index).copied(),
                color: primitive.colors.get(index).copied(),
            })
        };
        for (nth, corners) in primitive.indices.chunks_exact(3).enumerate() {
            let &[a, b, c] = corners else { continue };
            let nth = nth * 3;
            let corners = [at(nth, a), at(nth + 1, b), at(nth + 2, c)];
            if let [Some(a), Some(b), Some(c)] = corners {
                all.push(Triangle { corners: first_first([a, b, c]), material: primitive.material });
            }
        }
    }
    Ok(all)
}

/// Rotates the corners so that the vertices begin with the smallest.
fn first_first([a, b, c]: [Flat; 3]) -> [Flat; 3] {
    let key = |corners: &[Flat; 3]| corners.map(|corner| corner.vertex);
    let turns = [[a, b, c], [b, c, a], [c, a, b]];
    turns.into_iter().min_by_key(key).unwrap_or([a, b, c])
}

impl Triangle {
    fn key(&self) -> [u32; 3] {
        self.corners.map(|corner| corner.vertex)
    }

    fn face(&self) -> u32 {
        let [Flat { source: [face, _], .. }, ..] = self.corners;
        face
    }

    /// Returns `true` if it has no area, so that a normal means nothing.
    fn is_flat(&self) -> bool {
        let [a, b, c] = self.corners.map(|corner| corner.position);
        let (right, up) = (minus(b, a), minus(c, a));
        length(cross(right, up)) <= 1e-5 * length(right) * length(up)
    }

    /// Returns a corner of it as that of a new face, with the normal of the triangle if it has none.
    fn new_corner(&self, corner: Flat, vertex: Option<u32>) -> NewCorner {
        let [a, b, c] = self.corners.map(|corner| corner.position);
        let face = || unit(cross(minus(b, a), minus(c, a)));
        let Flat { position, coordinates, color, .. } = corner;
        NewCorner { vertex, position, normal: corner.normal.and_then(unit).or_else(face), coordinates, color }
    }

    /// Returns how much the values of another triangle differ, to tell triangles of the same vertices apart.
    fn distance(&self, other: &Self) -> f32 {
        fn far<const N: usize>(a: Option<[f32; N]>, b: Option<[f32; N]>) -> f32 {
            let Some((a, b)) = a.zip(b) else { return 0.0 };
            a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
        }
        let corners = self.corners.iter().zip(&other.corners);
        corners.map(|(a, b)| far(a.coordinates, b.coordinates) + far(a.color, b.color) + far(a.normal, b.normal)).sum()
    }
}

/// Triangles that have been matched: a made one and a given one, or a corner of a face and a given corner.
#[derive(Default)]
struct Matched {
    /// Corners of faces with all values given for them, and `true` if their triangles have an area, so that normals mean something.
    corners: Vec<(Flat, Flat, bool)>,
    /// The materials given for faces that have been cut in another way.
    materials: Vec<(u32, Option<usize>)>,
}

/// Returns the differences of a mesh.
///
/// # Errors
/// Returns the reason, as a sentence without the mesh, if there is no counterpart in the file.
pub(super) fn compare(
    index: usize,
    (mesh, other): (&Mesh, &Mesh),
    (joints, other_joints): (&Joints, &Joints),
    paints: &Paints,
) -> Result<MeshEdit, String> {
    let (made, given) = (triangles(mesh, joints)?, triangles(other, other_joints)?);
    let has_no_numbers = given.iter().flat_map(|it| it.corners).all(|corner| corner.vertex == NEW);
    let mut edit = MeshEdit { mesh: index, ..MeshEdit::default() };
    let mut waiting = Waiting::new();
    for (nth, triangle) in made.iter().enumerate() {
        waiting.entry(triangle.key()).or_default().push(nth);
    }
    let (mut matched, mut pairs) = (Matched::default(), Vec::new());
    let mut extra = pair((&made, paints), given, &mut waiting, &mut pairs);
    if !extra.is_empty() && tell_apart(&made, &waiting, &pairs, &mut extra) {
        extra = pair((&made, paints), extra, &mut waiting, &mut pairs);
    }
    let missing: Vec<usize> = {
        let mut all: Vec<usize> = waiting.into_values().flatten().collect();
        all.sort_unstable();
        all
    };
    let broken = recut(&made, &missing, &mut extra, &mut matched);
    if has_no_numbers && !extra.is_empty() {
        return Err(
            "its vertices have no numbers, and not all are where they were; export with texture coordinates (in Blender: Mesh > UVs), \
             and give a new mesh to a new node"
                .to_owned(),
        );
    }
    for (nth, triangle) in pairs {
        let Some(was) = made.get(nth) else { continue };
        if broken.contains(&was.face()) {
            extra.push(triangle);
            continue;
        }
        let normals = !was.is_flat() && !triangle.is_flat();
        matched.corners.extend(was.corners.into_iter().zip(triangle.corners).map(|(was, now)| (was, now, normals)));
        if !paints.is_same(was.material, triangle.material) {
            edit.materials.insert(was.face(), paints.required(triangle.material)?);
        }
    }
    let was_of: HashMap<u32, Option<usize>> =
        made.iter().map(|triangle| (triangle.face(), triangle.material)).collect();
    for &(face, material) in &matched.materials {
        let was = was_of.get(&face).copied().flatten();
        if !paints.is_same(was, material) {
            edit.materials.insert(face, paints.required(material)?);
        }
    }
    edit.deleted = broken;
    place_vertices(&mut edit, &made, &matched, &extra)?;
    change_corners(&mut edit, &matched)?;
    add_faces(&mut edit, &made, extra, paints)?;
    Ok(edit)
}

/// The triangles that have just been made and are in no pair yet, by the numbers of their vertices.
type Waiting = HashMap<[u32; 3], Vec<usize>>;

/// Pairs triangles with those of the same vertices, and returns those that have no counterpart.
fn pair(
    (made, paints): (&[Triangle], &Paints),
    given: Vec<Triangle>,
    waiting: &mut Waiting,
    pairs: &mut Vec<(usize, Triangle)>,
) -> Vec<Triangle> {
    let mut extra = Vec::new();
    for triangle in given {
        let known = waiting.get_mut(&triangle.key()).filter(|known| !known.is_empty());
        let Some(known) = known else {
            extra.push(triangle);
            continue;
        };
        let material = |at: &usize| made.get(*at).is_some_and(|it| paints.is_same(it.material, triangle.material));
        let far = |at: &usize| made.get(*at).map_or(0.0, |it| it.distance(&triangle));
        let best = known
            .iter()
            .enumerate()
            .min_by(|(_, a), (_, b)| material(b).cmp(&material(a)).then(far(a).total_cmp(&far(b))));
        if let Some(best) = best.map(|(best, _)| best) {
            pairs.push((known.remove(best), triangle));
        }
    }
    extra
}

/// Gives triangles the numbers of the vertices of the face that they are of, if their own are those of other vertices at the same places,
/// or none. Returns `true` if there are any.
///
/// Programs merge vertices at the same place, or lose their numbers: then only the faces that use them tell them apart.
fn tell_apart(made: &[Triangle], waiting: &Waiting, pairs: &[(usize, Triangle)], extra: &mut [Triangle]) -> bool {
    // 0 and -0 are the same place.
    let place = |position: Vector| position.map(|part| (part + 0.0).to_bits());
    let missing = waiting.values().flatten().filter_map(|&nth| made.get(nth));
    // The corners of the faces that lack triangles, and these faces by the places of their corners.
    let mut corners: BTreeMap<u32, Vec<([u32; 3], u32)>> =
        missing.map(|triangle| (triangle.face(), Vec::new())).collect();
    let (mut places, mut faces) = (HashMap::new(), HashMap::<[u32; 3], BTreeSet<u32>>::new());
    for triangle in made {
        let mut own = corners.get_mut(&triangle.face());
        for corner in &triangle.corners {
            let at = place(corner.position);
            places.insert(corner.vertex, at);
            if let Some(own) = &mut own {
                own.push((at, corner.vertex));
                faces.entry(at).or_default().insert(triangle.face());
            }
        }
    }
    let now: HashMap<u32, Vector> =
        pairs.iter().flat_map(|(_, it)| it.corners).map(|corner| (corner.vertex, corner.position)).collect();
    let mut found = false;
    for triangle in extra {
        let at = triangle.corners.map(|corner| match corner.vertex {
            NEW => Some(place(corner.position)),
            vertex => places.get(&vertex).copied(),
        });
        let [Some(first), Some(second), Some(third)] = at else { continue };
        let at = [first, second, third];
        let has = |face: &u32, at: &[u32; 3]| faces.get(at).is_some_and(|faces| faces.contains(face));
        let candidates = faces.get(&first).into_iter().flatten().filter(|face| has(face, &second) && has(face, &third));
        let mut best: Option<(bool, f32, Triangle)> = None;
        for face in candidates {
            let own = corners.get(face).map(Vec::as_slice).unwrap_or_default();
            let renumbered = |(corner, at): (Flat, [u32; 3])| {
                let here = || own.iter().filter(|(place, _)| *place == at).map(|(_, vertex)| *vertex);
                let vertex = here().find(|vertex| *vertex == corner.vertex).or_else(|| here().next())?;
                // A vertex that another triangle has elsewhere is not this one.
                let is_here = |now: &Vector| {
                    let far = length(minus(*now, corner.position));
                    far <= NEAR * length(*now).max(1.0)
                };
                now.get(&vertex).is_none_or(is_here).then_some(Flat { vertex, ..corner })
            };
            let [a, b, c] = triangle.corners;
            let [at_a, at_b, at_c] = at;
            let all = [(a, at_a), (b, at_b), (c, at_c)].map(renumbered);
            let [Some(a), Some(b), Some(c)] = all else { continue };
            let next = Triangle { corners: first_first([a, b, c]), ..*triangle };
            let same = waiting.get(&next.key()).into_iter().flatten().filter_map(|&nth| made.get(nth));
            let far = same.map(|it| it.distance(&next)).min_by(f32::total_cmp);
            let rank = (far.is_none(), far.unwrap_or(0.0));
            let is_better = |best: &(bool, f32, Triangle)| (rank.0, rank.1) < (best.0, best.1);
            if best.as_ref().is_none_or(is_better) {
                best = Some((rank.0, rank.1, next));
            }
        }
        if let Some((.., next)) = best.filter(|(.., next)| next.key() != triangle.key()) {
            *triangle = next;
            found = true;
        }
    }
    found
}

/// Finds faces that have been cut into other triangles of the same corners, and returns the faces that are gone or incomplete.
fn recut(made: &[Triangle], missing: &[usize], extra: &mut Vec<Triangle>, matched: &mut Matched) -> BTreeSet<u32> {
    let mut broken: BTreeMap<u32, usize> = BTreeMap::new();
    for triangle in missing.iter().filter_map(|&nth| made.get(nth)) {
        let count = broken.entry(triangle.face()).or_default();
        *count += 1;
    }
    if broken.is_empty() {
        return BTreeSet::new();
    }
    // The corners of each of these faces, and the faces at each vertex.
    let mut corners: BTreeMap<u32, BTreeMap<u32, Flat>> = BTreeMap::new();
    let mut at: HashMap<u32, BTreeSet<u32>> = HashMap::new();
    for triangle in made.iter().filter(|triangle| broken.contains_key(&triangle.face())) {
        for corner in triangle.corners {
            corners.entry(triangle.face()).or_default().entry(corner.vertex).or_insert(corner);
            at.entry(corner.vertex).or_default().insert(triangle.face());
        }
    }
    let mut inside: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (nth, triangle) in extra.iter().enumerate() {
        let [a, b, c] = triangle.key();
        let is_inside = |face: &&u32| [b, c].iter().all(|it| at.get(it).is_some_and(|faces| faces.contains(*face)));
        let face = at.get(&a).and_then(|faces| faces.iter().find(is_inside));
        if let (Some(face), true) = (face, a != b && b != c && a != c) {
            inside.entry(*face).or_default().push(nth);
        }
    }
    let mut taken = HashSet::new();
    for (face, triangles) in inside {
        if broken.get(&face) != Some(&triangles.len()) {
            continue;
        }
        broken.remove(&face);
        for nth in triangles {
            taken.insert(nth);
            let Some(triangle) = extra.get(nth) else { continue };
            matched.materials.push((face, triangle.material));
            for now in triangle.corners {
                if let Some(was) = corners.get(&face).and_then(|corners| corners.get(&now.vertex)) {
                    matched.corners.push((*was, now, !triangle.is_flat()));
                }
            }
        }
    }
    let mut nth = 0_usize..;
    extra.retain(|_| nth.next().is_none_or(|nth| !taken.contains(&nth)));
    broken.into_keys().collect()
}

/// Finds the vertices that have moved.
fn place_vertices(edit: &mut MeshEdit, made: &[Triangle], matched: &Matched, extra: &[Triangle]) -> Result<(), String> {
    let mut was: HashMap<u32, Vector> = HashMap::new();
    let mut size = 0.0_f32;
    for corner in made.iter().flat_map(|triangle| &triangle.corners) {
        size = corner.position.iter().fold(size, |size, value| size.max(value.abs()));
        was.insert(corner.vertex, corner.position);
    }
    let near = |a: Vector, b: Vector| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= NEAR * size);
    let mut now: BTreeMap<u32, Vector> = BTreeMap::new();
    for (_, corner, _) in &matched.corners {
        match now.get(&corner.vertex) {
            Some(known) if !near(*known, corner.position) => {
                let [one, other] = [*known, corner.position].map(|[x, y, z]| format!("{x} {y} {z}"));
                return Err(format!(
                    "vertex {} is at two places, {one} and {other}; move all of its copies, or merge them first \
                     (in Blender: Mesh > Merge > By Distance)",
                    corner.vertex
                ));
            }
            Some(_) => {}
            None => {
                now.insert(corner.vertex, corner.position);
            }
        }
    }
    // A vertex of new faces only is the one in the file if it is where that was.
    let mut alone: BTreeMap<u32, BTreeSet<[u32; 3]>> = BTreeMap::new();
    for corner in extra.iter().flat_map(|triangle| &triangle.corners) {
        if was.contains_key(&corner.vertex) && !now.contains_key(&corner.vertex) {
            alone.entry(corner.vertex).or_default().insert(corner.position.map(f32::to_bits));
        }
    }
    for (vertex, positions) in alone {
        let mut positions = positions.into_iter().map(|bits| bits.map(f32::from_bits));
        let (first, rest) = (positions.next(), positions.next());
        if let (Some(position), None) = (first, rest) {
            now.insert(vertex, position);
        }
    }
    now.retain(|vertex, position| was.get(vertex).is_some_and(|was| !near(*was, *position)));
    for (vertex, position) in &mut now {
        *position = was.get(vertex).map_or(*position, |was| with_zeros_of(*was, *position));
    }
    edit.vertices = now;
    Ok(())
}

/// Returns the triangles of a mesh that the file does not have.
///
/// # Errors
/// Returns the reason, as a sentence without the mesh, if a joint is not a node of the file.
pub(super) fn new_faces(mesh: &Mesh, paints: &Paints) -> Result<Vec<NewFace>, String> {
    let new = |triangle: Triangle| {
        let corners = triangle.corners.map(|corner| triangle.new_corner(corner, None));
        NewFace { like: None, material: paints.given(triangle.material), corners }
    };
    Ok(triangles(mesh, &[])?.into_iter().map(new).collect())
}

/// Finds the corners whose values have changed.
fn change_corners(edit: &mut MeshEdit, matched: &Matched) -> Result<(), String> {
    let mut seen: HashMap<[u32; 2], CornerEdit> = HashMap::new();
    let [mut flat, mut mixed, mut placed, mut painted, mut is_colorless] = [0_usize; 5];
    for (was, now, has_area) in &matched.corners {
        let normal = now.normal.filter(|_| was.normal.is_some()).filter(|now| !is_near_normal(was.normal, *now));
        flat += usize::from(normal.is_some() && !has_area);
        let normal = normal.filter(|_| *has_area);
        let normal = normal.map(|now| was.normal.map_or(now, |was| with_zeros_of(was, now)));
        let coordinates = match (was.coordinates, now.coordinates) {
            (Some(was), Some(now)) if !is_near_pair(was, now) => Some(with_zeros_of(was, now)),
            (Some(_), None) => return Err("has no texture coordinates any more; export with them".to_owned()),
            (None, Some(now)) if !is_near_pair([0.0; 2], now) => {
                placed += 1;
                None
            }
            _ => None,
        };
        let color = match (was.color, now.color) {
            (Some(was), Some(now)) if !is_near_color(was, now) => Some(now),
            (Some(_), None) => {
                is_colorless = 1;
                None
            }
            (None, Some(now)) if !is_near_color([1.0; 4], now) => {
                painted += 1;
                None
            }
            _ => None,
        };
        // A mesh without joints has been exported without skins.
        let binding = now.binding.filter(|now| was.binding.is_some_and(|was| !is_near_binding(&was, now)));
        let next = CornerEdit { normal, coordinates, color, binding };
        let known = *seen.entry(was.source).or_insert(next);
        let agrees = known.coordinates.is_some() == coordinates.is_some()
            && known.color.is_some() == color.is_some()
            && known.binding.is_some() == binding.is_some()
            && known.binding.zip(binding).is_none_or(|(a, b)| is_near_binding(&a, &b))
            && known.coordinates.zip(coordinates).is_none_or(|(a, b)| is_near_pair(a, b))
            && known.color.zip(color).is_none_or(|(a, b)| is_near_color(a, b));
        if !agrees {
            let [face, corner] = was.source;
            return Err(format!(
                "corner {corner} of polygon {face} has different coordinates, colors or weights in two triangles of the polygon"
            ));
        }
        let is_mixed = known.normal.is_some() != normal.is_some()
            || known.normal.zip(normal).is_some_and(|(known, normal)| !is_near_normal(Some(known), normal));
        if is_mixed {
            mixed += 1;
            seen.insert(was.source, CornerEdit { normal: None, ..known });
        }
    }
    edit.ignore("colors of meshes, which the glTF file does not have", is_colorless);
    edit.ignore("normals of triangles without an area, which stay unchanged", flat);
    edit.ignore("normals that differ in two triangles of a polygon, which stay unchanged", mixed);
    edit.ignore("texture coordinates of corners that have none in the file", placed);
    edit.ignore("colors of corners that have none in the file", painted);
    edit.corners = seen.into_iter().filter(|(_, edit)| *edit != CornerEdit::default()).collect();
    Ok(())
}

fn is_near_normal(was: Option<Vector>, now: Vector) -> bool {
    match (was.and_then(unit), unit(now)) {
        (Some(was), Some(now)) => dot(was, now) >= NEAR_ANGLE,
        _ => true,
    }
}

fn is_near_pair(was: [f32; 2], now: [f32; 2]) -> bool {
    was.iter().zip(now).all(|(was, now)| (was - now).abs() <= NEAR_COORDINATES * was.abs().max(1.0))
}

/// Makes faces of triangles that the file does not have.
fn add_faces(edit: &mut MeshEdit, made: &[Triangle], extra: Vec<Triangle>, paints: &Paints) -> Result<(), String> {
    if extra.is_empty() {
        return Ok(());
    }
    let mut was: HashMap<u32, Vector> = HashMap::new();
    let mut at: HashMap<u32, Vec<&Triangle>> = HashMap::new();
    for triangle in made {
        for corner in &triangle.corners {
            was.insert(corner.vertex, edit.vertices.get(&corner.vertex).copied().unwrap_or(corner.position));
            at.entry(corner.vertex).or_default().push(triangle);
        }
    }
    for triangle in extra {
        let mut shared: BTreeMap<(bool, usize), u32> = BTreeMap::new();
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for near in triangle.key().iter().filter_map(|vertex| at.get(vertex)).flatten() {
            let count = counts.entry(near.face()).or_default();
            *count += 1;
        }
        for (face, count) in counts {
            shared.entry((edit.deleted.contains(&face), count)).or_insert(face);
        }
        let like = shared.into_values().next_back().or_else(|| made.first().map(Triangle::face));
        let like = like.ok_or("has no polygon that a new one could be like")?;
        let material = paints.given(triangle.material);
        let corners = triangle.corners.map(|corner| {
            let known = was
                .get(&corner.vertex)
                .filter(|was| length(minus(**was, corner.position)) <= NEAR * length(**was).max(1.0));
            triangle.new_corner(corner, known.map(|_| corner.vertex))
        });
        edit.added.push(NewFace { like: Some(like), material, corners });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::Scene;

    /// Two triangles side by side, whose vertices are at the same places along the edge between them.
    const PLACES: [Vector; 6] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

    fn mesh(vertices: [u32; 6], positions: [Vector; 6]) -> Mesh {
        let primitive = Primitive {
            positions: positions.to_vec(),
            vertices: vertices.to_vec(),
            indices: (0..6).collect(),
            corners: [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]].to_vec(),
            ..Primitive::default()
        };
        Mesh { primitives: vec![primitive], ..Mesh::default() }
    }

    fn compared(vertices: [u32; 6], positions: [Vector; 6]) -> Result<MeshEdit, String> {
        let (made, scene) = (mesh([0, 1, 2, 3, 4, 5], PLACES), Scene::default());
        compare(0, (&made, &mesh(vertices, positions)), (&[], &[]), &Paints::of(&scene, &scene))
    }

    #[test]
    fn merged_vertices_move_all_of_theirs() {
        assert_eq!(compared([0, 1, 2, 1, 4, 2], PLACES).map(|edit| edit.is_empty()), Ok(true));
        let [a, _, c, _, d, e] = PLACES;
        let moved = [2.0, -1.0, 0.5];
        let edit = compared([0, 1, 2, 1, 4, 2], [a, moved, c, moved, d, e]).expect("an edit");
        assert!(edit.len() == 2 && edit.added.is_empty());
        assert_eq!(edit.vertices, BTreeMap::from([(1, moved), (3, moved)]));
        // One of the file that has been moved alone is not merged.
        let edit = compared([0, 1, 2, 3, 4, 5], [a, moved, c, PLACES[3], d, e]).expect("an edit");
        assert_eq!(edit.vertices, BTreeMap::from([(1, moved)]));
    }

    #[test]
    fn vertices_without_numbers_are_where_they_were() {
        assert_eq!(compared([NEW; 6], PLACES).map(|edit| edit.is_empty()), Ok(true));
        let [a, b, c, _, d, e] = PLACES;
        // The triangles in another order, with the corners in another.
        assert_eq!(compared([NEW; 6], [b, d, c, c, a, b]).map(|edit| edit.is_empty()), Ok(true));
        let why = compared([NEW; 6], [a, [2.0, 0.0, 0.0], c, b, d, e]).expect_err("a moved vertex");
        assert!(why.contains("not all are where they were"), "{why}");
    }
}
