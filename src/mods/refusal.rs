//! The errors of operations on mods.

use core::fmt::{self, Display};
use std::io::{self, ErrorKind};

use crate::edit::BatchError;

/// Why an operation on mods fails. Its text begins with the place.
#[derive(Debug)]
pub struct Refusal {
    /// The file, the place in it, or the mod.
    pub place: String,
    /// The reason.
    pub why: String,
    /// The error of the system, if it is one; `why` has its text, and what has become of the files.
    pub system: Option<io::Error>,
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.why)
    }
}

impl core::error::Error for Refusal {}

impl From<crate::edit::Refusal> for Refusal {
    fn from(crate::edit::Refusal { place, why }: crate::edit::Refusal) -> Self {
        Self { place, why, system: None }
    }
}

/// The result of an operation on mods. An error names the file, and the mod if there is one.
pub type Result<T = ()> = core::result::Result<T, Refusal>;

/// What an error can be made of.
pub(super) trait Reason: Display {
    /// Returns the error of the system, if it is one.
    fn system(self) -> Option<io::Error>;
}

impl Reason for io::Error {
    fn system(self) -> Option<io::Error> {
        // One that names a path has no number, and only its kind.
        let is_of_system =
            |kind| matches!(kind, ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::AlreadyExists);
        Some(self).filter(|it| it.raw_os_error().is_some() || is_of_system(it.kind()))
    }
}

macro_rules! words {
    ($($ty:ty),+) => { $(impl Reason for $ty {
        fn system(self) -> Option<io::Error> {
            None
        }
    })+ };
}

words!(&str, String, &String, field::Error, field::Fault, BatchError, serde_json::Error);

/// Creates an error about a path.
pub(super) fn refusal(place: impl Display, why: impl Reason) -> Refusal {
    Refusal { place: place.to_string(), why: why.to_string(), system: why.system() }
}

/// Creates an error about a file that may be changed only if it is writable.
pub(super) fn read_only(place: impl Display) -> Refusal {
    refusal(place, io::Error::new(ErrorKind::PermissionDenied, READ_ONLY))
}

/// Why a file that is read-only is not changed.
pub(super) const READ_ONLY: &str = "is read-only; make it writable, and call this again";

/// Adds the path to an error.
pub(super) fn at<E: Reason>(place: impl Display) -> impl FnOnce(E) -> Refusal {
    move |why| refusal(place, why)
}

/// Adds the path to an error, unless it is already that of another file, whose contents were read.
pub(super) fn placed(refused: impl FnOnce(io::Error) -> Refusal) -> impl FnOnce(io::Error) -> Refusal {
    |error| error.downcast().unwrap_or_else(refused)
}
