//! The shape of a level: square rooms side by side, with slightly moved points, each room with its own heights.
//!
//! Values computed from the points are computed independently here, from marathon-map.md.

use crate::bytes::Bytes;
use crate::random::Random;

/// A line between two rooms, or on the outside of one.
pub struct Line {
    /// The points it joins, clockwise around the first of its rooms.
    pub ends: [usize; 2],
    /// The first room that it was drawn for, then the opposite one.
    pub rooms: [Option<usize>; 2],
    /// The sides seen from these rooms.
    pub sides: [Option<usize>; 2],
}

/// A room of four corners.
pub struct Room {
    /// Points, clockwise.
    pub corners: [usize; 4],
    /// The lines from each corner to the next.
    pub lines: [usize; 4],
    /// Height of the floor.
    pub floor: i16,
    /// Height of the ceiling.
    pub ceiling: i16,
}

/// The shape of a level.
pub struct Geometry {
    /// The coordinates of the points.
    pub points: Vec<[i16; 2]>,
    /// The lines between the points.
    pub lines: Vec<Line>,
    /// The rooms between the lines.
    pub rooms: Vec<Room>,
    /// The room and the line of each side.
    pub sides: Vec<(usize, usize)>,
}

/// The distance between two corners, before they are moved.
const UNIT: i32 = 512;

impl Geometry {
    /// Creates a level of this many rooms, in a square if possible.
    pub fn new(rooms: usize, random: &mut Random) -> Self {
        let columns = (1..).find(|columns| columns * columns >= rooms).unwrap_or(1);
        let rows = rooms.div_ceil(columns);
        let mut off = |at: usize| (at as i32 - columns as i32 / 2) * UNIT + random.between(-100, 100);
        let corners = (0..(columns + 1) * (rows + 1)).map(|at| [at % (columns + 1), at / (columns + 1)]);
        let points = corners.map(|[x, y]| [off(x) as i16, off(y) as i16]).collect();
        let mut level = Self { points, lines: vec![], rooms: vec![], sides: vec![] };
        for at in 0..rooms {
            let corner = |x, y| (at / columns + y) * (columns + 1) + at % columns + x;
            let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let lines = [0, 1, 2, 3].map(|side| level.line(at, [corners[side], corners[(side + 1) % 4]]));
            let floor = random.between(-8, 8) as i16 * 64;
            level.rooms.push(Room { corners, lines, floor, ceiling: floor + 1024 });
        }
        for room in 0..rooms {
            for line in level.rooms[room].lines {
                let own = usize::from(level.lines[line].rooms[0] != Some(room));
                let behind = level.lines[line].rooms[1 - own].map(|behind| level.rooms[behind].floor);
                // Between rooms of different heights, one side shows the step in the floor, the other that in the ceiling.
                if behind != Some(level.rooms[room].floor) {
                    level.lines[line].sides[own] = Some(level.sides.len());
                    level.sides.push((room, line));
                }
            }
        }
        level
    }

    /// Removes the sides, but not lines and rooms.
    pub fn bare(&mut self) {
        self.sides.clear();
        self.lines.iter_mut().for_each(|line| line.sides = [None; 2]);
    }

    /// Removes the rooms, but not lines and points.
    pub fn empty(&mut self) {
        self.bare();
        self.rooms.clear();
        self.lines.iter_mut().for_each(|line| line.rooms = [None; 2]);
    }

    /// Returns the line between two corners of a room: a new one, or that of the adjacent room.
    fn line(&mut self, room: usize, [from, to]: [usize; 2]) -> usize {
        let known = self.lines.iter().position(|line| line.ends == [to, from]);
        if let Some(line) = known {
            self.lines[line].rooms[1] = Some(room);
        } else {
            self.lines.push(Line { ends: [from, to], rooms: [Some(room), None], sides: [None; 2] });
        }
        known.unwrap_or(self.lines.len() - 1)
    }

    /// Returns the highest floor and the lowest ceiling of rooms.
    pub fn heights(&self, rooms: impl IntoIterator<Item = usize>) -> Option<[i16; 2]> {
        let rooms: Vec<_> = rooms.into_iter().map(|room| &self.rooms[room]).collect();
        let floor = rooms.iter().map(|room| room.floor).max()?;
        Some([floor, rooms.iter().map(|room| room.ceiling).min()?])
    }

    /// Returns the rooms that have a corner at a point.
    pub fn rooms_at(&self, point: usize) -> Vec<usize> {
        (0..self.rooms.len()).filter(|&room| self.rooms[room].corners.contains(&point)).collect()
    }

    /// Returns the lines that end at a point.
    pub fn lines_at(&self, point: usize) -> Vec<usize> {
        (0..self.lines.len()).filter(|&line| self.lines[line].ends.contains(&point)).collect()
    }

    /// Returns the room on the other side of a line.
    pub fn behind(&self, room: usize, line: usize) -> Option<&Room> {
        let other = self.lines[line].rooms.into_iter().flatten().find(|&other| other != room);
        other.map(|other| &self.rooms[other])
    }

    /// Returns `true` if the rooms at a line differ in height.
    pub fn is_step(&self, line: usize) -> bool {
        match self.lines[line].rooms {
            [Some(one), Some(other)] => self.rooms[one].floor != self.rooms[other].floor,
            _ => false,
        }
    }

    /// Returns the rooms on the other side of a room's lines.
    pub fn beside(&self, room: usize) -> [Option<usize>; 4] {
        self.rooms[room].lines.map(|line| self.lines[line].rooms.into_iter().flatten().find(|&other| other != room))
    }

    /// Returns the low 16 bits of the distance, rounded to the nearest integer. Source: marathon-map.md, `LINS`, offset 6.
    pub fn length(&self, line: usize) -> i16 {
        let [[x, y], [to_x, to_y]] = self.lines[line].ends.map(|point| self.points[point].map(f64::from));
        (x - to_x).hypot(y - to_y).round() as i64 as i16
    }

    /// Returns the shoelace sum, halved toward zero. Source: marathon-map.md, `POLY`, offset 52.
    pub fn area(&self, room: usize) -> i32 {
        let corners = self.rooms[room].corners.map(|point| self.points[point].map(i64::from));
        let twice: i64 =
            (0..4).map(|at| (corners[at], corners[(at + 1) % 4])).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
        (twice.abs() / 2) as i32
    }

    /// Returns the mean of the corners, rounded toward zero. Source: marathon-map.md, `POLY`, offset 88.
    pub fn center(&self, room: usize) -> [i16; 2] {
        let corners = self.rooms[room].corners.map(|point| self.points[point].map(i32::from));
        [0, 1].map(|axis| (corners.iter().map(|corner| corner[axis]).sum::<i32>() / 4) as i16)
    }
}

/// Returns an index, -1 for none.
pub fn index(at: Option<usize>) -> i16 {
    at.map_or(-1, |at| at as i16)
}

/// The index lists and the offset of each part. Source: marathon-map.md, `iidx`.
pub struct Lists {
    /// The indices of all lists.
    pub indices: Vec<i16>,
    /// The starts per room: its exclusion zones, its neighbors, its sound sources.
    pub rooms: Vec<[i16; 3]>,
    /// The starts per corner of each platform: its polygons, its lines.
    pub platforms: Vec<[[i16; 2]; 4]>,
}

impl Lists {
    /// Creates the lists of a level of Marathon, or of a later one with platforms in these rooms and possibly a source of sound.
    pub fn new(level: &Geometry, early: bool, platforms: &[usize], source: Option<usize>) -> Self {
        let mut indices = vec![];
        let mut rooms = vec![];
        for (at, room) in level.rooms.iter().enumerate() {
            let zone = indices.len() as i16;
            // Every second line is seen from the other side.
            indices.extend(room.lines.iter().map(|&line| if line % 2 == 0 { line as i16 } else { -(line as i16) - 1 }));
            indices.extend(room.corners.iter().map(|&corner| corner as i16));
            let neighbors = indices.len() as i16;
            indices.extend(level.beside(at).into_iter().flatten().map(|room| room as i16));
            rooms.push([zone, neighbors, 0]);
        }
        if !early {
            for (at, room) in rooms.iter_mut().enumerate() {
                room[2] = indices.len() as i16;
                indices.extend(source.filter(|_| at == 0).map(|source| source as i16));
                indices.push(-1);
            }
        }
        let platforms = platforms.iter().map(|&room| {
            level.rooms[room].corners.map(|corner| {
                let polygons = indices.len() as i16;
                indices.extend(level.rooms_at(corner).into_iter().map(|room| room as i16));
                let lines = indices.len() as i16;
                indices.extend(level.lines_at(corner).into_iter().map(|line| line as i16));
                [polygons, lines]
            })
        });
        let platforms = platforms.collect();
        Self { indices, rooms, platforms }
    }

    /// Returns `iidx`.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Bytes::new();
        self.indices.iter().for_each(|&index| _ = out.be_i16(index));
        out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Geometry;
    use crate::random::Random;

    #[test]
    fn rooms_share_their_lines() {
        let level = Geometry::new(4, &mut Random::new(1));
        assert_eq!((level.points.len(), level.lines.len()), (9, 12));
        assert_eq!(level.lines.iter().filter(|line| line.rooms[1].is_some()).count(), 4);
        assert_eq!(level.beside(0), [None, Some(1), Some(2), None]);
    }

    #[test]
    fn values_match_those_of_the_spec() {
        let mut level = Geometry::new(1, &mut Random::new(1));
        level.points = vec![[0, 0], [1024, 0], [-3, 1024], [1025, 1023]];
        assert_eq!((level.length(0), level.length(2)), (1024, 1028));
        assert_eq!((level.area(0), level.center(0)), (1_050_110, [511, 511]));
    }
}
