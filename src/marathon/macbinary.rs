//! MacBinary: a Mac file with both forks in one stream.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 128 |
//! | secondary header, data fork, resource fork, comment | each padded with zeros to a multiple of 128 |
//! | trailing bytes | |
//!
//! A fork of length 0 takes no space. The padding of the last part may be missing.
//!
//! Source: [`marathon-images.md`](formats::marathon_images), section 1.

use field::record;
use field::walk::size;
use field::{
    Block, FourCc, I16be, Label, Mac, Pad, Pascal, Result, Run, Style as _, Truth, U8, U16be, U32be, bytes_of, lay,
    wide,
};
use kind::{Container, Format, Game, binrw_over_lay};
use lint::{Entries, Lint};

use super::Payload;
use super::wad::Wad;

/// Alignment of every part in bytes.
pub(super) const BLOCK: u64 = 128;
/// The bytes that MacBinary I does not use.
const UNUSED_IN_1: core::ops::Range<usize> = 102..116;
/// The maximum length of a file name.
const MOST_OF_NAME: u8 = 63;

record! {
    /// The header, 128 bytes. Source: `marathon-images.md`, section 1.
    pub struct Header: 128 {
        old_version: U8 = 0,
        name: Pascal<64>,
        file_type: FourCc,
        creator: FourCc,
        finder_flags_high: U8,
        zero74: U8 = 0,
        icon: [I16be; 2],
        folder: I16be,
        protected: U8,
        zero82: U8 = 0,
        data_length: U32be as Outside,
        resource_length: U32be as Outside,
        /// Seconds since 1904-01-01, like the next field.
        created: U32be,
        modified: U32be,
        comment_length: U16be as Outside,
        finder_flags_low: U8,
        /// `mBIN` in MacBinary III, zeros before.
        signature: FourCc => |r| signature(r),
        /// The script of the name, in MacBinary III, like the next.
        name_script: U8,
        extended_finder_flags: U8,
        unused: [U8; 8] = [U8::new(0); 8],
        unpacked_length: U32be = 0,
        second_header_length: U16be as Outside,
        /// 129 in MacBinary II, 130 in III.
        version: U8,
        version_needed: U8,
        crc: U16be => |r| crc_of(r),
        reserved: U16be = 0,
    }
}

/// The version of MacBinary III.
const VERSION_3: u8 = 130;

/// Returns the signature of the version that has written the header.
fn signature(head: &Header) -> FourCc {
    FourCc(if head.version.get() == VERSION_3 { *b"mBIN" } else { [0; 4] })
}

/// Computes CRC-16 XMODEM over the header up to the checksum; MacBinary I has none.
fn crc_of(head: &Header) -> u16 {
    match head.version.get() {
        0 => 0,
        _ => crc(bytes_of(head).get(..124).unwrap_or_default()),
    }
}

/// Computes CRC-16 XMODEM.
pub(super) fn crc(bytes: &[u8]) -> u16 {
    const XMODEM: crc::Crc<u16> = crc::Crc::<u16>::new(&crc::CRC_16_XMODEM);
    XMODEM.checksum(bytes)
}

/// A part of the file and the zeros after it.
#[derive(Clone, Debug, Default)]
pub struct Padded<T> {
    /// The contents of the part.
    pub content: T,
    /// Zeros up to the next multiple of 128.
    pub padding: Pad,
}

/// A MacBinary file.
#[derive(Clone, Debug, Default)]
pub struct MacBinary {
    /// Name, types, dates, lengths.
    pub head: Header,
    /// Bytes that newer versions put between the header and the data fork.
    pub second_header: Padded<Block>,
    /// The data fork, if it has bytes.
    pub data: Padded<Option<Payload>>,
    /// The resource fork, if it has bytes.
    pub resource: Padded<Option<Payload>>,
    /// The Finder comment.
    pub comment: Block,
    /// The zeros after the comment. The specs do not require the padding that forks have.
    pub comment_padding: Option<Pad>,
    /// Bytes after the last part.
    pub trailing: Block,
}

lay! {
    impl Lay for MacBinary {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            let Self { head, second_header, data, resource, comment, comment_padding, trailing } = self;
            t.computed("second_header_length", at!(head.second_header_length), wide(second_header.content.len()))?;
            t.computed("comment_length", at!(head.comment_length), wide(comment.len()))?;
            t.computed_by("data_length", at!(head.data_length), || data.content.as_ref().map_or(Ok(0), size))?;
            t.computed_by("resource_length", at!(head.resource_length), || resource.content.as_ref().map_or(Ok(0), size))?;
            t.fields(head)?;
            let name = head.name;
            t.expect("name", || name.too_long(MOST_OF_NAME));
            let length = t.stated("second_header_length", head.second_header_length)?;
            t.run("second_header", Run::Opaque, length, at!(second_header.content))?;
            t.pad("second_header_padding", start, BLOCK, at!(second_header.padding))?;
            let length = u64::from(head.data_length.get());
            t.optional_entry(Label::role("data"), length > 0, length, at!(data.content))?;
            t.pad("data_padding", start, BLOCK, at!(data.padding))?;
            let length = u64::from(head.resource_length.get());
            t.optional_entry(Label::role("resource"), length > 0, length, at!(resource.content))?;
            t.pad("resource_padding", start, BLOCK, at!(resource.padding))?;
            let length = t.stated("comment_length", head.comment_length)?;
            t.text_of("comment", Mac::PAGE, length, comment)?;
            let unaligned = !(t.position() - start).is_multiple_of(BLOCK);
            let mut padded = Truth::from(comment_padding.is_some());
            t.seen_fact("comment_is_padded", at!(padded), |t| (unaligned && t.remaining() > 0).into())?;
            t.choose(at!(*comment_padding), |_| bool::from(padded).then(Pad::default));
            if let Some(padding) = comment_padding {
                t.pad("comment_padding", start, BLOCK, padding)?;
            }
            t.rest("trailing", Run::Surplus, trailing)
        }
    }
}

impl Format for MacBinary {
    const NAME: &'static str = "macbinary";
    const TITLE: &'static str = "MacBinary wrapper";
    const GAMES: &'static [Game] = &[Game::Marathon, Game::Marathon2, Game::Infinity];
    const CLAIMS: &'static [&'static str] = &["*.scen"];

    /// Recognizes MacBinary by required zeros, a name and a version (`marathon-wad.md`, section 1, except for the checksum, which may be
    /// wrong). MacBinary I has no version, so its forks must fill the file exactly.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let head: Header = field::macros::read_head(file)?;
        let zeros = [head.old_version, head.zero74].map(U8::get) == [0; 2];
        let named = head.name.bytes().is_some_and(|name| !name.is_empty() && !name.contains(&0));
        let end = |length: u64, at: u64| Some(at.checked_add(length)?.next_multiple_of(BLOCK));
        let data = end(head.second_header_length.get().into(), BLOCK)?;
        let resource = end(head.data_length.get().into(), data)?;
        let comment = end(head.resource_length.get().into(), resource)?;
        // The padding of the last part may be missing.
        let parts = [
            (data, u64::from(head.data_length.get())),
            (resource, head.resource_length.get().into()),
            (comment, head.comment_length.get().into()),
        ];
        let last = parts.iter().rev().find(|(_, length)| *length > 0).unwrap_or(&(BLOCK, 0));
        let (length, least) = (wide(file.len()), last.0.checked_add(last.1)?);
        let version = match (head.version.get(), head.version_needed.get()) {
            (129 | VERSION_3, 129 | VERSION_3) => true,
            (0, 0) => end(0, least)? == length && bytes_of(&head).get(UNUSED_IN_1)? == [0; 14],
            _ => false,
        };
        (zeros && named && version).then_some(())?;
        let data = usize::try_from(data).ok().and_then(|data| file.get(data..)).unwrap_or_default();
        let fork = usize::try_from(head.data_length.get()).ok().and_then(|length| data.get(..length));
        Some(fork.and_then(Wad::recognize).unwrap_or_else(|| Self::GAMES.to_vec()))
    }

    fn suits(file: &[u8]) -> bool {
        // A bare wad begins with a version and a data version, MacBinary with a zero and the length of a name.
        matches!(file, [0, 1..=63, ..]) && !Wad::begins(file)
    }
}

binrw_over_lay!(MacBinary);

impl Lint for MacBinary {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        self.labeled().into_iter().for_each(|(label, fork)| pass.entry(label, fork));
    }
}

impl Container for MacBinary {
    type Content = Payload;

    const PAGE: &'static field::CodePage = Mac::PAGE;

    /// Returns the forks that have bytes: `data` and `resource`.
    fn labeled(&self) -> Vec<(Label, &Payload)> {
        let forks = [("data", &self.data.content), ("resource", &self.resource.content)];
        forks.into_iter().filter_map(|(role, fork)| Some((Label::role(role), fork.as_ref()?))).collect()
    }
}
