//! Pictures (PICT): what QuickDraw drew, as opcodes.
//!
//! | part | bytes |
//! |---|---|
//! | [`Head`] | 10 |
//! | version | 4, or 2 in version 1 |
//! | opcodes and their data, up to the end | |
//!
//! In version 2, opcodes take two bytes and lie at even offsets; in version 1 they take one.
//!
//! Source: `marathon-images.md`, section 5.

mod file;
mod grid;
mod medium;
mod opcode;
mod packbits;
mod pixels;
mod raw;
mod region;

use core::cell::Cell;

use crate::field::{Block, Fault, I16be, Lay, Pad, Result, Run, Tape, Truth, U8, U16be, size};
use crate::record;

pub use file::PictureFile;
pub(super) use grid::tiles;
pub use medium::MEDIUM;
pub use opcode::{Body, Opcode};
pub use packbits::{Packer, Packing};
pub use pixels::{Copy, PixMap, Pixels};
pub use raw::{Palette, RawHead, RawPicture};
pub use region::Region;

record! {
    /// The head, 10 bytes. Source: `marathon-images.md`, section 5.
    pub struct Head: 10 {
        /// The low 16 bits of the size of the picture.
        size: U16be as Outside,
        frame: Rectangle,
    }
}

record! {
    /// A rectangle, 8 bytes; its last two are coordinates too. Source: `marathon-images.md`, section 5.
    pub struct Rectangle: 8 {
        top: I16be,
        left: I16be,
        bottom: I16be,
        right: I16be,
    }
}

record! {
    /// What says that a picture is of version 2, 4 bytes. Source: `marathon-images.md`, section 5.
    pub struct Version2: 4 {
        version_opcode: U16be = 0x0011,
        version: U16be = 0x02FF,
    }
}

record! {
    /// What says that a picture is of version 1, 2 bytes. Source: `marathon-images.md`, section 5.
    pub struct Version1: 2 {
        version_opcode: U8 = 0x11,
        version: U8 = 0x01,
    }
}

/// An opcode and its data.
#[derive(Clone, Debug, Default)]
pub struct Instruction {
    /// Its number.
    pub opcode: Opcode,
    /// Its data.
    pub body: Body,
    /// In version 2, a zero behind data of odd length.
    pub pad: Pad,
}

/// A picture.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Size and frame.
    pub head: Head,
    /// Whether it is of version 1.
    pub is_version_1: Truth,
    /// The version, in version 2.
    pub version_2: Version2,
    /// The version, in version 1.
    pub version_1: Version1,
    /// What is drawn, up to the end.
    pub opcodes: Vec<Instruction>,
    /// What stands behind the end.
    pub trailing: Block,
}

impl Lay for Picture {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let start = t.position();
        let rules = t.judging().then(|| {
            let length = size(|t| self.lay_to_the_end(t, 0, None));
            let low = u16::try_from(length & 0xFFFF).unwrap_or_default();
            Head { size: U16be::new(low), ..self.head }
        });
        self.lay_to_the_end(t, start, rules)?;
        t.rest("trailing", Run::Surplus, &mut self.trailing)
    }
}

impl Picture {
    fn lay_to_the_end(&mut self, t: &mut Tape<'_>, start: u64, rules: Option<Head>) -> Result {
        t.fields_by(&mut self.head, rules.as_ref())?;
        if t.reading() {
            self.is_version_1 = Truth::from(t.ahead(1) == [0x11]);
        }
        t.fact("is_version_1", &mut self.is_version_1)?;
        let is_short = bool::from(self.is_version_1);
        if is_short {
            t.fields(&mut self.version_1)?;
        } else {
            t.fields(&mut self.version_2)?;
        }
        if self.version_1 != Version1::default() || self.version_2 != Version2::default() {
            let (found, expected) = ("another".to_owned(), "version 1 or 2".to_owned());
            return Err(t.error_in("version", Fault::Unknown { found, expected }));
        }
        let has_ended = Cell::new(false);
        let mut packer = Packer::QuickDraw;
        t.list_while(
            "opcodes",
            |_| !has_ended.get(),
            &mut self.opcodes,
            |t, instruction| {
                if has_ended.get() {
                    let (found, expected) = ("more".to_owned(), "nothing behind END".to_owned());
                    return Err(t.error(Fault::Unknown { found, expected }));
                }
                instruction.lay(t, start, is_short, packer)?;
                has_ended.set(instruction.opcode == Opcode::END);
                if instruction.body.has_resolution() {
                    packer = Packer::Pieces;
                }
                Ok(())
            },
        )?;
        if has_ended.get() {
            return Ok(());
        }
        Err(t.error_in("opcodes", Fault::Unknown { found: "none".to_owned(), expected: "END at the end".to_owned() }))
    }

    /// Whether some bytes begin like a picture.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.get(10..).is_some_and(|rest| rest.starts_with(&[0, 0x11, 2, 0xFF]) || rest.starts_with(&[0x11, 1]))
    }
}

impl Instruction {
    /// Lays it; `packer` is the one that pictures with such a header come from.
    fn lay(&mut self, t: &mut Tape<'_>, start: u64, is_short: bool, packer: Packer) -> Result {
        if is_short {
            let mut short = U8::new(u8::try_from(self.opcode.get()).unwrap_or_default());
            if !t.building() && self.opcode.get() > 0xFF {
                let value = self.opcode.get().into();
                return Err(t.error_in("opcode", Fault::TooLarge { value, field: "u8" }));
            }
            t.value("opcode", &mut short)?;
            self.opcode = Opcode::new(short.get().into());
        } else {
            t.value("opcode", &mut self.opcode)?;
        }
        self.body.lay(t, self.opcode, packer)?;
        if is_short { Ok(()) } else { t.pad("pad", start, 2, &mut self.pad) }
    }
}
