//! Changes that another program has made in a drawing of a file, as edits of the file.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::{ExportError, ExportOptions};
use crate::field::{Address, Json};

/// Finds the edits of a file that lead to a drawing: the file is drawn again, and the drawings are compared.
pub type Import = fn(Bytes, &[u8], &ExportOptions) -> Result<Imported, ExportError>;

/// The edits of a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Imported {
    /// The edits, none if the drawing shows the file as it is. All places are those before any edit.
    pub edits: Vec<ImportedEdit>,
    /// What differs in the drawing and is no edit, with counts.
    pub ignored: BTreeMap<&'static str, usize>,
}

/// An edit of a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ImportedEdit {
    /// Sets a value; a place that ends in `-` appends to a list.
    Set(Address, Json),
    /// Deletes an item of a list.
    Delete(Address),
    /// Renames a node: the place of its name, its name, and the new one.
    Rename(Address, String, String),
}

impl Imported {
    /// Adds the edit that sets a value.
    pub(crate) fn set(&mut self, place: Address, value: impl Into<Json>) {
        self.edits.push(ImportedEdit::Set(place, value.into()));
    }

    /// Counts something that is no edit.
    pub(crate) fn ignore(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let known = self.ignored.entry(what).or_default();
            *known = known.saturating_add(count);
        }
    }
}
