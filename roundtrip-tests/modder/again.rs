//! A folder or archive that is unpacked again: what is replaced, what is kept, and what is refused.

use bitexact::passes::Sha;

use super::{Desk, archive, readers};
use crate::harness::{golden_install, sample};
use forge::archive::build;

const MAP: &str = "m1.zmap";

fn unpacked() -> Desk {
    let map = std::fs::read(golden_install().join("rc/maps").join(MAP)).unwrap();
    let desk = Desk::of(&[(MAP, &map)]);
    desk.ok(&["unpack", MAP, "map"]);
    desk
}

#[test]
fn list_of_written_files_is_no_permission_to_delete() {
    let desk = unpacked();
    desk.write("map/.git/HEAD", b"history");
    desk.write("map/notes.txt", b"mine");
    let list = String::from_utf8(desk.read("map/.schema/written.txt")).unwrap();
    assert!(list.lines().all(|line| line.len() > 66 && line.get(64..66) == Some("  ")), "as sha256sum prints: {list}");
    // Whoever made the folder can have written anything into the list, even true hashes of files of version control.
    let more = format!("{list}.git/HEAD\nnotes.txt\n{}  .git/HEAD\n", Sha::of(b"history"));
    desk.write("map/.schema/written.txt", more.as_bytes());
    let said = desk.ok(&["unpack", MAP, "map", "--force"]);
    assert!(said.err.contains("kept: .git, notes.txt"), "{}", said.err);
    assert_eq!((desk.read("map/.git/HEAD"), desk.read("map/notes.txt")), (b"history".to_vec(), b"mine".to_vec()));
    // An unedited folder is unpacked again without a question, and so is one whose list is lost.
    std::fs::remove_file(desk.path("map/.schema/written.txt")).unwrap();
    desk.ok(&["unpack", MAP, "map", "--force"]);
    assert_eq!(String::from_utf8(desk.read("map/.schema/written.txt")).unwrap(), list);
}

#[test]
fn edits_that_were_never_packed_are_not_overwritten() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let edit = || desk.replace("form/weapons.zrd.json", "5.0", "7.50");
    desk.ok(&["unpack", "reader.zbd", "form"]);
    edit();
    let before = desk.read("form/weapons.zrd.json");
    let said = desk.run(&["unpack", "reader.zbd", "form", "--force"]);
    let expected = "bitexact: form: 1 file has been edited since the file was unpacked, and packing the folder does not give \
                    that file: weapons.zrd.json; pack the folder first, or delete it to discard the edits\n";
    assert_eq!((said.code, said.err.as_str()), (2, expected));
    assert!(desk.read("form/weapons.zrd.json") == before);
    // Packed edits are in the file, in its own form.
    desk.ok(&["pack", "form", "reader.zbd", "--force"]);
    desk.ok(&["unpack", "reader.zbd", "form", "--force"]);
    assert!(desk.read("reader.zbd") == build(&readers(7.5)));
    assert!(String::from_utf8(desk.read("form/weapons.zrd.json")).unwrap().contains("7.5,"));
    // A deleted file is an edit that was given up.
    desk.replace("form/weapons.zrd.json", "7.5", "8.0");
    std::fs::remove_file(desk.path("form/weapons.zrd.json")).unwrap();
    desk.ok(&["unpack", "reader.zbd", "form", "--force"]);
    assert!(String::from_utf8(desk.read("form/weapons.zrd.json")).unwrap().contains("7.5,"));
}

#[test]
fn folder_of_some_entries_and_a_file_in_the_way() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "some", "--only", "hud.zrd"]);
    let said = desk.run(&["unpack", "reader.zbd", "some"]);
    assert!(said.code == 2 && said.err.contains("use --force to replace it"), "{}", said.err);
    desk.ok(&["unpack", "reader.zbd", "some", "--force"]);
    assert!(desk.path("some/weapons.zrd.json").is_file());
    desk.ok(&["unpack", "reader.zbd", "some", "--only", "hud.zrd", "--force"]);
    assert!(!desk.path("some/weapons.zrd.json").exists() && desk.path("some/hud.zrd.json").is_file());
    let said = desk.run(&["unpack", "reader.zbd", "reader.zbd"]);
    assert_eq!(said.err, "bitexact: reader.zbd: is a file; name a new folder, or a .zip\n");
}

#[test]
fn files_that_no_entry_can_be_are_not_packed() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "form"]);
    desk.write("form/README.md", b"mine");
    desk.write("form/notes/new.zrd.json", b"[]");
    let said = desk.ok(&["pack", "form", "new.zbd"]);
    let expected = "not packed: README.md, notes/new.zrd.json; an entry needs a row that names its file, and \
                    `bitexact patch --add` makes one\n";
    assert!(said.err.starts_with(expected) && desk.read("new.zbd") == archive(), "{}", said.err);
    // What was unpacked is missed.
    for (from, to, expected) in [
        ("hud.zrd.json", "HUD.zrd.json", "form/bitexact.json:"),
        ("weapons.zrd.json", "weapon.zrd.json", "expected a file weapons.zrd.json, found no such file"),
        ("bitexact.json", "b.json", "form/bitexact.json: is missing; `unpack` without --only writes it"),
    ] {
        // By a third name: Wine does nothing for a name that differs only in case.
        let rename = |from: &str, to: &str| {
            std::fs::rename(desk.path("form").join(from), desk.path("third")).unwrap();
            std::fs::rename(desk.path("third"), desk.path("form").join(to)).unwrap();
        };
        rename(from, to);
        let said = desk.run(&["pack", "form", "other.zbd"]);
        assert!(said.code == 2 && said.err.contains(expected), "{}", said.err);
        rename(to, from);
    }
    let said = |from: &str, to: &str| {
        desk.ok(&["unpack", "-q", "reader.zbd", "other"]);
        desk.replace("other/bitexact.json", from, to);
        let said = desk.run(&["pack", "other", "other.zbd"]);
        std::fs::remove_dir_all(desk.path("other")).unwrap();
        assert_eq!(said.code, 2);
        said.err
    };
    let twice = said("\"hud.zrd.json\"", "\"weapons.zrd.json\"");
    assert!(twice.contains("one that another entry already uses"), "{twice}");
    let other = said("\"hud.zrd.json\"", "\"Hud.zrd.json\"");
    assert!(other.contains("found hud.zrd.json, whose name differs in case or form; rename it"), "{other}");
    std::fs::create_dir_all(desk.path("form/sub")).unwrap();
    desk.write("form/sub/hud.json", &desk.read("form/hud.zrd.json"));
    std::fs::remove_file(desk.path("form/hud.zrd.json")).unwrap();
    desk.replace("form/bitexact.json", "\"hud.zrd.json\"", "\"sub\\\\hud.json\"");
    let said = desk.run(&["pack", "form", "other.zbd"]);
    assert!(said.code == 2 && said.err.contains("found a path with \\; write / instead"), "{}", said.err);
}

#[test]
fn zip_is_unpacked_again_under_the_same_rules() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["unpack", "reader.zbd", "all.zip"]);
    desk.ok(&["unpack", "reader.zbd", "all.zip", "--force"]);
    let edited = super::zip::edited(&desk.read("all.zip"), "weapons.zrd.json", |text| text.replace("5.0", "7.50"));
    desk.write("all.zip", &edited);
    let said = desk.run(&["unpack", "reader.zbd", "all.zip", "--force"]);
    assert!(said.code == 2 && said.err.contains("edited since the file was unpacked"), "{}", said.err);
    assert!(desk.read("all.zip") == edited);
    desk.ok(&["pack", "all.zip", "reader.zbd", "--force"]);
    desk.ok(&["unpack", "reader.zbd", "all.zip", "--force"]);
    // Archives that are none, and one with a name that occurs twice.
    desk.write("bad.zip", b"PK no archive");
    let said = desk.run(&["pack", "bad.zip", "x.zbd"]);
    assert!(said.code == 2 && said.err.contains("expected a whole .zip"), "{}", said.err);
}

#[test]
fn deviations_of_an_edited_folder_are_printed() {
    let name = "texture_name_tail.zbd";
    let desk = Desk::of(&[(name, &sample(name))]);
    desk.ok(&["unpack", name, "form"]);
    desk.edit("form/bitexact.json", |json| {
        let row = ["data", "directory", "0", "palette_index"].iter().try_fold(json, |at, key| at.step_mut(key));
        *row.unwrap() = 99.into();
    });
    for target in ["new.zbd", name] {
        let said = desk.ok(&["pack", "form", target, "--force"]);
        assert!(said.err.contains("deviation: /directory/") && said.err.contains("found 99"), "{target}: {}", said.err);
    }
    // Those of the original are known.
    desk.ok(&["unpack", name, "again"]);
    desk.replace("again/bitexact.json", "\"games\": [", "\"games\": [ ");
    let said = desk.ok(&["pack", "again", "third.zbd"]);
    assert!(!said.err.contains("deviation:"), "{}", said.err);
}
