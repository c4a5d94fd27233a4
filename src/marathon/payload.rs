//! What a fork or a chunk of this family can hold.

use bytes::Bytes;

use crate::field::{self, Block, Label, Lay, Result, Run, Tape};
use crate::format::Format;

use super::applesingle::FinderInfo;
use super::wad::Wad;

/// What a fork or a chunk holds.
#[derive(Clone, Debug)]
pub enum Payload {
    /// A wad.
    Wad(Box<Wad>),
    /// Finder information of the usual length.
    FinderInfo(FinderInfo),
    /// Bytes kept as they are.
    Opaque(Block),
}

impl Default for Payload {
    fn default() -> Self {
        Self::Opaque(Block::default())
    }
}

impl Lay for Payload {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        match self {
            Self::Wad(wad) => wad.lay(t),
            Self::FinderInfo(info) => t.fields(info),
            Self::Opaque(bytes) => t.rest("bytes", Run::Opaque, bytes),
        }
    }
}

impl field::Payload for Payload {
    fn kind(&self) -> &'static str {
        match self {
            Self::Wad(_) => Wad::NAME,
            Self::FinderInfo(_) => "finder information",
            Self::Opaque(_) => "opaque",
        }
    }

    fn recognise(label: &Label, bytes: &Bytes) -> Self {
        if *label.name == *FinderInfo::ENTRY.as_bytes() && bytes.len() == size_of::<FinderInfo>() {
            Self::FinderInfo(FinderInfo::default())
        } else if Wad::recognise(bytes).is_some() {
            Self::Wad(Box::default())
        } else {
            Self::opaque()
        }
    }

    fn opaque() -> Self {
        Self::default()
    }
}
