//! The shapes file. Source: marathon-shapes.md, section 1.

use super::Collection;
use crate::bytes::Bytes;

/// The file's row for a collection.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Status and flags of a running program.
    pub runtime: [u16; 2],
    /// The version for 8 bits, and that for more.
    pub versions: [Option<Vec<u8>>; 2],
    /// `None`: the actual offset, or -1.
    pub offsets: [Option<i32>; 2],
    /// `None`: the actual length, or 0.
    pub lengths: [Option<i32>; 2],
    /// 12 bytes: 0.
    pub unused: u8,
}

impl Slot {
    /// Creates a slot with computed values.
    pub fn new(versions: [Option<&Collection>; 2]) -> Self {
        Self {
            runtime: [0; 2],
            versions: versions.map(|version| version.map(Collection::write)),
            offsets: [None; 2],
            lengths: [None; 2],
            unused: 0,
        }
    }
}

/// A shapes file.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The 32 slots.
    pub slots: Vec<Slot>,
    /// Bytes before the first collection.
    pub gap: Vec<u8>,
    /// `true` if the collections are in reverse order.
    pub backwards: bool,
    /// Bytes at the end of the file.
    pub trailing: Vec<u8>,
}

impl Spec {
    /// Creates a file of these collections, filled up with empty slots.
    pub fn new(slots: Vec<Slot>) -> Self {
        let mut slots = slots;
        slots.resize(32, Slot::new([None, None]));
        Self { slots, gap: vec![], backwards: false, trailing: vec![] }
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut body = Bytes::new();
    body.raw(&spec.gap);
    let mut places = vec![[(-1, 0); 2]; spec.slots.len()];
    let mut order: Vec<(usize, usize)> = (0..spec.slots.len()).flat_map(|slot| [(slot, 0), (slot, 1)]).collect();
    if spec.backwards {
        order.reverse();
    }
    for (slot, version) in order {
        if let Some(bytes) = &spec.slots[slot].versions[version] {
            places[slot][version] = (1024 + body.len() as i32, bytes.len() as i32);
            body.raw(bytes);
        }
    }
    let mut out = Bytes::new();
    for (slot, places) in spec.slots.iter().zip(places) {
        out.be_u16(slot.runtime[0]).be_u16(slot.runtime[1]);
        for ((offset, length), told) in places.iter().zip(slot.offsets.iter().zip(slot.lengths)) {
            out.be_i32(told.0.unwrap_or(*offset)).be_i32(told.1.unwrap_or(*length));
        }
        out.fill(slot.unused, 12);
    }
    out.raw(body.written()).raw(&spec.trailing);
    out.finish()
}
