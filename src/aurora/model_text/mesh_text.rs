//! A mesh as a text has it, and the mesh that a compiler makes of it: vertices that corners of faces share, normals, planes, neighbors.
//!
//! Source: `nwn-mdl-text.md`, sections 4.1 and 8.1 to 8.5.

use rustc_hash::FxHashMap;

use crate::geometry::{across_edges, adjacent};
use crate::mesh::Face;
use field::{F32, I32, U16};

use super::arithmetic::{Measures, Use, Vector, across, add, normal, plane};
use super::profile::Profile;

/// A face of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TextFace {
    pub(super) vertices: [usize; 3],
    /// Faces that share a bit are smooth where they meet.
    pub(super) smooth: u32,
    /// The places in the texture, if there are any.
    pub(super) places: [usize; 3],
    pub(super) surface: i32,
}

/// The lists of a mesh in a text. All but the faces and the places are by vertex, or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TextMesh {
    pub(super) vertices: Vec<Vector>,
    pub(super) faces: Vec<TextFace>,
    pub(super) places: Vec<[f32; 2]>,
    pub(super) normals: Vec<Vector>,
    pub(super) colors: Vec<[u8; 4]>,
    pub(super) constraints: Vec<f32>,
}

/// How corners of faces share vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    /// With the first face that has two of the corners: trimeshes and walkmeshes.
    ByFace,
    /// With every face that has the corner: all others.
    ByCorner,
}

/// A mesh as a file has it.
pub(super) struct Built {
    pub(super) faces: Vec<Face>,
    /// The vertex of the text and the place in the texture of each vertex.
    pub(super) from: Vec<(usize, usize)>,
    pub(super) normals: Vec<Vector>,
    pub(super) measures: Measures,
}

/// What a vertex is shared by: position, place, normal, color and constraint.
type Key = ([u32; 3], [u32; 2], [u32; 3], [u8; 4], u32);

fn get<T: Copy + Default>(all: &[T], index: usize) -> T {
    all.get(index).copied().unwrap_or_default()
}

impl TextMesh {
    fn corners(&self, face: &TextFace) -> [Vector; 3] {
        face.vertices.map(|vertex| get(&self.vertices, vertex))
    }

    /// Compiles the mesh.
    ///
    /// # Errors
    /// Returns an error if it has more vertices or faces than a file can hold.
    pub(super) fn compiled(&self, profile: Profile, sharing: Sharing, has_area: bool) -> Result<Built, String> {
        let normals = self.corner_normals(profile);
        let (vertices, from) = self.share(sharing, &normals)?;
        let neighbors = across_edges(&self.faces.iter().map(|face| Some(face.vertices)).collect::<Vec<_>>());
        let mut faces = Vec::with_capacity(self.faces.len());
        for ((face, corners), neighbors) in self.faces.iter().zip(&vertices).zip(neighbors) {
            let (normal, distance) = plane(profile, self.corners(face));
            let neighbors =
                adjacent(neighbors).map_err(|face| format!("expected at most 32,767 faces, found face {face}"))?;
            faces.push(Face {
                normal: normal.map(F32::new),
                distance: F32::new(distance),
                surface: I32::new(face.surface),
                adjacent: neighbors,
                vertices: corners.map(U16::new),
            });
        }
        let corners = self.faces.iter().map(|face| self.corners(face));
        let measures = Measures::of(profile, &self.vertices, corners, has_area);
        let (from, normals) = from.into_iter().unzip();
        Ok(Built { faces, from, normals, measures })
    }

    /// Returns the normal of each corner of each face.
    fn corner_normals(&self, profile: Profile) -> Vec<[Vector; 3]> {
        if !self.normals.is_empty() {
            return self.faces.iter().map(|face| face.vertices.map(|it| get(&self.normals, it))).collect();
        }
        let sums: Vec<[f64; 3]> =
            self.faces.iter().map(|face| across(profile, self.corners(face), Use::Normal)).collect();
        // The corners at each vertex, in the order of faces.
        let mut at: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.vertices.len()];
        for (index, face) in self.faces.iter().enumerate() {
            for (corner, vertex) in face.vertices.into_iter().enumerate() {
                if let Some(at) = at.get_mut(vertex) {
                    at.push((index, corner));
                }
            }
        }
        let mut normals = vec![[[0.0; 3]; 3]; self.faces.len()];
        let mask = |face: usize| self.faces.get(face).map_or(0, |face| face.smooth);
        for mut waiting in at {
            // A face without smoothing has a group of its own.
            let alone = waiting.extract_if(.., |(face, _)| mask(*face) == 0).map(|corner| vec![corner]);
            let mut groups: Vec<Vec<(usize, usize)>> = alone.collect();
            while let Some(&(first, _)) = waiting.first() {
                let smooth = mask(first);
                groups.push(waiting.extract_if(.., |(face, _)| mask(*face) & smooth != 0).collect());
            }
            for group in groups {
                let sum = group.iter().fold([0.0; 3], |sum, (face, _)| add(profile, sum, get(&sums, *face)));
                let normal = normal(profile, sum);
                for (face, corner) in group {
                    if let Some(to) = normals.get_mut(face).and_then(|all| all.get_mut(corner)) {
                        *to = normal;
                    }
                }
            }
        }
        normals
    }

    /// Returns the vertices of each face, and what each vertex is made from.
    #[allow(clippy::type_complexity, reason = "vertices of faces, and sources of vertices")]
    fn share(
        &self,
        sharing: Sharing,
        normals: &[[Vector; 3]],
    ) -> Result<(Vec<[u16; 3]>, Vec<((usize, usize), Vector)>), String> {
        let mut numbers: FxHashMap<Key, usize> = FxHashMap::default();
        let mut by_key: FxHashMap<usize, u16> = FxHashMap::default();
        // The first face that has two keys.
        let mut by_pair: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        let mut faces: Vec<([usize; 3], [u16; 3])> = Vec::with_capacity(self.faces.len());
        let mut from: Vec<((usize, usize), Vector)> = Vec::new();
        for (index, (face, normals)) in self.faces.iter().zip(normals).enumerate() {
            let mut keys = [0; 3];
            let corners = || face.vertices.into_iter().zip(face.places).zip(normals);
            for (key, ((vertex, place), normal)) in keys.iter_mut().zip(corners()) {
                let next = numbers.len();
                let bits = get(&self.vertices, vertex).map(f32::to_bits);
                let place = get(&self.places, place).map(f32::to_bits);
                let color = get(&self.colors, vertex);
                let constraint = get(&self.constraints, vertex).to_bits();
                *key = *numbers.entry((bits, place, normal.map(f32::to_bits), color, constraint)).or_insert(next);
            }
            let [a, b, c] = keys;
            let pairs = [(a, b), (b, c), (c, a)].map(|(one, other)| (one.min(other), one.max(other)));
            let known = pairs.iter().filter_map(|pair| by_pair.get(pair)).min().and_then(|face| faces.get(*face));
            let known = known.copied().filter(|_| sharing == Sharing::ByFace);
            let mut vertices = [0; 3];
            for ((to, key), ((vertex, place), normal)) in vertices.iter_mut().zip(keys).zip(corners()) {
                let shared = match sharing {
                    Sharing::ByFace => known.and_then(|(keys, vertices)| {
                        keys.into_iter().zip(vertices).find(|(known, _)| *known == key).map(|(_, vertex)| vertex)
                    }),
                    Sharing::ByCorner => by_key.get(&key).copied(),
                };
                *to = match shared {
                    Some(vertex) => vertex,
                    None => {
                        let next =
                            u16::try_from(from.len()).map_err(|_| "expected at most 65,536 vertices of a mesh")?;
                        from.push(((vertex, place), *normal));
                        by_key.insert(key, next);
                        next
                    }
                };
            }
            for pair in pairs {
                by_pair.entry(pair).or_insert(index);
            }
            faces.push((keys, vertices));
        }
        Ok((faces.into_iter().map(|(_, vertices)| vertices).collect(), from))
    }
}
