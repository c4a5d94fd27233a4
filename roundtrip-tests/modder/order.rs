//! Trees of fields that another program has saved with their fields in another order: only what was edited is a change.

use bitexact::field::Value;
use forge::nwn::gff::{self, Spec, Struct, build};

use super::Desk;
use crate::harness;

fn byte(value: u32) -> gff::Value {
    gff::Value::Word(0, value)
}

fn item(fields: Vec<(&'static str, gff::Value)>) -> Struct {
    Struct { id: 0, fields }
}

/// A creature with this health, and these items in its list.
fn creature(health: u32, first: u32, items: u32) -> Vec<(&'static str, gff::Value)> {
    let list =
        (0..items).map(|at| item(vec![("A", byte(if at == 0 { first } else { at })), ("B", byte(2)), ("C", byte(3))]));
    vec![
        ("Tag", byte(7)),
        ("HP", byte(health)),
        ("List", gff::Value::List(list.collect())),
        ("Z", gff::Value::Struct(item(vec![("X", byte(1)), ("Y", byte(2))]))),
    ]
}

/// Sorts the fields of all structs backward, as a table of fields may have them.
fn resaved(fields: Vec<(&'static str, gff::Value)>) -> Vec<(&'static str, gff::Value)> {
    let structure = |it: Struct| Struct { fields: resaved(it.fields), ..it };
    let mut fields: Vec<_> = fields
        .into_iter()
        .map(|(label, value)| match value {
            gff::Value::List(items) => (label, gff::Value::List(items.into_iter().map(structure).collect())),
            gff::Value::Struct(one) => (label, gff::Value::Struct(structure(one))),
            other => (label, other),
        })
        .collect();
    fields.sort_by_key(|(label, _)| std::cmp::Reverse(*label));
    fields
}

fn file(fields: Vec<(&'static str, gff::Value)>) -> Vec<u8> {
    build(&Spec::new(b"UTC ", fields))
}

const CHANGES: &str = "/HP/value: 10 → 11\n/List/value/0/A/value: 1 → 5\n";

#[test]
fn fields_are_compared_by_label() {
    for items in [1, 9] {
        let desk = Desk::of(&[
            ("a.utc", &file(creature(10, 1, items))),
            ("b.utc", &file(resaved(creature(11, 5, items)))),
            ("same.utc", &file(resaved(creature(10, 1, items)))),
        ]);
        let said = desk.run(&["diff", "a.utc", "b.utc"]);
        let places = items + 2;
        let expected = format!("{CHANGES}/: the fields are in another order in {places} places\n");
        assert_eq!((said.code, said.out, said.err), (1, expected, String::new()));
        let said = desk.run(&["diff", "--full", "a.utc", "b.utc"]);
        assert_eq!(said.out.matches(": the fields are in another order\n").count(), places as usize, "{}", said.out);
        let said = desk.run(&["diff", "--stat", "a.utc", "b.utc"]);
        assert_eq!(said.out, "/: 2 changes, laid out differently\n2 changes in 1 place\n");
        let json: serde_json::Value =
            serde_json::from_str(&desk.run(&["diff", "--json", "a.utc", "b.utc"]).out).unwrap();
        let at: Vec<_> = json["changes"].as_array().unwrap().iter().map(|it| it["at"].as_str().unwrap()).collect();
        assert_eq!(at, ["/HP/value", "/List/value/0/A/value"]);
        let said = desk.run(&["diff", "a.utc", "same.utc"]);
        let expected =
            format!("the same values, laid out differently\n/: the fields are in another order in {places} places\n");
        assert_eq!((said.code, said.out), (1, expected));
        let said = desk.run(&["diff", "--stat", "a.utc", "same.utc"]);
        assert_eq!(said.out, "/: laid out differently\nthe same values, laid out differently\n");
    }
}

#[test]
fn one_struct_in_another_order_is_named() {
    let fields = |inner: [(&'static str, gff::Value); 2]| {
        file(vec![("Z", gff::Value::Struct(item(inner.into()))), ("HP", byte(1))])
    };
    let desk = Desk::of(&[
        ("a.utc", &fields([("X", byte(1)), ("Y", byte(2))])),
        ("b.utc", &fields([("Y", byte(3)), ("X", byte(1))])),
    ]);
    let said = desk.run(&["diff", "a.utc", "b.utc"]);
    assert_eq!(said.out, "/Z/value/Y/value: 2 → 3\n/Z/value: the fields are in another order\n");
}

#[test]
fn changes_apply_to_files_in_any_order() {
    let mut third = creature(10, 1, 9);
    third.rotate_left(2);
    let desk = Desk::of(&[
        ("a.utc", &file(creature(10, 1, 9))),
        ("b.utc", &file(resaved(creature(11, 5, 9)))),
        ("c.utc", &file(third)),
        ("game/a.utc", &file(creature(10, 1, 9))),
    ]);
    desk.write("changes.json", desk.run(&["diff", "--json", "a.utc", "b.utc"]).out.as_bytes());
    for name in ["a.utc", "c.utc"] {
        desk.ok(&["patch", name, "--apply", "changes.json", "-o", "new.utc"]);
        let said = desk.run(&["diff", name, "new.utc"]);
        let is_listed = CHANGES.lines().all(|change| said.out.lines().any(|line| line == change));
        assert!(is_listed && !said.out.contains("order"), "{name}: {}", said.out);
        let said = desk.run(&["diff", "new.utc", "b.utc"]);
        assert!(said.out.starts_with("the same values, laid out differently\n"), "{name}: {}", said.out);
        std::fs::remove_file(desk.path("new.utc")).unwrap();
    }
    let said = desk.ok(&["mod", "make", "a.utc", "b.utc", "-o", "my.mod"]);
    assert_eq!(said.out, "a.utc: 2 changes\n");
    assert!(said.err.contains("a.utc: laid out differently, which is not part of the mod\n"), "{}", said.err);
    desk.ok(&["mod", "apply", "game", "my.mod"]);
    assert_eq!(desk.run(&["diff", "a.utc", "game/a.utc"]).out, CHANGES);
    assert_eq!(desk.read("game/a.utc"), file(creature(11, 5, 9)), "the order of the original stays");
}

#[test]
fn order_alone_is_a_change_that_can_be_applied() {
    let (old, new) = (creature(10, 1, 3), resaved(creature(10, 1, 3)));
    let desk =
        Desk::of(&[("a.utc", &file(old.clone())), ("b.utc", &file(new.clone())), ("c.utc", &file(creature(11, 1, 3)))]);
    desk.write("order.json", desk.run(&["diff", "--json", "a.utc", "b.utc"]).out.as_bytes());
    desk.ok(&["patch", "a.utc", "--apply", "order.json", "-o", "new.utc"]);
    assert_eq!(desk.read("new.utc"), file(new));
    // The old order has to match, but the values do not matter.
    desk.ok(&["patch", "c.utc", "--apply", "order.json", "-o", "other.utc"]);
    let said = desk.run(&["patch", "b.utc", "--apply", "order.json", "-o", "not.utc"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("expected the fields in the order A, B, C, found C, B, A"), "{}", said.err);
    desk.write("game/a.utc", &file(old));
    desk.ok(&["mod", "make", "a.utc", "b.utc", "-o", "my.mod"]);
    desk.ok(&["mod", "apply", "game", "my.mod"]);
    assert_eq!(desk.read("game/a.utc"), desk.read("b.utc"));
}

#[test]
fn mods_of_files_saved_again_do_not_conflict() {
    let tag = |tag: u32| {
        let mut fields = creature(10, 1, 3);
        fields[0].1 = byte(tag);
        fields
    };
    let desk = Desk::of(&[
        ("old/a.utc", &file(creature(10, 1, 3))),
        ("old/other.utc", &file(creature(1, 1, 1))),
        ("one/a.utc", &file(resaved(creature(11, 1, 3)))),
        // A tool that saves a whole folder again changes the layout of every file.
        ("one/other.utc", &file(resaved(creature(1, 1, 1)))),
        ("two/a.utc", &file(resaved(tag(8)))),
        ("two/other.utc", &file(creature(1, 1, 1))),
    ]);
    let said = desk.ok(&["mod", "make", "old", "one", "-o", "one.mod"]);
    assert_eq!(said.out, "a.utc: 1 change\n");
    assert!(said.err.contains("a.utc and 1 more file: laid out differently"), "{}", said.err);
    desk.ok(&["mod", "make", "old", "two", "-o", "two.mod"]);
    desk.ok(&["mod", "apply", "old", "one.mod", "two.mod"]);
    let mut both = creature(11, 1, 3);
    both[0].1 = byte(8);
    assert_eq!(desk.read("old/a.utc"), file(both));
    assert_eq!(desk.read("old/other.utc"), file(creature(1, 1, 1)));
}

#[test]
fn added_field_is_a_change_in_any_place() {
    let mut new = creature(10, 1, 3);
    new.insert(1, ("Added", byte(4)));
    let desk = Desk::of(&[("a.utc", &file(creature(10, 1, 3))), ("b.utc", &file(new))]);
    let said = desk.run(&["diff", "a.utc", "b.utc"]);
    assert!(said.out.starts_with("/Added: added "), "{}", said.out);
    desk.write("game/a.utc", &file(creature(10, 1, 3)));
    assert_eq!(desk.ok(&["mod", "make", "a.utc", "b.utc", "-o", "my.mod"]).out, "a.utc: 1 change\n");
    desk.ok(&["mod", "apply", "game", "my.mod"]);
    assert_eq!(desk.ok(&["inspect", "game/a.utc", "/Added/value"]).out, "4\n");
}

#[test]
fn fields_with_the_same_label_stay_apart() {
    let desk = Desk::of(&[
        ("a.utc", &file(vec![("A", byte(1)), ("B", byte(2)), ("A", byte(3))])),
        ("b.utc", &file(vec![("B", byte(2)), ("A", byte(1)), ("A", byte(4))])),
    ]);
    let said = desk.run(&["diff", "a.utc", "b.utc"]);
    assert_eq!(said.out, "/A#2/value: 3 → 4\n/: the fields are in another order\n");
    desk.write("changes.json", desk.run(&["diff", "--json", "a.utc", "b.utc"]).out.as_bytes());
    desk.ok(&["patch", "a.utc", "--apply", "changes.json"]);
    assert_eq!(desk.read("a.utc"), file(vec![("A", byte(1)), ("B", byte(2)), ("A", byte(4))]));
}

/// Items of lists that are in another order and removed are found by their values.
#[test]
fn removed_item_is_found_in_any_order() {
    let desk = Desk::of(&[
        ("a.utc", &file(creature(10, 1, 9))),
        ("b.utc", &file(creature(10, 1, 8))),
        ("c.utc", &file(resaved(creature(10, 1, 9)))),
    ]);
    desk.write("changes.json", desk.run(&["diff", "--json", "a.utc", "b.utc"]).out.as_bytes());
    desk.ok(&["patch", "c.utc", "--apply", "changes.json"]);
    let said = desk.run(&["diff", "b.utc", "c.utc"]);
    assert!(said.out.starts_with("the same values, laid out differently\n"), "{}", said.out);
}

/// The files of the corpora, with their fields in another order.
#[test]
fn known_files_saved_again_have_no_changes_of_values() {
    let Some(corpora) = harness::corpora() else { return eprintln!("no corpora: known files are not saved again") };
    let (mut seen, mut relaid) = (0, 0);
    for found in bitexact::install::files(&corpora.join("nwn-install/stated")).unwrap() {
        let bytes = found.read().unwrap();
        let is_gff = bitexact::registry::recognize(bitexact::registry::KINDS, &found.name(), &bytes)
            .is_some_and(|it| it.0.name == "gff");
        if !is_gff || seen == 12 {
            continue;
        }
        seen += 1;
        let desk = Desk::of(&[("a.gff", &bytes)]);
        desk.ok(&["unpack", "a.gff", "form"]);
        // The second field with a label comes after the first.
        if String::from_utf8_lossy(&desk.read("form/bitexact.json")).contains("#2\"") {
            continue;
        }
        desk.edit("form/bitexact.json", |json| reverse(json.step_mut("data").unwrap()));
        desk.ok(&["pack", "form", "b.gff"]);
        let said = desk.run(&["diff", "--json", "a.gff", "b.gff"]);
        let json: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        for change in json["changes"].as_array().unwrap() {
            relaid += 1;
            let is_layout = change["do"] == "order" || change["at"] == "/__layout";
            assert!(is_layout, "{}: {change}", found.shown());
        }
    }
    assert!(seen > 0 && relaid > 0, "{seen} {relaid}");
}

fn reverse(json: &mut Value) {
    match json {
        Value::Object(members) => {
            let fields: Vec<_> = members.iter().filter(|(name, _)| !name.starts_with("__")).rev().cloned().collect();
            members
                .iter_mut()
                .filter(|(name, _)| !name.starts_with("__"))
                .zip(fields)
                .for_each(|(slot, it)| *slot = it);
            members.iter_mut().filter(|(name, _)| name != "__layout").for_each(|(_, value)| reverse(value));
        }
        Value::List(items) => items.iter_mut().for_each(reverse),
        _ => {}
    }
}
