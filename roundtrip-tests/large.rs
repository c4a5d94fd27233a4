//! Files of a game that are larger than the memory limit, as videos are: mods compare, store, remove and restore them in pieces.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use bitexact::edit::diff;
use bitexact::mods;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;

use crate::bounds::{Run, run};
use crate::harness::{forged, sample};
use forge::Size;
use forge::archive::{Content, Entry, Spec, build};
use forge::random::Random;
use forge::reader::{self, float, list};

/// A limit, as an option and in bytes.
const SMALL: (&str, u64) = ("20MB", 20_000_000);
/// The size of a video: more than the limit and what the program takes for any file.
const VIDEO: u64 = 100 << 20;

/// Runs `mod` with the limit, and checks that it was kept.
fn call(folder: &Path, args: &[&str]) -> Run {
    let said = run(folder, &[&["--memory", SMALL.0, "mod"], args].concat());
    said.keeps(SMALL.1, &args.join(" "));
    said
}

fn ok(folder: &Path, args: &[&str]) -> String {
    let said = call(folder, args);
    assert_eq!(said.code, 0, "{args:?}: {}", said.said);
    said.said
}

/// Creates a film of another program, which takes no space on disk, with some bytes in the middle.
fn video(path: &Path, middle: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = File::create(path).unwrap();
    file.write_all(b"BIKi").unwrap();
    file.seek(SeekFrom::Start(VIDEO / 2)).unwrap();
    file.write_all(middle).unwrap();
    file.set_len(VIDEO).unwrap();
}

/// Creates a game with a film and a map.
fn game(path: &Path) {
    video(&path.join("movies/intro.bik"), b"old");
    fs::create_dir_all(path.join("maps")).unwrap();
    fs::write(path.join("maps/m2.zmap"), sample("m2.zmap")).unwrap();
}

fn sha(path: &Path) -> Option<Sha> {
    fs::read(path).ok().map(|bytes| Sha::of(&bytes))
}

#[test]
fn films_of_any_size_are_compared_removed_replaced_and_restored() {
    let desk = tempfile::tempdir().unwrap();
    let at = |path: &str| desk.path().join(path);
    let film = "movies/intro.bik";
    ["game", "original", "equal", "without", "short", "other"].iter().for_each(|name| game(&at(name)));
    fs::write(at("equal/new.txt"), b"new").unwrap();
    fs::remove_file(at("without").join(film)).unwrap();
    fs::write(at("short").join(film), b"BIKi, short").unwrap();
    video(&at("other").join(film), b"new");
    let old = sha(&at("game").join(film));

    let said = call(desk.path(), &["make", "original", "game", "-o", "no.mod"]);
    assert!(said.code == 2 && said.said.contains("are equal"), "{}", said.said);
    let expected = [
        ("equal", "new.txt: added, 3 bytes\n", old),
        ("without", "movies/intro.bik: removed\n", None),
        ("short", "movies/intro.bik: replaced as a whole, 11 bytes\n", Some(Sha::of(b"BIKi, short"))),
        ("other", "movies/intro.bik: replaced as a whole, 104,857,600 bytes\n", sha(&at("other").join(film))),
    ];
    for (name, edit, new) in expected {
        let file = format!("{name}.mod");
        let said = ok(desk.path(), &["make", "original", name, "-o", &file]);
        assert!(said.starts_with(edit), "{said}");
        ok(desk.path(), &["check", "game", &file]);
        ok(desk.path(), &["apply", "game", &file]);
        assert_eq!(sha(&at("game").join(film)), new, "{name}");
        // An edit of another file of the game leaves the film alone.
        let patch = ["patch", "game/maps/m2.zmap", "--game", "game", "--set", "/features/0/objective=7"];
        let said = run(desk.path(), &[&patch[..], &["--memory", SMALL.0]].concat());
        said.keeps(SMALL.1, "patch");
        assert_eq!(said.code, 0, "{}", said.said);
        for _ in 0..2 {
            ok(desk.path(), &["undo", "game"]);
        }
        assert_eq!(sha(&at("game").join(film)), old, "{name}");
        assert!(!at("game/.bitexact-mods").exists());
    }
    // Two single files are compared in the same way.
    let film = |folder: &str| format!("{folder}/{film}");
    let said = ok(desk.path(), &["make", &film("original"), &film("other"), "-o", "film.mod"]);
    assert!(said.starts_with("intro.bik: replaced as a whole"), "{said}");
    // A mod can be damaged, and still state any size.
    let text = fs::read_to_string(at("film.mod")).unwrap();
    fs::write(at("film.mod"), text.replace("\"bytes\":104857600", "\"bytes\":104857599")).unwrap();
    let said = call(desk.path(), &["apply", &film("game"), "film.mod"]);
    assert!(said.code == 2 && said.said.contains("content: expected 104857599 bytes"), "{}", said.said);
}

#[test]
fn mod_that_takes_more_memory_than_the_limit_is_refused() {
    let desk = tempfile::tempdir().unwrap();
    let at = |path: &str| desk.path().join(path);
    fs::create_dir_all(at("a")).unwrap();
    fs::create_dir_all(at("b")).unwrap();
    let mut random = Random::new(1);
    let noise: Vec<u8> = (0..3 << 20).flat_map(|_| random.draw().to_le_bytes()).collect();
    fs::write(at("b/intro.bik"), [b"BIKi", &noise[..]].concat()).unwrap();
    // What cannot be compressed does not fit, and no mod is left.
    call(desk.path(), &["make", "a", "b", "-o", "x.mod"]).is_refused_by_memory(SMALL.1, "a film");
    assert!(!at("x.mod").exists());
    // Where all bytes are needed to know what a file is, they must fit too.
    fs::remove_file(at("b/intro.bik")).unwrap();
    fs::write(at("b/unknown.bin"), &noise).unwrap();
    let said = call(desk.path(), &["make", "a", "b", "-o", "x.mod"]);
    let why = "b/unknown.bin: has 24.0 MiB, more than the memory limit of 19.1 MiB";
    assert!(said.code == 2 && said.said.contains(why), "{}", said.said);
    // The limit is one for all files of the mod.
    fs::remove_file(at("b/unknown.bin")).unwrap();
    for part in 0..8 {
        fs::write(at(&format!("b/{part}.bin")), &noise[part << 20..][..1 << 20]).unwrap();
    }
    call(desk.path(), &["make", "a", "b", "-o", "x.mod"]).is_refused_by_memory(SMALL.1, "eight files");
    fs::remove_file(at("b/0.bin")).unwrap();
    ok(desk.path(), &["make", "a", "b", "-o", "x.mod"]);
    ok(desk.path(), &["apply", "a", "x.mod"]);
    ok(desk.path(), &["undo", "a"]);

    // A mod is a file that is read, too.
    for (limit, why) in [
        ("1MB", "x.mod: has 9.3 MiB, more than the memory limit of 976.6 KiB"),
        ("15MB", "takes more memory than the limit of 14.3 MiB"),
    ] {
        for action in ["check", "apply"] {
            let said = run(desk.path(), &["--memory", limit, "mod", action, "a", "x.mod"]);
            assert!(said.code == 2 && said.said.contains(why), "{action}: {}", said.said);
        }
    }
}

/// Returns a mod with a change of some text.
fn changing(change: &str) -> String {
    let [schema, of_diff] = [mods::SCHEMA, diff::SCHEMA];
    let header = format!(r#"{{"bitexact":"mod","schema":{schema},"diff_schema":{of_diff},"files":1}}"#);
    let hash = "0".repeat(64);
    format!(
        "{header}\n{{\"path\":\"m2.zmap\",\"kind\":\"zmap\",\"before\":\"{hash}\",\"after\":\"{hash}\",\"bytes\":1,\"changes\":[{change}]}}\n"
    )
}

#[test]
fn values_of_a_mod_are_counted_before_they_are_read() {
    let desk = tempfile::tempdir().unwrap();
    fs::write(desk.path().join("m2.zmap"), sample("m2.zmap")).unwrap();
    let set = |value: &str| format!(r#"{{"do":"set","at":"/a","old":1,"new":{value}}}"#);
    let deep = format!("/a{}", "/b".repeat(20));
    for (what, change) in [
        ("numbers", set(&format!("[{}]", vec!["1"; 400_000].join(",")))),
        ("lists", set(&format!("[{}]", vec!["[1]"; 200_000].join(",")))),
        ("objects", set(&format!("[{}]", vec![r#"{"a":1}"#; 200_000].join(",")))),
        ("changes", vec![set("2"); 60_000].join(",")),
        ("places", vec![format!(r#"{{"do":"delete","at":"{deep}","old":1}}"#); 30_000].join(",")),
    ] {
        fs::write(desk.path().join("x.mod"), changing(&change)).unwrap();
        let check = ["mod", "check", "m2.zmap", "x.mod"];
        let small = run(desk.path(), &[&["--memory", SMALL.0][..], &check].concat());
        small.is_refused_by_memory(SMALL.1, what);
        // The least limit that is enough also was: what is counted is what is taken.
        let limits = [40, 60, 80, 120, 160, 240].into_iter();
        let enough =
            limits.map(|limit| (limit, run(desk.path(), &[&["--memory", &format!("{limit}MB")][..], &check].concat())));
        let (limit, said) = enough.into_iter().find(|(_, said)| said.code != 2).unwrap();
        assert_eq!(said.code, 1, "{what}: {}", said.said);
        said.keeps(limit * 1_000_000, what);
    }
}

#[test]
fn limit_applies_to_every_file_of_a_game_that_is_read_as_a_whole() {
    let desk = tempfile::tempdir().unwrap();
    let at = |path: &str| desk.path().join(path);
    fs::create_dir_all(at("a")).unwrap();
    let cases = forged(Size::Tiny, "");
    for kind in KINDS {
        let case = cases.iter().find(|case| case.kind.name == kind.name).unwrap();
        let name = case.name.rsplit('/').next().unwrap();
        let _ = fs::remove_dir_all(at("b"));
        fs::create_dir_all(at("b")).unwrap();
        fs::write(at("b").join(name), &case.bytes).unwrap();
        let said = run(desk.path(), &["--memory", "1B", "mod", "make", "a", "b", "-o", "x.mod"]);
        assert!(said.code == 2 && said.said.contains("more than the memory limit of 1 B"), "{name}: {}", said.said);
        let said = run(desk.path(), &["--memory", "1B", "mod", "make", "b", "b", "-o", "x.mod"]);
        assert!(said.code == 2 && said.said.contains("are equal"), "{name}: {}", said.said);
    }
}

/// Returns an archive of many readers, of which the first has this value.
fn archive(entries: usize, value: f32) -> Vec<u8> {
    let entry = |nth: usize| {
        let data = reader::build(&reader::Spec::new(list([float(if nth == 0 { value } else { 1.0 })])));
        Entry { flags: 2, time: 1, ..Entry::new(format!("{nth}.zrd").as_bytes(), data) }
    };
    build(&Spec::new(2, Content::Readers, (0..entries).map(entry).collect()))
}

/// A file that fits, but not its model, is refused too: otherwise, the limit would decide whether a mod has changes or whole files.
#[test]
fn file_whose_model_does_not_fit_is_not_replaced_as_a_whole() {
    let desk = tempfile::tempdir().unwrap();
    let [old, new] = [5.0, 7.5].map(|value| archive(3000, value));
    let limit = format!("{}B", old.len() + 1000);
    fs::write(desk.path().join("a.zbd"), &old).unwrap();
    fs::write(desk.path().join("b.zbd"), &new).unwrap();
    let make = ["mod", "make", "a.zbd", "b.zbd", "-o", "x.mod"];
    let said = run(desk.path(), &[&["--memory", &limit][..], &make].concat());
    assert!(said.code == 2 && said.said.contains("takes more memory than the limit"), "{}", said.said);
    let said = run(desk.path(), &make);
    assert!(said.code == 0 && said.said.starts_with("a.zbd: 1 change\n"), "{}", said.said);
    for action in ["check", "apply"] {
        let said = run(desk.path(), &["--memory", &limit, "mod", action, "a.zbd", "x.mod"]);
        assert!(said.code == 2 && said.said.contains("takes more memory than the limit"), "{}", said.said);
    }
}
