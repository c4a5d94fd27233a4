//! Changes that another program has made in a drawing of a file, as edits of the file.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::{ExportError, Model};
use field::{Address, Value};

/// Finds the edits of a model that lead to a drawing: the model, of the kind that the import belongs to, is drawn again, and the
/// drawings are compared. The drawing is given away, because its text takes memory that the edits need.
pub type Import = fn(&Model, Bytes) -> Result<Imported, ExportError>;

/// The edits of a file.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// The edits, none if the drawing shows the file as it is. All places are those before any edit, except those of
    /// insertions and of what is computed.
    pub edits: Vec<ImportedEdit>,
    /// What differs in the drawing and is no edit, with counts.
    pub ignored: BTreeMap<&'static str, usize>,
}

/// An edit of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportedEdit {
    /// Sets a value; a place that ends in `-` appends to a list.
    Set(Address, Value),
    /// Deletes an item of a list.
    Delete(Address),
    /// Inserts an item into a list after all deletions, before the one at its place then, or at the end.
    Insert(Address, Value),
    /// Computes a value by its rule, at its place after all other edits.
    Recompute(Address),
    /// Renames a node: the place of its name, its name, and the new one.
    Rename(Address, String, String),
}

impl Imported {
    /// Adds the edit that sets a value.
    pub fn set(&mut self, place: Address, value: impl Into<Value>) {
        self.edits.push(ImportedEdit::Set(place, value.into()));
    }

    /// Counts something that is no edit.
    pub fn ignore(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            *self.ignored.entry(what).or_default() += count;
        }
    }
}
