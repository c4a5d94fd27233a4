//! The layout by the walk: depth first, a node before the nodes below, and its controllers after these.

use field::build::Tape;
use field::{Direction, Fault, Result, Run, Style as _, Text, U32, Windows, decode_text, lay, limits, wide};

use super::flags::{Kinds, PieceKind};
use super::header::{Animation, LayAnimation as _};
use super::mesh::{LayMesh as _, Mesh};
use super::model::{LayModel as _, MODEL, Model};
use super::node::{Aspect, LayNode as _, Node};
use super::pointers::{Access as _, Binder, Owner, Parts, Walking, Way, each_part, not_recomputed};

/// The size of a node and all nodes below.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    /// Bytes in the model data.
    bytes: u64,
    /// The bytes of the nodes below.
    below: u64,
    /// Its own bytes in the raw data.
    raw: u64,
    /// The number of nodes, including itself.
    nodes: usize,
}

/// The position of a tree of nodes in the model data.
#[derive(Clone, Copy, Default)]
struct TreePlace {
    /// The offset of its animation; for the geometry, of the root node.
    at: u64,
    root: u64,
    /// The number of its nodes.
    nodes: u64,
    end: u64,
}

/// A walk through the model in file order.
#[derive(Default)]
struct Walk {
    /// The offset of the model data in the file.
    base: u64,
    /// The position in the raw data.
    raw: u64,
    /// The sizes of all nodes.
    extents: Vec<Extent>,
    /// The positions of the animations.
    animations: Vec<TreePlace>,
    /// The position of the geometry.
    geometry: TreePlace,
    /// The size of the raw data.
    raw_bytes: u64,
    /// Part numbers by the rules.
    numbers: Vec<Option<i32>>,
    /// The number of nodes so far.
    next: usize,
    /// Set in an animation.
    animated: bool,
}

impl Walk {
    /// Measures a model.
    fn of(model: &Model) -> Self {
        let mut walk = Self::default();
        let mut at = MODEL + wide(model.animations.len()) * 4;
        walk.animations.reserve_exact(model.animations.len());
        for animation in &model.animations {
            let events = wide(animation.events.bytes().len());
            let root = at + Animation::SIZE + events;
            let place = walk.tree(at, root, &animation.root, true);
            at = place.end;
            walk.animations.push(place);
        }
        walk.geometry = walk.tree(at, at, &model.root, false);
        walk
    }

    /// Measures a tree, and returns its position.
    fn tree(&mut self, at: u64, root: u64, node: &Node, animated: bool) -> TreePlace {
        let Extent { bytes, nodes, .. } = self.measure(node, animated);
        TreePlace { at, root, nodes: wide(nodes), end: root + bytes }
    }

    /// Measures a node and all nodes below, in preorder.
    fn measure(&mut self, node: &Node, animated: bool) -> Extent {
        let index = self.extents.len();
        self.extents.push(Extent::default());
        let is_stale = animated && !bool::from(node.live);
        let [payload, raw] = if is_stale { [0; 2] } else { node.payload_bytes() };
        self.raw_bytes += raw;
        let (mut below, mut nodes) = (0_u64, 1_usize);
        for child in &node.children {
            let extent = self.measure(child, animated);
            below += extent.bytes;
            nodes += extent.nodes;
        }
        let table = wide(node.children.len()) * 4;
        let bytes = [node.size(), payload, table, below, values(node)].into_iter().sum();
        let extent = Extent { bytes, below, raw, nodes };
        if let Some(slot) = self.extents.get_mut(index) {
            *slot = extent;
        }
        extent
    }

    /// Returns the index of the next node.
    fn meet(&mut self) -> usize {
        let index = self.next;
        self.next = index + 1;
        index
    }

    /// Returns the size of a node, or nothing while the model is loaded.
    fn extent(&self, index: usize) -> Extent {
        self.extents.get(index).copied().unwrap_or_default()
    }

    /// Marks the cursors of a node at an offset, and of all nodes below.
    fn mark(&mut self, node: &mut Node, at: u64) -> core::result::Result<(), Fault> {
        let index = self.meet();
        let Extent { bytes, below, .. } = self.extent(index);
        let b = Binder::new(Way::MarkCursors, node.empties, at + node.size(), self.raw);
        let mut b = Binder { below, ..b };
        Tape::bind(&mut *node, &mut b)?;
        (node.empties, self.raw) = (b.empties, b.raw);
        let mut at = at + bytes - values(node) - below;
        for child in &mut node.children {
            let bytes = self.extent(self.next).bytes;
            self.mark(child, at)?;
            at += bytes;
        }
        Ok(())
    }
}

/// Returns the size of the controllers of a node with their values.
fn values(node: &Node) -> u64 {
    wide(node.keys.bytes().len()) + wide(node.data.bytes().len())
}

/// Marks the pointers of empty things that are cursors, in a model that was read and is laid out by the walk.
pub(super) fn mark_cursors(model: &mut Model) -> core::result::Result<(), Fault> {
    let mut walk = Walk::of(model);
    let mut b = Binder::new(Way::MarkCursors, model.empties, MODEL, 0);
    Tape::bind(&mut *model, &mut b)?;
    model.empties = b.empties;
    let animations = core::mem::take(&mut walk.animations);
    for (animation, tree) in model.animations.iter_mut().zip(&animations) {
        let mut b = Binder::new(Way::MarkCursors, animation.empties, tree.at + Animation::SIZE, 0);
        Tape::bind(&mut *animation, &mut b)?;
        animation.empties = b.empties;
        walk.mark(&mut animation.root, tree.root)?;
    }
    let root = walk.geometry.root;
    walk.mark(&mut model.root, root)
}

/// Calls a function for the owner of every piece that a model has, in the order of the walk. Pieces of both sections alternate.
pub(super) fn owners(model: &Model, visit: &mut impl FnMut(Owner)) {
    visit((0, 0, PieceKind::MODEL.get(), 0));
    owners_of(model, 0, visit);
    for (animation, tree) in model.animations.iter().zip(1..) {
        visit((tree, 0, PieceKind::ANIMATION.get(), 0));
        owners_of(animation, tree, visit);
        node_owners(&animation.root, tree, &mut 0, visit);
    }
    node_owners(&model.root, 0, &mut 0, visit);
}

/// Calls a function for the owner of every piece that the header of a tree points to.
fn owners_of<T: Parts<Walking>>(it: &T, tree: usize, visit: &mut impl FnMut(Owner)) {
    each_part(it, T::kinds(it), |kind, item, part| {
        if part.length > 0 {
            visit((tree, 0, kind.get(), item));
        }
    });
}

fn node_owners(node: &Node, tree: usize, next: &mut usize, visit: &mut impl FnMut(Owner)) {
    let index = *next;
    *next = index + 1;
    visit((tree, index, PieceKind::NODE.get(), 0));
    each_part(node, node.payload(true).and(Kinds::NODE), |kind, item, part| {
        if part.length > 0 {
            visit((tree, index, kind.get(), item));
        }
        if kind == PieceKind::CHILDREN {
            node.children.iter().for_each(|child| node_owners(child, tree, next, visit));
        }
    });
}

/// The context of an animation in the walk.
struct Here<'w> {
    walk: &'w mut Walk,
    pub place: TreePlace,
}

/// The context of a node in the walk.
struct At<'w> {
    walk: &'w mut Walk,
    /// The depth of the node in its tree.
    level: usize,
}

/// Lays out models in the order of the walk.
pub(super) trait LayWalk: Direction {
    /// Lays out a model in the order of the walk.
    fn walk_order(&mut self, it: Self::At<'_, Model>) -> Result;

    /// Lays out the structure of a node, and computes its pointers or checks them.
    fn node(&mut self, it: Self::At<'_, Node>, b: &Binder<'_>, animated: bool, number: Option<i32>) -> Result;
}

lay! {
    impl LayWalk for Tape<'_> {
        fn walk_order(&mut self, it: at!(Model)) -> Result {
            self.when_recomputing(at!(*it), |it, _| {
                it.recompute_nodes();
                Ok(())
            })?;
            let mut walk = Walk::of(it);
            walk.numbers = self.from_sizes(|| Ok(it.numbers(false)))?.into_iter().flatten().collect();
            self.computed("model_size", at!(it.file.model_size), walk.geometry.end)?;
            self.computed("raw_size", at!(it.file.raw_size), walk.raw_bytes)?;
            it.file.lay(self)?;
            walk.base = self.position();
            model_data(at!(*it), self, &mut walk)?;
            raw_data(at!(*it), self)?;
            self.rest("trailing", Run::Surplus, at!(it.trailing))
        }

        fn node(
            &mut self,
            it: at!(Node),
            b: &Binder<'_>,
            animated: bool,
            number: Option<i32>,
        ) -> Result {
            let ideal = || it.ideal(&mut b.clone()).map_err(|fault| self.error(fault));
            let ideal = if it.empties.odd() { self.rules(ideal)? } else { None };
            self.bound(at!(*it), b)?;
            self.when_whole(|t| match it.is_recomputed(animated, number) {
                true => Ok(()),
                false => Err(t.error(not_recomputed())),
            })?;
            it.lay_by(self, &Aspect { animated, rules: ideal.as_ref(), number })
        }
    }

    fn model_data(it: at!(Model), t: &mut Tape<'_>, walk: &mut Walk) -> Result {
        let (animations, geometry) = (core::mem::take(&mut walk.animations), walk.geometry);
        t.computed("root_at", at!(it.geometry.head.root_at), geometry.root)?;
        let b = Binder::new(Way::Walk, it.empties, MODEL, 0);
        t.bound(at!(*it), &b)?;
        t.model_head(at!(*it), geometry.nodes)?;
        let count = wide(t.given("animations", it.animations.len())?);
        let mut places = animations.iter();
        for _ in 0..count {
            t.number::<U32>("animation", places.next().map_or(0, |tree| tree.at))?;
        }
        let mut places = animations.iter();
        walk.animated = true;
        t.list("animations", count, Animation::SIZE, at!(it.animations), |t, animation| {
            animation.lay_by(t, Here { walk, place: places.next().copied().unwrap_or_default() })
        })?;
        walk.animated = false;
        t.group("root", |t| it.root.lay_by(t, At { walk, level: 0 }))
    }

    impl LayBy<Here<'_>> for Animation {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Here { walk, place }: Here<'_>) -> Result {
            t.computed("root_at", at!(self.geometry.head.root_at), place.root)?;
            let model = t.position() - walk.base + Animation::SIZE;
            let b = Binder::new(Way::Walk, self.empties, model, 0);
            t.bound(at!(*self), &b)?;
            t.animation_head(at!(*self), place.nodes)?;
            t.events(at!(*self))?;
            t.group("root", |t| self.root.lay_by(t, At { walk, level: 0 }))
        }
    }

    impl LayBy<At<'_>> for Node {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, At { walk, level }: At<'_>) -> Result {
            if level >= limits::NODES {
                return Err(t.error(Fault::TooDeep { limit: limits::NODES }));
            }
            let index = walk.meet();
            let (animated, number) = (walk.animated, walk.numbers.get(index).copied().flatten());
            let Extent { below, raw, .. } = walk.extent(index);
            let model = t.position() - walk.base + self.size();
            let b = Binder { below, ..Binder::new(Way::Walk, self.empties, model, walk.raw) };
            t.node(at!(*self), &b, animated, number)?;
            walk.raw += raw;
            if !animated || bool::from(self.live) {
                for part in self.payload(true).filter(|part| !part.is_raw()) {
                    t.node_part(at!(*self), part, None)?;
                }
            }
            let count = children_table(at!(*self), t, walk)?;
            t.list("children", count, Node::HEAD, at!(self.children), |t, child| {
                child.lay_by(t, At { walk, level: level + 1 })
            })?;
            t.controllers(self)
        }
    }

    /// Lays out the table of children, and returns their number.
    fn children_table(it: at!(Node), t: &mut Tape<'_>, walk: &Walk) -> Result<u64> {
        let count = wide(t.given("children", it.children.len())?);
        let mut at = t.position() - walk.base + count * 4;
        let mut node = walk.next;
        for _ in 0..count {
            t.number::<U32>("child", at)?;
            let extent = walk.extent(node);
            at += extent.bytes;
            node += extent.nodes;
        }
        Ok(count)
    }

    /// Lays out the raw data: the streams of each mesh, in the order of the walk.
    fn raw_data(it: at!(Model), t: &mut Tape<'_>) -> Result {
        t.each("raw", at!(meshes(it)), |t, (name, mesh)| {
            // An empty mesh has no offset for a label.
            if t.exists("node", mesh.stream_bytes() > 0) {
                t.label("node", || Some(decode_text(Windows::PAGE, name.bytes()).into()));
            }
            t.mesh_streams(mesh)
        })
    }

    /// Returns the meshes that can have streams, and the names of their nodes: in animations, only live nodes have any.
    fn meshes(it: at!(Model)) -> Vec<(Text<32>, at!(Mesh))> {
        let mut meshes = Vec::new();
        for animation in at!(it.animations) {
            gather(at!(animation.root), true, &mut meshes);
        }
        gather(at!(it.root), false, &mut meshes);
        meshes
    }

    fn gather<'a>(node: at!('a Node), animated: bool, meshes: &mut Vec<(Text<32>, at!('a Mesh))>) {
        let Node { head, mesh, children, live, .. } = node;
        if let Some(mesh) = mesh
            && (!animated || bool::from(*live))
        {
            meshes.push((head.name, at!(**mesh)));
        }
        for child in children {
            gather(child, animated, meshes);
        }
    }
}
