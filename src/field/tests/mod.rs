//! Tests of the vocabulary as formats use it.

mod json;
mod layout;
mod spread;
mod tape;

use super::{Content, Documents};

/// The files of an exchange form that has none.
struct NoDocuments;

impl Documents for NoDocuments {
    fn take(&mut self, file: &str) -> core::result::Result<Content, String> {
        Err(format!("no {file}"))
    }
}
