//! The wad of the Marathon games: maps and physics models as entries of tagged chunks.
//! Source: marathon-wad.md.

mod broken;
mod levels;
mod samples;
mod traps;

use crate::bytes::{Bytes, field};
use crate::checksum::crc32;
pub use broken::broken;
pub use samples::{MARATHON_CHECKSUM, levels_of, marathon, merged, samples, single};

/// The tag of a chunk: raw bytes, not always ASCII.
pub type Tag = [u8; 4];

/// A wad file. Source: marathon-wad.md, section 2.
#[derive(Clone, Debug)]
pub struct Spec {
    /// 0 (Marathon), 1, 2 (Marathon 2 and Infinity), 4 (Infinity).
    pub version: i16,
    /// 0 (Marathon, and physics), 1, 2.
    pub data_version: i16,
    /// Original file name with its tail.
    pub name: [u8; 64],
    /// `None`: the value computed by section 6.
    pub checksum: Option<u32>,
    /// `None`: the actual offset.
    pub directory_offset: Option<i32>,
    /// `None`: the number of entries.
    pub entry_count: Option<i16>,
    /// `None`: the length of the first entry's application data.
    pub application_size: Option<i16>,
    /// 0, 12 or 16. `None`: 0 before version 2, 16 from then onward.
    pub chunk_header_size: Option<i16>,
    /// 0, 8 or 10. `None`: 0 before version 2, 10 from then onward.
    pub entry_size: Option<i16>,
    /// 0, or the checksum of a parent.
    pub parent_checksum: u32,
    /// End of the header.
    pub unused: [u8; 40],
    /// In the order of the directory.
    pub entries: Vec<Entry>,
    /// Indices of the entries in the order of the file; empty: the order of the directory.
    pub file_order: Vec<usize>,
    /// `true` if the directory is between the header and the entries, instead of after them.
    pub directory_first: bool,
    /// Bytes before the directory.
    pub directory_gap: Vec<u8>,
    /// Bytes at the end of the file.
    pub trailing: Vec<u8>,
}

/// An entry and its place in the directory. Source: marathon-wad.md, section 2.2.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// Bytes before the entry.
    pub gap: Vec<u8>,
    /// `None`: the actual offset.
    pub offset: Option<i32>,
    /// `None`: the length of chunks and slack.
    pub length: Option<i32>,
    /// Level or picture number, from version 2 onward.
    pub index: i16,
    /// Bytes after the directory entry.
    pub application_data: Vec<u8>,
    /// In the order of the chain, and of the file.
    pub chunks: Vec<Chunk>,
    /// Bytes after the last chunk, within the entry.
    pub slack: Vec<u8>,
}

/// A chunk. Source: marathon-wad.md, section 2.3.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Bytes between the previous chunk and this one; the first chunk has none.
    pub gap: Vec<u8>,
    /// Names the content.
    pub tag: Tag,
    /// `None`: the actual offset of the next chunk in the entry, 0 in the last.
    pub next: Option<i32>,
    /// `None`: the length of the payload.
    pub length: Option<i32>,
    /// 0; in headers of 16 bytes only.
    pub patch_offset: i32,
    /// The payload.
    pub data: Vec<u8>,
}

impl Spec {
    /// Creates a wad with computed values.
    pub fn new(version: i16, data_version: i16, name: &[u8], entries: Vec<Entry>) -> Self {
        Self {
            version,
            data_version,
            name: field(name, b""),
            checksum: None,
            directory_offset: None,
            entry_count: None,
            application_size: None,
            chunk_header_size: None,
            entry_size: None,
            parent_checksum: 0,
            unused: [0; 40],
            entries,
            file_order: vec![],
            directory_first: false,
            directory_gap: vec![],
            trailing: vec![],
        }
    }

    /// Returns the bytes of a chunk header: 12 before version 2, then the size in the header, where 0 means 16.
    pub fn chunk_header(&self) -> usize {
        match (self.version, self.chunk_header_size) {
            (..2, _) => 12,
            (_, Some(12)) => 12,
            _ => 16,
        }
    }

    /// Returns the bytes of a directory entry without its application data: 8 before version 2, then the size in the header, where 0 means
    /// 10.
    pub fn directory_entry(&self) -> usize {
        match (self.version, self.entry_size) {
            (..2, _) => 8,
            (_, Some(8)) => 8,
            _ => 10,
        }
    }

    /// Returns the bytes of the whole directory.
    fn directory_length(&self) -> usize {
        self.entries.iter().map(|entry| self.directory_entry() + entry.application_data.len()).sum()
    }

    /// Returns the bytes of an entry: its chunks and its slack.
    pub fn entry_length(&self, entry: &Entry) -> usize {
        let chunks = entry
            .chunks
            .iter()
            .enumerate()
            .map(|(i, chunk)| if i == 0 { 0 } else { chunk.gap.len() } + self.chunk_header() + chunk.data.len());
        chunks.sum::<usize>() + entry.slack.len()
    }
}

impl Entry {
    /// Creates an entry with computed values.
    pub fn new(index: i16, chunks: Vec<Chunk>) -> Self {
        Self { index, chunks, ..Self::default() }
    }
}

impl Chunk {
    /// Creates a chunk with computed values.
    pub fn new(tag: &Tag, data: Vec<u8>) -> Self {
        Self { gap: vec![], tag: *tag, next: None, length: None, patch_offset: 0, data }
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    header(spec, &mut out);
    let mut directory = 0;
    if spec.directory_first {
        out.raw(&spec.directory_gap);
        directory = out.len();
        out.fill(0, spec.directory_length());
    }
    let places = entries(spec, &mut out);
    if !spec.directory_first {
        out.raw(&spec.directory_gap);
        directory = out.len();
        out.fill(0, spec.directory_length());
    }
    out.patch(directory, &table(spec, &places));
    out.patch(72, &spec.directory_offset.unwrap_or(directory as i32).to_be_bytes());
    let end = directory + spec.directory_length();
    // The checksum covers the file up to the end of the directory, with zeros for the field itself.
    let checksum = spec.checksum.unwrap_or_else(|| crc32(&out.written()[..end]));
    out.patch(68, &checksum.to_be_bytes()).raw(&spec.trailing);
    out.finish()
}

/// Writes the header and the chunks of the first entry, without a directory. Source: marathon-wad.md, section 8.
pub fn flat(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    header(spec, &mut out);
    out.patch(68, &spec.checksum.unwrap_or(0).to_be_bytes());
    out.patch(72, &spec.directory_offset.unwrap_or(0).to_be_bytes());
    spec.entries.first().inspect(|entry| chain(spec, &entry.chunks, &mut out));
    out.finish()
}

/// Writes the 128 bytes of section 2.1, with zeros for the checksum and the directory offset.
fn header(spec: &Spec, out: &mut Bytes) {
    let application_size = spec.entries.first().map_or(0, |entry| entry.application_data.len() as i16);
    let usual = |size| if spec.version < 2 { 0 } else { size };
    out.be_i16(spec.version).be_i16(spec.data_version).raw(&spec.name).fill(0, 8);
    out.be_i16(spec.entry_count.unwrap_or(spec.entries.len() as i16));
    out.be_i16(spec.application_size.unwrap_or(application_size));
    out.be_i16(spec.chunk_header_size.unwrap_or(usual(16)));
    out.be_i16(spec.entry_size.unwrap_or(usual(10)));
    out.be_u32(spec.parent_checksum).raw(&spec.unused);
}

/// Writes the entries in the order of the file, and returns their offsets in the order of the directory.
fn entries(spec: &Spec, out: &mut Bytes) -> Vec<usize> {
    let directory_order = (0..spec.entries.len()).collect();
    let file_order = if spec.file_order.is_empty() { &directory_order } else { &spec.file_order };
    let mut places = vec![0; spec.entries.len()];
    for &at in file_order {
        let entry = &spec.entries[at];
        out.raw(&entry.gap);
        places[at] = out.len();
        chain(spec, &entry.chunks, out);
        out.raw(&entry.slack);
    }
    places
}

fn chain(spec: &Spec, chunks: &[Chunk], out: &mut Bytes) {
    let start = out.len();
    for (at, chunk) in chunks.iter().enumerate() {
        let end = out.len() - start + spec.chunk_header() + chunk.data.len();
        let next = chunks.get(at + 1).map_or(0, |next| end + next.gap.len());
        out.raw(&chunk.tag)
            .be_i32(chunk.next.unwrap_or(next as i32))
            .be_i32(chunk.length.unwrap_or(chunk.data.len() as i32));
        if spec.chunk_header() == 16 {
            out.be_i32(chunk.patch_offset);
        }
        out.raw(&chunk.data);
        if let Some(next) = chunks.get(at + 1) {
            out.raw(&next.gap);
        }
    }
}

/// Returns the directory of section 2.2.
fn table(spec: &Spec, places: &[usize]) -> Vec<u8> {
    let mut out = Bytes::new();
    for (entry, &place) in spec.entries.iter().zip(places) {
        out.be_i32(entry.offset.unwrap_or(place as i32))
            .be_i32(entry.length.unwrap_or(spec.entry_length(entry) as i32));
        if spec.directory_entry() == 10 {
            out.be_i16(entry.index);
        }
        out.raw(&entry.application_data);
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::{Chunk, Entry, Spec, build};
    use crate::checksum::crc32;

    fn two_entries(version: i16) -> Spec {
        let chunks = vec![Chunk::new(b"NAME", b"abc".to_vec()), Chunk::new(b"door", vec![])];
        Spec::new(version, 1, b"Map", vec![Entry::new(0, chunks), Entry::new(1, vec![Chunk::new(b"term", vec![7])])])
    }

    fn word(bytes: &[u8], at: usize) -> u32 {
        u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
    }

    #[test]
    fn chunks_are_end_to_end_and_the_directory_is_last() {
        let bytes = build(&two_entries(2));
        assert_eq!(&bytes[..8], b"\0\x02\0\x01Map\0");
        assert_eq!(&bytes[76..84], [0, 2, 0, 0, 0, 16, 0, 10]);
        assert_eq!(&bytes[128..163], b"NAME\0\0\0\x13\0\0\0\x03\0\0\0\0abcdoor\0\0\0\0\0\0\0\0\0\0\0\0");
        assert_eq!(&bytes[163..180], b"term\0\0\0\0\0\0\0\x01\0\0\0\0\x07");
        assert_eq!((word(&bytes, 72), bytes.len()), (180, 200));
        assert_eq!(&bytes[180..], [0, 0, 0, 128, 0, 0, 0, 35, 0, 0, 0, 0, 0, 163, 0, 0, 0, 17, 0, 1]);
    }

    #[test]
    fn headers_are_short_before_version_2() {
        let bytes = build(&two_entries(1));
        assert_eq!(&bytes[76..84], [0, 2, 0, 0, 0, 0, 0, 0]);
        assert_eq!(&bytes[128..155], b"NAME\0\0\0\x0F\0\0\0\x03abcdoor\0\0\0\0\0\0\0\0");
        assert_eq!(bytes.len(), 128 + 27 + 13 + 2 * 8);
    }

    #[test]
    fn checksum_excludes_itself_and_trailing_bytes() {
        let spec = Spec { trailing: vec![1, 2, 3], ..two_entries(4) };
        let mut bytes = build(&spec);
        let stored = word(&bytes, 68);
        bytes.truncate(bytes.len() - 3);
        bytes[68..72].fill(0);
        assert_eq!(crc32(&bytes), stored);
    }

    #[test]
    fn file_and_directory_orders_are_independent() {
        let bytes = build(&Spec { file_order: vec![1, 0], directory_first: true, ..two_entries(2) });
        assert_eq!((word(&bytes, 72), word(&bytes, 128), word(&bytes, 138)), (128, 148 + 17, 148));
    }
}
