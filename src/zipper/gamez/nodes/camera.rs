//! Cameras.

use crate::Vec3;
use crate::gamez::arithmetic::cotangent;
use field::record;
use field::{F32, I32, U32};

/// Floats that are 0.
const fn zeros<const N: usize>() -> [F32; N] {
    [F32::new(0.0); N]
}

record! {
    /// A camera, 488 bytes. In Crimson Skies, the angles and the values computed from them are zeros.
    /// Source: `zipper-nodes.md`, section 6.1.
    pub struct Camera: 488 {
        world_index: I32,
        window_index: I32,
        focus_node_xy: I32,
        focus_node_xz: I32,
        flags: U32 = 0,
        translate: Vec3 = zeros(),
        rotate: Vec3 = zeros(),
        world_translate: Vec3 = zeros(),
        world_rotate: Vec3 = zeros(),
        ancestor_matrix: [F32; 12] = zeros(),
        view_vector: Vec3 = zeros(),
        translate_matrix: [F32; 12] = zeros(),
        clip_near: F32,
        clip_far: F32,
        clip_points: [Vec3; 2] = [zeros(); 2],
        lod_multiplier: F32,
        /// The square is rounded before the division.
        lod_mul_inv_sq: F32 => |it| inverse_square(it.lod_multiplier.get()),
        /// Horizontal, then vertical, as in all pairs here.
        fov_scale: [F32; 2],
        /// Radians.
        fov_base: [F32; 2],
        fov_scaled: [F32; 2] => |it| scaled(it.fov_base, it.fov_scale),
        fov_half: [F32; 2] => |it| it.fov_scaled.map(|angle| F32::new(angle.get() / 2.0)),
        clip_recalc: I32 = 1,
        unk_fc: [Vec3; 5] = [zeros(); 5],
        fov_recalc: I32 = 1,
        unk_13c: [Vec3; 6] = [zeros(); 6],
        rotate_recalc: I32 = 1,
        unk_188: [Vec3; 6] = [zeros(); 6],
        unk_1d0: I32 = 0,
        fov_cot: [F32; 2] as Advisory => |it| it.fov_half.map(|angle| F32::new(cotangent(angle.get()))),
        unk_1dc: I32 = 0,
        zone_set_valid: I32 = 0,
        zone_set: U32 = 0xFFFF_FF00,
    }
}

/// Returns one over the square of a value, or 0 for 0.
fn inverse_square(value: f32) -> f32 {
    if value == 0.0 { 0.0 } else { 1.0 / (value * value) }
}

fn scaled([h, v]: [F32; 2], [by_h, by_v]: [F32; 2]) -> [F32; 2] {
    [F32::new(h.get() * by_h.get()), F32::new(v.get() * by_v.get())]
}
