//! What `verify` costs, measured beside what it cannot cost less than: reading the file and hashing its bytes twice.
//!
//! Machines differ and are never quiet, so every figure of time is a ratio of two jobs done one after the other, many
//! times over, and the median of those ratios. `README.md` beside this crate says how to run it.

mod job;
mod pair;
mod subject;
mod table;

pub use job::{hash_twice, verify};
pub use pair::{Paired, Spread, compare};
pub use subject::{Subject, Subjects};
pub use table::{footing, heading, row};

/// `verify` should take at most so many times as long as reading the file and hashing it twice.
pub const RATIO: f64 = 1.25;

/// The peak of memory of one `verify` should be at most this, and [`PEAK_FACTOR`] times the file on top.
pub const PEAK_BASE: u64 = 64 << 20;

/// See [`PEAK_BASE`].
pub const PEAK_FACTOR: u64 = 3;

/// The word for a goal in tables.
#[must_use]
pub fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "**missed**" }
}
