//! Saved games of Recoil and MechWarrior 3: archives of memory images. Source: zipper-saves.md.

mod crimson;
mod samples;

use crate::bytes::{Bytes, field};
use crate::random::Random;
pub(crate) use samples::entry;
pub use samples::samples;

/// The state of an animation of MechWarrior 3. Source: zipper-saves.md, section 3.
#[derive(Clone, Debug)]
pub struct Activation {
    /// 1, 2 or 5.
    pub kind: i32,
    /// 0.
    pub unk04: i32,
    /// The name of the entry, with its tail.
    pub name: [u8; 32],
    /// -1 for none.
    pub node_index: i32,
    /// Zeros or leftover memory.
    pub values: [u8; 36],
    /// An address, 0 if the next field is 0.
    pub ptr: u32,
    /// 1, 3 or 4.
    pub status: u8,
    /// 0 or 25.
    pub unk86: u8,
    /// 0.
    pub unk87: u8,
    /// 68 bytes each.
    pub nodes: Vec<Vec<u8>>,
}

impl Activation {
    /// Creates a state with computed values.
    pub fn new(random: &mut Random, kind: i32, name: &str, nodes: usize) -> Self {
        let mut values = [0; 36];
        let stale = match kind {
            2 => 12..36,
            5 => 0..36,
            _ => 0..0,
        };
        if random.below(2) == 0 {
            let garbage = random.garbage(stale.len());
            values[stale].copy_from_slice(&garbage);
        }
        let has_address = random.below(2) == 0;
        Self {
            kind,
            unk04: 0,
            name: field(name.as_bytes(), b""),
            node_index: random.between(-1, 19_999),
            values,
            ptr: if has_address { 0x0040_0000 | random.draw() as u32 >> 8 } else { 0 },
            status: random.one_of(&[1, 3, 4]),
            unk86: if has_address { 25 } else { 0 },
            unk87: 0,
            nodes: (0..nodes).map(|_| random.garbage(68)).collect(),
        }
    }

    /// Returns the entry.
    pub fn build(&self) -> Vec<u8> {
        let mut out = Bytes::new();
        out.le_i32(self.kind).le_i32(self.unk04).raw(&self.name).le_i32(self.node_index).raw(&self.values);
        out.le_u32(self.ptr).u8(self.status).u8(self.nodes.len() as u8).u8(self.unk86).u8(self.unk87);
        self.nodes.iter().for_each(|node| _ = out.raw(node));
        out.finish()
    }
}

/// Returns the state of an animation of Recoil. Source: zipper-saves.md, section 2.2.
pub fn recoil_activation(random: &mut Random, name: &[u8], nodes: u8) -> Vec<u8> {
    let mut out = Bytes::new();
    out.le_i32(random.between(1, 5)).le_u32(random.below(500)).raw(&field::<32>(name, b"")).le_i32(7);
    out.raw(&reals(random, 9)).le_u32(random.below(90)).u8(3).u8(nodes).le_u16(0);
    for _ in 0..nodes {
        out.le_i32(random.between(-1, 300)).le_i32(1).le_i32(0).raw(&reals(random, 12)).le_i32(0).le_i32(9);
    }
    out.finish()
}

/// Returns a running animation of Recoil: one sequence with these events, a light and a sound.
pub fn recoil_running(random: &mut Random, events: &[u8]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.le_i32(4).le_i32(1).raw(&field::<32>(b"door_open", b"")).le_i32(12).le_i32(13).raw(&reals(random, 3));
    out.le_i32(-1).raw(&reals(random, 3)).u8(2).raw(&random.garbage(3)).raw(&reals(random, 5));
    out.u8(1).u8(1).u8(1).u8(0);
    out.raw(&field::<32>(b"seq1", b"")).u8(1).u8(0).raw(&random.garbage(2)).raw(&reals(random, 3)).le_u16(2);
    out.raw(&random.garbage(2)).le_u32(0).le_u32(0x00AB_CDEF).le_i32(events.len() as i32).raw(events);
    out.raw(&field::<36>(b"lamp", b"")).le_i32(1).raw(&reals(random, 3)).le_i32(12);
    out.raw(&field::<36>(b"creak.wav", b"")).le_i32(1).le_i32(1).raw(&reals(random, 3)).le_i32(12);
    out.finish()
}

/// Returns a record of `size` bytes that begins with `first`, often its size: words and floats, like real records.
pub fn record(random: &mut Random, first: i32, size: usize) -> Vec<u8> {
    let mut out = Bytes::new();
    out.le_i32(first);
    while out.len() < size {
        if random.below(2) == 0 {
            out.raw(&reals(random, 1))
        } else {
            out.le_i32(random.between(-1, 40))
        };
    }
    out.finish()
}

/// Returns `Mines`. Source: zipper-saves.md, section 2.2.
pub fn mine(random: &mut Random, reset_marker: i32) -> Vec<u8> {
    let mut out = Bytes::new();
    out.le_i32(reset_marker).raw(&field::<32>(b"mine_std", b"")).raw(&reals(random, 6));
    out.raw(&field::<36>(if reset_marker == 1 { b"Dummy" } else { b"tank01" }, b""));
    out.finish()
}

fn reals(random: &mut Random, count: usize) -> Vec<u8> {
    (0..count).flat_map(|_| random.real(-100.0, 100.0).to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Activation, mine, recoil_activation, recoil_running, record};
    use crate::random::Random;

    /// Source: zipper-saves.md, sections 2.1 and 3.
    #[test]
    fn entries_have_their_sizes() {
        let random = &mut Random::new(1);
        assert_eq!(Activation::new(random, 2, "door", 3).build().len(), 88 + 3 * 68);
        assert_eq!(recoil_activation(random, b"door", 2).len(), 88 + 2 * 68);
        assert_eq!(recoil_running(random, &[1; 10]).len(), 104 + 64 + 10 + 56 + 60);
        assert_eq!(record(random, 320, 320).len(), 320);
        assert_eq!(mine(random, 1).len(), 96);
    }
}
