//! The binding of Neverwinter Nights meshes to nodes.
//!
//! A bone is a node of the geometry, by its number in preorder. The rest pose of bones is taken from the nodes themselves, not
//! from the inverse rotations and translations in the file, so a mesh at rest looks as it does without bones.
//!
//! glTF ignores the transform of a bound mesh's node, and requires a root. So the mesh moves to a root of the same name, and the
//! node stays in place, with its children and its animations.
//!
//! Source: `nwn-mdl.md`, section 4.6.

use crate::mesh_types;
use media::gltf::build::Binding;
use media::gltf::vector::{HERE, Place, inverse, within};
use media::gltf::{Node, Scene, Skin};

/// The transforms of a model's nodes within the model, in preorder, with their index in the scene.
#[derive(Default)]
pub(super) struct Places(Vec<(usize, Place)>);

impl Places {
    /// Adds a node of the scene; its parent must come first if it has a transform.
    pub(super) fn put(&mut self, scene: &Scene, node: usize, parent: usize) {
        let parent = self.of(parent).unwrap_or(HERE);
        let place = scene.nodes.get(node).map_or(HERE, |node| node.transform.place());
        self.0.push((node, within(place, &parent)));
    }

    fn of(&self, node: usize) -> Option<Place> {
        let index = self.0.binary_search_by_key(&node, |(node, _)| *node).ok()?;
        self.0.get(index).map(|(_, place)| *place)
    }
}

/// Returns the number of bone slots that a skin uses: the others are leftover memory.
pub(super) fn used(skin: &mesh_types::Skin) -> usize {
    let most = skin.map.iter().filter_map(|slot| usize::try_from(slot.get()).ok()).max();
    most.map_or(0, |most| most + 1)
}

/// Returns the joints of a vertex, given the number of used slots: distinct bones with weights that add up to 1. If no weight is
/// valid, the only joint is the first bone.
pub(super) fn binding(skin: &mesh_types::Skin, used: usize, vertex: usize) -> Option<Binding> {
    let (slots, weights) = (skin.slots.get(vertex)?, skin.weights.get(vertex)?);
    let mut bones: Vec<(u16, f32)> = Vec::with_capacity(4);
    for (slot, weight) in slots.iter().zip(weights) {
        let slot = u16::try_from(slot.get()).ok().filter(|&slot| usize::from(slot) < used);
        let Some(slot) = slot.filter(|_| weight.get() > 0.0 && weight.get().is_finite()) else { continue };
        match bones.iter_mut().find(|(known, _)| *known == slot) {
            Some((_, known)) => *known += weight.get(),
            None => bones.push((slot, weight.get())),
        }
    }
    let most = bones.iter().fold(0.0_f32, |most, (_, weight)| most.max(*weight));
    let sum: f32 = bones.iter().map(|(_, weight)| weight / most).sum();
    let (mut joints, mut shares) = ([0; 4], [0.0; 4]);
    for ((joint, share), (slot, weight)) in joints.iter_mut().zip(&mut shares).zip(&bones) {
        let part = weight / most / sum;
        if part > 0.0 {
            (*joint, *share) = (*slot, part);
        }
    }
    if bones.is_empty() || !most.is_finite() {
        (joints, shares) = ([0; 4], [1.0, 0.0, 0.0, 0.0]);
    }
    Some((joints, shares))
}

/// Binds the mesh of a node and moves it to a root; if bones are missing, it stays on its node.
pub(super) fn bind(scene: &mut Scene, places: &Places, node: usize, skin: &mesh_types::Skin) {
    let own = scene.nodes.get(node).and_then(|node| Some((node.mesh?, node.name.clone())));
    let Some((mesh, name)) = own else { return };
    let bound = joints(places, node, skin).filter(|_| {
        let primitives = scene.meshes.get(mesh).into_iter().flat_map(|mesh| &mesh.primitives);
        primitives.into_iter().all(|primitive| !primitive.joints.is_empty())
    });
    if let Some((joints, inverse_binds)) = bound {
        let index = scene.skins.len();
        scene.skins.push(Skin { name: name.clone(), joints, inverse_binds });
        if let Some(node) = scene.nodes.get_mut(node) {
            node.mesh = None;
        }
        scene.put(Node { name, mesh: Some(mesh), skin: Some(index), ..Node::default() }, None);
        return;
    }
    scene.leave("skins with missing bones, which are attached to their nodes", 1);
    unbind(scene, node);
}

/// Leaves the mesh of a node on the node.
pub(super) fn unbind(scene: &mut Scene, node: usize) {
    let Some(mesh) = scene.nodes.get(node).and_then(|node| node.mesh) else { return };
    for primitive in scene.meshes.get_mut(mesh).into_iter().flat_map(|mesh| &mut mesh.primitives) {
        (primitive.joints, primitive.weights) = (Vec::new(), Vec::new());
    }
}

/// Returns the nodes that are the bones of a skin, with their matrices, or `None` if one is missing or repeated.
fn joints(places: &Places, node: usize, skin: &mesh_types::Skin) -> Option<(Vec<usize>, Vec<[f32; 16]>)> {
    let place = places.of(node)?;
    let (mut joints, mut binds) = (Vec::new(), Vec::new());
    for bone in skin.bones.get(..used(skin)).filter(|bones| !bones.is_empty())? {
        let (joint, bone) = places.0.get(usize::try_from(bone.get()).ok()?)?;
        if joints.contains(joint) {
            return None;
        }
        let ([[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]], [x, y, z]) = within(place, &inverse(*bone)?);
        let bind = [xx, xy, xz, 0.0, yx, yy, yz, 0.0, zx, zy, zz, 0.0, x, y, z, 1.0];
        joints.push(*joint);
        binds.push(Some(bind).filter(media::gltf::vector::is_finite)?);
    }
    Some((joints, binds))
}
