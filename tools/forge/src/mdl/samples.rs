//! Ordinary models.

use super::Profile;
use super::geometry::{Animation, Spec, build};
use super::mesh::{Mesh, Shape};
use super::node::{Body, Key, Light, Node};
use super::traps::traps;
use crate::random::Random;
use crate::{Sample, Size};

/// Returns squares per side of a mesh, and the number of repeated items.
fn scale(size: Size) -> (usize, usize) {
    match size {
        Size::Tiny => (0, 1),
        Size::Small => (4, 3),
        Size::Retail => (20, 40),
    }
}

/// Adds a position and an orientation to a node.
pub(crate) fn placed(mut node: Node) -> Node {
    node.keys.insert(0, Key::new(8, &[0.0], 3, &[0.5, -0.0, 1.25]));
    node.keys.insert(1, Key::new(20, &[0.0], 4, &[0.0, 0.0, 0.0, 1.0]));
    node
}

/// Returns the nodes for an animation: without contents, a skin as a dummy, some of them moving.
fn animated(random: &mut Random, node: &Node, rows: usize) -> Node {
    let body = match &node.body {
        Body::Mesh(Mesh { shape: Shape::Skin(..), .. }) => Body::Dummy,
        Body::Mesh(mesh) => Body::Mesh(Mesh::empty(mesh.shape.clone())),
        Body::Light(_) => Body::Light(Light::default()),
        Body::Reference(_) => Body::Reference(""),
        other => other.clone(),
    };
    let times: Vec<f32> = (0..rows).map(|row| row as f32 / 30.0).collect();
    let turns: Vec<f32> = (0..4 * rows).map(|_| random.real(-1.0, 1.0)).collect();
    let keys = if node.part == 0 { vec![] } else { vec![Key::new(20, &times, 4, &turns)] };
    let children = node.children.iter().map(|child| animated(random, child, rows)).collect();
    Node { keys, children, ..Node::new(node.name, node.part, body) }
}

/// Numbers the nodes in preorder.
pub(super) fn number(node: &mut Node, next: &mut i32) {
    node.part = *next;
    *next += 1;
    node.children.iter_mut().for_each(|child| number(child, next));
}

/// Returns a model with these nodes below its root, and with these animations.
pub(crate) fn model(
    random: &mut Random,
    (profile, name, classification): (Profile, &'static str, u8),
    children: Vec<Node>,
    animations: &[&'static str],
    size: Size,
) -> Spec {
    let mut geometry = Node { children, ..Node::new(name, 0, Body::Dummy) };
    number(&mut geometry, &mut 0);
    let rows = scale(size).1.min(30);
    let animations = animations.iter().map(|name| Animation {
        name,
        length: 1.0,
        events: vec![(0.25, "snd_footstep"), (0.5, "hit"), (0.75, "snd_footstep")][..rows.min(3)].to_vec(),
        surplus: 0,
        root: animated(random, &geometry, rows),
    });
    let animations = animations.collect();
    Spec { profile, name, classification, super_model: "NULL", inherited: 0, animations, geometry }
}

/// Returns a creature: trimeshes, a skin and a danglymesh.
pub(super) fn creature(random: &mut Random, profile: Profile, size: Size) -> Spec {
    let (side, many) = scale(size);
    let names = ["c_boar_torso", "c_boar_head", "c_boar_lbicep", "c_boar_rbicep", "c_boar_lthigh", "c_boar_rthigh"];
    let mut bones: Vec<Node> = (0..many.max(2))
        .map(|at| {
            let mesh = if at % 2 == 0 { Mesh::sheet(Shape::Plain, side) } else { Mesh::empty(Shape::Plain) };
            placed(Node::new(names[at % names.len()], 0, Body::Mesh(mesh)))
        })
        .collect();
    let nodes = bones.len() + 3;
    let skin = Mesh::sheet(Shape::Skin(nodes, vec![1, 2], 18), side);
    bones.push(placed(Node::new("c_boar_skin", 0, Body::Mesh(skin))));
    bones[0].children = vec![Node::new("c_boar_mane", 0, Body::Mesh(Mesh::sheet(Shape::Dangly, side)))];
    let animations = ["cwalkf", "ca1slashl", "cdamages", "cpause1", "ccastout"];
    let animations: Vec<_> = (0..many.min(20)).map(|at| animations[at % animations.len()]).collect();
    model(random, (profile, "c_boar", 4), bones, &animations, size)
}

/// Returns a tile: a walkmesh, a light, visible meshes.
pub(super) fn tile(random: &mut Random, profile: Profile, size: Size) -> Spec {
    let (side, _) = scale(size);
    let walk = Mesh::sheet(Shape::Aabb, side);
    let children = vec![
        placed(Node::new("tms01_wok", 0, Body::Mesh(walk))),
        placed(Node::new("tms01_ml1", 0, Body::Light(Light::default()))),
    ];
    model(random, (profile, "tms01_a01_01", 2), children, &[], size)
}

/// Returns an effect: emitters that refer to others.
pub(super) fn effect(random: &mut Random, profile: Profile, size: Size) -> Spec {
    let (_, many) = scale(size);
    let emitter = |kinds: std::ops::Range<i32>| Node {
        keys: kinds.map(|kind| Key::new(80 + 4 * kind, &[0.0], 1, &[0.5])).collect(),
        ..Node::new("OmenEmitter01", 0, Body::Emitter)
    };
    let mut children = vec![placed(emitter(0..many.min(30) as i32))];
    children.push(placed(Node::new("impact", 0, Body::Reference("fx_ref"))));
    model(random, (profile, "vff_howl", 1), children, &["impact"], size)
}

/// Returns a single dummy.
pub(super) fn plain(random: &mut Random, profile: Profile) -> Spec {
    model(random, (profile, "plc_marker", 0), vec![], &[], Size::Tiny)
}

/// Returns a door that moves and turns by as many different keys as a compiler writes for half a second and more, at uneven times.
pub(super) fn door(random: &mut Random, profile: Profile, size: Size) -> Spec {
    let (side, many) = scale(size);
    let wing = placed(Node::new("tdr_wing", 0, Body::Mesh(Mesh::sheet(Shape::Plain, side))));
    let mut spec = model(random, (profile, "tdr01_door", 8), vec![wing], &["opening1"], size);
    let rows = (8 * many).max(8);
    let times: Vec<f32> = (0..rows).map(|row| (row + row % 2) as f32 / 16.0 + row as f32 / 64.0).collect();
    let steps: Vec<f32> =
        (0..rows).flat_map(|row| [row as f32 / 4.0, 0.5 - row as f32, (row * row) as f32 / 8.0]).collect();
    let turns = (0..rows).flat_map(|row| {
        let half = row as f32 / rows as f32;
        [0.0, 0.0, half.sin(), half.cos()]
    });
    let turns: Vec<f32> = turns.collect();
    for animation in &mut spec.animations {
        animation.length = times.last().copied().unwrap_or_default();
        for wing in &mut animation.root.children {
            wing.keys = vec![Key::new(8, &times, 3, &steps), Key::new(20, &times, 4, &turns)];
        }
    }
    spec
}

/// Returns models of a size class. Source of the traps: nwn-mdl.md, section 10.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, spec: fn(&mut Random, Profile, Size) -> Spec, profile| {
        let mut random = Random::named(seed, name);
        let bytes = build(&spec(&mut random, profile, size), random);
        Sample { name: name.into(), kind: "mdl", games: &["nwn"], bytes, trap: None, deviates: false }
    };
    let ordinary = [
        sample("c_boar.mdl", creature, Profile::A),
        sample("c_boar_b.mdl", creature, Profile::B),
        sample("tms01_a01_01.mdl", tile, Profile::A),
        sample("vff_howl.mdl", effect, Profile::A),
        sample("vff_howl_b.mdl", effect, Profile::B),
        sample("tdr01_door.mdl", door, Profile::B),
        sample("plc_marker.mdl", |random, profile, _| plain(random, profile), Profile::A),
        sample("plc_marker_b.mdl", |random, profile, _| plain(random, profile), Profile::B),
    ];
    ordinary.into_iter().chain(traps(seed, size.of_traps())).collect()
}
