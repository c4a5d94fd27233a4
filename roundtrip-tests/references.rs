//! An index that is out of range or refers to something with a different name is reported. No index in golden is, and
//! the geometry of its levels is consistent.
//!
//! Levels are read through the model here, but computed values are derived again from `marathon-map.md`.

use std::fs;
use std::process::Command;

use bitexact::field::{I16be, decode};
use bitexact::install::files;
use bitexact::json::Compact;
use bitexact::marathon::chunk::Content;
use bitexact::marathon::map::{Line, Polygon};
use bitexact::marathon::wad::Wad;
use bitexact::registry::KINDS;
use bitexact::verify::{Status, verify};

use crate::harness::{self, sample};

/// Returns the deviations of a file as `place: expected, found`.
fn deviations(name: &str, bytes: &[u8]) -> Vec<String> {
    let report = verify(KINDS, name, bytes.to_vec());
    assert_eq!(report.status, Status::Identical, "{name}: {:?}", report.failure);
    report
        .deviations
        .iter()
        .map(|it| format!("{}: {}, {}", it.first_place, Compact(&it.expected), Compact(&it.found)))
        .collect()
}

/// Returns the deviations of a file after one edit with `patch`.
fn patched(path: &std::path::Path, set: &str) -> Vec<String> {
    let desk = tempfile::tempdir().unwrap();
    let name = path.file_name().unwrap();
    let new = desk.path().join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_bitexact"))
        .args(["patch", path.to_str().unwrap(), "--set", set, "-o"])
        .arg(&new)
        .output()
        .unwrap();
    assert!(output.status.success(), "{set}: {}", String::from_utf8_lossy(&output.stderr));
    deviations(&name.to_string_lossy(), &fs::read(new).unwrap())
}

#[test]
fn event_index_deviates_if_out_of_range_or_of_another_name() {
    let event = "/definitions/1/sequences/0/events/2/payload";
    for (name, expected) in [
        ("mw_sound_node_index_anim.zbd", "dynamic_sound: 1, 2"),
        ("mw_light_index_anim.zbd", "light: 1, 2"),
        ("cs_light_index_0_anim.zbd", "light: 1, 0"),
        ("cs_light_name_anim.zbd", r#"light: "the index of lava", 1"#),
        ("mw_puffer_index_anim.zbd", "puffer: 1, 7"),
        ("mw_node_index_anim.zbd", r#"node: "1 to 1, 0, -1, -100 or -200", 2"#),
        ("cs_node_minus_anim.zbd", r#"node: "1 to 1, 0, -1, -100 or -200", -2"#),
        ("cs_sound_index_anim.zbd", r#"static_sound: "0, -1, -100 or -200", 1"#),
        ("mw_wait_index_anim.zbd", r#"wait: "-1", 1"#),
    ] {
        assert_eq!(deviations(name, &sample(name)), [format!("{event}/{expected}")], "{name}");
    }
}

#[test]
fn edited_index_of_a_real_file_deviates() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let light = "/definitions/25/sequences/1/events/2/payload/light";
    let found = patched(&corpora.join("zipper/rc/zbd/m1/anim.zbd"), &format!("{light}=2"));
    assert!(found.contains(&format!("{light}: 1, 2")), "{found:?}");
    let object = "0!OBJS:/objects/0/polygon";
    let map = corpora.join("marathon/maps/eternal-legends-The-Wrkncacnter.sceA");
    let found = patched(&map, &format!("{object}=9999"));
    assert!(found.iter().any(|it| it.starts_with(&format!("{object}: \"a polygon from 0 to "))), "{found:?}");
}

/// The position of an index in the records of a chunk: record size and offset; its place in the first record, with `*`
/// if it is one of several; `true` if -1 means none.
type Index = (&'static [u8; 4], usize, usize, &'static str, bool);

/// Indices of a processed level of Marathon 2. Source: `marathon-map.md`.
const LATER: &[Index] = &[
    (b"EPNT", 16, 14, "endpoints/*/supporting_polygon", true),
    (b"LINS", 32, 0, "lines/*/endpoints/*", false),
    (b"LINS", 32, 2, "lines/*/endpoints/*", false),
    (b"LINS", 32, 12, "lines/*/clockwise_side", true),
    (b"LINS", 32, 14, "lines/*/counterclockwise_side", true),
    (b"LINS", 32, 16, "lines/*/clockwise_polygon", true),
    (b"LINS", 32, 18, "lines/*/counterclockwise_polygon", true),
    (b"SIDS", 64, 48, "sides/*/polygon", false),
    (b"SIDS", 64, 50, "sides/*/line", false),
    (b"SIDS", 64, 52, "sides/*/primary_light", false),
    (b"SIDS", 64, 54, "sides/*/secondary_light", false),
    (b"SIDS", 64, 56, "sides/*/transparent_light", false),
    (b"POLY", 128, 4, "polygons/*/permutation", false),
    (b"POLY", 128, 14, "polygons/*/endpoints/*", false),
    (b"POLY", 128, 24, "polygons/*/lines/*", false),
    (b"POLY", 128, 48, "polygons/*/floor_light", false),
    (b"POLY", 128, 50, "polygons/*/ceiling_light", false),
    (b"POLY", 128, 68, "polygons/*/adjacent_polygons/*", true),
    (b"POLY", 128, 98, "polygons/*/sides/*", true),
    (b"POLY", 128, 116, "polygons/*/media", true),
    (b"POLY", 128, 122, "polygons/*/ambient_sound", true),
    (b"POLY", 128, 124, "polygons/*/random_sound", true),
    (b"OBJS", 16, 6, "objects/*/polygon", false),
    (b"medi", 32, 4, "liquids/*/light", false),
    (b"PLAT", 140, 18, "platforms/*/polygon", false),
];

/// Indices of other levels. Source: `marathon-map.md`.
const UNPROCESSED: &[Index] =
    &[(b"NOTE", 72, 6, "annotations/*/polygon", false), (b"plat", 32, 14, "platform_plans/*/polygon", false)];

/// Indices of a level of Marathon. Source: `marathon-map.md`.
const EARLY: &[Index] = &[
    (b"LINS", 32, 16, "lines/*/clockwise_polygon", true),
    (b"SIDS", 64, 50, "early_sides/*/line", false),
    (b"POLY", 128, 24, "early_polygons/*/lines/*", false),
    (b"POLY", 128, 50, "early_polygons/*/ceiling_light", false),
    (b"OBJS", 16, 6, "objects/*/polygon", false),
];

/// Indices of a physics model. Source: `marathon-physics.md`.
const PHYSICS: &[Index] = &[
    (b"MNpx", 156, 66, "monsters/*/impact_effect", true),
    (b"MNpx", 156, 68, "monsters/*/melee_impact_effect", true),
    (b"MNpx", 156, 70, "monsters/*/contrail_effect", true),
    (b"MNpx", 156, 124, "monsters/*/melee_attack/projectile", true),
    (b"MNpx", 156, 140, "monsters/*/ranged_attack/projectile", true),
    (b"PRpx", 48, 4, "projectiles/*/detonation_effect", true),
    (b"PRpx", 48, 8, "projectiles/*/contrail_effect", true),
    (b"PRpx", 48, 14, "projectiles/*/media_promotion", true),
];

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Returns the offset of the payload of a chunk in the first entry.
fn payload(wad: &[u8], tag: &[u8; 4]) -> usize {
    let (start, header) = (word(wad, word(wad, 72)), if wad[1] < 2 { 12 } else { 16 });
    let mut at = start;
    while wad[at..at + 4] != *tag {
        at = start + word(wad, at + 4);
        assert!(at > start, "no chunk {}", String::from_utf8_lossy(tag));
    }
    at + header
}

/// Returns `true` if an index of a wad deviates at any of its places.
fn deviates(name: &str, wad: &[u8], (tag, _, _, place, _): Index) -> bool {
    let report = verify(KINDS, name, wad.to_vec());
    assert_eq!(report.status, Status::Identical, "{name}: {:?}", report.failure);
    let path = format!("*!{}:/{place}", String::from_utf8_lossy(tag));
    report.deviations.iter().any(|it| it.place == path)
}

#[test]
fn marathon_index_deviates_exactly_if_out_of_range() {
    for (name, indices) in [
        ("m2_map_processed.sceA", LATER),
        ("m2_map_b.sceA", UNPROCESSED),
        ("m1_map_by_the_rule.scen", EARLY),
        ("m2_standard.phyA", PHYSICS),
    ] {
        let wad = sample(name);
        for &index in indices {
            let (tag, size, at, place, or_none) = index;
            // The second record, if there is one.
            let second = if matches!(tag, b"medi" | b"PLAT" | b"NOTE" | b"plat") || place.ends_with("permutation") {
                0
            } else {
                size
            };
            let at = payload(&wad, tag) + second + at;
            assert!(!deviates(name, &wad, index), "{name}: {place} as it was made");
            for (value, expected) in [(0, false), (-1, !or_none), (-2, true), (0x7FFF, true), (i16::MIN, true)] {
                let mut edited = wad.clone();
                edited[at..at + 2].copy_from_slice(&i16::to_be_bytes(value));
                assert_eq!(deviates(name, &edited, index), expected, "{name}: {place} = {value}");
            }
        }
    }
}

#[test]
fn shapes_index_deviates_if_out_of_range() {
    for (name, set, expected) in [
        ("Enforcer.ShPa", "/blocks/1/items/1/sequences/0/frames/0", "a frame from 0 to "),
        ("Enforcer.ShPa", "/blocks/1/items/2/frames/0/frame/bitmap", "a bitmap from 0 to "),
    ] {
        let desk = tempfile::tempdir().unwrap();
        let path = desk.path().join(name);
        fs::write(&path, sample(name)).unwrap();
        let found = patched(&path, &format!("{set}=9999"));
        assert!(found.iter().any(|it| it.starts_with(&format!("{set}: \"-1 or {expected}"))), "{found:?}");
    }
}

/// Returns the records of the first non-empty chunk of these kinds in an entry.
macro_rules! chunk {
    ($chunks:expr, $($variant:ident)|+) => {
        $chunks.iter().find_map(|chunk| match &chunk.payload {
            $(Content::$variant(array) if !array.records.is_empty() => Some(&array.records[..]),)+
            _ => None,
        })
    };
}

fn index(index: I16be) -> Option<usize> {
    (index.get() != -1).then(|| usize::try_from(index.get()).expect("-1, or an index"))
}

/// Checks that lines, sides, polygons and points of a level are consistent. Source: `marathon-map.md`.
fn fits(name: &str, lines: &[Line], polygons: &[Polygon], sides: &[[I16be; 2]], points: &[[i64; 2]]) {
    // In this level, areas and centers are intentionally stale: an editor did not compute them.
    let is_stale = name.ends_with("Stale Areas.sceA");
    for (at, polygon) in polygons.iter().enumerate() {
        let count = usize::from(polygon.vertex_count.get());
        assert!((3..=8).contains(&count), "{name}");
        let corners: Vec<usize> = polygon.endpoints[..count].iter().map(|it| index(*it).unwrap()).collect();
        let mut twice = 0;
        for slot in 0..count {
            let ends = [corners[slot], corners[(slot + 1) % count]];
            let line_at = index(polygon.lines[slot]).unwrap();
            let line = &lines[line_at];
            let mut line_ends = line.endpoints.map(|it| index(it).unwrap());
            let mut rooms = [line.clockwise_polygon, line.counterclockwise_polygon].map(index);
            let mut line_sides = [line.clockwise_side, line.counterclockwise_side].map(index);
            if rooms[0] != Some(at) {
                rooms.reverse();
                line_sides.reverse();
                line_ends.reverse();
            }
            assert_eq!((line_ends, rooms[0]), (ends, Some(at)), "{name}: line {line_at} of polygon {at}");
            assert_eq!(index(polygon.adjacent_polygons[slot]), rooms[1], "{name}: what is behind polygon {at}");
            assert_eq!(index(polygon.sides[slot]), line_sides[0], "{name}: a side of polygon {at}");
            let [from, to] = ends.map(|end| points[end]);
            twice += from[0] * to[1] - to[0] * from[1];
        }
        assert!(twice > 0, "{name}: polygon {at} goes clockwise, where y points down");
        if is_stale {
            continue;
        }
        assert_eq!(i64::from(polygon.area.get()), twice / 2, "{name}: the area of polygon {at}");
        let sum = |axis: usize| corners.iter().map(|corner| points[*corner][axis]).sum::<i64>() / count as i64;
        assert_eq!(
            polygon.center.map(|it| i64::from(it.get())),
            [sum(0), sum(1)],
            "{name}: the center of polygon {at}"
        );
    }
    for (at, [room, line]) in sides.iter().enumerate() {
        let line = &lines[index(*line).unwrap()];
        let sides = [line.clockwise_side, line.counterclockwise_side].map(index);
        let rooms = [line.clockwise_polygon, line.counterclockwise_polygon].map(index);
        let own =
            sides.iter().position(|side| *side == Some(at)).unwrap_or_else(|| panic!("{name}: side {at} of no line"));
        if let Some(room) = index(*room) {
            assert_eq!(rooms[own], Some(room), "{name}: the polygon of side {at}");
        }
    }
}

#[test]
fn golden_levels_are_consistent_and_their_indices_in_range() {
    let mut levels = 0;
    for file in files(&harness::golden_install()).unwrap() {
        let (name, bytes) = (file.shown(), file.read().unwrap());
        // A MacBinary header of 128 bytes precedes the wad.
        let wad = if name.ends_with(".scen") && bytes[0] == 0 && bytes[1] > 0 { &bytes[128..] } else { &bytes[..] };
        if !matches!(name.rsplit('.').next(), Some("sceA" | "scen" | "sgaA")) || name.contains("/._") {
            continue;
        }
        let report = verify(KINDS, &name, bytes.clone());
        for deviation in &report.deviations {
            let is_index = Compact(&deviation.expected).to_string().contains(" from 0 to ")
                || Compact(&deviation.expected).to_string().contains("(none exist)");
            assert!(!is_index, "{name}: {deviation:?}");
        }
        // Other files have other wrappers around wads of the same origin.
        if !Wad::begins(wad) {
            continue;
        }
        let end = word(wad, 72) + usize::from(u16::from_be_bytes([wad[76], wad[77]])) * 8;
        let wad = if wad.len() < bytes.len() { &wad[..end] } else { wad };
        let wad = decode::<Wad>(wad.to_vec()).unwrap_or_else(|error| panic!("{name}: {error}")).model;
        for entry in &wad.entries {
            let chunks = &entry.chunks;
            let points: Vec<[i64; 2]> = match (chunk!(chunks, Points), chunk!(chunks, Endpoints)) {
                (Some(points), _) => points.iter().map(|it| [it.x, it.y].map(|it| it.get().into())).collect(),
                (_, Some(points)) => points.iter().map(|it| [it.x, it.y].map(|it| it.get().into())).collect(),
                _ => continue,
            };
            let Some(lines) = chunk!(chunks, Lines) else { continue };
            if let (Some(polygons), Some(sides)) = (chunk!(chunks, Polygons), chunk!(chunks, Sides)) {
                let sides: Vec<_> = sides.iter().map(|side| [side.polygon, side.line]).collect();
                fits(&name, lines, polygons, &sides, &points);
                levels += 1;
            }
            if let (Some(polygons), Some(sides)) = (chunk!(chunks, EarlyPolygons), chunk!(chunks, EarlySides)) {
                let sides: Vec<_> = sides.iter().map(|side| [I16be::new(-1), side.line]).collect();
                // The records differ only in the names of their kinds.
                let polygons: Vec<Polygon> = polygons.iter().map(|it| bytemuck::must_cast(*it)).collect();
                fits(&name, lines, &polygons, &sides, &points);
                levels += 1;
            }
        }
    }
    assert!(levels > 20, "{levels} levels");
}

#[test]
fn world_deviates_if_its_first_cell_or_place_differs() {
    for (name, expected) in [
        ("world_min.zbd", "/nodes/slots/0/world/z_min: 1, 0"),
        ("world_min_pm.zbd", "/nodes/slots/0/world/z_min: 1, 0"),
        ("world_virtual_cell.zbd", "/nodes/slots/0/virtual_partition_z: 0, 1"),
        ("world_zone.zbd", "/nodes/slots/0/zone_id: 255, 1"),
        ("world_cell.zbd", "/nodes/slots/0/area_partition_x: -1, 0"),
        ("world_model.zbd", "/nodes/slots/0/model_index: -1, 0"),
    ] {
        assert_eq!(deviations(name, &sample(name)), [expected], "{name}");
    }
}
