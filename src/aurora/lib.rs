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
//! | `lines`, `pages`, `base64`, `values` | words of texts, code pages, bytes as text, points and rotations |
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
//! Source: [the pages about Neverwinter Nights](formats#neverwinter-nights); models: [`nwn-mdl.md`](formats::nwn_mdl).

#![cfg_attr(
    not(all(feature = "exchange", feature = "export")),
    allow(dead_code, unreachable_pub, reason = "some is used only by what other features build")
)]

// The macros of `field` refer to their crate by the name of the one that users depend on.
extern crate field as bitexact;

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
pub mod model_text;
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
pub mod texture_settings;
pub mod tlk;
pub mod two_da;
mod values;
mod vectors;
mod walk;

pub use iter::Preorder;
pub use pages::name_of;
pub use payload::Payload;
pub use tlk::language;
pub use values::{Quaternion, Vec2, Vec3};
use values::{SHARED, is_text, part};
