//! The traps of binary models.
//!
//! The places are those of a model that is laid out by the walk, as all known files are.
//!
//! Source: `nwn-mdl.md`.

use std::collections::HashSet;

use field::{Class, F32, I16, Record, Step, wide};
use lint::{Lint, Warnings, Watch, traps};

use super::mesh::Mesh;
use super::mesh_types::{MeshType, Skin};
use super::model::Model;
use super::node::Node;

traps! { TRAPS:
    ROOT_NAME = "root-name" in File:
        "the root node does not have the name of the model" => "all known models have one name for both",
        "nwn-mdl.md, section 3.4 (measured)";
    ANIMATION_ROOT = "animation-root" in File:
        "the root of an animation is the name of no node of the model" => "the animation moves no node",
        "nwn-mdl.md, section 3.3 (measured)";
    ANIMATION_NODE = "animation-node-name" in File:
        "a node of an animation has the name of no node of the model" => "the animation moves no node by it",
        "nwn-mdl.md, section 3.4 (measured)";
    FACE = "face-index" in File:
        "a face leads to a vertex or face that does not exist" => "the game reads beyond the mesh",
        "nwn-mdl.md, section 4.5 (measured)";
    COORDINATES = "texture-coordinates" in File:
        "a mesh with a texture has no texture coordinates" => "the game has no coordinates to draw the texture by",
        "nwn-mdl.md, section 7.4 (measured)";
    WEIGHTS = "skin-weights" in File:
        "the weights of a vertex do not add up to 1, or one has no bone" => "the vertex is drawn at a wrong place",
        "nwn-mdl.md, section 4.6 (measured)";
    RESOURCE = "resource-name-length" in File:
        "the name of a texture or model has more than 16 characters" => "the game has no resource of this name",
        "nwn-erf.md, Key (checked)";
    NODE_NAME = "model-node-name-length" in File:
        "the name of a node has more than 31 characters" => "the game crashes if the node has children",
        "nwn-mdl-text.md, section 2 (engine)";
    RENAMED = "model-node-renamed" in Change:
        "a node was renamed" => "models based on this one, and animations with the old name, do not find it",
        "nwn-mdl.md, section 7.4 (measured)";
    STALE = "animation-node-ignored" in Change:
        "a value of an animation node other than its name, children and controllers was changed" =>
        "the edit has no effect", "nwn-mdl.md, section 6.1 (measured)";
}

/// The maximum length of the name of a resource.
const RESOURCE_NAME: usize = 16;
/// The tolerance of the sum of weights.
const NEAR: f32 = 1e-2;

/// Calls a function for a node and all nodes below it, with the steps to each.
fn each<'a>(node: &'a Node, steps: &mut Vec<Step>, visit: &mut impl FnMut(&[Step], &'a Node)) {
    visit(steps, node);
    for (index, child) in (0..).zip(&node.children) {
        steps.extend([Step::Name("children"), Step::Index(index)]);
        each(child, steps, visit);
        steps.truncate(steps.len() - 2);
    }
}

/// Returns the steps to a part of an animation.
fn animation(index: usize, part: &'static str) -> Vec<Step> {
    vec![Step::Name("animations"), Step::Index(wide(index)), Step::Name(part)]
}

fn lower(name: &[u8]) -> Vec<u8> {
    name.to_ascii_lowercase()
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// A model with an order of its own has other places.
impl Lint for Model {
    fn lint(&self, out: &mut Warnings<'_>) {
        if self.order.is_empty() {
            lint(out, self);
        }
    }

    fn watch(&self, out: &mut Watch<'_>) {
        if self.order.is_empty() {
            watch(out, self);
        }
    }
}

fn lint(out: &mut Warnings<'_>, model: &Model) {
    let mut names = HashSet::new();
    let mut root = vec![Step::Name("root")];
    each(&model.root, &mut root, &mut |steps, node| {
        names.insert(lower(node.head.name.bytes()));
        if node.head.name.is_full() {
            out.warn(&NODE_NAME, &[steps, &[Step::Name("name")]].concat(), text(node.head.name.bytes()));
        }
        part(out, steps, node);
    });
    let name = lower(model.geometry.head.name.bytes());
    root_name(out, &name, &root, &model.root);
    resource(out, &[Step::Name("super_model")], model.head.super_model.bytes());
    for (index, it) in model.animations.iter().enumerate() {
        let mut root = animation(index, "root");
        root_name(out, &name, &root, &it.root);
        let moved = lower(it.head.animation_root.bytes());
        if moved != name && !names.contains(&moved) {
            out.warn(&ANIMATION_ROOT, &animation(index, "animation_root"), text(&moved));
        }
        each(&it.root, &mut root, &mut |steps, node| {
            let name = node.head.name.bytes();
            if !names.contains(&lower(name)) {
                out.warn(&ANIMATION_NODE, &[steps, &[Step::Name("name")]].concat(), text(name));
            }
        });
    }
}

fn root_name(out: &mut Warnings<'_>, model: &[u8], steps: &[Step], root: &Node) {
    let name = root.head.name.bytes();
    if lower(name) != model {
        let found = format!("{}, not {}", text(name), text(model));
        out.warn(&ROOT_NAME, &[steps, &[Step::Name("name")]].concat(), found);
    }
}

fn resource(out: &mut Warnings<'_>, steps: &[Step], name: &[u8]) {
    if name.len() > RESOURCE_NAME {
        out.warn(&RESOURCE, steps, text(name));
    }
}

/// Reports the traps in the parts of a node of the geometry.
fn part(out: &mut Warnings<'_>, steps: &[Step], node: &Node) {
    let place = |more: &[Step]| [steps, more].concat();
    if let Some(emitter) = &node.emitter {
        resource(out, &place(&[Step::Name("emitter"), Step::Name("texture")]), emitter.texture.bytes());
    }
    if let Some(reference) = &node.reference {
        resource(out, &place(&[Step::Name("reference"), Step::Name("model")]), reference.model.bytes());
    }
    if let Some(it) = &node.mesh {
        for (index, texture) in (0..).zip(&it.head.textures) {
            let texture_place = [Step::Name("mesh"), Step::Name("textures"), Step::Index(index)];
            resource(out, &place(&texture_place), texture.bytes());
        }
        mesh(out, steps, it);
    }
}

/// Reports the traps of a mesh of the geometry.
fn mesh(out: &mut Warnings<'_>, steps: &[Step], it: &Mesh) {
    let place = |more: &[Step]| [steps, more].concat();
    let (vertices, faces) = (it.streams.vertices.len(), it.faces.len());
    for (index, face) in (0..).zip(it.faces.iter()) {
        let exists = |face: i16| face == -1 || usize::try_from(face).is_ok_and(|face| face < faces);
        let vertex = face.vertices.iter().map(|it| it.get()).find(|vertex| usize::from(*vertex) >= vertices);
        let adjacent = face.adjacent.iter().map(|it| it.get()).find(|face| !exists(*face));
        let found = vertex.map(|vertex| format!("vertex {vertex} of {vertices}"));
        if let Some(found) = found.or_else(|| adjacent.map(|face| format!("face {face} of {faces}"))) {
            out.warn(&FACE, &place(&[Step::Name("faces"), Step::Index(index)]), found);
        }
    }
    let [texture, ..] = &it.head.textures;
    let texture = texture.bytes();
    let has_texture = !texture.is_empty() && !texture.eq_ignore_ascii_case(b"NULL");
    let is_drawn = it.head.render.get() == 1 && vertices > 0;
    if has_texture && is_drawn && it.streams.coordinates.iter().all(|set| set.is_empty()) {
        let texture_place = [Step::Name("mesh"), Step::Name("textures"), Step::Index(0)];
        out.warn(&COORDINATES, &place(&texture_place), text(texture));
    }
    if let MeshType::Skin(skin) = &it.mesh_type {
        weights(out, &place(&[Step::Name("mesh")]), skin);
    }
}

/// Reports weights of a skin that do not add up to 1, or that have no bone.
fn weights(out: &mut Warnings<'_>, steps: &[Step], skin: &Skin) {
    for (weights, slots) in skin.weights.iter().zip(skin.slots.iter()) {
        let sum: f32 = weights.iter().map(|it| it.get()).sum();
        let bones = skin.bones.len();
        let has_bone = |slot: i16| usize::try_from(slot).is_ok_and(|slot| slot < bones);
        let lacks_bone = |(weight, slot): (&F32, &I16)| weight.get() != 0.0 && !has_bone(slot.get());
        if (sum - 1.0).abs() > NEAR || weights.iter().zip(slots).any(lacks_bone) {
            let found = format!("sum {sum}");
            // The weights are in the raw data, whose places do not name the node.
            out.warn(&WEIGHTS, steps, found);
        }
    }
}

fn watch(out: &mut Watch<'_>, model: &Model) {
    each(&model.root, &mut vec![Step::Name("root")], &mut |steps, node| {
        out.watch(&RENAMED, &[steps, &[Step::Name("name")]].concat(), None, node.head.name.bytes());
    });
    for (index, it) in model.animations.iter().enumerate() {
        each(&it.root, &mut animation(index, "root"), &mut |steps, node| {
            if bool::from(node.live) {
                return;
            }
            if let Some(light) = &node.light {
                values(out, steps, "light", &light.head);
            }
            if let Some(emitter) = &node.emitter {
                values(out, steps, "emitter", &**emitter);
            }
            if let Some(reference) = &node.reference {
                values(out, steps, "reference", &**reference);
            }
            if let Some(mesh) = &node.mesh {
                values(out, steps, "mesh", &mesh.head);
            }
        });
    }
}

/// Reports the values of a part of an animation node, except for those that follow from others.
fn values<R: Record>(out: &mut Watch<'_>, steps: &[Step], part: &'static str, record: &R) {
    let names: Vec<&str> = R::LAYOUT.fields.iter().filter(|it| it.class == Class::Semantic).map(|it| it.name).collect();
    out.watch_fields(&STALE, &[steps, &[Step::Name(part)]].concat(), record, &names);
}
