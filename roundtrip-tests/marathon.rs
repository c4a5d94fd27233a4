//! Edits of maps, physics models and game recordings change the edited values and those derived from them, and nothing
//! else.
//!
//! Checksums, chunks and masks are computed again here, from `marathon-wad.md` and `marathon-terminals.md`.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;

use bitexact::field::decode;
use bitexact::marathon::export::overhead_map::svg;
use bitexact::marathon::wad::Wad;

use crate::harness::{self, sample};

/// Returns a file of the corpora, or `None` if they are absent.
fn corpus(path: &str) -> Option<Vec<u8>> {
    Some(fs::read(harness::corpora()?.join("marathon").join(path)).unwrap())
}

/// Returns the edited file, and the changes that `patch` and `diff` report.
fn patch(name: &str, file: &[u8], sets: &[&str]) -> (Vec<u8>, String) {
    let desk = tempfile::tempdir().unwrap();
    let path = |name: &str| -> PathBuf { desk.path().join(name) };
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_bitexact")).current_dir(desk.path()).args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    let new = format!("new-{name}");
    fs::write(path(name), file).unwrap();
    let args: Vec<_> =
        ["patch", name, "-o", &new].into_iter().chain(sets.iter().flat_map(|set| ["--set", set])).collect();
    let (code, patched, words) = run(&args);
    assert_eq!(code, 0, "{sets:?}: {patched}{words}");
    let (code, out, words) = run(&["diff", name, &new]);
    assert_eq!((code, words.as_str()), (1, ""), "{out}");
    assert_eq!(out, patched);
    let (code, out, words) = run(&["verify", "--via", "exchange", &new]);
    assert_eq!(code, 0, "{out}{words}");
    (fs::read(path(&new)).unwrap(), patched)
}

fn half(bytes: &[u8], at: usize) -> i16 {
    i16::from_be_bytes(bytes[at..at + 2].try_into().unwrap())
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Returns the wad in a file, which may be a MacBinary file.
fn wad(file: &[u8]) -> &[u8] {
    if file[2] != 0 { &file[128..128 + word(file, 83)] } else { file }
}

/// Returns the checksum by the rule: up to the end of the directory, with the stored checksum as 0.
fn checksum(wad: &[u8]) -> usize {
    let entry = if half(wad, 0) < 2 { 8 } else { 10 };
    let end = word(wad, 72) + half(wad, 76) as usize * (entry + half(wad, 78) as usize);
    let mut crc = u32::MAX;
    for (at, &byte) in wad[..end].iter().enumerate() {
        crc ^= u32::from(if (68..72).contains(&at) { 0 } else { byte });
        for _ in 0..8 {
            crc = if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0xEDB8_8320 };
        }
    }
    !crc as usize
}

/// Returns the tags and ranges of the chunks of the first entry.
fn chunks(wad: &[u8]) -> Vec<([u8; 4], Range<usize>)> {
    let (start, header) = (word(wad, word(wad, 72)), if half(wad, 0) < 2 { 12 } else { 16 });
    let mut chunks = vec![];
    let mut at = start;
    loop {
        let payload = at + header;
        chunks.push((wad[at..at + 4].try_into().unwrap(), payload..payload + word(wad, at + 8)));
        match word(wad, at + 4) {
            0 => return chunks,
            next => at = start + next,
        }
    }
}

/// Returns the contents of a chunk of the first entry.
fn chunk<'a>(wad: &'a [u8], tag: &[u8; 4]) -> &'a [u8] {
    let (_, range) = chunks(wad).into_iter().find(|(it, _)| it == tag).unwrap();
    &wad[range]
}

/// Checks that the checksum is right, and that all chunks except for these are unchanged.
fn only(old: &[u8], new: &[u8], tags: &[&[u8; 4]]) {
    let (old, new) = (wad(old), wad(new));
    assert_eq!(word(new, 68), checksum(new), "the checksum is right");
    let (before, after) = (chunks(old), chunks(new));
    assert_eq!(before.len(), after.len());
    for ((tag, was), (same, is)) in before.into_iter().zip(after) {
        assert_eq!(tag, same);
        let text = String::from_utf8_lossy(&tag).into_owned();
        assert_eq!(old[was] != new[is], tags.contains(&&tag), "{text} keeps its bytes, or is meant to change");
    }
}

/// Checks the values derived from the points of a level: lengths of lines, areas and centers of polygons.
fn follows(wad: &[u8], points: &[[i64; 2]]) {
    for line in chunk(wad, b"LINS").chunks(32) {
        let [[x, y], [to_x, to_y]] = [0, 2].map(|at| points[half(line, at) as usize]);
        let length = ((x - to_x).pow(2) as f64 + (y - to_y).pow(2) as f64).sqrt().round() as i64 as i16;
        assert_eq!(half(line, 6), length);
    }
    for polygon in chunk(wad, b"POLY").chunks(128) {
        let corners: Vec<_> =
            (0..half(polygon, 6)).map(|at| points[half(polygon, 8 + 2 * at as usize) as usize]).collect();
        let next = corners.iter().cycle().skip(1);
        let twice: i64 = corners.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
        assert_eq!(word(polygon, 52) as i64, twice.abs() / 2);
        let center = |axis: usize| corners.iter().map(|it| it[axis]).sum::<i64>() / corners.len() as i64;
        assert_eq!([half(polygon, 88), half(polygon, 90)].map(i64::from), [center(0), center(1)]);
    }
}

fn points(wad: &[u8], tag: &[u8; 4], size: usize, at: usize) -> Vec<[i64; 2]> {
    chunk(wad, tag).chunks(size).map(|point| [half(point, at), half(point, at + 2)].map(i64::from)).collect()
}

/// Moves the first point of the first line, and checks the result.
fn moves_a_point(name: &str, file: &[u8], entry: &str, tag: &[u8; 4], list: &str, at: usize) {
    let size = if tag == b"PNTS" { 4 } else { 16 };
    let index = half(chunk(wad(file), b"LINS"), 0);
    let x = half(chunk(wad(file), tag), index as usize * size + at);
    let place = format!("{entry}!{}:/{list}/{index}/x", String::from_utf8_lossy(tag));
    let (edited, diff) = patch(name, file, &[&format!("{place}={}", x + 8)]);
    // This map of Marathon has a checksum by a different rule, which an edit replaces.
    let diff: Vec<_> = diff.lines().filter(|line| !line.starts_with("data:/checksum: 969 (kept; ")).collect();
    assert_eq!(diff, [format!("{place}: {x} → {}", x + 8)]);
    only(file, &edited, &[tag, b"LINS", b"POLY"]);
    let wad = wad(&edited);
    follows(wad, &points(wad, tag, size, at));
}

#[test]
fn moved_point_updates_lengths_areas_and_centers() {
    moves_a_point("a.sceA", &sample("m2_map_a.sceA"), "0", b"PNTS", "points", 0);
    moves_a_point("a.sceA", &sample("m2_map_processed.sceA"), "0", b"EPNT", "endpoints", 6);
    moves_a_point("a.scen", &sample("m1_map_by_the_rule.scen"), "0", b"EPNT", "endpoints", 6);
    for (name, entry) in [("m1-Map.scen", "data!0"), ("evil-Mr-Bill-meets-Gumby.sceA", "0")] {
        let Some(file) = corpus(&format!("maps/{name}")) else { return };
        moves_a_point(name, &file, entry, b"EPNT", "endpoints", 6);
    }
}

/// Masks text as the spec describes.
fn masked(text: &str) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    let whole = text.len() / 4 * 4;
    for (at, byte) in text.iter_mut().enumerate() {
        *byte ^= match at % 4 {
            _ if at >= whole => 0xFE,
            2 => 0xFE,
            3 => 0xED,
            _ => 0,
        };
    }
    text
}

#[test]
fn terminal_text_is_edited_without_its_mask() {
    let file = sample("m2_map_b.sceA");
    let sets =
        [r#"0!term:/terminals/1/text="They're everywhere!\u0000""#, "0!term:/terminals/1/groups/1/text_length=19"];
    let (edited, diff) = patch("a.sceA", &file, &sets);
    let expected = [
        "0!term:/terminals/1/groups/1/text_length: 25 → 19",
        r#"0!term:/terminals/1/text: "Frog blast\rthe vent core!\u0000" → "They're everywhere!\u0000""#,
    ];
    assert_eq!(diff.lines().collect::<Vec<_>>(), expected);
    only(&file, &edited, &[b"term"]);
    let terminals = chunk(&edited, b"term");
    assert!(terminals.ends_with(&masked("They're everywhere!\0")));
    let second = &terminals[half(terminals, 0) as usize..];
    assert_eq!((half(second, 0) as usize, second.len()), (second.len(), 10 + 3 * 12 + 2 * 6 + 20));
    // Unmasked text stays unmasked.
    let (edited, _) = patch("a.sceA", &file, &[r#"0!term:/terminals/0/text="abc""#]);
    assert_eq!(&chunk(&edited, b"term")[22..25], b"abc");
}

#[test]
fn terminals_of_real_levels_are_edited_as_text() {
    for (name, terminal) in [
        ("eternal-The-Far-Side-Of-Nowhere.sceA", "form/0/term/terminal 1.txt"),
        ("eternal-v4-shpa-A-Friend-In-Need.sceA", "form/0/term.txt"),
        // A wad followed by the end of an earlier version.
        ("chronicles-Everyone-I-Went-to-High-School-With-Is-Dead.sceA", "form/0/term/terminal 3.txt"),
    ] {
        let Some(file) = corpus(&format!("maps/{name}")) else { return };
        let desk = tempfile::tempdir().unwrap();
        let run = |args: &[&str], expected: i32| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
            let output = command.current_dir(desk.path()).args(args).output().unwrap();
            let text = |bytes| String::from_utf8(bytes).unwrap();
            let (out, words) = (text(output.stdout), text(output.stderr));
            assert_eq!(output.status.code(), Some(expected), "{args:?}: {out}{words}");
            out
        };
        fs::write(desk.path().join("old"), &file).unwrap();
        run(&["unpack", "old", "form"], 0);
        let text = fs::read_to_string(desk.path().join(terminal)).unwrap();
        assert!(text.contains("\n#LOGOFF"), "{text}");
        fs::write(desk.path().join(terminal), text.replacen("\n#LOGOFF", "\n$BBye.$b\n#LOGOFF", 1)).unwrap();
        run(&["pack", "form", "new"], 0);
        let diff = run(&["diff", "old", "new"], 1);
        let is_line = |line: &str| line.starts_with("0!term:/terminals/") || line.starts_with("  ");
        assert!(diff.lines().all(is_line) && diff.contains("/text: text\n  +Bye.\n"), "{diff}");
        let edited = fs::read(desk.path().join("new")).unwrap();
        only(&file, &edited, &[b"term"]);
        // One more line of text and two more face changes.
        assert_eq!(chunk(&edited, b"term").len(), chunk(&file, b"term").len() + "Bye.\r".len() + 12, "{name}");
        run(&["verify", "--via", "exchange", "new"], 0);
    }
}

const OBJECT: &str =
    r#"{"group": "ITEM", "index": 9, "facing": 128, "polygon": 0, "x": 5, "y": -6, "z": 7, "flags": "NETWORK_ONLY"}"#;

#[test]
fn object_is_added() {
    let adds = |name: &str, file: &[u8], place: &str| {
        let (edited, diff) = patch(name, file, &[&format!("{place}!OBJS:/objects/-={OBJECT}")]);
        let old = chunk(wad(file), b"OBJS");
        assert!(diff.starts_with(&format!("{place}!OBJS:/objects/{}: added ", old.len() / 16)), "{diff}");
        assert_eq!(diff.lines().count(), 1, "{diff}");
        only(file, &edited, &[b"OBJS"]);
        let added = [0, 2, 0, 9, 0, 128, 0, 0, 0, 5, 0xFF, 0xFA, 0, 7, 0, 0x20];
        assert_eq!(chunk(wad(&edited), b"OBJS"), [old, &added].concat());
        assert_eq!(wad(&edited).len(), wad(file).len() + 16);
    };
    for name in ["m2_map_a.sceA", "m2_map_merged.sceA", "mi_saved.sgaA", "m1_map_by_the_rule.scen", "version_1.sceA"] {
        adds(name, &sample(name), "0");
    }
    for name in ["chronicles-naked-lunch-one.sceA", "rubicon-people-under-the-stairs.sceA"] {
        let Some(file) = corpus(&format!("maps/{name}")) else { return };
        adds(name, &file, "0");
    }
}

#[test]
fn physics_value_is_changed() {
    let changes = |name: &str, file: &[u8]| {
        let vitality = half(chunk(file, b"MNpx"), 2);
        let (edited, diff) = patch(name, file, &["0!MNpx:/monsters/0/vitality=1234"]);
        assert_eq!(diff, format!("0!MNpx:/monsters/0/vitality: {vitality} → 1234\n"));
        only(file, &edited, &[b"MNpx"]);
        assert_eq!(half(chunk(&edited, b"MNpx"), 2), 1234);
    };
    changes("m2.phyA", &sample("m2_standard.phyA"));
    changes("mi.phyA", &sample("mi_standard.phyA"));
    let early = sample("Physics.phys");
    let vitality = half(&early, 14);
    let (edited, diff) = patch("a.phys", &early, &["/blocks/0/monsters/0/vitality=1234"]);
    assert_eq!(diff, format!("/blocks/0/monsters/0/vitality: {vitality} → 1234\n"));
    assert_eq!((half(&edited, 14), &edited[16..]), (1234, &early[16..]));
    if let Some(file) = corpus("physics/m2-Standard.phyA") {
        changes("m2-Standard.phyA", &file);
    }
}

#[test]
fn directory_repeats_the_edited_name_of_a_level() {
    let file = sample("m2_map_merged.sceA");
    let (edited, diff) = patch("a.sceA", &file, &[r#"1!Minf:/level_name="Waterloo Waterpark""#]);
    assert!(diff.starts_with("1!Minf:/level_name: ") && diff.lines().count() == 1, "{diff}");
    assert_eq!(word(&edited, 68), checksum(&edited));
    let directory = word(&edited, 72);
    assert!(edited[directory + 84 + 18..].starts_with(b"Waterloo Waterpark\0"));
    assert!(edited[directory + 18..].starts_with(b"Arrival\0"));
}

#[test]
fn recording_is_updated_if_runs_change() {
    let file = sample("m2_demo.filA");
    let run = r#"{"count": 0, "flags": "FORWARD | RUN"}"#;
    let (edited, diff) = patch("a.filA", &file, &["/level=7", &format!("/runs/-={run}")]);
    assert!(diff.contains("/level: 0 → 7\n") && diff.lines().count() == 2, "{diff}");
    assert_eq!((word(&edited, 0), edited.len()), (file.len() + 6, file.len() + 6));
    assert!(edited.ends_with(&[0, 0, 0, 2, 0x80, 0]));
}

#[test]
fn overhead_map_shows_the_contents_of_a_level() {
    let shows = |bytes: &[u8]| {
        let map = decode::<Wad>(bytes.to_vec()).unwrap().model;
        let drawn = svg(&map, 0).unwrap();
        let count = |of: &str| drawn.matches(of).count();
        let records = |tag, size| chunk(bytes, tag).len() / size;
        assert_eq!(count("<path class="), records(b"POLY", 128));
        assert_eq!(count("<line class="), records(b"LINS", 32));
        assert_eq!(count("<circle "), records(b"OBJS", 16));
        assert_eq!(svg(&map, map.entries.len()), None);
        drawn
    };
    for name in ["m2_map_a.sceA", "m2_map_processed.sceA", "m1_map_by_the_rule.scen", "mi_saved.sgaA"] {
        let drawn = shows(&sample(name));
        assert!(drawn.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\""));
        assert!(drawn.contains("class=\"platform\"") && drawn.contains("class=\"player\""), "{drawn}");
        assert!(drawn.ends_with("</svg>\n"));
    }
    for name in [
        "m1-Map.scen",
        "evil-Mr-Bill-meets-Gumby.sceA",
        "eternal-The-Far-Side-Of-Nowhere.sceA",
        "chronicles-Neon-Valley-Street.sceA",
        "squadron-Styx-and-Stones.sceA",
    ] {
        let Some(file) = corpus(&format!("maps/{name}")) else { return };
        shows(wad(&file));
    }
}

#[test]
fn name_on_an_overhead_map_is_escaped() {
    let chunk = forge::wad::Chunk::new(
        b"Minf",
        [&[0; 18][..], &forge::bytes::field::<66>(b"<Fa\x8D&b>\x01", b""), &[0; 4]].concat(),
    );
    let spec = forge::wad::Spec::new(2, 1, b"Map", vec![forge::wad::Entry::new(0, vec![chunk])]);
    let map = decode::<Wad>(forge::wad::build(&spec)).unwrap().model;
    let drawn = svg(&map, 0).unwrap();
    assert!(drawn.contains("viewBox=\"-512 -512 1024 1024\""), "{drawn}");
    assert!(drawn.contains("<title>&lt;Faç&amp;b&gt;\u{FFFD}</title>"), "{drawn}");
}
