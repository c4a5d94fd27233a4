//! The lists of a text for a mesh of a file: vertices that faces share, and smoothing groups that give its normals again.
//!
//! Source: `nwn-mdl-text.md`, sections 8.3, 8.4 and 9.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::mesh::Mesh;
use field::F32;

use super::mesh_text::{Built, Sharing, TextFace, TextMesh};
use super::profile::Profile;

/// Sets of items that are joined step by step.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// Returns the first item of the set of an item.
    fn of(&mut self, item: usize) -> usize {
        let mut at = item;
        while let Some(&up) = self.0.get(at)
            && up != at
        {
            let above = self.0.get(up).copied().unwrap_or(up);
            if let Some(here) = self.0.get_mut(at) {
                *here = above;
            }
            at = up;
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        let (first, last) = (one.min(other), one.max(other));
        if let Some(to) = self.0.get_mut(last) {
            *to = first;
        }
    }
}

/// The corners of a mesh: its vertices by face.
fn corners(mesh: &Mesh) -> Vec<[usize; 3]> {
    mesh.faces.iter().map(|face| face.vertices.map(|vertex| usize::from(vertex.get()))).collect()
}

fn bits<const N: usize>(values: &[[F32; N]], at: usize) -> Option<[u32; N]> {
    values.get(at).map(|it| it.map(|it| it.get().to_bits()))
}

/// Returns the number of the vertex of the text for each corner: corners at one position are one vertex if they share a vertex of the file,
/// or if the file says that their faces meet.
fn merged(mesh: &Mesh) -> Vec<[usize; 3]> {
    let corners = corners(mesh);
    let mut sets = Sets::new(corners.len() * 3);
    let mut first: FxHashMap<usize, usize> = FxHashMap::default();
    for (index, vertex) in corners.iter().flatten().enumerate() {
        match first.entry(*vertex) {
            Entry::Occupied(known) => sets.join(*known.get(), index),
            Entry::Vacant(new) => {
                new.insert(index);
            }
        }
    }
    let position = |vertex: usize| bits(&mesh.streams.vertices, vertex);
    for (index, (face, own)) in mesh.faces.iter().zip(&corners).enumerate() {
        for (edge, other) in face.adjacent.into_iter().enumerate() {
            let Some((other, theirs)) = usize::try_from(other.get()).ok().and_then(|it| Some((it, corners.get(it)?)))
            else {
                continue;
            };
            for corner in [edge, (edge + 1) % 3] {
                let here = own.get(corner).and_then(|vertex| position(*vertex));
                let there = theirs.iter().position(|vertex| here.is_some() && position(*vertex) == here);
                if let Some(there) = there {
                    sets.join(index * 3 + corner, other * 3 + there);
                }
            }
        }
    }
    (0..corners.len()).map(|face| [0, 1, 2].map(|corner| sets.of(face * 3 + corner))).collect()
}

/// Numbers values in the order of their first use.
struct Numbers<K> {
    known: FxHashMap<K, usize>,
}

impl<K: core::hash::Hash + Eq> Numbers<K> {
    fn new() -> Self {
        Self { known: FxHashMap::default() }
    }

    /// Returns the number of a value, and whether it is new.
    fn of(&mut self, key: K) -> (usize, bool) {
        let next = self.known.len();
        match self.known.entry(key) {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(new) => (*new.insert(next), true),
        }
    }
}

/// Returns the lists of a text, given the vertices of the text of each corner and the smoothing group of each face.
fn lists(mesh: &Mesh, vertices: &[[usize; 3]], smooth: &[u32], with_normals: bool) -> (TextMesh, Vec<usize>) {
    let streams = &*mesh.streams;
    let [places, ..] = &streams.coordinates;
    let mut text = TextMesh::default();
    // The vertex of the file that each vertex of the text is made from.
    let mut from = Vec::new();
    let (mut known, mut known_places) = (Numbers::new(), Numbers::new());
    let has_colors = streams.colors.iter().any(|color| color.map(|it| it.get()) != [0xFF; 4]);
    let constraints = match &mesh.mesh_type {
        crate::mesh_types::MeshType::Dangly(dangly) => &dangly.constraints[..],
        _ => &[],
    };
    for (((face, corners), groups), smooth) in mesh.faces.iter().zip(corners(mesh)).zip(vertices).zip(smooth) {
        let mut new = TextFace { smooth: *smooth, surface: face.surface.get(), ..TextFace::default() };
        for ((to, vertex), group) in new.vertices.iter_mut().zip(corners).zip(groups) {
            let (number, is_new) = known.of(*group);
            *to = number;
            if is_new {
                let at = |all: &[[F32; 3]]| all.get(vertex).map_or([0.0; 3], |it| it.map(F32::get));
                text.vertices.push(at(&streams.vertices));
                if with_normals {
                    text.normals.push(at(&streams.normals));
                }
                if has_colors {
                    text.colors.push(streams.colors.get(vertex).map_or([0xFF; 4], |it| it.map(|it| it.get())));
                }
                if !constraints.is_empty() {
                    text.constraints.push(constraints.get(vertex).map_or(0.0, |it| it.get()));
                }
                from.push(vertex);
            }
        }
        for (to, vertex) in new.places.iter_mut().zip(corners) {
            let Some(place) = bits(places, vertex) else { continue };
            let (number, is_new) = known_places.of(place);
            *to = number;
            if is_new {
                text.places.push(place.map(f32::from_bits));
            }
        }
        text.faces.push(new);
    }
    (text, from)
}

/// The lists of a text that a mesh of a file is made from.
pub(super) struct Lists {
    pub(super) text: TextMesh,
    /// The vertex of the file that each vertex of the text is made from.
    pub(super) from: Vec<usize>,
}

impl Lists {
    /// Finds lists from which a mesh is compiled again, or the most similar ones.
    pub(super) fn of(mesh: &Mesh, profile: Profile, sharing: Sharing, has_area: bool) -> Self {
        let merged = merged(mesh);
        let (smooth, is_sure) = smoothing(mesh, &merged);
        let (text, from) = lists(mesh, &merged, &smooth, false);
        let first = Self { text, from };
        if is_sure && first.fit(mesh, profile, sharing, has_area) {
            return first;
        }
        // Normals of their own need a vertex for each normal.
        let mut numbers = Numbers::new();
        let normal = |vertex: usize| bits(&mesh.streams.normals, vertex).unwrap_or_default();
        let split: Vec<[usize; 3]> = merged
            .iter()
            .zip(corners(mesh))
            .map(|(groups, corners)| {
                let [a, b, c] = corners;
                let [x, y, z] = *groups;
                [(x, a), (y, b), (z, c)].map(|(group, vertex)| numbers.of((group, normal(vertex))).0)
            })
            .collect();
        let (text, from) = lists(mesh, &split, &smooth, true);
        let second = Self { text, from };
        if second.fit(mesh, profile, sharing, has_area) { second } else { first }
    }

    /// Returns `true` if the mesh that is compiled has the same vertices in the same faces, and most normals.
    fn fit(&self, mesh: &Mesh, profile: Profile, sharing: Sharing, has_area: bool) -> bool {
        let Ok(Built { faces, from, normals, .. }) = self.text.compiled(profile, sharing, has_area) else {
            return false;
        };
        let is_same = from.len() == mesh.streams.vertices.len()
            && faces.iter().zip(mesh.faces.iter()).all(|(one, other)| one.vertices == other.vertices);
        let near = |one: f32, other: f32| (one - other).abs() < 1e-3;
        let differ = |(one, other): &(&[f32; 3], &[F32; 3])| {
            !one.iter().zip(other.iter()).all(|(one, other)| near(*one, other.get()))
        };
        is_same && normals.iter().zip(mesh.streams.normals.iter()).filter(differ).count() * 8 <= normals.len()
    }
}

/// Returns the smoothing group of each face, and whether groups give the normals: corners at one vertex share a group if their normals are
/// the same.
fn smoothing(mesh: &Mesh, vertices: &[[usize; 3]]) -> (Vec<u32>, bool) {
    let corners = corners(mesh);
    let count = corners.len();
    let mut sets = Sets::new(count);
    // The first face with each normal at each vertex.
    let mut meet: FxHashMap<usize, Vec<([u32; 3], usize)>> = FxHashMap::default();
    let mut is_sure = true;
    for (face, (corners, vertices)) in corners.iter().zip(vertices).enumerate() {
        for (corner, vertex) in corners.iter().zip(vertices) {
            let normal = bits(&mesh.streams.normals, *corner).unwrap_or_default();
            let known = meet.entry(*vertex).or_default();
            match known.iter().find(|(it, _)| *it == normal) {
                Some((_, other)) => sets.join(*other, face),
                // There are only 32 groups.
                None if known.len() > 32 => is_sure = false,
                None => known.push((normal, face)),
            }
        }
    }
    let roots: Vec<usize> = (0..count).map(|face| sets.of(face)).collect();
    let mut apart: FxHashMap<usize, FxHashSet<usize>> = FxHashMap::default();
    for known in meet.values() {
        for (nth, (_, one)) in known.iter().enumerate() {
            for (_, other) in known.iter().skip(nth + 1) {
                let of = |face: usize| roots.get(face).copied().unwrap_or(face);
                let (one, other) = (of(*one), of(*other));
                is_sure &= one != other;
                apart.entry(one).or_default().insert(other);
                apart.entry(other).or_default().insert(one);
            }
        }
    }
    let mut groups: FxHashMap<usize, u32> = FxHashMap::default();
    for root in &roots {
        if groups.contains_key(root) {
            continue;
        }
        let around = apart.get(root).into_iter().flatten();
        let taken = around.filter_map(|other| groups.get(other)).fold(0, |all, group| all | group);
        let free = (!taken).trailing_zeros();
        is_sure &= free < 32;
        groups.insert(*root, 1_u32.checked_shl(free).unwrap_or(0));
    }
    (roots.iter().map(|root| groups.get(root).copied().unwrap_or(1)).collect(), is_sure)
}
