//! Mutations of a file: fields are changed, parts are moved, added and removed.

use std::ops::Range;

use crate::anatomy::Anatomy;
use crate::draw::Draw;

/// The maximum size of a file: findings in small files are easier to understand.
const LARGEST: usize = 64 << 10;

/// Returns a file with up to four fields and up to two parts changed; `others` are files of the same kind.
pub(crate) fn mutated(seed: &Anatomy, others: &[impl AsRef<Anatomy>], draw: Draw<'_>) -> Vec<u8> {
    let mut bytes = seed.bytes.clone();
    // Fields first, because their offsets do not change.
    let (fields, parts) = match draw(4) {
        0 => (0, 1),
        1 => (1, 1),
        2 => (1 + draw(4), 0),
        _ => (draw(3), 1 + draw(2)),
    };
    (0..fields).for_each(|_| field(&mut bytes, seed, draw));
    (0..parts).for_each(|_| part(&mut bytes, seed, others, draw));
    bytes.truncate(LARGEST);
    bytes
}

/// Returns one of the items, or `None` if there are none.
fn one<'a, T>(things: &'a [T], draw: Draw<'_>) -> Option<&'a T> {
    things.get(draw(things.len() as u64) as usize)
}

/// Limits a range to the current bytes.
fn within(at: Option<&Range<usize>>, bytes: &[u8]) -> Range<usize> {
    at.map_or(0..0, |at| at.start.min(bytes.len())..at.end.min(bytes.len()))
}

fn field(bytes: &mut [u8], seed: &Anatomy, draw: Draw<'_>) {
    // Computed values determine the layout, so they get a third of the changes.
    let at = match draw(3) {
        0 if !seed.derived.is_empty() => one(&seed.derived, draw),
        _ => one(&seed.fields, draw),
    };
    let at = within(at, bytes);
    match draw(8) {
        0..=3 => number(bytes, at, draw),
        4 => {
            // Swap it with another field of this size, or copy that field over it.
            let alike: Vec<_> = seed.fields.iter().filter(|it| it.len() == at.len()).collect();
            let other = within(one(&alike, draw).copied(), bytes);
            if other.len() == at.len() {
                let (this, that) = (bytes[at.clone()].to_vec(), bytes[other.clone()].to_vec());
                bytes[at].copy_from_slice(&that);
                if draw(2) == 0 {
                    bytes[other].copy_from_slice(&this);
                }
            }
        }
        5 => {
            if let Some(byte) = bytes[at.clone()].get_mut(draw(at.len() as u64) as usize) {
                *byte ^= 1 << draw(8);
            }
        }
        6 => bytes[at].iter_mut().for_each(|byte| *byte = draw(256) as u8),
        _ => {
            let with = [0x00, 0xFF, b' ', 0x80][draw(4) as usize];
            let keep = draw(at.len() as u64) as usize;
            bytes[at].iter_mut().skip(keep).for_each(|byte| *byte = with);
        }
    }
}

/// Sets a number to an extreme value or close to one, in either byte order.
fn number(bytes: &mut [u8], at: Range<usize>, draw: Draw<'_>) {
    let size = at.len().min([1, 2, 4, 8][draw(4) as usize].max(at.len()));
    let (big, file) = (draw(2) == 0, bytes.len() as u64);
    let field = &mut bytes[at];
    let mut raw = [0; 8];
    let length = size.min(8);
    raw[..length].copy_from_slice(&field[..length]);
    if big {
        raw[..length].reverse();
    }
    let (now, sign) = (u64::from_le_bytes(raw), 1_u64.checked_shl(8 * length.max(1) as u32 - 1).unwrap_or(0));
    let new = match draw(18) {
        0 => 0,
        1 => 1,
        2 => u64::MAX,
        3 => sign,
        4 => sign.wrapping_sub(1),
        5 => now ^ sign,
        6 => now.wrapping_neg(),
        7 => now.wrapping_add(1),
        8 => now.wrapping_sub(1),
        9 => now.wrapping_mul(2),
        10 => now.wrapping_add(1 << draw(16)),
        11 => draw(64),
        12 => draw(file + 1),
        13 => file,
        14 => file.wrapping_sub(now),
        // A NaN with a payload; infinity; minus zero.
        15 => u64::from(0x7FA0_0001_u32),
        16 => u64::from(f32::INFINITY.to_bits()),
        _ => now ^ (1 << draw(32)),
    };
    let mut raw = new.to_le_bytes();
    if big {
        raw[..length].reverse();
    }
    field[..length].copy_from_slice(&raw[..length]);
}

fn part(bytes: &mut Vec<u8>, seed: &Anatomy, others: &[impl AsRef<Anatomy>], draw: Draw<'_>) {
    let at = within(one(&seed.parts, draw), bytes);
    match draw(10) {
        0 => drop(bytes.drain(at)),
        1 => {
            let copy = bytes[at.clone()].repeat(1 + draw(3) as usize);
            bytes.splice(at.end..at.end, copy);
        }
        2 => {
            let to = within(one(&seed.parts, draw), bytes);
            let moved: Vec<u8> = bytes.drain(at).collect();
            let to = to.start.min(bytes.len());
            bytes.splice(to..to, moved);
        }
        3 => {
            let to = within(one(&seed.parts, draw), bytes);
            let copy = bytes[at].to_vec();
            bytes.splice(to, copy);
        }
        4 => bytes.truncate(at.start),
        5 => bytes.truncate(draw(bytes.len() as u64) as usize),
        6 => {
            let with = draw(256) as u8;
            bytes.extend((0..=draw(64)).map(|_| with));
        }
        7 => {
            let new: Vec<u8> = (0..=draw(16)).map(|_| draw(256) as u8).collect();
            bytes.splice(at.start..at.start, new);
        }
        // Continue with a different file from here onward, or insert a part of it.
        8 => {
            if let Some(other) = one(others, draw).map(AsRef::as_ref) {
                let from = within(one(&other.parts, draw), &other.bytes);
                bytes.truncate(at.start);
                bytes.extend_from_slice(&other.bytes[from.start..]);
            }
        }
        _ => {
            if let Some(other) = one(others, draw).map(AsRef::as_ref) {
                let from = within(one(&other.parts, draw), &other.bytes);
                bytes.splice(at, other.bytes[from].to_vec());
            }
        }
    }
}
