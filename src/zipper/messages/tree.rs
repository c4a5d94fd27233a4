//! The resource tree: directories of types, names and languages, with data entries as leaves.
//!
//! Source: [`zipper-messages.md`](formats::zipper_messages), section 3.

use core::mem::replace;
use std::collections::BTreeMap;

use object::LittleEndian as LE;
use object::read::pe::{ResourceDirectory, ResourceDirectoryEntryData};

use field::{Block, Fault, Result, U16, U32, lay, wide};
use field::{names, record};

/// The levels of the tree: types, names, languages.
const LEVELS: usize = 3;
/// The bit in an offset that marks a directory or a name.
const INNER: u32 = 0x8000_0000;

record! {
    /// The header of a directory, 16 bytes. Source: `zipper-messages.md`, section 3.
    pub struct DirectoryHeader: 16 {
        characteristics: U32 = 0,
        time: U32,
        version: [U16; 2],
        /// The number of entries with names.
        named: U16 as Derived,
        /// The number of entries with numbers.
        numbered: U16 as Outside,
    }
}

record! {
    /// An entry of a directory, 8 bytes. Source: `zipper-messages.md`, section 3.
    pub struct DirectoryEntry: 8 {
        /// A number, or the offset of a name if the highest bit is set.
        id: U32,
        /// The offset of a data entry, or of a directory if the highest bit is set.
        offset: U32 as Derived,
    }
}

record! {
    /// A data entry, 16 bytes. Source: `zipper-messages.md`, section 3.
    pub struct DataEntry: 16 {
        /// The address of the resource in memory, relative to the image base.
        address: U32 as Derived,
        size: U32 as Derived,
        code_page: U32,
        unk_0c: U32 = 0,
    }
}

names! {
    /// The type of a part of the tree.
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
    /// The type of the part.
    pub kind: NodeKind,
    /// Bytes before the part.
    pub gap: Block,
    /// The header of a directory.
    pub head: DirectoryHeader,
    /// The entries of a directory.
    pub entries: Block<DirectoryEntry>,
    /// The contents of a data entry.
    pub data: DataEntry,
    /// The UTF-16 units of a name.
    pub units: Block<U16>,
}

/// Type, name and language of a resource: each a number, or the offset of a name.
pub type Path = [U32; LEVELS];

/// The parts of a tree in the bytes of a section: offsets, types, lengths.
pub(super) type Parts = BTreeMap<u64, (NodeKind, u64)>;

/// Finds the parts of the tree whose root is at an offset in the bytes of a section.
///
/// # Errors
/// Returns an error if the tree is invalid.
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
        let length = wide(table.entries.len() * 8 + 16);
        if parts.insert(root + offset, (NodeKind::DIRECTORY, length)).is_some() {
            continue;
        }
        // Parts do not share bytes, so their total length is limited by that of the section.
        let ends = Fault::Ends { count: length, each: 1, remain: left };
        left = left.checked_sub(length).ok_or(ends)?;
        for entry in table.entries {
            if entry.has_name() {
                let name = u64::from(entry.name_or_id.get(LE) & !INNER);
                let units = usize::try_from(name).ok().and_then(|name| tree.get(name..)).and_then(<[u8]>::first_chunk);
                let units = units.map(|count| u64::from(u16::from_le_bytes(*count)));
                let units = units.ok_or(Fault::Ends { count: 1, each: 2, remain: 0 })?;
                parts.insert(root + name, (NodeKind::NAME, units * 2 + 2));
            }
            let offset = u64::from(entry.data_offset());
            match entry.data(directory).map_err(unknown)? {
                ResourceDirectoryEntryData::Data(_) => _ = parts.insert(root + offset, (NodeKind::DATA, 16)),
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
        end = offset + length;
    }
    if end > wide(bytes.len()) {
        return Err(Fault::Ends { count: end, each: 1, remain: wide(bytes.len()) });
    }
    Ok(parts)
}

impl Node {
    /// Returns the length of the part, without the bytes before it.
    fn length(&self) -> u64 {
        match self.kind {
            NodeKind::DATA => 16,
            NodeKind::NAME => wide(self.units.len()) * 2 + 2,
            _ => wide(self.entries.len()) * 8 + 16,
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
                    t.computed("numbered", at!(self.head.numbered), numbered)?;
                    t.fields(at!(self.head))?;
                    let count = u64::from(self.head.named.get()) + u64::from(self.head.numbered.get());
                    t.block("entries", count, at!(self.entries))
                }
            }
        }
    }
}

/// Returns every part of the tree with its offset in the section.
pub(super) fn nodes(tree: &[Node]) -> impl Iterator<Item = (u64, &Node)> {
    let mut at = 0_u64;
    tree.iter().map(move |node| {
        let begin = at + wide(node.gap.len());
        at = begin + node.length();
        (begin, node)
    })
}

/// Returns the end of the tree in the section.
pub(super) fn end(tree: &[Node]) -> u64 {
    nodes(tree).last().map_or(0, |(begin, node)| begin + node.length())
}

/// Returns the data entries in file order.
pub(super) fn entries(tree: &[Node]) -> impl Iterator<Item = &DataEntry> {
    tree.iter().filter(|node| node.kind == NodeKind::DATA).map(|node| &node.data)
}

/// Returns the address and path of every resource, ordered by address.
pub(super) fn paths(tree: &[Node], root: u64) -> Vec<(u64, Path)> {
    // In ascending order, each with `true` if it is a directory that has been looked at.
    let mut nodes: Vec<(u64, &Node, bool)> = nodes(tree).map(|(offset, node)| (offset, node, false)).collect();
    let mut paths = Vec::new();
    let mut inner = vec![(root, 0_usize, Path::default())];
    while let Some((offset, level, path)) = inner.pop() {
        let found = nodes.binary_search_by_key(&offset, |(offset, ..)| *offset).ok();
        let Some((_, node, is_seen)) = found.and_then(|at| nodes.get_mut(at)) else { continue };
        match node.kind {
            NodeKind::DATA => paths.push((node.data.address.get().into(), path)),
            NodeKind::DIRECTORY if level < LEVELS && !replace(is_seen, true) => {
                inner.extend(node.entries.iter().map(|entry| {
                    let mut path = path;
                    path.iter_mut().skip(level).take(1).for_each(|step| *step = entry.id);
                    (root + u64::from(entry.offset.get() & !INNER), level + 1, path)
                }))
            }
            _ => {}
        }
    }
    // If two paths lead to the same bytes, the lower type comes first, because it can identify the contents.
    paths.sort_by_key(|(address, path)| (*address, path.map(U32::get)));
    paths
}

/// Returns the path of the resource at an address, or `None` if there is none.
pub(super) fn path_of(paths: &[(u64, Path)], address: u64) -> Option<Path> {
    let found = paths.get(paths.partition_point(|(at, _)| *at < address))?;
    (found.0 == address).then_some(found.1)
}
