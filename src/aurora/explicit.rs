//! Lays a model piece by piece, in an order of its own.

use std::collections::HashMap;

use crate::field::build::Tape;
use crate::field::{Fault, Lay as _, Result, Run, Step, U32, fill_in, lay, limits, wide};

use super::find::{Found, find};
use super::header::Animation;
use super::model::{MODEL, Model};
use super::node::{Aspect, Node, NodeFlags, Vector, Walk};
use super::numbers::preorder;
use super::order::{self, Piece, owners, reconcile};
use super::place::{Binder, Owner, Part, Way, unsettled};
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
    /// Puts them together.
    fn put(self, model: &mut Model) {
        let mut roots = self.trees.into_iter().map(Tree::root);
        model.root = roots.next().unwrap_or_default();
        model.animations.iter_mut().zip(roots).for_each(|(animation, root)| animation.root = root);
    }

    pub(super) fn node_mut(&mut self, (tree, node, ..): Owner) -> Option<&mut Node> {
        self.trees.get_mut(tree)?.nodes.get_mut(node)
    }

    fn children(&self, (tree, node, ..): Owner) -> &[usize] {
        self.trees.get(tree).and_then(|tree| tree.children.get(node)).map_or(&[], Vec::as_slice)
    }
}

/// Where pieces lie, and what the rules say of nodes.
#[derive(Default)]
struct Plan {
    places: HashMap<Owner, u64>,
    /// How long each piece is, in their order.
    lengths: Vec<u64>,
    /// Bytes of the model data and of the raw data.
    sizes: [u64; 2],
    /// The nodes of the geometry, then of the animations, each in preorder.
    trees: Vec<Vec<Kin>>,
}

/// What is known of a node in its tree.
#[derive(Default)]
struct Kin {
    /// Which child leads to it, level by level.
    path: Vec<usize>,
    /// The nodes right below it.
    children: Vec<usize>,
    /// Its part number by the rules.
    number: Option<i32>,
}

impl Plan {
    fn of(model: &Model) -> core::result::Result<Self, Fault> {
        let mut numbers = model.numbers(false).into_iter();
        let mut animations: Vec<Vec<Kin>> =
            model.animations.iter().map(|animation| kin(&animation.root, &mut numbers)).collect();
        animations.insert(0, kin(&model.root, &mut numbers));
        let mut plan = Self { trees: animations, ..Self::default() };
        let nodes: Vec<Vec<&Node>> = core::iter::once(&model.root)
            .chain(model.animations.iter().map(|animation| &animation.root))
            .map(|root| preorder(root).collect())
            .collect();
        let node = |owner: Owner| nodes.get(owner.0)?.get(owner.1).copied();
        let mut last: Option<(Owner, u64)> = None;
        for piece in &model.order {
            let owner = piece.owner();
            let length = model.length(node(owner), piece);
            let [model_end, raw_end] = &mut plan.sizes;
            let end = if piece.of.part.is_raw() { raw_end } else { model_end };
            match last {
                Some((before, at)) if bool::from(piece.shared) => {
                    if model.content(node(before), before) != model.content(node(owner), owner) {
                        let expected = "the contents of the piece before, which are the same bytes".to_owned();
                        let found = format!("different {}", piece.of.part.name().unwrap_or("bytes"));
                        return Err(Fault::Unknown { found, expected });
                    }
                    plan.places.insert(owner, at);
                }
                _ => {
                    if !piece.is_gap() {
                        plan.places.insert(owner, *end);
                        last = Some((owner, *end));
                    }
                    *end = end.saturating_add(length);
                }
            }
            plan.lengths.push(length);
        }
        Ok(plan)
    }

    fn kin(&self, (tree, node, ..): Owner) -> Option<&Kin> {
        self.trees.get(tree)?.get(node)
    }

    /// Where a piece lies: nowhere while nothing is written.
    fn place(&self, (tree, node): (usize, usize), part: Part) -> u64 {
        self.places.get(&(tree, node, part.get(), 0)).copied().unwrap_or_default()
    }
}

/// What is known of the nodes of a tree.
fn kin(root: &Node, numbers: &mut impl Iterator<Item = Option<i32>>) -> Vec<Kin> {
    let mut all: Vec<Kin> = Vec::new();
    // The nodes still to come, the next at the end: each with its parent, and which child of that it is.
    let mut waiting = vec![(root, None::<(usize, usize)>)];
    while let Some((node, parent)) = waiting.pop() {
        let index = all.len();
        let mut path = Vec::new();
        if let Some((parent, child)) = parent
            && let Some(parent) = all.get_mut(parent)
        {
            parent.children.push(index);
            path.clone_from(&parent.path);
            path.push(child);
        }
        all.push(Kin { path, children: Vec::new(), number: numbers.next().flatten() });
        waiting.extend(node.children.iter().enumerate().rev().map(|(child, node)| (node, Some((index, child)))));
    }
    all
}

/// Goes through the pointers of a node and of all below it.
fn bind_tree(node: &mut Node, tree: usize, next: &mut usize, way: Way<'_>) -> core::result::Result<(), Fault> {
    let owner = (tree, *next);
    *next = next.saturating_add(1);
    let children = node.children.len();
    node.bind(&mut Binder { owner, ..Binder::new(way, 0, 0) }, children, 0)?;
    node.children.iter_mut().try_for_each(|child| bind_tree(child, tree, next, way))
}

impl Model {
    /// In read mode, finds everything by its pointers, and keeps the order in which it lies.
    pub(super) fn read_order(&mut self, t: &mut Tape<'_>) -> Result {
        t.file_head(self)?;
        let Found { mut flat, order } = find(t, self)?;
        let mut pieces = Vec::with_capacity(order.len());
        for (mut piece, length) in order {
            if !bool::from(piece.shared) {
                t.window(length, |t| self.lay_flat(t, &mut flat, &mut piece, length))?;
            } else {
                let before = pieces.iter().rev().find(|piece: &&Piece| !bool::from(piece.shared));
                self.copy_shared(&mut flat, before, &piece);
            }
            pieces.push(piece);
        }
        t.rest("trailing", Run::Surplus, &mut self.trailing)?;
        flat.trees.iter_mut().flat_map(|tree| &mut tree.nodes).for_each(|node| {
            node.unordered = (!super::controllers::ordered(&node.keys)).into();
        });
        flat.put(self);
        self.bind_all(Way::Strip).map_err(|fault| t.error(fault))?;
        self.keep();
        let owners = owners(self);
        let orderly = pieces.iter().all(|piece| !piece.is_gap() && !bool::from(piece.shared))
            && pieces.iter().map(Piece::owner).eq(owners.into_iter().flatten());
        if orderly {
            self.sort();
        } else {
            self.order = pieces;
            self.describe();
        }
        // What was read of pointers has told all that it could.
        fill_in(self)
    }

    /// Goes through all pointers of structures.
    fn bind_all(&mut self, way: Way<'_>) -> core::result::Result<(), Fault> {
        self.bind(&mut Binder::new(way, 0, 0))?;
        bind_tree(&mut self.root, 0, &mut 0, way)?;
        for (animation, tree) in self.animations.iter_mut().zip(1..) {
            animation.bind(&mut Binder { owner: (tree, 0), ..Binder::new(way, 0, 0) })?;
            bind_tree(&mut animation.root, tree, &mut 0, way)?;
        }
        Ok(())
    }

    /// Lets the pieces of nodes say what those have.
    fn describe(&mut self) {
        let roots = core::iter::once(&self.root).chain(self.animations.iter().map(|animation| &animation.root));
        let nodes: Vec<Vec<(usize, NodeFlags)>> =
            roots.map(|root| preorder(root).map(|node| (node.children.len(), node.head.flags)).collect()).collect();
        for piece in self.order.iter_mut().filter(|piece| piece.of.part == Part::NODE) {
            let owner = piece.owner();
            if let Some(&(children, flags)) = nodes.get(owner.0).and_then(|nodes| nodes.get(owner.1)) {
                piece.children.set(children.try_into().unwrap_or(u32::MAX));
                piece.parts = flags;
            }
        }
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

    /// Makes pieces, pointers and part numbers say what the model has.
    pub(super) fn settle_order(&mut self, t: &mut Tape<'_>) -> Result {
        let was = order::shown(&self.order);
        let owners = owners(self);
        if let Some([expected, found]) = reconcile(&mut self.order, &owners).map(|counts| counts.map(wide)) {
            // Whose a piece is, is told by the number of its node.
            return Err(t.error_in("order", Fault::Count { expected, found }));
        }
        t.tell_value(t.place().with([Step::Name("order")]), was, order::shown(&self.order));
        self.settle_nodes();
        self.describe();
        let plan = Plan::of(self).map_err(|fault| t.error_in("order", fault))?;
        self.bind_all(Way::Place(&plan.places)).map_err(|fault| t.error(fault))
    }

    /// How long a piece is, which may be of a node.
    fn length(&self, node: Option<&Node>, piece: &Piece) -> u64 {
        let owner = piece.owner();
        match piece.of.part {
            Part::GAP | Part::RAW_GAP => wide(piece.gap.len()),
            Part::MODEL => MODEL,
            Part::ANIMATIONS => wide(self.animations.len()).saturating_mul(4),
            Part::ANIMATION => Animation::SIZE,
            Part::EVENTS => self.animation(owner).map_or(0, |animation| wide(animation.events.bytes().len())),
            Part::NODE => node.map_or(0, Node::size),
            Part::CHILDREN => node.map_or(0, |node| wide(node.children.len()).saturating_mul(4)),
            part => node.map_or(0, |node| node.bytes(part, owner.3)),
        }
    }

    fn animation(&self, owner: Owner) -> Option<&Animation> {
        self.animations.get(owner.0.checked_sub(1)?)
    }

    /// What a piece holds that others can hold as well, which may be of a node.
    fn content<'m>(&'m self, node: Option<&'m Node>, owner: Owner) -> &'m [u8] {
        match Part::new(owner.2) {
            Part::EVENTS => self.animation(owner).map_or(&[], |animation| animation.events.bytes()),
            part => node.and_then(|node| node.content(part, owner.3)).map_or(&[], Vector::bytes),
        }
    }

    /// Gives a piece what the one holds whose bytes it shares.
    fn copy_shared(&mut self, flat: &mut Flat, before: Option<&Piece>, piece: &Piece) {
        let Some(before) = before.map(Piece::owner) else { return };
        let content = self.content(flat.node_mut(before).map(|node| &*node), before).to_vec();
        let owner = piece.owner();
        if piece.of.part == Part::EVENTS {
            if let Some(animation) = owner.0.checked_sub(1).and_then(|index| self.animations.get_mut(index)) {
                animation.events.set(&content);
            }
        } else if let Some(vector) = flat.node_mut(owner).and_then(|node| node.content_mut(piece.of.part, owner.3)) {
            vector.set(&content);
        }
    }

    /// Lays a piece where the nodes are still apart.
    fn lay_flat(&mut self, t: &mut Tape<'_>, flat: &mut Flat, piece: &mut Piece, length: u64) -> Result {
        let (owner, plan) = (piece.owner(), Plan::default());
        if piece.is_gap() {
            return t.run("gap", Run::Surplus, length, &mut piece.gap);
        }
        if is_of_model(piece.of.part) {
            return build::model_piece(self, t, &plan, owner);
        }
        let kin = Kin { children: flat.children(owner).to_vec(), ..Kin::default() };
        flat.node_mut(owner).map_or(Ok(()), |node| build::node_piece(node, t, &plan, &kin, owner))
    }

    /// In load mode, fills the pieces that the exchange form has, in their order.
    pub(super) fn load_order(&mut self, t: &mut Tape<'_>) -> Result {
        t.file_head(self)?;
        let mut order = vec![Piece::default(); t.given("order")?];
        for (index, piece) in order.iter_mut().enumerate() {
            t.nth("order", index, |t| piece.lay(t))?;
        }
        let mut flat = self.make_room(t, &order)?;
        for (index, piece) in order.iter_mut().enumerate() {
            if !bool::from(piece.shared) {
                t.nth("order", index, |t| {
                    self.lay_flat(t, &mut flat, piece, 0)?;
                    piece.check(t, flat.node_mut(piece.owner()).map(|node| &*node))
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

/// Whether a piece is of no node.
fn is_of_model(part: Part) -> bool {
    matches!(part, Part::MODEL | Part::ANIMATIONS | Part::ANIMATION | Part::EVENTS)
}

lay! {
    impl Tape<'_> {
        /// Lays everything in the order of the pieces.
        pub(in crate::aurora) fn pieces(&mut self, it: at!(Model)) -> Result {
            let plan = Plan::of(it).map_err(|fault| self.error_in("order", fault))?;
            let [model_size, raw_size] = plan.sizes;
            self.fill("model_size", at!(it.file.model_size), model_size)?;
            self.fill("raw_size", at!(it.file.raw_size), raw_size)?;
            self.fill("root_at", at!(it.geometry.head.root_at), plan.place((0, 0), Part::NODE))?;
            for (animation, tree) in at!(it.animations).into_iter().zip(1..) {
                self.fill("root_at", at!(animation.geometry.head.root_at), plan.place((tree, 0), Part::NODE))?;
            }
            self.file_head(at!(*it))?;
            self.expect("order", || Some(("the order of the walk".into(), "a different order".into())));
            for (index, &length) in plan.lengths.iter().enumerate() {
                self.nth("order", index, |t| {
                    let Some(piece) = at!(it.order).into_iter().nth(index) else { return Ok(()) };
                    piece.lay(t)?;
                    let owner = piece.owner();
                    if bool::from(piece.shared) {
                        Ok(())
                    } else if piece.is_gap() {
                        t.run("gap", Run::Surplus, length, at!(piece.gap))
                    } else if is_of_model(piece.of.part) {
                        model_piece(at!(*it), t, &plan, owner)
                    } else {
                        match plan.kin(owner).and_then(|kin| Some((node_at(at!(*it), owner.0, &kin.path)?, kin))) {
                            Some((node, kin)) => node_piece(node, t, &plan, kin, owner),
                            None => Ok(()),
                        }
                    }
                })?;
            }
            self.rest("trailing", Run::Surplus, at!(it.trailing))
        }
    }

    fn animation_at(it: at!(Model), tree: usize) -> Option<at!(Animation)> {
        at!(it.animations).into_iter().nth(tree.checked_sub(1)?)
    }

    /// The node of a tree that a path leads to.
    fn node_at<'m>(it: at!('m Model), tree: usize, path: &[usize]) -> Option<at!('m Node)> {
        let root = match tree.checked_sub(1) {
            None => at!(it.root),
            Some(animation) => at!(at!(it.animations).into_iter().nth(animation)?.root),
        };
        path.iter().try_fold(root, |node, &child| at!(node.children).into_iter().nth(child))
    }

    /// Lays a piece that is of no node.
    pub(super) fn model_piece(it: at!(Model), t: &mut Tape<'_>, plan: &Plan, owner: Owner) -> Result {
        let nodes = plan.trees.get(owner.0).map_or(0, |tree| wide(tree.len()));
        let bound = |is_bound| if is_bound { Ok(()) } else { Err(unsettled()) };
        let mut b = Binder { owner: (owner.0, owner.1), ..Binder::new(Way::Place(&plan.places), 0, 0) };
        match Part::new(owner.2) {
            Part::ANIMATIONS => {
                (1..=it.animations.len()).try_for_each(|tree| {
                    t.number::<U32>("animation", plan.place((tree, 0), Part::ANIMATION)).map(drop)
                })
            }
            Part::ANIMATION => {
                let Some(animation) = animation_at(it, owner.0) else { return Ok(()) };
                if t.filling() {
                    animation.is_bound(&mut b).and_then(bound).map_err(|fault| t.error(fault))?;
                }
                t.animation_head(animation, nodes)
            }
            Part::EVENTS => animation_at(it, owner.0).map_or(Ok(()), |animation| t.events(animation)),
            _ => {
                if t.filling() {
                    it.is_bound(&mut b).and_then(bound).map_err(|fault| t.error(fault))?;
                }
                t.model_head(it, nodes)
            }
        }
    }

    /// Lays a piece of a node.
    pub(super) fn node_piece(it: at!(Node), t: &mut Tape<'_>, plan: &Plan, kin: &Kin, owner: Owner) -> Result {
        let way = Way::Place(&plan.places);
        let binder = || Binder { owner: (owner.0, owner.1), ..Binder::new(way, 0, 0) };
        match Part::new(owner.2) {
            Part::CHILDREN => kin.children.iter().try_for_each(|&child| {
                t.number::<U32>("child", plan.place((owner.0, child), Part::NODE)).map(drop)
            }),
            Part::NODE => {
                let (animated, children) = (owner.0 > 0, kin.children.len());
                if t.filling() {
                    let bound = it.is_bound(&mut binder(), children, 0).map_err(|fault| t.error(fault))?;
                    if !bound || !it.is_settled(animated, kin.number) {
                        return Err(t.error(unsettled()));
                    }
                }
                let mut ideal = None;
                if t.judging() && it.empties.odd() {
                    ideal = Some(it.ideal(&mut binder(), children, 0).map_err(|fault| t.error(fault))?);
                }
                let number = kin.number;
                it.lay_by(t, &Aspect { animated, bones: Bones::Rest, rules: ideal.as_ref(), number })
            }
            part => t.node_part(it, part, Some(owner.3)),
        }
    }
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
