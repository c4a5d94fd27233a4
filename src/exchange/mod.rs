//! The exchange form: a file as a folder of JSON for people, and back.
//!
//! `bitexact.json` says what the file is and holds what the model holds; an entry is a file of its own, in the folder that
//! has its container's name. What follows from the rest is not there: counts, offsets, constants, values that a rule gives.
//! Sounds and other things that programs know are there as themselves.

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
pub(crate) mod sequence;
mod show;
#[cfg(feature = "exchange")]
mod text;
#[cfg(feature = "exchange")]
mod whole;

pub use document::HEAD;
pub use show::show;

pub use crate::field::{parse, unmarked};

#[cfg(feature = "exchange")]
pub use {
    folder::{Written, read, recover, write},
    form::Form,
    print::{Contents, contents, documents},
    text::print,
    whole::{About, Lost, Packed, SCHEMA, through},
};
