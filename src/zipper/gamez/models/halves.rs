//! The two halves of parts that a model lists: all records come first, then all data.

/// The record of a part whose data follow those of all parts before it, as what is laid out of the part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head;

/// The data of such a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Data;
