//! Imports: an unedited export is no edit, and only what has been edited changes.

use std::path::Path;
use std::process::Command;

use bitexact::aurora::model::Model as Mdl;
use bitexact::aurora::scene::of_model;
use bitexact::field::{Address, decode};
use bitexact::kind::{ExportError, ExportOptions, Images, Imported, ImportedEdit};
use bitexact::media::gltf::{Scene, Values};
use bitexact::registry::{KINDS, Kind, recognize};
use bitexact::zipper::archive::Archive;
use bitexact::zipper::gamez::{Body, Gamez};
use bitexact::zipper::scene::{of_library, of_world};
use forge::Size;

use super::sample;
use crate::harness;

/// Returns the kind of a file that has an import.
fn importer(name: &str, bytes: &[u8]) -> Option<&'static Kind> {
    let (kind, _) = recognize(KINDS, name, bytes)?;
    kind.import.is_some().then_some(kind)
}

/// Exports a file in all ways and imports it again; returns `false` if it has no models.
pub(super) fn is_unedited(name: &str, bytes: &[u8]) -> bool {
    let Some(kind) = importer(name, bytes) else { return false };
    let mut found = false;
    for export in kind.exports.iter().filter(|export| export.extension.starts_with("gl")) {
        for unbound in [false, true] {
            let options = ExportOptions::default().unbound(unbound);
            let Ok(drawing) = (export.draw)(bytes.to_vec().into(), &options) else { continue };
            let imported =
                (kind.import.unwrap())(&(kind.decode)(bytes.to_vec().into()).unwrap().model, drawing.file.into());
            let imported = imported.unwrap_or_else(|error| panic!("{name} as {}: {error}", export.extension));
            assert_eq!(imported.edits, [], "{name} as {}", export.extension);
            assert!(imported.ignored.is_empty(), "{name}: {:?}", imported.ignored);
            found = true;
        }
    }
    found
}

#[test]
fn unedited_exports_of_generated_files_are_no_edits() {
    let mut files = 0;
    for size in [Size::Tiny, Size::Small] {
        for sample in forge::samples(harness::SEED, size) {
            files += usize::from(is_unedited(&sample.name, &sample.bytes));
        }
    }
    eprintln!("{files} generated files");
    assert!(files > 60, "{files}");
}

#[test]
fn unedited_exports_of_files_are_no_edits() {
    let mut roots = vec![harness::golden_install()];
    match harness::corpora() {
        Some(corpora) => roots.extend(["nwn", "nwn-install", "zipper"].map(|it| corpora.join(it))),
        None => eprintln!("corpora: absent, their exports are not imported"),
    }
    let mut files = 0;
    for file in roots.iter().flat_map(|root| bitexact::install::files(root).unwrap()) {
        files += usize::from(is_unedited(&file.name(), &file.read().unwrap()));
    }
    eprintln!("{files} files");
    assert!(files > 15, "{files}");
}

/// Runs `import` on a file and an edited scene, and returns its code, its messages, and the result.
pub(super) fn import(name: &str, bytes: &[u8], scene: &Scene) -> (i32, String, Option<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at(name), bytes).unwrap();
    std::fs::write(at("edited.glb"), scene.glb().unwrap()).unwrap();
    let (file, model, result) = (at(name), at("edited.glb"), at("result"));
    let args = [Path::new("import"), &file, &model, Path::new("-o"), &result];
    let output = Command::new(env!("CARGO_BIN_EXE_bitexact")).args(args).output().unwrap();
    let said = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap()).concat();
    assert!(std::fs::read(file).unwrap() == bytes, "the original stays");
    (output.status.code().unwrap(), said, std::fs::read(result).ok())
}

/// Returns the numbers of bytes that differ.
pub(super) fn differing(one: &[u8], other: &[u8]) -> Vec<usize> {
    assert_eq!(one.len(), other.len());
    (0..one.len()).filter(|&at| one[at] != other[at]).collect()
}

fn world() -> (Vec<u8>, Scene) {
    let bytes = sample("pm_c1_gamez.zbd");
    let scene = of_world(&decode::<Gamez>(bytes.clone()).unwrap().model, &[]);
    (bytes, scene)
}

fn model() -> (Vec<u8>, Scene) {
    let bytes = sample("c_boar.mdl");
    let scene = of_model(&decode::<Mdl>(bytes.clone()).unwrap().model);
    (bytes, scene)
}

/// Moves all copies of a vertex of a mesh, and returns its number.
pub(super) fn move_vertex(scene: &mut Scene, mesh: usize, by: f32) -> u32 {
    let vertex = scene.meshes[mesh].primitives[0].vertices[0];
    for primitive in &mut scene.meshes[mesh].primitives {
        for (at, position) in primitive.vertices.iter().zip(&mut primitive.positions) {
            if *at == vertex {
                position[0] += by;
            }
        }
    }
    vertex
}

#[test]
fn moved_vertex_of_a_world_changes_its_number_only() {
    let (bytes, mut scene) = world();
    let mesh = scene.nodes.iter().find_map(|node| node.mesh).unwrap();
    let vertex = move_vertex(&mut scene, mesh, 2.5);
    let (code, said, result) = import("gamez.zbd", &bytes, &scene);
    assert_eq!(code, 0, "{said}");
    let place = format!("{}/vertices/{vertex}/0", scene.meshes[mesh].place.as_ref().unwrap());
    assert!(said.contains(&place), "{said}");
    let changed = differing(&bytes, &result.unwrap());
    assert!((1..=4).contains(&changed.len()) && changed[changed.len() - 1] - changed[0] < 4, "{changed:?}");
}

#[test]
fn base_colors_of_materials_without_a_texture_are_imported() {
    for name in ["pm_c1_gamez.zbd", "mw_mechlib.zbd"] {
        let bytes = sample(name);
        let scene = match name.contains("mechlib") {
            true => of_library(&decode::<Archive>(bytes.clone()).unwrap().model, &[]).unwrap(),
            false => of_world(&decode::<Gamez>(bytes.clone()).unwrap().model, &[]),
        };
        let plain = scene.materials.iter().position(|it| it.texture.is_none() && it.place.is_some()).expect(name);
        let mut other = scene.clone();
        other.materials[plain].color = [0.0, 1.0, 0.214_041_14, 0.5];
        let (code, said, result) = import(name, &bytes, &other);
        assert_eq!(code, 0, "{said}");
        let place = other.materials[plain].place.clone().unwrap();
        assert!(said.contains(&format!("{place}/color/2")) && said.contains("→ 128"), "{said}");
        assert!(said.contains(&format!("{place}/alpha")), "{said}");
        let changed = differing(&bytes, &result.unwrap());
        assert!((1..=13).contains(&changed.len()), "{changed:?}");
        // A texture hides the color.
        let mut other = scene.clone();
        let textured = scene.materials.iter().position(|it| it.texture.is_some()).expect(name);
        other.materials[textured].color = [0.5, 0.5, 0.5, 1.0];
        let (_, said, result) = import(name, &bytes, &other);
        assert!(
            said.contains("not imported: colors of materials with a texture, for which the game has none (1)"),
            "{said}"
        );
        assert!(result.unwrap() == bytes);
    }
}

/// Moves a vertex of every model, renames every node, and imports each edit alone.
#[test]
fn every_node_and_model_of_a_library_is_edited() {
    let bytes = sample("mw_mechlib.zbd");
    let scene = of_library(&decode::<Archive>(bytes.clone()).unwrap().model, &[]).unwrap();
    for (at, node) in scene.nodes.iter().enumerate().filter(|(_, node)| node.place.is_some()) {
        let mut edited = scene.clone();
        edited.nodes[at].name = format!("renamed{at}");
        let imported = imported(&bytes, &edited);
        let place = Address::from(node.place.as_deref().unwrap()).with("name");
        assert_eq!(imported.edits, [ImportedEdit::Rename(place, node.name.clone(), format!("renamed{at}"))]);
    }
    for at in 0..scene.meshes.len() {
        let mut edited = scene.clone();
        move_vertex(&mut edited, at, 400.0);
        let imported = imported(&bytes, &edited);
        assert!(
            matches!(&imported.edits[0], ImportedEdit::Set(place, _) if place.keys.iter().any(|it| it == "vertices"))
        );
        assert!(imported.ignored.keys().any(|it| it.starts_with("boxes of nodes")), "{:?}", imported.ignored);
    }
    let mut edited = scene.clone();
    let node = edited.nodes.iter().position(|node| node.place.is_some()).unwrap();
    edited.nodes[node].name = "hull_of_a_mech".to_owned();
    let (code, said, result) = import("mechlib.zbd", &bytes, &edited);
    assert!(code == 0 && said.contains("hull_of_a_mech"), "{said}");
    let renamed = of_library(&decode::<Archive>(result.unwrap()).unwrap().model, &[]).unwrap();
    assert_eq!(renamed.nodes[node].name, "hull_of_a_mech");
}

fn imported(bytes: &[u8], scene: &Scene) -> Imported {
    let kind = importer("mechlib.zbd", bytes).unwrap();
    (kind.import.unwrap())(&(kind.decode)(bytes.to_vec().into()).unwrap().model, scene.glb().unwrap().into()).unwrap()
}

#[test]
fn models_have_the_textures_that_are_found() {
    let bytes = sample("c_boar.mdl");
    let kind = importer("c_boar.mdl", &bytes).unwrap();
    let scene = of_model(&decode::<Mdl>(bytes.clone()).unwrap().model);
    let wanted: Vec<String> = scene.materials.iter().filter_map(|it| it.texture.clone()).collect();
    let first = wanted[0].to_lowercase();
    let gray = [&[0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 8, 0][..], &[77]].concat();
    let images = Images::new(move |name| (name == first).then(|| gray.clone().into()));
    let glb = kind.exports.iter().find(|it| it.extension == "glb").unwrap();
    let options = ExportOptions::default().images(images);
    let drawing = (glb.draw)(bytes.clone().into(), &options).unwrap();
    assert!(drawing.file.windows(4).any(|four| four == b"\x89PNG"));
    assert_eq!(drawing.left_out.get("textures that were not found").copied().unwrap_or(0), {
        let mut others: Vec<String> = wanted.iter().map(|it| it.to_lowercase()).collect();
        others.sort();
        others.dedup();
        others.len() - 1
    });
    let again = (kind.import.unwrap())(&(kind.decode)(bytes.into()).unwrap().model, drawing.file.into()).unwrap();
    assert_eq!(again.edits, []);
}

#[test]
fn moved_vertex_of_a_model_takes_box_and_planes_along() {
    let (bytes, mut scene) = model();
    let vertex = move_vertex(&mut scene, 0, 40.0);
    let (code, said, result) = import("c_boar.mdl", &bytes, &scene);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains(&format!("/vertices/{vertex}/0")) && said.contains("/mesh/box_max"), "{said}");
    let again = of_model(&decode::<Mdl>(result.unwrap()).unwrap().model);
    assert_eq!(again.meshes[0].primitives[0].positions, scene.meshes[0].primitives[0].positions);
}

#[test]
fn copies_of_a_vertex_at_different_places_are_refused() {
    let (bytes, mut scene) = world();
    let mesh = scene.meshes.iter().position(|mesh| {
        let all = || mesh.primitives.iter().flat_map(|it| &it.vertices);
        all().any(|vertex| all().filter(|other| *other == vertex).count() > 1)
    });
    let mesh = mesh.expect("a vertex with copies");
    let mut seen = std::collections::HashSet::new();
    let copy = scene.meshes[mesh].primitives.iter_mut().find_map(|primitive| {
        let at = primitive.vertices.iter().position(|vertex| !seen.insert(*vertex))?;
        Some(&mut primitive.positions[at])
    });
    copy.unwrap()[1] += 7.0;
    let (code, said, result) = import("gamez.zbd", &bytes, &scene);
    assert_eq!((code, result), (2, None), "{said}");
    assert!(said.contains("is at two places") && said.contains("Merge"), "{said}");
}

#[test]
fn noise_of_other_programs_is_no_edit() {
    for (name, (bytes, mut scene)) in [("gamez.zbd", world()), ("c_boar.mdl", model())] {
        for node in &mut scene.nodes {
            node.name.push_str(".001");
            node.transform.rotation = node.transform.rotation.map(|part| -part);
            node.transform.translation[0] *= 1.0 + 1e-7;
            node.extras.clear();
        }
        for mesh in &mut scene.meshes {
            mesh.name = "Mesh".to_owned();
            for primitive in &mut mesh.primitives {
                // Triangles in another order, with other first corners, each with vertices of its own.
                let order: Vec<u32> =
                    primitive.indices.chunks_exact(3).rev().flat_map(|it| [it[1], it[2], it[0]]).collect();
                let of = |at: &u32| *at as usize;
                primitive.positions = order.iter().map(|at| primitive.positions[of(at)]).collect();
                primitive.vertices = order.iter().map(|at| primitive.vertices[of(at)]).collect();
                if !primitive.normals.is_empty() {
                    primitive.normals = order.iter().map(|at| primitive.normals[of(at)]).collect();
                }
                if !primitive.coordinates.is_empty() {
                    primitive.coordinates = order.iter().map(|at| primitive.coordinates[of(at)]).collect();
                }
                if !primitive.colors.is_empty() {
                    primitive.colors = order.iter().map(|at| primitive.colors[of(at)]).collect();
                }
                if !primitive.joints.is_empty() {
                    primitive.joints = order.iter().map(|at| primitive.joints[of(at)]).collect();
                    primitive.weights = order.iter().map(|at| primitive.weights[of(at)]).collect();
                }
                primitive.indices = (0..order.len() as u32).collect();
            }
            mesh.primitives.reverse();
        }
        for channel in scene.animations.iter_mut().flat_map(|it| &mut it.channels) {
            if let Values::Rotation(turns) = &mut channel.values {
                turns.iter_mut().for_each(|turn| *turn = turn.map(|part| -part));
            }
        }
        let (code, said, result) = import(name, &bytes, &scene);
        assert_eq!(code, 0, "{name}: {said}");
        assert!(result.unwrap() == bytes, "{name}: {said}");
    }
}

#[test]
fn renamed_node_of_a_model_is_renamed_everywhere() {
    let (bytes, mut scene) = model();
    let node = scene.nodes.iter().position(|node| {
        let same = scene.nodes.iter().filter(|other| other.name == node.name).count();
        node.place.as_deref().is_some_and(|place| place.len() > 5) && same == 1
    });
    let node = node.expect("a node below the root");
    let old = std::mem::replace(&mut scene.nodes[node].name, "renamed".to_owned());
    let (code, said, result) = import("c_boar.mdl", &bytes, &scene);
    assert_eq!(code, 0, "{said}");
    let again = of_model(&decode::<Mdl>(result.unwrap()).unwrap().model);
    assert!(again.nodes.iter().any(|it| it.name == "renamed") && again.nodes.iter().all(|it| it.name != old), "{said}");
    assert_eq!(again.animations.len(), scene.animations.len());
}

#[test]
fn changed_key_of_an_animation_changes_its_row() {
    let mut edited = 0;
    for sample in forge::samples(harness::SEED, Size::Small).into_iter().filter(|it| it.kind == "mdl") {
        let mut scene = of_model(&decode::<Mdl>(sample.bytes.clone()).unwrap().model);
        let channels = scene.animations.iter_mut().flat_map(|it| &mut it.channels);
        let Some((values, place)) = channels.into_iter().find_map(|channel| match &mut channel.values {
            // The last two can be one: the export repeats the last value at the end.
            Values::Rotation(values) if values.len() > 2 => Some((values, channel.place.clone().unwrap())),
            _ => None,
        }) else {
            continue;
        };
        let [x, y, z, w] = values[0];
        values[0] = [w, z, -y, -x];
        let bytes = scene.glb().unwrap();
        let kind = importer(&sample.name, &sample.bytes).unwrap();
        let imported =
            (kind.import.unwrap())(&(kind.decode)(sample.bytes.clone().into()).unwrap().model, bytes.clone().into());
        let edits = match imported {
            Ok(imported) => imported.edits,
            // Pieces in an order of their own.
            Err(ExportError::Content(why)) if why.contains("order of their own") => continue,
            Err(error) => panic!("{}: {error}", sample.name),
        };
        assert!((1..=4).contains(&edits.len()), "{}: {edits:?}", sample.name);
        for edit in edits {
            let ImportedEdit::Set(at, _) = edit else { panic!("{}: {edit:?}", sample.name) };
            assert!(at.to_string().starts_with(&place), "{}: {at}", sample.name);
        }
        edited += 1;
    }
    assert!(edited > 0, "{edited}");
}

#[test]
fn deleted_and_added_triangles_become_polygons() {
    let (bytes, mut scene) = world();
    let count = |bytes: &[u8], mesh: usize| match decode::<Gamez>(bytes.to_vec()).unwrap().model.body {
        Body::PiratesMoon(world) => {
            let mesh = &world.models.slots[mesh].model.mesh;
            (mesh.vertices.len(), mesh.polygons.len())
        }
        _ => panic!("another game"),
    };
    let mesh = scene.nodes.iter().find_map(|node| node.mesh).unwrap();
    let slot: usize = scene.meshes[mesh].place.as_ref().unwrap().rsplit('/').next().unwrap().parse().unwrap();
    let (vertices, polygons) = count(&bytes, slot);
    let primitive = &mut scene.meshes[mesh].primitives[0];
    let face = primitive.corners[0][0];
    let kept: Vec<u32> = (0..primitive.indices.len())
        .filter(|&at| primitive.corners[at - at % 3][0] != face)
        .map(|at| primitive.indices[at])
        .collect();
    primitive.indices = kept;
    // The references to materials follow from the polygons.
    let (code, said, result) = import("gamez.zbd", &bytes, &scene);
    assert!(code == 0 && said.contains("/material_refs: 4 → 3") && !said.contains("deviation"), "{said}");
    assert_eq!(count(&result.unwrap(), slot), (vertices, polygons - 1), "{said}");
    let primitive = &mut scene.meshes[mesh].primitives[0];
    // A triangle on two known vertices and a new one.
    let new = primitive.positions.len() as u32;
    primitive.positions.push([3.0, 4.0, 5.0]);
    primitive.vertices.push(bitexact::media::gltf::NEW);
    if let Some(normal) = primitive.normals.first().copied() {
        primitive.normals.push(normal);
    }
    if !primitive.coordinates.is_empty() {
        primitive.coordinates.push([0.5, 0.25]);
    }
    if !primitive.colors.is_empty() {
        primitive.colors.push([1.0; 4]);
    }
    primitive.indices.extend([0, 1, new]);
    let (code, said, result) = import("gamez.zbd", &bytes, &scene);
    assert!(code == 0 && !said.contains("deviation"), "{said}");
    assert_eq!(count(&result.unwrap(), slot), (vertices + 1, polygons), "{said}");
}

#[test]
fn what_an_import_cannot_do_is_refused() {
    let refused = |name: &str, bytes: &[u8], scene: &Scene, words: &str| {
        let (code, said, result) = import(name, bytes, scene);
        assert_eq!((code, result), (2, None), "{said}");
        assert!(said.contains(words) && said.lines().count() == 1, "{said}");
    };
    let (bytes, scene) = world();
    let last = scene.nodes.len() - 1;
    let mut other = scene.clone();
    other.nodes.iter_mut().for_each(|node| node.place = None);
    refused("gamez.zbd", &bytes, &other, "no places of the game's file");
    let mut other = scene.clone();
    other.nodes[last].place = Some("/nodes/slots/4000".to_owned());
    refused("gamez.zbd", &bytes, &other, "which this file does not have");
    let mut other = scene.clone();
    let lod = other.nodes.iter().position(|node| node.extras.contains_key("near")).expect("a LOD");
    other.nodes[lod].transform.translation[1] += 3.0;
    refused("gamez.zbd", &bytes, &other, "only objects have a transform");
    let mut other = scene.clone();
    for primitive in other.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.vertices.fill(bitexact::media::gltf::NEW);
        primitive.positions.iter_mut().for_each(|position| position[0] += 3.0);
    }
    refused("gamez.zbd", &bytes, &other, "its vertices have no numbers");
    let (bytes, scene) = model();
    let mut other = scene.clone();
    let node = other.nodes.iter().position(|node| node.place.as_deref() == Some("/root")).unwrap();
    other.nodes[node].transform.scale = [1.0, 2.0, 1.0];
    refused("c_boar.mdl", &bytes, &other, "one scale for all axes");
}
