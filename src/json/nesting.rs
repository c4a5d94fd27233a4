//! How deep values may be nested.

use field::limits;

/// The maximum nesting depth of values in the exchange format: a list that is as deep as a model allows, and the fields around it.
pub(super) const NESTING: usize = limits::NESTING + 64;
