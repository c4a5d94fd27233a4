//! 'Mech libraries.

use super::models::{extras, mesh, transform};
use super::textures::{Textures, coloured};
use super::{Node, Scene};
use crate::field::{F32, Style as _, Windows, decode_text};
use crate::zipper::Payload;
use crate::zipper::archive::{Archive, Entry};
use crate::zipper::gamez::games::Layouts;
use crate::zipper::mechlib::Mech;
use crate::zipper::texture::Package;

pub(super) fn scene(library: &Archive, textures: &[Package]) -> Option<Scene> {
    let mut scene = Scene::default();
    let mut textures = Textures::of(textures);
    let materials = library.entries.iter().find_map(|entry| match &entry.payload {
        Payload::LibraryMaterials(materials) => Some(materials),
        _ => None,
    });
    for material in materials.iter().flat_map(|materials| &materials.materials) {
        if material.texture.is_empty() {
            coloured(&mut scene, material.head.color.map(F32::get), material.head.alpha.get());
        } else {
            textures.material(&mut scene, &material.texture);
        }
    }
    for Entry { slot, payload } in &library.entries {
        let name = decode_text(Windows::PAGE, slot.name.bytes());
        match payload {
            Payload::Mech(mech) => fill(&mut scene, mech, name),
            Payload::LaterMech(mech) => fill(&mut scene, mech, name),
            _ => {}
        }
    }
    (!scene.nodes.is_empty()).then_some(scene)
}

/// Puts a model into the scene, below a node of the name of its entry.
fn fill<G: Layouts>(scene: &mut Scene, mech: &Mech<G>, name: String) {
    let root = scene.put(Node { name, ..Node::default() }, None);
    // The nodes that are not complete: how many are still to come below them.
    let mut open = vec![(root, 1)];
    for node in &mech.nodes {
        while open.last().is_some_and(|(_, pending)| *pending == 0) {
            open.pop();
        }
        let name = decode_text(Windows::PAGE, node.base.head.name.bytes());
        let mesh = node.model.as_ref().and_then(|model| mesh(scene, model, name.clone()));
        let transform = transform(scene, &node.class);
        let extras = extras(node.base.head.class, &node.class);
        let parent = open.last_mut().map(|(parent, pending)| {
            *pending -= 1;
            *parent
        });
        let here = scene.put(Node { name, transform, mesh, children: Vec::new(), extras }, parent);
        open.push((here, node.children.get()));
    }
}
