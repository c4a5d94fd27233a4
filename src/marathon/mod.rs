//! The Marathon trilogy: Marathon, Marathon 2, Marathon Infinity. Big-endian, Mac OS Roman.

pub mod applesingle;
mod array;
pub mod chunk;
pub mod film;
mod level;
pub mod macbinary;
pub mod map;
pub mod names;
pub mod numbers;
mod payload;
pub mod physics;
pub mod plan;
pub mod saved;
pub mod script;
pub mod terminal;
pub mod wad;

pub use array::Array;
pub use payload::Payload;
