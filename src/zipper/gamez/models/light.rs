//! Lights of models.

use crate::Vec3;
use crate::gamez::free::null_where_nothing;
use field::record;
use field::{Block, F32, I32, Result, U16, U32, lay, wide};

use super::halves::{Data, Head};

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
    impl LayBy<Head> for Light {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, _: Head) -> Result {
            t.computed("vertex_count", at!(self.head.vertex_count), wide(self.vertices.len()))?;
            t.fields(at!(self.head))?;
            t.stated("vertex_count", self.head.vertex_count)?;
            t.judge(|t| null_where_nothing(t, "vertices_ptr", self.head.vertices_ptr, true));
            Ok(())
        }
    }

    impl LayBy<Data> for Light {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, _: Data) -> Result {
            let count = t.stated("vertex_count", self.head.vertex_count)?;
            t.block("vertices", count, at!(self.vertices))
        }
    }
}
