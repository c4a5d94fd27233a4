//! Mods that people share: what they say about themselves, as archives that any program opens.

use std::fs;
use std::io::{Cursor, Read as _};

use super::Desk;
use crate::harness::golden_install;

/// Returns a desk with a copy of a sample game and an edited one.
fn desk() -> Desk {
    let desk = Desk::of(&[]);
    for (game, files) in [("mw", &["mw/zbd/soundsH.zbd", "mw/zbd/interp.zbd"][..]), ("rc", &["rc/maps/m1.zmap"])] {
        for file in files {
            let bytes = fs::read(golden_install().join(file)).unwrap();
            desk.write(&format!("old/{file}"), &bytes);
            desk.write(&format!("new/{file}"), &bytes);
        }
        assert!(desk.path(&format!("old/{game}")).is_dir());
    }
    desk.ok(&["patch", "new/rc/maps/m1.zmap", "-q", "--set", "/features/0/objective=7"]);
    desk
}

const PNG: &[u8] = b"\x89PNG\r\n\x1A\nand so on";

#[test]
fn a_mod_says_what_it_is() {
    let desk = desk();
    desk.write("me.png", PNG);
    let about = ["--title", "Objectives", "--author", "Ann", "--version", "1.2", "--description", "More of them."];
    let make = ["mod", "make", "old/rc", "new/rc", "-o", "cool.bxmod", "--picture", "me.png"];
    desk.ok(&[&make[..], &about].concat());
    let said = desk.ok(&["mod", "show", "cool.bxmod"]).out;
    let expected =
        "Objectives 1.2, by Ann\nMore of them.\nmade for Recoil\nchanges 1 file:\n  maps/m1.zmap: 1 change\n";
    assert_eq!(said, expected);
    let said = desk.ok(&["mod", "show", "-v", "cool.bxmod"]).out;
    assert!(said.ends_with("    /features/0/objective: 6 → 7\n"), "{said}");
    let row: serde_json::Value = serde_json::from_str(&desk.ok(&["mod", "show", "--json", "cool.bxmod"]).out).unwrap();
    assert_eq!((&row["title"], &row["made_for"]["game"]), (&"Objectives".into(), &"rc".into()));
    // Any program for archives shows the same.
    let mut zip = zip::ZipArchive::new(Cursor::new(desk.read("cool.bxmod"))).unwrap();
    let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    assert_eq!(names, ["mod.json", "picture.png", "changes.jsonl"]);
    let mut manifest = String::new();
    zip.by_name("mod.json").unwrap().read_to_string(&mut manifest).unwrap();
    assert!(manifest.contains("\"title\": \"Objectives\"") && manifest.lines().count() > 5, "{manifest}");
    // The same mod gives the same bytes, and it is applied and undone.
    let first = desk.read("cool.bxmod");
    desk.ok(&[&make[..], &about, &["--force"]].concat());
    assert!(desk.read("cool.bxmod") == first);
    desk.ok(&["mod", "apply", "old/rc", "cool.bxmod"]);
    assert!(desk.read("old/rc/maps/m1.zmap") == desk.read("new/rc/maps/m1.zmap"));
    desk.ok(&["mod", "undo", "old/rc", "cool"]);
}

#[test]
fn a_mod_for_another_game_says_so() {
    let desk = Desk::of(&[]);
    for (game, folder) in [("mw", "old"), ("mw", "new"), ("rc", "rc")] {
        let all = golden_install().join(game);
        for file in bitexact::install::files(&all).unwrap() {
            let path = file.path.strip_prefix(&all).unwrap().to_string_lossy().replace('\\', "/");
            desk.write(&format!("{folder}/{path}"), &file.read().unwrap());
        }
    }
    desk.ok(&["patch", "new/zbd/soundsL.zbd", "-q", "--remove", "dropship_00.wav"]);
    desk.ok(&["mod", "make", "old", "new", "-o", "mw.bxmod"]);
    let said = desk.ok(&["mod", "show", "mw.bxmod"]).out;
    let Some(made) = said.lines().find(|line| line.starts_with("made for MechWarrior 3, ")) else { panic!("{said}") };
    let said = desk.run(&["mod", "apply", "rc", "mw.bxmod"]);
    let expected = format!("mw.bxmod: {made}; this is Recoil, edition of 1998\n");
    assert!(said.code != 0 && said.err.starts_with(&expected), "{}", said.err);
    // In its own game it says nothing.
    assert!(!desk.ok(&["mod", "check", "old", "mw.bxmod"]).err.contains("made for"));
}

#[test]
fn what_is_no_shared_mod_is_refused() {
    let desk = desk();
    desk.write("me.txt", b"a picture");
    let refused = |args: &[&str], why: &str| {
        let said = desk.run(args);
        assert!(said.code == 2 && said.err.contains(why), "{args:?}: {}", said.err);
    };
    let make = ["mod", "make", "old/rc", "new/rc", "-o"];
    refused(&[&make[..], &["a.bxmod", "--picture", "me.txt"]].concat(), "me.txt: expected a picture as PNG or JPEG");
    desk.write("me.png", PNG);
    refused(&[&make[..], &["a.mod", "--picture", "me.png"]].concat(), "call the mod NAME.bxmod");
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("a.txt", zip::write::SimpleFileOptions::default()).unwrap();
    desk.write("b.bxmod", zip.finish().unwrap().get_ref());
    refused(&["mod", "show", "b.bxmod"], "expected a mod, found an archive without changes.jsonl");
    refused(&["mod", "show", "old"], "old: expected a mod, found a folder");
}

#[test]
fn conflicts_have_values_and_a_way_out() {
    let desk = desk();
    let map = "new/rc/maps/m1.zmap";
    desk.ok(&["mod", "make", "old/rc", "new/rc", "-o", "a.bxmod"]);
    desk.ok(&["patch", map, "-q", "--set", "/features/0/objective=9"]);
    desk.ok(&["mod", "make", "old/rc", "new/rc", "-o", "b.bxmod"]);
    let said = desk.run(&["mod", "check", "old/rc", "a.bxmod", "b.bxmod"]);
    assert!(
        said.code == 1 && said.err.contains("/features/0/objective: 6 → 9") && said.err.contains("6 → 7"),
        "{}",
        said.err
    );
    assert!(said.err.contains("apply the one whose value you want; `bitexact mod show -v MOD` lists the changes"));
}
