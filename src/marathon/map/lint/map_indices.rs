//! The number of entries of the index lists that the engine makes for a level when it loads it. Source: `marathon-lint.md`, section 4.
//!
//! The engine takes the heights of platforms at that time, so the number can differ by a few hundredths.

use std::collections::VecDeque;

use bitflags::Flags as _;

use super::super::super::names::{LineFlags, ObjectGroup};
use super::super::{Line, Polygon};
use super::survey::{Around, Point, Survey, edges, get, square_to_edge};

/// The most polygons of a flood.
const FLOODED: usize = 255;
/// The distances up to which lines and points are in the zones of a polygon, polygons are its neighbors, and it hears a source of sound.
const ZONE: i64 = 256;
const NEIGHBOR: i64 = 768;
const SOUND: i64 = 10_240;

/// Returns the square of the distance of two outlines or edges that do not cross: that of an end of one to an edge of the other.
fn square_between(one: &[Point], other: &[Point]) -> i64 {
    let nearest = |points: &[Point], outline: &[Point]| {
        points
            .iter()
            .flat_map(|point| edges(outline).map(|edge| square_to_edge(*point, edge)))
            .min()
            .unwrap_or(i64::MAX)
    };
    nearest(one, other).min(nearest(other, one))
}

/// A line, with what each flood asks again and again.
struct Wall {
    ends: [Point; 2],
    around: Around,
    /// The floor and the ceiling of the polygons on both sides.
    heights: Vec<[i16; 2]>,
}

/// What was met in a flood: the number of the last one, plus 1, that met each.
struct Met(Vec<usize>);

impl Met {
    fn new(count: usize) -> Self {
        Self(vec![0; count])
    }

    /// Returns `true` if a flood has not met this before.
    fn is_new(&mut self, flood: usize, index: usize) -> bool {
        self.0.get_mut(index).is_some_and(|last| core::mem::replace(last, flood + 1) != flood + 1)
    }
}

/// The level, with what each flood asks again and again.
struct Flooded<'s, 'a> {
    level: &'s Survey<'a>,
    around: Vec<Option<Around>>,
    /// The lines that stop what moves.
    walls: Vec<Option<Wall>>,
    /// For each polygon, the numbers of its lines, and of the polygons across those that are transparent.
    lines: Vec<Vec<usize>>,
    open: Vec<Vec<usize>>,
}

/// Returns the number of entries that the engine makes, or a part of them that is more than a limit.
pub(super) fn count(level: &Survey<'_>, limit: usize) -> usize {
    let sources: Vec<Point> = level
        .objects
        .iter()
        .filter(|object| object.group == ObjectGroup::SOUND_SOURCE)
        .map(|object| [object.x.get(), object.y.get()].map(i64::from))
        .collect();
    let flooded = Flooded::of(level);
    let mut met = [level.polygons.len(), level.lines.len(), level.points.len()].map(Met::new);
    let mut made = owners(level);
    for (index, outline) in level.outlines().iter().enumerate() {
        if made > limit {
            break;
        }
        let around = flooded.around.get(index).and_then(Option::as_ref);
        made += 1 + flooded.zones(index, &mut met) + heard(outline.as_deref().zip(around), &sources);
    }
    made
}

/// Returns the number of sources of sound that are heard in a polygon.
fn heard(polygon: Option<(&[Point], &Around)>, sources: &[Point]) -> usize {
    let Some((outline, around)) = polygon else { return 0 };
    let is_heard = |source: &&Point| {
        let is_near = around.is_near(&Around { least: **source, most: **source }, SOUND);
        is_near && edges(outline).any(|edge| square_to_edge(**source, edge) <= SOUND * SOUND)
    };
    sources.iter().filter(is_heard).count()
}

/// Returns the number of polygons and lines at the points of platforms.
fn owners(level: &Survey<'_>) -> usize {
    let mut at_point = vec![0_usize; level.points.len()];
    let mut add = |point: i16| {
        let count = usize::try_from(point).ok().and_then(|point| at_point.get_mut(point));
        count.into_iter().for_each(|count| *count += 1);
    };
    level.polygons.iter().filter_map(|polygon| level.ring(polygon)).flatten().for_each(&mut add);
    level.lines.iter().flat_map(|line| line.endpoints).for_each(|point| add(point.get()));
    let platforms = level.platforms.iter().filter_map(|polygon| level.ring(get(level.polygons, *polygon)?));
    platforms.flatten().filter_map(|point| get(&at_point, point)).sum()
}

impl<'s, 'a> Flooded<'s, 'a> {
    fn of(level: &'s Survey<'a>) -> Self {
        let around = level.outlines().iter().map(|outline| outline.as_deref().map(Around::of)).collect();
        let walls = level.lines.iter().map(|line| {
            let heights: Vec<[i16; 2]> = heights(level, line).collect();
            let ends = level.ends(line).filter(|_| is_wall(line, &heights))?;
            Some(Wall { ends, around: Around::of(&ends), heights })
        });
        let own = |polygon: &Polygon| {
            let lines = polygon.lines.iter().take(polygon.vertex_count.get().into());
            lines.filter_map(|line| usize::try_from(line.get()).ok()).filter(|line| *line < level.lines.len()).collect()
        };
        let lines: Vec<Vec<usize>> = level.polygons.iter().map(own).collect();
        let across = |(index, lines): (usize, &Vec<usize>)| {
            let lines = lines.iter().filter_map(|line| level.lines.get(*line));
            let lines = lines.filter(|line| line.flags.contains(LineFlags::TRANSPARENT));
            let both = lines.flat_map(|line| [line.clockwise_polygon, line.counterclockwise_polygon]);
            both.filter_map(|it| usize::try_from(it.get()).ok()).filter(|it| *it != index).collect()
        };
        let open = lines.iter().enumerate().map(across).collect();
        Self { level, around, walls: walls.collect(), lines, open }
    }

    /// Returns the numbers of lines and points in the zones of a polygon, and of its neighbors.
    fn zones(&self, from: usize, [polygons, lines, points]: &mut [Met; 3]) -> usize {
        let level = self.level;
        let (Some(Some(outline)), Some(own)) = (level.outlines().get(from), level.polygons.get(from)) else { return 0 };
        let Some(Some(around)) = self.around.get(from) else { return 0 };
        let beside = adjacent(level, from, own);
        let (mut entries, mut flooded) = (0, 1_usize);
        let mut queue = VecDeque::from([from]);
        polygons.is_new(from, from);
        while let Some(at) = queue.pop_front() {
            let is_level = || level.polygons.get(at).is_some_and(|it| overlaps(height(own), height(it)));
            if at != from && (beside.contains(&at) || is_level() && self.is_neighbor(around, outline, at)) {
                entries += 1;
            }
            for number in self.lines.get(at).into_iter().flatten().filter(|number| lines.is_new(from, **number)) {
                let Some(Some(wall)) = self.walls.get(*number) else { continue };
                let is_beside = wall.heights.iter().any(|it| overlaps(height(own), *it));
                if !around.is_near(&wall.around, ZONE) || !is_beside {
                    continue;
                }
                entries += usize::from(square_between(outline, &wall.ends) <= ZONE * ZONE);
                let both = level.lines.get(*number).map(|line| line.endpoints).unwrap_or_default();
                for (point, end) in both.iter().zip(wall.ends) {
                    let is_near = || edges(outline).any(|edge| square_to_edge(end, edge) <= ZONE * ZONE);
                    entries += usize::from(
                        usize::try_from(point.get()).is_ok_and(|point| points.is_new(from, point)) && is_near(),
                    );
                }
            }
            for next in self.open.get(at).into_iter().flatten() {
                if flooded < FLOODED && polygons.is_new(from, *next) {
                    flooded += 1;
                    queue.push_back(*next);
                }
            }
        }
        entries
    }

    /// Returns `true` if another polygon is near enough to be a neighbor.
    fn is_neighbor(&self, around: &Around, outline: &[Point], other: usize) -> bool {
        let Some(Some(other_around)) = self.around.get(other) else { return false };
        let Some(Some(other)) = self.level.outlines().get(other) else { return false };
        if !around.is_near(other_around, NEIGHBOR) {
            return false;
        }
        square_between(outline, other) <= NEIGHBOR * NEIGHBOR
    }
}

/// Returns the polygons on the other side of the lines of a polygon.
fn adjacent(level: &Survey<'_>, from: usize, own: &Polygon) -> Vec<usize> {
    let lines = own.lines.iter().take(own.vertex_count.get().into());
    let across = lines.filter_map(|line| get(level.lines, line.get()));
    let across = across.flat_map(|line| [line.clockwise_polygon, line.counterclockwise_polygon]);
    across.filter_map(|it| usize::try_from(it.get()).ok()).filter(|it| *it != from).collect()
}

/// Returns the floor and the ceiling on both sides of a line.
fn heights(level: &Survey<'_>, line: &Line) -> impl Iterator<Item = [i16; 2]> {
    let both = [line.clockwise_polygon, line.counterclockwise_polygon].map(|it| get(level.polygons, it.get()));
    both.into_iter().flatten().map(height)
}

/// Returns `true` for a line that stops what moves: a solid one, or one between floors of different heights.
fn is_wall(line: &Line, heights: &[[i16; 2]]) -> bool {
    let is_step = matches!(heights, [[floor, _], [other, _]] if floor != other);
    line.flags.contains(LineFlags::SOLID) || is_step
}

/// Returns `true` if a polygon is at a height of another, or of a wall.
fn overlaps(heights: [i16; 2], other: [i16; 2]) -> bool {
    let ([floor, ceiling], [other_floor, other_ceiling]) = (heights, other);
    other_floor < ceiling && floor < other_ceiling
}

/// Returns the floor and the ceiling of a polygon.
fn height(polygon: &Polygon) -> [i16; 2] {
    [polygon.floor_height.get(), polygon.ceiling_height.get()]
}
