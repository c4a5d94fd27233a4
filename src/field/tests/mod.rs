//! Tests of the vocabulary, used as formats use it.

mod arrangement;
mod expected;
mod layout;
mod modes;
mod template;
