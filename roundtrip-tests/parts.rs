//! Documents that are divided into files: those with images come back, and errors name the file and the line of the part.

use std::fs;

use ::field::Thresholds;
use bitexact::exchange::{self, MANIFEST};
use bitexact::field::Value;
use bitexact::registry::{KINDS, recognize};
use bitexact::verify::{Status, VerifyOptions, verify_with};
use bytes::Bytes;
use forge::Size;

use crate::harness::{self, Case, Files, corpora, packed, sample, unpacked};

/// The part of a patch that holds its blocks.
const BLOCKS: &str = "blocks.json";

static SMALLEST: Thresholds = Thresholds::SMALLEST;

/// A shapes patch of so many blocks that its document has more than 5,000 values.
fn patch() -> Case {
    // Patches follow one another without a head.
    let one = sample("Enforcer.ShPa");
    Case {
        name: "Enforcer.ShPa".to_owned(),
        kind: harness::kind("shapes-patch"),
        bytes: one.repeat(24),
        is_large: false,
    }
}

fn is_identical(name: &str, bytes: &[u8]) -> Result<(), String> {
    let report = verify_with(KINDS, name, bytes.to_vec(), VerifyOptions::default().via_exchange(true));
    match report.status {
        Status::Identical => Ok(()),
        status => Err(format!("{name}: {}: {:?}", status.name(), report.failure)),
    }
}

fn json(files: &Files, file: &str) -> Value {
    exchange::parse(&files[file]).expect("JSON")
}

fn put(files: &mut Files, file: &str, json: &Value) {
    files.insert(file.to_owned(), Bytes::from(exchange::print(json)));
}

#[test]
fn patch_with_thousands_of_values_comes_back_with_its_images() {
    let case = patch();
    let files = unpacked(case.kind, &case.bytes);
    assert!(files.contains_key(BLOCKS) && files.keys().any(|file| file.ends_with(".png")), "{:?}", files.keys());
    assert_eq!(
        json(&files, MANIFEST).get("data").and_then(|data| data.get("blocks")?.get("file")?.text()),
        Some(BLOCKS)
    );
    is_identical(&case.name, &case.bytes).unwrap();
    assert_eq!(packed(files).unwrap(), case.bytes);
}

#[test]
fn real_patch_with_many_frames_comes_back() {
    let Some(corpora) = corpora() else { return eprintln!("no corpora beside the project: nothing to check") };
    let Ok(bytes) = fs::read(corpora.join("wild/many-frames.ShPa")) else {
        return eprintln!("the corpora have no patch with many frames: nothing to check");
    };
    assert_eq!(recognize(KINDS, "many-frames.ShPa", &bytes).map(|(kind, _)| kind.name), Some("shapes-patch"));
    is_identical("many-frames.ShPa", &bytes).unwrap();
}

/// Every kind with images, sounds or text, in files of their own as well as in their containers.
#[test]
fn media_come_back_from_parts_of_the_smallest_size() {
    let has_media = |case: &&Case| !case.kind.media.is_empty();
    let mut divided = 0;
    for case in harness::forged(Size::Tiny, "tiny").iter().filter(has_media) {
        let name = case.name.rsplit('/').next().unwrap_or_default();
        let whole = unpacked(case.kind, &case.bytes).len();
        SMALLEST.during(|| {
            is_identical(name, &case.bytes).unwrap();
            let files = unpacked(case.kind, &case.bytes);
            divided += usize::from(files.len() > whole);
            assert_eq!(packed(files).unwrap(), case.bytes, "{name}");
        });
    }
    assert!(divided > 10, "{divided}");
}

#[test]
fn wrong_value_beside_an_image_is_reported_in_its_part() {
    let case = patch();
    let files = unpacked(case.kind, &case.bytes);
    let blocks = json(&files, BLOCKS);
    let bitmap = |items: &Value| {
        Some([
            "bitmaps".to_owned(),
            items.get("bitmaps")?.items()?.iter().position(|it| it.get("picture").is_some())?.to_string(),
        ])
    };
    let place = blocks.items().unwrap().iter().enumerate().find_map(|(block, it)| {
        let (item, rest) =
            it.get("items")?.items()?.iter().enumerate().find_map(|(nth, it)| Some((nth, bitmap(it)?)))?;
        Some([vec![block.to_string(), "items".to_owned(), item.to_string()], rest.to_vec()].concat())
    });
    let place = place.expect("a bitmap with a picture");
    let refused = |name: &str, value: Value| {
        let (mut files, mut blocks) = (files.clone(), blocks.clone());
        let bitmap = place.iter().try_fold(&mut blocks, |json, key| json.step_mut(key)).expect("the bitmap");
        bitmap.put(name, value);
        put(&mut files, BLOCKS, &blocks);
        packed(files).expect_err("is refused")
    };
    let pointer = format!("/blocks/{}", place.join("/"));
    for (name, value) in [("width", Value::from(9999)), ("picture", "gone.png".into()), ("stored", 7.into())] {
        let why = refused(name, value);
        let line = why.strip_prefix("blocks.json:").and_then(|rest| rest.split_once(':')?.0.parse::<u32>().ok());
        assert!(line.is_some_and(|line| line > 1) && why.contains(&format!("{pointer}/{name}")), "{why}");
        assert!(!why.contains(MANIFEST), "{why}");
    }
    let why = refused("unread", 7.into());
    assert!(why.starts_with("blocks.json:") && why.contains("unread"), "{why}");
}

#[test]
fn object_that_names_a_part_has_no_other_member() {
    let case = patch();
    let mut files = unpacked(case.kind, &case.bytes);
    let mut manifest = json(&files, MANIFEST);
    let blocks = ["data", "blocks"].iter().try_fold(&mut manifest, |json, key| json.step_mut(key)).expect("the blocks");
    blocks.put("unread", 7.into());
    put(&mut files, MANIFEST, &manifest);
    let why = packed(files).expect_err("is refused");
    assert!(
        why.starts_with("bitexact.json:") && why.contains("else nothing beside `file`, found `unread`: 7"),
        "{why}"
    );
}
