//! Files of other programs, with their pixels and samples: PNG, WAV, contact sheets. These modules are independent of
//! any game.

pub mod gltf;
mod medium;
pub mod png;
pub mod riff;
pub mod sheet;
pub mod wav;

pub use medium::{Around, Files, Imported, Medium, Mismatch, Part, Replaced, record};
pub use png::{Error, Picture, Pixels, Rgba};
