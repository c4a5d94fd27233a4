//! Entries of containers whose table, items and gaps lie in another order: they are added and removed like those of others.

use std::collections::BTreeMap;

use bitexact::passes::spans;
use bitexact::registry::{KINDS, recognize};

use crate::harness::sample;

use super::Desk;

/// Returns the bytes of every entry, without those in other entries.
fn entries(name: &str, file: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let (kind, _) = recognize(KINDS, name, file).expect(name);
    let model = (kind.decode)(file.to_vec().into()).expect(name).model;
    let spans = spans(&model).expect(name).into_iter().filter(|(place, _)| !place.contains('!'));
    spans.map(|(place, span)| (place, span.of(file).expect("is in the file").to_vec())).collect()
}

#[test]
fn every_entry_is_removed() {
    for name in [
        "archive_file_order.zbd",
        "archive_gaps_everywhere.zbd",
        "archive_gap_before_table.zbd",
        "texture_file_order.zbd",
        "interp_file_order.zbd",
        "interp_gap_between.zbd",
        "pm_reader_file_order.zbd",
        "pm_motions_file_order.zbd",
        "data_order.hak",
        "file_order.sceA",
        "gaps_everywhere.sceA",
        "disorder.rsrc",
        "fork_data_order.rsrc",
    ] {
        let before = sample(name);
        let desk = Desk::of(&[(name, &before)]);
        let all = entries(name, &before);
        for removed in all.keys() {
            let after = desk.run(&["patch", name, "--remove", removed, "-o", "out", "--force"]);
            assert_eq!(after.code, 0, "{name}: {removed}: {}", after.err);
            let mut left = all.clone();
            left.remove(removed);
            let found = entries(name, &desk.read("out"));
            assert!(found.values().eq(left.values()), "{name}: {removed}: {:?}", found.keys());
        }
    }
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
