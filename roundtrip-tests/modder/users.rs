//! What users asked for, item by item.

use bitexact::field::Json;
use forge::Size;

use super::recompute_option::FILE;
use super::{Desk, archive};
use crate::harness::SEED;

/// Returns a desk with a generated file.
fn forged(name: &str) -> Desk {
    let samples = forge::samples(SEED, Size::Small);
    let sample = samples.into_iter().find(|it| it.name == name).unwrap_or_else(|| panic!("no {name}"));
    Desk::of(&[(name, &sample.bytes)])
}

fn inspect(desk: &Desk, file: &str, place: &str) -> String {
    let json = desk.ok(&["inspect", "--json", file, place]).out;
    bitexact::exchange::parse(json.as_bytes()).unwrap().get("value").unwrap().to_string()
}

#[test]
fn users_1_deviations_that_an_edit_creates_are_printed_with_it() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let said = desk.ok(&["patch", "reader.zbd", "-n", "--set", "weapons.zrd:/0/1=7.5"]);
    assert!(!said.err.contains("deviation: "), "{}", said.err);
    let texture = forged("texture_name_tail.zbd");
    let said = texture.ok(&["patch", "texture_name_tail.zbd", "-n", "--set", "/directory/0/palette_index=99"]);
    assert!(said.err.contains("deviation: /directory/0/palette_index: expected "), "{}{}", said.out, said.err);
    assert!(said.err.contains("found 99"), "{}", said.err);
}

#[test]
fn users_14_wrong_place_names_what_exists_and_what_is_near() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    for (place, expected) in [
        ("/entry/0", "no entry at the top level; did you mean entries?"),
        ("/entries/0/nam", "no nam in /entries/0; did you mean name?"),
        ("weapon.zrd:/0", "no entry of this name; did you mean weapons.zrd?"),
        ("weapons.zrd:/0/99", "no 99 in /0, which has the items 0 to 2"),
    ] {
        for args in [vec!["inspect", "reader.zbd", place], vec!["patch", "reader.zbd", "-n", "--delete", place]] {
            let said = desk.run(&args);
            assert_eq!((said.code, said.err.contains(expected)), (2, true), "{args:?}: {}", said.err);
        }
    }
}

#[test]
fn users_15_plain_text_sets_a_text_and_keeps_its_tail() {
    let desk = forged("texture_name_tail.zbd");
    let name = "texture_name_tail.zbd";
    let before = inspect(&desk, name, "/directory/1/name");
    assert!(before.contains("sky") && before.contains("tail"), "{before}");
    desk.ok(&["patch", name, "--set", "/directory/1/name=\"hip\""]);
    assert_eq!(inspect(&desk, name, "/directory/1/name"), before.replace("sky", "hip"));
}

#[test]
fn users_16_items_of_lists_are_inserted_and_deleted() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    let list = |desk: &Desk| inspect(desk, "reader.zbd", "weapons.zrd:/0");
    let before = list(&desk);
    desk.ok(&["patch", "reader.zbd", "--insert", "weapons.zrd:/0/1=\"B\"", "--insert", "weapons.zrd:/0/0=\"A\""]);
    assert_eq!(inspect(&desk, "reader.zbd", "weapons.zrd:/0/0"), "\"A\"");
    assert_eq!(inspect(&desk, "reader.zbd", "weapons.zrd:/0/2"), "\"B\"");
    // Both places are those before the command.
    desk.ok(&["patch", "reader.zbd", "--delete", "weapons.zrd:/0/0", "--delete", "weapons.zrd:/0/2"]);
    assert_eq!(list(&desk), before);
    let said = desk.run(&["patch", "reader.zbd", "--insert", "weapons.zrd:/0/9=1"]);
    assert!(said.code == 2 && said.err.contains("which has the items 0 to 2"), "{}", said.err);
}

#[test]
fn users_18_whole_number_sets_a_float() {
    let desk = Desk::of(&[("reader.zbd", &archive())]);
    desk.ok(&["patch", "reader.zbd", "--set", "weapons.zrd:/0/1=100"]);
    assert_eq!(inspect(&desk, "reader.zbd", "weapons.zrd:/0/1"), "100.0");
    desk.ok(&["patch", "reader.zbd", "--set", "weapons.zrd:/0/1=100", "--retype"]);
    assert_eq!(inspect(&desk, "reader.zbd", "weapons.zrd:/0/1"), "100");
}

/// Above 64 values, the edits go through the exchange format as a whole.
#[test]
fn many_values_are_set_as_few_are() {
    let desk = super::recompute_option::forged("mw_c1_gamez.zbd");
    let count = desk.value().get("nodes").and_then(|it| it.get("slots")).and_then(Json::items).unwrap().len();
    let sets: Vec<String> = (0..count)
        .flat_map(|node| {
            ["zone_id=7", "area_partition_x=3", "area_partition_z=4"].map(|set| format!("/nodes/slots/{node}/{set}"))
        })
        .collect();
    assert!(sets.len() > 64, "{}", sets.len());
    let patch = |from: &str, sets: &[String], to: &str| {
        let mut args = vec!["patch", from, "-o", to, "--force"];
        sets.iter().for_each(|set| args.extend(["--set", set]));
        desk.ok(&args);
    };
    patch(FILE, &sets, "at once");
    let mut from = FILE.to_owned();
    for (nth, few) in sets.chunks(50).enumerate() {
        let to = format!("step {nth}");
        patch(&from, few, &to);
        from = to;
    }
    assert_ne!(desk.read("at once"), desk.read(FILE));
    assert!(desk.read("at once") == desk.read(&from));
}
