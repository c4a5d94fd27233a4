//! The exchange format: converts a file to a folder of editable JSON, and back.
//!
//! `bitexact.json` states the kind of the file and holds the model; each entry is a separate file, in the folder named after its
//! container. Computed values are omitted: counts, offsets, constants and others that follow from a rule. Sounds and other media are
//! files in common formats.

pub(crate) mod document;
#[cfg(feature = "exchange")]
mod folder;
#[cfg(feature = "exchange")]
mod form;
#[cfg(feature = "exchange")]
pub(crate) mod media;
#[cfg(feature = "exchange")]
pub(crate) mod print;
#[cfg(feature = "exchange")]
mod round_trip;
#[cfg(feature = "exchange")]
mod salvage;
#[cfg(feature = "exchange")]
pub mod schema;
#[cfg(feature = "exchange")]
pub(crate) mod sequence;
mod show;
#[cfg(feature = "exchange")]
mod text;
#[cfg(feature = "exchange")]
mod whole;

#[cfg(feature = "exchange")]
pub use document::is_safe;
pub use document::{MANIFEST, fold, is_litter, litter_in};
pub use show::show;

pub use crate::json::{parse, unmarked};

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
