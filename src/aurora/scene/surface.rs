//! New materials of models: a mesh has one texture and one color.
//!
//! Source: `nwn-mdl.md`, sections 4.2 and 4.5.

use super::rows_of;
use super::{ALPHA, placed};
use crate::mesh::Mesh;
use crate::node::Node;
use field::{Address, F32};
use kind::Imported;
use media::gltf::Scene;
use media::gltf::edits::Edits;
use media::gltf::faces::MeshEdit;
use media::gltf::paint::{NewMaterial, Paint, is_same_image, without_extension};
use media::gltf::vector::screen;

/// The name of the texture of a mesh that has none.
pub(super) const NO_TEXTURE: &str = "NULL";
/// The longest name of a texture that the game finds: that of a resource. Source: `nwn-mdl-text.md`, section 2.
const NAME: usize = 16;

/// What a material is in a model.
pub(super) struct Surface {
    pub(super) texture: Option<String>,
    pub(super) diffuse: [f32; 3],
    /// The opacity, if it is not full.
    pub(super) alpha: Option<f32>,
}

impl Surface {
    /// Returns that of a new material, which has a texture if it has an image, or the name of a texture of the model.
    pub(super) fn of(new: &NewMaterial, scene: &Scene) -> Result<Self, String> {
        let mut known = scene.materials.iter().filter_map(|material| material.texture.as_deref());
        // A name that the model has already is as the user wants it, however long it is.
        let of_model = known.find(|known| is_same_image(known, new.texture.as_deref().unwrap_or(&new.name)));
        let texture = of_model.or(new.texture.as_deref()).map(|name| without_extension(name).to_owned());
        let is_new = of_model.is_none();
        if let Some(name) = texture.as_deref().filter(|name| is_new && (!name.is_ascii() || name.len() > NAME)) {
            return Err(format!(
                "its image {name:?} has a name that does not fit; give it one of at most {NAME} ASCII characters"
            ));
        }
        let [red, green, blue, alpha] = new.color;
        Ok(Self { texture, diffuse: [red, green, blue].map(screen), alpha: (alpha < 1.0).then_some(alpha.max(0.0)) })
    }
}

/// Gives a mesh the material that all of its faces have now.
pub(super) fn edit_surface(
    (scene, edits): (&Scene, &Edits),
    root: &Node,
    (node, mesh, edit): (&Node, &Mesh, &MeshEdit),
    place: &Address,
    to: &mut Imported,
) -> Result<(), String> {
    let made = scene.meshes.get(edit.mesh).ok_or(super::import::NOTHING)?;
    let was = made.primitives.first().and_then(|primitive| primitive.material).map(Paint::Known);
    if edit.materials.is_empty() && edit.added.iter().all(|face| face.material.is_none() || face.material == was) {
        return Ok(());
    }
    let mut drawn: Vec<u32> = made.primitives.iter().flat_map(|it| it.corners.iter().map(|[face, _]| *face)).collect();
    drawn.sort_unstable();
    drawn.dedup();
    let kept = drawn.iter().filter(|face| !edit.deleted.contains(face));
    let kept = kept.map(|face| edit.materials.get(face).copied().or(was));
    let mut all: Vec<Option<Paint>> = kept.chain(edit.added.iter().map(|face| face.material.or(was))).collect();
    all.sort_unstable();
    all.dedup();
    let [Some(paint)] = all.as_slice() else {
        return Err("it has faces with different materials, but a mesh has one texture; separate them into a new node"
            .to_owned());
    };
    if Some(*paint) == was {
        return Ok(());
    }
    let surface = match paint {
        Paint::New(at) => Surface::of(edits.materials.get(at).ok_or(super::import::NOTHING)?, scene)?,
        Paint::Known(at) => {
            let of = scene.materials.get(*at).and_then(|material| material.place.as_deref()?.strip_suffix("/mesh"));
            let found = placed(root, super::ROOT.to_owned()).find(|(place, _)| Some(place.as_str()) == of);
            let (owner, other) =
                found.and_then(|(_, node)| Some((node, node.mesh.as_deref()?))).ok_or(super::import::NOTHING)?;
            let [first, ..] = &other.head.textures;
            let alpha = opacity(owner);
            let name = first.to_string();
            let texture = Some(name).filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case(NO_TEXTURE));
            Surface { texture, diffuse: other.head.diffuse.map(F32::get), alpha }
        }
    };
    let [coordinates, ..] = &mesh.streams.coordinates;
    if surface.texture.is_some() && coordinates.is_empty() {
        return Err(
            "its material has an image, but the mesh has no texture coordinates in the file; make it a new node"
                .to_owned(),
        );
    }
    let header = place.with("mesh");
    let [first, ..] = &mesh.head.textures;
    let name = surface.texture.as_deref().unwrap_or(NO_TEXTURE);
    if !first.to_string().eq_ignore_ascii_case(name) {
        to.set(header.with("textures").with("0"), name.to_owned());
    }
    for (part, (now, was)) in (0..).zip(surface.diffuse.into_iter().zip(mesh.head.diffuse.map(F32::get))) {
        if (now - was).abs() > 1e-3 {
            to.set(header.with("diffuse").with(part.to_string()), now);
        }
    }
    let (now, was) = (surface.alpha.unwrap_or(1.0), opacity(node).unwrap_or(1.0));
    let is_other = (now - was).abs() > 1e-3;
    to.ignore("opacities of materials, which are controllers of nodes", usize::from(is_other));
    Ok(())
}

/// Returns the first opacity of the controller of a node, if it has one.
fn opacity(node: &Node) -> Option<f32> {
    let key = node.keys.iter().find(|key| key.kind == ALPHA)?;
    rows_of::<1>(node, key).first().map(|(_, _, [alpha])| *alpha)
}
