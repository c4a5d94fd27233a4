//! Models of Neverwinter Nights.
//!
//! They have z up: a single top node rotates them, and no number below it changes. The corners of a face are
//! counterclockwise ([`nwn-mdl.md`](formats::nwn_mdl), section 4.5). No format spec gives the origin of texture coordinates:
//! the engine draws with
//! OpenGL, which has it at the bottom, so they are flipped.
//!
//! | module | contents |
//! |---|---|
//! | this one | the scene |
//! | `skins` | meshes bound to nodes |
//! | `textures` | images of materials |
//! | `surface` | materials of meshes that are new or have changed |
//! | `import`, `import_mesh`, `import_nodes` | edits of nodes and animations, of meshes; new and deleted nodes |

mod import;
mod import_mesh;
mod import_nodes;
mod skins;
mod surface;
mod textures;

use std::collections::{BTreeSet, HashMap};

use bytes::Bytes;
use serde_json::Map;

use crate::controllers::{Controller, Key};
use crate::header;
use crate::mesh::Mesh;
use crate::mesh_types::{MeshType, Skin};
use crate::model::Model;
use crate::model_text;
use crate::node::{self, NodeFlags};
use field::{F32, I16, Style as _, U8, Windows, decode, decode_text};
use kind::{Drawing, Export, ExportError, ExportOptions};
use media::gltf::build::{Builder, Corner};
use media::gltf::vector::{linear, unit};
use media::gltf::{Animation, Channel, Material, Node, Scene, Transform, Values};

use skins::{Places, bind, binding, unbind, used};

/// A quarter turn that makes y the up axis.
const UPRIGHT: [f32; 4] = [-core::f32::consts::FRAC_1_SQRT_2, 0.0, 0.0, core::f32::consts::FRAC_1_SQRT_2];

/// The exports of a model.
pub static EXPORTS: [Export; 2] = [
    Export { extension: "glb", shows: SHOWS, draw: |file, with| Drawing::glb(read(file, with)?, with), levels: None },
    Export { extension: "gltf", shows: SHOWS, draw: |file, with| Drawing::gltf(&read(file, with)?), levels: None },
];
const SHOWS: &str = "the model, with its animations";

/// The exports of a model or a walkmesh as text.
pub static TEXT_EXPORTS: [Export; 2] = [
    Export {
        extension: "glb",
        shows: SHOWS,
        draw: |file, with| Drawing::glb(read_text(&file, with)?, with),
        levels: None,
    },
    Export {
        extension: "gltf",
        shows: SHOWS,
        draw: |file, with| Drawing::gltf(&read_text(&file, with)?),
        levels: None,
    },
];

fn read_text(file: &[u8], options: &ExportOptions) -> Result<Scene, ExportError> {
    let model = model_text::model(file).map_err(ExportError::content)?;
    let mut scene = drawn(&model, options.unbound);
    textures::paint(&mut scene, options);
    Ok(scene)
}

pub use import::import;
pub use textures::picture;

fn read(file: Bytes, options: &ExportOptions) -> Result<Scene, ExportError> {
    let mut scene = drawn(&decode::<Model>(file)?.model, options.unbound);
    textures::paint(&mut scene, options);
    Ok(scene)
}

/// The opacity of a mesh, a controller that only meshes have. Source: `nwn-mdl.md`, section 4.2.
const ALPHA: Controller = Controller::new(128);

/// Returns the scene of a model: its nodes, the meshes that the game renders, and its animations. Textures are separate files,
/// which are named.
#[must_use]
pub fn of_model(model: &Model) -> Scene {
    drawn(model, false)
}

/// Returns the scene of a model, with bound meshes on their own nodes if `unbound` is set.
fn drawn(model: &Model, unbound: bool) -> Scene {
    let mut scene = Scene::default();
    let name = decode_text(Windows::PAGE, model.geometry.head.name.bytes());
    let transform = Transform { rotation: UPRIGHT, ..Transform::default() };
    let top = scene.put(Node { name, transform, ..Node::default() }, None);
    let mut materials = HashMap::new();
    // Nodes of the scene by name in lowercase: for duplicate names, the first.
    let mut names = HashMap::new();
    let mut pending = vec![(&model.root, top, ROOT.to_owned())];
    let mut places = Places::default();
    let mut skins = Vec::new();
    while let Some((node, parent, place)) = pending.pop() {
        let here = put(&mut scene, &mut materials, node, (parent, &place));
        places.put(&scene, here, parent);
        if let Some(MeshType::Skin(skin)) = node.mesh.as_ref().map(|mesh| &mesh.mesh_type) {
            skins.push((here, &**skin));
        }
        names.entry(node.head.name.bytes().to_ascii_lowercase()).or_insert(here);
        let children = node.children.iter().enumerate().rev();
        pending.extend(children.map(|(index, child)| (child, here, below(&place, index))));
    }
    for (node, skin) in skins {
        if unbound {
            unbind(&mut scene, node);
            continue;
        }
        bind(&mut scene, &places, node, skin);
    }
    for (index, animation) in model.animations.iter().enumerate() {
        animate(&mut scene, animation, &names, format!("/animations/{index}"));
    }
    scene
}

/// The place of the root of the geometry.
const ROOT: &str = "/root";

/// Returns the place of a child of a node.
fn below(place: &str, child: usize) -> String {
    format!("{place}/children/{child}")
}

/// Returns the nodes of a tree in preorder, with their places.
fn placed(root: &node::Node, place: String) -> impl Iterator<Item = (String, &node::Node)> {
    let mut waiting = vec![(place, root)];
    core::iter::from_fn(move || {
        let (place, node) = waiting.pop()?;
        waiting.extend(node.children.iter().enumerate().rev().map(|(index, child)| (below(&place, index), child)));
        Some((place, node))
    })
}

/// Materials by their properties: texture, color, opacity.
type Materials = HashMap<(Vec<u8>, [u32; 4]), usize>;

fn put(scene: &mut Scene, materials: &mut Materials, node: &node::Node, (parent, place): (usize, &str)) -> usize {
    let name = decode_text(Windows::PAGE, node.head.name.bytes());
    let first = |rows: Vec<(f32, [f32; 3])>| rows.first().map(|(_, value)| *value);
    let usual = Transform::default();
    let rotation = rotations(scene, node).first().map_or(usual.rotation, |(_, turn)| *turn);
    let transform = Transform {
        translation: first(rows(scene, node, Controller::POSITION)).unwrap_or(usual.translation),
        rotation,
        scale: first(scales(scene, node)).unwrap_or(usual.scale),
    };
    let mut extras = Map::new();
    extras.insert("parts".to_owned(), format!("{:?}", node.head.flags).into());
    let mut index = None;
    if let Some(mesh) = &node.mesh {
        extras.insert("render".to_owned(), (mesh.head.render.get() != 0).into());
        if mesh.head.render.get() != 0 {
            index = put_mesh(scene, materials, node, mesh, (name.clone(), place));
        } else {
            scene.leave("meshes that the game does not render", usize::from(!mesh.faces.is_empty()));
        }
    }
    for (part, what) in [
        (NodeFlags::LIGHT, "lights"),
        (NodeFlags::EMITTER, "emitters"),
        (NodeFlags::REFERENCE, "references to other models"),
    ] {
        scene.leave(what, usize::from(bitflags::Flags::contains(&node.head.flags, part)));
    }
    let place = Some(place.to_owned());
    scene.put(Node { name, transform, mesh: index, place, extras, ..Node::default() }, Some(parent))
}

fn put_mesh(
    scene: &mut Scene,
    materials: &mut Materials,
    node: &node::Node,
    mesh: &Mesh,
    (name, place): (String, &str),
) -> Option<usize> {
    if mesh.faces.is_empty() {
        return None;
    }
    let material = material(scene, materials, (node, place), mesh);
    let skin = match &mesh.mesh_type {
        MeshType::Skin(skin) => Some((&**skin, used(skin))),
        _ => None,
    };
    let mut builder = Builder::default();
    for (index, face) in (0..).zip(mesh.faces.iter()) {
        let [first, second, third] = face.vertices;
        let corners = [(first, 0), (second, 1), (third, 2)];
        let [first, second, third] = corners.map(|(vertex, at)| corner(mesh, skin, vertex.get(), [index, at]));
        match (first, second, third) {
            (Some(first), Some(second), Some(third)) => builder.triangle(Some(material), [first, second, third]),
            _ => scene.leave("faces with a missing corner", 1),
        }
    }
    let sets = mesh.streams.coordinates.iter().skip(1).filter(|set| !set.is_empty()).count();
    scene.leave("further sets of coordinates", sets);
    scene.leave("sets of vertices of meshes", usize::from(matches!(mesh.mesh_type, MeshType::Anim(_))));
    builder.finish(scene, name, Some(place.to_owned()))
}

/// Returns a vertex, of a skin with the given number of used slots, or `None` if it is missing.
fn corner(mesh: &Mesh, skin: Option<(&Skin, usize)>, vertex: u16, source: [u32; 2]) -> Option<Corner> {
    let (streams, at) = (&mesh.streams, usize::from(vertex));
    let [coordinates, ..] = &streams.coordinates;
    Some(Corner {
        position: streams.vertices.get(at)?.map(F32::get),
        normal: streams.normals.get(at).map(|normal| normal.map(F32::get)),
        coordinates: coordinates.get(at).map(|place| {
            let [right, up] = place.map(F32::get);
            [right, 1.0 - up]
        }),
        color: streams.colors.get(at).map(|color| {
            let [red, green, blue, alpha] = color.map(U8::get).map(|part| f32::from(part) / 255.0);
            [linear(red), linear(green), linear(blue), alpha]
        }),
        binding: skin.and_then(|(skin, used)| binding(skin, used, at)),
        vertex: vertex.into(),
        source,
    })
}

fn material(scene: &mut Scene, materials: &mut Materials, (node, place): (&node::Node, &str), mesh: &Mesh) -> usize {
    let [texture, ..] = &mesh.head.textures;
    let texture = Some(texture.bytes()).filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case(b"NULL"));
    let opaque: Vec<(f32, [f32; 1])> = rows(scene, node, ALPHA);
    let [red, green, blue] = mesh.head.diffuse.map(F32::get);
    let alpha = opaque.first().map_or(1.0, |&(_, [alpha])| alpha.clamp(0.0, 1.0));
    let color = [linear(red), linear(green), linear(blue), alpha];
    let key = (texture.unwrap_or_default().to_vec(), color.map(f32::to_bits));
    *materials.entry(key).or_insert_with(|| {
        let texture = texture.map(|name| decode_text(Windows::PAGE, name));
        let name = texture.clone().unwrap_or_else(|| format!("{red} {green} {blue}"));
        let place = Some(format!("{place}/mesh"));
        scene.materials.push(Material { name, color, texture, image: None, two_sided: false, place });
        scene.materials.len() - 1
    })
}

/// Adds an animation to the scene if it moves any node.
fn animate(scene: &mut Scene, animation: &header::Animation, names: &HashMap<Vec<u8>, usize>, place: String) {
    let mut channels = Vec::new();
    let mut moved = BTreeSet::new();
    for (at, node) in placed(&animation.root, format!("{place}/root")).filter(|(_, node)| !node.keys.is_empty()) {
        let Some(&target) = names.get(&node.head.name.bytes().to_ascii_lowercase()) else {
            scene.leave("animated nodes that the geometry does not have", 1);
            continue;
        };
        if !moved.insert(target) {
            scene.leave("nodes that move twice in an animation", 1);
            continue;
        }
        let (times, values) = rows(scene, node, Controller::POSITION).into_iter().unzip();
        channels.push(Channel { node: target, times, values: Values::Translation(values), place: Some(at.clone()) });
        let (times, values) = rotations(scene, node).into_iter().unzip();
        channels.push(Channel { node: target, times, values: Values::Rotation(values), place: Some(at.clone()) });
        let (times, values) = scales(scene, node).into_iter().unzip();
        channels.push(Channel { node: target, times, values: Values::Scale(values), place: Some(at.clone()) });
        let others = node.keys.iter().filter(|key| !is_known(key)).count();
        scene.leave("animation controllers other than position, rotation and scale", others);
    }
    channels.retain(|channel| !channel.times.is_empty());
    scene.leave("events of animations", animation.events.len());
    if channels.is_empty() {
        scene.leave("animations that move nothing", 1);
        return;
    }
    let length = animation.head.length.get();
    channels.iter_mut().for_each(|channel| hold(channel, length));
    let name = decode_text(Windows::PAGE, animation.geometry.head.name.bytes());
    scene.animations.push(Animation { name, place: Some(place), channels });
}

/// Repeats the last value of a channel at the end of its animation, so that importers keep the length of the animation, which
/// glTF does not store.
fn hold(channel: &mut Channel, length: f32) {
    if length.is_finite() && channel.times.last().is_some_and(|&last| last < length) {
        channel.times.push(length);
        match &mut channel.values {
            Values::Translation(values) | Values::Scale(values) => values.extend(values.last().copied()),
            Values::Rotation(values) => values.extend(values.last().copied()),
        }
    }
}

fn is_known(key: &Key) -> bool {
    matches!(key.kind, Controller::POSITION | Controller::ORIENTATION | Controller::SCALE)
}

/// Returns the rotations of a node with their times: quaternions of length 1.
fn rotations(scene: &mut Scene, node: &node::Node) -> Vec<(f32, [f32; 4])> {
    let all = rows::<4>(scene, node, Controller::ORIENTATION);
    let turns: Vec<_> = all.iter().filter_map(|&(time, turn)| Some((time, unit(turn)?))).collect();
    scene.leave("quaternions without a rotation", all.len() - turns.len());
    turns
}

fn scales(scene: &mut Scene, node: &node::Node) -> Vec<(f32, [f32; 3])> {
    let rows = rows::<1>(scene, node, Controller::SCALE).into_iter();
    rows.map(|(time, [scale])| (time, [scale; 3])).collect()
}

/// Returns the rows of a controller with their times in seconds: those that are finite and later than the previous one. For a
/// Bézier curve, returns the points on the curve, which precede its control points.
///
/// Source: `nwn-mdl.md`, section 4.2.
fn rows<const N: usize>(scene: &mut Scene, node: &node::Node, kind: Controller) -> Vec<(f32, [f32; N])> {
    let Some(key) = node.keys.iter().find(|key| key.kind == kind) else { return Vec::new() };
    let rows = rows_of::<N>(node, key);
    scene.leave("rows of controllers that are not finite or not in order", key.height() - rows.len());
    rows.into_iter().map(|(_, time, row)| (time, row)).collect()
}

/// Returns the rows of a controller that [`rows`] returns, with their numbers in the file.
fn rows_of<const N: usize>(node: &node::Node, key: &Key) -> Vec<(usize, f32, [f32; N])> {
    let from = |index: I16| usize::try_from(index.get()).ok().and_then(|index| node.data.get(index..));
    let times = from(key.time_index).unwrap_or_default().iter().take(key.height());
    let values = from(key.data_index).unwrap_or_default().chunks_exact(key.width().max(1));
    let mut rows: Vec<(usize, f32, [f32; N])> = Vec::new();
    for (number, (time, values)) in times.zip(values).enumerate() {
        let row = values.first_chunk::<N>().map(|row| row.map(F32::get));
        let time = time.get();
        let late = rows.last().is_none_or(|(_, before, _)| time > *before);
        if let Some(row) =
            row.filter(media::gltf::vector::is_finite).filter(|_| late && (0.0..=f32::MAX).contains(&time))
        {
            rows.push((number, time, row));
        }
    }
    rows
}
