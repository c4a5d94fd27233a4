//! RIFF files: chunks with an id and a size, as in sounds (WAV) and videos (AVI).
//!
//! | part of a chunk | bytes |
//! |---|---|
//! | [`ChunkHeader`] | 8 |
//! | content | size |
//! | zero byte if the size is odd | |

use field::record;
use field::walk::size_by;
use field::{self, Block, FourCc, Pad, Result, Run, U32, lay, wide};

record! {
    /// The header of a chunk, 8 bytes. Source: `zipper-sounds.md`, section 2.
    pub struct ChunkHeader: 8 {
        id: FourCc,
        size: U32 as Outside,
    }
}

/// The content of a chunk.
pub trait Content:
    Default
    + for<'w> field::build::LayBy<&'w <Self as Content>::Within>
    + for<'w> field::walk::LayBy<&'w <Self as Content>::Within>
{
    /// The context of the content, apart from its chunk.
    type Within;

    /// Returns empty content for a chunk of this id and size.
    fn of(id: FourCc, size: u64, within: &Self::Within) -> Self;
}

/// A chunk.
#[derive(Clone, Debug, Default)]
pub struct Chunk<C> {
    /// Id and size.
    pub head: ChunkHeader,
    /// The content.
    pub content: C,
    /// Bytes of the chunk after the content.
    pub rest: Block,
    /// A zero byte if the size is odd.
    pub pad: Pad,
}

lay! {
    impl<C: Content> LayBy<&C::Within> for Chunk<C> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, within: &C::Within) -> Result {
            let begin = t.position();
            t.computed_by("size", at!(self.head.size), || Ok(size_by(&self.content, within)? + wide(self.rest.len())))?;
            t.fields(at!(self.head))?;
            let length = t.stated("size", self.head.size)?;
            t.read(at!(self.content), |content, _| {
                *content = C::of(self.head.id, length, within);
                Ok(())
            })?;
            t.window(length, |t| {
                LayBy::lay_by(at!(self.content), t, within)?;
                t.rest("rest", Run::Surplus, at!(self.rest))
            })?;
            t.pad("pad", begin, 2, at!(self.pad))
        }
    }
}

/// Returns the bytes after the header of a RIFF file of this form, or `None` if the file begins differently.
#[must_use]
pub fn body<'b>(file: &'b [u8], form: &[u8]) -> Option<&'b [u8]> {
    file.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(form)
}

/// Iterates over the chunks in some bytes: the header of each, and its content, or as much of it as remains.
#[derive(Clone, Copy, Debug)]
pub struct Chunks<'b>(pub &'b [u8]);

impl<'b> Iterator for Chunks<'b> {
    type Item = (ChunkHeader, &'b [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (head, remaining): (ChunkHeader, _) = field::macros::split_head(self.0)?;
        let length = usize::try_from(head.size.get()).unwrap_or(usize::MAX);
        let (content, rest) = remaining.split_at_checked(length).unwrap_or((remaining, &[]));
        // The pad byte of the last chunk may be missing.
        self.0 = rest.get(length % 2..).unwrap_or_default();
        Some((head, content))
    }
}
