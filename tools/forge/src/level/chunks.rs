//! The records of a level. Source: marathon-map.md.

use super::Level;
use super::figures;
use super::geometry::{Geometry, Lists, index};
use crate::bytes::{Bytes, field};
use crate::random::Random;
use crate::wad::Tag;

/// Data shared by the chunks of a level.
pub struct Whole<'a> {
    /// The description of the level.
    pub level: Level<'a>,
    /// Its shape.
    pub shape: Geometry,
    /// Its index lists, if it has any.
    pub lists: Option<Lists>,
    /// The rooms that are platforms.
    pub platforms: Vec<usize>,
    /// The number of lights.
    lights: usize,
}

/// The index of the sound source among the objects: the player comes before it.
const SOURCE: usize = 1;

impl<'a> Whole<'a> {
    /// Generates a level.
    pub fn new(level: Level<'a>, random: &mut Random) -> Self {
        let mut shape = Geometry::new(level.polygons, random);
        let has = |tag: &Tag| level.tags.contains(&tag);
        let rooms = if has(b"plat") || has(b"PLAT") { level.polygons } else { 0 };
        let platforms: Vec<_> = (0..rooms).step_by(20).collect();
        if !has(b"POLY") {
            shape.empty();
        } else if !has(b"SIDS") {
            shape.bare();
        }
        let owners = if has(b"PLAT") && !level.is_early() { &platforms[..] } else { &[] };
        let source = Some(SOURCE).filter(|&source| has(b"OBJS") && source < objects(level));
        let lists = has(b"iidx").then(|| Lists::new(&shape, level.is_early(), owners, source));
        Self { level, shape, lists, platforms, lights: level.polygons / 16 + 1 }
    }

    /// Returns `true` if the level has a chunk.
    fn has(&self, tag: &Tag) -> bool {
        self.level.tags.contains(&tag)
    }

    /// Returns the flags of a line: solid outside, else transparent; with a step; of a platform. Source: marathon-enums.md.
    fn line_flags(&self, line: usize) -> u16 {
        let rooms = self.shape.lines[line].rooms;
        let inner = rooms.iter().all(Option::is_some);
        let moves = rooms.into_iter().flatten().any(|room| self.platforms.contains(&room));
        let flag = |on, bit: u16| if on { bit } else { 0 };
        flag(!inner, 0x4000) | flag(inner, 0x2000) | flag(self.shape.is_step(line), 0x0800) | flag(moves, 0x0400)
    }

    /// Returns `PNTS`.
    pub fn points(&self) -> Vec<u8> {
        let mut out = Bytes::new();
        self.shape.points.iter().for_each(|&[x, y]| _ = out.be_i16(x).be_i16(y));
        out.finish()
    }

    /// Returns `EPNT`.
    pub fn endpoints(&self) -> Vec<u8> {
        let mut out = Bytes::new();
        for (at, &[x, y]) in self.shape.points.iter().enumerate() {
            let around = self.shape.rooms_at(at);
            let [floor, ceiling] = self.shape.heights(around.iter().copied()).unwrap_or([i16::MIN, i16::MAX]);
            let lines: Vec<u16> = self.shape.lines_at(at).into_iter().map(|line| self.line_flags(line)).collect();
            let any = |bit: u16| lines.iter().any(|flags| flags & bit != 0);
            let flags = [any(0x4000), any(0x0800), !any(0x4000)].into_iter().zip([1, 2, 4]);
            let flags: u16 = flags.map(|(on, bit)| if on { bit } else { 0 }).sum();
            out.be_u16(flags).be_i16(floor).be_i16(ceiling).be_i16(x).be_i16(y).fill(0, 4);
            out.be_i16(index(around.first().copied()));
        }
        out.finish()
    }

    /// Returns `LINS`; some lines contain the name of an editor.
    pub fn lines(&self) -> Vec<u8> {
        let mut out = Bytes::new();
        for (at, line) in self.shape.lines.iter().enumerate() {
            let [floor, ceiling] = self.shape.heights(line.rooms.into_iter().flatten()).unwrap_or([0, 0]);
            out.be_i16(line.ends[0] as i16).be_i16(line.ends[1] as i16);
            out.be_u16(self.line_flags(at)).be_i16(self.shape.length(at));
            out.be_i16(floor).be_i16(ceiling);
            line.sides.iter().chain(&line.rooms).for_each(|&at| _ = out.be_i16(index(at)));
            match at % 16 {
                3 => out.raw(b"Chisel").be_i32(-1).be_i16(0),
                _ => out.fill(0, 12),
            };
        }
        out.finish()
    }

    /// Returns `SIDS`.
    pub fn sides(&self, random: &mut Random) -> Vec<u8> {
        let early = self.level.is_early();
        let mut out = Bytes::new();
        for (at, &(room, line)) in self.shape.sides.iter().enumerate() {
            let own = &self.shape.rooms[room];
            // Full, or low if the opposite floor is higher, or high if the opposite ceiling is lower.
            let kind = self.shape.behind(room, line).map_or(0, |behind| if behind.floor > own.floor { 2 } else { 1 });
            let [flags, panel, permutation] =
                if kind == 0 && at % 3 == 0 { self.panel(random) } else { [random.one_of(&[0, 16]), -1, 0] };
            out.be_i16(kind).be_i16(flags);
            out.raw(&figures(4, random)).be_u16(random.between(0x1100, 0x1120) as u16);
            out.raw(&figures(4, random)).be_u16(0xFFFF);
            out.raw(&figures(4, random)).be_u16(0xFFFF);
            // Along the line; editors leave this to the preprocessor.
            let ends = self.shape.lines[line].ends.map(|end| self.shape.points[end]);
            let zone = ends.into_iter().chain(ends).flatten();
            zone.for_each(|it| _ = out.be_i16(if self.lists.is_some() { it } else { 0 }));
            out.be_i16(panel).be_i16(permutation);
            out.be_i16(0).be_i16(random.between(0, 20) as i16).be_i16(0);
            out.be_i16(if early { random.one_of(&[0, 64, 128, 129, 256, 384]) } else { room as i16 })
                .be_i16(line as i16);
            let light = if early { 0 } else { (room % self.lights) as i16 };
            out.be_i16(light).be_i16(light).be_i16(0).be_i32(random.one_of(&[0, 0, 0x4000])).be_i16(0);
        }
        out.finish()
    }

    /// Returns flags, type and permutation of a control panel. Source: marathon-enums.md, Control panels.
    fn panel(&self, random: &mut Random) -> [i16; 3] {
        if self.level.is_early() {
            return [random.one_of(&[2, 6]), random.between(0, 13) as i16, 0];
        }
        let light = (self.lights - 1) as i16;
        // Of the water set: oxygen, a light, a tag, a pattern buffer; a platform and a terminal if the level has one.
        let mut panels = vec![[2, 0, 0], [2, 4, light], [18, 6, 3], [2, 7, 0]];
        panels.extend(self.platforms.last().map(|&room| [2, 5, room as i16]));
        panels.extend(self.has(b"term").then_some([2, 8, 0]));
        random.one_of(&panels)
    }

    /// Returns type and permutation of a room. Source: marathon-enums.md, Polygon type.
    fn kind(&self, room: usize, random: &mut Random) -> [i16; 2] {
        if let Some(platform) = self.platforms.iter().position(|&platform| platform == room) {
            return [5, platform as i16];
        }
        let kind = random.between(0, if self.level.is_early() { 15 } else { 18 }) as i16;
        match (kind, self.platforms.first()) {
            (5, _) | (7 | 9, None) => [0, 0],
            (6 | 8, _) => [kind, (room % self.lights) as i16],
            (7 | 9, Some(&platform)) => [kind, platform as i16],
            (10, _) => [kind, random.below(self.level.polygons as u32) as i16],
            _ => [kind, 0],
        }
    }

    /// Returns `POLY`.
    pub fn polygons(&self, random: &mut Random) -> Vec<u8> {
        let early = self.level.is_early();
        let mut out = Bytes::new();
        for (at, room) in self.shape.rooms.iter().enumerate() {
            let [kind, permutation] = self.kind(at, random);
            out.be_i16(kind).be_u16(0).be_i16(permutation).be_u16(4);
            // The slots after the vertices hold 0, none, or values of an earlier shape.
            let spare = random.one_of(&[0, -1, 5]);
            let eight = |out: &mut Bytes, four: [i16; 4]| {
                four.into_iter().chain([spare; 4]).for_each(|it| _ = out.be_i16(it));
            };
            eight(&mut out, room.corners.map(|it| it as i16));
            eight(&mut out, room.lines.map(|it| it as i16));
            out.be_u16(0x1105).be_u16(random.one_of(&[0x1106, 0xFFFF])).be_i16(room.floor).be_i16(room.ceiling);
            out.be_i16((at % self.lights) as i16).be_i16(0).be_i32(self.shape.area(at)).be_i16(-1);
            let beside = self.shape.beside(at);
            let [zone, neighbors, sounds] = match &self.lists {
                Some(lists) => lists.rooms[at],
                None => [-1, -1, random.between(-0x8000, 0x7FFF) as i16],
            };
            let [lines, corners] = if self.lists.is_some() { [4, 4] } else { [0, 0] };
            out.be_i16(zone).be_i16(lines).be_i16(corners).be_i16(random.between(0, 20) as i16).be_i16(0);
            eight(&mut out, beside.map(index));
            out.be_i16(neighbors);
            out.be_i16(if self.lists.is_some() { beside.iter().flatten().count() as i16 } else { 0 });
            self.shape.center(at).into_iter().for_each(|it| _ = out.be_i16(it));
            let side = |line: usize| self.shape.sides.iter().position(|&side| side == (at, line));
            eight(&mut out, room.lines.map(|line| index(side(line))));
            out.fill(0, 8);
            match early {
                true => out.fill(0, 10),
                false => {
                    let first = |tag: &Tag, room| index((at == room && self.has(tag)).then_some(0));
                    // Without a liquid, its light is a leftover value.
                    let media = first(b"medi", 2);
                    out.be_i16(media).be_i16(if media == 0 { 0 } else { -7760 }).be_i16(sounds);
                    out.be_i16(first(b"ambi", 0)).be_i16(first(b"bonk", 1))
                }
            };
            out.be_i16(0);
        }
        out.finish()
    }

    /// Returns `LITE`: as many as in a real level.
    pub fn lights(&self, random: &mut Random) -> Vec<u8> {
        let mut out = Bytes::new();
        for _ in 0..self.lights {
            match self.level.data_version {
                0 => {
                    out.be_u16(0).be_i16(random.between(0, 6) as i16).be_i16(random.one_of(&[1, 3])).be_i16(0);
                    out.be_i32(0x4000).be_i32(0x10000).be_i16(60).be_i32(0x8000).raw(&random.garbage(10));
                }
                2 => _ = out.raw(&figures(28, random)).raw(&light(random)),
                _ => _ = out.raw(&light(random)),
            }
        }
        out.finish()
    }

    /// Returns `NOTE`; in some, a piece of an older one comes after the text.
    pub fn notes(&self) -> Vec<u8> {
        let mut out = Bytes::new();
        for at in 0..self.level.polygons / 100 + 1 {
            let tail: &[u8] = if at % 2 == 0 { b"" } else { b"h older note" };
            let [x, y] = self.place(0);
            out.be_i16(0).be_i16(x).be_i16(y).be_i16(0).raw(&field::<64>(b"Hangar 96", tail));
        }
        out.finish()
    }

    /// Returns the middle of a room, or a point if the level has no rooms.
    fn place(&self, room: usize) -> [i16; 2] {
        if self.shape.rooms.is_empty() { self.shape.points[room] } else { self.shape.center(room) }
    }

    /// Returns `OBJS`: a player, a source of sound, then any others.
    pub fn objects(&self, random: &mut Random) -> Vec<u8> {
        let mut out = Bytes::new();
        for at in 0..objects(self.level) {
            let room = at % self.level.polygons;
            let [x, y] = self.place(room);
            let group = match at {
                0 => 3,
                SOURCE => 5,
                _ => random.between(0, 5) as i16,
            };
            // A monster, a piece of scenery of water, an item, a team, a goal, a sound; Marathon has as many.
            let index = match group {
                1 => random.between(13, 27),
                2 => random.between(1, 33),
                3 => random.between(0, 7),
                5 => random.between(0, 27),
                _ => random.between(0, 34),
            };
            let facing = match group {
                // A volume, or the light that it depends on.
                5 => random.one_of(&[256, if self.lights > 1 { -1 } else { 64 }]),
                _ => random.between(0, 512),
            };
            out.be_i16(group).be_i16(if at == 0 { 0 } else { index as i16 }).be_i16(facing as i16);
            out.be_i16(room as i16).be_i16(x).be_i16(y).be_i16(0);
            out.be_u16(if self.level.is_early() { 0 } else { random.one_of(&[0, 2, 0x1000, 0x3004]) });
        }
        out.finish()
    }

    /// Returns `plac`: 64 items, 64 monsters.
    pub fn placement(&self, random: &mut Random) -> Vec<u8> {
        let mut out = Bytes::new();
        for _ in 0..128 {
            out.be_u16(random.below(2) as u16).be_i16(random.between(0, 9) as i16).be_i16(0).be_i16(3);
            out.be_i16(random.between(-1, 2) as i16).be_u16(random.below(0x10000) as u16);
        }
        out.finish()
    }

    /// Returns `plat`.
    pub fn platform_plans(&self, random: &mut Random) -> Vec<u8> {
        let mut out = Bytes::new();
        for &room in &self.platforms {
            out.be_i16(random.between(0, 5) as i16).be_i16(34).be_i16(60).be_i16(-1).be_i16(-1);
            out.be_u32(random.below(1 << 27)).be_i16(room as i16).be_i16(0).fill(0, 14);
        }
        out.finish()
    }

    /// Returns `PLAT`, with leftover memory in meaningless fields.
    pub fn platforms(&self, random: &mut Random) -> Vec<u8> {
        let mut out = Bytes::new();
        let Some(lists) = &self.lists else { return vec![] };
        for (&room, owners) in self.platforms.iter().zip(&lists.platforms) {
            let Geometry { rooms, .. } = &self.shape;
            out.be_i16(random.between(0, 8) as i16).be_u32(random.below(1 << 27)).be_i16(34).be_i16(60);
            let [floor, ceiling] = [rooms[room].floor, rooms[room].ceiling];
            out.be_i16(floor).be_i16(ceiling).be_i16(ceiling).be_i16(ceiling).be_i16(room as i16);
            out.be_u16(random.one_of(&[32, 66, 322, 45])).be_i16(floor).be_i16(ceiling).raw(&random.garbage(2));
            for (corner, &[polygons, lines]) in rooms[room].corners.iter().zip(owners) {
                out.be_i16(polygons).be_i16(self.shape.rooms_at(*corner).len() as i16);
                out.be_i16(lines).be_i16(self.shape.lines_at(*corner).len() as i16);
            }
            out.raw(&random.garbage(32)).be_i16(-1).be_i16(0).raw(&random.garbage(44));
        }
        out.finish()
    }
}

/// Returns the number of objects in a level.
fn objects(level: Level<'_>) -> usize {
    level.polygons / 3 + 1
}

/// Returns a light, 100 bytes.
fn light(random: &mut Random) -> Vec<u8> {
    let mut out = Bytes::new();
    out.be_i16(random.between(0, 2) as i16).be_u16(random.below(6) as u16).be_i16(random.between(0, 195) as i16);
    for _ in 0..6 {
        out.be_i16(random.between(0, 5) as i16).be_i16(60).be_i16(0);
        out.be_i32(random.one_of(&[0, 65535, 65536])).be_i32(0);
    }
    out.be_i16(0).fill(0, 8);
    out.finish()
}

/// Returns a record of `medi`.
pub fn liquid(random: &mut Random) -> Vec<u8> {
    let mut out = Bytes::new();
    out.be_i16(random.between(0, 4) as i16).be_u16(random.one_of(&[0, 1, 0x8000])).be_i16(0);
    // Direction and speed of the current, low and high tide, then leftovers of a running game.
    out.be_i16(random.between(0, 511) as i16).be_i16(random.between(0, 64) as i16).be_i16(-512).be_i16(0);
    out.raw(&figures(6, random));
    out.be_i32(0).be_u16(0xFFFF).be_i16(0).fill(0, 4);
    out.finish()
}

/// Returns a record of `ambi`.
pub fn ambient_sound(random: &mut Random) -> Vec<u8> {
    let mut out = Bytes::new();
    out.be_u16(0).be_i16(random.between(0, 27) as i16).be_i16(256).fill(0, 10);
    out.finish()
}

/// Returns a record of `bonk`.
pub fn random_sound(random: &mut Random) -> Vec<u8> {
    let mut out = Bytes::new();
    out.be_u16(1)
        .be_i16(random.between(0, 4) as i16)
        .be_i16(256)
        .be_i16(10)
        .be_i16(900)
        .be_i16(300)
        .be_i16(0)
        .be_i16(0);
    out.be_i32(random.one_of(&[65536, -65536])).be_i32(0).be_i16(random.one_of(&[-1, 1120])).fill(0, 6);
    out.finish()
}
