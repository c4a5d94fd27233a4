//! Attacks on every format, and the laws that every attempt must satisfy.
//!
//! The targets are implemented once, here. Their choices come from a source of numbers: a seeded generator on stable Rust (the program
//! `fuzz-smoke`, the tests of this crate), or the bytes of a fuzzer in `tools/fuzz`. See `tools/fuzz/README.md` for running them.

// The laws are those of the test harness: one file, two programs.
#[path = "../../../roundtrip-tests/laws/edits.rs"]
mod edits;
#[path = "../../../roundtrip-tests/harness/mod.rs"]
mod harness;

mod anatomy;
mod draw;
mod drawings;
mod finding;
mod form;
mod journals;
mod mutate;
mod places;
mod prove;
mod round;
mod seed;
mod target;
mod texts;

pub use draw::{Draw, of_bytes, of_random};
pub use drawings::drawings;
pub use finding::{Finding, What, minimised};
pub use form::form;
pub use journals::journals;
pub use prove::{Proven, prove, quiet_panics};
pub use round::{Round, Target, Tried};
pub use seed::{Seed, Seeds};
pub use target::{any, edited, forged};
pub use texts::texts;
