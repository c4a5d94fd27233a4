//! Exports as other programs read them: textures, hidden meshes, faces, lengths of animations.

use std::collections::BTreeMap;

use bitexact::aurora::model::Model as Mdl;
use bitexact::aurora::node::Node;
use bitexact::aurora::numbers::preorder;
use bitexact::aurora::scene::of_model;
use bitexact::field::{U32, decode};
use bitexact::media::gltf::Scene;
use bitexact::zipper::archive::Archive;
use bitexact::zipper::scene::of_library;
use bitexact::zipper::texture::Package;
use forge::Size;

use super::{exported, read, sample};
use crate::harness;

/// Models of Neverwinter Nights: generated ones, and those of the corpora if present.
fn models() -> Vec<(String, Vec<u8>)> {
    let samples = [Size::Tiny, Size::Small].into_iter().flat_map(|size| forge::samples(harness::SEED, size));
    let mut models: Vec<_> =
        samples.filter(|sample| sample.kind == "mdl").map(|sample| (sample.name, sample.bytes)).collect();
    match harness::corpora() {
        Some(corpora) => {
            let files = bitexact::install::files(&corpora.join("nwn")).unwrap();
            let files = files.into_iter().filter(|file| file.name().ends_with(".mdl"));
            models.extend(files.map(|file| (file.shown(), file.read().unwrap())));
        }
        None => eprintln!("corpora: absent, their models are not tested"),
    }
    models
}

/// Applies a change to every node of a geometry.
fn change(node: &mut Node, with: &mut impl FnMut(&mut Node)) {
    with(node);
    node.children.iter_mut().for_each(|child| change(child, with));
}

fn left_out(scene: &Scene, word: &str) -> usize {
    scene.left_out.iter().filter(|(what, _)| what.contains(word)).map(|(_, count)| count).sum()
}

#[test]
fn textured_primitives_have_coordinates() {
    let package = || decode::<Package>(sample("mw_rmechtex.zbd")).unwrap().model;
    for name in ["mw_mechlib.zbd", "pm_mechlib.zbd"] {
        let library = decode::<Archive>(sample(name)).unwrap().model;
        let scene = of_library(&library, &[package()]).expect("models");
        assert_eq!(scene.images.len(), 1, "{name}: the package has an image of the library");
        let (mut textured, mut plain) = (0, 0);
        for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            let material = &scene.materials[primitive.material.unwrap()];
            assert!(
                material.image.is_none() || !primitive.coordinates.is_empty(),
                "{name}: a texture without TEXCOORD_0"
            );
            textured += usize::from(material.image.is_some());
            if material.texture.as_deref() == Some("met01") && material.image.is_none() {
                assert!(primitive.coordinates.is_empty(), "{name}: a textured primitive without its image");
                plain += primitive.indices.len() / 3;
            }
        }
        assert!(textured > 0 && plain > 0, "{name}: {textured} primitives have the texture, {plain} triangles do not");
        assert_eq!(left_out(&scene, "without texture coordinates"), plain, "{name}");
        read(&scene, name);
    }
}

#[test]
fn meshes_are_left_out_if_the_game_does_not_render_them() {
    let mut hidden = 0;
    for (name, bytes) in models() {
        let mut model = decode::<Mdl>(bytes).unwrap().model;
        let meshes = |model: &Mdl, render: bool| {
            let meshes = preorder(&model.root).filter_map(|node| node.mesh.as_ref());
            meshes.filter(|mesh| !mesh.faces.is_empty() && (mesh.head.render.get() != 0) == render).count()
        };
        let scene = of_model(&model);
        assert_eq!(left_out(&scene, "render"), meshes(&model, false), "{name}");
        hidden += meshes(&model, false);
        let all = meshes(&model, false) + meshes(&model, true);
        change(&mut model.root, &mut |node| {
            if let Some(mesh) = &mut node.mesh {
                mesh.head.render = U32::new(0);
            }
        });
        let scene = of_model(&model);
        assert_eq!((scene.meshes.len(), scene.skins.len(), left_out(&scene, "render")), (0, 0, all), "{name}");
        assert_eq!(scene.nodes.len(), preorder(&model.root).count() + 1, "{name}: the nodes stay");
    }
    eprintln!("{hidden} meshes have render 0");
}

#[test]
fn faces_keep_vertices_of_their_own_if_they_share_all_corners() {
    let mut model = decode::<Mdl>(sample("c_boar.mdl")).unwrap().model;
    let mut faces = 0;
    change(&mut model.root, &mut |node| {
        if let Some(mesh) = node.mesh.as_mut().filter(|mesh| !mesh.faces.is_empty()) {
            mesh.head.render = U32::new(1);
            let backs: Vec<_> = mesh
                .faces
                .iter()
                .map(|face| {
                    let mut back = *face;
                    back.vertices.swap(1, 2);
                    back
                })
                .collect();
            mesh.faces = mesh.faces.iter().copied().chain(backs).collect::<Vec<_>>().into();
            faces += mesh.faces.len();
        }
    });
    let scene = of_model(&model);
    // Fails if two faces share all vertices.
    let counts = read(&scene, "c_boar.mdl").counts();
    assert_eq!(counts.iter().map(|(_, triangles)| triangles).sum::<usize>(), faces);
}

#[test]
fn animations_keep_the_length_of_the_model() {
    let mut checked = 0;
    for (name, bytes) in models() {
        let scene = exported(&name, "mdl", &bytes, &[]).unwrap();
        let model = decode::<Mdl>(bytes).unwrap().model;
        let mut lengths: BTreeMap<String, Vec<f32>> = BTreeMap::new();
        for animation in &model.animations {
            let of = String::from_utf8_lossy(animation.geometry.head.name.bytes()).into_owned();
            lengths.entry(of).or_default().push(animation.head.length.get());
        }
        for animation in &scene.animations {
            let Some([length]) = lengths.get(&animation.name).map(Vec::as_slice) else { continue };
            let length = if length.is_finite() { *length } else { 0.0 };
            for channel in &animation.channels {
                let last = *channel.times.last().unwrap();
                assert!(last >= length, "{name}: {}: a channel ends at {last} instead of {length}", animation.name);
                checked += 1;
            }
        }
    }
    eprintln!("{checked} channels");
    assert!(checked > 10);
}
