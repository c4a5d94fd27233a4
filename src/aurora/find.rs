//! Follows the pointers of a file that does not lie as the walk goes, and finds out whose every byte is.

use std::collections::HashSet;

use bytes::Bytes;

use crate::field::build::{Lay, LayBy as _, Tape};
use crate::field::{Block, Error, Fault, I16, Record, Result, Step, U32, decode, limits, wide};

use super::boxes::{BoxHead, Entry};
use super::explicit::{Flat, Tree};
use super::header::Animation;
use super::mesh::List;
use super::model::{MODEL, Model};
use super::node::{Aspect, Node};
use super::order::Piece;
use super::parts::Flare;
use super::place::{Binder, Owner, Part, Way};
use super::sorts::{Bones, Sort};

/// What is found: the nodes, and the pieces in file order with their lengths.
pub(super) struct Found {
    pub(super) flat: Flat,
    pub(super) order: Vec<(Piece, u64)>,
}

/// Something that a pointer leads to.
struct Region {
    part: Part,
    start: u64,
    /// Unknown where it goes on to the next.
    length: Option<u64>,
    owner: Owner,
}

struct Finder<'a, 't> {
    t: &'a Tape<'t>,
    base: u64,
    sizes: [u64; 2],
    regions: Vec<Region>,
    /// Bytes of the model data that no structure has claimed: what is more overlaps.
    left: u64,
    /// Where nodes and boxes begin.
    met: HashSet<u64>,
}

/// The header of a model, of an animation, a node: one structure, read from its bytes.
#[derive(Default)]
struct One<T>(T);

// It is only read, so this is not laid both ways.
impl Lay for One<Model> {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.model_head(&mut self.0, 0)
    }
}

impl Lay for One<Animation> {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.animation_head(&mut self.0, 0)
    }
}

impl Lay for One<Node> {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        self.0.lay_by(t, &Aspect { animated: false, bones: Bones::Rest, rules: None, number: None })
    }
}

/// Finds everything in a file whose head has been read, from the position of the tape on.
pub(super) fn find(t: &Tape<'_>, model: &mut Model) -> Result<Found> {
    let sizes = [model.file.model_size.get().into(), model.file.raw_size.get().into()];
    let base = t.position();
    let bytes = u64::from(model.file.model_size.get()).saturating_add(model.file.raw_size.get().into());
    if bytes > t.remaining() {
        return Err(t.error_in("model_size", Fault::Ends { count: bytes, each: 1, remain: t.remaining() }));
    }
    let mut finder = Finder { t, base, sizes, regions: Vec::new(), left: sizes[0], met: HashSet::new() };
    let flat = finder.model(model)?;
    finder.finish(flat)
}

impl Finder<'_, '_> {
    /// An error in the structure that begins at an offset of the model data.
    fn error(&self, start: u64, (tree, node): (usize, usize), field: &'static str, fault: Fault) -> Error {
        let at = self.base.saturating_add(start).min(self.base.saturating_add(self.t.remaining()));
        let node = [Step::Name("nodes"), Step::Index(wide(node))];
        match tree.checked_sub(1) {
            None => self.t.error_at(at, node.into_iter().chain([Step::Name(field)]), fault),
            Some(animation) => {
                let animation = [Step::Name("animations"), Step::Index(wide(animation))];
                self.t.error_at(at, animation.into_iter().chain(node).chain([Step::Name(field)]), fault)
            }
        }
    }

    /// The bytes that a pointer leads to, which stands in a structure at `from`.
    fn bytes(&self, from: u64, whose: (usize, usize), part: Part, start: u64, length: u64) -> Result<Bytes> {
        let (base, size) = if part.is_raw() {
            (self.base.saturating_add(self.sizes[0]), self.sizes[1])
        } else {
            (self.base, self.sizes[0])
        };
        let fault = || match start.checked_add(length) {
            Some(end) if end <= size => None,
            _ => Some(Fault::Ends { count: length, each: 1, remain: size.saturating_sub(start) }),
        };
        let name = part.name().unwrap_or("piece");
        fault().map_or(Ok(()), |fault| Err(self.error(from, whose, name, fault)))?;
        self.t.peek(base.saturating_add(start), length).map_err(|fault| self.error(from, whose, name, fault))
    }

    /// A structure that nothing else can share.
    fn structure(&mut self, from: u64, owner: Owner, start: u64, length: u64) -> Result<Bytes> {
        let whose = (owner.0, owner.1);
        let part = Part::new(owner.2);
        let bytes = self.bytes(from, whose, part, start, length)?;
        let again = || Fault::Outside { found: start.into(), expected: "bytes that belong to no other part".into() };
        if matches!(part, Part::NODE | Part::BOX) && !self.met.insert(start) {
            return Err(self.error(from, whose, "pointer", again()));
        }
        self.left = self.left.checked_sub(length).ok_or_else(|| self.error(from, whose, "pointer", again()))?;
        self.regions.push(Region { part, start, length: Some(length), owner });
        Ok(bytes)
    }

    fn read<T>(&self, start: u64, bytes: Bytes) -> Result<T>
    where
        One<T>: Lay + Default,
    {
        let One(structure) = decode::<One<T>>(bytes)
            .map_err(|error| {
                self.t.error_at(
                    self.base.saturating_add(start).saturating_add(error.offset().unwrap_or(0)),
                    error.place().steps().iter().copied(),
                    error.fault().clone(),
                )
            })?
            .model;
        Ok(structure)
    }

    fn pointers(&mut self, from: u64, owner: Owner, start: u64, length: u64) -> Result<Vec<u64>> {
        let bytes = self.structure(from, owner, start, length)?;
        Ok(words(&bytes).map(u64::from).collect())
    }

    fn model(&mut self, model: &mut Model) -> Result<Flat> {
        let bytes = self.structure(0, (0, 0, Part::MODEL.get(), 0), 0, MODEL)?;
        let head: Model = self.read(0, bytes)?;
        (model.geometry, model.head) = (head.geometry, head.head);
        let mut b = Binder::new(Way::Collect, 0, 0);
        model.bind(&mut b).map_err(|fault| self.error(0, (0, 0), "animations", fault))?;
        let mut animations = Vec::new();
        for (_, start, length) in b.found {
            animations = self.pointers(0, (0, 0, Part::ANIMATIONS.get(), 0), start.into(), length)?;
        }
        let mut flat = Flat { trees: vec![Tree::default()] };
        for (&start, tree) in animations.iter().zip(1..) {
            let owner = (tree, 0, Part::ANIMATION.get(), 0);
            let bytes = self.structure(0, owner, start, Animation::SIZE)?;
            let mut animation: Animation = self.read(start, bytes)?;
            let mut b = Binder::new(Way::Collect, 0, 0);
            animation.bind(&mut b).map_err(|fault| self.error(start, (tree, 0), "events", fault))?;
            for (part, to, length) in b.found {
                self.vector(start, (tree, 0, part.get(), 0), to.into(), length)?;
            }
            flat.trees.push(self.tree(tree, start, animation.geometry.head.root_at)?);
            model.animations.push(animation);
        }
        if let Some(first) = flat.trees.first_mut() {
            *first = self.tree(0, 0, model.geometry.head.root_at)?;
        }
        Ok(flat)
    }

    /// A vector, which several things may share.
    fn vector(&mut self, from: u64, owner: Owner, start: u64, length: u64) -> Result {
        let part = Part::new(owner.2);
        self.bytes(from, (owner.0, owner.1), part, start, length)?;
        self.regions.push(Region { part, start, length: Some(length), owner });
        Ok(())
    }

    /// The nodes of a tree, in preorder.
    fn tree(&mut self, tree: usize, from: u64, root: U32) -> Result<Tree> {
        let mut found = Tree::default();
        // Where each node begins, what points there, its parent, how deep it lies.
        let mut waiting = vec![(u64::from(root.get()), from, None::<usize>, 0_usize)];
        while let Some((start, from, parent, level)) = waiting.pop() {
            let index = found.nodes.len();
            if level >= limits::NODES {
                let fault = Fault::TooDeep { limit: limits::NODES };
                return Err(self.error(from, (tree, index), "children", fault));
            }
            let head = self.bytes(from, (tree, index), Part::NODE, start, Node::HEAD)?;
            let mut node = Node { head: crate::macros::read_pod(&head).unwrap_or_default(), ..Node::default() };
            node.make_parts(self.t)
                .map_err(|error| self.error(start, (tree, index), "flags", error.fault().clone()))?;
            room(&mut node, 18);
            let size = node.size();
            let bytes = self.structure(from, (tree, index, Part::NODE.get(), 0), start, size)?;
            node = self.read(start, bytes)?;
            let mut b = Binder::new(Way::Collect, 0, 0);
            let bound = node.bind(&mut b, 0, 0);
            bound.map_err(|fault| self.error(start, (tree, index), "mesh", fault))?;
            let children = self.parts(&mut node, start, (tree, index), b.found)?;
            let level = level.saturating_add(1);
            waiting.extend(children.into_iter().rev().map(|child| (child, start, Some(index), level)));
            if let Some(children) = parent.and_then(|parent| found.children.get_mut(parent)) {
                children.push(index);
            }
            found.nodes.push(node);
            found.children.push(Vec::new());
        }
        Ok(found)
    }

    /// What a node points to; gives where its children are.
    fn parts(
        &mut self,
        node: &mut Node,
        from: u64,
        whose: (usize, usize),
        found: Vec<(Part, u32, u64)>,
    ) -> Result<Vec<u64>> {
        let (mut children, mut counts) = (Vec::new(), Vec::new());
        for (part, start, length) in found {
            let owner = (whose.0, whose.1, part.get(), 0);
            let start = u64::from(start);
            match part {
                Part::CHILDREN => children = self.pointers(from, owner, start, length)?,
                Part::FLARES => self.flares(node, from, whose, start, length)?,
                Part::BOX => self.boxes(node, from, whose, start)?,
                Part::LIST_COUNTS => {
                    let bytes = self.bytes(from, whose, part, start, length)?;
                    self.vector(from, owner, start, length)?;
                    counts = words(&bytes).collect();
                }
                Part::LISTS => {
                    let bytes = self.bytes(from, whose, part, start, length)?;
                    self.vector(from, owner, start, length)?;
                    self.lists(node, from, whose, &counts, words(&bytes))?;
                }
                _ if Part::STREAMS.contains(&part) => {
                    self.bytes(from, whose, part, start, 0)?;
                    self.regions.push(Region { part, start, length: None, owner });
                }
                _ => self.vector(from, owner, start, length)?,
            }
        }
        Ok(children)
    }

    fn flares(&mut self, node: &mut Node, from: u64, whose: (usize, usize), start: u64, length: u64) -> Result {
        let names = self.pointers(from, (whose.0, whose.1, Part::FLARES.get(), 0), start, length)?;
        let Some(light) = &mut node.light else { return Ok(()) };
        for (item, &start) in names.iter().enumerate() {
            let rest = self.bytes(from, whose, Part::FLARE, start, self.sizes[0].saturating_sub(start))?;
            let Some(end) = rest.iter().position(|&byte| byte == 0) else {
                let fault = Fault::Unknown { found: "none".into(), expected: "a NUL after the name".into() };
                return Err(self.error(from, whose, "FLARE", fault));
            };
            let length = wide(end).saturating_add(1);
            self.vector(from, (whose.0, whose.1, Part::FLARE.get(), item), start, length)?;
            light.flares.push(Flare::default());
        }
        Ok(())
    }

    fn boxes(&mut self, node: &mut Node, from: u64, whose: (usize, usize), root: u64) -> Result {
        let Some(Sort::Boxes(boxes)) = node.mesh.as_mut().map(|mesh| &mut mesh.sort) else { return Ok(()) };
        let mut waiting = vec![(root, from)];
        while let Some((start, from)) = waiting.pop() {
            let owner = (whose.0, whose.1, Part::BOX.get(), boxes.entries.len());
            let bytes = self.structure(from, owner, start, Entry::SIZE)?;
            let head: BoxHead = record(&bytes);
            let mut entry = Entry { head, ..Entry::default() };
            let halves = [head.left_at, head.right_at].map(|half| half.get() != 0);
            entry.set_halves(halves);
            boxes.entries.push(entry);
            let halves = [head.right_at, head.left_at].into_iter().filter(|half| half.get() != 0);
            waiting.extend(halves.map(|half| (u64::from(half.get()), start)));
        }
        Ok(())
    }

    fn lists(
        &mut self,
        node: &mut Node,
        from: u64,
        whose: (usize, usize),
        counts: &[u32],
        pointers: impl Iterator<Item = u32>,
    ) -> Result {
        let Some(mesh) = &mut node.mesh else { return Ok(()) };
        for ((item, &count), pointer) in (0..).zip(counts).zip(pointers) {
            let mut list = List { told: count.into(), ..List::default() };
            if count == 0 {
                list.stray.set(pointer.wrapping_add(1));
            } else {
                let length = u64::from(count).saturating_mul(2);
                self.vector(from, (whose.0, whose.1, Part::LIST.get(), item), pointer.into(), length)?;
            }
            mesh.lists.push(list);
        }
        Ok(())
    }

    /// Puts what has been found in file order, with what lies between.
    fn finish(mut self, mut flat: Flat) -> Result<Found> {
        let mut starts: [Vec<u64>; 2] = [Vec::new(), Vec::new()];
        for region in &self.regions {
            let [model, raw] = &mut starts;
            if region.part.is_raw() { raw.push(region.start) } else { model.push(region.start) }
        }
        starts.iter_mut().for_each(|starts| starts.sort_unstable());
        let [model_starts, raw_starts] = &starts;
        let next = |starts: &[u64], start: u64, size: u64| {
            starts.get(starts.partition_point(|&other| other <= start)).copied().unwrap_or(size)
        };
        for region in &mut self.regions {
            let node = flat.node_mut(region.owner);
            match (region.length, node) {
                (None, Some(node)) => {
                    // It goes on to whatever comes next.
                    let end = next(raw_starts, region.start, self.sizes[1]);
                    let length = end.saturating_sub(region.start);
                    region.length = Some(length);
                    if let Some(vector) = node.vector_mut(region.part) {
                        vector.set(&vec![0; usize::try_from(length).unwrap_or(0)]);
                    }
                }
                (Some(length), Some(node)) if region.part == Part::NODE => {
                    // Room for 64 bones, if nothing else lies there (`nwn-mdl.md`, section 8).
                    let end = next(model_starts, region.start, self.sizes[0]);
                    if length < node.size() || end.saturating_sub(region.start) >= length.saturating_add(92) {
                        region.length = Some(length.saturating_add(room(node, 64)));
                    }
                }
                _ => {}
            }
        }
        self.regions.sort_by_key(|region| (region.part.is_raw(), region.start));
        let mut order: Vec<(Piece, u64)> = Vec::new();
        let mut regions = core::mem::take(&mut self.regions).into_iter().peekable();
        for (raw, gap) in [(false, Part::GAP), (true, Part::RAW_GAP)] {
            let mut at = 0;
            let mut before: Option<Region> = None;
            while let Some(region) = regions.next_if(|region| region.part.is_raw() == raw) {
                let length = region.length.unwrap_or(0);
                self.gap(&mut order, gap, at, region.start);
                let mut piece = Piece::new(region.owner);
                if region.start < at {
                    self.share(&region, before.as_ref(), at)?;
                    piece.shared = true.into();
                } else {
                    at = region.start.saturating_add(length);
                    before = Some(region);
                }
                order.push((piece, length));
            }
            self.gap(&mut order, gap, at, if raw { self.sizes[1] } else { self.sizes[0] });
        }
        Ok(Found { flat, order })
    }

    fn gap(&self, order: &mut Vec<(Piece, u64)>, part: Part, from: u64, to: u64) {
        if let Some(length) = to.checked_sub(from).filter(|&length| length > 0) {
            order.push((Piece::new((0, 0, part.get(), 0)), length));
        }
    }

    /// Whether a region that begins before `at` is the same bytes as the one before.
    fn share(&self, region: &Region, before: Option<&Region>, at: u64) -> Result {
        let same = before.is_some_and(|before| {
            before.start == region.start
                && before.length == region.length
                && element(before.part).is_some_and(|element| Some(element) == self::element(region.part))
        });
        if same {
            return Ok(());
        }
        let words = |region: &Region| {
            let (tree, node, ..) = region.owner;
            format!("{} of node {node} of tree {tree}", region.part.name().unwrap_or("piece"))
        };
        let other = before.map(words).unwrap_or_default();
        let expected = format!("for {} an offset from {at}, after {other}", words(region));
        let base = if region.part.is_raw() { self.sizes[0] } else { 0 };
        let start = base.saturating_add(region.start);
        let fault = Fault::Outside { found: region.start.into(), expected };
        Err(self.error(start, (region.owner.0, region.owner.1), "pointer", fault))
    }
}

/// What a vector is of, if it can be shared with another.
fn element(part: Part) -> Option<u8> {
    match part {
        Part::MODEL | Part::ANIMATIONS | Part::ANIMATION | Part::NODE | Part::CHILDREN | Part::BOX | Part::FLARES => {
            None
        }
        Part::VERTICES | Part::NORMALS => Some(Part::VERTICES.get()),
        _ if Part::COORDINATES.contains(&part) => Some(Part::COORDINATES_0.get()),
        part => Some(part.get()),
    }
}

/// Makes room in a skin for so many bones; gives how many bytes more than for 18.
fn room(node: &mut Node, bones: usize) -> u64 {
    match node.mesh.as_mut().map(|mesh| &mut mesh.sort) {
        Some(Sort::Skin(skin)) => {
            skin.bones = Block::from(vec![I16::default(); bones]);
            wide(bones.saturating_sub(18)).saturating_mul(2)
        }
        _ => 0,
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word))
}

/// The record at the beginning of some bytes.
fn record<R: Record>(bytes: &[u8]) -> R {
    crate::macros::read_head(bytes).unwrap_or_else(crate::macros::zeroed)
}
