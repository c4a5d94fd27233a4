//! Refusals of texts name the text that was given, and its length.

use forge::nwn::gff::{Spec, build, resref};
use forge::nwn::tables::two_da;

use super::{Desk, archive};
use crate::harness::golden_install;

const LONG: &str = "a_name_that_is_much_longer_than_any_field_of_a_file_has_room";

/// Returns what is said about a text that does not fit a place.
fn refused(desk: &Desk, file: &str, edit: &[&str]) -> String {
    let said = desk.run(&[&["patch", file, "-n"][..], edit].concat());
    assert_eq!(said.code, 2, "{file} {edit:?}: {}", said.out);
    said.err
}

#[test]
fn texts_that_are_too_long_are_named() {
    let sample = |path: &str| std::fs::read(golden_install().join(path)).unwrap();
    let desk = Desk::of(&[
        ("worm.mdl", &sample("nwn/override/c_worm.mdl")),
        ("gamez.zbd", &sample("rc/zbd/m1/gamez.zbd")),
        ("a.zbd", &archive()),
        ("level.sceA", &sample("m2/Maps/Never Burn Money.sceA")),
        ("boar.utc", &build(&Spec::new(b"UTC ", vec![("Res", resref(b"boar"))]))),
    ]);
    let found = format!("found \"{}…\" (60 bytes)", &LONG[..23]);
    let renamed = format!("bone={LONG}");
    for (file, edit) in [
        ("worm.mdl", ["--rename-node", &renamed]),
        ("worm.mdl", ["--set", &format!("/root/name=\"{LONG}\"")]),
        ("gamez.zbd", ["--set", &format!("/nodes/slots/1/name=\"{LONG}\"")]),
        ("gamez.zbd", ["--set", &format!("/textures/0/name=\"{LONG}\"")]),
        ("a.zbd", ["--set", &format!("/entries/0/comment=\"{LONG}{LONG}\"")]),
        ("level.sceA", ["--set", &format!("0!Minf:/level_name=\"{LONG}{LONG}\"")]),
    ] {
        let said = refused(&desk, file, &edit);
        let found = if edit[1].contains(&LONG.repeat(2)) { found.replace("60", "120") } else { found.clone() };
        assert!(said.contains("at most") && said.contains(&found), "{file} {edit:?}: {said}");
    }
    let long = "x".repeat(300);
    let said = refused(&desk, "boar.utc", &["--set", &format!("/Res/value=\"{long}\"")]);
    assert!(said.contains("expected at most 255 bytes, found \"xxxxxxxxxxxxxxxxxxxxxxx…\" (300 bytes)"), "{said}");
    let said = refused(&desk, "boar.utc", &["--set", "/Res/value=\"猫\""]);
    assert!(said.contains("expected characters of windows-1252, found \"猫\" (1 character)"), "{said}");
}

#[test]
fn cells_that_need_quotes_get_them() {
    let desk = Desk::of(&[("a.2da", &two_da(3))]);
    let column = "Name";
    let place = format!("/rows/1/cells/{column}");
    desk.ok(&["patch", "a.2da", "--set", &format!("{place}=\"two words\"")]);
    assert!(String::from_utf8(desk.read("a.2da")).unwrap().contains(" \"two words\""));
    assert_eq!(desk.ok(&["inspect", "a.2da", &place]).out, "\"two words\"\n");
    let said = desk.ok(&["patch", "a.2da", "--set", &format!(r#"{place}="\"two words\"""#)]);
    assert!(said.err.contains("no changes"), "{}", said.err);
    desk.ok(&["patch", "a.2da", "--set", &format!("{place}=\"\"")]);
    assert!(String::from_utf8(desk.read("a.2da")).unwrap().contains(" \"\""));
    let said = refused(&desk, "a.2da", &["--set", &format!(r#"{place}="a \"b""#)]);
    let why = format!(
        "/rows/1/cells: expected the cell of {column} as one word or text without quotes and line ends; \
        **** for no value, found \"a \\\"b\" (4 bytes)"
    );
    assert!(said.contains(&why), "{said}");
}

#[test]
fn text_replaces_the_bytes_that_stand_in_for_one() {
    // A NUL in the middle of the extension: no name gives these bytes.
    let world = std::fs::read(golden_install().join("rc/zbd/m1/gamez.zbd")).unwrap();
    let desk = Desk::of(&[("gamez.zbd", &world)]);
    let bytes = vec!["78"; 20].join(" ");
    desk.ok(&[
        "patch",
        "gamez.zbd",
        "--retype",
        "--set",
        &format!(r#"/textures/0/name={{"bytes":"{bytes}"}}"#),
        "-o",
        "odd.zbd",
    ]);
    assert!(desk.ok(&["inspect", "odd.zbd", "/textures/0/name"]).out.contains("bytes"));
    desk.ok(&["patch", "odd.zbd", "--set", "/textures/0/name=\"sand00.tif\""]);
    assert_eq!(desk.read("odd.zbd"), world);
}
