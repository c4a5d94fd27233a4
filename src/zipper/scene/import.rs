//! Edits of worlds and libraries: names and transforms of nodes, and [models](super::import_model).

use core::cell::RefCell;
use std::borrow::Cow;
use std::collections::HashMap;

use bitflags::Flags as _;
use bytes::Bytes;

use super::import_model::Context;
use super::models::{self, Detail};
use super::new_material;
use super::world::{MODELS, NODES};
use super::{import_nodes, import_parts};
use crate::Payload;
use crate::archive::Archive;
use crate::gamez::arithmetic::{Turn, rotation};
use crate::gamez::games::Layouts;
use crate::gamez::nodes::{Class, Object, ObjectFlags};
use crate::gamez::{Body, Gamez, World};
use crate::mechlib::Mech;
use field::{Address, F32, Shaped as _};
use kind::{Container as _, ExportError, Imported, ImportedEdit, Model, model_of};
use media::gltf::compare::{Meshes, compare};
use media::gltf::edits::{Edits, NodeEdit};
use media::gltf::read::Given;
use media::gltf::vector::{screen, unit};
use media::gltf::{Mesh, Scene};

/// Finds the edits of a world in a glTF file.
pub fn world(model: &Model, gltf: Bytes) -> Result<Imported, ExportError> {
    let model: &Gamez = model_of(model)?;
    let given = Given::read(gltf).map_err(ExportError::content)?;
    let imported = match &model.body {
        Body::RecoilDemo(world) => of_slots(world, given),
        Body::Recoil(world) => of_slots(world, given),
        Body::MechWarrior3(world) => of_slots(world, given),
        Body::PiratesMoon(world) => of_slots(world, given),
        Body::CrimsonSkies(world) => of_slots(world, given),
    };
    imported.map_err(ExportError::content)
}

/// Finds the edits of a 'Mech library in a glTF file.
pub fn library(model: &Model, gltf: Bytes) -> Result<Imported, ExportError> {
    let model: &Archive = model_of(model)?;
    let given = Given::read(gltf);
    let drawn = super::library::scene(model, &[], Detail::Outline);
    let drawn = drawn.ok_or_else(|| ExportError::content("an archive without a 'Mech library has no models"))?;
    given.and_then(|given| of_entries(model, &drawn, given)).map_err(ExportError::content)
}

/// Returns the edits of a scene of which only the outline was drawn. `draw` draws one mesh, on a scene with the same materials.
fn edits_of(drawn: &Scene, given: &Given, draw: impl Fn(&mut Scene, &Mesh) -> Option<Mesh>) -> Result<Edits, String> {
    let canvas = RefCell::new(Scene { materials: drawn.materials.clone(), ..Scene::default() });
    let mesh = |index: usize| draw(&mut canvas.borrow_mut(), drawn.meshes.get(index)?).map(Cow::Owned);
    compare(drawn, &mesh, given, Meshes::Shared)
}

/// Returns the number at the end of a place.
pub(super) fn slot(place: &str, before: &str) -> Option<usize> {
    place.strip_prefix(before)?.parse().ok()
}

pub(super) fn lost(place: &str) -> String {
    format!("internal error: nothing at {place}")
}

/// Edits the colors of materials. One with a texture has none.
fn edit_colors(drawn: &Scene, edits: &Edits, imported: &mut Imported) {
    for (place, color) in &edits.colors {
        let known = drawn.materials.iter().find(|material| material.place.as_ref() == Some(place));
        let Some(known) = known.filter(|material| material.texture.is_none()) else {
            imported.ignore("colors of materials with a texture, for which the game has none", 1);
            continue;
        };
        let place = Address::from(place.as_str());
        let whole = |part: f32| (part * 255.0).round().clamp(0.0, 255.0);
        let [red, green, blue, alpha] = *color;
        for (index, (part, was)) in (0..).zip([red, green, blue].into_iter().zip(known.color)) {
            if whole(screen(part)).to_bits() != whole(screen(was)).to_bits() {
                imported.set(place.with("color").with(index.to_string()), whole(screen(part)));
            }
        }
        let [.., was] = known.color;
        if let Some(alpha) = (0..=u8::MAX).find(|&byte| f32::from(byte) >= whole(alpha))
            && f32::from(alpha).to_bits() != whole(was).to_bits()
        {
            imported.set(place.with("alpha"), u32::from(alpha));
        }
    }
}

fn of_slots<G: Layouts>(world: &World<G>, given: Given) -> Result<Imported, String> {
    let drawn = &super::world::of(world, &[], Detail::Outline);
    let draw = |canvas: &mut Scene, mesh: &Mesh| {
        let slot = slot(mesh.place.as_deref()?, MODELS)?;
        models::drawn(canvas, &world.models.slots.get(slot)?.model, mesh)
    };
    let mut edits = edits_of(drawn, &given, draw)?;
    drop(given);
    let mut imported = Imported { ignored: core::mem::take(&mut edits.ignored), ..Imported::default() };
    edit_colors(drawn, &edits, &mut imported);
    let materials = new_material::of_world(world, drawn, &edits, &mut imported)?;
    import_nodes::edit_tree(world, (drawn, &materials), &edits, &mut imported)?;
    for edit in &edits.nodes {
        let (name, place) = named(drawn.nodes.get(edit.node).map(|node| (&node.name, &node.place)))?;
        let node = slot(place, NODES).and_then(|slot| world.nodes.slots.get(slot)).ok_or_else(|| lost(place))?;
        edit_node::<G>(edit, (name, place), &node.class, &mut imported)?;
    }
    let changing = world.changing();
    for edit in &edits.meshes {
        let (_, place) = named(drawn.meshes.get(edit.mesh).map(|mesh| (&mesh.name, &mesh.place)))?;
        let slot = slot(place, MODELS).and_then(|slot| world.models.slots.get(slot)).ok_or_else(|| lost(place))?;
        Context { materials: &materials, place: place.into(), changing: Some(&changing) }.edit(
            &slot.model,
            edit,
            &mut imported,
        )?;
    }
    Ok(imported)
}

fn named<'s>(of: Option<(&'s String, &'s Option<String>)>) -> Result<(&'s str, &'s str), String> {
    let (name, place) = of.ok_or("internal error: an edit of nothing")?;
    Ok((name, place.as_deref().unwrap_or_default()))
}

fn of_entries(library: &Archive, drawn: &Scene, given: Given) -> Result<Imported, String> {
    let entries = library.labeled().into_iter().map(|(label, _)| label.to_string());
    let entries: HashMap<String, &Payload> = entries.zip(library.entries.iter().map(|entry| &entry.payload)).collect();
    let find = |place: &str| {
        let at = Address::from(place);
        let node = at.keys.get(1)?.parse::<usize>().ok()?;
        Some((*entries.get(&at.entry)?, node))
    };
    let draw = |canvas: &mut Scene, mesh: &Mesh| match find(mesh.place.as_deref()?)? {
        (Payload::Mech(mech), node) => models::drawn(canvas, mech.nodes.get(node)?.model.as_ref()?, mesh),
        (Payload::LaterMech(mech), node) => models::drawn(canvas, mech.nodes.get(node)?.model.as_ref()?, mesh),
        _ => None,
    };
    let mut edits = edits_of(drawn, &given, draw)?;
    drop(given);
    let mut imported = Imported { ignored: core::mem::take(&mut edits.ignored), ..Imported::default() };
    edit_colors(drawn, &edits, &mut imported);
    let listed = entries.iter().find_map(|(label, payload)| match payload {
        Payload::LibraryMaterials(materials) => Some((label.as_str(), materials)),
        _ => None,
    });
    let materials = new_material::of_library(listed, drawn, &edits, &mut imported)?;
    import_parts::edit_trees(library, (drawn, &materials), &edits, &mut imported)?;
    for edit in &edits.nodes {
        let of = named(drawn.nodes.get(edit.node).map(|node| (&node.name, &node.place)))?;
        let (payload, node) = find(of.1).ok_or_else(|| lost(of.1))?;
        match payload {
            Payload::Mech(mech) => edit_part(mech, node, edit, of, &mut imported)?,
            Payload::LaterMech(mech) => edit_part(mech, node, edit, of, &mut imported)?,
            _ => return Err(lost(of.1)),
        }
    }
    // Nodes of a library are numbered, and no material of it is cycled.
    let stays = edits.deleted.is_empty() && edits.added.is_empty();
    for edit in &edits.meshes {
        let (_, place) = named(drawn.meshes.get(edit.mesh).map(|mesh| (&mesh.name, &mesh.place)))?;
        let (payload, node) = find(place).ok_or_else(|| lost(place))?;
        let context = Context { materials: &materials, place: place.into(), changing: stays.then_some(&[]) };
        match payload {
            Payload::Mech(mech) => {
                let model = mech.nodes.get(node).and_then(|node| node.model.as_ref()).ok_or_else(|| lost(place))?;
                context.edit(model, edit, &mut imported)?;
            }
            Payload::LaterMech(mech) => {
                let model = mech.nodes.get(node).and_then(|node| node.model.as_ref()).ok_or_else(|| lost(place))?;
                context.edit(model, edit, &mut imported)?;
            }
            _ => return Err(lost(place)),
        }
    }
    Ok(imported)
}

fn edit_part<G: Layouts>(
    mech: &Mech<G>,
    node: usize,
    edit: &NodeEdit,
    of: (&str, &str),
    imported: &mut Imported,
) -> Result<(), String> {
    let node = mech.nodes.get(node).ok_or_else(|| lost(of.1))?;
    edit_node::<G>(edit, of, &node.class, imported)
}

/// Edits a node with this name and place.
fn edit_node<G: Layouts>(
    edit: &NodeEdit,
    (name, place): (&str, &str),
    class: &Class<G>,
    imported: &mut Imported,
) -> Result<(), String> {
    let place = Address::from(place);
    if let Some(new) = &edit.name {
        imported.edits.push(ImportedEdit::Rename(place.with("name"), name.to_owned(), new.clone()));
    }
    if edit.translation.is_none() && edit.turned.is_none() {
        return Ok(());
    }
    let Class::Object(object) = class else {
        return Err(format!("node {name:?} has moved, but only objects have a transform; move the objects below it"));
    };
    let now = moved(object, edit).map_err(|why| format!("node {name:?}: {why}"))?;
    let place = place.with("object");
    let mut set = |field: &str, values: (&[F32], &[F32])| {
        for (index, (was, now)) in values.0.iter().zip(values.1).enumerate() {
            if was.get().to_bits() != now.get().to_bits() {
                imported.set(place.with(field).with(index.to_string()), now.get());
            }
        }
    };
    set("rotate", (&object.head.rotate, &now.head.rotate));
    set("scale", (&object.head.scale, &now.head.scale));
    set("transform", (&object.matrices.transform, &now.matrices.transform));
    if object.head.flags != now.head.flags {
        imported.set(place.with("flags"), ObjectFlags::SHAPE.show(field::bytes_of(&now.head.flags)));
    }
    Ok(())
}

/// Returns an object with a new transform. Its matrix follows from its angles, unless it was set directly.
///
/// Source: `zipper-nodes.md`, section 6.4.
pub(super) fn moved<G: Layouts>(object: &Object<G>, edit: &NodeEdit) -> Result<Object<G>, String> {
    let mut moved = object.clone();
    let Object { head: now, matrices, .. } = &mut moved;
    // The engine would ignore the matrix.
    now.flags.remove(ObjectFlags::INITIAL);
    if let Some([x, y, z]) = edit.translation {
        for (to, from) in matrices.transform.iter_mut().skip(9).zip([x, y, z]) {
            *to = F32::new(from);
        }
    }
    let Some(transform) = edit.turned else { return Ok(moved) };
    let (rows, _) = transform.place();
    let rows = if object.head.flags.contains(ObjectFlags::MATRIX) {
        let mut all = [0.0; 9];
        all.iter_mut().zip(rows.into_iter().flatten()).for_each(|(to, from)| *to = from);
        all
    } else {
        let mut axes = [[0.0; 3]; 3];
        for (to, row) in axes.iter_mut().zip(rows) {
            *to = unit(row).ok_or("an axis has no size")?;
        }
        let mirrored = transform.scale.map(f32::is_sign_negative);
        // Mirrored axes are part of the scale, not of the angles.
        axes.iter_mut().zip(mirrored).filter(|(_, is)| *is).for_each(|(axis, _)| *axis = axis.map(|it| -it));
        let angles = angles(axes);
        let unchanged = |was: F32, now: f32| (was.get() - now).abs() <= 1e-5 * now.abs().max(1.0);
        for (to, from) in now.scale.iter_mut().zip(transform.scale).filter(|(was, now)| !unchanged(**was, *now)) {
            *to = F32::new(from);
        }
        for (to, from) in now.rotate.iter_mut().zip(angles).filter(|(was, now)| !unchanged(**was, *now)) {
            *to = F32::new(from);
        }
        rotation(Turn::A, now.rotate.map(F32::get), now.scale.map(F32::get))
    };
    matrices.transform.iter_mut().zip(rows).for_each(|(to, from)| *to = F32::new(from));
    Ok(moved)
}

/// Returns the angles around x, y and z whose rotation has these axes. If two of them turn around the same axis, one is 0.
fn angles([[xx, xy, xz], [_, yy, _], [zx, zy, zz]]: [[f32; 3]; 3]) -> [f32; 3] {
    const STRAIGHT: f32 = 0.999_999;
    let sine = (-zy).clamp(-1.0, 1.0);
    match sine.abs() > STRAIGHT {
        true => [sine.asin(), 0.0, (xz * sine.signum()).atan2(xx)],
        false => [sine.asin(), zx.atan2(zz), xy.atan2(yy)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: `zipper-nodes.md`, section 6.4.
    #[test]
    fn angles_give_the_axes_that_they_are_from() {
        for angles_of in
            [[0.3, -0.7, 1.1], [0.0; 3], [1.570_796_4, 0.4, 0.2], [0.2, -1.570_796_4, 0.3], [-2.0, 1.0, 3.0]]
        {
            let [a, b, c, d, e, f, g, h, i] = rotation(Turn::A, angles_of, [1.0; 3]);
            let found = angles([[a, b, c], [d, e, f], [g, h, i]]);
            let again = rotation(Turn::A, found, [1.0; 3]);
            let near = again.iter().zip([a, b, c, d, e, f, g, h, i]).all(|(a, b)| (a - b).abs() < 1e-3);
            assert!(near, "{angles_of:?} became {found:?}");
        }
    }
}
