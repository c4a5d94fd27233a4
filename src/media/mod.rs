//! Files of other programs, and pixels and samples as they have them: PNG, WAV, contact sheets. Nothing here knows a game.

pub mod gltf;
mod medium;
pub mod png;
pub mod sheet;
pub mod wav;

pub use medium::{Around, Files, Imported, Medium, Mismatch, Part, Replaced, record};
pub use png::{Error, Picture, Pixels, Rgba};
