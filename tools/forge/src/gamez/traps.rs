//! Worlds with traps: as small as possible, each with one wrong field. Offsets are those of the format specs.

use super::samples::{bounds, camera, display, light, lod, object, sun, surfaces, window, worked_model, world};
use super::{Class, Cycle, Game, Material, Model, Node, Polygon, Spec, build, name};
use crate::bytes::field;
use crate::random::Random;
use crate::sample::{Trap, kept, reported};
use crate::{Sample, Size};

/// Builds a world of a game.
type Base = fn(&mut Random, Game) -> Spec;

/// Returns worlds with traps.
pub(super) fn traps(seed: u64, _: Size) -> Vec<Sample> {
    let all: &[(Base, Game, &[Trap<Spec>])] = &[
        (bare, Game::Mw, HEADER),
        (surfaced, Game::Rc, TEXTURES),
        (surfaced, Game::Mw, MATERIALS),
        (surfaced, Game::Cs, MATERIALS_CS),
        (surfaced, Game::Pm, TEXTURES_PM),
        (modelled, Game::Rc, MODELS),
        (modelled, Game::Rc, MODELS_RC),
        (modelled, Game::Mw, MODELS_MW),
        (modelled, Game::Pm, MODELS_PM),
        (modelled, Game::Cs, MODELS_CS),
        (objects, Game::Rc, NODES),
        (objects, Game::Demo, NODES_DEMO),
        (objects, Game::Mw, NODES_MW),
        (objects, Game::Pm, NODES_PM),
        (objects, Game::Cs, NODES_CS),
        (|_, game| with(game, camera(game)), Game::Mw, CAMERA),
        (|_, game| with(game, camera(game)), Game::Cs, CAMERA_CS),
        (|_, game| with(game, display()), Game::Rc, DISPLAY),
        (|_, game| with(game, window()), Game::Rc, WINDOW),
        (|random, game| with(game, lod(random, game)), Game::Mw, LOD_MW),
        (|random, game| with(game, lod(random, game)), Game::Pm, LOD_PM),
        (|_, game| with(game, sun(game)), Game::Rc, LIGHT_RC),
        (|_, game| with(game, sun(game)), Game::Mw, LIGHT_MW),
        (|_, game| with(game, sun(game)), Game::Pm, LIGHT_PM),
        (|_, game| with(game, sun(game)), Game::Cs, LIGHT_CS),
        (gridded, Game::Rc, WORLD),
        (gridded, Game::Mw, WORLD_MW),
        (gridded, Game::Pm, WORLD_PM),
        (gridded, Game::Cs, WORLD_CS),
    ];
    let sample = |base: Base, game: Game, trap: &Trap<Spec>| {
        let spec = base(&mut Random::named(seed, trap.name), game);
        Sample::of(trap.name, "gamez", game.codes(), spec, Some(trap), build)
    };
    all.iter().flat_map(|&(base, game, traps)| traps.iter().map(move |trap| sample(base, game, trap))).collect()
}

fn bare(_: &mut Random, game: Game) -> Spec {
    Spec::new(game)
}

/// Returns three materials, two of which are animated, and two free slots.
fn surfaced(random: &mut Random, game: Game) -> Spec {
    let mut spec = Spec::new(game);
    surfaces(random, &mut spec, 3, 0, 5);
    let cycle = |frames: &[u32]| Some(Cycle { looping: 1, tick: 2, speed: 15.0, frames: frames.into() });
    spec.materials = vec![
        Material { cycle: cycle(&[0, 1]), ..Material::textured(0) },
        Material::colored([255.0, 0.0, 64.0]),
        Material { cycle: cycle(&[2, 0, 1]), ..Material::textured(2) },
    ];
    spec
}

/// Returns a model, a free slot, a model with lights only, a free slot.
fn modelled(random: &mut Random, game: Game) -> Spec {
    let mut spec = Spec::new(game);
    let mut lights = Model { parents: 1, lights: vec![light(random, 2)], ..Model::default() };
    if game.is_recoil() {
        lights.bounds = bounds(&lights);
    }
    spec.models = vec![Some(worked_model(game)), Some(lights)];
    spec.model_slots = 4;
    spec
}

/// Returns two objects, one of which is a child of the other, and two unused slots if the game keeps them.
fn objects(random: &mut Random, game: Game) -> Spec {
    let mut spec = Spec::new(game);
    spec.nodes = super::samples::tree(random, Game::Mw, 2);
    spec.nodes
        .iter_mut()
        .for_each(|node| *node = Node { model: -1, flags: 0x0208_001C, boxes: [[0.0; 6]; 3], ..node.clone() });
    spec.node_slots = if game < Game::Pm { 4 } else { 2 };
    spec
}

/// Returns a world of one node.
fn with(game: Game, node: Node) -> Spec {
    Spec { nodes: vec![node], node_slots: 1, ..Spec::new(game) }
}

/// Returns a world of two columns and two rows.
fn gridded(random: &mut Random, game: Game) -> Spec {
    with(game, world(random, game, [2, 2], 0, 1))
}

/// Returns the polygons of the first model.
fn polygons(spec: &mut Spec) -> &mut Vec<Polygon> {
    &mut spec.models[0].as_mut().expect("there is a model").polygons
}

/// Returns the world.
fn grid(spec: &mut Spec) -> &mut super::World {
    match &mut spec.nodes[0].class {
        Class::World(world) => world,
        other => panic!("{other:?} is no world"),
    }
}

/// Returns the bits of a float.
const fn real(value: f32) -> u32 {
    value.to_bits()
}

const HEADER: &[Trap<Spec>] = &[
    reported("gamez_textures_offset.zbd", "textures said to begin elsewhere", |spec| spec.lie("counts", 4, 40)),
    reported("gamez_materials_offset.zbd", "materials said to begin elsewhere", |spec| spec.lie("counts", 8, 0)),
    reported("gamez_models_offset.zbd", "models said to begin elsewhere", |spec| spec.lie("counts", 12, u32::MAX)),
    reported("gamez_nodes_offset.zbd", "nodes said to begin elsewhere", |spec| spec.lie("counts", 24, 1)),
    reported("gamez_free_head.zbd", "a free node where there are no nodes", |spec| spec.node_free_head = Some(309)),
    reported("gamez_trailing.zbd", "bytes behind the last node", |spec| spec.trailing = b"left over".into()),
];

const TEXTURES: &[Trap<Spec>] = &[
    reported("texture_image.zbd", "an address of an image", |spec| spec.lie("texture 0", 0, 1)),
    reported("texture_surface.zbd", "an address of a surface", |spec| spec.lie("texture 1", 4, 1)),
    reported("texture_state.zbd", "a texture that is not used", |spec| spec.lie("texture 2", 28, 1)),
    kept("full_texture_name.zbd", "a name that fills its field", |spec| {
        spec.textures[0].name = field(b"sixteen_letters_", b"tif");
    }),
    kept("texture_cut.zbd", "a name whose ending is cut", |spec| {
        spec.textures[0].name = field(b"seventeen_letters", b"tif");
    }),
    kept("texture_plain.zbd", "a name without an ending", |spec| spec.textures[0].name = field(b"lightmap", b"")),
    kept("texture_dots.zbd", "an ending that begins with a dot, and a stem with one", |spec| {
        spec.textures[0].name = field(b"foo", b".tif");
        spec.textures[1].name = field(b"a.b", b"tif");
    }),
    kept("texture_stale.zbd", "left-over memory behind a name", |spec| {
        spec.textures[0].name = field(b"rock", b"tif\0old\0na");
        spec.textures[1].name = [b'x'; 20];
        spec.textures[2].name = field(b"", b"tif");
    }),
];

const MATERIALS_CS: &[Trap<Spec>] =
    &[kept("material_array_size_cs.zbd", "an array said to be as long as what is used, as in every world", |spec| {
        spec.material_array_size = Some(spec.materials.len() as u32);
    })];

const TEXTURES_PM: &[Trap<Spec>] = &[
    reported("texture_state_pm.zbd", "an image of a texture that is used", |spec| {
        spec.textures[0].image_ptr = 0x05AD_5F30;
        spec.lie("texture 0", 32, 2);
    }),
    reported("texture_unk04.zbd", "a reserved word", |spec| spec.lie("texture 1", 4, 7)),
    reported("texture_category.zbd", "a category", |spec| spec.lie("texture 2", 36, 1)),
    kept("texture_same_name.zbd", "two textures of one name", |spec| spec.textures[1].name = spec.textures[0].name),
];

const MATERIALS: &[Trap<Spec>] = &[
    reported("material_array_size.zbd", "an array said to be as long as what is used", |spec| {
        spec.material_array_size = Some(3);
    }),
    reported("material_used.zbd", "fewer materials than there are", |spec| spec.lie("materials", 4, 2)),
    reported("material_free_head.zbd", "a free list that begins elsewhere", |spec| spec.lie("materials", 8, 4)),
    reported("material_used_head.zbd", "no used list", |spec| spec.lie("materials", 12, u32::MAX)),
    reported("material_rgb.zbd", "a packed color", |spec| spec.lie("material 1", 0, 0x1234_10C8)),
    reported("material_unk20.zbd", "a reserved float", |spec| spec.lie("material 0", 20, real(-0.0))),
    reported("material_unk24.zbd", "a reserved float", |spec| spec.lie("material 1", 24, real(0.0))),
    reported("material_unk28.zbd", "a reserved float", |spec| spec.lie("material 2", 28, real(1.0))),
    reported("material_link.zbd", "a used list that loops", |spec| spec.lie("material 1", 40, 0x0002_0002)),
    reported("material_free_link.zbd", "a free list that loops", |spec| spec.lie("material 4", 40, 0x0004_0003)),
    reported("material_free_flags.zbd", "a free slot without its flag", |spec| spec.lie("material 3", 0, 0)),
    reported("material_free_bytes.zbd", "bytes in a free slot", |spec| spec.lie("material 3", 16, 9)),
    reported("material_cycle_null.zbd", "a cycle without an address", |spec| spec.lie("material 2", 36, 0)),
    reported("material_cycle_address.zbd", "an address without a cycle", |spec| spec.lie("material 1", 36, 8)),
    reported("material_cycle_index.zbd", "a cycle under way", |spec| spec.lie("cycle 0", 8, real(1.5))),
    reported("material_cycle_capacity.zbd", "room for more frames", |spec| spec.lie("cycle 1", 16, 8)),
    reported("material_cycle_address_0.zbd", "frames without an address", |spec| spec.lie("cycle 0", 24, 0)),
    kept("material_full.zbd", "no free slot", |spec| spec.material_slots = 3),
    kept("material_texture_outside.zbd", "a texture that is not there", |spec| spec.lie("material 0", 16, 99)),
];

const MODELS: &[Trap<Spec>] = &[
    reported("model_used.zbd", "more models than there are", |spec| spec.lie("models", 4, 3)),
    reported("model_free_head.zbd", "a free list that begins with a model", |spec| spec.lie("models", 8, 0)),
    reported("model_free_head_outside.zbd", "a free list that begins outside", |spec| spec.lie("models", 8, 400)),
    reported("model_free_loop.zbd", "a free list that loops", |spec| spec.lie("model 3", 84, 2)),
    kept("model_scattered.zbd", "free slots among the models, linked anyhow", |spec| {
        spec.models.insert(0, None);
        spec.models.insert(2, None);
        spec.model_slots = 7;
        spec.model_free_list = vec![5, 0, 6, 2, 4];
    }),
    kept("model_full.zbd", "no free slot", |spec| spec.model_slots = 2),
    kept("model_unused_slots.zbd", "no model at all", |spec| spec.models.clear()),
    reported("model_free_bytes.zbd", "bytes in a free slot", |spec| spec.lie("model 2", 36, 1)),
    reported("model_offset.zbd", "data said to lie elsewhere", |spec| spec.lie("model link 1", 0, 5)),
    kept("model_without_parents.zbd", "a model that nobody uses", |spec| {
        spec.models[0].as_mut().expect("there is a model").parents = 0;
    }),
    kept("model_without_anything.zbd", "a model that is used and empty", |spec| {
        spec.models[1] = Some(Model { parents: 2, ..Model::default() });
    }),
    reported("light_elapsed.zbd", "a light under way", |spec| spec.lie("light 0", 16, 1)),
    reported("light_state.zbd", "the state of a light", |spec| spec.lie("light 0", 20, 1)),
    reported("light_rgb.zbd", "a packed color", |spec| spec.lie("light 0", 40, 0x01FF_0001)),
    reported("light_address.zbd", "points without an address", |spec| spec.lie("light 0", 44, 0)),
];

const MODELS_RC: &[Trap<Spec>] = &[
    reported("model_morph_factor.zbd", "half morphed", |spec| spec.lie("model 0", 32, real(0.5))),
    reported("model_scroll_frame.zbd", "textures under way", |spec| spec.lie("model 0", 44, 3)),
    reported("model_middle.zbd", "a middle that is not that of the points", |spec| spec.lie("model 0", 68, real(9.0))),
    reported("model_diagonal.zbd", "a diagonal that is not that of the points", |spec| {
        spec.lie("model 0", 80, real(9.0));
    }),
    reported("model_polygons_null.zbd", "polygons without an address", |spec| spec.lie("model 0", 48, 0)),
    reported("model_vertices_null.zbd", "vertices without an address", |spec| spec.lie("model 0", 52, 0)),
    reported("model_normals_null.zbd", "normals without an address", |spec| spec.lie("model 0", 56, 0)),
    reported("model_lights_null.zbd", "lights without an address", |spec| spec.lie("model 0", 60, 0)),
    reported("model_morphs_address.zbd", "an address of no morphs", |spec| spec.lie("model 0", 64, 8)),
    reported("polygon_vertices_null.zbd", "corners without an address", |spec| spec.lie("polygon 0", 8, 0)),
    reported("polygon_normals_null.zbd", "normals without an address", |spec| spec.lie("polygon 0", 12, 0)),
    reported("polygon_zones.zbd", "four zones", |spec| spec.lie("polygon 0", 24, 0x0102_0304)),
    reported("polygon_zone_unused.zbd", "a zone that is not used", |spec| spec.lie("polygon 0", 24, 0xFF05_0101)),
    kept("polygon_material_none.zbd", "no material", |spec| spec.lie("polygon 0", 20, u32::MAX)),
    kept("polygon_index_outside.zbd", "a corner at no point", |spec| spec.lie("polygon data 0", 4, 900)),
];

const MODELS_MW: &[Trap<Spec>] = &[
    reported("model_active_polygon.zbd", "a polygon in hand", |spec| spec.lie("model 0", 88, 2)),
    reported("polygon_colors_null.zbd", "colors without an address", |spec| spec.lie("polygon 0", 20, 0)),
    reported("polygon_references_null.zbd", "references without an address", |spec| spec.lie("polygon 0", 24, 0)),
    kept("polygon_strip.zbd", "a strip without normals and textures", |spec| {
        let strip = Polygon {
            bits: 0x500,
            corners: vec![0, 1, 2, 1, 0],
            normals: vec![],
            uvs: false,
            ..polygons(spec)[0].clone()
        };
        polygons(spec).push(strip);
    }),
];

const MODELS_PM: &[Trap<Spec>] = &[
    kept("polygon_two_materials.zbd", "two materials, then three", |spec| {
        let polygon = polygons(spec)[0].clone();
        polygons(spec).push(Polygon { materials: vec![5, 0], ..polygon.clone() });
        polygons(spec).push(Polygon { materials: vec![0, 5, 0], ..polygon });
    }),
    kept("polygon_corners.zbd", "more corners than a byte counts", |spec| {
        let polygon = polygons(spec)[0].clone();
        polygons(spec).push(Polygon { uvs: false, corners: vec![0; 257], normals: vec![], ..polygon });
    }),
    kept("references_cycled.zbd", "materials that change are told one by one", |spec| {
        let random = &mut Random::named(0, "cycled");
        *spec = Spec { models: spec.models.clone(), model_slots: 2, ..surfaced(random, spec.game) };
        let polygon = polygons(spec)[0].clone();
        *polygons(spec) =
            [1, 1, 2, 3, 1, 2].map(|material| Polygon { materials: vec![material], ..polygon.clone() }).into();
    }),
    reported("references_material.zbd", "another material", |spec| spec.lie("model data 1", -12, 3)),
    reported("references_usage.zbd", "another number of polygons", |spec| {
        spec.lie("model data 1", -8, 9);
    }),
    reported("references_polygon.zbd", "another polygon", |spec| {
        spec.lie("model data 1", -4, 0x0500_0028);
    }),
    reported("references_null.zbd", "references without an address", |spec| spec.lie("model 0", 96, 0)),
    reported("polygon_materials_null.zbd", "materials without an address", |spec| spec.lie("polygon 0", 20, 0)),
];

const MODELS_CS: &[Trap<Spec>] = &[
    reported("polygon_colors_null_cs.zbd", "colors without an address", |spec| spec.lie("polygon 0", 28, 0)),
    reported("polygon_references_null_cs.zbd", "references without an address", |spec| {
        spec.lie("polygon 0", 32, 0);
    }),
    kept("model_flags.zbd", "flags that nobody knows", |spec| {
        spec.models[0].as_mut().expect("there is a model").flags = 0x8000_0107;
    }),
];

/// Returns a freed node, which keeps its name.
fn freed(random: &mut Random) -> Node {
    Node { name: name("gone"), class: Class::Empty, update_flags: 5, ..object(random, Game::Rc, -1) }
}

const NODES: &[Trap<Spec>] = &[
    kept("node_freed.zbd", "a node freed among the used ones", |spec| {
        let random = &mut Random::named(0, "freed");
        spec.nodes.insert(1, freed(random));
        spec.nodes[0].children = vec![2];
        spec.node_slots = 5;
        spec.node_free_list = vec![1, 3, 4];
    }),
    reported("node_free_in_use.zbd", "a freed node whose link leads to one in use", |spec| {
        let random = &mut Random::named(0, "freed");
        spec.nodes.push(freed(random));
        spec.lie("node link 2", 0, 0);
    }),
    reported("node_free_loop.zbd", "a free list that loops", |spec| spec.lie("node link 3", 0, 2)),
    reported("node_free_head.zbd", "a free list that begins behind the last", |spec| spec.node_free_head = Some(4)),
    reported("node_free_short.zbd", "a free list that leaves one out", |spec| spec.node_free_head = Some(3)),
    kept("node_full.zbd", "no free slot", |spec| spec.node_slots = 2),
    kept("node_names.zbd", "left-over memory behind names", |spec| {
        spec.nodes[0].name[..17].copy_from_slice(b"abort_test\0ng\0ame");
        spec.nodes[1].name = [b'n'; 36];
    }),
    kept("node_parents.zbd", "eight parents", |spec| spec.nodes[0].parents = vec![1; 8]),
    kept("node_loop.zbd", "two nodes that hang from one another, and one from itself", |spec| {
        spec.nodes[0].parents = vec![0, 1];
        spec.nodes[1].children = vec![0, 1, -1, 70_000];
    }),
    kept("node_partition.zbd", "half a place in the grid", |spec| spec.nodes[0].partition = [-1, 90]),
    kept("node_zone.zbd", "zones with more than a byte", |spec| spec.nodes[0].zone = 0x1234_5601),
    reported("node_unk28.zbd", "a reserved word", |spec| spec.lie("node 0", 40, 1)),
    reported("node_data_null.zbd", "data without an address", |spec| spec.lie("node 0", 56, 0)),
    reported("node_environment.zbd", "an environment", |spec| spec.lie("node 0", 64, 1)),
    reported("node_action_priority.zbd", "another priority", |spec| spec.lie("node 1", 68, 0)),
    reported("node_action_callback.zbd", "a callback", |spec| spec.lie("node 1", 72, 4)),
    reported("node_parents_null.zbd", "parents without an address", |spec| spec.lie("node 1", 88, 0)),
    reported("node_children_null.zbd", "children without an address", |spec| spec.lie("node 0", 96, 0)),
    reported("node_bbox_mid.zbd", "a middle", |spec| spec.lie("node 0", 104, real(-0.0))),
    reported("node_bbox_diag.zbd", "a diagonal", |spec| spec.lie("node 0", 112, real(1.0))),
    reported("node_activation.zbd", "an activation", |spec| spec.lie("node 0", 188, 4)),
    reported("node_offset.zbd", "data said to lie elsewhere", |spec| spec.lie("node link 1", 0, 9)),
    reported("node_link_flags.zbd", "flags that are never stored", |spec| {
        spec.lies.push(("node link 1", 3, vec![1]));
    }),
    reported("object_cached.zbd", "a cached matrix", |spec| spec.lie("node data 0", 96, real(1.0))),
    kept("object_opacity.zbd", "opacity and color", |spec| {
        if let Class::Object { flags, opacity, color, .. } = &mut spec.nodes[0].class {
            (*flags, *opacity, *color) = (0x26, 0.5, [0.1, 0.2, 0.3, 1.0]);
        }
    }),
    reported("object_opacity_unset.zbd", "an opacity that no flag says", |spec| spec.lie("node data 0", 4, real(0.5))),
    reported("object_color_unset.zbd", "a color that no flag says", |spec| spec.lie("node data 0", 8, real(0.5))),
    reported("object_alpha_unset.zbd", "the fourth of a color that no flag says", |spec| {
        spec.lie("node data 0", 20, real(1.0));
    }),
    reported("object_matrix.zbd", "a matrix that is not that of the angles", |spec| {
        spec.lie("node data 0", 48, real(0.5));
    }),
    kept("object_free_matrix.zbd", "a matrix without angles", |spec| {
        if let Class::Object { flags, matrix, .. } = &mut spec.nodes[0].class {
            (*flags, matrix[0]) = (0x30, f32::from_bits(0x7FA0_0001));
        }
    }),
    kept("sound.zbd", "a sound", |spec| spec.nodes[1].class = Class::Sound(vec![0, 1])),
];

const NODES_DEMO: &[Trap<Spec>] = &[
    kept("demo_boxes.zbd", "corners of turned, moved and untransformed boxes", |spec| {
        spec.nodes[0].flags |= 0x600;
        spec.nodes[0].boxes[1] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        spec.nodes[0].boxes[2] = [-1.5, 3.0, 3.5, 2.0, 9.0, 8.0];
        if let Class::Object { rotate, matrix, .. } = &mut spec.nodes[0].class {
            // A quarter turn around y: zipper-nodes.md, section 6.4.
            rotate[1] = std::f32::consts::FRAC_PI_2;
            *matrix = [0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 10.0, 20.0, -30.0];
        }
        spec.nodes[1].flags |= 0x200;
        spec.nodes[1].boxes[1] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        if let Class::Object { flags, matrix, .. } = &mut spec.nodes[1].class {
            (*flags, matrix[9]) = (0x28, 0.0);
        }
    }),
    kept("demo_freed.zbd", "a freed node with left-over corners", |spec| {
        let random = &mut Random::named(0, "freed");
        let mut gone = freed(random);
        gone.boxes[0] = [7.0, 8.0, 9.0, -1.0, -2.0, -3.0];
        spec.nodes.insert(1, gone);
        spec.nodes[0].children = vec![2];
        spec.node_slots = 5;
        spec.node_free_list = vec![1, 3, 4];
    }),
    reported("demo_corner.zbd", "a corner that is not that of the boxes", |spec| {
        spec.lie("node 0", 116 + 12 * 5 + 4, real(0.25));
    }),
    reported("demo_translate.zbd", "a position that is not that of the matrix", |spec| {
        spec.lie("node data 1", 48, real(-0.5));
    }),
    reported("demo_damage.zbd", "a damage handler", |spec| spec.lie("node 0", 260, 4)),
    reported("demo_virgin.zbd", "bytes in a slot that was never used", |spec| spec.lie("node 3", 262, 1)),
];

const NODES_MW: &[Trap<Spec>] = &[
    reported("node_unk192.zbd", "a reserved word", |spec| spec.lie("node 0", 192, 1)),
    reported("node_unk196.zbd", "a number that the class does not have", |spec| spec.lie("node 0", 196, 0)),
    reported("node_unk200.zbd", "a reserved word", |spec| spec.lie("node 1", 200, 1)),
    reported("node_unk204.zbd", "a reserved word", |spec| spec.lie("node 1", 204, 1)),
    kept("node_freed_mw.zbd", "a node freed among the used ones", |spec| {
        let random = &mut Random::named(0, "freed");
        spec.nodes.insert(0, freed(random));
        (spec.nodes[1].children, spec.nodes[2].parents) = (vec![2], vec![1]);
        spec.node_free_list = vec![0, 3];
    }),
];

const NODES_PM: &[Trap<Spec>] = &[
    kept("node_freed_pm.zbd", "a node of no class among the used ones", |spec| {
        let random = &mut Random::named(0, "freed");
        spec.nodes.insert(1, freed(random));
        spec.nodes[0].children = vec![2];
        spec.node_slots = 3;
    }),
    kept("node_virgin_pm.zbd", "slots in which nothing ever was", |spec| spec.node_slots = 4),
    reported("node_bbox_diag_pm.zbd", "a diagonal", |spec| spec.lie("node 0", 108, real(1.0))),
    reported("node_parents_null_pm.zbd", "parents without an address", |spec| spec.lie("node 1", 88, 0)),
    reported("node_children_null_pm.zbd", "children without an address", |spec| spec.lie("node 0", 92, 0)),
    reported("node_unk196_pm.zbd", "a number that the class does not have", |spec| spec.lie("node 0", 196, 45_697)),
];

const NODES_CS: &[Trap<Spec>] = &[
    kept("node_garbage.zbd", "left-over memory behind the records", |spec| {
        (spec.nodes[0].garbage, spec.nodes[1].garbage) = (0x00FF_FFFE, 0xABCD);
    }),
    kept("node_free_head_cs.zbd", "a head behind the last node", |spec| spec.node_free_head = Some(8437)),
    kept("node_data_offsets.zbd", "addresses that are offsets, and a node without one", |spec| {
        let random = &mut Random::named(0, "freed");
        spec.nodes.insert(1, freed(random));
        (spec.nodes[0].children, spec.node_slots, spec.data_offsets) = (vec![2], 3, true);
    }),
    kept("node_unk28_cs.zbd", "what only Crimson Skies has", |spec| {
        spec.lie("node 0", 40, 0x082A_AAAA);
        spec.lie("node 0", 44, 0x0001_3281);
    }),
];

const CAMERA: &[Trap<Spec>] = &[
    reported("camera_flags.zbd", "flags", |spec| spec.lie("node data 0", 16, 1)),
    reported("camera_translate.zbd", "a place", |spec| spec.lie("node data 0", 20, real(1.0))),
    reported("camera_ancestor.zbd", "a matrix", |spec| spec.lie("node data 0", 68, real(1.0))),
    reported("camera_view.zbd", "a direction", |spec| spec.lie("node data 0", 116, real(1.0))),
    reported("camera_matrix.zbd", "another matrix", |spec| spec.lie("node data 0", 172, real(1.0))),
    reported("camera_clip.zbd", "a corner", |spec| spec.lie("node data 0", 184, real(-0.0))),
    reported("camera_lod.zbd", "an inverse square that is not", |spec| spec.lie("node data 0", 212, real(1.0))),
    reported("camera_scaled.zbd", "an angle that is not scaled", |spec| spec.lie("node data 0", 232, real(1.0))),
    reported("camera_half.zbd", "half an angle that is not", |spec| spec.lie("node data 0", 244, real(1.0))),
    reported("camera_clip_recalc.zbd", "a reserved word", |spec| spec.lie("node data 0", 248, 0)),
    reported("camera_unk252.zbd", "reserved bytes", |spec| spec.lie("node data 0", 308, 1)),
    reported("camera_fov_recalc.zbd", "a reserved word", |spec| spec.lie("node data 0", 312, 0)),
    reported("camera_unk316.zbd", "reserved bytes", |spec| spec.lie("node data 0", 384, 1)),
    reported("camera_rotate_recalc.zbd", "a reserved word", |spec| spec.lie("node data 0", 388, 2)),
    reported("camera_unk392.zbd", "reserved bytes", |spec| spec.lie("node data 0", 392, 1)),
    reported("camera_unk464.zbd", "a reserved word", |spec| spec.lie("node data 0", 464, 1)),
    reported("camera_cotangent.zbd", "a cotangent that is not", |spec| spec.lie("node data 0", 468, real(9.0))),
    reported("camera_unk476.zbd", "a reserved word", |spec| spec.lie("node data 0", 476, 1)),
    reported("camera_zones_valid.zbd", "a reserved word", |spec| spec.lie("node data 0", 480, 1)),
    reported("camera_zones.zbd", "zones", |spec| spec.lie("node data 0", 484, 0xFFFF_0101)),
];

const CAMERA_CS: &[Trap<Spec>] = &[
    kept("camera_cs.zbd", "a camera without angles", |_| ()),
    reported("camera_cotangent_cs.zbd", "a cotangent of no angle", |spec| spec.lie("node data 0", 468, real(1.0))),
];

const DISPLAY: &[Trap<Spec>] = &[
    kept("display.zbd", "a display at a place", |spec| spec.lie("node data 0", 0, 7)),
    reported("display_children.zbd", "a display that has a box", |spec| spec.lie("node 0", 116, real(1.0))),
];

const WINDOW: &[Trap<Spec>] = &[
    reported("window_polygons.zbd", "polygons to clear", |spec| spec.lie("node data 0", 16, real(1.0))),
    reported("window_polygon_count.zbd", "a number of them", |spec| spec.lie("node data 0", 224, 1)),
    reported("window_buffer.zbd", "a buffer", |spec| spec.lie("node data 0", 228, 0)),
    reported("window_buffer_address.zbd", "the address of one", |spec| spec.lie("node data 0", 232, 4)),
    reported("window_width.zbd", "its width", |spec| spec.lie("node data 0", 236, 640)),
];

const LOD_MW: &[Trap<Spec>] = &[
    reported("lod_far_sq.zbd", "a square that is not", |spec| spec.lie("node data 0", 12, real(401.0))),
    reported("lod_fade.zbd", "reserved bytes", |spec| spec.lie("node data 0", 56, 1)),
    reported("lod_unk60_sq.zbd", "a square that is not", |spec| spec.lie("node data 0", 64, real(2.0))),
    reported("lod_active.zbd", "not active", |spec| spec.lie("node data 0", 68, 0)),
    reported("lod_stale.zbd", "a stale word that should not be there", |spec| {
        spec.lie("node data 0", 72, 0);
        spec.lie("node data 0", 76, 5);
    }),
    kept("lod_near_sq.zbd", "a square of no number", |spec| spec.lie("node data 0", 4, 0x7FC0_0001)),
];

const LOD_PM: &[Trap<Spec>] = &[
    reported("lod_far_sq_pm.zbd", "a square that is not", |spec| spec.lie("node data 0", 12, real(401.0))),
    reported("lod_unk64_sq.zbd", "a square that is not", |spec| spec.lie("node data 0", 68, real(2.0))),
    reported("lod_unk72_sq.zbd", "a square that is not", |spec| spec.lie("node data 0", 76, real(2.0))),
    reported("lod_unk84.zbd", "a reserved word", |spec| spec.lie("node data 0", 84, 1)),
];

const LIGHT_RC: &[Trap<Spec>] = &[
    reported("sun_world_rc.zbd", "reserved bytes", |spec| spec.lie("node data 0", 32, 1)),
    reported("sun_view_rc.zbd", "another direction", |spec| spec.lie("node data 0", 144, real(0.5))),
    reported("sun_far_sq_rc.zbd", "a square that is not", |spec| spec.lie("node data 0", 212, real(2.0))),
    reported("sun_inverse_rc.zbd", "an inverse that is not", |spec| spec.lie("node data 0", 216, real(2.0))),
    reported("sun_address_rc.zbd", "nodes without an address", |spec| spec.lie("node data 0", 224, 0)),
    kept("sun_attached.zbd", "three worlds, and none", |spec| {
        if let Class::Light { attached, .. } = &mut spec.nodes[0].class {
            *attached = vec![0, 5, -1];
        }
    }),
];

const LIGHT_MW: &[Trap<Spec>] = &[
    reported("sun_near_sq.zbd", "a square that is not", |spec| spec.lie("node data 0", 188, real(2.0))),
    reported("sun_far_sq.zbd", "a square that is not", |spec| spec.lie("node data 0", 192, real(2.0))),
    reported("sun_inverse.zbd", "an inverse that is not", |spec| spec.lie("node data 0", 196, real(2.0))),
];

const LIGHT_PM: &[Trap<Spec>] = &[
    reported("sun_near_sq_pm.zbd", "a square that is not", |spec| spec.lie("node data 0", 236, real(2.0))),
    kept("sun_mixed.zbd", "colors that are mixed anyhow", |spec| spec.lie("node data 0", 200, real(0.123))),
];

const LIGHT_CS: &[Trap<Spec>] =
    &[reported("sun_near_sq_cs.zbd", "another square than 1024", |spec| spec.lie("node data 0", 236, real(20.25)))];

const WORLD: &[Trap<Spec>] = &[
    kept("world_grid.zbd", "four cells with nodes", |spec| {
        for (at, cell) in (0..).zip(&mut grid(spec).cells) {
            cell.y = [[-10.0, 30.0], [0.1, 123.456], [-3.5, 117.25], [0.0, 0.0]][at as usize];
            cell.nodes = (0..at).map(|node| (node, [-1.0, 1.0])).collect();
        }
    }),
    kept("world_lists.zbd", "a light and two sounds", |spec| {
        (grid(spec).lights, grid(spec).sounds) = (vec![4050], vec![0, 1]);
    }),
    kept("world_truncated.zbd", "an area that is no multiple of a cell", |spec| grid(spec).area[2] += 100.0),
    kept("world_without_cells.zbd", "no cells", |spec| {
        (grid(spec).counts, grid(spec).cells) = ([0, 7], vec![]);
    }),
    reported("world_pending.zbd", "an update pending", |spec| spec.lie("node data 0", 4, 1)),
    reported("world_width.zbd", "a width that is not", |spec| spec.lie("node data 0", 60, real(1.0))),
    reported("world_height.zbd", "a height that is not", |spec| spec.lie("node data 0", 64, real(1.0))),
    reported("world_half.zbd", "half a cell that is not", |spec| spec.lie("node data 0", 92, real(1.0))),
    reported("world_inverse.zbd", "an inverse that is not", |spec| spec.lie("node data 0", 104, real(1.0))),
    reported("world_bias.zbd", "a bias that is not", |spec| spec.lie("node data 0", 108, real(1.0))),
    reported("world_zone.zbd", "a world in a zone", |spec| spec.nodes[0].zone = 1),
    reported("world_cell.zbd", "a world in a cell", |spec| spec.nodes[0].partition = [0, -1]),
    reported("world_model.zbd", "a world with a model", |spec| spec.nodes[0].model = 0),
    reported("world_scale.zbd", "a scale", |spec| spec.lie("node data 0", 132, real(2.0))),
    reported("world_lights_address.zbd", "an address of no lights", |spec| spec.lie("node data 0", 148, 4)),
    reported("world_sounds_address.zbd", "an address of no sounds", |spec| spec.lie("node data 0", 164, 4)),
    reported("world_unk168.zbd", "a reserved word", |spec| spec.lie("node data 0", 168, 1)),
    reported("cell_flags.zbd", "other flags", |spec| spec.lie("cell 0", 0, 0)),
    reported("cell_index.zbd", "an index", |spec| spec.lie("cell 1", 4, 1)),
    reported("cell_x.zbd", "a corner that is not", |spec| spec.lie("cell 1", 8, real(1.0))),
    reported("cell_z.zbd", "a corner that is not", |spec| spec.lie("cell 2", 12, real(1.0))),
    reported("cell_min.zbd", "a corner that is not", |spec| spec.lie("cell 2", 16, real(1.0))),
    reported("cell_max.zbd", "a corner that is not", |spec| spec.lie("cell 3", 36, real(1.0))),
    reported("cell_mid.zbd", "a middle one step off", |spec| {
        grid(spec).cells[0].y = [-10.0, 30.0];
        spec.lie("cell 0", 44, 0x411F_FFFF);
    }),
    reported("cell_mid_x.zbd", "a middle that is not", |spec| spec.lie("cell 0", 40, real(1.0))),
    reported("cell_diagonal.zbd", "a diagonal that is not", |spec| spec.lie("cell 0", 52, real(1.0))),
    reported("cell_unk56.zbd", "a reserved word", |spec| spec.lies.push(("cell 0", 56, vec![1]))),
    reported("cell_address.zbd", "an address of no nodes", |spec| {
        grid(spec).cells[0].nodes.clear();
        spec.lie("cell 0", 60, 4);
    }),
];

const WORLD_MW: &[Trap<Spec>] = &[
    reported("cell_mid_mw.zbd", "a middle one step off", |spec| {
        grid(spec).cells[0].y = [-10.0, 30.0];
        spec.lie("cell 0", 44, 0x411F_FFFF);
    }),
    reported("world_max.zbd", "a last cell that is not", |spec| spec.lie("node data 0", 92, 9)),
    reported("world_min.zbd", "a first row that is not", |spec| grid(spec).min[1] = 0),
    reported("cell_unk64.zbd", "a reserved word", |spec| spec.lie("cell 0", 64, 1)),
];

const WORLD_PM: &[Trap<Spec>] = &[
    reported("world_min_pm.zbd", "a first row that is not", |spec| grid(spec).min[1] = 0),
    reported("world_virtual_cell.zbd", "a world in a cell", |spec| spec.lie("node 0", 80, 1 << 16)),
    kept("world_not_virtual.zbd", "cells that stay", |spec| grid(spec).virtual_partition = 0),
    reported("world_border.zbd", "a border that is not", |spec| spec.lie("node data 0", 76, real(1.0))),
    reported("world_border_top.zbd", "a border that is not", |spec| spec.lie("node data 0", 88, real(1.0))),
];

const WORLD_CS: &[Trap<Spec>] = &[
    reported("world_max_z.zbd", "a last cell that is not", |spec| spec.lie("node data 0", 112, 9)),
    reported("cell_unk84.zbd", "a reserved word", |spec| spec.lie("cell 3", 84, 1)),
];

#[cfg(test)]
mod tests {
    use super::traps;
    use crate::Size;

    #[test]
    fn traps_are_small() {
        let traps = traps(1, Size::Tiny);
        assert!(traps.iter().all(|trap| trap.bytes.len() < 6 * 1024));
        assert!(traps.iter().filter(|trap| trap.bytes.len() < 1024).count() * 2 > traps.len());
    }
}
