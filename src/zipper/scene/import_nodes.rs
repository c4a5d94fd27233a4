//! New and deleted nodes of worlds, and what depends on them: lists of nodes, counts of models, lists of free slots.
//!
//! A node keeps its slot, because saved games and animations find it there. Source: `zipper-nodes.md`, sections 1.2 to 1.4 and 2.2,
//! and `zipper-editing.md`, sections 2 and 3.

use std::collections::{BTreeMap, BTreeSet};

use super::import::{lost, slot};
use super::new_material::Materials;
use super::new_model::{Made, NewModels};
use super::new_node::{ADDRESS, Kind, base_of, count_boxes, original, shown_base};
use super::shown::{base, record, whole};
use super::slots::Slots;
use super::world::{MODELS, NODES};
use crate::gamez::World;
use crate::gamez::games::{CrimsonSkies, Layouts};
use crate::gamez::models::Link as ModelLink;
use crate::gamez::nodes::{Base, Class, InCell as _, Link, Node, NodeClass, NodeHeader, NodePlace as _};
use field::{Address, I32, Value};
use kind::{Imported, ImportedEdit};
use media::gltf::Scene;
use media::gltf::compare;
use media::gltf::edits::{Edits, NewNode, Parent};

/// The link of a new node from Pirate's Moon onward, without the number of the next slot. Source: `zipper-nodes.md`, section 1.3.
const LINK: usize = 0x0200_0000;

/// Adds and deletes nodes.
pub(super) fn edit_tree<G: Layouts>(
    world: &World<G>,
    (drawn, materials): (&Scene, &Materials<'_>),
    edits: &Edits,
    to: &mut Imported,
) -> Result<(), String> {
    if edits.deleted.is_empty() && edits.added.is_empty() {
        return Ok(());
    }
    let deleted = deleted(world, drawn, edits)?;
    refuse_referred(world, &deleted)?;
    let mut changes = Changes { world, drawn, users: BTreeMap::new(), lists: BTreeMap::new() };
    let mut slots = Slots {
        place: "/nodes",
        head: "/node_free_head",
        before: world.node_pool(),
        after: world.node_pool(),
        filled: BTreeMap::new(),
        freed: BTreeMap::new(),
        blank: blank::<G>(),
    };
    // Slots of deleted nodes are used again only if there are no others: saved games would find the new nodes there.
    let is_late = slots.before.free_slots() >= edits.added.len();
    let mut taken = Vec::new();
    if is_late {
        taken = take(&mut slots, edits.added.len())?;
    }
    changes.delete(&deleted, &mut slots, to);
    if !is_late {
        taken = take(&mut slots, edits.added.len())?;
    }
    let mut models = NewModels::of(world, (drawn, materials));
    changes.add(&edits.added, &taken, (&mut slots, &mut models), to)?;
    changes.follow(&deleted, to)?;
    // A freed slot that has been taken again has the new node.
    slots.freed.retain(|slot, _| !slots.filled.contains_key(slot));
    slots.edit(to);
    models.edit(to);
    // From Pirate's Moon onward, the number is that of the engine; it follows if it was the number of slots.
    let (was, now) = (slots.before.len(), slots.after.len());
    if !G::NODE_POOL && was != now && usize::try_from(world.sections.node_free_head.get()) == Ok(was) {
        to.set(Address::from("/node_free_head"), now);
    }
    Ok(())
}

fn take(slots: &mut Slots, count: usize) -> Result<Vec<usize>, String> {
    let taken: Result<Vec<usize>, String> = (0..count).map(|_| slots.after.take()).collect();
    taken.map_err(|why| format!("{count} nodes are new, but {why}; delete others"))
}

/// Returns the slots of deleted nodes.
fn deleted<G: Layouts>(world: &World<G>, drawn: &Scene, edits: &Edits) -> Result<BTreeSet<usize>, String> {
    let mut deleted = BTreeSet::new();
    for place in edits.deleted.iter().filter_map(|&node| drawn.nodes.get(node)?.place.as_deref()) {
        let (at, node) = found(world, place)?;
        let class = node.base.head.class;
        let why = match class {
            NodeClass::OBJECT_3D | NodeClass::LOD if G::VERSION == CrimsonSkies::VERSION => {
                "but worlds of Crimson Skies have no free slots, and nodes cannot move to others; keep the node, and delete \
                 its polygons to hide it"
                    .to_owned()
            }
            NodeClass::OBJECT_3D | NodeClass::LOD => {
                deleted.insert(at);
                continue;
            }
            _ => format!("but it is a {class:?}, and only objects and levels of detail can be deleted; keep the node"),
        };
        return Err(format!("node {:?} ({place}) has been deleted, {why}", node.base.head.name.to_string()));
    }
    Ok(deleted)
}

/// Returns the node at a place of a scene, with its slot.
fn found<'w, G: Layouts>(world: &'w World<G>, place: &str) -> Result<(usize, &'w Node<G>), String> {
    let at = slot(place, NODES).ok_or_else(|| lost(place))?;
    Ok((at, world.nodes.slots.get(at).ok_or_else(|| lost(place))?))
}

/// Returns the slot that an index leads to.
fn led(index: I32) -> Option<usize> {
    usize::try_from(index.get()).ok()
}

/// Returns an error if a node that stays refers to a deleted one other than as its parent or child.
fn refuse_referred<G: Layouts>(world: &World<G>, deleted: &BTreeSet<usize>) -> Result<(), String> {
    for (at, node) in world.nodes.slots.iter().enumerate() {
        let listed: Vec<(&str, I32)> = match &node.class {
            Class::Camera(camera) => [
                ("camera/world_index", camera.world_index),
                ("camera/window_index", camera.window_index),
                ("camera/focus_node_xy", camera.focus_node_xy),
                ("camera/focus_node_xz", camera.focus_node_xz),
            ]
            .into(),
            Class::Light(sun) => sun.attached.iter().map(|&index| ("light/attached", index)).collect(),
            Class::Sound(sound) => sound.attached.iter().map(|&index| ("sound/attached", index)).collect(),
            Class::World(data) => {
                let lights = data.lights.iter().map(|&index| ("world/lights", index));
                lights.chain(data.sounds.iter().map(|&index| ("world/sounds", index))).collect()
            }
            _ => continue,
        };
        let lost = listed.into_iter().find(|(_, index)| led(*index).is_some_and(|index| deleted.contains(&index)));
        if let Some((field, index)) = lost {
            let name = |node: &Node<G>| node.base.head.name.to_string();
            let other = led(index).and_then(|index| world.nodes.slots.get(index)).map(name).unwrap_or_default();
            let (own, index) = (name(node), index.get());
            return Err(format!(
                "node {other:?} ({NODES}{index}) has been deleted, but node {own:?} refers to it at {NODES}{at}/{field}; keep \
                 the node, or first change that with `bitexact patch`"
            ));
        }
    }
    Ok(())
}

/// The changes of lists of nodes and of counts.
struct Changes<'w, G: Layouts> {
    world: &'w World<G>,
    drawn: &'w Scene,
    /// For each model, the number of nodes that it gains or loses.
    users: BTreeMap<usize, i64>,
    /// For each node that stays and loses or gains children or parents, what happens to the two lists.
    lists: BTreeMap<(usize, &'static str), List>,
}

/// The change of a list.
#[derive(Default)]
struct List {
    lost: usize,
    gained: usize,
}

impl<G: Layouts> Changes<'_, G> {
    /// Frees slots, those of children before those of their parents, and takes them out of all lists.
    fn delete(&mut self, deleted: &BTreeSet<usize>, slots: &mut Slots, to: &mut Imported) {
        let order = self.world.nodes.tree();
        for (at, _) in order.into_iter().rev().filter(|(at, _)| deleted.contains(at)) {
            let Some(node) = self.world.nodes.slots.get(at) else { continue };
            if let Some(model) = led(node.base.head.model_index) {
                *self.users.entry(model).or_default() -= 1;
            }
            // Later games store no list of free slots.
            if G::NODE_POOL {
                slots.after.free(at);
            }
            slots.freed.insert(at, freed(node));
        }
        let is_deleted = |index: &I32| led(*index).is_some_and(|index| deleted.contains(&index));
        for (at, node) in self.world.nodes.slots.iter().enumerate().filter(|(at, _)| !deleted.contains(at)) {
            for (name, list) in [("children", &node.children), ("parents", &node.parents)] {
                for (nth, _) in list.iter().enumerate().filter(|(_, index)| is_deleted(index)) {
                    to.edits.push(ImportedEdit::Delete(node_at(at).with(name).with(nth.to_string())));
                    let change = self.lists.entry((at, name)).or_default();
                    change.lost += 1;
                }
            }
            let Class::World(data) = &node.class else { continue };
            for (nth, cell) in data.cells.iter().enumerate() {
                let place = node_at(at).with("world").with("cells").with(nth.to_string());
                let indices = cell.nodes.iter().map(|it| it.slot());
                let lost: Vec<usize> =
                    indices.enumerate().filter(|(_, index)| is_deleted(index)).map(|(nth, _)| nth).collect();
                for nth in &lost {
                    to.edits.push(ImportedEdit::Delete(place.with("nodes").with(nth.to_string())));
                }
                if !lost.is_empty() && lost.len() == cell.nodes.len() && cell.head.nodes_ptr.get() != 0 {
                    to.set(place.with("nodes_ptr"), 0);
                }
            }
        }
    }

    /// Makes new nodes in the slots that have been taken for them.
    fn add(
        &mut self,
        added: &[NewNode],
        taken: &[usize],
        (slots, models): (&mut Slots, &mut NewModels<'_, G>),
        to: &mut Imported,
    ) -> Result<(), String> {
        let mut below: Vec<Vec<usize>> = added.iter().map(|_| Vec::new()).collect();
        for (child, &slot) in added.iter().zip(taken) {
            if let Parent::New(parent) = child.parent
                && let Some(below) = below.get_mut(parent)
            {
                below.push(slot);
            }
        }
        for ((new, children), &at) in added.iter().zip(&below).zip(taken) {
            let wrong = |why: String| format!("node {:?} is new: {why}", new.name);
            let parent = match new.parent {
                Parent::New(parent) => {
                    *taken.get(parent).ok_or_else(|| wrong("internal error: no such parent".to_owned()))?
                }
                Parent::Known(parent) => {
                    let place = self.drawn.nodes.get(parent).and_then(|parent| parent.place.as_deref());
                    let (parent, node) = found(self.world, place.unwrap_or_default())?;
                    let class = node.base.head.class;
                    if !matches!(class, NodeClass::WORLD | NodeClass::OBJECT_3D | NodeClass::LOD) {
                        let name = node.base.head.name.to_string();
                        return Err(wrong(format!(
                            "its parent {name:?} is a {class:?}, which has no children; give it the world, an object or a \
                             level of detail as its parent"
                        )));
                    }
                    let change = self.lists.entry((parent, "children")).or_default();
                    change.gained += 1;
                    to.set(node_at(parent).with("children").with("-"), at);
                    parent
                }
            };
            let json = self.made(new, (at, parent, children), models, to).map_err(wrong)?;
            slots.filled.insert(at, json);
        }
        Ok(())
    }

    /// Returns a new node.
    fn made(
        &mut self,
        new: &NewNode,
        (at, parent, children): (usize, usize, &[usize]),
        models: &mut NewModels<'_, G>,
        to: &mut Imported,
    ) -> Result<Value, String> {
        let drawn = self.drawn;
        let like = original(new, drawn)?;
        let place = like.and_then(|like| like.place.as_deref());
        let node = place.map(|place| found(self.world, place)).transpose()?.map(|(_, node)| node);
        let kind = Kind::of(new, node.map(|node| &node.class))?;
        let mut bounds = None;
        let model = match (new.shared, &new.faces, node) {
            (Some(mesh), ..) => {
                let place = drawn.meshes.get(mesh).and_then(|mesh| mesh.place.as_deref()).unwrap_or_default();
                Some(slot(place, MODELS).ok_or_else(|| lost(place))?)
            }
            (None, Some(faces), _) => {
                let Made { slot, extent } = models.make(faces)?;
                bounds = Some(extent);
                Some(slot)
            }
            // A model without triangles is not drawn.
            (None, None, node) => node.and_then(|node| led(node.base.head.model_index)),
        };
        if let Some(model) = model.filter(|_| bounds.is_none()) {
            *self.users.entry(model).or_default() += 1;
        }
        let model = model.map(i32::try_from).transpose().map_err(|_| "there are too many models".to_owned())?;
        let first = || self.world.nodes.slots.iter().map(|node| node.base.head.data_ptr).find(|it| it.get() != 0);
        let own = node.map(|node| node.base.head.data_ptr).filter(|it| it.get() != 0);
        let address = own.or_else(first).map_or(ADDRESS, |address| address.get());
        let mut made = base_of(new, (node.map(|node| &node.base), children.is_empty()), bounds, address)?;
        made.head.model_index = model.unwrap_or(-1).into();
        let mut json = shown_base(new, &made);
        json.put("parent_array_ptr", i64::from(address).into());
        json.put("child_array_ptr", i64::from(if children.is_empty() { 0 } else { address }).into());
        let was = like.map(|like| like.transform).unwrap_or_default();
        kind.put(&mut json, &compare::moved(new.copy_of.unwrap_or_default(), was, new.transform))?;
        count_boxes(&made.head, to);
        json.put("parents", Value::List(vec![parent.into()]));
        json.put("children", children.iter().copied().map(Value::from).collect());
        if !G::NODE_POOL {
            json.put("link", (at + 1 + LINK).into());
        }
        Ok(json)
    }

    /// Lets the addresses of changed lists and the counts of models follow.
    fn follow(&self, deleted: &BTreeSet<usize>, to: &mut Imported) -> Result<(), String> {
        let mut around = BTreeSet::new();
        for (&(at, name), change) in &self.lists {
            let Some(node) = self.world.nodes.slots.get(at) else { continue };
            let ([parents, children], field, list) = match name {
                "parents" => (node.base.place.pointers(), "parent_array_ptr", &node.parents),
                _ => (node.base.place.pointers(), "child_array_ptr", &node.children),
            };
            let address = if name == "parents" { parents } else { children };
            let left = list.len().saturating_sub(change.lost) + change.gained;
            match (left, address.get()) {
                (0, 1..) => to.set(node_at(at).with(field), 0),
                (1.., 0) => {
                    let own = node.base.head.data_ptr.get();
                    to.set(node_at(at).with(field), i64::from(if own == 0 { ADDRESS } else { own }));
                }
                _ => {}
            }
            if name == "children" && matches!(node.class, Class::Object(_) | Class::Lod(_)) {
                around.insert(at);
            }
        }
        to.ignore("boxes of nodes around new and deleted ones, which stay unchanged", around.len());
        for (&model, change) in self.users.iter().filter(|(_, change)| **change != 0) {
            // An index of a model that does not exist is reported by `lint`.
            let Some(slot) = self.world.models.slots.get(model) else { continue };
            if !matches!(slot.link, ModelLink::Data(_)) {
                continue;
            }
            let body = &slot.model.body;
            let count = (i64::from(body.parent_count.get()) + *change).max(0);
            let data = [body.polygon_count, body.vertex_count, body.normal_count, body.morph_count, body.light_count];
            if count == 0 && data.iter().all(|count| count.get() == 0) {
                return Err(format!(
                    "all nodes of model {model} have been deleted, among them {}, but it has no points, so its slot would \
                     look free; keep one of the nodes",
                    deleted
                        .iter()
                        .find(|at| self.is_user(**at, model))
                        .map(|at| format!("{NODES}{at}"))
                        .unwrap_or_default()
                ));
            }
            to.set(Address::from(format!("{MODELS}{model}/parent_count")), count);
        }
        Ok(())
    }

    fn is_user(&self, at: usize, model: usize) -> bool {
        let node = self.world.nodes.slots.get(at);
        node.is_some_and(|node| led(node.base.head.model_index) == Some(model))
    }
}

fn node_at(slot: usize) -> Address {
    Address::from(format!("{NODES}{slot}"))
}

/// Returns the slot of a node after it has been deleted: name, flags, zone, boxes and priority stay. The link is missing in pools.
///
/// Source: `zipper-nodes.md`, sections 1.2, 1.4 and 5; the freed slots of the samples.
fn freed<G: Layouts>(node: &Node<G>) -> Value {
    let head = &node.base.head;
    let head = NodeHeader { class: NodeClass::EMPTY, data_ptr: 0.into(), model_index: I32::new(-1), ..*head };
    let mut json = base(&Base { head, ..node.base.clone() });
    for (name, none, _) in node.base.place.partitions() {
        json.put(name, none.into());
    }
    for name in ["parent_array_ptr", "child_array_ptr"] {
        json.put(name, 0.into());
    }
    json.put("parents", whole([]));
    json.put("children", whole([]));
    if let Link::Garbage(garbage) = &node.link
        && let Value::Object(members) = record(garbage)
    {
        json.put_all(members);
    }
    json
}

/// Returns a slot that was never used, as one among the used slots. Source: `zipper-nodes.md`, section 1.4.
fn blank<G: Layouts>() -> Value {
    let head = NodeHeader { model_index: I32::new(-1), ..NodeHeader::default() };
    let mut json = base(&Base::<G> { head, ..Base::default() });
    json.put("parents", whole([]));
    json.put("children", whole([]));
    json
}
