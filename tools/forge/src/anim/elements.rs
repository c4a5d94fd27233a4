//! The elements of the arrays of a definition. Source: zipper-anim.md, sections 7 to 10.

use super::Game;
use super::Game::{CrimsonSkies, MechWarrior3, PiratesMoon, Recoil};
use crate::bytes::{Bytes, field};
use crate::random::Random;

/// Returns a name that overwrites `Default_node_name`. Source: section 8.1.
pub fn node_name(name: &[u8]) -> [u8; 32] {
    let mut bytes = field::<32>(b"Default_node_name", b"");
    bytes[..name.len()].copy_from_slice(name);
    bytes[name.len()] = 0;
    bytes
}

/// Returns an object. Source: section 8.2.
pub fn object(game: Game, name: [u8; 32], random: &mut Random) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(&name).le_u32(0);
    match game {
        Recoil | MechWarrior3 => out.le_u32(0x0280_0000 + random.below(0x10000)).le_u32(1).le_u32(random.below(2)),
        PiratesMoon => out.le_u32(u32::MAX).le_u16(random.below(0x10000) as u16).le_u16(0),
        CrimsonSkies => out.le_u32(random.below(900)).le_u16(random.below(4) as u16).le_u16(random.below(9) as u16),
    };
    out.raw(&random.garbage(48));
    out.finish()
}

/// Returns a node. Source: section 8.3.
pub fn node(game: Game, name: [u8; 32], random: &mut Random) -> Vec<u8> {
    let mut out = Bytes::new();
    if game.newer() {
        out.le_u16(random.one_of(&[0, 1, 4, 0xFFFF])).le_u16(if game == CrimsonSkies { 3 } else { 0 });
    }
    let node = game.of(0x0280_1000, 0x0280_1000, u32::MAX, random.below(900));
    out.raw(&name).le_u32(0).le_u32(node);
    out.finish()
}

/// Returns a light, a dynamic sound or, with a zero tail, a puffer. Source: section 8.4.
pub fn light(name: [u8; 32], flags: u32) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(&name).le_u32(flags).le_u32(0x0280_2000).le_u32(0);
    out.finish()
}

/// Returns a static sound. Source: section 8.5.
pub fn static_sound(game: Game, name: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = Bytes::new();
    match game {
        CrimsonSkies => out.raw(&field::<40>(name, &random.garbage(40))),
        _ => out.raw(&field::<32>(name, &random.garbage(6))).le_u32(0),
    };
    out.finish()
}

/// Returns an effect. Source: section 8.6.
pub fn effect(name: &[u8], index: u32) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(&field::<32>(name, b"lo\0ca")).le_u32(index);
    out.finish()
}

/// Returns a component of a node path. Source: section 8.7.
pub fn component(name: &[u8]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(&field::<32>(name, b"")).le_u32(17);
    out.finish()
}

/// Returns the first element of an array. Source: section 7.
pub fn zero(size: usize, node: Option<usize>) -> Vec<u8> {
    let mut bytes = vec![0; size];
    node.into_iter().for_each(|at| bytes[at..at + 4].fill(0xFF));
    bytes
}

/// Returns a prerequisite on an animation. Source: section 9, type 1.
pub fn animation_prerequisite(optional: u32, name: &[u8]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.le_u32(optional).le_u32(1).raw(&field::<32>(name, b"")).fill(0, 8);
    out.finish()
}

/// Returns a prerequisite on an object. Source: section 9, types 2 and 3.
pub fn object_prerequisite(game: Game, kind: u32, state: u32, name: &[u8]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.le_u32(0).le_u32(kind).le_u32(state).raw(&field::<32>(name, b""));
    out.le_u32(game.of(0x0280_3000, 0x0280_3000, u32::MAX, 12));
    out.finish()
}

/// Returns a reference to an animation. Source: section 10.
pub fn anim_ref(kind: u32, name: &[u8], local: &[u8]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(&field::<32>(name, b"stale\0x")).raw(&field::<32>(local, b"y")).le_u32(kind).le_u32(0);
    out.finish()
}
