//! Shapes: names with wrong lengths, and the world fields of frames.

use forge::shapes::{Bitmap, Block, Collection, Frame, Item, Patch, Rows, build_patch};

use super::Desk;
use crate::harness::sample;

/// The report shapefusion 16: a length beyond 32.
#[test]
fn name_with_a_wrong_length_is_shown_as_text_and_reported() {
    for (file, length, shown) in [("shp_name_length.shpA", 200, r#"{"text":"#), ("shp_name_full.shpA", 33, "xxx")] {
        let bytes = sample(file);
        let desk = Desk::of(&[("a.shpA", &bytes)]);
        let said = desk.ok(&["verify", "-v", "a.shpA"]).out;
        let deviation = format!("/sequences/0/name: expected \"a length of at most 32\", found {length}");
        assert!(said.contains(&deviation), "{said}");
        let place = "collection 1:/sequences/0/name";
        let said = desk.ok(&["inspect", "--json", "a.shpA", place]).out;
        assert!(said.contains(shown) && !said.contains("\"bytes\":\""), "{said}");
        // A new name has its own length.
        desk.ok(&["patch", "a.shpA", "--set", &format!("{place}=\"Walk\""), "-o", "b.shpA"]);
        assert_eq!(desk.ok(&["inspect", "--json", "b.shpA", place]).out.matches("\"Walk\"").count(), 1);
        assert!(!desk.ok(&["verify", "-v", "b.shpA"]).out.contains("/name"));
        desk.ok(&["unpack", "a.shpA", "form"]);
        desk.ok(&["pack", "form", "c.shpA"]);
        assert_eq!(desk.read("c.shpA"), bytes);
    }
}

/// Returns a patch with a frame of 72 to 140 pixels that has these world fields, in a collection of scale 7.
fn patch(world: [i16; 6]) -> Vec<u8> {
    let empty = Rows::Stretches(vec![(0, vec![]); 72]);
    let items = vec![
        Item::Definition(Box::new(Collection::new()), [0, 1, 1]),
        Item::Frame(0, Frame::new(0)),
        Item::Bitmap(0, Bitmap::new([72, 140], empty), None),
    ];
    let mut bytes = build_patch(&Patch { blocks: vec![Block { collection: 1, depth: 8, items, ends: true }] });
    let put = |bytes: &mut Vec<u8>, at: usize, words: &[i16]| {
        let words: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        bytes[at..at + words.len()].copy_from_slice(&words);
    };
    // Source: marathon-shapes.md, sections 2, 4 and 7.
    let definition = 8 + 4;
    let frame = definition + 544 + 8;
    put(&mut bytes, definition + 32, &[7]);
    put(&mut bytes, frame + 8, &[25, 136, 1, 1]);
    put(&mut bytes, frame + 16, &world);
    bytes
}

const FRAME: &str = "/blocks/0/items/1/frames/0/frame";

/// The report shapefusion 6: the world fields are computed on saving, with the scale that they show.
#[test]
fn world_fields_of_a_frame_can_be_recomputed_with_their_scale() {
    for (world, moved) in [
        ([-175, 329, 952, -28, -168, 945], "[-210,294,952,-28,-203,945]"),
        // With the scale 7.5, as in a known patch.
        ([-187, 352, 1020, -30, -180, 1012], "[-225,315,1020,-30,-217,1012]"),
    ] {
        let desk = Desk::of(&[("a.ShPa", &patch(world))]);
        assert_eq!(desk.ok(&["lint", "--all", "--allow", "address-changed", "a.ShPa"]).code, 0);
        let set = format!("{FRAME}/origin/0=30");
        let stale = desk.ok(&["patch", "a.ShPa", "--set", &set, "-o", "stale.ShPa"]);
        assert!(stale.err.contains("[frame-world; "), "{}", stale.err);
        let said = desk.ok(&["patch", "a.ShPa", "--set", &set, "--recompute", FRAME, "-o", "b.ShPa"]);
        assert!(!said.err.contains("frame-world"), "{}", said.err);
        let left = moved[1..].split(',').next().unwrap();
        assert!(said.out.contains(&format!("world_left: {} → {left}", world[0])), "{}", said.out);
        let mut all = Vec::new();
        for field in
            ["world_left", "world_right", "world_top", "world_bottom", "world_key_point/0", "world_key_point/1"]
        {
            all.push(desk.ok(&["inspect", "b.ShPa", &format!("{FRAME}/{field}")]).out.trim().to_owned());
        }
        assert_eq!(format!("[{}]", all.join(",")), moved);
        // Later, the scale is still known.
        desk.ok(&["patch", "stale.ShPa", "--recompute", "/", "-o", "c.ShPa"]);
        assert_eq!(desk.read("c.ShPa"), desk.read("b.ShPa"));
        desk.ok(&["patch", "a.ShPa", "--recompute", "/", "-o", "d.ShPa"]);
        assert_eq!(desk.read("d.ShPa"), desk.read("a.ShPa"), "nothing is stale");
    }
}

/// 735 of the 814 frames with a bitmap fit a scale; the others are cropped.
#[test]
fn world_fields_of_known_frames_show_their_scale() {
    let Some(corpora) = crate::harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let (desk, mut warned) = (Desk::of(&[]), 0);
    let folder = corpora.join("marathon/shapes");
    let said = desk.run(&["lint", "--all", "--json", folder.to_str().unwrap()]).out;
    for row in said.lines().filter(|row| row.contains("\"frame-world\"") && !row.contains("\"summary\"")) {
        let count = row.split("\"count\":").nth(1).and_then(|rest| rest.split([',', '}']).next()).unwrap();
        warned += count.parse::<usize>().unwrap();
    }
    assert_eq!(warned, 79, "{said}");
}
