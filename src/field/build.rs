//! The traits and the tape that build a model, from a file or from the exchange format.

#[doc(hidden)]
pub use crate::at_to_build as at;

pub use super::tape::read_part;
pub use super::tape::{Lay, LayBy, Tape, recast};
