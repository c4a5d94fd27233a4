//! Lights of models.

use crate::field::{Block, F32, I32, Result, U16, U32, lay, wide};
use crate::record;
use crate::zipper::Vec3;
use crate::zipper::gamez::free::null_where_nothing;

record! {
    /// A light of a model, 76 bytes. Source: `zipper-models.md`, section 3.
    pub struct LightHeader: 76 {
        mode: I32,
        behavior: I32,
        /// Seconds.
        timer: F32,
        vertex_count: I32 as Outside,
        elapsed: I32 = 0,
        state: I32 = 0,
        /// Recoil reads it as a bias of the depth; in later games it looks like leftover memory.
        depth_bias: U32 as Stale,
        /// Red, green, blue, each up to 255.
        color: [F32; 3],
        rgb: U16 = 0,
        /// Tools know bits 0 to 10, but not their meaning.
        flags: U16,
        vertices_ptr: U32 as Pointer,
        depth_fade_start: F32,
        depth_fade_end: F32,
        depth_fade_factor: F32,
        /// 1 if it has a lens flare.
        lens_flare: I32,
        /// Not used in Recoil.
        unk_40: F32,
        flare_fade_near: F32,
        flare_fade_far: F32,
    }
}

/// A light of a model.
#[derive(Clone, Debug, Default)]
pub struct Light {
    /// The properties of the light.
    pub head: LightHeader,
    /// The points at which it shines.
    pub vertices: Block<Vec3>,
}

lay! {
    impl Tape<'_> {
        /// Lays out the record of a light.
        pub(in crate::zipper::gamez::models) fn light_head(&mut self, light: at!(Light)) -> Result {
            self.computed("vertex_count", at!(light.head.vertex_count), wide(light.vertices.len()))?;
            self.fields(at!(light.head))?;
            self.stated("vertex_count", light.head.vertex_count)?;
            self.judge(|t| null_where_nothing(t, "vertices_ptr", light.head.vertices_ptr, true));
            Ok(())
        }

        /// Lays out its points, as many as the record states.
        pub(in crate::zipper::gamez::models) fn light_vertices(&mut self, light: at!(Light)) -> Result {
            let count = self.stated("vertex_count", light.head.vertex_count)?;
            self.block("vertices", count, at!(light.vertices))
        }
    }
}
