//! AppleSingle and AppleDouble: all parts of a Mac file in one stream, or all except for the data fork.
//! Source: marathon-images.md, section 2.

mod samples;

use crate::bytes::Bytes;
pub use samples::{broken, samples};

/// The first word of an AppleSingle file.
pub const SINGLE: u32 = 0x0005_1600;
/// The first word of an AppleDouble file.
pub const DOUBLE: u32 = 0x0005_1607;
/// Entry id of the data fork.
pub const DATA: u32 = 1;
/// Entry id of the resource fork.
pub const RESOURCES: u32 = 2;
/// Entry id of the Finder information.
pub const FINDER: u32 = 9;

/// An AppleSingle or AppleDouble file. Source: marathon-images.md, section 2.
#[derive(Clone, Debug)]
pub struct Spec {
    /// [`SINGLE`] or [`DOUBLE`].
    pub magic: u32,
    /// 0x00020000.
    pub version: u32,
    /// Zeros.
    pub filler: [u8; 16],
    /// `None`: the number of entries.
    pub entry_count: Option<u16>,
    /// In the order of the table.
    pub entries: Vec<Entry>,
    /// Indices of the entries in the order of the file; empty: the order of the table.
    pub file_order: Vec<usize>,
    /// Bytes at the end of the file.
    pub trailing: Vec<u8>,
}

/// An entry of the table and its bytes. Source: marathon-images.md, section 2.
#[derive(Clone, Debug)]
pub struct Entry {
    /// [`DATA`], [`RESOURCES`], [`FINDER`] or a different id.
    pub id: u32,
    /// Bytes before those of the entry.
    pub gap: Vec<u8>,
    /// `None`: the actual offset of the bytes.
    pub offset: Option<u32>,
    /// `None`: the length of the bytes.
    pub length: Option<u32>,
    /// The bytes.
    pub data: Vec<u8>,
}

impl Spec {
    /// Creates a file with computed values.
    pub fn new(magic: u32, entries: Vec<Entry>) -> Self {
        Self {
            magic,
            version: 0x0002_0000,
            filler: [0; 16],
            entry_count: None,
            entries,
            file_order: vec![],
            trailing: vec![],
        }
    }
}

impl Entry {
    /// Creates an entry with computed values.
    pub fn new(id: u32, data: Vec<u8>) -> Self {
        Self { id, gap: vec![], offset: None, length: None, data }
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    out.be_u32(spec.magic).be_u32(spec.version).raw(&spec.filler);
    out.be_u16(spec.entry_count.unwrap_or(spec.entries.len() as u16));
    let table = out.len();
    out.fill(0, 12 * spec.entries.len());
    let table_order = (0..spec.entries.len()).collect();
    for &at in if spec.file_order.is_empty() { &table_order } else { &spec.file_order } {
        let entry = &spec.entries[at];
        out.raw(&entry.gap);
        let offset = entry.offset.unwrap_or(out.len() as u32);
        let length = entry.length.unwrap_or(entry.data.len() as u32);
        out.patch(table + 12 * at, &[entry.id, offset, length].map(u32::to_be_bytes).concat());
        out.raw(&entry.data);
    }
    out.raw(&spec.trailing);
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::{DATA, Entry, FINDER, RESOURCES, SINGLE, Spec, build};

    /// Source: marathon-images.md, section 2: an empty data fork has the offset of the resource fork.
    #[test]
    fn entries_are_end_to_end() {
        let entries =
            vec![Entry::new(DATA, vec![]), Entry::new(RESOURCES, vec![7; 3]), Entry::new(FINDER, vec![8; 32])];
        let bytes = build(&Spec::new(SINGLE, entries));
        assert_eq!(&bytes[..26], b"\0\x05\x16\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x03");
        assert_eq!(&bytes[26..50], [0, 0, 0, 1, 0, 0, 0, 62, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 62, 0, 0, 0, 3]);
        assert_eq!(&bytes[50..68], [0, 0, 0, 9, 0, 0, 0, 65, 0, 0, 0, 32, 7, 7, 7, 8, 8, 8]);
        assert_eq!(bytes.len(), 97);
    }
}
