//! Lays a model piece by piece, in an order of its own.

use std::collections::HashMap;

use crate::field::{Fault, Result, Run, Step, Tape, U32, limits, wide};

use super::find::{Found, find};
use super::header::Animation;
use super::model::{MODEL, Model};
use super::node::{Aspect, Node, Vector, Walk};
use super::order::{self, Piece, owners, reconcile};
use super::place::{Binder, Owner, Part, Way};
use super::sorts::{Bones, Sort};

/// The nodes of a tree in preorder, apart from one another.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The children of each.
    pub(super) children: Vec<Vec<usize>>,
}

/// The nodes of a model: the geometry, then the animations.
#[derive(Debug, Default)]
pub(super) struct Flat {
    pub(super) trees: Vec<Tree>,
}

impl Tree {
    fn of(root: Node) -> Self {
        let mut tree = Self::default();
        tree.add(root);
        tree
    }

    fn add(&mut self, mut node: Node) -> usize {
        let index = self.nodes.len();
        let children = core::mem::take(&mut node.children);
        self.nodes.push(node);
        self.children.push(Vec::new());
        let children = children.into_iter().map(|child| self.add(child)).collect();
        if let Some(slot) = self.children.get_mut(index) {
            *slot = children;
        }
        index
    }

    /// Finds the children of each node by how many they are.
    fn link(&mut self, counts: &[u32]) -> core::result::Result<(), Fault> {
        let mut waiting: Vec<usize> = Vec::new();
        let mut levels: Vec<usize> = Vec::with_capacity(counts.len());
        for (node, &count) in counts.iter().enumerate() {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            let parent = waiting.pop();
            if let Some(children) = parent.and_then(|parent| self.children.get_mut(parent)) {
                children.push(node);
            }
            // A node without a parent, or a parent without so many nodes behind it.
            let left = self.nodes.len().saturating_sub(node).saturating_sub(1);
            if (parent.is_none() && node > 0) || waiting.len().saturating_add(count) > left {
                return Err(Fault::Count { expected: wide(node), found: wide(self.nodes.len()) });
            }
            waiting.extend(core::iter::repeat_n(node, count));
            let level = parent.and_then(|parent| levels.get(parent)).map_or(0, |level| level.saturating_add(1));
            if level >= limits::NODES {
                return Err(Fault::TooDeep { limit: limits::NODES });
            }
            levels.push(level);
        }
        Ok(())
    }

    /// The root, with all nodes below it again.
    fn root(self) -> Node {
        let mut nodes: Vec<Option<Node>> = self.nodes.into_iter().map(Some).collect();
        for (index, children) in self.children.iter().enumerate().rev() {
            // Children stand behind their parent, and so are whole.
            let children = children.iter().filter_map(|&child| nodes.get_mut(child)?.take()).collect();
            if let Some(Some(node)) = nodes.get_mut(index) {
                node.children = children;
            }
        }
        nodes.into_iter().next().flatten().unwrap_or_default()
    }
}

impl Flat {
    /// Takes the nodes of a model apart.
    fn of(model: &mut Model) -> Self {
        let root = core::mem::take(&mut model.root);
        let animations = model.animations.iter_mut().map(|animation| core::mem::take(&mut animation.root));
        Self { trees: core::iter::once(root).chain(animations).map(Tree::of).collect() }
    }

    /// Puts them together again.
    fn put(self, model: &mut Model) {
        let mut roots = self.trees.into_iter().map(Tree::root);
        model.root = roots.next().unwrap_or_default();
        model.animations.iter_mut().zip(roots).for_each(|(animation, root)| animation.root = root);
    }

    pub(super) fn node_mut(&mut self, (tree, node, ..): Owner) -> Option<&mut Node> {
        self.trees.get_mut(tree)?.nodes.get_mut(node)
    }

    /// Lets the piece of a node say what that has.
    fn describe(&mut self, piece: &mut Piece) {
        if piece.of.part == Part::NODE {
            let owner = piece.owner();
            piece.children.set(self.children(owner).len().try_into().unwrap_or(u32::MAX));
            piece.parts = self.node_mut(owner).map(|node| node.head.flags).unwrap_or_default();
        }
    }

    fn children(&self, (tree, node, ..): Owner) -> &[usize] {
        self.trees.get(tree).and_then(|tree| tree.children.get(node)).map_or(&[], Vec::as_slice)
    }
}

/// Where pieces lie, and what the rules say of nodes.
#[derive(Default)]
struct Plan {
    places: HashMap<Owner, u64>,
    /// The first node of each tree among all, the animations before the geometry.
    first: Vec<usize>,
    numbers: Vec<Option<i32>>,
}

impl Plan {
    fn number(&self, (tree, node, ..): Owner) -> Option<i32> {
        let index = self.first.get(tree)?.checked_add(node)?;
        self.numbers.get(index).copied().flatten()
    }
}

impl Model {
    /// In read mode, finds everything by its pointers, and keeps the order in which it lies.
    pub(super) fn read_order(&mut self, t: &mut Tape<'_>) -> Result {
        self.lay_file_head(t)?;
        let Found { mut flat, order } = find(t, self)?;
        let plan = Plan::default();
        let mut pieces = Vec::with_capacity(order.len());
        for (mut piece, length) in order {
            if !bool::from(piece.shared) {
                t.window(length, |t| self.lay_piece(t, &mut flat, &plan, &mut piece, length))?;
            } else {
                let before = pieces.iter().rev().find(|piece: &&Piece| !bool::from(piece.shared));
                self.copy_shared(&mut flat, before, &piece);
            }
            pieces.push(piece);
        }
        t.rest("trailing", Run::Surplus, &mut self.trailing)?;
        self.bind_all(&mut flat, Way::Strip).map_err(|fault| t.error(fault))?;
        pieces.iter_mut().for_each(|piece| flat.describe(piece));
        flat.put(self);
        self.keep();
        let owners = owners(self);
        let orderly = pieces.iter().all(|piece| !piece.is_gap() && !bool::from(piece.shared))
            && pieces.iter().map(Piece::owner).eq(owners.into_iter().flatten());
        if orderly {
            self.sort()
        } else {
            self.order = pieces;
        }
        Ok(())
    }

    /// Goes through all pointers of structures.
    fn bind_all(&mut self, flat: &mut Flat, way: Way<'_>) -> core::result::Result<(), Fault> {
        self.bind(&mut Binder::new(way, 0, 0))?;
        for (animation, tree) in self.animations.iter_mut().zip(1..) {
            animation.bind(&mut Binder { owner: (tree, 0), ..Binder::new(way, 0, 0) })?;
        }
        for (index, tree) in flat.trees.iter_mut().enumerate() {
            for (node, (it, children)) in tree.nodes.iter_mut().zip(&tree.children).enumerate() {
                it.bind(&mut Binder { owner: (index, node), ..Binder::new(way, 0, 0) }, children.len(), 0)?;
                if matches!(way, Way::Strip) {
                    it.unordered = (!super::controllers::ordered(&it.keys)).into();
                }
            }
        }
        Ok(())
    }

    /// Pointers of empty things that point to where these would be by the walk are no strays.
    fn sort(&mut self) {
        let mut walk = Walk::default();
        // A place cannot fail to be written here, for nothing is written.
        let _ = self.bind(&mut Binder::new(Way::Sort, MODEL, 0));
        let mut at = MODEL.saturating_add(wide(self.animations.len()).saturating_mul(4));
        let (mut raw, mut next) = (0, 0);
        for Animation { root, events, .. } in &mut self.animations {
            let _ = root.measure(false, &mut walk);
            at = at.saturating_add(Animation::SIZE).saturating_add(wide(events.bytes().len()));
            sort(root, &walk.extents, &mut next, &mut at, &mut raw);
        }
        let _ = self.root.measure(false, &mut walk);
        sort(&mut self.root, &walk.extents, &mut next, &mut at, &mut raw);
        for animation in &mut self.animations {
            // Events without any have never been seen but with a null pointer.
            let _ = animation.bind(&mut Binder::new(Way::Sort, u64::MAX, 0));
        }
    }

    /// Lays everything in the order of the pieces.
    pub(super) fn lay_order(&mut self, t: &mut Tape<'_>) -> Result {
        if t.loading() {
            return self.load_order(t);
        }
        let owners = owners(self);
        let mut order = core::mem::take(&mut self.order);
        let was = t.settling().then(|| order::shown(&order));
        if let Some([expected, found]) = reconcile(&mut order, &owners).map(|counts| counts.map(wide)) {
            self.order = order;
            // Whose a piece is, is told by the number of its node.
            return Err(t.error_in("order", Fault::Count { expected, found }));
        }
        if let Some(was) = was {
            t.tell_value(t.place().with([Step::Name("order")]), was, order::shown(&order));
        }
        let numbers = self.numbers(false);
        let mut flat = Flat::of(self);
        let outcome = self.lay_pieces(t, &mut flat, &mut order, numbers);
        flat.put(self);
        self.order = order;
        outcome
    }

    fn lay_pieces(
        &mut self,
        t: &mut Tape<'_>,
        flat: &mut Flat,
        order: &mut [Piece],
        numbers: Vec<Option<i32>>,
    ) -> Result {
        let mut plan = Plan { numbers, ..Plan::default() };
        let nodes: Vec<usize> = flat.trees.iter().map(|tree| tree.nodes.len()).collect();
        let before = |tree: usize| nodes.get(1..tree).unwrap_or_default().iter().sum();
        plan.first = (0..nodes.len()).map(|tree| before(if tree == 0 { nodes.len() } else { tree })).collect();
        for (index, tree) in flat.trees.iter_mut().enumerate() {
            for (node, it) in tree.nodes.iter_mut().enumerate() {
                it.settle(index > 0, plan.number((index, node, 0, 0)));
            }
        }
        let mut ends = [0_u64; 2];
        let mut lengths = Vec::with_capacity(order.len());
        let mut last: Option<(Owner, u64)> = None;
        for piece in order.iter_mut() {
            flat.describe(piece);
            let length = self.length(flat, piece);
            let [model, raw] = &mut ends;
            let end = if piece.of.part.is_raw() { raw } else { model };
            match last {
                Some((owner, at)) if bool::from(piece.shared) => {
                    if self.content(flat, owner) != self.content(flat, piece.owner()) {
                        let expected = "what the piece before holds, for they are the same bytes".to_owned();
                        let found = format!("other {}", piece.of.part.name().unwrap_or("bytes"));
                        return Err(t.error_in("order", Fault::Unknown { found, expected }));
                    }
                    plan.places.insert(piece.owner(), at);
                }
                _ => {
                    if !piece.is_gap() {
                        plan.places.insert(piece.owner(), *end);
                        last = Some((piece.owner(), *end));
                    }
                    *end = end.saturating_add(length);
                }
            }
            lengths.push(length);
        }
        let place = |owner: Owner| plan.places.get(&owner).copied().unwrap_or_default();
        let offset = |value: u64| super::place::offset(value).map_err(|fault| t.error(fault));
        let [model_size, raw_size] = ends;
        (self.file.model_size, self.file.raw_size) = (offset(model_size)?, offset(raw_size)?);
        self.geometry.head.root_at = offset(place((0, 0, Part::NODE.get(), 0)))?;
        for (animation, tree) in self.animations.iter_mut().zip(1..) {
            animation.geometry.head.root_at = offset(place((tree, 0, Part::NODE.get(), 0)))?;
        }
        self.bind_all(flat, Way::Place(&plan.places)).map_err(|fault| t.error(fault))?;
        self.lay_file_head(t)?;
        t.expect("order", || Some(("the order of the walk".into(), "another".into())));
        for (index, (piece, length)) in order.iter_mut().zip(lengths).enumerate() {
            t.nth("order", index, |t| {
                piece.lay_facts(t)?;
                if bool::from(piece.shared) { Ok(()) } else { self.lay_piece(t, flat, &plan, piece, length) }
            })?;
        }
        t.rest("trailing", Run::Surplus, &mut self.trailing)
    }

    /// How long a piece is.
    fn length(&self, flat: &mut Flat, piece: &Piece) -> u64 {
        let owner = piece.owner();
        let children = flat.children(owner).len();
        match piece.of.part {
            Part::GAP | Part::RAW_GAP => wide(piece.gap.len()),
            Part::MODEL => MODEL,
            Part::ANIMATIONS => wide(self.animations.len()).saturating_mul(4),
            Part::ANIMATION => Animation::SIZE,
            Part::EVENTS => self.animation(owner).map_or(0, |animation| wide(animation.events.bytes().len())),
            Part::NODE => flat.node_mut(owner).map_or(0, |node| node.size()),
            Part::CHILDREN => wide(children).saturating_mul(4),
            part => flat.node_mut(owner).map_or(0, |node| node.bytes(part, owner.3)),
        }
    }

    fn animation(&self, owner: Owner) -> Option<&Animation> {
        self.animations.get(owner.0.checked_sub(1)?)
    }

    /// What a piece holds that others can hold as well.
    fn content(&self, flat: &mut Flat, owner: Owner) -> Vec<u8> {
        let part = Part::new(owner.2);
        if part == Part::EVENTS {
            return self.animation(owner).map(|animation| animation.events.bytes().to_vec()).unwrap_or_default();
        }
        let content = flat.node_mut(owner).and_then(|node| node.content(part, owner.3));
        content.map(|vector| vector.bytes().to_vec()).unwrap_or_default()
    }

    /// Gives a piece what the one holds whose bytes it shares.
    fn copy_shared(&mut self, flat: &mut Flat, before: Option<&Piece>, piece: &Piece) {
        let Some(before) = before else { return };
        let content = self.content(flat, before.owner());
        let owner = piece.owner();
        if piece.of.part == Part::EVENTS {
            if let Some(animation) = owner.0.checked_sub(1).and_then(|index| self.animations.get_mut(index)) {
                animation.events.set(&content);
            }
        } else if let Some(vector) = flat.node_mut(owner).and_then(|node| node.content(piece.of.part, owner.3)) {
            vector.set(&content);
        }
    }

    fn lay_piece(&mut self, t: &mut Tape<'_>, flat: &mut Flat, plan: &Plan, piece: &mut Piece, length: u64) -> Result {
        let owner = piece.owner();
        let nodes = flat.trees.get(owner.0).map_or(0, |tree| wide(tree.nodes.len()));
        let place = |tree: usize, node: usize, part: Part| {
            plan.places.get(&(tree, node, part.get(), 0)).copied().unwrap_or_default()
        };
        let animation = owner.0.checked_sub(1);
        match piece.of.part {
            Part::GAP | Part::RAW_GAP => t.run("gap", Run::Surplus, length, &mut piece.gap),
            Part::MODEL => self.structure(t, nodes),
            Part::ANIMATIONS => (1..=self.animations.len()).try_for_each(|tree| {
                t.counted("animation", &mut U32::default(), Some(place(tree, 0, Part::ANIMATION)))
            }),
            Part::ANIMATION => {
                let animation = animation.and_then(|index| self.animations.get_mut(index));
                animation.map_or(Ok(()), |animation| animation.structure(t, nodes))
            }
            Part::EVENTS => {
                let animation = animation.and_then(|index| self.animations.get_mut(index));
                animation.map_or(Ok(()), |animation| animation.lay_events(t))
            }
            Part::CHILDREN => flat.children(owner).iter().try_for_each(|&child| {
                t.counted("child", &mut U32::default(), Some(place(owner.0, child, Part::NODE)))
            }),
            Part::NODE => {
                let children = flat.children(owner).len();
                let Some(node) = flat.node_mut(owner) else { return Ok(()) };
                let mut ideal = None;
                if t.judging() && node.empties.odd() {
                    let mut b = Binder { owner: (owner.0, owner.1), ..Binder::new(Way::Place(&plan.places), 0, 0) };
                    ideal = Some(node.ideal(&mut b, children, 0).map_err(|fault| t.error(fault))?);
                }
                let number = plan.number(owner);
                let aspect = Aspect { animated: owner.0 > 0, bones: Bones::Rest, rules: ideal.as_ref(), number };
                node.structure(t, &aspect)
            }
            part => flat.node_mut(owner).map_or(Ok(()), |node| node.part(t, part, Some(owner.3))),
        }
    }

    /// In load mode, fills the pieces that the exchange form has, in their order.
    fn load_order(&mut self, t: &mut Tape<'_>) -> Result {
        self.lay_file_head(t)?;
        let mut order = vec![Piece::default(); t.given("order")?];
        for (index, piece) in order.iter_mut().enumerate() {
            t.nth("order", index, |t| piece.lay_facts(t))?;
        }
        let mut flat = self.make_room(t, &order)?;
        for (index, piece) in order.iter_mut().enumerate() {
            if !bool::from(piece.shared) {
                t.nth("order", index, |t| {
                    self.lay_piece(t, &mut flat, &Plan::default(), piece, 0)?;
                    piece.check(t, flat.node_mut(piece.owner()))
                })?;
            }
        }
        for (before, piece) in owned(&order) {
            self.copy_shared(&mut flat, Some(before), piece);
        }
        flat.put(self);
        self.order = order;
        t.rest("trailing", Run::Surplus, &mut self.trailing)
    }

    /// In load mode, makes as many animations and nodes as there are pieces of them.
    fn make_room(&mut self, t: &Tape<'_>, order: &[Piece]) -> Result<Flat> {
        let of = |part: Part| order.iter().filter(move |piece| piece.of.part == part).map(Piece::owner);
        let mut nodes = vec![0_usize; of(Part::ANIMATION).count().saturating_add(1)];
        self.animations = vec![Animation::default(); nodes.len().saturating_sub(1)];
        let missing = |(tree, node, ..): Owner| {
            let found = format!("node {node} of tree {tree}");
            t.error_in("order", Fault::Unknown { found, expected: "pieces of all before it".to_owned() })
        };
        for owner in of(Part::NODE) {
            *nodes.get_mut(owner.0).ok_or_else(|| missing(owner))? += 1;
        }
        let beyond = of(Part::NODE).find(|owner| nodes.get(owner.0).is_none_or(|&nodes| owner.1 >= nodes));
        beyond.map_or(Ok(()), |owner| Err(missing(owner)))?;
        let tree = |&nodes: &usize| Tree { nodes: vec![Node::default(); nodes], children: vec![Vec::new(); nodes] };
        let mut flat = Flat { trees: nodes.iter().map(tree).collect() };
        let mut counts: Vec<Vec<u32>> = nodes.iter().map(|&nodes| vec![0; nodes]).collect();
        for piece in order.iter().filter(|piece| piece.of.part == Part::NODE) {
            let owner = piece.owner();
            if let Some(count) = counts.get_mut(owner.0).and_then(|counts| counts.get_mut(owner.1)) {
                *count = piece.children.get();
            }
            if let Some(node) = flat.node_mut(owner) {
                node.head.flags = piece.parts;
                node.make_parts(t)?;
            }
        }
        for (tree, counts) in flat.trees.iter_mut().zip(counts) {
            tree.link(&counts).map_err(|fault| t.error_in("order", fault))?;
        }
        order.iter().for_each(|piece| make_item(&mut flat, piece.owner(), order.len()));
        Ok(flat)
    }
}

/// In load mode, makes an item that a piece is of.
/// There are no more items than pieces.
fn make_item(flat: &mut Flat, owner: Owner, pieces: usize) {
    let Some(node) = flat.node_mut(owner) else { return };
    let count = owner.3.saturating_add(1).min(pieces);
    match (Part::new(owner.2), &mut node.light, &mut node.mesh) {
        (Part::FLARE, Some(light), _) if light.flares.len() < count => {
            light.flares.resize_with(count, Default::default)
        }
        (Part::LIST, _, Some(mesh)) if mesh.lists.len() < count => mesh.lists.resize_with(count, Default::default),
        (Part::BOX, _, Some(mesh)) => {
            if let Sort::Boxes(boxes) = &mut mesh.sort
                && boxes.entries.len() < count
            {
                boxes.entries.resize_with(count, Default::default);
            }
        }
        _ => {}
    }
}

/// The pieces that share the bytes of another, behind that.
fn owned(order: &[Piece]) -> impl Iterator<Item = (&Piece, &Piece)> {
    let mut owner = None;
    order.iter().filter_map(move |piece| {
        if bool::from(piece.shared) {
            return Some((owner?, piece));
        }
        owner = Some(piece);
        None
    })
}

fn sort(node: &mut Node, extents: &[super::node::Extent], next: &mut usize, at: &mut u64, raw: &mut u64) {
    let extent = extents.get(*next).copied().unwrap_or_default();
    *next = next.saturating_add(1);
    let end = at.saturating_add(extent.bytes);
    let model = at.saturating_add(node.size());
    let mut b = Binder::new(Way::Sort, model, *raw);
    let children = node.children.len();
    let _ = node.bind(&mut b, children, extent.below);
    *raw = b.raw;
    let values = wide(node.keys.bytes().len()).saturating_add(wide(node.data.bytes().len()));
    *at = end.saturating_sub(values).saturating_sub(extent.below);
    for child in &mut node.children {
        sort(child, extents, next, at, raw);
    }
    *at = end;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_lie_as_deep_in_one_another_as_in_a_file() {
        let chain = |levels: usize| {
            let mut tree = Tree { nodes: vec![Node::default(); levels], children: vec![Vec::new(); levels] };
            let mut counts = vec![1; levels];
            counts.pop();
            counts.push(0);
            tree.link(&counts)
        };
        assert_eq!(chain(limits::NODES), Ok(()));
        assert_eq!(chain(limits::NODES + 1), Err(Fault::TooDeep { limit: limits::NODES }));
    }
}
