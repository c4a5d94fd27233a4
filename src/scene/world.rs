//! Worlds.
//!
//! Parents and children are independent of one another, a node can have several parents, and nothing keeps them from going
//! in a circle; a scene has trees. A node goes where it is listed first, else to the parent it names first.

use super::models::{extras, mesh, transform};
use super::textures::{Textures, coloured};
use super::{Node, Scene};
use crate::field::{F32, I32, Style as _, Windows, decode_text};
use crate::zipper::gamez::games::Layouts;
use crate::zipper::gamez::models::Link;
use crate::zipper::gamez::nodes;
use crate::zipper::gamez::{Body, Gamez, World};
use crate::zipper::texture::Package;

pub(super) fn scene(world: &Gamez, textures: &[Package]) -> Scene {
    let mut scene = Scene::default();
    let mut textures = Textures::of(textures);
    match &world.body {
        Body::Recoil(world) => fill(&mut scene, world, &mut textures),
        Body::MechWarrior3(world) => fill(&mut scene, world, &mut textures),
        Body::PiratesMoon(world) => fill(&mut scene, world, &mut textures),
        Body::CrimsonSkies(world) => fill(&mut scene, world, &mut textures),
    }
    scene
}

fn fill<G: Layouts>(scene: &mut Scene, world: &World<G>, textures: &mut Textures<'_>) {
    for slot in &world.materials.slots {
        match slot.texture(&world.textures) {
            Some(name) => textures.material(scene, &name.name()),
            None => coloured(scene, slot.color.map(F32::get), slot.alpha.get()),
        }
    }
    scene.leave("further textures of materials that change", world.materials.cycles.len());
    let used = world.models.slots.iter().map(|slot| matches!(slot.link, Link::Data(_)).then_some(&slot.model));
    let meshes: Vec<Option<usize>> =
        (0..).zip(used).map(|(index, model)| mesh(scene, model?, format!("model {index}"))).collect();
    let mut seen = vec![false; scene.meshes.len()];
    for (slot, parent) in order(&world.nodes.slots) {
        let Some(node) = world.nodes.slots.get(slot) else { continue };
        let head = &node.base.head;
        let model = usize::try_from(head.model_index.get()).ok();
        let mesh = model.and_then(|model| meshes.get(model).copied().flatten());
        if let Some(seen) = mesh.and_then(|mesh| seen.get_mut(mesh)) {
            *seen = true;
        }
        let node = Node {
            name: decode_text(Windows::PAGE, head.name.bytes()),
            transform: transform(scene, &node.class),
            mesh,
            children: Vec::new(),
            extras: extras(head.class, &node.class),
        };
        scene.put(node, parent);
    }
    scene.leave("models that no node has, which are not seen", seen.iter().filter(|seen| !**seen).count());
    let parents = world.nodes.slots.iter().map(|node| node.parents.len().saturating_sub(1)).sum();
    scene.leave("further parents of nodes", parents);
}

/// The slots of all nodes that are used, each behind its parent: with the number of the parent in this very order.
fn order<G: Layouts>(slots: &[nodes::Node<G>]) -> Vec<(usize, Option<usize>)> {
    let used = |slot: usize| slots.get(slot).is_some_and(|node| node.base.head.is_used());
    let number = |index: &I32| usize::try_from(index.get()).ok().filter(|&slot| used(slot));
    let mut parents: Vec<Option<usize>> = vec![None; slots.len()];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); slots.len()];
    for (slot, (node, below)) in slots.iter().zip(&mut children).enumerate().filter(|&(slot, _)| used(slot)) {
        for child in node.children.iter().filter_map(number) {
            if let Some(parent @ None) = parents.get_mut(child) {
                *parent = Some(slot);
                below.push(child);
            }
        }
    }
    let mut roots = Vec::new();
    for (slot, (node, parent)) in slots.iter().zip(&parents).enumerate() {
        let unlisted = used(slot) && parent.is_none();
        let named = node.parents.iter().find_map(number).and_then(|parent| children.get_mut(parent));
        match named {
            _ if !unlisted => {}
            Some(below) => below.push(slot),
            None => roots.push(slot),
        }
    }
    let mut order = Vec::new();
    let mut placed = vec![false; slots.len()];
    // What the roots do not lead to goes in circles, which are cut where they are met.
    for root in roots.into_iter().chain((0..slots.len()).filter(|&slot| used(slot))) {
        let mut pending = vec![(root, None)];
        while let Some((slot, parent)) = pending.pop() {
            let Some(placed) = placed.get_mut(slot).filter(|placed| !**placed) else { continue };
            *placed = true;
            let below = children.get(slot).into_iter().flatten().rev();
            pending.extend(below.map(|&child| (child, Some(order.len()))));
            order.push((slot, parent));
        }
    }
    order
}
