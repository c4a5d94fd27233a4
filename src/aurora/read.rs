//! Reads a model by following its pointers, and finds the owner of every byte.

use std::collections::{BTreeMap, HashMap};

use bitflags::Flags as _;
use rustc_hash::FxHashSet;

use field::build::{Lay as _, LayBy as _, Tape};
use field::{Block, Error, Fault, Result, Run, Step, limits, wide};
use json::recompute::fill_in;

use super::aabb_tree::Entry;
use super::controllers;
use super::flags::{PieceKind, Things};
use super::header::{Animation, LayAnimation as _};
use super::mesh::LayMesh as _;
use super::mesh_types::{BONES, MORE_BONES, MeshType};
use super::model::{LayModel as _, MODEL, Model};
use super::node::{Aspect, LayNode as _, Node};
use super::piece::{Piece, Whose};
use super::pointers::{Access as _, Binder, Empties, Owner, Parts, Way};
use super::{order, walk};

/// The bytes that a pointer points to.
struct Region {
    of: Whose,
    start: u32,
    length: u32,
    /// Set if the length follows from the next region.
    is_open: bool,
}

/// The memory in bytes that a piece takes, in the model and in the maps with which the model is laid out by its pieces.
pub(super) const PIECE: u64 = 320;

/// A reader that follows pointers.
struct Reader<'a, 't> {
    t: &'a mut Tape<'t>,
    /// The offsets of both sections in the file, and their sizes.
    bases: [u64; 2],
    sizes: [u64; 2],
    /// The regions of both sections. In a file in the order of the walk, each list is already sorted.
    regions: [Vec<Region>; 2],
    /// Set if the pointer of an empty thing is not null, so that it may be a cursor.
    has_strays: bool,
    /// The number of bytes of the model data not yet claimed by a structure. If none are left, structures overlap.
    left: u64,
    /// An empty list of parts, whose memory is used again.
    spare: Vec<(PieceKind, u32, u64)>,
    /// The offsets of nodes and boxes.
    met: FxHashSet<u64>,
    /// The first offset of known names of lens flares, by their ends.
    names: BTreeMap<u64, u64>,
}

/// A pointer to a node.
#[derive(Clone, Copy)]
struct Link {
    tree: usize,
    /// The structure with the pointer.
    from: u64,
    start: u64,
    level: usize,
}

/// Reads a model.
pub(super) fn model(model: &mut Model, t: &mut Tape<'_>) -> Result {
    model.file.lay(t)?;
    let sizes = [model.file.model_size, model.file.raw_size].map(|size| u64::from(size.get()));
    let [model_size, raw_size] = sizes;
    let bytes = model_size + raw_size;
    if bytes > t.remaining() {
        return Err(t.error_in("model_size", Fault::Ends { count: bytes, each: 1, remain: t.remaining() }));
    }
    let bases = [t.position(), t.position() + model_size];
    let mut reader = Reader {
        t: &mut *t,
        bases,
        sizes,
        regions: [Vec::new(), Vec::new()],
        has_strays: false,
        spare: Vec::new(),
        left: model_size,
        met: FxHashSet::default(),
        names: BTreeMap::new(),
    };
    reader.model(model)?;
    let pieces = reader.finish(model)?;
    let has_strays = reader.has_strays;
    // The sections have been read.
    t.window(bytes, |t| t.rest("sections", Run::Opaque, &mut Block::default()))?;
    t.rest("trailing", Run::Surplus, &mut model.trailing)?;
    if pieces.is_empty() {
        if has_strays {
            walk::mark_cursors(model).map_err(|fault| t.error(fault))?;
        }
        model.keep();
        return Ok(());
    }
    model.keep();
    model.order = pieces;
    order::describe(model);
    // A layout that cannot be written again is refused.
    fill_in(model)
}

impl Reader<'_, '_> {
    /// Returns an error in the structure at an offset of the model data.
    fn error(&self, start: u64, (tree, node): (usize, usize), field: &'static str, fault: Fault) -> Error {
        let [base, _] = self.bases;
        let at = (base + start).min(base + self.t.remaining());
        let node = [Step::Name("nodes"), Step::Index(wide(node))];
        match tree.checked_sub(1) {
            None => self.t.error_at(at, node.into_iter().chain([Step::Name(field)]), fault),
            Some(animation) => {
                let animation = [Step::Name("animations"), Step::Index(wide(animation))];
                self.t.error_at(at, animation.into_iter().chain(node).chain([Step::Name(field)]), fault)
            }
        }
    }

    /// Returns the offset in the file that a pointer in the structure at `from` points to.
    fn locate(&self, from: u64, whose: (usize, usize), part: PieceKind, start: u64, length: u64) -> Result<u64> {
        let ([model, raw], [model_size, raw_size]) = (self.bases, self.sizes);
        let (base, size) = if part.is_raw() { (raw, raw_size) } else { (model, model_size) };
        match start.checked_add(length) {
            Some(end) if end <= size => Ok(base + start),
            _ => {
                let fault = Fault::Ends { count: length, each: 1, remain: size.saturating_sub(start) };
                Err(self.error(from, whose, part.name().unwrap_or("piece"), fault))
            }
        }
    }

    /// Adds a region, which several owners may share, and returns its offset in the file.
    fn region(&mut self, from: u64, owner: Owner, start: u64, length: u64) -> Result<u64> {
        let part = PieceKind::new(owner.2);
        let at = self.locate(from, (owner.0, owner.1), part, start, length)?;
        let number = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let (of, start, length) = (Whose::new(owner), number(start), number(length));
        self.t.charge(wide(size_of::<Region>()))?;
        self.section(part).push(Region { of, start, length, is_open: false });
        Ok(at)
    }

    /// Adds the region of a structure, which no other owner may share, and returns its offset in the file.
    fn structure(&mut self, from: u64, owner: Owner, start: u64, length: u64) -> Result<u64> {
        let (whose, part) = ((owner.0, owner.1), PieceKind::new(owner.2));
        self.locate(from, whose, part, start, length)?;
        let again = || Fault::Outside { found: start.into(), expected: "bytes that belong to no other part".into() };
        if matches!(part, PieceKind::NODE | PieceKind::BOX) && !self.met.insert(start) {
            return Err(self.error(from, whose, "pointer", again()));
        }
        self.left = self.left.checked_sub(length).ok_or_else(|| self.error(from, whose, "pointer", again()))?;
        self.region(from, owner, start, length)
    }

    /// Marks the region added last to the section of a part: its length follows from the next region.
    fn open(&mut self, part: PieceKind) {
        if let Some(region) = self.section(part).last_mut() {
            region.is_open = true;
        }
    }

    /// Returns the regions in the section of a part.
    fn section(&mut self, part: PieceKind) -> &mut Vec<Region> {
        let [data, raw] = &mut self.regions;
        if part.is_raw() { raw } else { data }
    }

    /// Returns some words of the file.
    fn words(&self, at: u64, length: u64) -> Result<impl DoubleEndedIterator<Item = u64> + use<>> {
        let bytes = self.t.peek(at, length).map_err(|fault| self.t.error(fault))?;
        let words = 0..bytes.len() / 4;
        let word =
            move |index: usize| bytes.as_chunks().0.get(index).map_or(0, |word| u32::from_le_bytes(*word).into());
        Ok(words.map(word))
    }

    /// Returns the pointers of a table.
    fn pointers(
        &mut self,
        from: u64,
        owner: Owner,
        start: u64,
        length: u64,
    ) -> Result<impl DoubleEndedIterator<Item = u64> + use<>> {
        let at = self.structure(from, owner, start, length)?;
        self.words(at, length)
    }

    /// Collects the parts that a structure points to, and its values that do not follow from the model.
    fn found<T: for<'s> Parts<Tape<'s>>>(
        &mut self,
        from: u64,
        whose: (usize, usize),
        field: &'static str,
        structure: &mut T,
    ) -> Result<Binder<'static>> {
        let b = Binder::new(Way::Collect, Empties::default(), 0, 0);
        let mut b = Binder { found: core::mem::take(&mut self.spare), ..b };
        b.found.clear();
        Tape::bind(structure, &mut b).map_err(|fault| self.error(from, whose, field, fault))?;
        self.has_strays |= !b.empties.stray.is_empty();
        Ok(b)
    }

    fn model(&mut self, model: &mut Model) -> Result {
        let at = self.structure(0, (0, 0, PieceKind::MODEL.get(), 0), 0, MODEL)?;
        self.t.elsewhere(at, MODEL, |t| t.model_head(model, 0))?;
        let b = self.found(0, (0, 0), "animations", model)?;
        model.empties = b.empties;
        for (part, start, length) in b.found {
            for (start, tree) in self.pointers(0, (0, 0, part.get(), 0), start.into(), length)?.zip(1..) {
                let mut animation = Animation::default();
                self.animation(&mut animation, tree, start)?;
                // Twice the size, because a list that grows is in memory twice.
                self.t.charge(wide(size_of::<Animation>()) * 2)?;
                model.animations.push(animation);
            }
        }
        let start = model.geometry.head.root_at.get().into();
        self.node(&mut model.root, &mut 0, Link { tree: 0, from: 0, start, level: 0 })
    }

    fn animation(&mut self, animation: &mut Animation, tree: usize, start: u64) -> Result {
        let at = self.structure(0, (tree, 0, PieceKind::ANIMATION.get(), 0), start, Animation::SIZE)?;
        self.t.elsewhere(at, Animation::SIZE, |t| t.animation_head(animation, 0))?;
        let b = self.found(start, (tree, 0), "events", animation)?;
        animation.empties = b.empties;
        for (part, events, length) in b.found {
            let at = self.region(start, (tree, 0, part.get(), 0), events.into(), length)?;
            self.t.elsewhere(at, length, |t| t.events(animation))?;
        }
        let root = animation.geometry.head.root_at.get().into();
        self.node(&mut animation.root, &mut 0, Link { tree, from: start, start: root, level: 0 })
    }

    /// Reads a node and all nodes below.
    fn node(&mut self, node: &mut Node, next: &mut usize, Link { tree, from, start, level }: Link) -> Result {
        let whose = (tree, *next);
        *next += 1;
        if level >= limits::NODES {
            return Err(self.error(from, whose, "children", Fault::TooDeep { limit: limits::NODES }));
        }
        let at = self.locate(from, whose, PieceKind::NODE, start, Node::HEAD)?;
        self.t.elsewhere(at, Node::HEAD, |t| t.fields(&mut node.head))?;
        let made = node.make_parts(self.t);
        made.map_err(|error| self.error(start, whose, "flags", error.fault().clone()))?;
        let size = node.size();
        self.structure(from, (tree, whose.1, PieceKind::NODE.get(), 0), start, size)?;
        if node.skin_mut().is_some() {
            self.open(PieceKind::NODE);
        }
        let aspect = Aspect { animated: false, rules: None, number: None };
        self.t.elsewhere(at, size, |t| node.lay_by(t, &aspect))?;
        let mut children = None;
        let mut counts = None;
        let mut lists = None;
        let [mut keys, mut data] = [None; 2];
        let Binder { found, empties, .. } = self.found(start, whose, "mesh", node)?;
        node.empties = empties;
        for &(part, to, length) in &found {
            let (owner, to) = ((tree, whose.1, part.get(), 0), u64::from(to));
            match part {
                PieceKind::CHILDREN => children = Some(self.pointers(start, owner, to, length)?),
                PieceKind::FLARES => self.flares(node, start, owner, to, length)?,
                PieceKind::BOX => self.boxes(node, start, owner, to)?,
                PieceKind::LIST_COUNTS => {
                    let at = self.region(start, owner, to, length)?;
                    counts = Some(self.words(at, length)?);
                }
                PieceKind::LISTS => {
                    self.list_pointers(node, start, owner, to, length)?;
                    lists = Some(owner);
                }
                _ if PieceKind::STREAMS.contains(&part) => {
                    self.region(start, owner, to, 0)?;
                    self.open(part);
                }
                PieceKind::KEYS => keys = Some((owner, to, length)),
                PieceKind::DATA => data = Some((owner, to, length)),
                _ => self.vector(node, start, owner, to, length)?,
            }
        }
        self.spare = found;
        // As in the walk, lists come after the other raw data of a mesh, and controllers after the children.
        if let Some(owner) = lists {
            self.lists(node, start, owner, counts.into_iter().flatten())?;
        }
        if let Some(mesh) = &node.mesh
            && mesh.head.vertices_used.get() > 0
            && mesh.vertex_count().is_none()
        {
            node.empties.miscounted.insert(Things::VERTICES);
        }
        // All its parts count until the cursors are marked.
        node.live = (tree > 0).into();
        let children = children.into_iter().flatten();
        // Not more at once, because a hostile file can list more children than it has.
        node.children.reserve(children.size_hint().0.min(16));
        for child in children {
            node.children.push(Node::default());
            if let Some(node) = node.children.last_mut() {
                self.node(node, next, Link { tree, from: start, start: child, level: level + 1 })?;
            }
        }
        for (owner, to, length) in [keys, data].into_iter().flatten() {
            self.vector(node, start, owner, to, length)?;
        }
        node.unordered = (!controllers::ordered(&node.keys)).into();
        Ok(())
    }

    fn vector(&mut self, node: &mut Node, from: u64, owner: Owner, start: u64, length: u64) -> Result {
        let at = self.region(from, owner, start, length)?;
        self.t.elsewhere(at, length, |t| t.node_part(node, PieceKind::new(owner.2), None))
    }

    fn flares(&mut self, node: &mut Node, from: u64, owner: Owner, start: u64, length: u64) -> Result {
        let (tree, index, ..) = owner;
        let pointers = self.pointers(from, owner, start, length)?;
        let Some(light) = &mut node.light else { return Ok(()) };
        light.flares = self.t.make(usize::try_from(length / 4).unwrap_or(usize::MAX))?;
        for ((item, flare), start) in light.flares.iter_mut().enumerate().zip(pointers) {
            flare.pointer.set(start.try_into().unwrap_or(u32::MAX));
            let length = self.name(from, (tree, index), start)?;
            let at = self.region(from, (tree, index, PieceKind::FLARE.get(), item), start, length)?;
            self.t.elsewhere(at, length, |t| flare.lay(t))?;
        }
        Ok(())
    }

    /// Returns the length of the name of a lens flare with its NUL.
    fn name(&mut self, from: u64, whose: (usize, usize), start: u64) -> Result<u64> {
        let [size, _] = self.sizes;
        let rest = size.saturating_sub(start);
        let at = self.locate(from, whose, PieceKind::FLARE, start, rest)?;
        // Bytes between the beginning of a known name and its NUL are searched only once.
        let known = self.names.range(start..).next().map(|(&end, &first)| (end, first));
        let rest = known.map_or(rest, |(_, first)| first.saturating_sub(start));
        let rest = self.t.peek(at, rest).map_err(|fault| self.error(from, whose, "FLARE", fault))?;
        let end = rest.iter().position(|&byte| byte == 0).map(|length| start + wide(length));
        let Some(end) = end.or(known.map(|(end, _)| end)) else {
            let fault = Fault::Unknown { found: "none".into(), expected: "a NUL after the name".into() };
            return Err(self.error(from, whose, "FLARE", fault));
        };
        let first = self.names.entry(end).or_insert(start);
        *first = start.min(*first);
        Ok(end - start + 1)
    }

    fn boxes(&mut self, node: &mut Node, from: u64, owner: Owner, root: u64) -> Result {
        let Some(MeshType::Aabb(tree)) = node.mesh.as_mut().map(|mesh| &mut mesh.mesh_type) else { return Ok(()) };
        let mut waiting = vec![(root, from)];
        while let Some((start, from)) = waiting.pop() {
            let owner = (owner.0, owner.1, owner.2, tree.entries.len());
            let at = self.structure(from, owner, start, Entry::SIZE)?;
            let mut entry = Entry::default();
            self.t.elsewhere(at, Entry::SIZE, |t| entry.lay(t))?;
            waiting.extend(entry.find_halves().rev().map(|half| (half, start)));
            tree.entries.push(entry);
        }
        Ok(())
    }

    fn list_pointers(&mut self, node: &mut Node, from: u64, owner: Owner, start: u64, length: u64) -> Result {
        let at = self.region(from, owner, start, length)?;
        let Some(mesh) = &mut node.mesh else { return Ok(()) };
        mesh.lists = self.t.make(usize::try_from(length / 4).unwrap_or(usize::MAX))?;
        self.t.elsewhere(at, length, |t| t.mesh_lists(mesh))
    }

    fn lists(&mut self, node: &mut Node, from: u64, owner: Owner, counts: impl Iterator<Item = u64>) -> Result {
        let (tree, index, ..) = owner;
        let Some(mesh) = &mut node.mesh else { return Ok(()) };
        for ((item, list), count) in mesh.lists.iter_mut().enumerate().zip(counts) {
            let pointer = list.pointer.get();
            if count == 0 {
                list.stray.set(pointer.wrapping_add(1));
            } else {
                let length = count * 2;
                let at = self.region(from, (tree, index, PieceKind::LIST.get(), item), pointer.into(), length)?;
                self.t.elsewhere(at, length, |t| list.lay(t))?;
            }
        }
        Ok(())
    }

    /// Finds the lengths of open regions: each ends where the next begins.
    fn close(&mut self, model: &mut Model) -> Result {
        let mut later: HashMap<Owner, (u64, u64)> = HashMap::new();
        for (regions, size) in self.regions.iter_mut().zip(self.sizes) {
            // The last offset, and the one after it.
            let (mut last, mut next) = (size, size);
            for region in regions.iter_mut().rev() {
                let start = u64::from(region.start);
                if start != last {
                    (last, next) = (start, last);
                }
                if !region.is_open {
                    continue;
                }
                let mut length = next - start;
                if region.of.part == PieceKind::NODE {
                    // A skin has space for 64 bones if nothing else is there (`nwn-mdl.md`, section 8).
                    let more = (MORE_BONES - wide(BONES)) * 2 + u64::from(region.length);
                    if length < more {
                        continue;
                    }
                    length = more;
                }
                region.length = length.try_into().unwrap_or(u32::MAX);
                later.insert(region.of.owner(), (start, length));
            }
        }
        if later.is_empty() {
            return Ok(());
        }
        self.regions.iter_mut().for_each(|regions| regions.retain(|region| region.length > 0));
        let [base, raw] = self.bases;
        let (t, has_strays) = (&mut *self.t, &mut self.has_strays);
        model.each_node(|(tree, index), node| {
            let found = |part: PieceKind| later.get(&(tree, index, part.get(), 0)).copied();
            if let (Some((start, length)), Some(skin)) = (found(PieceKind::NODE), node.skin_mut()) {
                let bytes = MORE_BONES * 2;
                let at = base + start + length - bytes;
                t.elsewhere(at, bytes, |t| t.block("bones", MORE_BONES, &mut skin.bones))?;
            }
            for part in PieceKind::STREAMS {
                match found(part) {
                    // A stream without bytes at the end of the section.
                    Some((_, 0)) => {
                        node.empties.stray.insert(Things::STREAMS);
                        *has_strays = true;
                    }
                    Some((start, length)) => {
                        t.elsewhere(raw + start, length, |t| t.node_part(node, part, None))?;
                    }
                    None => {}
                }
            }
            Ok(())
        })
    }

    /// Returns the pieces of the file in order, or none if that is the order of the walk.
    fn finish(&mut self, model: &mut Model) -> Result<Vec<Piece>> {
        let is_sorted = self.regions.iter().all(|all| all.is_sorted_by(|one, other| one.start < other.start));
        if !is_sorted {
            self.regions.iter_mut().for_each(|regions| regions.sort_by_key(Region::rank));
        }
        self.close(model)?;
        let ([data, raw], [model_size, raw_size]) = (core::mem::take(&mut self.regions), self.sizes);
        if is_tiled(&data, model_size) && is_tiled(&raw, raw_size) {
            // Regions are added in the order of the walk.
            let in_order = || is_in_order(model, [&data, &raw]);
            debug_assert!(!is_sorted || in_order(), "the order of the walk");
            if is_sorted || in_order() {
                return Ok(Vec::new());
            }
        }
        let mut pieces = self.pieces(&data, model_size, PieceKind::GAP)?;
        pieces.extend(self.pieces(&raw, raw_size, PieceKind::RAW_GAP)?);
        Ok(pieces)
    }

    /// Returns the pieces of a section, with the gaps between the regions.
    fn pieces(&self, regions: &[Region], size: u64, part: PieceKind) -> Result<Vec<Piece>> {
        let ([model_size, _], mut pieces) = (self.sizes, Vec::new());
        let gap = |from: u64, to: u64| -> Result<Option<Piece>> {
            let length = to.saturating_sub(from);
            if length == 0 {
                return Ok(None);
            }
            let at = self.locate(0, (0, 0), part, from, length)?;
            let bytes = self.t.peek(at, length).map_err(|fault| self.t.error(fault))?;
            self.t.charge(PIECE)?;
            Ok(Some(Piece { gap: Block::shared(bytes), ..Piece::new(Whose::new((0, 0, part.get(), 0))) }))
        };
        let mut at = 0;
        let mut before: Option<&Region> = None;
        for region in regions {
            let start = u64::from(region.start);
            pieces.extend(gap(at, start)?);
            let shared = start < at;
            if let Some(before) = before.filter(|before| shared && !region.is_same(before)) {
                let words = |region: &Region| {
                    let (tree, node, ..) = region.of.owner();
                    format!("{} of node {node} of tree {tree}", region.of.part.name().unwrap_or("piece"))
                };
                let expected = format!("for {} an offset from {at}, after {}", words(region), words(before));
                let (tree, node, ..) = region.of.owner();
                let from = if region.is_raw() { model_size + start } else { start };
                return Err(self.error(
                    from,
                    (tree, node),
                    "pointer",
                    Fault::Outside { found: start.into(), expected },
                ));
            }
            self.t.charge(PIECE)?;
            pieces.push(Piece { shared: shared.into(), ..Piece::new(region.of) });
            if !shared {
                at = region.end();
                before = Some(region);
            }
        }
        pieces.extend(gap(at, size)?);
        Ok(pieces)
    }
}

impl Region {
    fn is_raw(&self) -> bool {
        self.of.part.is_raw()
    }

    /// Returns the position among all regions of a section. Of regions with one start, the first owns the bytes: that of a node before
    /// those of the nodes below, and index lists before streams.
    fn rank(&self) -> (u32, usize, usize, bool) {
        let (tree, node, part, _) = self.of.owner();
        let streams = PieceKind::VERTICES.get()..PieceKind::LIST.get();
        // The geometry comes last.
        (self.start, tree.wrapping_sub(1), node, streams.contains(&part))
    }

    fn end(&self) -> u64 {
        u64::from(self.start) + u64::from(self.length)
    }

    /// Returns `true` if another part has the same bytes, and values of the same type.
    fn is_same(&self, other: &Self) -> bool {
        let elements = element(self.of.part).zip(element(other.of.part));
        (self.start, self.length) == (other.start, other.length) && elements.is_some_and(|(one, other)| one == other)
    }
}

/// Returns the type of the values in a part, or `None` if no other part can share them.
fn element(part: PieceKind) -> Option<PieceKind> {
    match part {
        PieceKind::MODEL
        | PieceKind::ANIMATIONS
        | PieceKind::ANIMATION
        | PieceKind::NODE
        | PieceKind::CHILDREN
        | PieceKind::BOX
        | PieceKind::FLARES => None,
        PieceKind::NORMALS => Some(PieceKind::VERTICES),
        _ if PieceKind::COORDINATES.contains(&part) => Some(PieceKind::COORDINATES_0),
        part => Some(part),
    }
}

/// Returns `true` if the regions of a section have neither gaps nor overlaps.
fn is_tiled(regions: &[Region], size: u64) -> bool {
    let mut at = 0;
    regions.iter().all(|region| u64::from(region.start) == core::mem::replace(&mut at, region.end())) && at == size
}

/// Returns `true` if the regions of both sections are in the order of the walk.
fn is_in_order(model: &Model, regions: [&[Region]; 2]) -> bool {
    let [mut data, mut raw] = regions.map(|regions| regions.iter());
    let mut same = true;
    walk::owners(model, &mut |owner| {
        let next = if PieceKind::new(owner.2).is_raw() { raw.next() } else { data.next() };
        same &= next.is_some_and(|region| region.of.owner() == owner);
    });
    same && data.next().is_none() && raw.next().is_none()
}
