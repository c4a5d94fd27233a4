//! Files of other programs, with their pixels and samples: PNG, WAV, contact sheets. These modules are independent of
//! any game.

#[cfg(feature = "export")]
pub mod gltf;
mod medium;
#[cfg(feature = "png")]
pub mod png;
pub mod riff;
#[cfg(feature = "export")]
pub mod sheet;
pub mod wav;
pub(crate) mod zlib;

#[cfg(feature = "exchange")]
pub(crate) use medium::first;
pub use medium::{Around, Files, Imported, Location, Medium, MediumError, Replaced, record};
#[cfg(feature = "png")]
pub use png::{Error, Picture, Pixels, Rgba};
