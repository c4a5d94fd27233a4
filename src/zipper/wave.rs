//! Sounds: RIFF/WAVE, as loose files or entries of sound archives.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 12 |
//! | chunks, each followed by a pad byte if its size is odd | 8 + size |
//! | trailing bytes | |
//!
//! Source: [`zipper-sounds.md`](formats::zipper_sounds), section 2.

use field::record;
use field::walk::size;
use field::{Block, FourCc, I16, Integer as _, Result, Run, Step, Style as _, U16, U32, Windows, as_read, lay, wide};
use kind::{Format, Game, binrw_over_lay, foreign};
use lint::{Lint, Trap, Warnings, traps};
use media::riff::{self, ChunkHeader, Chunks};
use media::wav::{FormatTag, Header, SampleFormat};
use passes::zeros::zeros;

traps! { TRAPS:
    ZEROS = "zeros-in-samples" in Damage:
        "a sound contains a long run of zeros, which is no silence in its encoding" =>
        "the sound is lost there: compare the file with another copy", "zipper-installs.md, section 8 (checked)";
    QUIET = "silence-in-samples" in Doubt:
        "a sound contains a second or more of zeros" =>
        "it can be silent, or lost: listen to it, or compare the file with another copy", "zipper-installs.md, section 8 (checked)";
    CUT = "sound-cut" in Damage:
        "a sound is shorter than its header states" => "its end is lost: compare the file with another copy",
        "zipper-installs.md, section 8 (checked)";
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
    pub struct CueHeader: 4 {
        points: U32 as Outside,
    }
}

/// `fmt `: the encoding of the samples.
#[derive(Clone, Debug, Default)]
pub struct FormatChunk {
    /// The fields common to every format.
    pub format: SampleFormat,
    /// The bits per sample, if the chunk is long enough.
    pub bits_per_sample: Option<U16>,
    /// The stored size of the extension, if the chunk is long enough.
    pub extension_size: Option<U16>,
    /// For compressed samples: the samples per block, then the number of coefficient pairs and the pairs.
    pub extension: Block<I16>,
}

/// `cue `: points in the sound.
#[derive(Clone, Debug, Default)]
pub struct CueChunk {
    /// The stored number of points.
    pub head: CueHeader,
    /// The points.
    pub points: Block<CuePoint>,
}

/// `LIST`: text chunks of one form.
#[derive(Clone, Debug, Default)]
pub struct ListChunk {
    /// The form, such as `INFO`.
    pub form: FourCc,
    /// The rest, which is not a list of chunks in any known file.
    pub text: Block,
}

/// The content of a chunk.
#[derive(Clone, Debug)]
pub enum Content {
    /// `fmt `: the encoding of the samples.
    Format(FormatChunk),
    /// `cue `: points in the sound.
    Cue(CueChunk),
    /// `data`: the samples.
    Data(Block),
    /// `fact`: the number of samples.
    Fact(U32),
    /// `LIST`: text chunks of one form.
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
pub type Chunk = riff::Chunk<Content>;

/// A sound.
#[derive(Clone, Debug, Default)]
pub struct Wave {
    /// Ids and size.
    pub head: Header,
    /// The chunks, in file order.
    pub chunks: Vec<Chunk>,
    /// Bytes after the last chunk.
    pub trailing: Block,
}

impl riff::Content for Content {
    type Within = ();

    fn of(id: FourCc, size: u64, (): &()) -> Self {
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

lay! {
    impl Lay for Wave {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            let all = t.rules(|| size(&*self))?;
            let rules = match all {
                // The size does not count the first 8 bytes.
                Some(all) => Some(Header { riff_size: t.rule("riff_size", all - 8, self.head.riff_size)?, ..self.head }),
                None => None,
            };
            t.fields_by(at!(self.head), rules.as_ref())?;
            let chunk = wide(size_of::<ChunkHeader>());
            // If a chunk ends where the stored size puts the end of the sound, the sound ends there.
            let told = (u64::from(self.head.riff_size.get()) + 8).next_multiple_of(2);
            t.list_while(
                "chunks",
                |t| t.remaining() >= chunk && t.position() - start != told,
                at!(self.chunks),
                |t, chunk| chunk.lay_by(t, &()),
            )?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    impl LayBy<&()> for Content {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (): &()) -> Result {
            match self {
                Self::Format(format) => format.lay(t),
                Self::Cue(cue) => cue.lay(t),
                Self::Data(samples) => t.rest("samples", Run::Samples, samples),
                Self::Fact(samples) => t.value("samples", samples),
                Self::List(ListChunk { form, text }) => {
                    t.value("form", form)?;
                    t.text_of("text", Windows::PAGE, as_read(t.remaining()), text)
                }
                Self::Opaque(bytes) => t.rest("bytes", Run::Opaque, bytes),
            }
        }
    }

    impl Lay for FormatChunk {
        /// Lays out the remaining bytes as a format.
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.format))?;
            for (name, number) in
                [("bits_per_sample", at!(self.bits_per_sample)), ("extension_size", at!(self.extension_size))]
            {
                t.read(at!(*number), |number, t| {
                    *number = (t.remaining() >= 2).then(U16::default);
                    Ok(())
                })?;
                if let Some(number) = number {
                    t.value(name, number)?;
                }
            }
            t.block("extension", as_read(t.remaining() / 2), at!(self.extension))
        }
    }

    impl Lay for CueChunk {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let fit = |left: u64| left.saturating_sub(wide(size_of::<CueHeader>())) / wide(size_of::<CuePoint>());
            let count = t.read_or(fit(t.remaining()), wide(self.points.len()));
            let rules = CueHeader { points: U32::of(count).unwrap_or(self.head.points) };
            t.fields_by(at!(self.head), Some(&rules))?;
            t.block("list", count, at!(self.points))
        }
    }
}

/// The least number of zeros that are reported in samples whose silence is zeros: about a second.
const SILENCE: usize = 64 << 10;
/// The least number of zeros that are reported in other samples.
const LONG: usize = 4 << 10;

impl Lint for Wave {
    fn has_signs(&self) -> bool {
        true
    }

    /// Reports the signs of damage.
    fn lint(&self, out: &mut Warnings<'_>) {
        let told = u64::from(self.head.riff_size.get()) + 8;
        // A sound that cannot be measured is refused.
        if let Some(all) = size(self).ok().filter(|all| told > all.next_multiple_of(2)) {
            out.warn(&CUT, &[Step::Name("riff_size")], format!("{all} of {told} bytes"));
        }
        let format = self.chunks.iter().find_map(|chunk| match &chunk.content {
            Content::Format(format) => Some(format),
            _ => None,
        });
        let Some(FormatChunk { format, bits_per_sample, .. }) = format else { return };
        let block = usize::from(format.block_align.get());
        let bits = bits_per_sample.map_or(8, |bits| bits.get());
        let (trap, least) = match format.format_tag {
            // Each block begins with a step that is never zero.
            FormatTag::MS_ADPCM => (&ZEROS, LONG.max(block * 2)),
            // Silence is 128.
            FormatTag::PCM if bits <= 8 => (&ZEROS, LONG),
            _ => (&QUIET, SILENCE),
        };
        for (index, chunk) in self.chunks.iter().enumerate() {
            if let Content::Data(samples) = &chunk.content
                && let Some(run) = zeros(samples, least)
            {
                let found = format!("{} of {} bytes", run.len(), samples.len());
                out.warn(trap, &[Step::Name("chunks"), Step::Index(wide(index)), Step::Name("samples")], found);
            }
        }
    }
}

impl Wave {
    /// Returns `true` if some bytes begin like a sound.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        riff::body(bytes, b"WAVE").is_some()
    }
}

impl Format for Wave {
    const NAME: &'static str = "wave";
    const TITLE: &'static str = "sound";
    const GAMES: &'static [Game] = super::games::ALL;
    const CLAIMS: &'static [&'static str] = &["*.wav"];
    const RAW: Option<&'static str> = Some("wav");
    const TRAPS: &'static [&'static Trap] = TRAPS;

    /// Checks the ids, and that the chunks end exactly at the end of the file. (An archive of sounds begins with a
    /// sound, but continues with another.)
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let mut chunks = Chunks(riff::body(file, b"WAVE")?);
        let are_own =
            chunks.all(|(head, content)| head.id.0 != *b"RIFF" && u64::from(head.size.get()) == wide(content.len()));
        (are_own && chunks.0.is_empty()).then(|| Self::GAMES.to_vec())
    }

    /// Returns `false` for frames of MP3, which another game has under this ending.
    fn suits(file: &[u8]) -> bool {
        !file.starts_with(b"BMU V1.0") && !foreign::is_mp3(file)
    }
}

binrw_over_lay!(Wave);
