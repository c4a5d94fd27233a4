//! Sounds: RIFF/WAVE, as entries of sound archives or loose.
//!
//! | part | bytes |
//! |---|---|
//! | [`Head`] | 12 |
//! | chunks, each with a pad byte where its size is odd | 8 + size |
//! | trailing bytes | |
//!
//! Source: `zipper-sounds.md`, section 2.

use crate::field::{
    Block, FourCc, I16, Lay, Pad, Result, Run, Style as _, Tape, U16, U32, Whole as _, Windows, size, wide,
};
use crate::format::{Format, Game, binrw_over_lay};
use crate::{names, record};

record! {
    /// The head, 12 bytes. Source: `zipper-sounds.md`, section 2.
    pub struct Head: 12 {
        id: FourCc = FourCc(*b"RIFF"),
        riff_size: U32 as Outside,
        form: FourCc = FourCc(*b"WAVE"),
    }
}

record! {
    /// The head of a chunk, 8 bytes. Source: `zipper-sounds.md`, section 2.
    pub struct ChunkHead: 8 {
        id: FourCc,
        size: U32 as Outside,
    }
}

names! {
    /// How samples are stored. Source: `zipper-sounds.md`, section 2.
    pub struct FormatTag(U16: u16) {
        /// Plain samples.
        PCM = 1;
        /// Microsoft's compression.
        MS_ADPCM = 2;
        /// The compression of the IMA.
        IMA_ADPCM = 0x11;
    }
}

record! {
    /// What every `fmt ` has, 14 bytes. Source: `zipper-sounds.md`, section 2.
    pub struct SampleFormat: 14 {
        format_tag: FormatTag,
        channels: U16,
        samples_per_sec: U32,
        avg_bytes_per_sec: U32,
        block_align: U16,
    }
}

record! {
    /// A point in a sound, 24 bytes. Source: `zipper-sounds.md`, section 2.
    pub struct CuePoint: 24 {
        id: U32,
        position: U32,
        chunk: FourCc,
        chunk_start: U32,
        block_start: U32,
        sample_offset: U32,
    }
}

record! {
    /// The number of points in a sound, 4 bytes. Source: `zipper-sounds.md`, section 2.
    pub struct CueHead: 4 {
        points: U32 as Outside,
    }
}

/// `fmt `: how the samples are stored.
#[derive(Clone, Debug, Default)]
pub struct FormatChunk {
    /// What every format has.
    pub format: SampleFormat,
    /// Bits of a sample, where the chunk goes so far.
    pub bits_per_sample: Option<U16>,
    /// The size of what follows as it is told, where the chunk goes so far.
    pub extension_size: Option<U16>,
    /// For compressed samples: samples of a block, then pairs of coefficients with their number before them.
    pub extension: Block<I16>,
}

/// `cue `: points in the sound.
#[derive(Clone, Debug, Default)]
pub struct CueChunk {
    /// How many, as it is told.
    pub head: CueHead,
    /// The points.
    pub points: Block<CuePoint>,
}

/// `LIST`: chunks of text under a form.
#[derive(Clone, Debug, Default)]
pub struct ListChunk {
    /// The form, as in `INFO`.
    pub form: FourCc,
    /// The rest, which in files seen is no list of chunks.
    pub text: Block,
}

/// What a chunk holds.
#[derive(Clone, Debug)]
pub enum Content {
    /// `fmt `
    Format(FormatChunk),
    /// `cue `
    Cue(CueChunk),
    /// `data`
    Data(Block),
    /// `fact`: the number of samples.
    Fact(U32),
    /// `LIST`
    List(ListChunk),
    /// Anything else.
    Opaque(Block),
}

impl Default for Content {
    fn default() -> Self {
        Self::Opaque(Block::default())
    }
}

/// A chunk.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// Id and size.
    pub head: ChunkHead,
    /// What it holds.
    pub content: Content,
    /// What stands in it behind that.
    pub rest: Block,
    /// A zero, where the size is odd.
    pub pad: Pad,
}

/// A sound.
#[derive(Clone, Debug, Default)]
pub struct Wave {
    /// Ids and size.
    pub head: Head,
    /// The chunks, in file order.
    pub chunks: Vec<Chunk>,
    /// What stands behind the last chunk.
    pub trailing: Block,
}

impl Content {
    /// The empty content of a chunk of this id and size.
    fn of(id: FourCc, size: u64) -> Self {
        match (&id.0, size) {
            (b"fmt ", 14..) => Self::Format(FormatChunk::default()),
            (b"cue ", 4..) => Self::Cue(CueChunk::default()),
            (b"data", _) => Self::Data(Block::default()),
            (b"fact", 4..) => Self::Fact(U32::default()),
            (b"LIST", 4..) => Self::List(ListChunk::default()),
            _ => Self::default(),
        }
    }
}

impl Lay for Content {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        match self {
            Self::Format(format) => format.lay(t),
            Self::Cue(cue) => cue.lay(t),
            Self::Data(samples) => t.rest("samples", Run::Samples, samples),
            Self::Fact(samples) => t.value("samples", samples),
            Self::List(ListChunk { form, text }) => {
                t.value("form", form)?;
                t.rest_text("text", Windows::PAGE, text)
            }
            Self::Opaque(bytes) => t.rest("bytes", Run::Opaque, bytes),
        }
    }
}

impl FormatChunk {
    /// Lays all that is left, a format.
    pub(super) fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.fields(&mut self.format)?;
        for (name, number) in
            [("bits_per_sample", &mut self.bits_per_sample), ("extension_size", &mut self.extension_size)]
        {
            if t.reading() && t.remaining() >= 2 {
                *number = Some(U16::default());
            }
            number.as_mut().map_or(Ok(()), |number| t.value(name, number))?;
        }
        let words = if t.reading() { t.remaining() / 2 } else { wide(self.extension.len()) };
        t.block("extension", words, &mut self.extension)
    }
}

impl CueChunk {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let count = if t.reading() {
            t.remaining().saturating_sub(wide(size_of::<CueHead>())) / wide(size_of::<CuePoint>())
        } else {
            wide(self.points.len())
        };
        let rules = CueHead { points: U32::of(count).unwrap_or(self.head.points) };
        t.fields_by(&mut self.head, Some(&rules))?;
        t.block("list", count, &mut self.points)
    }
}

impl Chunk {
    fn lay(&mut self, t: &mut Tape<'_>, start: u64) -> Result {
        if t.filling() {
            let length = size(|t| self.content.lay(t)).saturating_add(wide(self.rest.len()));
            t.fill("size", &mut self.head.size, length)?;
        }
        t.fields(&mut self.head)?;
        let length = t.stated("size", self.head.size)?;
        if t.reading() {
            self.content = Content::of(self.head.id, length);
        }
        t.window(length, |t| {
            self.content.lay(t)?;
            t.rest("rest", Run::Surplus, &mut self.rest)
        })?;
        t.pad("pad", start, 2, &mut self.pad)
    }
}

impl Lay for Wave {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let start = t.position();
        let rules = t.judging().then(|| {
            let length = size(|t| self.lay_from(t, 0, None));
            Head { riff_size: U32::of(length.saturating_sub(8)).unwrap_or(self.head.riff_size), ..self.head }
        });
        self.lay_from(t, start, rules)
    }
}

impl Wave {
    fn lay_from(&mut self, t: &mut Tape<'_>, start: u64, rules: Option<Head>) -> Result {
        t.fields_by(&mut self.head, rules.as_ref())?;
        let chunk = wide(size_of::<ChunkHead>());
        // Where the size says that the sound ends, it does, if a chunk ends there too.
        let told = u64::from(self.head.riff_size.get()).saturating_add(8).next_multiple_of(2);
        let more = |t: &Tape<'_>| t.remaining() >= chunk && t.position().saturating_sub(start) != told;
        t.list_while("chunks", more, &mut self.chunks, |t, chunk| chunk.lay(t, start))?;
        t.rest("trailing", Run::Surplus, &mut self.trailing)
    }

    /// Whether some bytes begin like a sound.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(b"RIFF") && bytes.get(8..).is_some_and(|form| form.starts_with(b"WAVE"))
    }
}

impl Format for Wave {
    const NAME: &'static str = "wave";
    const TITLE: &'static str = "sound";
    const GAMES: &'static [Game] = &[Game::Recoil, Game::MechWarrior3, Game::PiratesMoon, Game::CrimsonSkies];
    const CLAIMS: &'static [&'static str] = &["*.wav"];
    const RAW: Option<&'static str> = Some("wav");

    /// The ids, and chunks that end exactly at the end; an archive of sounds begins with its first, and the next follows.
    fn recognise(file: &[u8]) -> Option<Vec<Game>> {
        let mut chunks = Self::begins(file).then_some(file)?.get(size_of::<Head>()..)?;
        while !chunks.is_empty() {
            let head: ChunkHead = chunks.get(..size_of::<ChunkHead>()).and_then(crate::macros::read_pod)?;
            if head.id == FourCc(*b"RIFF") {
                return None;
            }
            let end = usize::try_from(head.size.get()).ok()?.checked_add(size_of::<ChunkHead>())?;
            // The pad byte of the last chunk may be missing.
            let rest = chunks.get(end..)?;
            chunks = if end % 2 == 1 { rest.get(1..).unwrap_or_default() } else { rest };
        }
        Some(Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Wave);
