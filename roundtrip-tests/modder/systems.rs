//! What differs from system to system: long paths, separators, colors. The tests run on all of them.

use super::{Desk, Said, archive, build, readers};

/// Checks that a call has printed paths as people know them.
fn has_plain_paths(said: &Said, args: &[&str]) {
    for line in said.out.lines().chain(said.err.lines()) {
        assert!(!line.contains(r"\\?\") && !line.contains('\u{1b}'), "{args:?}: {line}");
        // A path ends before a colon or a blank.
        let mut words = line.split([' ', ':']);
        let mixed = words.find(|word| word.contains('\\') && word.contains('/'));
        assert!(!cfg!(windows) || mixed.is_none(), "{args:?}: {line}");
    }
}

/// Runs the usual commands on files below a folder.
fn work_in(folder: &str) {
    let desk = Desk::of(&[]);
    let path = |name: &str| format!("{folder}/{name}");
    desk.write(&path("game/zbd/reader.zbd"), &archive());
    desk.write(&path("mine/zbd/reader.zbd"), &build(&readers(7.5)));
    desk.write(&path("mine/zbd/für.txt"), b"new");
    let [game, mine, out, zip, cool] = ["game", "mine", "out", "out.zip", "cool.mod"].map(path);
    let reader = path("game/zbd/reader.zbd");
    let [single, new, other] = ["single", "new.zbd", "other.zbd"].map(path);
    for args in [
        &["verify", &game, "-v"][..],
        &["snapshot", &game, "-o", &path("was.snap")],
        &["verify", &game, "--against", &path("was.snap")],
        &["ls", &reader],
        &["unpack", &reader, &single],
        &["unpack", &reader, &single, "--force"],
        &["pack", &single, &new],
        &["patch", &new, "--set", "weapons.zrd:/0/1=6", "-o", &other],
        &["unpack", &game, &out],
        &["pack", &out, &game],
        &["unpack", &game, &zip],
        &["pack", &zip, &game],
        &["mod", "make", &game, &mine, "-o", &cool],
        &["mod", "check", &game, &cool],
        &["mod", "apply", &game, &cool],
        &["mod", "list", &game],
        &["mod", "undo", &game],
        &[&reader],
    ] {
        has_plain_paths(&desk.ok(args), args);
    }
    assert!(desk.read(&reader) == archive() && desk.read(&new) == archive());
    for args in [
        &["verify", &path("nothing")][..],
        &["pack", &single, &new],
        &["pack", &single, &path("nothing/new.zbd")],
        &["unpack", &reader, &game],
        &["unpack", &game, &single],
        &["mod", "apply", &cool, &game],
        &["mod", "apply", &game, &path("nothing.mod")],
        &["mod", "make", &game, &mine, "-o", &cool],
        &["patch", &reader, "--set", "weapons.zrd:/9=1"],
        &["patch", &reader, "--replace", "weapons.zrd=nothing.zrd"],
        &["cat", &reader, "nothing"],
        &["export", &reader, &path("out.glb")],
        &["diff", &reader, &path("nothing")],
        &["verify", &game, "--html", &path("nothing/page.html")],
    ] {
        let said = desk.run(args);
        assert_eq!(said.code, 2, "{args:?}: {}{}", said.out, said.err);
        has_plain_paths(&said, args);
    }
}

#[test]
fn paths_are_printed_as_the_system_writes_them() {
    work_in("a");
}

#[test]
fn paths_of_more_than_260_characters_work() {
    work_in(&["a-folder-with-a-long-name-in-a-deep-tree"; 8].join("/"));
}

#[test]
fn game_is_told_from_its_mods() {
    let desk = Desk::of(&[("game/a.zbd", &archive()), ("mine/a.zbd", &archive()), ("mine/b.txt", b"b")]);
    desk.ok(&["mod", "make", "game", "mine", "-o", "cool.mod"]);
    let said = desk.run(&["mod", "apply", "cool.mod", "game"]);
    assert_eq!(said.err, "bitexact: game: expected a mod, found a folder; the game comes before its mods\n");
    desk.write("game/b.txt", b"other");
    let said = desk.run(&["mod", "check", "game", "cool.mod"]);
    let why = "bitexact: b.txt: cool.mod: the file is added: expected none of its name, found SHA-256 ";
    assert!(said.code == 1 && said.err.starts_with(why), "{}", said.err);
    let text = desk.read("cool.mod");
    let second = text.iter().position(|byte| *byte == b'\n').unwrap() + 11;
    desk.write("cut.mod", &text[..second]);
    let said = desk.run(&["mod", "apply", "game", "cut.mod"]);
    assert!(said.err.starts_with("bitexact: cut.mod:2: column "), "{}", said.err);
    let said = desk.run(&["pack", "nothing", "new.zbd"]);
    assert!(said.code == 2 && said.err.matches("nothing").count() == 1, "{}", said.err);
    let said = desk.run(&["ls", "game"]);
    assert_eq!((said.code, said.err.as_str()), (2, "bitexact: game: is a folder; name a file\n"));
}

#[test]
fn texts_of_any_editor_are_taken_or_refused_with_what_to_do() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["export", "reader.zbd!weapons.zrd", "plain.zrd"]);
    let text = desk.read("plain.zrd");
    let marked = [b"\xEF\xBB\xBF", text.as_slice()].concat();
    let wide = str::from_utf8(&text).unwrap().encode_utf16();
    let wide: Vec<u8> = [0xFEFF].into_iter().chain(wide).flat_map(u16::to_le_bytes).collect();
    desk.write("marked.zrd", &marked);
    desk.write("wide.zrd", &wide);
    for args in [
        &["patch", "reader.zbd", "--replace", "weapons.zrd=marked.zrd"][..],
        &["import", "reader.zbd!weapons.zrd", "marked.zrd"],
    ] {
        let said = desk.ok(args);
        assert!(said.err.contains("no changes"), "{args:?}: {}{}", said.out, said.err);
    }
    for args in [
        &["patch", "reader.zbd", "--replace", "weapons.zrd=wide.zrd"][..],
        &["patch", "reader.zbd", "--replace", "weapons.zrd=wide.zrd", "--force"],
        &["import", "reader.zbd!weapons.zrd", "wide.zrd"],
        &["pack", "wide.zrd", "other.zrd"],
    ] {
        let said = desk.run(args);
        let why = "wide.zrd: expected UTF-8, found UTF-16; save the file as UTF-8";
        assert!(said.code == 2 && said.err.contains(why), "{args:?}: {}", said.err);
    }
    assert!(desk.read("reader.zbd") == archive());
    desk.ok(&["unpack", "reader.zbd", "form"]);
    desk.write("form/weapons.zrd.json", b"[\r\n\"a\xE9\"]");
    let said = desk.run(&["pack", "form", "other.zbd"]);
    assert!(said.err.contains("form/weapons.zrd.json:2:3: expected UTF-8; save the file as UTF-8"), "{}", said.err);
}

/// Lists of Windows programs in its own encoding.
#[test]
fn lists_in_the_encoding_of_windows_name_the_same_files() {
    let desk = Desk::of(&[("game/zbd/t\u{FC}r.zbd", &archive())]);
    let sha256 = bitexact::passes::Sha::of(&archive());
    desk.write("sums.txt", &[format!("{sha256} *zbd\\t").as_bytes(), b"\xFCr.zbd\r\n"].concat());
    let said = desk.ok(&["verify", "game", "--against", "sums.txt"]);
    assert!(said.out.contains("against sums.txt: no changes"), "{}{}", said.out, said.err);
}

/// A table that is used elsewhere, or a folder that takes no files: nothing is printed as done, and no backup stays.
#[test]
fn failed_edit_prints_nothing_and_leaves_no_backup() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let edit = ["patch", "reader.zbd", "--backup", "--set", "weapons.zrd:/0/1=6", "--game", "reader.zbd"];
    let said = desk.run(&edit);
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
    assert!(said.err.contains("expected the folder of a game"), "{}", said.err);
    assert!(!desk.path("reader.zbd.bak").exists() && desk.read("reader.zbd") == archive());
    let said = desk.ok(&edit[..5]);
    assert!(!said.out.is_empty() && desk.read("reader.zbd.bak") == archive());
}

/// Holds a file open as other programs do, so that it cannot be replaced.
#[cfg(windows)]
#[test]
fn file_that_is_open_elsewhere_is_named_as_such() {
    use std::os::windows::fs::OpenOptionsExt as _;
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    /// Other programs may read and write the file.
    const SHARE: u32 = 3;
    let held = std::fs::File::options().read(true).share_mode(SHARE).open(desk.path("reader.zbd")).unwrap();
    let said = desk.run(&["patch", "reader.zbd", "--backup", "--set", "weapons.zrd:/0/1=6"]);
    drop(held);
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
    assert!(said.err.contains("has the file open: close it"), "{}", said.err);
    assert!(!desk.path("reader.zbd.bak").exists() && desk.read("reader.zbd") == archive());
}

/// No shell of Windows expands patterns, and the system takes the end of a quoted folder for a quotation mark.
#[cfg(windows)]
#[test]
fn arguments_are_read_as_they_were_meant() {
    let desk = Desk::of(&[("my games/a.zbd", &archive()), ("my games/b.zbd", &archive())]);
    for args in [&["my games\\*.zbd"][..], &["verify", "my games\\?.zbd"], &["verify", "my games\" --strict"]] {
        let said = desk.run(args);
        assert!(said.out.contains("all 2 files come back bit for bit"), "{args:?}: {}{}", said.out, said.err);
    }
}
