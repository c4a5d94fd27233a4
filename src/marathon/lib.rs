//! The Marathon trilogy: Marathon, Marathon 2, Marathon Infinity. Big-endian, Mac OS Roman.
//!
//! Source: [the pages about these games](formats#marathon-marathon-2-marathon-infinity).

#![cfg_attr(
    not(all(feature = "exchange", feature = "export")),
    allow(dead_code, unreachable_pub, reason = "some is used only by what other features build")
)]

// The macros of `field` refer to their crate by the name of the one that users depend on.
extern crate field as bitexact;

mod across_chunks;
pub mod applesingle;
mod array;
pub mod binhex;
pub mod chunk;
#[cfg(feature = "export")]
pub mod export;
pub mod film;
pub mod macbinary;
pub mod map;
pub mod names;
pub mod numbers;
mod payload;
pub mod physics;
pub mod picture;
mod references;
pub mod resources;
pub mod saved;
pub mod script;
pub mod shapes;
pub mod sounds;
mod tables;
pub mod terminal;
pub mod wad;

pub use array::Array;
pub use map::lint::RULES;
pub use payload::Payload;

/// Media that other programs edit, at any depth of a file of the trilogy: containers hold containers.
#[cfg(feature = "exchange")]
pub static MEDIA: &[&media::Medium] = {
    let [collection, shapes_patch] = &shapes::MEDIA;
    let [sound, sounds] = &sounds::MEDIA;
    &[&picture::MEDIUM, collection, shapes_patch, sound, sounds, &terminal::MEDIUM, &resources::MEDIUM]
};
