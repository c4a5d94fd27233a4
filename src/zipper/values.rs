//! Types of values that several formats of the engine have.

use field::names;
use field::{CodePage, F32, GAME_TEXT, Style};

/// A point or direction: x, y, z.
pub type Vec3 = [F32; 3];

/// A rotation: w, x, y, z.
pub type Quaternion = [F32; 4];

/// The style of node names: padded with the rest of `Default_node_name`, which the engine stores there first.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct NodeStyle;

impl Style for NodeStyle {
    const PAGE: &'static CodePage = GAME_TEXT;
    const BACKGROUND: &'static [u8] = b"Default_node_name";
}

names! {
    /// The type of fog. Source: `zipper-anim-events.md`, section 28, and `zipper-nodes.md`, section 6.8.
    pub struct FogType(U32: u32) {
        /// No fog.
        OFF = 0;
        /// Fog that increases linearly with distance.
        LINEAR = 1;
        /// Fog that increases exponentially with distance.
        EXPONENTIAL = 2;
    }
}
