//! Why a file cannot be opened, edited or saved.

use core::fmt;
use std::error::Error;
use std::io;

use crate::edit::BatchError;
use field;

/// Why a file cannot be opened, edited or saved. Its text begins with the file.
#[derive(Debug)]
pub struct FileError {
    /// The path of the file, with the entry in it after `!`, or the name that it was opened by.
    pub file: String,
    /// What is wrong.
    pub why: Why,
}

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Why {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is of no supported kind: which other kind it seems to be, or what to do.
    Unsupported(String),
    /// It cannot be decoded, or its model cannot be laid out.
    Format(field::Error),
    /// It would not come back bit for bit: an internal error, or an edit that its kind cannot hold.
    Unproven(String),
    /// Something else has changed it since it was opened.
    Changed(String),
    /// It cannot be written: another program works on the game, a KEY does not fit, or a mod of the game is half applied.
    NotWritten(String),
    /// There is nothing at this place.
    Nothing(String),
    /// Another file is at the path.
    Exists(String),
    /// An edit does not fit.
    Edit(BatchError),
}

impl FileError {
    pub(super) fn new(file: impl Into<String>, why: impl Into<Why>) -> Self {
        Self { file: file.into(), why: why.into() }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, why } = self;
        match why {
            Why::Io(error) => write!(f, "{file}: {error}"),
            Why::Unsupported(why)
            | Why::Unproven(why)
            | Why::Changed(why)
            | Why::NotWritten(why)
            | Why::Nothing(why)
            | Why::Exists(why) => write!(f, "{file}: {why}"),
            Why::Format(error) => write!(f, "{file}: {error}"),
            Why::Edit(error) => write!(f, "{file}: {error}"),
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.why {
            Why::Io(error) => Some(error),
            Why::Format(error) => Some(error),
            Why::Edit(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Why {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<field::Error> for Why {
    fn from(error: field::Error) -> Self {
        Self::Format(error)
    }
}

impl From<BatchError> for Why {
    fn from(error: BatchError) -> Self {
        Self::Edit(error)
    }
}
