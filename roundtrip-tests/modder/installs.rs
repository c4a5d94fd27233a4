//! Mods for an install: a modder's week, and what hostile mods leave.

use std::collections::BTreeMap;

use forge::archive::build;
use forge::reader::{list, string};

use super::{Desk, archive, data, readers};
use crate::harness::sample;

/// Returns the files below a folder with their bytes.
pub(super) fn files(desk: &Desk, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let all = desk.all(folder).into_iter().filter(|path| desk.path(folder).join(path).is_file());
    all.map(|path| (path.clone(), desk.read(&format!("{folder}/{path}")))).collect()
}

/// Returns the archive with a different reader for the display.
fn with_hud(damage: f32) -> Vec<u8> {
    let mut spec = readers(damage);
    spec.entries[2].data = data(list([string(b"RADAR")]));
    build(&spec)
}

/// Creates a desk with an original game, and copies of it in these folders.
fn desk(copies: &[&str]) -> Desk {
    let desk = Desk::of(&[]);
    for folder in ["original"].iter().chain(copies) {
        desk.write(&format!("{folder}/ZBD/reader.zbd"), &archive());
        desk.write(&format!("{folder}/maps/m1.zmap"), &sample("m1.zmap"));
        desk.write(&format!("{folder}/readme.txt"), b"as sold");
    }
    desk
}

/// Creates a desk with two mods that go together, and a third one that contradicts the first.
fn with_mods() -> Desk {
    let desk = desk(&["game", "damage", "radar", "rival"]);
    desk.write("damage/ZBD/reader.zbd", &build(&readers(7.5)));
    desk.write("damage/new/notes.txt", b"all new");
    desk.write("radar/ZBD/reader.zbd", &with_hud(5.0));
    desk.ok(&["patch", "radar/maps/m1.zmap", "--set", "/features/0/objective=7"]);
    std::fs::remove_file(desk.path("radar/readme.txt")).unwrap();
    desk.write("radar/Thumbs.db", b"litter");
    desk.write("rival/ZBD/reader.zbd", &build(&readers(9.0)));
    desk.write("rival/readme.txt", b"read me, too");
    for name in ["damage", "rival"] {
        desk.ok(&["mod", "make", "original", name, "-o", &format!("{name}.mod")]);
    }
    let made = desk.ok(&["mod", "make", "original", "radar", "-o", "radar.mod"]);
    assert_eq!(made.out, "ZBD/reader.zbd: 1 change\nmaps/m1.zmap: 1 change\nreadme.txt: removed\n");
    assert!(made.err.starts_with("ignored: radar/Thumbs.db\nradar.mod: 3 files, "), "{}", made.err);
    desk
}

#[test]
fn mods_are_made_applied_together_and_undone() {
    let desk = with_mods();
    let original = files(&desk, "game");
    // A mod is text, with the old values and no unchanged file.
    let text = String::from_utf8(desk.read("damage.mod")).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert!(text.contains(r#""at":"weapons.zrd:/0/1","old":5.0,"new":7.5"#) && !text.contains("m1.zmap"), "{text}");

    let checked = desk.ok(&["mod", "check", "game", "damage.mod", "radar.mod"]);
    assert_eq!((checked.out.lines().count(), files(&desk, "game")), (4, original.clone()));
    assert!(!desk.path("game/.bitexact-mods").exists(), "a check writes nothing");
    desk.ok(&["mod", "apply", "game", "damage.mod", "radar.mod"]);
    assert!(desk.read("game/ZBD/reader.zbd") == with_hud(7.5), "both changes, and the checksum that follows");
    assert_eq!(desk.read("game/new/notes.txt"), b"all new");
    assert!(!desk.path("game/readme.txt").exists() && desk.read("game/maps/m1.zmap") != sample("m1.zmap"));
    let verified = desk.ok(&["verify", "--json", "game"]).out;
    assert!(!verified.contains("deviations") && !verified.contains(".bitexact-mods"), "{verified}");
    let listed = desk.ok(&["mod", "list", "game"]).out;
    assert!(listed.starts_with("damage.mod: 2 files, SHA-256 ") && listed.contains("\nradar.mod: 3 files"), "{listed}");

    // A third mod contradicts the first one, and a file that the second removes.
    let both = files(&desk, "game");
    let conflict = "conflict: rival.mod (weapons.zrd:/0/1: 5.0 → 9.0) and damage.mod (weapons.zrd:/0/1: 5.0 → 7.5)";
    for (call, code) in [("check", 1), ("apply", 2)] {
        let said = desk.run(&["mod", call, "game", "rival.mod"]);
        assert_eq!(said.code, code, "{}", said.err);
        assert!(said.err.contains(&format!("bitexact: ZBD/reader.zbd: {conflict}\n")), "{}", said.err);
        assert!(
            said.err.contains("bitexact: readme.txt: conflict: rival.mod (replaced as a whole, 12 bytes)"),
            "{}",
            said.err
        );
        assert_eq!(files(&desk, "game"), both);
    }

    // Without both, it is applied; each undo gives the bytes that the others give alone.
    let undone = desk.ok(&["mod", "undo", "game", "damage"]);
    assert!(undone.err.ends_with("game: undid damage.mod, 2 files\n"), "{}", undone.err);
    assert!(desk.read("game/ZBD/reader.zbd") == with_hud(5.0) && !desk.path("game/new").exists());
    desk.ok(&["mod", "undo", "game"]);
    assert_eq!((files(&desk, "game"), desk.path("game/.bitexact-mods").exists()), (original.clone(), false));
    desk.ok(&["mod", "apply", "game", "rival.mod"]);
    desk.ok(&["mod", "undo", "game", "rival.mod"]);
    assert_eq!(files(&desk, "game"), original);
    assert_eq!(desk.run(&["mod", "undo", "game"]).err, "bitexact: game: no mod is applied\n");
}

#[test]
fn mod_of_one_file_applies_to_one_file() {
    let desk = Desk::of(&[("a.zbd", &archive()), ("b.zbd", &build(&readers(7.5))), ("other.zbd", &archive())]);
    desk.ok(&["mod", "make", "a.zbd", "b.zbd", "-o", "x.mod"]);
    desk.ok(&["mod", "apply", "other.zbd", "x.mod"]);
    assert!(desk.read("other.zbd") == build(&readers(7.5)) && desk.read("a.zbd") == archive());
    desk.ok(&["mod", "undo", "other.zbd"]);
    assert!(desk.read("other.zbd") == archive());
    assert_eq!(desk.all(""), ["a.zbd", "b.zbd", "other.zbd", "x.mod"]);
    let said = desk.run(&["mod", "make", "a.zbd", "other.zbd", "-o", "y.mod"]);
    assert_eq!((said.code, said.err.contains("are equal; a mod needs a difference")), (2, true), "{}", said.err);
    let said = desk.run(&["mod", "make", "a.zbd", "b.zbd", "-o", "x.mod"]);
    assert_eq!((said.code, said.err.contains("x.mod: already exists; use --force")), (2, true), "{}", said.err);
}

#[test]
fn mods_of_files_in_one_folder_are_kept_apart() {
    let desk = Desk::of(&[]);
    for (name, damage) in [("old.zbd", 5.0), ("new.zbd", 7.5), ("newer.zbd", 9.0), ("a.zbd", 5.0), ("b.zbd", 5.0)] {
        desk.write(name, &build(&readers(damage)));
    }
    desk.ok(&["mod", "make", "old.zbd", "new.zbd", "-o", "x.mod"]);
    desk.ok(&["mod", "make", "new.zbd", "newer.zbd", "-o", "y.mod"]);
    desk.ok(&["mod", "apply", "a.zbd", "x.mod"]);
    desk.ok(&["mod", "apply", "b.zbd", "x.mod"]);
    desk.ok(&["mod", "apply", "b.zbd", "y.mod"]);
    assert!(desk.read("a.zbd") == build(&readers(7.5)) && desk.read("b.zbd") == build(&readers(9.0)));
    assert_eq!(desk.ok(&["mod", "list", "a.zbd"]).out.lines().count(), 1);
    assert_eq!(desk.ok(&["mod", "list", "."]).out.lines().count(), 3);
    let said = desk.run(&["mod", "undo", ".", "x"]);
    assert!(said.code == 2 && said.err.contains("x.mod (a.zbd), x.mod (b.zbd)"), "{}", said.err);
    // The last mod of the folder was applied to the other file.
    desk.ok(&["mod", "undo", "a.zbd"]);
    assert!(desk.read("a.zbd") == build(&readers(5.0)) && desk.read("b.zbd") == build(&readers(9.0)));
    let said = desk.run(&["mod", "undo", "b.zbd", "x"]);
    assert!(said.code == 2 && said.err.contains("undo y.mod first, which depends on x.mod (b.zbd)"), "{}", said.err);
    desk.ok(&["mod", "undo", "b.zbd"]);
    desk.ok(&["mod", "undo", "b.zbd"]);
    assert!(desk.read("b.zbd") == build(&readers(5.0)) && !desk.path(".bitexact-mods").exists());
}

#[test]
fn files_that_cannot_exist_together_conflict() {
    let desk = desk(&["game", "file", "folder", "case"]);
    desk.write("file/new", b"a file");
    desk.write("folder/new/deep", b"in a folder of this name");
    desk.write("case/NEW", b"another case");
    for name in ["file", "folder", "case"] {
        desk.ok(&["mod", "make", "original", name, "-o", &format!("{name}.mod")]);
    }
    let before = files(&desk, "game");
    for (other, why) in [("folder.mod", "new is a folder of new/deep"), ("case.mod", "differ only in case")] {
        for mods in [["file.mod", other], [other, "file.mod"]] {
            let said = desk.run(&["mod", "apply", "game", mods[0], mods[1]]);
            assert!(said.code == 2 && said.err.contains("conflict: ") && said.err.contains(why), "{}", said.err);
            assert_eq!((files(&desk, "game"), desk.path("game/.bitexact-mods").exists()), (before.clone(), false));
        }
    }
}

#[test]
fn mods_change_resources_of_a_module_of_neverwinter_nights() {
    let place = ["c_boar.utc:/ChallengeRating/value", "c_boar.utc:/FirstName/value/0"];
    let desk = Desk::of(&[]);
    for folder in ["original", "rating", "name", "rival", "game"] {
        desk.write(&format!("{folder}/modules/module.mod"), &sample("module.mod"));
    }
    for (folder, edit) in [
        ("rating", format!("{}=0.25", place[0])),
        ("name", format!("{}=\"Wild boar\"", place[1])),
        ("rival", format!("{}=0.5", place[0])),
    ] {
        desk.ok(&["patch", &format!("{folder}/modules/module.mod"), "--set", &edit]);
        let made = desk.ok(&["mod", "make", "original", folder, "-o", &format!("{folder}.txt")]);
        assert_eq!(made.out, "modules/module.mod: 1 change\n");
    }
    desk.ok(&["mod", "apply", "game", "rating.txt", "name.txt"]);
    for (place, value) in [(place[0], "0.25"), (place[1], "\"Wild boar\"")] {
        let shown = desk.ok(&["inspect", "game/modules/module.mod", place]).out;
        assert_eq!(shown.trim().trim_matches('"'), value.trim_matches('"'));
    }
    let said = desk.run(&["mod", "check", "game", "rival.txt"]);
    assert!(said.code == 1 && said.err.contains(&format!("conflict: rival.txt ({}: ", place[0])), "{}", said.err);
    desk.ok(&["mod", "undo", "game", "rating"]);
    assert!(desk.read("game/modules/module.mod") == desk.read("name/modules/module.mod"));
    desk.ok(&["mod", "undo", "game"]);
    assert!(desk.read("game/modules/module.mod") == sample("module.mod"));
}

#[test]
fn file_changed_by_something_else_is_left_alone() {
    let desk = with_mods();
    desk.ok(&["mod", "apply", "game", "damage.mod"]);
    desk.ok(&["patch", "original/ZBD/reader.zbd", "--set", "weapons.zrd:/0/0=\"MINE\""]);
    desk.write("game/ZBD/reader.zbd", &desk.read("original/ZBD/reader.zbd"));
    let mine = files(&desk, "game");
    for args in [&["mod", "undo", "game"][..], &["mod", "apply", "game", "radar.mod"]] {
        let said = desk.run(args);
        assert_eq!(said.code, 2);
        assert!(said.err.contains("ZBD/reader.zbd: something else has changed the file since"), "{}", said.err);
        assert_eq!(files(&desk, "game"), mine);
    }
}

#[test]
fn hostile_or_damaged_mod_is_refused_with_its_line() {
    let desk = with_mods();
    let right = String::from_utf8(desk.read("damage.mod")).unwrap();
    let original = files(&desk, "game");
    for (from, to, why) in [
        ("new/notes.txt", "../notes.txt", "evil.mod:3: \"../notes.txt\": expected a path inside the game"),
        ("new/notes.txt", "/tmp/notes.txt", "expected a path inside the game"),
        ("new/notes.txt", "C:\\\\notes.txt", "expected a path inside the game"),
        ("new/notes.txt", "nul", "expected a path inside the game"),
        ("new/notes.txt", ".bitexact-mods/state.json", "expected a file of the game, found one of the journal"),
        ("new/notes.txt", "zbd/READER.zbd", "occurs twice"),
        ("\"bytes\":7,\"content\"", "\"bytes\":6,\"content\"", "content: expected 6 bytes"),
        (
            "\"schema\":1",
            "\"schema\":9",
            "evil.mod:1: expected schema 1 and 3, as this version writes them (make the mod again), found 9 and 3",
        ),
        ("\"files\":2", "\"files\":3", "expected 3 files, found 2; the mod is incomplete"),
        ("\"old\":5.0", "\"old\":4.0", "ZBD/reader.zbd: evil.mod: weapons.zrd:/0/1: expected 4.0, found 5.0"),
        ("\"new\":7.5", "\"new\":8.5", "expected a result with SHA-256"),
        ("\"kind\":\"archive\"", "\"kind\":\"wad\"", "expected a file of kind wad, found archive"),
        ("\"path\"", "\"pfad\"", "unknown field"),
    ] {
        assert!(right.contains(from), "{from}: {right}");
        // The second path is that of the new file; the other texts occur first in the right line.
        desk.write("evil.mod", right.replacen(from, to, 1).as_bytes());
        let said = desk.run(&["mod", "apply", "game", "evil.mod"]);
        assert_eq!((said.code, said.err.contains(why)), (2, true), "{to}: {}", said.err);
        assert_eq!(
            (files(&desk, "game"), desk.path("game/.bitexact-mods").exists()),
            (original.clone(), false),
            "{to}"
        );
    }
}

#[test]
fn litter_in_an_unpacked_folder_is_ignored_with_one_line() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "form"]);
    for path in ["Thumbs.db", ".DS_Store", "desktop.ini", "weapons.zrd.json~", ".git/HEAD", ".git/objects/ab/cd"] {
        desk.write(&format!("form/{path}"), b"litter");
    }
    let said = desk.ok(&["pack", "form", "new.zbd"]);
    assert!(desk.read("new.zbd") == archive());
    assert!(said.err.starts_with("ignored: form/.DS_Store, form/.git, form/Thumbs.db and 2 more\n"), "{}", said.err);
}

#[test]
fn whole_install_is_unpacked_and_only_changed_files_are_packed() {
    let desk = desk(&["game"]);
    let said = desk.ok(&["unpack", "game", "form"]);
    assert!(
        said.err.starts_with("form: unpacked 2 files; ") && said.err.contains("\nleft out: 1 file not supported"),
        "{}",
        said.err
    );
    assert_eq!(desk.ok(&["pack", "form", "game"]).err, "game: no changes, no file written\n");
    desk.replace("form/ZBD/reader.zbd/weapons.zrd.json", "5.0", "7.5");
    desk.write("form/.git/HEAD", b"a repository");
    let modified = |path: &str| std::fs::metadata(desk.path(path)).unwrap().modified().unwrap();
    let map = modified("game/maps/m1.zmap");
    let said = desk.ok(&["pack", "form", "game"]);
    assert!(said.err.ends_with("game: replaced 1 file; `bitexact mod undo game form` undoes it\n"), "{}", said.err);
    assert!(desk.read("game/ZBD/reader.zbd") == build(&readers(7.5)) && modified("game/maps/m1.zmap") == map);
    // It is undone like a mod, and made again.
    let listed = desk.ok(&["mod", "list", "game"]).out;
    assert!(listed.starts_with("form (20") && listed.contains("): 1 file, SHA-256 "), "{listed}");
    desk.ok(&["mod", "undo", "game", "form"]);
    assert!(desk.read("game/ZBD/reader.zbd") == archive() && !desk.path("game/.bitexact-mods").exists());
    desk.ok(&["pack", "form", "game", "--force"]);
    assert!(desk.read("game/ZBD/reader.zbd") == build(&readers(7.5)));
    assert!(desk.ok(&["pack", "form", "game"]).err.ends_with("game: no changes, no file written\n"));
    // The next edit is based on the packed file.
    desk.replace("form/ZBD/reader.zbd/weapons.zrd.json", "7.5", "9.0");
    desk.ok(&["pack", "form", "game"]);
    assert!(desk.read("game/ZBD/reader.zbd") == build(&readers(9.0)));
    // A file that something else has changed is replaced only by force; a folder that does not pack changes nothing.
    desk.write("game/ZBD/reader.zbd", &build(&readers(1.0)));
    let said = desk.ok(&["pack", "form", "game"]);
    assert!(said.err.contains("has changed since it was unpacked, and is left unchanged"), "{}", said.err);
    assert!(desk.read("game/ZBD/reader.zbd") == build(&readers(1.0)));
    desk.replace("form/ZBD/reader.zbd/weapons.zrd.json", "9.0", "2.0");
    let said = desk.run(&["pack", "form", "game"]);
    assert_eq!((said.code, said.err.contains("something else has changed the file since")), (2, true), "{}", said.err);
    assert!(desk.read("game/ZBD/reader.zbd") == build(&readers(1.0)));
    desk.ok(&["pack", "form", "game", "--force"]);
    assert!(desk.read("game/ZBD/reader.zbd") == build(&readers(2.0)));
    desk.replace("form/ZBD/reader.zbd/weapons.zrd.json", "2.0", "3.0");
    desk.replace("form/maps/m1.zmap/bitexact.json", "\"zmap\"", "\"wad\"");
    assert_eq!(desk.run(&["pack", "form", "game"]).code, 2);
    assert!(desk.read("game/ZBD/reader.zbd") == build(&readers(2.0)));
    assert_eq!(desk.run(&["unpack", "game", "form"]).err, "bitexact: form: is not empty; choose a new folder\n");
    let file = "game/readme.txt";
    let said = desk.run(&["unpack", "game", file]);
    assert_eq!((said.code, said.err.as_str()), (2, "bitexact: game/readme.txt: is a file; choose a new folder\n"));
    // A folder inside the install, and the next one with that in it.
    for (folder, count) in [("game/inner", 2), ("game/outer", 2)] {
        let said = desk.ok(&["unpack", "game", folder]);
        assert!(said.err.starts_with(&format!("{folder}: unpacked {count} files; ")), "{}", said.err);
    }
}

#[test]
fn folder_of_an_unpacked_file_has_a_default_name() {
    let desk = Desk::of(&[("games/reader.zbd", &archive())]);
    desk.ok(&["unpack", "games/reader.zbd"]);
    desk.ok(&["pack", "reader.zbd.unpacked", "new.zbd"]);
    assert!(desk.read("new.zbd") == archive());
}

#[test]
fn path_alone_is_verified() {
    let desk = desk(&[]);
    let said = desk.ok(&["original"]);
    assert_eq!(said.out, desk.ok(&["verify", "original"]).out);
    assert_eq!(desk.run(&["no-such-thing"]).code, 2);
}

#[test]
fn read_only_file_is_not_replaced() {
    let desk = desk(&["mine"]);
    desk.write("mine/ZBD/reader.zbd", &build(&readers(7.5)));
    desk.ok(&["mod", "make", "original", "mine", "-o", "x.mod"]);
    let file = desk.path("original/ZBD/reader.zbd");
    let mut mode = std::fs::metadata(&file).unwrap().permissions();
    mode.set_readonly(true);
    std::fs::set_permissions(&file, mode.clone()).unwrap();
    for args in [
        &["mod", "apply", "original", "x.mod"][..],
        &["patch", "original/ZBD/reader.zbd", "--set", "weapons.zrd:/0/1=7.5"],
    ] {
        let said = desk.run(args);
        assert_eq!((said.code, said.err.contains("is read-only; make it writable")), (2, true), "{}", said.err);
        assert!(desk.read("original/ZBD/reader.zbd") == archive());
    }
    #[allow(
        clippy::permissions_set_readonly_false,
        reason = "the folder is deleted afterward, which Windows refuses otherwise"
    )]
    mode.set_readonly(false);
    std::fs::set_permissions(&file, mode).unwrap();
}
