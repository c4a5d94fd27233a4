//! Indices of things with names: the name and the number are one value, so neither has to follow the other.

use bitexact::exchange::parse;
use bitexact::field::Value;
use bitexact::json::Compact;

use super::Desk;

const WORLD: &[u8] = include_bytes!("../../golden/install/mw/zbd/c1/gamez.zbd");
const ANIM: &[u8] = include_bytes!("../../golden/install/pm/zbd/c1/anim.zbd");

/// The place of the texture of a material.
const TEXTURE: &str = "/materials/slots/0/texture_index";

/// Returns a value as it is shown.
fn shown(desk: &Desk, file: &str, place: &str) -> String {
    let json = desk.ok(&["inspect", "--json", file, place]).out;
    Compact(parse(json.as_bytes()).unwrap().get("value").unwrap()).to_string()
}

/// Returns the names of the textures of the world.
fn textures(desk: &Desk, file: &str) -> Vec<String> {
    let json = desk.ok(&["inspect", "--json", file, "/textures"]).out;
    let json = parse(json.as_bytes()).unwrap();
    let name = |it: &Value| it.get("name").and_then(Value::text).expect("a name").to_owned();
    json.get("value").and_then(Value::items).unwrap().iter().map(name).collect()
}

/// Returns the value at a pointer.
fn at<'j>(json: &'j mut Value, pointer: &str) -> &'j mut Value {
    pointer.split('/').skip(1).fold(json, |json, key| json.step_mut(key).unwrap_or_else(|| panic!("no {key}")))
}

#[test]
fn users_5_name_and_number_of_an_index_are_taken_alike() {
    let desk = Desk::of(&[("a.zbd", WORLD), ("b.zbd", WORLD)]);
    let names = textures(&desk, "a.zbd");
    let other = (0..names.len()).find(|&at| format!("\"{}\"", names[at]) != shown(&desk, "a.zbd", TEXTURE)).unwrap();
    desk.ok(&["patch", "a.zbd", "--set", &format!("{TEXTURE}=\"{}\"", names[other])]);
    desk.ok(&["patch", "b.zbd", "--set", &format!("{TEXTURE}={other}")]);
    assert!(desk.read("a.zbd") == desk.read("b.zbd") && desk.read("a.zbd") != WORLD);
    assert_eq!(shown(&desk, "a.zbd", TEXTURE), format!("\"{}\"", names[other]));
}

#[test]
fn users_5_name_that_nothing_has_is_refused_with_names() {
    let desk = Desk::of(&[("a.zbd", WORLD)]);
    let names = textures(&desk, "a.zbd");
    let said = desk.run(&["patch", "a.zbd", "--set", &format!("{TEXTURE}=\"nothing.tif\"")]);
    let expected = format!("{TEXTURE}: expected an index or one of {} names: \"{}\"", names.len(), names[0]);
    assert_eq!((said.code, said.err.contains(&expected)), (2, true), "{}", said.err);
    assert!(desk.read("a.zbd") == WORLD);
    // A field whose number is no index takes no name.
    let said = desk.run(&["patch", "a.zbd", "--retype", "--set", "/materials/slots/0/alpha=\"door\""]);
    assert_eq!((said.code, said.err.contains("/materials/slots/0/alpha: expected ")), (2, true), "{}", said.err);
}

#[test]
fn users_5_folder_takes_a_name_or_a_number() {
    let desk = Desk::of(&[("a.zbd", WORLD)]);
    let names = textures(&desk, "a.zbd");
    let now = shown(&desk, "a.zbd", TEXTURE).trim_matches('"').to_owned();
    let other = (0..names.len()).find(|&at| names[at] != now).unwrap();
    desk.ok(&["patch", "a.zbd", "--set", &format!("{TEXTURE}={other}"), "-o", "patched.zbd"]);
    for value in [Value::from(names[other].as_str()), Value::Integer(other as i64)] {
        desk.ok(&["unpack", "a.zbd", "form", "--force"]);
        desk.edit("form/bitexact.json", |json| {
            *at(json, &format!("/data{TEXTURE}")) = value;
        });
        desk.ok(&["pack", "form", "packed.zbd", "--force"]);
        assert!(desk.read("packed.zbd") == desk.read("patched.zbd"));
        std::fs::remove_dir_all(desk.path("form")).unwrap();
    }
}

#[test]
fn users_5_renamed_texture_keeps_its_materials() {
    let desk = Desk::of(&[("a.zbd", WORLD)]);
    let names = textures(&desk, "a.zbd");
    let now = shown(&desk, "a.zbd", TEXTURE).trim_matches('"').to_owned();
    let index = names.iter().position(|name| *name == now).unwrap();
    desk.ok(&["patch", "a.zbd", "--set", &format!("/textures/{index}/name=\"new.tif\"")]);
    assert_eq!(shown(&desk, "a.zbd", TEXTURE), "\"new.tif\"");
}

#[test]
fn users_5_events_name_their_nodes() {
    let desk = Desk::of(&[("a.zbd", ANIM)]);
    let place = "/definitions/3/sequences/0/events/0/payload/node";
    assert_eq!(shown(&desk, "a.zbd", place), "\"hinge\"");
    desk.ok(&["patch", "a.zbd", "--set", &format!("{place}=\"INPUT_NODE\"")]);
    assert_eq!(shown(&desk, "a.zbd", place), "\"INPUT_NODE\"");
    desk.ok(&["patch", "a.zbd", "--set", &format!("{place}=\"hinge\"")]);
    assert!(desk.read("a.zbd") == ANIM);
}

#[test]
fn users_5_labels_follow_what_they_name() {
    const MODEL: &[u8] = include_bytes!("../../golden/install/nwn/override/c_boar.mdl");
    let desk = Desk::of(&[("a.mdl", MODEL)]);
    let label = shown(&desk, "a.mdl", "/raw/0/node");
    let name = label.trim_matches('"');
    desk.ok(&["unpack", "a.mdl", "form"]);
    let raw = desk.all("form/raw").into_iter().find(|file| file.ends_with(".json")).expect("a part");
    desk.edit(&format!("form/raw/{raw}"), |json| *at(json, "/node") = "other".into());
    let said = desk.ok(&["pack", "form", "b.mdl"]);
    assert!(said.err.contains(&format!("/raw/0/node: \"other\" → \"{name}\"")), "{}{}", said.out, said.err);
    assert!(desk.read("b.mdl") == MODEL);
}

#[test]
fn users_21_names_of_indices_are_found() {
    let desk = Desk::of(&[("a.zbd", WORLD)]);
    let name = shown(&desk, "a.zbd", TEXTURE).trim_matches('"').to_owned();
    let found = desk.ok(&["inspect", "a.zbd", "--find", &name]).out;
    assert!(found.lines().any(|line| line == format!("{TEXTURE}: {name}")), "{found}");
}
