//! JSON as the exchange format uses it: the text of documents, and models loaded from it.
//!
//! A [`JsonText`] is an index of a document. [`load_text`] builds a model from it, as a driver of the tape on which formats lay out
//! their models, and leaves a [`Recomputation`] of the values that depend on others.

// The macros of `field` refer to their crate by the name of the one that users depend on.
#[cfg(test)]
extern crate field as bitexact;

mod documents;
mod keys;
mod loader;
mod number;
mod opened;
mod parse;
mod recomputation;
pub mod recompute;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod values;

pub use documents::{Content, Document, DocumentError, Documents, Files, Import, LAYOUT, Media, NoFiles};
pub use loader::{Given, Loader, load, load_text};
pub use parse::{parse, unmarked};
pub use recomputation::{Kept, Recomputation, Reference, ReplacedValue};
pub use text::{Joined, JsonText, Member, Sources};
pub use tokens::At;
pub use values::Loading;
