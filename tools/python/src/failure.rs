//! Errors: why something failed, and where.

use std::path::Path;

use bitexact::edit::{Refusal, BatchError};
use bitexact::field::{Address, Error};
use bitexact::verify::Failure as Unverified;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

pyo3::create_exception!(
    bitexact,
    BitexactError,
    PyException,
    "A file that cannot be read, edited or written; nothing has been written."
);

/// The reason why something failed, without Python.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure {
    message: String,
    spot: Box<Spot>,
}

/// Where something failed, and why.
#[derive(Clone, Debug, Default)]
struct Spot {
    path: Option<String>,
    offset: Option<u64>,
    place: Option<String>,
    expected: Option<String>,
    found: Option<String>,
}

pub(crate) type Done<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        // Options of the program have the names of arguments here.
        let message = message.replace("--memory", "memory_limit() of");
        let message = message.replace("--retype", "retype=True").replace("--force", "force=True");
        let (expected, found) = said(&message);
        Self { message, spot: Box::new(Spot { expected, found, ..Spot::default() }) }
    }

    /// Creates a failure at a place.
    pub(crate) fn at(place: impl Into<String>, why: &str) -> Self {
        let place = place.into();
        Self::new(format!("{place}: {why}")).with(None, Some(place))
    }

    /// Adds the place of a value that does not fit.
    pub(crate) fn placed(mut self, place: &Address) -> Self {
        self.message = format!("{place}: {}", self.message);
        self.with(None, Some(place.to_string()))
    }

    /// Adds the file that failed.
    pub(crate) fn of(mut self, path: &Path) -> Self {
        let path = path.display().to_string();
        if self.spot.path.is_none() {
            self.message = format!("{path}: {}", self.message);
            self.spot.path = Some(path);
        }
        self
    }

    fn with(mut self, offset: Option<u64>, place: Option<String>) -> Self {
        (self.spot.offset, self.spot.place) = (offset, place);
        self
    }

    /// Returns the failure as an exception.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        let error = BitexactError::new_err(self.message);
        let (value, spot) = (error.value(py), *self.spot);
        let set = || -> PyResult<()> {
            value.setattr("path", spot.path)?;
            value.setattr("offset", spot.offset)?;
            value.setattr("place", spot.place)?;
            value.setattr("expected", spot.expected)?;
            value.setattr("found", spot.found)
        };
        match set() {
            Ok(()) => error,
            Err(other) => other,
        }
    }
}

/// Returns what a message says that was expected, and what was found.
fn said(message: &str) -> (Option<String>, Option<String>) {
    let said = message.find("expected ").and_then(|at| message.get(at + "expected ".len()..));
    let Some((expected, found)) = said.and_then(|said| said.split_once(", found ")) else { return (None, None) };
    // Advice on what to do comes last.
    let found = found.split("; use ").next().unwrap_or(found);
    (Some(expected.to_owned()), Some(found.to_owned()))
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::new(error.to_string()).with(error.offset(), Some(error.place().to_string()))
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.to_string()).with(None, Some(refusal.place))
    }
}

impl From<BatchError> for Failure {
    fn from(rejection: BatchError) -> Self {
        match rejection {
            BatchError::Error(error) => error.into(),
            BatchError::Refusal(refusal) => refusal.into(),
            other => Self::new(other.to_string()),
        }
    }
}

impl From<&Unverified> for Failure {
    fn from(failure: &Unverified) -> Self {
        Self::new(failure.to_string()).with(failure.offset(), failure.place().map(ToString::to_string))
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}
