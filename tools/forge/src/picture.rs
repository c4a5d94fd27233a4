//! Pictures (PICT). Source: marathon-images.md, section 5.

mod pack;
mod samples;

use crate::bytes::Bytes;
pub use pack::{pieces, quickdraw};
pub(crate) use samples::indexed;
pub use samples::{broken, colors, ordinary, samples};

/// A picture.
#[derive(Clone, Debug)]
pub struct Spec {
    /// `None`: the low 16 bits of the length.
    pub size: Option<u16>,
    /// Top, left, bottom, right.
    pub frame: [i16; 4],
    /// `true` for version 1, with opcodes of one byte.
    pub version_1: bool,
    /// All except for the end.
    pub opcodes: Vec<(u16, Vec<u8>)>,
    /// The padding of data of odd length: 0.
    pub padding: u8,
    /// `true` if the end is present.
    pub ends: bool,
    /// Bytes after the end.
    pub trailing: Vec<u8>,
}

impl Spec {
    /// Creates a picture of this size with computed values.
    pub fn new(width: i16, height: i16, opcodes: Vec<(u16, Vec<u8>)>) -> Self {
        let frame = [0, 0, height, width];
        Self { size: None, frame, version_1: false, opcodes, padding: 0, ends: true, trailing: vec![] }
    }
}

/// Writes the picture.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    out.be_u16(0);
    spec.frame.iter().for_each(|side| _ = out.be_i16(*side));
    out.raw(if spec.version_1 { &[0x11, 1] } else { &[0, 0x11, 2, 0xFF] });
    let end = spec.ends.then(|| (0xFF, vec![]));
    for (opcode, data) in spec.opcodes.iter().chain(&end) {
        if spec.version_1 {
            out.u8(*opcode as u8).raw(data);
        } else {
            out.be_u16(*opcode).raw(data).pad(2, spec.padding);
        }
    }
    let size = spec.size.unwrap_or(out.len() as u16);
    out.patch(0, &size.to_be_bytes()).raw(&spec.trailing);
    out.finish()
}

/// Returns the data of a header as written by native QuickDraw.
pub fn native(width: i16, height: i16) -> (u16, Vec<u8>) {
    let mut out = Bytes::new();
    out.be_i32(-1).be_i32(0).be_i32(0).be_i32(i32::from(width) << 16).be_i32(i32::from(height) << 16).be_u32(0);
    (0x0C00, out.finish())
}

/// Returns the data of a header with resolutions.
pub fn extended(width: i16, height: i16) -> (u16, Vec<u8>) {
    let mut out = Bytes::new();
    out.be_u16(0xFFFE).be_u16(0).be_u32(72 << 16).be_u32(72 << 16);
    [0, 0, height, width].iter().for_each(|side| _ = out.be_i16(*side));
    out.be_u32(0);
    (0x0C00, out.finish())
}

/// Returns a rectangular clip region.
pub fn clip(width: i16, height: i16) -> (u16, Vec<u8>) {
    (0x0001, region(width, height, &[]))
}

/// Returns a region, with lines or without.
pub fn region(width: i16, height: i16, lines: &[i16]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.be_u16(10 + 2 * lines.len() as u16);
    [0, 0, height, width].iter().chain(lines).for_each(|side| _ = out.be_i16(*side));
    out.finish()
}

/// Pixels to copy. Source: marathon-images.md, section 5.
#[derive(Clone, Debug)]
pub struct Pixels {
    /// 0x90, 0x91, 0x98 to 0x9B.
    pub opcode: u16,
    /// `true` if pixels have more than one bit.
    pub pixel_map: bool,
    /// In pixels.
    pub size: [i16; 2],
    /// Bytes per row.
    pub row_bytes: u16,
    /// 0; 3 or 4 for direct colors.
    pub pack_type: u16,
    /// In bits.
    pub pixel_size: u16,
    /// 1; 3 or 4 for direct colors.
    pub components: u16,
    /// Stale.
    pub color_table: u32,
    /// The colors that indices refer to.
    pub colors: Vec<[u16; 4]>,
    /// The region of 0x91, 0x99, 0x9B.
    pub mask: Vec<u8>,
    /// Rows of bytes.
    pub rows: Vec<Vec<u8>>,
    /// The packing of the rows.
    pub packing: Packing,
}

/// The packing of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Packer A.
    Pieces,
    /// Packer B, with units of this many bytes.
    QuickDraw(usize),
    /// Like no known packer: byte by byte.
    Odd,
    /// Unpacked.
    None,
}

impl Pixels {
    /// Creates pixels with 8-bit indices.
    pub fn indexed(size: [i16; 2], row_bytes: u16, colors: Vec<[u16; 4]>, rows: Vec<Vec<u8>>) -> Self {
        Self {
            opcode: 0x98,
            pixel_map: true,
            size,
            row_bytes,
            pack_type: 0,
            pixel_size: 8,
            components: 1,
            color_table: 0,
            colors,
            mask: vec![],
            rows,
            packing: Packing::Pieces,
        }
    }

    /// Returns the opcode and its data.
    pub fn write(&self) -> (u16, Vec<u8>) {
        let direct = matches!(self.opcode, 0x9A | 0x9B);
        let mut out = Bytes::new();
        if direct {
            out.be_u32(0xFF);
        }
        let [width, height] = self.size;
        let rectangle = [0, 0, height, width];
        out.be_u16(self.row_bytes | if self.pixel_map { 0x8000 } else { 0 });
        rectangle.iter().for_each(|side| _ = out.be_i16(*side));
        if self.pixel_map {
            out.be_u16(0).be_u16(self.pack_type).be_u32(0).be_u32(72 << 16).be_u32(72 << 16);
            out.be_u16(if direct { 16 } else { 0 }).be_u16(self.pixel_size).be_u16(self.components);
            out.be_u16(if direct && self.pixel_size == 16 { 5 } else { 8 })
                .be_u32(0)
                .be_u32(self.color_table)
                .be_u32(0);
            if !direct {
                out.be_u32(0).be_u16(0x8000).be_u16((self.colors.len() as u16).wrapping_sub(1));
                self.colors.iter().flatten().for_each(|word| _ = out.be_u16(*word));
            }
        }
        rectangle.iter().chain(&rectangle).for_each(|side| _ = out.be_i16(*side));
        out.be_u16(0).raw(&self.mask);
        self.write_rows(&mut out);
        (self.opcode, out.finish())
    }

    fn write_rows(&self, out: &mut Bytes) {
        for (nth, row) in self.rows.iter().enumerate() {
            let next = self.rows.get(nth + 1).map(Vec::as_slice).unwrap_or_default();
            let packed = match self.packing {
                Packing::None => {
                    out.raw(row);
                    continue;
                }
                Packing::Pieces => pieces(row),
                Packing::QuickDraw(unit) => quickdraw(row, next, unit),
                Packing::Odd => row.iter().flat_map(|byte| [0, *byte]).collect(),
            };
            if self.row_bytes > 250 {
                out.be_u16(packed.len() as u16);
            } else {
                out.u8(packed.len() as u8);
            }
            out.raw(&packed);
        }
    }
}
