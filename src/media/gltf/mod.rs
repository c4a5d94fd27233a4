//! Models as scenes for other programs, written as glTF 2.0, and what these programs have changed in them.
//!
//! | module | contents |
//! |---|---|
//! | this one | the scene: nodes, meshes, materials, images, animations |
//! | `write`, `read`, `json` | the glTF files, and their text |
//! | `refusal` | why a text is refused, and where |
//! | `build`, `vector` | meshes triangle by triangle, arithmetic |
//! | `plain` | triangles that cannot have a texture |
//! | `marks` | the numbers of vertices in texture coordinates, which every program keeps |
//! | `compare`, `faces`, `tracks` | the differences between a scene and one that has been through another program |
//! | `paint`, `alike` | materials that the file has, and new ones; names and colors that are the same to programs |
//!
//! A scene uses the coordinates of glTF: right-handed, y up, texture coordinates from the upper left corner, linear colors. It
//! holds only finite numbers: values that are not finite are left out and counted in [`Scene::left_out`].
//!
//! The export shows the appearance of a model, not the contents of its file: anything that glTF cannot hold is left out. Each part
//! names its place in the file, so that an import changes that place and nothing else.

mod alike;
pub mod build;
pub mod compare;
pub mod edits;
pub mod faces;
mod json;
mod marks;
pub mod paint;
mod plain;
pub mod read;
mod refusal;
pub mod tracks;
pub mod vector;
pub mod write;

use core::fmt::{self, Display};
use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// A scene for viewing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Nodes; each has at most one parent.
    pub nodes: Vec<Node>,
    /// The nodes without parents.
    pub roots: Vec<usize>,
    /// Meshes, each of which any number of nodes can share.
    pub meshes: Vec<Mesh>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Images of materials.
    pub images: Vec<Image>,
    /// The bindings of meshes to nodes.
    pub skins: Vec<Skin>,
    /// Animations.
    pub animations: Vec<Animation>,
    /// The contents of the file that the scene leaves out, in words, with their counts.
    pub left_out: BTreeMap<&'static str, usize>,
}

/// A node of the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its name; names can repeat.
    pub name: String,
    /// Its transform relative to its parent.
    pub transform: Transform,
    /// Its mesh.
    pub mesh: Option<usize>,
    /// The binding of the mesh to other nodes, which then move it instead of this node: such a node is a root without a transform.
    pub skin: Option<usize>,
    /// The child nodes.
    pub children: Vec<usize>,
    /// Its place in the file, or `None` if it was made for the scene.
    pub place: Option<String>,
    /// Values of the file that glTF does not have.
    pub extras: Map<String, Value>,
}

/// A transform: first scaling, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// The offset.
    pub translation: [f32; 3],
    /// A quaternion of length 1: x, y, z, w.
    pub rotation: [f32; 4],
    /// The factor along each axis; a negative one mirrors.
    pub scale: [f32; 3],
}

/// The visible part of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Its name.
    pub name: String,
    /// Its place in the file.
    pub place: Option<String>,
    /// Its parts; at least one.
    pub primitives: Vec<Primitive>,
}

/// Triangles of one material. Each list of values is empty or has as many as there are positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// Their material; without [`coordinates`](Self::coordinates), a material without an image.
    pub material: Option<usize>,
    /// The positions of the vertices; at least one.
    pub positions: Vec<[f32; 3]>,
    /// The normals, of length 1.
    pub normals: Vec<[f32; 3]>,
    /// The texture coordinates of the vertices: to the right, then down.
    pub coordinates: Vec<[f32; 2]>,
    /// Red, green, blue, opacity, each from 0 to 1, linear.
    pub colors: Vec<[f32; 4]>,
    /// For a bound mesh: the skin's joints that move the vertices. Those with a weight are distinct.
    pub joints: Vec<[u16; 4]>,
    /// The weights of the joints, which add up to 1.
    pub weights: Vec<[f32; 4]>,
    /// The numbers of the vertices in the file, or [`NEW`] for vertices that it does not have.
    pub vertices: Vec<u32>,
    /// Three vertices for each triangle, counterclockwise when seen from the front.
    pub indices: Vec<u32>,
    /// For each of these, the face of the file and the corner of that face; not written to glTF files.
    pub corners: Vec<[u32; 2]>,
}

/// The number of a vertex that the file does not have.
pub const NEW: u32 = u32::MAX;

/// The material of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// The name of its texture, or else another distinguishing name.
    pub name: String,
    /// Red, green, blue, opacity, each from 0 to 1, linear.
    pub color: [f32; 4],
    /// The name of the texture in the file, even if the texture is missing.
    pub texture: Option<String>,
    /// The image of the texture.
    pub image: Option<usize>,
    /// `true` if its triangles are visible from both sides.
    pub two_sided: bool,
    /// Its place in the file, if it has one of its own.
    pub place: Option<String>,
}

/// The image of a texture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// Its name.
    pub name: String,
    /// A PNG file.
    pub png: Vec<u8>,
    /// Its opacity.
    pub opacity: Opacity,
    /// `true` for each direction, right and down, in which its edge continues instead of the image being repeated.
    pub clamped: [bool; 2],
}

/// The opacity of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opacity {
    /// Fully opaque.
    #[default]
    Opaque,
    /// Opaque with holes.
    Holes,
    /// Varying opacity.
    Blended,
}

/// The binding of a mesh to nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Its name.
    pub name: String,
    /// The nodes, without duplicates.
    pub joints: Vec<usize>,
    /// For each node, four columns: the matrix from the mesh to the node in the rest pose.
    pub inverse_binds: Vec<[f32; 16]>,
}

/// A movement of nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Its name.
    pub name: String,
    /// Its place in the file.
    pub place: Option<String>,
    /// The changes; no two have the same node and the same type of value.
    pub channels: Vec<Channel>,
}

/// The changes of a value of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The node.
    pub node: usize,
    /// Times in seconds: not negative, strictly ascending, at least one.
    pub times: Vec<f32>,
    /// One value for each time; in between, values are interpolated linearly.
    pub values: Values,
    /// The place in the file of the node that has the values.
    pub place: Option<String>,
}

/// The changing values.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Positions of a node.
    Translation(Vec<[f32; 3]>),
    /// Rotations of a node: quaternions of length 1.
    Rotation(Vec<[f32; 4]>),
    /// Scales of a node.
    Scale(Vec<[f32; 3]>),
}

/// A scene that is larger than glTF can count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the scene is larger than 4 GB, which glTF cannot hold")
    }
}

impl core::error::Error for TooLarge {}

impl Scene {
    /// Counts something that the scene leaves out.
    pub fn leave(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let known = self.left_out.entry(what).or_default();
            *known += count;
        }
    }

    /// Appends a node, below a parent or as a root, and returns its index.
    pub fn put(&mut self, mut node: Node, parent: Option<usize>) -> usize {
        if !node.transform.is_finite() {
            node.transform = Transform::default();
            self.leave("transforms that are not finite", 1);
        }
        let index = self.nodes.len();
        match parent.and_then(|parent| self.nodes.get_mut(parent)) {
            Some(parent) => parent.children.push(index),
            None => self.roots.push(index),
        }
        self.nodes.push(node);
        index
    }
}
