//! BioWare's Aurora engine: Neverwinter Nights.
//!
//! | module | files |
//! |---|---|
//! | [`erf`], [`bif`], [`key`] | containers of resources, and the index of a set of them |
//! | [`resource`] | the types of resources |
//! | [`gff`] | trees of fields with labels: creatures, items, areas, modules |
//! | [`two_da`], [`binary_2da`] | tables |
//! | [`tlk`] | talk tables |
//! | [`ssf`], [`plt`], [`ltr`], [`ncs`] | sound sets, layered textures, letters of names, compiled scripts |
//! | [`text`] | models, walkmeshes and tilesets as text |
//! | `texture_settings`, [`module`] | lists of texture settings; what a module names in other files |
//! | `lines`, `pages`, `base64` | words of texts, code pages, bytes as text |
//! | [`install`] | the edition of an install, and what is missing |
//! | `payload` | the contents of the resources of containers |
//!
//! A compiled model consists of structures in two sections that point to one another. Pointers are not kept, because they
//! follow from a walk through the model. A file in a different order keeps the order of its pieces.
//!
//! | module | contents |
//! |---|---|
//! | `mdl` | the format |
//! | `read` | the reader, which follows the pointers of a file |
//! | `walk`, `order` | the layout by the walk, and the layout piece by piece |
//! | [`model`] | models |
//! | [`header`] | headers of models and animations, events |
//! | [`node`], [`controllers`] | nodes and their controllers |
//! | [`parts`], [`mesh`], [`mesh_types`], [`aabb_tree`] | parts of nodes: lights, emitters, references, all types of meshes |
//! | `geometry` | the values that follow from vertices and faces |
//! | [`piece`] | pieces of a file |
//! | [`pointers`], `vectors`, [`flags`] | pointers, and the things that they point to |
//! | [`numbers`] | part numbers |
//! | `lint` | traps |
//! | `outline` | the tree of nodes for people |
//! | `model_text` | models as text that other programs read |
//! | [`scene`] | models for viewing |
//!
//! Source: [the pages about Neverwinter Nights](crate::guide::formats#neverwinter-nights); models: [`nwn-mdl.md`](crate::guide::formats::nwn_mdl).

pub mod aabb_tree;
mod base64;
pub mod bif;
pub mod binary_2da;
pub mod controllers;
pub mod erf;
pub mod flags;
mod geometry;
pub mod gff;
pub mod header;
pub mod install;
mod iter;
mod json_text;
pub mod key;
mod lines;
mod lint;
pub mod ltr;
mod mdl;
pub mod mesh;
pub mod mesh_types;
pub mod model;
mod model_text;
pub mod module;
pub mod ncs;
pub mod node;
pub mod numbers;
mod order;
mod outline;
mod pages;
pub mod parts;
mod payload;
pub mod piece;
pub mod plt;
pub mod pointers;
mod read;
pub mod resource;
#[cfg(feature = "export")]
pub mod scene;
pub mod ssf;
pub mod text;
pub(crate) mod texture_settings;
pub mod tlk;
pub mod two_da;
mod vectors;
mod walk;

pub use iter::Preorder;
pub use payload::Payload;

/// The maximum total length of the data of all entries or fields, in multiples of the size of the file. Several can share theirs, and JSON
/// shows them once for each: without this limit, a small file would take any amount of memory.
const SHARED: u64 = 8;

/// Returns the part of some values in a range that was found in them; it is empty if the range ends after them.
fn part<T>(of: &[T], range: impl core::slice::SliceIndex<[T], Output = [T]>) -> &[T] {
    of.get(range).unwrap_or_default()
}

use crate::field::F32;

/// A point, direction or color: x, y, z or r, g, b.
pub type Vec3 = [F32; 3];

/// Texture coordinates.
pub type Vec2 = [F32; 2];

/// A rotation: w, x, y, z.
pub type Quaternion = [F32; 4];

/// Returns `true` if a file begins as text files of the engine do: with a letter, a space or a remark after `#`.
fn is_text(file: &[u8]) -> bool {
    file.first().is_some_and(|byte| matches!(byte, b'#' | b'\t' | b'\r' | b'\n' | b' ') || byte.is_ascii_alphabetic())
}
