//! Which one of several, as a fact that is mostly not needed.

use bytemuck::{Pod, Zeroable};

use crate::field::{Class, Shape, Shaped, U32be};

/// Which one of several, from 0; nothing where it goes without saying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub struct Nth([u8; 4]);

impl Nth {
    /// This one.
    #[must_use]
    pub fn new(nth: usize) -> Self {
        Self(u32::try_from(nth).unwrap_or(u32::MAX).to_be_bytes())
    }

    /// Which one, where it is said.
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
