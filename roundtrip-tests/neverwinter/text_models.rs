//! Models and walkmeshes as text that other programs wrote: they are kept as they are, compiled, drawn, and edited where they are.

use bitexact::aurora::text::TextModel;
use bytes::Bytes;
use forge::nwn::resources::{Erf as Container, build_erf, resource};

use super::loose::listed;
use super::model_texts::{SQUARE, compiled, decoded};
use super::*;

/// Returns the text models beside the project with their paths, without walkmeshes.
pub(super) fn real_texts() -> Vec<(String, String)> {
    let Some(corpora) = harness::corpora() else {
        eprintln!("no corpora beside the project: no real text model is tested");
        return Vec::new();
    };
    let folders = ["nwn-text", "nwn-pairs"].map(|folder| files(&corpora.join(folder)).unwrap());
    let all = folders.iter().flatten().map(|file| (file.shown(), file.read().unwrap().to_vec()));
    let texts = all.filter(|(path, bytes)| path.ends_with(".mdl") && bytes.first() != Some(&0));
    texts.map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap())).collect()
}

#[test]
fn real_texts_are_kept_and_compiled() {
    let all = real_texts();
    let mut nodes = 0;
    for (path, text) in &all {
        let report = verify(KINDS, path, text.clone().into_bytes());
        assert_eq!((report.status, report.kind), (Status::Identical, Some("text-model")), "{path}");
        let via = verify_with(KINDS, path, text.clone().into_bytes(), VerifyOptions::default().via_exchange(true));
        assert_eq!(via.status, Status::Identical, "{path}");
        let file = compiled(text).unwrap_or_else(|why| panic!("{path}: {why}"));
        let model = decoded(&file);
        nodes += model.nodes().count();
        // What is compiled has a text, from which it is compiled again.
        assert_eq!(compiled(&super::model_texts::text(&file)).as_ref(), Ok(&file), "{path}");
        assert_eq!(verify(KINDS, path, file).status, Status::Identical, "{path}");
    }
    eprintln!("{} real text models, {nodes} nodes", all.len());
    assert!(all.is_empty() || (all.len() >= 61 && nodes > 300), "{} {nodes}", all.len());
}

/// Source: `nwn-mdl-text.md`, section 10.1.
#[test]
fn a_super_model_gives_part_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let known = SQUARE.replacen("  unheardof 1 2 3\r\n", "", 1);
    let over = known.replace("setsupermodel square NULL", "setsupermodel square base");
    let base = SQUARE
        .replacen("Node Trimesh floor", "node dummy first\n parent square\nendnode\nNode Trimesh floor", 1)
        .replace("square", "base");
    fs::write(at("square.text.mdl"), over.replace("SQUARE", "square")).unwrap();
    fs::write(at("base.text.mdl"), base.replace("SQUARE", "base")).unwrap();
    let (code, out, err) = run(folder.path(), &["pack", "square.text.mdl", "alone.mdl"]);
    assert!(code == 0 && (out.clone() + &err).contains("without its super model base"), "{out}{err}");
    let (code, out, err) = run(folder.path(), &["pack", "square.text.mdl", "square.mdl", "--super", "base.text.mdl"]);
    assert!(code == 0 && !(out.clone() + &err).contains("without its super model"), "{out}{err}");
    let numbers = |name: &str| -> Vec<i32> {
        decoded(&fs::read(at(name)).unwrap()).nodes().map(|(_, node)| node.head.part_number.get()).collect()
    };
    let model = decoded(&fs::read(at("square.mdl")).unwrap());
    // Two nodes, three of the super model, and one.
    assert_eq!(model.geometry.head.nodes.get(), 2 + 3 + 1);
    assert!(numbers("square.mdl").contains(&2) && !numbers("square.mdl").contains(&-1), "{:?}", numbers("square.mdl"));
    assert!(numbers("alone.mdl").contains(&-1));
    // A compiled super model gives the same.
    run(folder.path(), &["pack", "base.text.mdl", "base.mdl"]);
    run(folder.path(), &["pack", "square.text.mdl", "again.mdl", "--super", "base.mdl"]);
    // What there is to say of a super model is said, and if the last one given has one itself.
    let make = |others: &[&[u8]]| {
        let others: Vec<Bytes> = others.iter().map(|it| Bytes::copy_from_slice(it)).collect();
        let text = fs::read(at("square.text.mdl")).unwrap();
        kind("mdl").text.unwrap().make(&text, &others).unwrap().notes
    };
    let lower =
        fs::read_to_string(at("base.text.mdl")).unwrap().replace("setsupermodel base NULL", "setsupermodel base root");
    let with = lower.replacen("  unheardof 1 2 3\r\n", "  animverts 1\r\n   0 0 0\r\n", 1);
    let notes = make(&[with.as_bytes()]);
    assert!(notes.iter().any(|it| it.contains("super model base: line ") && it.contains("animverts")), "{notes:?}");
    assert!(notes.iter().any(|it| it.contains("without its super model root")), "{notes:?}");
    let file = compiled(&lower).unwrap();
    let notes = make(&[&file]);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("super model base: without its own super model root"), "{notes:?}");
    assert_eq!(make(&[&fs::read(at("base.mdl")).unwrap()]), [] as [&str; 0]);
    // A long chain is read once.
    let named = |nth: usize| {
        let text = known.replace("SQUARE", "square").replace("setsupermodel square NULL", "setsupermodel square next");
        text.replace("square", &format!("m{nth}")).replace("next", &format!("m{}", nth + 1)).into_bytes()
    };
    let chain: Vec<Bytes> = (1..60).map(|nth| Bytes::from(named(nth))).collect();
    let notes = kind("mdl").text.unwrap().make(&named(0), &chain).unwrap().notes;
    assert!(notes.len() == 1 && notes[0].contains("without its super model m60"), "{notes:?}");
    assert_eq!(fs::read(at("again.mdl")).unwrap(), fs::read(at("square.mdl")).unwrap());
    let (code, _, err) = run(folder.path(), &["pack", "square.text.mdl", "wrong.mdl", "--super", "square.mdl"]);
    assert!(code == 2 && err.contains("expected base, which square names as its super model, found square"), "{err}");
    let (code, _, err) = run(folder.path(), &["pack", "base.text.mdl", "wrong.mdl", "--super", "square.mdl"]);
    assert!(code == 2 && err.contains("expected NULL"), "{err}");
    let Some(corpora) = harness::corpora() else { return };
    let pairs = corpora.join("nwn-pairs");
    for file in ["codi_osyA.mdl", "codi_osyA.text.mdl"] {
        let (text, of) = (pairs.join("codi_osyB.text.mdl"), pairs.join(file));
        let (code, out, err) = run(
            folder.path(),
            &["pack", text.to_str().unwrap(), "codi.mdl", "--force", "--super", of.to_str().unwrap()],
        );
        assert_eq!(code, 0, "{out}{err}");
        assert!(fs::read(at("codi.mdl")).unwrap() == fs::read(pairs.join("codi_osyB.mdl")).unwrap(), "{file}");
    }
}

#[test]
fn lines_that_no_longer_count_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let file = sample("c_boar.mdl");
    fs::write(at("a.mdl"), &file).unwrap();
    let ok = |args: &[&str]| prints(0, folder.path(), args);
    ok(&["export", "a.mdl", "a.text.mdl"]);
    assert!(!ok(&["pack", "a.text.mdl", "b.mdl"]).contains("no longer count"));
    assert_eq!(fs::read(at("b.mdl")).unwrap(), file);
    let shown = fs::read_to_string(at("a.text.mdl")).unwrap();
    let marked = shown.lines().position(|line| line.trim_start().starts_with("#bitexact mesh."));
    let Some(marked) = marked else { panic!("no line about a mesh: {shown}") };
    let verts =
        shown.lines().take(marked).collect::<Vec<_>>().iter().rposition(|line| line.trim_start().starts_with("verts "));
    let row = verts.unwrap() + 1;
    let new: String = shown
        .lines()
        .enumerate()
        .map(|(nth, line)| if nth == row { "      7.5 8.5 9.5\n".to_owned() } else { format!("{line}\n") })
        .collect();
    fs::write(at("a.text.mdl"), new).unwrap();
    let said = ok(&["pack", "a.text.mdl", "b.mdl", "--force"]);
    assert!(said.contains("a.text.mdl: line ") && said.contains("no longer count"), "{said}");
}

#[test]
fn words_that_are_skipped_are_said_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.mdl"), sample("c_boar.mdl")).unwrap();
    prints(0, folder.path(), &["export", "a.mdl", "a.text.mdl"]);
    let shown = fs::read_to_string(at("a.text.mdl")).unwrap();
    let diffuse = |line: &str| line.trim_start().starts_with("diffuse ");
    let line = 1 + shown.lines().position(diffuse).expect("a mesh with a color");
    let edit = |number: usize, text: &str| {
        if number == line { text.replace("diffuse", "difuse") } else { text.to_owned() }
    };
    let new: Vec<String> = (1..).zip(shown.lines()).map(|(number, text)| edit(number, text)).collect();
    fs::write(at("b.text.mdl"), new.join("\n")).unwrap();
    for args in [&["import", "a.mdl", "b.text.mdl", "-n"][..], &["pack", "b.text.mdl", "c.mdl", "-n"]] {
        let said = prints(0, folder.path(), args);
        assert!(said.contains(&format!("b.text.mdl: line {line}: difuse of ")), "{said}");
        assert!(said.contains("is skipped: a trimesh has no such word; did you mean diffuse?"), "{said}");
    }
    // Words that another type of node has, those after the rows of a list, and types and classes that the game does not have.
    let notes = |old: &str, new: &str| {
        let text = SQUARE.replacen("  unheardof 1 2 3\r\n", "", 1).replacen(old, new, 1);
        kind("mdl").text.unwrap().make(text.as_bytes(), &[]).unwrap().notes
    };
    assert_eq!(notes("", ""), [""; 0]);
    let bitmap = "bitmap Mtl #1";
    assert_eq!(
        notes(bitmap, "tightness 3\n wirecolor 1 1 1"),
        ["line 15: tightness of floor is skipped: a trimesh has no such word"]
    );
    assert_eq!(notes(bitmap, "7 8 9"), ["line 15: 7 of floor is skipped: a row that belongs to no list"]);
    let [first, ..] = &notes(bitmap, "raduis 1\n raduis 2\n raduis 3")[..] else { panic!("no note") };
    assert!(first.ends_with("did you mean radius? (also in line 16, 17)"), "{first}");
    let found = notes("classification", "classification charcter\n classification");
    assert!(
        found.iter().any(|it| it.contains("classification charcter is none of the game's, so it is other")),
        "{found:?}"
    );
    let rows = notes(bitmap, "7 8 9\n 8 9 10");
    assert_eq!(rows, ["line 15: 7 of floor is skipped: a row that belongs to no list (also in line 16)"]);
    let found = notes("  node dummy floor", "  node lihgt floor");
    assert!(
        found.len() == 1 && found[0].contains("floor is a dummy: the game has no type of node lihgt"),
        "in an animation: {found:?}"
    );
    let found = notes("Node Trimesh floor", "Node Trimehs floor");
    assert!(
        found[0].contains("floor is a dummy: the game has no type of node Trimehs") && found.len() == 1,
        "{found:?}"
    );
}

const WALKMESH: &str = "# exported\n\
node dummy chair_use01\n  parent chair_pwk\n  position 0 -1 0\nendnode\n\
node trimesh chair_wg\n  parent chair_pwk\n  position 1 2 0\n  verts 3\n    0 0 0\n    2 0 0\n    0 2 0\n  faces 1\n    0 1 2 1 0 0 0 4\nendnode\n";

const WOK: &str = "beginwalkmeshgeom tile\nnode aabb floor\n  parent tile\n  position 0 0 1\n  verts 4\n    0 0 0\n    4 0 0\n    4 4 0\n    0 4 0\n  \
faces 2\n    0 1 2 1 0 0 0 4\n    0 2 3 1 0 0 0 3\n  aabb 0 0 0 4 4 0 -1\n    0 0 0 4 4 0 0\n    0 0 0 4 4 0 1\nendnode\nendwalkmeshgeom tile\n";

/// Source: `nwn-mdl-text.md`, section 6.
#[test]
fn walkmeshes_are_models_with_their_trees() {
    let model = |text: &str| decode::<TextModel>(text.as_bytes().to_vec()).unwrap().model.model();
    let chair = model(WALKMESH).unwrap();
    let names: Vec<String> = chair.nodes().map(|(_, node)| node.head.name.to_string()).collect();
    assert_eq!(names, ["chair_pwk", "chair_use01", "chair_wg"]);
    let tile = model(WOK).unwrap();
    let bitexact::aurora::mesh_types::MeshType::Aabb(tree) = &tile.root.children[0].mesh.as_ref().unwrap().mesh_type
    else {
        panic!("no tree")
    };
    let faces: Vec<i32> = tree.entries.iter().map(|it| it.head.face.get()).collect();
    assert_eq!((faces, tile.root.children.len()), (vec![-1, 0, 1], 1));
    assert_eq!(model("").unwrap().root.head.name, "walkmesh");
    let wrong = model(&WOK.replacen("0 2 3 1", "0 2 9 1", 1)).unwrap_err();
    assert!(wrong.starts_with("line 12: expected a number from 0 to 3"), "{wrong}");
    let Some(corpora) = harness::corpora() else { return };
    let mut real = 0;
    for file in files(&corpora.join("nwn-install")).unwrap() {
        if file.name().ends_with(".pwk") {
            let text = String::from_utf8(file.read().unwrap().to_vec()).unwrap();
            let model = model(&text).unwrap_or_else(|why| panic!("{}: {why}", file.shown()));
            assert!(model.nodes().count() >= 1, "{}", file.shown());
            real += 1;
        }
    }
    assert_eq!(real, 6);
}

#[test]
fn boxes_that_are_no_tree_of_all_faces_are_warned_of() {
    let ids = |text: &str| -> Vec<&'static str> {
        let model = decode::<TextModel>(text.as_bytes().to_vec()).unwrap().model;
        bitexact::lint::warnings(&model).iter().map(|it| it.trap.id).collect()
    };
    assert_eq!(ids(WOK), [] as [&str; 0]);
    assert_eq!(ids(WALKMESH), [] as [&str; 0]);
    // Only one parent can be in another file.
    let mistyped = WALKMESH.replacen("chair_wg\n  parent chair_pwk", "chair_wg\n  parent chair_pwl", 1);
    assert!(mistyped != WALKMESH);
    assert_eq!(ids(&mistyped), ["node-parent"]);
    for (old, new) in [
        ("4 4 0 1\nend", "4 4 0 0\nend"),
        ("4 4 0 1\nend", "4 4 0 2\nend"),
        ("    0 0 0 4 4 0 1\nend", "end"),
        ("0 4 4 0 0\n", "0 4 4 0 -1\n"),
    ] {
        let wrong = WOK.replacen(old, new, 1);
        assert!(wrong != WOK, "{old}");
        assert_eq!(ids(&wrong), ["walkmesh-tree"], "{new}");
    }
}

/// Returns an exported scene with the first occurrence of a text in its JSON replaced.
fn edited_scene(scene: &str, old: &str, new: &str) -> String {
    assert!(scene.contains(old), "{old}: {scene}");
    scene.replacen(old, new, 1)
}

#[test]
fn edits_of_a_drawing_come_back_into_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let ok = |args: &[&str]| prints(0, folder.path(), args);
    let text = SQUARE.replace("SQUARE", "square");
    fs::write(at("square.mdl"), &text).unwrap();
    ok(&["export", "square.mdl", "square.gltf"]);
    assert!(ok(&["import", "square.mdl", "square.gltf"]).contains("no changes"));
    assert_eq!(fs::read_to_string(at("square.mdl")).unwrap(), text);
    let scene = fs::read_to_string(at("square.gltf")).unwrap();
    fs::write(at("square.gltf"), edited_scene(&scene, "[1.0,2.0,3.0]", "[1.0,2.0,5.0]")).unwrap();
    ok(&["import", "square.mdl", "square.gltf"]);
    let now = fs::read_to_string(at("square.mdl")).unwrap();
    let differ: Vec<(&str, &str)> = text.lines().zip(now.lines()).filter(|(one, other)| one != other).collect();
    assert_eq!(differ.len(), 1, "{differ:?}");
    assert!(
        differ[0].1.contains("position 1") && differ[0].1.contains('5') && now.contains("unheardof 1 2 3"),
        "{differ:?}"
    );
    // A model as text in a container, and a walkmesh.
    let hak = Container::new(
        b"HAK ",
        vec![resource("square", 2002, text.clone().into_bytes()), resource("chair", 2053, WALKMESH.into())],
    );
    fs::write(at("a.hak"), build_erf(&hak)).unwrap();
    ok(&["export", "a.hak!square.mdl", "in.gltf"]);
    let scene = fs::read_to_string(at("in.gltf")).unwrap();
    fs::write(at("in.gltf"), edited_scene(&scene, "[1.0,2.0,3.0]", "[1.0,2.0,5.0]")).unwrap();
    ok(&["import", "a.hak!square.mdl", "in.gltf", "--backup"]);
    let inner =
        |file: &str, path: &str| listed(&fs::read(at(file)).unwrap()).into_iter().find(|it| it.0 == path).unwrap().2;
    let moved = text.replacen("position 1 2 3", "position 1.0 2.0 5.0", 1);
    assert_eq!(String::from_utf8(inner("a.hak", "square")).unwrap(), moved);
    assert_eq!(inner("a.hak", "chair"), WALKMESH.as_bytes());
    // A container in a container; by its lines; and a whole text, which stays one.
    let outer = Container::new(b"HAK ", vec![resource("inner", 2061, build_erf(&hak))]);
    fs::write(at("outer.erf"), build_erf(&outer)).unwrap();
    ok(&["import", "outer.erf!inner.hak!square.mdl", "in.gltf"]);
    fs::write(at("inner.hak"), inner("outer.erf", "inner")).unwrap();
    assert_eq!(String::from_utf8(inner("inner.hak", "square")).unwrap(), moved);
    fs::write(at("whole.mdl"), &text).unwrap();
    assert!(ok(&["import", "a.hak!square.mdl", "whole.mdl"]).contains("5.0"));
    assert_eq!(fs::read(at("a.hak")).unwrap(), build_erf(&hak));
    ok(&["import", "square.mdl", "whole.mdl"]);
    assert_eq!(fs::read_to_string(at("square.mdl")).unwrap(), text);
    fs::write(at("chair.pwk"), WALKMESH).unwrap();
    ok(&["export", "chair.pwk", "chair.gltf"]);
    let scene = fs::read_to_string(at("chair.gltf")).unwrap();
    assert!(scene.contains("chair_wg") && scene.contains("chair_pwk"));
    fs::write(at("chair.gltf"), edited_scene(&scene, "[0.0,-1.0,0.0]", "[0.0,-3.0,0.0]")).unwrap();
    ok(&["import", "chair.pwk", "chair.gltf"]);
    let now = fs::read_to_string(at("chair.pwk")).unwrap();
    assert_eq!(now, WALKMESH.replacen("position 0 -1 0", "position 0.0 -3.0 0.0", 1));
}

/// Remarks and indents of lines that are replaced stay.
#[test]
fn remarks_and_indents_outlive_an_edit_of_the_lines_around_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let ok = |args: &[&str]| prints(0, folder.path(), args);
    let text = SQUARE
        .replace("SQUARE", "square")
        .replacen("  position 1 2 3", "\tposition 1 2 3  # keep me", 1)
        .replacen("    0 0 2\r\n", "    # in the list\r\n    0 0 2 # a corner\r\n", 1);
    fs::write(at("square.mdl"), &text).unwrap();
    ok(&["export", "square.mdl", "square.gltf"]);
    let scene = fs::read_to_string(at("square.gltf")).unwrap();
    fs::write(at("square.gltf"), edited_scene(&scene, "[1.0,2.0,3.0]", "[1.0,2.0,5.0]")).unwrap();
    ok(&["import", "square.mdl", "square.gltf"]);
    let moved = fs::read_to_string(at("square.mdl")).unwrap();
    let expected = text.replacen("\tposition 1 2 3  #", "\tposition 1.0 2.0 5.0  #", 1);
    assert_eq!(moved, expected);
    // The lists of a mesh are written anew: a drawing of another mesh with the same nodes.
    let other = text.replace("4 0 2\r\n", "9 0 2\r\n");
    assert!(other != text);
    fs::write(at("square.mdl"), &other).unwrap();
    ok(&["export", "square.mdl", "square.gltf", "--force"]);
    fs::write(at("square.mdl"), &text).unwrap();
    ok(&["import", "square.mdl", "square.gltf"]);
    let now = fs::read_to_string(at("square.mdl")).unwrap();
    assert!(now.contains("    # in the list\r\n    # a corner\r\n  verts "), "{now}");
    assert!(now.contains("\r\n    9.0 0.0 2.0\r\n") && now.contains("\tposition 1 2 3  # keep me\r\n"), "{now}");
}

/// Counts the values of two trees by what they are: how many are equal, and how many are not.
fn tally(one: &Value, other: &Value, place: &str, counts: &mut BTreeMap<String, [usize; 2]>) {
    match (one, other) {
        (Value::Object(ones), Value::Object(others)) if ones.len() == others.len() => {
            for ((name, one), (_, other)) in ones.iter().zip(others.iter()) {
                let inner = ["children", "root"].contains(&&**name);
                let place = if inner { place.to_owned() } else { format!("{place}/{name}") };
                tally(one, other, &place, counts);
            }
        }
        (Value::List(ones), Value::List(others)) if ones.len() == others.len() => {
            ones.iter().zip(others).for_each(|(one, other)| tally(one, other, place, counts));
        }
        _ => counts.entry(place.to_owned()).or_default()[usize::from(one != other)] += 1,
    }
}

/// The table of `nwn-mdl-text.md`, section 10.2: models that exist as text and compiled, compared value by value.
#[test]
fn every_field_of_a_pair_agrees_but_for_leftover_memory() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let mut counts = BTreeMap::new();
    for name in ["codi_osyA", "codi_osyB"] {
        let read = |name: String| fs::read(corpora.join("nwn-pairs").join(name)).unwrap();
        let others: Vec<Bytes> =
            if name == "codi_osyB" { vec![read("codi_osyA.mdl".into()).into()] } else { Vec::new() };
        let made = kind("mdl").text.unwrap().make(&read(format!("{name}.text.mdl")), &others).unwrap();
        assert_eq!(made.notes, [] as [String; 0]);
        tally(
            &super::model_reader::values(&read(format!("{name}.mdl"))),
            &super::model_reader::values(&made.file),
            "",
            &mut counts,
        );
    }
    let mut groups: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (place, [same, other]) in &counts {
        let is = |part: &str| place.contains(part);
        let group = match () {
            () if is("events") => "events",
            () if is("controllers") => "controllers: kinds, times, values",
            () if is("faces/normal") || is("faces/distance") => "planes of faces",
            () if is("faces/adjacent") => "neighbors of faces",
            () if is("faces") => "vertices and surfaces of faces",
            () if is("raw") && is("normals") => "normals of vertices",
            () if is("raw") => "other values of vertices, index lists",
            () if is("box") || is("radius") || is("average") || is("area") => "boxes, centers, radii, areas",
            () if is("mesh/") || is("dangly") || is("constraints") => "other values of meshes",
            () if is("emitter") || is("light") || is("reference") => "emitters, lights, references",
            () => "names, numbers and other values of nodes, animations and the model",
        };
        let all = groups.entry(group).or_default();
        (all[0], all[1]) = (all[0] + same, all[1] + other);
    }
    let table: Vec<String> =
        groups.iter().map(|(group, [same, other])| format!("| {group} | {} | {same} |", same + other)).collect();
    let page = fs::read_to_string(harness::root().join("src/guide/formats/nwn-mdl-text.md")).unwrap();
    for row in &table {
        assert!(page.contains(row.as_str()), "the page lacks this row:\n{}", table.join("\n"));
    }
    // Only the tails of the names of events differ.
    let differ: Vec<&String> = counts.iter().filter(|(_, [_, other])| *other > 0).map(|(place, _)| place).collect();
    assert!(differ.iter().all(|place| place.contains("events")), "{differ:?}");
}

/// Source: `nwn-mdl-text.md`, sections 4.1 and 4.4.
#[test]
fn curves_and_tangents_are_ordinary_lines() {
    let forged = forge::samples(harness::SEED, forge::Size::Small);
    let file = forged.into_iter().find(|it| it.name == "bezier.mdl").unwrap().bytes;
    let shown = super::model_texts::text(&file);
    let rows = "    positionbezierkey 2\n      0.0 0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0\n      1.0 9.0";
    assert!(shown.contains(rows), "{shown}");
    assert!(!shown.contains("#bitexact keys") && !shown.contains("#bitexact data"), "{shown}");
    let again = compiled(&shown.replacen("7.0 8.0\n", "7.0 8.5\n", 1)).unwrap();
    let differ = file.iter().zip(&again).filter(|(one, other)| one != other).count();
    assert!(again.len() == file.len() && (1..=4).contains(&differ), "{differ}");
    let with = SQUARE.replacen(
        "  faces 2\r\n",
        "  tangents 4\r\n 1 0 0 1\r\n 1 0 0 1\r\n 0 1 0 -1\r\n 1 0 0 1\r\n  faces 2\r\n",
        1,
    );
    let file = compiled(&with).unwrap();
    let shown = super::model_texts::text(&file);
    assert!(shown.contains("    tangents 4\n      1.0 0.0 0.0 1.0\n"), "{shown}");
    assert!(!shown.contains("#bitexact tangents") && !shown.contains("#bitexact signs"), "{shown}");
    let mesh = decoded(&file);
    let streams = &mesh.root.children[0].mesh.as_ref().unwrap().streams;
    let signs: Vec<f32> = streams.bitangent_signs.values.iter().map(|it| it.get()).collect();
    assert_eq!((streams.tangents.values.len(), signs), (4, vec![1.0, 1.0, -1.0, 1.0]));
}

/// A value that does not fit its field is refused, and one that no compiler knows a place for is named.
#[test]
fn nothing_of_a_text_is_cut_or_dropped_in_silence() {
    for (old, new, why) in [
        ("bitmap Mtl #1", "shadow 4294967296", "expected a whole number of 32 bits, found 4294967296"),
        ("bitmap Mtl #1", "lightmapped 256", "expected a whole number of 8 bits, found 256"),
        ("0 1 2  1  0 0 0  7", "0 1 2  1  0 0 0  4294967296", "expected a whole number of 32 bits"),
        ("bitmap Mtl #1", "bmin 1 2", "expected 3 numbers after bmin"),
    ] {
        let found = compiled(&SQUARE.replacen(old, new, 1)).unwrap_err();
        assert!(found.contains(why), "{new}: {found}");
    }
    let boxed = decoded(&compiled(&SQUARE.replacen("bitmap Mtl #1", "bmax 9 1 1", 1)).unwrap());
    let head = &boxed.root.children[0].mesh.as_ref().unwrap().head;
    assert_eq!(head.box_max.map(|it| it.get()), [9.0, 4.0, 2.0]);
    let with = SQUARE.replacen("  unheardof 1 2 3\r\n", "  animverts 1\r\n   0 0 0\r\n", 1);
    let made = kind("mdl").text.unwrap().make(with.as_bytes(), &[]).unwrap();
    assert_eq!(made.notes, ["line 16: animverts of floor is not compiled: no format spec says how"]);
    let rows = "  orientationbezierkey 1\r\n   0 0 0 1 0 0 0 1 0 0 0 1 0\r\n";
    let with = SQUARE.replacen("  unheardof 1 2 3\r\n", rows, 1);
    let made = kind("mdl").text.unwrap().make(with.as_bytes(), &[]).unwrap();
    assert_eq!(made.notes, ["line 16: orientationbezierkey of floor is not compiled: no format spec says how"]);
    let without = compiled(&SQUARE.replacen("  unheardof 1 2 3\r\n", "", 1)).unwrap();
    assert!(made.file == without);
    assert!(kind("ncs").text.unwrap().make(b"", &[Bytes::new()]).unwrap_err().contains("super model"));
}
