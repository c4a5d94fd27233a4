//! Unpacked files and installs in a `.zip`.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};

use forge::reader::{self, list};
use zip::write::{FileOptions, SimpleFileOptions};
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::{Desk, archive, data, entry, readers};
use forge::archive::{Content, Spec, build};

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

/// Returns an archive with the text of one file edited.
pub(super) fn edited(bytes: &[u8], name: &str, edit: impl Fn(String) -> String) -> Vec<u8> {
    let mut inside = files(bytes);
    let file = inside.get_mut(name).unwrap();
    *file = edit(String::from_utf8(file.clone()).unwrap()).into_bytes();
    zipped(inside.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())))
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
fn zip_of_powershell_is_packed() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let inside = unpacked(&desk);
    // PowerShell 5 writes `\` between the parts of a path.
    let names: Vec<(String, &[u8])> =
        inside.iter().map(|(name, bytes)| (format!("edited/{name}").replace('/', "\\"), bytes.as_slice())).collect();
    desk.write("made.zip", &zipped(names.iter().map(|(name, bytes)| (name.as_str(), *bytes))));
    desk.ok(&["pack", "made.zip", "new.zbd"]);
    assert!(desk.read("new.zbd") == archive());
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
        ("a\\..\\..\\b", "expected a path inside the archive"),
        ("\\etc\\passwd", "expected a path inside the archive"),
        ("c:b", "expected a path inside the archive"),
        ("Weapons.zrd.json", "differ only in case"),
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
    assert!(said.code == 2 && said.err.contains("found weapons.zrd.json twice; delete one"), "{}", said.err);
    // One name in two forms, which macOS takes for the same.
    desk.write("bad.zip", &zipped(plain().chain([("caf\u{E9}~", &b""[..]), ("cafe\u{301}~", &b""[..])])));
    let said = desk.run(&["pack", "bad.zip", "new.zbd"]);
    assert!(said.code == 2 && said.err.contains("differ only in case or form"), "{}", said.err);
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
         left out: 1 file not supported; -v lists all\n"
    );
    let said = desk.ok(&["pack", "game.zip", "game"]);
    assert_eq!(said.err, "game: no changes, no file written\n");
    let mut inside = files(&desk.read("game.zip"));
    let weapons = inside.get_mut("zbd/reader.zbd/weapons.zrd.json").unwrap();
    *weapons = String::from_utf8(weapons.clone()).unwrap().replace("5.0", "7.5").into_bytes();
    desk.write("game.zip", &zipped(inside.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))));
    let said = desk.ok(&["pack", "game.zip", "game"]);
    assert!(said.err.contains("game: replaced 1 file; "), "{}", said.err);
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

/// What a member of an archive is, but for where it is: its name, compressed bytes, checksum, time, mode, comment and extra fields.
type Member = (String, Vec<u8>, u32, Option<DateTime>, Option<u32>, String, Option<Vec<u8>>);

fn members(bytes: &[u8]) -> Vec<Member> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = archive.len();
    let member = |index| {
        let mut file = archive.by_index_raw(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        let name = file.name().unwrap().into_owned();
        let comment = file.comment().to_owned();
        (name, bytes, file.crc32(), file.last_modified(), file.unix_mode(), comment, file.extra_data())
    };
    (0..count).map(member).collect()
}

/// Returns the archive of an unpacked install as its user has made it again, with a repository, notes and a comment.
fn as_made_by_the_user(unpacked: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.set_comment("my archive").unwrap();
    let plain =
        SimpleFileOptions::default().last_modified_time(DateTime::from_date_and_time(1999, 5, 5, 1, 2, 4).unwrap());
    zip.add_directory("mine/.git/refs", plain).unwrap();
    for (name, bytes) in unpacked.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).chain([
        (".git/HEAD", &b"history"[..]),
        ("zbd/reader.zbd/notes.txt~", b"mine"),
        ("readme.md", b"mine"),
    ]) {
        let mut options = FileOptions::<zip::write::ExtendedFileOptions>::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .unix_permissions(0o755)
            .with_file_comment("of the user");
        options.add_extra_field(0x6666, &b"extra"[..], true).unwrap();
        zip.start_file(format!("mine/{name}"), options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn zip_of_the_user_is_rewritten_only_for_a_change_and_keeps_its_members() {
    let desk = Desk::of(&[("game/zbd/reader.zbd", &archive())]);
    desk.ok(&["unpack", "-q", "game", "game.zip"]);
    let mut inside = files(&desk.read("game.zip"));
    desk.write("game.zip", &as_made_by_the_user(&inside));
    let before = desk.read("game.zip");
    let said = desk.ok(&["pack", "game.zip", "game"]);
    let err = said.err.replace('\\', "/");
    assert_eq!(
        err,
        "ignored: game.zip/mine/.git/HEAD, game.zip/mine/zbd/reader.zbd/notes.txt~\n\
         not in bitexact-install.json, so not packed: readme.md; `bitexact pack FOLDER FILE` makes a new file of an \
         unpacked folder\n\
         game: no changes, no file written\n"
    );
    assert!(desk.read("game.zip") == before, "it is not rewritten");
    let weapons = inside.get_mut("zbd/reader.zbd/weapons.zrd.json").unwrap();
    *weapons = String::from_utf8(weapons.clone()).unwrap().replace("5.0", "7.5").into_bytes();
    let edited = as_made_by_the_user(&inside);
    desk.write("game.zip", &edited);
    desk.ok(&["pack", "game.zip", "game"]);
    assert!(desk.read("game/zbd/reader.zbd") == build(&readers(7.5)));
    let after = desk.read("game.zip");
    let others = |bytes: &[u8]| -> Vec<Member> {
        members(bytes).into_iter().filter(|it| it.0 != "mine/bitexact-install.json").collect()
    };
    assert_eq!(others(&after), others(&edited));
    assert_eq!(members(&after).len(), members(&edited).len());
    assert_eq!(ZipArchive::new(Cursor::new(after)).unwrap().comment(), b"my archive");
    assert_eq!(desk.ok(&["pack", "game.zip", "game", "-q"]).err, "");
}

#[test]
fn force_replaces_what_unpack_wrote_in_a_zip_and_keeps_the_rest() {
    let mut fewer = readers(5.0);
    fewer.entries.truncate(2);
    let desk = Desk::of(&[("old.zbd", &archive()), ("new.zbd", &build(&fewer)), ("game/a.zbd", &archive())]);
    for (call, name) in
        [(["unpack", "new.zbd", "all.zip", "--force"], "old.zbd"), (["unpack", "game", "all.zip", "--force"], "game")]
    {
        desk.ok(&["unpack", "-q", name, "all.zip"]);
        desk.write("all.zip", &as_made_by_the_user(&files(&desk.read("all.zip"))));
        let said = desk.ok(&call);
        let expected = "kept: mine/.git/HEAD, mine/zbd/reader.zbd/notes.txt~, mine/readme.md\n";
        assert!(said.err.contains(expected), "{}", said.err);
        let inside = files(&desk.read("all.zip"));
        assert_eq!(inside["mine/.git/HEAD"], b"history");
        assert!(
            inside.contains_key("mine/.git/refs/") && !inside.contains_key("mine/hud.zrd.json"),
            "{:?}",
            inside.keys()
        );
        assert_eq!(ZipArchive::new(Cursor::new(desk.read("all.zip"))).unwrap().comment(), b"my archive");
        std::fs::remove_file(desk.path("all.zip")).unwrap();
    }
    // A file of the user where a new one belongs.
    desk.ok(&["unpack", "-q", "new.zbd", "all.zip"]);
    let mut inside = files(&desk.read("all.zip"));
    inside.insert("hud.zrd.json".to_owned(), b"mine".to_vec());
    desk.write("all.zip", &zipped(inside.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))));
    let before = desk.read("all.zip");
    let said = desk.run(&["unpack", "old.zbd", "all.zip", "--force"]);
    assert!(said.code == 2 && said.err.contains("hud.zrd.json: was not written by the earlier unpack"), "{}", said.err);
    assert!(desk.read("all.zip") == before);
}

/// Returns the position of the only occurrence of some bytes, counted from the end of a file.
fn last(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).rposition(|it| it == wanted).unwrap()
}

#[test]
fn zip_is_read_as_it_is_or_refused_with_the_reason() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let inside = unpacked(&desk);
    let plain = || inside.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    let whole = zipped(plain());
    let comment = |mut bytes: Vec<u8>, text: &[u8]| {
        let size = bytes.len();
        bytes[size - 2..].copy_from_slice(&u16::try_from(text.len()).unwrap().to_le_bytes());
        bytes.extend(text);
        bytes
    };
    let twice =
        replaced(&zipped(plain().chain([("wEapons.zrd.json", &b"{}"[..])])), b"wEapons.zrd.json", b"weapons.zrd.json");
    let folder = replaced(&zipped(plain().chain([("sub+", &b"hello folder"[..])])), b"sub+", b"sub/");
    let named = |header: &str, central_only: bool| {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in plain() {
            let mut options = FileOptions::<zip::write::ExtendedFileOptions>::default();
            if name == "hud.zrd.json" {
                // Info-ZIP: the version, the checksum of the name, and the name in Unicode.
                let field = [&[1][..], &crc32fast::hash(header.as_bytes()).to_le_bytes(), b"hud.zrd.json"].concat();
                options.add_extra_field(0x7075, field, central_only).unwrap();
            }
            let name = if name == "hud.zrd.json" { header } else { name };
            zip.start_file(name, options).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    };
    let sixty_four = {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in plain() {
            zip.start_file(name, SimpleFileOptions::default().large_file(true)).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    };
    let hidden = {
        // The list of the archive without one of its files.
        let mut bytes = zipped(plain().chain([("x", &b"hidden"[..])]));
        let (at, end) = (last(&bytes, b"PK\x01\x02"), last(&bytes, b"PK\x05\x06"));
        let size = u32::try_from(end - at).unwrap();
        bytes.drain(at..end);
        let end = last(&bytes, b"PK\x05\x06");
        for count in [end + 8, end + 10] {
            bytes[count] -= 1;
        }
        let listed = u32::from_le_bytes(bytes[end + 12..end + 16].try_into().unwrap()) - size;
        bytes[end + 12..end + 16].copy_from_slice(&listed.to_le_bytes());
        bytes
    };
    for (what, bytes, refused) in [
        ("a comment", comment(whole.clone(), b"hello"), None),
        (
            "the end of an archive in a comment",
            comment(whole.clone(), b"PK\x05\x06 and more than twenty-two bytes"),
            None,
        ),
        ("large sizes", sixty_four, None),
        ("a name in Unicode", named("hud.zrd.json", false), None),
        ("a name twice and a comment", comment(twice.clone(), b"hello"), Some("expected each name once")),
        ("a name twice and junk", [&twice[..], b"junk"].concat(), Some("expected each name once")),
        ("junk", [&whole[..], b"junk"].concat(), Some("expected nothing after the end of the archive")),
        (
            "a program before it",
            [b"MZ", &whole[..]].concat(),
            Some("expected the archive at the beginning, found 2 other bytes"),
        ),
        ("a folder with data", folder, Some("sub/: expected a folder, found one with 12 bytes")),
        ("another name in Unicode", named("mine.json", false), Some("UnicodePath")),
        ("a name for some programs only", named("mine.json", true), Some("UnicodePath")),
        ("a file that the list lacks", hidden, Some("missing from central directory")),
    ] {
        desk.write("odd.zip", &bytes);
        let said = desk.run(&["pack", "odd.zip", "new.zbd", "--force"]);
        match refused {
            None => assert!(said.code == 0 && desk.read("new.zbd") == archive(), "{what}: {}", said.err),
            Some(why) => assert!(said.code == 2 && said.err.contains(why), "{what}: {}", said.err),
        }
    }
}

#[test]
fn archives_of_info_zip_are_read() {
    if std::process::Command::new("zip").arg("-v").output().is_err() {
        eprintln!("skipped: there is no program zip");
        return;
    }
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "-q", "reader.zbd", "form"]);
    for line in [
        "zip -qr a.zip form",
        "cd form && zip -qr ../a.zip .",
        "cd form && zip -qr - . | cat > ../a.zip",
        "zip -qr -fz a.zip form",
    ] {
        let done = std::process::Command::new("sh").current_dir(desk.path("")).args(["-c", line]).status().unwrap();
        assert!(done.success(), "{line}");
        desk.ok(&["pack", "-q", "a.zip", "new.zbd", "--force"]);
        assert!(desk.read("new.zbd") == archive(), "{line}");
        std::fs::remove_file(desk.path("a.zip")).unwrap();
    }
}

/// More files than the small counts of an archive can state.
#[test]
fn zip_of_many_files_packs() {
    let one = data(list([reader::Value::Int(7)]));
    let entries = (0..65_600).map(|nth| entry(format!("n{nth}.zrd").as_bytes(), one.clone())).collect();
    let many = build(&Spec::new(2, Content::Readers, entries));
    let desk = Desk::of(&[("reader.zbd", &many)]);
    desk.ok(&["unpack", "reader.zbd", "many.zip"]);
    let said = desk.ok(&["pack", "many.zip", "new.zbd"]);
    assert!(said.err.starts_with("new.zbd: identical to the original"), "{}", said.err);
    assert!(desk.read("new.zbd") == many);
}
