//! Worlds.

use super::models::{Detail, extras, mesh, transform};
use super::textures::{Textures, colored};
use crate::gamez::games::Layouts;
use crate::gamez::models::Link;
use crate::gamez::{Body, Gamez, World};
use crate::texture::Package;
use field::{F32, Style as _, Windows, decode_text};
use media::gltf::{Node, Scene};

/// The places of models and nodes, without their slots.
pub(super) const MODELS: &str = "/models/slots/";
pub(super) const NODES: &str = "/nodes/slots/";

pub(super) fn scene(world: &Gamez, textures: &[Package]) -> Scene {
    match &world.body {
        Body::RecoilDemo(world) => of(world, textures, Detail::All),
        Body::Recoil(world) => of(world, textures, Detail::All),
        Body::MechWarrior3(world) => of(world, textures, Detail::All),
        Body::PiratesMoon(world) => of(world, textures, Detail::All),
        Body::CrimsonSkies(world) => of(world, textures, Detail::All),
    }
}

pub(super) fn of<G: Layouts>(world: &World<G>, textures: &[Package], detail: Detail) -> Scene {
    let (mut scene, mut textures) = (Scene::default(), Textures::of(textures));
    fill(&mut scene, world, &mut textures, detail);
    scene
}

fn fill<G: Layouts>(scene: &mut Scene, world: &World<G>, textures: &mut Textures<'_>, detail: Detail) {
    for (index, slot) in world.materials.slots.iter().enumerate() {
        let place = format!("/materials/slots/{index}");
        match slot.texture(&world.textures) {
            Some(name) => textures.material(scene, &name.name(), place),
            None => colored(scene, slot.color.map(F32::get), slot.alpha.get(), place),
        }
    }
    scene.leave("further textures of materials that change", world.materials.cycles.len());
    let used = world.models.slots.iter().map(|slot| matches!(slot.link, Link::Data(_)).then_some(&slot.model));
    let mut draw = |(index, model)| {
        let mesh = mesh(scene, model?, format!("model {index}"), format!("{MODELS}{index}"));
        detail.keep(scene);
        mesh
    };
    let meshes: Vec<Option<usize>> = (0..).zip(used).map(&mut draw).collect();
    let mut seen = vec![false; scene.meshes.len()];
    for (slot, parent) in world.nodes.tree() {
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
            place: Some(format!("{NODES}{slot}")),
            extras: extras(head.class, &node.class),
            ..Node::default()
        };
        scene.put(node, parent);
    }
    scene.leave("models without a node", seen.iter().filter(|seen| !**seen).count());
    let parents = world.nodes.slots.iter().map(|node| node.parents.len().saturating_sub(1)).sum();
    scene.leave("further parents of nodes", parents);
}
