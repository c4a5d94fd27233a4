//! Edits that leave dependent values stale: each test fails until the named step is done.

use std::fs;

use bitexact::exchange::parse;
use bitexact::field::Json;
use forge::Size;

use super::Desk;
use crate::harness::{self, SEED, corpora, expected_to_fail};

/// The step that allows setting, inserting and computing every place by its type.
const STEP: &str = "step 2: typed access by place";
/// The file to edit, and the result.
const FILE: &str = "file";
const NEW: &str = "new";

/// Returns a desk with a generated file.
fn forged(name: &str) -> Desk {
    let samples = forge::samples(SEED, Size::Small);
    let sample = samples.into_iter().find(|it| it.name == name).unwrap_or_else(|| panic!("no {name}"));
    Desk::of(&[(FILE, &sample.bytes)])
}

/// Returns a desk with a file of the corpora, or `None` if they are absent.
fn found(path: &str) -> Option<Desk> {
    let Some(corpora) = corpora() else {
        eprintln!("corpora: absent beside the project, {path} is left out");
        return None;
    };
    let path = corpora.join(path);
    Some(Desk::of(&[(FILE, &fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))]))
}

impl Desk {
    /// Returns the contents of the file.
    fn value(&self) -> Json {
        let json = parse(self.ok(&["inspect", "--json", FILE]).out.as_bytes()).unwrap();
        json.get("value").unwrap().clone()
    }

    /// Returns the deviations of a file: the first place of each type, and the count.
    fn deviations(&self, file: &str) -> Vec<String> {
        let said = self.run(&["verify", "--json", file]).out;
        let row = parse(said.lines().next().unwrap().as_bytes()).unwrap();
        assert_eq!(row.get("status").and_then(Json::text), Some("identical"), "{said}");
        let deviations = row.get("deviations").and_then(Json::items).unwrap_or_default();
        deviations
            .iter()
            .map(|it| format!("{} {}", it.get("first_place").unwrap().text().unwrap(), it.get("count").unwrap()))
            .collect()
    }

    /// Sets a value and recomputes one that depends on it: no new deviations appear.
    fn recomputes(&self, set: &str, dependent: &str) {
        let said = self.run(&["patch", FILE, "-o", NEW, "--set", set, "--recompute", dependent]);
        assert_eq!(said.code, 0, "--set {set} --recompute {dependent}: {}", said.err);
        assert_eq!(self.deviations(NEW), self.deviations(FILE), "--set {set} --recompute {dependent}");
    }

    /// Sets a value: new deviations are reported with the edit.
    fn reports(&self, set: &str) {
        let said = self.ok(&["patch", FILE, "-o", NEW, "--set", set]);
        let before = self.deviations(FILE);
        for it in self.deviations(NEW).iter().filter(|it| !before.contains(it)) {
            let place = it.split(' ').next().unwrap();
            assert!(said.out.contains(place) || said.err.contains(place), "--set {set}: {place} deviates, unreported");
        }
    }
}

/// Returns the index of the first object with a matrix in a world.
fn object(desk: &Desk) -> usize {
    let world = desk.value();
    let slots = world.get("nodes").and_then(|nodes| nodes.get("slots")).and_then(Json::items).unwrap();
    slots.iter().position(|slot| slot.get("object").and_then(|it| it.get("transform")).is_some()).expect("an object")
}

#[test]
fn matrix_can_be_recomputed_after_an_edit_of_the_scale() {
    expected_to_fail(STEP, "expected a list of 12, found an object", || {
        let desk = forged("mw_c1_gamez.zbd");
        let at = format!("/nodes/slots/{}/object", object(&desk));
        desk.recomputes(&format!("{at}/scale/0=0.75"), &format!("{at}/transform"));
    });
    if let Some(desk) = found("zipper/mw/zbd/c1/gamez.zbd") {
        expected_to_fail(STEP, "expected a list of 12, found an object", || {
            let at = "/nodes/slots/421/object";
            desk.recomputes(&format!("{at}/scale/0=0.75"), &format!("{at}/transform"));
        });
    }
}

#[test]
fn stale_matrix_is_reported_after_an_edit_of_the_scale() {
    let desk = forged("mw_c1_gamez.zbd");
    desk.reports(&format!("/nodes/slots/{}/object/scale/0=0.75", object(&desk)));
}

#[test]
fn material_counts_can_be_recomputed_after_an_edit_of_a_polygon() {
    let words = "expected no member models/slots/";
    expected_to_fail(STEP, words, || {
        forged("pm_c1_gamez.zbd")
            .recomputes("/models/slots/0/polygons/0/materials/0=5", "/models/slots/0/material_refs");
    });
    if let Some(desk) = found("zipper/pm/zbd/c1/gamez.zbd") {
        expected_to_fail(STEP, words, || {
            desk.recomputes("/models/slots/62/polygons/4/materials/0=134", "/models/slots/62/material_refs");
        });
    }
}

#[test]
fn stale_material_counts_are_reported_after_an_edit_of_a_polygon() {
    forged("pm_c1_gamez.zbd").reports("/models/slots/0/polygons/0/materials/0=5");
}

#[test]
fn last_frame_can_be_recomputed_after_an_edit_of_the_first() {
    let words = "rotations: expected a list, found an object";
    let rotates = |desk: &Desk, entry: &str| {
        desk.recomputes(&format!("{entry}:/parts/0/rotations/0/0=0.080011"), &format!("{entry}:/parts/0/rotations"));
    };
    expected_to_fail(STEP, words, || {
        let desk = forged("mw_motion.zbd");
        let Json::Object(members) = desk.value() else { panic!("an archive") };
        let entry = members.iter().find_map(|(name, _)| name.strip_suffix('!'));
        rotates(&desk, entry.expect("a motion"));
    });
    if let Some(desk) = found("zipper/mw/zbd/motion.zbd") {
        expected_to_fail(STEP, words, || rotates(&desk, "nor_run"));
    }
}

/// Returns the text of a name, with or without leftover memory after it.
fn name(node: &Json) -> Option<&str> {
    let name = node.get("name")?;
    name.text().or_else(|| name.get("text")?.text())
}

/// Appends a node and every node below it, with their places.
fn nodes<'a>(node: &'a Json, place: &str, all: &mut Vec<(String, &'a Json)>) {
    all.push((place.to_owned(), node));
    for (nth, child) in node.get("children").and_then(Json::items).unwrap_or_default().iter().enumerate() {
        nodes(child, &format!("{place}/children/{nth}"), all);
    }
}

/// Nodes with their places.
type Nodes<'a> = Vec<(String, &'a Json)>;

/// Returns the nodes of the geometry and of the animations of a model.
fn trees(model: &Json) -> (Nodes<'_>, Nodes<'_>) {
    let (mut geometry, mut animated) = (Vec::new(), Vec::new());
    if let Some(root) = model.get("root") {
        nodes(root, "/root", &mut geometry);
    }
    for (nth, it) in model.get("animations").and_then(Json::items).unwrap_or_default().iter().enumerate() {
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
    let is_animated = |node: &Json| animated.iter().any(|(_, other)| name(other) == name(node));
    let (place, node) = geometry.iter().skip(1).find(|(_, node)| is_animated(node)).expect("a node that moves");
    let old = name(node).unwrap().to_owned();
    let member = if node.get("name").is_some_and(|name| name.text().is_some()) { "name" } else { "name/text" };
    let said = desk.run(&["patch", FILE, "--set", &format!("{place}/{member}=\"renamed\"")]);
    assert_eq!(said.code, 0, "renaming {place}, {old}: {}", said.err);
    let model = desk.value();
    let left: Vec<_> = trees(&model).1.into_iter().filter(|(_, node)| name(node) == Some(&old)).collect();
    assert!(left.is_empty(), "{} is {old} still", left[0].0);
}

#[test]
fn animations_are_updated_when_a_node_is_renamed() {
    let words = "own_part_number";
    for name in ["allocated.mdl", "event_order.mdl"] {
        expected_to_fail(STEP, words, || renames(&forged(name)));
    }
    for name in ["plc_dustmotes.mdl", "vim_magblu.mdl", "vdr_turning02_g.mdl"] {
        if let Some(desk) = found(&format!("nwn/{name}")) {
            expected_to_fail(STEP, words, || renames(&desk));
        }
    }
}

#[test]
fn entry_of_a_table_in_mac_roman_gets_the_bytes_of_its_name() {
    let desk = forged("m2_map_a.sceA");
    desk.write("new", &[1, 2]);
    desk.ok(&["patch", FILE, "--add", "0!%C3%A9~2=new"]);
    let said = desk.run(&["inspect", FILE, "0!%C3%A9~2"]);
    assert_eq!(said.code, 0, "no such entry: {}", said.err);
}

#[test]
fn renamed_entry_of_a_table_in_mac_roman_gets_the_bytes_of_its_name() {
    let desk = forged("m2_map_a.sceA");
    desk.write("new", &[1, 2]);
    desk.ok(&["patch", FILE, "--add", "0!abcd=new"]);
    desk.ok(&["patch", FILE, "--rename", "0!abcd=p%8Cth"]);
    desk.ok(&["patch", FILE, "--rename", "0!p%8Cth=%C3%A9~2"]);
    let said = desk.run(&["inspect", FILE, "0!%C3%A9~2"]);
    assert_eq!(said.code, 0, "no such entry: {}", said.err);
}

#[test]
#[should_panic(expected = "this passes now: remove `expected_to_fail` around it")]
fn passing_test_must_lose_its_mark() {
    expected_to_fail("never", "", || ());
}

#[test]
#[should_panic(expected = "this fails, but without the words")]
fn expected_failure_needs_the_expected_words() {
    harness::expected_to_fail("never", "one", || panic!("another"));
}
