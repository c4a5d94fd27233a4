//! Shapes: collections of sequences, frames and bitmaps, in the shapes file of Marathon 2 and Infinity, in resources of Marathon, and in
//! patches.
//!
//! Source: [`marathon-shapes.md`](formats::marathon_shapes).

mod bitmap;
mod collection;
mod file;
#[cfg(feature = "exchange")]
mod medium;
mod palette;
mod patch;
mod records;
mod rows;
#[cfg(feature = "export")]
mod sheet;
mod world;

pub use bitmap::{Bitmap, BitmapFlags, BitmapHeader, Pixels};
pub use collection::{Collection, Encoding, Sequence};
pub use file::{Carried, Shapes, Slot};
#[cfg(feature = "exchange")]
pub use medium::MEDIA;
pub use patch::{FrameItem, PatchBlock, PatchHeader, PatchItems, ShapesPatch};
pub use records::{Color, Definition, EarlySequenceHeader, Frame, FrameFlags, SequenceHeader, ViewType};
#[cfg(feature = "export")]
pub(super) use sheet::Group;
