//! The header: what the file is, and where its sections begin.

use crate::field::{I32, U32, Whole as _};
use crate::record;

record! {
    /// What begins every world, 8 bytes. Source: `zipper-gamez.md`, section 3.
    pub struct Signature: 8 {
        magic: U32 = super::MAGIC,
        /// Selects the records: 15 Recoil, 27 MechWarrior 3, 41 Pirate's Moon, 42 Crimson Skies.
        version: U32,
    }
}

record! {
    /// When a world was built, from Pirate's Moon on, 4 bytes. Source: `zipper-gamez.md`, section 3.
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
        /// The first free slot of the node pool; from Pirate's Moon on in the numbers of the engine, not of the file.
        node_free_head: U32,
        nodes_offset: U32 as Outside,
    }
}

impl Sections {
    /// The record with sections that begin there.
    pub(super) fn beginning(self, begin: [u64; 4]) -> Self {
        let [textures, materials, models, nodes] = begin.map(|at| U32::of(at).unwrap_or_default());
        Self {
            textures_offset: textures,
            materials_offset: materials,
            models_offset: models,
            nodes_offset: nodes,
            ..self
        }
    }
}
