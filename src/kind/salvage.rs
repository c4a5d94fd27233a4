//! What is left of a container of which bytes are lost.

use bytes::Bytes;

/// The entries of a container that lacks a part of its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Salvage {
    /// The entries that are whole, in file order.
    pub whole: Vec<Salvaged>,
    /// The names of the others, as far as a table lists them.
    pub lost: Vec<String>,
    /// The number of others whose names are lost too, or `None` if even that is not known.
    pub unnamed: Option<u64>,
}

/// An entry that is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Salvaged {
    /// Its name, with the extension of its kind; any characters.
    pub name: String,
    /// Its bytes as a file of their own.
    pub bytes: Bytes,
}

impl Salvage {
    /// Adds an entry that is whole.
    pub fn keep(&mut self, name: String, bytes: Bytes) {
        self.whole.push(Salvaged { name, bytes });
    }
}
