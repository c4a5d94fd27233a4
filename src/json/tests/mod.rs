//! Tests of models that are loaded from the exchange format, and of what is recomputed in them.

mod arrangement;
mod entries;
mod json;
mod leaves;
mod missing;
mod modes;
mod parts;
mod tape;
mod values;
