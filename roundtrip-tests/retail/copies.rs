//! Spoiled copies of a game, and what `verify` says of each; and good copies, of which it says nothing false. The guide has the table.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::sync::LazyLock;

use super::Desk;
use crate::harness;

/// The files of a copy of Recoil with the missions of 1998, by path. The worlds and the animations of different missions differ.
static WHOLE: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(whole);

fn whole() -> BTreeMap<String, Vec<u8>> {
    let install =
        |seed: u64| forge::install(forge::INSTALL_SEED + seed).into_iter().collect::<BTreeMap<String, Vec<u8>>>();
    let first = install(0);
    let of = |path: &str| first[&format!("rc/{path}")].clone();
    let mut files = BTreeMap::new();
    files.insert("recoil.exe".to_owned(), b"MZ a program".to_vec());
    files.insert("messages.dll".to_owned(), of("messages.dll"));
    for name in ["interp", "image", "zrdr", "soundsm", "soundsh"] {
        let path = format!("zbd/{name}.zbd");
        files.insert(path.clone(), of(&path));
    }
    files.insert("zbd/soundsl.zbd".to_owned(), super::damage::sounds(3));
    for mission in 1..=6_u64 {
        let other = install(mission);
        let of = |path: &str| other[&format!("rc/zbd/{path}.zbd")].clone();
        for (name, from) in [("gamez", "m1/gamez"), ("anim", "m1/anim"), ("zrdr", "m1/zrdr")] {
            files.insert(format!("zbd/m{mission}/{name}.zbd"), of(from));
        }
        for name in ["texture2", "texture4", "texture6", "rtexture2", "rtexture4"] {
            let from = if name.starts_with('r') { "m1/rtexture4" } else { "m1/texture2" };
            files.insert(format!("zbd/m{mission}/{name}.zbd"), of(from));
        }
        files.insert(format!("maps/m{mission}.zmap"), other["rc/maps/m1.zmap"].clone());
    }
    files.insert("zbd/m6/texture8.zbd".to_owned(), of("zbd/m1/texture8.zbd"));
    files
}

/// A desk with a copy `rc`, and the list `list.tsv` of a whole one.
struct Copy {
    desk: Desk,
    /// The path that is verified.
    path: Cell<&'static str>,
}

impl Copy {
    fn new() -> Self {
        let desk = Desk::of([]);
        for (path, bytes) in &*WHOLE {
            desk.write(&format!("rc/{path}"), bytes);
        }
        let made = desk.run(&["snapshot", "--known", "--edition", "US 1998", "rc", "-o", "list.tsv"]);
        assert_eq!(made.code, 0, "{}", made.err);
        Self { desk, path: Cell::new("rc") }
    }

    fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.desk.path(&format!("rc/{path}"))).unwrap()
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        self.desk.write(&format!("rc/{path}"), bytes);
    }

    fn rename(&self, from: &str, to: &str) {
        self.desk.rename(&format!("rc/{from}"), &format!("rc/{to}"));
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.desk.path(&format!("rc/{path}"))).unwrap();
    }

    /// Changes the bytes of a file.
    fn change(&self, path: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = self.read(path);
        change(&mut bytes);
        self.write(path, &bytes);
    }

    /// Packs all files into `rc.zip`, which is verified instead.
    fn zip(&self) {
        let mut zip = zip::ZipWriter::new(fs::File::create(self.desk.path("rc.zip")).unwrap());
        for (path, bytes) in &*WHOLE {
            zip.start_file(path.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap();
        self.path.set("rc.zip");
    }

    /// Packs all files into `rc.tar`, or into `rc.tar.gz`, which is verified instead.
    fn tar(&self, is_compressed: bool) {
        let mut tar = tar::Builder::new(Vec::new());
        for (path, bytes) in &*WHOLE {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            tar.append_data(&mut header, path, &bytes[..]).unwrap();
        }
        let (tar, path) = (tar.into_inner().unwrap(), if is_compressed { "rc.tar.gz" } else { "rc.tar" });
        match is_compressed {
            false => self.desk.write(path, &tar),
            true => {
                let file = fs::File::create(self.desk.path(path)).unwrap();
                flate2::write::GzEncoder::new(file, flate2::Compression::fast()).write_all(&tar).unwrap();
            }
        }
        self.path.set(path);
    }

    /// Appends a line to the list.
    fn list(&self, line: &str) {
        let list = fs::read_to_string(self.desk.path("list.tsv")).unwrap();
        self.desk.write("list.tsv", format!("{list}{line}\n").as_bytes());
    }
}

/// Returns the line of a list for some bytes.
fn row(bytes: &[u8], edition: &str, path: &str) -> String {
    format!("{}\trc\t{edition}\t{path}\tanother disc", bitexact::passes::Sha::of(bytes))
}

/// What is done to a copy, and what is said of it.
struct Case {
    what: &'static str,
    spoil: fn(&Copy),
    /// `true` if the copy is compared with the list of a whole one.
    has_list: bool,
    verdict: &'static str,
    said: &'static str,
}

const fn case(what: &'static str, spoil: fn(&Copy), has_list: bool, verdict: &'static str, said: &'static str) -> Case {
    Case { what, spoil, has_list, verdict, said }
}

const WORLD: &str = "zbd/m3/gamez.zbd";
const OTHER: &str = "zbd/m4/gamez.zbd";

/// Spoiled copies. `list` means that a list of a whole copy is given by `--known`.
const SPOILED: &[Case] = &[
    case(
        "two worlds swapped",
        |it| {
            let (one, other) = (it.read(WORLD), it.read(OTHER));
            it.write(WORLD, &other);
            it.write(OTHER, &one);
        },
        true,
        "mixed up",
        "zbd/m3/gamez.zbd: has the bytes of zbd/m4/gamez.zbd; the two files are swapped",
    ),
    case(
        "a world copied over another",
        |it| it.write(WORLD, &it.read(OTHER)),
        true,
        "mixed up",
        "zbd/m3/gamez.zbd: has the bytes of zbd/m4/gamez.zbd; its own bytes are lost",
    ),
    case(
        "a world copied over another",
        |it| it.write(WORLD, &it.read(OTHER)),
        false,
        "doubtful",
        "zbd/m4/gamez.zbd: has the same bytes as zbd/m3/gamez.zbd, which should differ",
    ),
    case(
        "three files rotated",
        |it| {
            let [a, b, c] = ["maps/m1.zmap", "maps/m2.zmap", "maps/m3.zmap"].map(|path| it.read(path));
            it.write("maps/m1.zmap", &b);
            it.write("maps/m2.zmap", &c);
            it.write("maps/m3.zmap", &a);
        },
        true,
        "mixed up",
        "maps/m1.zmap: has the bytes of maps/m2.zmap; its own bytes are in maps/m3.zmap",
    ),
    case(
        "a file moved",
        |it| it.rename("zbd/soundsm.zbd", "soundsm.zbd"),
        false,
        "mixed up",
        "soundsm.zbd: perhaps moved: the game has a file of this name as zbd/soundsm.zbd",
    ),
    case(
        "a file renamed",
        |it| it.rename("zbd/soundsm.zbd", "zbd/sounds.zbd"),
        true,
        "mixed up",
        "zbd/sounds.zbd: renamed: the same bytes are sold as zbd/soundsm.zbd",
    ),
    case(
        "a file renamed",
        |it| it.rename("zbd/soundsm.zbd", "zbd/sounds.zbd"),
        false,
        "incomplete",
        "1 required file missing",
    ),
    case(
        "a folder one level too deep",
        |it| it.rename("zbd/m2", "zbd/zbd/m2"),
        false,
        "mixed up",
        "zbd/zbd/m2/anim.zbd: perhaps moved: the game has a file of this name as zbd/m2/anim.zbd",
    ),
    case("a file missing", |it| it.remove(WORLD), false, "incomplete", "1 required file missing"),
    case(
        "a mission missing",
        |it| fs::remove_dir_all(it.desk.path("rc/zbd/m3")).unwrap(),
        false,
        "incomplete",
        "8 required files missing",
    ),
    case("a file cut", |it| it.change(WORLD, |bytes| bytes.truncate(bytes.len() / 2)), false, "damaged", "file-cut"),
    case(
        "a copy interrupted",
        |it| {
            it.change("zbd/m5/zrdr.zbd", |bytes| bytes.truncate(100));
            fs::remove_dir_all(it.desk.path("rc/zbd/m6")).unwrap();
        },
        false,
        "damaged",
        "1 file is cut, 65 required files missing",
    ),
    case("a file empty", |it| it.write(WORLD, b""), false, "damaged", "the file is empty"),
    case(
        "a file padded to a sector",
        |it| it.change("zbd/zrdr.zbd", |bytes| bytes.resize(bytes.len().next_multiple_of(2048), 0)),
        true,
        "damaged",
        "extra-bytes",
    ),
    case(
        "half of a package zeros",
        |it| {
            it.change("zbd/m1/texture2.zbd", |bytes| {
                let half = bytes.len() / 2;
                bytes[half..].fill(0);
            })
        },
        false,
        "damaged",
        "damaged       rc/zbd/m1/texture2.zbd",
    ),
    case(
        "a sector of zeros in a world",
        |it| {
            it.change(WORLD, |bytes| {
                let from = (bytes.len() / 3).next_multiple_of(2048);
                bytes[from..from + 2048].fill(0);
            })
        },
        true,
        "differs",
        "zbd/m3/gamez.zbd: differs from own copy",
    ),
    case("a file of zeros", |it| it.change(WORLD, |bytes| bytes.fill(0)), false, "damaged", "zbd/m3/gamez.zbd"),
    case(
        "a transfer in text mode",
        |it| {
            it.change("zbd/image.zbd", |bytes| {
                *bytes = bytes
                    .iter()
                    .flat_map(|byte| if *byte == b'\n' { vec![b'\r', b'\n'] } else { vec![*byte] })
                    .collect();
            })
        },
        true,
        "damaged",
        "every LF has a CR before it, as after a transfer of text",
    ),
    case(
        "a conversion to UTF-8",
        |it| {
            it.change(WORLD, |bytes| {
                *bytes = bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes();
            })
        },
        false,
        "damaged",
        "the bytes are UTF-8, as after a conversion of text",
    ),
    case(
        "bytes lost in a conversion",
        |it| it.change(WORLD, |bytes| *bytes = String::from_utf8_lossy(bytes).into_owned().into_bytes()),
        false,
        "damaged",
        "zbd/m3/gamez.zbd",
    ),
    case(
        "a web page in place of a file",
        |it| it.write(WORLD, b"<!doctype html>\n<html><body>404</body></html>\n"),
        false,
        "damaged",
        "a web page is in place of the file",
    ),
    case(
        "one byte changed",
        |it| it.change("maps/m1.zmap", |bytes| bytes[40] ^= 1),
        true,
        "differs",
        "maps/m1.zmap: differs from own copy",
    ),
    case(
        "a file of another language",
        |it| {
            let german =
                forge::install(forge::INSTALL_SEED + 40).into_iter().find(|(path, _)| path == "rc/messages.dll");
            let (_, german) = german.unwrap();
            it.change("messages.dll", |bytes| *bytes = german);
            it.list(&row(&it.read("messages.dll"), "German", "messages.dll"));
        },
        true,
        "differs",
        "messages.dll: is that of German, unlike most files, which are of US 1998",
    ),
    case(
        "an altered program",
        |it| {
            it.write("recoil.exe", b"MZ another program");
            it.list(&row(b"MZ another program", "altered US 1998, to run without the disc", "recoil.exe"));
        },
        true,
        "differs",
        "recoil.exe: is known to be altered: US 1998, to run without the disc",
    ),
    case(
        "a world of the demo mixed in",
        |it| it.write(WORLD, &golden("rc-demo/zbd/m1/gamez.zbd")),
        false,
        "differs",
        "zbd/m3/gamez.zbd: is that of the demo",
    ),
    case(
        "a file of another game mixed in",
        |it| it.write("zbd/m1/gamez.zbd", &golden("mw/zbd/c1/gamez.zbd")),
        false,
        "incomplete",
        "zbd/m1/gamez.zbd: a file of MechWarrior 3 is in its place, so that its own bytes are missing",
    ),
    case(
        "a file zipped in its place",
        |it| it.write(WORLD, b"PK\x03\x04 and so on"),
        false,
        "damaged",
        "an archive or another container is in place of the file (it begins like a zip-archive)",
    ),
    case(
        "a run of FF in a sound",
        |it| it.change("zbd/soundsl.zbd", |bytes| bytes[25_000..33_192].fill(0xFF)),
        false,
        "doubtful",
        "suspect: sound1.wav:/chunks/1/samples: a long run of one byte in a sound (8192 bytes of FF from 0x61a8)",
    ),
    case(
        "`BADSECT!` in sounds",
        |it| it.change("zbd/soundsl.zbd", |bytes| bytes[25_000..33_192].copy_from_slice(&b"BADSECT!".repeat(1024))),
        false,
        "damaged",
        "(8192 bytes of \"BADSECT!\" from 0x61a8)",
    ),
    case(
        "one map copied over two others",
        |it| {
            it.write("maps/m2.zmap", &it.read("maps/m1.zmap"));
            it.write("maps/m3.zmap", &it.read("maps/m1.zmap"));
        },
        true,
        "mixed up",
        "2 files in the place of others",
    ),
];

/// Good copies, which are never said to be spoiled.
const GOOD: &[Case] = &[
    case(
        "a whole copy",
        |_| {},
        false,
        "complete",
        "complete, no damage found. A copy of 1999 that has lost its later missions looks the same",
    ),
    case("a whole copy", |_| {}, true, "good", "All 63 files are as in list.tsv"),
    case("names in capitals", |it| it.rename("zbd", "ZBD"), true, "good", "All 63 files are as in list.tsv"),
    case(
        "saved games of the player",
        |it| it.write("SavedGames/quick.sav", b"a game"),
        true,
        "good",
        "nothing is known of 1",
    ),
    case(
        "a larger texture of a modder",
        |it| it.write("zbd/m1/rtexture8.zbd", &it.read("zbd/m6/texture8.zbd")),
        true,
        "good",
        "zbd/m1/rtexture8.zbd: a copy of zbd/m6/texture8.zbd",
    ),
    case("the same in a `.zip`", Copy::zip, true, "good", "All 63 files are as in list.tsv"),
    case("the same in a `.tar`", |it| it.tar(false), true, "good", "All 63 files are as in list.tsv"),
    case("the same in a `.tar.gz`", |it| it.tar(true), true, "good", "All 63 files are as in list.tsv"),
    case("no films, which are on the disc", |_| {}, true, "good", "complete, no damage found"),
    case(
        "litter of the system",
        |it| it.write("Thumbs.db", b"litter"),
        true,
        "good",
        "All 63 files are as in list.tsv",
    ),
    case("a readme of the player", |it| it.write("notes.txt", b"good level"), true, "good", "1 unexpected file"),
    case(
        "a backup beside a file",
        |it| it.write("zbd/m1/gamez - copy.zbd", &it.read("zbd/m1/gamez.zbd")),
        true,
        "good",
        "zbd/m1/gamez - copy.zbd: a copy of zbd/m1/gamez.zbd",
    ),
    case(
        "a list of another folder",
        |it| {
            let list = fs::read_to_string(it.desk.path("list.tsv")).unwrap();
            it.desk.write(
                "list.tsv",
                list.replace("\tzbd", "\tgames/rc/zbd")
                    .replace("\tmaps", "\tgames/rc/maps")
                    .replace("\trecoil", "\tgames/rc/recoil")
                    .replace("\tmessages", "\tgames/rc/messages")
                    .as_bytes(),
            );
        },
        true,
        "good",
        "All 63 files are as in list.tsv",
    ),
    case(
        "a list of Windows",
        |it| sums(it, "sha256", |line| line.replace('/', "\\").replace("  ", " *") + "\r\n"),
        true,
        "good",
        "All 63 files are as in list.tsv",
    ),
    case(
        "a list in UTF-16",
        |it| {
            sums(it, "sha256", |line| line.to_owned() + "\r\n");
            let text = fs::read_to_string(it.desk.path("list.tsv")).unwrap();
            it.desk.write(
                "list.tsv",
                &[0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
            );
        },
        true,
        "good",
        "All 63 files are as in list.tsv",
    ),
    case(
        "a list of git",
        |it| sums(it, "git", |line| line.to_owned() + "\n"),
        true,
        "good",
        "All 63 files are as in list.tsv",
    ),
    case(
        "a snapshot as a list",
        |it| {
            let made = it.desk.run(&["snapshot", "rc", "-o", "list.tsv", "--force"]);
            if made.code != 0 {
                fs::remove_file(it.desk.path("list.tsv")).unwrap();
                assert_eq!(it.desk.run(&["snapshot", "rc", "-o", "list.tsv"]).code, 0, "{}", made.err);
            }
        },
        true,
        "good",
        "All 63 files are as in list.tsv",
    ),
    case(
        "a file of a row that the list lacks",
        |it| {
            let list = fs::read_to_string(it.desk.path("list.tsv")).unwrap();
            let rest: Vec<&str> = list.lines().filter(|line| !line.contains("zbd/m3/gamez.zbd")).collect();
            it.desk.write("list.tsv", (rest.join("\n") + "\n").as_bytes());
        },
        true,
        "good",
        "62 of 63 files are as in list.tsv; nothing is known of 1",
    ),
];

/// Replaces the list by one of these digests, whose lines are made by a function.
fn sums(it: &Copy, kind: &str, line: fn(&str) -> String) {
    let of = |bytes: &[u8]| match kind {
        "git" => bitexact::install::known::Digest::GitBlob.of(bytes, None),
        _ => bitexact::passes::Sha::of(bytes).to_string(),
    };
    let lines = WHOLE
        .iter()
        .map(|(path, bytes)| match of(bytes).strip_prefix("git:") {
            Some(id) => line(&format!("100644 blob {id}\t{path}")),
            None => line(&format!("{}  {path}", of(bytes))),
        })
        .collect::<String>();
    it.desk.write("list.tsv", lines.as_bytes());
}

/// Returns the rows of the table in the guide, and what does not hold.
fn tried(cases: &[Case], are_good: bool) -> (String, Vec<String>) {
    let (mut rows, mut wrong) = (String::new(), Vec::new());
    for it in cases {
        let copy = Copy::new();
        (it.spoil)(&copy);
        let mut args = vec!["verify", copy.path.get()];
        if it.has_list {
            args.extend(["--known", "list.tsv"]);
        }
        let said = copy.desk.run(&args);
        let sentence = said.out.lines().find(|line| line.contains(": Recoil, ")).unwrap_or("no sentence");
        let word = sentence.split("  ").next().unwrap_or_default();
        let is_fine = matches!(word, "good" | "complete");
        if word != it.verdict || is_fine != are_good || !said.out.contains(it.said) {
            let (what, verdict, expected) = (it.what, it.verdict, it.said);
            wrong.push(format!("{what}: {word}, expected {verdict} and {expected:?}:\n{}\n{}", said.out, said.err));
        }
        let list = if it.has_list { "yes" } else { "" };
        writeln!(rows, "| {} | {list} | `{word}` | {} |", it.what, it.said).unwrap();
    }
    (rows, wrong)
}

#[test]
fn spoiled_copies_are_named_rightly_and_good_ones_never() {
    let (spoiled, mut wrong) = tried(SPOILED, false);
    let (good, wrong_of_good) = tried(GOOD, true);
    wrong.extend(wrong_of_good);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), SPOILED.len() + GOOD.len(), wrong.join("\n"));
    assert!(SPOILED.len() >= 30 && GOOD.len() >= 15);
    let guide = fs::read_to_string(harness::root().join("src/guide/verify.md")).unwrap();
    let rows = spoiled + &good;
    assert!(guide.contains(&rows), "the table of the guide is:\n{rows}");
}

/// Returns a file of the sample install.
fn golden(path: &str) -> Vec<u8> {
    fs::read(harness::golden_install().join(path)).unwrap()
}
