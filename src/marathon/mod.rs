//! The Marathon trilogy: Marathon, Marathon 2, Marathon Infinity. Big-endian, Mac OS Roman.

pub mod applesingle;
pub mod macbinary;
mod nth;
mod payload;
pub mod picture;
pub mod resources;
pub mod shapes;
pub mod sounds;
pub mod wad;

pub use nth::Nth;
pub use payload::Payload;
