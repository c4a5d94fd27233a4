//! Contents of the entries of a wad: the chunks of a level or of a physics model.
//!
//! The records of a level are consistent; those of physics models and saved games have their true sizes and arbitrary values. Sources:
//! marathon-wad.md, sections 3 to 5; marathon-map.md; marathon-physics.md.

mod chunks;
mod geometry;
mod terminals;

use crate::bytes::{Bytes, field};
use crate::random::Random;
use crate::wad::{Chunk, Tag};
use chunks::{Whole, ambient_sound, liquid, random_sound};
use geometry::Lists;
pub use terminals::{Terminal, mask, terminals};

/// Chunks of a Marathon level. Source: marathon-wad.md, section 4.
pub const MARATHON: [&Tag; 24] = [
    b"iidx", b"EPNT", b"LINS", b"SIDS", b"POLY", b"NAME", b"LITE", b"NOTE", b"OBJS", b"p\x8Cth", b"Minf", b"plac",
    b"door", b"plat", b"plyr", b"dwol", b"mobj", b"door", b"alin", b"apol", b"mOns", b"fx  ", b"bang", b"PLAT",
];
/// Chunks of an unprocessed level, order A. Source: marathon-wad.md, section 4.
pub const UNPROCESSED_A: [&Tag; 13] = [
    b"PNTS", b"LINS", b"POLY", b"SIDS", b"LITE", b"NOTE", b"OBJS", b"Minf", b"plac", b"plat", b"term", b"medi", b"ambi",
];
/// Chunks of an unprocessed level, order A, with the platforms at the end. Source: marathon-wad.md, section 4.
pub const UNPROCESSED_A_PLATFORMS_LAST: [&Tag; 12] =
    [b"PNTS", b"LINS", b"POLY", b"SIDS", b"LITE", b"OBJS", b"Minf", b"plac", b"medi", b"ambi", b"bonk", b"plat"];
/// Chunks of an unprocessed level, order B. Source: marathon-wad.md, section 4.
pub const UNPROCESSED_B: [&Tag; 16] = [
    b"PNTS", b"LINS", b"SIDS", b"POLY", b"LITE", b"NOTE", b"OBJS", b"Minf", b"plac", b"plat", b"medi", b"ambi",
    b"bonk", b"term", b"LUAS", b"MMLS",
];
/// Chunks of a processed level. Source: marathon-wad.md, section 4.
pub const PROCESSED: [&Tag; 14] = [
    b"LINS", b"POLY", b"SIDS", b"LITE", b"OBJS", b"Minf", b"plac", b"medi", b"ambi", b"bonk", b"term", b"iidx",
    b"EPNT", b"PLAT",
];
/// Chunks of a physics model. Source: marathon-wad.md, section 4.
pub const PHYSICS: [&Tag; 5] = [b"MNpx", b"FXpx", b"PRpx", b"PXpx", b"WPpx"];

/// Chunks of an unprocessed level, order B, with its own physics chunk. Source: marathon-wad.md, section 4.
pub const UNPROCESSED_B_PHYSICS: [&Tag; 16] = [
    b"PNTS", b"LINS", b"SIDS", b"POLY", b"LITE", b"NOTE", b"OBJS", b"Minf", b"plac", b"plat", b"medi", b"ambi",
    b"bonk", b"term", b"PXpx", b"LUAS",
];
/// Chunks of a saved game. Source: marathon-wad.md, section 4.
pub const SAVED: [&Tag; 27] = [
    b"EPNT", b"LINS", b"SIDS", b"POLY", b"LITE", b"OBJS", b"Minf", b"plac", b"medi", b"ambi", b"bonk", b"term",
    b"MNpx", b"FXpx", b"PRpx", b"PXpx", b"WPpx", b"iidx", b"plyr", b"dwol", b"mobj", b"alin", b"apol", b"mOns",
    b"PLAT", b"weap", b"cint",
];

/// The description of a level to generate.
#[derive(Clone, Copy)]
pub struct Level<'a> {
    /// The chunks, in this order.
    pub tags: &'a [&'a Tag],
    /// Data version of the wad: 0 has old lights, 2 the state of a saved game.
    pub data_version: i16,
    /// The number of polygons; the numbers of other records are those of real levels of this size.
    pub polygons: usize,
    /// Name in `Minf` and `NAME`, Mac OS Roman.
    pub name: &'a [u8],
}

impl Level<'_> {
    /// Returns `true` for a level of Marathon.
    fn is_early(&self) -> bool {
        self.data_version == 0
    }
}

/// Returns the chunks of a level. A level of few polygons has no object frequencies: their 1,536 bytes never vary, and would alone make a
/// file more than tiny.
pub fn level(level: Level<'_>, random: &mut Random) -> Vec<Chunk> {
    let whole = Whole::new(level, random);
    let tags = level.tags.iter().filter(|&&tag| level.polygons > 1 || tag != b"plac");
    tags.map(|&tag| Chunk::new(tag, payload(tag, &whole, random))).collect()
}

/// Returns the chunks of a physics model with the counts of Marathon 2 (`infinity`: of Infinity), or one record of each. Source:
/// marathon-wad.md, section 12, by the sizes of the files; marathon-physics.md.
pub fn physics(infinity: bool, single: bool, random: &mut Random) -> Vec<Chunk> {
    let counts = match (single, infinity) {
        (true, _) => [1; 5],
        (false, false) => [43, 67, 38, 2, 9],
        (false, true) => [47, 73, 39, 2, 10],
    };
    let [monsters, effects, projectiles, ..] = counts;
    let whole = [monsters, effects, projectiles];
    PHYSICS.iter().zip(counts).map(|(&tag, count)| Chunk::new(tag, definitions(tag, whole, count, random))).collect()
}

/// Returns this many records of a physics chunk, in a model of this many monsters, effects and projectiles: arbitrary values, except for
/// references between definitions. Source: marathon-physics.md, sections 1 to 5.
fn definitions(tag: &Tag, [_, effects, projectiles]: [usize; 3], count: usize, random: &mut Random) -> Vec<u8> {
    let (size, leads): (usize, &[(usize, usize)]) = match tag {
        b"MNpx" => (156, &[(66, effects), (68, effects), (70, effects), (124, projectiles), (140, projectiles)]),
        b"FXpx" => (14, &[]),
        b"PRpx" => (48, &[(4, effects), (6, 4), (8, effects), (14, projectiles)]),
        b"PXpx" => (104, &[]),
        _ => (134, &[(86, projectiles), (122, projectiles)]),
    };
    leading(figures(size * count, random), size, leads, random)
}

/// Sets fields of records to valid indices or none, given the offset of each field and the number of entries of its table.
pub fn leading(mut records: Vec<u8>, size: usize, leads: &[(usize, usize)], random: &mut Random) -> Vec<u8> {
    for record in records.chunks_exact_mut(size) {
        for &(at, entries) in leads {
            let index = random.between(-1, entries as i32 - 1) as i16;
            record[at..at + 2].copy_from_slice(&index.to_be_bytes());
        }
    }
    records
}

fn payload(tag: &Tag, whole: &Whole<'_>, random: &mut Random) -> Vec<u8> {
    let level = whole.level;
    let p = level.polygons;
    let (size, count) = match tag {
        b"PNTS" => return whole.points(),
        b"EPNT" => return whole.endpoints(),
        b"LINS" => return whole.lines(),
        b"SIDS" => return whole.sides(random),
        b"POLY" => return whole.polygons(random),
        b"iidx" => return whole.lists.as_ref().map(Lists::write).unwrap_or_default(),
        b"LITE" => return whole.lights(random),
        b"NOTE" => return whole.notes(),
        b"OBJS" => return whole.objects(random),
        b"Minf" => return information(level, random),
        b"NAME" => return field::<64>(level.name, b"evel Name Goes Here!").into(),
        b"plac" => return whole.placement(random),
        b"plat" => return whole.platform_plans(random),
        // A Marathon level has `plat` and an empty `PLAT`.
        b"PLAT" if !level.is_early() => return whole.platforms(random),
        b"medi" => return liquid(random),
        b"ambi" => return ambient_sound(random),
        b"bonk" => return random_sound(random),
        b"term" => return terminals(level.name),
        b"MMLS" => return scripts(&[(b"sky.mml", b"<marathon>\r\n<fader/>\r</marathon>\n")]),
        b"LUAS" => return scripts(&[(b"netscript.lua", b"Triggers = {}\n"), (b"empty.lua", b"")]),
        b"MNpx" | b"FXpx" | b"PRpx" | b"WPpx" => return definitions(tag, [1; 3], 1, random),
        // Walking and running.
        b"PXpx" => return definitions(tag, [1; 3], 2, random),
        // The levels of Marathon contain these chunks too, but empty.
        b"plyr" if level.data_version == 2 => (930, 1),
        b"dwol" if level.data_version == 2 => (604, 1),
        b"mobj" if level.data_version == 2 => (32, p / 2 + 1),
        b"mOns" if level.data_version == 2 => (64, p / 8 + 1),
        b"fx  " if level.data_version == 2 => (32, 1),
        b"bang" if level.data_version == 2 => (32, 1),
        b"alin" if level.data_version == 2 => (1, whole.shape.lines.len().div_ceil(8)),
        b"apol" if level.data_version == 2 => (1, p.div_ceil(8)),
        b"weap" => (472, 1),
        b"cint" => (20, 1),
        b"SMET" => return b"player=Blaspheming Bob\r".into(),
        b"SIMG" => return random.garbage(64),
        _ => (0, 0),
    };
    figures(size * count, random)
}

/// Returns big-endian 16-bit values like those of map records: zero, none, an index, a coordinate.
pub fn figures(length: usize, random: &mut Random) -> Vec<u8> {
    let mut out = Bytes::new();
    while out.len() < length {
        out.be_i16(match random.below(4) {
            0 => 0,
            1 => -1,
            2 => random.between(0, 63) as i16,
            _ => random.between(-0x4000, 0x4000) as i16,
        });
    }
    out.truncate(length);
    out.finish()
}

/// Returns `Minf`, 88 bytes. Source: marathon-map.md.
fn information(level: Level<'_>, random: &mut Random) -> Vec<u8> {
    let mut out = Bytes::new();
    // The walls are those of water; Marathon has its own numbers.
    let environment = if level.is_early() { random.one_of(&[1, 2, 3, 5]) } else { 0 };
    out.be_i16(environment).be_i16(1).be_i16(random.between(0, 3) as i16);
    out.be_u16(1 << random.below(5)).be_u16(random.below(16) as u16).fill(0, 8);
    out.raw(&field::<66>(level.name, b"")).be_u32(random.one_of(&[1, 3, 4, 7, 12, 28, 30]));
    out.finish()
}

/// Returns the 74 bytes that a merged map repeats in its directory: both flag words, the entry point flags and the name of the `Minf` among
/// the chunks. Source: marathon-wad.md, section 2.2; marathon-map.md, `Minf`.
pub fn application_data(chunks: &[Chunk]) -> Vec<u8> {
    let minf = &chunks.iter().find(|chunk| &chunk.tag == b"Minf").expect("a level has Minf").data;
    [&minf[6..10], &minf[84..88], &minf[18..84]].concat()
}

/// Returns a script bundle: names and source code. Source: marathon-wad.md, section 5.
fn scripts(scripts: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.be_u16(scripts.len() as u16);
    for (name, text) in scripts {
        out.be_u32(0).raw(&field::<66>(name, b"")).be_u32(text.len() as u32).raw(text);
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::{Level, UNPROCESSED_A, application_data, level, physics};
    use crate::random::Random;

    /// Source: marathon-wad.md, sections 4 and 12: 11,992 bytes with 128 of header and 10 of directory.
    #[test]
    fn physics_has_the_retail_size() {
        let chunks = physics(true, false, &mut Random::new(1));
        assert_eq!(chunks.iter().map(|chunk| 16 + chunk.data.len()).sum::<usize>(), 11_992 - 138);
    }

    #[test]
    fn application_data_repeats_the_level() {
        let outline = Level { tags: &UNPROCESSED_A, data_version: 1, polygons: 4, name: b"Waterloo Waterpark" };
        let data = application_data(&level(outline, &mut Random::new(1)));
        assert_eq!(data.len(), 74);
        assert!(data[8..].starts_with(b"Waterloo Waterpark\0"));
    }
}
