//! Zipper Interactive's engine: Recoil, MechWarrior 3, Pirate's Moon, Crimson Skies.
//!
//! Source: [the pages about these games](crate::guide::formats#recoil-mechwarrior-3-pirates-moon-crimson-skies).

pub mod anim;
pub mod archive;
pub mod attached;
pub mod avi;
pub mod bm;
pub mod games;
pub mod gamez;
pub mod install;
pub mod interp;
pub mod mechlib;
pub mod messages;
pub mod motion;
mod payload;
pub mod reader;
pub mod rof;
pub mod save;
#[cfg(feature = "export")]
pub mod scene;
pub mod text_reader;
pub mod texture;
pub mod wave;
pub mod zmap;

pub use payload::{Payload, Placeholder};

use crate::field::{CodePage, GAME_TEXT};

use crate::field::{F32, Style};
use crate::names;

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
