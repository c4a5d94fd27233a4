//! What is said of an install as a whole: is the copy good, is it complete, which edition is it, what differs, and what is proven.

mod copy;
mod inventory;
mod row;
mod sentence;

pub use copy::{Certificate, Checked, Missing, Unfound};
pub use inventory::{Facts, Inventory};
pub use sentence::Verdict;
