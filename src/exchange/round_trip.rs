//! A model through the exchange format and back.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::print::contents_within;
use super::{About, Form};
use field::{Error, visit};
use json::Compact;
use kind::{Kind, Model};
use passes::Proof;

/// The reason why a model did not round-trip through the exchange format.
#[derive(Clone, Debug, PartialEq)]
pub enum RoundTripError {
    /// It takes more memory than allowed.
    Memory(Error),
    /// It does not round-trip; the text gives the place and the reason.
    Exchange(String),
}

impl From<Error> for RoundTripError {
    fn from(error: Error) -> Self {
        if error.is_memory() { Self::Memory(error) } else { Self::Exchange(error.to_string()) }
    }
}

/// Returns a model after a round trip through the text and bytes of all its files in the exchange format, using at most `memory`
/// bytes, of which `elsewhere` are already in use.
///
/// # Errors
/// Returns an error if the model does not round-trip, or if it takes more memory.
pub fn through(
    kinds: &'static [Kind],
    model: Model,
    about: About<'_>,
    memory: u64,
    elsewhere: u64,
) -> Result<Model, RoundTripError> {
    // One thread: a caller that verifies many files already uses all cores.
    let contents = contents_within(&model, about, 1, (memory, elsewhere))?.files;
    // Two models need not be in memory at once.
    drop(model);
    let packed = Form::parse_on(1, contents).map_err(RoundTripError::Exchange)?.pack(kinds)?;
    match packed.recomputed.first() {
        None => Ok(packed.model),
        Some(replaced) => Err(RoundTripError::Exchange(format!(
            "{}: kept value {} became {}",
            replaced.place,
            Compact(&replaced.was),
            Compact(&replaced.now)
        ))),
    }
}

/// Proves that the files of an unpacked folder pack to the same bytes as the file that they were unpacked from, and returns their model.
///
/// # Errors
/// Returns an error with the reason if they do not.
pub fn repacked(kinds: &'static [Kind], files: BTreeMap<String, Bytes>, file: &[u8]) -> Result<Model, String> {
    let model = Form::parse(files)?.pack(kinds).map_err(|error| error.to_string())?.model;
    let mut proof = Proof::comparing(file);
    visit(&model, &mut proof).map_err(|error| error.to_string())?;
    match proof.finish() {
        (_, None) => Ok(model),
        _ => Err("internal error: unpacking and packing did not reproduce the file; please report this".to_owned()),
    }
}
