//! The errors of operations on mods.

use crate::edit::Refusal;

/// The result of an operation on mods. An error names the file, and the mod if there is one.
pub type Result<T = ()> = core::result::Result<T, Refusal>;

/// Creates an error about a path.
pub(super) fn refusal(place: impl core::fmt::Display, why: impl core::fmt::Display) -> Refusal {
    Refusal { place: place.to_string(), why: why.to_string() }
}

/// Adds the path to an error.
pub(super) fn at<E: core::fmt::Display>(place: impl core::fmt::Display) -> impl FnOnce(E) -> Refusal {
    move |why| refusal(place, why)
}

/// Adds the path to an error, unless it is already that of another file, whose contents were read.
pub(super) fn placed(refused: impl FnOnce(std::io::Error) -> Refusal) -> impl FnOnce(std::io::Error) -> Refusal {
    |error| error.downcast().unwrap_or_else(refused)
}
