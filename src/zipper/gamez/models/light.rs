//! Lights of models.

use crate::field::{Block, F32, I32, Result, Tape, U16, U32, wide};
use crate::record;
use crate::zipper::Vec3;
use crate::zipper::gamez::free::null_where_nothing;

record! {
    /// A light of a model, 76 bytes. Source: `zipper-models.md`, section 3.
    pub struct LightHead: 76 {
        mode: I32,
        behavior: I32,
        /// Seconds.
        timer: F32,
        vertex_count: I32 as Outside,
        elapsed: I32 = 0,
        state: I32 = 0,
        unk_18: U32 as Stale,
        /// Red, green, blue, each up to 255.
        color: [F32; 3],
        rgb: U16 = 0,
        /// Bits 0 to 10 are known to tools, but not what they mean.
        flags: U16,
        vertices_ptr: U32 as Pointer,
        unk_30: F32,
        unk_34: F32,
        unk_38: F32,
        unk_3c: I32,
        unk_40: F32,
        unk_44: F32,
        unk_48: F32,
    }
}

/// A light of a model.
#[derive(Clone, Debug, Default)]
pub struct Light {
    /// How it shines.
    pub head: LightHead,
    /// Where it shines.
    pub vertices: Block<Vec3>,
}

impl Light {
    /// Lays the record.
    pub(super) fn lay_head(&mut self, t: &mut Tape<'_>) -> Result {
        t.fill("vertex_count", &mut self.head.vertex_count, wide(self.vertices.len()))?;
        t.fields(&mut self.head)?;
        t.stated("vertex_count", self.head.vertex_count)?;
        null_where_nothing(t, "vertices_ptr", self.head.vertices_ptr, true);
        Ok(())
    }

    /// Lays the points, as many as the record says.
    pub(super) fn lay_vertices(&mut self, t: &mut Tape<'_>) -> Result {
        let count = t.stated("vertex_count", self.head.vertex_count)?;
        let count = if t.building() { count } else { wide(self.vertices.len()) };
        t.block("vertices", count, &mut self.vertices)
    }
}
