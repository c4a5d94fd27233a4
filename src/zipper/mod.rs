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
mod values;
pub mod wave;
pub mod zmap;

pub use payload::{Payload, Placeholder};
pub use values::{FogType, NodeStyle, Quaternion, Vec3};
