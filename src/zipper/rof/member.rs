//! Files of ROF archives.

use bytes::Bytes;

use crate::Payload;
use field::{self, Block, Label, Result, Run, lay};
use lint::lint_as;

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

lint_as!(Member, it => match it {
    Self::Zlib(_) => &(),
    Self::Plain(payload) => payload,
});

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_is_recognized_by_its_first_bytes() {
        assert!(is_zlib(b"\x78\xDA\xCB\x48"));
        assert!(!is_zlib(b"\x89PNG") && !is_zlib(b"x") && !is_zlib(b""));
    }
}
