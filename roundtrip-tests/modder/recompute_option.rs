//! `patch --recompute`: values that are normally only compared with their rule follow an edit if the user asks for it.

use std::fs;

use bitexact::exchange::parse;
use bitexact::field::Value;
use bitexact::json::Compact;

use super::{Desk, archive};
use crate::harness::{corpora, sample};

/// The file to edit, and the result.
pub(super) const FILE: &str = "file";
const NEW: &str = "new";

/// Returns a desk with a generated file.
pub(super) fn forged(name: &str) -> Desk {
    Desk::of(&[(FILE, &sample(name))])
}

/// Returns a desk with a file of the corpora, or `None` if they are absent.
pub(super) fn found(path: &str) -> Option<Desk> {
    let Some(corpora) = corpora() else {
        eprintln!("corpora: absent beside the project, {path} is left out");
        return None;
    };
    let path = corpora.join(path);
    Some(Desk::of(&[(FILE, &fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))]))
}

impl Desk {
    /// Returns the contents of the file.
    pub(super) fn value(&self) -> Value {
        let json = parse(self.ok(&["inspect", "--json", FILE]).out.as_bytes()).unwrap();
        json.get("value").unwrap().clone()
    }
}

impl Desk {
    /// Returns the deviations of a file: the first place of each type, and the count.
    fn deviations(&self, file: &str) -> Vec<String> {
        let said = self.run(&["verify", "--json", file]).out;
        let row = parse(said.lines().next().unwrap().as_bytes()).unwrap();
        assert_eq!(row.get("status").and_then(Value::text), Some("identical"), "{said}");
        let deviations = row.get("deviations").and_then(Value::items).unwrap_or_default();
        deviations
            .iter()
            .map(|it| {
                format!("{} {}", it.get("first_place").unwrap().text().unwrap(), Compact(it.get("count").unwrap()))
            })
            .collect()
    }

    /// Sets a value and recomputes one that depends on it: no new deviations appear.
    fn recomputes(&self, set: &str, dependent: &str) {
        let said = self.run(&["patch", FILE, "-o", NEW, "--force", "--set", set, "--recompute", dependent]);
        assert_eq!(said.code, 0, "--set {set} --recompute {dependent}: {}", said.err);
        assert!(said.err.contains("recomputed: "), "--set {set} --recompute {dependent}: {}", said.err);
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
    let slots = world.get("nodes").and_then(|nodes| nodes.get("slots")).and_then(Value::items).unwrap();
    slots.iter().position(|slot| slot.get("object").and_then(|it| it.get("transform")).is_some()).expect("an object")
}

#[test]
fn matrix_can_be_recomputed_after_an_edit_of_the_scale() {
    let desk = forged("mw_c1_gamez.zbd");
    let at = format!("/nodes/slots/{}/object", object(&desk));
    let set = format!("{at}/scale/0=0.75");
    desk.recomputes(&set, &format!("{at}/transform"));
    desk.recomputes(&set, &at);
    // All values of the file: deviations that it had before are corrected, too.
    desk.ok(&["patch", FILE, "-o", NEW, "--force", "--set", &set, "--recompute", "/"]);
    assert!(desk.deviations(NEW).iter().all(|it| !it.contains("/transform")), "{:?}", desk.deviations(NEW));
    if let Some(desk) = found("zipper/mw/zbd/c1/gamez.zbd") {
        let at = "/nodes/slots/421/object";
        desk.recomputes(&format!("{at}/scale/0=0.75"), &format!("{at}/transform"));
    }
}

/// Source: the vector of `zipper-nodes.md`, section 6.4: every game turns by formula A.
#[test]
fn matrix_turns_in_the_same_order_in_every_game() {
    for name in ["rc_m1_gamez.zbd", "rc_demo_gamez.zbd", "mw_c1_gamez.zbd", "pm_c1_gamez.zbd", "cs_c1_gamez.zbd"] {
        let desk = forged(name);
        let at = format!("/nodes/slots/{}/object", object(&desk));
        let set = format!("{at}/rotate=[0.3,-0.7,1.1]");
        desk.ok(&["patch", FILE, "--set", &set, "--recompute", &format!("{at}/transform")]);
        let value = desk.value();
        let slot = value.get("nodes").and_then(|it| it.get("slots")).and_then(Value::items).unwrap();
        let object = slot[object(&desk)].get("object").unwrap();
        let first =
            Compact(&object.get("transform").and_then(Value::items).unwrap()[0]).to_string().parse::<f32>().unwrap();
        assert!((first - 0.177_262).abs() < 1e-6, "{name}: {first}");
        // The other formula is no deviation: the older tool made such files.
        desk.ok(&["patch", FILE, "--set", &format!("{at}/rotate=[0.3,0.0,1.1]"), "--recompute", &at]);
        assert!(desk.deviations(FILE).iter().all(|it| !it.contains("/transform")), "{name}");
    }
}

#[test]
fn stale_matrix_is_reported_after_an_edit_of_the_scale() {
    let desk = forged("mw_c1_gamez.zbd");
    desk.reports(&format!("/nodes/slots/{}/object/scale/0=0.75", object(&desk)));
}

#[test]
fn material_counts_can_be_recomputed_after_an_edit_of_a_polygon() {
    forged("pm_c1_gamez.zbd").recomputes("/models/slots/0/polygons/0/materials/0=5", "/models/slots/0/material_refs");
    if let Some(desk) = found("zipper/pm/zbd/c1/gamez.zbd") {
        desk.recomputes("/models/slots/62/polygons/4/materials/0=134", "/models/slots/62/material_refs");
    }
}

#[test]
fn stale_material_counts_are_reported_after_an_edit_of_a_polygon() {
    forged("pm_c1_gamez.zbd").reports("/models/slots/0/polygons/0/materials/0=5");
}

#[test]
fn last_frame_can_be_recomputed_after_an_edit_of_the_first() {
    let rotates = |desk: &Desk, entry: &str| {
        desk.recomputes(&format!("{entry}:/parts/0/rotations/0/0=0.080011"), &format!("{entry}:/parts/0/rotations"));
    };
    let desk = forged("mw_motion.zbd");
    let Value::Object(members) = desk.value() else { panic!("an archive") };
    let entry = members.iter().find_map(|(name, _)| name.strip_suffix('!'));
    rotates(&desk, entry.expect("a motion"));
    if let Some(desk) = found("zipper/mw/zbd/motion.zbd") {
        rotates(&desk, "nor_run");
    }
}

/// Returns the place of the first mesh with faces, and the index of its streams.
fn mesh(model: &Value) -> (String, usize) {
    fn find(node: &Value, place: &str) -> Option<(String, Value)> {
        if node.get("faces").is_some() {
            return Some((place.to_owned(), node.get("name").unwrap().clone()));
        }
        let children = node.get("children").and_then(Value::items).unwrap_or_default();
        children.iter().enumerate().find_map(|(nth, child)| find(child, &format!("{place}/children/{nth}")))
    }
    let (place, name) = find(model.get("root").unwrap(), "/root").expect("a mesh with faces");
    let name = name.text().or_else(|| name.get("text")?.text()).unwrap().to_owned();
    let raw = model.get("raw").and_then(Value::items).unwrap();
    let is_it = |streams: &Value| streams.get("node").and_then(Value::text) == Some(&name);
    (place, raw.iter().position(is_it).expect("streams"))
}

#[test]
fn mesh_follows_its_vertices_and_faces() {
    let boar = include_bytes!("../../golden/install/nwn/override/c_boar.mdl");
    let mut desks = vec![Desk::of(&[(FILE, boar)])];
    desks.extend(found("nwn/c_bodak.mdl"));
    for desk in desks {
        let (node, raw) = mesh(&desk.value());
        let get = |place: &str| {
            let json = parse(desk.ok(&["inspect", "--json", NEW, &format!("{node}/{place}")]).out.as_bytes()).unwrap();
            json.get("value").unwrap().clone()
        };
        let floats = |values: [f32; 3]| Value::List(values.map(Value::from).to_vec());
        let set: Vec<String> = [[0.0, 0.0, 9.0], [4.0, 0.0, 9.0], [4.0, 4.0, 9.0]]
            .into_iter()
            .enumerate()
            .map(|(nth, at)| format!("/raw/{raw}/vertices/{nth}={}", Compact(&floats(at))))
            .chain([format!("{node}/faces/0/vertices=[2,1,0]")])
            .collect();
        let mut args = vec!["patch", FILE, "-o", NEW, "--force", "--recompute", &node];
        set.iter().for_each(|set| args.extend(["--set", set]));
        let said = desk.ok(&args);
        assert!(said.err.contains("/mesh/lists_at: "), "{}", said.err);
        assert_eq!(desk.deviations(NEW), desk.deviations(FILE));
        assert_eq!(get("faces/0/normal").items().unwrap()[2], Value::Float(-1.0));
        assert_eq!(get("faces/0/distance"), Value::Float(9.0));
        assert_eq!(get("mesh/box_max").items().unwrap()[2], Value::Float(9.0));
        let said = desk.ok(&["patch", NEW, "-n", "--recompute", &node]);
        assert!(!said.err.contains("recomputed: "), "nothing is left to recompute: {}", said.err);
    }
}

/// The neighbors of a face are 16-bit numbers, so those of a face after the 32,767th cannot be said.
#[test]
fn neighbor_that_does_not_fit_is_refused() {
    let boar = include_bytes!("../../golden/install/nwn/override/c_boar.mdl");
    let desk = Desk::of(&[(FILE, boar)]);
    let (node, _) = mesh(&desk.value());
    desk.ok(&["unpack", FILE, "folder"]);
    desk.edit("folder/root.json", |root| {
        let node = node.split('/').skip(2).fold(root, |json, key| json.step_mut(key).unwrap());
        let faces = node.step_mut("faces").unwrap();
        let mut face = faces.items().unwrap()[0].clone();
        face.put("adjacent", vec![Value::from(-1); 3].into());
        let with = |vertices: [i64; 3]| {
            let mut face = face.clone();
            face.put("vertices", Value::List(vertices.map(Value::from).to_vec()));
            face
        };
        // The first and the last share an edge; those between them have no area.
        let between = (0..34_000).map(|_| with([0, 0, 0]));
        *faces = [with([0, 1, 2])].into_iter().chain(between).chain([with([2, 1, 0])]).collect();
    });
    desk.ok(&["pack", "folder", "large"]);
    let refused = desk.run(&["patch", "large", "-o", NEW, "--recompute", &format!("{node}/faces")]);
    let why = format!("{node}/faces/0/adjacent: 34001 does not fit in i16");
    assert!(refused.code == 2 && refused.err.contains(&why), "{}", refused.err);
    // Other values of the mesh do not depend on them.
    desk.ok(&["patch", "large", "-o", NEW, "--recompute", &format!("{node}/mesh/area")]);
}

#[test]
fn untouched_values_are_recomputed_to_themselves() {
    for name in ["mw_c1_gamez.zbd", "pm_c1_gamez.zbd", "rc_m1_gamez.zbd"] {
        let desk = forged(name);
        let said = desk.ok(&["patch", FILE, "-o", NEW, "--recompute", "/"]);
        // Exactly the deviating values change.
        let changed = said.err.lines().filter(|line| line.starts_with("recomputed: ")).count();
        assert_eq!(changed == 0, desk.read(NEW) == desk.read(FILE), "{}", said.err);
    }
}

#[test]
fn entry_can_be_recomputed_as_a_whole() {
    let desk = Desk::of(&[(FILE, &archive())]);
    let said = desk.run(&["patch", FILE, "-o", NEW, "--recompute", "weapons.zrd"]);
    assert_eq!((said.code, said.err.contains("weapons.zrd: no rule computes a value here")), (2, true), "{}", said.err);
}

#[test]
fn head_of_a_free_list_can_be_recomputed() {
    let desk = forged("mw_c1_gamez.zbd");
    let said = desk.ok(&["patch", FILE, "-o", NEW, "--set", "/node_free_head=0", "--set", "/models/free_head=0"]);
    assert!(said.err.contains("deviation: /node_free_head: "), "{}", said.err);
    assert!(said.err.contains("deviation: /models/free_head: "), "{}", said.err);
    let options = ["--recompute", "/node_free_head", "--recompute", "/models/free_head"];
    assert!(said.err.contains(&format!("by their rules with {}\n", options.join(" "))), "{}", said.err);
    desk.ok(&[&["patch", NEW], &options[..]].concat());
    assert_eq!(desk.read(NEW), desk.read(FILE));
}
