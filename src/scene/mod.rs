//! Models as scenes, for other programs to look at: written as glTF 2.0, never read back.
//!
//! | module | has |
//! |---|---|
//! | this one | the scene: nodes, meshes, materials, images, animations |
//! | [`gltf`] | how it becomes a file |
//! | `world`, `library`, `aurora` | where it comes from: worlds, 'Mech libraries, models of Neverwinter Nights |
//! | `models`, `textures`, `plain` | what worlds and libraries share |
//! | `skins` | what binds meshes of Neverwinter Nights to nodes |
//! | `build`, `vector` | meshes triangle by triangle, arithmetic |
//!
//! A scene has the coordinates of glTF: right-handed, y up, textures from their upper left corner, colours linear. It holds
//! no number that is not finite: what would be one is left out and counted in [`Scene::left_out`].
//!
//! The export shows what a model looks like and not what its file says: whatever glTF has no place for is left out.

mod aurora;
mod build;
pub mod gltf;
mod library;
mod models;
mod plain;
mod skins;
mod textures;
mod vector;
mod world;

use core::fmt::{self, Display};
use std::collections::BTreeMap;

use bytes::Bytes;
use serde_json::{Map, Value};

use crate::aurora::model::Model;
use crate::field::{self, decode};
use crate::format::Format as _;
use crate::kind::{Kind, recognise};
use crate::zipper::{archive::Archive, gamez::Gamez, texture::Package};

/// Something to look at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Nodes; each has at most one parent.
    pub nodes: Vec<Node>,
    /// The nodes without parents.
    pub roots: Vec<usize>,
    /// Meshes, which any number of nodes can have.
    pub meshes: Vec<Mesh>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Images of materials.
    pub images: Vec<Image>,
    /// What binds meshes to nodes.
    pub skins: Vec<Skin>,
    /// Animations.
    pub animations: Vec<Animation>,
    /// What of the file is not in the scene, in words, and how often.
    pub left_out: BTreeMap<&'static str, usize>,
}

/// A place in the scene, and what is there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its name; names repeat.
    pub name: String,
    /// Where it is in its parent.
    pub transform: Transform,
    /// The mesh it has.
    pub mesh: Option<usize>,
    /// What binds that mesh to other nodes, which then move it instead of this one: such a node is a root without a transform.
    pub skin: Option<usize>,
    /// The nodes in it.
    pub children: Vec<usize>,
    /// What else is worth knowing.
    pub extras: Map<String, Value>,
}

/// Scaled, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Where to.
    pub translation: [f32; 3],
    /// A quaternion of length 1: x, y, z, w.
    pub rotation: [f32; 4],
    /// How much along each axis; negative mirrors.
    pub scale: [f32; 3],
}

/// What one sees of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Its name.
    pub name: String,
    /// Its parts; at least one.
    pub primitives: Vec<Primitive>,
}

/// Triangles of one material. Each list of values is empty or has as many as there are positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// What they are made of; without [`coordinates`](Self::coordinates), a material without an image.
    pub material: Option<usize>,
    /// Where the vertices are; at least one.
    pub positions: Vec<[f32; 3]>,
    /// Of length 1.
    pub normals: Vec<[f32; 3]>,
    /// Where the vertices are on the texture: to the right, then down.
    pub coordinates: Vec<[f32; 2]>,
    /// Red, green, blue, opacity, each from 0 to 1, linear.
    pub colours: Vec<[f32; 4]>,
    /// Of a mesh that is bound: which of the skin's joints move the vertices. No two of those with a weight are the same.
    pub joints: Vec<[u16; 4]>,
    /// How much each of them does: together 1.
    pub weights: Vec<[f32; 4]>,
    /// Three vertices for each triangle, against the clock where one looks at its front.
    pub indices: Vec<u32>,
}

/// What triangles are made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// The name of its texture, or what else tells it from others.
    pub name: String,
    /// Red, green, blue, opacity, each from 0 to 1, linear.
    pub colour: [f32; 4],
    /// The texture as the file names it, whether it is there or not.
    pub texture: Option<String>,
    /// The image of the texture.
    pub image: Option<usize>,
    /// Whether one sees it from behind.
    pub two_sided: bool,
}

/// The image of a texture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// Its name.
    pub name: String,
    /// A PNG file.
    pub png: Vec<u8>,
    /// How one sees through it.
    pub opacity: Opacity,
}

/// How one sees through something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opacity {
    /// Not at all.
    #[default]
    Opaque,
    /// Through holes.
    Holes,
    /// Here more, there less.
    Blended,
}

/// What binds a mesh to nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Its name.
    pub name: String,
    /// The nodes, each once.
    pub joints: Vec<usize>,
    /// For each node, four columns: what takes a point of the mesh to where it is in the node as long as nothing moves.
    pub inverse_binds: Vec<[f32; 16]>,
}

/// How nodes move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Its name.
    pub name: String,
    /// What changes; no two of the same node and sort.
    pub channels: Vec<Channel>,
}

/// How a value of a node changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The node.
    pub node: usize,
    /// Seconds, not negative, each more than the one before; at least one.
    pub times: Vec<f32>,
    /// As many values; between them they change evenly.
    pub values: Values,
}

/// Values that change.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Where a node is.
    Translation(Vec<[f32; 3]>),
    /// How it is turned: quaternions of length 1.
    Rotation(Vec<[f32; 4]>),
    /// How large it is.
    Scale(Vec<[f32; 3]>),
}

/// Why there is no scene.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// Files of this kind have no models; nothing where the kind is not known.
    NoModels(Option<&'static str>),
    /// The file cannot be read.
    Unreadable(field::Error),
    /// More than glTF can count.
    TooLarge,
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoModels(Some(kind)) => write!(f, "{kind} has no models to export"),
            Self::NoModels(None) => f.write_str("unknown format, no models to export"),
            Self::Unreadable(error) => error.fmt(f),
            Self::TooLarge => f.write_str("the scene is larger than 4 GB, which glTF cannot hold"),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            _ => None,
        }
    }
}

/// The scene that a file shows: a world, a 'Mech library or a model of Neverwinter Nights. Textures are looked for in
/// these packages, in their order.
///
/// # Errors
/// When the file cannot be read, or has no models.
pub fn of(kinds: &'static [Kind], name: &str, file: impl Into<Bytes>, textures: &[Package]) -> Result<Scene, Error> {
    let file = file.into();
    let kind = recognise(kinds, name, &file).map(|(kind, _)| kind.name);
    match kind {
        Some(Gamez::NAME) => Ok(of_world(&read(file)?, textures)),
        Some(Archive::NAME) => {
            of_library(&read(file)?, textures).ok_or(Error::NoModels(Some("archive without a 'Mech library")))
        }
        Some(Model::NAME) => Ok(of_model(&read(file)?)),
        kind => Err(Error::NoModels(kind)),
    }
}

fn read<F: field::Lay + Default>(file: Bytes) -> Result<F, Error> {
    decode::<F>(file).map(|decoded| decoded.model).map_err(Error::Unreadable)
}

/// The scene of a world: its nodes, each with its model.
#[must_use]
pub fn of_world(world: &Gamez, textures: &[Package]) -> Scene {
    let mut scene = world::scene(world, textures);
    scene.plain();
    scene
}

/// The scene of a 'Mech library: a tree of nodes for each of its models, side by side; nothing where an archive has none.
#[must_use]
pub fn of_library(library: &Archive, textures: &[Package]) -> Option<Scene> {
    let mut scene = library::scene(library, textures)?;
    scene.plain();
    Some(scene)
}

/// Returns the scene of a model of Neverwinter Nights: its nodes, the meshes that the game renders, and its animations. Textures
/// are separate files, which are named.
#[must_use]
pub fn of_model(model: &Model) -> Scene {
    aurora::scene(model)
}

impl Scene {
    /// Counts something that is not in the scene.
    fn leave(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let known = self.left_out.entry(what).or_default();
            *known = known.saturating_add(count);
        }
    }

    /// Puts a node at the end of all, below a parent or at the root.
    fn put(&mut self, node: Node, parent: Option<usize>) -> usize {
        let index = self.nodes.len();
        match parent.and_then(|parent| self.nodes.get_mut(parent)) {
            Some(parent) => parent.children.push(index),
            None => self.roots.push(index),
        }
        self.nodes.push(node);
        index
    }
}
