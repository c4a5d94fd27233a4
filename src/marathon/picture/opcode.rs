//! Opcodes and their data. Source: `marathon-images.md`, section 5.
//!
//! For most opcodes, only the length of their data is known here. Lengths that the format spec lacks come from Inside Macintosh: Imaging
//! With QuickDraw, appendix A.

use field::{Block, Fault, Result, Run, U8, U16be, U32be, lay, wide};
use field::{names, record};

use super::super::numbers::Fixed;
use super::pixels::Copy;
use super::{Packer, Rectangle, Region};

names! {
    /// A drawing operation. Source: `marathon-images.md`, section 5.
    pub struct Opcode(U16be: u16) {
        /// No operation.
        NOTHING = 0x0000;
        /// Clips the following operations.
        CLIP = 0x0001;
        /// Copies pixels.
        COPY = 0x0090;
        /// Copies pixels within a region.
        COPY_REGION = 0x0091;
        /// Copies packed pixels.
        PACKED_COPY = 0x0098;
        /// Copies packed pixels within a region.
        PACKED_COPY_REGION = 0x0099;
        /// Copies packed pixels with direct colors.
        DIRECT_COPY = 0x009A;
        /// Copies packed pixels with direct colors within a region.
        DIRECT_COPY_REGION = 0x009B;
        /// A comment.
        SHORT_COMMENT = 0x00A0;
        /// A comment with data.
        LONG_COMMENT = 0x00A1;
        /// The end of the picture.
        END = 0x00FF;
        /// Properties of the whole picture.
        HEADER = 0x0C00;
        /// A picture compressed by QuickTime.
        QUICKTIME = 0x8200;
    }
}

names! {
    /// The type of header. Source: `marathon-images.md`, section 5.
    pub struct HeaderForm(U16be: u16) {
        /// With resolutions.
        EXTENDED = 0xFFFE;
        /// As written by QuickDraw itself.
        NATIVE = 0xFFFF;
    }
}

record! {
    /// The rest of a header written by QuickDraw itself, 22 bytes. Source: `marathon-images.md`, section 5.
    pub struct NativeHeader: 22 {
        ones: U16be = 0xFFFF,
        /// Left, top, right, bottom.
        bounds: [Fixed; 4],
        reserved: U32be = 0,
    }
}

record! {
    /// The rest of a header with resolutions, 22 bytes. Source: `marathon-images.md`, section 5.
    pub struct ExtendedHeader: 22 {
        zero: U16be = 0,
        /// Pixels per inch, like the next.
        horizontal_resolution: Fixed,
        vertical_resolution: Fixed,
        source: Rectangle,
        reserved: U32be = 0,
    }
}

record! {
    /// The header of a comment with data, 4 bytes. Source: `marathon-images.md`, section 5.
    pub struct CommentHeader: 4 {
        comment: U16be,
        length: U16be as Outside,
    }
}

/// The data of an opcode, without its number: most opcodes have one byte and no data.
#[derive(Clone, Debug, Default)]
pub enum Body {
    /// None.
    #[default]
    None,
    /// `HEADER`
    Header(Box<Header>),
    /// `CLIP`
    Clip(Box<Region>),
    /// Data of the copying opcodes.
    Copy(Box<Copy>),
    /// `LONG_COMMENT`
    Comment(Box<(CommentHeader, Block<U8>)>),
    /// Data whose size the opcode determines.
    Sized(Box<Block>),
    /// Data with their length before them, stored in this form.
    Counted(Length, Box<Block>),
}

/// A header.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// The type of header.
    pub form: HeaderForm,
    /// The rest of a native header.
    pub native: NativeHeader,
    /// The rest of an extended header.
    pub extended: ExtendedHeader,
}

/// Storage of the length of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// In two bytes before it.
    Short,
    /// In four bytes before it.
    Long,
    /// In two bytes that are included in the length.
    Own,
}

impl Opcode {
    /// Returns empty data for this opcode, or `None` if their length is unknown.
    fn body(self) -> Option<Body> {
        Some(match self {
            Self::HEADER => Body::Header(Box::default()),
            Self::CLIP => Body::Clip(Box::default()),
            Self::LONG_COMMENT => Body::Comment(Box::default()),
            Self::QUICKTIME => Body::Counted(Length::Long, Box::default()),
            _ if self.copies() => Body::Copy(Box::default()),
            Self(code) => match (code.get(), self.size()) {
                (_, Some(0)) => Body::None,
                (_, Some(_)) => Body::Sized(Box::default()),
                (0x24..=0x2F | 0x92..=0x97 | 0x9C..=0x9F | 0xA2..=0xAF, _) => {
                    Body::Counted(Length::Short, Box::default())
                }
                (0x70..=0x77 | 0x80..=0x87, _) => Body::Counted(Length::Own, Box::default()),
                (0xD0..=0xFE | 0x8100.., _) => Body::Counted(Length::Long, Box::default()),
                _ => return None,
            },
        })
    }

    /// Returns `true` if it copies pixels.
    pub(super) fn copies(self) -> bool {
        matches!(self.get(), 0x90 | 0x91 | 0x98..=0x9B)
    }

    /// Returns the length of the data, or `None` if the opcode alone does not determine it.
    fn size(self) -> Option<u64> {
        Some(match self.get() {
            0x00 | 0x17..=0x19 | 0x1C | 0x1E | 0x38..=0x3F | 0x48..=0x4F | 0x58..=0x5F => 0,
            0x78..=0x7F | 0x88..=0x8F | 0xB0..=0xCF | 0xFF | 0x8000..=0x80FF => 0,
            0x04 | 0x11 => 1,
            0x03 | 0x05 | 0x08 | 0x0D | 0x15 | 0x16 | 0x23 | 0xA0 => 2,
            0x06 | 0x07 | 0x0B | 0x0C | 0x0E | 0x0F | 0x21 | 0x68..=0x6F => 4,
            0x1A | 0x1B | 0x1D | 0x1F | 0x22 => 6,
            0x02 | 0x09 | 0x0A | 0x10 | 0x20 | 0x30..=0x37 | 0x40..=0x47 | 0x50..=0x57 => 8,
            0x60..=0x67 => 12,
            code @ 0x0100..=0x7FFF => u64::from(code >> 8) * 2,
            _ => return None,
        })
    }
}

impl Body {
    /// Returns `true` if it is a header with resolutions.
    pub(super) fn has_resolution(&self) -> bool {
        matches!(self, Self::Header(header) if header.form == HeaderForm::EXTENDED)
    }
}

lay! {
    /// Lays out the data of an opcode; `packer` is the one that usually writes pictures with this header.
    impl LayBy<(Opcode, Packer)> for Body {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (opcode, packer): (Opcode, Packer)) -> Result {
            t.build(at!(*self), |body, t| {
                *body = opcode.body().ok_or_else(|| {
                    let (found, expected) =
                        (format!("{:#06x}", opcode.get()), "an opcode whose length is known".to_owned());
                    t.error_in("opcode", Fault::Unknown { found, expected })
                })?;
                Ok(())
            })?;
            match self {
                Self::None => Ok(()),
                Self::Header(header) => {
                    let Header { form, native, extended } = at!(**header);
                    t.value("form", at!(*form))?;
                    if *form == HeaderForm::EXTENDED { t.fields(extended) } else { t.fields(native) }
                }
                Self::Clip(region) => t.group("region", |t| region.lay(t)),
                Self::Copy(copy) => copy.lay_by(t, (opcode, packer)),
                Self::Comment(comment) => {
                    let (head, data) = at!(**comment);
                    t.computed("length", at!(head.length), wide(data.len()))?;
                    t.fields(at!(*head))?;
                    let length = t.stated("length", head.length)?;
                    t.block("data", length, data)
                }
                Self::Sized(data) => {
                    let length = opcode.size().unwrap_or(0);
                    t.run("data", Run::Opaque, length, at!(**data))?;
                    match wide(data.len()) {
                        found if found != length => Err(t.error_in("data", Fault::Count { expected: length, found })),
                        _ => Ok(()),
                    }
                }
                Self::Counted(how, data) => {
                    let found = wide(data.len());
                    let length = match how {
                        Length::Long => t.number::<U32be>("length", found)?,
                        Length::Short => t.number::<U16be>("length", found)?,
                        Length::Own => {
                            let told = t.number::<U16be>("length", found + 2)?;
                            told.checked_sub(2).ok_or_else(|| {
                                let expected = "at least 2".to_owned();
                                t.error_in("length", Fault::Outside { found: told.into(), expected })
                            })?
                        }
                    };
                    t.run("data", Run::Opaque, length, at!(**data))
                }
            }
        }
    }
}
