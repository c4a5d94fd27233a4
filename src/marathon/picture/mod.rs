//! Pictures (PICT): QuickDraw drawings, as opcodes.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 10 |
//! | version | 4, or 2 in version 1 |
//! | opcodes and their data, up to the end | |
//!
//! In version 2, opcodes take two bytes and lie at even offsets; in version 1 they take one.
//!
//! Source: [`marathon-images.md`](formats::marathon_images), section 5.

mod drawing;
mod file;
#[cfg(feature = "png")]
mod grid;
#[cfg(feature = "exchange")]
mod medium;
mod opcode;
mod packbits;
mod pixels;
mod raw;
mod region;

pub use drawing::{Header, Instruction, Picture, Version1, Version2};
pub use file::PictureFile;
#[cfg(feature = "export")]
pub(super) use grid::tiles;
#[cfg(feature = "exchange")]
pub use medium::MEDIUM;
pub use opcode::{Body, Opcode};
pub use packbits::{Packer, Packing};
pub use pixels::{Copy, PackType, PixMap, PixelType, Pixels, RowBytes};
pub use raw::{Palette, RawHeader, RawPicture};
pub use region::{Rectangle, Region};
