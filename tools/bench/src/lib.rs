//! The cost of `verify`, compared with its minimum: reading the file and hashing its bytes twice.
//!
//! Machines differ and are never idle, so every time is a ratio of two jobs that run one after another, many times over, and the median of
//! those ratios. See `README.md` of this crate for running it.

mod grown;
mod job;
mod pair;
mod retail;
mod scratch;
mod stopwatch;
mod subject;
mod table;

pub use grown::{Grown, grown};
pub use job::{hash_twice, verify, verify_through_exchange};
pub use pair::{Paired, Spread, compare};
pub use retail::{forge_hak, forge_install};
pub use scratch::{memory_folder, warning};
pub use stopwatch::{Spent, measure, published, stopwatch};
pub use subject::{Subject, Subjects, largest};
pub use table::{footing, heading, row};

/// The goal for the time of `verify` as a multiple of reading the file and hashing it twice.
pub const RATIO: f64 = 1.25;

/// Returns the word for a goal in tables.
#[must_use]
pub fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "**missed**" }
}
