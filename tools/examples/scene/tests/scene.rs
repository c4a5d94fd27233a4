//! What a declaration alone gives: the proof, the exchange format, edits, and warnings.

use bitexact::edit::Batch;
use bitexact::exchange::{About, show};
use bitexact::field::{Address, decode, encode};
use bitexact::json::Compact;
use bitexact::kind::Kind;
use bitexact::lint::warnings;
use bitexact::passes::Sha;
use bitexact::verify::{Status, VerifyOptions, verify_with};
use scene::{KINDS, Scene};

/// A scene: the door comes before the lamp in the file, after a byte that no row mentions.
fn sample() -> Vec<u8> {
    let row = |name: &[u8; 12], kind: u32, offset: u32, length: u32| {
        [&name[..], &kind.to_le_bytes(), &offset.to_le_bytes(), &length.to_le_bytes()].concat()
    };
    let number = |value: f32| value.to_le_bytes();
    let rows = [row(b"lamp\0\0\0\0\0\0\0\0", 1, 145, 16), row(b"door\0\0\0\0\0\0\0\0", 2, 137, 8)];
    let more = [row(b"path\0\0\0\0\0\0\0\0", 5, 161, 26), row(b"odd\0\0\0\0\0\0\0\0\0", 9, 187, 3)];
    let row_of_item = row(b"key\0\0\0\0\0\0\0\0\0", 4, 190, 4);
    let door = [&7_u32.to_le_bytes()[..], &number(0.5)].concat();
    let lamp = [&0xFF_u32.to_le_bytes()[..], &number(3.0), &number(9.0), &[0; 4]].concat();
    let path = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].concat().into_iter().flat_map(number).collect::<Vec<u8>>();
    let body =
        [&rows.concat()[..], &more.concat(), &row_of_item, b"x", &door, &lamp, &path, b"??odd", &[1, 0, 2, 0]].concat();
    let sum = body.iter().fold(0_u32, |sum, byte| sum.wrapping_add(u32::from(*byte)));
    let head = [&b"SCEN"[..], &1_u32.to_le_bytes(), &5_u32.to_le_bytes(), &sum.to_le_bytes()].concat();
    [head, body].concat()
}

fn edited(file: &[u8], set: &str, value: serde_json::Value) -> Vec<u8> {
    let kind: &'static Kind = &KINDS[0];
    let model = (kind.decode)(file.to_vec().into()).unwrap().model;
    let mut batch = Batch::default();
    batch
        .set
        .push((Address::from(set), serde_json::from_value(value).map(|bitexact::json::Parsed(value)| value).unwrap()));
    let about = About { kind, games: &[], sha256: Sha::of(file), deviations: &[] };
    batch.apply(KINDS, (about, &model, "a.scn"), None).unwrap().bytes.to_vec()
}

#[test]
fn file_comes_back_identical_directly_and_by_the_exchange_format() {
    let report = verify_with(KINDS, "a.scn", sample(), VerifyOptions::default().via_exchange(true));
    assert_eq!(report.status, Status::Identical);
    // The order of the things, the byte before the door, and the two after the path.
    assert_eq!(report.deviations.len(), 3, "{:?}", report.deviations);
    // A row that leads past the end is refused, at its place.
    let mut cut = sample();
    cut.truncate(189);
    let report = verify_with(KINDS, "a.scn", cut, VerifyOptions::default());
    assert!(format!("{:?}", report.failure).contains("things"));
}

#[test]
fn longer_thing_moves_those_after_it_and_their_rows() {
    let was: Scene = decode(sample()).unwrap().model;
    let bytes = edited(&sample(), "/things/2/points", serde_json::json!([[1.0, 2.0, 3.0]]));
    assert_eq!(bytes.len(), sample().len() - 12);
    let now: Scene = decode(bytes.clone()).unwrap().model;
    assert_eq!((now.things[2].slot.length.get(), now.things[3].slot.offset.get()), (14, 175));
    assert_eq!(now.things[0].slot.offset, was.things[0].slot.offset);
    let sum = bytes[16..].iter().fold(0_u32, |sum, byte| sum.wrapping_add(u32::from(*byte)));
    assert_eq!(now.head.sum.get(), sum);
}

#[test]
fn derived_value_follows_and_what_the_game_ignores_is_warned_about() {
    let bytes = edited(&sample(), "/things/0/lamp/reach", serde_json::json!(0.0));
    let scene: Scene = decode(bytes).unwrap().model;
    assert_eq!(warnings(&scene)[0].trap.id, "dark-lamp");
    assert!(encode(&scene).unwrap()[149..157].iter().all(|byte| *byte == 0));
    let whole = Compact(&show(&scene, "/things/1", 10).unwrap().unwrap()).to_string();
    assert!(whole.contains(r#""kind":"DOOR""#) && whole.contains(r#""leads_to":7"#), "{whole}");
}
