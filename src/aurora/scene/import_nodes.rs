//! New and deleted nodes, and what depends on them: the streams of meshes, the bones of skins, the nodes of animations.
//!
//! Part numbers, node counts and pointers are computed when the file is written. Source: `nwn-mdl.md`, section 7.4.

use std::collections::{BTreeSet, HashMap, HashSet};

use bitflags::Flags as _;

use super::import_mesh::bytes_of;
use super::surface::{NO_TEXTURE, Surface};
use super::{ALPHA, ROOT, placed, rows_of};
use crate::flags::Things;
use crate::geometry::{self, Derived};
use crate::mesh::{Face, MeshHeader};
use crate::mesh_types::MeshType;
use crate::model::Model;
use crate::model_text::profile::Profile;
use crate::node::{Node, NodeFlags};
use crate::pointers::Empties;
use field::{Address, F32, I16, Shaped as _, Stale, Text, U16, U32, Value, limits};
use kind::{Imported, ImportedEdit};
use media::gltf::Scene;
use media::gltf::edits::{Edits, NewNode, Parent};
use media::gltf::faces::NewFace;
use media::gltf::paint::Paint;
use media::gltf::vector::unit;

/// The nodes of the geometry in preorder, with their places.
type Geometry<'m> = Vec<(String, &'m Node)>;

/// Adds and deletes nodes.
pub(super) fn edit_tree(model: &Model, scene: &Scene, edits: &Edits, to: &mut Imported) -> Result<(), String> {
    if edits.deleted.is_empty() && edits.added.is_empty() {
        return Ok(());
    }
    let geometry: Geometry<'_> = placed(&model.root, ROOT.to_owned()).collect();
    let places = edits.deleted.iter().filter_map(|&node| scene.nodes.get(node)?.place.as_deref());
    let deleted: HashSet<&str> = places.collect();
    if deleted.contains(ROOT) {
        return Err(format!(
            "node {:?} is the root of the model, which cannot be deleted",
            model.root.head.name.to_string()
        ));
    }
    let mut streams = Streams::default();
    streams.delete_animated(model, &geometry, &deleted, to);
    for (place, node) in &geometry {
        let is_deleted = deleted.contains(place.as_str());
        streams.pass(node.mesh.is_some(), is_deleted, to);
        if is_deleted && parent_of(place).is_some_and(|parent| !deleted.contains(parent)) {
            to.edits.push(ImportedEdit::Delete(place.as_str().into()));
        }
    }
    let order = order(scene, &geometry, &deleted, &edits.added)?;
    // The streams of the new meshes come between those that are left.
    let mut stream = streams.animated;
    let mut parents = HashSet::new();
    let mut new_nodes = all_made(model, scene, &geometry, edits)?;
    for slot in &order {
        match *slot {
            Slot::Old(at) => stream += usize::from(geometry.get(at).is_some_and(|(_, it)| it.mesh.is_some())),
            Slot::New(at) => {
                let (new, made) =
                    edits.added.get(at).zip(new_nodes.get_mut(at)).ok_or("internal error: no such node")?;
                if let Some(values) = made.streams.take() {
                    to.edits.push(ImportedEdit::Insert(format!("/raw/{stream}").into(), values));
                    stream += 1;
                }
                if let Parent::Known(parent) = new.parent {
                    let parent = scene.nodes.get(parent).and_then(|parent| parent.place.as_deref());
                    let parent = parent.ok_or("internal error: no such node")?;
                    let node = made.node.take().ok_or("internal error: no such node")?;
                    to.set(Address::from(parent).with("children").with("-"), node);
                    parents.insert(parent);
                }
            }
        }
    }
    for (place, node) in &geometry {
        let is_child = |other: &&str| parent_of(other) == Some(place.as_str());
        let has_lost = !deleted.contains(place.as_str()) && deleted.iter().any(is_child);
        if has_lost || parents.contains(place.as_str()) {
            follow_children(node, place, to);
        }
    }
    edit_skins(&geometry, &deleted, &order, to)
}

/// Lets the pointer and the counts of the list of children follow, even if they did not before: the list is another one now.
fn follow_children(node: &Node, place: &str, to: &mut Imported) {
    let Empties { at_cursor, stray, miscounted } = node.empties;
    for (name, mut things) in [("at_cursor", at_cursor), ("stray", stray), ("miscounted", miscounted)] {
        if things.contains(Things::CHILDREN) {
            things.remove(Things::CHILDREN);
            to.set(Address::from(place).with(name), Things::SHAPE.show(field::bytes_of(&things)));
        }
    }
}

/// Returns the place of the parent of a node.
fn parent_of(place: &str) -> Option<&str> {
    place.rsplit_once("/children/").map(|(parent, _)| parent)
}

/// Counts the streams of meshes: the raw data has those of the animations, then those of the geometry.
#[derive(Default)]
struct Streams {
    /// The number of streams so far.
    next: usize,
    /// The number of streams of animations that are left.
    animated: usize,
}

impl Streams {
    /// Goes on to the next node, and deletes its stream if the node is deleted.
    fn pass(&mut self, has_stream: bool, is_deleted: bool, to: &mut Imported) {
        if has_stream && is_deleted {
            to.edits.push(ImportedEdit::Delete(format!("/raw/{}", self.next).into()));
        }
        self.next += usize::from(has_stream);
    }

    /// Deletes the nodes of animations that belong to deleted nodes, unless others that stay are below them.
    fn delete_animated(&mut self, model: &Model, geometry: &Geometry<'_>, deleted: &HashSet<&str>, to: &mut Imported) {
        let name = |node: &Node| node.head.name.bytes().to_ascii_lowercase();
        let names = |are_deleted: bool| {
            let all = geometry.iter().filter(move |(place, _)| deleted.contains(place.as_str()) == are_deleted);
            all.map(|(_, node)| name(node)).collect::<HashSet<_>>()
        };
        // Other nodes can have the same name.
        let (gone, left) = (names(true), names(false));
        let is_gone = |node: &Node| gone.contains(&name(node)) && !left.contains(&name(node));
        for (number, animation) in model.animations.iter().enumerate() {
            let root = format!("/animations/{number}/root");
            let nodes: Vec<(String, &Node)> = placed(&animation.root, root.clone()).collect();
            // The nodes around those that stay.
            let mut stay: HashSet<&str> = HashSet::from([root.as_str()]);
            for (place, _) in nodes.iter().filter(|(_, node)| !is_gone(node)) {
                let mut at = Some(place.as_str());
                while let Some(place) = at.filter(|place| stay.insert(place)) {
                    at = parent_of(place);
                }
            }
            let mut shorter: HashSet<&str> = HashSet::new();
            for (place, node) in &nodes {
                let stays = stay.contains(place.as_str());
                let has_stream = node.mesh.is_some() && bool::from(node.live);
                self.pass(has_stream, !stays, to);
                self.animated += usize::from(has_stream && stays);
                let parent = parent_of(place).filter(|parent| !stays && stay.contains(parent));
                if let Some(parent) = parent {
                    to.edits.push(ImportedEdit::Delete(place.as_str().into()));
                    shorter.insert(parent);
                }
                to.ignore(
                    "animated nodes of deleted ones, which stay because others are below them",
                    usize::from(stays && is_gone(node)),
                );
            }
            for (place, node) in nodes.iter().filter(|(place, _)| shorter.contains(place.as_str())) {
                follow_children(node, place, to);
            }
        }
    }
}

/// A node of the edited geometry.
#[derive(Clone, Copy)]
enum Slot {
    /// A node by its number before the edit.
    Old(usize),
    /// A new node by its number.
    New(usize),
}

/// Returns the nodes of the edited geometry in preorder: new ones come after the old children of their parents.
fn order(
    scene: &Scene,
    geometry: &Geometry<'_>,
    deleted: &HashSet<&str>,
    added: &[NewNode],
) -> Result<Vec<Slot>, String> {
    let numbers: HashMap<&str, usize> =
        geometry.iter().enumerate().map(|(number, (place, _))| (place.as_str(), number)).collect();
    let mut below: HashMap<(bool, usize), Vec<Slot>> = HashMap::new();
    for (number, (place, _)) in geometry.iter().enumerate().filter(|(_, (place, _))| !deleted.contains(place.as_str()))
    {
        if let Some(&parent) = parent_of(place).and_then(|parent| numbers.get(parent)) {
            below.entry((false, parent)).or_default().push(Slot::Old(number));
        }
    }
    for (number, new) in added.iter().enumerate() {
        let parent = match new.parent {
            Parent::Known(node) => {
                let place = scene.nodes.get(node).and_then(|node| node.place.as_deref());
                let parent = place.and_then(|place| numbers.get(place));
                (false, *parent.ok_or_else(|| format!("node {:?}: its parent is not in the model", new.name))?)
            }
            Parent::New(node) => (true, node),
        };
        below.entry(parent).or_default().push(Slot::New(number));
    }
    let (mut order, mut waiting) = (Vec::new(), vec![Slot::Old(0)]);
    while let Some(slot) = waiting.pop() {
        order.push(slot);
        let key = match slot {
            Slot::Old(number) => (false, number),
            Slot::New(number) => (true, number),
        };
        waiting.extend(below.get(&key).into_iter().flatten().rev());
    }
    Ok(order)
}

/// Lets the bones of skins follow: they have a row for each node of the geometry, and the numbers of bones.
fn edit_skins(
    geometry: &Geometry<'_>,
    deleted: &HashSet<&str>,
    order: &[Slot],
    to: &mut Imported,
) -> Result<(), String> {
    for (place, node) in geometry.iter().filter(|(place, _)| !deleted.contains(place.as_str())) {
        let Some(MeshType::Skin(skin)) = node.mesh.as_ref().map(|mesh| &mesh.mesh_type) else { continue };
        let name = node.head.name.to_string();
        let rows = [skin.map.len(), skin.rotations.len(), skin.translations.len(), skin.constants.len()];
        if rows.iter().any(|rows| *rows != geometry.len()) {
            return Err(format!(
                "skin {name:?} ({place}) has {rows:?} rows for {} nodes, so none can be added or deleted",
                geometry.len()
            ));
        }
        let is_bone = |number: usize| skin.map.get(number).is_some_and(|slot| slot.get() >= 0);
        let lost = geometry
            .iter()
            .enumerate()
            .find(|(number, (place, _))| deleted.contains(place.as_str()) && is_bone(*number));
        if let Some((_, (_, bone))) = lost {
            return Err(format!(
                "node {:?} has been deleted, but is a bone of skin {name:?} ({place}); delete the skin too, or keep the bone",
                bone.head.name.to_string()
            ));
        }
        // A new node is no bone. Its rotation is none, as in files of the game: -1 0 0 0.
        let old = |slot: &Slot| match slot {
            Slot::Old(number) => Some(*number),
            Slot::New(_) => None,
        };
        let at = Address::from(place.as_str());
        let numbers = order.iter().map(old);
        let map = numbers.clone().map(|old| old.and_then(|old| skin.map.get(old)).map_or(-1, |slot| slot.get()));
        to.set(at.with("map"), map.map(|slot| Value::from(i64::from(slot))).collect::<Value>());
        let row = |values: &[F32]| values.iter().map(|it| Value::from(it.get())).collect::<Value>();
        let none = [-1.0, 0.0, 0.0, 0.0].map(F32::new);
        let rotations = numbers.clone().map(|old| row(old.and_then(|old| skin.rotations.get(old)).unwrap_or(&none)));
        to.set(at.with("rotations"), rotations.collect::<Value>());
        let none = [F32::default(); 3];
        let translations =
            numbers.clone().map(|old| row(old.and_then(|old| skin.translations.get(old)).unwrap_or(&none)));
        to.set(at.with("translations"), translations.collect::<Value>());
        let constants = numbers.map(|old| old.and_then(|old| skin.constants.get(old)).map_or(0, |it| it.0.get()));
        to.set(at.with("constants"), constants.map(|it| Value::from(i64::from(it))).collect::<Value>());
        let new_number: HashMap<usize, usize> =
            order.iter().enumerate().filter_map(|(new, slot)| Some((old(slot)?, new))).collect();
        let slots: BTreeSet<i16> = skin.map.iter().map(|slot| slot.get()).filter(|slot| *slot >= 0).collect();
        for slot in slots {
            let Some(bone) = usize::try_from(slot).ok().and_then(|slot| skin.bones.get(slot)) else { continue };
            let new = usize::try_from(bone.get()).ok().and_then(|bone| new_number.get(&bone));
            let new = new.and_then(|new| i16::try_from(*new).ok()).ok_or("a bone is not a node of the model")?;
            if new != bone.get() {
                to.set(at.with("bones").with(slot.to_string()), i64::from(new));
            }
        }
    }
    Ok(())
}

/// A new node in the exchange format, with the nodes below it, and the streams of its mesh.
struct Made {
    /// `None` if it is in its parent, which is new too.
    node: Option<Value>,
    streams: Option<Value>,
}

/// Makes the new nodes, children before their parents.
fn all_made(model: &Model, scene: &Scene, geometry: &Geometry<'_>, edits: &Edits) -> Result<Vec<Made>, String> {
    let added = &edits.added;
    let mut depths: Vec<usize> = Vec::with_capacity(added.len());
    for new in added {
        let depth = match new.parent {
            Parent::New(parent) => depths.get(parent).ok_or("internal error: no such parent")? + 1,
            Parent::Known(_) => 1,
        };
        if depth > limits::NODES {
            let most = limits::NODES;
            return Err(format!(
                "node {:?} is new and below {most} others that are new, but the nodes of a model are at most {most} levels deep; \
                 delete empty nodes around it",
                new.name
            ));
        }
        depths.push(depth);
    }
    let mut below: Vec<Vec<Value>> = added.iter().map(|_| Vec::new()).collect();
    let mut all = Vec::with_capacity(added.len());
    for new in added.iter().rev() {
        let children = below.pop().ok_or("internal error: no such node")?;
        let mut made = made(model, (scene, edits), geometry, new, children)?;
        if let Parent::New(parent) = new.parent {
            below.get_mut(parent).ok_or("internal error: no such parent")?.extend(made.node.take());
        }
        all.push(made);
    }
    all.reverse();
    Ok(all)
}

/// Makes a node with these children, the last first.
fn made(
    model: &Model,
    (scene, edits): (&Scene, &Edits),
    geometry: &Geometry<'_>,
    new: &NewNode,
    children: Vec<Value>,
) -> Result<Made, String> {
    let wrong = |why: &str| format!("node {:?} is new: {why}", new.name);
    let original = new.copy_of.and_then(|node| scene.nodes.get(node)?.place.as_deref());
    let original = original.and_then(|original| geometry.iter().find(|(place, _)| place == original));
    if let Some((place, node)) = original {
        let flags = node.head.flags;
        if flags != plain() && flags != BARE {
            let why = format!(
                "a copy of {place} ({flags:?}) cannot be imported, only empty nodes and plain meshes; delete the copy"
            );
            return Err(wrong(&why));
        }
        if flags == plain() && new.faces.is_none() {
            return Err(wrong(&format!("a copy of {place} without its mesh; delete the copy, or give it a mesh")));
        }
    }
    let mesh = new.faces.as_ref().map(|faces| mesh((scene, edits), geometry, (new, faces)).map_err(|why| wrong(&why)));
    let mesh = mesh.transpose()?;
    let flags = if mesh.is_some() { plain() } else { BARE };
    let mut json = Value::Object(Vec::new());
    json.put("inherit_color", 0.into());
    json.put("name", new.name.clone().into());
    json.put("flags", NodeFlags::SHAPE.show(field::bytes_of(&flags)));
    if !model.is_alone() {
        // The super model does not have the node.
        json.put("own_part_number", Value::from([("kept", Value::from(1)), ("number", Value::from(-1))]));
    }
    let [wide, high, deep] = new.transform.scale;
    if (wide - high).abs() > 1e-4 * wide.abs() || (wide - deep).abs() > 1e-4 * wide.abs() {
        return Err(wrong(&format!("its scale is {wide} {high} {deep}, but a node has one scale for all axes")));
    }
    let mut rows =
        vec![("POSITION", new.transform.translation.to_vec()), ("ORIENTATION", new.transform.rotation.to_vec())];
    if (wide - 1.0).abs() > 1e-5 {
        rows.push(("SCALE", vec![wide]));
    }
    rows.extend(mesh.as_ref().and_then(|mesh| mesh.alpha).map(|alpha| ("ALPHA", vec![alpha])));
    let controllers = rows.into_iter().map(|(kind, values)| {
        let row: Value = core::iter::once(0.0).chain(values).map(Value::from).collect();
        Value::from([("kind", Value::from(kind)), ("rows", core::iter::once(row).collect())])
    });
    json.put("controllers", controllers.collect());
    let functions = Functions::of(model, flags);
    json.put("functions", functions.node.iter().map(|it| Value::from(i64::from(*it))).collect());
    let mut streams = None;
    if let Some(mesh) = mesh {
        let head = MeshHeader { functions: functions.mesh.map(U32::new), ..mesh.head };
        let mut head = MeshHeader::SHAPE.show(field::bytes_of(&head));
        for (name, values) in mesh.derived.values() {
            let value = match values.as_slice() {
                [one] => Value::from(*one),
                several => several.iter().copied().map(Value::from).collect(),
            };
            head.put(name, value);
        }
        json.put("mesh", head);
        json.put("index_lists", 1.into());
        json.put("faces", mesh.faces.iter().map(|face| Face::SHAPE.show_all(field::bytes_of(face))).collect());
        streams = Some(mesh.streams);
    }
    json.put("children", children.into_iter().rev().collect());
    Ok(Made { node: Some(json), streams })
}

/// The flags of new nodes, without a mesh and with one.
const BARE: NodeFlags = NodeFlags::HEADER;

fn plain() -> NodeFlags {
    NodeFlags::HEADER.union(NodeFlags::MESH)
}

/// The addresses of functions that a node and its mesh have: the engine replaces them, but compilers write them.
///
/// Source: `nwn-mdl.md`, section 4.1.
#[derive(Clone, Copy)]
struct Functions {
    node: [u32; 6],
    mesh: [u32; 2],
}

impl Functions {
    /// Returns those of a node with these flags in a model of the same compiler.
    fn of(model: &Model, flags: NodeFlags) -> Self {
        let profile = match Profile::of(model.geometry.head.functions) {
            Profile::A => Profile::A,
            Profile::B | Profile::C => Profile::B,
        };
        let (node, mesh) = profile.node(flags);
        Self { node, mesh }
    }
}

/// The mesh of a new node.
struct NewMesh {
    /// The header, without the values that follow from vertices and faces.
    head: MeshHeader,
    derived: Derived,
    faces: Vec<Face>,
    streams: Value,
    alpha: Option<f32>,
}

/// Makes a mesh with the settings of the mesh that its material is from; with a new material, with those of the first plain mesh.
fn mesh(
    (scene, edits): (&Scene, &Edits),
    geometry: &Geometry<'_>,
    (new, given): (&NewNode, &[NewFace]),
) -> Result<NewMesh, String> {
    let materials: BTreeSet<Option<Paint>> = given.iter().map(|face| face.material).collect();
    let mut new_surface = None;
    let place = match materials.iter().copied().collect::<Vec<_>>().as_slice() {
        [Some(Paint::Known(material))] => scene.materials.get(*material).and_then(|material| material.place.clone()),
        [Some(Paint::New(material))] => {
            let material = edits.materials.get(material).ok_or("internal error: no such material")?;
            new_surface = Some(Surface::of(material, scene)?);
            let is_plain = |(_, node): &&(String, &Node)| {
                node.head.flags == plain() && node.mesh.as_ref().is_some_and(|it| it.head.render.get() != 0)
            };
            let (place, _) = geometry.iter().find(is_plain).ok_or(
                "its material is new, and the model has no plain mesh whose settings it could have; give it a material of the model",
            )?;
            Some(format!("{place}/mesh"))
        }
        [None] => return Err("its mesh has no material; give it one of the model".to_owned()),
        [] => return Err("its mesh has no faces".to_owned()),
        _ => {
            return Err(
                "its mesh has several materials, but a mesh has one texture; separate it by material".to_owned()
            );
        }
    };
    let like = place.as_deref().and_then(|place| place.strip_suffix("/mesh"));
    let like = like.and_then(|like| geometry.iter().find(|(place, _)| place == like)).map(|(_, node)| *node);
    let (like, of) =
        like.and_then(|like| Some((like, like.mesh.as_deref()?))).ok_or("internal error: no such material")?;
    let [first, ..] = &of.streams.coordinates;
    let has_coordinates = new_surface.as_ref().map_or(!first.is_empty(), |surface| surface.texture.is_some());
    let (mut positions, mut normals, mut coordinates, mut colors) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut known: HashMap<Vec<u32>, u16> = HashMap::new();
    let surface = of.faces.first().map(|face| face.surface).unwrap_or_default();
    let mut faces = Vec::with_capacity(given.len());
    for face in given {
        let mut vertices = [U16::default(); 3];
        let places = match has_coordinates {
            true => face.coordinates()?.map(|[right, down]| [right, 1.0 - down]),
            false => [[0.0; 2]; 3],
        };
        for ((vertex, corner), place) in vertices.iter_mut().zip(&face.corners).zip(places) {
            let normal = corner.normal.and_then(unit).unwrap_or([0.0, 0.0, 1.0]);
            let color = bytes_of(corner.color.unwrap_or([1.0; 4]));
            let all = corner.position.iter().chain(&normal).chain(&place).map(|it| it.to_bits());
            let key: Vec<u32> = all.chain([u32::from_le_bytes(color)]).collect();
            let next = u16::try_from(positions.len()).map_err(|_| "its mesh has more than 65,535 vertices")?;
            let index = *known.entry(key).or_insert(next);
            if index == next {
                positions.push(corner.position);
                normals.push(normal);
                coordinates.push(place);
                colors.push(color);
            }
            *vertex = U16::new(index);
        }
        let mut face = Face { surface, adjacent: [I16::new(-1); 3], vertices, ..Face::default() };
        if let Some((normal, distance)) = geometry::plane_of(of, &face, &positions) {
            (face.normal, face.distance) = (normal.map(F32::new), F32::new(distance));
        }
        faces.push(face);
    }
    let too_many = || "its mesh has more than 32,767 faces".to_owned();
    i16::try_from(faces.len()).map_err(|_| too_many())?;
    let neighbors = geometry::neighbors(&faces, &positions);
    for (face, neighbors) in faces.iter_mut().zip(neighbors) {
        face.adjacent = geometry::adjacent(neighbors).map_err(|_| too_many())?;
    }
    let derived = Derived::of(&faces, &positions, true);
    let mut head = MeshHeader {
        // Without leftover memory.
        textures: of.head.textures.map(|name| {
            let mut bytes = [0; 64];
            bytes.iter_mut().zip(name.bytes()).for_each(|(to, from)| *to = *from);
            Text::new(bytes)
        }),
        unk_1b5: Stale([0; 3]),
        unk_1f6: Stale([0; 2]),
        texture_count: U16::new(u16::from(has_coordinates)),
        ..of.head
    };
    if let Some(Surface { texture, diffuse, .. }) = &new_surface {
        let mut bytes = [0; 64];
        let name = texture.as_deref().unwrap_or(NO_TEXTURE);
        bytes.iter_mut().zip(name.bytes()).for_each(|(to, from)| *to = from);
        head.textures = [Text::new([0; 64]); 4];
        let [first, ..] = &mut head.textures;
        *first = Text::new(bytes);
        head.diffuse = diffuse.map(F32::new);
    }
    let row = |values: &[f32]| values.iter().copied().map(Value::from).collect::<Value>();
    let mut streams = Value::Object(Vec::new());
    streams.put("node", new.name.clone().into());
    streams.put("vertices", positions.iter().map(|it| row(it)).collect());
    if has_coordinates {
        streams.put("coordinates", coordinates.iter().map(|it| row(it)).collect());
    }
    streams.put("normals", normals.iter().map(|it| row(it)).collect());
    let whole = |it: &[u8; 4]| it.iter().map(|part| Value::from(i64::from(*part))).collect::<Value>();
    streams.put("colors", colors.iter().map(whole).collect());
    let list = faces.iter().flat_map(|face| face.vertices).map(|vertex| Value::from(i64::from(vertex.get())));
    let list = Value::from([("vertices", list.collect::<Value>())]);
    streams.put("lists", core::iter::once(list).collect());
    let alpha = like.keys.iter().find(|key| key.kind == ALPHA).and_then(|key| rows_of::<1>(like, key).first().copied());
    let alpha = match new_surface {
        Some(surface) => surface.alpha,
        None => alpha.map(|(_, _, [alpha])| alpha),
    };
    Ok(NewMesh { head, derived, faces, streams, alpha })
}
