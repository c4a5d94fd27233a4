//! The header: the version of the file, and the offsets of its sections.

use field::record;
use field::{I32, U32};

/// The magic number of every world.
pub(super) const MAGIC: u32 = 0x0297_1222;

record! {
    /// The first 8 bytes of every world. Source: `zipper-gamez.md`, section 3.
    pub struct Signature: 8 {
        magic: U32 = MAGIC,
        /// Selects the records: 13 Recoil's demos of 1998, 15 Recoil, 27 MechWarrior 3, 41 Pirate's Moon, 42 Crimson Skies.
        version: U32,
    }
}

record! {
    /// The build time of a world, from Pirate's Moon onward, 4 bytes. Source: `zipper-gamez.md`, section 3.
    pub struct Timestamp: 4 {
        /// Seconds since 1970.
        timestamp: U32,
    }
}

record! {
    /// The end of the header, 28 bytes. Source: `zipper-gamez.md`, section 3.
    pub struct Sections: 28 {
        texture_count: I32 as Outside,
        textures_offset: U32 as Outside,
        materials_offset: U32 as Outside,
        models_offset: U32 as Outside,
        node_array_size: I32 as Outside,
        /// The first free slot of the node pool; from Pirate's Moon onward, numbered as in the engine, not as in the file.
        node_free_head: U32,
        nodes_offset: U32 as Outside,
    }
}
