//! Archives: `.zbd` files with a table at the end (sounds, readers, motions, 'Mech models, save games).
//!
//! | part | bytes |
//! |---|---|
//! | payloads, end to end in table order | |
//! | table, one [`Slot`] an entry | 148 |
//! | footer: version and count, from version 2 on a checksum | 8 or 12 |
//!
//! There is no magic. Version 2 is Pirate's Moon's; there the checksum of a reader archive is a CRC over its payloads and
//! every other is 0, and the table of a motion archive says length 1 for every entry, so that an entry ends where the next
//! begins. The packer left memory behind the texts of a slot, and sometimes in all of its end.
//!
//! Source: `zipper-archives.md`.

use core::ops::Range;

use bytes::Bytes;

use crate::field::{
    self, Block, Datum, Fault, Label, Lay, Payload as _, Result, Run, Spread, Step, Tape, Text, Time, U32, Visitor, size, visit, wide,
};
use crate::format::{Format, Game, binrw_over_lay};
use crate::{flags, record};

use super::Payload;

/// Bytes of a table entry.
const SLOT: u64 = 148;

flags! {
    /// What the packer knew of an entry. Source: `zipper-archives.md`, section 2.3.
    pub struct SlotFlags(U32: u32) {
        /// The comment is the path it was packed from.
        SOURCE = 2;
    }
}

record! {
    /// A table entry, 148 bytes. Source: `zipper-archives.md`, section 2.3.
    pub struct Slot: 148 {
        start: U32 as Outside,
        length: U32 as Outside,
        name: Text<64>,
        flags: SlotFlags,
        /// The path it was packed from, or leftover memory.
        comment: Text<64>,
        /// Steps of 100 ns since 1601, or leftover memory.
        time: Time,
    }
}

record! {
    /// The footer up to version 1, the beginning of later ones, 8 bytes. Source: `zipper-archives.md`, section 2.1.
    pub struct Footer: 8 {
        version: U32,
        count: U32 as Outside,
    }
}

record! {
    /// The end of the footer in version 2, 4 bytes. Source: `zipper-archives.md`, section 2.2.
    pub struct FooterChecksum: 4 {
        checksum: U32 as Outside,
    }
}

/// An entry.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// What the table says of it.
    pub slot: Slot,
    /// What it holds.
    pub payload: Payload,
}

/// What an archive is for, which decides what its checksum is. Source: `zipper-archives.md`, section 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// A save game.
    Save,
    /// 'Mech models.
    Mechlib,
    /// Motions.
    Motion,
    /// Sounds.
    Sounds,
    /// Reader data.
    Reader,
    /// Anything else.
    #[default]
    Unknown,
}

/// An archive.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    /// The entries, in table order; names repeat.
    pub entries: Vec<Entry>,
    /// How they lie in the file.
    pub spread: Spread,
    /// Bytes between the last payload and the table.
    pub trailing: Block,
    /// What the archive is for.
    pub content: Content,
    /// Whether the table says length 1 for every entry, whatever its length.
    pub lengths_are_one: bool,
    /// Version and count.
    pub footer: Footer,
    /// The checksum of version 2.
    pub checksum: FooterChecksum,
}
