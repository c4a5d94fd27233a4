//! Known files: as sold, known to differ, unknown.

use std::fs;

use super::{Desk, texts};
use crate::harness::sample;

#[test]
fn forged_install_differs_from_every_edition_where_all_are_the_same() {
    let desk = Desk::golden("mw");
    let install = desk.install(&["mw"]);
    // Three of the four files that all editions share.
    assert_eq!(texts(&install["differ"], "path"), ["zbd/mechlib.zbd", "zbd/motion.zbd", "zbd/rmechtexs.zbd"]);
    let files = install["files"].as_u64().unwrap();
    assert_eq!((&install["as_sold"], &install["unknown"]), (&0.into(), &(files - 3).into()));
    let said = desk.run(&["verify", "mw"]);
    assert!(said.out.contains(" required files missing, 3 differ, no damage found. "), "{}", said.out);
    assert!(said.out.contains("mw: zbd/mechlib.zbd: differs from all compared editions\n"), "{}", said.out);
    let strict = desk.run(&["verify", "--strict", "--junit", "cases.xml", "mw"]);
    assert_eq!((said.code, strict.code), (0, 1), "as the guide promises");
    let cases = fs::read_to_string(desk.path("cases.xml")).unwrap();
    assert_eq!(cases.matches("message=\"differs from all compared editions\"").count(), 3, "{cases}");
}

/// Source: `zipper-installs.md`, section 7, and the list of other identities.
#[test]
fn altered_files_and_those_that_were_never_sold_are_not_as_sold() {
    let table = bitexact::install::zipper::KnownFiles::table();
    let of =
        |path: &str| table.files().iter().filter(move |file| file.path.eq_ignore_ascii_case(path)).collect::<Vec<_>>();
    for (path, not_sold, all) in [("mech3.exe", 2, 3), ("mech3fixup.exe", 2, 2), ("zbd/soundsH.zbd", 1, 2)] {
        let files = of(path);
        assert_eq!(files.iter().filter(|file| file.is_altered()).count(), not_sold, "{path}");
        assert_eq!(files.len(), all, "{path}");
    }
    assert!(of("zbd/interp.zbd").iter().any(|file| file.edition == "US, before 1.2" && !file.is_altered()));
    assert!(table.files().iter().all(|file| !file.edition.contains("Gold")));
}

#[test]
fn recognized_install_is_never_silent() {
    let unknown = "No file has a known hash, so nothing can be said about whether it is as sold.";
    let other = "Hashes are known only of the edition US, before 1.2, so most of its files cannot be compared.";
    let none = "No hashes of this game are known, so nothing can be said about whether it is as sold.";
    let free = "No file has a known hash, so nothing can be said about whether it is as distributed.";
    for (game, words) in
        [("rc", unknown), ("mw", other), ("pm", unknown), ("cs", unknown), ("nwn", none), ("m1", free), ("m2", free)]
    {
        let said = Desk::golden(game).run(&["verify", game]);
        let line = said.out.lines().find(|line| line.contains(&format!(" {game}: "))).expect(game);
        assert!(line.contains(words), "{line}");
    }
}

/// Lists of two files of the sample install, one of them with other bytes.
fn lists(desk: &Desk) -> Vec<(&'static str, String)> {
    let bytes = fs::read(desk.path("pm/zbd/reader.zbd")).unwrap();
    let other = sample("m1.zmap");
    let both = [("zbd/reader.zbd", &bytes), ("zbd/interp.zbd", &other)];
    let line = |digest: fn(&[u8]) -> String| {
        both.iter().map(|(path, bytes)| format!("{}  {path}\n", digest(bytes))).collect::<String>()
    };
    let sha256 = |bytes: &[u8]| bitexact::passes::Sha::of(bytes).to_string();
    let crc = |bytes: &[u8]| format!("{:08x}", crc32(bytes));
    let rom = |(path, bytes): &(&str, &Vec<u8>)| {
        format!("<rom name=\"{path}\" size=\"{}\" crc=\"{:08X}\"/>", bytes.len(), crc32(bytes))
    };
    let roms: String = both.iter().map(rom).collect();
    vec![
        ("sums", line(sha256)),
        ("crcs", line(crc)),
        ("list.dat", format!("<?xml version=\"1.0\"?>\n<datafile><game name=\"German\">{roms}</game></datafile>\n")),
    ]
}

/// The CRC-32 of zip files, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}

#[test]
fn list_of_a_user_is_used_in_every_format() {
    let desk = Desk::golden("pm");
    for (name, text) in lists(&desk) {
        desk.write(name, text.as_bytes());
        let install = desk.install(&["--known", name, "pm"]);
        assert_eq!(
            (&install["as_listed"], texts(&install["differ"], "path")),
            (&1.into(), vec!["zbd/interp.zbd"]),
            "{name}"
        );
        assert_eq!(texts(&install["differ"], "why"), [format!("differs from {name}")]);
        let (code, rows) = desk.rows(&["--strict", "--known", name, "pm"]);
        let sold: Vec<_> = rows.iter().filter(|row| row["pristine"] == true).map(|row| row["path"].clone()).collect();
        assert_eq!((code, sold), (1, vec!["pm/zbd/reader.zbd".into()]));
    }
    desk.write("bad", b"# list\nhello\n");
    let said = desk.run(&["verify", "--known", "bad", "pm"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("bad: line 2: expected a digest and a path"), "{}", said.err);
}

#[test]
fn table_of_one_user_is_used_by_another() {
    let desk = Desk::golden("pm");
    let edition = ["--edition", "German 1.0", "--source", "A. Player, disc of 1999"];
    let said = desk.run(&[&["snapshot", "--known", "pm", "-o", "mine.tsv"], &edition[..]].concat());
    assert_eq!((said.code, said.out.as_str()), (0, ""), "{}", said.err);
    let table = fs::read_to_string(desk.path("mine.tsv")).unwrap();
    let first = table.lines().next().unwrap();
    assert!(first.ends_with("\tpm\tGerman 1.0\tmech3msg.dll\tA. Player, disc of 1999"), "{first}");
    let install = desk.install(&["--known", "mine.tsv", "pm"]);
    let (rows, unexpected) = (table.lines().count(), install["unlisted"].as_array().unwrap().len());
    assert_eq!((&install["as_listed"], &install["unknown"]), (&rows.into(), &unexpected.into()));
    assert_eq!(install["as_sold"], 0, "only the own list says so");
    assert_eq!(install["edition"], "German 1.0");
    assert_eq!(install["evidence"], format!("{rows} files of the given list"));
    desk.run(&["snapshot", "--known", "pm", "-o", "unnamed.tsv"]);
    let install = desk.install(&["--known", "unnamed.tsv", "pm"]);
    assert_eq!((&install["as_listed"], &install["edition"]), (&rows.into(), &"".into()), "no edition is named so");
    let mut bytes = fs::read(desk.path("pm/zbd/motion.zbd")).unwrap();
    bytes[20] ^= 1;
    desk.write("pm/zbd/motion.zbd", &bytes);
    assert_eq!(texts(&desk.install(&["--known", "mine.tsv", "pm"])["differ"], "path"), ["zbd/motion.zbd"]);
    let said = desk.run(&["snapshot", "--known", "pm/zbd"]);
    assert!(said.code == 2 && said.err.contains("name the folder that contains its folder zbd"), "{}", said.err);
}

/// Source: `nwn-installs.md`, section 1.
#[test]
fn files_that_the_spec_does_not_name_are_unexpected_in_neverwinter_nights() {
    let desk = Desk::golden("nwn");
    let cases = |path: &str| -> bool {
        desk.write(&format!("nwn/{path}"), b"some words that no kind begins with");
        desk.run(&["verify", "--strict", "--junit", "cases.xml", "nwn"]);
        let cases = fs::read_to_string(desk.path("cases.xml")).unwrap();
        let case = cases.split("<testcase ").find(|it| it.starts_with(&format!("name=\"nwn/{path}\""))).unwrap();
        fs::remove_file(desk.path(&format!("nwn/{path}"))).unwrap();
        assert!(case.contains("<failure ") != case.contains("<skipped"), "{case}");
        case.contains("<failure ")
    };
    for (path, is_finding) in [
        ("junk.xyz", true),
        ("data/junk.xyz", true),
        ("data/junk.bif", true),
        ("music/junk.xyz", true),
        ("readme.txt", false),
        ("nwn.ini", false),
    ] {
        assert_eq!(cases(path), is_finding, "{path}");
    }
}

/// Source: `nwn-installs.md`, sections 1 and 3.
#[test]
fn list_of_neverwinter_nights_has_the_files_that_are_not_the_players() {
    let desk = Desk::golden("nwn");
    let said = desk.run(&["snapshot", "--known", "--edition", "Gold 1.69", "nwn", "-o", "mine.tsv"]);
    assert_eq!((said.code, said.out.as_str()), (0, ""), "{}", said.err);
    let table = fs::read_to_string(desk.path("mine.tsv")).unwrap();
    let paths: Vec<&str> = table.lines().map(|line| line.split('\t').nth(3).unwrap()).collect();
    assert_eq!(paths, ["chitin.key", "data/2da.bif", "dialog.tlk", "xp1.key"]);

    let none = desk.install(&["nwn"]);
    assert_eq!((&none["as_sold"], &none["unknown"]), (&0.into(), &none["files"]));
    let install = desk.install(&["--known", "mine.tsv", "nwn"]);
    let unknown = install["files"].as_u64().unwrap() - 4;
    assert_eq!((&install["as_listed"], &install["unknown"]), (&4.into(), &unknown.into()));
    let said = desk.run(&["verify", "--known", "mine.tsv", "--html", "page.html", "nwn"]);
    let counts = format!("4 of {} files are as in mine.tsv; nothing is known of {unknown}.", unknown + 4);
    assert!(said.out.contains(&counts), "{}", said.out);
    assert!(said.out.contains(", Gold 1.69 by the given list: "), "{}", said.out);
    assert!(fs::read_to_string(desk.path("page.html")).unwrap().contains(&counts));

    let mut bytes = fs::read(desk.path("nwn/dialog.tlk")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    desk.write("nwn/dialog.tlk", &bytes);
    let install = desk.install(&["--known", "mine.tsv", "nwn"]);
    assert_eq!(
        (texts(&install["differ"], "path"), texts(&install["differ"], "why")),
        (vec!["dialog.tlk"], vec!["differs from own copy"])
    );
    let said = desk.run(&["verify", "--known", "mine.tsv", "nwn"]);
    assert!(said.out.contains("nwn: dialog.tlk: differs from own copy\n"), "{}", said.out);
    assert!(said.out.contains("1 file known to differ"), "{}", said.out);
}

#[test]
fn bif_that_is_not_as_long_as_its_key_says_is_a_finding() {
    let desk = Desk::golden("nwn");
    let folder = desk.path("nwn");
    for it in fs::read_dir(&folder).unwrap().map(|it| it.unwrap()) {
        match it.file_name().to_str().unwrap() {
            "chitin.key" | "data" => {}
            _ if it.path().is_dir() => fs::remove_dir_all(it.path()).unwrap(),
            _ => fs::remove_file(it.path()).unwrap(),
        }
    }
    let found = fs::metadata(desk.path("nwn/data/2da.bif")).unwrap().len();
    let said = desk.run(&["verify", "--strict", "--junit", "cases.xml", "nwn"]);
    let why = format!("expected 2,115,713 bytes, as in its KEY, found {},{:03}", found / 1000, found % 1000);
    assert!(said.out.contains(&format!("nwn: data/2da.bif: {why}\n")), "{}", said.out);
    assert!(said.out.contains("1 BIF of a different size than in its KEY"), "{}", said.out);
    let cases = fs::read_to_string(desk.path("cases.xml")).unwrap();
    assert_eq!((said.code, cases.matches(&format!("message=\"{why}\"")).count()), (1, 1), "{cases}");
}

#[test]
fn page_of_an_install_certifies_it() {
    let desk = Desk::golden("mw");
    assert_eq!(desk.run(&["verify", "-q", "--html", "page.html", "mw"]).code, 0);
    let page = fs::read_to_string(desk.path("page.html")).unwrap();
    for words in [
        "MechWarrior 3, patched to 1.2",
        "Evidence of the edition: zbd/",
        "as sold, ",
        "differs from all compared editions",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<script"));
    desk.run(&["verify", "-q", "--html", "again.html", "mw"]);
    assert_eq!(page, fs::read_to_string(desk.path("again.html")).unwrap(), "it does not depend on the clock");
}
