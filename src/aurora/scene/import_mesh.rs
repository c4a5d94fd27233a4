//! Edits of meshes: values of vertices, faces, and what follows from them.
//!
//! A vertex has one normal, one color and one place in the texture. Vertices that no face uses any more stay, so that the numbers of
//! the others do not change.

use std::collections::{BTreeMap, HashMap};

use super::skins::used;
use crate::geometry::{self, Derived};
use crate::mesh::{Face, Mesh};
use crate::mesh_types::MeshType;
use field::{Address, F32, I16, Shaped as _, U8, U16, Value};
use kind::Imported;
use media::gltf::faces::{Binding, CornerEdit, MeshEdit, NewCorner};
use media::gltf::vector::{dot, is_finite, screen, unit};

/// The places of the node of a mesh and of its streams.
type Places = (Address, Address);

/// The values of vertices.
#[derive(Clone)]
struct Vertices {
    positions: Vec<[f32; 3]>,
    coordinates: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
    colors: Vec<[u8; 4]>,
    weights: Vec<[f32; 4]>,
    slots: Vec<[i16; 4]>,
}

impl Vertices {
    fn of(mesh: &Mesh) -> Self {
        let streams = &mesh.streams;
        let [coordinates, ..] = &streams.coordinates;
        let skin = match &mesh.mesh_type {
            MeshType::Skin(skin) => Some(skin),
            _ => None,
        };
        Self {
            weights: skin.iter().flat_map(|skin| skin.weights.iter()).map(|it| it.map(F32::get)).collect(),
            slots: skin.iter().flat_map(|skin| skin.slots.iter()).map(|it| it.map(I16::get)).collect(),
            positions: streams.vertices.iter().map(|at| at.map(F32::get)).collect(),
            coordinates: coordinates.iter().map(|at| at.map(F32::get)).collect(),
            normals: streams.normals.iter().map(|at| at.map(F32::get)).collect(),
            colors: streams.colors.iter().map(|at| at.map(U8::get)).collect(),
        }
    }
}

/// Finds the edits of a mesh.
pub(super) fn edit_mesh(mesh: &Mesh, edit: &MeshEdit, places: &Places, to: &mut Imported) -> Result<(), String> {
    let was = Vertices::of(mesh);
    let mut now = was.clone();
    for (&vertex, position) in &edit.vertices {
        let at = usize::try_from(vertex).ok().and_then(|vertex| now.positions.get_mut(vertex));
        *at.ok_or_else(|| format!("no vertex {vertex}"))? = *position;
    }
    edit_corners(mesh, edit, &mut now, to)?;
    let mut faces = mesh.faces.to_vec();
    let is_cut = !edit.deleted.is_empty() || !edit.added.is_empty();
    if is_cut {
        faces = cut(mesh, edit, &mut now)?;
    }
    set_streams(&was, &now, places, to);
    follow(mesh, (&was, &now), &mut faces, is_cut, places, to);
    Ok(())
}

/// Sets the values of vertices that have changed: one by one, or all if there are more vertices than before.
fn set_streams(was: &Vertices, now: &Vertices, (_, place): &Places, to: &mut Imported) {
    fn set<const N: usize, T: Copy + PartialEq + Into<Value>>(
        (was, now): (&[[T; N]], &[[T; N]]),
        place: &Address,
        to: &mut Imported,
    ) {
        let one = |value: &[T; N]| value.iter().copied().map(Into::into).collect::<Value>();
        for (index, (_, value)) in was.iter().zip(now).enumerate().filter(|(_, (was, now))| was != now) {
            to.set(place.with(index.to_string()), one(value));
        }
        for value in now.iter().skip(was.len()) {
            to.set(place.with("-"), one(value));
        }
    }
    set((&was.positions, &now.positions), &place.with("vertices"), to);
    set((&was.coordinates, &now.coordinates), &place.with("coordinates"), to);
    set((&was.normals, &now.normals), &place.with("normals"), to);
    set((&was.colors, &now.colors), &place.with("colors"), to);
    set((&was.weights, &now.weights), &place.with("weights"), to);
    set((&was.slots, &now.slots), &place.with("slots"), to);
}

fn at<T: Copy>(list: &[T], index: u16) -> Option<T> {
    list.get(usize::from(index)).copied()
}

/// Returns `true` if the scene shows a face.
fn is_drawn(face: &Face, vertices: &Vertices) -> bool {
    face.vertices.iter().all(|vertex| at(&vertices.positions, vertex.get()).is_some_and(|it| is_finite(&it)))
}

/// Changes the values of vertices whose corners have changed.
fn edit_corners(mesh: &Mesh, edit: &MeshEdit, now: &mut Vertices, to: &mut Imported) -> Result<(), String> {
    if edit.corners.is_empty() {
        return Ok(());
    }
    let mut users: HashMap<u16, usize> = HashMap::new();
    let drawn = mesh.faces.iter().filter(|face| is_drawn(face, now));
    for vertex in drawn.flat_map(|face| face.vertices) {
        let count = users.entry(vertex.get()).or_default();
        *count += 1;
    }
    let mut edits: BTreeMap<u16, Vec<CornerEdit>> = BTreeMap::new();
    for (&[face, corner], edit) in &edit.corners {
        let vertex = usize::try_from(face).ok().and_then(|face| mesh.faces.get(face));
        let vertex = vertex.zip(usize::try_from(corner).ok()).and_then(|(face, corner)| face.vertices.get(corner));
        edits.entry(vertex.ok_or_else(|| format!("no face {face}"))?.get()).or_default().push(*edit);
    }
    for (vertex, edits) in edits {
        let count = users.get(&vertex).copied().unwrap_or(0);
        let index = usize::from(vertex);
        let split = |what: &str| {
            format!(
                "vertex {vertex} has different {what} in the faces around it, but a vertex has one; select all of these faces, or \
                 split the vertex first (in Blender: Mesh > Split)"
            )
        };
        let values = all_alike(
            &edits,
            count,
            |it| it.coordinates,
            |a, b| (a.0[0] - b.0[0]).abs() + (a.0[1] - b.0[1]).abs() < 1e-4,
        );
        match values {
            Shared::None => {}
            Shared::Different => return Err(split("texture coordinates")),
            Shared::All([right, down]) => {
                if let Some(place) = now.coordinates.get_mut(index) {
                    *place = [right, 1.0 - down];
                }
            }
        }
        match all_alike(&edits, count, |it| it.color, |a, b| a.0.iter().zip(b.0).all(|(a, b)| (a - b).abs() < 1e-3)) {
            Shared::None => {}
            Shared::Different => return Err(split("colors")),
            Shared::All(color) => {
                if let Some(place) = now.colors.get_mut(index) {
                    *place = bytes_of(color);
                }
            }
        }
        let mut bindings = edits.iter().filter_map(|it| it.binding);
        if let Some(binding) = bindings.next() {
            let alike = |other: Binding| other.iter().zip(binding).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-3);
            if 1 + bindings.clone().count() != count || !bindings.all(alike) {
                return Err(split("weights"));
            }
            bind(mesh, binding, index, now).map_err(|why| format!("vertex {vertex}: {why}"))?;
        }
        match all_alike(&edits, count, |it| it.normal.and_then(unit), |a, b| dot(a.0, b.0) > 0.999) {
            Shared::None => {}
            Shared::Different => to.ignore("normals that faces with another one share, which stay unchanged", 1),
            Shared::All(normal) => {
                if let Some(place) = now.normals.get_mut(index) {
                    *place = normal;
                }
            }
        }
    }
    Ok(())
}

/// Binds a vertex of a skin to the bones of these nodes, which keep their places among its weights.
///
/// Source: `nwn-mdl.md`, section 4.6: a weight of 0 has slot -1.
fn bind(mesh: &Mesh, binding: Binding, vertex: usize, now: &mut Vertices) -> Result<(), String> {
    let (MeshType::Skin(skin), Some(slots), Some(weights)) =
        (&mesh.mesh_type, now.slots.get_mut(vertex), now.weights.get_mut(vertex))
    else {
        return Ok(());
    };
    let mut wanted = Vec::with_capacity(4);
    for (node, weight) in binding.into_iter().filter(|(_, weight)| *weight > 0.0) {
        // The first node of the scene stands upright, and those of the model follow.
        let slot =
            node.checked_sub(1).and_then(|node| skin.map.get(node)).map(|slot| slot.get()).filter(|&slot| slot >= 0);
        wanted.push((
            slot.ok_or_else(|| {
                format!(
                    "expected one of the {} bones of its skin, found another joint; bind it to those bones",
                    used(skin)
                )
            })?,
            weight,
        ));
    }
    let (old, mut rest) = (*slots, [0.0; 4]);
    let mut places = [-1; 4];
    wanted.retain(|&(slot, weight)| {
        let Some(at) = old.iter().position(|&old| old == slot) else { return true };
        if let (Some(place), Some(part)) = (places.get_mut(at), rest.get_mut(at)) {
            (*place, *part) = (slot, weight);
        }
        false
    });
    let mut free = places.iter_mut().zip(&mut rest).filter(|(place, _)| **place < 0);
    for (slot, weight) in wanted {
        let (place, part) = free.next().ok_or("expected at most 4 bones with a weight")?;
        (*place, *part) = (slot, weight);
    }
    (*slots, *weights) = (places, rest);
    Ok(())
}

/// The values of the corners at a vertex.
enum Shared<const N: usize> {
    None,
    Different,
    All([f32; N]),
}

/// A value, wrapped so that comparisons read the same for all.
struct Of<const N: usize>([f32; N]);

fn all_alike<const N: usize>(
    edits: &[CornerEdit],
    count: usize,
    of: impl Fn(&CornerEdit) -> Option<[f32; N]>,
    is_near: impl Fn(Of<N>, Of<N>) -> bool,
) -> Shared<N> {
    let found: Vec<[f32; N]> = edits.iter().filter_map(of).collect();
    match found.first() {
        None => Shared::None,
        Some(first) if found.len() == count && found.iter().all(|it| is_near(Of(*first), Of(*it))) => {
            Shared::All(*first)
        }
        Some(_) => Shared::Different,
    }
}

/// Converts a linear color to the bytes of a vertex.
pub(super) fn bytes_of([red, green, blue, alpha]: [f32; 4]) -> [u8; 4] {
    let byte = |part: f32| {
        let part = (part * 255.0).round().clamp(0.0, 255.0);
        (0..=u8::MAX).find(|&byte| f32::from(byte) >= part).unwrap_or(u8::MAX)
    };
    [byte(screen(red)), byte(screen(green)), byte(screen(blue)), byte(alpha)]
}

/// Returns the faces after some have been deleted and others added, and adds the new vertices.
fn cut(mesh: &Mesh, edit: &MeshEdit, vertices: &mut Vertices) -> Result<Vec<Face>, String> {
    if matches!(mesh.mesh_type, MeshType::Aabb(_)) {
        return Err("faces of a walkmesh cannot be deleted or added: its tree of boxes would be wrong".to_owned());
    }
    let is_list = matches!(mesh.lists.as_slice(), [list] if list.vertices.len() == mesh.faces.len() * 3);
    if !is_list || mesh.head.triangle_mode.get() == 4 {
        return Err("faces cannot be deleted or added: its index list is not that of its faces".to_owned());
    }
    // The new number of each face.
    let mut numbers = vec![-1_i16; mesh.faces.len()];
    let mut faces = Vec::new();
    for (index, face) in (0_u32..).zip(mesh.faces.iter()) {
        if edit.deleted.contains(&index) {
            continue;
        }
        if let Some(number) = usize::try_from(index).ok().and_then(|index| numbers.get_mut(index)) {
            *number = i16::try_from(faces.len()).map_err(|_| "more than 32,767 faces")?;
        }
        faces.push(*face);
    }
    for adjacent in faces.iter_mut().flat_map(|face| &mut face.adjacent) {
        let number = usize::try_from(adjacent.get()).ok().and_then(|was| numbers.get(was));
        *adjacent = I16::new(number.copied().unwrap_or(-1));
    }
    let first_new = faces.len();
    let mut new: HashMap<Vec<u32>, u16> = HashMap::new();
    for added in &edit.added {
        let like = added.like.and_then(|like| mesh.faces.get(usize::try_from(like).ok()?));
        let like = like.ok_or("no face to make a new one like")?;
        let mut corners = [U16::default(); 3];
        for (to, corner) in corners.iter_mut().zip(&added.corners) {
            *to = U16::new(vertex_of(corner, mesh, vertices, &mut new)?);
        }
        let mut face = Face { vertices: corners, adjacent: [I16::new(-1); 3], ..*like };
        if let Some((normal, distance)) = geometry::plane_of(mesh, &face, &vertices.positions) {
            (face.normal, face.distance) = (normal.map(F32::new), F32::new(distance));
        }
        faces.push(face);
    }
    let too_many = || "more than 32,767 faces".to_owned();
    i16::try_from(faces.len()).map_err(|_| too_many())?;
    // New faces join what was an open edge.
    let neighbors = geometry::neighbors(&faces, &vertices.positions);
    for (index, (face, neighbors)) in faces.iter_mut().zip(neighbors).enumerate() {
        let rule = geometry::adjacent(neighbors).map_err(|_| too_many())?;
        for (adjacent, rule) in face.adjacent.iter_mut().zip(rule) {
            let is_new = index >= first_new || usize::try_from(rule.get()).is_ok_and(|other| other >= first_new);
            if adjacent.get() < 0 && is_new {
                *adjacent = rule;
            }
        }
    }
    Ok(faces)
}

/// Returns the vertex of a corner of a new face, adding it if there is none with its values.
fn vertex_of(
    corner: &NewCorner,
    mesh: &Mesh,
    vertices: &mut Vertices,
    new: &mut HashMap<Vec<u32>, u16>,
) -> Result<u16, String> {
    if let Some(vertex) = corner.vertex.and_then(|vertex| u16::try_from(vertex).ok()) {
        let places = at(&vertices.coordinates, vertex).zip(corner.coordinates);
        let is_near =
            |([u, v], [right, down]): ([f32; 2], [f32; 2])| (u - right).abs() + (v - (1.0 - down)).abs() < 1e-4;
        if places.is_none_or(is_near) {
            return Ok(vertex);
        }
    }
    if !matches!(mesh.mesh_type, MeshType::Plain) {
        return Err(
            "a skin, danglymesh or animated mesh cannot have new vertices: other values belong to each of its vertices"
                .to_owned(),
        );
    }
    let streams = &mesh.streams;
    let has_more = streams.coordinates.iter().skip(1).any(|set| !set.is_empty())
        || !streams.tangents.is_empty()
        || !streams.bitangent_signs.is_empty()
        || streams.others.iter().any(|it| !it.is_empty());
    if has_more {
        return Err("its vertices have values that glTF does not, so there can be no new ones".to_owned());
    }
    let normal = corner.normal.and_then(unit).unwrap_or([0.0, 0.0, 1.0]);
    if corner.coordinates.is_none() && !vertices.coordinates.is_empty() {
        return Err("its new faces have no texture coordinates, but its other faces have; unwrap them".to_owned());
    }
    let color = bytes_of(corner.color.unwrap_or([1.0; 4]));
    let key: Vec<u32> = corner
        .position
        .iter()
        .chain(&normal)
        .chain(corner.coordinates.iter().flatten())
        .map(|it| it.to_bits())
        .collect();
    let key: Vec<u32> = key.into_iter().chain([u32::from_le_bytes(color)]).collect();
    if let Some(known) = new.get(&key) {
        return Ok(*known);
    }
    let next = u16::try_from(vertices.positions.len()).map_err(|_| "more than 65,535 vertices")?;
    vertices.positions.push(corner.position);
    if let (false, Some([right, down])) = (vertices.coordinates.is_empty(), corner.coordinates) {
        vertices.coordinates.push([right, 1.0 - down]);
    }
    if !vertices.normals.is_empty() {
        vertices.normals.push(normal);
    }
    if !vertices.colors.is_empty() {
        vertices.colors.push(color);
    }
    new.insert(key, next);
    Ok(next)
}

/// Lets the values that follow from vertices and faces follow, if they did before.
///
/// Source: `nwn-mdl.md`, sections 4.5 and 7.4.
fn follow(
    mesh: &Mesh,
    (was, now): (&Vertices, &Vertices),
    faces: &mut [Face],
    is_cut: bool,
    (place, streams): &Places,
    to: &mut Imported,
) {
    if was.positions == now.positions && !is_cut {
        return;
    }
    let old = Derived::like(mesh, &mesh.faces, &was.positions);
    let new = Derived::like(mesh, faces, &now.positions);
    let stored = Derived::stored(mesh);
    let header = place.with("mesh");
    let mut left = 0;
    for ((name, stored), ((_, old), (_, new))) in
        stored.values().into_iter().zip(old.values().into_iter().zip(new.values()))
    {
        // Boxes are exact; of the others, compilers differ in the last digits.
        let is_right = if name.starts_with("box") { stored == new } else { geometry::are_near(&stored, &new) };
        if old == new || is_right {
            continue;
        }
        if !geometry::are_near(&stored, &old) {
            left += 1;
            continue;
        }
        let value = match new.as_slice() {
            [one] => Value::from(*one),
            several => several.iter().map(|&part| Value::from(part)).collect(),
        };
        to.set(header.with(name), value);
    }
    to.ignore("boxes, centers, radii and areas that did not follow from their mesh, which stay unchanged", left);
    let planes = |face: &Face, positions: &[[f32; 3]]| geometry::plane_of(mesh, face, positions);
    for (index, face) in faces.iter_mut().enumerate() {
        let (before, after) = (planes(face, &was.positions), planes(face, &now.positions));
        let (Some((normal, distance)), false) = (after, before == after) else { continue };
        let stored = (face.normal.map(F32::get), face.distance.get());
        let followed = before.is_none_or(|(normal, distance)| {
            geometry::are_near(&stored.0, &normal) && geometry::are_near(&[stored.1], &[distance])
        });
        if !followed {
            to.ignore("planes of faces that did not follow from their vertices, which stay unchanged", 1);
            continue;
        }
        (face.normal, face.distance) = (normal.map(F32::new), F32::new(distance));
        if !is_cut {
            let face = place.with("faces").with(index.to_string());
            to.set(face.with("normal"), normal.iter().map(|&part| Value::from(part)).collect::<Value>());
            to.set(face.with("distance"), distance);
        }
    }
    if is_cut {
        let all = faces.iter().map(|face| Face::SHAPE.show_all(field::bytes_of(face)));
        to.set(place.with("faces"), all.collect::<Value>());
        let list = faces.iter().flat_map(|face| face.vertices).map(|vertex| Value::from(i64::from(vertex.get())));
        to.set(streams.with("lists").with("0").with("vertices"), list.collect::<Value>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_vertices_of_a_mesh_with_texture_coordinates_have_some() {
        let mesh = Mesh::default();
        let corner = NewCorner { vertex: None, position: [0.0; 3], normal: None, coordinates: None, color: None };
        let mut vertices = Vertices::of(&mesh);
        let add = |corner, vertices: &mut Vertices| vertex_of(&corner, &mesh, vertices, &mut HashMap::new());
        assert_eq!(add(corner, &mut vertices), Ok(0));
        vertices.coordinates.push([0.5, 0.5]);
        let why = add(corner, &mut vertices).expect_err("has no coordinates");
        assert!(why.contains("texture coordinates"), "{why}");
        assert_eq!(add(NewCorner { vertex: Some(0), ..corner }, &mut vertices), Ok(0));
        assert_eq!(add(NewCorner { coordinates: Some([0.5; 2]), ..corner }, &mut vertices), Ok(1));
        assert_eq!((vertices.positions.len(), vertices.coordinates.len()), (2, 2));
    }
}
