//! Errors: why something failed, and where.

use std::io::{self, ErrorKind};
use std::path::Path;

use bitexact::edit::{BatchError, Refusal};
use bitexact::field::{Address, Error};
use bitexact::mods;
use bitexact::passes::spans;
use bitexact::registry::Model;
use bitexact::verify::Failure as Unverified;
use pyo3::exceptions::{PyException, PyOSError};
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
    /// The number of the error of the operating system, for which Python has exceptions of its own.
    system: Option<i32>,
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
        Self { message, spot: Box::new(Spot { expected, found, ..Spot::default() }), system: None }
    }

    /// Creates a failure that is an `OSError` of Python: `FileExistsError`, `IsADirectoryError` and so on.
    pub(crate) fn of_system(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { system: number_of(kind), ..Self::new(message) }
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
            // Python puts the path after the message of the system.
            if self.system.is_none() {
                self.message = format!("{path}: {}", self.message);
            }
            self.spot.path = Some(path);
        }
        self
    }

    /// Names a place of the file where it names one of a document that stands for an entry: the place in the entry, or else the edited
    /// one around it.
    pub(crate) fn in_entries(mut self, model: &Model, edited: &[&Address]) -> Self {
        let (Some(place), Ok(known)) = (self.spot.place.clone(), spans(model)) else { return self };
        let is_entry = |entry: &str| entry.is_empty() || known.contains_key(entry);
        let mut address = Address::from(place.as_str());
        if is_entry(&address.entry) {
            return self;
        }
        let own = address.entry.strip_suffix(".json").filter(|entry| is_entry(entry)).map(str::to_owned);
        let around = || edited.iter().find(|it| address.keys.starts_with(&it.keys) || edited.len() == 1);
        let better = match own {
            Some(entry) => {
                address.entry = entry;
                address.to_string()
            }
            None => match around() {
                Some(around) => around.to_string(),
                None => return self,
            },
        };
        self.message = self.message.replacen(&place, &better, 1);
        self.spot.place = Some(better);
        self
    }

    /// Returns the failure of an operation on a file. The path that it names itself can be that of a temporary file beside it.
    pub(crate) fn of_file(path: &Path, refusal: mods::Refusal) -> Self {
        let mods::Refusal { why, system, .. } = refusal;
        let Some(error) = system else { return Self::new(why).of(path) };
        // Python prints the number itself.
        let number = error.raw_os_error().map(|number| format!(" (os error {number})")).unwrap_or_default();
        Self { system: Self::from(error).system, ..Self::new(why.replacen(&number, "", 1)) }.of(path)
    }

    fn with(mut self, offset: Option<u64>, place: Option<String>) -> Self {
        (self.spot.offset, self.spot.place) = (offset, place);
        self
    }

    /// Returns its words.
    pub(crate) fn why(self) -> String {
        self.message
    }

    /// Returns the failure as an exception.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        if let Some(number) = self.system {
            return PyOSError::new_err((number, self.message, self.spot.path));
        }
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

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let text = error.to_string();
        // Python prints the number itself.
        let text = text.split(" (os error ").next().unwrap_or(&text);
        let number = number_of(error.kind()).or_else(|| error.raw_os_error().filter(|_| cfg!(unix)));
        Self { system: number, ..Self::new(text) }
    }
}

/// Returns the number by which Python chooses the class of an error of the system: the same on all systems.
fn number_of(kind: ErrorKind) -> Option<i32> {
    Some(match kind {
        ErrorKind::NotFound => 2,
        ErrorKind::PermissionDenied => 13,
        ErrorKind::AlreadyExists => 17,
        ErrorKind::NotADirectory => 20,
        ErrorKind::IsADirectory => 21,
        _ => return None,
    })
}
