//! A level as its rules see it: its tables, and the outline of each polygon.

use core::cell::OnceCell;

use field::{Step, wide};

use super::super::super::chunk::Content;
use super::super::super::names::{EarlyPolygonKind, PolygonKind};
use super::super::{AmbientSource, Light, Line, Liquid, Object, Polygon, RandomSource, Side};
/// The most records of a table: indices are signed 16-bit numbers.
pub(super) const MOST: usize = 32_767;

/// A point on the map, in units of 1,024 to a world unit.
pub(super) type Point = [i64; 2];

/// The tables of a level. Those of Marathon have other names for some values; they lie at the same offsets.
#[derive(Debug, Default)]
pub(crate) struct Survey<'a> {
    /// `true` for a level of Marathon.
    pub(super) is_early: bool,
    /// `true` for a level that the engine takes as it is stored, because it has endpoints and is of a later game.
    pub(super) is_processed: bool,
    /// `true` if the tables are those of a whole level that is not a saved game, whose values a running game has changed, and if indices can
    /// lead to all of their records.
    pub(super) is_level: bool,
    /// The points that the engine takes.
    pub(super) points: Vec<Point>,
    pub(super) lines: &'a [Line],
    pub(super) sides: &'a [Side],
    pub(super) polygons: &'a [Polygon],
    pub(super) objects: &'a [Object],
    pub(super) lights: usize,
    pub(super) later_lights: &'a [Light],
    pub(super) liquids: &'a [Liquid],
    pub(super) ambient: &'a [AmbientSource],
    pub(super) random: &'a [RandomSource],
    /// For each platform, its polygon.
    pub(super) platforms: Vec<i16>,
    /// The number of terminals, or `None` if they are in another file.
    pub(super) terminals: Option<usize>,
    /// `true` if the level has properties.
    pub(super) has_properties: bool,
    /// The entry points of a level of a later game.
    pub(super) entry_points: Option<u32>,
    outlines: OnceCell<Vec<Option<Vec<Point>>>>,
    boxes: OnceCell<Vec<Option<Around>>>,
}

/// A rectangle around some points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub(super) least: Point,
    pub(super) most: Point,
}

impl Around {
    pub(super) fn of(points: &[Point]) -> Self {
        let fold = |pick: fn(i64, i64) -> i64, of: usize| {
            points.iter().filter_map(|it| it.get(of).copied()).reduce(pick).unwrap_or(0)
        };
        Self { least: [fold(i64::min, 0), fold(i64::min, 1)], most: [fold(i64::max, 0), fold(i64::max, 1)] }
    }

    /// Returns `true` if another rectangle is within a distance along both axes.
    pub(super) fn is_near(&self, other: &Self, distance: i64) -> bool {
        let near = |least: i64, most: i64, other_least: i64, other_most: i64| {
            other_least - most <= distance && least - other_most <= distance
        };
        let ([x, y], [to_x, to_y]) = (self.least, self.most);
        near(x, to_x, other.least[0], other.most[0]) && near(y, to_y, other.least[1], other.most[1])
    }
}

/// Returns the item at an index.
pub(super) fn get<T>(list: &[T], index: i16) -> Option<&T> {
    list.get(usize::try_from(index).ok()?)
}

/// Returns `true` if a table of some entries has one at an index.
pub(super) fn has(count: usize, index: i16) -> bool {
    usize::try_from(index).is_ok_and(|index| index < count)
}

/// Returns the steps to a record.
pub(super) fn record(list: &'static str, index: usize) -> [Step; 2] {
    [Step::Name(list), Step::Index(wide(index))]
}

/// Returns the cross product of two edges: positive for a turn to the right, as y grows downward.
pub(super) fn cross([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) -> i64 {
    (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
}

/// Returns each edge of an outline: its beginning and its end.
pub(super) fn edges(outline: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    let next = outline.iter().cycle().skip(1);
    outline.iter().copied().zip(next.copied())
}

/// Returns twice the area of an outline: positive if it is clockwise.
pub(super) fn twice_area(outline: &[Point]) -> i64 {
    edges(outline).map(|([x, y], [to_x, to_y])| x * to_y - to_x * y).sum()
}

/// Returns the square of the distance from a point to an edge.
pub(super) fn square_to_edge([x, y]: Point, ([ax, ay], [bx, by]): (Point, Point)) -> i64 {
    let (dx, dy) = (bx - ax, by - ay);
    let square = dx * dx + dy * dy;
    let along = ((x - ax) * dx + (y - ay) * dy).clamp(0, square);
    // All are below 2^17, so that the products fit.
    let [near_x, near_y] = match square {
        0 => [ax, ay],
        square => [ax + along * dx / square, ay + along * dy / square],
    };
    (x - near_x) * (x - near_x) + (y - near_y) * (y - near_y)
}

impl<'a> Survey<'a> {
    /// Returns the tables of a level with these chunks; the first of several of a kind counts.
    pub(super) fn of(chunks: impl Iterator<Item = &'a Content>) -> Self {
        let mut it = Self::default();
        let (mut endpoints, mut is_saved) = (Vec::new(), false);
        /// Sets a table, unless it has entries already.
        fn set<'a, T>(table: &mut &'a [T], entries: &'a [T]) {
            if table.is_empty() {
                *table = entries;
            }
        }
        for chunk in chunks {
            match chunk {
                Content::Points(array) if it.points.is_empty() => {
                    it.points =
                        array.records.iter().map(|point| [point.x.get(), point.y.get()].map(i64::from)).collect();
                }
                Content::Endpoints(array) if endpoints.is_empty() => {
                    endpoints =
                        array.records.iter().map(|point| [point.x.get(), point.y.get()].map(i64::from)).collect();
                }
                Content::Lines(array) => set(&mut it.lines, &array.records),
                Content::Sides(array) => set(&mut it.sides, &array.records),
                Content::EarlySides(array) => set(&mut it.sides, bytemuck::must_cast_slice(&array.records)),
                Content::Polygons(array) => set(&mut it.polygons, &array.records),
                Content::EarlyPolygons(array) => {
                    it.is_early = true;
                    set(&mut it.polygons, bytemuck::must_cast_slice(&array.records));
                }
                Content::Objects(array) => set(&mut it.objects, &array.records),
                Content::EarlyObjects(array) => set(&mut it.objects, bytemuck::must_cast_slice(&array.records)),
                Content::Lights(array) => {
                    set(&mut it.later_lights, &array.records);
                    it.lights = it.later_lights.len();
                }
                Content::EarlyLights(array) => it.lights = it.lights.max(array.records.len()),
                Content::Liquids(array) => set(&mut it.liquids, &array.records),
                Content::AmbientSounds(array) => set(&mut it.ambient, &array.records),
                Content::RandomSounds(array) => set(&mut it.random, &array.records),
                Content::PlatformPlans(array) if it.platforms.is_empty() => {
                    it.platforms = array.records.iter().map(|platform| platform.polygon.get()).collect();
                }
                Content::Platforms(array) if it.platforms.is_empty() => {
                    it.platforms = array.records.iter().map(|platform| platform.polygon.get()).collect();
                }
                Content::Terminals(terminals) if it.terminals.is_none() => {
                    it.terminals = Some(terminals.terminals.len());
                }
                Content::EarlyInformation(_) | Content::ShortInformation(_) => it.has_properties = true,
                Content::Information(information) => {
                    it.has_properties = true;
                    it.entry_points = Some(bitflags::Flags::bits(&information.entry_point_flags));
                }
                Content::SavedPlayers(players) => is_saved |= !players.records.is_empty(),
                _ => {}
            }
        }
        it.is_processed = it.points.is_empty() && !endpoints.is_empty() && !it.is_early;
        if it.points.is_empty() {
            it.points = endpoints;
        }
        let counts = [it.points.len(), it.lines.len(), it.sides.len(), it.polygons.len(), it.objects.len()];
        it.is_level = !it.polygons.is_empty() && !is_saved && counts.iter().all(|count| *count <= MOST);
        it
    }

    /// Returns `true` if a list of records is the one that the engine takes.
    pub(super) fn takes<T, R>(table: &[T], records: &[R]) -> bool {
        core::ptr::addr_eq(table.as_ptr(), records.as_ptr())
    }

    /// Returns `true` if a polygon is for a platform.
    pub(super) fn is_platform(polygon: &Polygon) -> bool {
        // The number is the same in Marathon.
        debug_assert_eq!(PolygonKind::PLATFORM.get(), EarlyPolygonKind::PLATFORM.get());
        polygon.kind == PolygonKind::PLATFORM
    }

    /// Returns the endpoints at both ends of a line.
    pub(super) fn ends(&self, line: &Line) -> Option<[Point; 2]> {
        let [from, to] = line.endpoints;
        Some([*get(&self.points, from.get())?, *get(&self.points, to.get())?])
    }

    /// Returns the vertices of a polygon as the engine finds them: the point that each line shares with the line before it. `None` if they
    /// do not share one point each, or if an index leads nowhere.
    pub(super) fn ring(&self, polygon: &Polygon) -> Option<Vec<i16>> {
        let count = usize::from(polygon.vertex_count.get());
        let lines = polygon.lines.get(..count).filter(|lines| lines.len() >= 3)?;
        let lines: Option<Vec<&Line>> = lines.iter().map(|line| get(self.lines, line.get())).collect();
        let lines = lines?;
        let before = lines.iter().cycle().skip(count - 1);
        let shared = lines.iter().zip(before).map(|(line, before)| {
            let [from, to] = line.endpoints.map(|it| it.get());
            let other = before.endpoints.map(|it| it.get());
            match [other.contains(&from), other.contains(&to)] {
                [true, false] => Some(from),
                [false, true] => Some(to),
                _ => None,
            }
        });
        let ring: Vec<i16> = shared.collect::<Option<_>>()?;
        ring.iter().all(|point| has(self.points.len(), *point)).then_some(ring)
    }

    /// Returns for each polygon the points of its outline, or `None` if its lines have none.
    pub(super) fn outlines(&self) -> &[Option<Vec<Point>>] {
        self.outlines.get_or_init(|| {
            let outline =
                |polygon| self.ring(polygon)?.into_iter().map(|point| get(&self.points, point).copied()).collect();
            self.polygons.iter().map(outline).collect()
        })
    }

    /// Returns the rectangle around each polygon, or `None` for those without an outline.
    pub(super) fn boxes(&self) -> &[Option<Around>] {
        self.boxes.get_or_init(|| self.outlines().iter().map(|outline| outline.as_deref().map(Around::of)).collect())
    }
}
