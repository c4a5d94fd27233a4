//! New and deleted nodes of the worlds of Zipper's games and of 'Mech libraries.

use bitexact::exchange::show;
use bitexact::field::{decode, encode};
use bitexact::json::Compact;
use bitexact::media::gltf::{Mesh, Node, Scene, Transform};
use bitexact::registry::{KINDS, named};
use bitexact::zipper::archive::Archive;
use bitexact::zipper::gamez::Gamez;
use bitexact::zipper::scene::{of_library, of_world};
use forge::Size;
use serde_json::{Value, json};

use super::import::import;
use super::nodes::{at, put, remove};
use super::sample;
use crate::harness;

/// The generated worlds of all games.
pub(super) const WORLDS: [&str; 5] =
    ["rc_m1_gamez.zbd", "rc_demo_gamez.zbd", "mw_c1_gamez.zbd", "pm_c1_gamez.zbd", "cs_c1_gamez.zbd"];

pub(super) fn scene_of(bytes: &[u8]) -> Scene {
    of_world(&decode::<Gamez>(bytes.to_vec()).unwrap().model, &[])
}

/// Returns a world in the exchange format.
pub(super) fn shown(bytes: &[u8]) -> Value {
    let model = decode::<Gamez>(bytes.to_vec()).unwrap().model;
    let json = show(&model, "", usize::MAX).unwrap().unwrap();
    serde_json::from_str(&Compact(&json).to_string()).unwrap()
}

/// Imports a scene, and checks that the result is a sound world whose export is no edit, and that the import creates no deviation.
/// Returns the messages and the result.
pub(super) fn edited(bytes: &[u8], scene: &Scene) -> Result<(String, Vec<u8>), String> {
    let (told, result, deviations) = tried(bytes, scene)?;
    assert!(deviations.is_empty(), "{deviations:?}: {told}");
    Ok((told, result))
}

/// Imports a scene, and checks the result. Returns the messages, the result, and the places of new deviations.
fn tried(bytes: &[u8], scene: &Scene) -> Result<(String, Vec<u8>, Vec<String>), String> {
    let (code, told, result) = import("gamez.zbd", bytes, scene);
    let Some(result) = result else {
        assert_eq!((code, told.lines().count()), (2, 1), "{told}");
        return Err(told);
    };
    let after = decode::<Gamez>(result.clone()).unwrap().model;
    assert_eq!(encode(&after).unwrap(), result, "{told}");
    let deviations = harness::compared("gamez", bytes, &result, |it| it.new_deviations().unwrap());
    let deviations = deviations.iter().map(|it| it.first_place.to_string()).collect();
    let kind = named(KINDS, "gamez").unwrap();
    let model = (kind.decode)(result.clone().into()).unwrap().model;
    let imported = (kind.import.unwrap())(&model, of_world(&after, &[]).glb().unwrap().into()).unwrap();
    assert_eq!((imported.edits, imported.ignored.len()), (vec![], 0), "{told}");
    Ok((told, result, deviations))
}

/// Returns the warnings that an edit brings, by the names of their traps.
pub(super) fn warnings(before: &[u8], after: &[u8]) -> Vec<&'static str> {
    let warnings = harness::compared("gamez", before, after, |it| it.new_warnings("gamez.zbd").unwrap());
    let mut all: Vec<_> = warnings.iter().map(|it| it.trap.id).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the free slots of a world in the order of their list.
fn walk(world: &Value) -> Vec<u64> {
    let nodes = &world["nodes"];
    let all: Vec<&Value> = ["slots", "free"].iter().filter_map(|list| nodes[list].as_array()).flatten().collect();
    let (mut slot, mut found) = (world["node_free_head"].as_u64().unwrap(), Vec::new());
    while slot != 0x00FF_FFFF {
        found.push(slot);
        slot = all[slot as usize]["next_free"].as_u64().unwrap();
        assert!(found.len() <= all.len(), "{found:?}");
    }
    assert_eq!(found.len(), all.iter().filter(|it| it.get("next_free").is_some()).count());
    found
}

fn slot_of(scene: &Scene, node: usize) -> usize {
    scene.nodes[node].place.as_ref().unwrap().rsplit('/').next().unwrap().parse().unwrap()
}

/// Returns the last node with a mesh and without children.
fn leaf(scene: &Scene) -> usize {
    scene.nodes.iter().rposition(|node| node.mesh.is_some() && node.children.is_empty()).unwrap()
}

fn parent_of(scene: &Scene, node: usize) -> usize {
    scene.nodes.iter().position(|it| it.children.contains(&node)).unwrap()
}

/// Removes a node with all below it.
fn remove_tree(scene: &mut Scene, node: usize) {
    let place = scene.nodes[node].place.clone().unwrap();
    while let Some(&child) = scene.nodes[at(scene, &place)].children.last() {
        remove_tree(scene, child);
    }
    let node = at(scene, &place);
    remove(scene, node);
}

#[test]
fn deleted_nodes_free_their_slots() {
    for name in WORLDS {
        let bytes = sample(name);
        let (scene, before) = (scene_of(&bytes), shown(&bytes));
        let node = leaf(&scene);
        let (slot, parent) = (slot_of(&scene, node), slot_of(&scene, parent_of(&scene, node)));
        let mut fewer = scene.clone();
        remove(&mut fewer, node);
        if name.starts_with("cs") {
            let why = edited(&bytes, &fewer).map(|(told, _)| told).unwrap_err();
            assert!(why.contains("have no free slots"), "{why}");
            continue;
        }
        let (told, result) = edited(&bytes, &fewer).unwrap_or_else(|why| panic!("{name}: {why}"));
        let (after, was) = (shown(&result), &before["nodes"]["slots"][slot]);
        // What stays in a deleted node, and what does not.
        let mut expected = was.clone();
        for (key, value) in [
            ("class", json!("EMPTY")),
            ("model_index", json!(-1)),
            ("area_partition_x", json!(-1)),
            ("area_partition_z", json!(-1)),
            ("children", json!([])),
            ("parents", json!([])),
        ] {
            expected[key] = value;
        }
        for key in ["object", "data_ptr", "parent_array_ptr", "child_array_ptr"] {
            expected.as_object_mut().unwrap().remove(key);
        }
        if name.contains("demo") {
            // The corners of its box, which no rule gives any longer.
            let corners = &after["nodes"]["slots"][slot]["corners"];
            assert_eq!(corners.as_array().map(Vec::len), Some(8), "{name}");
            expected["corners"] = corners.clone();
        }
        let mut list = Vec::new();
        if name.starts_with("pm") {
            expected["virtual_partition_x"] = json!(0);
            expected["virtual_partition_z"] = json!(0);
            assert_eq!(before["node_free_head"], after["node_free_head"]);
        } else {
            expected["next_free"] = before["node_free_head"].clone();
            list = walk(&before);
            list.insert(0, slot as u64);
            assert_eq!(walk(&after), list, "{name}: {told}");
        }
        assert_eq!(after["nodes"]["slots"][slot], expected, "{name}: {told}");
        // Everything else is unchanged, except for the parent, the cells, and the count of the model.
        let model = was["model_index"].as_u64().unwrap() as usize;
        let mut rest = before.clone();
        rest["nodes"]["slots"][slot] = expected;
        if let Some(children) = rest["nodes"]["slots"][parent]["children"].as_array_mut() {
            children.retain(|child| *child != json!(slot));
            if children.is_empty() {
                rest["nodes"]["slots"][parent].as_object_mut().unwrap().remove("child_array_ptr");
            }
        }
        for cell in rest["nodes"]["slots"][0]["world"]["cells"].as_array_mut().unwrap() {
            let nodes = cell["nodes"].as_array_mut().unwrap();
            let count = nodes.len();
            nodes.retain(|node| *node != json!(slot) && node["node"] != json!(slot));
            if nodes.is_empty() && count > 0 {
                cell.as_object_mut().unwrap().remove("nodes_ptr");
            }
        }
        let users = &mut rest["models"]["slots"][model]["parent_count"];
        *users = json!(users.as_i64().unwrap() - 1);
        if !list.is_empty() {
            rest["node_free_head"] = json!(slot);
        }
        assert_eq!(after, rest, "{name}: {told}");
    }
}

#[test]
fn deleted_trees_take_the_cells_and_lists_with_them() {
    for name in &WORLDS[..4] {
        let bytes = sample(name);
        let scene = scene_of(&bytes);
        // All levels of detail, so that all cells are emptied.
        let mut fewer = scene.clone();
        let places = scene.nodes.iter().filter(|node| node.extras.contains_key("near")).map(|node| node.place.clone());
        let places: Vec<String> = places.map(Option::unwrap).collect();
        assert!(places.len() > 1);
        for place in &places {
            let node = at(&fewer, place);
            remove_tree(&mut fewer, node);
        }
        let (told, result) = edited(&bytes, &fewer).unwrap_or_else(|why| panic!("{name}: {why}"));
        let after = shown(&result);
        let world = &after["nodes"]["slots"][0];
        assert_eq!(world["children"], json!([]), "{told}");
        assert!(world["world"]["cells"].as_array().unwrap().iter().all(|cell| cell["nodes"] == json!([])));
        if !name.starts_with("pm") {
            let free = walk(&after);
            // The engine frees children before their parents.
            let slots: Vec<u64> = places.iter().map(|place| slot_of(&scene, at(&scene, place)) as u64).collect();
            let order: Vec<u64> = free.iter().copied().filter(|slot| slots.contains(slot)).collect();
            assert_eq!(order, slots, "{name}");
            assert_eq!(free[0], slots[0], "{name}");
        }
        assert_eq!(names(&scene_of(&result)), names(&fewer), "{name}");
    }
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.nodes.iter().map(|node| node.name.as_str()).collect()
}

#[test]
fn empty_nodes_are_added() {
    for name in WORLDS {
        let bytes = sample(name);
        let scene = scene_of(&bytes);
        let (mut more, root) = (scene.clone(), at(&scene, "/nodes/slots/0"));
        let transform = Transform { translation: [1.0, 2.0, 3.0], scale: [2.0; 3], ..Transform::default() };
        let node = |name: &str| Node { name: name.to_owned(), transform, ..Node::default() };
        let above = put(&mut more, node("a_new_one"), Some(root));
        put(&mut more, Node { transform: Transform::default(), ..node("below_it") }, Some(above));
        let (told, result) = edited(&bytes, &more).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(warnings(&bytes, &result), [""; 0], "{name}: {told}");
        let found = scene_of(&result);
        let new = found.nodes.iter().find(|node| node.name == "a_new_one").unwrap();
        assert_eq!((new.transform, new.mesh), (transform, None), "{name}");
        let below = &found.nodes[new.children[0]];
        assert_eq!((below.name.as_str(), below.transform), ("below_it", Transform::default()), "{name}");
        // The slots of the others stay.
        let places =
            |scene: &Scene| scene.nodes.iter().map(|it| (it.place.clone(), it.name.clone())).collect::<Vec<_>>();
        let (before, after) = (places(&scene), places(&found));
        assert!(before.iter().all(|it| after.contains(it)) && after.len() == before.len() + 2, "{name}");
        let (before, after) = (shown(&bytes), shown(&result));
        let slots = before["nodes"]["slots"].as_array().unwrap().len();
        if ["rc", "mw"].iter().any(|game| name.starts_with(game)) {
            assert_eq!(walk(&after), walk(&before)[2..], "{name}");
        } else {
            assert_eq!(after["nodes"]["slots"][slots]["link"], json!(0x0200_0001 + slots), "{name}");
        }
    }
}

#[test]
fn copies_share_the_model() {
    for name in WORLDS {
        let bytes = sample(name);
        let scene = scene_of(&bytes);
        let node = leaf(&scene);
        let original = scene.nodes[node].clone();
        // As Blender copies: with the same mesh, with a copy of it, and as a new object with the mesh.
        let mut moved = original.clone();
        moved.transform.translation[1] += 5.0;
        moved.name = "copied.001".to_owned();
        let mesh = scene.meshes[original.mesh.unwrap()].clone();
        let (mut linked, mut apart) = (scene.clone(), scene.clone());
        let parent = parent_of(&scene, node);
        put(&mut linked, moved.clone(), Some(parent));
        apart.meshes.push(mesh);
        put(&mut apart, Node { mesh: Some(scene.meshes.len()), ..moved.clone() }, Some(parent));
        let mut bare = scene.clone();
        put(&mut bare, Node { place: None, ..moved.clone() }, Some(parent));
        let [one, two, three] = [&linked, &apart, &bare].map(|scene| {
            let (told, result) = edited(&bytes, scene).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert!(told.contains("not imported: positions of the boxes of new nodes"), "{told}");
            assert_eq!(warnings(&bytes, &result), [""; 0], "{name}: {told}");
            result
        });
        assert!(one == two && two.len() == three.len(), "{name}");
        let (before, after) = (shown(&bytes), shown(&one));
        let slot = slot_of(&scene, node);
        let own = slot_of(&scene_of(&one), scene_of(&one).nodes.iter().position(|it| it.name == "copied.001").unwrap());
        let (was, now) = (&before["nodes"]["slots"][slot], &after["nodes"]["slots"][own]);
        for key in ["flags", "zone_id", "class", "model_index", "node_bbox", "model_bbox", "child_bbox", "parents"] {
            assert_eq!(was[key], now[key], "{name}: {key}");
        }
        let model = was["model_index"].as_u64().unwrap() as usize;
        let users = |world: &Value| world["models"]["slots"][model]["parent_count"].as_i64().unwrap();
        assert_eq!(users(&after), users(&before) + 1, "{name}");
        let mut height = was["object"]["transform"].clone();
        height[10] = json!(height[10].as_f64().unwrap() as f32 + 5.0);
        assert_eq!(now["object"]["transform"], height, "{name}");
        // An edit of the mesh that both show changes the model.
        let mut edit = linked.clone();
        super::import::move_vertex(&mut edit, original.mesh.unwrap(), 2.5);
        let (told, result) = edited(&bytes, &edit).unwrap();
        assert!(told.contains(&format!("/models/slots/{model}/vertices")), "{told}");
        assert_eq!(scene_of(&result).meshes.len(), scene.meshes.len(), "{name}");
    }
}

/// Returns a tetrahedron with a material.
fn tetrahedron(material: Option<usize>) -> Mesh {
    Mesh { name: "tetrahedron".to_owned(), ..super::nodes::tetrahedron(material) }
}

#[test]
fn new_meshes_become_models() {
    for name in WORLDS {
        let bytes = sample(name);
        let scene = scene_of(&bytes);
        let root = at(&scene, "/nodes/slots/0");
        let material = scene.meshes.iter().flat_map(|mesh| &mesh.primitives).find_map(|it| it.material);
        let mut more = scene.clone();
        more.meshes.push(tetrahedron(material));
        put(&mut more, Node { name: "new".into(), mesh: Some(scene.meshes.len()), ..Node::default() }, Some(root));
        let (told, result) = match edited(&bytes, &more) {
            Ok(found) => found,
            Err(why) => {
                assert!(why.contains("turn to the viewer or morph"), "{name}: {why}");
                eprintln!("{name}: no plain model");
                continue;
            }
        };
        assert_eq!(warnings(&bytes, &result), [""; 0], "{name}: {told}");
        let found = scene_of(&result);
        let new = found.nodes.iter().find(|node| node.name == "new").unwrap();
        let mesh = &found.meshes[new.mesh.unwrap()];
        let triangles: usize = mesh.primitives.iter().map(|it| it.indices.len() / 3).sum();
        assert_eq!((triangles, mesh.primitives[0].material), (4, material), "{name}");
        let slot = mesh.place.as_ref().unwrap().rsplit('/').next().unwrap().parse::<usize>().unwrap();
        let (before, after) = (shown(&bytes), shown(&result));
        let model = &after["models"]["slots"][slot];
        assert_eq!(
            (model["parent_count"].as_u64(), model["vertices"].as_array().unwrap().len()),
            (Some(1), 4),
            "{name}"
        );
        assert_eq!(json!(slot), before["models"]["free_head"], "{name}");
        // A copy whose mesh has been edited apart.
        let node = leaf(&scene);
        let mut apart = scene.clone();
        let mesh = apart.meshes[scene.nodes[node].mesh.unwrap()].clone();
        apart.meshes.push(mesh);
        let last = apart.meshes.len() - 1;
        super::import::move_vertex(&mut apart, last, 2.5);
        let copy = Node { name: "apart".into(), mesh: Some(last), ..scene.nodes[node].clone() };
        put(&mut apart, copy, Some(parent_of(&scene, node)));
        let (told, result) = edited(&bytes, &apart).unwrap_or_else(|why| panic!("{name}: {why}"));
        let found = scene_of(&result);
        assert_eq!(found.meshes.len(), scene.meshes.len() + 1, "{name}: {told}");
    }
}

#[test]
fn broken_lists_and_full_pools_give_other_slots() {
    let new = |scene: &mut Scene, count: usize| {
        for number in 0..count {
            let node = Node { name: format!("new{number}"), ..Node::default() };
            put(scene, node, Some(0));
        }
    };
    let traps = forge::samples(harness::SEED, Size::Small).into_iter().filter(|it| it.name.contains("node_f"));
    let mut seen = 0;
    for trap in traps {
        if trap.kind != "gamez" {
            continue;
        }
        let scene = scene_of(&trap.bytes);
        let before = shown(&trap.bytes);
        for count in [1, 3] {
            let mut more = scene.clone();
            new(&mut more, count);
            let (told, result) = match edited(&trap.bytes, &more) {
                Ok(found) => found,
                Err(why) => panic!("{}: {why}", trap.name),
            };
            let after = shown(&result);
            let slots = |world: &Value| world["nodes"]["slots"].as_array().unwrap().clone();
            for (slot, was) in slots(&before).iter().enumerate().filter(|(_, was)| was["class"] != "EMPTY") {
                assert_eq!(was["name"], slots(&after)[slot]["name"], "{}: {told}", trap.name);
            }
            seen += 1;
        }
    }
    assert!(seen > 8, "{seen}");
}

#[test]
fn slots_of_deleted_nodes_are_used_again_only_if_there_are_no_others() {
    let full =
        forge::samples(harness::SEED, Size::Small).into_iter().find(|it| it.name == "node_full.zbd").unwrap().bytes;
    for (bytes, is_full) in [(full, true), (sample("mw_c1_gamez.zbd"), false)] {
        let scene = scene_of(&bytes);
        let node =
            scene.nodes.iter().rposition(|it| it.children.is_empty() && it.extras["class"] == "OBJECT_3D").unwrap();
        let (slot, parent) = (slot_of(&scene, node), parent_of(&scene, node));
        let place = scene.nodes[parent].place.clone().unwrap();
        let mut other = scene.clone();
        remove(&mut other, node);
        let parent = at(&other, &place);
        put(&mut other, Node { name: "another".into(), ..Node::default() }, Some(parent));
        let (told, result) = edited(&bytes, &other).unwrap();
        let (before, after) = (shown(&bytes), shown(&result));
        let now = &after["nodes"]["slots"][slot];
        if is_full {
            assert_eq!((now["name"].as_str(), walk(&after).len()), (Some("another"), 0), "{told}");
            assert_eq!(
                before["nodes"]["slots"].as_array().unwrap().len(),
                after["nodes"]["slots"].as_array().unwrap().len()
            );
        } else {
            let list = walk(&before);
            assert_eq!(now["class"], "EMPTY", "{told}");
            assert_eq!(after["nodes"]["slots"][list[0] as usize]["name"], "another", "{told}");
            assert_eq!(walk(&after), [&[slot as u64][..], &list[1..]].concat(), "{told}");
        }
    }
}

/// Among the generated worlds are those with wrong links, several parents, cycles, and free slots in between.
#[test]
fn every_generated_world_takes_or_refuses_edits_of_nodes() {
    let [mut taken, mut refused] = [0; 2];
    for it in forge::samples(harness::SEED, Size::Small).into_iter().filter(|it| it.kind == "gamez") {
        let Ok(world) = decode::<Gamez>(it.bytes.clone()) else { continue };
        let scene = of_world(&world.model, &[]);
        let leaves = (0..scene.nodes.len()).filter(|&node| scene.nodes[node].children.is_empty());
        let leaves: Vec<usize> = leaves.collect();
        let mut edits = Vec::new();
        for &leaf in leaves.first().into_iter().chain(leaves.last()) {
            let mut fewer = scene.clone();
            remove(&mut fewer, leaf);
            let (mut more, mut twice) = (scene.clone(), scene.clone());
            put(&mut more, Node { name: "new".into(), ..Node::default() }, Some(leaf));
            put(&mut twice, Node { name: "twin".into(), ..scene.nodes[leaf].clone() }, Some(leaf));
            edits.extend([fewer, more, twice]);
        }
        for edit in edits.iter().filter(|edit| !edit.nodes.is_empty()) {
            match tried(&it.bytes, edit) {
                Ok((told, result, deviations)) => {
                    // A copy has the wrong matrix or range of its original.
                    let is_copied = |place: &String| place.contains("/object/transform") || place.contains("/lod/");
                    assert!(deviations.iter().all(is_copied), "{}: {deviations:?}: {told}", it.name);
                    assert_eq!(scene_of(&result).nodes.len(), edit.nodes.len(), "{}", it.name);
                    taken += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    eprintln!("{taken} edits, {refused} refused");
    assert!(taken > 100, "{taken}");
}

/// The worlds of the corpora have broken lists, nodes with several parents, and freed slots.
#[test]
fn nodes_of_corpus_worlds_are_added_and_deleted() {
    let Some(corpora) = harness::corpora() else {
        eprintln!("corpora: absent, nodes of their worlds are not edited");
        return;
    };
    let files = bitexact::install::files(&corpora.join("zipper")).unwrap();
    let [mut added, mut deleted, mut refused] = [0; 3];
    for file in files.iter().filter(|file| file.name() == "gamez.zbd") {
        let (name, bytes) = (file.path.display(), file.read().unwrap());
        let scene = scene_of(&bytes);
        let is_world = |node: &Node| node.extras.get("class").and_then(Value::as_str) == Some("WORLD");
        let world = scene.nodes.iter().position(is_world).unwrap();
        let mut more = scene.clone();
        for number in 0..2 {
            put(&mut more, Node { name: format!("new{number}"), ..Node::default() }, Some(world));
        }
        let meshed = scene.nodes.iter().position(|node| node.mesh.is_some());
        if let Some(original) = meshed.map(|meshed| scene.nodes[meshed].clone()) {
            put(&mut more, Node { name: "copied".into(), children: vec![], ..original }, Some(world));
        }
        let (_, result) = edited(&bytes, &more).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(scene_of(&result).nodes.len(), more.nodes.len(), "{name}");
        added += 1;
        let leaves = scene.nodes.iter().enumerate().filter(|(_, node)| node.children.is_empty() && !is_world(node));
        let leaves: Vec<usize> = leaves.map(|(node, _)| node).collect();
        for &node in leaves.iter().step_by(leaves.len() / 4 + 1).chain(leaves.last()) {
            let mut fewer = scene.clone();
            remove(&mut fewer, node);
            match edited(&bytes, &fewer) {
                Ok((_, result)) => {
                    assert_eq!(scene_of(&result).nodes.len(), fewer.nodes.len(), "{name}");
                    deleted += 1;
                }
                Err(why) => {
                    let whys = ["refers to it at", "have no free slots", "only objects and levels"];
                    assert!(whys.iter().any(|words| why.contains(words)), "{name}: {why}");
                    refused += 1;
                }
            }
        }
    }
    eprintln!("{added} worlds with new nodes, {deleted} nodes deleted, {refused} refused");
    assert!(added > 20 && deleted > 20, "{added}, {deleted}");
}

#[test]
fn nodes_that_a_world_cannot_hold_are_refused() {
    let bytes = sample("mw_c1_gamez.zbd");
    let scene = scene_of(&bytes);
    let root = at(&scene, "/nodes/slots/0");
    let refused = |scene: &Scene, words: &str| {
        let why = edited(&bytes, scene).map(|(told, _)| told).unwrap_err();
        assert!(why.contains(words), "{words}: {why}");
    };
    let of_class = |class: &str| {
        scene.nodes.iter().position(|it| it.extras.get("class").and_then(Value::as_str) == Some(class)).unwrap()
    };
    for class in ["CAMERA", "DISPLAY", "WINDOW", "LIGHT"] {
        let mut gone = scene.clone();
        remove(&mut gone, of_class(class));
        refused(&gone, "only objects and levels of detail can be deleted");
        let mut twice = scene.clone();
        let copy = Node { name: "another".into(), ..scene.nodes[of_class(class)].clone() };
        put(&mut twice, copy, Some(root));
        refused(&twice, "neither an object nor a level of detail");
        let mut below = scene.clone();
        put(&mut below, Node { name: "new".into(), ..Node::default() }, Some(of_class(class)));
        refused(&below, "which has no children");
    }
    let node = leaf(&scene);
    let copy = Node { name: "copy".into(), ..scene.nodes[node].clone() };
    let with = |node: Node, parent: Option<usize>| {
        let mut more = scene.clone();
        put(&mut more, node, parent);
        more
    };
    refused(&with(copy.clone(), None), "has no parent in the model");
    refused(&with(Node { mesh: None, ..copy.clone() }, Some(root)), "a copy without the mesh");
    refused(&with(Node { name: "a".repeat(36), ..copy.clone() }, Some(root)), "35");
    refused(&with(Node { name: "\u{3b1}".into(), ..copy.clone() }, Some(root)), "its name does not fit");
    let lod = of_class("LOD");
    let mut moved = Node { name: "level.001".into(), children: vec![], ..scene.nodes[lod].clone() };
    let copied = with(moved.clone(), Some(root));
    assert!(edited(&bytes, &copied).is_ok());
    moved.transform.translation[0] += 3.0;
    refused(&with(moved.clone(), Some(root)), "only objects have one");
    moved.transform = Transform::default();
    let mut meshed = scene.clone();
    meshed.meshes.push(tetrahedron(Some(0)));
    put(&mut meshed, Node { mesh: Some(scene.meshes.len()), ..moved }, Some(root));
    refused(&meshed, "which has no mesh");
    let mut more = scene.clone();
    more.meshes.push(tetrahedron(None));
    let mesh = Some(scene.meshes.len());
    put(&mut more, Node { name: "new".into(), mesh, ..Node::default() }, Some(root));
    refused(&more, "without a material");
    // Blender keeps the nodes below a deleted one.
    let is_inner = |at: usize| {
        let class = scene.nodes[at].extras.get("class").and_then(Value::as_str);
        matches!(class, Some("OBJECT_3D" | "LOD")) && !scene.nodes[at].children.is_empty()
    };
    let inner = (0..scene.nodes.len()).rev().find(|&at| is_inner(at)).unwrap();
    let outer = parent_of(&scene, inner);
    let mut gone = scene.clone();
    let children = std::mem::take(&mut gone.nodes[inner].children);
    gone.roots.extend(children);
    remove(&mut gone, inner);
    refused(&gone, "has lost its parent");
    let mut top = scene.clone();
    top.nodes[outer].children.retain(|&child| child != inner);
    top.roots.push(inner);
    refused(&top, "is below no node of the model any more");
    // A camera that follows a node.
    let kept = leaf(&scene);
    let json = format!("/nodes/slots/{}/camera/focus_node_xy", slot_of(&scene, of_class("CAMERA")));
    let mut batch = bitexact::edit::Batch::default();
    batch.set.push((json.as_str().into(), i64::try_from(slot_of(&scene, kept)).unwrap().into()));
    let kind = named(KINDS, "gamez").unwrap();
    let model = (kind.decode)(bytes.clone().into()).unwrap().model;
    let followed = batch.of_values(KINDS, (kind, &model, "gamez.zbd")).unwrap().unwrap().bytes;
    let mut gone = scene.clone();
    remove(&mut gone, kept);
    let why = edited(&followed, &gone).map(|(told, _)| told).unwrap_err();
    assert!(why.contains("refers to it at /nodes/slots/2/camera/focus_node_xy"), "{why}");
}

#[test]
fn nodes_of_libraries_are_added_and_deleted() {
    for name in ["mw_mechlib.zbd", "pm_mechlib.zbd"] {
        let bytes = sample(name);
        let model = decode::<Archive>(bytes.clone()).unwrap().model;
        let scene = of_library(&model, &[]).unwrap();
        let kind = named(KINDS, "archive").unwrap();
        let edited = |scene: &Scene| {
            let (code, told, result) = import("mechlib.zbd", &bytes, scene);
            let result = result.ok_or(told.clone())?;
            assert_eq!(code, 0, "{told}");
            let after = decode::<Archive>(result.clone()).unwrap().model;
            let deviations = harness::compared("archive", &bytes, &result, |it| it.new_deviations().unwrap());
            assert!(deviations.is_empty(), "{name}: {deviations:?}: {told}");
            let again = of_library(&after, &[]).unwrap();
            let read = (kind.decode)(result.into()).unwrap().model;
            let imported = (kind.import.unwrap())(&read, again.glb().unwrap().into()).unwrap();
            assert_eq!(imported.edits, [], "{told}");
            Ok::<Scene, String>(again)
        };
        let shape = |scene: &Scene| {
            let triangles =
                |mesh: usize| scene.meshes[mesh].primitives.iter().map(|it| it.indices.len()).sum::<usize>();
            let all = scene.nodes.iter().map(|it| (it.name.clone(), it.children.len(), it.mesh.map(triangles)));
            all.collect::<Vec<_>>()
        };
        let is_root = |node: &Node| node.place.as_ref().is_none_or(|place| place.ends_with("/nodes/0"));
        let leaves = scene.nodes.iter().enumerate().filter(|(_, node)| node.children.is_empty() && !is_root(node));
        let leaves: Vec<usize> = leaves.map(|(node, _)| node).collect();
        assert!(!leaves.is_empty(), "{name}");
        for &node in &leaves {
            let mut fewer = scene.clone();
            remove(&mut fewer, node);
            let found = edited(&fewer).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(shape(&found), shape(&fewer), "{name}");
        }
        let parent = scene.nodes.iter().position(|node| node.place.is_some() && !node.children.is_empty()).unwrap();
        let mut more = scene.clone();
        let above = put(&mut more, Node { name: "new".into(), ..Node::default() }, Some(parent));
        put(&mut more, Node { name: "below".into(), ..Node::default() }, Some(above));
        let count = |scene: &Scene| scene.nodes.len();
        let found = edited(&more).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(count(&found), count(&more), "{name}");
        let new = found.nodes.iter().find(|node| node.name == "new").unwrap();
        assert_eq!(found.nodes[new.children[0]].name, "below");
        // Copies have a model of their own.
        let meshed = scene.nodes.iter().position(|node| node.mesh.is_some() && !is_root(node)).unwrap();
        let mut twice = scene.clone();
        let copy = Node { name: "copy".into(), children: vec![], ..scene.nodes[meshed].clone() };
        put(&mut twice, copy, Some(parent));
        let found = edited(&twice).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(found.meshes.len(), scene.meshes.len() + 1, "{name}");
        let same = |scene: &Scene, mesh: usize| scene.meshes[mesh].primitives.clone();
        let copy = found.nodes.iter().find(|node| node.name == "copy").unwrap();
        assert_eq!(same(&found, copy.mesh.unwrap()), same(&scene, scene.nodes[meshed].mesh.unwrap()), "{name}");
        super::import::move_vertex(&mut twice, scene.nodes[meshed].mesh.unwrap(), 1.0);
        let why = edited(&twice).unwrap_err();
        assert!(why.contains("has been edited too"), "{why}");
        let material = scene.meshes.iter().flat_map(|mesh| &mesh.primitives).find_map(|it| it.material);
        let mut more = scene.clone();
        more.meshes.push(tetrahedron(material));
        put(&mut more, Node { name: "new".into(), mesh: Some(scene.meshes.len()), ..Node::default() }, Some(parent));
        match edited(&more) {
            Ok(found) => assert_eq!(found.meshes.len(), scene.meshes.len() + 1, "{name}"),
            Err(why) => assert!(why.contains("turn to the viewer or morph"), "{name}: {why}"),
        }
        let mut gone = scene.clone();
        let root =
            scene.nodes.iter().position(|it| it.place.as_ref().is_some_and(|it| it.ends_with("/nodes/0"))).unwrap();
        remove_tree(&mut gone, root);
        let why = edited(&gone).unwrap_err();
        assert!(why.contains("is the root of its model"), "{why}");
    }
}
