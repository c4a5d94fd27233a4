//! Values that a level computes from its points and the heights of its polygons: lengths, areas, centers, adjacent heights.
//!
//! Source: `marathon-map.md`, `EPNT`, `LINS`, `POLY`.

use field::{Block, I16be};

use super::super::numbers::{Distance, Index};
use super::lists::{Lists, Runs};
use super::{AnyPolygon, Endpoint, Line, Platform, Point};

/// The floor and ceiling of a polygon, or the space common to several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heights {
    pub(crate) floor: i16,
    pub(crate) ceiling: i16,
}

/// A record with values that the rest of its level computes.
pub(crate) trait Ruled: Sized {
    /// Returns the record with the values that the level computes.
    fn ruled(&self, index: usize, level: &Geometry) -> Self;
}

/// A polygon whose values a level computes.
pub(crate) trait Outlined: AnyPolygon {
    /// Returns its runs of the index lists.
    fn runs(&self) -> Runs;
    /// Returns the polygon with the area and center computed from its points.
    fn by(&self, level: &Geometry) -> Self;
}

/// The shape of a level, as far as rules depend on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Geometry {
    points: Vec<[i16; 2]>,
    polygons: Vec<Heights>,
    /// The heights common to the polygons at each point.
    around: Vec<Heights>,
    runs: Vec<Runs>,
}

impl Heights {
    /// The heights at a point without polygons.
    const NONE: Self = Self { floor: i16::MIN, ceiling: i16::MAX };

    /// Returns the floor and ceiling of a polygon.
    fn of(polygon: &impl AnyPolygon) -> Self {
        Self { floor: polygon.floor_height().get(), ceiling: polygon.ceiling_height().get() }
    }

    /// Returns the highest floor and the lowest ceiling.
    fn narrowed(self, other: Self) -> Self {
        Self { floor: self.floor.max(other.floor), ceiling: self.ceiling.min(other.ceiling) }
    }
}

/// Returns the item at an index.
fn at<T>(list: &[T], index: Index) -> Option<&T> {
    list.get(usize::try_from(index.get()).ok()?)
}

/// Returns the low 16 bits of a number.
fn low(number: u64) -> i16 {
    let [.., high, low] = number.to_be_bytes();
    i16::from_be_bytes([high, low])
}

impl Geometry {
    /// Sets the points of a level saved by an editor.
    pub(crate) fn points(&mut self, points: &[Point]) {
        self.points = points.iter().map(|point| [point.x.get(), point.y.get()]).collect();
    }

    /// Sets the points of a processed level, unless points are already known.
    pub(crate) fn endpoints(&mut self, points: &[Endpoint]) {
        if self.points.is_empty() {
            self.points = points.iter().map(|point| [point.x.get(), point.y.get()]).collect();
        }
    }

    /// Sets the polygons, after the points.
    pub(crate) fn polygons<P: Outlined>(&mut self, polygons: &[P]) {
        self.polygons = polygons.iter().map(Heights::of).collect();
        self.runs = polygons.iter().map(P::runs).collect();
        self.around = vec![Heights::NONE; self.points.len()];
        for polygon in polygons {
            for vertex in polygon.vertices() {
                let around = usize::try_from(vertex.get()).ok().and_then(|vertex| self.around.get_mut(vertex));
                if let Some(around) = around {
                    *around = around.narrowed(Heights::of(polygon));
                }
            }
        }
    }

    /// Checks the index lists, after the polygons are known.
    pub(crate) fn lists(&self, indices: &[I16be], platforms: &[Platform], early: bool) -> Lists {
        Lists::judge(indices, &self.runs, platforms, early)
    }

    /// Returns the area and the center of a polygon, or `None` if points are missing.
    pub(super) fn area_and_center(&self, vertices: &[Index]) -> Option<(i32, [i16; 2])> {
        let point = |vertex: &Index| at(&self.points, *vertex).map(|point| point.map(i64::from));
        let [mut x, mut y] = point(vertices.last()?)?;
        let (mut twice, mut sum) = (0, [0, 0]);
        for vertex in vertices {
            let ([next_x, next_y], [sum_x, sum_y]) = (point(vertex)?, sum);
            twice += x * next_y - next_x * y;
            sum = [sum_x + next_x, sum_y + next_y];
            [x, y] = [next_x, next_y];
        }
        let count = i64::try_from(vertices.len()).ok()?;
        let center = sum.map(|sum| i16::try_from(sum / count).unwrap_or_default());
        Some((i32::try_from(twice.abs() / 2).unwrap_or(i32::MAX), center))
    }

    /// Returns the low 16 bits of the distance between two points, rounded to the nearest integer.
    fn length(&self, [from, to]: [Index; 2]) -> Option<i16> {
        let ([x, y], [to_x, to_y]) = (at(&self.points, from)?, at(&self.points, to)?);
        let [x, y] = [(x, to_x), (y, to_y)].map(|(from, to)| u64::from(from.abs_diff(*to)));
        let square = x * x + y * y;
        let root = square.isqrt();
        Some(low(if square - root * root > root { root + 1 } else { root }))
    }
}

/// Returns the records with the values that their level computes.
pub(crate) fn ruled<R: Ruled + bytemuck::Pod>(records: &Block<R>, level: &Geometry) -> Block<R> {
    let records = records.iter().enumerate();
    records.map(|(index, record)| record.ruled(index, level)).collect::<Vec<_>>().into()
}

impl Ruled for Line {
    fn ruled(&self, _: usize, level: &Geometry) -> Self {
        let sides = [self.clockwise_polygon, self.counterclockwise_polygon];
        let heights = sides.into_iter().filter_map(|polygon| at(&level.polygons, polygon).copied());
        let heights = heights.reduce(Heights::narrowed).unwrap_or(Heights { floor: 0, ceiling: 0 });
        Self {
            length: level.length(self.endpoints).unwrap_or_default().into(),
            highest_adjacent_floor: heights.floor.into(),
            lowest_adjacent_ceiling: heights.ceiling.into(),
            ..*self
        }
    }
}

impl Ruled for Endpoint {
    fn ruled(&self, index: usize, level: &Geometry) -> Self {
        let heights = level.around.get(index).copied().unwrap_or(Heights::NONE);
        Self {
            highest_adjacent_floor: Distance::new(heights.floor),
            lowest_adjacent_ceiling: Distance::new(heights.ceiling),
            ..*self
        }
    }
}

impl<P: Outlined> Ruled for P {
    fn ruled(&self, _: usize, level: &Geometry) -> Self {
        self.by(level)
    }
}
