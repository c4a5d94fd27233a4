//! Zipper Interactive's engine: Recoil, MechWarrior 3, Pirate's Moon, Crimson Skies.
//!
//! Source: [the pages about these games](formats#recoil-mechwarrior-3-pirates-moon-crimson-skies).

#![cfg_attr(
    not(all(feature = "exchange", feature = "export")),
    allow(dead_code, unreachable_pub, reason = "some is used only by what other features build")
)]

// The macros of `field` refer to their crate by the name of the one that users depend on.
extern crate field as bitexact;

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
