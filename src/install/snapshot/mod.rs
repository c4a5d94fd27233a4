//! Snapshots: record the state of an install, and find later changes.
//!
//! A snapshot is text with one JSON object per line: a [`Row`](crate::verify::Row) for each file in the order of the install, then a summary, which
//! proves that it is complete. It does not depend on the clock, or on the location of the install.

mod compare;
mod moves;
mod sums;
mod text;

pub use compare::{Aspect, Change, Difference, Finding};
pub use moves::{Level, Moves};
pub use sums::line as sums_line;
pub use text::{BadLine, Snapshot, path_below, print};
pub(super) use text::{TEXTS, charge};
