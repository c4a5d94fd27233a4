//! Files of ROF archives.

use bytes::Bytes;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};

use crate::field::{self, Block, Label, Result, Run, lay, wide};
use crate::zipper::Payload;

/// A file of a ROF archive.
#[derive(Clone, Debug)]
pub enum Member {
    /// A compressed file, as its zlib stream (RFC 1950).
    Zlib(Block),
    /// An uncompressed file, with contents as in any archive of these games.
    Plain(Payload),
}

impl Default for Member {
    fn default() -> Self {
        Self::Plain(Payload::default())
    }
}

/// The kind of a compressed file.
const ZLIB: &str = "zlib";

lay! {
    impl Lay for Member {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            match self {
                Self::Zlib(stream) => t.rest("stream", Run::Packed, stream),
                Self::Plain(payload) => payload.lay(t),
            }
        }
    }
}

impl field::Payload for Member {
    fn kind(&self) -> &'static str {
        match self {
            Self::Zlib(_) => ZLIB,
            Self::Plain(payload) => payload.kind(),
        }
    }

    fn recognize(label: &Label, bytes: &Bytes) -> Self {
        if is_zlib(bytes) { Self::Zlib(Block::default()) } else { Self::Plain(Payload::recognize(label, bytes)) }
    }

    fn opaque() -> Self {
        Self::default()
    }

    fn of_kind(kind: &str) -> Option<Self> {
        if kind == ZLIB { Some(Self::Zlib(Block::default())) } else { Payload::of_kind(kind).map(Self::Plain) }
    }

    fn raw(&self) -> Option<&'static str> {
        match self {
            Self::Zlib(_) => Some(ZLIB),
            Self::Plain(payload) => payload.raw(),
        }
    }
}

/// Returns `true` if some bytes begin like a zlib stream: with the method, any window size, and the check value of both
/// bytes.
fn is_zlib(bytes: &[u8]) -> bool {
    let head = bytes.first_chunk().map(|head| u16::from_be_bytes(*head));
    head.is_some_and(|head| head >> 8 & 0x0F == 8 && head >> 12 <= 7 && head & 0x20 == 0 && head.is_multiple_of(31))
}

/// Returns the decompressed length of a zlib stream, or `None` if the stream is cut short or followed by other bytes.
pub(super) fn inflated(stream: &[u8]) -> Option<u64> {
    let mut inflater = InflateState::new_boxed(DataFormat::Zlib);
    let (mut rest, mut out, mut length) = (stream, vec![0; 1 << 15], 0_u64);
    loop {
        let step = inflate(&mut inflater, rest, &mut out, MZFlush::None);
        rest = rest.get(step.bytes_consumed..)?;
        length = length.saturating_add(wide(step.bytes_written));
        match step.status.ok()? {
            MZStatus::StreamEnd => return rest.is_empty().then_some(length),
            _ if step.bytes_consumed == 0 && step.bytes_written == 0 => return None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: `zipper-other.md`, section 1.6.
    #[test]
    fn inflated_measures_complete_streams_only() {
        let stream = b"\x78\xDA\xCB\x48\xCD\xC9\xC9\x57\xC8\x40\x27\xB9\x00\x70\xBE\x08\xBB";
        assert!(is_zlib(stream));
        assert_eq!(inflated(stream), Some(24));
        assert_eq!(inflated(&stream[..16]), None);
        assert_eq!(inflated(&[&stream[..], b"x"].concat()), None);
        assert_eq!(inflated(b"hello"), None);
        assert_eq!(inflated(b""), None);
        assert!(!is_zlib(b"\x89PNG") && !is_zlib(b"x") && !is_zlib(b""));
    }
}
