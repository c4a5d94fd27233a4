//! Videos: RIFF/AVI, as a tree of chunks. The headers of images and sound are decoded; the codec's bytes are kept as
//! raw bytes.
//!
//! | part | bytes |
//! |---|---|
//! | `RIFF` list `AVI `: `hdrl` (headers of the video and its streams), `movi` (images and sound), `idx1` | |
//! | further lists, in videos of more than a gigabyte | |
//! | trailing bytes | |
//!
//! The layout is the public one of `RIFF` and Video for Windows. The games' videos: Indeo 5, 640 by 480, 15 frames per
//! second, PCM sound. Source: [`zipper-other.md`](formats::zipper_other), section 6.

use field::{Block, FourCc, I16, I32, Result, Run, Style as _, U16, U32, Windows, as_read, lay, limits, wide};
use field::{flags, record};
use kind::{Format, Game, binrw_over_lay};
use lint::no_traps;
use media::riff::{self, ChunkHeader};

use super::wave::FormatChunk;

flags! {
    /// The flags of a video.
    pub struct FilmFlags(U32: u32) {
        /// The video has an index.
        HAS_INDEX = 0x10;
        /// The index determines the order.
        MUST_USE_INDEX = 0x20;
        /// Images and sound are interleaved.
        IS_INTERLEAVED = 0x100;
        /// The file was set up for video capture.
        WAS_CAPTURE_FILE = 0x1_0000;
        /// The video must not be copied.
        COPYRIGHTED = 0x2_0000;
    }
}

flags! {
    /// The flags of an index entry.
    pub struct IndexFlags(U32: u32) {
        /// The chunk is a list.
        LIST = 1;
        /// The image does not depend on any other.
        KEY_FRAME = 0x10;
        /// The chunk takes no time.
        NO_TIME = 0x100;
    }
}

record! {
    /// `avih`: the header of the video, 56 bytes.
    pub struct MainHeader: 56 {
        micro_sec_per_frame: U32,
        max_bytes_per_sec: U32,
        padding_granularity: U32,
        flags: FilmFlags,
        total_frames: U32,
        initial_frames: U32,
        streams: U32,
        suggested_buffer_size: U32,
        width: U32,
        height: U32,
        reserved: [U32; 4] = [U32::new(0); 4],
    }
}

record! {
    /// `strh`: the header of a stream, 48 bytes.
    pub struct StreamHeader: 48 {
        /// `vids` or `auds`.
        kind: FourCc,
        /// The codec.
        handler: FourCc,
        flags: U32,
        priority: U16,
        language: U16,
        initial_frames: U32,
        scale: U32,
        /// Divided by the scale, this is the number of frames or samples per second.
        rate: U32,
        start: U32,
        length: U32,
        suggested_buffer_size: U32,
        quality: I32,
        sample_size: U32,
    }
}

record! {
    /// `strf` of images, 40 bytes.
    pub struct PictureFormat: 40 {
        size: U32,
        width: I32,
        height: I32,
        planes: U16,
        bit_count: U16,
        /// The codec.
        compression: FourCc,
        size_image: U32,
        x_pels_per_meter: I32,
        y_pels_per_meter: I32,
        clr_used: U32,
        clr_important: U32,
    }
}

record! {
    /// An entry of `idx1`, 16 bytes.
    pub struct IndexEntry: 16 {
        id: FourCc,
        flags: IndexFlags,
        offset: U32,
        length: U32,
    }
}

/// The content of a chunk.
#[derive(Clone, Debug)]
pub enum Content {
    /// `RIFF`, `LIST`: more chunks.
    List(List),
    /// `avih`: the header of the video.
    Film(MainHeader),
    /// `strh`; in newer videos, followed by the rectangle of the images: left, top, right, bottom.
    Stream(StreamHeader, Option<[I16; 4]>),
    /// `strf` of images, and additional data for the codec.
    Pictures(PictureFormat, Block),
    /// `strf` of sound.
    Sound(FormatChunk),
    /// `idx1`: the index.
    Index(Block<IndexEntry>),
    /// An uncompressed image.
    Picture(Block),
    /// A compressed image.
    Compressed(Block),
    /// Sound.
    Samples(Block),
    /// A string.
    Text(Block),
    /// `JUNK`: unused space.
    Junk(Block),
    /// Anything else.
    Opaque(Block),
}

impl Default for Content {
    fn default() -> Self {
        Self::Opaque(Block::default())
    }
}

/// A list of chunks.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The form, which indicates the contents.
    pub form: FourCc,
    /// The chunks.
    pub chunks: Vec<Chunk>,
    /// Bytes after the last chunk.
    pub trailing: Block,
}

/// A chunk.
pub type Chunk = riff::Chunk<Content>;

/// A video.
#[derive(Clone, Debug, Default)]
pub struct Avi {
    /// The chunks; the first is a list.
    pub chunks: Vec<Chunk>,
    /// Bytes after the last chunk.
    pub trailing: Block,
}

/// The position of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Within {
    /// The number of enclosing lists.
    depth: usize,
    /// The form of the list.
    form: FourCc,
    /// The type of stream in the last stream header of the list.
    stream: FourCc,
}

impl riff::Content for Content {
    type Within = Within;

    fn of(id: FourCc, size: u64, within: &Within) -> Self {
        match (&id.0, size) {
            (b"RIFF" | b"LIST", _) if within.depth < limits::CONTAINERS => Self::List(List::default()),
            (b"avih", 56..) => Self::Film(MainHeader::default()),
            (b"strh", 56..) => Self::Stream(StreamHeader::default(), Some(Default::default())),
            (b"strh", 48..) => Self::Stream(StreamHeader::default(), None),
            (b"strf", 40..) if within.stream.0 == *b"vids" => {
                Self::Pictures(PictureFormat::default(), Block::default())
            }
            (b"strf", 14..) if within.stream.0 == *b"auds" => Self::Sound(FormatChunk::default()),
            (b"idx1", _) => Self::Index(Block::default()),
            ([_, _, b'd', b'b'], _) => Self::Picture(Block::default()),
            ([_, _, b'd', b'c'], _) => Self::Compressed(Block::default()),
            ([_, _, b'w', b'b'], _) => Self::Samples(Block::default()),
            (b"JUNK", _) => Self::Junk(Block::default()),
            (b"strn", _) => Self::Text(Block::default()),
            _ if within.form.0 == *b"INFO" => Self::Text(Block::default()),
            _ => Self::default(),
        }
    }
}

lay! {
    impl Lay for Avi {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let within = Within { depth: 0, form: FourCc::default(), stream: FourCc::default() };
            self.chunks.lay_by(t, within)?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    impl LayBy<Within> for Vec<Chunk> {
        /// Lays out the chunks of a list.
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, mut within: Within) -> Result {
            let head = wide(size_of::<ChunkHeader>());
            t.list_while(
                "chunks",
                // A video has at least one chunk.
                |t| t.remaining() >= head || t.position() == 0,
                self,
                |t, chunk| {
                    chunk.lay_by(t, &within)?;
                    if let Content::Stream(header, _) = &chunk.content {
                        within.stream = header.kind;
                    }
                    Ok(())
                },
            )
        }
    }

    impl LayBy<&Within> for Content {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, within: &Within) -> Result {
            match self {
                Self::List(List { form, chunks, trailing }) => {
                    t.value("form", at!(*form))?;
                    chunks.lay_by(t, Within { depth: within.depth + 1, form: *form, ..*within })?;
                    t.rest("trailing", Run::Surplus, trailing)
                }
                Self::Film(header) => {
                    t.fields(at!(*header))?;
                    t.label("seconds", || {
                        let frames = u64::from(header.total_frames.get());
                        let micros = frames * u64::from(header.micro_sec_per_frame.get());
                        Some(format!("{}.{:02}", micros / 1_000_000, micros / 10_000 % 100).into())
                    });
                    Ok(())
                }
                Self::Stream(header, room) => {
                    t.fields(header)?;
                    if let Some(room) = room { t.value("frame", room) } else { Ok(()) }
                }
                Self::Pictures(format, more) => {
                    t.fields(format)?;
                    t.rest("codec_data", Run::Opaque, more)
                }
                Self::Sound(format) => format.lay(t),
                Self::Index(entries) => {
                    t.block("entries", as_read(t.remaining() / wide(size_of::<IndexEntry>())), entries)
                }
                Self::Picture(bytes) => t.rest("picture", Run::Pixels, bytes),
                Self::Compressed(bytes) => t.rest("picture", Run::Packed, bytes),
                Self::Samples(bytes) => t.rest("samples", Run::Samples, bytes),
                Self::Text(text) => t.text_of("text", Windows::PAGE, as_read(t.remaining()), text),
                Self::Junk(bytes) => {
                    let length = t.read_or(t.remaining(), wide(bytes.len()));
                    t.run("junk", Run::Padding(length), length, bytes)
                }
                Self::Opaque(bytes) => t.rest("bytes", Run::Opaque, bytes),
            }
        }
    }
}

no_traps!(Avi);

impl Format for Avi {
    const NAME: &'static str = "avi";
    const TITLE: &'static str = "video (AVI)";
    const GAMES: &'static [Game] = &[Game::Recoil, Game::MechWarrior3, Game::PiratesMoon];
    const CLAIMS: &'static [&'static str] = &["*.avi"];
    const RAW: Option<&'static str> = Some("avi");

    /// Returns the end of the last of the chunks `RIFF`, which a video can have several of.
    fn ends_at(file: &[u8]) -> Option<usize> {
        let mut end = 0_usize;
        while let Some(rest) = file.get(end..).and_then(|rest| rest.strip_prefix(b"RIFF")) {
            let size = usize::try_from(u32::from_le_bytes(*rest.first_chunk()?)).ok()?;
            end = end.checked_add(size_of::<ChunkHeader>())?.checked_add(size.checked_next_multiple_of(2)?)?;
        }
        Some(end).filter(|end| (1..file.len()).contains(end))
    }

    /// Checks the ids (`zipper-installs.md`, section 1).
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        riff::body(file, b"AVI ").map(|_| Self::GAMES.to_vec())
    }

    /// Returns `false` for installer files under the names of videos, as found in incomplete copies (`zipper-other.md`,
    /// section 6).
    fn suits(file: &[u8]) -> bool {
        file.iter().zip(b"RIFF").all(|(byte, id)| byte == id)
    }
}

binrw_over_lay!(Avi);
