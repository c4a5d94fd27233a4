//! Warnings: values that a file can hold and that a game does not handle as an editor might expect.
//!
//! Formats declare their traps and report them from their models, by [`Lint`]. [`warnings`] collects what a model reports.

mod encoding;
mod macros;
mod report;
mod trap;
mod warning;
mod watch;

pub use encoding::{TRAPS as ENCODINGS, of_text, reencoded};
pub use report::{Entries, Lint, Warnings, Watch, each};
pub use trap::{Scope, Trap};
pub use warning::{Counted, Warning, signs, warnings};
pub use watch::TRAPS as ADDRESSES;
pub use {
    report::IsSame,
    warning::{counted, listed_more},
    watch::{Addresses, changed},
};
