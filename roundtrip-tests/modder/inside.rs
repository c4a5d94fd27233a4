//! Edits inside entries: values of tables and texts, entries taken for files, and mods of different rows.

use bitexact::aurora::erf::Erf;
use bitexact::field::decode;
use bitexact::kind::Container as _;
use forge::nwn::resources::{Erf as Container, Key, build_erf, resource};

use super::Desk;
use crate::harness::{self, sample};

/// Returns the text of an entry of a container.
fn text(container: &[u8], entry: &str) -> String {
    let erf = decode::<Erf>(container.to_vec()).unwrap().model;
    let entry = erf.entry(entry).unwrap_or_else(|| panic!("no {entry}"));
    String::from_utf8(entry.bytes().unwrap()).unwrap()
}

#[test]
fn values_of_tables_and_lines_of_texts_are_edited_in_a_container() {
    let old = sample("content.hak");
    let desk = Desk::of(&[("a.hak", &old)]);
    let set = "racialtypes.2da:/rows/0/cells/Label=\"gnome\"";
    // One call for values that are loaded alone, one for items and a value of a tree.
    desk.ok(&["patch", "a.hak", "--set", set, "--set", "start.nss:/1=\"{ // begin\""]);
    let args = ["--insert", "start.nss:/2=\"    x();\"", "--delete", "plc_doll.mdl:/0", "--set"];
    let said = desk.ok(&[&["patch", "a.hak"][..], &args, &["c_boar.utc:/Str/value=15"]].concat());
    for place in ["start.nss:/2", "plc_doll.mdl:/0", "c_boar.utc:/Str/value"] {
        assert!(said.out.contains(place), "{place}: {}", said.out);
    }
    let new = desk.read("a.hak");
    assert_eq!(text(&new, "start.nss"), "void main()\r\n{ // begin\r\n    x();\r\n}\r\n");
    assert_eq!(text(&new, "plc_doll.mdl"), "newmodel plc_doll\r\ndonemodel plc_doll");
    let table = text(&old, "racialtypes.2da");
    let label = table.lines().nth(3).unwrap().split_whitespace().nth(1).unwrap();
    assert_eq!(text(&new, "racialtypes.2da").replacen("gnome", label, 1).replace(' ', ""), table.replace(' ', ""));

    for (edit, why) in [
        (
            "racialtypes.2da:/rows/0/cells/Label=\"two \\\"words\"",
            "racialtypes.2da:/rows/0/cells: expected the cell of Label",
        ),
        ("start.nss:/1={\"a\": 7}", "start.nss:/1: expected a value like"),
        ("start.nss:/1=\"a\\nb\"", "start.nss: expected lines without line ends"),
        ("start.nss:/9/x=1", "start.nss:/9/x: no 9 at the top level"),
        ("picture.tga:/x=1", "picture.tga: is one file in the exchange format"),
    ] {
        let said = desk.run(&["patch", "a.hak", "--set", edit]);
        assert!(said.code == 2 && said.err.contains(why), "{edit}: {}", said.err);
        assert!(desk.read("a.hak") == new, "{edit}: nothing is written");
    }
}

#[test]
fn fields_of_a_sound_are_edited_in_an_archive() {
    let golden = std::fs::read(harness::golden_install().join("mw/zbd/soundsH.zbd")).unwrap();
    let desk = Desk::of(&[("sounds.zbd", &golden)]);
    let at = |field: &str| format!("explode_00.wav:/chunks/0/{field}");
    assert_eq!(desk.ok(&["inspect", "sounds.zbd", &at("samples_per_sec")]).out.trim(), "22050");
    let said = desk.ok(&["patch", "sounds.zbd", "--set", &format!("{}=11025", at("samples_per_sec"))]);
    assert!(said.out.contains("explode_00.wav"), "{}", said.out);
    assert_eq!(desk.ok(&["inspect", "sounds.zbd", &at("samples_per_sec")]).out.trim(), "11025");
}

#[test]
fn entries_are_taken_for_files() {
    let desk = Desk::of(&[("a.hak", &sample("content.hak"))]);
    let table = desk.ok(&["inspect", "a.hak!racialtypes.2da"]).out;
    assert!(table.starts_with("a.hak!racialtypes.2da: table as text (2DA) (nwn), "), "{table}");
    let cell = desk.ok(&["inspect", "a.hak!racialtypes.2da", "/rows/0/label"]).out;
    assert_eq!(cell, desk.ok(&["inspect", "a.hak!racialtypes.2da:/rows/0/label"]).out);
    assert_eq!(desk.ok(&["inspect", "a.hak!start.nss:/0"]).out.trim(), "void main()");
    desk.ok(&["unpack", "a.hak!c_boar.utc", "boar"]);
    desk.ok(&["pack", "boar", "boar.utc"]);
    assert!(desk.path("boar.utc").exists());
    desk.ok(&["patch", "a.hak!c_boar.utc", "--set", "/Str/value=15"]);
    assert_eq!(desk.ok(&["inspect", "a.hak", "c_boar.utc:/Str/value"]).out.trim(), "15");
    desk.ok(&["patch", "a.hak!start.nss", "--delete", "/1"]);
    assert_eq!(text(&desk.read("a.hak"), "start.nss"), "void main()\r\n}\r\n");
    for (args, why) in [
        (["inspect", "a.hak!star.nss"], "a.hak: star.nss: no entry of this name; did you mean start.nss?"),
        (["unpack", "a.hak!start.nss"], "start.nss: script is not a file format"),
    ] {
        let said = desk.run(&args);
        assert!(said.code == 2 && said.err.contains(why), "{args:?}: {}", said.err);
    }
}

#[test]
fn mods_of_different_rows_and_lines_apply_together() {
    let desk = Desk::of(&[]);
    let table = |one: &str, other: &str| {
        let rows = [("0", "sword", one), ("1", "bow", "12"), ("2", "mace", other)];
        let rows = rows.map(|(row, label, cost)| format!("{row}   {label:<8} {cost:<6} {label}\r\n"));
        format!("2DA V2.0\r\n\r\n    Label    Cost   Model\r\n{}", rows.concat())
    };
    let folders =
        [("original", "10", "20"), ("game", "10", "20"), ("a", "11", "20"), ("b", "10", "22"), ("c", "13", "20")];
    for (folder, one, other) in folders {
        desk.write(&format!("{folder}/costs.2da"), table(one, other).as_bytes());
        desk.write(&format!("{folder}/a.hak"), &sample("content.hak"));
    }
    desk.ok(&["patch", "a/a.hak", "--set", "start.nss:/0=\"void Main()\""]);
    desk.ok(&["patch", "b/a.hak", "--set", "start.nss:/2=\"};\""]);
    desk.ok(&["patch", "c/a.hak", "--set", "start.nss:/0=\"int main()\""]);
    for name in ["a", "b", "c"] {
        let made = desk.ok(&["mod", "make", "original", name, "-o", &format!("{name}.mod")]);
        assert_eq!(made.out, "a.hak: 1 change\ncosts.2da: 1 change\n");
    }
    desk.ok(&["mod", "apply", "game", "a.mod", "b.mod"]);
    assert_eq!(String::from_utf8(desk.read("game/costs.2da")).unwrap(), table("11", "22"));
    assert_eq!(text(&desk.read("game/a.hak"), "start.nss"), "void Main()\r\n{\r\n};\r\n");
    let said = desk.run(&["mod", "check", "original", "a.mod", "c.mod"]);
    assert!(said.code == 1, "{}{}", said.out, said.err);
    for place in ["/rows/0/cells/Cost", "start.nss:/0"] {
        assert!([&*said.out, &*said.err].concat().contains(place), "{place}: {}{}", said.out, said.err);
    }
    desk.ok(&["mod", "undo", "game", "a.mod"]);
    assert_eq!(String::from_utf8(desk.read("game/costs.2da")).unwrap(), table("10", "22"));
}

/// Source: `nwn-erf.md`, section 5.
#[test]
fn containers_of_the_enhanced_edition_are_not_edited() {
    let desk = Desk::of(&[("enhanced.erf", &sample("enhanced.erf"))]);
    for edit in [["--set", "start.nss:/0=\"\""], ["--remove", "start.nss"]] {
        let said = desk.run(&[&["patch", "enhanced.erf"][..], &edit].concat());
        assert!(said.code == 2 && said.err.contains("SHA-1"), "{edit:?}: {}", said.err);
    }
    desk.ok(&["unpack", "enhanced.erf", "form"]);
    desk.ok(&["pack", "form", "same.erf"]);
    desk.write("form/start.nss", b"// other");
    let said = desk.run(&["pack", "form", "other.erf"]);
    assert!(said.code == 2 && said.err.contains("SHA-1") && !desk.path("other.erf").exists(), "{}", said.err);
}

/// The hashes in the inner container would no longer agree.
#[test]
fn containers_of_the_enhanced_edition_are_not_edited_in_others() {
    let inner = resource("inner", 9997, sample("enhanced.erf"));
    let outer = build_erf(&Container::new(b"HAK ", vec![resource("start", 2009, b"// a".to_vec()), inner]));
    let desk = Desk::of(&[("outer.hak", &outer)]);
    let refused = |args: &[&str]| {
        let said = desk.run(args);
        assert!(
            said.code == 2 && said.err.contains("inner.erf") && said.err.contains("SHA-1"),
            "{args:?}: {}",
            said.err
        );
    };
    refused(&["patch", "outer.hak", "--set", "inner.erf!start.nss:/0=\"\""]);
    refused(&["patch", "outer.hak", "--remove", "inner.erf!start.nss"]);
    desk.ok(&["unpack", "outer.hak", "form"]);
    desk.ok(&["pack", "form", "same.hak"]);
    desk.write("form/inner.erf/start.nss", b"// other");
    refused(&["pack", "form", "other.hak"]);
    assert!(!desk.path("other.hak").exists() && desk.read("outer.hak") == outer);
    // Without it, the rest can be edited.
    desk.ok(&["patch", "outer.hak", "--remove", "inner.erf", "--set", "start.nss:/0=\"// b\""]);
}

/// Source: `nwn-key-bif.md`, section 3.
#[test]
fn key_follows_the_size_of_its_bif() {
    let (key, bif) = (sample("chitin.key"), sample("data_2da.bif"));
    let enhanced = forge::nwn::resources::build_key(&Key {
        is_enhanced: true,
        leftover: [0; 32],
        files: vec![(b"data\\2da.bif".to_vec(), 5)],
        keys: vec![],
        gap: vec![],
        trailing: vec![],
        lies: vec![],
    });
    let files = [("chitin.key", &key[..]), ("Data/2da.BIF", &bif), ("server.key", b"-----BEGIN"), ("xp1.key", &key)];
    let desk = Desk::of(&files);
    let stated = || desk.ok(&["inspect", "chitin.key", "/files/0/file_size"]).out.trim().to_owned();
    // No edit, and the KEY keeps the size that it states, even a wrong one.
    desk.ok(&["unpack", "Data/2da.BIF", "same"]);
    let said = desk.ok(&["pack", "same", "Data/2da.BIF", "--force"]);
    assert!(said.err.contains("identical") && !said.err.contains("chitin.key"), "{}", said.err);
    assert_eq!((desk.read("chitin.key"), desk.read("Data/2da.BIF")), (key.clone(), bif.clone()));
    let edit = ["patch", "Data/2da.BIF", "--set", "0001.nss:/0=\"// a longer first line of this script\""];
    let follows = "recomputed: chitin.key:/files/0/file_size: 2115713 → ";
    let said = desk.ok(&[&edit[..], &["-o", "other.bif"]].concat());
    assert!(
        !said.err.contains("chitin.key") && stated() == "2115713",
        "a copy elsewhere is not the file that the KEY names"
    );
    let said = desk.ok(&[&edit[..], &["--dry-run"]].concat());
    assert!(said.err.contains(follows) && stated() == "2115713", "{}", said.err);

    let said = desk.ok(&[&edit[..], &["--backup"]].concat());
    assert!(said.err.contains(follows), "{}", said.err);
    let size = desk.read("Data/2da.BIF").len();
    assert!(size > bif.len() && stated() == size.to_string(), "{size} and {}", stated());
    assert_eq!((desk.read("chitin.key.bak"), desk.read("Data/2da.BIF.bak")), (key.clone(), bif.clone()));
    assert_eq!(desk.read("xp1.key"), desk.read("chitin.key"), "every KEY that names it");

    desk.ok(&["unpack", "Data/2da.BIF", "form"]);
    desk.write("form/0001.nss", b"// short");
    let said = desk.ok(&["pack", "form", "Data/2da.BIF", "--force"]);
    assert!(said.err.contains(&format!("chitin.key:/files/0/file_size: {size} → ")), "{}", said.err);
    let size = desk.read("Data/2da.BIF").len();
    assert_eq!(stated(), size.to_string());

    desk.write("Data/nwn_base.key", &enhanced);
    let mut broken = key.clone();
    broken.truncate(100);
    desk.write("xp1.key", &broken);
    let said = desk.ok(&["patch", "Data/2da.BIF", "--set", "0001.nss:/0=\"// x\""]);
    assert!(
        said.err.contains("nwn_base.key:/files/0/file_size: expected ") && said.err.contains("SHA-1"),
        "{}",
        said.out
    );
    assert!(said.err.contains("xp1.key: "), "a KEY that cannot be read: {}", said.err);
    assert_eq!((desk.read("Data/nwn_base.key"), desk.read("xp1.key")), (enhanced, broken));
}

#[test]
fn bif_is_not_written_if_its_key_cannot_be() {
    let (key, bif) = (sample("chitin.key"), sample("data_2da.bif"));
    let desk = Desk::of(&[("chitin.key", &key), ("data/2da.bif", &bif)]);
    let path = desk.path("chitin.key");
    let mut rights = std::fs::metadata(&path).unwrap().permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(&path, rights).unwrap();
    let said = desk.run(&["patch", "data/2da.bif", "--set", "0001.nss:/0=\"\""]);
    assert!(said.code == 2 && said.err.contains("chitin.key: is read-only"), "{}{}", said.out, said.err);
    assert_eq!(desk.read("data/2da.bif"), bif);
}

/// A column that a table lacks is named with those that it has, in a container and in a file of its own.
#[test]
fn wrong_column_is_told_from_the_right_ones() {
    let table = std::fs::read(harness::golden_install().join("nwn/override/appearance.2da")).unwrap();
    let desk = Desk::of(&[("a.2da", &table), ("a.hak", &sample("content.hak"))]);
    for (file, place) in [("a.2da", "/rows/0/cells/LABEL"), ("a.hak", "racialtypes.2da:/rows/0/cells/LABEL")] {
        let said = desk.run(&["patch", file, "--set", &format!("{place}=\"x\"")]);
        let why = format!("{place}: no LABEL in /rows/0/cells; did you mean Label?");
        assert!(said.code == 2 && said.err.contains(&why), "{}", said.err);
    }
}
