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

use crate::field::{Block, Fault, Lay, Result, Run, Style as _, Tape, Text, U32, Windows, decode_text, wide};
use crate::format::{Format, Game, binrw_over_lay};
use crate::record;

use super::header::{Animation, Geometry, GeometryKind, ModelHead};
use super::mesh::Mesh;
use super::node::{Node, Walk, expect_here};
use super::numbers;
use super::order::Piece;
use super::outline;
use super::place::{Binder, Empties, Part, Things, Way};

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

impl Lay for Model {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        if !t.reading() {
            let explicit = !self.order.is_empty() || t.is_given("order");
            return if explicit { self.lay_order(t) } else { self.lay_walk(t) };
        }
        if t.attempt(|t| self.lay_walk(t)).is_err() {
            *self = Self::default();
            self.read_order(t)?;
        }
        Ok(())
    }
}

impl Model {
    /// Whether it has no super model, so that it alone tells its part numbers.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        let name = self.head.super_model.bytes();
        name.is_empty() || name.eq_ignore_ascii_case(b"NULL")
    }

    /// Goes through the pointers of the header.
    pub(super) fn bind(&mut self, b: &mut Binder<'_>) -> core::result::Result<(), Fault> {
        let animations = (wide(self.animations.len()), 4);
        let head = &mut self.head;
        let array = [&mut head.animations_at, &mut head.animations_used, &mut head.animations_allocated];
        b.array(&mut self.empties, Things::ANIMATIONS, Part::ANIMATIONS, array, animations)
    }

    /// Lays the head of the file; in read mode, both sections must fit into it.
    pub(super) fn lay_file_head(&mut self, t: &mut Tape<'_>) -> Result {
        t.fields(&mut self.file)?;
        if t.reading() && self.file.zero.get() != 0 {
            let fault = Fault::Unknown { found: format!("{:#010x}", self.file.zero.get()), expected: "0".into() };
            return Err(t.error_in("zero", fault));
        }
        Ok(())
    }

    /// Lays the header of a model with so many nodes in the geometry.
    pub(super) fn structure(&mut self, t: &mut Tape<'_>, nodes: u64) -> Result {
        let alone = self.is_alone();
        // In the exchange form, the super model is told behind this.
        self.geometry.lay(t, nodes, GeometryKind::MODEL, alone)?;
        self.empties.lay(t)?;
        let animations_at = if self.animations.is_empty() { U32::default() } else { self.head.animations_at };
        let rules = ModelHead { animations_at, animations_allocated: self.head.animations_used, ..self.head };
        let odd = t.judging() && self.empties.odd();
        t.fields_by(&mut self.head, odd.then_some(&rules))
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

    /// Lays everything in the order of the walk; in read mode it must lie so.
    fn lay_walk(&mut self, t: &mut Tape<'_>) -> Result {
        let mut walk = Walk { base: t.position().saturating_add(FILE_HEAD), ..Walk::default() };
        // How many nodes each tree has, and where each animation lies.
        let (mut nodes, mut places) = (Vec::new(), Vec::new());
        if t.filling() {
            walk.numbers = self.numbers(false);
            let mut at = MODEL.saturating_add(wide(self.animations.len()).saturating_mul(4));
            for animation in &mut self.animations {
                places.push(at);
                let extent = animation.root.measure(true, &mut walk);
                nodes.push(extent.nodes);
                let events = wide(animation.events.bytes().len());
                let root = at.saturating_add(Animation::SIZE).saturating_add(events);
                animation.geometry.head.root_at = offset(t, root)?;
                at = root.saturating_add(extent.bytes);
            }
            self.geometry.head.root_at = offset(t, at)?;
            let extent = self.root.measure(false, &mut walk);
            nodes.push(extent.nodes);
            self.file.model_size = offset(t, at.saturating_add(extent.bytes))?;
            self.file.raw_size = offset(t, walk.raw_bytes)?;
        }
        self.lay_file_head(t)?;
        let (model_size, raw_size) = (self.file.model_size.get(), self.file.raw_size.get());
        t.window(model_size.into(), |t| {
            self.lay_model_data(t, &mut walk, &nodes, &places)?;
            at_end(t)
        })?;
        t.window(raw_size.into(), |t| {
            self.lay_raw_data(t)?;
            at_end(t)
        })?;
        t.rest("trailing", Run::Surplus, &mut self.trailing)?;
        if t.reading() {
            self.keep();
        }
        Ok(())
    }

    fn lay_model_data(&mut self, t: &mut Tape<'_>, walk: &mut Walk, nodes: &[usize], places: &[u64]) -> Result {
        let counted = |tree: usize| nodes.get(tree).map_or(0, |&nodes| wide(nodes));
        if t.filling() {
            let mut b = Binder::new(Way::Fill, MODEL, 0);
            self.bind(&mut b).map_err(|fault| t.error(fault))?;
        }
        self.structure(t, counted(nodes.len().saturating_sub(1)))?;
        if t.reading() {
            let mut b = Binder::new(Way::Check, MODEL, 0);
            self.bind(&mut b).map_err(|fault| t.error(fault))?;
        }
        let count = match self.animations.len() {
            _ if t.reading() => self.head.animations_used.get().into(),
            _ if t.loading() => wide(t.given("animations")?),
            count => wide(count),
        };
        t.room(count, 4)?;
        let mut table = vec![U32::default(); usize::try_from(count).unwrap_or(0)];
        for (index, pointer) in table.iter_mut().enumerate() {
            t.counted("animation", pointer, Some(places.get(index).copied().unwrap_or_default()))?;
        }
        let mut index = 0_usize;
        walk.animated = true;
        t.list("animations", count, Animation::SIZE, &mut self.animations, |t, animation| {
            if t.reading() {
                expect_here(t, walk.base, table.get(index).copied().unwrap_or_default())?;
            }
            animation.lay(t, walk, counted(index))?;
            index = index.saturating_add(1);
            Ok(())
        })?;
        walk.animated = false;
        if t.reading() {
            expect_here(t, walk.base, self.geometry.head.root_at)?;
        }
        t.group("root", |t| self.root.lay(t, walk, 0))
    }

    /// Lays the streams of all meshes that can have any, mesh after mesh in the order of the walk.
    fn lay_raw_data(&mut self, t: &mut Tape<'_>) -> Result {
        let mut meshes = self.meshes(t.reading());
        t.each("raw", &mut meshes, |t, (name, mesh)| {
            // What has no bytes lies nowhere that a remark could be found by.
            if t.loading() || mesh.stream_bytes() > 0 {
                t.remark("node", || Some(decode_text(Windows::PAGE, name.bytes()).into()));
            }
            mesh.lay_streams(t)
        })
    }

    /// The meshes that can have streams, and the names of their nodes: in the geometry all, in animations those with
    /// something in them.
    fn meshes(&mut self, reading: bool) -> Vec<(Text<32>, &mut Mesh)> {
        let mut meshes = Vec::new();
        for animation in &mut self.animations {
            gather(&mut animation.root, true, reading, &mut meshes);
        }
        gather(&mut self.root, false, reading, &mut meshes);
        meshes
    }
}

fn gather<'a>(node: &'a mut Node, animated: bool, reading: bool, meshes: &mut Vec<(Text<32>, &'a mut Mesh)>) {
    let Node { head, mesh, children, live, .. } = node;
    if let Some(mesh) = mesh {
        let has = if reading { mesh.tells_streams() } else { !animated || bool::from(*live) };
        meshes.extend(has.then_some((head.name, &mut **mesh)));
    }
    children.iter_mut().for_each(|child| gather(child, animated, reading, meshes));
}

impl Animation {
    fn lay(&mut self, t: &mut Tape<'_>, walk: &mut Walk, nodes: u64) -> Result {
        let at = |t: &Tape<'_>, walk: &Walk| t.position().saturating_sub(walk.base);
        if t.filling() {
            let model = at(t, walk).saturating_add(Self::SIZE);
            let mut b = Binder::new(Way::Fill, model, 0);
            self.bind(&mut b).map_err(|fault| t.error(fault))?;
        }
        self.structure(t, nodes)?;
        if t.reading() {
            let mut b = Binder::new(Way::Check, at(t, walk), 0);
            self.bind(&mut b).map_err(|fault| t.error(fault))?;
        }
        self.lay_events(t)?;
        if t.reading() {
            expect_here(t, walk.base, self.geometry.head.root_at)?;
        }
        t.group("root", |t| self.root.lay(t, walk, 0))
    }
}

/// In read mode, a section must end here.
fn at_end(t: &Tape<'_>) -> Result {
    match t.remaining() {
        0 => Ok(()),
        bytes => Err(t.error(Fault::Surplus { bytes })),
    }
}

fn offset(t: &Tape<'_>, value: u64) -> Result<U32> {
    super::place::offset(value).map_err(|fault| t.error(fault))
}

impl Format for Model {
    const NAME: &'static str = "mdl";
    const TITLE: &'static str = "binary model";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.mdl"];

    /// A zero, and the sizes of two sections that fill the file, the first with room for a model and a node (`nwn-mdl.md`,
    /// section 1.2).
    fn recognise(file: &[u8]) -> Option<Vec<Game>> {
        let head: FileHead = file.get(..size_of::<FileHead>()).and_then(crate::macros::read_pod)?;
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
