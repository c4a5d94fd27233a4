//! Values of any length in their own encoding, which are read and written as one block.
//!
//! Decoding and writing a list of 8-byte values one by one costs more than hashing it. So the bytes are the model, validated once
//! when they are read, and decoded only on demand.

use super::json::Json;
use super::json_lines::Lines;
use super::layout::Class;
use super::load::{Loaded, Loading};
use super::place::Step;

/// A callback for every part of a value, in order: the steps to it, its class, its bytes.
pub type Tell<'a> = &'a mut dyn FnMut(&[Step], Class, &[u8]);

/// Changes an encoded value to that of JSON.
pub type Merge = fn(&[u8], &Json) -> Loaded<Vec<u8>>;

/// Returns a part of an encoded value.
pub type PartOf = fn(&[u8]) -> &[u8];

/// An encoding, with the functions that decode it.
#[derive(Debug)]
pub struct Codec {
    /// Its name, for people.
    pub name: &'static str,
    /// Calls back for every part of a valid value.
    pub owners: fn(&[u8], Tell<'_>),
    /// Returns a valid value as JSON, or null if it is zeros that need not be shown.
    pub show: fn(&[u8]) -> Json,
    /// Writes that JSON as text; `None` if [`show`](Self::show) must make the value first.
    pub print: Option<fn(&[u8], &mut Lines)>,
    /// Encodes a value from JSON, and reports what it had to replace.
    pub load: fn(Json, &mut Loading) -> Loaded<Vec<u8>>,
    /// Changes an encoded value to that of JSON, and leaves everything that JSON does not show unchanged; `None` if it shows everything.
    pub merge: Option<Merge>,
    /// Returns the part in which long runs of zeros are damage; `None` if they are ordinary everywhere: pixels, or many empty values.
    pub dense: Option<PartOf>,
}

impl Codec {
    /// Returns `true` if it is a text as people write it: values are changed in it, and everything between them stays.
    pub(crate) const fn is_text(&self) -> bool {
        self.merge.is_some()
    }
}
