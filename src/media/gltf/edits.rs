//! What has changed in a scene.

use std::collections::BTreeMap;

use super::faces::{MeshEdit, NewFace};
use super::paint::NewMaterial;
use super::vector::Vector;
use super::{Transform, Values};

/// What has changed in a scene.
#[derive(Debug, Default)]
pub struct Edits {
    /// The edits of nodes.
    pub nodes: Vec<NodeEdit>,
    /// The deleted nodes of the scene that has just been made.
    pub deleted: Vec<usize>,
    /// The new nodes, parents before their children.
    pub added: Vec<NewNode>,
    /// The edits of meshes.
    pub meshes: Vec<MeshEdit>,
    /// The edits of animations, a track each.
    pub tracks: Vec<TrackEdit>,
    /// The new materials that faces have, by their numbers among those given.
    pub materials: BTreeMap<usize, NewMaterial>,
    /// The new base colors of materials, by their places: linear red, green and blue, and opacity.
    pub colors: BTreeMap<String, [f32; 4]>,
    /// The new names of animations in the scene that has just been made.
    pub names: Vec<(usize, String)>,
    /// What the other program has added or left out that is not an edit, with counts.
    pub ignored: BTreeMap<&'static str, usize>,
}

/// A new node.
#[derive(Debug)]
pub struct NewNode {
    /// Its name.
    pub name: String,
    /// The node that it is in.
    pub parent: Parent,
    /// Its transform relative to its parent.
    pub transform: Transform,
    /// The mesh of the scene that has just been made that it has too, unless each node has a mesh of its own.
    pub shared: Option<usize>,
    /// The faces of its mesh, if it has one that is not shared.
    pub faces: Option<Vec<NewFace>>,
    /// The node of the scene that has just been made of which it is a copy.
    pub copy_of: Option<usize>,
}

/// The parent of a new node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// A node of the scene that has just been made.
    Known(usize),
    /// A new node, by its number.
    New(usize),
}

/// A changed node.
#[derive(Debug)]
pub struct NodeEdit {
    /// The node in the scene that has just been made.
    pub node: usize,
    /// Its name, if it has changed.
    pub name: Option<String>,
    /// The new offset, if it has changed.
    pub translation: Option<Vector>,
    /// The new transform, if its rotation or scale has changed.
    pub turned: Option<Transform>,
}

impl Edits {
    pub(super) fn ignore(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let known = self.ignored.entry(what).or_default();
            *known += count;
        }
    }
}

/// The new keys of a channel.
#[derive(Debug)]
pub struct TrackEdit {
    /// The animation and the channel in the scene that has just been made.
    pub animation: usize,
    /// The index of the channel.
    pub channel: usize,
    /// The times of the key frames, in seconds.
    pub times: Vec<f32>,
    /// The values at these times.
    pub values: Values,
}

/// For each node that has just been made, the one given for it; only nodes with places have one.
pub(super) type Pairs = Vec<Option<usize>>;
