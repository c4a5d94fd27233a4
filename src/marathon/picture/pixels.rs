//! Copied pixels. Source: `marathon-images.md`, section 5.

use field::{Block, Fault, I16be, Result, Run, Step, U16be, U32be, lay, wide};
use field::{names, record};

use super::packbits::{Packer, Packing, census};
use super::{Opcode, Rectangle, Region};
use crate::numbers::UnsignedFixed;
use crate::resources::ColorTable;
use field::packed;
use field::packed::{Part, Word};

record! {
    /// The address before pixels with direct colors, 4 bytes. Source: `marathon-images.md`, section 5.
    pub struct BaseAddress: 4 {
        base_address: U32be as Pointer,
    }
}

packed! {
    /// Bytes per row, and whether there is a [`PixMap`]: in JSON `PIXEL_MAP | LENGTH=640`. Source: `marathon-enums.md`, Pictures.
    pub struct RowBytes(U16be: u16) = Word {
        has_none: false,
        is_little: false,
        parts: &const {
            [Part::number("PIXEL_MAP", 0x8000), Part::number("RESERVED", 0x4000), Part::number("LENGTH", 0x3FFF)]
        },
    }
}

names! {
    /// The packing of pixels. Source: `marathon-enums.md`, Pictures.
    pub struct PackType(U16be: u16) {
        /// The usual packing for the size of pixels.
        DEFAULT = 0;
        /// Not packed.
        NONE = 1;
        /// Without the unused byte of every pixel.
        PAD_BYTE_REMOVED = 2;
        /// Runs of pixels of 16 bits.
        RUN_LENGTH_BY_PIXEL = 3;
        /// Runs of bytes, channel by channel.
        RUN_LENGTH_BY_COMPONENT = 4;
    }
}

names! {
    /// The meaning of pixels. Source: `marathon-enums.md`, Pictures.
    pub struct PixelType(U16be: u16) {
        /// Indices of colors.
        INDEXED = 0;
        /// Colors.
        DIRECT = 16;
    }
}

record! {
    /// Properties of all copied pixels, 10 bytes. Source: `marathon-images.md`, section 5.
    pub struct BitMap: 10 {
        row_bytes: RowBytes,
        bounds: Rectangle,
    }
}

record! {
    /// Properties of pixels of more than one bit, 36 bytes. Source: `marathon-images.md`, section 5.
    pub struct PixMap: 36 {
        map_version: U16be = 0,
        pack_type: PackType,
        pack_size: U32be = 0,
        /// Pixels per inch, like the next.
        horizontal_resolution: UnsignedFixed,
        vertical_resolution: UnsignedFixed,
        pixel_type: PixelType,
        /// In bits.
        pixel_size: U16be,
        component_count: U16be,
        component_size: U16be,
        plane_bytes: U32be = 0,
        color_table: U32be as Pointer,
        map_reserved: U32be = 0,
    }
}

record! {
    /// Source, destination and mode of a copy, 18 bytes. Source: `marathon-images.md`, section 5.
    pub struct Transfer: 18 {
        source: Rectangle,
        destination: Rectangle,
        mode: I16be,
    }
}

/// Rows of pixels.
#[derive(Clone, Debug, PartialEq)]
pub enum Pixels {
    /// Unpacked.
    Plain(Block),
    /// Packed.
    Packed(Block),
}

impl Default for Pixels {
    fn default() -> Self {
        Self::Plain(Block::default())
    }
}

/// Storage of rows of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) count: u64,
    /// Bytes of an unpacked row.
    pub(super) length: u64,
    /// The packing, if the rows are packed.
    pub(super) packing: Option<Packing>,
}

/// Copied pixels.
#[derive(Clone, Debug, Default)]
pub struct Copy {
    /// The address before pixels with direct colors.
    pub base: BaseAddress,
    /// Size.
    pub map: BitMap,
    /// The pixel format, if pixels take more than one bit.
    pub pixel_map: PixMap,
    /// The colors, if pixels are indices.
    pub colors: ColorTable,
    /// Source, destination and mode.
    pub transfer: Transfer,
    /// The region to copy.
    pub mask: Region,
    /// The pixels.
    pub pixels: Pixels,
}

/// The bits of `row_bytes` that hold the length of a row.
const LENGTH: u16 = 0x3FFF;

impl Copy {
    /// Returns `true` if there is a [`PixMap`].
    #[must_use]
    pub fn has_pixel_map(&self) -> bool {
        self.map.row_bytes.get() & 0x8000 != 0
    }

    /// Returns the bytes per row.
    #[must_use]
    pub fn row_bytes(&self) -> u16 {
        self.map.row_bytes.get() & LENGTH
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> i32 {
        i32::from(self.map.bounds.bottom.get()) - i32::from(self.map.bounds.top.get())
    }

    /// Returns the number of visible pixels per row.
    #[must_use]
    pub fn width(&self) -> i32 {
        i32::from(self.map.bounds.right.get()) - i32::from(self.map.bounds.left.get())
    }

    /// Returns the storage of the rows.
    pub(super) fn rows(&self, opcode: Opcode) -> core::result::Result<Rows, (&'static str, Fault)> {
        let outside = |found: i32, expected: &str| Fault::Outside { found: found.into(), expected: expected.into() };
        let count = u64::try_from(self.height());
        let count = count.map_err(|_| ("bounds", outside(self.height(), "a bottom edge below the top one")))?;
        let is_direct = is_direct(opcode);
        let row_bytes = u64::from(self.row_bytes());
        let (pack_type, bits) = match self.has_pixel_map() {
            true => (self.pixel_map.pack_type, self.pixel_map.pixel_size.get()),
            false => (PackType::DEFAULT, 1),
        };
        let length = if is_direct && bits == 32 && pack_type != PackType::NONE {
            let width = u64::try_from(self.width());
            let width = width.map_err(|_| ("bounds", outside(self.width(), "a right edge after the left one")))?;
            width * u64::from(self.pixel_map.component_count.get())
        } else {
            row_bytes
        };
        if matches!(opcode, Opcode::COPY | Opcode::COPY_REGION)
            || row_bytes < 8
            || (is_direct && pack_type == PackType::NONE)
        {
            return Ok(Rows { count, length: row_bytes, packing: None });
        }
        if is_direct && pack_type == PackType::PAD_BYTE_REMOVED {
            let fault = Fault::Unknown { found: "2".to_owned(), expected: "0, 1, 3 or 4".to_owned() };
            return Err(("pack_type", fault));
        }
        let packing = Packing { is_long: row_bytes > 250, is_wide: is_direct && bits == 16 };
        Ok(Rows { count, length, packing: Some(packing) })
    }

    /// Returns the unpacked rows of bytes.
    #[must_use]
    pub fn unpacked(&self, opcode: Opcode) -> Vec<Vec<u8>> {
        match (&self.pixels, self.rows(opcode)) {
            (Pixels::Packed(packed), Ok(Rows { packing: Some(packing), .. })) => packing.rows(packed),
            (Pixels::Plain(pixels), Ok(Rows { length, .. })) => {
                let length = usize::try_from(length).unwrap_or(0).max(1);
                pixels.chunks(length).map(<[u8]>::to_vec).collect()
            }
            _ => Vec::new(),
        }
    }
}

lay! {
    /// Lays out the copied pixels of an opcode; `packer` is the one that usually writes pictures with this header.
    impl LayBy<(Opcode, Packer)> for Copy {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (opcode, packer): (Opcode, Packer)) -> Result {
            if is_direct(opcode) {
                t.fields(at!(self.base))?;
            }
            t.fields(at!(self.map))?;
            if self.has_pixel_map() {
                t.fields(at!(self.pixel_map))?;
                if !is_direct(opcode) {
                    t.group("color_table_data", |t| self.colors.lay(t))?;
                }
            }
            t.fields(at!(self.transfer))?;
            if matches!(opcode.get(), 0x91 | 0x99 | 0x9B) {
                t.group("mask", |t| self.mask.lay(t))?;
            }
            let rows = self.rows(opcode).map_err(|(field, fault)| t.error_in(field, fault))?;
            self.pixels.lay_by(t, (rows, packer))
        }
    }

    impl LayBy<(Rows, Packer)> for Pixels {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (rows, packer): (Rows, Packer)) -> Result {
            let Rows { count, length, packing } = rows;
            t.choose(at!(*self), |_| {
                let none = Block::default();
                if packing.is_some() { Self::Packed(none) } else { Self::Plain(none) }
            });
            let (packed, packing) = match (self, packing) {
                (Self::Plain(pixels), _) => {
                    return t.run("pixels", Run::Pixels, count.saturating_mul(length), pixels);
                }
                (Self::Packed(packed), Some(packing)) => (packed, packing),
                (Self::Packed(packed), None) => {
                    let found = wide(packed.len());
                    return Err(t.error_in("pixels", Fault::Count { expected: count.saturating_mul(length), found }));
                }
            };
            let known = at!(census(packing, packed.len(), count));
            t.coded_checked(Some("pixels"), packing.codec(packer), known, packed, |bytes| {
                let wrong = |(at, row, fault)| (at, vec![Step::Name("rows"), Step::Index(row)], fault);
                packing.extent(bytes, count, length).map(|length| census(packing, length, count)).map_err(wrong)
            })
        }
    }
}

/// Returns `true` if pixels are direct colors.
pub(super) fn is_direct(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::DIRECT_COPY | Opcode::DIRECT_COPY_REGION)
}
