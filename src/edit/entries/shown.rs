//! The files of an entry that other programs edit: its images, sounds and texts.

use bytes::Bytes;

use exchange::media::follow;
use field::{Address, Value};
use media::{Around, Medium};

/// An image, a sound or a text of an entry, as the files that `unpack` writes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shown {
    /// The place of what the files show.
    pub at: Address,
    /// The extension of the first file.
    pub extension: &'static str,
    /// The first file.
    pub content: Bytes,
    /// The endings of further files, which hold what the first one cannot.
    pub others: Vec<&'static str>,
}

/// Returns what a medium shows of a document, with its table row in the document of its container.
pub(super) fn of_document(
    medium: &Medium,
    entry: &str,
    document: &Value,
    (row, container): (&Value, &Value),
) -> Vec<Shown> {
    let mut shown = Vec::new();
    for location in (medium.parts)(document) {
        let part = follow(document, &location.way).unwrap_or(&Value::Null);
        let Some((_, files)) = (medium.export)(&Around { part, way: &location.way, document, row, container }) else {
            continue;
        };
        let mut files = files.into_iter().zip(medium.files);
        let Some((Some(content), (_, end))) = files.next() else { continue };
        let others = files.filter(|(content, _)| content.is_some()).map(|(_, (_, end))| *end).collect();
        let extension = end.rsplit_once('.').map_or(*end, |(_, extension)| extension);
        let at = Address { entry: entry.to_owned(), keys: location.way };
        shown.push(Shown { at, extension, content, others });
    }
    shown
}
