//! Pictures as opcodes. Source: `marathon-images.md`, section 5.

use core::cell::Cell;

use field::record;
use field::walk::size;
use field::{Block, Fault, Pad, Result, Run, Truth, U8, U16be, lay, wide};

use super::opcode::{Body, Opcode};
use super::packbits::Packer;
use super::region::Rectangle;

record! {
    /// The header, 10 bytes. Source: `marathon-images.md`, section 5.
    pub struct Header: 10 {
        /// The low 16 bits of the size of the picture.
        size: U16be as Outside,
        frame: Rectangle,
    }
}

record! {
    /// The mark of a version 2 picture, 4 bytes. Source: `marathon-images.md`, section 5.
    pub struct Version2: 4 {
        version_opcode: U16be = 0x0011,
        version: U16be = 0x02FF,
    }
}

record! {
    /// The mark of a version 1 picture, 2 bytes. Source: `marathon-images.md`, section 5.
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
    /// In version 2, a zero after data of odd length.
    pub pad: Pad,
}

/// A picture.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Size and frame.
    pub head: Header,
    /// `true` if it is a version 1 picture.
    pub is_version_1: Truth,
    /// The version, in version 2.
    pub version_2: Version2,
    /// The version, in version 1.
    pub version_1: Version1,
    /// The drawing operations, including the final one.
    pub opcodes: Vec<Instruction>,
    /// Bytes after the end.
    pub trailing: Block,
}

lay! {
    impl Lay for Picture {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let all = t.rules(|| size(self))?;
            let rules = all.map(|all| {
                let length = all - wide(self.trailing.len());
                // The size modulo 65,536.
                let [low, high, ..] = length.to_le_bytes();
                Header { size: U16be::new(u16::from_le_bytes([low, high])), ..self.head }
            });
            let start = t.position();
            t.fields_by(at!(self.head), rules.as_ref())?;
            t.seen_fact("is_version_1", at!(self.is_version_1), |t| (t.ahead(1) == [0x11]).into())?;
            let is_short = bool::from(self.is_version_1);
            if is_short {
                t.fields(at!(self.version_1))?;
            } else {
                t.fields(at!(self.version_2))?;
            }
            if self.version_1 != Version1::default() || self.version_2 != Version2::default() {
                let (found, expected) = ("a different version".to_owned(), "version 1 or 2".to_owned());
                return Err(t.error_in("version", Fault::Unknown { found, expected }));
            }
            let has_ended = Cell::new(false);
            let mut packer = Packer::QuickDraw;
            t.list_while("opcodes", |_| !has_ended.get(), at!(self.opcodes), |t, instruction| {
                if has_ended.get() {
                    let (found, expected) = ("more bytes".to_owned(), "the end of the data after END".to_owned());
                    return Err(t.error(Fault::Unknown { found, expected }));
                }
                instruction.lay_by(t, (start, is_short, packer))?;
                has_ended.set(instruction.opcode == Opcode::END);
                if instruction.body.has_resolution() {
                    packer = Packer::Pieces;
                }
                Ok(())
            })?;
            if !has_ended.get() {
                let (found, expected) = ("none".to_owned(), "END at the end".to_owned());
                return Err(t.error_in("opcodes", Fault::Unknown { found, expected }));
            }
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    /// Lays out an instruction of a picture that begins at `start`, in version 1 if `is_short`; `packer` is the one that usually writes
    /// pictures with this header.
    impl LayBy<(u64, bool, Packer)> for Instruction {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (start, is_short, packer): (u64, bool, Packer)) -> Result {
            if !is_short {
                t.value("opcode", at!(self.opcode))?;
                self.body.lay_by(t, (self.opcode, packer))?;
                return t.pad("pad", start, 2, at!(self.pad));
            }
            let opcode = self.opcode.get();
            let fault = Fault::TooLarge { value: opcode.into(), field: "u8" };
            let mut short = U8::new(u8::try_from(opcode).map_err(|_| t.error_in("opcode", fault))?);
            t.value("opcode", at!(short))?;
            t.choose(at!(self.opcode), |_| Opcode::new(short.get().into()));
            self.body.lay_by(t, (self.opcode, packer))
        }
    }
}

impl Picture {
    /// Returns `true` if `bytes` begin like a picture.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.get(10..).is_some_and(|rest| rest.starts_with(&[0, 0x11, 2, 0xFF]) || rest.starts_with(&[0x11, 1]))
    }
}
