//! What follows in a level from where its points are and how high its polygons: lengths, areas, centers, heights beside.
//!
//! Source: `marathon-map.md`, `EPNT`, `LINS`, `POLY`.

use crate::field::{Block, I16be};

use super::super::numbers::{Distance, Index};
use super::lists::{Lists, Runs};
use super::{Endpoint, Line, Platform, Point};

/// Between what heights a polygon lies, or several do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::marathon) struct Heights {
    pub(in crate::marathon) floor: i16,
    pub(in crate::marathon) ceiling: i16,
}

/// What records of a chunk follow from the rest of their level.
pub(in crate::marathon) trait Ruled: Sized {
    /// The record as its level would have it.
    fn ruled(&self, index: usize, level: &Geometry) -> Self;
}

/// A polygon, of Marathon or later.
pub(in crate::marathon) trait Outlined {
    /// Its endpoints.
    fn vertices(&self) -> &[Index];
    /// What it says of the index lists.
    fn runs(&self) -> Runs;
    /// Its floor and its ceiling.
    fn heights(&self) -> Heights;
    /// The same with the area and center that the points give.
    fn by(&self, level: &Geometry) -> Self;
}

/// The shape of a level, as far as rules are over it.
#[derive(Clone, Debug, Default)]
pub(in crate::marathon) struct Geometry {
    points: Vec<[i16; 2]>,
    polygons: Vec<Heights>,
    /// Of the polygons at each point.
    around: Vec<Heights>,
    runs: Vec<Runs>,
}

impl Heights {
    /// Those of no polygon.
    const NONE: Self = Self { floor: i16::MIN, ceiling: i16::MAX };

    /// The highest floor, the lowest ceiling.
    fn narrowed(self, other: Self) -> Self {
        Self { floor: self.floor.max(other.floor), ceiling: self.ceiling.min(other.ceiling) }
    }
}

/// What an index leads to.
fn at<T>(list: &[T], index: Index) -> Option<&T> {
    list.get(usize::try_from(index.get()).ok()?)
}

/// The low 16 bits of a number.
fn low(number: u64) -> i16 {
    let [.., high, low] = number.to_be_bytes();
    i16::from_be_bytes([high, low])
}

impl Geometry {
    /// Takes the points of a level as its editor left it.
    pub(in crate::marathon) fn points(&mut self, points: &[Point]) {
        self.points = points.iter().map(|point| [point.x.get(), point.y.get()]).collect();
    }

    /// Takes the points of a processed level, which count only where there are no others.
    pub(in crate::marathon) fn endpoints(&mut self, points: &[Endpoint]) {
        if self.points.is_empty() {
            self.points = points.iter().map(|point| [point.x.get(), point.y.get()]).collect();
        }
    }

    /// Takes the polygons, when the points are known.
    pub(in crate::marathon) fn polygons<P: Outlined>(&mut self, polygons: &[P]) {
        self.polygons = polygons.iter().map(P::heights).collect();
        self.runs = polygons.iter().map(P::runs).collect();
        self.around = vec![Heights::NONE; self.points.len()];
        for polygon in polygons {
            for vertex in polygon.vertices() {
                let around = usize::try_from(vertex.get()).ok().and_then(|vertex| self.around.get_mut(vertex));
                if let Some(around) = around {
                    *around = around.narrowed(polygon.heights());
                }
            }
        }
    }

    /// What is wrong with the index lists, when the polygons are known.
    pub(in crate::marathon) fn lists(&self, indices: &[I16be], platforms: &[Platform], early: bool) -> Lists {
        Lists::judge(indices, &self.runs, platforms, early)
    }

    /// The area and the center of a polygon; nothing where points are missing.
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

    /// The distance between two points, to the nearest, in 16 bits.
    fn length(&self, [from, to]: [Index; 2]) -> Option<i16> {
        let ([x, y], [to_x, to_y]) = (at(&self.points, from)?, at(&self.points, to)?);
        let [x, y] = [(x, to_x), (y, to_y)].map(|(from, to)| u64::from(from.abs_diff(*to)));
        let square = x * x + y * y;
        let root = square.isqrt();
        Some(low(if square - root * root > root { root + 1 } else { root }))
    }
}

/// The records as their level would have them.
pub(in crate::marathon) fn ruled<R: Ruled + bytemuck::Pod>(records: &Block<R>, level: &Geometry) -> Block<R> {
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
