//! Rules of a level over several of its chunks.

use field::{FourCc, Judge, Mac, Style as _, Value, decode_text};

use super::chunk::Content;
use super::map::{Geometry, Lists};
use super::tables::{Table, Tables};
use super::wad::LevelData;

/// The parts of a level that its own chunks are judged by.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    geometry: Geometry,
    lists: Lists,
    /// The number of entries of every table.
    tables: Tables,
    /// The level data that the directory repeats.
    repeated: Option<LevelData>,
}

impl Level {
    /// Creates a level from these chunks; the first of several of a kind counts.
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
        let tables = Self::tables(chunks.clone(), early.is_some());
        Self { geometry, lists, tables, repeated: chunks.clone().find_map(Content::repeated) }
    }

    /// Returns the number of entries of every table. Tables can be missing only in a level that `has_polygons`; otherwise the targets of
    /// its chunks are in another wad.
    fn tables<'a>(chunks: impl Iterator<Item = &'a Content> + Clone, has_polygons: bool) -> Tables {
        let mut tables = Tables::default();
        if has_polygons {
            [
                Table::Points,
                Table::Lines,
                Table::Sides,
                Table::Polygons,
                Table::Lights,
                Table::Platforms,
                Table::Liquids,
                Table::AmbientSounds,
                Table::RandomSounds,
                Table::Objects,
            ]
            .into_iter()
            .for_each(|table| tables.set(table, 0));
        }
        // The points of an editor count even if they come after others.
        if let Some(points) = chunks.clone().find_map(Content::points) {
            tables.set(Table::Points, points.len());
        }
        for (table, entries) in chunks.filter_map(table).filter(|(_, entries)| *entries > 0) {
            tables.set(table, entries);
        }
        tables
    }

    /// Returns the shape of the level.
    pub(super) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Judges a chunk, just laid out at an offset, beyond its records.
    pub(super) fn judge(&self, t: &mut Judge<'_>, tag: FourCc, chunk: &Content, start: u64) {
        judge_indices(t, &self.tables, chunk, start);
        let Lists { polygons, platforms, indices, listed } = &self.lists;
        match chunk {
            Content::Polygons(_) => t.expect("polygons", || polygons.clone()),
            Content::EarlyPolygons(_) => t.expect("early_polygons", || polygons.clone()),
            Content::Platforms(_) => t.expect("platforms", || platforms.clone()),
            Content::Indices(array) => {
                let listed = listed.iter().zip(array.records.iter());
                let leads = listed.map(|(listed, stored)| (*stored, listed.index(*stored), listed.to()));
                self.tables.judge_listed(t, "indices", start, leads);
                t.expect("indices", || indices.clone());
            }
            Content::Name(name) => t.expect("level_name", || {
                let expected = self.repeated.as_ref()?.level_name.bytes();
                let show = |name| Value::from(decode_text(Mac::PAGE, name));
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

/// Returns the table of a chunk, and its number of entries.
fn table(chunk: &Content) -> Option<(Table, usize)> {
    Some(match chunk {
        Content::Endpoints(array) => (Table::Points, array.records.len()),
        Content::Lines(array) => (Table::Lines, array.records.len()),
        Content::Sides(array) => (Table::Sides, array.records.len()),
        Content::EarlySides(array) => (Table::Sides, array.records.len()),
        Content::Polygons(array) => (Table::Polygons, array.records.len()),
        Content::EarlyPolygons(array) => (Table::Polygons, array.records.len()),
        Content::Lights(array) => (Table::Lights, array.records.len()),
        Content::EarlyLights(array) => (Table::Lights, array.records.len()),
        Content::SavedLights(array) => (Table::Lights, array.records.len()),
        Content::Objects(array) => (Table::Objects, array.records.len()),
        Content::EarlyObjects(array) => (Table::Objects, array.records.len()),
        Content::PlatformPlans(array) => (Table::Platforms, array.records.len()),
        Content::Platforms(array) => (Table::Platforms, array.records.len()),
        Content::Liquids(array) => (Table::Liquids, array.records.len()),
        Content::AmbientSounds(array) => (Table::AmbientSounds, array.records.len()),
        Content::RandomSounds(array) => (Table::RandomSounds, array.records.len()),
        Content::Effects(array) => (Table::Effects, array.records.len()),
        Content::Projectiles(array) => (Table::Projectiles, array.records.len()),
        Content::Terminals(terminals) => (Table::Terminals, terminals.terminals.len()),
        _ => return None,
    })
}

/// Judges the indices in a chunk at an offset.
fn judge_indices(t: &mut Judge<'_>, tables: &Tables, chunk: &Content, start: u64) {
    match chunk {
        Content::Endpoints(array) => tables.judge(t, "endpoints", start, &array.records),
        Content::Lines(array) => tables.judge(t, "lines", start, &array.records),
        Content::Sides(array) => tables.judge(t, "sides", start, &array.records),
        Content::EarlySides(array) => tables.judge(t, "early_sides", start, &array.records),
        Content::Polygons(array) => tables.judge(t, "polygons", start, &array.records),
        Content::EarlyPolygons(array) => tables.judge(t, "early_polygons", start, &array.records),
        Content::Annotations(array) => tables.judge(t, "annotations", start, &array.records),
        Content::Objects(array) => tables.judge(t, "objects", start, &array.records),
        Content::EarlyObjects(array) => tables.judge(t, "objects", start, &array.records),
        Content::PlatformPlans(array) => tables.judge(t, "platform_plans", start, &array.records),
        Content::Platforms(array) => tables.judge(t, "platforms", start, &array.records),
        Content::Liquids(array) => tables.judge(t, "liquids", start, &array.records),
        Content::Monsters(array) => tables.judge(t, "monsters", start, &array.records),
        Content::Projectiles(array) => tables.judge(t, "projectiles", start, &array.records),
        Content::Terminals(terminals) => terminals.judge(t, tables, start),
        _ => {}
    }
}
