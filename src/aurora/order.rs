//! The pieces of a file that does not lie as the walk goes.
//!
//! Other compilers order things otherwise, leave gaps, or let several things share one piece. Offsets are not kept: they
//! follow from the order and the sizes (`nwn-mdl.md`, section 7.3).

use std::collections::HashSet;

use crate::field::build::Tape;
use crate::field::{Block, Fault, Json, Result, Shaped as _, Truth, U32, lay};
use crate::record;

use super::model::Model;
use super::node::{Node, NodeFlags, PAYLOAD, STREAMS};
use super::place::{Owner, Part};

record! {
    /// Whose piece it is.
    pub struct Whose: 13 {
        /// 0 the geometry, n the n-th animation.
        tree: U32,
        /// The node in preorder.
        node: U32,
        /// Which of several: a name of a lens flare, a box, an index list.
        item: U32,
        part: Part,
    }
}

/// A piece of the model data or the raw data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piece {
    /// Whose it is.
    pub of: Whose,
    /// Whether it is the same bytes as the piece before.
    pub shared: Truth,
    /// Of a node, how many are right below it.
    pub children: U32,
    /// Of a node, what it has, so that all can be made before any is filled.
    pub parts: NodeFlags,
    /// Bytes that nobody owns.
    pub gap: Block,
}

lay! {
    /// What no byte tells.
    impl Lay for Piece {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fact("of", at!(self.of))?;
            t.fact("shared", at!(self.shared))?;
            t.fact("child_nodes", at!(self.children))?;
            t.fact("parts", at!(self.parts))
        }
    }
}

impl Piece {
    pub(super) fn new((tree, node, part, item): Owner) -> Self {
        let number = |value: usize| U32::new(value.try_into().unwrap_or(u32::MAX));
        let of = Whose { tree: number(tree), node: number(node), item: number(item), part: Part::new(part) };
        Self { of, ..Self::default() }
    }

    /// In load mode, whether a node has what its piece says.
    pub(super) fn check(&self, t: &Tape<'_>, node: Option<&Node>) -> Result {
        let flags = node.map(|node| node.head.flags).filter(|_| self.of.part == Part::NODE);
        match flags.filter(|flags| *flags != self.parts) {
            Some(flags) => {
                let shown = |flags: NodeFlags| NodeFlags::SHAPE.show(bytemuck::bytes_of(&flags)).to_string();
                let (found, expected) = (shown(self.parts), format!("{}, the flags of the node", shown(flags)));
                Err(t.error_in("parts", Fault::Unknown { found, expected }))
            }
            None => Ok(()),
        }
    }

    pub(super) fn owner(&self) -> Owner {
        let number = |value: U32| usize::try_from(value.get()).unwrap_or(usize::MAX);
        (number(self.of.tree), number(self.of.node), self.of.part.get(), number(self.of.item))
    }

    pub(super) fn is_gap(&self) -> bool {
        self.of.part == Part::GAP || self.of.part == Part::RAW_GAP
    }
}

/// Whose the pieces are, for people.
pub(super) fn shown(order: &[Piece]) -> Json {
    order.iter().map(|piece| Whose::SHAPE.show(bytemuck::bytes_of(&piece.of))).collect()
}

/// Everything that a model has, in the order of the walk: in the model data, in the raw data.
pub(super) fn owners(model: &Model) -> [Vec<Owner>; 2] {
    let (mut data, mut raw) = (vec![(0, 0, Part::MODEL.get(), 0)], Vec::new());
    if !model.animations.is_empty() {
        data.push((0, 0, Part::ANIMATIONS.get(), 0));
    }
    for (animation, tree) in model.animations.iter().zip(1..) {
        data.push((tree, 0, Part::ANIMATION.get(), 0));
        if !animation.events.is_empty() {
            data.push((tree, 0, Part::EVENTS.get(), 0));
        }
        append(&animation.root, tree, &mut 0, &mut data, &mut raw);
    }
    append(&model.root, 0, &mut 0, &mut data, &mut raw);
    [data, raw]
}

fn append(node: &Node, tree: usize, next: &mut usize, data: &mut Vec<Owner>, raw: &mut Vec<Owner>) {
    let index = *next;
    *next = index.saturating_add(1);
    data.push((tree, index, Part::NODE.get(), 0));
    let put = |parts: &[Part], to: &mut Vec<Owner>| {
        for &part in parts {
            let items = 0..node.items(part);
            to.extend(items.filter(|&item| node.bytes(part, item) > 0).map(|item| (tree, index, part.get(), item)));
        }
    };
    put(PAYLOAD, data);
    put(STREAMS, raw);
    put(&[Part::LIST], raw);
    if !node.children.is_empty() {
        data.push((tree, index, Part::CHILDREN.get(), 0));
    }
    for child in &node.children {
        append(child, tree, next, data, raw);
    }
    put(&[Part::KEYS, Part::DATA], data);
}

/// Takes pieces out that the model has no longer, and puts those in that it has besides: each behind the one that it
/// lies behind by the walk. Gives how many nodes there were and are, where that is not the same: nobody knows then whose
/// the pieces are.
pub(super) fn reconcile(order: &mut Vec<Piece>, owners: &[Vec<Owner>; 2]) -> Option<[usize; 2]> {
    let nodes = |owner: &Owner| owner.2 == Part::NODE.get();
    let were = order.iter().filter(|piece| nodes(&piece.owner())).count();
    let are = owners.iter().flatten().filter(|owner| nodes(owner)).count();
    if were != are {
        return Some([were, are]);
    }
    let known: HashSet<Owner> = order.iter().map(Piece::owner).collect();
    let there: HashSet<Owner> = owners.iter().flatten().copied().collect();
    order.retain(|piece| piece.is_gap() || there.contains(&piece.owner()));
    for piece in order.iter_mut().filter(|piece| piece.is_gap()) {
        piece.of = Whose { part: piece.of.part, ..Whose::default() };
    }
    for owners in owners {
        let mut before = None;
        for &owner in owners {
            if !known.contains(&owner) {
                let raw = order.iter().position(|piece| piece.of.part.is_raw()).unwrap_or(order.len());
                let behind = before.and_then(|before| order.iter().position(|piece| piece.owner() == before));
                let start = if Part::new(owner.2).is_raw() { raw } else { 0 };
                order.insert(behind.map_or(start, |at| at.saturating_add(1)), Piece::new(owner));
            }
            before = Some(owner);
        }
    }
    None
}
