//! The nodes and meshes of a world of any game.

use super::games::Layouts;
use super::models::Link;
use super::nodes::{NodeClass, NodeHeader};
use super::{Body, Gamez, World};
use field::I32;
use kind::MeshRef;

/// A node of a world.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NodeRef<'a> {
    /// The index of its slot, by which other nodes, cells and animations refer to it.
    pub index: usize,
    /// The number of nodes above it in the tree.
    pub depth: usize,
    /// The fields that every game has: name, flags, class, model.
    pub head: &'a NodeHeader,
    /// The slots of its parents, as stored.
    pub parents: &'a [I32],
    /// The slots of its children, as stored.
    pub children: &'a [I32],
}

impl NodeRef<'_> {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> String {
        self.head.name.to_string()
    }

    /// Returns the class.
    #[must_use]
    pub const fn class(&self) -> NodeClass {
        self.head.class
    }

    /// Returns the slot of its model, or `None` if it has none.
    #[must_use]
    pub fn model(&self) -> Option<usize> {
        usize::try_from(self.head.model_index.get()).ok()
    }
}

/// Evaluates an expression with the world of any game.
macro_rules! in_world {
    ($body:expr, $world:ident => $value:expr) => {
        match $body {
            Body::RecoilDemo($world) => $value,
            Body::Recoil($world) => $value,
            Body::MechWarrior3($world) => $value,
            Body::PiratesMoon($world) => $value,
            Body::CrimsonSkies($world) => $value,
        }
    };
}

impl Gamez {
    /// Returns an iterator over the used nodes: each once, after its parent, with children in the order of their list.
    ///
    /// ```
    /// # mod bitexact { pub use {field, bitexact_zipper as zipper}; }
    /// # let file = forge::samples(7, forge::Size::Tiny).into_iter().find(|it| it.kind == "gamez").expect("a world").bytes;
    /// use bitexact::{field::{decode, encode}, zipper::gamez::Gamez};
    ///
    /// let mut world: Gamez = decode(file)?.model;
    /// for node in world.nodes() {
    ///     println!("{:1$}{2} ({3:?})", "", node.depth, node.name(), node.class());
    /// }
    /// let first = world.nodes().next().expect("a node").index;
    /// world.node_mut(first).expect("it exists").name.set("renamed")?;
    /// let file = encode(&world)?;
    /// # assert_eq!(decode::<Gamez>(file)?.model.nodes().next().expect("a node").name(), "renamed");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nodes(&self) -> std::vec::IntoIter<NodeRef<'_>> {
        in_world!(&self.body, world => world.nodes())
    }

    /// Returns the node in a slot for a change, or `None` if the slot is missing or free.
    ///
    /// After changes to text, flags and numbers, the world can be encoded at once. After a change of the class or the model, also change
    /// the data of the node, then [recompute](json::recompute::recompute) the world.
    pub fn node_mut(&mut self, index: usize) -> Option<&mut NodeHeader> {
        in_world!(&mut self.body, world => world.node_mut(index))
    }

    /// Returns an iterator over the meshes of the used models, in slot order, each with the name of the first node that has it.
    pub fn meshes(&self) -> std::vec::IntoIter<MeshRef<'_>> {
        in_world!(&self.body, world => world.meshes())
    }
}

impl<G: Layouts> World<G> {
    /// Returns an iterator over the used nodes: each once, after its parent, with children in the order of their list.
    pub fn nodes(&self) -> std::vec::IntoIter<NodeRef<'_>> {
        let tree = self.nodes.tree();
        let mut depths: Vec<usize> = Vec::with_capacity(tree.len());
        let mut nodes = Vec::with_capacity(tree.len());
        for (index, parent) in tree {
            let above = parent.and_then(|parent| depths.get(parent));
            let depth = above.map_or(0, |depth| depth + 1);
            depths.push(depth);
            if let Some(node) = self.nodes.slots.get(index) {
                let (parents, children) = (&*node.parents, &*node.children);
                nodes.push(NodeRef { index, depth, head: &node.base.head, parents, children });
            }
        }
        nodes.into_iter()
    }

    /// Returns the node in a slot for a change, or `None` if the slot is missing or free.
    pub fn node_mut(&mut self, index: usize) -> Option<&mut NodeHeader> {
        let node = self.nodes.slots.get_mut(index)?;
        node.base.head.is_used().then_some(&mut node.base.head)
    }

    /// Returns an iterator over the meshes of the used models, in slot order, each with the name of the first node that has it.
    pub fn meshes(&self) -> std::vec::IntoIter<MeshRef<'_>> {
        let mut names: Vec<Option<String>> = vec![None; self.models.slots.len()];
        for node in self.nodes() {
            if let Some(name @ None) = node.model().and_then(|model| names.get_mut(model)) {
                *name = Some(node.name());
            }
        }
        let used = self.models.slots.iter().zip(names).filter(|(slot, _)| matches!(slot.link, Link::Data(_)));
        let meshes = used.map(|(slot, name)| MeshRef { name, ..slot.model.mesh.unnamed() });
        meshes.collect::<Vec<_>>().into_iter()
    }
}
