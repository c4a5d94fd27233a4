//! Regions. Source: `marathon-images.md`, section 5.

use crate::field::{Block, I16be, Result, Tape, U16be, wide};
use crate::record;

use super::Rectangle;

record! {
    /// The head of a region, 10 bytes. Source: `marathon-images.md`, section 5.
    pub struct RegionHead: 10 {
        /// With these bytes.
        region_size: U16be as Outside,
        bounds: Rectangle,
    }
}

/// A region: a rectangle, or in it what lies between lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Size and bounds.
    pub head: RegionHead,
    /// Where the lines change.
    pub lines: Block<I16be>,
    /// A byte more, where the size is odd.
    pub odd: Block,
}

impl Region {
    pub(super) fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let length = wide(self.lines.len()).saturating_mul(2).saturating_add(wide(self.odd.len())).saturating_add(10);
        t.fill("region_size", &mut self.head.region_size, length)?;
        t.fields(&mut self.head)?;
        let told = u64::from(self.head.region_size.get());
        if t.reading() && told < 10 {
            let expected = "at least 10".to_owned();
            return Err(t.error_in("region_size", crate::field::Fault::Outside { found: told.into(), expected }));
        }
        let more = told.saturating_sub(10);
        let lines = if t.reading() { more / 2 } else { wide(self.lines.len()) };
        if lines > 0 || t.is_given("lines") {
            t.block("lines", lines, &mut self.lines)?;
        }
        let odd = if t.reading() { more % 2 } else { wide(self.odd.len()) };
        t.run("odd", crate::field::Run::Surplus, odd, &mut self.odd)
    }
}
