//! Invalid edits are refused with file, line or place, and the reason; no file is written.

use super::{Desk, archive};
use crate::harness;

const MANIFEST: &str = "reader/bitexact.json";
const WEAPONS: &str = "reader/weapons.zrd.json";

/// Returns the error for an edit of a text that occurs exactly once.
fn said(file: &str, from: &str, to: &str) -> String {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "reader"]);
    desk.replace(file, from, to);
    refused(&desk)
}

fn refused(desk: &Desk) -> String {
    let said = desk.run(&["pack", "reader", "out.zbd"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
    assert!(!desk.path("out.zbd").exists());
    assert!(desk.all("").iter().all(|path| !path.contains(".bitexact-")));
    said.err
}

#[test]
fn invalid_edits_report_place_and_reason() {
    let long = format!("\"{}\"", "long ".repeat(13));
    for (file, from, to, expected) in [
        (WEAPONS, "\"LASER\"", "LASER", "reader/weapons.zrd.json:1:3: expected value"),
        (WEAPONS, "5.0, 3]", "5.0, 3", "reader/weapons.zrd.json:2:1: the text ends inside a list"),
        (WEAPONS, "5.0", "5e39", "reader/weapons.zrd.json:1:12: 5e39 is too large for a float"),
        (
            WEAPONS,
            "5.0",
            "true",
            "reader/weapons.zrd.json:1:12: /0/1: expected a number, a string or a list, found true",
        ),
        (
            WEAPONS,
            "3],",
            "2147483648],",
            "reader/weapons.zrd.json:1:17: /0/2: expected a whole number of 32 bits, found 2147483648",
        ),
        (WEAPONS, "LASER", "λ", "reader/weapons.zrd.json:1:3: /0/0: expected characters of windows-1252, found \"λ\""),
        (MANIFEST, "\"hud.zrd\"", &long, "reader/bitexact.json:29:17: /entries/2/name: expected "),
        (
            MANIFEST,
            "\"hud.zrd\"",
            "\"λ.zrd\"",
            "reader/bitexact.json:29:17: /entries/2/name: expected characters of windows-1252",
        ),
        (MANIFEST, "\"hud.zrd\"", "7", "reader/bitexact.json:29:17: /entries/2/name: expected "),
        (
            MANIFEST,
            "\"hud.zrd.json\"",
            "\"../hud.zrd.json\"",
            "reader/bitexact.json:28:17: /entries/2/file: expected a file ../hud.zrd.json, found no such file",
        ),
        (MANIFEST, "\"version\": 2", "\"version\": 2.0", "reader/bitexact.json:35:16: /version: expected "),
        (MANIFEST, "\"version\": 2", "\"version\": -1", "reader/bitexact.json:35:16: /version: expected "),
        (
            MANIFEST,
            "\"version\": 2",
            "\"version\": 2, \"versions\": 3",
            "reader/bitexact.json:35:19: /: expected no member versions, found 3",
        ),
        (
            MANIFEST,
            "\"version\": 2",
            "\"version\": 2, \"version\": 2",
            "reader/bitexact.json:35:19: duplicate key \"version\"",
        ),
        (
            MANIFEST,
            "\"version\": 2",
            "\"version\": 3",
            "reader: the edited file would be recognized as an unknown format, not archive",
        ),
        (
            MANIFEST,
            "\"archive\"",
            "\"archives\"",
            "reader/bitexact.json:4:11: /kind: expected a supported kind, found \"archives\"",
        ),
        (
            MANIFEST,
            "\"schema\": 3",
            "\"schema\": 2",
            "reader/bitexact.json:3:13: /schema: expected 3, as this version writes it (unpack the file again), found 2",
        ),
        (
            MANIFEST,
            "\"schema\": 3",
            "\"schema\": 3, \"note\": 2",
            "reader/bitexact.json:3:16: /: expected no member note, found 2",
        ),
    ] {
        let said = said(file, from, to);
        assert!(said.starts_with(&format!("bitexact: {expected}")), "{from} -> {to}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn missing_and_extra_files_are_reported() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "reader"]);
    // A file that was unpacked, and whose row is gone.
    let manifest = desk.read("reader/bitexact.json");
    desk.edit("reader/bitexact.json", |json| {
        let entries = ["data", "entries"].iter().try_fold(json, |at, key| at.step_mut(key)).unwrap();
        if let bitexact::field::Value::List(items) = entries {
            items.pop();
        }
    });
    let said = refused(&desk);
    assert!(said.starts_with("bitexact: reader/hud.zrd.json: was unpacked, but no entry names it now"), "{said}");
    desk.write("reader/bitexact.json", &manifest);
    for missing in ["weapons.zrd.json", "bitexact.json"] {
        let path = format!("reader/{missing}");
        let bytes = desk.read(&path);
        std::fs::remove_file(desk.path(&path)).unwrap();
        assert!(refused(&desk).contains(missing));
        desk.write(&path, &bytes);
    }
    desk.ok(&["pack", "reader", "out.zbd"]);
}

#[test]
fn existing_file_is_replaced_only_with_force() {
    let desk = Desk::of(&[("reader.zbd", &archive()), ("out.zbd", b"precious")]);
    desk.ok(&["unpack", "reader.zbd", "reader"]);
    let said = desk.run(&["pack", "reader", "out.zbd"]);
    assert_eq!((said.code, desk.read("out.zbd").as_slice()), (2, &b"precious"[..]));
    assert!(said.err.contains("out.zbd: already exists; use --force to overwrite it"), "{}", said.err);
    desk.ok(&["pack", "reader", "out.zbd", "--force"]);
    assert!(desk.read("out.zbd") == archive());
}

#[test]
fn file_is_not_packed_into_its_own_folder() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "reader"]);
    let before = desk.all("reader");
    let mut targets = vec!["reader/bitexact.json", "reader/new.zbd", "./reader/../reader/new.zbd"];
    if cfg!(unix) {
        #[cfg(unix)]
        for (to, link) in [("reader", "folder"), ("reader/bitexact.json", "file")] {
            std::os::unix::fs::symlink(to, desk.path(link)).unwrap();
        }
        targets.extend(["folder/new.zbd", "file"]);
    }
    for target in targets {
        let said = desk.run(&["pack", "--force", "reader", target]);
        assert_eq!(
            (said.code, said.err.contains(": is inside reader, the folder being packed")),
            (2, true),
            "{target}: {}",
            said.err
        );
        assert_eq!(desk.all("reader"), before);
    }
    desk.ok(&["pack", "reader", "reader2.zbd"]);
    let said = desk.run(&["pack", "reader", "nodir/new.zbd"]);
    assert_eq!(said.err, "bitexact: nodir/new.zbd: folder nodir does not exist\n");
}

#[test]
fn data_stored_in_a_file_are_refused_in_the_manifest() {
    let samples = forge::samples(7, forge::Size::Tiny);
    let wave = samples.iter().find(|sample| sample.kind == "wave").expect("the forge makes sounds");
    let desk = Desk::of(&[("horn.wav", &wave.bytes)]);
    desk.ok(&["unpack", "horn.wav", "reader"]);
    desk.replace(MANIFEST, "\"schema\": 3", "\"schema\": 3, \"data\": 7");
    let said = refused(&desk);
    assert!(said.starts_with("bitexact: reader/bitexact.json:3:16: /: expected no member data, found 7"), "{said}");
}

/// Options of another use of a command are refused and not ignored.
#[test]
fn options_for_something_else_are_refused() {
    let table = std::fs::read(harness::golden_install().join("nwn/override/appearance.2da")).unwrap();
    let desk = Desk::of(&[("a.2da", &table), ("levels/0/x", b"x"), ("base.mdl", b"x")]);
    desk.ok(&["unpack", "a.2da", "folder"]);
    desk.ok(&["export", "a.2da", "a.csv"]);
    let twice = desk.run(&["patch", "a.2da", "-n", "--set", "/rows/1/Label=a", "--set", "/rows/@Type_1/Label=b"]);
    assert!(twice.code == 2 && twice.err.contains("/Label: is set twice; leave one out"), "{}", twice.err);
    let calls: [(&[&str], &str); 4] = [
        (&["pack", "--new", "scen", "levels", "x.sceA", "--with", "levels", "--favor", "last", "--renumber"], "--with"),
        (&["pack", "folder", "x.2da", "--super", "base.mdl"], "--super"),
        (&["pack", "--new", "hak", "folder", "x.hak", "--super", "base.mdl"], "--super"),
        (&["import", "a.2da", "a.csv", "--super", "base.mdl"], "--super"),
    ];
    for (call, option) in calls {
        let said = desk.run(call);
        assert!(said.code == 2 && said.err.contains(&format!("{option} is for ")), "{call:?}: {}", said.err);
    }
    assert!(["x.sceA", "x.2da", "x.hak"].iter().all(|file| !desk.path(file).exists()));
    assert!(desk.read("a.2da") == table);
}
