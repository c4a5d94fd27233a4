//! Entries of containers whose table, items and gaps lie in another order: they are removed like those of others, and items of lists are added.

use std::collections::BTreeMap;

use bitexact::exchange::MANIFEST;
use bitexact::passes::spans;
use bitexact::registry::Kind;
use forge::Size;

use crate::harness::{Case, forged, sample, unpacked};

use super::Desk;

/// Returns the bytes of every entry, without those in other entries.
fn entries(kind: &Kind, file: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let model = (kind.decode)(file.to_vec().into()).expect("decodes").model;
    let spans = spans(&model).expect("is walked").into_iter().filter(|(place, _)| !place.contains('!'));
    spans.map(|(place, span)| (place, span.of(file).expect("is in the file").to_vec())).collect()
}

#[test]
fn every_entry_is_removed() {
    let (mut removed, mut refused) = (0, 0);
    for Case { name, kind, bytes, .. } in forged(Size::Small, "small") {
        let manifest = String::from_utf8_lossy(&unpacked(kind, &bytes)[MANIFEST]).into_owned();
        let (all, file) = (entries(kind, &bytes), name.rsplit('/').next().unwrap());
        // Without the other entry at its offset, one that is kept as bytes would be read as a motion.
        if !manifest.contains("\"pieces\":") || file == "pm_motions_one_length.zbd" {
            continue;
        }
        // Items that overlap can stay, and so can sections of several kinds, those of programs, and directories with entries.
        let can_stay =
            manifest.contains("\"overlap\":") || ["messages", "resources", "rof", "shapes"].contains(&kind.name);
        let desk = Desk::of(&[(file, &bytes)]);
        for entry in all.keys() {
            let after = desk.run(&["patch", file, "--remove", entry, "-o", "out", "--force"]);
            if can_stay && after.code == 2 {
                refused += 1;
                continue;
            }
            assert_eq!(after.code, 0, "{file}: {entry}: {}", after.err);
            removed += 1;
            // Entries without names of their own have numbers.
            let mut left: Vec<_> = all.iter().filter(|(it, _)| it != &entry).map(|(_, bytes)| bytes).collect();
            let found = entries(kind, &desk.read("out"));
            let mut found: Vec<_> = found.values().collect();
            left.sort_unstable();
            found.sort_unstable();
            assert!(found == left, "{file}: {entry}");
        }
    }
    println!("{removed} {refused}");
    assert!(removed > 100 && refused > 50, "{removed} removed, {refused} refused");
}

#[test]
fn what_cannot_follow_its_items_is_refused_with_the_reason() {
    let desk = Desk::of(&[
        ("within.zbd", &sample("archive_within.zbd")),
        ("gap.rsrc", &sample("fork_gap.rsrc")),
        ("new.wav", entries(crate::harness::kind("archive"), &sample("archive_within.zbd")).values().next().unwrap()),
    ]);
    let why = |args: &[&str]| desk.run(&[&["patch"], args, &["-o", "out"]].concat()).err;
    let overlaps = "/pieces: expected as many items as before, 4, because some overlap, found ";
    for args in [["within.zbd", "--remove", "jumpjet_01.wav"], ["within.zbd", "--add", "new.wav=new.wav"]] {
        assert!(why(&args).contains(overlaps), "{args:?}: {}", why(&args));
    }
    let stored = "/pieces: expected as many items as before, 15, because their order is stored, found 13";
    assert!(
        why(&["gap.rsrc", "--remove", "STR 128"]).contains(stored),
        "{}",
        why(&["gap.rsrc", "--remove", "STR 128"])
    );
}

#[test]
fn items_of_a_list_are_added_and_removed() {
    let file = "ssf_order.ssf";
    let desk = Desk::of(&[(file, &sample(file))]);
    desk.ok(&["unpack", file, "folder"]);
    let count = |file: &str| desk.ok(&["inspect", file, "/sounds", "--json"]).out.matches("strref").count();
    let before = count(file);
    for (args, now) in [
        (["--set", r#"/sounds/-={"resource": "new", "strref": 3}"#], before + 1),
        (["--insert", r#"/sounds/1={"resource": "new", "strref": 3}"#], before + 1),
        (["--delete", "/sounds/1"], before - 1),
    ] {
        let patched = desk.ok(&["patch", file, args[0], args[1], "-o", "out.ssf", "--force"]);
        let lines: Vec<_> = patched.err.lines().collect();
        assert_eq!(lines[..1], [format!("recomputed: /pieces: {before} → {now}")], "{args:?}");
        assert_eq!(count("out.ssf"), now, "{args:?}");
    }
}
