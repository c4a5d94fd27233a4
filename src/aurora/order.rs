//! The pieces of a file that does not lie as the walk goes.
//!
//! Other compilers order things otherwise, leave gaps, or let several things share one piece. Offsets are not kept: they
//! follow from the order and the sizes (`nwn-mdl.md`, section 7.3).

use std::collections::HashSet;

use crate::field::{Block, Fault, Json, Result, Shaped as _, Tape, Truth, U32};
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

impl Piece {
    pub(super) fn new((tree, node, part, item): Owner) -> Self {
        let number = |value: usize| U32::new(value.try_into().unwrap_or(u32::MAX));
        let of = Whose { tree: number(tree), node: number(node), item: number(item), part: Part::new(part) };
        Self { of, ..Self::default() }
    }

    /// Lays what no byte tells.
    pub(super) fn lay_facts(&mut self, t: &mut Tape<'_>) -> Result {
        t.fact("of", &mut self.of)?;
        t.fact("shared", &mut self.shared)?;
        t.fact("child_nodes", &mut self.children)?;
        t.fact("parts", &mut self.parts)
    }

    /// In load mode, whether a node has what its piece says.
    pub(super) fn check(&self, t: &Tape<'_>, node: Option<&mut Node>) -> Result {
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
pub(super) fn owners(model: &mut Model) -> [Vec<Owner>; 2] {
    let (mut data, mut raw) = (vec![(0, 0, Part::MODEL.get(), 0)], Vec::new());
    if !model.animations.is_empty() {
        data.push((0, 0, Part::ANIMATIONS.get(), 0));
    }
    for (animation, tree) in model.animations.iter_mut().zip(1..) {
        data.push((tree, 0, Part::ANIMATION.get(), 0));
        if !animation.events.is_empty() {
            data.push((tree, 0, Part::EVENTS.get(), 0));
        }
        walk(&mut animation.root, tree, &mut 0, &mut data, &mut raw);
    }
    walk(&mut model.root, 0, &mut 0, &mut data, &mut raw);
    [data, raw]
}

fn walk(node: &mut Node, tree: usize, next: &mut usize, data: &mut Vec<Owner>, raw: &mut Vec<Owner>) {
    let index = *next;
    *next = index.saturating_add(1);
    data.push((tree, index, Part::NODE.get(), 0));
    let put = |parts: &[Part], to: &mut Vec<Owner>, node: &mut Node| {
        for &part in parts {
            let items = 0..node.items(part);
            to.extend(items.filter(|&item| node.bytes(part, item) > 0).map(|item| (tree, index, part.get(), item)));
        }
    };
    put(PAYLOAD, data, node);
    put(STREAMS, raw, node);
    put(&[Part::LIST], raw, node);
    if !node.children.is_empty() {
        data.push((tree, index, Part::CHILDREN.get(), 0));
    }
    for child in &mut node.children {
        walk(child, tree, next, data, raw);
    }
    put(&[Part::KEYS, Part::DATA], data, node);
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
