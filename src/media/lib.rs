//! Files of other programs, with their pixels and samples: PNG, WAV, contact sheets. These modules are independent of
//! any game.

#![cfg_attr(
    not(all(feature = "exchange", feature = "export")),
    allow(dead_code, unreachable_pub, reason = "some is used only by what other features build")
)]

// The macros of `field` refer to their crate by the name of the one that users depend on.
extern crate field as bitexact;

#[cfg(feature = "export")]
pub mod csv;
#[cfg(feature = "export")]
pub mod gltf;
mod medium;
#[cfg(feature = "png")]
pub mod png;
pub mod riff;
#[cfg(feature = "export")]
pub mod sheet;
pub mod wav;
pub mod zlib;

#[cfg(feature = "exchange")]
pub use medium::first;
pub use medium::{Around, Files, Imported, Location, Medium, MediumError, Replaced, record};
#[cfg(feature = "png")]
pub use png::{Error, Picture, Pixels, Rgba};

/// An image and its place on a contact sheet, in pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The name of the image.
    pub name: String,
    /// The distance from the left side of the sheet.
    pub left: usize,
    /// The distance from the top of the sheet.
    pub top: usize,
    /// The width of the image.
    pub width: usize,
    /// The height of the image.
    pub height: usize,
}
