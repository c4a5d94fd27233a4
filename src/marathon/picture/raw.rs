//! Pictures in wads that are not QuickDraw drawings, and their colors: the chunks `pict` and `clut`.
//!
//! The engine reads them, but no known file has any.
//!
//! Source: `marathon-images.md`, section 4.

use field::record;
use field::{Block, Fault, I16be, Result, Run, U16be, lay};

record! {
    /// The header of a picture, 10 bytes. Source: `marathon-images.md`, section 4.
    pub struct RawHeader: 10 {
        top: I16be,
        left: I16be,
        height: I16be,
        width: I16be,
        /// In bits: 8 for indices, 16 for colors.
        depth: I16be,
    }
}

record! {
    /// Red, green, blue, 6 bytes. Source: `marathon-images.md`, section 4.
    pub struct Rgb: 6 {
        red: U16be,
        green: U16be,
        blue: U16be,
    }
}

record! {
    /// The colors of 8-bit pictures, 1542 bytes. Source: `marathon-images.md`, section 4.
    pub struct Palette: 1542 {
        last_color: U16be,
        unk_02: [U16be; 2],
        colors: [Rgb; 256],
    }
}

/// An unpacked picture, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawPicture {
    /// Size and depth.
    pub head: RawHeader,
    /// The pixels: bytes, or big-endian words.
    pub pixels: Block,
    /// Bytes after the pixels.
    pub trailing: Block,
}

lay! {
    impl Lay for RawPicture {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            let each = match self.head.depth.get() {
                8 => 1,
                16 => 2,
                other => {
                    let (found, expected) = (other.to_string(), "8 or 16".to_owned());
                    return Err(t.error_in("depth", Fault::Unknown { found, expected }));
                }
            };
            let width = t.stated("width", self.head.width)?;
            let length = t.stated("height", self.head.height)? * width * each;
            t.run("pixels", Run::Pixels, length, at!(self.pixels))?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}
