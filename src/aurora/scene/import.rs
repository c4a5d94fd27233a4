//! Edits of models: names and transforms of nodes, keys of animations, [meshes](super::import_mesh), and
//! [new and deleted nodes](super::import_nodes).

use std::borrow::Cow;
use std::collections::HashMap;

use bytes::Bytes;

use super::import_mesh::edit_mesh;
use super::import_nodes::edit_tree;
use super::surface::edit_surface;
use super::{ROOT, drawn, placed, rows_of};
use crate::controllers::{Controller, Key, is_regular};
use crate::model::Model;
use crate::node::Node;
use field::{Address, F32, Value};
use kind::{self, ExportError, Imported, ImportedEdit, model_of};
use media::gltf::compare::{Meshes, compare};
use media::gltf::edits::TrackEdit;
use media::gltf::edits::{Edits, NodeEdit};
use media::gltf::read::Given;
use media::gltf::tracks::is_same_turn;
use media::gltf::vector::screen;
use media::gltf::{Scene, Values};

/// Finds the edits of a model in a glTF file.
pub fn import(model: &kind::Model, gltf: Bytes) -> Result<Imported, ExportError> {
    let model: &Model = model_of(model)?;
    let given = Given::read(gltf).map_err(ExportError::content)?;
    let scene = drawn(model, false);
    let draw = |mesh: usize| scene.meshes.get(mesh).map(Cow::Borrowed);
    let edits = compare(&scene, &draw, &given, Meshes::Own).map_err(ExportError::content)?;
    of_model(model, &scene, edits).map_err(ExportError::content)
}

/// The error of an edit whose subject does not exist.
pub(super) const NOTHING: &str = "internal error: an edit of nothing";

fn of_model(model: &Model, scene: &Scene, mut edits: Edits) -> Result<Imported, String> {
    let mut imported = Imported { ignored: core::mem::take(&mut edits.ignored), ..Imported::default() };
    let nodes: HashMap<String, &Node> = placed(&model.root, ROOT.to_owned()).collect();
    let streams = streams(model);
    for edit in &edits.nodes {
        let node = scene.nodes.get(edit.node);
        let place = node.and_then(|node| node.place.as_deref()).ok_or(NOTHING)?;
        let (of, node) = nodes.get(place).zip(node).ok_or(NOTHING)?;
        edit_node(of, edit, (node, &place.into()), &mut imported)
            .map_err(|why| format!("node {:?}: {why}", node.name))?;
    }
    for edit in &edits.meshes {
        let made = scene.meshes.get(edit.mesh).ok_or(NOTHING)?;
        let place = made.place.as_deref().ok_or(NOTHING)?;
        let found = nodes.get(place).and_then(|node| Some((*node, node.mesh.as_deref()?))).zip(streams.get(place));
        let ((node, mesh), streams) = found.ok_or(NOTHING)?;
        let places = (Address::from(place), Address::from(streams.as_str()));
        let wrong = |why: String| format!("mesh {:?}: {why}", made.name);
        edit_mesh(mesh, edit, &places, &mut imported).map_err(wrong)?;
        edit_surface((scene, &edits), &model.root, (node, mesh, edit), &places.0, &mut imported).map_err(wrong)?;
    }
    edit_colors(scene, &edits, &mut imported);
    for edit in &edits.tracks {
        edit_track(model, scene, edit, &mut imported)?;
    }
    for (animation, name) in &edits.names {
        let place = scene.animations.get(*animation).and_then(|it| it.place.as_deref());
        imported.set(Address::from(place.ok_or(NOTHING)?).with("name"), name.clone());
    }
    edit_tree(model, scene, &edits, &mut imported)?;
    if !model.order.is_empty() && !imported.edits.is_empty() {
        return Err(
            "the pieces of this model are in an order of their own; only `bitexact patch` can edit it".to_owned()
        );
    }
    Ok(imported)
}

/// Edits the diffuse colors of all meshes that have a material. Its opacity is a controller.
fn edit_colors(scene: &Scene, edits: &Edits, imported: &mut Imported) {
    for (place, color) in &edits.colors {
        let known = scene.materials.iter().enumerate().find(|(_, it)| it.place.as_ref() == Some(place));
        let Some((index, known)) = known else { continue };
        let [red, green, blue, alpha] = *color;
        let is_near = |one: f32, other: f32| (one - other).abs() <= 1e-3;
        let [.., opacity] = known.color;
        imported
            .ignore("opacities of materials, which are controllers of nodes", usize::from(!is_near(alpha, opacity)));
        let has = |mesh: &&media::gltf::Mesh| mesh.primitives.iter().any(|it| it.material == Some(index));
        for mesh in scene.meshes.iter().filter(has).filter_map(|mesh| mesh.place.as_deref()) {
            let diffuse = Address::from(mesh).with("mesh").with("diffuse");
            for (part, (now, was)) in (0..).zip([red, green, blue].into_iter().zip(known.color)) {
                if !is_near(screen(now), screen(was)) {
                    imported.set(diffuse.with(part.to_string()), screen(now));
                }
            }
        }
    }
}

/// Returns the places of the streams of the geometry's meshes, by the place of the node: the raw data has them after those of the
/// animations.
fn streams(model: &Model) -> HashMap<String, String> {
    let has = |node: &&Node, animated: bool| node.mesh.is_some() && (!animated || bool::from(node.live));
    let animated = model.animations.iter().flat_map(|animation| placed(&animation.root, String::new()));
    let before = animated.filter(|(_, node)| has(node, true)).count();
    let geometry = placed(&model.root, ROOT.to_owned()).filter(|(_, node)| has(node, false));
    (before..).zip(geometry).map(|(number, (place, _))| (place, format!("/raw/{number}"))).collect()
}

/// The tolerance of values that are the same.
const NEAR: f32 = 1e-5;

fn edit_node(
    node: &Node,
    edit: &NodeEdit,
    (made, place): (&media::gltf::Node, &Address),
    to: &mut Imported,
) -> Result<(), String> {
    if let Some(name) = &edit.name {
        to.edits.push(ImportedEdit::Rename(place.with("name"), made.name.clone(), name.clone()));
    }
    let set = |kind, values: &[f32], to: &mut Imported| set_first(node, kind, values, place, to);
    if let Some(translation) = edit.translation {
        set(Controller::POSITION, &translation, to)?;
    }
    let Some(turned) = edit.turned else { return Ok(()) };
    let ([x, y, z, w], [a, b, c, d]) = (turned.rotation, made.transform.rotation);
    let cosine = x * a + y * b + z * c + w * d;
    let sign = if cosine < 0.0 { -1.0 } else { 1.0 };
    if !is_same_turn(turned.rotation, made.transform.rotation) {
        set(Controller::ORIENTATION, &turned.rotation.map(|part| part * sign), to)?;
    }
    let [wide, high, deep] = turned.scale;
    let near = |one: f32, other: f32| (one - other).abs() <= 1e-4 * one.abs().max(1.0);
    if !near(wide, high) || !near(wide, deep) {
        return Err(format!("its scale is {wide} {high} {deep}, but a node has one scale for all axes"));
    }
    let [was, ..] = made.transform.scale;
    if (was - wide).abs() > NEAR * was.abs().max(1.0) {
        set(Controller::SCALE, &[wide], to)?;
    }
    Ok(())
}

/// Sets the first row of a controller of the geometry, adding the controller if there is none.
fn set_first(node: &Node, kind: Controller, values: &[f32], place: &Address, to: &mut Imported) -> Result<(), String> {
    let Some((number, key)) = node.keys.iter().enumerate().find(|(_, key)| key.kind == kind) else {
        if !node.keys.is_empty() && !is_regular(&node.keys, &node.data) {
            return Err("its controllers are out of order, so none can be added".to_owned());
        }
        let row: Value = core::iter::once(0.0).chain(values.iter().copied()).map(Value::from).collect();
        let name = kind.name().ok_or("internal error: a controller without a name")?;
        let rows: Value = core::iter::once(row).collect();
        to.set(place.with("controllers").with("-"), Value::from([("kind", Value::from(name)), ("rows", rows)]));
        return Ok(());
    };
    let row = match values.len() {
        1 => rows_of::<1>(node, key).first().map(|(row, ..)| *row),
        3 => rows_of::<3>(node, key).first().map(|(row, ..)| *row),
        _ => rows_of::<4>(node, key).first().map(|(row, ..)| *row),
    };
    let row = row.ok_or("its controller has no values")?;
    Cells { node, key, number, place }.set(row, None, values, to)
}

/// The values of a controller.
struct Cells<'a> {
    node: &'a Node,
    key: &'a Key,
    /// The number of the controller.
    number: usize,
    place: &'a Address,
}

impl Cells<'_> {
    /// Sets a row, and its time if one is given; values that are the same keep their bits.
    fn set(&self, row: usize, time: Option<f32>, values: &[f32], to: &mut Imported) -> Result<(), String> {
        let Self { node, key, number, place } = self;
        let index = |first: field::I16, offset: usize| usize::try_from(first.get()).ok()?.checked_add(offset);
        let time_at = index(key.time_index, row);
        let values_at = row.checked_mul(key.width()).and_then(|offset| index(key.data_index, offset));
        let (time_at, values_at) = time_at.zip(values_at).ok_or("its controllers are out of order")?;
        let cells = time.map(|time| (time_at, 0, time)).into_iter();
        let cells =
            cells.chain((1_usize..).zip(values).map(|(column, value)| (values_at + column - 1, column, *value)));
        let regular = is_regular(&node.keys, &node.data);
        for (at, column, value) in cells {
            let was = node.data.get(at).ok_or("its controllers have too few values")?.get();
            if (was - value).abs() <= NEAR * was.abs().max(1.0) {
                continue;
            }
            let at = match regular {
                true => ["controllers", &number.to_string(), "rows", &row.to_string(), &column.to_string()]
                    .iter()
                    .fold((*place).clone(), |place, key| place.with(*key)),
                false => place.with("data").with(at.to_string()),
            };
            to.set(at, value);
        }
        Ok(())
    }
}

/// Edits the keys of an animated node.
fn edit_track(model: &Model, scene: &Scene, edit: &TrackEdit, to: &mut Imported) -> Result<(), String> {
    let animation = scene.animations.get(edit.animation).ok_or(NOTHING)?;
    let channel = animation.channels.get(edit.channel).ok_or(NOTHING)?;
    let (place, of) = channel.place.as_deref().zip(animation.place.as_deref()).ok_or(NOTHING)?;
    let number = of.rsplit('/').next().and_then(|number| number.parse::<usize>().ok());
    let animated = number.and_then(|number| model.animations.get(number));
    let node = animated.and_then(|animated| placed(&animated.root, format!("{of}/root")).find(|(at, _)| at == place));
    let (_, node) = node.ok_or(NOTHING)?;
    let name = node.head.name.to_string();
    let wrong = |why: &str| format!("animation {:?}: node {name:?}: {why}", animation.name);
    let kind = match edit.values {
        Values::Translation(_) => Controller::POSITION,
        Values::Rotation(_) => Controller::ORIENTATION,
        Values::Scale(_) => Controller::SCALE,
    };
    let known = node.keys.iter().enumerate().find(|(_, key)| key.kind == kind);
    let (number, key) = known.ok_or_else(|| wrong("no controller"))?;
    let rows: Vec<(usize, f32, Vec<f32>)> = match kind {
        Controller::POSITION => {
            rows_of::<3>(node, key).into_iter().map(|(row, time, it)| (row, time, it.to_vec())).collect()
        }
        Controller::SCALE => {
            rows_of::<1>(node, key).into_iter().map(|(row, time, it)| (row, time, it.to_vec())).collect()
        }
        _ => {
            let turns = rows_of::<4>(node, key).into_iter();
            let turns = turns.filter_map(|(row, time, it)| Some((row, time, media::gltf::vector::unit(it)?.to_vec())));
            turns.collect()
        }
    };
    let mut keys = keys_of(edit).map_err(|why| wrong(&why))?;
    let near = |one: &[f32], other: &[f32]| {
        let same = |sign: f32| {
            one.iter().zip(other).all(|(one, other)| (one - other * sign).abs() <= 1e-4 * one.abs().max(1.0))
        };
        same(1.0) || kind == Controller::ORIENTATION && same(-1.0)
    };
    // The export repeats the last value at the end of the animation.
    if channel.times.len() > rows.len()
        && let [.., (_, before), (last, value)] = keys.as_slice()
        && channel.times.last().is_some_and(|end| (end - last).abs() < 1e-3)
        && near(before, value)
    {
        keys.pop();
    }
    let cells = Cells { node, key, number, place: &place.into() };
    if keys.len() == rows.len() {
        for ((row, was_time, was), (time, now)) in rows.iter().zip(&keys) {
            let time = Some(*time).filter(|time| (time - was_time).abs() > 1e-3);
            if time.is_none() && near(was, now) {
                continue;
            }
            let inner: f32 = was.iter().zip(now).map(|(was, now)| was * now).sum();
            let sign = if kind == Controller::ORIENTATION && inner < 0.0 { -1.0 } else { 1.0 };
            let now: Vec<f32> = if near(was, now) { Vec::new() } else { now.iter().map(|part| part * sign).collect() };
            cells.set(*row, time, &now, to).map_err(|why| wrong(&why))?;
        }
        return Ok(());
    }
    if !is_regular(&node.keys, &node.data) || rows.len() != key.height() || key.is_bezier() {
        return Err(wrong("its keys are curves, or not all of them are drawn, so none can be added or deleted"));
    }
    let stored = |at: usize| node.data.get(at).copied().map(F32::get);
    let all: Value = keys
        .iter()
        .map(|(time, now)| {
            let same = rows.iter().find(|(_, was_time, was)| (was_time - time).abs() <= 1e-3 && near(was, now));
            let old = same.and_then(|(row, ..)| {
                let time = stored(usize::try_from(key.time_index.get()).ok()?.checked_add(*row)?)?;
                let first = usize::try_from(key.data_index.get()).ok()?.checked_add(row.checked_mul(key.width())?)?;
                let values = (0..key.width()).map(|column| stored(first + column));
                core::iter::once(Some(time)).chain(values).collect::<Option<Vec<f32>>>()
            });
            let row = old.unwrap_or_else(|| core::iter::once(*time).chain(now.iter().copied()).collect());
            row.into_iter().map(Value::from).collect::<Value>()
        })
        .collect();
    to.set(Address::from(place).with("controllers").with(number.to_string()).with("rows"), all);
    Ok(())
}

/// Returns the times and values of the new keys, as a controller has them.
fn keys_of(edit: &TrackEdit) -> Result<Vec<(f32, Vec<f32>)>, String> {
    let times = edit.times.iter().copied();
    Ok(match &edit.values {
        Values::Translation(values) => times.zip(values.iter().map(|value| value.to_vec())).collect(),
        Values::Rotation(values) => times.zip(values.iter().map(|value| value.to_vec())).collect(),
        Values::Scale(values) => {
            let one = |[wide, high, deep]: [f32; 3]| {
                let is_even = (wide - high).abs() <= 1e-3 && (wide - deep).abs() <= 1e-3;
                is_even.then(|| vec![wide]).ok_or("a node has one scale for all axes")
            };
            times.zip(values.iter().copied().map(one).collect::<Result<Vec<_>, _>>()?).collect()
        }
    })
}
