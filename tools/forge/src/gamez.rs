//! Worlds of the Zipper games (`gamez.zbd`, `planes.zbd`): textures, materials, models, nodes.
//! Source: zipper-gamez.md, zipper-models.md, zipper-nodes.md.

mod broken;
mod classes;
mod materials;
mod models;
mod nodes;
mod samples;
mod traps;

use std::collections::BTreeMap;

use crate::bytes::Bytes;
pub use broken::broken;
pub use classes::{Cell, Class, World};
pub use materials::{Cycle, Material, Texture};
pub use models::{Light, Model, Polygon};
pub use nodes::{Node, name};
pub use samples::{Extent, counted, model, object, ordinary, samples, tree, worked_model};

pub(crate) use classes::data as class_data;
pub(crate) use materials::record as material;
pub(crate) use models::{data as model_data, record as model_record};
pub(crate) use nodes::base as node_base;

/// The games, in the order of their versions; later versions keep earlier features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Game {
    /// Recoil's demos of July and August 1998. Source: zipper-nodes.md, section 14.
    Demo,
    /// Recoil.
    Rc,
    /// MechWarrior 3.
    Mw,
    /// Pirate's Moon.
    Pm,
    /// Crimson Skies.
    Cs,
}

impl Game {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Demo, Self::Rc, Self::Mw, Self::Pm, Self::Cs];

    /// Returns the second word of the file.
    pub const fn version(self) -> u32 {
        [13, 15, 27, 41, 42][self as usize]
    }

    /// Returns the code of the game in samples.
    pub const fn codes(self) -> &'static [&'static str] {
        [&["rc"], &["rc"], &["mw"], &["pm"], &["cs"]][self as usize]
    }

    /// Returns one of four values: for Recoil and its demos, for MechWarrior 3, Pirate's Moon, Crimson Skies.
    pub(crate) const fn of<T: Copy>(self, values: [T; 4]) -> T {
        values[(self as usize).saturating_sub(1)]
    }

    /// Returns `true` for Recoil and its demos.
    pub(crate) const fn is_recoil(self) -> bool {
        matches!(self, Self::Demo | Self::Rc)
    }
}

/// A world. Source: zipper-gamez.md, section 2.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Selects the records.
    pub game: Game,
    /// Seconds since 1970, from Pirate's Moon onward.
    pub timestamp: u32,
    /// In the order of the file.
    pub textures: Vec<Texture>,
    /// In the first slots; the others are free.
    pub materials: Vec<Material>,
    /// Slots for materials.
    pub material_slots: usize,
    /// `None`: the number of slots.
    pub material_array_size: Option<u32>,
    /// In the first slots, `None` for a free one; the others are free too.
    pub models: Vec<Option<Model>>,
    /// Slots for models.
    pub model_slots: usize,
    /// Free slots in the order of their list; empty: by number.
    pub model_free_list: Vec<usize>,
    /// In the first slots; the others are free.
    pub nodes: Vec<Node>,
    /// Slots for nodes.
    pub node_slots: usize,
    /// Free slots in the order of their list; empty: by number.
    pub node_free_list: Vec<usize>,
    /// `None`: the first of that list, or the slot for the next node.
    pub node_free_head: Option<u32>,
    /// `true` if the stale address of a node's data equals its offset in the file, as in retail Crimson Skies.
    pub data_offsets: bool,
    /// Bytes after the last node.
    pub trailing: Vec<u8>,
    /// Bytes to overwrite: mark, offset from the mark, new bytes.
    pub lies: Vec<(&'static str, isize, Vec<u8>)>,
}

impl Spec {
    /// Creates an empty world.
    pub fn new(game: Game) -> Self {
        Self {
            game,
            timestamp: 942_371_914,
            textures: vec![],
            materials: vec![],
            material_slots: 0,
            material_array_size: None,
            models: vec![],
            model_slots: 0,
            model_free_list: vec![],
            nodes: vec![],
            node_slots: 0,
            node_free_list: vec![],
            node_free_head: None,
            data_offsets: false,
            trailing: vec![],
            lies: vec![],
        }
    }

    /// Overwrites a word at an offset from a mark.
    pub fn lie(&mut self, mark: &'static str, offset: isize, word: u32) {
        self.lies.push((mark, offset, word.to_le_bytes().into()));
    }
}

/// A file, and the offsets of its parts.
#[derive(Default)]
pub(crate) struct Built {
    pub(crate) out: Bytes,
    pub(crate) marks: BTreeMap<String, usize>,
}

impl Built {
    /// Records the offset of a part that begins here.
    pub(crate) fn mark(&mut self, name: impl Into<String>) {
        self.marks.insert(name.into(), self.out.len());
    }

    /// Writes a word over an earlier one.
    pub(crate) fn word(&mut self, offset: usize, word: usize) {
        self.out.patch(offset, &(word as u32).to_le_bytes());
    }
}

/// Writes a section.
type Section = fn(&Spec, &mut Built);

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut built = marked(spec);
    for (mark, offset, bytes) in &spec.lies {
        let at = built.marks.get(*mark).unwrap_or_else(|| panic!("the file has no {mark}"));
        built.out.patch(at.wrapping_add_signed(*offset), bytes);
    }
    built.out.finish()
}

/// Writes the file with computed values, and returns the offsets of its parts.
pub(crate) fn marked(spec: &Spec) -> Built {
    let mut built = Built::default();
    built.mark("header");
    built.out.le_u32(0x0297_1222).le_u32(spec.game.version());
    if spec.game >= Game::Pm {
        built.out.le_u32(spec.timestamp);
    }
    built.mark("counts");
    let counts = built.out.len();
    built.out.le_u32(spec.textures.len() as u32).fill(0, 12).le_u32(spec.node_slots as u32);
    built.out.le_u32(nodes::free_head(spec)).fill(0, 4);
    let sections: [(usize, Section); 4] =
        [(4, materials::textures), (8, materials::section), (12, models::section), (24, nodes::section)];
    for (offset, write) in sections {
        let here = built.out.len();
        built.word(counts + offset, here);
        write(spec, &mut built);
    }
    built.mark("end");
    built.out.raw(&spec.trailing);
    built
}

/// Writes floats end to end.
pub(crate) fn floats(out: &mut Bytes, values: &[f32]) {
    for value in values {
        out.le_u32(value.to_bits());
    }
}

/// Returns the next free slot of each slot in a list; 0 for the others.
pub(crate) fn links(list: &[usize], slots: usize, end: i32) -> Vec<i32> {
    let mut links = vec![0; slots];
    let nexts = list.iter().skip(1).map(|&slot| slot as i32).chain([end]);
    list.iter().zip(nexts).for_each(|(&slot, next)| links[slot] = next);
    links
}

/// Computes the engine's square root: a shift of the bits. Source: zipper-nodes.md, section 9.
pub fn rough_root(square: f32) -> f32 {
    f32::from_bits((((square.to_bits() as i32) >> 1) + 0x1FC0_0000) as u32)
}

#[cfg(test)]
mod tests {
    use super::{Class, Game, Node, Spec, build, marked, rough_root, samples};
    use crate::Size;
    use crate::random::Random;

    /// Source: zipper-nodes.md, section 9.
    #[test]
    fn rough_roots_match_those_of_the_spec() {
        let roots = [
            (0x0000_0000, 0x1FC0_0000),
            (0x3F80_0000, 0x3F80_0000),
            (0x4000_0000, 0x3FC0_0000),
            (0x4080_0000, 0x4000_0000),
            (0x42C8_0000, 0x4124_0000),
            (0x4700_0000, 0x4340_0000),
            (0x4800_0000, 0x43C0_0000),
            (0x4A00_0000, 0x44C0_0000),
        ];
        for (square, root) in roots {
            assert_eq!(rough_root(f32::from_bits(square)).to_bits(), root);
        }
    }

    /// Source: zipper-gamez.md, sections 2 and 3.
    #[test]
    fn empty_world_consists_of_its_headers() {
        for (game, size) in [(Game::Demo, 36), (Game::Rc, 36), (Game::Mw, 36), (Game::Pm, 40), (Game::Cs, 40)] {
            let file = build(&Spec::new(game));
            assert_eq!(file.len(), size + 16 + 12);
            assert_eq!(file[..8], [0x22, 0x12, 0x97, 0x02, game.version() as u8, 0, 0, 0]);
        }
    }

    /// Source: zipper-models.md, section 7; zipper-nodes.md, sections 1 and 6.
    #[test]
    fn parts_have_the_sizes_of_the_specs() {
        let sizes = [
            (Game::Demo, 212, 268, 156),
            (Game::Rc, 212, 196, 144),
            (Game::Mw, 256, 212, 144),
            (Game::Pm, 276, 212, 144),
            (Game::Cs, 276, 212, 144),
        ];
        for (game, data, slot, object) in sizes {
            let random = &mut Random::new(1);
            let mut spec = Spec::new(game);
            spec.models = vec![Some(samples::worked_model(game))];
            spec.model_slots = 1;
            spec.nodes = vec![samples::object(random, game, 0), samples::object(random, game, 0)];
            spec.node_slots = 2;
            let built = marked(&spec);
            assert_eq!(built.marks["nodes"] - built.marks["model data 0"], data);
            assert_eq!(built.marks["node 1"] - built.marks["node 0"], slot);
            assert_eq!(built.marks["node data 1"] - built.marks["node data 0"], object);
        }
    }

    /// Source: zipper-nodes.md, section 14: a file of version 15 written as 13 grows by 72 per slot and 12 per object.
    #[test]
    fn file_of_the_demo_is_larger_by_the_sum_of_the_spec() {
        for size in [Size::Tiny, Size::Small] {
            let spec = samples::ordinary(&mut Random::new(1), Game::Rc, size);
            let is_object = |node: &&Node| matches!(node.class, Class::Object { .. });
            let grows = 72 * spec.node_slots + 12 * spec.nodes.iter().filter(is_object).count();
            let before = build(&spec).len();
            assert_eq!(build(&Spec { game: Game::Demo, ..spec }).len(), before + grows);
        }
    }
}
