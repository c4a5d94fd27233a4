//! Values of any length in their own encoding, which are read and written as one block.
//!
//! Decoding and writing a list of 8-byte values one by one costs more than hashing it. So the bytes are the model, validated once
//! when they are read, and decoded only on demand.

use super::error::{Error, Fault};
use super::layout::Class;
use super::place::{Place, Step};
use super::sink::Sink;
use super::value::Value;

/// A callback for every part of a value, in order: the steps to it, its class, its bytes.
pub type Tell<'a> = &'a mut dyn FnMut(&[Step], Class, &[u8]);

/// Changes an encoded value to the one given.
pub type Merge = fn(&[u8], &Value) -> Loaded<Vec<u8>>;

/// Returns a part of an encoded value.
pub type PartOf = fn(&[u8]) -> &[u8];

/// An encoding, with the functions that decode it.
#[derive(Debug)]
pub struct Codec {
    /// Its name, for people.
    pub name: &'static str,
    /// Calls back for every part of a valid value.
    pub owners: fn(&[u8], Tell<'_>),
    /// Returns a valid value as people see it, or null if it is zeros that need not be shown.
    pub show: fn(&[u8]) -> Value,
    /// Puts that value; `None` if [`show`](Self::show) must make it first.
    pub print: Option<fn(&[u8], &mut dyn Sink)>,
    /// Encodes a given value, and reports what it had to replace.
    pub load: fn(Value, &mut Vec<ReplacedField>) -> Loaded<Vec<u8>>,
    /// Changes an encoded value to the one given, and leaves everything unchanged that is not shown; `None` if it shows everything.
    pub merge: Option<Merge>,
    /// Returns the part in which long runs of zeros are damage; `None` if they are ordinary everywhere: pixels, or many empty values.
    pub dense: Option<PartOf>,
}

impl Codec {
    /// Returns `true` if it is a text as people write it: values are changed in it, and everything between them stays.
    pub const fn is_text(&self) -> bool {
        self.merge.is_some()
    }
}

/// A value that does not fit its place.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadError {
    /// The steps to it, from where the loading began.
    pub steps: Vec<Step>,
    /// The keys that lead on from there to an unexpected member; they are empty if the value itself does not fit.
    pub surplus: Vec<String>,
    /// The number of steps to a preserved value, and the name of its member that does not fit.
    pub of_kept: Option<(usize, &'static str)>,
    /// The expected value.
    pub expected: String,
    /// The value found.
    pub found: String,
}

impl LoadError {
    /// Creates the error of a value that does not fit.
    #[must_use]
    pub fn new(steps: Vec<Step>, expected: impl Into<String>, found: String) -> Self {
        Self { steps, surplus: Vec::new(), of_kept: None, expected: expected.into(), found }
    }

    /// Creates the error of an unexpected member, to which these keys lead on.
    #[must_use]
    pub fn surplus(steps: Vec<Step>, keys: Vec<String>, found: String) -> Self {
        let expected = format!("no member {}", keys.join("/"));
        Self { surplus: keys, ..Self::new(steps, expected, found) }
    }

    /// Creates a misfit for a value at the current place.
    pub fn plain(expected: &str, found: String) -> Self {
        Self::new(Vec::new(), expected, found)
    }

    /// Returns the error at a place.
    pub fn at(self, place: &Place) -> Error {
        let Self { steps, surplus, expected, found, .. } = self;
        Error::in_exchange(place.with(steps), Fault::Unknown { found, expected }).with_surplus(surplus)
    }
}

/// The result of loading.
pub type Loaded<T = ()> = Result<T, LoadError>;

/// A preserved value that was replaced because its rule now computes a different value.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplacedField {
    /// The steps to the field.
    pub steps: Vec<Step>,
    /// The preserved value.
    pub was: Value,
    /// The current value.
    pub now: Value,
}
