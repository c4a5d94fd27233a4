//! The Marathon trilogy: Marathon, Marathon 2, Marathon Infinity. Big-endian, Mac OS Roman.

pub mod applesingle;
pub mod macbinary;
mod payload;
pub mod resources;
pub mod wad;

pub use payload::Payload;
