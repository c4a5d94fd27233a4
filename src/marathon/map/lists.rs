//! Whether polygons and platforms say where their runs of the index lists begin: the runs follow one another from 0 on.
//!
//! Source: `marathon-map.md`, `iidx`.

use crate::field::{I16be, Json, wide};

use super::Platform;

/// What a polygon says of its runs.
#[derive(Clone, Copy, Debug)]
pub(in crate::marathon) struct Runs {
    pub(in crate::marathon) vertex_count: u16,
    /// Where its exclusion zones begin, its neighbours, its sound sources.
    pub(in crate::marathon) starts: [I16be; 3],
    /// How many lines and points are in its exclusion zones.
    pub(in crate::marathon) zones: [I16be; 2],
    pub(in crate::marathon) neighbour_count: I16be,
}

/// The first thing that is wrong with the starts that polygons say, with those of platforms, with the end of the lists.
#[derive(Clone, Debug, Default)]
pub(in crate::marathon) struct Lists {
    pub(in crate::marathon) polygons: Option<(Json, Json)>,
    pub(in crate::marathon) platforms: Option<(Json, Json)>,
    pub(in crate::marathon) indices: Option<(Json, Json)>,
}

/// Where the walk through the lists is, and what was wrong on the way.
#[derive(Default)]
struct Walk {
    at: u64,
    wrong: Option<(Json, Json)>,
}

impl Walk {
    /// Something begins a run of so many indices.
    fn run(&mut self, what: &str, of: usize, begins: I16be, count: u64) {
        if self.wrong.is_none() && u64::try_from(begins.get()) != Ok(self.at) {
            let found = format!("{what} of {of} at {}", begins.get());
            self.wrong = Some((format!("at {}", self.at).into(), found.into()));
        }
        self.at = self.at.saturating_add(count);
    }
}

/// A number of indices, none if negative.
fn count(count: I16be) -> u64 {
    u64::try_from(count.get()).unwrap_or(0)
}

impl Lists {
    /// Goes through the lists as polygons and platforms say how long their runs are; levels of Marathon (`early`) have no
    /// sound sources.
    pub(super) fn judge(indices: &[I16be], polygons: &[Runs], platforms: &[Platform], early: bool) -> Self {
        let mut walk = Walk::default();
        for (index, polygon) in polygons.iter().enumerate() {
            let ([zone, neighbour, _], [lines, points]) = (polygon.starts, polygon.zones);
            walk.run("the exclusion zones", index, zone, count(lines).saturating_add(count(points)));
            walk.run("the neighbours", index, neighbour, count(polygon.neighbour_count));
        }
        for (index, polygon) in polygons.iter().enumerate().filter(|_| !early) {
            let [.., sound] = polygon.starts;
            let rest = usize::try_from(walk.at).ok().and_then(|at| indices.get(at..)).unwrap_or_default();
            let end = rest.iter().position(|index| index.get() == -1);
            walk.run("the sound sources", index, sound, end.map_or(1, |end| wide(end).saturating_add(1)));
        }
        let of_polygons = walk.wrong.take();
        for (index, platform) in platforms.iter().enumerate() {
            let polygon = usize::try_from(platform.polygon.get()).ok().and_then(|polygon| polygons.get(polygon));
            let vertices = polygon.map_or(0, |polygon| polygon.vertex_count.into());
            for owner in platform.endpoint_owners.iter().take(vertices) {
                walk.run("the polygons", index, owner.first_polygon, count(owner.polygon_count));
                walk.run("the lines", index, owner.first_line, count(owner.line_count));
            }
        }
        let end = wide(indices.len());
        let of_indices = (walk.at != end).then(|| (format!("{} indices", walk.at).into(), end.to_string().into()));
        Self { polygons: of_polygons, platforms: walk.wrong, indices: of_indices }
    }
}
