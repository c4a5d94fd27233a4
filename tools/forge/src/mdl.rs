//! Binary models of Neverwinter Nights. Source: nwn-mdl.md.
//!
//! A model is built as *regions*: structures and vectors with links between them, in the order of the walk (section 5).
//! Where a region lies is known only when the file is written, so a trap can move, share or cut them.

mod broken;
mod file;
mod geometry;
mod mesh;
mod node;
mod samples;
mod traps;

pub use broken::broken;
pub use file::{File, Region, Section};
pub use geometry::{Animation, Spec, build, regions};
pub use mesh::{Mesh, Shape};
pub use node::{Body, Key, Light, Node};
pub use samples::samples;

/// The two programs that compiled all files seen. Source: nwn-mdl.md, section 1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Memory is not cleared, and some empty things point to where they would have been written.
    A,
    /// Memory is cleared, and all empty things point nowhere.
    B,
}
