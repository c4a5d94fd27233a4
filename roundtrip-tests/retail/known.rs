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
    assert!(
        said.out.contains(&format!("mw: 0 of {files} files as sold, 3 known to differ, {} unknown\n", files - 3)),
        "{}",
        said.out
    );
    assert!(said.out.contains("mw: zbd/mechlib.zbd: differs from all compared editions\n"), "{}", said.out);
    let strict = desk.run(&["verify", "--strict", "--junit", "cases.xml", "mw"]);
    assert_eq!((said.code, strict.code), (0, 1), "as the guide promises");
    let cases = fs::read_to_string(desk.path("cases.xml")).unwrap();
    assert_eq!(cases.matches("message=\"differs from all compared editions\"").count(), 3, "{cases}");
}

#[test]
fn recognized_install_is_never_silent() {
    for (game, note) in [("rc", ""), ("mw", ""), ("pm", " (no digests of this game are known)"), ("cs", "")] {
        let said = Desk::golden(game).run(&["verify", game]);
        let line = said.out.lines().find(|line| line.contains(" files as sold, ")).expect(game);
        assert!(line.starts_with(&format!("{game}: 0 of ")) && line.ends_with(&format!(" unknown{note}")), "{line}");
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
            (&install["as_sold"], texts(&install["differ"], "path")),
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
    assert_eq!((&install["as_sold"], &install["unknown"]), (&rows.into(), &unexpected.into()));
    let mut bytes = fs::read(desk.path("pm/zbd/motion.zbd")).unwrap();
    bytes[20] ^= 1;
    desk.write("pm/zbd/motion.zbd", &bytes);
    assert_eq!(texts(&desk.install(&["--known", "mine.tsv", "pm"])["differ"], "path"), ["zbd/motion.zbd"]);
    let said = desk.run(&["snapshot", "--known", "pm/zbd"]);
    assert!(said.code == 2 && said.err.contains("name the folder that contains its folder zbd"), "{}", said.err);
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
