//! `patch` of a whole folder: a value wherever it is, an entry in all packages, and all files or none.

use std::fs;

use forge::archive::build;
use forge::reader::{self, float, list, string};

use super::{Desk, archive, data, entry, readers};
use crate::harness::{golden_install, sample};

/// Creates a game of three archives of readers, two of which hold the same weapons, and other files.
fn game() -> Desk {
    let mut other = readers(5.0);
    other.entries.retain(|it| it.name[..7] != *b"weapons");
    let desk = Desk::of(&[
        ("game/zbd/reader.zbd", &archive()),
        ("game/zbd/m1/reader.zbd", &build(&readers(2.0))),
        ("game/zbd/m2/reader.zbd", &build(&other)),
        ("game/maps/m1.zmap", &sample("m1.zmap")),
        ("game/readme.txt", b"Read me."),
    ]);
    desk.write("before", b"");
    desk
}

/// Returns all files of a game with their bytes, without the journal.
fn files(desk: &Desk) -> Vec<(String, Vec<u8>)> {
    let is_file = |path: &String| !path.starts_with('.') && desk.path(&format!("game/{path}")).is_file();
    desk.all("game")
        .into_iter()
        .filter(is_file)
        .map(|path| (path.clone(), desk.read(&format!("game/{path}"))))
        .collect()
}

const LASER: &str = "weapons.zrd:/@LASER/1=7.5";

#[test]
fn backups_stay() {
    let desk = game();
    desk.ok(&["patch", "game/zbd/reader.zbd", "-q", "--backup", "--set", "weapons.zrd:/0/1=6.5"]);
    desk.write("game/alone.bak", &archive());
    let said = desk.ok(&["patch", "game", "--everywhere", LASER]);
    assert!(said.out.contains("zbd/reader.zbd ") && said.out.contains("alone.bak"), "{}", said.out);
    assert!(!said.out.contains("reader.zbd.bak"), "{}", said.out);
    assert!(said.err.contains("game: 1 backup left out, because the files are beside them\n"), "{}", said.err);
    assert!(desk.read("game/zbd/reader.zbd.bak") == archive());
}

/// What only a backup has is found, but not changed, whatever the case of the extension.
#[test]
fn place_in_backups_alone_is_named() {
    let desk = Desk::of(&[("game/maps/m1.zmap", &sample("m1.zmap")), ("game/maps/m1.zmap.BAK", &archive())]);
    desk.write("hud.json", br#"["NEW"]"#);
    let before = files(&desk);
    for (args, why) in [
        (&["--everywhere", LASER][..], "weapons.zrd:/@LASER/1: only a backup in game has this place: "),
        (
            &["--everywhere", "/features/0/objective=7", "--where", "weapons.zrd:/@LASER/1=5"],
            "weapons.zrd:/@LASER/1: only a backup in game has this place: ",
        ),
        (&["--replace", "hud.zrd=hud.json"], "hud.zrd: only a backup in game holds an entry of this name: "),
    ] {
        let said = desk.run(&[&["patch", "game"], args].concat());
        let is_named = said.err.contains(why) && said.err.contains("m1.zmap.BAK\n");
        assert!(said.code == 2 && is_named, "{}", said.err);
    }
    let said = desk.run(&["patch", "game", "--everywhere", "weapon.zrd:/@LASER/1=5"]);
    assert!(said.code == 2 && said.err.contains("nothing in game has this place"), "{}", said.err);
    assert!(files(&desk) == before);
}

#[test]
fn value_is_set_wherever_it_is_in_one_edit() {
    let desk = game();
    let before = files(&desk);
    let said = desk.ok(&["patch", "game", "-n", "--everywhere", LASER]);
    let table = "\
FILE               PLACE             CHANGE
zbd/m1/reader.zbd  weapons.zrd:/0/1  2.0 → 7.5
zbd/reader.zbd     weapons.zrd:/0/1  5.0 → 7.5

";
    assert_eq!(said.out, table, "{}", said.err);
    assert_eq!(said.err, "game: would make 2 changes in 2 files; without -n, all are made, or none\n");
    assert!(files(&desk) == before && !desk.path("game/.bitexact-mods").exists(), "a dry run writes nothing");
    let said = desk.ok(&["patch", "game", "--everywhere", LASER]);
    assert_eq!(said.out, table);
    let undo = "game: 2 changes in 2 files; `bitexact mod undo game \"weapons.zrd:/@LASER/1\"` undoes it\n";
    assert_eq!(said.err, undo);
    // The same bytes as one by one.
    for (file, old) in [("zbd/reader.zbd", archive()), ("zbd/m1/reader.zbd", build(&readers(2.0)))] {
        desk.write("one.zbd", &old);
        desk.ok(&["patch", "one.zbd", "-q", "--set", "weapons.zrd:/0/1=7.5"]);
        assert!(desk.read(&format!("game/{file}")) == desk.read("one.zbd"), "{file}");
    }
    let said = desk.ok(&["patch", "game", "--everywhere", LASER]);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", "game: no changes, no file written\n"));
    desk.ok(&["mod", "undo", "game", "weapons.zrd:/@LASER/1"]);
    assert!(files(&desk) == before);
}

#[test]
fn condition_selects_the_files_and_entries() {
    let desk = game();
    let said = desk.ok(&["patch", "game", "-n", "--everywhere", LASER, "--where", "weapons.zrd:/@LASER/1=5"]);
    assert!(said.out.contains("\nzbd/reader.zbd ") && !said.out.contains("m1"), "{}", said.out);
    // The value of another place in the same entry.
    let beside = ["patch", "game", "-n", "--everywhere", "*.zrd:/0/2=4", "--where", "*.zrd:/0/0=LASER"];
    let said = desk.ok(&beside);
    assert_eq!(said.out.matches("weapons.zrd:/0/2  3 → 4").count(), 2, "{}", said.out);
    let said = desk.run(&["patch", "game", "--everywhere", LASER, "--where", "weapons.zrd:/@LASER/1=6"]);
    let why = "bitexact: weapons.zrd:/@LASER/1: game has it, but nowhere with the value of --where\n";
    assert_eq!((said.code, said.err.as_str()), (2, why));
    // A condition about a place that nothing has is no condition: it is an error.
    for file in ["game", "game/zbd/reader.zbd"] {
        let typo = ["patch", file, "-n", "--everywhere", LASER, "--where", "weapon.zrd:/@LASER/1=5"];
        let said = desk.run(&typo);
        assert!(said.code == 2 && said.err.contains("weapon.zrd:/@LASER/1: nothing in "), "{}", said.err);
    }
    // One file, and an entry of one, take it, too.
    let said = desk.ok(&["patch", "game/zbd/reader.zbd", "-n", "--everywhere", "*.zrd:/0/2=4"]);
    assert!(said.out.starts_with("weapons.zrd:/0/2: 3 → 4\n"), "{}", said.out);
}

#[test]
fn value_of_resources_is_set_in_files_and_in_containers() {
    let desk = Desk::of(&[]);
    let install = golden_install().join("nwn");
    for file in ["override/c_boar.utc", "hak/content.hak", "modules/Prelude.mod", "override/appearance.2da"] {
        desk.write(&format!("game/{file}"), &fs::read(install.join(file)).unwrap());
    }
    let said = desk.ok(&["patch", "game", "--everywhere", "*.utc:/Str=18"]);
    assert!(said.out.contains("override/c_boar.utc  /Str/value  "), "{}", said.out);
    let strong = desk.ok(&["inspect", "game/override/c_boar.utc", "/Str/value"]).out;
    assert_eq!(strong.trim(), "18");
    // Without a name, in all files that have such a value; a table has none.
    let said = desk.ok(&["patch", "game", "-n", "--everywhere", "/Str=19"]);
    assert!(said.out.matches("/Str/value  ").count() == 3 && !said.out.contains("2da"), "{}", said.out);
}

#[test]
fn entry_is_replaced_in_all_packages_that_hold_it() {
    let desk = game();
    desk.write("hud.json", br#"["NEW"]"#);
    let before = files(&desk);
    let said = desk.ok(&["patch", "game", "--replace", "hud.zrd=hud.json"]);
    assert_eq!(said.out.matches("hud.zrd:").count(), 3, "{}", said.out);
    assert!(said.err.contains("in 3 files; `bitexact mod undo game hud.zrd` undoes it"), "{}", said.err);
    for file in ["zbd/reader.zbd", "zbd/m1/reader.zbd", "zbd/m2/reader.zbd"] {
        let shown = desk.ok(&["inspect", &format!("game/{file}"), "hud.zrd:/0"]).out;
        assert_eq!(shown.trim(), "NEW", "{file}");
    }
    desk.ok(&["mod", "undo", "game"]);
    assert!(files(&desk) == before);
    let said = desk.run(&["patch", "game", "--replace", "hub.zrd=hud.json"]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "bitexact: hub.zrd: no package in game holds an entry of this name\n")
    );
    // Both at once are one edit.
    desk.ok(&["patch", "game", "-q", "--replace", "hud.zrd=hud.json", "--everywhere", LASER]);
    desk.ok(&["mod", "undo", "game"]);
    assert!(files(&desk) == before);
}

#[test]
fn nothing_is_written_unless_all_files_can_be() {
    let desk = game();
    // Here it is a number without a fraction.
    let weapons = list([list([string(b"LASER"), reader::Value::Int(3)])]);
    let mut spec = readers(1.0);
    spec.entries = vec![entry(b"weapons.zrd", data(weapons))];
    desk.write("game/zbd/z.zbd", &build(&spec));
    let before = files(&desk);
    let said = desk.run(&["patch", "game", "--everywhere", LASER]);
    let why = "bitexact: game/zbd/z.zbd: weapons.zrd:/0/1: expected a value like 3, found 7.5; use --retype to change the type\n";
    assert_eq!(said.code, 2);
    assert_eq!(said.err.replace('\\', "/"), format!("{why}bitexact: game: no file was changed\n"));
    assert!(files(&desk) == before && !desk.path("game/.bitexact-mods").exists());
    desk.ok(&["patch", "game", "-q", "--retype", "--everywhere", LASER]);
    desk.ok(&["mod", "undo", "game"]);
    assert!(files(&desk) == before);
    // A file that must not be written.
    let path = desk.path("game/zbd/z.zbd");
    fs::remove_file(&path).unwrap();
    let path = desk.path("game/zbd/reader.zbd");
    let mut rights = fs::metadata(&path).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(&path, rights.clone()).unwrap();
    let before = files(&desk);
    let said = desk.run(&["patch", "game", "--everywhere", LASER]);
    #[allow(clippy::permissions_set_readonly_false, reason = "the folder is temporary")]
    rights.set_readonly(false);
    fs::set_permissions(&path, rights).unwrap();
    assert!(said.code == 2 && said.err.contains("zbd/reader.zbd: is read-only"), "{}", said.err);
    assert!(files(&desk) == before);
}

/// A disk that is full after some of the files leaves all as they were.
#[cfg(unix)]
#[test]
fn failure_between_two_files_restores_all() {
    let desk = game();
    let large = {
        let mut spec = readers(5.0);
        spec.entries.push(entry(b"large.txt", vec![b'x'; 1 << 16]));
        build(&spec)
    };
    desk.write("game/zbd/z.zbd", &large);
    let before = files(&desk);
    // Files are limited to 4,096 bytes, which the first ones have not.
    let program = env!("CARGO_BIN_EXE_bitexact");
    let script = format!("trap '' XFSZ; ulimit -f 8; exec '{program}' patch game --everywhere {LASER}");
    let output = std::process::Command::new("sh").current_dir(desk.path("")).args(["-c", &script]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(files(&desk) == before, "{said}");
    desk.ok(&["patch", "game", "-q", "--everywhere", LASER]);
    desk.ok(&["mod", "undo", "game"]);
    assert!(files(&desk) == before);
}

#[test]
fn options_of_one_file_name_those_of_a_folder() {
    let desk = game();
    let both = "--everywhere and --replace change all files in it";
    for (args, why) in [
        (&["--set", LASER][..], format!("game: is a folder, and --set is for one file; {both}")),
        (&[], format!("game: is a folder; {both}")),
        (
            &["--everywhere", "weapons.zrd=1"],
            "weapons.zrd: expected the place of a value, such as \"*.zrd:/0/1\"".to_owned(),
        ),
        (
            &["--everywhere", "/@LASER/1=1"],
            "/@LASER/1: @NAME in a list needs the name of the files before it, such as \"*.zrd:/@LASER/1\"".to_owned(),
        ),
        (
            &["--everywhere", "weapons.zrd:/@LAZER/1=1"],
            "weapons.zrd:/@LAZER/1: nothing in game has this place; `bitexact inspect` shows places".to_owned(),
        ),
        (
            &["--everywhere", LASER, "--backup"],
            "--backup is for one file; `bitexact mod undo` undoes the edit of a folder".to_owned(),
        ),
    ] {
        let said = desk.run(&[&["patch", "game"], args].concat());
        assert_eq!((said.code, said.err), (2, format!("bitexact: {why}\n")), "{args:?}");
    }
    let said = desk.run(&["patch", "game/zbd/reader.zbd", "--retype", "--rename", "hud.zrd=old.zrd"]);
    assert!(said.code == 2 && said.err.contains("--retype is for --set and --everywhere"), "{}", said.err);
    // A file that cannot be read is named, and left out.
    desk.write("game/zbd/cut.zmap", &sample("m1.zmap")[..100]);
    let said = desk.run(&["patch", "game", "-n", "--everywhere", LASER]);
    assert!(said.code == 1 && said.err.contains("game: 1 file left out"), "{} {}", said.code, said.err);
}

/// A float in one archive can be the text of another value elsewhere.
#[test]
fn place_that_leads_to_several_items_sets_all() {
    let desk = Desk::of(&[]);
    let weapons = list([list([string(b"LASER"), float(1.0)]), list([string(b"LASER"), float(2.0)])]);
    let mut spec = readers(1.0);
    spec.entries = vec![entry(b"weapons.zrd", data(weapons))];
    desk.write("game/reader.zbd", &build(&spec));
    let said = desk.ok(&["patch", "game", "-n", "--everywhere", LASER]);
    assert!(said.out.contains("/0/1  1.0 → 7.5") && said.out.contains("/1/1  2.0 → 7.5"), "{}", said.out);
    let said = desk.ok(&["patch", "game", "-n", "--everywhere", LASER, "--where", "weapons.zrd:/@LASER/1=2"]);
    assert!(!said.out.contains("1.0 → 7.5") && said.out.contains("/1/1  2.0 → 7.5"), "{}", said.out);
}
