//! The files of an entry that other programs edit: its images, sounds and texts.

use bytes::Bytes;

use super::{Edit, Edited, no_entry};
use crate::exchange::media::{follow, medium_of};
use crate::exchange::document::MANIFEST;
use crate::field::{Address, Json};
use crate::media::Around;

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

impl Edit {
    /// Returns the images, sounds or texts of an entry, or of the file itself if `entry` is empty; none if files of these types could not
    /// hold it.
    ///
    /// # Errors
    /// Returns an error if there is no such entry.
    pub fn shown(&mut self, entry: &str) -> Edited<Vec<Shown>> {
        let (kind, file, row) = match entry {
            "" => (self.kind.name.to_owned(), MANIFEST.to_owned(), Json::Null),
            _ => {
                let (row, file) = self.row(entry)?;
                let row = self.value(&row.file, &row.keys).cloned().unwrap_or_default();
                (row.get("kind").and_then(Json::text).unwrap_or_default().to_owned(), file, row)
            }
        };
        let Some(medium) = medium_of(self.kind.media, &kind) else { return Ok(Vec::new()) };
        let outer = entry.rsplit_once('!').map_or("", |(outer, _)| outer);
        let home = self.home(outer).ok_or_else(|| no_entry(entry))?;
        let container = self.value(&home, &[]).cloned().unwrap_or_default();
        let Some(document) = self.value(&file, &[]).cloned() else { return Ok(Vec::new()) };
        let mut shown = Vec::new();
        for location in (medium.parts)(&document) {
            let part = follow(&document, &location.way).unwrap_or(&Json::Null);
            let around =
                Around { part, way: &location.way, document: &document, row: &row, container: &container };
            let Some((_, files)) = (medium.export)(&around) else { continue };
            let mut files = files.into_iter().zip(medium.files);
            let Some((Some(content), (_, end))) = files.next() else { continue };
            let others = files.filter(|(content, _)| content.is_some()).map(|(_, (_, end))| *end).collect();
            let extension = end.rsplit_once('.').map_or(*end, |(_, extension)| extension);
            let at = Address { entry: entry.to_owned(), keys: location.way };
            shown.push(Shown { at, extension, content, others });
        }
        Ok(shown)
    }
}
