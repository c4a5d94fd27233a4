//! Color tables. Source: `marathon-images.md`, section 4.

use field::{Block, Fault, Result, Run, U16be, U32be, as_read, lay, wide};
use field::{flags, record};

record! {
    /// A color, 8 bytes. Source: `marathon-images.md`, section 4.
    pub struct Color: 8 {
        value: U16be,
        red: U16be,
        green: U16be,
        blue: U16be,
    }
}

flags! {
    /// The type of a color table. Source: `marathon-enums.md`, Pictures.
    pub struct ColorTableFlags(U16be: u16) {
        /// The table of a device: the position of a color is its value.
        DEVICE = 0x8000;
    }
}

record! {
    /// The header of a color table, 8 bytes. Source: `marathon-images.md`, section 4.
    pub struct ColorTableHeader: 8 {
        seed: U32be,
        flags: ColorTableFlags,
        /// One less than the number of colors; 65535 for none.
        last_color: U16be as Outside,
    }
}

/// Colors with their header, in a picture or a `clut`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColorTable {
    /// Seed, flags, number of colors.
    pub head: ColorTableHeader,
    /// The colors.
    pub colors: Block<Color>,
}

/// A resource `clut`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Colors {
    /// The table.
    pub table: ColorTable,
    /// Bytes after the table.
    pub trailing: Block,
}

lay! {
    /// Lays out the table as members of the enclosing object.
    impl Lay for ColorTable {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let count = wide(self.colors.len());
            if count > 65535 {
                return Err(t.error_in("colors", Fault::TooLarge { value: count, field: "u16" }));
            }
            t.computed("last_color", at!(self.head.last_color), count.checked_sub(1).unwrap_or(65535))?;
            t.fields(at!(self.head))?;
            let told = self.head.last_color.get().wrapping_add(1);
            t.block("colors", as_read(told.into()), at!(self.colors))
        }
    }

    impl Lay for Colors {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            self.table.lay(t)?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}

impl Color {
    /// Returns the color with 8 bits per channel.
    #[must_use]
    pub fn rgb(&self) -> [u8; 3] {
        [self.red, self.green, self.blue].map(|channel| channel.get().to_be_bytes()[0])
    }
}
