//! Binary models, `.mdl`: animations and a geometry, both trees of nodes.
//!
//! | part | bytes |
//! |---|---|
//! | [`FileHead`] | 12 |
//! | model data: header, table of animations, the animations, the geometry | |
//! | raw data: streams of values for the vertices of meshes | |
//!
//! A walk through the model says where everything lies: depth first, a node before what is below it, its controllers
//! behind that. Both programs that compiled models wrote so, without gaps or alignment. What lies otherwise is found by
//! its pointers and keeps its order.
//!
//! Source: `nwn-mdl.md`.

use crate::field::build::Tape;
use crate::field::{Block, Fault, Result, Run, Style as _, Text, U32, Windows, decode_text, lay, wide};
use crate::kind::{Format, Game, binrw_over_lay};
use crate::record;

use super::header::{Animation, Geometry, GeometryKind, Kin, ModelHead};
use super::mesh::Mesh;
use super::node::{At, Extent, Node, Walk, expect_here};
use super::numbers;
use super::order::Piece;
use super::outline;
use super::place::{Binder, Empties, Part, Things, Way, unsettled};

record! {
    /// The head of the file, 12 bytes. Source: `nwn-mdl.md`, section 2.
    pub struct FileHead: 12 {
        zero: U32 = 0,
        model_size: U32 as Outside,
        raw_size: U32 as Outside,
    }
}

/// A model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The sizes of both sections.
    pub file: FileHead,
    /// Where a file does not lie as the walk goes, its pieces in file order; empty in all files seen.
    pub order: Vec<Piece>,
    /// What the header shares with those of animations.
    pub geometry: Geometry,
    /// The rest of the header.
    pub head: ModelHead,
    /// What the header says of animations when there are none.
    pub empties: Empties,
    /// The animations.
    pub animations: Vec<Animation>,
    /// The node that all others of the geometry are below.
    pub root: Node,
    /// What stands behind the raw data.
    pub trailing: Block,
}

/// Bytes of the file head, and so the offset of the model data.
pub(super) const FILE_HEAD: u64 = 12;
/// Bytes of the header of a model.
pub(super) const MODEL: u64 = 0xE8;

impl Model {
    /// Whether it has no super model, so that it alone tells its part numbers.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        let name = self.head.super_model.bytes();
        name.is_empty() || name.eq_ignore_ascii_case(b"NULL")
    }

    /// Goes through the pointers of the header.
    pub(super) fn bind(&mut self, b: &mut Binder<'_>) -> core::result::Result<(), Fault> {
        bind_head(&mut self.head, &mut self.empties, self.animations.len(), b)
    }

    /// Whether the pointers of the header say what they should.
    pub(super) fn is_bound(&self, b: &mut Binder<'_>) -> core::result::Result<bool, Fault> {
        let (mut head, mut empties) = (self.head, self.empties);
        bind_head(&mut head, &mut empties, self.animations.len(), b)?;
        Ok(head == self.head)
    }

    /// Part numbers by the rules, in the order of the walk.
    pub(super) fn numbers(&self, read: bool) -> Vec<Option<i32>> {
        let animations = self.animations.iter().map(|animation| &animation.root);
        numbers::numbers(animations, &self.root, self.is_alone(), read)
    }

    /// In read mode, finds out what does not follow from the rest.
    pub(super) fn keep(&mut self) {
        let mut rules = self.numbers(true).into_iter();
        for animation in &mut self.animations {
            let nodes = numbers::keep(&mut animation.root, &mut rules);
            animation.geometry.inherit(nodes);
        }
        let nodes = numbers::keep(&mut self.root, &mut rules);
        self.geometry.inherit(nodes);
    }

    /// Gives nodes the part numbers that they should have, and says which have more than a header.
    pub(super) fn settle_nodes(&mut self) {
        let mut numbers = self.numbers(false).into_iter();
        for animation in &mut self.animations {
            animation.root.settle_all(true, &mut numbers);
        }
        self.root.settle_all(false, &mut numbers);
    }

    /// Reads a model: most lie as the walk goes.
    fn read(&mut self, t: &mut Tape<'_>) -> Result {
        if t.attempt(|t| build::in_walk_order(self, t)).is_err() {
            *self = Self::default();
            self.read_order(t)?;
        }
        // What is kept of an odd pointer, a node of an animation holds besides its header.
        self.settle_nodes();
        Ok(())
    }

    /// How large everything is, and where each tree lies: those of the animations, then the geometry.
    fn measured(&self, walk: &mut Walk) -> Vec<TreePlace> {
        let mut at = MODEL.saturating_add(wide(self.animations.len()).saturating_mul(4));
        let mut trees = Vec::with_capacity(self.animations.len().saturating_add(1));
        for animation in &self.animations {
            let Extent { bytes, nodes, .. } = animation.root.measure(true, walk);
            let events = wide(animation.events.bytes().len());
            let root = at.saturating_add(Animation::SIZE).saturating_add(events);
            let end = root.saturating_add(bytes);
            trees.push(TreePlace { at, root, nodes: wide(nodes), end });
            at = end;
        }
        let Extent { bytes, nodes, .. } = self.root.measure(false, walk);
        trees.push(TreePlace { at, root: at, nodes: wide(nodes), end: at.saturating_add(bytes) });
        trees
    }
}

fn bind_head(
    head: &mut ModelHead,
    empties: &mut Empties,
    animations: usize,
    b: &mut Binder<'_>,
) -> core::result::Result<(), Fault> {
    let array = [&mut head.animations_at, &mut head.animations_used, &mut head.animations_allocated];
    b.array(empties, Things::ANIMATIONS, Part::ANIMATIONS, array, (wide(animations), 4))
}

/// Where a tree of nodes lies in the model data.
#[derive(Clone, Copy, Default)]
struct TreePlace {
    /// Its animation; of the geometry, itself.
    at: u64,
    root: u64,
    /// How many nodes it has.
    nodes: u64,
    end: u64,
}

/// Where an animation is laid on the way through the model.
struct Here<'w> {
    walk: &'w mut Walk,
    place: TreePlace,
}

lay! {
    impl Lay for Model {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            if t.reading() {
                return t.read(self, Model::read);
            }
            let mut has_order = !self.order.is_empty();
            t.load(at!(*self), |_, t| {
                has_order |= t.is_given("order");
                Ok(())
            })?;
            if !has_order {
                return in_walk_order(self, t);
            }
            if t.loading() {
                return t.load(self, Model::load_order);
            }
            t.settle(at!(*self), Model::settle_order)?;
            t.pieces(self)
        }
    }

    /// Lays everything in the order of the walk; in read mode it must lie so.
    pub(super) fn in_walk_order(it: at!(Model), t: &mut Tape<'_>) -> Result {
        t.settle(at!(*it), |it, _| {
            it.settle_nodes();
            Ok(())
        })?;
        let mut walk = Walk { base: t.position().saturating_add(FILE_HEAD), ..Walk::default() };
        let trees = it.measured(&mut walk);
        walk.numbers = if t.planning() { it.numbers(false) } else { Vec::new() };
        t.fill("model_size", at!(it.file.model_size), trees.last().map_or(0, |tree| tree.end))?;
        t.fill("raw_size", at!(it.file.raw_size), walk.raw_bytes)?;
        t.file_head(it)?;
        let (model_size, raw_size) = (it.file.model_size.get(), it.file.raw_size.get());
        t.window(model_size.into(), |t| {
            model_data(it, t, &mut walk, &trees)?;
            t.seen(at_end).unwrap_or(Ok(()))
        })?;
        t.window(raw_size.into(), |t| {
            raw_data(it, t)?;
            t.seen(at_end).unwrap_or(Ok(()))
        })?;
        t.rest("trailing", Run::Surplus, at!(it.trailing))?;
        t.read(it, |it, _| {
            it.keep();
            Ok(())
        })
    }

    fn model_data(it: at!(Model), t: &mut Tape<'_>, walk: &mut Walk, trees: &[TreePlace]) -> Result {
        let geometry = trees.last().copied().unwrap_or_default();
        t.fill("root_at", at!(it.geometry.head.root_at), geometry.root)?;
        t.settle(at!(*it), |it, t| it.bind(&mut Binder::new(Way::Fill, MODEL, 0)).map_err(|fault| t.error(fault)))?;
        if t.filling() && !it.is_bound(&mut Binder::new(Way::Fill, MODEL, 0)).map_err(|fault| t.error(fault))? {
            return Err(t.error(unsettled()));
        }
        t.model_head(at!(*it), geometry.nodes)?;
        t.read(at!(*it), |it, t| it.bind(&mut Binder::new(Way::Check, MODEL, 0)).map_err(|fault| t.error(fault)))?;
        let mut count = t.told(it.head.animations_used.get().into(), wide(it.animations.len()));
        t.read(at!(*it), |_, t| t.room(count, 4))?;
        t.load(at!(*it), |_, t| {
            count = wide(t.given("animations")?);
            Ok(())
        })?;
        let mut table = Vec::new();
        let mut places = trees.iter();
        for _ in 0..count {
            let place = places.next().map_or(0, |tree| tree.at);
            table.push(t.number::<U32>("animation", place)?);
        }
        let (mut table, mut places) = (table.into_iter(), trees.iter());
        walk.animated = true;
        t.list("animations", count, Animation::SIZE, at!(it.animations), |t, animation| {
            let pointer = table.next();
            t.seen(|t| pointer.map_or(Ok(()), |pointer| expect_here(t, walk.base, pointer))).transpose()?;
            animation.lay_by(t, Here { walk, place: places.next().copied().unwrap_or_default() })
        })?;
        walk.animated = false;
        t.seen(|t| expect_here(t, walk.base, it.geometry.head.root_at.get().into())).transpose()?;
        t.group("root", |t| it.root.lay_by(t, At { walk, level: 0 }))
    }

    impl LayBy<Here<'_>> for Animation {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Here { walk, place }: Here<'_>) -> Result {
            t.fill("root_at", at!(self.geometry.head.root_at), place.root)?;
            let model = t.position().saturating_sub(walk.base).saturating_add(Animation::SIZE);
            t.settle(at!(*self), |it, t| {
                it.bind(&mut Binder::new(Way::Fill, model, 0)).map_err(|fault| t.error(fault))
            })?;
            if t.filling() && !self.is_bound(&mut Binder::new(Way::Fill, model, 0)).map_err(|fault| t.error(fault))? {
                return Err(t.error(unsettled()));
            }
            t.animation_head(at!(*self), place.nodes)?;
            t.read(at!(*self), |it, t| {
                it.bind(&mut Binder::new(Way::Check, model, 0)).map_err(|fault| t.error(fault))
            })?;
            t.events(at!(*self))?;
            t.seen(|t| expect_here(t, walk.base, self.geometry.head.root_at.get().into())).transpose()?;
            t.group("root", |t| self.root.lay_by(t, At { walk, level: 0 }))
        }
    }

    /// Lays the streams of all meshes that can have any, mesh after mesh in the order of the walk.
    fn raw_data(it: at!(Model), t: &mut Tape<'_>) -> Result {
        let meshes = at!(meshes(it, t.reading()));
        t.each("raw", meshes, |t, (name, mesh)| {
            // What has no bytes lies nowhere that a remark could be found by.
            if t.loading() || mesh.stream_bytes() > 0 {
                t.remark("node", || Some(decode_text(Windows::PAGE, name.bytes()).into()));
            }
            t.mesh_streams(mesh)
        })
    }

    /// The meshes that can have streams, and the names of their nodes: in the geometry all, in animations those with
    /// something in them.
    fn meshes(it: at!(Model), reading: bool) -> Vec<(Text<32>, at!(Mesh))> {
        let mut meshes = Vec::new();
        for animation in at!(it.animations) {
            gather(at!(animation.root), true, reading, &mut meshes);
        }
        gather(at!(it.root), false, reading, &mut meshes);
        meshes
    }

    fn gather<'a>(
        node: at!('a Node),
        animated: bool,
        reading: bool,
        meshes: &mut Vec<(Text<32>, at!('a Mesh))>,
    ) {
        let Node { head, mesh, children, live, .. } = node;
        if let Some(mesh) = mesh {
            let has = if reading { mesh.tells_streams() } else { !animated || bool::from(*live) };
            meshes.extend(has.then_some((head.name, at!(**mesh))));
        }
        for child in children {
            gather(child, animated, reading, meshes);
        }
    }

    impl Tape<'_> {
        /// Lays the head of the file; in read mode, both sections must fit into it.
        pub(in crate::aurora) fn file_head(&mut self, it: at!(Model)) -> Result {
            self.fields(at!(it.file))?;
            if self.reading() && it.file.zero.get() != 0 {
                let fault = Fault::Unknown { found: format!("{:#010x}", it.file.zero.get()), expected: "0".into() };
                return Err(self.error_in("zero", fault));
            }
            Ok(())
        }

        /// Lays the header of a model with so many nodes in the geometry.
        pub(in crate::aurora) fn model_head(&mut self, it: at!(Model), nodes: u64) -> Result {
            // In the exchange form, the super model is told behind this.
            let is_alone = it.is_alone();
            it.geometry.lay_by(self, Kin { nodes, kind: GeometryKind::MODEL, is_alone })?;
            it.empties.lay(self)?;
            let animations_at = if it.animations.is_empty() { U32::default() } else { it.head.animations_at };
            let rules = ModelHead { animations_at, animations_allocated: it.head.animations_used, ..it.head };
            let odd = self.judging() && it.empties.odd();
            self.fields_by(at!(it.head), odd.then_some(&rules))
        }
    }
}

/// In read mode, a section must end here.
fn at_end(t: &Tape<'_>) -> Result {
    match t.remaining() {
        0 => Ok(()),
        bytes => Err(t.error(Fault::Surplus { bytes })),
    }
}

impl Format for Model {
    const NAME: &'static str = "mdl";
    const TITLE: &'static str = "binary model";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.mdl"];
    #[cfg(feature = "export")]
    const EXPORTS: &'static [crate::kind::Export] = &super::scene::EXPORTS;

    /// A zero, and the sizes of two sections that fill the file, the first with room for a model and a node (`nwn-mdl.md`,
    /// section 1.2).
    fn recognise(file: &[u8]) -> Option<Vec<Game>> {
        let head: FileHead = crate::macros::read_head(file)?;
        let (model, raw) = (u64::from(head.model_size.get()), u64::from(head.raw_size.get()));
        let tiled = FILE_HEAD.checked_add(model)?.checked_add(raw)? == wide(file.len());
        (head.zero.get() == 0 && tiled && model >= MODEL.saturating_add(Node::HEAD)).then(|| Self::GAMES.to_vec())
    }

    /// The text form of a model begins with letters or `#`.
    fn suits(file: &[u8]) -> bool {
        !super::is_text(file)
    }

    /// The geometry, then each animation: trees of nodes, with controllers.
    fn outline(&mut self) -> Result<Option<Vec<String>>> {
        Ok(Some(outline::tree(self)))
    }
}

binrw_over_lay!(Model);
