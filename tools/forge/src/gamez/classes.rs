//! Classes of nodes. Source: zipper-nodes.md, section 6.

use super::{Built, Game, floats, rough_root};
use crate::bytes::Bytes;

/// A row of zeros.
const ZERO: [f32; 3] = [0.0; 3];

/// The class of a node.
#[derive(Clone, Debug)]
pub enum Class {
    /// An unused node.
    Empty,
    /// A camera: its detail factor, near and far plane, initial angles of view and their scale.
    Camera {
        /// The window that it draws to.
        window: i32,
        /// The distance factor for details.
        lod_multiplier: f32,
        /// Horizontal and vertical.
        fov_scale: [f32; 2],
        /// Horizontal and vertical.
        fov_base: [f32; 2],
    },
    /// The world.
    World(Box<World>),
    /// A window of this many pixels.
    Window(i32, i32),
    /// A display of this many pixels.
    Display(u32, u32),
    /// An object in the world.
    Object {
        /// 32, and flags of optional parts.
        flags: u32,
        /// The opacity, if there is one.
        opacity: f32,
        /// The color and its fourth number, if there is one.
        color: [f32; 4],
        /// Radians.
        rotate: [f32; 3],
        /// 1 per axis.
        scale: [f32; 3],
        /// Three rows and the translation.
        matrix: [f32; 12],
    },
    /// A node visible over a range of distances.
    Lod {
        /// 1 if it is a level of detail.
        level: i32,
        /// The square of the near distance.
        near_sq: f32,
        /// The far distance.
        far: f32,
        /// 0 or 1, and leftover memory if it is 1; before Pirate's Moon.
        tail: [u32; 2],
    },
    /// The sun: its near and far range, and the worlds that it is attached to.
    Light {
        /// Angles.
        orientation: [f32; 3],
        /// Diffuse and ambient.
        shares: [f32; 2],
        /// Near and far.
        range: [f32; 2],
        /// Nodes.
        attached: Vec<i32>,
    },
    /// A sound, not contained in any known file.
    Sound(Vec<i32>),
}

/// The world. Source: zipper-nodes.md, section 6.8.
#[derive(Clone, Debug)]
pub struct World {
    /// Left, bottom, right, top.
    pub area: [f32; 4],
    /// Size of a cell: to the right, and down.
    pub cell: [f32; 2],
    /// Columns and rows.
    pub counts: [i32; 2],
    /// Nonzero if cells are loaded on demand.
    pub virtual_partition: u32,
    /// The first cell.
    pub min: [i32; 2],
    /// Its light.
    pub lights: Vec<i32>,
    /// Its sounds.
    pub sounds: Vec<i32>,
    /// In rows.
    pub cells: Vec<Cell>,
}

/// A cell of the grid. Source: zipper-nodes.md, section 6.8.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// Lowest and highest.
    pub y: [f32; 2],
    /// Nodes, with their own lowest and highest from Pirate's Moon onward.
    pub nodes: Vec<(i32, [f32; 2])>,
}

impl Class {
    /// Returns the number of the class.
    pub const fn number(&self) -> u32 {
        match self {
            Self::Empty => 0,
            Self::Camera { .. } => 1,
            Self::World(_) => 2,
            Self::Window(..) => 3,
            Self::Display(..) => 4,
            Self::Object { .. } => 5,
            Self::Lod { .. } => 6,
            Self::Light { .. } => 9,
            Self::Sound(_) => 10,
        }
    }
}

/// Writes the data of a node of a class, and the lists that belong to it.
pub(crate) fn data(built: &mut Built, game: Game, class: &Class) {
    let out = &mut built.out;
    match class {
        Class::Empty => {}
        Class::Camera { window, lod_multiplier, fov_scale, fov_base } => {
            camera(out, *window, *lod_multiplier, *fov_scale, *fov_base);
        }
        Class::World(world) => self::world(built, game, world),
        Class::Window(x, y) => {
            out.fill(0, 8).le_i32(*x).le_i32(*y).fill(0, 208).le_i32(0).le_i32(-1).fill(0, 16);
        }
        Class::Display(x, y) => {
            out.fill(0, 8).le_u32(*x).le_u32(*y);
            // 0.392, 0.392, 1.0.
            out.le_u32(0x3EC8_B439).le_u32(0x3EC8_B439).le_u32(0x3F80_0000);
        }
        Class::Object { flags, opacity, color, rotate, scale, matrix } => {
            out.le_u32(*flags);
            floats(out, &[*opacity]);
            floats(out, color);
            [rotate, scale].iter().for_each(|it| floats(out, *it));
            if game == Game::Demo {
                floats(out, if flags & 8 == 0 { &matrix[9..] } else { &ZERO });
            }
            floats(out, matrix);
            out.fill(0, 48);
        }
        Class::Lod { level, near_sq, far, tail } => lod(out, game, *level, [*near_sq, *far], *tail),
        Class::Light { orientation, shares, range, attached } => {
            light(out, game, *orientation, *shares, *range);
            out.le_u32(attached.len() as u32).le_u32(0x018C_2C30);
            attached.iter().for_each(|&node| _ = out.le_i32(node));
        }
        Class::Sound(attached) => {
            out.fill(0x5A, 140).le_u32(attached.len() as u32).le_u32(0x018C_54C0);
            attached.iter().for_each(|&node| _ = out.le_i32(node));
        }
    }
}

fn camera(out: &mut Bytes, window: i32, lod: f32, scale: [f32; 2], base: [f32; 2]) {
    let scaled = [base[0] * scale[0], base[1] * scale[1]];
    let half = scaled.map(|angle| angle / 2.0);
    // Without angles, as in Crimson Skies, these values are zero.
    let or_zero = |of: f32, value: f32| if of == 0.0 { 0.0 } else { value };
    out.le_i32(0).le_i32(window).le_i32(-1).le_i32(-1).le_u32(0).fill(0, 156);
    floats(out, &[1.0, 5000.0]);
    out.fill(0, 24);
    floats(out, &[lod, or_zero(lod, 1.0 / (lod * lod))]);
    [scale, base, scaled, half].iter().for_each(|pair| floats(out, pair));
    out.le_i32(1).fill(0, 60).le_i32(1).fill(0, 72).le_i32(1).fill(0, 72).le_i32(0);
    floats(out, &half.map(|angle| or_zero(angle, (1.0 / f64::from(angle).tan()) as f32)));
    out.le_i32(0).le_i32(0).le_u32(0xFFFF_FF00);
}

fn lod(out: &mut Bytes, game: Game, level: i32, [near_sq, far]: [f32; 2], tail: [u32; 2]) {
    out.le_i32(level);
    floats(out, &[near_sq, far, far * far]);
    if game >= Game::Pm {
        out.fill(0, 48);
        floats(out, &[1.5, 2.25, 3.0, 9.0]);
        out.le_i32(1).fill(0, 8);
    } else {
        out.fill(0, 44);
        floats(out, &[1.5, 2.25]);
        out.le_i32(1).le_u32(tail[0]).le_u32(tail[1]);
    }
}

fn light(out: &mut Bytes, game: Game, orientation: [f32; 3], [diffuse, ambient]: [f32; 2], [near, far]: [f32; 2]) {
    if game.is_recoil() {
        out.le_u32(1).le_u32(1);
    }
    floats(out, &orientation);
    floats(out, &ZERO);
    out.fill(0, 24 + 48 + 36);
    floats(out, &[0.0, 1.0, 0.0]);
    floats(out, &ZERO);
    floats(out, &[diffuse, ambient]);
    floats(out, &[1.0; 3]);
    match game {
        Game::Demo | Game::Rc => [0, 1, 0, 1, 1].iter().for_each(|&word| _ = out.le_u32(word)),
        Game::Mw => _ = out.le_u32(0x38B),
        Game::Pm | Game::Cs => {
            floats(out, &[1.0; 3]);
            [diffuse, ambient, diffuse + ambient].iter().for_each(|&share| floats(out, &[share; 3]));
            out.le_u32(if game == Game::Pm { 0x98B } else { 0x8B1 });
        }
    }
    floats(out, &[near, far]);
    match game {
        Game::Demo | Game::Rc => {}
        Game::Mw | Game::Pm => floats(out, &[near * near]),
        Game::Cs => floats(out, &[1024.0]),
    }
    floats(out, &[far * far, 1.0 / (far - near)]);
}

fn world(built: &mut Built, game: Game, world: &World) {
    let World { area: [left, bottom, right, top], cell: [x, z], counts, min, .. } = *world;
    let out = &mut built.out;
    out.le_u32(0).le_i32(0).le_i32(counts[0] * counts[1]).le_u32(0x018C_C320).le_u32(1);
    floats(out, &[0.5, 0.5, 0.75, 100.0, 900.0, 300.0, -10.0, 0.0]);
    floats(out, &[left, bottom, right - left, top - bottom, right, top]);
    if game >= Game::Pm {
        floats(out, &[left - 3.0, bottom + 3.0, right + 3.0, top - 3.0]);
    }
    out.le_u32(16).le_u32(world.virtual_partition);
    if game >= Game::Mw {
        min.iter().for_each(|&it| _ = out.le_i32(it));
        let off = game == Game::Pm && world.virtual_partition == 0;
        counts.iter().zip(min).for_each(|(count, min)| _ = out.le_i32(if off { 0 } else { count - min }));
    }
    floats(out, &[x, z, x / 2.0, z / 2.0, 1.0 / x, 1.0 / z, rough_root(x * x + z * z) * -0.5, 3.0, 3.0]);
    counts.iter().for_each(|&count| _ = out.le_i32(count));
    out.le_u32(0x018F_4930);
    floats(out, &[1.0; 3]);
    for list in [&world.lights, &world.sounds] {
        let address = if list.is_empty() { 0 } else { 0x0189_0010 };
        out.le_u32(list.len() as u32).le_u32(address).le_u32(address);
    }
    out.le_i32(0);
    world.lights.iter().chain(&world.sounds).for_each(|&node| _ = out.le_i32(node));
    for (at, cell) in world.cells.iter().enumerate() {
        built.mark(format!("cell {at}"));
        let (column, row) = (at as i32 % counts[0], at as i32 / counts[0]);
        self::cell(&mut built.out, game, cell, [left + column as f32 * x, bottom + row as f32 * z], [x, z]);
    }
}

/// Writes a cell at a corner; rows go down, so their size is negative.
fn cell(out: &mut Bytes, game: Game, cell: &Cell, [left, bottom]: [f32; 2], [x, z]: [f32; 2]) {
    let [low, high] = cell.y;
    let half = f64::from(x / 2.0);
    let rise = (f64::from(low) - f64::from(high)) * 0.5;
    out.le_u32(0x100).le_i32(-1);
    floats(out, &[left, bottom, left, low, bottom + z, left + x, high, bottom]);
    floats(out, &[left + x / 2.0, (high + low) * 0.5, bottom + z / 2.0]);
    floats(out, &[rough_root((2.0 * half * half + rise * rise) as f32)]);
    out.le_u16(0).le_i16(cell.nodes.len() as i16).le_u32(if cell.nodes.is_empty() { 0 } else { 0x0189_0000 });
    out.fill(0, game.of([0, 8, 24, 24]));
    for (node, y) in &cell.nodes {
        out.le_i32(*node);
        if game >= Game::Pm {
            floats(out, y);
        }
    }
}
