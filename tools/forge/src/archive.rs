//! Archives of the Zipper games: files end to end, a table of contents after them, a footer.
//! Source: zipper-archives.md.

mod broken;
mod samples;
mod traps;

use crate::bytes::{Bytes, field};
use crate::checksum::pirates_moon;
pub use broken::broken;
pub use samples::{motions, readers, samples, sounds};

/// An archive. Source: zipper-archives.md, section 2.
#[derive(Clone, Debug)]
pub struct Spec {
    /// 1, or 2 for Pirate's Moon, whose footer has a checksum.
    pub version: u32,
    /// The type of contents, on which rules of version 2 depend.
    pub content: Content,
    /// `None`: the number of entries.
    pub count: Option<u32>,
    /// In version 2 only. `None`: the CRC of the entries of a reader archive in the order of the table, 0 in others.
    pub checksum: Option<u32>,
    /// In the order of the table.
    pub entries: Vec<Entry>,
    /// Indices of the entries in the order of the file; empty: the order of the table.
    pub file_order: Vec<usize>,
    /// Bytes before the table.
    pub table_gap: Vec<u8>,
    /// Bytes at the end of the file.
    pub trailing: Vec<u8>,
}

/// The contents of an archive. Source: zipper-archives.md, section 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Sounds.
    Sounds,
    /// Binary reader files: a checksum in version 2.
    Readers,
    /// Motions: a stored length of 1 in version 2.
    Motions,
    /// Anything else.
    Unknown,
}

/// An entry of the table and its content. Source: zipper-archives.md, section 2.3.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Bytes before the content.
    pub gap: Vec<u8>,
    /// `None`: the actual offset.
    pub start: Option<u32>,
    /// `None`: the length of the content, or 1 if the rule requires that.
    pub length: Option<u32>,
    /// File name with its tail.
    pub name: [u8; 64],
    /// Bit 1: the comment is a path. Often stale.
    pub flags: u32,
    /// Path of the file it was packed from, with its tail. Often stale.
    pub comment: [u8; 64],
    /// When that file was written, in steps of 100 ns since 1601. Often stale.
    pub time: u64,
    /// The content.
    pub data: Vec<u8>,
}

impl Entry {
    /// Creates an entry with computed values, and zeros for the others.
    pub fn new(name: &[u8], data: Vec<u8>) -> Self {
        Self {
            gap: vec![],
            start: None,
            length: None,
            name: field(name, b""),
            flags: 0,
            comment: [0; 64],
            time: 0,
            data,
        }
    }
}

impl Spec {
    /// Creates an archive with computed values.
    pub fn new(version: u32, content: Content, entries: Vec<Entry>) -> Self {
        Self {
            version,
            content,
            count: None,
            checksum: None,
            entries,
            file_order: vec![],
            table_gap: vec![],
            trailing: vec![],
        }
    }

    /// Returns the length that the table stores by the rules. Source: zipper-archives.md, section 6.
    fn stored_length(&self, entry: &Entry) -> u32 {
        if self.version == 2 && self.content == Content::Motions { 1 } else { entry.data.len() as u32 }
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    let mut table = spec.entries.iter().map(|entry| (0, spec.stored_length(entry))).collect::<Vec<_>>();
    let table_order = (0..spec.entries.len()).collect();
    for &at in if spec.file_order.is_empty() { &table_order } else { &spec.file_order } {
        let entry = &spec.entries[at];
        out.raw(&entry.gap);
        table[at].0 = out.len() as u32;
        out.raw(&entry.data);
    }
    for (entry, (start, length)) in spec.entries.iter().zip(&mut table) {
        (*start, *length) = (entry.start.unwrap_or(*start), entry.length.unwrap_or(*length));
    }
    let checksum = spec.checksum.unwrap_or_else(|| checksum(spec, &table, out.written()));
    out.raw(&spec.table_gap);
    for (entry, (start, length)) in spec.entries.iter().zip(table) {
        out.le_u32(start).le_u32(length).raw(&entry.name);
        out.le_u32(entry.flags).raw(&entry.comment).le_u64(entry.time);
    }
    out.le_u32(spec.version).le_u32(spec.count.unwrap_or(spec.entries.len() as u32));
    if spec.version == 2 {
        out.le_u32(checksum);
    }
    out.raw(&spec.trailing);
    out.finish()
}

/// Computes the checksum of section 5, over the data listed in the table.
fn checksum(spec: &Spec, table: &[(u32, u32)], data: &[u8]) -> u32 {
    if (spec.version, spec.content) != (2, Content::Readers) {
        return 0;
    }
    let entry = |&(start, length): &(u32, u32)| data.get(start as usize..start as usize + length as usize);
    pirates_moon(table.iter().filter_map(entry).flatten())
}

#[cfg(test)]
mod tests {
    use super::{Content, Entry, Spec, build};
    use crate::bytes::{Bytes, field};
    use crate::reader::{self, Value, float, list, string};

    fn worked_example(version: u32) -> Spec {
        let inner = list([string(b"KEY"), list([Value::Int(1), float(-0.5)]), list([])]);
        let entry = Entry {
            flags: 2,
            comment: field(b"c:\\src\\a.zrd", b""),
            time: 0x01BE_9D0A_1234_5678,
            ..Entry::new(b"a.zrd", reader::build(&reader::Spec::new(list([inner]))))
        };
        Spec::new(version, Content::Readers, vec![entry])
    }

    /// Source: zipper-archives.md, section 8.
    #[test]
    fn worked_example_is_built() {
        let mut expected = Bytes::new();
        expected.le_u32(0).le_u32(0x3B).raw(b"a.zrd").fill(0, 59).le_u32(2).raw(b"c:\\src\\a.zrd").fill(0, 52);
        expected.raw(&[0x78, 0x56, 0x34, 0x12, 0x0A, 0x9D, 0xBE, 0x01, 0x01, 0, 0, 0, 0x01, 0, 0, 0]);
        let bytes = build(&worked_example(1));
        assert_eq!((bytes.len(), &bytes[59..]), (215, expected.written()));
        let bytes = build(&worked_example(2));
        assert_eq!((bytes.len(), &bytes[207..]), (219, &[2, 0, 0, 0, 1, 0, 0, 0, 0x41, 0x79, 0x2B, 0xED][..]));
    }

    /// Source: zipper-archives.md, section 5: the last of the vectors.
    #[test]
    fn checksum_runs_over_the_entries_in_the_order_of_the_table() {
        let mut spec = worked_example(2);
        let empty = reader::build(&reader::Spec::new(list([])));
        spec.entries.push(Entry { gap: vec![1; 3], data: empty, ..spec.entries[0].clone() });
        for file_order in [vec![], vec![1, 0]] {
            let bytes = build(&Spec { file_order, table_gap: vec![9], ..spec.clone() });
            assert!(bytes.ends_with(&0x221D_5BDEu32.to_le_bytes()));
        }
    }

    #[test]
    fn motions_of_version_2_store_1_for_their_length() {
        let length = |version, content| build(&Spec { content, ..worked_example(version) })[63];
        assert_eq!([1, 2].map(|version| length(version, Content::Motions)), [59, 1]);
        assert_eq!(length(2, Content::Sounds), 59);
    }
}
