//! Folders and mods with the member names of earlier versions are still taken.

use super::{Desk, archive, readers};

/// Returns a text in which every name is the former one.
fn former(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let former = text.replace("color", "colour").replace("\"computed\"", "\"instead_of\"");
    assert!(former != text, "no name has changed: {text}");
    former.into_bytes()
}

fn map() -> Desk {
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/install/rc/maps/m1.zmap");
    Desk::of(&[("m1.zmap", &std::fs::read(map).unwrap())])
}

#[test]
fn folder_with_former_names_packs_to_the_same_file() {
    let desk = map();
    desk.ok(&["unpack", "m1.zmap", "form"]);
    desk.write("form/bitexact.json", &former(&desk.read("form/bitexact.json")));
    desk.ok(&["pack", "form", "packed.zmap"]);
    assert!(desk.read("packed.zmap") == desk.read("m1.zmap"));
}

#[test]
fn mod_with_a_former_name_in_its_place_applies() {
    let desk = map();
    desk.ok(&["patch", "m1.zmap", "--set", "/features/0/color/0=7", "--output", "b.zmap"]);
    let made = desk.run(&["diff", "--json", "m1.zmap", "b.zmap"]).out;
    desk.write("mod.json", &former(made.as_bytes()));
    desk.ok(&["patch", "m1.zmap", "--apply", "mod.json"]);
    assert!(desk.read("m1.zmap") == desk.read("b.zmap"));
}

#[test]
fn mod_with_a_former_name_in_its_old_value_applies() {
    let mut spec = readers(5.0);
    spec.checksum = Some(0x1234_5678);
    let desk = Desk::of(&[("a.zbd", &forge::archive::build(&spec)), ("b.zbd", &archive())]);
    let made = desk.run(&["diff", "--json", "a.zbd", "b.zbd"]).out;
    desk.write("mod.json", &former(made.as_bytes()));
    desk.ok(&["patch", "a.zbd", "--apply", "mod.json"]);
    assert!(desk.read("a.zbd") == desk.read("b.zbd"));
}

#[test]
fn mod_with_a_former_name_inserts_and_deletes_items() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/install/nwn/override/c_boar.mdl");
    let desk = Desk::of(&[("a.mdl", &std::fs::read(model).unwrap())]);
    let item = r#""at": "/raw/0/colours/1""#;
    let color = "[1, 2, 3, 4]";
    let changes = format!(r#"{{"do": "insert", {item}, "new": {color}}}, {{"do": "delete", {item}, "old": {color}}}"#);
    desk.write("mod.json", format!(r#"{{"schema": 1, "kind": "mdl", "changes": [{changes}]}}"#).as_bytes());
    desk.ok(&["patch", "a.mdl", "--apply", "mod.json", "--output", "b.mdl"]);
    assert!(desk.read("a.mdl") == desk.read("b.mdl"));
}
