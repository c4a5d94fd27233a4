//! Regions. Source: `marathon-images.md`, section 5.

use field::record;
use field::{Block, Fault, I16be, Result, Run, U16be, as_read, lay, wide};

record! {
    /// A rectangle, 8 bytes; its last two fields are coordinates too. Source: `marathon-images.md`, section 5.
    pub struct Rectangle: 8 {
        top: I16be,
        left: I16be,
        bottom: I16be,
        right: I16be,
    }
}

record! {
    /// The header of a region, 10 bytes. Source: `marathon-images.md`, section 5.
    pub struct RegionHeader: 10 {
        /// Includes these bytes.
        region_size: U16be as Outside,
        bounds: Rectangle,
    }
}

/// A region: a rectangle, or the part of it between lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Size and bounds.
    pub head: RegionHeader,
    /// The coordinates at which the lines change.
    pub lines: Block<I16be>,
    /// One more byte if the size is odd.
    pub odd: Block,
}

lay! {
    impl Lay for Region {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let (lines, odd) = (wide(self.lines.len()), wide(self.odd.len()));
            let length = lines * 2 + odd + 10;
            t.computed("region_size", at!(self.head.region_size), length)?;
            t.fields(at!(self.head))?;
            let told = u64::from(self.head.region_size.get());
            t.refuse("region_size", told < 10, || {
                Fault::Outside { found: told.into(), expected: "at least 10".to_owned() }
            })?;
            let more = told.saturating_sub(10);
            if more >= 2 || !self.lines.is_empty() || t.exists("lines", false) {
                t.block("lines", as_read(more / 2), at!(self.lines))?;
            }
            t.run("odd", Run::Surplus, as_read(more % 2), at!(self.odd))
        }
    }
}
