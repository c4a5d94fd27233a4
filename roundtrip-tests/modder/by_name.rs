//! Things are found and renamed by their names: `@NAME` in places, and `--rename-node`.

use bitexact::field::Value;

use super::recompute_option::{FILE, forged, found};
use super::{Desk, archive};

/// Returns the text of a name, with or without leftover memory after it.
fn name(node: &Value) -> Option<&str> {
    let name = node.get("name")?;
    name.text().or_else(|| name.get("text")?.text())
}

/// Appends a node and every node below it, with their places.
fn nodes<'a>(node: &'a Value, place: &str, all: &mut Vec<(String, &'a Value)>) {
    all.push((place.to_owned(), node));
    for (nth, child) in node.get("children").and_then(Value::items).unwrap_or_default().iter().enumerate() {
        nodes(child, &format!("{place}/children/{nth}"), all);
    }
}

/// Nodes with their places.
type Nodes<'a> = Vec<(String, &'a Value)>;

/// Returns the nodes of the geometry and of the animations of a model.
fn trees(model: &Value) -> (Nodes<'_>, Nodes<'_>) {
    let (mut geometry, mut animated) = (Vec::new(), Vec::new());
    if let Some(root) = model.get("root") {
        nodes(root, "/root", &mut geometry);
    }
    for (nth, it) in model.get("animations").and_then(Value::items).unwrap_or_default().iter().enumerate() {
        if let Some(root) = it.get("root") {
            nodes(root, &format!("/animations/{nth}/root"), &mut animated);
        }
    }
    (geometry, animated)
}

/// Renames the first node that animations contain too: they contain it under its new name.
fn renames(desk: &Desk) {
    let model = desk.value();
    let (geometry, animated) = trees(&model);
    let is_animated = |node: &Value| animated.iter().any(|(_, other)| name(other) == name(node));
    let (place, node) = geometry.iter().skip(1).find(|(_, node)| is_animated(node)).expect("a node that moves");
    let old = name(node).unwrap().to_owned();
    let said = desk.run(&["patch", FILE, "--rename-node", &format!("{old}=renamed")]);
    assert_eq!(said.code, 0, "renaming {place}, {old}: {}", said.err);
    assert!(said.out.contains(&format!("{place}/name")), "it says where: {}", said.out);
    let model = desk.value();
    let left: Vec<_> = trees(&model).1.into_iter().filter(|(_, node)| name(node) == Some(&old)).collect();
    assert!(left.is_empty(), "{} is {old} still", left[0].0);
}

#[test]
fn animations_are_updated_when_a_node_is_renamed() {
    for name in ["allocated.mdl", "event_order.mdl"] {
        renames(&forged(name));
    }
    for name in ["plc_dustmotes.mdl", "vim_magblu.mdl", "vdr_turning02_g.mdl"] {
        if let Some(desk) = found(&format!("nwn/{name}")) {
            renames(&desk);
        }
    }
}

#[test]
fn animation_files_are_updated_when_a_node_is_renamed() {
    let desk = Desk::of(&[(FILE, include_bytes!("../../golden/install/mw/zbd/c1/anim.zbd"))]);
    let said = desk.ok(&["patch", FILE, "--rename-node", "hinge=angel"]);
    for place in ["/definitions/1/objects/1/name", "/definitions/1/nodes/1/name"] {
        assert!(said.out.contains(&format!("{place}: \"hinge\" → \"angel\"")), "{}", said.out);
    }
    assert!(!said.err.contains("deviation: "), "{}", said.err);
    assert!(!desk.ok(&["inspect", "--json", FILE]).out.contains("hinge"), "events refer to it by index");
    // The name of a light is also in the events that set it.
    let said = desk.ok(&["patch", FILE, "--rename-node", "lamp=lampe"]);
    assert!(said.out.contains("/payload/name: \"lamp\" → \"lampe\""), "{}", said.out);
    assert!(!said.err.contains("deviation: "), "{}", said.err);
}

#[test]
fn wrong_name_of_a_node_is_refused() {
    let desk = Desk::of(&[(FILE, include_bytes!("../../golden/install/mw/zbd/c1/gamez.zbd"))]);
    let said = desk.run(&["patch", FILE, "--rename-node", "windw1=x"]);
    assert_eq!((said.code, said.err.contains("windw1: nothing has this name; did you mean window1?")), (2, true));
    let long = "a".repeat(40);
    let said = desk.run(&["patch", FILE, "--rename-node", &format!("window1={long}")]);
    assert_eq!((said.code, said.err.contains("/nodes/slots/1/name: ")), (2, true), "{}", said.err);
}

#[test]
fn places_can_begin_with_a_name() {
    let desk = Desk::of(&[(FILE, include_bytes!("../../golden/install/mw/zbd/c1/gamez.zbd"))]);
    let same = |one: &str, other: &str| {
        let [one, other] = [one, other].map(|place| desk.ok(&["inspect", "--json", FILE, place]).out);
        assert_eq!(one, other);
    };
    same("@window1", "/nodes/slots/1");
    same("@WINDOW1/window/origin_x", "/nodes/slots/1/window/origin_x");
    let said = desk.ok(&["patch", FILE, "-n", "--set", "@window1/window/origin_x=4"]);
    assert!(said.out.contains("/nodes/slots/1/window/origin_x: "), "{}", said.out);
    let said = desk.run(&["inspect", FILE, "@object"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("several have this name: /nodes/slots/5, /nodes/slots/7, "), "{}", said.err);
    let said = desk.run(&["inspect", FILE, "@window"]);
    assert!(said.err.contains("@window: nothing has this name; did you mean window1?"), "{}", said.err);
}

#[test]
fn entries_can_be_found_by_name() {
    let desk = Desk::of(&[(FILE, &archive())]);
    desk.ok(&["patch", FILE, "--set", "@weapons.zrd/0/1=7.5"]);
    let shown = desk.ok(&["inspect", FILE, "@weapons.zrd"]).out;
    assert!(shown.starts_with("weapons.zrd:\n") && shown.contains("7.5"), "{shown}");
}
