//! Tests of crates below this one that need the table of all kinds.

mod entries;
mod forms;
mod rates;
mod shifted;
