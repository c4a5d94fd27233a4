//! The forge generates faithful sample files from the format specs: with its own byte builder, its own checksums and exact arithmetic, and
//! without the library that the samples test. A test that writes files with the code under test proves nothing.
//!
//! Every format has a module with a plain `Spec`, a `build(&Spec) -> Vec<u8>` that writes the file according to the format spec, and
//! samples made with it. The field of a computed value is an `Option`: `None` is the computed value, `Some` a wrong one.
//!
//! The bytes depend only on the seed, the size class and the name of the sample: they are equal on every machine, and do not change when
//! samples are added.
//!
//! ```
//! use forge::{samples, Size};
//! let maps = samples(1, Size::Tiny).into_iter().filter(|sample| sample.kind == "zmap");
//! assert!(maps.clone().any(|sample| sample.name == "m1.zmap" && sample.trap.is_none()));
//! assert!(maps.clone().any(|sample| sample.deviates));
//! ```

mod amplified;
pub mod anim;
pub mod applesingle;
pub mod archive;
pub mod avi;
pub mod bm;
pub mod bytes;
pub mod checksum;
pub mod film;
pub mod gamez;
mod install;
pub mod interp;
pub mod level;
pub mod macbinary;
pub mod mdl;
pub mod mechlib;
pub mod messages;
pub mod mods;
pub mod motion;
pub mod nwn;
pub mod physics;
pub mod picture;
pub mod random;
pub mod reader;
pub mod resources;
mod retail;
pub mod rof;
mod sample;
pub mod save;
pub mod shapes;
pub mod sounds;
pub mod text_reader;
pub mod texture;
pub mod true_size;
pub mod wad;
pub mod wave;
pub mod zmap;

pub use amplified::amplified;
pub use install::{INSTALL_SEED, install};
pub use retail::{RETAIL, retail};
pub use sample::{Broken, Sample, Size, broken, samples};
