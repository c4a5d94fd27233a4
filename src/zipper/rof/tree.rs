//! The directory tree of a ROF archive, walked before the archive is read.

use core::ops::Range;
use std::collections::HashSet;

use bitflags::Flags as _;

use field::build::Tape;
use field::{Error, Fault, Label, Step, U32, wide};

use super::{DirectoryHeader, RecordHeader, join};

/// The items of all directories of an archive.
pub(super) struct Tree<'f> {
    /// The items level by level: those of the root, then those of each directory among them, in turn.
    found: Vec<Found<'f>>,
    /// The indices of `found` in file order.
    order: Vec<usize>,
    /// The rank of each of `found` in that order.
    ranks: Vec<U32>,
    /// The length of the root directory, and its number of records.
    root: (u64, usize),
}

/// An item found through its record.
pub(super) struct Found<'f> {
    pub(super) range: Range<u64>,
    /// The indices of its own items, if it is a directory.
    children: Range<usize>,
    /// The index of its directory, or `None` for the root.
    parent: Option<usize>,
    /// The offset of that directory, and the index of the record in it.
    block: u64,
    record: usize,
    head: RecordHeader,
    name: &'f [u8],
}

/// An error in a record.
pub(super) struct Wrong {
    /// The offset of the field.
    offset: u64,
    /// The path of the directory, unless it is the root.
    directory: Option<Vec<u8>>,
    record: usize,
    field: &'static str,
    fault: Fault,
}

impl Wrong {
    /// Returns the error of a file that begins at this offset.
    pub(super) fn error(self, t: &Tape<'_>, start: u64) -> Error {
        let here = t.error(self.fault.clone()).place().clone();
        let label = self.directory.map(|path| Label { name: path.into(), ..Label::default() });
        let place = label.map_or_else(|| here.clone(), |label| here.with_entry(label));
        let steps = [Step::Name("records"), Step::Index(wide(self.record)), Step::Name(self.field)];
        Error::new(start + self.offset, place.with(steps), self.fault)
    }
}

/// Returns the fault of an offset behind the end of the file.
fn beyond(start: u64, file: &[u8]) -> Fault {
    Fault::Outside { found: start.into(), expected: format!("an offset up to {}", file.len()) }
}

/// A directory as laid out in the file.
struct Lying<'f> {
    records: &'f [RecordHeader],
    names: &'f [u8],
    size: u64,
}

impl Found<'_> {
    pub(super) fn is_directory(&self) -> bool {
        self.head.flags.is_directory()
    }
}

impl<'f> Lying<'f> {
    fn read(file: &'f [u8], start: u64) -> Result<Self, Fault> {
        let block = usize::try_from(start).ok().and_then(|start| file.get(start..)).unwrap_or_default();
        let ends =
            |count: u64, each: usize, rest: &[u8]| Fault::Ends { count, each: wide(each), remain: wide(rest.len()) };
        let (head, rest) = block.split_at_checked(size_of::<DirectoryHeader>()).ok_or(ends(1, 8, block))?;
        let head: DirectoryHeader = field::macros::read_pod(head).unwrap_or_default();
        let count = u64::from(head.entry_count.get());
        let bytes = usize::try_from(count).ok().and_then(|count| count.checked_mul(size_of::<RecordHeader>()));
        let both = bytes.and_then(|bytes| rest.split_at_checked(bytes));
        let (records, rest) = both.ok_or(ends(count, size_of::<RecordHeader>(), rest))?;
        let length = head.names_length.get();
        let names = usize::try_from(length).ok().and_then(|length| rest.get(..length));
        let names = names.ok_or(ends(length.into(), 1, rest))?;
        let size = wide(size_of::<DirectoryHeader>() + records.len() + names.len());
        Ok(Self { records: bytemuck::try_cast_slice(records).unwrap_or_default(), names, size })
    }
}

impl<'f> Tree<'f> {
    /// Walks the records of a file. Each directory is visited once and all of them together are no longer than the
    /// file, so the walk ends.
    pub(super) fn read(file: &'f [u8]) -> Result<Self, Box<Wrong>> {
        let first = |fault| Box::new(Wrong { offset: 0, directory: None, record: 0, field: "start", fault });
        let root = Lying::read(file, 0).map_err(first)?;
        let mut tree =
            Self { found: Vec::new(), order: Vec::new(), ranks: Vec::new(), root: (root.size, root.records.len()) };
        let mut seen = HashSet::from([0]);
        let mut all = root.size;
        tree.add(None, 0, &root);
        let mut next = 0;
        while let Some(found) = tree.found.get(next) {
            let start = u64::from(found.head.start.get());
            if found.is_directory() {
                if start > wide(file.len()) {
                    return Err(tree.wrong(next, "start", beyond(start, file)));
                }
                let block = Lying::read(file, start).map_err(|fault| tree.wrong(next, "start", fault))?;
                all += block.size;
                if !seen.insert(start) || all > wide(file.len()) {
                    let expected = "a directory that no other record has".to_owned();
                    return Err(tree.wrong(next, "start", Fault::Outside { found: start.into(), expected }));
                }
                tree.found_at(next, start..start + block.size);
                tree.add(Some(next), start, &block);
            } else {
                let count = u64::from(found.head.stored_size.get());
                let end = start + count;
                if start > wide(file.len()) {
                    return Err(tree.wrong(next, "start", beyond(start, file)));
                }
                if end > wide(file.len()) {
                    let remain = wide(file.len()) - start;
                    return Err(tree.wrong(next, "stored_size", Fault::Ends { count, each: 1, remain }));
                }
                tree.found_at(next, start..end);
            }
            next += 1;
        }
        tree.sort()?;
        Ok(tree)
    }

    /// Determines the file order. A directory that begins inside another item cannot be laid out, because both would
    /// own the same bytes.
    fn sort(&mut self) -> Result<(), Box<Wrong>> {
        let mut order: Vec<usize> = (0..self.found.len()).collect();
        // An empty item comes before others that begin at the same offset.
        order.sort_by_key(|&at| self.found.get(at).map(|found| (found.range.start, !found.range.is_empty())));
        self.ranks = vec![U32::default(); order.len()];
        let mut end = self.root.0;
        for (rank, &at) in (0..).zip(&order) {
            let Some(found) = self.found.get(at) else { continue };
            if found.range.start < end && found.is_directory() {
                let expected = format!("an offset from {end}");
                return Err(self.wrong(at, "start", Fault::Outside { found: found.range.start.into(), expected }));
            }
            end = end.max(found.range.end);
            self.ranks.iter_mut().skip(at).take(1).for_each(|it| *it = U32::new(rank));
        }
        self.order = order;
        Ok(())
    }

    /// Returns all items in file order.
    pub(super) fn items(&self) -> impl Iterator<Item = &Found<'f>> {
        self.order.iter().filter_map(|&at| self.found.get(at))
    }

    /// Returns the items of the root directory.
    pub(super) fn root(&self) -> &[U32] {
        self.ranks.get(..self.root.1).unwrap_or_default()
    }

    /// Returns the items of a directory.
    pub(super) fn children(&self, item: usize) -> &[U32] {
        let found = self.order.get(item).and_then(|&at| self.found.get(at));
        found.and_then(|found| self.ranks.get(found.children.clone())).unwrap_or_default()
    }

    /// Returns the paths of all items.
    pub(super) fn paths(&self) -> Vec<Vec<u8>> {
        let mut paths: Vec<Vec<u8>> = Vec::with_capacity(self.found.len());
        for found in &self.found {
            let parent = found.parent.and_then(|parent| paths.get(parent)).map(Vec::as_slice).unwrap_or_default();
            paths.push(join(parent, found.name));
        }
        self.order.iter().filter_map(|&at| paths.get(at).cloned()).collect()
    }

    fn found_at(&mut self, item: usize, range: Range<u64>) {
        if let Some(found) = self.found.get_mut(item) {
            found.range = range;
        }
    }

    /// Adds the items of a directory.
    fn add(&mut self, parent: Option<usize>, block: u64, directory: &Lying<'f>) {
        let children = self.found.len()..self.found.len() + directory.records.len();
        if let Some(found) = parent.and_then(|parent| self.found.get_mut(parent)) {
            found.children = children;
        }
        let mut names = directory.names;
        for (record, &head) in directory.records.iter().enumerate() {
            // The decoder refuses names that extend past the end of the names.
            let length = usize::try_from(head.name_length.get()).unwrap_or(usize::MAX).min(names.len());
            let (name, rest) = names.split_at_checked(length).unwrap_or_default();
            names = rest;
            self.found.push(Found { range: 0..0, children: 0..0, parent, block, record, head, name });
        }
    }

    /// Returns an error in the position of an item.
    pub(super) fn wrong_item(&self, item: usize, fault: Fault) -> Box<Wrong> {
        self.wrong(self.order.get(item).copied().unwrap_or(0), "start", fault)
    }

    /// Returns an error in the record of a found item.
    fn wrong(&self, at: usize, field: &'static str, fault: Fault) -> Box<Wrong> {
        let Some(found) = self.found.get(at) else {
            return Box::new(Wrong { offset: 0, directory: None, record: 0, field, fault });
        };
        let into = if field == "start" { 0 } else { 8 };
        let offset = wide(found.record * size_of::<RecordHeader>()) + 8 + into;
        let mut names = Vec::new();
        let mut parent = found.parent;
        while let Some(directory) = parent.and_then(|at| self.found.get(at)) {
            names.push(directory.name.strip_suffix(&[0]).unwrap_or(directory.name));
            parent = directory.parent;
        }
        names.reverse();
        let directory = (!names.is_empty()).then(|| names.join(&b'/'));
        Box::new(Wrong { offset: found.block + offset, directory, record: found.record, field, fault })
    }

    /// Returns `true` if names end where they should, directories have no lengths, and the items tile the file.
    pub(super) fn is_orderly(&self, file: &[u8]) -> bool {
        let told = self.found.iter().all(|found| {
            let lengths = (found.head.decoded_size.get(), found.head.stored_size.get());
            let nul = found.name.iter().position(|&byte| byte == 0);
            nul.is_some_and(|nul| nul + 1 == found.name.len())
                && wide(found.name.len()) == u64::from(found.head.name_length.get())
                && found.head.flags.bits() <= 3
                && (!found.is_directory() || lengths == (0, 0))
        });
        let mut ranges: Vec<Range<u64>> = self.found.iter().map(|found| found.range.clone()).collect();
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| range.start);
        let end = ranges.iter().try_fold(self.root.0, |at, range| (range.start == at).then_some(range.end));
        told && !self.found.is_empty() && end == Some(wide(file.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_bytes_are_counted_per_part_of_a_directory() {
        let whole = |entries: u8, names: u8, rest: &[u8]| {
            let file = [&[entries, 0, 0, 0, names, 0, 0, 0], rest].concat();
            Lying::read(&file, 0).map(|directory| directory.size)
        };
        assert_eq!(whole(0, 3, b"a\0b"), Ok(11));
        assert_eq!(whole(0, 3, b"a\0"), Err(Fault::Ends { count: 3, each: 1, remain: 2 }));
        let each = wide(size_of::<RecordHeader>());
        assert_eq!(whole(2, 0, b"short"), Err(Fault::Ends { count: 2, each, remain: 5 }));
        assert_eq!(Lying::read(b"abc", 0).map(|it| it.size), Err(Fault::Ends { count: 1, each: 8, remain: 3 }));
    }
}
