//! What a compiler writes where a text says nothing.
//!
//! Source: `nwn-mdl-text.md`, sections 3 and 4; `nwn-mdl.md`, section 5.3.

use bitflags::Flags as _;

use crate::flags::{NodeFlags, Things};
use crate::header::{Animation, AnimationHeader, Geometry, GeometryHeader, GeometryKind, ModelHeader};
use crate::mesh::{Mesh, MeshHeader, TriangleMode};
use crate::mesh_types::{MORE_BONES, MeshType};
use crate::model::Model;
use crate::node::{Node, NodeHeader};
use crate::parts::{Emitter, Light, LightHeader, Reference};
use field::{F32, I16, I32, Text, U8, U32};

use super::arithmetic::Measures;
use super::profile::Profile;

/// Returns a record of zeros.
fn zeros<R: bytemuck::Zeroable>() -> R {
    R::zeroed()
}

/// Returns a model without nodes and animations.
pub(super) fn model(profile: Profile, has_emitter: bool) -> Model {
    let head = GeometryHeader { functions: profile.model().map(U32::new), kind: GeometryKind::MODEL, ..zeros() };
    let mut super_model = [0; 64];
    super_model.iter_mut().zip(b"NULL").for_each(|(to, from)| *to = *from);
    Model {
        geometry: Geometry { head, ..Geometry::default() },
        head: ModelHeader {
            fog: U8::new(1),
            box_min: [-5.0, -5.0, -1.0].map(F32::new),
            box_max: [5.0, 5.0, 10.0].map(F32::new),
            radius: F32::new(if has_emitter { 40.0 } else { 7.0 }),
            animation_scale: F32::new(1.0),
            super_model: Text::new(super_model),
            ..zeros()
        },
        ..Model::default()
    }
}

/// Returns an animation without nodes.
pub(super) fn animation(profile: Profile) -> Animation {
    let head =
        GeometryHeader { functions: profile.animation().map(U32::new), kind: GeometryKind::ANIMATION, ..zeros() };
    Animation {
        geometry: Geometry { head, ..Geometry::default() },
        head: AnimationHeader { length: F32::new(1.0), transition: F32::new(0.25), ..zeros() },
        ..Animation::default()
    }
}

/// Returns a node with these parts, without contents.
pub(super) fn node(profile: Profile, flags: NodeFlags) -> Node {
    let (functions, of_mesh) = profile.node(flags);
    let mut node =
        Node { head: NodeHeader { functions: functions.map(U32::new), flags, ..zeros() }, ..Node::default() };
    let has = |part: NodeFlags| flags.contains(part);
    node.light = has(NodeFlags::LIGHT).then(|| Box::new(Light { head: light(), ..Light::default() }));
    node.emitter = has(NodeFlags::EMITTER).then(|| Box::new(zeros::<Emitter>()));
    node.reference = has(NodeFlags::REFERENCE).then(|| Box::new(zeros::<Reference>()));
    if has(NodeFlags::MESH) {
        let mut mesh = Mesh { mesh_type: MeshType::of(flags), ..Mesh::default() };
        mesh.head = MeshHeader { functions: of_mesh.map(U32::new), ..self::mesh(profile, flags) };
        if let (MeshType::Skin(skin), Profile::C) = (&mut mesh.mesh_type, profile) {
            skin.bones = (0..MORE_BONES).map(|_| I16::default()).collect();
        }
        node.mesh = Some(Box::new(mesh));
    }
    node
}

fn light() -> LightHeader {
    let one = U32::new(1);
    LightHeader { priority: U32::new(5), dynamic_type: one, affect_dynamic: one, shadow: one, fading: one, ..zeros() }
}

fn mesh(profile: Profile, flags: NodeFlags) -> MeshHeader {
    let is_seen = U32::new(u32::from(!flags.contains(NodeFlags::AABB)));
    let measures = Measures::of(profile, &[], core::iter::empty(), false);
    MeshHeader {
        average: measures.average.map(F32::new),
        diffuse: [F32::new(0.8); 3],
        ambient: [F32::new(0.2); 3],
        shininess: F32::new(1.0),
        shadow: is_seen,
        render: is_seen,
        unk_1ac: I32::new(-1),
        triangle_mode: TriangleMode::new(0),
        ..zeros()
    }
}

/// Marks the empty things whose pointers a compiler does not leave empty.
pub(super) fn mark_empties(profile: Profile, node: &mut Node) {
    if !profile.has_cursors() {
        return;
    }
    let Node { empties, mesh, children, .. } = node;
    let mut mark = |thing: Things, is_empty: bool| {
        if is_empty {
            empties.at_cursor.insert(thing);
        }
    };
    mark(Things::CHILDREN, children.is_empty());
    let Some(mesh) = mesh else { return };
    for thing in [Things::LIST_COUNTS, Things::LISTS] {
        mark(thing, mesh.lists.is_empty());
    }
    mark(Things::VERTICES, mesh.streams.vertices.is_empty());
    mark(Things::NORMALS, mesh.streams.normals.is_empty());
    match &mesh.mesh_type {
        MeshType::Dangly(dangly) => mark(Things::CONSTRAINTS, dangly.constraints.is_empty()),
        MeshType::Skin(skin) if profile == Profile::C => {
            mark(Things::ROTATIONS, skin.rotations.is_empty());
            mark(Things::TRANSLATIONS, skin.translations.is_empty());
            mark(Things::CONSTANTS, skin.constants.is_empty());
            mark(Things::WEIGHTS, skin.weights.is_empty());
            mark(Things::SLOTS, skin.slots.is_empty());
        }
        _ => {}
    }
}
