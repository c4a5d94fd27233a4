//! New and deleted nodes of Neverwinter Nights models, and differences that an import reports instead of losing them.

use bitexact::aurora::model::Model as Mdl;
use bitexact::aurora::scene::of_model;
use bitexact::field::decode;
use bitexact::media::gltf::{Channel, Mesh, NEW, Node, Primitive, Scene, Transform, Values};
use bitexact::registry::{KINDS, named};
use forge::Size;

use super::import::import;
use super::sample;
use crate::harness;

/// Returns models with nodes to edit: generated ones, and those of the corpora if present.
pub(super) fn models() -> Vec<(String, Vec<u8>, Scene)> {
    let samples = forge::samples(harness::SEED, Size::Small).into_iter().filter(|it| it.kind == "mdl");
    let mut models: Vec<_> = samples.map(|sample| (sample.name, sample.bytes)).collect();
    match harness::corpora() {
        Some(corpora) => {
            for name in ["c_bodak", "c_hagatha", "c_rednose", "c_cornugon", "vim_bonblue", "ttd01_a04_03"] {
                let bytes = std::fs::read(corpora.join("nwn").join(format!("{name}.mdl"))).unwrap();
                models.push((format!("{name}.mdl"), bytes));
            }
        }
        None => eprintln!("corpora: absent, nodes of their models are not edited"),
    }
    let scenes = models.into_iter().filter_map(|(name, bytes)| {
        let model = decode::<Mdl>(bytes.clone()).ok()?.model;
        model.order.is_empty().then(|| (name, bytes, of_model(&model)))
    });
    scenes.collect()
}

/// Returns the node with a place.
pub(super) fn at(scene: &Scene, place: &str) -> usize {
    scene.nodes.iter().position(|node| node.place.as_deref() == Some(place)).unwrap()
}

/// Removes all skins from a scene.
fn unbound(mut scene: Scene) -> Scene {
    scene.skins.clear();
    scene.nodes.iter_mut().for_each(|node| node.skin = None);
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        (primitive.joints, primitive.weights) = (Vec::new(), Vec::new());
    }
    scene
}

/// Removes a node without children from a scene.
pub(super) fn remove(scene: &mut Scene, node: usize) {
    let rest = |at: usize| if at > node { at - 1 } else { at };
    scene.nodes.remove(node);
    for it in &mut scene.nodes {
        it.children.retain(|&child| child != node);
        it.children.iter_mut().for_each(|child| *child = rest(*child));
    }
    scene.roots.retain(|&root| root != node);
    scene.roots.iter_mut().for_each(|root| *root = rest(*root));
    for skin in &mut scene.skins {
        skin.joints.iter_mut().for_each(|joint| *joint = rest(*joint));
    }
    for animation in &mut scene.animations {
        animation.channels.retain(|channel| channel.node != node);
        animation.channels.iter_mut().for_each(|channel| channel.node = rest(channel.node));
    }
    scene.animations.retain(|animation| !animation.channels.is_empty());
}

/// Adds a node below another one or as a root, and returns its number.
pub(super) fn put(scene: &mut Scene, node: Node, parent: Option<usize>) -> usize {
    let number = scene.nodes.len();
    scene.nodes.push(node);
    match parent {
        Some(parent) => scene.nodes[parent].children.push(number),
        None => scene.roots.push(number),
    }
    number
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.nodes.iter().filter(|node| node.place.is_some()).map(|node| node.name.as_str()).collect()
}

/// Imports a scene, and checks that the result is a sound file whose export is no edit.
fn edited(name: &str, bytes: &[u8], scene: &Scene) -> Result<Scene, String> {
    let (code, told, result) = import(name, bytes, scene);
    let Some(result) = result else {
        assert_eq!(code, 2, "{told}");
        return Err(told);
    };
    let model = decode::<Mdl>(result.clone()).unwrap().model;
    assert_eq!(bitexact::field::encode(&model).unwrap(), result, "{name}");
    let again = of_model(&model);
    let kind = named(KINDS, "mdl").unwrap();
    let model = (kind.decode)(result.into()).unwrap().model;
    let imported = (kind.import.unwrap())(&model, again.glb().unwrap().into()).unwrap();
    assert_eq!(imported.edits, [], "{name}");
    Ok(again)
}

#[test]
fn deleted_nodes_are_deleted_with_all_that_depends_on_them() {
    let (mut deleted, mut bones) = (0, 0);
    for (name, bytes, scene) in models() {
        let bound: Vec<usize> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
        let places: Vec<String> = scene.nodes.iter().filter_map(|node| node.place.clone()).collect();
        let leaves =
            places.iter().filter(|place| **place != "/root" && scene.nodes[at(&scene, place)].children.is_empty());
        // The first, the last, and one with a mesh, and one that is a bone.
        let leaves: Vec<usize> = leaves.map(|place| at(&scene, place)).collect();
        let with_mesh = leaves.iter().find(|&&leaf| scene.nodes[leaf].mesh.is_some());
        let bone = leaves.iter().find(|leaf| bound.contains(leaf));
        for &leaf in leaves.first().into_iter().chain(leaves.last()).chain(with_mesh).chain(bone) {
            let node = scene.nodes[leaf].clone();
            let twins = scene.nodes.iter().filter(|it| it.name.eq_ignore_ascii_case(&node.name)).count();
            if twins > 1 {
                continue;
            }
            // Without skins, as editors need it.
            let mut expected = unbound(scene.clone());
            remove(&mut expected, leaf);
            match edited(&name, &bytes, &expected) {
                Ok(found) => {
                    let found = unbound(found);
                    assert_eq!(names(&found), names(&expected), "{name}");
                    let meshes = |scene: &Scene| -> Vec<Mesh> {
                        let shown = scene.nodes.iter().filter_map(|node| node.mesh);
                        // Materials are numbered by the meshes that are left.
                        let bare = |primitive: &Primitive| Primitive { material: None, ..primitive.clone() };
                        let primitives = |mesh: usize| scene.meshes[mesh].primitives.iter().map(bare).collect();
                        shown.map(|mesh| Mesh { primitives: primitives(mesh), ..Mesh::default() }).collect()
                    };
                    assert_eq!(meshes(&found), meshes(&expected), "{name}: {}", node.name);
                    deleted += 1;
                }
                Err(why) => {
                    assert!(why.contains("is a bone of skin") && bound.contains(&leaf), "{name}: {why}");
                    bones += 1;
                }
            }
        }
    }
    eprintln!("{deleted} nodes deleted, {bones} bones refused");
    assert!(deleted > 10, "{deleted}");
}

/// A script may only take a node out of its parent, and leave it in the file.
#[test]
fn nodes_that_no_scene_shows_are_deleted() {
    let mut unlinked = 0;
    for (name, bytes, scene) in models() {
        let bound: Vec<usize> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
        let is_leaf = |at: &usize| scene.nodes[*at].place.is_some() && scene.nodes[*at].children.is_empty();
        let leaf = (0..scene.nodes.len()).find(|at| is_leaf(at) && !bound.contains(at) && !scene.roots.contains(at));
        let Some(leaf) = leaf else { continue };
        let [mut removed, mut hidden] = [unbound(scene.clone()), unbound(scene.clone())];
        remove(&mut removed, leaf);
        hidden.nodes.iter_mut().for_each(|node| node.children.retain(|&child| child != leaf));
        // What is refused is refused in both ways: the only node of a model.
        let [removed, hidden] = [removed, hidden].map(|scene| edited(&name, &bytes, &scene).ok());
        unlinked += usize::from(removed.is_some());
        assert_eq!(hidden, removed, "{name}");
    }
    assert!(unlinked > 2, "{unlinked}");
}

/// Returns a tetrahedron with a material.
pub(super) fn tetrahedron(material: Option<usize>) -> Mesh {
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let primitive = Primitive {
        material,
        vertices: vec![NEW; positions.len()],
        coordinates: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]],
        positions,
        indices: vec![0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2],
        ..Primitive::default()
    };
    Mesh { name: "tetrahedron".to_owned(), place: None, primitives: vec![primitive] }
}

#[test]
fn new_nodes_and_meshes_are_added() {
    let mut added = [0; 2];
    for (name, bytes, scene) in models() {
        let root = at(&scene, "/root");
        let mut more = scene.clone();
        let transform = Transform { translation: [1.0, 2.0, 3.0], scale: [2.0; 3], ..Transform::default() };
        put(&mut more, Node { name: "a_new_one".to_owned(), transform, ..Node::default() }, Some(root));
        let found = edited(&name, &bytes, &more).unwrap_or_else(|why| panic!("{name}: {why}"));
        let new = found.nodes.iter().find(|node| node.name == "a_new_one").unwrap();
        assert_eq!((new.transform, new.mesh), (transform, None), "{name}");
        assert_eq!(names(&found).len(), names(&scene).len() + 1, "{name}");
        added[0] += 1;
        if scene.materials.is_empty() {
            continue;
        }
        // A mesh, with a node below it.
        let mut more = scene.clone();
        more.meshes.push(tetrahedron(Some(0)));
        let mesh = Some(more.meshes.len() - 1);
        let above = put(&mut more, Node { name: "a_new_mesh".to_owned(), mesh, ..Node::default() }, Some(root));
        put(&mut more, Node { name: "its_tip".to_owned(), transform, ..Node::default() }, Some(above));
        let found = edited(&name, &bytes, &more).unwrap_or_else(|why| panic!("{name}: {why}"));
        let new = found.nodes.iter().find(|node| node.name == "a_new_mesh").unwrap();
        let [primitive] = &found.meshes[new.mesh.unwrap()].primitives[..] else { panic!("one material") };
        // Without normals, each face has its own.
        assert_eq!((primitive.indices.len(), primitive.positions.len()), (12, 12), "{name}");
        let material =
            |scene: &Scene, index: usize| (scene.materials[index].texture.clone(), scene.materials[index].color);
        assert_eq!(material(&found, primitive.material.unwrap()), material(&scene, 0), "{name}");
        assert_eq!(found.nodes[new.children[0]].name, "its_tip", "{name}");
        added[1] += 1;
    }
    eprintln!("{} empty nodes and {} meshes added", added[0], added[1]);
    assert!(added[1] > 5, "{added:?}");
}

#[test]
fn copies_of_meshes_become_nodes() {
    let bytes = sample("c_boar.mdl");
    let scene = of_model(&decode::<Mdl>(bytes.clone()).unwrap().model);
    let plain = |node: &&Node| node.mesh.is_some() && node.extras["parts"].as_str() == Some("HEADER | MESH");
    let original = scene.nodes.iter().find(plain).expect("a plain mesh").clone();
    let mut copied = scene.clone();
    let node = Node { name: format!("{}.001", original.name), children: Vec::new(), ..original.clone() };
    let root = at(&scene, "/root");
    put(&mut copied, node, Some(root));
    let found = edited("c_boar.mdl", &bytes, &copied).unwrap();
    let copy = found.nodes.iter().find(|node| node.name == format!("{}.001", original.name)).unwrap();
    let triangles = |scene: &Scene, node: &Node| -> usize {
        scene.meshes[node.mesh.unwrap()].primitives.iter().map(|it| it.indices.len()).sum()
    };
    assert_eq!(triangles(&found, copy), triangles(&scene, &original));
}

#[test]
fn nodes_that_a_model_cannot_hold_are_refused() {
    let bytes = sample("c_boar.mdl");
    let scene = of_model(&decode::<Mdl>(bytes.clone()).unwrap().model);
    let root = at(&scene, "/root");
    let refused = |scene: &Scene, words: &str| {
        let why = edited("c_boar.mdl", &bytes, scene).unwrap_err();
        assert!(why.contains(words) && why.lines().count() == 1, "{why}");
    };
    let with = |mesh: Mesh, node: Node, parent: Option<usize>| {
        let mut more = scene.clone();
        more.meshes.push(mesh);
        let mesh = Some(more.meshes.len() - 1);
        put(&mut more, Node { name: "new".to_owned(), mesh, ..node }, parent);
        more
    };
    refused(&with(tetrahedron(Some(0)), Node::default(), None), "has no parent in the model");
    refused(&with(tetrahedron(None), Node::default(), Some(root)), "has no material");
    let mut two = tetrahedron(Some(0));
    let mut other = two.primitives[0].clone();
    let new = scene.materials.iter().position(|it| it.place != scene.materials[0].place);
    other.material = new;
    two.primitives.push(other);
    if new.is_some() {
        refused(&with(two, Node::default(), Some(root)), "several materials");
    }
    let uneven = Transform { scale: [1.0, 2.0, 3.0], ..Transform::default() };
    refused(
        &with(tetrahedron(Some(0)), Node { transform: uneven, ..Node::default() }, Some(root)),
        "one scale for all axes",
    );
    let mut gone = scene.clone();
    gone.nodes[root].place = None;
    gone.nodes[root].name = "another".to_owned();
    refused(&gone, "root of the model");
    // A node whose parent has been deleted.
    let place =
        scene.nodes.iter().find_map(|node| node.place.as_deref().filter(|place| place.matches('/').count() > 3));
    let (parent, _) = place.expect("a node below others").rsplit_once("/children/").unwrap();
    let mut moved = scene.clone();
    let parent = at(&scene, parent);
    moved.nodes[parent].place = None;
    moved.nodes[parent].name = "between".to_owned();
    moved.nodes[parent].mesh = None;
    refused(&moved, "which has been deleted; give it back, or delete this node too");
    let mut lost = scene.clone();
    lost.nodes[parent].place = None;
    refused(&lost, "has lost its place in the file");
}

#[test]
fn copies_of_skins_are_refused() {
    let (name, bytes, scene) = models().into_iter().find(|(_, _, scene)| !scene.skins.is_empty()).unwrap();
    // As an editor copies it: with the place of the node, or only the bound mesh.
    let bound = scene.nodes.iter().find(|node| node.skin.is_some()).unwrap();
    let place = scene.meshes[bound.mesh.unwrap()].place.clone();
    let place_of_mesh = place.clone().unwrap();
    let [mut twice, mut bare] = [scene.clone(), scene.clone()];
    let root = at(&scene, "/root");
    put(&mut twice, Node { name: "twin".to_owned(), place, skin: None, ..bound.clone() }, Some(root));
    put(&mut bare, Node { name: "twin".to_owned(), ..bound.clone() }, None);
    let why = edited(&name, &bytes, &twice).unwrap_err();
    assert!(why.contains("\"twin\" is new: a copy of") && why.contains("SKIN"), "{why}");
    let why = edited(&name, &bytes, &bare).unwrap_err();
    assert!(why.contains("\"twin\" is new and has no parent"), "{why}");
    // Without bones, the node itself has the mesh, and so can another one.
    let mut plain = unbound(scene.clone());
    let mesh = bound.mesh;
    let made = plain.nodes.iter().position(|node| node.place.is_none() && node.mesh == mesh).unwrap();
    let owner = at(&plain, &place_of_mesh);
    plain.nodes[owner].mesh = mesh;
    remove(&mut plain, made);
    let root = at(&plain, "/root");
    put(&mut plain, Node { name: "twin".to_owned(), mesh, ..Node::default() }, Some(root));
    match edited(&name, &bytes, &plain) {
        Ok(more) => assert!(names(&more).contains(&"twin"), "{:?}", names(&more)),
        Err(why) => assert!(why.contains("twin"), "{why}"),
    }
}

/// Returns a model with a channel of several different keys, and the number of its animation and of the channel.
fn animated() -> (String, Vec<u8>, Scene, [usize; 2]) {
    let found = models().into_iter().find_map(|(name, bytes, scene)| {
        let channels =
            scene.animations.iter().enumerate().flat_map(|(nth, it)| (0..it.channels.len()).map(move |at| [nth, at]));
        let is_long = |[nth, at]: &[usize; 2]| match &scene.animations[*nth].channels[*at].values {
            Values::Translation(values) => values.len() > 4 && values.windows(2).all(|pair| pair[0] != pair[1]),
            Values::Rotation(values) => {
                let turned =
                    |pair: &[[f32; 4]]| pair[0].iter().zip(pair[1]).map(|(a, b)| a * b).sum::<f32>().abs() < 0.99;
                values.len() > 4 && values.windows(2).take(3).all(turned)
            }
            Values::Scale(_) => false,
        };
        let all: Vec<[usize; 2]> = channels.collect();
        let found = all.into_iter().find(is_long)?;
        Some((name, bytes, scene, found))
    });
    found.expect("a model with keys")
}

#[test]
fn deleted_and_added_keys_change_the_rows() {
    let (name, bytes, scene, [nth, at]) = animated();
    let keys = |scene: &Scene| scene.animations[nth].channels[at].times.clone();
    let was = keys(&scene);
    let mut fewer = scene.clone();
    let Channel { times, values, .. } = &mut fewer.animations[nth].channels[at];
    times.remove(1);
    match values {
        Values::Translation(values) | Values::Scale(values) => drop(values.remove(1)),
        Values::Rotation(values) => drop(values.remove(1)),
    }
    let found = edited(&name, &bytes, &fewer).unwrap();
    assert_eq!(keys(&found), keys(&fewer), "{name}");
    let mut more = scene.clone();
    let Channel { times, values, .. } = &mut more.animations[nth].channels[at];
    times.insert(1, was[0] + (was[1] - was[0]) / 2.0);
    match values {
        Values::Translation(values) | Values::Scale(values) => values.insert(1, values[2]),
        Values::Rotation(values) => values.insert(1, values[2]),
    }
    let found = edited(&name, &bytes, &more).unwrap();
    assert_eq!(keys(&found), keys(&more), "{name}");
    // A program that samples 30 times per second does not edit.
    let mut sampled = scene.clone();
    let channel = &mut sampled.animations[nth].channels[at];
    let (times, values) = (channel.times.clone(), channel.values.clone());
    if let Values::Translation(values) = values {
        let all: Vec<f32> =
            (0..).map(|frame| frame as f32 / 30.0).take_while(|time| *time < *times.last().unwrap()).collect();
        let value = |time: f32| {
            let next = times.partition_point(|it| *it < time).max(1);
            let part = (time - times[next - 1]) / (times[next] - times[next - 1]);
            core::array::from_fn(|axis| values[next - 1][axis] + (values[next][axis] - values[next - 1][axis]) * part)
        };
        let mut rows: Vec<[f32; 3]> = all.iter().map(|time| value(*time)).collect();
        rows.push(*values.last().unwrap());
        channel.times = all.into_iter().chain(times.last().copied()).collect();
        channel.values = Values::Translation(rows);
        let (_, told, result) = import(&name, &bytes, &sampled);
        assert!(result.is_some_and(|result| result == bytes), "{told}");
    }
    let mut renamed = scene.clone();
    renamed.animations[nth].name = "another".to_owned();
    assert_eq!(edited(&name, &bytes, &renamed).unwrap().animations[nth].name, "another");
}

/// Checks that an import reports a difference and changes nothing.
fn reported(scene: &Scene, words: &str) {
    let bytes = sample("c_boar.mdl");
    let (code, told, result) = import("c_boar.mdl", &bytes, scene);
    assert!(code == 0 && told.contains(words), "{words}: {told}");
    assert!(result.is_some_and(|result| result == bytes), "{told}");
}

#[test]
fn base_color_of_a_material_is_that_of_its_meshes() {
    let bytes = sample("c_boar.mdl");
    let mut scene = of_model(&decode::<Mdl>(bytes.clone()).unwrap().model);
    let [_, _, _, alpha] = scene.materials[0].color;
    scene.materials[0].color = [0.1, 0.2, 0.3, alpha];
    let again = edited("c_boar.mdl", &bytes, &scene).unwrap();
    for mesh in again.meshes.iter().zip(&scene.meshes).filter(|(_, was)| was.primitives[0].material == Some(0)) {
        let color = again.materials[mesh.0.primitives[0].material.unwrap()].color;
        assert!(color.iter().zip([0.1, 0.2, 0.3, alpha]).all(|(now, wanted)| (now - wanted).abs() < 1e-4), "{color:?}");
    }
}

#[test]
fn differences_that_are_no_edit_are_reported() {
    let bytes = sample("c_boar.mdl");
    let scene = of_model(&decode::<Mdl>(bytes.clone()).unwrap().model);
    let mut other = scene.clone();
    other.materials[0].name = "another".to_owned();
    reported(&other, "names of materials");
    let mut other = scene.clone();
    other.materials[0].color[3] = 0.5;
    reported(&other, "opacities of materials");
    let mut other = scene.clone();
    let painted = other.materials.iter().position(|material| material.place.is_some()).unwrap();
    other.materials[painted].texture = Some("another".to_owned());
    reported(&other, "images of materials");
    let mut other = scene.clone();
    other.meshes[0].name = "another".to_owned();
    reported(&other, "names of meshes");
    let mut other = scene.clone();
    let node = other.nodes.iter_mut().find(|node| node.extras.contains_key("parts")).unwrap();
    node.extras.insert("parts".to_owned(), "another".into());
    reported(&other, "values in `extras`");
    // The marks are the first set of texture coordinates if a program has dropped the one before.
    let mut text: serde_json::Value = serde_json::from_slice(&scene.gltf().unwrap()).unwrap();
    for primitive in
        text["meshes"].as_array_mut().unwrap().iter_mut().flat_map(|it| it["primitives"].as_array_mut().unwrap())
    {
        let attributes = primitive["attributes"].as_object_mut().unwrap();
        let marks = attributes.remove("TEXCOORD_1").unwrap();
        attributes.insert("TEXCOORD_0".to_owned(), marks);
    }
    let kind = named(KINDS, "mdl").unwrap();
    let model = (kind.decode)(bytes.into()).unwrap().model;
    let why = (kind.import.unwrap())(&model, text.to_string().into()).unwrap_err().to_string();
    assert!(why.contains("has no texture coordinates any more"), "{why}");
}
