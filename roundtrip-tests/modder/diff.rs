//! Differences, printed as text.

use forge::archive::{Content, Spec, build};
use forge::reader::{self, float, list, string};

use super::{Desk, archive, data, entry, readers};

fn diff(old: &Spec, new: &Spec) -> String {
    let desk = Desk::of(&[("a.zbd", &build(old)), ("b.zbd", &build(new))]);
    let said = desk.run(&["diff", "a.zbd", "b.zbd"]);
    assert_eq!((said.code, said.err.as_str()), (1, ""));
    said.out
}

#[test]
fn exit_codes_match_those_of_diff() {
    let desk = Desk::of(&[
        ("a.zbd", &archive()),
        ("b.zbd", &archive()),
        ("c.zbd", &build(&readers(7.5))),
        ("x", b"?"),
        ("y", b"!"),
        ("z", b"\0"),
    ]);
    for (a, b, code) in [
        ("a.zbd", "b.zbd", 0),
        ("a.zbd", "c.zbd", 1),
        ("x", "x", 0),
        ("x", "y", 1),
        ("x", "z", 2),
        ("a.zbd", "x", 2),
        ("a.zbd", "gone.zbd", 2),
        (".", "a.zbd", 2),
        (".", ".", 0),
    ] {
        let said = desk.run(&["diff", a, b]);
        assert_eq!(said.code, code, "{a} {b}: {}{}", said.out, said.err);
        assert_eq!(said.err.is_empty(), code < 2, "{a} {b}: {}", said.err);
    }
}

#[test]
fn moved_entries_are_reported_as_moved() {
    let mut new = readers(5.0);
    new.entries.swap(0, 2);
    let said = diff(&readers(5.0), &new);
    assert!(said.starts_with("the same entries in a different order\n"), "{said}");
    assert!(said.lines().skip(1).all(|line| line.contains(": moved from ")), "{said}");
    // An entry with other changes is not reported as moved only.
    let mut other = readers(7.5);
    other.entries.swap(0, 2);
    let said = diff(&readers(5.0), &other);
    assert!(!said.contains("the same entries") && said.contains("weapons.zrd:/0/1: 5.0 → 7.5"), "{said}");
}

#[test]
fn entries_are_added_removed_and_renamed() {
    let mut new = readers(5.0);
    new.entries[1].name = forge::bytes::field(b"guns.zrd", b"");
    new.entries.remove(0);
    new.entries.push(entry(b"new.zrd", data(list([]))));
    let said = diff(&readers(5.0), &new);
    let expected = "\
weapons.zrd: renamed to guns.zrd
objectives.zrd: removed (reader, 27 bytes)
new.zrd: added (reader, 8 bytes)
";
    assert_eq!(said, expected);
}

#[test]
fn duplicate_names_are_distinguished_by_number() {
    let twins = |values: &[i32]| {
        let entry = |value: &i32| entry(b"twin.zrd", data(list([reader::Value::Int(*value)])));
        Spec::new(1, Content::Readers, values.iter().map(entry).collect())
    };
    assert_eq!(diff(&twins(&[1, 2, 3]), &twins(&[1, 7, 3])), "twin.zrd#2:/0: 2 → 7\n");
    let said = diff(&twins(&[1]), &twins(&[1, 2]));
    assert!(said.contains("twin.zrd#2: added (reader, 16 bytes)") && !said.contains("renamed to twin.zrd\n"), "{said}");
}

#[test]
fn long_lists_and_texts_are_not_dumped() {
    let long = |at: usize| {
        let mut values: Vec<_> = (0..5000).map(reader::Value::Int).collect();
        values.insert(at, list((0..5000).map(reader::Value::Int).collect::<Vec<_>>()));
        values.push(string(&b"word ".repeat(at * 1000)));
        Spec::new(1, Content::Readers, vec![entry(b"long.zrd", data(list(values)))])
    };
    let said = diff(&long(1), &long(2));
    assert!(said.lines().count() < 10 && said.lines().all(|line| line.chars().count() < 200), "{said}");
}

#[test]
fn words_that_differ_are_shown_wherever_they_are() {
    let desk = Desk::of(&[]);
    let install = crate::harness::golden_install();
    let (interp, table) = (install.join("pm/zbd/interp.zbd"), install.join("nwn/override/appearance.2da"));
    let [interp, table] = [&interp, &table].map(|path| path.to_str().unwrap());
    let edit = "LightSetAmbient sun 0.36";
    let said = desk.ok(&["patch", interp, "-o", "i.zbd", "--set", &format!("c3.gs:/lines/5={edit}")]);
    let line = |new: &str| format!("c3.gs:/lines/5/words: \"LightSetAmbient sun 0.35\" → \"{new}\"\n");
    assert!(said.out.starts_with(&line(edit)), "{}", said.out);
    for args in [&["diff", interp, "i.zbd"][..], &["diff", "--full", interp, "i.zbd"]] {
        assert_eq!(desk.run(args).out, line(edit));
    }
    // A long text is cut around the difference, and with --full not at all.
    let long = format!("{}here{}", "before ".repeat(20), " after".repeat(20));
    let other = long.replace("here", "there");
    for (name, text) in [("a.zbd", &long), ("b.zbd", &other)] {
        desk.ok(&["patch", interp, "-o", name, "--set", &format!("c3.gs:/lines/5={text}")]);
    }
    let cut = desk.run(&["diff", "a.zbd", "b.zbd"]).out;
    assert!(cut.contains("here after") && cut.contains("there after") && cut.len() < 250, "{cut}");
    let full = desk.run(&["diff", "--full", "a.zbd", "b.zbd"]).out;
    assert!(full.contains(&long) && full.contains(&other), "{full}");
    // An added row is shown as the file has it.
    let row = r#"/rows/-={"label":"200","cells":{"Label":"Elf"}}"#;
    let said = desk.ok(&["patch", table, "-o", "c.2da", "--set", row]);
    assert!(said.out.starts_with("/rows/200: added 200  Elf  ****  ****"), "{}", said.out);
    for args in [&["diff", table, "c.2da"][..], &["diff", "--full", table, "c.2da"]] {
        assert!(desk.run(args).out.starts_with("/rows/200: added 200  Elf  ****  ****"));
    }
    assert!(desk.run(&["diff", "c.2da", table]).out.starts_with("/rows/200: removed 200  Elf  ****  ****"));
}

#[test]
fn file_that_does_not_decode_is_told_from_an_equal_one() {
    let (old, cut) = (archive(), &archive()[..500]);
    let files = [("a/reader.zbd", &*old), ("b/reader.zbd", cut), ("a/same.zbd", cut), ("b/same.zbd", cut)];
    let desk = Desk::of(&files);
    let folders = desk.run(&["diff", "a", "b"]);
    assert_eq!((folders.code, folders.out.as_str()), (2, "reader.zbd: differs\n"), "{}", folders.err);
    let one = desk.run(&["diff", "a/reader.zbd", "b/reader.zbd"]);
    let sizes = format!("/: differs, {} → 500 bytes\n", bitexact::output::printable::grouped(old.len() as u64));
    assert_eq!((one.code, one.out), (2, sizes), "{}", one.err);
    for said in [folders.err, one.err] {
        assert!(said.contains("reader.zbd: ") && said.contains("0x"), "{said}");
    }
    assert_eq!(desk.ok(&["diff", "a/same.zbd", "b/same.zbd"]).out, "");
}

#[test]
fn folders_are_compared_file_by_file() {
    let (old, new) = (archive(), build(&readers(7.5)));
    let desk = Desk::of(&[
        ("a/zbd/reader.zbd", &old),
        ("a/same.zbd", &old),
        ("a/gone.zbd", &old),
        ("a/notes.txt", b"one"),
        ("b/zbd/reader.zbd", &new),
        ("b/same.zbd", &old),
        ("b/come.zbd", &old),
        ("b/notes.txt", b"two"),
    ]);
    let said = desk.run(&["diff", "a", "b"]);
    let expected = "\
come.zbd: added
gone.zbd: removed
notes.txt: differs
zbd/reader.zbd:
  weapons.zrd:/0/1: 5.0 → 7.5
";
    assert_eq!((said.code, said.out.replace('\\', "/").as_str(), said.err.as_str()), (1, expected, ""));
    let rows = desk.run(&["diff", "--json", "a", "b"]);
    let rows: Vec<serde_json::Value> = rows.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row["schema"] == bitexact::edit::diff::SCHEMA), "{rows:?}");
    assert_eq!(rows[3]["changes"][0]["new"], 7.5);
}

#[test]
fn file_that_cannot_be_compared_does_not_stop_the_others() {
    let (old, new) = (archive(), build(&readers(7.5)));
    let desk = Desk::of(&[
        ("a/bad.zmap", b"\x05\0\0\0"),
        ("a/reader.zbd", &old),
        ("b/bad.zmap", &[5; 40]),
        ("b/reader.zbd", &new),
    ]);
    let said = desk.run(&["diff", "a", "b"]);
    assert_eq!((said.code, said.out.as_str()), (2, "bad.zmap: differs\nreader.zbd:\n  weapons.zrd:/0/1: 5.0 → 7.5\n"));
    assert!(said.err.contains("bad.zmap: 0x") && said.err.lines().count() == 1, "{}", said.err);
    let said = desk.run(&["diff", "--json", "a", "b"]);
    let rows: Vec<serde_json::Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [bad, reader] = &rows[..] else { panic!("two rows: {rows:?}") };
    assert_eq!((said.code, &bad["path"], &reader["path"]), (2, &"bad.zmap".into(), &"reader.zbd".into()));
    assert!(bad["error"].as_str().unwrap().contains("bad.zmap: 0x"), "{bad}");
}

#[test]
fn missing_path_is_neither_file_nor_folder() {
    let desk = Desk::of(&[("a/reader.zbd", &archive())]);
    for [a, b] in [["nope", "a"], ["a", "nope"]] {
        let said = desk.run(&["diff", a, b]);
        assert_eq!((said.code, said.err.starts_with("bitexact: nope: ")), (2, true), "{}", said.err);
        assert!(!said.err.contains("cannot compare a file with a folder"), "{}", said.err);
    }
}

#[cfg(unix)]
#[test]
fn contents_of_an_unreadable_folder_are_not_reported_as_removed() {
    let desk = Desk::of(&[("a/zbd/reader.zbd", &archive()), ("a/zbd.zbd", &archive()), ("b/zbd.zbd", &archive())]);
    // A link to its own parent folder is unreadable for every user.
    std::os::unix::fs::symlink(".", desk.path("b/zbd")).unwrap();
    for json in [&[][..], &["--json"]] {
        let said = desk.run(&[&["diff", "a", "b"], json].concat());
        assert_eq!((said.code, said.err.starts_with("bitexact: b/zbd: a link back")), (2, true), "{}", said.err);
        assert!(!said.out.contains("removed") && !said.out.contains("added"), "{}", said.out);
    }
}

/// Returns reader data with these numbers in a list.
fn numbers(numbers: &[f32]) -> Vec<u8> {
    super::data(list(numbers.iter().map(|number| float(*number)).collect::<Vec<_>>()))
}

#[test]
fn items_are_inserted_only_into_lists_of_the_same_length() {
    let desk = Desk::of(&[
        ("base.zrd", &numbers(&[1.0, 2.0, 3.0])),
        ("longer.zrd", &numbers(&[1.0, 2.0, 3.0, 4.0])),
        ("other.zrd", &numbers(&[1.0, 2.5, 3.0])),
        ("both.zrd", &numbers(&[1.0, 2.0, 3.0, 9.0])),
        ("shorter.zrd", &numbers(&[1.0, 3.0])),
    ]);
    let changes = desk.run(&["diff", "--json", "base.zrd", "longer.zrd"]).out;
    assert!(changes.contains(r#"{"do":"insert","at":"/3","length":3,"new":4.0}"#), "{changes}");
    desk.write("changes.json", changes.as_bytes());
    for file in ["both.zrd", "shorter.zrd"] {
        let before = desk.read(file);
        let said = desk.run(&["patch", file, "--apply", "changes.json"]);
        let found = if file == "both.zrd" { "4 items" } else { "2 items" };
        let why = format!("/3: expected a list of 3 items, found {found}, so that the place of the new one is unclear");
        assert!(said.code == 2 && said.err.contains(&why) && said.err.contains("`bitexact merge`"), "{}", said.err);
        assert!(desk.read(file) == before);
    }
    desk.ok(&["patch", "base.zrd", "--apply", "changes.json"]);
    assert!(desk.read("base.zrd") == desk.read("longer.zrd"));
    desk.ok(&["patch", "other.zrd", "--apply", "changes.json"]);
    assert!(desk.read("other.zrd") == numbers(&[1.0, 2.5, 3.0, 4.0]));
    // Without a length, as in a mod, it may be any.
    desk.write("changes.json", changes.replace(r#""length":3,"#, "").as_bytes());
    desk.ok(&["patch", "both.zrd", "--apply", "changes.json"]);
    assert!(desk.read("both.zrd") == numbers(&[1.0, 2.0, 3.0, 4.0, 9.0]));
}
