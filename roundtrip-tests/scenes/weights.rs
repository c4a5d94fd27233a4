//! Weights of skins: only those of an edited vertex change, and a skin gets no more than its file can hold.

use bitexact::aurora::mesh_types::MeshType;
use bitexact::aurora::model::Model as Mdl;
use bitexact::aurora::numbers::preorder;
use bitexact::aurora::scene::of_model;
use bitexact::field::decode;
use bitexact::kind::ImportedEdit;
use bitexact::media::gltf::Scene;
use bitexact::registry::{KINDS, named};
use forge::Size;

use crate::harness;

/// Returns the models with a skin of several bones: generated ones, and those of the corpora if present.
fn models() -> Vec<(String, Vec<u8>, Scene)> {
    let samples = forge::samples(harness::SEED, Size::Small).into_iter().filter(|it| it.kind == "mdl");
    let mut models: Vec<_> = samples.map(|sample| (sample.name, sample.bytes)).collect();
    match harness::corpora() {
        Some(corpora) => {
            let files = bitexact::install::files(&corpora.join("nwn")).unwrap();
            models.extend(files.into_iter().map(|file| (file.name(), file.read().unwrap())));
        }
        None => eprintln!("corpora: absent, their skins are not edited"),
    }
    let scenes = models.into_iter().filter_map(|(name, bytes)| {
        let model = decode::<Mdl>(bytes.clone()).ok()?.model;
        let scene = of_model(&model);
        let is_bound = scene.skins.iter().any(|skin| skin.joints.len() > 1);
        (is_bound && model.order.is_empty()).then_some((name, bytes, scene))
    });
    scenes.collect()
}

/// Returns the places of the edits of a model that lead to a glTF file.
fn edits(bytes: &[u8], gltf: &[u8]) -> Result<Vec<String>, String> {
    let kind = named(KINDS, "mdl").unwrap();
    let model = (kind.decode)(bytes.to_vec().into()).unwrap().model;
    let imported = (kind.import.unwrap())(&model, gltf.to_vec().into()).map_err(|why| why.to_string())?;
    assert!(imported.ignored.is_empty(), "{:?}", imported.ignored);
    let places = imported.edits.iter().map(|edit| match edit {
        ImportedEdit::Set(place, _) => place.to_string(),
        edit => panic!("{edit:?}"),
    });
    Ok(places.collect())
}

/// Binds a vertex of a mesh to these joints, and returns its number.
fn bind(scene: &mut Scene, mesh: usize, joints: [u16; 4], weights: [f32; 4]) -> u32 {
    let vertex = scene.meshes[mesh].primitives[0].vertices[0];
    for primitive in &mut scene.meshes[mesh].primitives {
        for at in (0..primitive.vertices.len()).filter(|&at| primitive.vertices[at] == vertex) {
            (primitive.joints[at], primitive.weights[at]) = (joints, weights);
        }
    }
    vertex
}

/// Returns the mesh of the first skin with several bones.
fn bound(scene: &Scene) -> (usize, usize) {
    let skin = scene.skins.iter().position(|skin| skin.joints.len() > 1).unwrap();
    (skin, scene.nodes.iter().find(|node| node.skin == Some(skin)).unwrap().mesh.unwrap())
}

/// Returns the slots and the weights of all vertices of the skins of a model.
fn weights(bytes: &[u8]) -> Vec<Vec<([i16; 4], [u32; 4])>> {
    let model = decode::<Mdl>(bytes.to_vec()).unwrap().model;
    let meshes = preorder(&model.root).filter_map(|node| node.mesh.as_ref());
    let skins = meshes.filter_map(|mesh| match &mesh.mesh_type {
        MeshType::Skin(skin) => {
            let slots = skin.slots.iter().map(|it| it.map(|slot| slot.get()));
            Some(slots.zip(skin.weights.iter().map(|it| it.map(|weight| weight.get().to_bits()))).collect())
        }
        _ => None,
    });
    skins.collect()
}

#[test]
fn edited_weight_changes_only_its_vertex() {
    let models = models();
    for (name, bytes, scene) in &models {
        let mut edited = scene.clone();
        let (_, mesh) = bound(&edited);
        let shares = [0.1875, 0.8125, 0.0, 0.0];
        let vertex = bind(&mut edited, mesh, [0, 1, 0, 0], shares);
        let said = edits(bytes, &edited.glb().unwrap()).unwrap_or_else(|why| panic!("{name}: {why}"));
        let parts = [format!("/weights/{vertex}"), format!("/slots/{vertex}")];
        assert!((1..=2).contains(&said.len()), "{name}: {said:?}");
        assert!(said.iter().all(|edit| parts.iter().any(|part| edit.ends_with(part.as_str()))), "{name}: {said:?}");
        let (code, told, result) = super::import::import("c_model.mdl", bytes, &edited);
        assert_eq!(code, 0, "{name}: {told}");
        let result = result.unwrap();
        assert_eq!(bytes.len(), result.len(), "{name}");
        let changed: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] != result[at]).collect();
        assert!((1..=24).contains(&changed.len()), "{name}: {} bytes", changed.len());
        let (was, now) = (weights(bytes), weights(&result));
        let mut different = Vec::new();
        for (skin, (was, now)) in was.iter().zip(&now).enumerate() {
            different.extend((0..was.len()).filter(|&at| was[at] != now[at]).map(|at| (skin, at)));
        }
        let [(skin, at)] = different[..] else { panic!("{name}: {different:?}") };
        let (slots, found) = now[skin][at];
        for (slot, share) in [(0, shares[0]), (1, shares[1])] {
            let place = slots.iter().position(|it| *it == slot).unwrap();
            assert!((f32::from_bits(found[place]) - share).abs() < 1e-6, "{name}: {slots:?}");
        }
        assert!((0..4).all(|at| (slots[at] < 0) == (found[at] == 0)), "{name}: a weight of 0 has no slot");
    }
    eprintln!("{} models with skins", models.len());
    assert!(!models.is_empty());
}

#[test]
fn joints_that_a_skin_cannot_hold_are_refused() {
    let models = models();
    let (_, bytes, scene) = &models[0];
    let (skin, mesh) = bound(scene);
    // A node of the model that is no bone.
    let node = scene.nodes.iter().position(|node| node.place.as_deref() == Some("/root")).unwrap();
    let mut edited = scene.clone();
    assert!(!scene.skins[skin].joints.contains(&node));
    edited.skins[skin].joints.push(node);
    edited.skins[skin].inverse_binds.push([0.0; 16]);
    let new = edited.skins[skin].joints.len() as u16 - 1;
    bind(&mut edited, mesh, [new, 0, 0, 0], [0.5, 0.5, 0.0, 0.0]);
    let why = edits(bytes, &edited.glb().unwrap()).unwrap_err();
    assert!(why.contains("bones of its skin, found another joint"), "{why}");
    let mut edited = scene.clone();
    bind(&mut edited, mesh, [u16::MAX, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
    let why = edits(bytes, &edited.glb().unwrap()).unwrap_err();
    assert!(why.contains("not a node of the file"), "{why}");
    let mut edited = scene.clone();
    bind(&mut edited, mesh, [0; 4], [0.0; 4]);
    let why = edits(bytes, &edited.glb().unwrap()).unwrap_err();
    assert!(why.contains("has no weight"), "{why}");
    // Eight joints per vertex, which only other programs write.
    let mut json: serde_json::Value = serde_json::from_slice(&scene.gltf().unwrap()).unwrap();
    for primitive in
        json["meshes"].as_array_mut().unwrap().iter_mut().flat_map(|it| it["primitives"].as_array_mut().unwrap())
    {
        let attributes = &mut primitive["attributes"];
        if attributes.get("JOINTS_0").is_some() {
            (attributes["JOINTS_1"], attributes["WEIGHTS_1"]) =
                (attributes["JOINTS_0"].clone(), attributes["WEIGHTS_0"].clone());
        }
    }
    let why = edits(bytes, json.to_string().as_bytes()).unwrap_err();
    assert!(why.contains("more than 4 joints") && why.contains("Limit Total"), "{why}");
}
