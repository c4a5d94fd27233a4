//! Nodes: slots, base records, lists. Source: zipper-nodes.md, sections 1 to 5.

use super::classes::{self, Class};
use super::{Built, Game, Spec, floats, links};
use crate::bytes::Bytes;

/// The engine's initial name of a node.
const DEFAULT: &[u8; 17] = b"Default_node_name";

/// A node. Source: zipper-nodes.md, section 2.
#[derive(Clone, Debug)]
pub struct Node {
    /// With its tail.
    pub name: [u8; 36],
    /// Active, terrain and so on.
    pub flags: u32,
    /// In Crimson Skies the owners and what the node is. Source: zipper-nodes.md, section 2.1.
    pub owners: u32,
    /// Often leftover memory.
    pub update_flags: u32,
    /// 255 for none.
    pub zone: u32,
    /// The model, -1 for none; in a mechlib a stale address if there is one.
    pub model: i32,
    /// Column and row of the grid, -1 for none.
    pub partition: [i32; 2],
    /// Box of the node, of the model, of the children.
    pub boxes: [[f32; 6]; 3],
    /// The parent nodes.
    pub parents: Vec<i32>,
    /// The child nodes.
    pub children: Vec<i32>,
    /// Bytes after the record, from Pirate's Moon onward: leftover memory.
    pub garbage: u32,
    /// The class and its data.
    pub class: Class,
}

/// Returns the field of a name over the default name. Source: zipper-nodes.md, section 3.
pub fn name(text: &str) -> [u8; 36] {
    let mut field = [0; 36];
    field[..17].copy_from_slice(DEFAULT);
    field[..text.len()].copy_from_slice(text.as_bytes());
    field[text.len()] = 0;
    field
}

impl Node {
    /// Creates a node of a class like the engine.
    pub fn new(text: &str, flags: u32, class: Class) -> Self {
        Self {
            name: name(text),
            flags,
            owners: 0,
            update_flags: 0,
            zone: 255,
            model: -1,
            partition: [-1; 2],
            boxes: [[0.0; 6]; 3],
            parents: vec![],
            children: vec![],
            garbage: 0,
            class,
        }
    }
}

/// Returns a stale address of `of` items: null for none.
fn address(of: usize) -> u32 {
    if of == 0 { 0 } else { 0x0178_FDA0 }
}

/// Writes the base record of a node with this many parents and children. Source: zipper-nodes.md, section 2.
pub(crate) fn base(out: &mut Bytes, game: Game, node: &Node, [parents, children]: [usize; 2]) {
    let class = node.class.number();
    out.raw(&node.name).le_u32(node.flags).le_u32(node.owners).le_u32(node.update_flags).le_u32(node.zone);
    out.le_u32(class).le_u32(address(class as usize)).le_i32(node.model).le_u32(0).le_u32(1).le_u32(0);
    let [x, z] = node.partition;
    match game {
        Game::Demo | Game::Rc | Game::Mw => {
            out.le_i32(x).le_i32(z).le_u32(parents as u32).le_u32(address(parents));
            out.le_u32(children as u32).le_u32(address(children)).fill(0, 16)
        }
        Game::Pm | Game::Cs => {
            out.le_i16(x as i16).le_i16(z as i16).le_i32(0).le_u16(parents as u16).le_u16(children as u16);
            let active = if matches!(node.class, Class::Lod { .. }) { 2 } else { 0 };
            out.le_u32(address(parents)).le_u32(address(children)).fill(0, 16).le_u32(active)
        }
    };
    match game {
        Game::Demo if class != 0 => corners(node).iter().for_each(|corner| floats(out, corner)),
        // A freed node keeps what it had.
        Game::Demo => _ = out.fill(0, 96 - 24).raw(&bytes_of(&node.boxes[0])),
        _ => floats(out, &node.boxes[0]),
    }
    node.boxes[1..].iter().for_each(|corners| floats(out, corners));
    out.le_u32(0);
    if game >= Game::Mw {
        out.le_u32(0).le_u32(if matches!(class, 0 | 5 | 6) { 160 } else { 0 }).fill(0, 8);
    }
}

/// Returns the bytes of floats.
fn bytes_of(values: &[f32; 6]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Returns the corners of the box of a node in the demos of Recoil. Source: zipper-nodes.md, section 14.
fn corners(node: &Node) -> [[f32; 3]; 8] {
    let [has_model, has_children] = [0x200, 0x400].map(|flag| node.flags & flag != 0);
    let [_, model, children] = node.boxes;
    let all = match (has_model, has_children) {
        (false, false) => return [[0.0; 3]; 8],
        (true, false) => model,
        (false, true) => children,
        (true, true) => {
            std::array::from_fn(|at| if at < 3 { model[at].min(children[at]) } else { model[at].max(children[at]) })
        }
    };
    let [x, y, z, right, top, front] = all;
    let ring = [(x, front), (right, front), (right, z), (x, z)];
    let corner = |at: usize| [ring[at % 4].0, if at < 4 { y } else { top }, ring[at % 4].1];
    std::array::from_fn(|at| match &node.class {
        Class::Object { flags, matrix, .. } if flags & 8 == 0 => {
            let [x, y, z] = corner(at);
            std::array::from_fn(|axis| {
                x * matrix[axis] + y * matrix[3 + axis] + z * matrix[6 + axis] + matrix[9 + axis]
            })
        }
        _ => corner(at),
    })
}

/// Returns the free slots of Recoil and MechWarrior 3 in the order of their list.
fn free_list(spec: &Spec) -> Vec<usize> {
    if !spec.node_free_list.is_empty() {
        return spec.node_free_list.clone();
    }
    let free = |&slot: &usize| spec.nodes.get(slot).is_none_or(|node| node.class.number() == 0);
    (0..spec.node_slots).filter(free).collect()
}

/// Returns the first free slot for the header.
pub(super) fn free_head(spec: &Spec) -> u32 {
    let list = if spec.game >= Game::Pm { vec![] } else { free_list(spec) };
    spec.node_free_head.unwrap_or_else(|| match list.first() {
        Some(&slot) => slot as u32,
        None if spec.game >= Game::Pm => spec.nodes.len() as u32,
        None => 0x00FF_FFFF,
    })
}

/// Writes the node section.
pub(super) fn section(spec: &Spec, built: &mut Built) {
    let links = links(&free_list(spec), spec.node_slots, 0x00FF_FFFF);
    for (slot, &next) in links.iter().enumerate() {
        built.mark(format!("node {slot}"));
        let out = &mut built.out;
        match spec.nodes.get(slot) {
            Some(node) => base(out, spec.game, node, [node.parents.len(), node.children.len()]),
            // This slot was never used.
            None => {
                _ = out
                    .fill(0, 60)
                    .le_i32(-1)
                    .fill(0, if spec.game == Game::Demo { 200 } else { spec.game.of([128, 144, 144, 144]) })
            }
        }
        built.mark(format!("node link {slot}"));
        let link = match spec.nodes.get(slot) {
            Some(node) if spec.game >= Game::Pm => 0x0200_0000 | (slot as u32 + 1) ^ node.garbage,
            _ => next as u32,
        };
        built.out.le_u32(link);
    }
    for (slot, node) in spec.nodes.iter().enumerate() {
        built.mark(format!("node data {slot}"));
        if spec.game < Game::Pm && node.class.number() != 0 {
            let here = built.out.len() & 0x00FF_FFFF;
            built.word(built.marks[&format!("node link {slot}")], here);
        }
        if spec.data_offsets && node.class.number() != 0 {
            let here = built.out.len();
            built.word(built.marks[&format!("node {slot}")] + 56, here);
        }
        classes::data(built, spec.game, &node.class);
        built.mark(format!("node lists {slot}"));
        node.parents.iter().chain(&node.children).for_each(|&index| _ = built.out.le_i32(index));
    }
}
