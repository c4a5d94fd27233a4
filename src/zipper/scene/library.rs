//! 'Mech libraries: their models side by side, along x.

use super::models::{Detail, extras, matrix, mesh, transform};
use super::textures::{Textures, colored};
use crate::Payload;
use crate::archive::{Archive, Entry};
use crate::gamez::games::Layouts;
use crate::gamez::nodes::Class;
use crate::mechlib::{Mech, MechNode};
use crate::texture::Package;
use field::{F32, Style as _, Windows, decode_text};
use kind::Container as _;
use media::gltf::vector::{HERE, Place, point, within};
use media::gltf::{Node, Scene};

/// The free space next to a model, as a fraction of its width.
const GAP: f32 = 0.25;

pub(super) fn scene(library: &Archive, textures: &[Package], detail: Detail) -> Option<Scene> {
    let mut scene = Scene::default();
    let mut textures = Textures::of(textures);
    let materials = library.entries.iter().find_map(|entry| match &entry.payload {
        Payload::LibraryMaterials(materials) => Some(materials),
        _ => None,
    });
    for (index, material) in materials.iter().flat_map(|materials| materials.materials.iter().enumerate()) {
        let place = format!("materials:/materials/{index}");
        if material.texture.is_empty() {
            colored(&mut scene, material.head.color.map(F32::get), material.head.alpha.get(), place);
        } else {
            textures.material(&mut scene, &material.texture, place);
        }
    }
    let mut end = 0.0;
    for (Entry { slot, payload }, (label, _)) in library.entries.iter().zip(library.labeled()) {
        let (name, label) = (decode_text(Windows::PAGE, slot.name.bytes()), label.to_string());
        match payload {
            Payload::Mech(mech) => fill((&mut scene, detail), mech, (name, &label), &mut end),
            Payload::LaterMech(mech) => fill((&mut scene, detail), mech, (name, &label), &mut end),
            _ => {}
        }
    }
    (!scene.nodes.is_empty()).then_some(scene)
}

/// Adds a model to the scene, below a node with the name of its entry and next to the previous models.
fn fill<G: Layouts>(
    (scene, detail): (&mut Scene, Detail),
    mech: &Mech<G>,
    (name, label): (String, &str),
    end: &mut f32,
) {
    let root = scene.put(Node { name, ..Node::default() }, None);
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    // The incomplete nodes: their index, their transform, and the number of nodes still to come below them.
    let mut open = vec![(root, HERE, 1)];
    for (index, node) in mech.nodes.iter().enumerate() {
        let at = format!("{label}:/nodes/{index}");
        while open.pop_if(|(.., pending)| *pending == 0).is_some() {}
        let Some((parent, place, pending)) = open.last_mut() else { break };
        *pending -= 1;
        let (parent, place) = (*parent, placed(node, place));
        for x in
            node.model.iter().flat_map(|model| model.mesh.vertices.iter()).map(|at| point(at.map(F32::get), &place)[0])
        {
            (low, high) = (low.min(x), high.max(x));
        }
        let name = decode_text(Windows::PAGE, node.base.head.name.bytes());
        let mesh = node.model.as_ref().and_then(|model| mesh(scene, model, name.clone(), format!("{at}/model")));
        detail.keep(scene);
        let transform = transform(scene, &node.class);
        let extras = extras(node.base.head.class, &node.class);
        let here = scene.put(Node { name, transform, mesh, place: Some(at), extras, ..Node::default() }, Some(parent));
        open.push((here, place, node.children.get()));
    }
    let (shift, next) = (*end - low, *end + (high - low) * (1.0 + GAP));
    // Models whose points are not finite take no space.
    if let Some(root) = scene.nodes.get_mut(root).filter(|_| shift.is_finite() && next.is_finite()) {
        root.transform.translation = [shift, 0.0, 0.0];
        *end = next;
    }
}

/// Returns the transform of a node, given that of its parent.
fn placed<G: Layouts>(node: &MechNode<G>, parent: &Place) -> Place {
    match &node.class {
        Class::Object(object) => within(matrix(object), parent),
        _ => *parent,
    }
}
