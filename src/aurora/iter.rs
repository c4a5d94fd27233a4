//! The nodes and meshes of a model.

use super::model::Model;
use super::node::Node;
use kind::MeshRef;

/// An iterator over a node and all nodes below it, each after its parent, with its depth; see [`Node::preorder`].
#[derive(Clone, Debug)]
pub struct Preorder<'a> {
    /// The nodes still to come, the next one last.
    open: Vec<(usize, &'a Node)>,
}

impl<'a> Iterator for Preorder<'a> {
    type Item = (usize, &'a Node);

    fn next(&mut self) -> Option<Self::Item> {
        let (depth, node) = self.open.pop()?;
        let below = depth + 1;
        self.open.extend(node.children.iter().rev().map(|child| (below, child)));
        Some((depth, node))
    }
}

impl Node {
    /// Returns an iterator over this node and all nodes below it, in preorder, with the number of nodes above each.
    #[must_use]
    pub fn preorder(&self) -> Preorder<'_> {
        Preorder { open: vec![(0, self)] }
    }
}

impl Model {
    /// Returns an iterator over the nodes of the geometry, in preorder, with the number of nodes above each. For the nodes of an
    /// animation, see [`Node::preorder`] of its root.
    #[must_use]
    pub fn nodes(&self) -> Preorder<'_> {
        self.root.preorder()
    }

    /// Returns an iterator over the meshes of the geometry, in preorder.
    pub fn meshes(&self) -> impl Iterator<Item = MeshRef<'_>> {
        self.nodes().filter_map(|(_, node)| {
            let mesh = node.mesh.as_ref()?;
            Some(MeshRef {
                entry: None,
                name: Some(node.head.name.to_string()),
                vertices: &mesh.streams.vertices,
                normals: &mesh.streams.normals,
                faces: mesh.faces.len(),
            })
        })
    }
}
