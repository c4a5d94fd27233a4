//! Entries of a wad: chains of chunks.

use field::macros::read_head;
use field::record;
use field::walk::size;
use field::{Block, Fault, FourCc, I32be, Integer as _, Label, Mac, Result, Run, Style as _, Tape, as_read, lay, wide};
use kind::Container;
use lint::{Entries, Lint};

use super::super::across_chunks::Level;
use super::super::chunk::{Age, Content};
use super::super::map::lint::{Facts, InLevel};
use super::{LevelData, Sizes};

record! {
    /// A chunk header up to version 1, or the beginning of a later one, 12 bytes. Source: `marathon-wad.md`, section 2.3.
    pub struct ChunkHeader: 12 {
        tag: FourCc,
        next: I32be as Outside,
        length: I32be as Outside,
    }
}

record! {
    /// The end of a chunk header from version 2 onward, 4 bytes. Source: `marathon-wad.md`, section 2.3.
    pub struct ChunkPatch: 4 {
        patch_offset: I32be = 0,
    }
}

/// A part of an entry with a tag.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// Tag, next offset and length.
    pub head: ChunkHeader,
    /// The rest of the header, from version 2 onward.
    pub patch: ChunkPatch,
    /// The contents of the chunk.
    pub payload: Content,
    /// Bytes between this chunk and the next, or the end of the entry.
    pub gap: Block,
}

/// A level, a physics model, a picture: a chain of chunks.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The chunks of the entry; tags may repeat.
    pub chunks: Vec<Chunk>,
}

/// Properties shared by the chunks of an entry.
#[derive(Clone, Copy)]
struct Chain<'a> {
    sizes: Sizes,
    age: Age,
    /// The level that its chunks are judged by; `None` if nothing is judged.
    level: Option<&'a Level>,
    /// The offset at which the entry begins.
    start: u64,
}

impl Entry {
    /// Returns the level data that a directory repeats, or `None` if the entry has none.
    pub fn level(&self) -> Option<LevelData> {
        self.chunks.iter().find_map(|chunk| chunk.payload.repeated())
    }

    /// Returns the level data that a directory repeats, or the default if the entry has none.
    pub fn repeated(&self) -> LevelData {
        self.level().unwrap_or_default()
    }
}

impl Container for Entry {
    type Content = Content;

    const PAGE: &'static field::CodePage = Mac::PAGE;

    /// Returns the chunks, each named by its tag.
    fn labeled(&self) -> Vec<(Label, &Content)> {
        let labels = Label::roles(self.chunks.iter().map(|chunk| chunk.head.tag.0).collect());
        labels.zip(self.chunks.iter().map(|chunk| &chunk.payload)).collect()
    }
}

impl Lint for Entry {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        let facts = Facts::of(self.chunks.iter().map(|chunk| &chunk.payload));
        for ((label, chunk), tag) in self.labeled().into_iter().zip(self.chunks.iter().map(|chunk| chunk.head.tag)) {
            pass.part(label, &InLevel { facts: &facts, tag, chunk });
        }
    }
}

lay! {
    impl LayBy<Sizes> for Entry {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, sizes: Sizes) -> Result {
            let tags = t.seen(|t| tags(t, sizes));
            let tags = tags.unwrap_or_else(|| self.chunks.iter().map(|chunk| chunk.head.tag.0).collect());
            let age = Age::of(sizes.data_version, &tags);
            let level = t.rules(|| Ok(Level::of(self.chunks.iter().map(|chunk| &chunk.payload))))?;
            let chain = Chain { sizes, age, level: level.as_ref(), start: t.position() };
            let mut labels = Label::roles(tags);
            let mut left = self.chunks.len();
            t.list_while("chunks", |t| t.remaining() > 0, at!(self.chunks), |t, chunk| {
                left = left.saturating_sub(1);
                chunk.lay_by(t, (chain, left == 0, labels.next()))
            })
        }
    }

    /// Lays out a chunk, which may be the last of its entry.
    impl LayBy<(Chain<'_>, bool, Option<Label>)> for Chunk {
        fn lay_by(
            self: at!(Self),
            t: &mut Tape<'_>,
            (chain, last, label): (Chain<'_>, bool, Option<Label>),
        ) -> Result {
            let Chain { sizes, age, level, start } = chain;
            let header_end = t.position() + sizes.chunk_header;
            let entry_end = t.position() + t.remaining();
            t.computed_by("length", at!(self.head.length), || size(&self.payload))?;
            t.computed_by("next", at!(self.head.next), || match last {
                true => Ok(0),
                // The length has just been computed.
                false => Ok(header_end + t.stated("length", self.head.length)? + wide(self.gap.len()) - start),
            })?;
            t.fields(at!(self.head))?;
            let length = t.stated("length", self.head.length)?;
            let next = t.stated("next", self.head.next)?;
            let end = header_end + length;
            t.refuse("length", end > entry_end, || {
                Fault::Ends { count: length, each: 1, remain: entry_end.saturating_sub(header_end) }
            })?;
            t.refuse("next", next > 0 && !(end..entry_end).contains(&(start + next)), || {
                let (least, most) = (end - start, entry_end - start);
                let expected =
                    if least < most { format!("0, or from {least} to less than {most}") } else { "0".to_owned() };
                Fault::Outside { found: next.into(), expected }
            })?;
            if sizes.chunk_header > 12 {
                t.fields(at!(self.patch))?;
            }
            let tag = self.head.tag;
            t.entry_by(
                label.unwrap_or_else(Label::here),
                length,
                at!(self.payload),
                |_, bytes| Content::of(tag, bytes.len(), age),
                |content, t| {
                    let start = t.position();
                    content.lay_by(t, level)?;
                    t.judge(|t| _ = level.inspect(|level| level.judge(t, tag, content, start)));
                    Ok(())
                },
            )?;
            let told = match next {
                // Only the last chunk of an entry stores 0.
                0 => t.remaining(),
                next => (start + next).saturating_sub(t.position()),
            };
            t.run("gap", Run::Surplus, as_read(told), at!(self.gap))
        }
    }
}

/// Returns the tags of the chain of chunks that begins here in read mode, as far as it can be followed.
fn tags(t: &Tape<'_>, sizes: Sizes) -> Vec<[u8; 4]> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Ok(header) = t.peek(t.position() + at, sizes.chunk_header) {
        let Some(head) = read_head::<ChunkHeader>(&header) else { break };
        tags.push(head.tag.0);
        match head.next.wide() {
            Some(next) if next > at && next < t.remaining() => at = next,
            _ => break,
        }
    }
    tags
}
