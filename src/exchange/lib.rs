//! The exchange format: converts a file to a folder of editable JSON, and back.
//!
//! `bitexact.json` states the kind of the file and holds the model; each entry is a separate file, in the folder named after its
//! container. Computed values are omitted: counts, offsets, constants and others that follow from a rule. Sounds and other media are
//! files in common formats.

#![cfg_attr(
    not(feature = "exchange"),
    allow(dead_code, unreachable_pub, reason = "some is used only by what other features build")
)]

// The macros of `field` refer to their crate by the name of the one that users depend on.
#[cfg(test)]
extern crate field as bitexact;

pub mod document;
#[cfg(feature = "exchange")]
mod folder;
#[cfg(feature = "exchange")]
mod form;
#[cfg(feature = "exchange")]
pub mod media;
#[cfg(feature = "exchange")]
pub mod print;
#[cfg(feature = "exchange")]
mod round_trip;
#[cfg(feature = "exchange")]
mod salvage;
#[cfg(feature = "exchange")]
pub mod schema;
#[cfg(feature = "exchange")]
pub mod sequence;
mod show;
#[cfg(feature = "exchange")]
mod text;
#[cfg(feature = "exchange")]
mod whole;

#[cfg(feature = "exchange")]
pub use document::is_safe;
pub use document::{MANIFEST, fold, is_litter, litter_in};
pub use show::show;

pub use json::{parse, unmarked};

#[cfg(feature = "exchange")]
pub use {
    folder::{Fate, Inside, Listed, WRITTEN, Written, add, edited, read, recover, write},
    form::Form,
    print::{Contents, Recording, contents, documents, record},
    round_trip::{RoundTripError, repacked, through},
    salvage::{SalvagedFiles, salvaged},
    text::print,
    whole::{About, Packed, SCHEMA},
};
