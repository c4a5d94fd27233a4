//! Folders and mods with the member names of earlier versions are still taken.

use bitexact::exchange::{parse, print};
use bitexact::field::Json;

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

/// Replaces all decimals by the numbers of parts of 65,536 that earlier versions wrote. Only Marathon has no other decimals.
fn in_parts(json: &mut Json) {
    match json {
        Json::Float(value) => *json = Json::Integer((*value * 65536.0).round() as i64),
        Json::List(items) => items.iter_mut().for_each(in_parts),
        Json::Object(members) => members.iter_mut().for_each(|(_, value)| in_parts(value)),
        _ => {}
    }
}

fn with_former_decimals(text: &[u8]) -> Vec<u8> {
    let mut json = parse(text).unwrap();
    in_parts(&mut json);
    if let Some(schema) = json.step_mut("schema") {
        *schema = 1.into();
    }
    print(&json)
}

const WITH_DECIMALS: [&str; 4] =
    ["m1/Physics.phys", "m2/Physics Models/Standard.phyA", "m2/Map.sceA", "m2/Sounds.sndA"];

fn golden(file: &str) -> Vec<u8> {
    std::fs::read(format!("{}/golden/install/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn folder_with_integers_for_decimals_packs_to_the_same_file() {
    let mut with_rates = 0;
    for file in WITH_DECIMALS {
        let desk = Desk::of(&[("a", &golden(file))]);
        desk.ok(&["unpack", "a", "form"]);
        let documents: Vec<String> = desk.all("form").into_iter().filter(|path| path.ends_with(".json")).collect();
        for path in documents.iter().map(|path| format!("form/{path}")) {
            let text = desk.read(&path);
            with_rates += usize::from(String::from_utf8_lossy(&text).contains("\"rate\": {\"kept\":"));
            desk.write(&path, &with_former_decimals(&text));
        }
        desk.ok(&["pack", "form", "b"]);
        assert!(desk.read("b") == desk.read("a"), "{file}");
    }
    assert!(with_rates > 0);
}

#[test]
fn integer_for_a_decimal_is_refused() {
    let desk = Desk::of(&[("a", &golden("m1/Physics.phys"))]);
    desk.ok(&["unpack", "a", "form"]);
    desk.edit("form/bitexact.json", |json| {
        let keys = ["data", "blocks", "4", "weapons", "0", "idle_height"];
        *keys.iter().try_fold(json, |json, key| json.step_mut(key)).unwrap() = 2.into();
    });
    let said = desk.run(&["pack", "form", "b"]);
    let why = "idle_height: expected a decimal from -32768.0 to 32767.99998, such as 1.5 (98304 in earlier versions), found 2";
    assert!(said.code == 2 && said.err.contains(why), "{}", said.err);
}

#[test]
fn mod_with_integers_for_decimals_applies() {
    let desk = Desk::of(&[("a", &golden("m1/Physics.phys"))]);
    let weapons = "/blocks/4/weapons";
    desk.ok(&["patch", "a", "--set", &format!("{weapons}/0/idle_height=0.25"), "--output", "b"]);
    let first = desk.run(&["inspect", "--json", "a", &format!("{weapons}/0")]).out;
    let first = parse(first.as_bytes()).unwrap().get("value").unwrap().to_string();
    desk.ok(&["patch", "b", "--insert", &format!("{weapons}/-={first}")]);
    let made = desk.run(&["diff", "--json", "a", "b"]).out;
    assert!(made.contains("\"schema\":2") && made.contains("0.25"), "{made}");
    desk.write("mod.json", &with_former_decimals(made.as_bytes()));
    desk.ok(&["patch", "a", "--apply", "mod.json"]);
    assert!(desk.read("a") == desk.read("b"));
}

const MODEL: &str = "nwn/override/vff_howl.mdl";

/// Replaces controllers by the members of earlier versions.
fn with_former_controllers(json: &mut Json) {
    if let Json::List(items) = json {
        items.iter_mut().for_each(with_former_controllers);
    }
    let Json::Object(members) = json else { return };
    members.iter_mut().for_each(|(_, value)| with_former_controllers(value));
    let Some(Json::List(controllers)) = json.take_member("controllers") else { return };
    let (mut keys, mut data) = (Vec::new(), Vec::new());
    for controller in controllers {
        let rows: Vec<&[Json]> =
            controller.get("rows").unwrap().items().unwrap().iter().filter_map(Json::items).collect();
        let mut key = controller.without(&["rows"]);
        key.put("rows", rows.len().into());
        key.put("time_index", data.len().into());
        key.put("data_index", (data.len() + rows.len()).into());
        if key.get("columns").is_none() {
            key.put("columns", (rows[0].len() - 1).into());
        }
        keys.push(key);
        data.extend(rows.iter().map(|row| row[0].clone()));
        data.extend(rows.iter().flat_map(|row| row[1..].iter().cloned()));
    }
    json.put("keys", keys.into());
    json.put("data", data.into());
}

#[test]
fn folder_with_indices_of_controllers_packs_to_the_same_file() {
    let desk = Desk::of(&[("a.mdl", &golden(MODEL))]);
    desk.ok(&["unpack", "a.mdl", "form"]);
    desk.edit("form/bitexact.json", with_former_controllers);
    assert!(String::from_utf8(desk.read("form/bitexact.json")).unwrap().contains("\"time_index\""));
    desk.ok(&["pack", "form", "b.mdl"]);
    assert!(desk.read("b.mdl") == desk.read("a.mdl"));
}

#[test]
fn mod_with_indices_of_controllers_applies() {
    let desk = Desk::of(&[("a.mdl", &golden(MODEL))]);
    let node = "/root/children/0";
    let rows = format!("{node}/controllers/2/rows");
    desk.ok(&["patch", "a.mdl", "--set", &format!("{rows}=[[0.0, 1.0]]")]);
    desk.ok(&["patch", "a.mdl", "--set", &format!("{rows}/0/1=7.5"), "--output", "b.mdl"]);
    desk.ok(&["patch", "b.mdl", "--insert", &format!("{rows}/-=[2.0, 3.0]")]);
    // The indices that earlier versions showed.
    desk.ok(&["unpack", "a.mdl", "form"]);
    let mut json = parse(&desk.read("form/bitexact.json")).unwrap();
    with_former_controllers(&mut json);
    let node_of = |json: &Json| {
        ["data", "root", "children", "0"].iter().fold(json.clone(), |it, key| it.step(key).unwrap().clone())
    };
    let key = node_of(&json).get("keys").unwrap().items().unwrap()[2].clone();
    let value = key.get("data_index").unwrap().whole().unwrap();
    let changes = [
        format!(r#"{{"do": "set", "at": "{node}/data/{value}", "old": 1.0, "new": 7.5}}"#),
        format!(r#"{{"do": "set", "at": "{node}/keys/2/rows", "old": 1, "new": 2}}"#),
        format!(r#"{{"do": "insert", "at": "{node}/data/{value}", "new": 2.0}}"#),
        format!(r#"{{"do": "insert", "at": "{node}/data/{}", "new": 3.0}}"#, value + 2),
    ];
    desk.write(
        "mod.json",
        format!(r#"{{"schema": 1, "kind": "mdl", "changes": [{}]}}"#, changes.join(", ")).as_bytes(),
    );
    desk.ok(&["patch", "a.mdl", "--apply", "mod.json"]);
    assert!(desk.read("a.mdl") == desk.read("b.mdl"));
}

/// The frames of cycled materials were the indices of their textures alone.
#[test]
fn folder_with_frames_that_are_numbers_packs_to_the_same_file() {
    let world = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/install/mw/zbd/c1/gamez.zbd");
    let desk = Desk::of(&[("gamez.zbd", &std::fs::read(world).unwrap())]);
    desk.ok(&["unpack", "gamez.zbd", "form"]);
    let text = String::from_utf8(desk.read("form/bitexact.json")).unwrap();
    let mut former = String::new();
    let mut parts = text.split("\"frames\": [");
    former.push_str(parts.next().unwrap());
    for part in parts {
        let (frames, rest) = part.split_once(']').unwrap();
        let frames = frames.replace("{\"texture_index\": ", "").replace('}', "");
        former.push_str(&format!("\"frames\": [{frames}]{rest}"));
    }
    assert!(former.len() < text.len(), "{text}");
    desk.write("form/bitexact.json", former.as_bytes());
    desk.ok(&["pack", "form", "packed.zbd"]);
    assert!(desk.read("packed.zbd") == desk.read("gamez.zbd"));
}
