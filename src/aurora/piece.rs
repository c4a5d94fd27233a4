//! The pieces of a file that is not laid out by the walk.

use field::record;
use field::{Block, Result, Truth, U32, lay};

use super::flags::{NodeFlags, PieceKind};
use super::pointers::Owner;

record! {
    /// The owner of a piece.
    pub struct Whose: 13 {
        /// 0 for the geometry, n for the n-th animation.
        tree: U32,
        /// The node in preorder.
        node: U32,
        /// The number of the name of a lens flare, the entry of an AABB tree or the index list.
        item: U32,
        part: PieceKind,
    }
}

/// A piece of the model data or the raw data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piece {
    /// Its owner.
    pub of: Whose,
    /// Set if it has the same bytes as the piece before.
    pub shared: Truth,
    /// The number of children of a node.
    pub children: U32,
    /// The parts of a node. All nodes are made before the first is filled.
    pub parts: NodeFlags,
    /// Bytes without an owner.
    pub gap: Block,
}

lay! {
    /// The facts of a piece, which no byte stores.
    impl Lay for Piece {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fact("of", at!(self.of))?;
            t.fact("shared", at!(self.shared))?;
            t.fact("child_nodes", at!(self.children))?;
            t.fact("parts", at!(self.parts))
        }
    }
}

impl Whose {
    pub(super) fn new((tree, node, part, item): Owner) -> Self {
        let number = |value: usize| U32::new(value.try_into().unwrap_or(u32::MAX));
        Self { tree: number(tree), node: number(node), item: number(item), part: PieceKind::new(part) }
    }

    pub(super) fn owner(&self) -> Owner {
        let number = |value: U32| usize::try_from(value.get()).unwrap_or(usize::MAX);
        (number(self.tree), number(self.node), self.part.get(), number(self.item))
    }
}

impl Piece {
    pub(super) fn new(of: Whose) -> Self {
        Self { of, ..Self::default() }
    }

    pub(super) fn owner(&self) -> Owner {
        self.of.owner()
    }

    pub(super) fn is_gap(&self) -> bool {
        self.of.part == PieceKind::GAP || self.of.part == PieceKind::RAW_GAP
    }

    pub(super) fn is_shared(&self) -> bool {
        self.shared.into()
    }
}
