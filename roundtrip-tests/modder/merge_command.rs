//! `bitexact merge`: two copies of a file and their common original, alone and as the merge driver of Git.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use forge::nwn::gff::{self, Spec, Struct, build};
use forge::random::Random;

use super::merge::EDITS;
use super::{Desk, Said};
use crate::harness::{golden_install, output_of};
use crate::programs::other_program;

/// The original and two copies of a file of the sample install, each with edits of its own.
fn copies(file: &str, edits: [&[&str]; 2]) -> Desk {
    let desk = Desk::of(&[("o", &fs::read(golden_install().join(file)).unwrap())]);
    for (name, edits) in ["a", "b"].into_iter().zip(edits) {
        desk.ok(&[&["patch", "o", "-q", "-o", name], edits].concat());
    }
    desk
}

#[test]
fn different_values_are_merged_whichever_is_ours() {
    // In a file of a Mac as well.
    let wrapped: (&str, &[&str], &[&str]) =
        ("m1/Map.scen", &["--set", "data!0!EPNT:/endpoints/0/x=-1400"], &["--set", "data!0!EPNT:/endpoints/1/x=-1500"]);
    for &(file, one, other) in EDITS.iter().chain([&wrapped]) {
        let desk = copies(file, [one, other]);
        desk.ok(&[&["patch", "o", "-q", "-o", "both"], one, other].concat());
        desk.ok(&["merge", "o", "a", "b", "-o", "ab"]);
        desk.ok(&["merge", "o", "b", "a", "-o", "ba"]);
        assert!(desk.read("ab") == desk.read("both") && desk.read("ba") == desk.read("both"), "{file}");
        // What only one of them has changed is taken as it is.
        desk.ok(&["merge", "o", "o", "b", "-o", "ob"]);
        desk.ok(&["merge", "o", "b", "o", "-o", "bo"]);
        desk.ok(&["merge", "o", "b", "b", "-o", "bb"]);
        assert!(["ob", "bo", "bb"].iter().all(|it| desk.read(it) == desk.read("b")), "{file}");
        // In place of ours, as Git expects it.
        let said = desk.ok(&["merge", "o", "a", "b", "--path", file]).err;
        assert!(said.lines().all(|line| line.starts_with(&format!("{file}: "))) && !said.is_empty(), "{said}");
        assert!(desk.read("a") == desk.read("both"), "{file}");
    }
}

#[test]
fn different_lines_of_a_script_are_merged() {
    let script = |edits: &[(&str, &str)]| {
        let text = "void main()\r\n{\r\n    int a = 1;\r\n\r\n    int b = 2;\r\n}\r\n".to_owned();
        edits.iter().fold(text, |text, (from, to)| text.replace(from, to))
    };
    let desk = Desk::of(&[("o", &fs::read(golden_install().join("nwn/modules/Prelude.mod")).unwrap())]);
    for (name, edits) in [
        ("o", &[][..]),
        ("a", &[("a = 1", "a = 10")]),
        ("b", &[("b = 2", "b = 20")]),
        ("c", &[("a = 1", "a = 11")]),
        ("both", &[("a = 1", "a = 10"), ("b = 2", "b = 20")]),
    ] {
        desk.write("new.nss", script(edits).as_bytes());
        desk.ok(&["patch", "o", "-q", "--force", "-o", &format!("{name}.mod"), "--replace", "start.nss=new.nss"]);
    }
    desk.ok(&["merge", "o.mod", "a.mod", "b.mod", "-o", "ab.mod"]);
    assert!(desk.read("ab.mod") == desk.read("both.mod"));
    desk.ok(&["merge", "o.mod", "b.mod", "a.mod", "--favor", "theirs", "-o", "ba.mod"]);
    assert!(desk.read("ba.mod") == desk.read("both.mod"));
    let said = desk.run(&["merge", "o.mod", "a.mod", "c.mod"]);
    assert!(said.code == 1 && said.out.contains("ours:   start.nss:/2: "), "{}", said.out);
}

#[test]
fn conflict_names_both_values_and_leaves_ours() {
    for (file, place, [one, other]) in [
        ("rc/maps/m1.zmap", "/features/0/objective", ["7", "8"]),
        ("nwn/override/c_boar.utc", "/Str", ["18", "19"]),
        ("mi/Map.sceA", "0!PNTS:/points/0/x", ["-1400", "-1500"]),
    ] {
        let desk = copies(file, [&["--set", &format!("{place}={one}")], &["--set", &format!("{place}={other}")]]);
        let before = desk.read("a");
        let said = desk.run(&["merge", "o", "a", "b", "--path", file]);
        assert_eq!(said.code, 1, "{}{}", said.out, said.err);
        for (who, value) in [("ours:", one), ("theirs:", other)] {
            let line = said.out.lines().find(|line| line.trim_start().starts_with(who)).expect("a line for each copy");
            assert!(line.contains(place) && line.ends_with(&format!("→ {value}")), "{}", said.out);
        }
        assert!(desk.read("a") == before, "{file}");
        assert_eq!(desk.run(&["merge", "o", "a", "b", "-o", "ab"]).code, 1);
        assert!(!desk.path("ab").exists());
        let rows = desk.run(&["merge", "o", "a", "b", "--json", "-q"]);
        let row: serde_json::Value = serde_json::from_str(rows.out.trim()).unwrap();
        assert!(rows.code == 1 && row["ours"].as_str().unwrap().ends_with(one), "{}", rows.out);
        // The user decides, for either copy.
        desk.ok(&["merge", "o", "a", "b", "--favor", "ours", "-o", "mine"]);
        desk.ok(&["merge", "o", "a", "b", "--favor", "theirs", "-o", "yours"]);
        assert!(desk.read("mine") == desk.read("a") && desk.read("yours") == desk.read("b"), "{file}");
    }
}

/// Short lists are compared by index, so that items which took the places of others look like changed ones.
#[test]
fn items_of_short_lists_are_not_mixed_up() {
    let desk = Desk::of(&[
        ("o.utc", &tree(&[(0, 100), (1, 100), (2, 100)])),
        // The first is removed, and one is appended.
        ("a.utc", &tree(&[(1, 100), (2, 100), (9, 100)])),
        ("b.utc", &tree(&[(0, 100), (1, 300), (2, 100)])),
    ]);
    for copies in [["a.utc", "b.utc"], ["b.utc", "a.utc"]] {
        let said = desk.run(&["merge", "o.utc", copies[0], copies[1], "-o", "ab.utc"]);
        assert!(said.code == 1 && said.out.contains("/List/value/1"), "{}", said.out);
        assert!(!desk.path("ab.utc").exists());
    }
}

#[test]
fn favored_copy_takes_nothing_of_what_the_other_puts_in_the_same_place() {
    let script = |line: &str| format!("void main()\r\n{{\r\n{line}\r\n\r\n    int b = 2;\r\n}}\r\n");
    let desk = Desk::of(&[("o", &fs::read(golden_install().join("nwn/modules/Prelude.mod")).unwrap())]);
    for (name, line) in [("o", "    int a = 1;"), ("a", "    int a = 10;"), ("b", "    int a = 5;\r\n    int c = 6;")] {
        desk.write("new.nss", script(line).as_bytes());
        desk.ok(&["patch", "o", "-q", "--force", "-o", &format!("{name}.mod"), "--replace", "start.nss=new.nss"]);
    }
    for (ours, theirs) in [("a.mod", "b.mod"), ("b.mod", "a.mod")] {
        desk.ok(&["merge", "o.mod", ours, theirs, "--favor", "ours", "-o", "ab.mod", "--force"]);
        assert!(desk.read("ab.mod") == desk.read(ours), "{ours}");
    }
}

#[test]
fn favored_copy_decides_only_what_conflicts() {
    let desk = copies(
        "nwn/override/c_boar.utc",
        [&["--set", "/Str=18", "--set", "/fortbonus=3"], &["--set", "/Str=19", "--set", "/FirstName=Old Boar"]],
    );
    for (copy, strength) in [("ours", "18"), ("theirs", "19")] {
        let strength = format!("/Str={strength}");
        let edits = ["/fortbonus=3", "/FirstName=Old Boar", &strength].map(|edit| ["--set", edit]);
        desk.ok(&[&["patch", "o", "-q", "-o", copy], edits.as_flattened()].concat());
        let said = desk.ok(&["merge", "o", "a", "b", "--favor", copy, "-o", "merged", "--force"]);
        // What has changed in ours is listed, whichever copy is favored.
        let (count, changed) = match copy {
            "ours" => ("1 change", &["/FirstName"][..]),
            _ => ("2 changes", &["/FirstName", "/Str"][..]),
        };
        assert!(said.err.contains(&format!("{count}, 1 conflict decided")), "{}", said.err);
        for place in changed {
            assert!(said.out.lines().any(|line| line.starts_with(place)), "{copy}, {place}: {}", said.out);
        }
        assert_eq!(desk.run(&["diff", copy, "merged"]).out, "", "{copy}");
    }
}

#[test]
fn items_that_have_numbers_do_not_move_below_the_other_copy() {
    let deletes = &["--delete", "0!LITE:/lights/0"][..];
    for (one, other, is_clear) in [
        (deletes, &["--set", "0!POLY:/polygons/0/floor_light=1"][..], false),
        (&["--set", "0!POLY:/polygons/0/floor_light=1"], deletes, false),
        (&["--set", "0!PNTS:/points/0/x=-1400"], &["--set", "0!PNTS:/points/5/y=3"], true),
    ] {
        let desk = copies("mi/Map.sceA", [one, other]);
        let said = desk.run(&["merge", "o", "a", "b", "-o", "ab"]);
        assert_eq!(said.code, i32::from(!is_clear), "{}{}", said.out, said.err);
        assert!(is_clear || said.out.contains("0!LITE:/lights have other numbers"), "{}", said.out);
    }
}

#[test]
fn files_that_cannot_be_merged_are_left() {
    let desk =
        copies("rc/maps/m1.zmap", [&["--set", "/features/0/objective=7"], &["--set", "/features/1/objective=8"]]);
    desk.write("empty", b"");
    desk.write("text", b"not a game file");
    let before = desk.read("a");
    let both = desk.run(&["merge", "empty", "a", "b"]);
    assert!(both.code == 1 && both.out.contains("both add the file"), "{}{}", both.out, both.err);
    let other = desk.run(&["merge", "o", "a", "text"]);
    assert!(other.code == 1 && other.out.contains("an unknown format"), "{}{}", other.out, other.err);
    let unknown = desk.run(&["merge", "o", "text", "b"]);
    assert!(unknown.code == 2 && unknown.err.contains("unknown format"), "{}", unknown.err);
    let cut = &before[..before.len() - 3];
    desk.write("cut", cut);
    assert_eq!(desk.run(&["merge", "o", "a", "cut"]).code, 1);
    // One that still begins like a module.
    let module = fs::read(golden_install().join("nwn/modules/Prelude.mod")).unwrap();
    desk.write("o.mod", &module);
    desk.write("cut.mod", &module[..module.len() - 1]);
    desk.ok(&["patch", "o.mod", "-q", "-o", "a.mod", "--set", "c_boar.utc:/Str=18"]);
    for (call, what) in [(["a", "cut"], "the file to merge"), (["cut", "a"], "the file to merge into")] {
        let [ours, theirs] = call.map(|name| format!("{name}.mod"));
        let said = desk.run(&["merge", "o.mod", &ours, &theirs, "-o", "ab"]);
        let why = format!("{what} does not decode: 0x");
        assert!(said.code == 2 && said.err.contains(&why) && said.out.is_empty(), "{}{}", said.out, said.err);
    }
    assert!(desk.read("a") == before && desk.read("text") == b"not a game file");
    // The favored copy can be taken whole.
    desk.ok(&["merge", "empty", "a", "b", "--favor", "theirs"]);
    assert!(desk.read("a") == desk.read("b"));
}

/// A tree with a list of items, each with a number of its own and a value.
fn tree(items: &[(u32, u32)]) -> Vec<u8> {
    let item = |&(own, value): &(u32, u32)| Struct {
        id: 0,
        fields: vec![
            ("Own", gff::Value::Word(4, own)),
            ("Value", gff::Value::Word(4, value)),
            ("Other", gff::Value::Word(4, 5)),
        ],
    };
    build(&Spec::new(
        b"UTC ",
        vec![("Str", gff::Value::Word(0, 1)), ("List", gff::Value::List(items.iter().map(item).collect()))],
    ))
}

#[test]
fn items_come_and_go_on_both_sides() {
    let mut random = Random::new(7);
    for _ in 0..40 {
        let count = 12 + random.below(20);
        let original: Vec<(u32, u32)> = (0..count).map(|own| (own, 100)).collect();
        let (mut ours, mut theirs, mut both) = (Vec::new(), Vec::new(), Vec::new());
        let mut fresh = 1000;
        for &item in &original {
            // Only every third item changes, so that it is clear which is which.
            let (who, what) = if item.0 % 3 == 1 { (random.below(3), random.below(4)) } else { (0, 0) };
            fresh += 1;
            let changed: Vec<(u32, u32)> = match what {
                0 => vec![item],
                1 => vec![],
                2 => vec![(item.0, 200 + fresh)],
                _ => vec![item, (fresh, 7)],
            };
            ours.extend(if who == 1 { changed.clone() } else { vec![item] });
            theirs.extend(if who == 2 { changed.clone() } else { vec![item] });
            both.extend(if who == 0 { vec![item] } else { changed });
        }
        let desk = Desk::of(&[
            ("o.utc", &tree(&original)),
            ("a.utc", &tree(&ours)),
            ("b.utc", &tree(&theirs)),
            ("both.utc", &tree(&both)),
        ]);
        desk.ok(&["merge", "o.utc", "a.utc", "b.utc", "-o", "ab.utc"]);
        let said = desk.run(&["diff", "ab.utc", "both.utc"]);
        assert!(!said.out.contains("/List/value/"), "{ours:?} {theirs:?}: {}", said.out);
    }
}

#[test]
fn changed_items_beside_deleted_ones_are_not_mixed_up() {
    let items = |it: &[u32]| tree(&it.iter().map(|own| (*own, 100)).collect::<Vec<_>>());
    let mut changed: Vec<(u32, u32)> = [0, 1, 2, 3, 4, 5, 6].map(|own| (own, 100)).to_vec();
    let original = tree(&changed);
    changed[3].1 = 300;
    // Ours deletes the item 2 and gives the next one another number: which of them was deleted is a guess.
    let desk = Desk::of(&[
        ("o.utc", &original),
        ("a.utc", &items(&[0, 1, 33, 4, 5, 6])),
        ("b.utc", &tree(&changed)),
        ("c.utc", &items(&[0, 1, 2, 3, 4, 5, 66])),
    ]);
    assert_eq!(desk.run(&["merge", "o.utc", "a.utc", "b.utc", "-o", "ab.utc"]).code, 1);
    desk.ok(&["merge", "o.utc", "a.utc", "c.utc", "-o", "ac.utc"]);
    desk.write("expected.utc", &items(&[0, 1, 33, 4, 5, 66]));
    assert!(!desk.run(&["diff", "ac.utc", "expected.utc"]).out.contains("value"));
}

/// A dialogue: what is said, with the numbers of the replies to it, and the replies, with the numbers of what is said next. Structs are
/// numbered in their order, as by the toolset.
fn dialogue(lists: [&[(u32, &[u32])]; 2]) -> Vec<u8> {
    let links = |links: &[u32]| {
        let link = |(id, link): (i32, &u32)| Struct { id, fields: vec![("Index", gff::Value::Word(4, *link))] };
        gff::Value::List((0..).zip(links).map(link).collect())
    };
    let list = |items: &[(u32, &[u32])], name: &'static str| {
        let item = |(id, (own, next)): (i32, &(u32, &[u32]))| Struct {
            id,
            fields: vec![("Own", gff::Value::Word(4, *own)), (name, links(next))],
        };
        gff::Value::List((0..).zip(items).map(item).collect())
    };
    let [entries, replies] = lists;
    let lists = vec![("EntryList", list(entries, "RepliesList")), ("ReplyList", list(replies, "EntriesList"))];
    build(&Spec::new(b"DLG ", lists))
}

#[test]
fn replies_that_get_other_numbers_are_not_linked_to_by_old_ones() {
    let entries: &[(u32, &[u32])] = &[(10, &[0]), (11, &[1, 2]), (12, &[3]), (13, &[4, 5]), (14, &[6])];
    let replies: &[(u32, &[u32])] =
        &[(20, &[1]), (21, &[2]), (22, &[2]), (23, &[3]), (24, &[4]), (25, &[4]), (26, &[])];
    // Another link of an entry that keeps its number and its links.
    let mine: &[(u32, &[u32])] = &[(10, &[5]), (11, &[1, 2]), (12, &[3]), (13, &[4, 5]), (14, &[6])];
    // A new reply, and for the last two also a new entry, so that no item is as it was.
    let later: &[(u32, &[u32])] = &[(10, &[0]), (11, &[1, 3]), (12, &[4]), (13, &[5, 6]), (14, &[7])];
    let with_reply: &[(u32, &[u32])] =
        &[(20, &[1]), (21, &[2]), (29, &[]), (22, &[2]), (23, &[3]), (24, &[4]), (25, &[4]), (26, &[])];
    let with_entry: &[(u32, &[u32])] = &[(19, &[1]), (10, &[0]), (11, &[1, 3]), (12, &[4]), (13, &[5, 6]), (14, &[7])];
    let with_both: &[(u32, &[u32])] =
        &[(20, &[2]), (21, &[3]), (29, &[0]), (22, &[3]), (23, &[4]), (24, &[5]), (25, &[5]), (26, &[0])];
    let why = "the items of /ReplyList/value have other numbers then";
    for (theirs, why) in [(dialogue([later, with_reply]), why), (dialogue([with_entry, with_both]), "")] {
        let desk = Desk::of(&[
            ("o.dlg", &dialogue([entries, replies])),
            ("mine.dlg", &dialogue([mine, replies])),
            ("theirs.dlg", &theirs),
        ]);
        for [ours, theirs] in [["mine.dlg", "theirs.dlg"], ["theirs.dlg", "mine.dlg"]] {
            let said = desk.run(&["merge", "o.dlg", ours, theirs, "-o", "both.dlg"]);
            assert!(said.code == 1 && said.out.contains(why), "{}", said.out);
        }
    }
    // A reply at the end changes no numbers.
    let at_end: &[(u32, &[u32])] =
        &[(20, &[1]), (21, &[2]), (22, &[2]), (23, &[3]), (24, &[4]), (25, &[4]), (26, &[]), (29, &[])];
    let linked: &[(u32, &[u32])] = &[(10, &[0]), (11, &[1, 2]), (12, &[3]), (13, &[4, 5]), (14, &[6, 7])];
    let desk = Desk::of(&[
        ("o.dlg", &dialogue([entries, replies])),
        ("mine.dlg", &dialogue([mine, replies])),
        ("theirs.dlg", &dialogue([linked, at_end])),
    ]);
    desk.ok(&["merge", "o.dlg", "mine.dlg", "theirs.dlg", "-o", "both.dlg"]);
    let said = desk.run(&["diff", "theirs.dlg", "both.dlg"]).out;
    assert_eq!(said, "/EntryList/value/0/RepliesList/value/0/Index/value: 0 → 5\n");
}

#[test]
fn inserted_struct_leaves_the_numbers_of_others_aside() {
    let items: &[(u32, &[u32])] = &[(10, &[]), (11, &[]), (12, &[]), (13, &[]), (14, &[])];
    let more: &[(u32, &[u32])] = &[(10, &[]), (19, &[]), (11, &[]), (12, &[]), (13, &[]), (14, &[])];
    let desk = Desk::of(&[("a.dlg", &dialogue([items, &[]])), ("b.dlg", &dialogue([more, &[]]))]);
    let said = desk.run(&["diff", "a.dlg", "b.dlg"]).out;
    let ids = [2, 3, 4, 5].map(|at| format!("/EntryList/value/{at}/__struct_id: {} → {at}\n", at - 1)).concat();
    assert_eq!(said, format!("/EntryList/value/1: added an object\n{ids}"));
}

#[test]
fn entries_are_added_and_removed_on_both_sides() {
    let desk = Desk::of(&[
        ("o", &fs::read(golden_install().join("nwn/modules/Prelude.mod")).unwrap()),
        ("new", &fs::read(golden_install().join("nwn/override/c_boar.utc")).unwrap()),
    ]);
    let resources = |file: &str| -> BTreeSet<String> {
        let rows = desk.ok(&["ls", file]).out;
        rows.lines().map(|row| row.split_whitespace().last().unwrap().to_owned()).collect()
    };
    let original = resources("o");
    let remove: &[&str] = &["--remove", "start.nss"];
    let one: &[&str] = &["--add", "n1.utc=new"];
    let two: &[&str] = &["--add", "n1.utc=new", "--add", "n2.utc=new"];
    for (ours, theirs) in [
        (one, remove),
        (one, two),
        (two, &["--remove", "start.nss", "--add", "n1.utc=new"]),
        (remove, &["--remove", "start.nss", "--remove", "Repute.fac", "--add", "n3.utc=new"]),
        (&["--add", "n4.utc=new"], &["--add", "n3.utc=new", "--remove", "unknown.777"]),
    ] {
        let mut expected = original.clone();
        for edits in [ours, theirs].concat().chunks(2) {
            let name = edits[1].split('=').next().unwrap();
            match edits[0] {
                "--add" => drop(expected.insert(name.to_owned())),
                _ => drop(expected.remove(name)),
            }
        }
        for (copy, edits) in [("a", ours), ("b", theirs)] {
            desk.ok(&[&["patch", "o", "-q", "--force", "-o", copy], edits].concat());
        }
        for [ours, theirs] in [["a", "b"], ["b", "a"]] {
            desk.ok(&["merge", "o", ours, theirs, "-o", "both", "--force"]);
            assert_eq!(resources("both"), expected, "{ours}");
        }
    }
    // What one removes and the other changes stays a conflict, and so do two different resources with one name.
    desk.ok(&["patch", "o", "-q", "--force", "-o", "a", "--remove", "c_boar.utc", "--add", "n1.utc=new"]);
    desk.ok(&["patch", "o", "-q", "--force", "-o", "b", "--set", "c_boar.utc:/Str=18"]);
    desk.ok(&["patch", "new", "-q", "-o", "other", "--set", "/Str=3"]);
    desk.ok(&["patch", "o", "-q", "--force", "-o", "c", "--add", "n1.utc=other"]);
    for theirs in ["b", "c"] {
        assert_eq!(desk.run(&["merge", "o", "a", theirs, "-o", "both", "--force"]).code, 1, "{theirs}");
    }
}

#[test]
fn order_of_fields_is_no_change_for_lines_and_merges() {
    let fields = |value: u32| {
        vec![("A", gff::Value::Word(0, 1)), ("B", gff::Value::Word(0, value)), ("C", gff::Value::Word(0, 3))]
    };
    let file = |fields| build(&Spec::new(b"UTC ", fields));
    let mut again = fields(2);
    again.reverse();
    let mut theirs = fields(2);
    theirs[0].1 = gff::Value::Word(0, 9);
    let desk = Desk::of(&[("o.utc", &file(fields(2))), ("a.utc", &file(again)), ("b.utc", &file(theirs))]);
    assert_ne!(desk.read("o.utc"), desk.read("a.utc"));
    assert_eq!(desk.ok(&["textconv", "o.utc"]).out, desk.ok(&["textconv", "a.utc"]).out);
    let said = desk.ok(&["merge", "o.utc", "a.utc", "b.utc", "-o", "ab.utc"]);
    assert_eq!(said.out, "/A/value: 1 → 9\n");
    // The copy that was saved again keeps its order.
    let shown = desk.run(&["diff", "a.utc", "ab.utc"]).out;
    assert_eq!(shown, "/A/value: 1 → 9\n");
}

#[test]
fn lines_hold_every_value_and_no_path() {
    for file in
        ["rc/maps/m1.zmap", "mi/Map.sceA", "nwn/modules/Prelude.mod", "nwn/dialog.tlk", "mw/DefaultCtlConfig.zrd"]
    {
        let bytes = fs::read(golden_install().join(file)).unwrap();
        let desk = Desk::of(&[("one", &bytes), ("deep/in/other", &bytes)]);
        let [one, other] = ["one", "deep/in/other"].map(|path| desk.ok(&["textconv", path]).out);
        assert!(one == other && one.lines().count() > 3 && !one.contains('…'), "{file}");
    }
    let file = fs::read(golden_install().join("mi/Map.sceA")).unwrap();
    let text =
        "A text that is much longer than any message of one line would show, so that the difference lies at its end: ";
    let texts = ["one", "two"].map(|end| format!("0!term:/terminals/0/text={text}{end}"));
    let desk = Desk::of(&[("o", &file)]);
    let lines = texts.map(|edit| {
        desk.ok(&["patch", "o", "-q", "--force", "-o", "new", "--set", &edit]);
        desk.ok(&["textconv", "new"]).out
    });
    let differing: Vec<(&str, &str)> =
        lines[0].lines().zip(lines[1].lines()).filter(|(one, other)| one != other).collect();
    assert!(differing.len() == 1 && differing[0].0.contains("end: one") && differing[0].1.contains("end: two"));
    // Git goes on with a file that does not decode, and with one of another program.
    let desk = Desk::of(&[("cut.sceA", &file[..file.len() - 9]), ("notes.txt", b"one\r\ntwo")]);
    assert!(desk.ok(&["textconv", "cut.sceA"]).out.starts_with("not decoded: "));
    let notes = desk.ok(&["textconv", "notes.txt"]).out;
    assert_eq!(notes, "line ends: CR LF\none\ntwo\nno line end after the last line\n");
}

/// A repository with this program as its driver.
struct Repository(Desk);

impl Repository {
    fn git(&self, args: &[&str]) -> Said {
        let mut command = Command::new("git");
        command.current_dir(self.0.path("")).args(args);
        // No settings of this machine.
        let nowhere = self.0.path("nowhere");
        command.env("GIT_CONFIG_GLOBAL", &nowhere).env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", self.0.path(""));
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "A").env(format!("GIT_{role}_EMAIL"), "a@example.org");
        }
        let output = output_of(&mut command);
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Said { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    fn ok(&self, args: &[&str]) -> Said {
        let said = self.git(args);
        assert_eq!(said.code, 0, "git {args:?}: {}{}", said.out, said.err);
        said
    }

    fn edit(&self, file: &str, edits: &[&str]) {
        self.0.ok(&[&["patch", file, "-q"], edits].concat());
        self.ok(&["commit", "-qam", "edit"]);
    }
}

/// Returns a repository with some files of the sample install on the branches `main` and `other`, or `None` without Git.
fn repository(files: &[&str]) -> Option<Repository> {
    other_program("git", &["--version"])?;
    let repository = Repository(Desk::of(&[]));
    repository.ok(&["init", "-q", "-b", "main"]);
    let program = env!("CARGO_BIN_EXE_bitexact").replace('\\', "/");
    repository.ok(&["config", "diff.bitexact.textconv", &format!("\"{program}\" textconv")]);
    repository.ok(&["config", "merge.bitexact.driver", &format!("\"{program}\" merge %O %A %B --path %P")]);
    repository.0.write(".gitattributes", b"*.* diff=bitexact merge=bitexact\n.gitattributes !diff !merge\n");
    for file in files {
        let name = file.rsplit('/').next().unwrap();
        repository.0.write(name, &fs::read(golden_install().join(file)).unwrap());
    }
    repository.ok(&["add", "-A"]);
    repository.ok(&["commit", "-qm", "first"]);
    repository.ok(&["branch", "other"]);
    Some(repository)
}

#[test]
fn git_merges_modules_archives_and_maps() {
    let files = ["nwn/modules/Prelude.mod", "rc/maps/m1.zmap", "mi/Map.sceA"];
    let Some(git) = repository(&files) else { return };
    git.edit("Prelude.mod", &["--set", "c_boar.utc:/Str=18"]);
    git.edit("m1.zmap", &["--set", "/features/0/objective=7"]);
    git.edit("Map.sceA", &["--set", "0!PNTS:/points/0/x=-1400"]);
    git.ok(&["checkout", "-q", "other"]);
    git.edit("Prelude.mod", &["--set", "c_boar.utc:/FirstName=Old Boar"]);
    git.edit("m1.zmap", &["--set", "/features/1/objective=8"]);
    git.edit("Map.sceA", &["--set", "0!term:/terminals/0/text=Welcome home."]);
    git.ok(&["merge", "-q", "main", "-m", "both"]);
    for (place, value) in [
        ("Prelude.mod c_boar.utc:/Str", "18"),
        ("Prelude.mod c_boar.utc:/FirstName", "Old Boar"),
        ("m1.zmap /features/0/objective", "7"),
        ("m1.zmap /features/1/objective", "8"),
        ("Map.sceA 0!PNTS:/points/0/x", "-1400"),
        ("Map.sceA 0!term:/terminals/0/text", "Welcome home."),
    ] {
        let (file, place) = place.split_once(' ').unwrap();
        let said = git.0.ok(&["inspect", file, place]).out;
        assert!(said.contains(value), "{file} {place}: {said}");
    }
    git.0.ok(&["verify", "Prelude.mod", "m1.zmap", "Map.sceA"]);
    // The history is shown in values.
    let shown = git.ok(&["diff", "main", "other", "--", "m1.zmap"]).out;
    assert!(shown.contains("\n-      objective: 4\n+      objective: 8\n") && shown.contains("zmap"), "{shown}");
}

#[test]
fn git_reports_a_conflict_of_a_module_and_loses_nothing() {
    let Some(git) = repository(&["nwn/modules/Prelude.mod"]) else { return };
    git.edit("Prelude.mod", &["--set", "c_boar.utc:/Str=18"]);
    git.ok(&["checkout", "-q", "other"]);
    git.edit("Prelude.mod", &["--set", "c_boar.utc:/Str=19", "--set", "c_boar.utc:/FirstName=Old Boar"]);
    let ours = git.0.read("Prelude.mod");
    let said = git.git(&["merge", "main", "-m", "both"]);
    let both = format!("{}{}", said.out, said.err);
    assert!(said.code == 1 && both.contains("CONFLICT (content): Merge conflict in Prelude.mod"), "{both}");
    assert!(both.contains("ours:   c_boar.utc:/Str/value: 14 → 19"), "{both}");
    assert!(both.contains("theirs: c_boar.utc:/Str/value: 14 → 18"), "{both}");
    // Ours is in the folder, and Git has all three.
    assert!(git.0.read("Prelude.mod") == ours);
    for (stage, name) in [("1", "o.mod"), ("2", "a.mod"), ("3", "b.mod")] {
        git.ok(&["cat-file", "-e", &format!(":{stage}:Prelude.mod")]);
        let blob = git.ok(&["rev-parse", &format!(":{stage}:Prelude.mod")]).out;
        let mut command = Command::new("git");
        let content = command.current_dir(git.0.path("")).args(["cat-file", "blob", blob.trim()]).output().unwrap();
        git.0.write(name, &content.stdout);
    }
    // The way out that the message names.
    git.0.ok(&["merge", "o.mod", "a.mod", "b.mod", "--favor", "theirs", "-o", "Prelude.mod", "--force"]);
    assert!(git.0.ok(&["inspect", "Prelude.mod", "c_boar.utc:/Str"]).out.contains("18"));
    assert!(git.0.ok(&["inspect", "Prelude.mod", "c_boar.utc:/FirstName"]).out.contains("Old Boar"));
    git.ok(&["add", "Prelude.mod"]);
    git.ok(&["commit", "-qm", "both"]);
}
