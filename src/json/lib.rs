//! JSON as the exchange format uses it: the text of values and documents, and models loaded from it.
//!
//! Types of fields know no JSON: they put their values into a [`Sink`](field::Sink) and are set from a [`Source`](field::Source).
//! [`Flat`] and [`Lines`] are sinks that write text, a [`Token`] is a source in text.
//!
//! A [`JsonText`] is an index of a document. [`load_text`] builds a model from it, as a driver of the tape on which formats lay out
//! their models, and leaves a [`Recomputation`] of the values that depend on others.

// The macros of `field` refer to their crate by the name of the one that users depend on.
#[cfg(test)]
extern crate field as bitexact;

mod compact;
mod describe;
mod documents;
mod flat;
mod keys;
mod lines;
mod loader;
mod nesting;
mod number;
mod opened;
mod order;
mod parse;
mod print;
mod read;
mod recomputation;
pub mod recompute;
mod scan;
pub mod serde;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod values;

pub use compact::Compact;
pub use describe::Describe;
pub use documents::{Content, Document, DocumentError, Documents, Files, Import, LAYOUT, Media, NoFiles};
pub use flat::Flat;
pub use lines::{Lines, is_plain, put_json};
pub use loader::{Given, Loader, load, load_text};
pub use order::{by_name, field_names, reorder};
pub use parse::{parse, unmarked, utf8};
pub use print::{put_encoded, put_float, put_hex, put_name, put_text, put_whole};
pub use read::{Parsed, object};
pub use recomputation::{Kept, Recomputation, Reference, ReplacedValue};
pub use scan::Token;
pub use text::{Joined, JsonText, Member, Sources};
pub use tokens::At;
pub use values::Loading;
