//! The traps of worlds.
//!
//! Most facts are about Recoil's engine. Later games share its design, so the traps are those of all games, except where their retail files
//! differ.
//!
//! Source: `zipper-editing.md`.

use std::collections::{HashMap, HashSet};

use bitflags::Flags as _;

use crate::Vec3;
use field::{F32, I32, Step, wide};
use kind::Game as Title;
use lint::{Lint, Warnings, Watch, traps};

use super::World;
use super::games::{CrimsonSkies, Layouts};
use super::materials::{Frame, MaterialFlags};
use super::models::PolygonHeader as _;
use super::nodes::{
    self, Class, InCell as _, Lod as _, Node, NodeClass, NodeExtent, NodeFlags, NodePlace as _, Object, ObjectFlags,
};
use super::textures::Texture as _;

traps! { TRAPS:
    IGNORED = "world-value-ignored" in Change:
        "a value that the game computes on load was changed" => "the edit has no effect",
        "zipper-editing.md, section 1 (engine)";
    OUT_OF_RANGE = "world-index" in File:
        "an index leads to a slot that does not exist or is free" =>
        "the game replaces the index by an address in other data", "zipper-editing.md, section 1 (engine)";
    NODE_BOX = "node-box" in Addition:
        "the box of a node does not enclose the boxes of its model and its children" =>
        "the game neither draws nor hits the parts outside of it", "zipper-editing.md, section 2 (engine)";
    BOX_FLAG = "box-flag" in File:
        "the flags and the boxes of an object disagree" => "the game neither draws nor hits parts of it",
        "zipper-editing.md, section 2 (engine)";
    OBJECT_IDENTITY = "object-transform" in File:
        "an object without a transformation has a position, rotation or scale" =>
        "the game draws it at one place and hits it at another", "zipper-editing.md, section 2 (engine)";
    LANDMARK = "landmark-in-cell" in Addition:
        "a landmark is in a cell" => "the game expects it in the list of objects outside all cells",
        "zipper-editing.md, section 4 (engine)";
    CELL_LIST = "cell-list" in Addition:
        "a node is not in the list of its cell" => "the game neither draws nor hits the node",
        "zipper-editing.md, section 2 (engine)";
    CELL_HEIGHT = "cell-height" in Addition:
        "the height of a cell does not include that of a node in it" => "the game does not draw the cell",
        "zipper-editing.md, section 2 (engine)";
    LOD_RANGE = "lod-range" in Addition:
        "the near range of a level of detail is greater than the far range" => "the game switches it at a wrong distance",
        "zipper-editing.md, section 2 (engine)";
    MODEL_COUNT = "model-count" in Addition:
        "the number of references to a model is not the number of nodes that use it" =>
        "the game releases the model too early or never", "zipper-editing.md, section 2 (engine)";
    PARENT_CHILD = "parent-child" in File:
        "a parent and its child do not list each other" => "the game transforms the child wrongly",
        "zipper-editing.md, section 2 (engine)";
    LISTED_ONCE = "node-listed-once" in Addition:
        "a node of Crimson Skies is not in exactly one list: that of its parent's children or, below the world, that of a cell" =>
        "no world that was sold has such a node", "zipper-nodes.md, section 6.8 (measured)";
    ACTIVE_BOX = "active-box" in File:
        "the active box of a node of Crimson Skies is none of its three boxes" => "the game uses the number as an address",
        "zipper-nodes.md, section 2.1 (engine)";
    OWNERS = "node-owners" in Addition:
        "a node of Crimson Skies has different owners in the missions of its world" =>
        "every node of the worlds that were sold has the same owner in all of them", "zipper-nodes.md, section 2.1 (measured)";
    TREE_VALID = "tree-valid" in File:
        "a node with several parents has the flag for one parent" => "the game transforms the node wrongly",
        "zipper-editing.md, section 2 (engine)";
    NODE_NAME = "node-name-length" in File:
        "a node name has more than 35 characters" => "the game reads beyond the name",
        "zipper-editing.md, section 3 (engine)";
    SAME_NAME = "node-name-repeated" in Addition:
        "a node in a higher slot has the same name" => "the game finds the other node by this name",
        "zipper-editing.md, section 2 (engine)";
    RENAMED = "node-renamed" in Change:
        "a node was renamed" => "scripts, readers and animations do not find it by its old name",
        "zipper-editing.md, section 2 (engine)";
    VEHICLE_PART = "vehicle-part" in Change:
        "a part of a vehicle was renamed" => "the game crashes, or the part does not move",
        "zipper-editing.md, section 2 (engine)";
    NODE_MOVED = "node-moved" in Change:
        "a node was moved to a different slot" => "saved games and animations find a different node",
        "zipper-editing.md, section 2 (engine)";
    TEXTURE_MOVED = "texture-moved" in Change:
        "a texture was moved to a different index" =>
        "materials show wrong textures, and in multiplayer all players need the same order",
        "zipper-editing.md, section 2 (engine)";
    SAME_TEXTURE = "world-texture-repeated" in Addition:
        "an earlier texture has the same name, ignoring case and extension" => "the game takes both for one texture",
        "zipper-gamez.md, section 4 (engine)";
    TEXTURE_LIMIT = "texture-limit" in File:
        "the world has more than 4096 textures" => "the game refuses it", "zipper-editing.md, section 3 (engine)";
    MATERIAL_LIMIT = "material-limit" in File:
        "the world has more than 32,767 materials" => "links to the others are broken",
        "zipper-editing.md, section 3 (engine)";
    FULL_POOL = "full-pool" in File:
        "all slots are used" => "the game cannot add any while it runs", "zipper-editing.md, section 3 (engine)";
    CRATER_LIMIT = "crater-limit" in File:
        "cells can have more than 255 craters" => "the game makes none", "zipper-editing.md, section 3 (engine)";
    POLYGON_CORNERS = "polygon-corners" in File:
        "a polygon has fewer than 3 corners, or more than 57 in a model for craters" =>
        "the game refuses to cut craters into it", "zipper-editing.md, section 3 (engine)";
    CRATER_MODEL = "crater-model" in File:
        "a model for craters has more than 922 vertices or 1024 normals" => "the game cuts no craters into it",
        "zipper-editing.md, section 3 (engine)";
    CAN_MODIFY = "crater-object" in Addition:
        "an object for craters is not at the top, is transformed, or shares its model" =>
        "the game cuts no craters into it", "zipper-editing.md, section 4 (engine)";
    SOIL_LIMIT = "soil-limit" in File:
        "a material has a soil above 99" => "the game ignores it", "zipper-editing.md, section 3 (engine)";
}

/// The maximum number of textures.
const TEXTURES: usize = 4096;
/// The maximum number of materials: links are signed 16-bit numbers.
const MATERIALS: usize = 32_767;
/// The maximum number of craters in a cell.
const CRATERS: u32 = 255;
/// The numbers of corners, vertices and normals up to which the engine rebuilds a model.
const CORNERS: u32 = 57;
const VERTICES: usize = 922;
const NORMALS: usize = 1024;
/// The highest soil.
const SOILS: u32 = 99;
/// The maximum length of a node name.
const NAME: usize = 35;
/// The missions of a world of Crimson Skies that a node has owners in.
const MISSIONS: u32 = 11;
/// The tolerance between boxes.
const NEAR: f32 = 1e-3;

/// Returns the steps to a part of a node.
fn node(slot: usize, more: &[Step]) -> Vec<Step> {
    [&[Step::Name("nodes"), Step::Name("slots"), Step::Index(wide(slot))], more].concat()
}

/// Returns the steps to a part of a model.
fn model(slot: usize, more: &[Step]) -> Vec<Step> {
    [&[Step::Name("models"), Step::Name("slots"), Step::Index(wide(slot))], more].concat()
}

/// Returns the steps to a part of a material.
fn material(slot: usize, more: &[Step]) -> Vec<Step> {
    [&[Step::Name("materials"), Step::Name("slots"), Step::Index(wide(slot))], more].concat()
}

impl<G: Layouts> Lint for World<G> {
    fn lint(&self, out: &mut Warnings<'_>) {
        lint(out, self);
    }

    fn watch(&self, out: &mut Watch<'_>) {
        watch(out, self);
    }
}

fn lint<G: Layouts>(out: &mut Warnings<'_>, world: &World<G>) {
    let users = users(world);
    limits(out, world);
    for (slot, it) in used(world) {
        head(out, slot, it);
        links(out, world, slot, it);
        class(out, world, slot, it);
        if G::VERSION != CrimsonSkies::VERSION && it.base.head.flags.contains(NodeFlags::CAN_MODIFY) {
            craters(out, world, (slot, it), &users);
        }
    }
    if G::TITLE == Title::CrimsonSkies {
        below_world(out, world);
    }
    names(out, world);
    for (slot, it) in world.models.slots.iter().enumerate() {
        let (stored, used) = (it.model.body.parent_count.get(), users.get(slot).copied().unwrap_or(0));
        if u64::from(stored) != used {
            let found = format!("{stored}, not {used}");
            out.warn(&MODEL_COUNT, &model(slot, &[Step::Name("parent_count")]), found);
        }
    }
    materials(out, world);
}

/// Returns the used nodes and their slots.
fn used<G: Layouts>(world: &World<G>) -> impl Iterator<Item = (usize, &Node<G>)> {
    world.nodes.slots.iter().enumerate().filter(|(_, node)| node.base.head.is_used())
}

/// Returns for each model the number of nodes that use it.
fn users<G: Layouts>(world: &World<G>) -> Vec<u64> {
    let mut users = vec![0_u64; world.models.slots.len()];
    for (_, it) in used(world) {
        let index = usize::try_from(it.base.head.model_index.get()).ok();
        if let Some(count) = index.and_then(|index| users.get_mut(index)) {
            *count += 1;
        }
    }
    users
}

fn limits<G: Layouts>(out: &mut Warnings<'_>, world: &World<G>) {
    let (textures, slots) = (world.textures.len(), &world.materials.slots);
    if textures > TEXTURES {
        out.warn(&TEXTURE_LIMIT, &[Step::Name("textures")], textures.to_string());
    }
    let count = slots.len() + world.materials.free.len();
    if count > MATERIALS {
        out.warn(&MATERIAL_LIMIT, &[Step::Name("materials"), Step::Name("slots")], count.to_string());
    }
    if G::TITLE != Title::Recoil {
        return;
    }
    let has_free_model = world.models.slots.iter().any(|it| matches!(it.link, super::models::Link::Next(_)));
    let has_free_node = world.nodes.slots.iter().any(|node| !node.base.head.is_used());
    for (list, is_full) in [
        ("materials", world.materials.free.is_empty()),
        ("models", world.models.free.is_empty() && !has_free_model),
        ("nodes", world.nodes.free.is_empty() && !has_free_node),
    ] {
        if is_full {
            out.warn(&FULL_POOL, &[Step::Name(list), Step::Name("slots")], "");
        }
    }
}

/// Returns the extent of a box that is not empty.
fn extent(of: &[Vec3; 2]) -> Option<[[f32; 3]; 2]> {
    let [low, high] = of.map(|corner| corner.map(F32::get));
    (low.iter().chain(&high).any(|&value| value != 0.0)).then_some([low, high])
}

/// Returns `true` if a box encloses another one.
fn encloses([low, high]: [[f32; 3]; 2], [inner_low, inner_high]: [[f32; 3]; 2]) -> bool {
    let near = |a: f32| NEAR * a.abs().max(1.0);
    low.iter().zip(inner_low).all(|(&outer, inner)| outer <= inner + near(inner))
        && high.iter().zip(inner_high).all(|(&outer, inner)| outer >= inner - near(inner))
}

/// Reports the traps in the record of a node.
fn head<G: Layouts>(out: &mut Warnings<'_>, slot: usize, it: &Node<G>) {
    let (head, own, boxes) = (&it.base.head, &it.base.extent, &it.base.boxes);
    if head.name.bytes().len() > NAME {
        out.warn(&NODE_NAME, &node(slot, &[Step::Name("name")]), "");
    }
    if head.flags.contains(NodeFlags::TREE_VALID) && it.parents.len() > 1 {
        out.warn(&TREE_VALID, &node(slot, &[Step::Name("flags")]), format!("{} parents", it.parents.len()));
    }
    let active = it.base.place.active_box().filter(|_| G::TITLE == Title::CrimsonSkies);
    if let Some(active) = active.filter(|active| active.name().is_none()) {
        out.warn(&ACTIVE_BOX, &node(slot, &[Step::Name("active_bbox")]), active.get().to_string());
    }
    let owners = |mission: u32| (head.unk_28.get() >> (2 * mission)) & 3;
    if G::TITLE == Title::CrimsonSkies && (1..MISSIONS).any(|mission| owners(mission) != owners(0)) {
        let found: Vec<String> = (0..MISSIONS).map(|mission| owners(mission).to_string()).collect();
        out.warn(&OWNERS, &node(slot, &[Step::Name("ownership")]), found.join(" "));
    }
    if head.class != NodeClass::OBJECT_3D {
        return;
    }
    for (flag, name, is_present) in [
        (NodeFlags::BBOX_NODE, G::NodeExtent::NAME, !own.is_empty()),
        (NodeFlags::BBOX_MODEL, "model_bbox", extent(&boxes.model_bbox).is_some()),
        (NodeFlags::BBOX_CHILD, "child_bbox", extent(&boxes.child_bbox).is_some()),
    ] {
        let is_set = head.flags.contains(flag);
        // Corners follow the other two boxes, whatever this flag says.
        if name == G::NodeExtent::NAME && own.node_bbox().is_none() {
            continue;
        }
        if is_set != is_present {
            let found = if is_set { "a flag without a box" } else { "a box without its flag" };
            out.warn(&BOX_FLAG, &node(slot, &[Step::Name(name)]), found);
        }
    }
    let outer = own.node_bbox().and_then(extent).filter(|_| head.flags.contains(NodeFlags::BBOX_NODE));
    for (flag, inner) in [(NodeFlags::BBOX_MODEL, &boxes.model_bbox), (NodeFlags::BBOX_CHILD, &boxes.child_bbox)] {
        if let (true, Some(outer), Some(inner)) = (head.flags.contains(flag), outer, extent(inner))
            && !encloses(outer, inner)
        {
            out.warn(&NODE_BOX, &node(slot, &[Step::Name(G::NodeExtent::NAME)]), "");
            return;
        }
    }
}

/// Returns the slot of a node if it is used.
fn slot_of<G: Layouts>(world: &World<G>, index: I32) -> Option<(usize, &Node<G>)> {
    let slot = usize::try_from(index.get()).ok()?;
    Some((slot, world.nodes.slots.get(slot).filter(|node| node.base.head.is_used())?))
}

/// Reports the traps in the links of a node.
fn links<G: Layouts>(out: &mut Warnings<'_>, world: &World<G>, slot: usize, it: &Node<G>) {
    let model_index = it.base.head.model_index.get();
    let model = usize::try_from(model_index).ok().and_then(|index| world.models.slots.get(index));
    if model_index != -1 && model.is_none_or(|model| matches!(model.link, super::models::Link::Next(_))) {
        out.warn(&OUT_OF_RANGE, &node(slot, &[Step::Name("model_index")]), model_index.to_string());
    }
    let own = i32::try_from(slot).ok();
    let lists = |list: &[I32]| list.iter().any(|index| Some(index.get()) == own);
    for (name, links) in [("parents", &it.parents), ("children", &it.children)] {
        for (nth, &link) in links.iter().enumerate() {
            let place = || node(slot, &[Step::Name(name), Step::Index(wide(nth))]);
            let Some((_, other)) = slot_of(world, link) else {
                out.warn(&OUT_OF_RANGE, &place(), link.get().to_string());
                continue;
            };
            let (back, is_parent) =
                (if name == "parents" { &other.children } else { &other.parents }, name == "parents");
            if lists(back) {
                continue;
            }
            let found = || format!("node {}", link.get());
            match G::TITLE {
                // The world of Crimson Skies lists no nodes that are in cells.
                Title::CrimsonSkies if is_parent && other.base.head.class == NodeClass::WORLD => {}
                Title::CrimsonSkies => out.warn(&LISTED_ONCE, &place(), found()),
                _ => out.warn(&PARENT_CHILD, &place(), found()),
            }
        }
    }
}

/// Reports nodes below the world that are not in exactly one list: the world's children, or those of one cell.
fn below_world<G: Layouts>(out: &mut Warnings<'_>, world: &World<G>) {
    for (own, it) in used(world) {
        let Class::World(data) = &it.class else { continue };
        let in_cells = data.cells.iter().flat_map(|cell| cell.nodes.iter().map(|it| it.slot()));
        let mut lists: HashMap<usize, usize> = HashMap::new();
        for slot in in_cells.chain(it.children.iter().copied()).filter_map(|index| usize::try_from(index.get()).ok()) {
            let count = lists.entry(slot).or_default();
            *count += 1;
        }
        let is_own = |parent: &I32| usize::try_from(parent.get()) == Ok(own);
        for (slot, below) in used(world) {
            let Some(nth) = below.parents.iter().position(is_own) else { continue };
            let count = lists.get(&slot).copied().unwrap_or(0);
            if count != 1 {
                let place = node(slot, &[Step::Name("parents"), Step::Index(wide(nth))]);
                out.warn(&LISTED_ONCE, &place, format!("in {count} lists"));
            }
        }
    }
}

/// Reports the traps in the data of a node.
fn class<G: Layouts>(out: &mut Warnings<'_>, world: &World<G>, slot: usize, it: &Node<G>) {
    match &it.class {
        Class::Object(object) if !is_identity(object) && object.head.flags.contains(ObjectFlags::INITIAL) => {
            out.warn(&OBJECT_IDENTITY, &node(slot, &[Step::Name("object")]), "");
        }
        Class::Lod(lod) => {
            let [near, far] = lod.range().map(F32::get);
            if near > far * far {
                let found = format!("near {}, far {far}", near.sqrt());
                out.warn(&LOD_RANGE, &node(slot, &[Step::Name("lod"), Step::Name("range_far")]), found);
            }
        }
        Class::World(data) => {
            let craters = data.partition.max_dec_features.get();
            if craters > CRATERS {
                let place = node(slot, &[Step::Name("world"), Step::Name("max_dec_features")]);
                out.warn(&CRATER_LIMIT, &place, craters.to_string());
            }
            cells(out, world, slot, data);
        }
        _ => {}
    }
}

/// Reports the traps in the cells of the world in a slot.
fn cells<G: Layouts>(out: &mut Warnings<'_>, world: &World<G>, slot: usize, data: &nodes::World<G>) {
    // The nodes in each cell, to find those that are not listed.
    let mut listed: HashSet<(usize, usize)> = HashSet::new();
    for (at, cell) in data.cells.iter().enumerate() {
        let place = |more: &[Step]| {
            let cell = [Step::Name("world"), Step::Name("cells"), Step::Index(wide(at))];
            node(slot, &[&cell[..], more].concat())
        };
        let [low, high] = [cell.head.min_y, cell.head.max_y].map(F32::get);
        for (nth, it) in cell.nodes.iter().enumerate() {
            let index = it.slot();
            let place = || place(&[Step::Name("nodes"), Step::Index(wide(nth))]);
            match slot_of(world, index) {
                None => out.warn(&OUT_OF_RANGE, &place(), index.get().to_string()),
                Some((slot, it)) => {
                    listed.insert((at, slot));
                    if it.base.head.flags.contains(NodeFlags::LANDMARK) {
                        out.warn(&LANDMARK, &place(), it.base.head.name.to_string());
                    }
                }
            }
            let heights = it.heights().map(|heights| heights.map(F32::get));
            if let Some([least, most]) = heights.filter(|[least, most]| *least < low || *most > high) {
                out.warn(&CELL_HEIGHT, &place(), format!("{least} to {most}, cell {low} to {high}"));
            }
        }
    }
    // In later games, retail files contain cells that do not exist.
    if !G::NODE_POOL {
        return;
    }
    let columns = usize::try_from(data.grid.x_count.get()).unwrap_or(0);
    for (own, it) in used(world) {
        let cell: Vec<Option<usize>> =
            it.base.place.partitions().iter().map(|(.., found)| usize::try_from(*found).ok()).collect();
        if let [Some(column), Some(row), ..] = cell[..]
            && !listed.contains(&(row * columns + column, own))
        {
            let found = format!("column {column}, row {row}");
            out.warn(&CELL_LIST, &node(own, &[Step::Name("area_partition_x")]), found);
        }
    }
}

/// Returns `true` if an object has the position and orientation of its parent.
fn is_identity<G: Layouts>(object: &Object<G>) -> bool {
    const UNITS: [usize; 3] = [0, 4, 8];
    let is = |values: &[F32], expected: f32| values.iter().all(|value| value.get() == expected);
    let mut transform = object.matrices.transform.iter().enumerate();
    is(&object.head.rotate, 0.0)
        && is(&object.head.scale, 1.0)
        && transform.all(|(at, value)| value.get() == if UNITS.contains(&at) { 1.0 } else { 0.0 })
}

/// Reports the traps of an object into which craters may be cut.
fn craters<G: Layouts>(out: &mut Warnings<'_>, world: &World<G>, (slot, it): (usize, &Node<G>), users: &[u64]) {
    let flags = [Step::Name("flags")];
    let is_top = it.parents.iter().all(|&parent| {
        slot_of(world, parent).is_none_or(|(_, parent)| matches!(parent.base.head.class, NodeClass::WORLD))
    });
    let is_untransformed =
        matches!(&it.class, Class::Object(object) if object.head.flags.contains(ObjectFlags::INITIAL));
    let index = usize::try_from(it.base.head.model_index.get()).ok();
    let is_shared = index.and_then(|index| users.get(index)).is_some_and(|count| *count > 1);
    let why = match (is_top, is_untransformed, is_shared) {
        (false, ..) => "its parent is not the world",
        (_, false, _) => "it is transformed",
        (.., true) => "its model is shared",
        _ => "",
    };
    if !why.is_empty() {
        out.warn(&CAN_MODIFY, &node(slot, &flags), why);
    }
    let Some((at, used)) = index.and_then(|at| Some((at, world.models.slots.get(at)?))) else { return };
    let mesh = &used.model.mesh;
    if mesh.vertices.len() > VERTICES || mesh.normals.len() > NORMALS {
        let found = format!("{} vertices, {} normals", mesh.vertices.len(), mesh.normals.len());
        out.warn(&CRATER_MODEL, &model(at, &[]), found);
    }
    for (nth, polygon) in mesh.polygons.iter().enumerate().filter(|(_, polygon)| polygon.head.corners() > CORNERS) {
        let place = model(at, &[Step::Name("polygons"), Step::Index(wide(nth))]);
        out.warn(&POLYGON_CORNERS, &place, polygon.head.corners().to_string());
    }
}

/// Reports nodes that have the name of another node in a higher slot.
fn names<G: Layouts>(out: &mut Warnings<'_>, world: &World<G>) {
    let mut highest: HashMap<&[u8], usize> = HashMap::new();
    let mut hidden = Vec::new();
    for (slot, it) in used(world) {
        hidden.extend(highest.insert(it.base.head.name.bytes(), slot).map(|lower| (lower, slot)));
    }
    for (lower, higher) in hidden {
        out.warn(&SAME_NAME, &node(lower, &[Step::Name("name")]), format!("slot {higher}"));
    }
}

/// Reports the traps of materials and polygons.
fn materials<G: Layouts>(out: &mut Warnings<'_>, world: &World<G>) {
    let textures = world.textures.len();
    let (slots, cycles) = (&world.materials.slots, &world.materials.cycles);
    let leads = |index: i32, count: usize| usize::try_from(index).is_ok_and(|index| index < count);
    let mut names: HashMap<Vec<u8>, usize> = HashMap::new();
    for (index, texture) in world.textures.iter().enumerate() {
        let name = texture.name().name().to_ascii_lowercase();
        let base = name.iter().rposition(|&byte| byte == b'.').and_then(|dot| name.get(..dot)).unwrap_or(&name);
        let first = *names.entry(base.to_vec()).or_insert(index);
        if first != index {
            let place = [Step::Name("textures"), Step::Index(wide(index)), Step::Name("name")];
            out.warn(&SAME_TEXTURE, &place, format!("texture {first}"));
        }
    }
    for (slot, it) in slots.iter().enumerate() {
        if it.flags.contains(MaterialFlags::TEXTURED) && !leads(it.texture_index.get(), textures) {
            out.warn(
                &OUT_OF_RANGE,
                &material(slot, &[Step::Name("texture_index")]),
                it.texture_index.get().to_string(),
            );
        }
        if G::VERSION != CrimsonSkies::VERSION && it.soil.get() > SOILS {
            out.warn(&SOIL_LIMIT, &material(slot, &[Step::Name("soil")]), it.soil.get().to_string());
        }
    }
    for (at, cycle) in cycles.iter().enumerate() {
        let wrong = |frame: &&Frame| !leads(frame.texture_index.get(), textures);
        for (nth, frame) in cycle.frames.iter().enumerate().filter(|(_, frame)| wrong(frame)) {
            let cycle = [Step::Name("materials"), Step::Name("cycles"), Step::Index(wide(at))];
            let place =
                [&cycle[..], &[Step::Name("frames"), Step::Index(wide(nth)), Step::Name("texture_index")]].concat();
            out.warn(&OUT_OF_RANGE, &place, frame.texture_index.get().to_string());
        }
    }
    for (slot, it) in world.models.slots.iter().enumerate() {
        for (nth, polygon) in it.model.mesh.polygons.iter().enumerate() {
            let place = |name| model(slot, &[Step::Name("polygons"), Step::Index(wide(nth)), Step::Name(name)]);
            if polygon.head.corners() < 3 {
                out.warn(&POLYGON_CORNERS, &place("flags"), polygon.head.corners().to_string());
            }
            let own = polygon.head.material_index();
            let name = if own.is_some() { "material_index" } else { "materials" };
            let listed = polygon.materials.iter().copied().chain(own);
            for index in listed.filter(|&index| index.get() != -1 && !leads(index.get(), slots.len())) {
                out.warn(&OUT_OF_RANGE, &place(name), index.get().to_string());
            }
        }
    }
}

/// The parts of a vehicle that the engine finds by name.
const PARTS: &[&[u8]] = &[b"rtracks", b"ltracks", b"chassis", b"turret", b"gun"];

fn watch<G: Layouts>(out: &mut Watch<'_>, world: &World<G>) {
    for (index, texture) in world.textures.iter().enumerate() {
        let place = [Step::Name("textures"), Step::Index(wide(index))];
        out.watch(&TEXTURE_MOVED, &place, Some(&texture.name().name()), &wide(index).to_le_bytes());
    }
    for (slot, it) in used(world) {
        let name = it.base.head.name.bytes();
        let is_part = PARTS.contains(&name) || name.starts_with(b"fpnt_");
        let trap = if is_part { &VEHICLE_PART } else { &RENAMED };
        out.watch(trap, &node(slot, &[Step::Name("name")]), None, name);
        out.watch(&NODE_MOVED, &node(slot, &[]), Some(name), &wide(slot).to_le_bytes());
        // The other values that the game computes have rules, so that a change of them is a deviation.
        out.watch_fields(&IGNORED, &node(slot, &[]), &it.base.head, &["update_flags"]);
        if let Class::World(data) = &it.class {
            let place = node(slot, &[Step::Name("world")]);
            out.watch_fields(&IGNORED, &place, &data.area, &["flags", "pending_update_capacity"]);
        }
    }
}
