//! The differences between a scene that has just been made and one that has been through another program.
//!
//! Programs change more than the user does. These are no differences:
//!
//! * noise in the last digits of transforms and coordinates; a quaternion of the opposite sign; a negative scale on another axis;
//! * vertices in another order, split or merged; polygons cut into other triangles of the same corners;
//! * `.001` after a name; names for nodes without one;
//! * nodes between two others that move nothing; colors, normals and coordinates where the file has none.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::alike::{is_near_color, is_same_name};
use super::edits::{Edits, NewNode, NodeEdit, Pairs, Parent};
use super::faces::{self, MeshEdit};
use super::paint::{NewMaterial, Paint, Paints, has_its_image, without_extension};
use super::read::Given;
use super::tracks;
use super::vector::{HERE, Place, Vector, inverse, length, minus, with_zeros_of, within};
use super::{Material, Mesh, Node, Scene, Transform};

/// The meshes that new nodes can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meshes {
    /// Each node has a mesh of its own.
    Own,
    /// Several nodes can have the same mesh.
    Shared,
}

/// The tolerance of transforms, as a fraction of the distance.
const NEAR: f32 = 1e-5;
/// The tolerance of offsets, as a fraction of the distance from the origin: Blender computes them from positions in the world.
const NEAR_IN_WORLD: f32 = 1e-6;

/// Returns a mesh of the scene that has just been made, by its number. All of them at once can take more memory than their file, so the
/// meshes of the scene need not have their triangles.
pub type Draw<'d, 's> = &'d dyn Fn(usize) -> Option<Cow<'s, Mesh>>;

/// Returns the differences of a scene that has been through another program.
///
/// # Errors
/// Returns the reason, as a sentence, if the scenes differ in a way that has no counterpart in the file.
pub fn compare(fresh: &Scene, draw: Draw<'_, '_>, file: &Given, meshes: Meshes) -> Result<Edits, String> {
    let given = &file.scene;
    if given.nodes.iter().all(|node| node.place.is_none()) && fresh.nodes.iter().any(|node| node.place.is_some()) {
        return Err("it has no places of the game's file; start from a file that `bitexact export` wrote, and export \
                    with custom properties (in Blender: Include > Custom Properties)"
            .to_owned());
    }
    let mut edits = Edits::default();
    let (pairs, copies) = pairs(fresh, given, &mut edits)?;
    let paints = Paints::of(fresh, given);
    let new = new_nodes((fresh, draw), (file, &paints), (&pairs, &copies), meshes, &mut edits)?;
    compare_nodes(fresh, file, &pairs, &mut edits)?;
    compare_meshes((fresh, draw), (file, &paints), (&pairs, &new), &mut edits)?;
    edits.materials = new_materials(given, &edits);
    compare_labels(fresh, (given, &paints), &mut edits);
    tracks::compare(fresh, file, &pairs, &mut edits)?;
    Ok(edits)
}

/// Returns the pairs of nodes, and the given nodes that are copies, each with its original.
fn pairs(fresh: &Scene, given: &Scene, edits: &mut Edits) -> Result<(Pairs, HashMap<usize, usize>), String> {
    let mut by_place: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, node) in given.nodes.iter().enumerate() {
        if let Some(place) = &node.place {
            by_place.entry(place).or_default().push(index);
        }
    }
    let bare = given.nodes.iter().filter(|it| it.place.is_none() && it.skin.is_none());
    let bare: HashSet<&str> = bare.map(|it| it.name.as_str()).collect();
    // Nodes that the file does not have, made for the scene.
    let made = fresh.nodes.iter().filter(|made| made.place.is_none());
    let made: HashSet<&str> = made.map(|made| made.name.as_str()).collect();
    let (mut pairs, mut copies) = (Vec::with_capacity(fresh.nodes.len()), HashMap::new());
    for (index, node) in fresh.nodes.iter().enumerate() {
        let Some(place) = &node.place else {
            pairs.push(None);
            continue;
        };
        let name = |it: usize| given.nodes.get(it).map(|node| node.name.as_str()).unwrap_or_default();
        match by_place.remove(place.as_str()).as_deref() {
            Some([one]) => pairs.push(Some(*one)),
            Some(several) => {
                // Programs give other names to copies.
                let original = several.iter().copied().find(|&it| name(it) == node.name).or(several.first().copied());
                copies.extend(several.iter().filter(|it| Some(**it) != original).map(|&it| (it, index)));
                pairs.push(original);
            }
            None => {
                if bare.contains(node.name.as_str()) && !made.contains(node.name.as_str()) {
                    return Err(format!(
                        "node {:?} has lost its place in the file, {place}; export with custom properties (in Blender: \
                         Include > Custom Properties), or give a new node another name",
                        node.name
                    ));
                }
                edits.deleted.push(index);
                pairs.push(None);
            }
        }
    }
    match by_place.into_keys().min() {
        Some(place) => Err(format!("a node is from {place}, which this file does not have; is it from another file?")),
        None => Ok((pairs, copies)),
    }
}

/// Finds the nodes that the file does not have, and returns those that become nodes of the file.
fn new_nodes(
    (fresh, draw): (&Scene, Draw<'_, '_>),
    (file, paints): (&Given, &Paints),
    (pairs, copies): (&Pairs, &HashMap<usize, usize>),
    meshes: Meshes,
    edits: &mut Edits,
) -> Result<HashSet<usize>, String> {
    let (given, tree) = (&file.scene, Tree::of(&file.scene));
    let mut known: HashMap<usize, Parent> = HashMap::new();
    // Nodes around those of the file only move them.
    let mut around = vec![false; given.nodes.len()];
    for (index, pair) in pairs.iter().enumerate() {
        let Some(pair) = *pair else { continue };
        known.insert(pair, Parent::Known(index));
        let mut at = pair;
        while let Some(&Some(parent)) = tree.parents.get(at) {
            match around.get_mut(parent) {
                Some(is_around) if !*is_around => *is_around = true,
                _ => break,
            }
            at = parent;
        }
    }
    let place_of = |node: &Node| given.meshes.get(node.mesh?)?.place.as_deref();
    // A program that does not keep bones gives a bound mesh to the node itself.
    let shown: HashSet<&str> = known.keys().filter_map(|&at| place_of(given.nodes.get(at)?)).collect();
    let mut new = HashSet::new();
    let mut made: Vec<&Node> = fresh.nodes.iter().filter(|made| made.place.is_none()).collect();
    let sharing = Sharing::of(fresh, file, pairs);
    // For each node, the nearest node around it that is in the file or new, and the transform of what is between them.
    let mut inside: Vec<Option<(Parent, Place)>> = vec![None; given.nodes.len()];
    for &at in &tree.order {
        let Some(node) = given.nodes.get(at) else { continue };
        let parent = tree.around(at).and_then(|(parent, around)| match known.get(&parent) {
            Some(known) => Some((*known, HERE)),
            None => {
                let (outer, place) = inside.get(parent).copied().flatten()?;
                Some((outer, within(around.transform.place(), &place)))
            }
        });
        if let Some(inside) = inside.get_mut(at) {
            *inside = parent;
        }
        if known.contains_key(&at) || (node.place.is_some() && !copies.contains_key(&at)) {
            continue;
        }
        // Those made for the scene: the one that stands upright, and bound meshes.
        let mesh = node.mesh.and_then(|mesh| given.meshes.get(mesh));
        let place = place_of(node).filter(|place| !shown.contains(place));
        let is_it = |made: &Node| {
            let made_mesh = made.mesh.and_then(|mesh| fresh.meshes.get(mesh)?.place.as_deref());
            place.is_some() && made_mesh == place || mesh.is_none() && is_same_name(&made.name, &node.name)
        };
        if node.place.is_none()
            && let Some(found) = made.iter().position(|made| is_it(made))
        {
            made.swap_remove(found);
            continue;
        }
        let is_other = file.others.get(at).copied().unwrap_or_default();
        let is_around = around.get(at).copied().unwrap_or_default();
        if mesh.is_none() && (is_other || is_around || parent.is_none()) {
            edits.ignore("cameras, lights, and empty nodes that are outside the model or around its nodes", 1);
            continue;
        }
        let why = match parent {
            None => "is new and has no parent in the model; give it one of the nodes of the model as its parent",
            _ if is_around => {
                "is new and is around nodes of the model; nodes cannot be moved in the tree, take them out of it"
            }
            _ if node.skin.is_some() => "is new and is bound to bones, which cannot be imported; unbind it",
            _ => "",
        };
        let Some((parent, around)) = parent.filter(|_| why.is_empty()) else {
            return Err(format!("node {:?} {why}", node.name));
        };
        let (rows, translation) = within(node.transform.place(), &around);
        let transform = Transform::of_rows(rows, translation).map(|(transform, _)| transform);
        let transform = transform.ok_or_else(|| format!("node {:?} has a transform that is not finite", node.name))?;
        file.charge(NODE, CHANGE)?;
        let shared =
            node.mesh.filter(|_| meshes == Meshes::Shared).and_then(|mesh| sharing.find(draw, (file, paints), mesh));
        let own = node.mesh.filter(|_| shared.is_none());
        let faces = own.map(|mesh| {
            let faces = file.with_mesh(mesh, faces::OF_TRIANGLE, |mesh| faces::new_faces(&mesh, paints))?;
            file.charge(faces.len(), TRIANGLE * CHANGE)?;
            Ok(faces)
        });
        let faces = faces.transpose().map_err(|why: String| format!("node {:?}: {why}", node.name))?;
        known.insert(at, Parent::New(edits.added.len()));
        new.insert(at);
        edits.added.push(NewNode {
            name: node.name.clone(),
            parent,
            transform,
            shared,
            faces,
            copy_of: copies.get(&at).copied(),
        });
    }
    Ok(new)
}

/// The memory that a change takes on its way into the file: as an edit, as JSON, in the values of the model, in the message. A test
/// measures it.
const CHANGE: usize = 5 << 9;
/// The changes that a new triangle and a new node are.
const TRIANGLE: usize = 3;
const NODE: usize = 4;

/// The meshes that new nodes can share.
struct Sharing<'s> {
    /// The meshes that have just been made, by place.
    made: HashMap<&'s str, usize>,
    /// For each of these, the meshes given for the nodes that have it.
    shown: HashMap<usize, Vec<usize>>,
}

impl<'s> Sharing<'s> {
    fn of(fresh: &'s Scene, file: &Given, pairs: &Pairs) -> Self {
        let mut made = HashMap::new();
        for (index, mesh) in fresh.meshes.iter().enumerate() {
            mesh.place.as_deref().map(|place| made.entry(place).or_insert(index));
        }
        let mut shown: HashMap<usize, Vec<usize>> = HashMap::new();
        for (node, pair) in fresh.nodes.iter().zip(pairs) {
            let given = pair.and_then(|pair| file.scene.nodes.get(pair)?.mesh);
            if let (Some(made), Some(given)) = (node.mesh, given) {
                let all = shown.entry(made).or_default();
                if all.last() != Some(&given) {
                    all.push(given);
                }
            }
        }
        Self { made, shown }
    }

    /// Returns the mesh that has just been made of which a given one is a copy, unless it has been edited apart from those of the nodes
    /// that the file has.
    fn find(&self, draw: Draw<'_, '_>, (file, paints): (&Given, &Paints), mesh: usize) -> Option<usize> {
        let place = file.scene.meshes.get(mesh)?.place.as_deref()?;
        let index = *self.made.get(place)?;
        let others = self.shown.get(&index);
        if others.is_some_and(|others| others.contains(&mesh)) {
            return Some(index);
        }
        let edit = |mesh: usize| mesh_edit(draw, (file, paints), (index, mesh), (&[], &[])).ok();
        let own = edit(mesh)?;
        let is_same = match others.and_then(|others| others.first()) {
            Some(&other) => edit(other)? == own,
            None => own.is_empty(),
        };
        is_same.then_some(index)
    }
}

/// Returns the new materials that edits need, by their numbers among those given.
fn new_materials(given: &Scene, edits: &Edits) -> BTreeMap<usize, NewMaterial> {
    let of_meshes = edits
        .meshes
        .iter()
        .flat_map(|mesh| mesh.materials.values().copied().chain(mesh.added.iter().filter_map(|face| face.material)));
    let of_nodes = edits.added.iter().flat_map(|node| node.faces.iter().flatten()).filter_map(|face| face.material);
    let mut new = BTreeMap::new();
    for paint in of_meshes.chain(of_nodes) {
        if let Paint::New(at) = paint
            && let Some(Material { name, color, texture, .. }) = given.materials.get(at)
        {
            let texture = texture.as_deref().map(|name| without_extension(name).to_owned());
            new.entry(at).or_insert_with(|| NewMaterial { name: name.clone(), color: *color, texture });
        }
    }
    new
}

/// Counts changed names, colors and values that an import does not take.
fn compare_labels(fresh: &Scene, (given, paints): (&Scene, &Paints), edits: &mut Edits) {
    let is_known = |at: usize| matches!(paints.given(Some(at)), Some(Paint::Known(_)));
    for (_, material) in given.materials.iter().enumerate().filter(|(at, _)| is_known(*at)) {
        let mut known = fresh.materials.iter().filter(|it| it.place == material.place).peekable();
        if known.peek().is_none() {
            continue;
        }
        let (mut is_named, mut is_colored, mut is_painted) = (false, false, false);
        for known in known {
            is_painted |= has_its_image(known, material);
            is_named |= is_same_name(&known.name, &material.name);
            is_colored |= is_near_color(known.color, material.color);
        }
        edits.ignore("names of materials, which are those of their textures", usize::from(!is_named));
        edits.ignore(
            "images of materials that the file has; give the faces a copy of the material, and the image to the copy",
            usize::from(!is_painted),
        );
        if !is_colored && let Some(place) = &material.place {
            match edits.colors.get(place) {
                Some(other) if !is_near_color(*other, material.color) => {
                    edits.ignore("colors of materials that differ between copies", 1);
                }
                _ => _ = edits.colors.insert(place.clone(), material.color),
            }
        }
    }
    let meshes: HashMap<&str, &str> =
        fresh.meshes.iter().filter_map(|mesh| Some((mesh.place.as_deref()?, mesh.name.as_str()))).collect();
    for mesh in &given.meshes {
        let known = mesh.place.as_deref().and_then(|place| meshes.get(place));
        edits.ignore(
            "names of meshes, which the file does not have; rename their nodes",
            usize::from(known.is_some_and(|name| !is_same_name(name, &mesh.name))),
        );
    }
}

/// Returns `true` if a value in extras is the same for programs without Booleans and with other numbers.
fn is_same_value(one: &Value, other: &Value) -> bool {
    let number = |value: &Value| value.as_f64().or_else(|| value.as_bool().map(|it| f64::from(u8::from(it))));
    match (number(one), number(other)) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-4 * one.abs().max(1.0),
        _ => one == other,
    }
}

/// The parents of nodes, and an order in which they come before their children.
struct Tree<'s> {
    scene: &'s Scene,
    parents: Vec<Option<usize>>,
    /// The nodes in preorder, without those of cycles.
    order: Vec<usize>,
}

impl<'s> Tree<'s> {
    fn of(scene: &'s Scene) -> Self {
        let mut parents = vec![None; scene.nodes.len()];
        for (index, node) in scene.nodes.iter().enumerate() {
            for &child in &node.children {
                if let Some(parent) = parents.get_mut(child) {
                    *parent = Some(index);
                }
            }
        }
        let (mut order, mut waiting) = (Vec::with_capacity(parents.len()), Vec::new());
        waiting.extend(scene.roots.iter().rev().copied());
        while let Some(at) = waiting.pop() {
            order.push(at);
            waiting.extend(scene.nodes.get(at).iter().flat_map(|node| node.children.iter().rev()));
        }
        Self { scene, parents, order }
    }

    /// Returns the parent of a node.
    fn around(&self, node: usize) -> Option<(usize, &'s Node)> {
        let parent = (*self.parents.get(node)?)?;
        Some((parent, self.scene.nodes.get(parent)?))
    }

    /// Returns for each node the nearest node around it that has a place, and the transform of what is between them.
    fn outer(&self) -> Vec<(Option<usize>, Place)> {
        let mut all = vec![(None, HERE); self.parents.len()];
        for &at in &self.order {
            let outer = self.around(at).map(|(parent, around)| match (&around.place, all.get(parent)) {
                (None, Some((outer, place))) => (*outer, within(around.transform.place(), place)),
                _ => (Some(parent), HERE),
            });
            if let (Some(outer), Some(own)) = (outer, all.get_mut(at)) {
                *own = outer;
            }
        }
        all
    }

    /// Returns the error of the offset of a node that is computed from positions in the world.
    fn noise(&self, node: usize) -> f32 {
        let (mut place, mut at, mut least) = (HERE, node, f32::INFINITY);
        let mut farthest = 0.0_f32;
        for _ in 0..self.parents.len() {
            let Some(here) = self.scene.nodes.get(at) else { break };
            let own = here.transform.place();
            if at != node {
                least = own.0.iter().map(|row| length(*row)).fold(least.min(1.0), f32::min) * least.min(1.0);
            }
            place = within(place, &own);
            farthest = farthest.max(length(place.1));
            let Some(&Some(parent)) = self.parents.get(at) else { break };
            at = parent;
        }
        let scale = if least.is_finite() { least.max(1e-6) } else { 1.0 };
        NEAR_IN_WORLD * farthest / scale
    }
}

fn compare_nodes(fresh: &Scene, file: &Given, pairs: &Pairs, edits: &mut Edits) -> Result<(), String> {
    let given = &file.scene;
    let made = Tree::of(fresh);
    let (made_outer, given_outer) = (made.outer(), Tree::of(given).outer());
    let poses = tracks::Poses::of(fresh, file);
    for (index, pair) in pairs.iter().enumerate() {
        let (Some(node), Some(other)) = (fresh.nodes.get(index), *pair) else { continue };
        let Some(now) = given.nodes.get(other) else { continue };
        let (Some(&(parent, between)), Some(&(other_parent, other_between))) =
            (made_outer.get(index), given_outer.get(other))
        else {
            continue;
        };
        // A parent that has been deleted is not the same as none.
        let kept = parent.map(|parent| pairs.get(parent).copied().flatten());
        if kept != other_parent.map(Some) {
            let place = node.place.as_deref().unwrap_or_default();
            let deleted = parent.filter(|parent| pairs.get(*parent) == Some(&None));
            let is_root =
                deleted.is_some_and(|parent| made_outer.get(parent).is_some_and(|(outer, _)| outer.is_none()));
            let why = match deleted.and_then(|parent| fresh.nodes.get(parent)) {
                Some(parent) if is_root => {
                    format!("has lost its parent {:?}, which is the root of the model; give it back", parent.name)
                }
                Some(parent) => format!(
                    "has lost its parent {:?}, which has been deleted; give it back, or delete this node too",
                    parent.name
                ),
                None if other_parent.is_none() => {
                    "is below no node of the model any more; give it its old parent again, or delete it with all below it"
                        .to_owned()
                }
                None => "is below another node now; nodes cannot be moved in the tree, give it its old parent again"
                    .to_owned(),
            };
            return Err(format!("node {:?} ({place}) {why}", node.name));
        }
        let changed = node.extras.iter().filter(|(_, value)| !value.is_null());
        let changed = changed.filter(|(key, was)| now.extras.get(*key).is_some_and(|now| !is_same_value(was, now)));
        edits.ignore("values in `extras`, which only inform", changed.count());
        let place = within(now.transform.place(), &other_between);
        let was = within(node.transform.place(), &between);
        let name = Some(now.name.clone()).filter(|name| !node.name.is_empty() && !is_same_name(name, &node.name));
        let distance = length(minus(was.1, place.1));
        // The noise takes a walk to the root.
        let is_moved = distance > NEAR * length(was.1).max(1.0) && distance > made.noise(index);
        let is_turned = !is_near_rows(&was, &place);
        if name.is_none() && !is_moved && !is_turned {
            continue;
        }
        // What is between the node and the next that has a place stays.
        let back = inverse(between).ok_or("a node around others has no size")?;
        let (rows, translation) = within(place, &back);
        let transform = Transform::of_rows(rows, translation).map(|(transform, _)| transform);
        let transform = transform.ok_or_else(|| format!("node {:?} has a transform that is not finite", node.name))?;
        let mut edit = NodeEdit {
            node: index,
            name,
            translation: is_moved.then_some(with_zeros_of(node.transform.translation, translation)),
            turned: is_turned.then_some(transform),
        };
        // A program that plays an animation exports the pose of the moment.
        let count = poses.forget(&mut edit, node, other)?;
        edits.ignore("transforms of nodes that are a pose of an animation, which stay unchanged", count);
        if edit.name.is_some() || edit.translation.is_some() || edit.turned.is_some() {
            edits.nodes.push(edit);
        }
    }
    Ok(())
}

/// Returns the edit that gives a copy of a node, which had one transform, another one. Its node is the original.
pub fn moved(node: usize, was: Transform, now: Transform) -> NodeEdit {
    let (old, new) = (was.place(), now.place());
    let is_moved = length(minus(old.1, new.1)) > NEAR * length(old.1).max(1.0);
    NodeEdit {
        node,
        name: None,
        translation: is_moved.then_some(with_zeros_of(was.translation, now.translation)),
        turned: (!is_near_rows(&old, &new)).then_some(now),
    }
}

fn is_near_rows((one, _): &Place, (other, _): &Place) -> bool {
    let near = |one: Vector, other: Vector| length(minus(one, other)) <= NEAR * length(one).max(length(other)).max(1.0);
    one.iter().zip(other).all(|(one, other)| near(*one, *other))
}

fn compare_meshes(
    (fresh, draw): (&Scene, Draw<'_, '_>),
    (file, paints): (&Given, &Paints),
    (pairs, new): (&Pairs, &HashSet<usize>),
    edits: &mut Edits,
) -> Result<(), String> {
    let given = &file.scene;
    let known: HashMap<&str, usize> =
        fresh.meshes.iter().enumerate().filter_map(|(index, mesh)| Some((mesh.place.as_deref()?, index))).collect();
    // The meshes given for each one that has just been made.
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut owners: HashMap<usize, usize> = HashMap::new();
    for (index, pair) in pairs.iter().enumerate() {
        if let Some(pair) = pair {
            owners.insert(*pair, index);
        }
    }
    for (index, node) in given.nodes.iter().enumerate().filter(|(index, _)| !new.contains(index)) {
        let made = owners.get(&index).and_then(|&owner| fresh.nodes.get(owner));
        let expected = made.and_then(|made| made.mesh);
        let Some(mesh) = node.mesh else {
            match expected {
                Some(_) => {
                    return Err(format!(
                        "node {:?} has lost its mesh; meshes cannot be deleted by an import without their nodes",
                        node.name
                    ));
                }
                None => continue,
            }
        };
        let place = given.meshes.get(mesh).and_then(|mesh| mesh.place.as_deref());
        let known = match place {
            Some(place) => known.get(place).copied(),
            None => expected,
        };
        let Some(known) = known else {
            return Err(format!(
                "node {:?} has a new mesh, but nodes of the file cannot get one; give it to a new node below it",
                node.name
            ));
        };
        if made.is_some() && expected.is_some_and(|expected| expected != known) {
            return Err(format!("node {:?} has another mesh now, which cannot be imported", node.name));
        }
        found.entry(known).or_default().insert(mesh);
    }
    // Meshes that no node shows.
    let copied: HashSet<usize> = new.iter().filter_map(|&node| given.nodes.get(node)?.mesh).collect();
    for (index, mesh) in given.meshes.iter().enumerate().filter(|(index, _)| !copied.contains(index)) {
        if let Some(known) = mesh.place.as_deref().and_then(|place| known.get(place)) {
            found.entry(*known).or_default().insert(index);
        }
    }
    let (skins, other_skins) = (Skins::of(fresh), Skins::of(given));
    for (index, mesh) in fresh.meshes.iter().enumerate() {
        let Some(others) = found.get(&index) else {
            let mut shown = fresh.nodes.iter().enumerate().filter(|(_, node)| node.mesh == Some(index));
            if shown.any(|(node, _)| !edits.deleted.contains(&node)) {
                return Err(format!(
                    "mesh {:?} is missing; meshes cannot be deleted by an import, nor all of their polygons",
                    mesh.name
                ));
            }
            continue;
        };
        let mut edit: Option<MeshEdit> = None;
        let joints: Vec<_> = skins.joints(index).map(Some).collect();
        for &other in others {
            let owners = |joint| owners.get(&joint).copied();
            let other_joints: Vec<_> = other_skins.joints(other).map(owners).collect();
            let next = mesh_edit(draw, (file, paints), (index, other), (&joints, &other_joints))?;
            match &edit {
                Some(known) if *known != next => {
                    return Err(format!(
                        "mesh {:?} belongs to several nodes, which have different meshes now; edit one and link it to the others",
                        mesh.name
                    ));
                }
                _ => edit = Some(next),
            }
        }
        for (what, count) in edit.iter().flat_map(|edit| &edit.ignored) {
            edits.ignore(what, *count);
        }
        if let Some(edit) = edit.filter(|edit| !edit.is_empty()) {
            file.charge(edit.len(), CHANGE)?;
            file.charge(edit.added.len(), TRIANGLE * CHANGE)?;
            edits.meshes.push(edit);
        }
    }
    Ok(())
}

/// Returns the edit of a mesh that has just been made, by its number, which leads to a given one.
fn mesh_edit(
    draw: Draw<'_, '_>,
    (file, paints): (&Given, &Paints),
    (index, other): (usize, usize),
    joints: (&[Option<usize>], &[Option<usize>]),
) -> Result<MeshEdit, String> {
    let mesh = draw(index).ok_or("internal error: no such mesh")?;
    let has_same_normals = file.has_same_normals(other);
    file.with_mesh(other, faces::OF_TRIANGLE, |mut other| {
        if has_same_normals {
            other.primitives.iter_mut().for_each(|primitive| primitive.normals.clear());
        }
        let edit = faces::compare(index, (&mesh, &other), joints, paints);
        edit.map_err(|why| format!("mesh {:?}: {why}", mesh.name))
    })
}

/// The skins that meshes are bound by.
struct Skins<'s> {
    scene: &'s Scene,
    by_mesh: HashMap<usize, usize>,
}

impl<'s> Skins<'s> {
    fn of(scene: &'s Scene) -> Self {
        let mut by_mesh = HashMap::new();
        for (mesh, skin) in scene.nodes.iter().filter_map(|node| node.mesh.zip(node.skin)) {
            by_mesh.entry(mesh).or_insert(skin);
        }
        Self { scene, by_mesh }
    }

    /// Returns the nodes that a mesh is bound to.
    fn joints(&self, mesh: usize) -> impl Iterator<Item = usize> {
        let skin = self.by_mesh.get(&mesh).and_then(|skin| self.scene.skins.get(*skin));
        skin.into_iter().flat_map(|skin| skin.joints.iter().copied())
    }
}
