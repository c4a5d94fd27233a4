//! Meshes, built triangle by triangle.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::vector::{Vector, cross, dot, is_finite, minus, plus, unit};
use super::{Mesh, Primitive, Scene};

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Corner {
    /// The position, in the unit of the drawing.
    pub position: Vector,
    /// The normal.
    pub normal: Option<Vector>,
    /// The texture coordinates.
    pub coordinates: Option<[f32; 2]>,
    /// Linear, from 0 to 1.
    pub color: Option<[f32; 4]>,
    /// The joints that move it, with their weights.
    pub binding: Option<Binding>,
    /// The number of the vertex in the file.
    pub vertex: u32,
    /// The face of the file, and the corner of that face.
    pub source: [u32; 2],
}

/// The joints and weights of a vertex of a bound mesh.
pub type Binding = ([u16; 4], [f32; 4]);

/// For normals, coordinates, colors and bindings, `true` if vertices have them.
type Has = [bool; 4];

/// The bits of a vertex: identical corners become one vertex.
type Bits = [u32; 21];

/// Triangles of one material, whose vertices all have the same types of values.
#[derive(Debug, Default)]
struct Growing {
    primitive: Primitive,
    known: HashMap<Bits, u32>,
    /// The sorted vertices of each triangle so far.
    faces: HashSet<[u32; 3]>,
}

impl Growing {
    /// Returns `true` if a triangle has a corner twice, or if an earlier triangle has the same corners: importers such as
    /// Blender's drop such a triangle unless it has its own vertices.
    fn repeats(&self, corners: &[Corner; 3]) -> bool {
        let [first, second, third] = corners.each_ref().map(Corner::bits);
        if first == second || second == third || third == first {
            return true;
        }
        let known = [first, second, third].map(|bits| self.known.get(&bits).copied());
        let [Some(first), Some(second), Some(third)] = known else { return false };
        self.faces.contains(&sorted([first, second, third]))
    }
}

impl Primitive {
    /// Frees memory that its lists do not need.
    fn shrink(&mut self) {
        let Self { positions, normals, coordinates, colors, joints, weights, vertices, indices, corners, .. } = self;
        positions.shrink_to_fit();
        normals.shrink_to_fit();
        coordinates.shrink_to_fit();
        colors.shrink_to_fit();
        joints.shrink_to_fit();
        weights.shrink_to_fit();
        vertices.shrink_to_fit();
        indices.shrink_to_fit();
        corners.shrink_to_fit();
    }
}

fn sorted(mut vertices: [u32; 3]) -> [u32; 3] {
    vertices.sort_unstable();
    vertices
}

/// A mesh under construction.
#[derive(Debug, Default)]
pub struct Builder {
    /// The parts by material, and by the values of their vertices.
    parts: BTreeMap<(Option<usize>, Has), Growing>,
    /// The number of triangles with a corner that is not finite.
    nowhere: usize,
    /// The number of normals without a direction, which the triangle's normal replaces.
    pointless: usize,
    /// The number of coordinates that are not finite, which 0 replaces.
    unplaced: usize,
}

impl Corner {
    fn has(&self) -> Has {
        [self.normal.is_some(), self.coordinates.is_some(), self.color.is_some(), self.binding.is_some()]
    }

    fn bits(&self) -> Bits {
        let [x, y, z] = self.position;
        let [nx, ny, nz] = self.normal.unwrap_or_default();
        let [u, v] = self.coordinates.unwrap_or_default();
        let [r, g, b, a] = self.color.unwrap_or_default();
        let ([i, j, k, l], [wi, wj, wk, wl]) = self.binding.unwrap_or_default();
        let [x, y, z, nx, ny, nz, u, v, r, g, b, a] = [x, y, z, nx, ny, nz, u, v, r, g, b, a].map(f32::to_bits);
        let ([i, j, k, l], [wi, wj, wk, wl]) = ([i, j, k, l].map(u32::from), [wi, wj, wk, wl].map(f32::to_bits));
        [self.vertex, x, y, z, nx, ny, nz, u, v, r, g, b, a, i, j, k, l, wi, wj, wk, wl]
    }
}

impl Builder {
    /// Adds a triangle with counterclockwise corners to the mesh.
    pub fn triangle(&mut self, material: Option<usize>, corners: [Corner; 3]) {
        let [first, second, third] = corners;
        if corners.iter().any(|corner| !is_finite(&corner.position)) {
            self.nowhere += 1;
            return;
        }
        let face = face(corners);
        // Values are stored for all corners or for none: a list is as long as the number of vertices.
        let [a, b, c] = [first.has(), second.has(), third.has()];
        let mut has = Has::default();
        has.iter_mut().zip(a).zip(b).zip(c).for_each(|(((has, a), b), c)| *has = a && b && c);
        let part = (material, has);
        let own = self.parts.entry(part).or_default().repeats(&corners);
        let vertices = corners.map(|corner| self.vertex(part, corner, face, own));
        if let Some(part) = self.parts.get_mut(&part).filter(|_| !own) {
            part.faces.insert(sorted(vertices));
        }
    }

    /// Adds a triangle, reversed if that agrees better with its normals: for files that do not specify the order of
    /// corners.
    pub fn triangle_by_normals(&mut self, material: Option<usize>, corners: [Corner; 3]) {
        let [first, second, third] = corners;
        let normals = corners.iter().filter_map(|corner| corner.normal.and_then(unit)).fold([0.0; 3], plus);
        let turned = face(corners).is_some_and(|face| dot(face, normals) < 0.0);
        self.triangle(material, if turned { [first, third, second] } else { corners });
    }

    /// Adds a corner of a triangle and returns its vertex, which is new if the triangle has its own vertices.
    fn vertex(&mut self, part: (Option<usize>, Has), corner: Corner, face: Option<Vector>, own: bool) -> u32 {
        let Growing { primitive, known, .. } = self.parts.entry(part).or_default();
        let next = u32::try_from(primitive.positions.len()).unwrap_or(u32::MAX);
        let index = if own { next } else { *known.entry(corner.bits()).or_insert(next) };
        primitive.indices.push(index);
        primitive.corners.push(corner.source);
        if index != next {
            return index;
        }
        let (material, [normals, coordinates, colors, bindings]) = part;
        primitive.material = material;
        primitive.positions.push(corner.position);
        primitive.vertices.push(corner.vertex);
        if normals {
            let normal = corner.normal.and_then(unit);
            self.pointless += usize::from(normal.is_none());
            primitive.normals.push(normal.or(face).unwrap_or([0.0, 1.0, 0.0]));
        }
        if coordinates {
            let place = corner.coordinates.filter(is_finite);
            self.unplaced += usize::from(place.is_none());
            primitive.coordinates.push(place.unwrap_or_default());
        }
        if colors {
            primitive.colors.push(corner.color.unwrap_or([1.0; 4]));
        }
        if bindings {
            let (joints, weights) = corner.binding.unwrap_or(([0; 4], [1.0, 0.0, 0.0, 0.0]));
            primitive.joints.push(joints);
            primitive.weights.push(weights);
        }
        index
    }

    /// Adds the mesh to a scene and returns its index, or `None` if it has no triangles.
    pub fn finish(self, scene: &mut Scene, name: String, place: Option<String>) -> Option<usize> {
        scene.leave("triangles with a corner that is not finite", self.nowhere);
        scene.leave("normals without a direction, replaced by those of their triangles", self.pointless);
        scene.leave("texture coordinates that are not finite, replaced by the corner of the texture", self.unplaced);
        let primitives = self.parts.into_values().map(|Growing { mut primitive, .. }| {
            // A world has tens of thousands of primitives, whose lists have grown by doubling.
            primitive.shrink();
            primitive
        });
        let primitives: Vec<Primitive> = primitives.collect();
        if primitives.is_empty() {
            return None;
        }
        scene.meshes.push(Mesh { name, place, primitives });
        scene.meshes.len().checked_sub(1)
    }
}

/// Returns the normal of a triangle whose corners are counterclockwise.
fn face([first, second, third]: [Corner; 3]) -> Option<Vector> {
    unit(cross(minus(second.position, first.position), minus(third.position, first.position)))
}

/// Returns the triangles of a polygon, by the numbers of its corners: a fan around the first corner, or a strip in which
/// every second triangle is reversed.
pub fn triangles(corners: usize, strip: bool) -> impl Iterator<Item = [usize; 3]> {
    (2..corners).map(move |last| {
        let (middle, first) = (last - 1, last - 2);
        match (strip, last % 2) {
            (false, _) => [0, middle, last],
            (true, 0) => [first, middle, last],
            (true, _) => [middle, first, last],
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: `zipper-models.md`, section 4: c corners are c - 2 triangles.
    #[test]
    fn polygon_is_split_into_a_fan_or_a_strip() {
        assert_eq!(triangles(2, false).count() + triangles(0, true).count(), 0);
        assert_eq!(triangles(5, false).collect::<Vec<_>>(), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
        assert_eq!(triangles(5, true).collect::<Vec<_>>(), [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
    }

    #[test]
    fn identical_corners_become_one_vertex() {
        let at = |x: f32, y: f32| Corner { position: [x, y, 0.0], normal: Some([0.0, 0.0, -2.0]), ..Corner::default() };
        let mut builder = Builder::default();
        let square = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
        for [a, b, c] in triangles(4, false) {
            builder.triangle_by_normals(Some(3), [square[a], square[b], square[c]]);
        }
        builder.triangle(Some(3), [at(f32::NAN, 0.0), square[0], square[1]]);
        let lost = Corner { normal: Some([0.0; 3]), ..at(5.0, 5.0) };
        builder.triangle(None, [lost; 3]);
        let mut scene = Scene::default();
        assert_eq!(builder.finish(&mut scene, "square".to_owned(), None), Some(0));
        let [bare, part] = &scene.meshes[0].primitives[..] else { panic!("two parts") };
        assert_eq!((part.positions.len(), &part.indices[..]), (4, &[0, 1, 2, 0, 3, 1][..]));
        assert_eq!((part.material, part.normals[0]), (Some(3), [0.0, 0.0, -1.0]));
        assert_eq!((bare.material, bare.positions.len(), bare.normals[0]), (None, 3, [0.0, 1.0, 0.0]));
        assert_eq!(scene.left_out.values().sum::<usize>(), 4);
        assert_eq!(Builder::default().finish(&mut scene, String::new(), None), None);
    }

    #[test]
    fn triangle_that_repeats_corners_has_its_own_vertices() {
        let at = |x: f32, y: f32| Corner { position: [x, y, 0.0], ..Corner::default() };
        let [a, b, c, d] = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
        let mut builder = Builder::default();
        for corners in [[a, b, c], [a, c, b], [c, d, a], [d, d, a], [a, b, c]] {
            builder.triangle(None, corners);
        }
        let mut scene = Scene::default();
        builder.finish(&mut scene, String::new(), None);
        let [part] = &scene.meshes[0].primitives[..] else { panic!("one part") };
        assert_eq!(part.indices, [0, 1, 2, 3, 4, 5, 2, 6, 0, 7, 8, 9, 10, 11, 12]);
        assert_eq!(part.positions.len(), 13);
    }
}
