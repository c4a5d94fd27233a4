//! Tests of the whole project, over files and via the program. The laws, which have their own harness, and the tests that count
//! allocations are separate programs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::as_conversions,
    reason = "a test tells its failure by a panic"
)]

mod aurora;
mod bounds;
mod ceilings;
mod command_line;
mod containers;
mod corpora;
mod documents;
mod edits;
mod examples;
mod extents;
mod guide;
mod harness;
mod hostile;
mod ineffective_edits;
mod large;
mod lint;
mod lint_rules;
mod marathon;
mod marathon_edits;
mod marathon_whole;
mod media;
mod messages;
mod modder;
mod neverwinter;
mod odd_values;
mod outlines;
mod page;
mod parts;
#[path = "harness/programs.rs"]
mod programs;
mod python;
mod recognized;
mod recognizers;
mod references;
mod report;
mod retail;
mod scenes;
mod schema;
mod seeds;
mod snapshot;
mod specs;
mod textures;
mod thresholds;
mod unhashed;
mod wild;
mod words;
