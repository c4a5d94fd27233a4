//! Opcodes and their data. Source: `marathon-images.md`, section 5.
//!
//! Of most opcodes no more is known here than how long their data are; the lengths that the document does not have are those
//! of Inside Macintosh: Imaging With QuickDraw, appendix A.

use crate::field::{Block, Fault, I32be, Result, Run, U8, U16be, U32be, lay, wide};
use crate::{names, record};

use super::pixels::Copy;
use super::{Packer, Rectangle, Region};

names! {
    /// What is done. Source: `marathon-images.md`, section 5.
    pub struct Opcode(U16be: u16) {
        /// Nothing.
        NOTHING = 0x0000;
        /// Clips what follows.
        CLIP = 0x0001;
        /// Copies pixels.
        COPY = 0x0090;
        /// Copies pixels within a region.
        COPY_REGION = 0x0091;
        /// Copies packed pixels.
        PACKED_COPY = 0x0098;
        /// Copies packed pixels within a region.
        PACKED_COPY_REGION = 0x0099;
        /// Copies packed pixels that are colors.
        DIRECT_COPY = 0x009A;
        /// Copies packed pixels that are colors within a region.
        DIRECT_COPY_REGION = 0x009B;
        /// A remark.
        SHORT_COMMENT = 0x00A0;
        /// A remark with data.
        LONG_COMMENT = 0x00A1;
        /// The end of the picture.
        END = 0x00FF;
        /// What the whole picture is.
        HEADER = 0x0C00;
        /// A picture that QuickTime has compressed.
        QUICKTIME = 0x8200;
    }
}

names! {
    /// Which of two headers it is. Source: `marathon-images.md`, section 5.
    pub struct HeaderForm(U16be: u16) {
        /// With resolutions.
        EXTENDED = 0xFFFE;
        /// As QuickDraw itself writes it.
        NATIVE = 0xFFFF;
    }
}

record! {
    /// The rest of a header as QuickDraw itself writes it, 22 bytes. Source: `marathon-images.md`, section 5.
    pub struct NativeHeader: 22 {
        ones: U16be = 0xFFFF,
        /// Left, top, right, bottom with 16 fractional bits.
        bounds: [I32be; 4],
        reserved: U32be = 0,
    }
}

record! {
    /// The rest of a header with resolutions, 22 bytes. Source: `marathon-images.md`, section 5.
    pub struct ExtendedHeader: 22 {
        zero: U16be = 0,
        /// Pixels an inch with 16 fractional bits, as the next.
        horizontal_resolution: I32be,
        vertical_resolution: I32be,
        source: Rectangle,
        reserved: U32be = 0,
    }
}

record! {
    /// The head of a remark with data, 4 bytes. Source: `marathon-images.md`, section 5.
    pub struct CommentHead: 4 {
        comment: U16be,
        length: U16be as Outside,
    }
}

/// The data of an opcode, apart from it: most opcodes have one byte and no data.
#[derive(Clone, Debug, Default)]
pub enum Body {
    /// None.
    #[default]
    None,
    /// `HEADER`
    Header(Box<Header>),
    /// `CLIP`
    Clip(Box<Region>),
    /// The copying ones.
    Copy(Box<Copy>),
    /// `LONG_COMMENT`
    Comment(Box<(CommentHead, Block<U8>)>),
    /// What has a size known from the opcode.
    Sized(Box<Block>),
    /// What has its length before it, in so many bytes.
    Told(Length, Box<Block>),
}

/// A header.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// Which of two.
    pub form: HeaderForm,
    /// The rest of one.
    pub native: NativeHeader,
    /// The rest of the other.
    pub extended: ExtendedHeader,
}

/// How the length of data is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// In two bytes before it.
    Short,
    /// In four bytes before it.
    Long,
    /// In two bytes that count themselves.
    Own,
}

impl Opcode {
    /// The empty data of this opcode; nothing where nobody knows how long they are.
    fn body(self) -> Option<Body> {
        Some(match self {
            Self::HEADER => Body::Header(Box::default()),
            Self::CLIP => Body::Clip(Box::default()),
            Self::LONG_COMMENT => Body::Comment(Box::default()),
            Self::QUICKTIME => Body::Told(Length::Long, Box::default()),
            _ if self.copies() => Body::Copy(Box::default()),
            Self(code) => match (code.get(), self.size()) {
                (_, Some(0)) => Body::None,
                (_, Some(_)) => Body::Sized(Box::default()),
                (0x24..=0x2F | 0x92..=0x97 | 0x9C..=0x9F | 0xA2..=0xAF, _) => Body::Told(Length::Short, Box::default()),
                (0x70..=0x77 | 0x80..=0x87, _) => Body::Told(Length::Own, Box::default()),
                (0xD0..=0xFE | 0x8100.., _) => Body::Told(Length::Long, Box::default()),
                _ => return None,
            },
        })
    }

    /// Whether it copies pixels.
    pub(super) fn copies(self) -> bool {
        matches!(self.get(), 0x90 | 0x91 | 0x98..=0x9B)
    }

    /// How long its data are, where the opcode alone says it.
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
    /// Whether it is a header with resolutions.
    pub(super) fn has_resolution(&self) -> bool {
        matches!(self, Self::Header(header) if header.form == HeaderForm::EXTENDED)
    }
}

lay! {
    /// Lays the data of an opcode; `packer` is the one that pictures with such a header come from.
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
                    t.fill("length", at!(head.length), wide(data.len()))?;
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
                Self::Told(how, data) => {
                    let found = wide(data.len());
                    let length = match how {
                        Length::Long => t.number::<U32be>("length", found)?,
                        Length::Short => t.number::<U16be>("length", found)?,
                        Length::Own => {
                            let told = t.number::<U16be>("length", found.saturating_add(2))?;
                            if t.reading() && told < 2 {
                                let expected = "at least 2".to_owned();
                                return Err(t.error_in("length", Fault::Outside { found: told.into(), expected }));
                            }
                            told.saturating_sub(2)
                        }
                    };
                    t.run("data", Run::Opaque, length, at!(**data))
                }
            }
        }
    }
}
