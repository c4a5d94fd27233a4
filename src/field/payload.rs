//! The interface of the contents of entries.

use bytes::Bytes;

use super::place::Label;
use super::tape::Lay;

/// The contents of an entry, recognized by its bytes and laid out by its family.
pub trait Payload: Lay + Default {
    /// Returns the name of its kind.
    fn kind(&self) -> &'static str;

    /// Returns an empty payload of the kind of an entry with this name and content, ready to be read.
    fn recognize(label: &Label, bytes: &Bytes) -> Self;

    /// Returns the payload for bytes that are kept raw.
    fn opaque() -> Self;

    /// Returns an empty payload of a kind, ready to be loaded, or `None` if the kind is unknown.
    fn of_kind(kind: &str) -> Option<Self>;

    /// Returns the file extension if the exchange format stores it as raw bytes, otherwise `None`.
    fn raw(&self) -> Option<&'static str>;
}
