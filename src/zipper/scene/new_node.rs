//! The records of new nodes of worlds and libraries: like those of their originals, or as the engine makes them.
//!
//! Source: `zipper-nodes.md`, sections 2.2, 4, 5 and 6.4.

use bitflags::Flags as _;

use super::import::moved;
use super::shown::{base, object, put_class};
use crate::gamez::games::Layouts;
use crate::gamez::nodes::{
    Base, Class, NodeClass, NodeExtent as _, NodeFlags, NodeHeader, NodePlace as _, Object, ObjectFlags, ObjectHeader,
    ObjectMatrices, UpdateFlags,
};
use field::{F32, Value};
use kind::{Game, Imported};
use media::gltf::edits::{NewNode, NodeEdit};
use media::gltf::{Node as Drawn, Scene};

/// The maximum length of a node name. Source: `zipper-editing.md`, section 3.
const NAME: usize = 35;
/// An address of data in memory, for a file without one.
pub(super) const ADDRESS: u32 = 0x0100_0000;

/// Returns the node of which a new one is a copy, or else the first node with the same mesh.
pub(super) fn original<'s>(new: &NewNode, drawn: &'s Scene) -> Result<Option<&'s Drawn>, String> {
    let copied = new.copy_of.and_then(|node| drawn.nodes.get(node));
    if new.shared.is_none() && new.faces.is_none() && copied.is_some_and(|copied| copied.mesh.is_some()) {
        return Err("it is a copy without the mesh; give it the mesh, or delete the copy".to_owned());
    }
    let has_mesh = |node: &&Drawn| new.shared.is_some() && node.mesh == new.shared && node.place.is_some();
    let first = || drawn.nodes.iter().find(has_mesh);
    Ok(copied.filter(|node| new.shared.is_none() || has_mesh(node)).or_else(first).or(copied))
}

/// The class of a new node, with its data.
pub(super) enum Kind<'c, G: Layouts> {
    Object(Object<G>),
    Lod(&'c Class<G>),
}

impl<'c, G: Layouts> Kind<'c, G> {
    /// Returns the class of a new node whose original has this one.
    pub(super) fn of(new: &NewNode, class: Option<&'c Class<G>>) -> Result<Self, String> {
        match class {
            None => Ok(Self::Object(resting())),
            Some(Class::Object(object)) => Ok(Self::Object(plain(object))),
            Some(Class::Lod(_)) if new.shared.is_some() || new.faces.is_some() => {
                Err("it is a copy of a level of detail, which has no mesh; give the mesh to an object below it"
                    .to_owned())
            }
            Some(class @ Class::Lod(_)) => Ok(Self::Lod(class)),
            Some(_) => {
                Err("it is a copy of a node that is neither an object nor a level of detail; delete the copy"
                    .to_owned())
            }
        }
    }

    /// Adds the data of the class after a change of the transform.
    pub(super) fn put(&self, json: &mut Value, edit: &NodeEdit) -> Result<(), String> {
        let is_moved = edit.translation.is_some() || edit.turned.is_some();
        match self {
            Self::Object(of) if is_moved => json.put("object", object(&moved(of, edit)?)),
            Self::Object(of) => json.put("object", object(of)),
            Self::Lod(_) if is_moved => {
                return Err("it has another transform than its original, but only objects have one; move the objects \
                            below it"
                    .to_owned());
            }
            Self::Lod(class) => put_class(json, class),
        }
        Ok(())
    }
}

/// Returns the record of a new node like another one. Its model is missing.
pub(super) fn base_of<G: Layouts>(
    new: &NewNode,
    (like, is_leaf): (Option<&Base<G>>, bool),
    bounds: Option<[[f32; 3]; 2]>,
    address: u32,
) -> Result<Base<G>, String> {
    let mut made = like.cloned().unwrap_or_else(|| {
        let head = NodeHeader { flags: defaults(), zone_id: 255.into(), ..NodeHeader::default() };
        Base { head, ..Base::default() }
    });
    let (head, extent, boxes) = (&mut made.head, &mut made.extent, &mut made.boxes);
    head.name.set(&new.name).map_err(|why| format!("its name does not fit, {why}; give it another one"))?;
    let length = head.name.bytes().len();
    if length > NAME || length == 0 {
        return Err(format!(
            "its name has {length} characters, but the game reads from 1 to {NAME}; give it another one"
        ));
    }
    if head.class != NodeClass::LOD {
        head.class = NodeClass::OBJECT_3D;
    }
    head.data_ptr = address.into();
    // Values that only the running engine sets are those of a new node.
    // The owners of a copy are those of its original.
    if G::TITLE != Game::CrimsonSkies {
        head.unk_28 = 0.into();
    }
    (head.environment_data, head.action_callback) = (0.into(), 0.into());
    boxes.activation_ptr = 0.into();
    made.end = G::NodeEnd::default();
    head.update_flags = match G::TITLE {
        Game::Recoil => UpdateFlags::VIEW_SPHERE_STALE,
        _ => UpdateFlags::MODEL_CHANGED,
    };
    head.action_priority = 1.into();
    head.flags.insert(NodeFlags::TREE_VALID);
    if let Some(bounds) = bounds.filter(|_| !head.flags.contains(NodeFlags::BBOX_MODEL)) {
        boxes.model_bbox = bounds.map(|corner| corner.map(F32::new));
        extent.set_node_bbox(boxes.model_bbox);
        head.flags.insert(NodeFlags::BBOX_MODEL.union(NodeFlags::BBOX_NODE));
    }
    // A copy without the children has only the box of its model.
    if is_leaf && head.class == NodeClass::OBJECT_3D && head.flags.contains(NodeFlags::BBOX_CHILD) {
        boxes.child_bbox = [[F32::default(); 3]; 2];
        head.flags.remove(NodeFlags::BBOX_CHILD);
        if head.flags.contains(NodeFlags::BBOX_NODE) {
            extent.set_node_bbox(boxes.model_bbox);
            head.flags.set(NodeFlags::BBOX_NODE, head.flags.contains(NodeFlags::BBOX_MODEL));
        }
    }
    Ok(made)
}

/// Returns the record of a new node in the exchange format. It is in no cell, but in the list of nodes outside all cells.
pub(super) fn shown_base<G: Layouts>(new: &NewNode, made: &Base<G>) -> Value {
    let mut json = base(made).without(&["bbox_mid", "bbox_diag"]);
    // Without the end of the original's name.
    json.put("name", new.name.clone().into());
    for (name, none, _) in made.place.partitions() {
        json.put(name, none.into());
    }
    json
}

/// Counts a new node with boxes: they are in the coordinates of the world or of other nodes, and no format spec has an exact rule for them.
pub(super) fn count_boxes(head: &NodeHeader, to: &mut Imported) {
    let boxes = [NodeFlags::BBOX_NODE, NodeFlags::BBOX_MODEL, NodeFlags::BBOX_CHILD];
    let has_box = boxes.into_iter().any(|flag| head.flags.contains(flag));
    to.ignore(
        "positions of the boxes of new nodes, which are those of their originals or meshes",
        usize::from(has_box),
    );
}

/// Returns the flags of a new object. Source: `zipper-nodes.md`, sections 2.2 and 4.
fn defaults() -> NodeFlags {
    let flags = [
        NodeFlags::ALTITUDE_SURFACE,
        NodeFlags::INTERSECT_SURFACE,
        NodeFlags::TREE_VALID,
        NodeFlags::ID_ZONE_CHECK,
        NodeFlags::UNK_25,
    ];
    flags.into_iter().fold(NodeFlags::ACTIVE, NodeFlags::union)
}

/// Returns an object without values that its flags exclude, and without the matrix that the engine computes.
fn plain<G: Layouts>(object: &Object<G>) -> Object<G> {
    let mut object = object.clone();
    object.matrices.world_matrix = [F32::default(); 12];
    let plain = &mut object.head;
    if !plain.flags.contains(ObjectFlags::OPACITY) {
        plain.opacity = F32::default();
    }
    if !plain.flags.contains(ObjectFlags::COLOR) {
        (plain.color, plain.color_alpha) = ([F32::default(); 3], F32::default());
    }
    object
}

/// Returns an object with the position and orientation of its parent. Source: `zipper-nodes.md`, section 6.4.
fn resting<G: Layouts>() -> Object<G> {
    let [zero, one] = [0.0, 1.0].map(F32::new);
    let flags = ObjectFlags::INITIAL.union(ObjectFlags::WORLD_MATRIX_STALE);
    let transform = [one, zero, zero, zero, one, zero, zero, zero, one, zero, zero, zero];
    Object {
        head: ObjectHeader { flags, scale: [one; 3], ..ObjectHeader::default() },
        matrices: ObjectMatrices { transform, ..ObjectMatrices::default() },
        ..Object::default()
    }
}
