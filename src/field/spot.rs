//! Positions in text files.

use core::fmt::{self, Display};
use std::sync::Arc;

/// A position in a text file, as editors show it. It prints as `FILE:LINE:COLUMN`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    file: Arc<str>,
    line: usize,
    column: usize,
}

impl Spot {
    /// Creates a spot in a file; lines and columns count from 1.
    pub fn new(file: Arc<str>, line: usize, column: usize) -> Self {
        Self { file, line, column }
    }

    /// Returns the path of the file in the unpacked folder.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the line, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the column in characters, counted from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }
}

impl Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
