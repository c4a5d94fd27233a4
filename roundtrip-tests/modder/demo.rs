//! Worlds of Recoil's demos of July and August 1998: corners of boxes and positions of objects follow edits.
//!
//! Source: `zipper-nodes.md`, section 14.

use super::Desk;
use crate::harness::sample;

fn forged(name: &str) -> Desk {
    Desk::of(&[(name, &sample(name))])
}

/// Returns the offsets of the record and the data of a node.
fn node(file: &[u8], slot: usize) -> [usize; 2] {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let record = word(32) + 268 * slot;
    [record, word(record + 264)]
}

/// Returns floats at an offset.
fn floats<const N: usize>(file: &[u8], at: usize) -> [f32; N] {
    std::array::from_fn(|nth| f32::from_le_bytes(file[at + 4 * nth..][..4].try_into().unwrap()))
}

fn corners(file: &[u8], slot: usize) -> [[f32; 3]; 8] {
    let all: [f32; 24] = floats(file, node(file, slot)[0] + 116);
    std::array::from_fn(|nth| [all[3 * nth], all[3 * nth + 1], all[3 * nth + 2]])
}

/// The corners of the box from (1, 2, 3) to (4, 5, 6). Source: the vectors of the section.
const RING: [[f32; 3]; 8] = [
    [1.0, 2.0, 6.0],
    [4.0, 2.0, 6.0],
    [4.0, 2.0, 3.0],
    [1.0, 2.0, 3.0],
    [1.0, 5.0, 6.0],
    [4.0, 5.0, 6.0],
    [4.0, 5.0, 3.0],
    [1.0, 5.0, 3.0],
];

#[test]
fn corners_and_positions_follow_edits() {
    const FILE: &str = "demo_boxes.zbd";
    let desk = forged(FILE);
    assert_eq!(corners(&desk.read(FILE), 1), RING, "an object without a transformation");
    // The object gets one: the identity, then a position.
    desk.ok(&["patch", FILE, "--set", r#"/nodes/slots/1/object/flags="WORLD_MATRIX_STALE""#]);
    assert_eq!(corners(&desk.read(FILE), 1), RING);
    let said = desk.ok(&["patch", FILE, "--set", "/nodes/slots/1/object/transform/9=10.0"]);
    assert!(!said.err.contains("deviation: "), "{}", said.err);
    let file = desk.read(FILE);
    assert_eq!(corners(&file, 1), RING.map(|[x, y, z]| [x + 10.0, y, z]));
    assert_eq!(floats(&file, node(&file, 1)[1] + 48), [10.0, 0.0, -0.0], "the second copy of the position");
    // The box of the model moves one corner of the box around both.
    desk.ok(&["patch", FILE, "--set", "/nodes/slots/0/model_bbox/0/1=-100.0"]);
    let low = |corner: usize| corners(&desk.read(FILE), 0)[corner][1];
    assert_eq!([low(0), low(3), low(4)], [-80.0, -80.0, 29.0]);
    let said = desk.ok(&["verify", "-v", FILE]);
    assert!(said.out.starts_with("identical") && !said.out.contains("expected"), "{}", said.out);
    // Without the flags there is no box.
    desk.ok(&["patch", FILE, "--set", r#"/nodes/slots/1/flags="ACTIVE""#]);
    assert_eq!(corners(&desk.read(FILE), 1), [[0.0; 3]; 8]);
}

#[test]
fn deviating_corners_are_kept_until_their_box_changes() {
    const FILE: &str = "demo_corner.zbd";
    let desk = forged(FILE);
    let said = desk.ok(&["patch", FILE, "--rename-node", "object=turret", "--set", "/nodes/slots/0/zone_id=3"]);
    assert!(!said.out.contains("corners"), "{}", said.out);
    assert_eq!(corners(&desk.read(FILE), 0)[5], [0.0, 0.25, 0.0]);
    let flags = r#"/nodes/slots/0/flags="ACTIVE | BBOX_MODEL | TREE_VALID""#;
    let said = desk.ok(&["patch", FILE, "--set", flags, "--set", "/nodes/slots/0/model_bbox=[[1,2,3],[4,5,6]]"]);
    assert!(said.out.contains("/nodes/slots/0/corners"), "{}{}", said.out, said.err);
    let file = desk.read(FILE);
    let [x, y, z] = floats(&file, node(&file, 0)[1] + 48);
    assert_eq!(corners(&file, 0), RING.map(|corner| [corner[0] + x, corner[1] + y, corner[2] + z]));
}

/// Source: `zipper-nodes.md`, section 2.1.
#[test]
fn owners_of_nodes_of_crimson_skies_are_contents() {
    const FILE: &str = "cs_c1_gamez.zbd";
    let desk = forged(FILE);
    let before = desk.read(FILE);
    desk.ok(&["patch", FILE, "-o", "new.zbd", "--set", r#"/nodes/slots/6/ownership="PLAYER | STRUCTURE""#]);
    let word = |file: &[u8]| {
        let at = u32::from_le_bytes(file[36..40].try_into().unwrap()) as usize + 212 * 6 + 40;
        u32::from_le_bytes(file[at..at + 4].try_into().unwrap())
    };
    assert_eq!([word(&before), word(&desk.read("new.zbd"))], [0, 0x8015_5555]);
    let said = desk.run(&["diff", FILE, "new.zbd"]).out;
    assert!(said.contains("/nodes/slots/6/ownership: 0 → \"PLAYER | STRUCTURE\""), "{said}");
    let refused = desk.run(&["patch", FILE, "--set", r#"/nodes/slots/6/ownership="NOBODY""#]);
    assert!(
        refused.code == 2 && refused.err.contains("M01 from 0 to 3 or its name (PLAYER, ENEMY_0, ENEMY_1)"),
        "{}",
        refused.err
    );
    // In the other games the word is reserved.
    let desk = forged("node_unk28.zbd");
    let said = desk.ok(&["verify", "-v", "node_unk28.zbd"]).out;
    assert!(said.contains("/nodes/slots/0/unk_28: expected 0, found 1"), "{said}");
}

#[test]
fn freed_nodes_keep_their_corners() {
    const FILE: &str = "demo_freed.zbd";
    let desk = forged(FILE);
    let stale: [f32; 6] = floats(&desk.read(FILE), node(&desk.read(FILE), 1)[0] + 116 + 72);
    assert_eq!(stale, [7.0, 8.0, 9.0, -1.0, -2.0, -3.0]);
    let said = desk.ok(&["verify", "-v", "--via", "exchange", FILE]);
    assert!(said.out.starts_with("identical") && !said.out.contains("expected"), "{}", said.out);
}

#[test]
fn later_unknown_versions_are_refused_with_the_known_ones() {
    let mut file = forged("demo_boxes.zbd").read("demo_boxes.zbd");
    file[4] = 14;
    let said = Desk::of(&[("gamez.zbd", &file)]).run(&["verify", "gamez.zbd"]);
    assert!(said.out.contains("/version: expected 13, 15, 27, 41 or 42, found 14"), "{}", said.out);
}
