//! Mods for an install: made from an edited copy, applied together, and undone bit for bit.
//!
//! A [mod file](ModFile) holds the changes of every file by place, with their old values. [`Game`] applies several mods as one
//! transaction: [`Game::plan`] checks every old value and every conflict, and proves every changed file, before anything is written.
//! What `pack`, `patch` and `import` write in a game is a transaction of the same code, an edit that can be undone like a mod. A journal
//! beside the game, in the folder [`JOURNAL`](crate::install::JOURNAL), holds the originals. If the process is killed, the next call
//! finishes the transaction.

mod about;
mod apply;
mod conflicts;
mod contents;
mod date;
mod disk;
mod edits;
#[cfg(test)]
mod faults;
mod file;
mod follow;
mod game;
mod journal;
mod keys;
mod make;
mod merge;
#[cfg(test)]
#[allow(
    clippy::as_conversions,
    clippy::string_slice,
    reason = "a test whose numbers are small and whose paths are ASCII"
)]
mod model;
mod origin;
mod package;
mod packed;
mod path;
mod plan;
mod refusal;
mod remote;
mod renumber;
mod state;
#[cfg(test)]
mod tests;
mod transaction;

use refusal::{READ_ONLY, Reason, at, placed, read_only, refusal};

pub use about::{About, Origin};
pub use edits::{Replacement, interrupted, write};
pub use file::{FileEdit, ModFile, SCHEMA};
pub use game::{Game, Named};
pub use journal::Recovered;
pub use make::{Made, make, make_of};
pub use merge::{Conflict, Favor, Merge, Merged, merge};
pub use package::{CHANGES, Picture};
pub use packed::Packed;
pub use plan::{Plan, Written};
pub use refusal::{Refusal, Result};
pub use remote::{Operation, Remote};
pub use renumber::Renumbered;
pub use state::Applied;
