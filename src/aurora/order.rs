//! The layout of a file that is not in the order of the walk, piece by piece.
//!
//! Some compilers use a different order, leave gaps, or let several owners share one piece. Offsets are not kept: they
//! follow from the order and the sizes of the pieces (`nwn-mdl.md`, section 7.3).

use std::collections::HashMap;

use bytes::Bytes;

use field::build::{Lay as _, Tape};
use field::{Direction, Fault, Result, Run, Shaped as _, Step, U32, Value, lay, limits, wide};
use json::Compact;

use super::flags::{NodeFlags, PieceKind};
use super::header::{Animation, LayAnimation as _};
use super::mesh_types::MeshType;
use super::model::{LayModel as _, MODEL, Model};
use super::node::{LayNode as _, Node};
use super::numbers::preorder;
use super::piece::{Piece, Whose};
use super::pointers::{Access as _, Binder, Empties, Owner, Part, Parts as _, Walking, Way};
use super::vectors::Vector as _;
use super::walk::{LayWalk as _, owners};

/// The offsets and lengths of pieces, and the context of nodes.
#[derive(Default)]
struct PieceLayout {
    places: HashMap<Owner, u64>,
    /// The length of each piece, in their order.
    lengths: Vec<u64>,
    /// The sizes of the model data and the raw data.
    sizes: [u64; 2],
    /// The nodes of the geometry, then of the animations, each in preorder.
    trees: Vec<Vec<Kin>>,
    /// Set if every piece has a place: not while the model is loaded.
    is_laid_out: bool,
}

/// The context of a node.
#[derive(Default)]
struct Kin {
    /// The node above it, and its index among the children of that.
    above: Option<(usize, usize)>,
    /// The children.
    children: Vec<usize>,
    /// The part number by the rules.
    number: Option<i32>,
}

impl PieceLayout {
    fn of(model: &Model) -> core::result::Result<Self, Fault> {
        let mut numbers = model.numbers(false).into_iter();
        let mut trees: Vec<Vec<Kin>> =
            model.animations.iter().map(|animation| kin(&animation.root, &mut numbers)).collect();
        trees.insert(0, kin(&model.root, &mut numbers));
        let mut layout = Self { trees, is_laid_out: true, ..Self::default() };
        let nodes: Vec<Vec<&Node>> = model.roots().map(|root| preorder(root).collect()).collect();
        let node = |owner: Owner| nodes.get(owner.0)?.get(owner.1).copied();
        let mut last: Option<(Owner, u64)> = None;
        for piece in &model.order {
            let owner = piece.owner();
            let length = length(model, node(owner), piece);
            let [model_end, raw_end] = &mut layout.sizes;
            let end = if piece.of.part.is_raw() { raw_end } else { model_end };
            match last {
                Some((before, at)) if piece.is_shared() => {
                    let (one, other) = (content(model, node(before), before), content(model, node(owner), owner));
                    if !core::ptr::eq(one, other) && one != other {
                        let expected = "the contents of the piece before, which are the same bytes".to_owned();
                        let found = format!("different {}", piece.of.part.name().unwrap_or("bytes"));
                        return Err(Fault::Unknown { found, expected });
                    }
                    layout.places.insert(owner, at);
                }
                _ => {
                    if !piece.is_gap() {
                        layout.places.insert(owner, *end);
                        last = Some((owner, *end));
                    }
                    *end += length;
                }
            }
            layout.lengths.push(length);
        }
        Ok(layout)
    }

    fn kin(&self, (tree, node, ..): Owner) -> Option<&Kin> {
        self.trees.get(tree)?.get(node)
    }

    /// Returns the offset of a piece, or 0 while the model is loaded.
    fn place(&self, (tree, node): (usize, usize), part: PieceKind) -> core::result::Result<u64, Fault> {
        match self.places.get(&(tree, node, part.get(), 0)) {
            Some(place) => Ok(*place),
            None if !self.is_laid_out => Ok(0),
            None => {
                let expected = format!("a piece for {} of node {node} of tree {tree}", part.name().unwrap_or("a part"));
                Err(Fault::Unknown { found: "none".to_owned(), expected })
            }
        }
    }

    /// Returns the binder for the pointers of a structure.
    fn binder(&self, (tree, node, ..): Owner, empties: Empties) -> Binder<'_> {
        Binder { owner: (tree, node), ..Binder::new(Way::Place(&self.places), empties, 0, 0) }
    }
}

/// Returns the context of the nodes of a tree.
fn kin(root: &Node, numbers: &mut impl Iterator<Item = Option<i32>>) -> Vec<Kin> {
    let mut all: Vec<Kin> = Vec::new();
    // The nodes to come, the next one last: each with the node above it and its index among the children of that.
    let mut waiting = vec![(root, None::<(usize, usize)>)];
    while let Some((node, above)) = waiting.pop() {
        let index = all.len();
        if let Some(above) = above.and_then(|(above, _)| all.get_mut(above)) {
            above.children.push(index);
        }
        all.push(Kin { above, children: Vec::new(), number: numbers.next().flatten() });
        waiting.extend(node.children.iter().enumerate().rev().map(|(child, node)| (node, Some((index, child)))));
    }
    all
}

/// Returns the part that is a piece, which may be of a node.
fn part<'m>(model: &'m Model, node: Option<&'m Node>, (tree, _, kind, item): Owner) -> Option<Part<'m, Walking>> {
    match PieceKind::new(kind) {
        kind @ PieceKind::ANIMATIONS => Model::part(model, kind, item),
        kind @ PieceKind::EVENTS => Animation::part(model.animations.get(tree.checked_sub(1)?)?, kind, item),
        kind => Node::part(node?, kind, item),
    }
}

/// Returns the length of a piece, which may be of a node.
fn length(model: &Model, node: Option<&Node>, piece: &Piece) -> u64 {
    match piece.of.part {
        PieceKind::GAP | PieceKind::RAW_GAP => wide(piece.gap.len()),
        PieceKind::MODEL => MODEL,
        PieceKind::ANIMATION => Animation::SIZE,
        PieceKind::NODE => node.map_or(0, Node::size),
        _ => part(model, node, piece.owner()).map_or(0, |part| part.length),
    }
}

/// Returns the bytes of a piece that another owner can share. The piece may be of a node.
fn content<'m>(model: &'m Model, node: Option<&'m Node>, owner: Owner) -> &'m [u8] {
    part(model, node, owner).and_then(|part| part.values).map_or(&[], |values| values.bytes())
}

/// Makes pieces, pointers and part numbers match the model.
pub(super) fn recompute(model: &mut Model, t: &mut Tape<'_>) -> Result {
    let was: Vec<Whose> = model.order.iter().map(|piece| piece.of).collect();
    if let Some([expected, found]) = reconcile(model).map(|counts| counts.map(wide)) {
        // The owner of a piece is found by the number of its node.
        return Err(t.error_in("order", Fault::Count { expected, found }));
    }
    // A model of thousands of pieces is seldom edited.
    if !was.iter().eq(model.order.iter().map(|piece| &piece.of)) {
        t.report_replaced_value(
            t.place().with([Step::Name("order")]),
            shown(&was),
            shown(model.order.iter().map(|piece| &piece.of)),
        );
    }
    model.recompute_nodes();
    describe(model);
    let layout = PieceLayout::of(model).map_err(|fault| t.error_in("order", fault))?;
    let mut b = layout.binder((0, 0, 0, 0), model.empties);
    Tape::bind(&mut *model, &mut b)
        .and_then(|()| {
            let mut animations = (1..).zip(&mut model.animations);
            animations.try_for_each(|(tree, animation)| {
                let mut b = layout.binder((tree, 0, 0, 0), animation.empties);
                Tape::bind(animation, &mut b)
            })
        })
        .and_then(|()| {
            model.each_node(|(tree, index), node| {
                let mut b = layout.binder((tree, index, 0, 0), node.empties);
                Tape::bind(node, &mut b)
            })
        })
        .map_err(|fault| t.error(fault))
}

/// Returns the owners of pieces as JSON.
fn shown<'p>(order: impl IntoIterator<Item = &'p Whose>) -> Value {
    order.into_iter().map(|of| Whose::SHAPE.show(field::bytes_of(of))).collect()
}

/// Copies the number of children and the parts of every node to its piece.
pub(super) fn describe(model: &mut Model) {
    let nodes: Vec<Vec<(usize, NodeFlags)>> =
        model.roots().map(|root| preorder(root).map(|node| (node.children.len(), node.head.flags)).collect()).collect();
    for piece in model.order.iter_mut().filter(|piece| piece.of.part == PieceKind::NODE) {
        let owner = piece.owner();
        if let Some(&(children, flags)) = nodes.get(owner.0).and_then(|nodes| nodes.get(owner.1)) {
            piece.children.set(children.try_into().unwrap_or(u32::MAX));
            piece.parts = flags;
        }
    }
}

/// Removes pieces that the model no longer has, and inserts new ones, each after the piece that it follows in the walk, and after those that
/// share the bytes of that. Returns the numbers of nodes before and now if they differ: then the owners of the pieces are not known.
fn reconcile(model: &mut Model) -> Option<[usize; 2]> {
    let order = &model.order;
    // The pieces whose owners have not been met in the walk, and their indices. At the end, these are the ones to remove.
    let mut unmet: HashMap<Owner, usize> = HashMap::with_capacity(order.len());
    for (index, piece) in order.iter().enumerate().filter(|(_, piece)| !piece.is_gap()) {
        unmet.entry(piece.owner()).or_insert(index);
    }
    // Where the next new piece of each section belongs: after as many pieces as that.
    let mut next = [0, order.iter().position(|piece| piece.of.part.is_raw()).unwrap_or(order.len())];
    let mut new: Vec<(usize, Whose)> = Vec::new();
    let mut now = 0;
    owners(model, &mut |owner| {
        let kind = PieceKind::new(owner.2);
        now += usize::from(kind == PieceKind::NODE);
        let [data, raw] = &mut next;
        let after = if kind.is_raw() { raw } else { data };
        match unmet.remove(&owner) {
            Some(index) => *after = index + 1,
            None => new.push((*after, Whose::new(owner))),
        }
    });
    let before = order.iter().filter(|piece| piece.of.part == PieceKind::NODE).count();
    if before != now {
        return Some([before, now]);
    }
    for gap in model.order.iter_mut().filter(|piece| piece.is_gap()) {
        gap.of = Whose { part: gap.of.part, ..Whose::default() };
    }
    if !new.is_empty() || !unmet.is_empty() {
        new.sort_by_key(|(after, of)| (*after, of.part.is_raw()));
        model.order = merged(core::mem::take(&mut model.order), &new, &unmet);
    }
    None
}

/// Returns an order without some pieces and with new ones, each given with the number of old pieces that it must follow, sorted.
fn merged(old: Vec<Piece>, new: &[(usize, Whose)], removed: &HashMap<Owner, usize>) -> Vec<Piece> {
    let mut order = Vec::with_capacity(old.len() + new.len());
    let mut new = new.iter().peekable();
    // Set if the bytes of the pieces to come have lost their owner.
    let mut is_orphaned = false;
    for (index, mut piece) in old.into_iter().enumerate() {
        let is_removed = removed.contains_key(&piece.owner());
        if !piece.is_shared() {
            while let Some((_, of)) = new.next_if(|(after, _)| *after <= index) {
                order.push(Piece::new(*of));
            }
            is_orphaned = is_removed;
        }
        if !is_removed {
            if core::mem::take(&mut is_orphaned) {
                piece.shared = false.into();
            }
            order.push(piece);
        }
    }
    order.extend(new.map(|(_, of)| Piece::new(*of)));
    order
}

/// The nodes of a model that is being loaded: those of the geometry, then of each animation, in preorder.
struct Nodes {
    trees: Vec<Vec<Node>>,
    /// The number of children of each.
    counts: Vec<Vec<u32>>,
}

/// Loads a model from the pieces of its exchange format.
pub(super) fn load(model: &mut Model, t: &mut Tape<'_>) -> Result {
    model.file.lay(t)?;
    let mut order = vec![Piece::default(); t.given("order", 0)?];
    for (index, piece) in order.iter_mut().enumerate() {
        t.nth("order", index, |t| piece.lay(t))?;
    }
    let mut nodes = Nodes::of(t, &order)?;
    // The tables of index lists can come before their node, which has their number.
    for (index, piece) in order.iter().enumerate().filter(|(_, piece)| piece.of.part == PieceKind::NODE) {
        let mut lists = 0;
        t.nth("order", index, |t| {
            // Another number is refused with the node.
            if let Some(Ok(given)) = t.given_number("index_lists")?.map(u16::try_from) {
                lists = given;
            }
            Ok(())
        })?;
        if let Some(mesh) = nodes.get(piece.owner()).and_then(|node| node.mesh.as_mut()) {
            grow(&mut mesh.lists, lists.into());
        }
    }
    model.animations = vec![Animation::default(); nodes.trees.len() - 1];
    for (index, piece) in order.iter_mut().enumerate() {
        if !piece.is_shared() {
            t.nth("order", index, |t| nodes.load(model, t, piece))?;
        }
    }
    // The piece before, and its bytes once others share them.
    let mut before: Option<(Owner, Option<Bytes>)> = None;
    for piece in &order {
        match (piece.is_shared(), &mut before) {
            (false, _) => before = Some((piece.owner(), None)),
            (true, Some((before, shared))) => {
                let bytes = shared.get_or_insert_with(|| {
                    Bytes::copy_from_slice(content(model, nodes.get(*before).map(|node| &*node), *before))
                });
                nodes.share(model, bytes, piece.owner());
            }
            (true, None) => {}
        }
    }
    let mut roots = nodes.trees.into_iter().zip(&nodes.counts);
    let mut root = || {
        let root = roots.next().and_then(|(nodes, counts)| assemble(&mut nodes.into_iter().zip(counts)));
        root.ok_or_else(|| t.error_in("order", ROOTLESS))
    };
    model.root = root()?;
    for animation in &mut model.animations {
        animation.root = root()?;
    }
    model.order = order;
    t.rest("trailing", Run::Surplus, &mut model.trailing)
}

/// Returns the next node with all nodes below.
fn assemble<'c>(nodes: &mut impl Iterator<Item = (Node, &'c u32)>) -> Option<Node> {
    let (mut node, &count) = nodes.next()?;
    node.children = (0..count).map_while(|_| assemble(nodes)).collect();
    Some(node)
}

/// The fault of a tree without nodes.
const ROOTLESS: Fault = Fault::Count { expected: 1, found: 0 };

/// Checks that nodes in preorder, each with this number of children, form one tree.
fn check_tree(counts: &[u32]) -> core::result::Result<(), Fault> {
    let found = wide(counts.len());
    if found == 0 {
        return Err(ROOTLESS);
    }
    // The number of children still to come, level by level.
    let mut open: Vec<u32> = Vec::new();
    for (node, &count) in (0..).zip(counts) {
        while open.pop_if(|left| *left == 0).is_some() {}
        match open.last_mut() {
            Some(left) => *left -= 1,
            None if node == 0 => {}
            None => return Err(Fault::Count { expected: node, found }),
        }
        if open.len() >= limits::NODES {
            return Err(Fault::TooDeep { limit: limits::NODES });
        }
        if node + u64::from(count) >= found {
            return Err(Fault::Count { expected: node, found });
        }
        open.push(count);
    }
    if open.iter().all(|&left| left == 0) { Ok(()) } else { Err(Fault::Count { expected: found, found }) }
}

impl Nodes {
    /// Makes all nodes and their items.
    fn of(t: &Tape<'_>, order: &[Piece]) -> Result<Self> {
        let of = |part: PieceKind| order.iter().enumerate().filter(move |(_, piece)| piece.of.part == part);
        let mut nodes = vec![0_usize; of(PieceKind::ANIMATION).count() + 1];
        let missing = |(tree, node, ..): Owner| {
            let found = format!("node {node} of tree {tree}");
            t.error_in("order", Fault::Unknown { found, expected: "pieces of all before it".to_owned() })
        };
        for owner in of(PieceKind::NODE).map(|(_, piece)| piece.owner()) {
            *nodes.get_mut(owner.0).ok_or_else(|| missing(owner))? += 1;
        }
        let mut all = Self {
            trees: nodes.iter().map(|&nodes| vec![Node::default(); nodes]).collect(),
            counts: nodes.iter().map(|&nodes| vec![0; nodes]).collect(),
        };
        for (at, piece) in of(PieceKind::NODE) {
            let owner = piece.owner();
            let node = all.get(owner).ok_or_else(|| missing(owner))?;
            node.head.flags = piece.parts;
            // The flags are those of the piece: the node has no place yet.
            let steps = [Step::Name("order"), Step::Index(wide(at)), Step::Name("parts")];
            node.make_parts(t).map_err(|error| t.error_at(0, steps, error.fault().clone()))?;
            if let Some(count) = all.counts.get_mut(owner.0).and_then(|counts| counts.get_mut(owner.1)) {
                *count = piece.children.get();
            }
        }
        all.counts.iter().try_for_each(|counts| check_tree(counts)).map_err(|fault| t.error_in("order", fault))?;
        order.iter().for_each(|piece| all.make_item(piece.owner(), order.len()));
        Ok(all)
    }

    fn get(&mut self, (tree, node, ..): Owner) -> Option<&mut Node> {
        self.trees.get_mut(tree)?.get_mut(node)
    }

    /// Makes the item of a piece. A model has no more items than pieces.
    fn make_item(&mut self, owner: Owner, pieces: usize) {
        let Some(node) = self.get(owner) else { return };
        let count = owner.3.saturating_add(1).min(pieces);
        match (PieceKind::new(owner.2), &mut node.light, &mut node.mesh) {
            (PieceKind::FLARE, Some(light), _) => grow(&mut light.flares, count),
            (PieceKind::LIST, _, Some(mesh)) => grow(&mut mesh.lists, count),
            (PieceKind::BOX, _, Some(mesh)) => {
                if let MeshType::Aabb(tree) = &mut mesh.mesh_type {
                    grow(&mut tree.entries, count);
                }
            }
            _ => {}
        }
    }

    /// Loads a piece.
    fn load(&mut self, model: &mut Model, t: &mut Tape<'_>, piece: &mut Piece) -> Result {
        let (owner, layout) = (piece.owner(), PieceLayout::default());
        if piece.is_gap() {
            return t.run("gap", Run::Surplus, 0_u64, &mut piece.gap);
        }
        if piece.of.part.is_of_model() {
            return build::model_piece(model, t, &layout, owner);
        }
        let count = self.counts.get(owner.0).and_then(|counts| counts.get(owner.1)).copied();
        let count = count.and_then(|count| usize::try_from(count).ok());
        let Some((count, node)) = count.zip(self.get(owner)) else { return Ok(()) };
        let children = vec![0; count];
        build::node_piece(node, t, &layout, &Kin { children, ..Kin::default() }, owner)?;
        let flags = node.head.flags;
        if piece.of.part != PieceKind::NODE || flags == piece.parts {
            return Ok(());
        }
        let shown = |flags: NodeFlags| Compact(&NodeFlags::SHAPE.show(field::bytes_of(&flags))).to_string();
        let (found, expected) = (shown(piece.parts), format!("{}, the flags of the node", shown(flags)));
        Err(t.error_in("parts", Fault::Unknown { found, expected }))
    }

    /// Gives a piece the bytes that it shares with another.
    fn share(&mut self, model: &mut Model, bytes: &Bytes, to: Owner) {
        if PieceKind::new(to.2) == PieceKind::EVENTS {
            if let Some(animation) = to.0.checked_sub(1).and_then(|index| model.animations.get_mut(index)) {
                animation.events.share(bytes);
            }
        } else if let Some(vector) = self.get(to).and_then(|node| node.content_mut(PieceKind::new(to.2), to.3)) {
            vector.share(bytes);
        }
    }
}

/// Extends a list to at least this length.
fn grow<T: Default>(items: &mut Vec<T>, count: usize) {
    items.resize_with(count.max(items.len()), T::default);
}

/// Lays out models whose pieces are in an order of their own.
pub(super) trait LayPieces: Direction {
    /// Lays out a model in the order of its pieces.
    fn pieces(&mut self, it: Self::At<'_, Model>) -> Result;
}

lay! {
    impl LayPieces for Tape<'_> {
        fn pieces(&mut self, it: at!(Model)) -> Result {
            let layout = PieceLayout::of(it).map_err(|fault| self.error_in("order", fault))?;
            let [model_size, raw_size] = layout.sizes;
            self.computed("model_size", at!(it.file.model_size), model_size)?;
            self.computed("raw_size", at!(it.file.raw_size), raw_size)?;
            let root = layout.place((0, 0), PieceKind::NODE).map_err(|fault| self.error_in("order", fault))?;
            self.computed("root_at", at!(it.geometry.head.root_at), root)?;
            for (animation, tree) in at!(it.animations).into_iter().zip(1..) {
                let root = layout.place((tree, 0), PieceKind::NODE).map_err(|fault| self.error_in("order", fault))?;
                self.computed("root_at", at!(animation.geometry.head.root_at), root)?;
            }
            it.file.lay(self)?;
            self.expect("order", || Some(("the order of the walk".into(), "a different order".into())));
            for (index, &length) in layout.lengths.iter().enumerate() {
                self.nth("order", index, |t| {
                    let Some(piece) = at!(it.order).into_iter().nth(index) else { return Ok(()) };
                    piece.lay(t)?;
                    let owner = piece.owner();
                    if piece.is_shared() {
                        Ok(())
                    } else if piece.is_gap() {
                        t.run("gap", Run::Surplus, length, at!(piece.gap))
                    } else if piece.of.part.is_of_model() {
                        model_piece(at!(*it), t, &layout, owner)
                    } else {
                        match layout.kin(owner).zip(node_at(at!(*it), &layout, owner)) {
                            Some((kin, node)) => node_piece(node, t, &layout, kin, owner),
                            None => Ok(()),
                        }
                    }
                })?;
            }
            self.rest("trailing", Run::Surplus, at!(it.trailing))
        }
    }

    /// Returns the node of a piece.
    fn node_at<'m>(it: at!('m Model), layout: &PieceLayout, (tree, node, part, item): Owner) -> Option<at!('m Node)> {
        match (layout.kin((tree, node, part, item))?.above, tree.checked_sub(1)) {
            (Some((above, child)), _) => {
                let above = node_at(it, layout, (tree, above, part, item))?;
                at!(above.children).into_iter().nth(child)
            }
            (None, None) => Some(at!(it.root)),
            (None, Some(animation)) => Some(at!(at!(it.animations).into_iter().nth(animation)?.root)),
        }
    }

    /// Lays out a piece of a model or an animation.
    pub(super) fn model_piece(it: at!(Model), t: &mut Tape<'_>, layout: &PieceLayout, owner: Owner) -> Result {
        let nodes = layout.trees.get(owner.0).map_or(0, |tree| wide(tree.len()));
        let (part, animations) = (PieceKind::new(owner.2), it.animations.len());
        let animation = owner.0.checked_sub(1);
        match (part, animation.and_then(|animation| at!(it.animations).into_iter().nth(animation))) {
            (PieceKind::MODEL, _) => {
                let b = layout.binder(owner, it.empties);
                t.bound(at!(*it), &b)?;
                t.model_head(it, nodes)
            }
            (PieceKind::ANIMATIONS, _) => (1..=animations).try_for_each(|tree| {
                let place = layout.place((tree, 0), PieceKind::ANIMATION).map_err(|fault| t.error(fault))?;
                t.number::<U32>("animation", place).map(drop)
            }),
            (PieceKind::ANIMATION, Some(animation)) => {
                let b = layout.binder(owner, animation.empties);
                t.bound(at!(*animation), &b)?;
                t.animation_head(animation, nodes)
            }
            (PieceKind::EVENTS, Some(animation)) => t.events(animation),
            _ => Ok(()),
        }
    }

    /// Lays out a piece of a node.
    pub(super) fn node_piece(it: at!(Node), t: &mut Tape<'_>, layout: &PieceLayout, kin: &Kin, owner: Owner) -> Result {
        match PieceKind::new(owner.2) {
            PieceKind::CHILDREN => kin.children.iter().try_for_each(|&child| {
                let place = layout.place((owner.0, child), PieceKind::NODE).map_err(|fault| t.error(fault))?;
                t.number::<U32>("child", place).map(drop)
            }),
            PieceKind::NODE => {
                let b = layout.binder(owner, it.empties);
                t.node(it, &b, owner.0 > 0, kin.number)
            }
            part => t.node_part(it, part, Some(owner.3)),
        }
    }
}

#[cfg(test)]
mod tests {
    use bitflags::Flags as _;
    use json::recompute::fill_in;

    use super::super::Vec3;
    use super::super::aabb_tree::{AabbTree, BoxHeader, Entry};
    use super::super::mesh::{Corner, List, Mesh};
    use super::super::node::NodeHeader;
    use super::super::parts::{Flare, Light};
    use super::super::pointers::HANDED_OUT;
    use super::super::read::PIECE;
    use super::*;
    use field::Block;

    #[test]
    fn a_piece_without_a_place_is_an_error_except_while_a_model_is_loaded() {
        let place = |layout: PieceLayout| layout.place((0, 1), PieceKind::NODE);
        let fault =
            place(PieceLayout { is_laid_out: true, ..PieceLayout::default() }).expect_err("has no place").to_string();
        assert!(fault.contains("NODE of node 1 of tree 0"), "{fault}");
        assert_eq!(place(PieceLayout::default()), Ok(0));
    }

    /// Returns a model with this many items of each part that has any, whose pieces are in the order of the walk but kept.
    fn many(items: usize) -> Model {
        let light = Light { flares: vec![Flare::default(); items], ..Light::default() };
        let lists = vec![List { vertices: vec![Corner::default(); 3].into(), ..List::default() }; items];
        // Each box contains a face and the next box.
        let entry = |half: usize| {
            let face = if half.is_multiple_of(2) && half + 1 < items { -1 } else { 0 };
            Entry { head: BoxHeader { face: face.into(), ..BoxHeader::default() }, ..Entry::default() }
        };
        let mesh_type = MeshType::Aabb(AabbTree { entries: (0..items).map(entry).collect(), ..AabbTree::default() });
        let mesh = Mesh { lists, mesh_type, ..Mesh::default() };
        let flags = NodeFlags::all().difference(NodeFlags::MESH_TYPES).union(NodeFlags::AABB);
        let head = NodeHeader { flags, ..NodeHeader::default() };
        let mut node = Node { head, light: Some(light.into()), mesh: Some(mesh.into()), ..Node::default() };
        (node.emitter, node.reference) = (Some(Box::default()), Some(Box::default()));
        node.children = vec![Node { head: NodeHeader { flags: NodeFlags::HEADER, ..head }, ..Node::default() }; items];
        let mut model = Model { root: node, ..Model::default() };
        let [mut data, mut raw] = [Vec::new(), Vec::new()];
        owners(&model, &mut |owner| {
            let section = if PieceKind::new(owner.2).is_raw() { &mut raw } else { &mut data };
            section.push(Piece::new(Whose::new(owner)));
        });
        data.append(&mut raw);
        model.order = data;
        model
    }

    /// Returns a model of three meshes with the same vertices, whose pieces are in this order of parts of nodes, some of them shared.
    fn meshes(order: &[(PieceKind, usize, bool)]) -> Model {
        let head = |flags| NodeHeader { flags, ..NodeHeader::default() };
        let mut mesh = Mesh::default();
        mesh.streams.vertices = vec![Vec3::default(); 3].into();
        let flags = NodeFlags::HEADER.union(NodeFlags::MESH);
        let child = Node { head: head(flags), mesh: Some(mesh.into()), ..Node::default() };
        let root = Node { head: head(NodeFlags::HEADER), children: vec![child; 3], ..Node::default() };
        let pieces = order.iter().map(|&(part, node, shared)| Piece {
            shared: shared.into(),
            ..Piece::new(Whose::new((0, node, part.get(), 0)))
        });
        Model { root, order: pieces.collect(), ..Model::default() }
    }

    /// The pieces of [`meshes`] in the model data, in the order of the walk.
    const DATA: [(PieceKind, usize, bool); 6] = [
        (PieceKind::MODEL, 0, false),
        (PieceKind::NODE, 0, false),
        (PieceKind::CHILDREN, 0, false),
        (PieceKind::NODE, 1, false),
        (PieceKind::NODE, 2, false),
        (PieceKind::NODE, 3, false),
    ];

    /// Edits a model of [meshes](meshes) that share their vertices, then returns its pieces in the raw data, and the model as read again.
    fn edited(edit: impl FnOnce(&mut [Node])) -> (Vec<(PieceKind, usize, bool)>, Model) {
        let shared = [1, 2, 3].map(|node| (PieceKind::VERTICES, node, node > 1));
        let mut model = meshes(&[DATA.as_slice(), &shared].concat());
        edit(&mut model.root.children);
        let bytes = json::recompute::encode_edited(&mut model).expect("a file");
        let pieces = model.order.iter().filter(|piece| piece.of.part.is_raw());
        let pieces = pieces.map(|piece| (piece.of.part, piece.owner().1, piece.is_shared())).collect();
        let again = field::decode::<Model>(bytes).expect("a model").model;
        assert!(again.root == model.root, "{pieces:?}");
        (pieces, again)
    }

    fn mesh(node: &mut Node) -> &mut Mesh {
        node.mesh.as_mut().expect("a mesh")
    }

    #[test]
    fn new_pieces_come_after_all_that_share_one_piece() {
        let (vertices, normals, colors) = (PieceKind::VERTICES, PieceKind::NORMALS, PieceKind::COLORS);
        let shared = [(vertices, 1, false), (vertices, 2, true), (vertices, 3, true)];
        let (pieces, again) = edited(|nodes| {
            let [first, second, _] = nodes else { panic!("three meshes") };
            mesh(first).streams.normals = vec![[1.0.into(); 3]; 3].into();
            mesh(first).streams.colors = vec![[5.into(); 4]; 3].into();
            mesh(second).streams.colors = vec![[7.into(); 4]; 3].into();
        });
        assert_eq!(pieces, [&shared[..], &[(normals, 1, false), (colors, 1, false), (colors, 2, false)]].concat());
        let kept: Vec<bool> = again.order.iter().map(Piece::is_shared).filter(|shared| *shared).collect();
        assert_eq!(kept.len(), 2, "two pieces are shared in the file");
    }

    #[test]
    fn next_piece_owns_the_bytes_of_a_removed_owner() {
        let vertices = PieceKind::VERTICES;
        let (pieces, _) = edited(|nodes| mesh(&mut nodes[0]).streams.vertices = Block::default());
        assert_eq!(pieces, [(vertices, 2, false), (vertices, 3, true)]);
        let (pieces, _) = edited(|nodes| {
            nodes[..2].iter_mut().for_each(|node| mesh(node).streams.vertices = Block::default());
        });
        assert_eq!(pieces, [(vertices, 3, false)]);
        let (pieces, _) = edited(|nodes| mesh(&mut nodes[1]).streams.vertices = Block::default());
        assert_eq!(pieces, [(vertices, 1, false), (vertices, 3, true)]);
        // The new piece is before all others in the raw data.
        let (pieces, _) = edited(|nodes| {
            mesh(&mut nodes[0]).streams.vertices = Block::default();
            mesh(&mut nodes[0]).lists = vec![List { vertices: vec![Corner::default(); 3].into(), ..List::default() }];
        });
        assert_eq!(pieces, [(PieceKind::LIST, 1, false), (vertices, 2, false), (vertices, 3, true)]);
    }

    #[test]
    fn pieces_of_unknown_parts_are_removed() {
        let mut model = many(3);
        let expected = model.order.clone();
        let unknown = |part: u8| Piece::new(Whose::new((0, 0, part, 0)));
        model.order.splice(5..5, (0..=u8::MAX).map(unknown).filter(|piece| piece.of.part.name().is_none()));
        for piece in &model.order {
            let is_unknown = piece.of.part.name().is_none();
            assert!(!is_unknown || model.root.content(piece.of.part, 0).is_none(), "{:?}", piece.of);
        }
        fill_in(&mut model).expect("a model");
        let owners = |order: &[Piece]| order.iter().map(Piece::owner).collect::<Vec<_>>();
        assert_eq!(owners(&model.order), owners(&expected));
    }

    #[test]
    fn laying_out_pieces_takes_no_more_memory_than_is_charged() {
        let mut model = many(1001);
        let pieces = u64::try_from(model.order.len()).expect("a number");
        let each = |job: &mut dyn FnMut()| allocation_counter::measure(job).bytes_max.div_ceil(pieces);
        let unchanged = each(&mut || fill_in(&mut model).expect("a model")) + wide(size_of::<Piece>());
        assert!(unchanged <= PIECE, "{unchanged} bytes for each piece that was read, {PIECE} charged");
        let expected = core::mem::take(&mut model.order);
        model.order = expected.iter().filter(|piece| piece.of.part == PieceKind::NODE).cloned().collect();
        let added = each(&mut || assert_eq!(reconcile(&mut model), None));
        assert_eq!(model.order.len(), expected.len());
        assert!(added <= PIECE, "{added} bytes for each new piece, {PIECE} charged");
    }

    #[test]
    fn each_piece_is_found_in_constant_time() {
        let [once, twice] = [1001, 2001].map(|items| {
            let mut model = many(items);
            HANDED_OUT.set(0);
            fill_in(&mut model).expect("a model");
            let bytes = field::walk::encode(&model).expect("a file");
            let read = field::decode::<Model>(bytes).expect("a model").model;
            assert!(read.root == model.root && read.order.is_empty(), "{items} items are read back");
            HANDED_OUT.get()
        });
        assert!((10_000..once * 2).contains(&twice), "{once} parts for 1001 items, {twice} for 2001");
    }

    #[test]
    fn loaded_trees_have_a_root() {
        assert_eq!(check_tree(&[]), Err(ROOTLESS));
        assert_eq!(check_tree(&[0]), Ok(()));
    }

    #[test]
    fn loaded_trees_are_limited_in_depth() {
        let chain = |levels: usize| {
            let mut counts = vec![1; levels];
            counts.pop();
            counts.push(0);
            check_tree(&counts)
        };
        assert_eq!(chain(limits::NODES), Ok(()));
        assert_eq!(chain(limits::NODES + 1), Err(Fault::TooDeep { limit: limits::NODES }));
    }
}
