//! Lost bytes are reported without known hashes.

use super::{Desk, texts};
use crate::harness::sample;

/// Returns the bytes with zeros from this offset to another.
fn zeroed(mut bytes: Vec<u8>, from: usize, to: usize) -> Vec<u8> {
    bytes[from..to].fill(0);
    bytes
}

/// A sound of several seconds as an archive of this many copies: 8-bit PCM, whose silence is 128.
pub(super) fn sounds(count: usize) -> Vec<u8> {
    let mut wave = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0data".to_vec();
    wave.extend(20_000_u32.to_le_bytes());
    wave.extend((0..20_000_u32).map(|at| u8::try_from(at % 200 + 1).unwrap()));
    let size = u32::try_from(wave.len() - 8).unwrap();
    wave[4..8].copy_from_slice(&size.to_le_bytes());
    let mut archive = wave.repeat(count);
    for index in 0..count {
        archive.extend(u32::try_from(index * wave.len()).unwrap().to_le_bytes());
        archive.extend(u32::try_from(wave.len()).unwrap().to_le_bytes());
        let mut slot = format!("sound{index}.wav").into_bytes();
        slot.resize(140, 0);
        archive.extend(slot);
    }
    archive.extend([1, 0, 0, 0]);
    archive.extend(u32::try_from(count).unwrap().to_le_bytes());
    archive
}

/// Returns the exit codes of `verify` and `verify --strict`, and the text of the first.
fn verified(desk: &Desk, path: &str) -> ([i32; 2], String) {
    let said = desk.run(&["verify", path]);
    ([said.code, desk.run(&["verify", "--strict", path]).code], said.out)
}

#[test]
fn zeroed_half_of_a_texture_package_is_damaged() {
    let whole = sample("rc_m1_texture2.zbd");
    let desk = Desk::of([("texture2.zbd", &whole[..])]);
    let (codes, text) = verified(&desk, "texture2.zbd");
    assert!(codes == [0, 0] && !text.contains("damaged"), "{codes:?}: {text}");
    desk.write("texture2.zbd", &zeroed(whole.clone(), whole.len() / 2, whole.len()));
    let (codes, text) = verified(&desk, "texture2.zbd");
    assert_eq!(codes, [0, 1], "{text}");
    for words in [
        "damaged: /directory/",
        "an image has no width or no height (0 x 0)",
        "compare the file with another copy",
        "[image-no-size; zipper-textures.md, section 2 (checked)]",
        "proven:  1 file comes back bit for bit; whether it is as sold is not known\n",
        "damaged: 1 file with lost or changed bytes; compare it with another copy\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let (_, rows) = desk.rows(&["texture2.zbd"]);
    assert_eq!(texts(&rows[0]["damage"], "severity").first(), Some(&"damaged"));
    assert_eq!((&rows[0]["status"], &rows[1]["summary"]["damaged"]), (&"identical".into(), &1.into()));
    let lint = desk.run(&["lint", "texture2.zbd"]);
    assert!(lint.code == 1 && lint.out.contains("[image-no-size; "), "{}", lint.out);
}

#[test]
fn zeroed_half_of_a_sound_archive_is_damaged() {
    let whole = sounds(8);
    let desk = Desk::of([("soundsl.zbd", &whole[..])]);
    let (codes, text) = verified(&desk, "soundsl.zbd");
    assert!(codes == [0, 0] && !text.contains("damaged"), "{codes:?}: {text}");
    // From the middle of the third sound to the end of the sixth.
    desk.write("soundsl.zbd", &zeroed(whole.clone(), 50_000, 6 * 20_044));
    let (codes, text) = verified(&desk, "soundsl.zbd");
    assert_eq!(codes, [0, 1], "{text}");
    for words in [
        "damaged: sound2.wav:/chunks/1/samples: a sound contains a long run of zeros",
        "damaged: sound3.wav:/bytes: an entry consists of zeros only (20044 bytes from 0xeae4, of 20044)",
        " (and 2 more) [zeros-in-entry; ",
        "damaged: 1 file with lost or changed bytes",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn film_stub_is_damaged_with_advice() {
    let desk = Desk::golden("pm");
    desk.write("pm/video/c1.avi", b"ISc(stub of an installer");
    let said = desk.run(&["verify", "pm"]);
    assert_eq!(said.code, 0);
    for words in [
        "foreign       pm/video/c1.avi (compressed-film)\n",
        "damaged: /: a film is a part of the installer",
        "replace it by the file from the disc, or delete it",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    assert_eq!(desk.run(&["verify", "--strict", "pm/video"]).code, 1);
}

#[test]
fn cut_sound_file_of_zeros_and_black_image_are_reported() {
    let wave = sounds(1)[..20_044].to_vec();
    let cut = {
        let mut cut = wave[..10_044].to_vec();
        cut[40..44].copy_from_slice(&10_000_u32.to_le_bytes());
        cut
    };
    let desk = Desk::of([("cut.wav", &cut[..]), ("lost.zbd", &[0; 5000]), ("zero.dat", &[0; 5000])]);
    let (_, rows) = desk.rows(&["."]);
    let ids = |row: usize| texts(&rows[row]["damage"], "id");
    assert_eq!([ids(0), ids(1), ids(2)], [vec!["sound-cut"], vec!["zeros-in-file"], vec!["zeros-in-file"]]);
    let said = desk.run(&["verify", "--strict", "--junit", "cases.xml", "cut.wav"]);
    let cases = std::fs::read_to_string(desk.path("cases.xml")).unwrap();
    assert!(said.code == 1 && cases.contains("a sound is shorter than its header states"), "{cases}");
}

#[test]
fn cut_file_is_refused_and_damaged() {
    let whole = sample("rc_m1_texture2.zbd");
    let desk = Desk::of([("texture2.zbd", &whole[..whole.len() - 100])]);
    let (codes, text) = verified(&desk, "texture2.zbd");
    assert_eq!(codes, [1, 1]);
    assert!(text.contains("refused       texture2.zbd: "), "{text}");
    assert!(text.contains("damaged: ") && text.contains(" [file-cut; "), "{text}");
}

#[test]
fn library_that_ends_within_its_table_is_damaged_and_one_with_a_broken_footer_is_not() {
    let mut whole = Vec::new();
    let mut table = Vec::new();
    for name in ["format", "version", "materials", "mech1"] {
        let payload = format!("text of {name}").into_bytes();
        table.extend(u32::try_from(whole.len()).unwrap().to_le_bytes());
        table.extend(u32::try_from(payload.len()).unwrap().to_le_bytes());
        let mut slot = name.as_bytes().to_vec();
        slot.resize(140, 0);
        table.extend(slot);
        whole.extend(payload);
    }
    whole.extend(table);
    let footer = [9_u32, 4].map(u32::to_le_bytes).concat();
    let broken = [&whole[..], &footer].concat();
    let followed = [&broken[..], &[7; 100]].concat();
    for (name, bytes, is_cut) in [
        ("whole rows", &whole[..], true),
        ("a part of a row", &whole[..whole.len() - 100], true),
        ("a broken footer", &broken, false),
        ("more bytes", &followed, false),
    ] {
        let desk = Desk::of([("mechlib.zbd", bytes)]);
        let (codes, text) = verified(&desk, "mechlib.zbd");
        assert_eq!(text.contains(" [file-cut; "), is_cut, "{name}: {codes:?}: {text}");
    }
}

#[test]
fn damage_is_on_the_page() {
    let whole = sample("rc_m1_texture2.zbd");
    let desk = Desk::of([("texture2.zbd", &zeroed(whole.clone(), whole.len() / 2, whole.len())[..])]);
    desk.run(&["verify", "--html", "page.html", "texture2.zbd"]);
    let page = std::fs::read_to_string(desk.path("page.html")).unwrap();
    assert!(page.contains("id=\"damage\"") && page.contains("an image has no width or no height"), "{page}");
}

/// Source: `marathon-wad.md`, section 6: the map of Marathon has a constant in place of a checksum.
#[test]
fn checksum_that_does_not_fit_is_a_finding_under_strict() {
    let (edited, map) = (sample("checksum_wrong.sceA"), sample("Map.scen"));
    let desk = Desk::of([
        ("Edited.sceA", &edited[..]),
        ("Map.scen", &map[..]),
        ("reader.zbd", &sample("pm_reader_crc_wrong.zbd")),
    ]);
    for (file, place) in [("Edited.sceA", "/checksum"), ("reader.zbd", "/checksum")] {
        let (codes, text) = verified(&desk, file);
        assert_eq!(codes, [0, 1], "{text}");
        let strict = desk.run(&["verify", "--strict", "--junit", "cases.xml", file]);
        let words = format!(": {place}: the checksum does not fit: expected ");
        assert!(strict.out.contains(&words) && text.contains(&words), "{}", strict.out);
        let cases = std::fs::read_to_string(desk.path("cases.xml")).unwrap();
        assert!(cases.contains("the checksum does not fit: expected "), "{cases}");
    }
    assert_eq!(verified(&desk, "Map.scen").0, [0, 0]);
}

/// Files of people who have the games: suspicion is rare there, and certainty does not occur.
#[test]
fn undamaged_files_are_not_called_damaged() {
    let install = forge::install(forge::INSTALL_SEED);
    let desk = Desk::of(install.iter().map(|(path, bytes)| (&**path, &bytes[..])));
    let (_, rows) = desk.rows(&["."]);
    let is_damaged = |row: &&serde_json::Value| {
        row["damage"].as_array().is_some_and(|signs| signs.iter().any(|it| it["severity"] != "extra"))
    };
    let damaged: Vec<_> = rows.iter().filter(is_damaged).map(ToString::to_string).collect();
    assert!(damaged.is_empty(), "{damaged:#?}");
}
