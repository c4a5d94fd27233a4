//! Levels with traps. Source: marathon-map.md, marathon-terminals.md.

use super::samples::games;
use super::{Chunk, Entry, Spec, Tag, build};
use crate::bytes::Bytes;
use crate::level::{self, Level, Terminal};
use crate::random::Random;
use crate::sample::{Trap, kept, reported};
use crate::{Sample, Size};

/// Returns a level of a few rooms with these chunks.
fn one_level(random: &mut Random, size: Size, data_version: i16, tags: &[&Tag]) -> Spec {
    let polygons = if size == Size::Tiny { 1 } else { 6 };
    let level = Level { tags, data_version, polygons, name: b"Arrival" };
    Spec::new(
        if data_version == 0 { 0 } else { 2 },
        data_version,
        b"Map",
        vec![Entry::new(0, level::level(level, random))],
    )
}

/// Returns levels with traps: unprocessed, processed, of Marathon.
pub(super) fn traps(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |trap: &Trap<Spec>, data_version, tags: &[&Tag]| {
        let spec = one_level(&mut Random::named(seed, trap.name), size, data_version, tags);
        Sample::of(trap.name, "wad", games(spec.version), spec, Some(trap), build)
    };
    let unprocessed: &[&Tag] = &[b"PNTS", b"LINS", b"POLY", b"SIDS", b"LITE", b"OBJS", b"Minf", b"term"];
    let processed: &[&Tag] = &[b"LINS", b"POLY", b"SIDS", b"LITE", b"OBJS", b"iidx", b"EPNT", b"PLAT"];
    let early: &[&Tag] = &[b"iidx", b"EPNT", b"LINS", b"POLY", b"NAME", b"LITE", b"Minf", b"p\x8Cth"];
    let unprocessed = UNPROCESSED.iter().map(|trap| sample(trap, 1, unprocessed));
    let processed = PROCESSED.iter().map(|trap| sample(trap, 1, processed));
    let early = EARLY.iter().map(|trap| sample(trap, 0, early));
    unprocessed.chain(processed).chain(early).collect()
}

/// Returns the contents of a chunk.
fn data<'a>(spec: &'a mut Spec, tag: &Tag) -> &'a mut Vec<u8> {
    let chunk = spec.entries[0].chunks.iter_mut().find(|chunk| chunk.tag == *tag);
    &mut chunk.expect("the level has the chunk").data
}

/// Overwrites bytes of a chunk.
fn put(spec: &mut Spec, tag: &Tag, at: usize, bytes: &[u8]) {
    data(spec, tag)[at..at + bytes.len()].copy_from_slice(bytes);
}

/// Replaces a chunk.
fn replace(spec: &mut Spec, tag: &Tag, with: Vec<u8>) {
    *data(spec, tag) = with;
}

const UNPROCESSED: &[Trap<Spec>] = &[
    reported("lines_rest.sceA", "lines that are followed by a part of one", |spec| data(spec, b"LINS").extend(b"rest")),
    reported("points_rest.sceA", "less than a point", |spec| replace(spec, b"PNTS", vec![1; 3])),
    reported("length_stale.sceA", "a line whose length is that of an earlier one", |spec| {
        put(spec, b"LINS", 6, &[0x12, 0x34])
    }),
    kept("length_wraps.sceA", "a line too long for its length", |spec| {
        // A line without rooms, from one corner of the world to the other, 92,680 units long.
        data(spec, b"PNTS").extend([0x80, 0, 0x80, 0, 0x7F, 0xFF, 0x7F, 0xFF]);
        let points = data(spec, b"PNTS").len() / 4;
        let mut line = Bytes::new();
        line.be_i16(points as i16 - 2).be_i16(points as i16 - 1).be_u16(0x4000).be_i16((92_680 - 65_536) as i16);
        line.be_i16(0).be_i16(0).be_i32(-1).be_i32(-1).fill(0, 12);
        data(spec, b"LINS").extend(line.finish());
    }),
    reported("area_0.sceA", "a polygon whose area and center an editor left to others", |spec| {
        put(spec, b"POLY", 52, &[0; 4]);
        put(spec, b"POLY", 88, &[0x7A; 4]);
    }),
    reported("vertices_9.sceA", "more vertices than there is room for", |spec| put(spec, b"POLY", 6, &[0, 9])),
    reported("vertices_ffff.sceA", "as many vertices as can be said", |spec| put(spec, b"POLY", 6, &[0xFF; 2])),
    reported("endpoint_outside.sceA", "a line from a point that is not there", |spec| {
        put(spec, b"LINS", 0, &[0x7F, 0xFF])
    }),
    reported("no_points.sceA", "lines and polygons without points", |spec| _ = spec.entries[0].chunks.remove(0)),
    kept("information_86.sceA", "level information with flags cut short", |spec| {
        let information = data(spec, b"Minf");
        information.drain(84..86);
    }),
    reported("information_80.sceA", "level information of another length", |spec| data(spec, b"Minf").truncate(80)),
    reported("placement_12.sceA", "object frequencies of another length", |spec| {
        spec.entries[0].chunks.push(Chunk::new(b"plac", vec![0; 12]));
    }),
    kept("light_full.sceA", "unknown kinds of everything", |spec| {
        put(spec, b"LITE", 0, &[0x7F; 92]);
        put(spec, b"OBJS", 0, &[0xFF; 6]);
        put(spec, b"OBJS", 8, &[0xFF; 8]);
    }),
    reported("object_outside.sceA", "an object in a polygon that is not there", |spec| {
        put(spec, b"OBJS", 6, &[0x27, 0x0F])
    }),
    reported("object_nowhere.sceA", "an object in no polygon", |spec| put(spec, b"OBJS", 6, &[0xFF; 2])),
    kept("neighbor_nowhere.sceA", "a polygon without a neighbor that it had", |spec| {
        put(spec, b"POLY", 68, &[0xFF; 2])
    }),
    reported("media_without.sceA", "a polygon under a liquid of a level without", |spec| {
        put(spec, b"POLY", 116, &[0; 2])
    }),
    reported("terminal_without.sceA", "a control panel for a terminal that is not there", |spec| {
        put(spec, b"SIDS", 2, &[0, 2]);
        put(spec, b"SIDS", 38, &[0, 8, 0, 9]);
    }),
    reported("teleport_outside.sceA", "a terminal that leads to a polygon that is not there", |spec| {
        put(spec, b"term", 12, &[0, 7, 0x12, 0x34]);
    }),
    reported("light_unused.sceA", "something in the unused bytes of a light", |spec| put(spec, b"LITE", 92, &[1])),
    kept("terminal_empty.sceA", "terminals without anything", |spec| {
        let empty = Terminal { flags: 1, groups: &[], faces: &[] }.build();
        replace(spec, b"term", [&empty[..], &[0, 10, 0, 0, 0, 22, 0, 0, 0, 0]].concat());
    }),
    kept("terminal_roman.sceA", "a masked text of all bytes of Mac OS Roman", |spec| {
        let text: Vec<u8> = (0..=255).collect();
        replace(spec, b"term", Terminal { flags: 1, groups: &[(4, &text)], faces: &[] }.build());
    }),
    reported("terminal_range.sceA", "a group whose text ends behind the text", |spec| {
        put(spec, b"term", 18, &[0x7F, 0xFF])
    }),
    reported("terminal_short.sceA", "a terminal of 9 bytes", |spec| {
        data(spec, b"term").extend([0, 9, 0, 0, 0, 22, 0, 0, 0, 0])
    }),
    reported("terminal_long.sceA", "a terminal that reaches past the chunk", |spec| {
        data(spec, b"term").extend([0, 11, 0, 0, 0, 22, 0, 0, 0, 0]);
    }),
    reported("terminal_groups.sceA", "more groups than a terminal has bytes for", |spec| {
        data(spec, b"term").extend([0, 12, 0, 0, 0, 22, 0, 1, 0, 0, 0, 0]);
    }),
    reported("scripts_rest.sceA", "a bundle with more than its scripts", |spec| {
        let bundle = [&[0, 1, 0, 0, 0, 0][..], &[b'a'; 66], &[0, 0, 0, 1], b"xyz"].concat();
        spec.entries[0].chunks.push(Chunk::new(b"MMLS", bundle));
    }),
    kept("scripts_broken.sceA", "a bundle with a script that is longer than the bundle", |spec| {
        let bundle = [&[0, 1, 0, 0, 0, 0][..], &[b'a'; 66], &[0, 0, 1, 1], b"xyz"].concat();
        spec.entries[0].chunks.push(Chunk::new(b"LUAS", bundle));
    }),
    kept("two_levels_in_one.sceA", "points and lines that come twice", |spec| {
        let again = spec.entries[0].chunks[..2].to_vec();
        spec.entries[0].chunks.extend(again);
    }),
];

const PROCESSED: &[Trap<Spec>] = &[
    reported("floor_wrong.sceA", "a point that is said to lie at another floor", |spec| {
        put(spec, b"EPNT", 2, &[0x12, 0x34])
    }),
    kept("endpoint_live.sceA", "what a running game left in a point", |spec| {
        put(spec, b"EPNT", 0, &[0x0F, 3]);
        put(spec, b"EPNT", 10, &[0xAB; 4]);
    }),
    reported("zone_start.sceA", "an exclusion zone that begins elsewhere", |spec| put(spec, b"POLY", 58, &[0, 3])),
    reported("sound_start.sceA", "sound sources that begin elsewhere", |spec| put(spec, b"POLY", 120, &[0, 3])),
    reported("owner_start.sceA", "an owner of an endpoint whose polygons begin elsewhere", |spec| {
        put(spec, b"PLAT", 28, &[0, 3]);
    }),
    reported("indices_more.sceA", "index lists that are longer than what is in them", |spec| {
        data(spec, b"iidx").extend([0, 7])
    }),
    reported("indices_less.sceA", "index lists that end too early", |spec| {
        let length = data(spec, b"iidx").len();
        data(spec, b"iidx").truncate(length - 2);
    }),
    reported("indices_odd.sceA", "index lists of an odd length", |spec| data(spec, b"iidx").push(0)),
    reported("zone_line_outside.sceA", "an exclusion zone with a line that is not there", |spec| {
        put(spec, b"iidx", 0, &[0x80, 0])
    }),
    reported("parent_platform.sceA", "a platform with a parent", |spec| put(spec, b"PLAT", 92, &[0, 1])),
];

const EARLY: &[Trap<Spec>] = &[
    reported("early_light.scen", "a light of Marathon that shines otherwise", |spec| put(spec, b"LITE", 18, &[0, 1])),
    reported("early_zone_start.scen", "an exclusion zone that begins elsewhere", |spec| {
        put(spec, b"POLY", 58, &[0, 3])
    }),
    reported("early_line_outside.scen", "a polygon with a line that is not there", |spec| {
        put(spec, b"POLY", 24, &[0x7F, 0xFF])
    }),
    kept("early_platform_outside.scen", "a polygon of a platform that is not among those of the level", |spec| {
        put(spec, b"POLY", 0, &[0, 5, 0, 0, 0, 30]);
    }),
    reported("early_path.scen", "a guard path with something in it", |spec| data(spec, b"p\x8Cth").extend(b"path")),
    reported("early_other_name.scen", "a name that is not that of the level", |spec| {
        put(spec, b"NAME", 0, b"Departure")
    }),
    reported("early_name.scen", "a name of another length", |spec| data(spec, b"NAME").truncate(32)),
];
