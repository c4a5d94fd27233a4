//! What the user has put into an unpacked folder or `.zip`, and what an unpacked install leaves out.

use std::fs;

use forge::archive::build;

use super::{Desk, archive, readers};
use crate::harness::sample;

/// Returns the archive of [`readers`] without its last entry.
fn fewer() -> Vec<u8> {
    let mut spec = readers(5.0);
    spec.entries.truncate(2);
    build(&spec)
}

#[test]
fn force_replaces_what_unpack_wrote_and_keeps_the_rest() {
    let desk = Desk::of(&[("old.zbd", &archive()), ("new.zbd", &fewer())]);
    desk.ok(&["unpack", "old.zbd", "form"]);
    let mine: [(&str, &[u8]); 5] = [
        (".git/HEAD", b"history"),
        (".git/objects/ab/cd", b"an object"),
        ("README.md", b"mine"),
        ("sub/more/a.json", b"{}"),
        ("weapons.zrd.json~", b"a backup"),
    ];
    mine.iter().for_each(|(path, bytes)| desk.write(&format!("form/{path}"), bytes));
    fs::create_dir_all(desk.path("form/.git/refs/tags")).unwrap();
    desk.write("form/weapons.zrd.json", b"[\"edited\"]");
    let said = desk.run(&["unpack", "new.zbd", "form", "--force"]);
    assert!(said.code == 2 && said.err.contains("1 file has been edited since"), "{}", said.err);
    mine.iter().for_each(|(path, bytes)| assert_eq!(desk.read(&format!("form/{path}")), *bytes, "{path}"));
    fs::remove_file(desk.path("form/weapons.zrd.json")).unwrap();
    let said = desk.ok(&["unpack", "new.zbd", "form", "--force"]);
    assert!(said.err.ends_with("kept: .git, README.md, sub and 1 more\n"), "{}", said.err);
    mine.iter().for_each(|(path, bytes)| assert_eq!(desk.read(&format!("form/{path}")), *bytes, "{path}"));
    assert!(desk.path("form/.git/refs/tags").is_dir(), "empty folders matter to Git");
    // What the earlier unpack wrote is gone, and what is of the user is not packed.
    assert!(!desk.path("form/hud.zrd.json").exists());
    let said = desk.ok(&["pack", "form", "packed.zbd"]);
    assert!(said.err.contains("not packed: README.md, sub/more/a.json; "), "{}", said.err);
    fs::remove_file(desk.path("form/README.md")).unwrap();
    fs::remove_dir_all(desk.path("form/sub")).unwrap();
    assert!(desk.read("packed.zbd") == fewer());
    // A second time, what was kept is still not of unpack.
    let said = desk.ok(&["unpack", "old.zbd", "form", "--force"]);
    assert!(said.err.ends_with("kept: .git, weapons.zrd.json~\n"), "{}", said.err);
    assert_eq!(desk.read("form/.git/HEAD"), b"history");
}

#[test]
fn file_of_the_user_that_is_no_json_is_not_packed() {
    let desk = Desk::of(&[("old.zbd", &archive())]);
    desk.ok(&["unpack", "old.zbd", "form"]);
    for name in ["mine.json", "notes/todo.json"] {
        desk.write(&format!("form/{name}"), b"{\n not JSON");
    }
    let said = desk.ok(&["pack", "form", "packed.zbd"]);
    assert!(said.err.contains("not packed: mine.json, notes/todo.json; "), "{}", said.err);
    assert!(desk.read("packed.zbd") == archive());
    // If an entry names it, it has to be JSON, as what unpack wrote has to be.
    desk.replace("form/bitexact.json", "\"weapons.zrd.json\"", "\"mine.json\"");
    let said = desk.run(&["pack", "form", "packed.zbd", "--force"]);
    assert!(said.code == 2 && said.err.contains("mine.json:2:2: "), "{}", said.err);
    desk.replace("form/bitexact.json", "\"mine.json\"", "\"weapons.zrd.json\"");
    desk.write("form/weapons.zrd.json", b"{\n not JSON");
    let said = desk.run(&["pack", "form", "packed.zbd", "--force"]);
    assert!(said.code == 2 && said.err.contains("form/weapons.zrd.json:2:2: "), "{}", said.err);
}

#[test]
fn file_of_the_user_is_not_replaced_by_one_of_the_same_name() {
    let desk = Desk::of(&[("old.zbd", &fewer()), ("new.zbd", &archive())]);
    for (own, is_folder) in [("hud.zrd.json", false), ("hud.zrd.json/inside", true)] {
        desk.ok(&["unpack", "old.zbd", "form"]);
        desk.write(&format!("form/{own}"), b"mine");
        let before = desk.all("form");
        let said = desk.run(&["unpack", "new.zbd", "form", "--force"]);
        let expected = "bitexact: form/hud.zrd.json: was not written by the earlier unpack, and a new file has its path; move it away\n";
        let err = said.err.replace('\\', "/");
        assert!(said.code == 2 && err == expected, "{is_folder}: {err}");
        assert_eq!((desk.all("form"), desk.read(&format!("form/{own}"))), (before, b"mine".to_vec()));
        assert_eq!(desk.all("").iter().filter(|path| path.starts_with(".bitexact")).count(), 0);
        fs::remove_dir_all(desk.path("form")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn kept_files_are_the_same_files() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "form"]);
    desk.write("form/run.sh", b"#!/bin/sh");
    fs::set_permissions(desk.path("form/run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("/nowhere", desk.path("form/link")).unwrap();
    desk.write("form/locked/a", b"mine");
    fs::set_permissions(desk.path("form/locked"), fs::Permissions::from_mode(0o500)).unwrap();
    let before = fs::metadata(desk.path("form/run.sh")).unwrap();
    desk.ok(&["unpack", "reader.zbd", "form", "--force"]);
    let after = fs::metadata(desk.path("form/run.sh")).unwrap();
    assert_eq!((before.ino(), before.mode(), before.mtime()), (after.ino(), after.mode(), after.mtime()));
    assert_eq!(fs::read_link(desk.path("form/link")).unwrap().to_str(), Some("/nowhere"));
    assert_eq!(fs::metadata(desk.path("form/locked")).unwrap().mode() & 0o777, 0o500);
    assert_eq!(desk.read("form/locked/a"), b"mine");
}

#[test]
fn mod_has_no_name_in_two_forms() {
    let desk = Desk::of(&[("old/x", b""), ("new/caf\u{E9}", b"1"), ("new/x", b"")]);
    desk.ok(&["mod", "make", "old", "new", "-o", "good.mod"]);
    let text = String::from_utf8(desk.read("good.mod")).unwrap();
    let line = text.lines().nth(1).unwrap();
    let both = format!("{text}{}\n", line.replace("caf\u{E9}", "cafe\u{301}")).replace("\"files\":1", "\"files\":2");
    desk.write("bad.mod", both.as_bytes());
    let said = desk.run(&["mod", "apply", "old", "bad.mod"]);
    assert!(said.code == 2 && said.err.contains("bad.mod:3: ") && said.err.contains("occurs twice"), "{}", said.err);
}

/// Creates a desk with a game and its unpacked folder `form`.
fn game() -> Desk {
    let desk = Desk::of(&[("game/zbd/reader.zbd", &archive()), ("game/m1.zmap", &sample("m1.zmap"))]);
    desk.ok(&["unpack", "-q", "game", "form"]);
    desk
}

#[test]
fn surplus_of_an_unpacked_install_is_said_in_one_line() {
    let desk = game();
    desk.ok(&["unpack", "-q", "game/m1.zmap", "form/maps/new.zmap"]);
    desk.write("form/notes.txt", b"mine");
    desk.write("form/.git/HEAD", b"litter");
    let said = desk.ok(&["pack", "form", "game"]);
    let err = said.err.replace('\\', "/");
    assert_eq!(
        err,
        "ignored: form/.git\n\
         not in bitexact-install.json, so not packed: maps/new.zmap, notes.txt; `bitexact pack FOLDER FILE` makes a \
         new file of an unpacked folder\n\
         game: no changes, no file written\n"
    );
}

#[test]
fn files_of_the_user_and_deviations_of_an_unpacked_install_are_said() {
    let textures = "texture_name_tail.zbd";
    let desk = Desk::of(&[("game/zbd/reader.zbd", &archive()), ("game/zbd/texture.zbd", &sample(textures))]);
    desk.ok(&["unpack", "-q", "game", "form"]);
    desk.ok(&["unpack", "-q", "game", "form.zip"]);
    desk.write("form/zbd/reader.zbd/README.md", b"mine");
    desk.write("form/zbd/texture.zbd/mine/todo.txt", b"mine");
    desk.edit("form/zbd/texture.zbd/bitexact.json", |json| {
        let row = ["data", "directory", "0", "palette_index"].iter().try_fold(json, |at, key| at.step_mut(key));
        *row.unwrap() = 99.into();
    });
    // The same in the archive.
    let edited = String::from_utf8(desk.read("form/zbd/texture.zbd/bitexact.json")).unwrap();
    let zip = super::zip::edited(&desk.read("form.zip"), "zbd/texture.zbd/bitexact.json", |_| edited.clone());
    let mut zip = zip::ZipWriter::new_append(std::io::Cursor::new(zip)).unwrap();
    for name in ["zbd/reader.zbd/README.md", "zbd/texture.zbd/mine/todo.txt"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, b"mine").unwrap();
    }
    desk.write("form.zip", &zip.finish().unwrap().into_inner());
    let expected = "not packed: zbd/reader.zbd/README.md, zbd/texture.zbd/mine/todo.txt; an entry needs a row that \
                    names its file, and `bitexact patch --add` makes one\n";
    for from in ["form", "form.zip"] {
        let said = desk.ok(&["pack", from, "game"]);
        assert!(said.err.contains(expected), "{from}: {}", said.err);
        let deviation = "deviation: zbd/texture.zbd: /directory/";
        assert!(said.err.contains(deviation) && said.err.contains("found 99\n"), "{from}: {}", said.err);
        assert!(desk.read("game/zbd/reader.zbd") == archive() && desk.read("game/zbd/texture.zbd") != sample(textures));
        // What the file had before is no news.
        let said = desk.ok(&["pack", from, "game"]);
        assert!(said.err.contains(expected) && !said.err.contains("deviation: "), "{from}: {}", said.err);
        desk.write("game/zbd/texture.zbd", &sample(textures));
    }
    // A file without which an entry is missing is still refused.
    fs::rename(desk.path("form/zbd/reader.zbd/hud.zrd.json"), desk.path("form/zbd/reader.zbd/hub.zrd.json")).unwrap();
    let said = desk.run(&["pack", "form", "game"]);
    assert!(said.code == 2 && said.err.contains("hud.zrd.json"), "{}", said.err);
}

#[test]
fn file_is_replaced_by_one_of_another_kind_only_by_force() {
    let desk = game();
    fs::remove_dir_all(desk.path("form/m1.zmap")).unwrap();
    desk.ok(&["unpack", "-q", "game/zbd/reader.zbd", "form/m1.zmap"]);
    let said = desk.run(&["pack", "form", "game"]);
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("m1.zmap: is of kind zmap, but ") && said.err.contains("use --force"), "{}", said.err);
    assert!(desk.read("game/m1.zmap") == sample("m1.zmap"));
}

#[test]
fn list_of_an_unpacked_install_leads_nowhere_else() {
    let desk = game();
    desk.ok(&["unpack", "-q", "game/m1.zmap", "outside"]);
    let list = String::from_utf8(desk.read("form/bitexact-install.json")).unwrap();
    for (from, to, expected) in [
        ("\"m1.zmap\"", "\"../outside\"", "expected a path inside the install, found \"../outside\""),
        ("\"m1.zmap\"", "\"/etc/passwd\"", "expected a path inside the install, found \"/etc/passwd\""),
        ("\"m1.zmap\"", "\"zbd/reader.zbd\"", "expected each path once, found \"zbd/reader.zbd\" twice"),
    ] {
        desk.write("form/bitexact-install.json", list.replace(from, to).as_bytes());
        let said = desk.run(&["pack", "form", "game"]);
        assert!(said.code == 2 && said.err.contains(expected), "{to}: {}", said.err);
    }
    desk.write("form/bitexact-install.json", list.as_bytes());
    #[cfg(unix)]
    {
        fs::rename(desk.path("form/m1.zmap"), desk.path("elsewhere")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", desk.path("form/m1.zmap")).unwrap();
        let said = desk.run(&["pack", "form", "game"]);
        assert!(said.code == 2 && said.err.contains("form/m1.zmap: expected a folder, found a link"), "{}", said.err);
    }
}

#[test]
fn list_that_fails_after_the_change_is_said_and_mended_by_the_next_call() {
    let desk = game();
    let list = desk.read("form/bitexact-install.json");
    desk.replace("form/zbd/reader.zbd/weapons.zrd.json", "5.0", "7.5");
    desk.ok(&["pack", "form", "game"]);
    // As if the list could not be written.
    desk.write("form/bitexact-install.json", &list);
    let said = desk.ok(&["pack", "form", "game"]);
    assert_eq!(said.err, "game: no changes; bitexact-install.json now lists those of an earlier call\n");
    assert_eq!(desk.ok(&["pack", "form", "game"]).err, "game: no changes, no file written\n");
}

#[test]
fn what_an_unpacked_install_leaves_out_is_counted_by_reason() {
    let desk = Desk::of(&[
        ("game/m1.zmap", &sample("m1.zmap")),
        ("game/readme.txt", b"text"),
        ("game/cut.zmap", &sample("m1.zmap")[..100]),
    ]);
    let said = desk.run(&["unpack", "game", "form"]);
    let err = said.err.replace('\\', "/");
    assert_eq!(said.code, 1, "a file is refused: {err}");
    assert!(err.starts_with("bitexact: game/cut.zmap: "), "{err}");
    assert!(
        err.ends_with(
            "form: unpacked 1 file; packing reproduces each of them\n\
             left out: 1 file not supported, 1 file not decoded; -v lists all\n"
        ),
        "{err}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_read_or_named_is_an_error() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    let map = sample("m1.zmap");
    for target in ["form", "form.zip"] {
        let desk = Desk::of(&[("game/m1.zmap", &map), ("game/sub/m2.zmap", &map)]);
        symlink("nowhere", desk.path("game/gone.zmap")).unwrap();
        fs::write(desk.path("game").join(OsStr::from_bytes(b"m\xFF9.zmap")), &map).unwrap();
        desk.write("game/a:b.zmap", &map);
        let said = desk.run(&["unpack", "game", target]);
        assert_eq!(said.code, 2, "{}", said.err);
        for expected in [
            "bitexact: game/a:b.zmap: the name \"a:b.zmap\" is not possible on every system\n",
            "bitexact: game/gone.zmap: No such file or directory",
            "bitexact: game/m%FF9.zmap: the name is not valid Unicode\n",
            ": unpacked 2 files; packing reproduces each of them\n\
             left out: 1 path not readable, 2 files whose name is not possible on every system\n",
        ] {
            assert!(said.err.contains(expected), "{expected}: {}", said.err);
        }
        // `verify` counts the same files, and `mod make` refuses the same ones.
        let verified = desk.run(&["verify", "--json", "game"]);
        assert!(verified.code == 2 && verified.out.lines().last().unwrap().contains("\"files\":5"), "{}", verified.out);
        desk.write("empty/x", b"");
        let made = desk.run(&["mod", "make", "empty", "game", "-o", "x.mod"]);
        assert_eq!(made.code, 2, "{}", made.err);
        desk.ok(&["pack", target, "game"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn file_on_a_scratched_disc_is_an_error() {
    let desk = Desk::of(&[("game/m1.zmap", &sample("m1.zmap")), ("game/m2.zmap", &sample("m1.zmap"))]);
    let has_strace = std::process::Command::new("strace").args(["-o", "/dev/null", "true"]).status();
    if !has_strace.is_ok_and(|it| it.success()) {
        eprintln!("skipped: there is no strace to let a read fail");
        return;
    }
    let program = env!("CARGO_BIN_EXE_bitexact");
    for (at, whole, left) in [("game/m1.zmap", "1 file;", "1 path not readable"), ("game", "", "")] {
        let mut command = std::process::Command::new("strace");
        let calls = if whole.is_empty() { "getdents64" } else { "read" };
        let inject = format!("inject={calls}:error=EIO");
        command.current_dir(desk.path("")).args(["-f", "-o", "trace", "-P", at, "-e", &inject, program]);
        let _ = fs::remove_dir_all(desk.path("form"));
        let output = command.args(["unpack", "game", "form"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(&format!("bitexact: {at}: Input/output error")) && said.contains(left), "{said}");
        assert_eq!(desk.path("form").exists(), !whole.is_empty(), "{said}");
    }
}
