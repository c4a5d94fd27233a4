//! ROF archives of Crimson Skies: nested directories, and files, some of them compressed.
//! Source: zipper-other.md, section 1.

mod samples;

use crate::bytes::Bytes;
use crate::checksum::adler32;
pub(crate) use samples::SCRIPT;
pub use samples::{broken, samples};

/// The record is a directory.
pub const DIRECTORY: u32 = 1;
/// The file is compressed.
pub const COMPRESSED: u32 = 2;

/// A compressed stream of 24 bytes: `hello hello hello hello` and a line end. Source: zipper-other.md, section 1.6.
pub const HELLO: [u8; 17] =
    [0x78, 0xDA, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x27, 0xB9, 0x00, 0x70, 0xBE, 0x08, 0xBB];

/// An archive. Source: zipper-other.md, section 1.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The directory at the beginning.
    pub root: Directory,
    /// The order of directories and files.
    pub order: Order,
    /// Bytes at the end of the file.
    pub trailing: Vec<u8>,
}

/// The order of directories and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each directory with all its contents, record by record.
    Depth,
    /// All directories, then all files.
    DirectoriesFirst,
    /// Record by record from the last to the first.
    Backwards,
}

/// A directory. Source: zipper-other.md, section 1.1.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    /// `None`: the number of records.
    pub entry_count: Option<u32>,
    /// `None`: the lengths of the names, each with its NUL.
    pub names_length: Option<u32>,
    /// The records.
    pub records: Vec<Record>,
    /// Bytes after the names.
    pub after_names: Vec<u8>,
}

/// A record and its contents. Source: zipper-other.md, section 1.2.
#[derive(Clone, Debug)]
pub struct Record {
    /// Bytes before the contents.
    pub gap: Vec<u8>,
    /// `None`: the actual offset.
    pub start: Option<u32>,
    /// `None`: the length of the file, 0 for a directory.
    pub decoded_length: Option<u32>,
    /// `None`: the length of the stored bytes, 0 for a directory.
    pub stored_length: Option<u32>,
    /// See the constants.
    pub flags: u32,
    /// `None`: the length of the name with its NUL.
    pub name_length: Option<u32>,
    /// `None`: where the name begins among the names.
    pub name_offset: Option<u32>,
    /// With its NUL.
    pub name: Vec<u8>,
    /// The contents.
    pub body: Body,
}

/// The contents of a record.
#[derive(Clone, Debug)]
pub enum Body {
    /// A directory.
    Directory(Directory),
    /// A file: the stored bytes, and the real length.
    File(Vec<u8>, u32),
}

impl Spec {
    /// Creates an archive with computed values.
    pub fn new(records: Vec<Record>) -> Self {
        Self { root: Directory { records, ..Directory::default() }, order: Order::Depth, trailing: vec![] }
    }
}

impl Record {
    fn new(name: &str, flags: u32, body: Body) -> Self {
        Self {
            gap: vec![],
            start: None,
            decoded_length: None,
            stored_length: None,
            flags,
            name_length: None,
            name_offset: None,
            name: [name.as_bytes(), b"\0"].concat(),
            body,
        }
    }

    /// Creates a directory.
    pub fn directory(name: &str, records: Vec<Self>) -> Self {
        Self::new(name, DIRECTORY, Body::Directory(Directory { records, ..Directory::default() }))
    }

    /// Creates an uncompressed file.
    pub fn file(name: &str, data: Vec<u8>) -> Self {
        let length = data.len() as u32;
        Self::new(name, 0, Body::File(data, length))
    }

    /// Creates a file in a zlib stream.
    pub fn packed(name: &str, data: &[u8]) -> Self {
        Self::new(name, COMPRESSED, Body::File(zlib(data), data.len() as u32))
    }
}

/// Returns a zlib stream without compression: RFC 1950, with stored blocks of RFC 1951.
pub fn zlib(data: &[u8]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(&[0x78, 0x01]);
    let mut blocks = data.chunks(0xFFFF).peekable();
    if blocks.peek().is_none() {
        out.raw(&[1, 0, 0, 0xFF, 0xFF]);
    }
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        out.u8(blocks.peek().is_none().into()).le_u16(length).le_u16(!length).raw(block);
    }
    out.be_u32(adler32(data));
    out.finish()
}

/// The location and contents of a directory or file.
struct Piece<'a> {
    gap: &'a [u8],
    body: &'a Body,
    start: usize,
    /// The pieces of the records of a directory.
    children: Vec<usize>,
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let root = Body::Directory(spec.root.clone());
    let mut pieces = vec![];
    gather(&root, &[], &mut pieces);
    let mut order: Vec<usize> = (1..pieces.len()).collect();
    match spec.order {
        Order::Depth => {}
        Order::DirectoriesFirst => order.sort_by_key(|&at| matches!(pieces[at].body, Body::File(..))),
        Order::Backwards => order.reverse(),
    }
    let mut end = size(&root);
    for &at in &order {
        let piece = &mut pieces[at];
        piece.start = end + piece.gap.len();
        end = piece.start + size(piece.body);
    }
    let mut out = Bytes::new();
    for at in [0].into_iter().chain(order) {
        out.raw(pieces[at].gap);
        match pieces[at].body {
            Body::Directory(directory) => write(&mut out, directory, &pieces[at].children, &pieces),
            Body::File(data, _) => _ = out.raw(data),
        }
    }
    out.raw(&spec.trailing);
    out.finish()
}

fn gather<'a>(body: &'a Body, gap: &'a [u8], pieces: &mut Vec<Piece<'a>>) -> usize {
    let at = pieces.len();
    pieces.push(Piece { gap, body, start: 0, children: vec![] });
    if let Body::Directory(directory) = body {
        let records = directory.records.iter();
        pieces[at].children = records.map(|record| gather(&record.body, &record.gap, pieces)).collect();
    }
    at
}

fn size(body: &Body) -> usize {
    match body {
        Body::File(data, _) => data.len(),
        Body::Directory(directory) => {
            let records = directory.records.iter().map(|record| 24 + record.name.len());
            8 + records.sum::<usize>() + directory.after_names.len()
        }
    }
}

fn write(out: &mut Bytes, directory: &Directory, children: &[usize], pieces: &[Piece<'_>]) {
    let names: usize = directory.records.iter().map(|record| record.name.len()).sum();
    out.le_u32(directory.entry_count.unwrap_or(directory.records.len() as u32));
    out.le_u32(directory.names_length.unwrap_or((names + directory.after_names.len()) as u32));
    let mut name_offset = 0;
    for (record, &child) in directory.records.iter().zip(children) {
        let (decoded, stored) = match &record.body {
            Body::Directory(_) => (0, 0),
            Body::File(data, length) => (*length, data.len() as u32),
        };
        out.le_u32(record.start.unwrap_or(pieces[child].start as u32));
        out.le_u32(record.decoded_length.unwrap_or(decoded)).le_u32(record.stored_length.unwrap_or(stored));
        out.le_u32(record.flags).le_u32(record.name_length.unwrap_or(record.name.len() as u32));
        out.le_u32(record.name_offset.unwrap_or(name_offset));
        name_offset += record.name.len() as u32;
    }
    directory.records.iter().for_each(|record| _ = out.raw(&record.name));
    out.raw(&directory.after_names);
}

#[cfg(test)]
mod tests {
    use super::{Body, HELLO, Record, Spec, build, zlib};

    #[test]
    fn worked_example_is_built() {
        let record = Record { body: Body::File(HELLO.into(), 24), ..Record::packed("A.TXT", b"") };
        #[rustfmt::skip]
        let head = [
            1, 0, 0, 0, 6, 0, 0, 0, 0x26, 0, 0, 0, 0x18, 0, 0, 0, 0x11, 0, 0, 0, 2, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
            0x41, 0x2E, 0x54, 0x58, 0x54, 0,
        ];
        assert_eq!(build(&Spec::new(vec![record])), [&head[..], &HELLO].concat());
    }

    /// A stored stream of the text of the worked example, which has the same checksum.
    #[test]
    fn stream_of_stored_blocks_ends_with_the_same_checksum() {
        let stream = zlib(b"hello hello hello hello\n");
        assert_eq!(stream[..7], [0x78, 0x01, 1, 24, 0, !24, 0xFF]);
        assert_eq!(stream[stream.len() - 4..], HELLO[13..]);
    }
}
