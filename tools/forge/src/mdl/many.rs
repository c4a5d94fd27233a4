//! Models of about as many pieces as wanted, most of them of one or a few types.

use super::Profile;
use super::file::{File, Region, Section};
use super::geometry::{Animation, Spec, regions};
use super::mesh::{Mesh, Shape};
use super::node::{Body, Key, Light, Node};
use crate::random::Random;

/// A function that returns a model of this many pieces.
type Many = fn(usize) -> File;

/// The types of pieces, and models of this many of them.
pub const MANY: [(&str, Many); 7] = [
    ("lens flares", |count| file(light(vec!["fxpa_flare"; count]))),
    ("children", |count| file(parent(vec![Node::new("child", 1, Body::Dummy); count]))),
    ("controllers", |count| {
        // The node, its controllers and their values.
        let count = count / 3;
        let keys = vec![Key::new(20, &[0.0], 4, &[0.0, 0.0, 0.0, 1.0])];
        file(parent(vec![Node { keys, ..Node::new("child", 1, Body::Dummy) }; count]))
    }),
    // The node, three tables, four streams and a list.
    ("meshes", |count| file(parent(vec![mesh(Mesh::sheet(Shape::Plain, 0)); count / 9]))),
    ("index lists", |count| {
        let lists = Some(vec![vec![0, 1, 2]; count]);
        file(mesh(Mesh { lists, ..Mesh::sheet(Shape::Plain, 0) }))
    }),
    ("boxes", boxes),
    ("animations", |count| {
        // The animation, its events and its root.
        let count = count / 3;
        let (root, events) = (Node::new("model", 0, Body::Dummy), vec![(0.5, "hit")]);
        let animation = Animation { name: "walk", length: 1.0, events, surplus: 0, root };
        regions(&Spec { animations: vec![animation; count], ..spec(parent(vec![])) }, Random::new(1))
    }),
];

fn spec(geometry: Node) -> Spec {
    let (name, super_model, animations) = ("model", "NULL", vec![]);
    Spec { profile: Profile::B, name, classification: 1, super_model, inherited: 0, animations, geometry }
}

fn file(node: Node) -> File {
    let geometry = if node.children.is_empty() { parent(vec![node]) } else { node };
    regions(&spec(geometry), Random::new(1))
}

fn parent(children: Vec<Node>) -> Node {
    let mut children = children;
    children.iter_mut().zip(1..).for_each(|(child, part)| child.part = part);
    Node { children, ..Node::new("model", 0, Body::Dummy) }
}

fn light(flares: Vec<&'static str>) -> Node {
    Node::new("light", 1, Body::Light(Light { flares }))
}

fn mesh(mesh: Mesh) -> Node {
    Node::new("mesh", 1, Body::Mesh(mesh))
}

/// Returns a model with a tree of an odd number of boxes: the left half of each is a face, and the right half is the rest.
fn boxes(count: usize) -> File {
    let mut file = file(mesh(Mesh::sheet(Shape::Aabb, 0)));
    let bounds = file.take("geometry/0/aabb/0").bytes;
    let name = |index: usize| format!("geometry/0/aabb/{index}");
    let last = count / 2 * 2;
    let entry = |index: usize| {
        let mut entry = Region { bytes: bounds.clone(), ..Region::new(name(index), Section::Model, 0) };
        if index.is_multiple_of(2) && index < last {
            entry.link(0x18, name(index + 1)).link(0x1C, name(index + 2)).word(0x20, u32::MAX).word(0x24, 1);
        }
        entry
    };
    let at = file.regions.iter().position(|region| region.name == "geometry/0/faces").expect("faces");
    file.regions.splice(at..at, (0..=last).map(entry));
    file
}
