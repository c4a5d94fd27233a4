//! Changes of several files in a game: what its journal and its files can be, and what fails or races meanwhile.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{Desk, map};
use crate::bounds::{is_linear, run};
use crate::harness::sample;

/// Everything below a folder: files with their bytes, links with their targets.
fn all(desk: &Desk, folder: &str) -> BTreeMap<String, String> {
    let root = desk.path(folder);
    let walk = walkdir::WalkDir::new(&root).min_depth(1).into_iter().map(Result::unwrap);
    let what = |it: &walkdir::DirEntry| match it.file_type() {
        kind if kind.is_symlink() => format!("link to {}", fs::read_link(it.path()).unwrap().display()),
        kind if kind.is_file() => bitexact::passes::Sha::of(&fs::read(it.path()).unwrap()).to_string(),
        kind if kind.is_dir() => "folder".to_owned(),
        _ => "other".to_owned(),
    };
    walk.map(|it| (it.path().strip_prefix(&root).unwrap().display().to_string(), what(&it))).collect()
}

fn game_of(desk: &Desk, folder: &str) -> BTreeMap<String, String> {
    let mut all = all(desk, folder);
    all.retain(|path, _| !path.starts_with(".bitexact-mods"));
    all
}

/// Creates a game of two maps, with a mod that changes the first and adds a file, and one of the second.
fn game() -> Desk {
    let desk = Desk::new();
    for folder in ["game", "original", "mine", "other"] {
        desk.write(format!("{folder}/maps/m1.zmap"), &map());
        desk.write(format!("{folder}/maps/m2.zmap"), &sample("m2.zmap"));
    }
    desk.ok(&["patch", "mine/maps/m1.zmap", "--set", "/features/0/objective=7", "-q"]);
    desk.write("mine/new/x.txt", b"new");
    desk.ok(&["patch", "other/maps/m2.zmap", "--set", "/features/0/objective=9", "-q"]);
    desk.ok(&["mod", "make", "original", "mine", "-o", "a.mod", "-q"]);
    desk.ok(&["mod", "make", "original", "other", "-o", "b.mod", "-q"]);
    desk.ok(&["unpack", "original", "form", "-q"]);
    desk
}

/// The names of the files of a game of Neverwinter Nights: a BIF, and two KEYs that state its size.
const NWN: [&str; 3] = ["data/2da.bif", "chitin.key", "xp1.key"];

/// The edit that makes its BIF larger.
const LONGER: &str = "0001.nss:/0=\"// a longer first line of this script\"";

fn with_keys(desk: &Desk, folder: &str) {
    for (path, name) in NWN.into_iter().zip(["data_2da.bif", "chitin.key", "chitin.key"]) {
        desk.write(format!("{folder}/{path}"), &sample(name));
    }
}

/// Returns the size of the BIF, and those that the KEYs state.
fn sizes(desk: &Desk, folder: &str) -> Vec<u64> {
    let stated = |key: &&str| {
        let said = desk.ok(&["inspect", &format!("{folder}/{key}"), "/files/0/file_size"]);
        said.out().trim().parse().unwrap()
    };
    let own = fs::metadata(desk.path(format!("{folder}/{}", NWN[0]))).unwrap().len();
    [own].into_iter().chain(NWN[1..].iter().map(stated)).collect()
}

/// The journal and its parts are only what bitexact itself makes: nothing is read, written or removed through a link (case 01).
#[test]
fn journal_that_is_a_link_is_refused_and_what_it_leads_to_is_left_alone() {
    let desk = game();
    let before = all(&desk, "game");
    for (name, is_folder) in [
        ("", true),
        ("contents", true),
        ("lock", false),
        ("state.json", false),
        ("transaction.json", false),
        ("staged", false),
    ] {
        for dangles in [false, true] {
            let victim = desk.path("victim");
            if !dangles && is_folder {
                desk.write("victim/thesis.doc", b"precious");
                desk.write("victim/lock", b"mine");
                desk.write("victim/contents/x", b"mine");
            } else if !dangles {
                desk.write("victim", b"precious");
            }
            let link = desk.path("game/.bitexact-mods").join(name);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(&victim, desk.path(link.to_str().unwrap().trim_end_matches('/'))).unwrap();
            let state = all(&desk, "");
            for args in [
                &["mod", "list", "game"][..],
                &["mod", "check", "game", "a.mod"],
                &["mod", "apply", "game", "a.mod"],
                &["mod", "undo", "game"],
                &["mod", "finish", "game"],
                &["pack", "form", "game"],
                &["patch", "game/maps/m1.zmap", "--set", "/features/0/objective=7", "--game", "game"],
            ] {
                let said = desk.run(args);
                assert!(
                    said.code == Some(2) && said.err.contains("found a link; move it away"),
                    "{name}: {args:?}: {said:?}"
                );
                assert_eq!(all(&desk, ""), state, "{name}: {args:?}");
            }
            let _ = fs::remove_dir_all(&victim);
            let _ = fs::remove_file(&victim);
            let _ = fs::remove_file(desk.path("game/.bitexact-mods"));
            let _ = fs::remove_dir_all(desk.path("game/.bitexact-mods"));
        }
    }
    assert_eq!(all(&desk, "game"), before);
}

/// Only what has the name of its own hash is removed, or a name of the journal.
#[test]
fn other_files_in_a_journal_are_left_alone() {
    let desk = game();
    let hash = bitexact::passes::Sha::of(b"not this").to_string();
    for name in ["contents/thesis.doc", "notes.txt", ".bitexact-mine", &format!("contents/{hash}")] {
        desk.write(format!("game/.bitexact-mods/{name}"), b"precious");
    }
    let before = all(&desk, "game");
    for args in [&["mod", "apply", "game", "a.mod"][..], &["mod", "undo", "game"], &["mod", "finish", "game"]] {
        desk.ok(args);
    }
    assert_eq!(all(&desk, "game"), before);
}

#[test]
fn reading_commands_change_nothing() {
    let desk = game();
    desk.ok(&["mod", "apply", "game", "a.mod"]);
    let orphan = bitexact::passes::Sha::of(b"orphan").to_string();
    desk.write(format!("game/.bitexact-mods/contents/{orphan}"), b"orphan");
    desk.write("game/.bitexact-mods/staged", b"half writ");
    for without in ["", "lock", "state.json"] {
        if !without.is_empty() {
            fs::remove_file(desk.path("game/.bitexact-mods").join(without)).unwrap();
        }
        let before = all(&desk, "game");
        desk.run(&["mod", "list", "game"]);
        desk.run(&["mod", "check", "game", "b.mod"]);
        desk.ok(&["verify", "game"]);
        desk.ok(&["lint", "game"]);
        assert_eq!(all(&desk, "game"), before, "{without}");
    }
    assert!(!desk.path("original/.bitexact-mods").exists());
    desk.ok(&["mod", "list", "original"]);
    desk.ok(&["mod", "check", "original", "b.mod"]);
    assert!(!desk.path("original/.bitexact-mods").exists());
}

/// A pipe that nothing writes to is an error, not a wait without end (case 19).
#[test]
fn pipe_is_refused_where_a_file_is_expected() {
    let desk = game();
    desk.shell("mkdir pipes; mkfifo pipes/x.zmap p game.mod; cp -r game journal; mkdir journal/.bitexact-mods");
    desk.shell("mkfifo journal/.bitexact-mods/state.json; cp -r game locked; mkdir locked/.bitexact-mods; mkfifo locked/.bitexact-mods/lock");
    for args in [
        &["mod", "make", "pipes", "pipes", "-o", "z.mod"][..],
        &["mod", "make", "original", "pipes", "-o", "z.mod"],
        &["mod", "make", "p", "original", "-o", "z.mod"],
        &["mod", "make", "original/maps/m1.zmap", "p", "-o", "z.mod"],
        &["mod", "apply", "game", "game.mod"],
        &["mod", "check", "game", "game.mod"],
        &["mod", "list", "journal"],
        &["mod", "apply", "journal", "a.mod"],
        &["mod", "list", "locked"],
        &["mod", "apply", "locked", "a.mod"],
        &["pack", "form", "journal"],
        &["patch", "p", "--set", "/features/0/objective=7"],
        &["patch", "game/maps/m1.zmap", "--apply", "p"],
        &["patch", "game/maps/m1.zmap", "--set", "/features/0/objective=8", "-o", "p"],
        &["import", "game/maps/m1.zmap", "p"],
        &["diff", "game/maps/m1.zmap", "p"],
        &["inspect", "p"],
        &["unpack", "p", "out"],
        &["pack", "p", "out"],
        &["export", "p", "out.png"],
        &["snapshot", "p"],
    ] {
        let said = desk.run(args);
        assert!(matches!(said.code, Some(1 | 2)), "{args:?}: {said:?}");
    }
    assert_eq!(game_of(&desk, "game"), game_of(&desk, "original"));
    // Where the game has a pipe, a mod writes no file.
    desk.shell("mkdir -p game/new; mkfifo game/new/x.txt");
    let said = desk.run(&["mod", "apply", "game", "a.mod"]);
    assert!(said.code == Some(2) && said.err.contains("new/x.txt: expected a file, found something else"), "{said:?}");
    assert!(!desk.path("game/.bitexact-mods").exists());
}

/// Links that lead out of the game, or nowhere, are refused before anything is written (case 17).
#[test]
fn link_in_a_game_that_leads_nowhere_or_out_of_it_is_refused_before_anything_is_written() {
    let desk = game();
    fs::create_dir_all(desk.path("out")).unwrap();
    for target in ["../out/none", "none", "../out"] {
        symlink(target, desk.path("game/new")).unwrap();
        let before = all(&desk, "");
        let said = desk.run(&["mod", "apply", "game", "a.mod"]);
        assert!(said.code == Some(2) && said.err.contains("link"), "{target}: {said:?}");
        assert_eq!(all(&desk, ""), before, "{target}");
        fs::remove_file(desk.path("game/new")).unwrap();
        desk.ok(&["mod", "apply", "game", "a.mod"]);
        desk.ok(&["mod", "undo", "game"]);
    }
    // One to a folder of the game is followed, and the file has one path.
    symlink("maps", desk.path("game/new")).unwrap();
    desk.ok(&["mod", "apply", "game", "a.mod"]);
    assert_eq!(desk.read("game/maps/x.txt"), b"new");
    desk.ok(&["mod", "undo", "game"]);
    assert!(!desk.path("game/maps/x.txt").exists());
}

/// A KEY that is a link is not followed out of the game: nothing is written (case 13).
#[test]
fn key_that_is_a_link_keeps_its_bif_from_being_written() {
    let desk = Desk::new();
    with_keys(&desk, "game");
    fs::rename(desk.path("game/xp1.key"), desk.path("outside.key")).unwrap();
    symlink("../outside.key", desk.path("game/xp1.key")).unwrap();
    let before = all(&desk, "");
    let said = desk.run(&["patch", "game/data/2da.bif", "--set", LONGER]);
    assert!(said.code == Some(2) && said.err.contains("expected a file, found a link"), "{said:?}");
    assert_eq!(all(&desk, ""), before);
}

/// A file and a folder of one name are in no mod, and a folder that the user has put in place of a file is not replaced (case 18).
#[test]
fn file_that_became_a_folder_is_refused_and_nothing_is_lost() {
    let desk = game();
    fs::remove_file(desk.path("other/maps/m2.zmap")).unwrap();
    desk.write("other/maps/m2.zmap/x", b"hi");
    for args in [["original", "other"], ["other", "original"]] {
        let said = desk.run(&["mod", "make", args[0], args[1], "-o", "z.mod"]);
        assert!(said.code == Some(2) && said.err.contains("maps/m2.zmap is a folder of maps/m2.zmap/x"), "{said:?}");
    }
    // A mod of an earlier version.
    let hash = |bytes: &[u8]| bitexact::passes::Sha::of(bytes).to_string();
    let mut lines = String::from_utf8(desk.read("a.mod")).unwrap();
    lines = lines.replacen("\"files\":2", "\"files\":3", 1);
    lines.push_str(&format!("{{\"path\":\"new\",\"before\":\"{}\",\"bytes\":0}}\n", hash(b"")));
    desk.write("z.mod", lines.as_bytes());
    let said = desk.run(&["mod", "apply", "game", "z.mod"]);
    assert!(said.code == Some(2) && said.err.contains("new is a folder of new/x.txt"), "{said:?}");

    // A mod removes a file, and the next one adds a folder of its name.
    fs::remove_dir_all(desk.path("other")).unwrap();
    desk.write("other/maps/m1.zmap", &map());
    desk.ok(&["mod", "make", "original", "other", "-o", "removes.mod", "-q"]);
    desk.write("base/maps/m1.zmap", &map());
    desk.write("other/maps/m2.zmap/x", b"hi");
    desk.ok(&["mod", "make", "base", "other", "-o", "adds.mod", "-q"]);
    desk.ok(&["mod", "apply", "game", "removes.mod"]);
    let before = all(&desk, "game");
    let said = desk.run(&["mod", "apply", "game", "adds.mod"]);
    assert!(said.code == Some(2) && said.err.contains("maps/m2.zmap is a folder of maps/m2.zmap/x"), "{said:?}");
    assert_eq!(all(&desk, "game"), before);

    // The user makes the folder.
    desk.write("game/maps/m2.zmap/mine.txt", b"mine");
    let before = all(&desk, "game");
    let said = desk.run(&["mod", "undo", "game"]);
    assert!(
        said.code == Some(2) && said.err.contains("maps/m2.zmap: expected a file, found a folder; move it away"),
        "{said:?}"
    );
    assert_eq!(all(&desk, "game"), before);
    fs::rename(desk.path("game/maps/m2.zmap"), desk.path("moved")).unwrap();
    desk.ok(&["mod", "undo", "game"]);
    assert_eq!(all(&desk, "game"), all(&desk, "original"));
}

/// The KEYs that state the size of a BIF follow, whichever command changes it (case 14).
#[test]
fn keys_follow_whichever_command_changes_their_bif() {
    let desk = Desk::new();
    for folder in ["game", "mine"] {
        with_keys(&desk, folder);
    }
    let original = all(&desk, "game");
    desk.ok(&["patch", "mine/data/2da.bif", "--set", LONGER]);
    let size = sizes(&desk, "mine")[0];
    // A mod of the BIF only.
    desk.ok(&["mod", "make", "game/data/2da.bif", "mine/data/2da.bif", "-o", "x.mod"]);
    let text = String::from_utf8(desk.read("x.mod")).unwrap().replacen("\"2da.bif\"", "\"data/2da.bif\"", 1);
    desk.write("x.mod", text.as_bytes());
    let applied = desk.ok(&["mod", "apply", "game", "x.mod"]);
    assert!(applied.out().contains("chitin.key: SHA-256 ") && applied.err.contains("chitin.key:"), "{applied:?}");
    assert_eq!(sizes(&desk, "game"), [size; 3], "mod apply");
    desk.ok(&["mod", "undo", "game"]);
    assert_eq!(all(&desk, "game"), original);

    desk.ok(&["unpack", "game", "form"]);
    desk.write("form/data/2da.bif/0001.nss", b"// short");
    let packed = desk.ok(&["pack", "form", "game"]);
    assert!(
        packed.out().contains("data/2da.bif: SHA-256 ") && packed.out().contains("xp1.key: SHA-256 "),
        "{packed:?}"
    );
    let short = sizes(&desk, "game")[0];
    assert!(short < size && sizes(&desk, "game") == [short; 3], "pack DIR INSTALL");
    // A later edit of the same file, and the KEYs follow again.
    desk.ok(&["patch", "game/data/2da.bif", "--set", LONGER]);
    let patched = sizes(&desk, "game");
    assert!(patched[0] > short && patched == [patched[0]; 3], "patch of a game with edits: {patched:?}");
    let listed = desk.ok(&["mod", "list", "game"]);
    assert!(listed.out().starts_with("form (20") && listed.out().contains("\ndata/2da.bif (20"), "{listed:?}");
    desk.ok(&["mod", "undo", "game"]);
    assert_eq!(sizes(&desk, "game"), [short; 3]);
    desk.ok(&["mod", "undo", "game"]);
    assert_eq!(all(&desk, "game"), original, "every bit, also the size that the KEYs stated before");

    // Without the folder of the KEYs, nothing is written.
    let said = desk.run(&["mod", "apply", "game/data", "x.mod"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    let text = String::from_utf8(desk.read("x.mod")).unwrap().replacen("\"data/2da.bif\"", "\"2da.bif\"", 1);
    desk.write("x.mod", text.as_bytes());
    let said = desk.run(&["mod", "apply", "game/data", "x.mod"]);
    assert!(said.code == Some(2) && said.err.contains("name the folder of the game"), "{said:?}");
    assert_eq!(all(&desk, "game"), original);
}

/// `patch`, `import` and `pack` of one file can be recorded, and are in a game where mods have changed the file.
#[test]
fn edit_of_one_file_is_undone_like_a_mod() {
    let desk = game();
    let original = all(&desk, "game");
    let set = |value: u8| format!("/features/0/objective={value}");
    desk.ok(&["patch", "game/maps/m1.zmap", "--set", &set(8)]);
    assert!(!desk.path("game/.bitexact-mods").exists(), "one file needs no journal");
    desk.write("game/maps/m1.zmap", &map());

    let said = desk.ok(&["patch", "game/maps/m1.zmap", "--set", &set(8), "--game", "game"]);
    assert!(said.err.contains("; `bitexact mod undo game maps/m1.zmap` undoes it"), "{said:?}");
    let first = all(&desk, "game");
    // Continued without the option, as the journal has the file.
    desk.ok(&["patch", "game/maps/m1.zmap", "--set", &set(9)]);
    assert_eq!(desk.ok(&["mod", "list", "game"]).out().lines().count(), 1);
    // A mod fits if its old values do.
    let said = desk.run(&["mod", "check", "game", "a.mod"]);
    assert!(said.err.contains("found 9"), "{said:?}");
    desk.ok(&["mod", "apply", "game", "b.mod"]);
    desk.ok(&["mod", "undo", "game", "m1.zmap"]);
    desk.ok(&["mod", "undo", "game"]);
    assert_eq!(all(&desk, "game"), original);
    assert_ne!(first, original);

    // On top of a mod. The mod below is undone after it.
    desk.ok(&["mod", "apply", "game", "a.mod"]);
    let with_mod = game_of(&desk, "game");
    desk.ok(&["patch", "game/maps/m1.zmap", "--set", &set(9)]);
    let said = desk.run(&["mod", "undo", "game", "a.mod"]);
    assert!(said.code == Some(2) && said.err.contains("m1.zmap"), "{said:?}");
    desk.ok(&["mod", "undo", "game", "m1.zmap"]);
    assert_eq!(game_of(&desk, "game"), with_mod);
    desk.ok(&["mod", "undo", "game"]);
    assert_eq!(all(&desk, "game"), original);

    // An edit that leads back leaves nothing.
    for value in [9, 4] {
        desk.ok(&["patch", "game/maps/m1.zmap", "--set", &set(value), "--game", "game"]);
    }
    assert_eq!(all(&desk, "game"), original);
    let said = desk.run(&["patch", "game/maps/m1.zmap", "--set", &set(9), "--game", "other"]);
    assert!(said.code == Some(2) && said.err.contains("is not in other"), "{said:?}");
}

/// A call that fails or is killed at any system call leaves the BIF and its KEYs all old or all new (case 13).
#[cfg(target_os = "linux")]
#[test]
fn patch_of_a_bif_that_fails_or_is_killed_anywhere_leaves_all_old_or_all_new() {
    if !super::has_strace() {
        eprintln!("skipped: there is no strace to let system calls fail; the tests of mods::model do without");
        return;
    }
    let desk = Desk::new();
    let state = || NWN.map(|path| bitexact::passes::Sha::of(&desk.read(&format!("game/{path}"))).to_string());
    let fresh = || {
        let _ = fs::remove_dir_all(desk.path("game"));
        with_keys(&desk, "game");
    };
    fresh();
    let old = state();
    desk.ok(&["patch", "game/data/2da.bif", "--set", LONGER]);
    let (new, mut counts) = (state(), BTreeMap::<_, u32>::new());
    for (call, last) in [("rename,renameat,renameat2", 12), ("fsync", 16), ("unlink,unlinkat", 6), ("mkdir", 3)] {
        for fault in ["signal=KILL", "error=EIO", "error=ENOSPC"] {
            for nth in (1..=last).step_by(if fault == "signal=KILL" { 1 } else { 3 }) {
                fresh();
                let inject = format!("-e trace={call} -e inject={call}:{fault}:when={nth}");
                let line =
                    format!("strace -f -qq -o trace {inject} $B patch game/data/2da.bif --set '{LONGER}'; exit $?");
                let said = desk.shell(&line);
                desk.ok(&["mod", "finish", "game"]);
                let found = state();
                assert!(found == old || found == new, "{line}: {said:?}");
                if said.code == Some(0) {
                    assert!(found == new, "{line}: {said:?}");
                }
                *counts.entry((said.code, found == new)).or_default() += 1;
            }
        }
    }
    assert!(counts.len() > 2, "{counts:?}");
}

/// Runs two calls at once, and returns whether each has succeeded; others must say that the game is in use.
fn at_once(desk: &Desk, calls: [&[&str]; 2]) -> [bool; 2] {
    let children = calls.map(|args| {
        let mut command = desk.command(args);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
    });
    children.map(|child| {
        let said = super::ended(child);
        let is_known = ["another bitexact", "no mod is applied", "something else has changed"];
        assert!(said.code == Some(0) || is_known.iter().any(|why| said.err.contains(why)), "{said:?}");
        said.code == Some(0)
    })
}

/// Two processes never forget what the other has done (case 15).
/// Runs an edit of a map while another process has locked the file. `meanwhile` runs once the new file is complete and waits.
fn patched_while_locked(meanwhile: impl FnOnce(&Desk, fs::File)) -> (Desk, super::Said) {
    let desk = Desk::new();
    desk.write("maps/m1.zmap", &map());
    let file = fs::File::open(desk.path("maps/m1.zmap")).unwrap();
    rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let patch = ["patch", "maps/m1.zmap", "--set", "/features/0/objective=7"];
    let child = desk.command(&patch).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while desk.names("maps").len() < 2 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    meanwhile(&desk, file);
    (desk, super::ended(child))
}

/// Between the comparison of a file and its replacement, no other bitexact replaces it.
#[test]
fn file_that_is_replaced_is_locked_and_what_another_process_has_written_meanwhile_is_kept() {
    let (desk, said) = patched_while_locked(|desk, file| {
        // It is at the lock by now.
        std::thread::sleep(Duration::from_millis(300));
        desk.write("other", b"other");
        fs::rename(desk.path("other"), desk.path("maps/m1.zmap")).unwrap();
        drop(file);
    });
    assert!(said.code == Some(2) && said.err.contains("something else has changed the file meanwhile"), "{said:?}");
    assert_eq!((desk.read("maps/m1.zmap"), desk.names("maps").len()), (b"other".to_vec(), 1));

    let mut held = None;
    let (desk, said) = patched_while_locked(|_, file| held = Some(file));
    assert!(said.code == Some(2) && said.err.contains("another program has locked the file"), "{said:?}");
    assert_eq!((desk.read("maps/m1.zmap"), desk.names("maps").len()), (map(), 1));

    let (desk, said) = patched_while_locked(|_, file| drop(file));
    assert!(said.code == Some(0) && desk.read("maps/m1.zmap") != map(), "{said:?}");
}

#[test]
fn two_processes_at_once_forget_nothing() {
    let desk = game();
    let original = all(&desk, "game");
    let rounds = crate::modder::kills::kills(12);
    for round in 0..rounds {
        let done = at_once(&desk, [&["mod", "apply", "game", "a.mod"], &["mod", "apply", "game", "b.mod"]]);
        let listed = desk.ok(&["mod", "list", "game"]);
        for (name, is_done) in ["a.mod:", "b.mod:"].into_iter().zip(done) {
            assert_eq!(listed.out().contains(name), is_done, "round {round}: {listed:?}");
        }
        let count = u32::from(done[0]) + u32::from(done[1]);
        let undone = at_once(&desk, [&["mod", "undo", "game"], &["mod", "undo", "game"]]);
        for _ in u32::from(undone[0]) + u32::from(undone[1])..count {
            desk.ok(&["mod", "undo", "game"]);
        }
        assert_eq!(all(&desk, "game"), original, "round {round}");
    }
    eprintln!("two processes at once: {rounds} rounds");
}

/// With a journal that is slow to be created, the second process must notice what the first has done (case 15).
#[cfg(target_os = "linux")]
#[test]
fn process_that_waits_before_it_has_a_journal_forgets_nothing() {
    if !super::has_strace() {
        eprintln!(
            "skipped: there is no strace to delay a process; two_processes_at_once_forget_nothing leaves it to luck"
        );
        return;
    }
    let desk = game();
    let slow = "strace -f -qq -o trace -e trace=mkdir -e inject=mkdir:delay_enter=1500000:when=1";
    let line = format!("{slow} $B mod apply game a.mod & sleep 0.7; $B mod apply game b.mod; wait; $B mod list game");
    let said = desk.shell(&line);
    let listed = said.out();
    assert!(listed.contains("a.mod: ") && listed.contains("b.mod: "), "{said:?}");
    desk.ok(&["mod", "undo", "game"]);
    desk.ok(&["mod", "undo", "game"]);
    assert_eq!(all(&desk, "game"), all(&desk, "original"));
}

/// Four times as many files take about four times as much work (case 16).
#[test]
fn mod_of_many_files_takes_linear_time() {
    let desk = Desk::new();
    is_linear("a mod of 500 files", |times| {
        let count = 500 * times;
        let _ = fs::remove_dir_all(desk.path("game"));
        desk.write("game/a.txt", b"a");
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let mut lines = format!("{{\"bitexact\":\"mod\",\"schema\":1,\"diff_schema\":3,\"files\":{count}}}\n");
        for nth in 0..count {
            let file = format!("\"path\":\"d/{nth}\",\"after\":\"{empty}\",\"bytes\":0,\"content\":\"eNoDAAAAAAE=\"");
            lines.push_str(&format!("{{{file}}}\n"));
        }
        desk.write("x.mod", lines.as_bytes());
        let applied = run(&desk.path("."), &["mod", "apply", "game", "x.mod", "-q"]);
        let both = applied.and(run(&desk.path("."), &["mod", "undo", "game", "-q"]));
        assert_eq!((both.code, all(&desk, "game").len()), (0, 1), "{}", both.said);
        both
    });
}
