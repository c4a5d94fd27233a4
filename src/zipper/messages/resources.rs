//! `.rsrc`: a tree of types, names and languages, and the resources at its ends.
//!
//! | part | bytes |
//! |---|---|
//! | [`Node`]s of the tree: directories, data entries, names | 16 and more |
//! | [`Resource`]s | |
//! | bytes that nobody owns, then zeros | |
//!
//! Data entries say where in memory a resource lies and how long it is. What they say is the room that a resource has: an
//! edit that needs more finds it as section 7 of the document says. The tree itself never moves.
//!
//! Source: `zipper-messages.md`, section 3.

use core::ops::Range;
use std::collections::{BTreeMap, HashSet};

use object::LittleEndian as LE;
use object::read::pe::{ResourceDirectory, ResourceDirectoryEntryData};

use crate::field::{Block, Fault, Pad, Result, Run, Tape, Truth, U16, U32, quote, size, wide};
use crate::{names, record};

use super::keys::Names;
use super::strings;
use super::table::Table;

/// The type of string blocks.
pub const STRING: u32 = 6;
/// The type of message tables.
pub const MESSAGE_TABLE: u32 = 11;
/// Levels of the tree: types, names, languages.
const LEVELS: usize = 3;
/// In an offset of the tree: to a directory, or to a name.
const INNER: u32 = 0x8000_0000;

record! {
    /// The head of a directory, 16 bytes. Source: `zipper-messages.md`, section 3.
    pub struct DirectoryHead: 16 {
        characteristics: U32 = 0,
        time: U32,
        version: [U16; 2],
        /// How many of its entries have names.
        named: U16 as Derived,
        /// How many have numbers.
        numbered: U16 as Outside,
    }
}

record! {
    /// An entry of a directory, 8 bytes. Source: `zipper-messages.md`, section 3.
    pub struct DirectoryEntry: 8 {
        /// A number, or where a name lies (the highest bit says so).
        id: U32,
        /// Where a data entry lies, or another directory (the highest bit says so).
        offset: U32 as Derived,
    }
}

record! {
    /// A data entry, 16 bytes. Source: `zipper-messages.md`, section 3.
    pub struct DataEntry: 16 {
        /// Where the resource lies in memory, counted from the image base.
        address: U32 as Derived,
        size: U32 as Derived,
        code_page: U32,
        unk_0c: U32 = 0,
    }
}

names! {
    /// What a part of the tree is.
    pub struct NodeKind(U8: u8) {
        /// A directory.
        DIRECTORY = 0;
        /// A data entry.
        DATA = 1;
        /// A name.
        NAME = 2;
    }
}

/// A part of the tree.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// What lies before it.
    pub gap: Block,
    /// Of a directory: its head.
    pub head: DirectoryHead,
    /// Of a directory: its entries.
    pub entries: Block<DirectoryEntry>,
    /// Of a data entry: all of it.
    pub data: DataEntry,
    /// Of a name: its UTF-16 units.
    pub units: Block<U16>,
}

names! {
    /// How a resource is looked into.
    pub struct Holds(U8: u8) {
        /// Not at all.
        BYTES = 0;
        /// A message table.
        MESSAGES = 1;
        /// A block of strings.
        STRINGS = 2;
    }
}

/// A resource.
#[derive(Clone, Debug, Default)]
pub struct Resource {
    /// Type, name and language, as the tree says; for people, and a check that nothing has got out of step.
    pub path: Path,
    /// How it is looked into.
    pub holds: Holds,
    /// Whether other bytes lie before it than zeros up to a multiple of 4.
    pub loose: Truth,
    /// Those bytes.
    pub gap: Block,
    /// The zeros.
    pub padding: Pad,
    /// Of a message table: all of it.
    pub table: Table,
    /// Of a block of strings: all 16 of them.
    pub strings: Block,
    /// Of any other: all of it; of a block of strings: what stands behind them.
    pub bytes: Block,
}

/// What `.rsrc` holds.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// The tree, as its parts lie.
    pub tree: Vec<Node>,
    /// The resources, as they lie.
    pub resources: Vec<Resource>,
    /// What stands behind the last, up to the last byte that is not zero.
    pub rest: Block,
    /// Zeros up to the end of the section in the file.
    pub slack: Pad,
}

/// Type, name and language of a resource: numbers, or where a name lies.
pub type Path = [U32; LEVELS];

/// Where a section lies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Section {
    /// Where it begins in memory, counted from the image base.
    pub address: u64,
    /// Bytes before the tree in it.
    pub root: u64,
    /// Bytes in the file.
    pub room: u64,
}

/// The parts of a tree in the bytes of a section: where they lie, what they are, how long they are.
pub(super) type Parts = BTreeMap<u64, (NodeKind, u64)>;

/// Finds the parts of the tree whose root is at an offset of the bytes of a section.
///
/// # Errors
/// What is wrong with it.
pub(super) fn find_tree(bytes: &[u8], root: u64) -> core::result::Result<Parts, Fault> {
    let tree = usize::try_from(root).ok().and_then(|root| bytes.get(root..)).unwrap_or_default();
    let unknown = |error: object::read::Error| Fault::Unknown {
        found: error.to_string(),
        expected: "a directory of resources".to_owned(),
    };
    let directory = ResourceDirectory::new(tree);
    let mut parts = Parts::new();
    let mut inner = vec![(0, 0, directory.root().map_err(unknown)?)];
    let mut left = wide(bytes.len());
    while let Some((offset, level, table)) = inner.pop() {
        let length = wide(table.entries.len().saturating_mul(8).saturating_add(16));
        if parts.insert(root.saturating_add(offset), (NodeKind::DIRECTORY, length)).is_some() {
            continue;
        }
        // Parts do not share bytes, so there can be no more entries than that.
        let ends = Fault::Ends { count: length, each: 1, remain: left };
        left = left.checked_sub(length).ok_or(ends)?;
        for entry in table.entries {
            if entry.has_name() {
                let name = u64::from(entry.name_or_id.get(LE) & !INNER);
                let units = usize::try_from(name).ok().and_then(|name| tree.get(name..)).and_then(<[u8]>::first_chunk);
                let units = units.map(|count| u64::from(u16::from_le_bytes(*count)));
                let units = units.ok_or(Fault::Ends { count: 1, each: 2, remain: 0 })?;
                parts.insert(root.saturating_add(name), (NodeKind::NAME, units.saturating_mul(2).saturating_add(2)));
            }
            let offset = u64::from(entry.data_offset());
            match entry.data(directory).map_err(unknown)? {
                ResourceDirectoryEntryData::Data(_) => {
                    _ = parts.insert(root.saturating_add(offset), (NodeKind::DATA, 16))
                }
                ResourceDirectoryEntryData::Table(_) if level + 1 >= LEVELS => {
                    return Err(Fault::TooDeep { limit: LEVELS });
                }
                ResourceDirectoryEntryData::Table(table) => inner.push((offset, level + 1, table)),
            }
        }
    }
    let mut end = 0;
    for (&offset, &(_, length)) in &parts {
        if offset < end {
            let expected = format!("a part of the tree from {end} on");
            return Err(Fault::Outside { found: offset.into(), expected });
        }
        end = offset.saturating_add(length);
    }
    if end > wide(bytes.len()) {
        return Err(Fault::Ends { count: end, each: 1, remain: wide(bytes.len()) });
    }
    Ok(parts)
}

impl Node {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        match self.kind {
            NodeKind::DATA => t.fields(&mut self.data),
            NodeKind::NAME => {
                let mut count = U16::default();
                t.counted("count", &mut count, Some(wide(self.units.len())))?;
                let count = t.stated("count", count)?;
                t.block("units", count, &mut self.units)
            }
            _ => {
                let entries = wide(self.entries.len());
                t.fill("numbered", &mut self.head.numbered, entries.saturating_sub(self.head.named.get().into()))?;
                t.fields(&mut self.head)?;
                let count = u64::from(self.head.named.get()).saturating_add(self.head.numbered.get().into());
                t.block("entries", count, &mut self.entries)
            }
        }
    }

    /// Bytes it takes, without what lies before it.
    fn length(&self) -> u64 {
        match self.kind {
            NodeKind::DATA => 16,
            NodeKind::NAME => wide(self.units.len()).saturating_mul(2).saturating_add(2),
            _ => wide(self.entries.len()).saturating_mul(8).saturating_add(16),
        }
    }
}

impl Resources {
    /// Lays a section; `parts` are those of its tree, in read mode.
    ///
    /// # Errors
    /// In visit mode, when there are other resources than the tree has.
    pub fn lay(&mut self, t: &mut Tape<'_>, section: Section, parts: &Parts, names: &Names) -> Result {
        let begin = t.position();
        let mut next = parts.iter();
        t.list("tree", wide(parts.len().max(self.tree.len())), 0, &mut self.tree, |t, node| {
            let mut gap = wide(node.gap.len());
            if let Some((&offset, &(kind, _))) = next.next() {
                node.kind = kind;
                gap = begin.saturating_add(offset).saturating_sub(t.position());
            }
            t.fact("kind", &mut node.kind)?;
            t.run("gap", Run::Surplus, gap, &mut node.gap)?;
            node.lay(t)
        })?;
        // Only where somebody looks: how long something is does not hang on it.
        let paths = if t.reading() || t.labelling() { self.paths(section.root) } else { Vec::new() };
        let places = self.places(section);
        self.expect_places(t, section, &places);
        let mut next = places.iter();
        let count = if t.reading() { wide(places.len()) } else { wide(self.resources.len()) };
        if t.filling() && places.len() != self.resources.len() {
            return Err(t.error_in("resources", Fault::Count { expected: wide(places.len()), found: count }));
        }
        t.list("resources", count, 1, &mut self.resources, |t, resource| {
            let place = next.next().cloned().unwrap_or_default();
            let path = path_of(&paths, section.address.saturating_add(place.start)).unwrap_or_default();
            resource.lay(t, begin, &place, path, names)
        })?;
        let mut rest = wide(self.rest.len());
        if t.reading() {
            let left = t.ahead(t.remaining());
            rest = wide(left.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1)));
        }
        t.run("rest", Run::Surplus, rest, &mut self.rest)?;
        t.pad("slack", begin, section.room.max(1), &mut self.slack)
    }

    /// Every part of the tree and where in the section it lies.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (u64, &Node)> {
        let mut at = 0_u64;
        self.tree.iter().map(move |node| {
            let begin = at.saturating_add(wide(node.gap.len()));
            at = begin.saturating_add(node.length());
            (begin, node)
        })
    }

    /// Where the tree ends in the section.
    pub(super) fn tree_end(&self) -> u64 {
        self.nodes().last().map_or(0, |(begin, node)| begin.saturating_add(node.length()))
    }

    /// The data entries, as they lie.
    fn entries(&self) -> impl Iterator<Item = &DataEntry> {
        self.tree.iter().filter(|node| node.kind == NodeKind::DATA).map(|node| &node.data)
    }

    /// Where the data entries say that something lies in the section, empty resources left out.
    pub(super) fn told(&self, section: Section) -> impl Iterator<Item = Range<u64>> {
        self.entries().filter(|entry| entry.size.get() > 0).map(move |entry| {
            // What lies before the section lies outside it as well.
            let begin = u64::from(entry.address.get()).checked_sub(section.address).unwrap_or(u64::MAX);
            begin..begin.saturating_add(entry.size.get().into())
        })
    }

    /// Where resources lie that have their bytes to themselves: behind the tree, in the section, the first to begin first.
    pub(super) fn places(&self, section: Section) -> Vec<Range<u64>> {
        let mut places: Vec<Range<u64>> = self.told(section).collect();
        places.sort_by_key(|place| place.start);
        let mut end = self.tree_end();
        places.retain(|place| {
            let own = place.start >= end && place.end <= section.room;
            if own {
                end = place.end;
            }
            own
        });
        places
    }

    fn expect_places(&self, t: &mut Tape<'_>, section: Section, places: &[Range<u64>]) {
        t.expect("resources", || {
            let mut places = places.to_vec();
            let lost = self.told(section).find(|told| {
                let own = places.iter().position(|place| place == told);
                own.map(|own| places.swap_remove(own)).is_none()
            })?;
            Some((
                "resources in the section that share no bytes".into(),
                format!("one from {} to {}", lost.start, lost.end).into(),
            ))
        });
    }

    /// The address and the path of every resource, in the order of addresses.
    pub(super) fn paths(&self, root: u64) -> Vec<(u64, Path)> {
        let nodes: BTreeMap<u64, &Node> = self.nodes().collect();
        let mut paths = Vec::new();
        let mut inner = vec![(root, 0_usize, Path::default())];
        let mut seen = HashSet::new();
        while let Some((offset, level, path)) = inner.pop() {
            let Some(node) = nodes.get(&offset) else { continue };
            match node.kind {
                NodeKind::DATA => paths.push((node.data.address.get().into(), path)),
                NodeKind::DIRECTORY if level < LEVELS && seen.insert(offset) => {
                    inner.extend(node.entries.iter().map(|entry| {
                        let mut path = path;
                        path.iter_mut().skip(level).take(1).for_each(|step| *step = entry.id);
                        (root.saturating_add((entry.offset.get() & !INNER).into()), level + 1, path)
                    }))
                }
                _ => {}
            }
        }
        // Of two that lead to the same bytes, the lower type: the one that can say what they are.
        paths.sort_by_key(|(address, path)| (*address, path.map(U32::get)));
        paths
    }
}

/// The path of the resource at an address.
fn path_of(paths: &[(u64, Path)], address: u64) -> Option<Path> {
    let found = paths.get(paths.partition_point(|(at, _)| *at < address))?;
    (found.0 == address).then_some(found.1)
}

impl Resource {
    /// Bytes it takes, without what lies before it.
    pub(super) fn length(&mut self) -> u64 {
        size(|t| self.lay_content(t, 0, &Names::default()))
    }

    /// Lays a resource of a section that begins at `begin`, in read mode at a place in it.
    fn lay(&mut self, t: &mut Tape<'_>, begin: u64, place: &Range<u64>, path: Path, names: &Names) -> Result {
        let mut gap = wide(self.gap.len());
        if t.reading() {
            gap = begin.saturating_add(place.start).saturating_sub(t.position());
            let zeros = t.ahead(gap).iter().all(|&byte| byte == 0);
            self.loose = (!zeros || gap != to_multiple(t.position().saturating_sub(begin))).into();
        }
        if t.reading() {
            self.path = path;
        }
        t.fact("path", &mut self.path)?;
        if t.filling() && t.labelling() && self.path != path {
            let fault = Fault::Unknown { found: format!("{:?}", self.path), expected: format!("{path:?}") };
            return Err(t.error_in("path", fault));
        }
        t.fact("holds", &mut self.holds)?;
        t.fact("loose", &mut self.loose)?;
        if bool::from(self.loose) {
            t.run("gap", Run::Surplus, gap, &mut self.gap)?;
            if self.gap.is_empty() {
                t.expect("gap", || Some(("a multiple of 4".into(), place.start.into())));
            }
        } else {
            t.pad("padding", begin, 4, &mut self.padding)?;
        }
        let length = place.end.saturating_sub(place.start);
        if t.reading() {
            self.holds = Self::recognise(&t.peek(t.position(), length).map_err(|fault| t.error(fault))?, path);
        }
        t.window(length, |t| self.lay_content(t, length, names))?;
        if t.reading() {
            let [_, _, language] = path;
            self.table.choose_page(language.get());
        }
        let Self { path, holds, bytes, .. } = self;
        t.expect("bytes", || match path.map(U32::get) {
            [MESSAGE_TABLE, ..] if *holds == Holds::BYTES => {
                Some(("a message table".into(), Table::find(bytes).err()?.to_string().into()))
            }
            [STRING, ..] if *holds == Holds::BYTES => Some(("16 strings".into(), quote(bytes).into())),
            _ => None,
        });
        Ok(())
    }

    /// How a resource of this path is looked into, if it is sound.
    fn recognise(bytes: &[u8], path: Path) -> Holds {
        match path.map(U32::get) {
            [MESSAGE_TABLE, ..] if Table::find(bytes).is_ok() => Holds::MESSAGES,
            [STRING, ..] if strings::split(bytes).is_some() => Holds::STRINGS,
            _ => Holds::BYTES,
        }
    }

    fn lay_content(&mut self, t: &mut Tape<'_>, length: u64, names: &Names) -> Result {
        match self.holds {
            Holds::MESSAGES => t.group("table", |t| self.table.lay(t, names)),
            Holds::STRINGS => {
                let census = strings::census(if t.reading() { t.ahead(length) } else { &self.strings });
                t.coded_of("strings", &strings::CODING, census, &mut self.strings)?;
                t.rest("trailing", Run::Surplus, &mut self.bytes)
            }
            _ => t.rest("bytes", Run::Opaque, &mut self.bytes),
        }
    }
}

/// Zeros up to the next multiple of 4.
pub(super) fn to_multiple(at: u64) -> u64 {
    at.wrapping_neg() & 3
}
