//! Values of any length in an encoding of their own, that move as one block.
//!
//! A list of values of 8 bytes each costs more to take apart and to lay value by value than to hash. So the bytes are the
//! model, found to be sound once, when they are read; what is in them is told to those who ask.

use super::json::Json;
use super::layout::Class;
use super::load::Loaded;
use super::place::Step;
use super::print::Print;

/// Someone who is told of every part of a value, in order: the steps to it, its class, its bytes.
pub type Tell<'a> = &'a mut dyn FnMut(&[Step], Class, &[u8]);

/// How some encoding is looked into.
#[derive(Debug)]
pub struct Coding {
    /// What it is, in words.
    pub name: &'static str,
    /// Tells of every part of a sound value.
    pub owners: fn(&[u8], Tell<'_>),
    /// A sound value as JSON; nothing where it is zeros that need not be told.
    pub show: fn(&[u8]) -> Json,
    /// Writes that JSON as text, on one line; `None` if [`show`](Self::show) is to make the value first.
    pub print: Option<Print>,
    /// The bytes of a value from JSON.
    pub load: fn(Json) -> Loaded<Vec<u8>>,
}
