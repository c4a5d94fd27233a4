//! BioWare's Aurora engine: Neverwinter Nights.
//!
//! A compiled model has structures that point to one another, in two sections. Nothing of that is kept: what points
//! where follows from a walk through the model, the same in all files seen ([`model`]). A file that lies otherwise keeps
//! the order of its parts ([`order`]).
//!
//! | module | has |
//! |---|---|
//! | [`model`] | the file, and the walk through it |
//! | [`header`] | the headers of models and animations, events |
//! | [`node`], [`controllers`] | what every node has |
//! | [`parts`], [`mesh`], [`sorts`], [`boxes`] | what nodes have by their flags: lights, emitters, meshes of every sort |
//! | [`place`] | what can be pointed to, and pointers of empty things |
//! | [`order`], `find`, `explicit` | files that do not lie as the walk goes |
//! | [`numbers`] | part numbers and node counts |
//! | `outline` | the tree of nodes for people |
//! | [`scene`] | models for other programs to look at |

pub mod boxes;
pub mod controllers;
mod explicit;
mod find;
pub mod header;
mod iter;
pub mod mesh;
pub mod model;
pub mod node;
pub mod numbers;
pub mod order;
mod outline;
pub mod parts;
pub mod place;
pub mod scene;
pub mod sorts;

pub use iter::Preorder;

use crate::field::F32;

/// A point, direction or colour: x, y, z or r, g, b.
pub type Vec3 = [F32; 3];

/// Texture coordinates.
pub type Vec2 = [F32; 2];

/// A rotation: w, x, y, z.
pub type Quaternion = [F32; 4];

/// Whether a file is in the text form of the engine's own files: letters, or remarks behind `#`.
fn is_text(file: &[u8]) -> bool {
    file.first().is_some_and(|byte| matches!(byte, b'#' | b'\t' | b'\r' | b'\n' | b' ') || byte.is_ascii_alphabetic())
}
