//! A model through the exchange format and back.

use super::print::contents_within;
use super::{About, Form};
use crate::field::Error;
use crate::kind::{Kind, Model};

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
            replaced.place, replaced.was, replaced.now
        ))),
    }
}
