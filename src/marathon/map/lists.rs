//! The contents of the index lists, and a check that the runs of polygons and platforms are contiguous from 0 onward.
//!
//! Source: `marathon-map.md`, `iidx`.

use field::{I16be, Value, wide};

use super::Platform;
use crate::tables::{Table, To, to};

/// The runs of a polygon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs {
    pub(crate) vertex_count: u16,
    /// The starts of its exclusion zones, its neighbors, its sound sources.
    pub(crate) starts: [I16be; 3],
    /// The numbers of lines and points in its exclusion zones.
    pub(crate) zones: [I16be; 2],
    pub(crate) neighbor_count: I16be,
}

/// The first error in the starts of polygons, in those of platforms, and in the length of the lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    pub(crate) polygons: Option<(Value, Value)>,
    pub(crate) platforms: Option<(Value, Value)>,
    pub(crate) indices: Option<(Value, Value)>,
    /// The target of each index.
    pub(crate) listed: Vec<Listed>,
}

/// The target of an index in the lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Listed {
    /// An unknown target.
    #[default]
    Nothing,
    /// A point.
    Point,
    /// A line.
    Line,
    /// A line, in the opposite direction if negative.
    Directed,
    /// A polygon.
    Polygon,
    /// An object.
    Object,
}

impl Listed {
    /// Returns the table that the index leads into, or `None` if it is unknown.
    pub(crate) fn to(self) -> Option<To> {
        match self {
            Self::Nothing => None,
            Self::Point => Some(to(Table::Points)),
            Self::Line | Self::Directed => Some(to(Table::Lines)),
            Self::Polygon => Some(to(Table::Polygons)),
            Self::Object => Some(to(Table::Objects)),
        }
    }

    /// Returns the index for a stored value.
    pub(crate) fn index(self, stored: I16be) -> i16 {
        // A reversed line is stored as -1 minus its index, so -1 is line 0.
        if self == Self::Directed && stored.get() < 0 { !stored.get() } else { stored.get() }
    }
}

/// The position of the walk through the lists, and the first error found.
#[derive(Default)]
struct Walk {
    at: u64,
    /// The targets, one per index.
    listed: Vec<Listed>,
    wrong: Option<(Value, Value)>,
}

impl Walk {
    /// Records a run of `count` indices, which begins at `begins` according to its owner.
    fn run(&mut self, what: &str, of: usize, begins: I16be, count: u64, listed: Listed) {
        if self.wrong.is_none() && u64::try_from(begins.get()) != Ok(self.at) {
            let found = format!("{what} of {of} at {}", begins.get());
            self.wrong = Some((format!("at {}", self.at).into(), found.into()));
        }
        self.pass(count, listed);
    }

    /// Skips `count` indices with this target.
    fn pass(&mut self, count: u64, listed: Listed) {
        let end = self.at + count;
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(self.listed.len());
        let range = place(self.at)..place(end);
        self.at = end;
        self.listed.get_mut(range).unwrap_or_default().fill(listed);
    }
}

/// Converts a number of indices; negative ones become 0.
fn count(count: I16be) -> u64 {
    u64::try_from(count.get()).unwrap_or(0)
}

impl Lists {
    /// Walks through the lists by the lengths of the runs of polygons and platforms; levels of Marathon (`early`) have no sound sources.
    pub(super) fn judge(indices: &[I16be], polygons: &[Runs], platforms: &[Platform], early: bool) -> Self {
        let mut walk = Walk { listed: vec![Listed::Nothing; indices.len()], ..Walk::default() };
        for (index, polygon) in polygons.iter().enumerate() {
            let ([zone, neighbor, _], [lines, points]) = (polygon.starts, polygon.zones);
            walk.run("the exclusion zones", index, zone, count(lines), Listed::Directed);
            walk.pass(count(points), Listed::Point);
            walk.run("the neighbors", index, neighbor, count(polygon.neighbor_count), Listed::Polygon);
        }
        for (index, polygon) in polygons.iter().enumerate().filter(|_| !early) {
            let [.., sound] = polygon.starts;
            let rest = usize::try_from(walk.at).ok().and_then(|at| indices.get(at..)).unwrap_or_default();
            let end = rest.iter().position(|index| index.get() == -1);
            walk.run("the sound sources", index, sound, end.map_or(0, wide), Listed::Object);
            // The end of the list.
            walk.pass(1, Listed::Nothing);
        }
        let of_polygons = walk.wrong.take();
        for (index, platform) in platforms.iter().enumerate() {
            let polygon = usize::try_from(platform.polygon.get()).ok().and_then(|polygon| polygons.get(polygon));
            let vertices = polygon.map_or(0, |polygon| polygon.vertex_count.into());
            for owner in platform.endpoint_owners.iter().take(vertices) {
                walk.run("the polygons", index, owner.first_polygon, count(owner.polygon_count), Listed::Polygon);
                walk.run("the lines", index, owner.first_line, count(owner.line_count), Listed::Line);
            }
        }
        let end = wide(indices.len());
        let of_indices = (walk.at != end).then(|| (format!("{} indices", walk.at).into(), end.to_string().into()));
        Self { polygons: of_polygons, platforms: walk.wrong, indices: of_indices, listed: walk.listed }
    }
}
