//! Textures and materials. Source: zipper-gamez.md, sections 4 and 5.

use super::{Built, Game, Spec, floats};
use crate::bytes::Bytes;

/// An entry of the texture directory. Source: zipper-gamez.md, section 4.
#[derive(Clone, Debug)]
pub struct Texture {
    /// The file name as stored.
    pub name: [u8; 20],
    /// A stale address, from Pirate's Moon onward; null if the texture is used.
    pub image_ptr: u32,
    /// The next smaller variant, or -1.
    pub mip_index: i32,
}

/// A material. Source: zipper-gamez.md, section 5.
#[derive(Clone, Debug)]
pub struct Material {
    /// `None`: colored.
    pub texture: Option<u32>,
    /// 255 if textured.
    pub alpha: u8,
    /// Red, green, blue; 255 each if textured.
    pub color: [f32; 3],
    /// A bit whose meaning is not known.
    pub unknown: bool,
    /// The sound of footsteps on it.
    pub soil: u32,
    /// The textures that it cycles through.
    pub cycle: Option<Cycle>,
}

/// An animated material. Source: zipper-gamez.md, section 5.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// Nonzero if it starts again.
    pub looping: u32,
    /// The time of its last change: leftover memory.
    pub tick: i32,
    /// Frames per second.
    pub speed: f32,
    /// Textures.
    pub frames: Vec<u32>,
}

impl Material {
    /// Returns a textured material.
    pub fn textured(texture: u32) -> Self {
        Self { texture: Some(texture), alpha: 255, color: [255.0; 3], unknown: false, soil: 0, cycle: None }
    }

    /// Returns a colored material.
    pub fn colored(color: [f32; 3]) -> Self {
        Self { texture: None, alpha: 200, color, unknown: false, soil: 0, cycle: None }
    }
}

/// Writes the texture directory.
pub(super) fn textures(spec: &Spec, built: &mut Built) {
    for (at, texture) in spec.textures.iter().enumerate() {
        built.mark(format!("texture {at}"));
        let out = &mut built.out;
        match spec.game {
            Game::Demo | Game::Rc | Game::Mw => out.fill(0, 8).raw(&texture.name).le_u32(2),
            Game::Pm | Game::Cs => {
                let state = if texture.image_ptr == 0 { 2 } else { 1 };
                out.le_u32(texture.image_ptr).fill(0, 8).raw(&texture.name).le_u32(state)
            }
        };
        if spec.game >= Game::Mw {
            out.le_u32(0);
        }
        out.le_i32(texture.mip_index);
    }
}

/// Writes a material without its links; the texture is an index here and a stale address in a `materials` entry.
pub(crate) fn record(out: &mut Bytes, game: Game, material: &Material, texture: u32) {
    let textured = material.texture.is_some();
    let bits =
        [(textured, 0x01), (material.unknown, 0x02), (material.cycle.is_some(), 0x04), (!game.is_recoil(), 0x10)];
    let flags = bits.iter().filter(|(set, _)| *set).map(|(_, bit)| bit).sum();
    out.u8(material.alpha).u8(flags).le_u16(if textured { 0x7FFF } else { 0 });
    floats(out, &material.color);
    out.le_u32(texture);
    floats(out, &[0.0, 0.5, 0.5]);
    out.le_u32(material.soil).le_u32(if material.cycle.is_some() { 0x0189_AF70 } else { 0 });
}

/// Writes the material section.
pub(super) fn section(spec: &Spec, built: &mut Built) {
    let (used, slots) = (spec.materials.len() as i16, spec.material_slots as i16);
    built.mark("materials");
    built.out.le_u32(spec.material_array_size.unwrap_or(spec.material_slots as u32)).le_i32(used.into());
    built.out.le_i32(if used < slots { used.into() } else { -1 }).le_i32(i32::from(used) - 1);
    for at in 0..slots {
        built.mark(format!("material {at}"));
        let out = &mut built.out;
        // Both lists: the used one runs down to 0, the free one up to the last slot.
        let (prev, next) = match spec.materials.get(at as usize) {
            Some(material) => {
                record(out, spec.game, material, material.texture.unwrap_or(0));
                (if at == used - 1 { -1 } else { at + 1 }, at - 1)
            }
            None => {
                out.u8(0).u8(if spec.game.is_recoil() { 0 } else { 0x20 }).fill(0, 38);
                (if at == used { -1 } else { at - 1 }, if at == slots - 1 { -1 } else { at + 1 })
            }
        };
        out.le_i16(prev).le_i16(next);
    }
    // The engine follows the used list.
    for (at, cycle) in spec.materials.iter().filter_map(|it| it.cycle.as_ref()).rev().enumerate() {
        built.mark(format!("cycle {at}"));
        let frames = cycle.frames.len() as u32;
        built.out.le_u32(cycle.looping).le_i32(cycle.tick);
        floats(&mut built.out, &[0.0, cycle.speed]);
        built.out.le_u32(frames).le_u32(frames).le_u32(0x018B_16A0);
        cycle.frames.iter().for_each(|&frame| _ = built.out.le_u32(frame));
    }
}
