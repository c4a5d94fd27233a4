//! Exported glTF files are valid for an independent reader, and contain what the models contain.

mod blender;
mod drawn;
mod import;
mod khronos;
mod materials;
mod nodes;
mod reading;
mod tiny;
mod weights;
mod worlds;

use std::collections::{BTreeMap, HashSet};

use base64::Engine as _;
use bitexact::aurora::mesh_types::MeshType;
use bitexact::aurora::model::Model as Mdl;
use bitexact::aurora::numbers::preorder;
use bitexact::aurora::scene::of_model;
use bitexact::field::{F32, Text, decode};
use bitexact::kind::{ExportError, ExportOptions, Format as _};
use bitexact::media::gltf::{Opacity, Scene};
use bitexact::registry::{KINDS, recognize};
use bitexact::zipper::Payload;
use bitexact::zipper::archive::Archive;
use bitexact::zipper::gamez::games::Layouts;
use bitexact::zipper::gamez::models::{Link, Mesh, PolygonHeader as _};
use bitexact::zipper::gamez::textures::Texture as _;
use bitexact::zipper::gamez::{Body, Gamez, World};
use bitexact::zipper::mechlib::Mech;
use bitexact::zipper::scene;
use bitexact::zipper::texture::{Addressing, Package};
use bitflags::Flags as _;
use forge::Size;
use gltf::animation::util::ReadOutputs;
use gltf::material::AlphaMode;
use gltf::mesh::Mode;
use gltf::texture::WrappingMode;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::harness::{self, sample};

/// The numbers of vertices and triangles of a mesh.
type Counts = (usize, usize);

/// A `.glb` file as read by another program.
struct Read {
    document: gltf::Document,
    blob: Vec<u8>,
}

fn read(scene: &Scene, name: &str) -> Read {
    let glb = scene.glb().unwrap();
    assert_eq!((glb.len() % 4, u32::from_le_bytes(glb[8..12].try_into().unwrap()) as usize), (0, glb.len()), "{name}");
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(&glb).unwrap_or_else(|error| panic!("{name}: {error}"));
    let read = Read { document, blob: blob.unwrap_or_default() };
    read.is_sound(name);
    let text = gltf::Gltf::from_slice(&scene.gltf().unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
    for buffer in text.document.buffers() {
        let gltf::buffer::Source::Uri(uri) = buffer.source() else { panic!("{name}: the numbers are in the text") };
        let (head, numbers) = uri.split_once(',').unwrap();
        assert_eq!(head, "data:application/octet-stream;base64");
        let numbers = base64::engine::general_purpose::STANDARD.decode(numbers).unwrap();
        assert!(numbers.len() == buffer.length() && read.blob.starts_with(&numbers), "{name}: the same numbers");
    }
    assert_eq!(text.document.accessors().count(), read.document.accessors().count(), "{name}");
    read
}

impl Read {
    /// Checks requirements of the specification that the crate does not check.
    fn is_sound(&self, name: &str) {
        for view in self.document.views() {
            assert!(view.length() > 0 && view.offset() % 4 == 0, "{name}");
            assert!(view.offset() + view.length() <= self.blob.len(), "{name}");
        }
        for accessor in self.document.accessors() {
            let view = accessor.view().unwrap();
            let stride = view.stride().unwrap_or(accessor.size());
            let end = accessor.offset() + (accessor.count().max(1) - 1) * stride + accessor.size();
            assert!(accessor.count() > 0 && stride == accessor.size() && end <= view.length(), "{name}");
        }
        let mut reached = vec![0; self.document.nodes().count()];
        let mut pending: Vec<_> = self.document.default_scene().into_iter().flat_map(|scene| scene.nodes()).collect();
        while let Some(node) = pending.pop() {
            reached[node.index()] += 1;
            assert_eq!(reached[node.index()], 1, "{name}: every node has one parent");
            pending.extend(node.children());
            let (place, turn, size) = node.transform().decomposed();
            assert!(place.iter().chain(&turn).chain(&size).all(|value| value.is_finite()), "{name}");
            assert!((length(&turn) - 1.0).abs() < 1e-4, "{name}: {turn:?}");
        }
        assert!(reached.iter().all(|&times| times == 1), "{name}: every node is in the tree");
        for mesh in self.document.meshes() {
            assert!(mesh.primitives().count() > 0, "{name}");
            mesh.primitives().for_each(|primitive| self.primitive_is_sound(&primitive, name));
        }
        self.skins_are_sound(name);
        for animation in self.document.animations() {
            let mut targets = HashSet::new();
            for channel in animation.channels() {
                let target = channel.target();
                assert!(targets.insert((target.node().index(), format!("{:?}", target.property()))), "{name}");
                let reader = channel.reader(|_| Some(&self.blob));
                let times: Vec<f32> = reader.read_inputs().unwrap().collect();
                assert!(times[0] >= 0.0 && times.is_sorted_by(|a, b| a < b), "{name}: {times:?}");
                let values = match reader.read_outputs().unwrap() {
                    ReadOutputs::Translations(values) => values.count(),
                    ReadOutputs::Scales(values) => values.count(),
                    ReadOutputs::Rotations(values) => {
                        let turns: Vec<[f32; 4]> = values.into_f32().collect();
                        assert!(turns.iter().all(|turn| (length(turn) - 1.0).abs() < 1e-4), "{name}");
                        turns.len()
                    }
                    ReadOutputs::MorphTargetWeights(_) => panic!("{name}: no weights"),
                };
                assert_eq!(values, times.len(), "{name}");
            }
        }
        for image in self.document.images() {
            let gltf::image::Source::View { view, mime_type: "image/png" } = image.source() else { panic!("{name}") };
            image::load_from_memory(&self.blob[view.offset()..][..view.length()]).expect("a PNG");
        }
    }

    /// Checks that skinned meshes lie where they would lie without the skin as long as nothing moves.
    fn skins_are_sound(&self, name: &str) {
        let mut places = vec![[[0.0; 4]; 4]; self.document.nodes().count()];
        let parents: BTreeMap<usize, usize> = self
            .document
            .nodes()
            .flat_map(|node| node.children().map(move |child| (child.index(), node.index())))
            .collect();
        for (index, node) in self.document.nodes().enumerate() {
            // Parents come before their children.
            let own = node.transform().matrix();
            places[index] = parents.get(&index).map_or(own, |&parent| product(&places[parent], &own));
        }
        let roots: Vec<usize> = self
            .document
            .default_scene()
            .into_iter()
            .flat_map(|scene| scene.nodes())
            .map(|node| node.index())
            .collect();
        for node in self.document.nodes() {
            let Some(skin) = node.skin() else { continue };
            let usual = gltf::scene::Transform::Decomposed {
                translation: [0.0; 3],
                rotation: [0.0, 0.0, 0.0, 1.0],
                scale: [1.0; 3],
            };
            assert!(roots.contains(&node.index()), "{name}: a skinned mesh below another node");
            assert_eq!(node.transform().matrix(), usual.matrix(), "{name}: a skinned mesh with a transform");
            // The nodes that the mesh can come from: those with its name and without a mesh.
            let sources: Vec<usize> = self
                .document
                .nodes()
                .filter(|it| it.index() != node.index() && it.name() == node.name() && it.mesh().is_none())
                .map(|it| it.index())
                .collect();
            let mut distances = vec![0.0_f32; sources.len()];
            let joints: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
            assert_eq!(joints.iter().collect::<HashSet<_>>().len(), joints.len(), "{name}");
            let binds: Vec<_> = skin.reader(|_| Some(&self.blob)).read_inverse_bind_matrices().unwrap().collect();
            assert_eq!(binds.len(), joints.len(), "{name}");
            let moved: Vec<_> = joints.iter().zip(&binds).map(|(&joint, bind)| product(&places[joint], bind)).collect();
            for primitive in node.mesh().unwrap().primitives() {
                let reader = primitive.reader(|_| Some(&self.blob));
                let positions = reader.read_positions().unwrap();
                let joints = reader.read_joints(0).unwrap().into_u16();
                let weights = reader.read_weights(0).unwrap().into_f32();
                for ((position, joints), weights) in positions.zip(joints).zip(weights) {
                    assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{name}: {weights:?}");
                    let mut bound = [0.0; 3];
                    for (joint, weight) in joints.into_iter().zip(weights) {
                        let part = at(&moved[usize::from(joint)], position);
                        (0..3).for_each(|axis| bound[axis] += part[axis] * weight);
                    }
                    for (distance, source) in distances.iter_mut().zip(&sources) {
                        let there = at(&places[*source], position);
                        let far = length(&[bound[0] - there[0], bound[1] - there[1], bound[2] - there[2]]);
                        *distance = distance.max(far / (1.0 + length(&there)));
                    }
                }
            }
            assert!(distances.iter().any(|distance| *distance <= 1e-3), "{name}: {:?}: {distances:?}", node.name());
        }
    }

    fn primitive_is_sound(&self, primitive: &gltf::Primitive<'_>, name: &str) {
        assert_eq!(primitive.mode(), Mode::Triangles);
        let reader = primitive.reader(|_| Some(&self.blob));
        let positions: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
        let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
        assert!(
            indices.len().is_multiple_of(3) && indices.iter().all(|&index| (index as usize) < positions.len()),
            "{name}"
        );
        assert!(positions.iter().flatten().all(|value| value.is_finite()), "{name}");
        let bounds = primitive.bounding_box();
        for axis in 0..3 {
            let values = || positions.iter().map(|position| position[axis]);
            assert_eq!(bounds.min[axis], values().fold(f32::INFINITY, f32::min), "{name}");
            assert_eq!(bounds.max[axis], values().fold(f32::NEG_INFINITY, f32::max), "{name}");
        }
        if let Some(normals) = reader.read_normals() {
            let normals: Vec<[f32; 3]> = normals.collect();
            assert!(normals.len() == positions.len(), "{name}");
            assert!(normals.iter().all(|normal| (length(normal) - 1.0).abs() < 1e-4), "{name}");
        }
        let texture = primitive.material().pbr_metallic_roughness().base_color_texture();
        assert!(texture.is_none() || reader.read_tex_coords(0).is_some(), "{name}: a texture without TEXCOORD_0");
        let mut faces = HashSet::new();
        for face in indices.chunks_exact(3) {
            let mut corners = [face[0], face[1], face[2]];
            corners.sort_unstable();
            assert!(corners[0] != corners[1] && corners[1] != corners[2], "{name}: a face has a vertex twice");
            assert!(faces.insert(corners), "{name}: two faces share all vertices");
        }
        if let Some(places) = reader.read_tex_coords(0) {
            let places: Vec<[f32; 2]> = places.into_f32().collect();
            assert!(places.len() == positions.len() && places.iter().flatten().all(|it| it.is_finite()), "{name}");
        }
        if let Some(colors) = reader.read_colors(0) {
            let colors: Vec<[f32; 4]> = colors.into_rgba_f32().collect();
            assert!(colors.len() == positions.len(), "{name}");
            assert!(colors.iter().flatten().all(|part| (0.0..=1.0).contains(part)), "{name}");
        }
    }

    /// Returns the counts of every mesh.
    fn counts(&self) -> Vec<Counts> {
        // Primitives of a mesh share vertices.
        let vertices = |mesh: &gltf::Mesh<'_>| {
            let all = mesh.primitives().map(|it| it.get(&gltf::Semantic::Positions).unwrap());
            all.map(|it| (it.index(), it.count())).collect::<BTreeMap<_, _>>().into_values().sum()
        };
        let triangles = |mesh: &gltf::Mesh<'_>| mesh.primitives().map(|it| it.indices().unwrap().count() / 3).sum();
        self.document.meshes().map(|mesh| (vertices(&mesh), triangles(&mesh))).collect()
    }
}

/// Multiplies two matrices of four columns; the second is applied first.
fn product(left: &[[f32; 4]; 4], right: &[[f32; 4]; 4]) -> [[f32; 4]; 4] {
    right.map(|column| [0, 1, 2, 3].map(|row| (0..4).map(|at| left[at][row] * column[at]).sum()))
}

fn at(matrix: &[[f32; 4]; 4], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|row| matrix[0][row] * x + matrix[1][row] * y + matrix[2][row] * z + matrix[3][row])
}

fn length(of: &[f32]) -> f32 {
    of.iter().map(|value| value * value).sum::<f32>().sqrt()
}

/// Counts the vertices and triangles of parts of a mesh.
#[derive(Default)]
struct Part {
    vertices: HashSet<Vec<u32>>,
    faces: HashSet<[Vec<u32>; 3]>,
    /// Triangles that need separate vertices, because a corner repeats or an earlier triangle has the same corners.
    own: usize,
}

impl Part {
    fn triangle(&mut self, corners: [Vec<u32>; 3]) {
        let mut sorted = corners.clone();
        sorted.sort_unstable();
        if sorted[0] == sorted[1] || sorted[1] == sorted[2] || !self.faces.insert(sorted) {
            self.own += 1;
        } else {
            self.vertices.extend(corners);
        }
    }

    fn vertices(&self) -> usize {
        self.vertices.len() + 3 * self.own
    }
}

/// Returns the expected counts of the mesh of a model: in each part with the same material and types of values, every
/// distinct corner, and for each polygon two triangles fewer than it has corners.
fn expected<G: Layouts>(mesh: &Mesh<G>, materials: usize) -> Option<Counts> {
    let mut triangles = 0;
    let mut parts: BTreeMap<_, Part> = BTreeMap::new();
    let bits = |values: &[F32]| values.iter().map(|it| it.get().to_bits()).collect::<Vec<u32>>();
    for polygon in &mesh.polygons {
        let corners = polygon.vertices.len();
        let Some(places) =
            polygon.vertices.iter().map(|at| mesh.vertices.get(at.get() as usize)).collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        triangles += corners.saturating_sub(2);
        if corners < 3 {
            continue;
        }
        let (normals, uvs) = (polygon.head.has_normals(), polygon.uvs.len() >= corners);
        let material = polygon.material().filter(|&material| material < materials);
        let part = parts.entry((material, normals, uvs)).or_default();
        let vertices: Vec<Vec<u32>> = places
            .into_iter()
            .enumerate()
            .map(|(at, place)| {
                let mut vertex = bits(place);
                // The number of the vertex, by which an import recognizes it.
                vertex.push(polygon.vertices[at].get());
                if normals {
                    let normal = mesh.normals.get(polygon.normals[at].get() as usize);
                    vertex.extend(normal.map_or(vec![0; 3], |normal| bits(normal)));
                }
                if uvs {
                    vertex.extend(bits(&polygon.uvs[at]));
                }
                if let Some(color) = polygon.colors.get(at) {
                    // Colors outside the range are clamped.
                    vertex.extend(color.map(|part| scaled(part.get())));
                }
                vertex
            })
            .collect();
        for last in 2..corners {
            let first = if polygon.head.is_strip() { last - 2 } else { 0 };
            part.triangle([first, last - 1, last].map(|at| vertices[at].clone()));
        }
    }
    (triangles > 0).then(|| (parts.values().map(Part::vertices).sum(), triangles))
}

/// Returns a color component as in glTF, computed in a different way.
fn scaled(part: f32) -> u32 {
    let part = if part.is_finite() { part.clamp(0.0, 255.0) } else { 255.0 };
    (part + 0.0).to_bits()
}

fn of_world<G: Layouts>(world: &World<G>) -> Vec<Counts> {
    let used = world.models.slots.iter().filter(|slot| matches!(slot.link, Link::Data(_)));
    used.filter_map(|slot| expected(&slot.model.mesh, world.materials.slots.len())).collect()
}

fn of_mech<G: Layouts>(mech: &Mech<G>, materials: usize) -> Vec<Counts> {
    let models = mech.nodes.iter().filter_map(|node| node.model.as_ref());
    models.filter_map(|model| expected(&model.mesh, materials)).collect()
}

/// Returns the slots and weights of a vertex as stored in the file.
fn bound(mesh: &bitexact::aurora::mesh::Mesh, at: usize) -> Option<([i16; 4], [u32; 4])> {
    let MeshType::Skin(skin) = &mesh.mesh_type else { return None };
    Some((skin.slots.get(at)?.map(|it| it.get()), skin.weights.get(at)?.map(|it| it.get().to_bits())))
}

/// Returns all values of a vertex; either all vertices of a mesh have a value or none.
fn mdl_vertex(mesh: &bitexact::aurora::mesh::Mesh, at: usize) -> Vec<u32> {
    let streams = &mesh.streams;
    let bits = |of: &[F32; 3]| of.map(|it| it.get().to_bits());
    let mut vertex = bits(&streams.vertices[at]).to_vec();
    vertex.push(at as u32);
    vertex.extend(streams.normals.get(at).map(bits).into_iter().flatten());
    let place = streams.coordinates[0].get(at).map(|[u, v]| [u.get(), 1.0 - v.get()].map(f32::to_bits));
    vertex.extend(place.into_iter().flatten());
    vertex.extend(streams.colors.get(at).into_iter().flatten().map(|it| u32::from(it.get())));
    if let Some((slots, weights)) = bound(mesh, at) {
        vertex.extend(slots.map(|slot| u32::from(slot as u16)));
        vertex.extend(weights);
    }
    vertex
}

fn expected_of(kind: &str, bytes: &[u8]) -> Option<Vec<Counts>> {
    Some(match kind {
        "gamez" => match decode::<Gamez>(bytes.to_vec()).unwrap().model.body {
            Body::RecoilDemo(world) => of_world(&world),
            Body::Recoil(world) => of_world(&world),
            Body::MechWarrior3(world) => of_world(&world),
            Body::PiratesMoon(world) => of_world(&world),
            Body::CrimsonSkies(world) => of_world(&world),
        },
        "archive" => {
            let entries = decode::<Archive>(bytes.to_vec()).unwrap().model.entries;
            let payloads = || entries.iter().map(|entry| &entry.payload);
            let materials = payloads().find_map(|it| match it {
                Payload::LibraryMaterials(materials) => Some(materials.materials.len()),
                _ => None,
            });
            let counts = payloads().filter_map(|it| match it {
                Payload::Mech(mech) => Some(of_mech(mech, materials.unwrap_or(0))),
                Payload::LaterMech(mech) => Some(of_mech(mech, materials.unwrap_or(0))),
                _ => None,
            });
            let counts: Vec<_> = counts.collect();
            if counts.is_empty() {
                return None;
            }
            counts.concat()
        }
        "mdl" => {
            let model = decode::<Mdl>(bytes.to_vec()).unwrap().model;
            let meshes = preorder(&model.root).filter_map(|node| node.mesh.as_ref());
            let counts = meshes.filter(|mesh| mesh.head.render.get() != 0).filter_map(|mesh| {
                let streams = &mesh.streams;
                let inside = |vertex: u16| streams.vertices.get(usize::from(vertex)).is_some();
                let faces = mesh.faces.iter().map(|face| face.vertices.map(|vertex| vertex.get()));
                let faces: Vec<[u16; 3]> = faces.filter(|face| face.iter().all(|&vertex| inside(vertex))).collect();
                let mut part = Part::default();
                for face in &faces {
                    part.triangle(face.map(|at| mdl_vertex(mesh, usize::from(at))));
                }
                (!faces.is_empty()).then(|| (part.vertices(), faces.len()))
            });
            counts.collect()
        }
        _ => return None,
    })
}

/// The scene that a file shows.
fn scene(name: &str, bytes: Vec<u8>, textures: &[Package]) -> Result<Scene, ExportError> {
    match recognize(KINDS, name, &bytes).map(|(kind, _)| kind.name) {
        Some(Gamez::NAME) => Ok(scene::of_world(&decode::<Gamez>(bytes)?.model, textures)),
        Some(Archive::NAME) => scene::of_library(&decode::<Archive>(bytes)?.model, textures)
            .ok_or_else(|| ExportError::Content("no library".to_owned())),
        Some(Mdl::NAME) => Ok(of_model(&decode::<Mdl>(bytes)?.model)),
        _ => Err(ExportError::Content("no models".to_owned())),
    }
}

/// Exports a file, and checks the counts of its meshes.
fn exported(name: &str, kind: &str, bytes: &[u8], textures: &[Package]) -> Option<Scene> {
    let expected = expected_of(kind, bytes)?;
    let scene = scene(name, bytes.to_vec(), textures).unwrap_or_else(|error| panic!("{name}: {error}"));
    let read = read(&scene, name);
    let dropped = scene.left_out.keys().any(|what| what.contains("not finite"));
    if !dropped {
        assert_eq!(read.counts(), expected, "{name}");
    }
    Some(scene)
}

#[test]
fn exported_generated_models_match_their_sources() {
    let mut kinds: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for size in [Size::Tiny, Size::Small] {
        for sample in forge::samples(harness::SEED, size) {
            let Some(scene) = exported(&sample.name, sample.kind, &sample.bytes, &[]) else { continue };
            let [files, meshes, animations] = kinds.entry(sample.kind).or_default();
            (*files, *meshes, *animations) =
                (*files + 1, *meshes + scene.meshes.len(), *animations + scene.animations.len());
        }
    }
    eprintln!("{kinds:?}");
    assert!(kinds["gamez"][0] > 20 && kinds["archive"][0] > 4 && kinds["mdl"][0] > 10);
    assert!(kinds.values().all(|[_, meshes, _]| *meshes > 4) && kinds["mdl"][2] > 4);
}

/// Returns the texture packages beside a file.
fn packages(file: &std::path::Path) -> Vec<Package> {
    let folder = std::fs::read_dir(file.parent().unwrap()).unwrap();
    let files = folder.map(|it| it.unwrap()).filter(|it| it.file_name().to_string_lossy().contains("tex"));
    let packages = files.filter_map(|it| {
        let bytes = std::fs::read(it.path()).unwrap();
        let (kind, _) = recognize(KINDS, &it.file_name().to_string_lossy(), &bytes)?;
        // The name alone is not enough: some folders of the corpora have macOS files beside the packages.
        (kind.name == "texture").then(|| decode::<Package>(bytes).ok())?.map(|decoded| decoded.model)
    });
    packages.collect()
}

/// Returns the texture packages beside a file, with their images renamed to the textures of the file: in the corpora,
/// no package beside a world contains its images.
fn renamed(file: &std::path::Path) -> Vec<Package> {
    let mut packages = packages(file);
    let bytes = std::fs::read(file).unwrap();
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let Ok(scene) = scene(&name, bytes, &[]) else { return packages };
    let names: std::collections::BTreeSet<_> = scene.materials.iter().filter_map(|it| it.texture.as_ref()).collect();
    let slots = packages.iter_mut().flat_map(|package| package.directory.iter_mut());
    for (slot, name) in slots.zip(names) {
        let mut field = [0; 32];
        field[..name.len()].copy_from_slice(name.as_bytes());
        slot.name = Text::new(field);
    }
    packages
}

#[test]
fn exported_corpus_models_match_their_sources() {
    let Some(corpora) = harness::corpora() else {
        eprintln!("corpora: absent beside the project, their models are left out");
        return;
    };
    let (mut files, mut pictured) = (0, 0);
    for file in bitexact::install::files(&corpora.join("zipper")).unwrap() {
        let name = file.name().to_ascii_lowercase();
        let kind = if name.starts_with("mechlib") { "archive" } else { "gamez" };
        if !name.starts_with("gamez") && !name.starts_with("mechlib") && !name.starts_with("planes") {
            continue;
        }
        let scene = exported(&file.shown(), kind, &file.read().unwrap(), &renamed(&file.path)).expect("models");
        files += 1;
        pictured += scene.images.len();
        assert!(scene.nodes.len() > 1 && !scene.meshes.is_empty(), "{}", file.shown());
    }
    eprintln!("{files} worlds and libraries with {pictured} images");
    assert!(files >= 40 && pictured > 40);
    let mut skins = 0;
    for name in [
        "a_ba2.mdl",
        "c_Phy_Neg.mdl",
        "c_aribeth.mdl",
        "c_cornugon.mdl",
        "c_drggold75.mdl",
        "c_elemairl.mdl",
        "c_gzhorb.mdl",
        "c_hagatha.mdl",
        "c_rednose.mdl",
        "ttd01_a04_03.mdl",
    ] {
        let bytes = std::fs::read(corpora.join("nwn").join(name)).unwrap();
        let scene = exported(name, "mdl", &bytes, &[]).unwrap();
        skins += scene.skins.len();
        let model = decode::<Mdl>(bytes).unwrap().model;
        assert_eq!(scene.nodes.len(), preorder(&model.root).count() + 1 + scene.skins.len(), "{name}");
        assert_eq!(scene.animations.len(), model.animations.len(), "{name}");
    }
    assert!(skins > 1);
}

/// Writes values into files that are valid in 4 bytes but not in a scene, at random offsets.
#[test]
fn scenes_contain_no_nan() {
    let mut random = ChaCha8Rng::seed_from_u64(harness::SEED);
    let mut below = |limit: usize| (random.next_u64() % limit as u64) as usize;
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-40, -0.0, -1.0].map(f32::to_le_bytes);
    let mut exported = 0;
    for sample in forge::samples(harness::SEED, Size::Tiny) {
        let meant = matches!(sample.kind, "gamez" | "mdl") || sample.name.contains("mechlib");
        for _ in 0..if meant { 60 } else { 0 } {
            let mut bytes = sample.bytes.clone();
            for _ in 0..1 + below(4) {
                let at = below(bytes.len() - 4) & !3;
                bytes[at..at + 4].copy_from_slice(&bad[below(bad.len())]);
            }
            let Ok(scene) = scene(&sample.name, bytes.clone(), &[]) else { continue };
            read(&scene, &sample.name);
            exported += 1;
            // What is written can be imported: values that overflow are left out.
            if exported % 4 == 0 {
                import::is_unedited(&sample.name, &bytes);
            }
        }
    }
    assert!(exported > 1000, "{exported} files can still be read");
}

#[test]
fn textures_of_packages_become_images() {
    let Body::PiratesMoon(world) = decode::<Gamez>(sample("pm_c1_gamez.zbd")).unwrap().model.body else {
        panic!("later")
    };
    let mut package = decode::<Package>(sample("pm_c1_texture.zbd")).unwrap().model;
    let names: Vec<String> = world.textures.iter().map(|texture| texture.name().shown()).collect();
    // The names without extension, in capitals, of the first textures only.
    for (slot, name) in package.directory.iter_mut().zip(&names) {
        let stem = name.split('.').next().unwrap().to_ascii_uppercase();
        let mut field = [0; 32];
        field[..stem.len()].copy_from_slice(stem.as_bytes());
        slot.name = Text::new(field);
    }
    for (number, image) in (0_u16..).zip(&mut package.images) {
        image.head.addressing = Addressing::from_bits_retain(number % 4);
    }
    let clamped: Vec<[bool; 2]> = (0..package.images.len()).map(|number| [number % 2 == 1, number % 4 > 1]).collect();
    let there = &names[..package.directory.len().min(names.len())];
    let textures = [package];
    let materials = world.materials.slots.len();
    let scene = scene::of_world(&Gamez { body: Body::PiratesMoon(world), ..Gamez::default() }, &textures);
    let document = read(&scene, "textures").document;
    let mut images = 0;
    for (index, (material, of)) in document.materials().zip(&scene.materials).enumerate() {
        assert_eq!(material.name(), Some(of.name.as_str()));
        let image = material.pbr_metallic_roughness().base_color_texture().map(|it| it.texture().source().index());
        assert_eq!(image, of.image);
        // The materials after those of the world replace them for polygons without texture coordinates.
        let expected = index < materials && of.texture.as_ref().is_some_and(|texture| there.contains(texture));
        assert_eq!(image.is_some(), expected, "{:?}", of.texture);
        let Some(image) = image else { continue };
        images += 1;
        let mode = match scene.images[image].opacity {
            Opacity::Opaque => AlphaMode::Opaque,
            Opacity::Holes => AlphaMode::Mask,
            Opacity::Blended => AlphaMode::Blend,
        };
        assert_eq!(material.alpha_mode(), mode);
        let number = there.iter().position(|name| Some(name) == of.texture.as_ref()).unwrap();
        let sampler = material.pbr_metallic_roughness().base_color_texture().unwrap().texture().sampler();
        let is_clamped = [sampler.wrap_s(), sampler.wrap_t()].map(|mode| mode == WrappingMode::ClampToEdge);
        assert_eq!(is_clamped, clamped[number], "{:?}", of.texture);
        let png = image::load_from_memory(&scene.images[image].png).unwrap();
        assert_eq!(png.color().has_alpha(), mode != AlphaMode::Opaque);
    }
    assert!(images > 1 && scene.images.len() <= images);
}

#[test]
fn models_of_neverwinter_nights_stand_upright() {
    let turned = |[x, y, z, w]: [f32; 4], [px, py, pz]: [f32; 3]| {
        let cross =
            |[ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]| [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
        let [tx, ty, tz] = cross([x, y, z], [px, py, pz]).map(|it| it * 2.0);
        let [ux, uy, uz] = cross([x, y, z], [tx, ty, tz]);
        [px + w * tx + ux, py + w * ty + uy, pz + w * tz + uz].map(|it| it.round() + 0.0)
    };
    for sample in forge::samples(harness::SEED, Size::Tiny).into_iter().filter(|it| it.kind == "mdl") {
        let scene = scene(&sample.name, sample.bytes, &[]).unwrap();
        let top = &scene.nodes[scene.roots[0]];
        assert_eq!((scene.roots.len(), top.children.len()), (1 + scene.skins.len(), 1));
        assert_eq!(turned(top.transform.rotation, [0.0, 0.0, 1.0]), [0.0, 1.0, 0.0]);
        assert_eq!(turned(top.transform.rotation, [1.0, 0.0, 0.0]), [1.0, 0.0, 0.0]);
    }
}

#[test]
fn models_of_a_library_are_placed_side_by_side() {
    let scene = scene::of_library(&decode::<Archive>(sample("pm_mechlib.zbd")).unwrap().model, &[]).expect("models");
    let places: Vec<f32> = scene.roots.iter().map(|&root| scene.nodes[root].transform.translation[0]).collect();
    assert!(
        places.len() > 1 && places.iter().collect::<Vec<_>>().windows(2).any(|pair| pair[0] != pair[1]),
        "{places:?}"
    );
    assert!(scene.roots.iter().all(|&root| scene.nodes[root].name.ends_with(".flt")));
}

#[test]
fn files_without_models_are_refused() {
    let draw = |name: &str, bytes: Vec<u8>| {
        let (kind, _) = recognize(KINDS, name, &bytes).unwrap();
        let export = kind.exports.iter().find(|export| export.extension == "glb")?;
        Some((export.draw)(bytes.into(), &ExportOptions::default()).map(drop))
    };
    assert_eq!(draw("texture.zbd", sample("pm_c1_texture.zbd")), None);
    assert!(matches!(draw("motion.zbd", sample("pm_motion.zbd")), Some(Err(ExportError::Content(_)))));
    let mut broken = sample("pm_c1_gamez.zbd");
    broken.truncate(broken.len() / 2);
    assert!(matches!(draw("gamez.zbd", broken), Some(Err(ExportError::Decode(_)))));
}
