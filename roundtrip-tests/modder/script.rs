//! The whole workflow once, on a reader archive of Pirate's Moon, which the game loads only with the right checksum.

use super::{Desk, archive};
use bitexact::json::Compact;

/// Computes the checksum, written independently from `zipper-archives.md`, section 5.
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = 0_u32;
    for &byte in bytes {
        crc ^= u32::from(byte) << 24;
        for _ in 0..8 {
            crc = if crc & 0x8000_0000 == 0 { crc << 1 } else { crc << 1 ^ 0x04C1_1DB7 };
        }
    }
    crc
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// Returns the checksum stored in an archive, and that of the payloads in its table.
fn checksums(file: &[u8]) -> (u32, u32) {
    let footer = file.len() - 12;
    let count = word(file, footer + 4) as usize;
    let slots = (0..count).map(|slot| footer - 148 * (count - slot));
    let payloads = slots.map(|slot| {
        let start = word(file, slot) as usize;
        &file[start..start + word(file, slot + 4) as usize]
    });
    (word(file, footer + 8), crc(&payloads.collect::<Vec<_>>().concat()))
}

const AMMO: &str = r#"["AMMO", [10, 0.25]]"#;

const CHANGES: &str = r#"ammo.zrd: added (reader, 44 bytes)
weapons.zrd:/0/0: "LASER" → "LARGE LASER"
weapons.zrd:/0/1: 5.0 → 7.5
weapons.zrd:/1/2/2: added 4
"#;

#[test]
fn modder_unpacks_edits_packs_and_compares() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "reader"]);
    let weapons = "reader/weapons.zrd.json";
    desk.replace(weapons, "5.0", "7.5");
    desk.replace(weapons, "\"LASER\"", "\"LARGE LASER\"");
    desk.replace(weapons, "[1, 2]", "[1, 2, 4]");
    desk.write("reader/ammo.zrd.json", AMMO.as_bytes());
    let row = r#", {"kind": "reader", "file": "ammo.zrd.json", "name": "ammo.zrd", "flags": 0, "comment": "", "time": "0x0"}]"#;
    desk.edit("reader/bitexact.json", |head| {
        let entries = head.step_mut("data").unwrap().step_mut("entries").unwrap();
        let text = Compact(entries).to_string();
        *entries = bitexact::exchange::parse(format!("{}{row}", text.strip_suffix(']').unwrap()).as_bytes()).unwrap();
    });
    let packed = desk.ok(&["pack", "reader", "edited.zbd"]);
    assert!(packed.err.starts_with("edited.zbd: edited, "), "{}", packed.err);

    let edited = desk.read("edited.zbd");
    let (told, own) = checksums(&edited);
    assert_eq!(told, own);
    assert_ne!(own, checksums(&archive()).1);
    let verified = desk.ok(&["verify", "--json", "--strict", "edited.zbd"]).out;
    assert!(verified.contains("\"status\":\"identical\"") && !verified.contains("deviations"), "{verified}");
    let diff = desk.run(&["diff", "reader.zbd", "edited.zbd"]);
    assert_eq!((diff.code, diff.out.as_str(), diff.err.as_str()), (1, CHANGES, ""));

    // When packing over the original, it reports the number of edited places.
    let packed = desk.ok(&["pack", "reader", "reader.zbd", "--force"]);
    assert!(packed.err.starts_with("reader.zbd: edited: 4 places, "), "{}", packed.err);
    assert_eq!(desk.read("reader.zbd"), edited);

    // Make the changes in one step.
    desk.write("reader.zbd", &archive());
    desk.write("ammo.json", AMMO.as_bytes());
    let patched = desk.ok(&[
        "patch",
        "reader.zbd",
        "--add",
        "ammo.zrd=ammo.json",
        "--set",
        "weapons.zrd:/0/0=\"LARGE LASER\"",
        "--set",
        "weapons.zrd:/0/1=7.5",
        "--set",
        "weapons.zrd:/1/2/-=4",
    ]);
    assert_eq!(patched.out, CHANGES);
    assert!(desk.read("reader.zbd") == edited, "patch and pack give the same bytes");

    // Share the changes as a mod.
    desk.write("original.zbd", &archive());
    let made = desk.run(&["diff", "--json", "original.zbd", "reader.zbd"]);
    assert_eq!(made.code, 1);
    desk.write("mod.json", made.out.as_bytes());
    desk.ok(&["patch", "original.zbd", "--apply", "mod.json"]);
    assert!(desk.read("original.zbd") == edited, "the mod gives the same bytes");
}

#[test]
fn unedited_folder_packs_to_the_same_bytes() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "reader"]);
    let packed = desk.ok(&["pack", "reader", "again.zbd"]);
    assert!(packed.err.starts_with("again.zbd: identical to the original, "), "{}", packed.err);
    assert!(desk.read("again.zbd") == archive());
}

#[test]
fn partially_unpacked_folder_cannot_be_packed() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "some", "--only", "W*.ZRD"]);
    assert_eq!(desk.all("some"), ["weapons.zrd.json"]);
    assert_eq!(desk.run(&["pack", "some", "out.zbd"]).code, 2);
    assert_eq!(desk.run(&["unpack", "reader.zbd", "none", "--only", "*.wav"]).code, 2);
    assert_eq!(desk.all(""), ["reader.zbd", "some", "some/weapons.zrd.json"]);
}

#[test]
fn folder_is_replaced_only_if_unpacked_and_with_force() {
    let desk = Desk::of(&[("reader.zbd", &archive()), ("mine/notes.txt", b"mine")]);
    for args in [&["unpack", "reader.zbd", "mine"][..], &["unpack", "reader.zbd", "mine", "--force"]] {
        let said = desk.run(args);
        assert_eq!((said.code, said.err.contains("mine: is not empty")), (2, true), "{}", said.err);
    }
    desk.ok(&["unpack", "reader.zbd", "reader"]);
    desk.write("reader/hud.zrd.json", b"[9]");
    assert!(desk.run(&["unpack", "reader.zbd", "reader"]).err.contains("use --force to replace it"));
    let said = desk.run(&["unpack", "reader.zbd", "reader", "--force"]);
    assert!(said.code == 2 && said.err.contains("1 file has been edited since"), "{}", said.err);
    std::fs::remove_file(desk.path("reader/hud.zrd.json")).unwrap();
    desk.ok(&["unpack", "reader.zbd", "reader", "--force"]);
    assert_eq!(desk.read("reader/hud.zrd.json"), b"[]\n");
    assert_eq!(desk.all("").iter().filter(|path| !path.contains('/')).count(), 3, "{:?}", desk.all(""));
}

#[test]
fn motions_of_pirates_moon_keep_the_length_1() {
    let mut random = forge::random::Random::named(1, "motions");
    let motions = forge::archive::motions(&mut random, 2, forge::Size::Tiny, 3);
    let desk = Desk::of(&[("motion.zbd", &forge::archive::build(&motions)), ("fourth", &motions.entries[0].data)]);
    desk.ok(&["patch", "motion.zbd", "--add", "fourth=fourth", "--remove", "thor_stand"]);
    let edited = desk.read("motion.zbd");
    let footer = edited.len() - 12;
    assert_eq!([word(&edited, footer), word(&edited, footer + 4), word(&edited, footer + 8)], [2, 3, 0]);
    for slot in (0..3).map(|slot| footer - 148 * (3 - slot)) {
        assert_eq!(word(&edited, slot + 4), 1);
    }
    let verified = desk.ok(&["verify", "--json", "--strict", "motion.zbd"]).out;
    assert!(verified.contains("\"identical\"") && !verified.contains("deviations"), "{verified}");
}
