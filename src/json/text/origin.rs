//! What the values of a text were made from.

use std::sync::Arc;

use bytes::Bytes;

use super::super::tokens::At;
use field::Value;

/// The origin of the values of a text.
#[derive(Debug, Default)]
pub(super) enum Origin {
    /// No text that a person could read.
    #[default]
    Nowhere,
    /// The file that is indexed.
    File(Arc<str>),
    /// Values that were made from a text and its parts.
    Text(Sources),
}

/// The text of a file without an index, and a value in it.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(super) file: Arc<str>,
    pub(super) text: Bytes,
    pub(super) at: At,
}

/// A document that has been loaded, and the parts that it names.
#[derive(Clone, Debug)]
pub struct Sources {
    pub(super) whole: Source,
    pub(super) parts: Vec<Source>,
}

/// The maximum depth in a document at which a part can be named: a member, or an item of a list that is a member.
pub(in super::super) const PARTS: usize = 2;

/// A value with its parts in place, and what they were made from if it is known.
#[derive(Debug)]
pub struct Joined {
    /// The values.
    pub json: Value,
    /// Where they are from, if that is known.
    pub sources: Option<Sources>,
}
