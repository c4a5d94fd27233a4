//! What `pack`, `patch` and `mod` record in a game: each edit has a name of its own, and nothing is replaced, left out or undone by mistake.

use std::fs;

use super::{Desk, archive, readers};
use crate::harness::sample;

use forge::archive::build;

/// Creates a game of two maps and two archives of one name, an edited copy of a map, and the unpacked folder `form`.
fn game() -> Desk {
    let desk = Desk::of(&[]);
    for folder in ["game", "mine"] {
        desk.write(&format!("{folder}/maps/m1.zmap"), &sample("m1.zmap"));
        desk.write(&format!("{folder}/maps/m2.zmap"), &sample("m2.zmap"));
        desk.write(&format!("{folder}/a/reader.zbd"), &archive());
        desk.write(&format!("{folder}/b/reader.zbd"), &archive());
    }
    desk.ok(&["patch", "mine/maps/m2.zmap", "--set", "/features/0/objective=9", "-q"]);
    desk.ok(&["mod", "make", "game", "mine", "-o", "b.mod", "-q"]);
    desk.ok(&["unpack", "game", "form", "-q"]);
    desk
}

const DAMAGE: &str = "weapons.zrd:/0/1";

#[test]
fn command_that_is_printed_undoes_the_edit_and_no_other() {
    let desk = game();
    let patch = |file: &str| desk.ok(&["patch", file, "--set", &format!("{DAMAGE}=7.5"), "--game", "game"]).err;
    assert!(patch("game/a/reader.zbd").contains("`bitexact mod undo game a/reader.zbd` undoes it"));
    desk.ok(&["mod", "apply", "game", "b.mod", "-q"]);
    assert!(patch("game/b/reader.zbd").contains("`bitexact mod undo game b/reader.zbd` undoes it"));
    desk.ok(&["mod", "undo", "game", "b/reader.zbd"]);
    let patched = build(&readers(7.5));
    assert!(desk.read("game/a/reader.zbd") == patched && desk.read("game/b/reader.zbd") == archive());
    assert!(desk.read("game/maps/m2.zmap") == desk.read("mine/maps/m2.zmap"));
    // The last part of the path is enough if it is that of one edit.
    desk.ok(&["mod", "undo", "game", "reader.zbd"]);
    assert!(desk.read("game/a/reader.zbd") == archive());
}

/// Changes the first value of a map in the unpacked folder.
fn edit(desk: &Desk, map: &str, value: u32) {
    desk.edit(&format!("form/maps/{map}.zmap/bitexact.json"), |json| {
        let keys = ["data", "features", "0", "objective"];
        *keys.iter().try_fold(json, |json, key| json.step_mut(key)).unwrap() = value.into();
    });
}

fn objective(desk: &Desk, map: &str) -> String {
    desk.ok(&["inspect", &format!("game/maps/{map}.zmap"), "/features/0/objective"]).out.trim().to_owned()
}

#[test]
fn edit_that_was_undone_is_packed_again() {
    let desk = game();
    edit(&desk, "m1", 61);
    desk.ok(&["pack", "form", "game"]);
    desk.ok(&["mod", "undo", "game"]);
    edit(&desk, "m2", 33);
    let said = desk.ok(&["pack", "form", "game"]).err;
    assert!(said.contains("replaced 2 files") && !said.contains("holds no"), "{said}");
    assert_eq!([objective(&desk, "m1"), objective(&desk, "m2")], ["61", "33"]);
    // The same edit once more, and one that leads back.
    desk.ok(&["mod", "undo", "game"]);
    edit(&desk, "m1", 62);
    desk.ok(&["pack", "form", "game"]);
    assert_eq!([objective(&desk, "m1"), objective(&desk, "m2")], ["62", "33"]);
}

#[test]
fn force_replaces_only_what_the_folder_has_edited() {
    let desk = game();
    desk.ok(&["mod", "apply", "game", "b.mod", "-q"]);
    desk.ok(&["patch", "game/a/reader.zbd", "--set", &format!("{DAMAGE}=7.5"), "-q"]);
    edit(&desk, "m1", 61);
    let said = desk.ok(&["pack", "form", "game", "--force"]).err;
    for path in ["game/maps/m2.zmap", "game/a/reader.zbd"] {
        let line = format!("{path}: has changed since it was unpacked, and is left unchanged");
        assert!(said.replace('\\', "/").contains(&line), "{said}");
    }
    assert_eq!([objective(&desk, "m1"), objective(&desk, "m2")], ["61", "9"]);
    // All that would need --force are named, and nothing is replaced.
    desk.write("game/maps/m1.zmap", &sample("m2.zmap"));
    edit(&desk, "m1", 62);
    edit(&desk, "m2", 33);
    let said = desk.run(&["pack", "form", "game"]);
    let named = said.err.matches("something else has changed the file since it was unpacked").count();
    assert_eq!((said.code, named), (2, 2), "{}", said.err);
    assert_eq!(objective(&desk, "m2"), "9");
}

#[test]
fn missing_file_is_said_and_written_again_by_force() {
    let desk = game();
    fs::remove_file(desk.path("game/maps/m1.zmap")).unwrap();
    edit(&desk, "m2", 33);
    let said = desk.ok(&["pack", "form", "game"]).err.replace('\\', "/");
    assert!(
        said.contains("game/maps/m1.zmap: is missing; --force writes it again") && said.contains("replaced 1 file"),
        "{said}"
    );
    desk.ok(&["pack", "form", "game", "--force"]);
    assert!(desk.read("game/maps/m1.zmap") == sample("m1.zmap"));
}

#[test]
fn dry_run_of_pack_writes_nothing() {
    let desk = game();
    edit(&desk, "m1", 61);
    let before = desk.all("");
    let said = desk.ok(&["pack", "form", "game", "-n"]);
    assert!(
        said.out.starts_with("maps/m1.zmap: SHA-256 ") && said.err.ends_with("would replace 1 file\n"),
        "{}",
        said.err
    );
    desk.ok(&["pack", "form/maps/m1.zmap", "game/maps/m1.zmap", "-n"]);
    assert!(desk.all("") == before && objective(&desk, "m1") != "61");
    // One file is recorded too.
    let said = desk.ok(&["pack", "form/maps/m1.zmap", "game/maps/m1.zmap", "--force", "--game", "game"]).err;
    assert!(said.contains("`bitexact mod undo game maps/m1.zmap` undoes it"), "{said}");
    desk.ok(&["mod", "undo", "game"]);
    assert!(desk.read("game/maps/m1.zmap") == sample("m1.zmap"));
}

#[test]
fn file_is_not_replaced_by_one_of_a_kind_that_has_other_names() {
    let desk = game();
    desk.write("mine/maps/m1.zmap", &archive());
    let said = desk.run(&["mod", "make", "game", "mine", "-o", "k.mod"]);
    assert!(
        said.code == 2 && said.err.contains("is of kind zmap, and no file of kind archive has such a name"),
        "{}",
        said.err
    );
    // A mod that another program has made.
    desk.write("x/m1.zmap", &archive());
    desk.write("y/none.txt", b"");
    desk.write("x/none.txt", b"");
    desk.ok(&["mod", "make", "y", "x", "-o", "k.mod"]);
    let hash = bitexact::passes::Sha::of(&sample("m1.zmap"));
    desk.replace("k.mod", "\"path\":\"m1.zmap\"", &format!("\"path\":\"maps/m1.zmap\",\"before\":\"{hash}\""));
    for args in [["mod", "check", "game", "k.mod"], ["mod", "apply", "game", "k.mod"]] {
        let said = desk.run(&args);
        assert!(said.code != 0 && said.err.contains("is of kind zmap"), "{args:?}: {}", said.err);
    }
    assert!(desk.read("game/maps/m1.zmap") == sample("m1.zmap"));
}

#[test]
fn journal_that_has_lost_something_is_reported_and_takes_no_mod() {
    let desk = game();
    desk.ok(&["mod", "apply", "game", "b.mod", "-q"]);
    let original = bitexact::passes::Sha::of(&sample("m2.zmap")).to_string();
    let kept = format!("game/.bitexact-mods/contents/{original}");
    let bytes = desk.read(&kept);
    fs::remove_file(desk.path(&kept)).unwrap();
    desk.write("mine/new.txt", b"new");
    desk.write("other/new.txt", b"new");
    desk.write("none/old.txt", b"");
    desk.write("other/old.txt", b"");
    desk.ok(&["mod", "make", "none", "other", "-o", "c.mod", "-q"]);
    let said = desk.run(&["mod", "list", "game"]);
    assert!(said.code == 2 && said.out.starts_with("b.mod") && said.err.contains("maps/m2.zmap: "), "{}", said.err);
    let said = desk.run(&["mod", "apply", "game", "c.mod"]);
    assert!(said.code == 2 && said.err.contains("is missing, so that it cannot be undone"), "{}", said.err);
    assert!(!desk.path("game/new.txt").exists());
    desk.write(&kept, &bytes);
    desk.ok(&["mod", "list", "game"]);
    desk.ok(&["mod", "undo", "game"]);
    assert!(desk.read("game/maps/m2.zmap") == sample("m2.zmap") && !desk.path("game/.bitexact-mods").exists());
}

/// Without the state, nobody knows which files the stored originals belong to: they are kept, and what would forget them is refused.
#[test]
fn journal_without_its_state_keeps_the_originals() {
    let desk = game();
    desk.ok(&["mod", "apply", "game", "b.mod", "-q"]);
    let state = "game/.bitexact-mods/state.json";
    let text = desk.read(state);
    fs::remove_file(desk.path(state)).unwrap();
    let changed = desk.read("game/maps/m2.zmap");
    for args in [
        &["mod", "list", "game"][..],
        &["mod", "check", "game", "b.mod"],
        &["mod", "apply", "game", "b.mod"],
        &["mod", "undo", "game"],
        &["mod", "finish", "game"],
        &["patch", "game/maps/m1.zmap", "--set", "/features/0/objective=7", "--game", "game"],
    ] {
        let said = desk.run(args);
        let expected = "is missing or empty, but contents holds 2 stored files, such as the originals of changed files; put state.json back, or";
        assert!(said.code == 2 && said.err.contains(expected), "{args:?}: {} {}", said.code, said.err);
    }
    let said = desk.run(&["verify", "game"]);
    assert!(said.err.contains("state.json") || said.out.contains("state.json"), "{} {}", said.out, said.err);
    assert!(desk.read("game/maps/m2.zmap") == changed);
    desk.write(state, &text);
    desk.ok(&["mod", "undo", "game"]);
    assert!(desk.read("game/maps/m2.zmap") == sample("m2.zmap") && !desk.path("game/.bitexact-mods").exists());
}

#[cfg(unix)]
#[test]
fn nothing_is_packed_from_or_written_through_a_link_that_leads_out() {
    use std::os::unix::fs::symlink;
    let desk = game();
    desk.write("out/secret.txt", b"secret");
    symlink("../out/secret.txt", desk.path("mine/secret.txt")).unwrap();
    let said = desk.run(&["mod", "make", "game", "mine", "-o", "c.mod"]);
    assert!(said.code == 2 && said.err.contains("a link that leads out of the folder"), "{}", said.err);
    assert!(!desk.path("c.mod").exists());
    fs::rename(desk.path("form/bitexact-install.json"), desk.path("out/list.json")).unwrap();
    symlink("../out/list.json", desk.path("form/bitexact-install.json")).unwrap();
    let list = desk.read("out/list.json");
    edit(&desk, "m1", 61);
    let said = desk.run(&["pack", "form", "game"]);
    assert!(said.code == 2 && said.err.contains("expected a file, found a link"), "{}", said.err);
    assert!(desk.read("out/list.json") == list && objective(&desk, "m1") != "61");
}

#[test]
fn damaged_path_in_the_state_loses_no_original() {
    let desk = Desk::of(&[("old/a.bin", b"old"), ("new/a.bin", b"new"), ("game/a.bin", b"old")]);
    desk.ok(&["mod", "make", "old", "new", "-o", "a.bxmod"]);
    desk.ok(&["mod", "apply", "game", "a.bxmod"]);
    let state = "game/.bitexact-mods/state.json";
    let undamaged = desk.read(state);
    // One bit of a path is another one.
    desk.replace(state, "\"a.bin\"", "\"c.bin\"");
    for call in [&["mod", "undo", "game"][..], &["mod", "apply", "game", "a.bxmod"]] {
        let said = desk.run(call);
        assert_eq!(said.code, 2, "{}", said.err);
        assert!(said.err.contains("is damaged: it does not list a.bin, which a.bxmod changes"), "{}", said.err);
        assert_eq!(desk.read("game/a.bin"), b"new");
    }
    desk.write(state, &undamaged);
    desk.ok(&["mod", "undo", "game"]);
    assert_eq!(desk.read("game/a.bin"), b"old");
}
