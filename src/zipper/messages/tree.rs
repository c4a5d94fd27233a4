//! The tree of resources: directories of types, names and languages, and the data entries at its ends.
//!
//! Source: `zipper-messages.md`, section 3.

use std::collections::{BTreeMap, HashSet};

use object::LittleEndian as LE;
use object::read::pe::{ResourceDirectory, ResourceDirectoryEntryData};

use crate::field::{Block, Fault, Result, U16, U32, lay, wide};
use crate::{names, record};

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

/// Type, name and language of a resource: numbers, or where a name lies.
pub type Path = [U32; LEVELS];

/// The parts of a tree in the bytes of a section: where they lie, what they are, how long they are.
pub(super) type Parts = BTreeMap<u64, (NodeKind, u64)>;

/// Finds the parts of the tree whose root is at an offset of the bytes of a section.
///
/// # Errors
/// What is wrong with it.
pub(super) fn find(bytes: &[u8], root: u64) -> core::result::Result<Parts, Fault> {
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
            let expected = format!("a part of the tree from {end} onward");
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
    /// Bytes it takes, without what lies before it.
    fn length(&self) -> u64 {
        match self.kind {
            NodeKind::DATA => 16,
            NodeKind::NAME => wide(self.units.len()).saturating_mul(2).saturating_add(2),
            _ => wide(self.entries.len()).saturating_mul(8).saturating_add(16),
        }
    }
}

lay! {
    impl Lay for Node {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            match self.kind {
                NodeKind::DATA => t.fields(at!(self.data)),
                NodeKind::NAME => {
                    let count = t.number::<U16>("count", wide(self.units.len()))?;
                    t.block("units", count, at!(self.units))
                }
                _ => {
                    let numbered = wide(self.entries.len()).saturating_sub(self.head.named.get().into());
                    t.fill("numbered", at!(self.head.numbered), numbered)?;
                    t.fields(at!(self.head))?;
                    let count = u64::from(self.head.named.get()).saturating_add(self.head.numbered.get().into());
                    t.block("entries", count, at!(self.entries))
                }
            }
        }
    }
}

/// Every part of the tree and where in the section it lies.
pub(super) fn nodes(tree: &[Node]) -> impl Iterator<Item = (u64, &Node)> {
    let mut at = 0_u64;
    tree.iter().map(move |node| {
        let begin = at.saturating_add(wide(node.gap.len()));
        at = begin.saturating_add(node.length());
        (begin, node)
    })
}

/// Where the tree ends in the section.
pub(super) fn end(tree: &[Node]) -> u64 {
    nodes(tree).last().map_or(0, |(begin, node)| begin.saturating_add(node.length()))
}

/// The data entries, as they lie.
pub(super) fn entries(tree: &[Node]) -> impl Iterator<Item = &DataEntry> {
    tree.iter().filter(|node| node.kind == NodeKind::DATA).map(|node| &node.data)
}

/// The address and the path of every resource, in the order of addresses.
pub(super) fn paths(tree: &[Node], root: u64) -> Vec<(u64, Path)> {
    let nodes: BTreeMap<u64, &Node> = nodes(tree).collect();
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

/// The path of the resource at an address.
pub(super) fn path_of(paths: &[(u64, Path)], address: u64) -> Option<Path> {
    let found = paths.get(paths.partition_point(|(at, _)| *at < address))?;
    (found.0 == address).then_some(found.1)
}
