//! What a level as a whole says of its chunks.

use crate::field::{FourCc, Json, Mac, Style as _, Tape, decode_text};

use super::chunk::Content;
use super::map::{Geometry, Lists};
use super::wad::LevelData;

/// What a level says of its own chunks, where that is judged.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    geometry: Geometry,
    lists: Lists,
    /// What the directory repeats of it.
    repeated: Option<LevelData>,
}

impl Level {
    /// The level with these chunks; of several of a kind the first counts.
    pub(super) fn of<'a>(chunks: impl Iterator<Item = &'a Content> + Clone) -> Self {
        let mut geometry = Geometry::default();
        if let Some(points) = chunks.clone().find_map(Content::points) {
            geometry.points(points);
        }
        if let Some(points) = chunks.clone().find_map(Content::endpoints) {
            geometry.endpoints(points);
        }
        let early = chunks.clone().find_map(|chunk| match chunk {
            Content::Polygons(polygons) => {
                geometry.polygons(&polygons.records);
                Some(false)
            }
            Content::EarlyPolygons(polygons) => {
                geometry.polygons(&polygons.records);
                Some(true)
            }
            _ => None,
        });
        let mut lists = Lists::default();
        if let (Some(early), Some(indices)) = (early, chunks.clone().find_map(Content::indices)) {
            let platforms = chunks.clone().find_map(Content::platforms).unwrap_or_default();
            lists = geometry.lists(indices, platforms, early);
        }
        Self { geometry, lists, repeated: chunks.clone().find_map(Content::repeated) }
    }

    /// Its shape.
    pub(super) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Judges a chunk, which was laid last, beyond its records.
    pub(super) fn judge(&self, t: &mut Tape<'_>, tag: FourCc, chunk: &Content) {
        let Lists { polygons, platforms, indices } = &self.lists;
        match chunk {
            Content::Polygons(_) => t.expect("polygons", || polygons.clone()),
            Content::EarlyPolygons(_) => t.expect("early_polygons", || polygons.clone()),
            Content::Platforms(_) => t.expect("platforms", || platforms.clone()),
            Content::Indices(_) => t.expect("indices", || indices.clone()),
            Content::Name(name) => t.expect("level_name", || {
                let expected = self.repeated.as_ref()?.level_name.bytes();
                let show = |name| Json::from(decode_text(Mac::PAGE, name));
                (name.level_name.bytes() != expected).then(|| (show(expected), show(name.level_name.bytes())))
            }),
            Content::Opaque(bytes) => t.expect("bytes", || {
                let expected = chunk.unusual(tag)?;
                Some((expected.into(), format!("{} bytes", bytes.len()).into()))
            }),
            _ => {}
        }
    }
}
