//! Prints each compiled model among the arguments as a line of JSON with the values that nwnrs reads, or with the reason why it reads none.
//! `roundtrip-tests/neverwinter_nwnrs.py` compares them. A number that is not finite is `null`.
//!
//! Run `cargo build --release` here, and let `BITEXACT_NWNRS` name the program.

use nwnrs_types::mdl::{
    BinaryAabbEntry, BinaryAnimation, BinaryController, BinaryEmitter, BinaryLight, BinaryMesh, BinaryModel, BinaryNode,
    parse_binary_model_bytes,
};
use serde_json::{Value, json};

fn main() {
    for path in std::env::args().skip(1) {
        let read = std::fs::read(&path).map_err(|error| error.to_string());
        let model = read.and_then(|bytes| parse_binary_model_bytes(&bytes).map_err(|error| error.to_string()));
        println!("{}", model.map_or_else(|why| json!({ "error": why }), |model| of_model(&model)));
    }
}

fn of_model(it: &BinaryModel) -> Value {
    json!({
        "name": it.name,
        "super_model": it.supermodel_name,
        "classification": it.geometry_type,
        "flags": it.flags,
        "fog": it.fog,
        "nodes": it.node_count_hint,
        "animation_scale": it.animation_scale,
        "box_min": it.bound_min,
        "box_max": it.bound_max,
        "radius": it.radius,
        "root": tree(&it.nodes, it.root_node_offset),
        "animations": it.animations.iter().map(of_animation).collect::<Vec<_>>(),
    })
}

fn of_animation(it: &BinaryAnimation) -> Value {
    json!({
        "name": it.name,
        "animation_root": it.root_name,
        "length": it.length,
        "transition": it.transition_time,
        "events": it.events.iter().map(|event| json!({ "time": event.time, "name": event.name })).collect::<Vec<_>>(),
        "root": tree(&it.nodes, it.root_node_offset),
    })
}

/// Returns the node at an offset with those below it.
fn tree(nodes: &[BinaryNode], offset: u32) -> Value {
    let Some(it) = nodes.iter().find(|node| node.offset == offset) else { return Value::Null };
    let children: Vec<Value> = it.child_offsets.iter().map(|child| tree(nodes, *child)).collect();
    let reference =
        it.reference.as_ref().map(|it| json!({ "model": it.referenced_model_name, "reattachable": it.reattachable }));
    let skin = it.skin.as_ref().map(|it| {
        json!({ "map": it.bone_mapping, "weights": it.vertex_weights, "slots": it.vertex_bone_indices, "bones": it.bone_parts })
    });
    let anim_mesh = it.animmesh.as_ref().map(|it| {
        json!({
            "sample_period": it.sample_period,
            "vertices": it.animation_vertices,
            "coordinates": it.animation_texcoords,
        })
    });
    let dangly = it.dangly.as_ref().map(|it| {
        json!({
            "constraints": it.constraints,
            "displacement": it.displacement,
            "tightness": it.tightness,
            "period": it.period,
        })
    });
    let mut boxes = Vec::new();
    if let Some(root) = it.aabb.as_ref().and_then(|it| it.root.as_ref()) {
        preorder(root, &mut boxes);
    }
    json!({
        "name": it.name,
        "flags": it.content.raw,
        "inherit_color": it.color_inherit,
        "part_number": it.part_number,
        "controllers": it.controllers.iter().map(of_controller).collect::<Vec<_>>(),
        "light": it.light.as_ref().map(of_light),
        "emitter": it.emitter.as_ref().map(of_emitter),
        "reference": reference,
        "mesh": it.mesh.as_ref().map(of_mesh),
        "skin": skin,
        "anim_mesh": anim_mesh,
        "dangly": dangly,
        "boxes": boxes,
        "children": children,
    })
}

fn of_controller(it: &BinaryController) -> Value {
    json!({
        "kind": it.type_id,
        "is_bezier": it.bezier_keyed,
        "rows": it.row_count,
        "times": it.time_keys,
        "values": it.values,
    })
}

fn of_light(it: &BinaryLight) -> Value {
    json!({
        "flare_radius": it.flare_radius,
        "flare_textures": it.flare_textures,
        "flare_sizes": it.flare_sizes,
        "flare_positions": it.flare_positions,
        "flare_color_shifts": it.flare_color_shifts,
        "priority": it.light_priority,
        "ambient_only": it.ambient_only,
        "dynamic_type": it.dynamic_type,
        "affect_dynamic": it.affect_dynamic,
        "shadow": it.shadow,
        "generate_flare": it.generate_flare,
        "fading": it.fading,
    })
}

fn of_emitter(it: &BinaryEmitter) -> Value {
    json!({
        "dead_space": it.dead_space,
        "blast_radius": it.blast_radius,
        "blast_length": it.blast_length,
        "x_grid": it.grid_x,
        "y_grid": it.grid_y,
        "space_type": it.space,
        "update": it.update,
        "render": it.render,
        "blend": it.blend,
        "texture": it.texture,
        "chunk_name": it.chunk,
        "two_sided": it.texture_is_2sided,
        "looping": it.loop_flag,
        "render_order": it.render_order,
        "flags": it.flags.raw,
    })
}

fn of_mesh(it: &BinaryMesh) -> Value {
    let faces = it.faces.iter().map(|face| {
        json!({
            "normal": face.normal,
            "distance": face.distance,
            "surface": face.surface_id,
            "adjacent": face.adjacent_faces,
            "vertices": face.vertex_indices,
        })
    });
    json!({
        "faces": faces.collect::<Vec<_>>(),
        "box_min": it.bound_min,
        "box_max": it.bound_max,
        "radius": it.radius,
        "average": it.average,
        "diffuse": it.diffuse,
        "ambient": it.ambient,
        "specular": it.specular,
        "shininess": it.shininess,
        "shadow": it.shadow,
        "beaming": it.beaming,
        "render": it.render,
        "transparency_hint": it.transparency_hint,
        "textures": [&it.texture0, &it.texture1, &it.texture2, &it.texture3],
        "tile_fade": it.tile_fade,
        "texture_count": it.texture_count,
        "rotate_texture": it.rotate_texture,
        "vertices": it.vertices,
        "coordinates": it.uv_sets.iter().map(|set| &set.coordinates).collect::<Vec<_>>(),
        "normals": it.normals,
        "colors": it.colors,
    })
}

/// Appends a box, and then those of its left and its right half.
fn preorder(it: &BinaryAabbEntry, boxes: &mut Vec<Value>) {
    boxes.push(json!({ "min": it.bound_min, "max": it.bound_max, "face": it.leaf_part, "plane": it.plane }));
    for half in [&it.left, &it.right].into_iter().flatten() {
        preorder(half, boxes);
    }
}
