//! Tests of the vocabulary as formats use it.

mod json;
mod layout;
mod spread;
mod tape;
