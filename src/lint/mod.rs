//! Warnings: values that a file can hold and that a game does not handle as an editor might expect.
//!
//! Formats declare their traps and report them from their models, by [`Lint`]. [`warnings`] collects what a model reports.

mod encoding;
mod macros;
mod report;
mod trap;
mod warning;
mod watch;

pub use encoding::reencoded;
pub(crate) use encoding::{TRAPS as ENCODINGS, of_text};
pub(crate) use macros::{lint_as, no_traps, traps};
pub use report::{Entries, Lint, Warnings, Watch};
pub use trap::{Scope, Trap};
pub(crate) use warning::Counted;
pub use warning::{Warning, warnings};
pub(crate) use watch::TRAPS as ADDRESSES;
#[cfg_attr(not(feature = "exchange"), allow(unused_imports, reason = "only the exchange format compares models"))]
pub(crate) use {
    report::IsSame,
    warning::{counted, listed_more},
    watch::{Addresses, changed},
};
