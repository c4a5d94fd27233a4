//! Binary models of Neverwinter Nights. Source: nwn-mdl.md.
//!
//! A model is built as *regions*: structures and vectors with links between them, in the order of the walk (section 5). The offset of a
//! region is determined when the file is written, so a trap can move, share or cut regions.

mod broken;
mod file;
mod geometry;
mod many;
mod mesh;
mod node;
mod samples;
mod traps;

pub use broken::broken;
pub use file::{File, Region, Section};
pub use geometry::{Animation, Spec, build, regions};
pub use many::MANY;
pub use mesh::{Mesh, Shape};
pub use node::{Body, Key, Light, Node};
pub use samples::samples;
pub(crate) use samples::{model, placed};

/// The two programs that compiled all known files. Source: nwn-mdl.md, section 1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Memory is not cleared, and some empty arrays point to where they would be.
    A,
    /// Memory is cleared, and all empty arrays have null pointers.
    B,
}
