//! Verification of files: `verify` recognizes, decodes and re-encodes them, hashes both versions and compares them.

mod candidate;
pub mod jobs;
mod known;
mod lint;
mod options;
mod report;
#[cfg(feature = "serde")]
mod row;
#[cfg(feature = "serde")]
mod summary;

pub use candidate::{Candidate, Unhashed, verify, verify_with};
pub(crate) use known::most_named;
pub use known::{KnownFile, KnownFiles, pristine};
pub use lint::{Linted, lint};
pub use options::VerifyOptions;
pub use report::{Entry, Failure, Report, Status};
#[cfg(feature = "serde")]
pub use row::{EntryRow, ErrorRow, Games, Row, RowDamage, RowDeviation, RowUndecoded, SCHEMA, UndecodedRow};
#[cfg(feature = "serde")]
pub use summary::{Counted, Sort, Sum, Summary, SummaryRow, Tally};
