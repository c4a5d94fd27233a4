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
