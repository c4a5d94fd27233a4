//! The verdict on a copy and its sentence: nothing bad is called complete, nothing intact damaged, and no sentence contradicts itself.

use std::collections::BTreeMap;
use std::fs;

use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bitexact::verify::verify;
use serde_json::Value;

use super::{Desk, texts};
use crate::harness::sample;

/// Returns a copy of Pirate's Moon in `pm`, with all files that it is known to have.
fn pirates() -> Desk {
    let of = |seed: u64| forge::install(forge::INSTALL_SEED + seed).into_iter().collect::<BTreeMap<String, Vec<u8>>>();
    let first = of(0);
    let desk = Desk::of([("pm/mech3.exe", &b"MZ a program"[..])]);
    for name in
        ["Mech3Msg.dll", "zbd/interp.zbd", "zbd/mechlib.zbd", "zbd/motion.zbd", "zbd/reader.zbd", "zbd/rimage.zbd"]
    {
        desk.write(&format!("pm/{name}"), &first[&format!("pm/{name}")]);
    }
    desk.write("pm/zbd/soundsL.zbd", &first["pm/zbd/soundsL.zbd"]);
    desk.write("pm/zbd/rmechtex.zbd", &of(9)["pm/zbd/rimage.zbd"]);
    for chapter in 1..=4_u64 {
        let files = of(chapter);
        for name in ["anim", "gamez", "reader", "readerm1", "texture"] {
            desk.write(&format!("pm/zbd/c{chapter}/{name}.zbd"), &files[&format!("pm/zbd/c1/{name}.zbd")]);
        }
    }
    desk
}

/// Returns a copy of Marathon 2 in `m2`, without files of a player.
fn marathon() -> Desk {
    let desk = Desk::golden("m2");
    for folder in ["Films", "Maps", "Plugins", "Resources"] {
        fs::remove_dir_all(desk.path(&format!("m2/{folder}"))).unwrap();
    }
    desk
}

impl Desk {
    fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).unwrap()
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
    }

    /// Exchanges two files.
    fn swap(&self, one: &str, other: &str) {
        let (a, b) = (self.read(one), self.read(other));
        self.write(one, &b);
        self.write(other, &a);
    }

    /// Writes the list of `sha256sum` of all files below a folder.
    fn list(&self, folder: &str, list: &str) {
        let root = self.path(folder);
        let files = bitexact::install::files(&root).unwrap();
        let line = |path: &std::path::Path| {
            let inner = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            format!("{}  {inner}\n", Sha::of(&fs::read(path).unwrap()))
        };
        let lines: String = files.iter().map(|file| line(&file.path)).collect();
        self.write(list, lines.as_bytes());
    }

    /// Returns the row of the one install, after a look at its sentence.
    fn judged(&self, args: &[&str]) -> Value {
        let install = self.install(args);
        let (verdict, sentence) = (install["verdict"].as_str().unwrap(), install["sentence"].as_str().unwrap());
        let clauses = sentence.split_once(": ").unwrap().1.split_once('.').unwrap().0;
        let is_whole = clauses.starts_with("complete") || clauses.starts_with("no known file missing");
        assert_eq!(matches!(verdict, "good" | "complete"), is_whole, "{verdict}: {sentence}");
        let is_damaged = sentence.contains("no damage found in") || sentence.contains("no damage found");
        assert!(!(verdict == "damaged" && is_damaged), "{verdict}: {sentence}");
        install
    }
}

/// Returns the verdict and the sentence.
fn words(install: &Value) -> (&str, &str) {
    (install["verdict"].as_str().unwrap(), install["sentence"].as_str().unwrap())
}

#[test]
fn whole_copies_are_complete_and_say_what_is_not_known() {
    let install = pirates().judged(&["pm"]);
    assert_eq!(words(&install).0, "complete", "{install}");
    assert!(
        words(&install)
            .1
            .contains(": no known file missing, no damage found. Which other files it should have is not published. ")
    );
    let install = marathon().judged(&["m2"]);
    assert_eq!(words(&install).0, "complete", "{install}");
    assert!(words(&install).1.contains(": complete, no damage found. No file"));
}

#[test]
fn copy_without_its_main_file_is_incomplete_and_named() {
    let desk = marathon();
    desk.remove("m2/Map.sceA");
    let install = desk.judged(&["m2"]);
    assert_eq!((words(&install).0, texts(&install["missing"], "path")[0]), ("incomplete", "map.scea"));
    assert!(words(&install).1.starts_with("Marathon 2 or Marathon Infinity, "), "{install}");
    assert_eq!(install["games"], serde_json::json!(["m2", "mi"]));
    let strict = desk.run(&["verify", "--strict", "m2"]);
    assert!(strict.code == 1 && strict.out.contains("missing       m2/map.scea (required)\n"), "{}", strict.out);

    let desk = Desk::golden("mi");
    desk.remove("mi/Map.sceA");
    let install = desk.judged(&["mi"]);
    assert_eq!(words(&install).0, "incomplete");
    assert!(texts(&install["missing"], "path").contains(&"map.scea"), "{install}");

    for keys in [&["chitin.key"][..], &["chitin.key", "xp1.key"]] {
        let desk = Desk::golden("nwn");
        keys.iter().for_each(|key| desk.remove(&format!("nwn/{key}")));
        let install = desk.judged(&["nwn"]);
        assert_eq!((words(&install).0, &install["game"]), ("incomplete", &"nwn".into()));
        assert!(texts(&install["missing"], "path").contains(&"chitin.key"), "{install}");
    }
    let texts_of_both = Desk::golden("pm").read("pm/Mech3Msg.dll");
    let programs = Desk::of([("Mech3Msg.dll", &texts_of_both[..]), ("zbd/notes.bin", b"?")]);
    let install = programs.judged(&["."]);
    assert!(words(&install).1.starts_with("MechWarrior 3 or Pirate's Moon, "), "{install}");
    assert_eq!(words(&install).0, "incomplete");
    let unknown = Desk::of([("zbd/notes.bin", &b"?"[..])]);
    assert_eq!(words(&unknown.judged(&["."])).0, "doubtful");
    assert_eq!(unknown.rows(&["--strict", "."]).0, 2, "nothing is supported");
}

#[test]
fn file_of_another_kind_is_not_the_file_of_its_place() {
    let found = |install: &Value, path: &str| {
        let missing = install["missing"].as_array().unwrap();
        missing.iter().find(|it| it["path"] == path).map(|it| it["found"].as_str().unwrap().to_owned()).expect(path)
    };
    for (one, other, kinds) in [
        ("zbd/c1/gamez.zbd", "zbd/c1/anim.zbd", ["a file of kind anim", "a file of kind gamez"]),
        ("zbd/reader.zbd", "zbd/motion.zbd", ["an archive of motions", "an archive of readers"]),
    ] {
        let desk = pirates();
        desk.swap(&format!("pm/{one}"), &format!("pm/{other}"));
        let install = desk.judged(&["pm"]);
        assert_eq!(words(&install).0, "mixed up", "{install}");
        assert_eq!([found(&install, one), found(&install, other)], kinds.map(|kind| format!("{kind} is in its place")));
        let said = desk.run(&["verify", "pm"]).out;
        let own = format!("pm: {one}: {} is in its place, and its own bytes seem to be in {other}\n", kinds[0]);
        assert!(said.contains(&own), "{said}");
    }
    let desk = marathon();
    desk.swap("m2/Shapes.shpA", "m2/Sounds.sndA");
    assert_eq!(words(&desk.judged(&["m2"])).0, "mixed up");
    for (path, bytes, what) in [
        ("zbd/c1/gamez.zbd", Desk::golden("pm").read("pm/zbd/c1/texture.zbd"), "a file of kind texture"),
        ("zbd/c1/gamez.zbd", Desk::golden("m2").read("m2/Map.sceA"), "a file of kind wad"),
        ("zbd/c1/gamez.zbd", Desk::golden("mw").read("mw/zbd/c1/gamez.zbd"), "a file of MechWarrior 3"),
        (
            "zbd/reader.zbd",
            Desk::golden("mw").read("mw/zbd/reader.zbd"),
            "a file of Recoil, MechWarrior 3 or Crimson Skies",
        ),
    ] {
        let desk = pirates();
        desk.write(&format!("pm/{path}"), &bytes);
        let install = desk.judged(&["pm"]);
        assert_eq!(words(&install).0, "incomplete", "{install}");
        assert!(found(&install, path).starts_with(what), "{install}");
        assert_eq!(desk.rows(&["--strict", "pm"]).0, 1);
    }
    let desk = marathon();
    desk.write("m2/Map.sceA", &desk.read("m2/Shapes.shpA"));
    assert_eq!(words(&desk.judged(&["m2"])).0, "incomplete");
}

/// Source: `zipper-installs.md`, sections 2, 3 and 5, and `nwn-installs.md`, section 1.
#[test]
fn groups_of_files_need_one_of_them_each() {
    let lacks = |install: &Value, path: &str| {
        let missing = install["missing"].as_array().unwrap();
        missing.iter().any(|it| {
            it["path"] == path && (it["why"] == "one-of" || it["why"] == "at-least" || it["why"] == "required")
        })
    };
    for (gone, group) in [
        ("zbd/c2/texture.zbd", "zbd/c2/*tex*.zbd"),
        ("zbd/c3/readerm1.zbd", "zbd/c3/{readeria,readerm}*.zbd"),
        ("zbd/rmechtex.zbd", "zbd/*tex*.zbd"),
        ("zbd/soundsL.zbd", "zbd/{soundsl,soundsh}.zbd"),
    ] {
        let desk = pirates();
        desk.remove(&format!("pm/{gone}"));
        let install = desk.judged(&["pm"]);
        assert!(words(&install).0 == "incomplete" && lacks(&install, group), "{install}");
        assert!(words(&install).1.contains(": 1 required file missing, "), "{install}");
    }
    let install = Desk::golden("cs").judged(&["cs"]);
    for path in [
        "zbd/c1/m04/mis_anim.zbd",
        "zbd/c5/ia1/zrdr.zbd",
        "zbd/*/mp*/zrdr.zbd",
        "gosdata/assets/graphics/mpg/chap0.mpg",
    ] {
        assert!(lacks(&install, path), "{path}: {install}");
    }
    let install = Desk::golden("mw").judged(&["mw"]);
    assert!(lacks(&install, "zbd/c2/{texture1,texture2,texture,rtexture2,rtexture3,rtexture}.zbd"), "{install}");
    let desk = Desk::golden("nwn");
    desk.remove("nwn/dialog.tlk");
    assert!(lacks(&desk.judged(&["nwn"]), "dialog.tlk"));
}

#[test]
fn wrong_checksum_and_entry_that_does_not_decode_are_doubtful() {
    let desk = pirates();
    desk.write("pm/zbd/c1/readerm1.zbd", &sample("pm_reader_crc_wrong.zbd"));
    let install = desk.judged(&["pm"]);
    assert_eq!(words(&install).0, "doubtful", "{install}");
    assert!(
        words(&install).1.contains("1 file with a checksum that does not fit, ")
            && !words(&install).1.contains("no damage")
    );
    assert_eq!(texts(&install["checksums"], "path"), ["zbd/c1/readerm1.zbd"]);
    let said = desk.run(&["verify", "pm"]).out;
    assert!(
        said.contains("  pm/zbd/c1/readerm1.zbd (archive)\n") && said.contains("the checksum does not fit"),
        "{said}"
    );
    // A list that has the file vouches for it.
    desk.list("pm", "list.sha256");
    assert_eq!(words(&desk.judged(&["--known", "list.sha256", "pm"])).0, "good");

    let desk = pirates();
    let bytes = desk.read("pm/zbd/reader.zbd");
    let changed = (0..bytes.len()).map(|at| [&bytes[..at], &[bytes[at] ^ 0x40], &bytes[at + 1..]].concat());
    let is_undecoded = |bytes: &Vec<u8>| !verify(KINDS, "reader.zbd", bytes.clone()).undecoded.is_empty();
    desk.write("pm/zbd/reader.zbd", &changed.into_iter().find(is_undecoded).expect("an entry that does not decode"));
    let install = desk.judged(&["pm"]);
    assert_eq!((words(&install).0, install["undecoded"].as_array().unwrap().len()), ("doubtful", 1), "{install}");
    assert!(words(&install).1.contains("1 file with entries that do not decode"), "{install}");
}

#[test]
fn list_of_a_user_is_named_and_what_the_copy_lacks_of_it_is_counted() {
    let desk = pirates();
    desk.list("pm", "mine.sha256");
    let install = desk.judged(&["--known", "mine.sha256", "pm"]);
    assert_eq!((words(&install).0, &install["as_sold"]), ("good", &0.into()));
    let files = install["files"].as_u64().unwrap();
    assert!(words(&install).1.contains(&format!(" All {files} files are as in mine.sha256. ")), "{install}");
    let list = Sha::of(&desk.read("mine.sha256")).to_string();
    let about = serde_json::json!({ "name": "mine.sha256", "entries": files, "sha256": list, "sources": [] });
    assert_eq!((&install["list"], &install["not_found"]), (&about, &serde_json::json!([])));
    // Textures have no exact list, and the list of the user has them.
    desk.write("pm/zbd/c1/texture2.zbd", &Desk::golden("mw").read("mw/zbd/c1/texture.zbd"));
    desk.list("pm", "mine.sha256");
    desk.remove("pm/zbd/c1/texture2.zbd");
    let said = desk.run(&["verify", "-v", "--known", "mine.sha256", "--html", "page.html", "pm"]);
    assert!(
        said.out.contains("incomplete    pm: ") && said.out.contains(": 1 file of mine.sha256 missing, "),
        "{}",
        said.out
    );
    assert!(said.out.contains("pm: not there: zbd/c1/texture2.zbd (only the list names it)\n"), "{}", said.out);
    let list = Sha::of(&desk.read("mine.sha256")).to_string();
    let origin = format!("list mine.sha256: {} files, SHA-256 {list}; no source stated\n", files + 1);
    assert!(said.out.contains(&origin), "{}", said.out);
    let page = String::from_utf8(desk.read("page.html")).unwrap();
    assert!(page.contains("mine.sha256") && page.contains(&list) && page.contains("as in the list"), "{page}");
    assert_eq!(desk.rows(&["--strict", "--known", "mine.sha256", "pm"]).0, 1);
    // A video can be on the disc.
    desk.write("pm/video/intro.avi", &Desk::golden("mw").read("mw/video/c1m1.avi"));
    // A library is no game data, and a pilot is the player's.
    for path in ["pm/old.dll", "pm/pilots/ace/ace.mw3", "pm/pilots/notes.txt"] {
        desk.write(path, path.as_bytes());
    }
    desk.list("pm", "mine.sha256");
    for path in ["pm/video/intro.avi", "pm/old.dll", "pm/pilots/ace/ace.mw3", "pm/pilots/notes.txt"] {
        desk.remove(path);
    }
    let install = desk.judged(&["--known", "mine.sha256", "pm"]);
    assert_eq!(texts(&install["not_found"], "path"), ["old.dll", "video/intro.avi"]);
    assert_eq!(texts(&install["not_found"], "why"), ["extra", "disc"]);
    assert_eq!(words(&install).0, "good", "{install}");
    assert!(words(&install).1.contains(" 2 optional files of mine.sha256 are not there."), "{install}");
    assert_eq!(desk.rows(&["--strict", "--known", "mine.sha256", "pm"]).0, 0);
    // The source of a table is part of what it says.
    let made = ["snapshot", "--known", "--source", "A. Player", "pm", "-o", "mine.tsv"];
    assert_eq!(desk.run(&made).code, 0);
    assert_eq!(desk.judged(&["--known", "mine.tsv", "pm"])["list"]["sources"], serde_json::json!(["A. Player"]));
}

#[test]
fn file_that_is_not_read_is_not_damaged() {
    let desk = marathon();
    let said = desk.run(&["verify", "--memory", "1KiB", "m2"]);
    assert!(
        said.code == 2 && said.out.contains("not read      m2: ") && !said.out.contains("damaged  "),
        "{}",
        said.out
    );
    assert!(said.out.contains(". Raise the limit by --memory and verify again. "), "{}", said.out);
    #[cfg(unix)]
    {
        desk.remove("m2/Sounds.sndA");
        std::os::unix::fs::symlink("nowhere", desk.path("m2/Sounds.sndA")).unwrap();
        let install = desk.judged(&["m2"]);
        assert_eq!((words(&install).0, texts(&install["not_read"], "path")), ("not read", vec!["Sounds.sndA"]));
        let advice = ". Make it readable and verify again. ";
        assert!(
            words(&install).1.contains(" Not read: Sounds.sndA (") && words(&install).1.contains(advice),
            "{install}"
        );
        assert_eq!(desk.rows(&["m2"]).0, 2);
    }
}

#[test]
fn cut_and_empty_files_are_said_to_be_so() {
    let desk = pirates();
    let bytes = desk.read("pm/zbd/c1/gamez.zbd");
    desk.write("pm/zbd/c1/gamez.zbd", &bytes[..bytes.len() - 100]);
    let install = desk.judged(&["pm"]);
    assert!(
        words(&install).0 == "damaged" && words(&install).1.contains(": 1 file is cut, no required file missing. "),
        "{install}"
    );
    let desk = pirates();
    desk.write("pm/mech3.exe", b"");
    let install = desk.judged(&["pm"]);
    assert!(words(&install).0 == "damaged" && words(&install).1.contains(": 1 file is empty, "), "{install}");
    assert!(desk.run(&["verify", "pm"]).out.contains("pm: mech3.exe: the file is empty\n"));
    assert_eq!(desk.run(&["verify", "pm"]).code, 0);
    let strict = desk.run(&["verify", "--strict", "--junit", "cases.xml", "pm"]);
    let cases = fs::read_to_string(desk.path("cases.xml")).unwrap();
    let case = cases.split("<testcase ").find(|it| it.starts_with("name=\"pm/mech3.exe\"")).unwrap();
    assert_eq!(strict.code, 1, "{}", strict.out);
    assert!(case.contains("<failure ") && case.contains("the file is empty") && !case.contains("<skipped"), "{case}");
    desk.write("pm/mech3.exe", b"MZ a program");
    let whole = desk.run(&["verify", "--strict", "pm"]);
    assert_eq!(whole.code, 0, "{}", whole.out);
}

#[test]
#[cfg(target_os = "linux")]
fn files_whose_paths_differ_only_in_case_compete_for_one_place() {
    let desk = pirates();
    desk.write("pm/zbd/c1/GAMEZ.ZBD", &desk.read("pm/zbd/c1/gamez.zbd"));
    let install = desk.judged(&["pm"]);
    assert_eq!((words(&install).0, &install["alike"]), ("doubtful", &serde_json::json!([])), "{install}");
    assert!(words(&install).1.contains(": 2 files compete for one place, "), "{install}");
    assert_eq!(texts(&install["rivals"], "path"), ["zbd/c1/gamez.zbd"]);
    let said = desk.run(&["verify", "pm"]).out;
    assert!(said.contains("differs from zbd/c1/GAMEZ.ZBD only in case: both compete for one place"), "{said}");
    assert_eq!(desk.rows(&["--strict", "pm"]).0, 1);
}

#[test]
fn equal_files_of_a_list_do_not_hide_that_two_are_swapped() {
    let desk = pirates();
    desk.write("pm/zbd/c3/texture.zbd", &desk.read("pm/zbd/c1/texture.zbd"));
    desk.list("pm", "list.sha256");
    desk.swap("pm/zbd/c1/gamez.zbd", "pm/zbd/c1/texture.zbd");
    let said = desk.run(&["verify", "--known", "list.sha256", "pm"]).out;
    for (one, other) in [("gamez", "texture"), ("texture", "gamez")] {
        let words = format!("pm: zbd/c1/{one}.zbd: has the bytes of zbd/c1/{other}.zbd; the two files are swapped\n");
        assert!(said.contains(&words), "{said}");
    }
}

#[test]
fn quiet_prints_the_verdict_and_strict_passes_files_that_the_list_has() {
    let desk = pirates();
    let quiet = desk.run(&["verify", "-q", "--strict", "--junit", "cases.xml", "pm"]);
    assert!(quiet.code == 0 && quiet.out.contains("\ncomplete      pm: Pirate's Moon, "), "{}", quiet.out);
    let cases = String::from_utf8(desk.read("cases.xml")).unwrap();
    assert!(cases.contains("failures=\"0\"") && cases.contains("skipped=\"1\""), "{cases}");
    desk.write("pm/notes.bin", b"?");
    assert_eq!(desk.rows(&["--strict", "pm"]).0, 1, "no list has it");
    desk.list("pm", "list.sha256");
    assert_eq!(desk.rows(&["--strict", "--known", "list.sha256", "pm"]).0, 0, "a list has it");
    desk.remove("pm/zbd/c1/gamez.zbd");
    let quiet = desk.run(&["verify", "-q", "pm"]);
    assert!(quiet.out.contains("\nincomplete    pm: "), "{}", quiet.out);
}
