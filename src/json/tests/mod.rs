//! Tests of models that are loaded from the exchange format, and of what is recomputed in them.

mod arrangement;
mod entries;
mod missing;
mod modes;
mod parts;
mod tape;
mod values;
