//! Unpacked files and installs in a `.zip`.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{Desk, archive, readers};
use forge::archive::build;

/// Returns the files of an archive, as another program reads them.
fn files(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut files = BTreeMap::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        files.insert(file.name().unwrap().into_owned(), bytes);
    }
    files
}

/// Returns an archive of files, as another program makes it.
fn zipped<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name, SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Returns the files of an unpacked reader archive.
fn unpacked(desk: &Desk) -> BTreeMap<String, Vec<u8>> {
    desk.ok(&["unpack", "reader.zbd", "all.zip", "-q"]);
    files(&desk.read("all.zip"))
}

#[test]
fn zip_holds_the_files_of_the_folder_and_packs_to_the_same_bytes() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "form"]);
    let said = desk.ok(&["unpack", "reader.zbd", "form.ZIP"]);
    assert!(said.err.starts_with("form.ZIP: wrote 4 files; packing reproduces the original, SHA-256 "), "{}", said.err);
    let inside = files(&desk.read("form.ZIP"));
    let is_file = |path: &&String| desk.path("form").join(path).is_file();
    assert!(inside.keys().filter(is_file).count() == inside.len(), "{:?}", inside.keys());
    assert!(inside.iter().all(|(path, bytes)| desk.read(&format!("form/{path}")) == *bytes));
    // The bytes depend on nothing else.
    desk.ok(&["unpack", "reader.zbd", "again.zip"]);
    assert!(desk.read("again.zip") == desk.read("form.ZIP"));
    let said = desk.ok(&["pack", "form.ZIP", "new.zbd"]);
    assert!(said.err.starts_with("new.zbd: identical to the original"), "{}", said.err);
    assert!(desk.read("new.zbd") == archive());
    // A default name.
    desk.ok(&["unpack", "reader.zbd", "reader.zbd.unpacked.zip"]);
    desk.ok(&["pack", "reader.zbd.unpacked.zip", "--force"]);
    assert!(desk.read("reader.zbd") == archive());
}

#[test]
fn edited_zip_packs_and_errors_name_its_file() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let mut inside = unpacked(&desk);
    let pack = |inside: &BTreeMap<String, Vec<u8>>, outer: &str| {
        let named: Vec<(String, &[u8])> =
            inside.iter().map(|(name, bytes)| (format!("{outer}{name}"), bytes.as_slice())).collect();
        desk.write("edited.zip", &zipped(named.iter().map(|(name, bytes)| (name.as_str(), *bytes))));
        desk.run(&["pack", "edited.zip", "new.zbd", "--force"])
    };
    let weapons = inside.get_mut("weapons.zrd.json").unwrap();
    *weapons = String::from_utf8(weapons.clone()).unwrap().replace("5.0", "7.5").into_bytes();
    inside.insert("Thumbs.db".to_owned(), b"litter".to_vec());
    // Explorer puts the folder into the archive, and Finder its own files.
    for outer in ["", "edited/"] {
        let said = pack(&inside, outer);
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(said.err.contains("Thumbs.db") && said.err.contains("new.zbd: edited"), "{}", said.err);
        assert!(desk.read("new.zbd") == build(&readers(7.5)));
    }
    inside.insert("weapons.zrd.json".to_owned(), b"[[\"LASER\", oops]]".to_vec());
    let said = pack(&inside, "");
    let err = said.err.replace('\\', "/");
    assert!(said.code == 2 && err.contains("bitexact: edited.zip/weapons.zrd.json:1:12: "), "{err}");
}

#[test]
fn hostile_zip_is_refused() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let inside = unpacked(&desk);
    let plain = || inside.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    for (name, expected) in [
        ("../outside.json", "../outside.json: expected a path inside the archive"),
        ("/etc/passwd", "/etc/passwd: expected a path inside the archive"),
        ("a/../../b", "expected a path inside the archive"),
        ("a\\b", "expected a path inside the archive"),
        ("c:b", "expected a path inside the archive"),
        ("Weapons.zrd.json", "differ only in case"),
        ("forgotten.json", "forgotten.json"),
    ] {
        desk.write("bad.zip", &zipped(plain().chain([(name, &b"{}"[..])])));
        let said = desk.run(&["pack", "bad.zip", "new.zbd"]);
        assert_eq!(said.code, 2, "{name}: {}", said.err);
        assert!(said.err.contains(expected), "{name}: {}", said.err);
        assert!(!desk.path("new.zbd").exists());
    }
    // The same name twice: the writer refuses that, so a name is changed afterwards.
    let twice = zipped(plain().chain([("wEapons.zrd.json", &b"{}"[..])]));
    desk.write("bad.zip", &replaced(&twice, b"wEapons.zrd.json", b"weapons.zrd.json"));
    let said = desk.run(&["pack", "bad.zip", "new.zbd"]);
    assert!(said.code == 2 && said.err.contains("expected each name once"), "{}", said.err);
    // A link.
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("bitexact.json", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    desk.write("bad.zip", &zip.finish().unwrap().into_inner());
    let said = desk.run(&["pack", "bad.zip", "new.zbd"]);
    assert!(said.code == 2 && said.err.contains("found a link"), "{}", said.err);
    // Neither a cut archive nor a text is one.
    let whole = zipped(plain());
    for bad in [&whole[..whole.len() - 30], b"not a zip", b""] {
        desk.write("bad.zip", bad);
        let said = desk.run(&["pack", "bad.zip", "new.zbd"]);
        assert!(said.code == 2 && said.err.starts_with("bitexact: bad.zip: "), "{}", said.err);
    }
}

/// Replaces bytes wherever they occur.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for at in 0..=bytes.len() - from.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + from.len()].copy_from_slice(to);
        }
    }
    bytes
}

#[test]
fn zip_bomb_takes_no_more_memory_than_allowed() {
    let desk = Desk::of(&[]);
    let zeros = vec![0; 96 << 20];
    desk.write("bomb.zip", &zipped([("bitexact.json", zeros.as_slice())]));
    assert!(desk.read("bomb.zip").len() < 1 << 20);
    let said = desk.run(&["pack", "bomb.zip", "new.zbd", "--memory", "64MiB"]);
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("bitexact.json") && said.err.contains("memory"), "{}", said.err);
}

#[test]
fn nothing_of_the_user_is_replaced_by_a_zip() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let own = zipped([("holiday.jpg", &b"mine"[..])]);
    for (bytes, force) in [(own.as_slice(), false), (own.as_slice(), true), (b"mine", true)] {
        desk.write("mine.zip", bytes);
        let args: &[&str] = &["unpack", "reader.zbd", "mine.zip", "--force"];
        let said = desk.run(if force { args } else { &args[..3] });
        assert!(said.code == 2 && said.err.contains("already exists"), "{}", said.err);
        assert!(desk.read("mine.zip") == bytes);
    }
    unpacked(&desk);
    let said = desk.run(&["unpack", "reader.zbd", "all.zip"]);
    assert!(said.code == 2 && said.err.contains("use --force to replace it"), "{}", said.err);
    desk.ok(&["unpack", "reader.zbd", "all.zip", "--force"]);
    // An unpack that fails leaves none.
    desk.write("broken.zbd", &archive()[..90]);
    assert_eq!(desk.run(&["unpack", "broken.zbd", "broken.zip"]).code, 2);
    let said = desk.run(&["unpack", "reader.zbd", "nowhere/x.zip"]);
    assert!(said.code == 2 && said.err.contains("folder nowhere does not exist"), "{}", said.err);
    assert_eq!(desk.all(""), ["all.zip", "broken.zbd", "mine.zip", "reader.zbd"]);
}

#[test]
fn whole_install_goes_through_a_zip() {
    let desk = Desk::of(&[("game/zbd/reader.zbd", &archive()), ("game/a.zbd", &archive()), ("game/x.txt", b"text")]);
    let said = desk.ok(&["unpack", "game", "game.zip"]);
    assert_eq!(
        said.err,
        "game.zip: unpacked 2 files; packing reproduces each of them\n\
         left out: 1 file, not supported or not decoded; -v lists them\n"
    );
    let said = desk.ok(&["pack", "game.zip", "game"]);
    assert_eq!(said.err, "game: no changes, no file written\n");
    let mut inside = files(&desk.read("game.zip"));
    let weapons = inside.get_mut("zbd/reader.zbd/weapons.zrd.json").unwrap();
    *weapons = String::from_utf8(weapons.clone()).unwrap().replace("5.0", "7.5").into_bytes();
    desk.write("game.zip", &zipped(inside.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))));
    let said = desk.ok(&["pack", "game.zip", "game"]);
    assert!(said.err.ends_with("game: replaced 1 file\n"), "{}", said.err);
    assert!(desk.read("game/zbd/reader.zbd") == build(&readers(7.5)) && desk.read("game/a.zbd") == archive());
    // The list in the archive is that of the new files, and everything else in it is the same.
    let said = desk.ok(&["pack", "game.zip", "game"]);
    assert_eq!(said.err, "game: no changes, no file written\n");
    let now = files(&desk.read("game.zip"));
    let differ: Vec<_> =
        now.iter().filter(|(name, bytes)| inside.get(*name) != Some(bytes)).map(|it| it.0.as_str()).collect();
    assert_eq!((differ, now.len()), (vec!["bitexact-install.json"], inside.len()));
    let said = desk.run(&["unpack", "game", "game.zip"]);
    assert!(said.code == 2 && said.err.contains("use --force"), "{}", said.err);
    desk.ok(&["unpack", "game", "game.zip", "--force"]);
    assert_eq!(desk.run(&["unpack", "game", "game.zip", "--only", "*.zrd"]).code, 2);
}
