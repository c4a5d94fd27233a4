//! New materials of imported models, and vertices that other programs have merged.

use bitexact::aurora::model::Model as Mdl;
use bitexact::aurora::scene::of_model;
use bitexact::field::decode;
use bitexact::lint::warnings;
use bitexact::media::gltf::{Material, NEW, Node, Scene};
use bitexact::registry::{KINDS, named};
use bitexact::zipper::archive::Archive;
use bitexact::zipper::scene::of_library;

use super::import::{import, move_vertex};
use super::nodes::{at, models, put, tetrahedron};
use super::sample;
use super::worlds::{WORLDS, edited, scene_of, shown};
use crate::harness;

/// Adds a material to a scene, and returns its number.
fn add(scene: &mut Scene, name: &str, texture: Option<&str>, color: [f32; 4]) -> usize {
    let texture = texture.map(str::to_owned);
    scene.materials.push(Material { name: name.to_owned(), texture, color, two_sided: true, ..Material::default() });
    scene.materials.len() - 1
}

/// Adds a node with a mesh that has a material, below the first node of the file.
fn with_mesh(scene: &mut Scene, material: usize, root: &str) {
    let root = at(scene, root);
    scene.meshes.push(tetrahedron(Some(material)));
    let mesh = Some(scene.meshes.len() - 1);
    put(scene, Node { name: "new".into(), mesh, ..Node::default() }, Some(root));
}

/// Returns the material of the mesh of the node that has been added.
fn material_of(scene: &Scene) -> &Material {
    let node = scene.nodes.iter().find(|node| node.name == "new").expect("the new node");
    let [primitive] = &scene.meshes[node.mesh.unwrap()].primitives[..] else { panic!("one material") };
    &scene.materials[primitive.material.unwrap()]
}

const COLOR: [f32; 4] = [0.0, 1.0, 0.215_860_53, 1.0];

#[test]
fn new_materials_of_worlds_take_free_slots() {
    let mut made = [0; 3];
    for name in WORLDS {
        let bytes = sample(name);
        let scene = scene_of(&bytes);
        let (before, texture) = (shown(&bytes), scene.materials.iter().find_map(|it| it.texture.clone()));
        let lists = |json: &serde_json::Value| {
            ["/materials/slots", "/materials/free", "/textures"]
                .map(|place| json.pointer(place).and_then(|it| it.as_array()).map_or(0, Vec::len))
        };
        let [used, free, textures] = lists(&before);
        let texture = texture.expect("a texture");
        let (stem, _) = texture.rsplit_once('.').unwrap_or((&texture, ""));
        // With a color, with a texture of the file, with another one.
        for (nth, (title, image, color, more)) in [
            ("mine", None, COLOR, 0),
            ("mine", Some(format!("{}.png", stem.to_uppercase())), [1.0; 4], 0),
            ("mine", Some("moss.png".to_owned()), [1.0; 4], 1),
        ]
        .into_iter()
        .enumerate()
        {
            let mut more_scene = scene.clone();
            let material = add(&mut more_scene, title, image.as_deref(), color);
            with_mesh(&mut more_scene, material, "/nodes/slots/0");
            let (told, result) = match edited(&bytes, &more_scene) {
                Ok(found) => found,
                Err(why) => {
                    let is_reason =
                        ["turn to the viewer or morph", "no polygon of the file has a material", "has 0 free slots"];
                    assert!(is_reason.iter().any(|reason| why.contains(reason)), "{name}: {why}");
                    continue;
                }
            };
            made[nth] += 1;
            assert_eq!(told.contains("not imported: images of new materials"), more == 1, "{name}: {told}");
            let after = shown(&result);
            assert_eq!(lists(&after), [used + 1, free - 1, textures + more], "{name}: {told}");
            let found = scene_of(&result);
            let own = material_of(&found);
            assert_eq!(own.place, Some(format!("/materials/slots/{used}")), "{name}");
            match nth {
                0 => assert_eq!((own.color, &own.texture), (COLOR, &None), "{name}"),
                1 => assert_eq!(own.texture.as_ref(), Some(&texture), "{name}"),
                _ => assert_eq!(own.texture.as_deref(), Some("moss.tif"), "{name}"),
            }
            assert_eq!(super::worlds::warnings(&bytes, &result), [""; 0], "{name}: {told}");
        }
    }
    eprintln!("{made:?} of {} worlds have new materials", WORLDS.len());
    assert!(made.iter().all(|made| *made >= 3), "{made:?}");
}

#[test]
fn polygons_of_worlds_get_new_materials() {
    let bytes = sample("pm_c1_gamez.zbd");
    let scene = scene_of(&bytes);
    let mut other = scene.clone();
    let material = add(&mut other, "mine", None, COLOR);
    let mesh = scene.nodes.iter().find_map(|node| node.mesh).unwrap();
    other.meshes[mesh].primitives[0].material = Some(material);
    let (told, result) = edited(&bytes, &other).unwrap();
    let found = scene_of(&result);
    let again = found.meshes.iter().find(|it| it.place == scene.meshes[mesh].place).unwrap();
    let colors = again.primitives.iter().map(|it| found.materials[it.material.unwrap()].color);
    assert!(colors.clone().any(|color| color == COLOR), "{told}");
    // A copy of a material with another color, as programs make it, beside the original.
    let plain = scene.materials.iter().position(|it| it.texture.is_none() && it.place.is_some()).unwrap();
    let mut copied = scene.clone();
    let copy = Material { name: "copy.001".into(), color: COLOR, ..scene.materials[plain].clone() };
    copied.materials.push(copy);
    copied.meshes[mesh].primitives[0].material = Some(copied.materials.len() - 1);
    let (told, result) = edited(&bytes, &copied).unwrap();
    assert_eq!(scene_of(&result).materials.iter().filter(|it| it.color == COLOR).count(), 1, "{told}");
    // More than there are free slots for.
    let free = shown(&bytes)["materials"]["free"].as_array().unwrap().len();
    let mut many = scene.clone();
    for nth in 0..=free {
        let material = add(&mut many, &format!("mine{nth}"), None, [nth as f32 / 1000.0, 0.0, 0.0, 1.0]);
        with_mesh(&mut many, material, "/nodes/slots/0");
        many.nodes.last_mut().unwrap().name = format!("new{nth}");
    }
    let why = edited(&bytes, &many).unwrap_err();
    assert!(why.contains(&format!("/materials has {free} free slots")), "{why}");
}

#[test]
fn new_materials_of_libraries_are_appended() {
    for name in ["mw_mechlib.zbd", "pm_mechlib.zbd"] {
        let bytes = sample(name);
        let scene = of_library(&decode::<Archive>(bytes.clone()).unwrap().model, &[]).unwrap();
        let count =
            scene.materials.iter().filter_map(|it| it.place.as_ref()).collect::<std::collections::BTreeSet<_>>().len();
        let mut made = 0;
        for (texture, color) in [(None, COLOR), (Some("moss"), [1.0; 4])] {
            let mut more = scene.clone();
            let material = add(&mut more, "mine", texture, color);
            let root =
                scene.nodes.iter().find_map(|node| node.place.clone().filter(|_| !node.children.is_empty())).unwrap();
            with_mesh(&mut more, material, &root);
            let (code, told, result) = import("mechlib.zbd", &bytes, &more);
            let Some(result) = result else {
                assert!(
                    told.contains("turn to the viewer or morph") || told.contains("no polygon of the file"),
                    "{told}"
                );
                continue;
            };
            assert_eq!(code, 0, "{told}");
            made += 1;
            let deviations = harness::compared("archive", &bytes, &result, |it| it.new_deviations().unwrap());
            assert!(deviations.is_empty(), "{name}: {deviations:?}: {told}");
            let found = of_library(&decode::<Archive>(result).unwrap().model, &[]).unwrap();
            let own = material_of(&found);
            assert_eq!(own.place, Some(format!("materials:/materials/{count}")), "{name}");
            assert_eq!((own.texture.as_deref(), own.color), (texture, color), "{name}");
        }
        assert!(made > 0, "{name}");
    }
}

/// Imports a scene of a model, and returns that of the result.
fn edited_model(bytes: &[u8], scene: &Scene) -> Result<(Scene, String), String> {
    let (code, told, result) = import("c_boar.mdl", bytes, scene);
    let Some(result) = result else { return Err(told) };
    assert_eq!(code, 0, "{told}");
    let again = of_model(&decode::<Mdl>(result.clone()).unwrap().model);
    let kind = named(KINDS, "mdl").unwrap();
    let model = (kind.decode)(result.into()).unwrap().model;
    assert_eq!((kind.import.unwrap())(&model, again.glb().unwrap().into()).unwrap().edits, [], "{told}");
    assert!(warnings(&model).is_empty(), "{told}");
    Ok((again, told))
}

#[test]
fn meshes_of_models_get_new_materials() {
    let bytes = sample("c_boar.mdl");
    let scene = of_model(&decode::<Mdl>(bytes.clone()).unwrap().model);
    for (texture, color) in [(None, COLOR), (Some("moss.tga"), [1.0, 1.0, 1.0, 0.5])] {
        let mut more = scene.clone();
        let material = add(&mut more, "mine", texture, color);
        with_mesh(&mut more, material, "/root");
        let (found, _) = edited_model(&bytes, &more).unwrap();
        let own = material_of(&found);
        assert_eq!(own.texture.as_deref(), texture.map(|_| "moss"));
        assert!(own.color.iter().zip(color).all(|(now, wanted)| (now - wanted).abs() < 1e-4), "{:?}", own.color);
        // All faces of a mesh that the file has.
        let mesh =
            scene.meshes.iter().position(|mesh| mesh.primitives.iter().all(|it| !it.coordinates.is_empty())).unwrap();
        let mut changed = scene.clone();
        let material = add(&mut changed, "mine", texture, [color[0], color[1], color[2], 1.0]);
        changed.meshes[mesh].primitives.iter_mut().for_each(|it| it.material = Some(material));
        let (found, told) = edited_model(&bytes, &changed).unwrap();
        let again = found.meshes.iter().find(|it| it.place == scene.meshes[mesh].place).unwrap();
        let own = &found.materials[again.primitives[0].material.unwrap()];
        assert_eq!(own.texture.as_deref(), texture.map(|_| "moss"), "{told}");
        assert!(told.contains("/mesh/textures/0"), "{told}");
    }
    // A mesh has one texture.
    let mut mixed = scene.clone();
    let material = add(&mut mixed, "mine", None, COLOR);
    let (mesh, primitive) = (0, &mut mixed.meshes[0].primitives[0]);
    let mut half = primitive.clone();
    let cut = primitive.indices.len() / 6 * 3;
    primitive.indices.truncate(cut);
    half.indices.drain(..cut);
    half.material = Some(material);
    mixed.meshes[mesh].primitives.push(half);
    let why = edited_model(&bytes, &mixed).unwrap_err();
    assert!(why.contains("a mesh has one texture"), "{why}");
}

/// Gives all vertices of a mesh at one place the number of the first of them, and returns how many numbers that takes away.
fn weld(scene: &mut Scene, mesh: usize) -> usize {
    let mut first = std::collections::HashMap::new();
    let mut lost = std::collections::HashSet::new();
    for primitive in &mut scene.meshes[mesh].primitives {
        for (vertex, position) in primitive.vertices.iter_mut().zip(&primitive.positions) {
            let own = *first.entry(position.map(|part| (part + 0.0).to_bits())).or_insert(*vertex);
            if own != *vertex {
                lost.insert(*vertex);
            }
            *vertex = own;
        }
    }
    lost.len()
}

#[test]
fn merged_vertices_are_told_apart_by_their_faces() {
    let (mut welded, mut meshes) = (0, 0);
    let kind = named(KINDS, "mdl").unwrap();
    for (name, bytes, scene) in models() {
        let model = (kind.decode)(bytes.into()).unwrap().model;
        let edits = |scene: &Scene| (kind.import.unwrap())(&model, scene.glb().unwrap().into()).map(|it| it.edits);
        for mesh in 0..scene.meshes.len() {
            let mut other = scene.clone();
            let lost = weld(&mut other, mesh);
            if lost == 0 {
                continue;
            }
            (welded, meshes) = (welded + lost, meshes + 1);
            assert_eq!(edits(&other).unwrap(), [], "{name}: mesh {mesh}");
        }
    }
    eprintln!("{welded} vertices of {meshes} meshes were merged");
    // The vertices of generated models are all at places of their own.
    assert!(welded > 100 || harness::corpora().is_none(), "{welded}");
}

#[test]
fn vertices_without_numbers_are_known_by_their_places() {
    for name in ["pm_c1_gamez.zbd", "rc_m1_gamez.zbd"] {
        let bytes = sample(name);
        let scene = scene_of(&bytes);
        let mut bare = scene.clone();
        for primitive in bare.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            primitive.vertices.fill(NEW);
        }
        let (code, told, result) = import("gamez.zbd", &bytes, &bare);
        assert_eq!((code, result.as_deref()), (0, Some(&bytes[..])), "{told}");
        // A vertex that has moved is none of the file.
        let mut moved = scene.clone();
        let mesh = scene.nodes.iter().find_map(|node| node.mesh).unwrap();
        move_vertex(&mut moved, mesh, 2.5);
        moved.meshes[mesh].primitives.iter_mut().for_each(|primitive| primitive.vertices.fill(NEW));
        let (code, told, _) = import("gamez.zbd", &bytes, &moved);
        assert!(code == 2 && told.contains("its vertices have no numbers"), "{told}");
    }
}
