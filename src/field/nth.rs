//! Positions among several things, optional because they are seldom needed.

use bytemuck::{Pod, Zeroable};

use super::layout::{Class, Shape, Shaped};
use super::number::U32be;

/// A position among several things, counted from 0, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub struct Nth([u8; 4]);

impl Nth {
    /// Creates a position.
    #[must_use]
    pub fn new(nth: usize) -> Self {
        Self(u32::try_from(nth).unwrap_or(u32::MAX).to_be_bytes())
    }

    /// Returns the position, or `None` if it is not specified.
    #[must_use]
    pub fn get(self) -> Option<usize> {
        let nth = u32::from_be_bytes(self.0);
        usize::try_from(nth).ok().filter(|_| self != Self::default())
    }
}

impl Default for Nth {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl Shaped for Nth {
    const SHAPE: Shape = U32be::SHAPE;
    const CLASS: Class = U32be::CLASS;
}
