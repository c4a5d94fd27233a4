//! Tests of models that are loaded from the exchange format.

mod parts;
mod tape;
