//! Tests of the vocabulary, used as formats use it.

mod arrangement;
mod edit;
mod entries;
mod json;
mod layout;
mod missing;
mod modes;
mod parts;
mod tape;
mod template;

use super::{Content, Documents};

/// A source without files.
struct NoDocuments;

impl Documents for NoDocuments {
    fn take(&mut self, file: &str) -> core::result::Result<Content, String> {
        Err(format!("no {file}"))
    }
}
