//! Ordinary worlds.

use super::traps::traps;
use super::{Cell, Class, Cycle, Game, Light, Material, Model, Node, Polygon, Spec, Texture, World, build, rough_root};
use crate::bytes::field;
use crate::random::Random;
use crate::{Sample, Size};

/// Flags of an ordinary node.
const FLAGS: u32 = 0x0108_001C;
/// The words of owners in the worlds of Crimson Skies. Source: zipper-nodes.md, section 2.1.
const OWNERS: [u32; 11] = [
    0,
    0x082A_AAAA,
    0x1015_5555,
    0x0040_0000,
    0x8000_0000,
    0x8040_0000,
    0x882A_AAAA,
    0x886A_AAAA,
    0x9015_5555,
    0x9055_5555,
    0x0000_0220,
];
/// No zones.
const ZONES: [u32; 5] = [0xFFFF_FF00, 0xFFFF_0101, 0xFF05_0202, 0x0302_0103, 0xFFFF_FF01];

/// The numbers of items in a world.
pub struct Extent {
    /// Textures.
    pub textures: u32,
    /// Materials.
    pub materials: u32,
    /// Slots of materials, used or not.
    pub material_slots: usize,
    /// Models.
    pub models: usize,
    /// Slots of models, used or not.
    pub model_slots: usize,
    /// The mean number of polygons of a model.
    pub polygons: u32,
    /// Objects and LODs.
    pub objects: i32,
    /// A LOD and the objects below it.
    pub group: i32,
    /// Slots of nodes that are free.
    pub free_nodes: usize,
    /// Columns and rows of the world.
    pub grid: [i32; 2],
}

impl Extent {
    /// Returns the extent of a size class. Retail numbers: zipper-gamez.md, section 5; zipper-models.md, section 1; zipper-nodes.md,
    /// section 13.
    fn of(size: Size, game: Game) -> Self {
        match size {
            Size::Tiny => Self {
                textures: 2,
                materials: 2,
                material_slots: 3,
                models: 1,
                model_slots: 2,
                polygons: 2,
                objects: 1,
                group: 2,
                free_nodes: 1,
                grid: [1, 1],
            },
            Size::Small => Self {
                textures: 12,
                materials: 12,
                material_slots: 20,
                models: 8,
                model_slots: 12,
                polygons: 6,
                objects: 24,
                group: 2,
                free_nodes: 9,
                grid: [2, 2],
            },
            Size::Retail => Self::retail(game),
        }
    }
}

impl Extent {
    /// Returns the extent of a large retail world.
    ///
    /// Recoil: `m1`, with 4,199 of 16,000 node slots used, and the slots of models and materials; at most 813 textures, 673 materials and
    /// 2,030 models (vectors-rc-mw-pm.md, section 3). MechWarrior 3: about 35,000 polygons (section 5). Crimson Skies: C5 (vectors-cs.md,
    /// section 2). Pirate's Moon: the node slots of c1 follow from its offsets (zipper-nodes.md, section 13); the other numbers are those of
    /// MechWarrior 3.
    pub fn retail(game: Game) -> Self {
        let mech = Self {
            textures: 500,
            materials: 450,
            material_slots: 1000,
            models: 1900,
            model_slots: 3000,
            polygons: 18,
            objects: 5000,
            group: 10,
            free_nodes: 0,
            grid: [16, 16],
        };
        match game {
            Game::Demo | Game::Rc => Self {
                textures: 700,
                materials: 600,
                material_slots: 5000,
                models: 1500,
                model_slots: 6000,
                polygons: 9,
                objects: 4194,
                group: 27,
                free_nodes: 16_000 - 4199,
                grid: [16, 17],
            },
            Game::Mw => Self { free_nodes: 800, ..mech },
            Game::Pm => mech,
            // 11,438 nodes, seven of them no objects.
            Game::Cs => Self { textures: 582, materials: 607, models: 2851, polygons: 7, objects: 11_431, ..mech },
        }
    }
}

/// Returns a texture.
fn texture(random: &mut Random, game: Game, at: u32) -> Texture {
    let stem = random.one_of(&["rock", "sand", "hull", "flame", "lightmap"]);
    let image_ptr = if game < Game::Pm || random.below(8) == 0 { 0 } else { 0x05AD_5F30 + 0x48 * at };
    Texture { name: field(format!("{stem}{at:02}").as_bytes(), b"tif"), image_ptr, mip_index: -1 }
}

/// Returns a material that uses one of `textures` textures.
fn material(random: &mut Random, textures: u32) -> Material {
    let soil = random.below(14);
    if random.below(5) == 0 {
        let color = [random.real(0.0, 255.0), 64.0, 128.5];
        return Material { soil, ..Material::colored(color) };
    }
    let texture = random.below(textures);
    let frames = (0..2 + random.below(4)).map(|at| (texture + at) % textures).collect();
    let cycle = Cycle { looping: random.below(2), tick: random.below(8) as i32, speed: 12.0, frames };
    let cycle = (random.below(6) == 0).then_some(cycle);
    Material { soil, unknown: random.below(10) == 0, cycle, ..Material::textured(texture) }
}

fn vector(random: &mut Random) -> [f32; 3] {
    [random.real(-90.0, 90.0), -0.0, random.real(-90.0, 90.0)]
}

/// Returns a light of a model, with this many points.
pub(super) fn light(random: &mut Random, points: usize) -> Light {
    Light {
        garbage: random.draw() as u32,
        flags: random.draw() as u16,
        color: [255.0, 128.0, 0.0],
        points: (0..points).map(|_| vector(random)).collect(),
    }
}

/// Returns a polygon of a model of `points` points, with one of `materials` materials.
fn polygon(random: &mut Random, game: Game, points: u32, materials: u32) -> Polygon {
    let corners = (0..3 + random.below(3)).map(|_| random.below(points)).collect::<Vec<_>>();
    let normals = if random.below(4) == 0 { vec![] } else { vec![0; corners.len()] };
    let several = if game >= Game::Pm && random.below(8) == 0 { 2 } else { 1 };
    Polygon {
        bits: random.one_of(match game {
            Game::Demo | Game::Rc => &[0, 0x100],
            Game::Mw => &[0, 0x100, 0x400],
            Game::Pm | Game::Cs => &[0, 0x400, 0x2000, 0x4000],
        }),
        priority: random.between(-5, 20),
        normals,
        materials: (0..several).map(|_| random.below(materials) as i32).collect(),
        uvs: game == Game::Cs || random.below(5) > 0,
        zones: random.one_of(&ZONES),
        corners,
    }
}

/// Returns a model of this many polygons.
pub fn model(random: &mut Random, game: Game, polygons: u32, materials: u32) -> Model {
    let points = 3 + polygons;
    let mut model = Model {
        kind: random.below(2),
        facade_mode: random.below(3),
        flags: random.one_of(&[0, 1, 2, 3]),
        parents: 1,
        vertices: (0..points).map(|_| vector(random)).collect(),
        normals: vec![[0.0, 1.0, 0.0], vector(random)],
        morphs: if game == Game::Cs || random.below(6) > 0 { vec![] } else { vec![vector(random)] },
        lights: if random.below(4) > 0 { vec![] } else { vec![light(random, 1)] },
        polygons: (0..polygons).map(|_| polygon(random, game, points, materials)).collect(),
        bounds: [1.0, -2.0, 3.0, 4.5],
    };
    if game.is_recoil() {
        model.bounds = bounds(&model);
    }
    model
}

/// Returns center and half diagonal as computed by the engine of Recoil. Source: zipper-models.md, section 2.2.
pub(super) fn bounds(model: &Model) -> [f32; 4] {
    let lights = model.lights.iter().flat_map(|light| &light.points);
    let points: Vec<_> = model.vertices.iter().chain(lights).collect();
    let axis = |axis: usize| points.iter().map(move |point| point[axis]);
    let low = [0, 1, 2].map(|at| axis(at).fold(f32::INFINITY, f32::min));
    let half = [0, 1, 2].map(|at| (axis(at).fold(f32::NEG_INFINITY, f32::max) - low[at]) * 0.5);
    let diagonal = rough_root(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    [low[0] + half[0], low[1] + half[1], low[2] + half[2], diagonal]
}

/// Returns the model whose size the format spec calculates. Source: zipper-models.md, section 7.
pub fn worked_model(game: Game) -> Model {
    let random = &mut Random::named(0, "worked model");
    let model = Model {
        parents: 1,
        vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        normals: vec![[0.0, 1.0, -0.0]],
        lights: vec![light(random, 1)],
        polygons: vec![Polygon {
            bits: if game >= Game::Pm { 0x400 } else { 0x100 },
            priority: 0,
            corners: vec![0, 1, 2],
            normals: vec![0; 3],
            materials: vec![0],
            uvs: true,
            zones: ZONES[0],
        }],
        bounds: [0.5, 0.0, 0.5, 0.5],
        ..Model::default()
    };
    if game.is_recoil() { Model { bounds: bounds(&model), ..model } } else { model }
}

/// Returns the update flags of an object or LOD. Source: zipper-nodes.md, section 5.
fn update_flags(game: Game) -> u32 {
    if game.is_recoil() { 4 } else { 1 }
}

/// Returns an object with a model, or without one for -1.
pub fn object(random: &mut Random, game: Game, model: i32) -> Node {
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, -0.0, 0.0, 0.0, 1.0, random.real(-500.0, 500.0), 0.0, -0.0];
    let class = Class::Object {
        flags: 32,
        opacity: 0.0,
        color: [0.0; 4],
        rotate: [0.0, -0.0, 0.0],
        scale: [1.0; 3],
        matrix: identity,
    };
    let mut node = Node::new("object", 0x0208_001C, class);
    node.update_flags = update_flags(game);
    node.zone = random.one_of(&[255, 1, 2]);
    node.model = model;
    if model >= 0 {
        node.flags |= 0x200;
        node.boxes[1] = [-1.0, -2.0, -3.0, 1.0, 2.0, 3.0];
    }
    node
}

/// Returns a node visible over a range of distances.
pub(super) fn lod(random: &mut Random, game: Game) -> Node {
    let far = random.real(10.0, 900.0);
    let stale = random.below(2);
    let tail = [stale, if stale == 0 { 0 } else { random.draw() as u32 | 1 }];
    let class = Class::Lod { level: 1, near_sq: random.real(0.0, 900.0), far, tail };
    let mut node = Node::new("level", if game >= Game::Pm { 0x0308_051C } else { 0x0108_041C }, class);
    node.update_flags = update_flags(game);
    node.boxes[2] = [-4.0, -5.0, -6.0, 4.0, 5.0, 6.0];
    if game == Game::Mw {
        node.flags |= 0x100;
        node.boxes[0] = node.boxes[2];
    }
    node
}

/// Returns the sun.
pub(super) fn sun(game: Game) -> Node {
    let crimson = game == Game::Cs;
    let class = Class::Light {
        orientation: [f32::from_bits(0xBF06_0A92), 0.0, 0.0],
        shares: if crimson { [0.0, 1.0] } else { [0.75, 0.3] },
        range: if crimson { [4.5, 1000.0] } else { [32.0, 800.0] },
        attached: vec![0],
    };
    let mut node = Node::new("sunlight", if crimson { 0x0108_0118 } else { 0x0108_011C }, class);
    node.boxes[0] = [1.0, 1.0, -2.0, 2.0, 2.0, -1.0];
    node
}

/// Returns a camera.
pub(super) fn camera(game: Game) -> Node {
    let fov_base = if game == Game::Cs { [0.0; 2] } else { [1.0, f32::from_bits(0x3F86_0A92)] };
    let lod_multiplier = if game == Game::Cs { 0.0 } else { 1.3 };
    Node::new("camera1", FLAGS, Class::Camera { window: 1, lod_multiplier, fov_scale: [1.1, 2.0], fov_base })
}

/// Returns a window.
pub(super) fn window() -> Node {
    Node::new("window1", FLAGS, Class::Window(320, 200))
}

/// Returns a display.
pub(super) fn display() -> Node {
    Node::new("display", FLAGS, Class::Display(640, 400))
}

/// Returns a world of this many columns and rows, whose cells hold some of the nodes from the first object onward.
pub(super) fn world(random: &mut Random, game: Game, grid: [i32; 2], first: i32, nodes: i32) -> Node {
    let size = if game == Game::Cs { 1024.0 } else { 256.0 };
    let [width, height] = grid.map(|count| size * count as f32);
    let cell = |random: &mut Random| {
        let low = random.real(-50.0, 10.0);
        let listed = if nodes == 0 { 0 } else { random.below(3) };
        let y = [low, low + random.real(0.0, 300.0)];
        Cell { y, nodes: (0..listed).map(|_| (first + random.below(nodes as u32) as i32, y)).collect() }
    };
    let class = Class::World(Box::new(World {
        area: [-256.0, height, -256.0 + width, 0.0],
        cell: [size, -size],
        counts: grid,
        virtual_partition: 1,
        // Retail files of Crimson Skies have either value; a grid of one row has only this one.
        min: if game == Game::Cs { grid.map(|count| i32::from(count > 1)) } else { [1; 2] },
        lights: vec![],
        sounds: vec![],
        cells: (0..grid[0] * grid[1]).map(|_| cell(random)).collect(),
    }));
    Node::new("world1", FLAGS, class)
}

/// Adds this many textures and materials.
pub(super) fn surfaces(random: &mut Random, spec: &mut Spec, textures: u32, materials: u32, slots: usize) {
    spec.textures = (0..textures).map(|at| texture(random, spec.game, at)).collect();
    if textures > 1 {
        spec.textures[0].mip_index = 1;
    }
    spec.materials = (0..materials).map(|_| material(random, textures)).collect();
    spec.material_slots = slots;
}

/// Returns a world with all types of items: an object below the world, one below a LOD, and so on.
pub fn ordinary(random: &mut Random, game: Game, size: Size) -> Spec {
    counted(random, game, &Extent::of(size, game))
}

/// Returns a world with these numbers of items.
pub fn counted(random: &mut Random, game: Game, extent: &Extent) -> Spec {
    let mut spec = Spec::new(game);
    surfaces(random, &mut spec, extent.textures, extent.materials, extent.material_slots);
    let polygons =
        |random: &mut Random| if extent.models == 1 { extent.polygons } else { 1 + random.below(2 * extent.polygons) };
    for _ in 0..extent.models {
        let polygons = polygons(random);
        spec.models.push(Some(model(random, game, polygons, extent.materials)));
    }
    spec.model_slots = extent.model_slots;
    let singles = match game {
        Game::Cs => vec![display(), window(), camera(game), window(), camera(game)],
        _ => vec![window(), camera(game), display()],
    };
    let first = singles.len() as i32 + 1;
    let mut world = world(random, game, extent.grid, first, extent.objects);
    world.children = (first..first + extent.objects).step_by(extent.group as usize).collect();
    spec.nodes = [vec![world], singles].concat();
    for at in 0..extent.objects {
        let is_first = at % extent.group == 0;
        let mut node = if is_first && extent.objects > 1 {
            lod(random, game)
        } else {
            object(random, game, at % extent.models as i32)
        };
        if game == Game::Cs {
            node.owners = OWNERS[at as usize % OWNERS.len()];
        }
        // The first of a group is a child of the world, the others are its children.
        let group = first + at - at % extent.group;
        node.parents = vec![if is_first { 0 } else { group }];
        let next = (group + extent.group).min(first + extent.objects);
        node.children = if is_first { (group + 1..next).collect() } else { vec![] };
        spec.nodes.push(node);
    }
    if let Class::World(world) = &mut spec.nodes[0].class {
        world.lights = vec![first + extent.objects];
    }
    spec.nodes.push(sun(game));
    spec.node_slots = spec.nodes.len() + if game < Game::Pm { extent.free_nodes } else { 0 };
    spec
}

/// Returns the planes of Crimson Skies: only objects and LODs.
fn planes(random: &mut Random, size: Size) -> Spec {
    // Source: vectors-cs.md, section 2.
    let retail = Extent {
        textures: 298,
        materials: 954,
        models: 1766,
        model_slots: 2250,
        polygons: 9,
        objects: 1,
        ..Extent::retail(Game::Cs)
    };
    let (mut spec, objects) = match size {
        Size::Tiny => (ordinary(random, Game::Cs, size), 1),
        Size::Small => (ordinary(random, Game::Cs, size), 20),
        Size::Retail => (counted(random, Game::Cs, &retail), 3317),
    };
    spec.nodes = tree(random, Game::Cs, objects);
    spec.node_slots = spec.nodes.len();
    spec
}

/// Returns this many nodes, every second a LOD, each a child of the previous one; the first is an object.
pub fn tree(random: &mut Random, game: Game, count: i32) -> Vec<Node> {
    let mut nodes: Vec<Node> = vec![];
    for at in 0..count {
        let mut node = if at % 2 == 0 || game == Game::Mw { object(random, game, 0) } else { lod(random, game) };
        if at > 0 {
            node.parents = vec![at - 1];
            nodes[at as usize - 1].children = vec![at];
        }
        nodes.push(node);
    }
    nodes
}

/// Returns worlds of a size class, ordinary ones first.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, make: &dyn Fn(&mut Random) -> Spec| {
        let spec = make(&mut Random::named(seed, name));
        Sample::of(name, "gamez", spec.game.codes(), spec, None, build)
    };
    let worlds = [
        ("rc_m1_gamez.zbd", Game::Rc),
        ("rc_demo_gamez.zbd", Game::Demo),
        ("mw_c1_gamez.zbd", Game::Mw),
        ("pm_c1_gamez.zbd", Game::Pm),
        ("cs_c1_gamez.zbd", Game::Cs),
    ];
    let worlds = worlds.map(|(name, game)| sample(name, &|random| ordinary(random, game, size)));
    let planes = sample("cs_planes.zbd", &|random| planes(random, size));
    worlds.into_iter().chain([planes]).chain(traps(seed, size.of_traps())).collect()
}
