//! The sun.

use crate::Vec3;
use crate::gamez::free::null_where_nothing;
use crate::gamez::games::{CrimsonSkies, GameRecord, Layouts};
use field::build::Tape;
use field::{Block, F32, I32, Result, U32, lay, wide};
use field::{flags, record};

record! {
    /// The beginning of a light of Recoil, 8 bytes. Source: `zipper-nodes.md`, section 6.6.
    pub struct LightRecalc: 8 {
        recalc: U32,
        unk_04: U32,
    }
}

record! {
    /// The position and direction of a light, 156 bytes. Source: `zipper-nodes.md`, section 6.6.
    pub struct LightPose: 156 {
        /// Radians.
        orientation: Vec3,
        translate: Vec3,
        world: [U32; 6] = [U32::new(0); 6],
        transform: [F32; 12] = [F32::new(0.0); 12],
        vectors: [U32; 9] = [U32::new(0); 9],
        world_view_vector: Vec3 = [F32::new(0.0), F32::new(1.0), F32::new(0.0)],
        camera_view_vector: Vec3 = [F32::new(0.0); 3],
    }
}

record! {
    /// The brightness and color of a light, 20 bytes. Source: `zipper-nodes.md`, section 6.6.
    pub struct LightTint: 20 {
        diffuse: F32,
        ambient: F32,
        /// Red, green, blue, each up to 1.
        color: [F32; 3],
    }
}

record! {
    /// The type of a light in Recoil, 20 bytes: each field is 0 or 1. Source: `zipper-nodes.md`, section 6.6.
    pub struct LightKinds: 20 {
        directional: U32,
        directed_source: U32,
        point_source: U32,
        saturated: U32,
        unk_c8: U32,
    }
}

record! {
    /// Mixed colors, from Pirate's Moon onward, 48 bytes. Source: `zipper-nodes.md`, section 6.6.
    pub struct LightMix: 48 {
        color_ambient: [F32; 3],
        diffuse_mixed: [F32; 3],
        ambient_mixed: [F32; 3],
        combined: [F32; 3],
    }
}

record! {
    /// The range of a light of Recoil, 24 bytes. Source: `zipper-nodes.md`, section 6.6.
    pub struct LightRangeRc: 24 {
        range_near: F32,
        range_far: F32,
        range_far_sq: F32 => |it| it.range_far.get() * it.range_far.get(),
        range_inv: F32 => |it| 1.0 / (it.range_far.get() - it.range_near.get()),
        attached_count: I32 as Outside,
        attached_ptr: U32 as Pointer,
    }
}

/// Declares the properties of a light: those that all games have, between the first and the last ones of the game.
macro_rules! light_flags {
    ($(#[$meta:meta])* $name:ident { $($first:tt)* } { $($last:tt)* }) => {
        flags! {
            $(#[$meta])*
            pub struct $name(U32: u32) {
                /// It is to be computed again.
                RECALC = 0x001;
                $($first)*
                /// It shines from a point.
                POINT = 0x010;
                /// Saturated.
                SATURATED = 0x020;
                /// Subdivided.
                SUBDIVIDE = 0x040;
                $($last)*
            }
        }
    };
}

light_flags! {
    /// The properties of a light of MechWarrior 3. Source: `zipper-nodes.md`, section 6.6.
    LightFlagsMw {
        /// It shines in one direction.
        DIRECTIONAL = 0x004;
        /// It shines in one direction from a point.
        DIRECTED = 0x008;
    } {
        /// Static.
        STATIC = 0x080;
        /// Colored.
        COLOR = 0x100;
    }
}

light_flags! {
    /// The properties of a light of Pirate's Moon. Source: `zipper-nodes.md`, section 6.6.
    LightFlagsPm {
        /// It shines in one direction.
        DIRECTIONAL = 0x004;
        /// It shines in one direction from a point.
        DIRECTED = 0x008;
    } {
        /// With a light map.
        LIGHT_MAP = 0x080;
        /// Static.
        STATIC = 0x100;
        /// Colored.
        COLOR = 0x200;
        /// With two colors.
        BICOLORED = 0x400;
    }
}

light_flags! {
    /// The properties of a light of Crimson Skies. Source: `zipper-nodes.md`, section 6.6.
    LightFlagsCs {
        /// It shines in one direction; bit 2 has this name in earlier games.
        DIRECTIONAL = 0x008;
    } {
        /// With a light map.
        LIGHT_MAP = 0x080;
        /// Static.
        STATIC = 0x100;
        /// Colored.
        COLOR = 0x200;
        /// With two colors.
        BICOLORED = 0x400;
        /// It is enabled.
        ENABLED = 0x800;
    }
}

macro_rules! light_range {
    ($($name:ident($flags:ty), $doc:literal;)*) => { $(
        record! {
            #[doc = $doc]
            pub struct $name: 32 {
                flags: $flags,
                range_near: F32,
                range_far: F32,
                range_near_sq: F32 as Outside,
                range_far_sq: F32 => |it| it.range_far.get() * it.range_far.get(),
                range_inv: F32 => |it| 1.0 / (it.range_far.get() - it.range_near.get()),
                attached_count: I32 as Outside,
                attached_ptr: U32 as Pointer,
            }
        }

        impl LightRange for $name {
            fn attached_count(&self) -> I32 {
                self.attached_count
            }

            fn fill_attached(&mut self, t: &Tape<'_>, count: usize) -> Result {
                t.computed("attached_count", &mut self.attached_count, wide(count))
            }

            fn attached_ptr(&self) -> U32 {
                self.attached_ptr
            }

            fn by_rule(&self, version: u32) -> Self {
                let near = self.range_near.get();
                let near_sq = if version == CrimsonSkies::VERSION { NEAR_SQ_CS } else { near * near };
                Self { range_near_sq: near_sq.into(), ..*self }
            }
        }
    )* };
}
light_range! {
    LightRangeMw(LightFlagsMw), "The range of a light of MechWarrior 3, 32 bytes. Source: `zipper-nodes.md`, section 6.6.";
    LightRangePm(LightFlagsPm), "The range of a light of Pirate's Moon, 32 bytes. Source: `zipper-nodes.md`, section 6.6.";
    LightRangeCs(LightFlagsCs), "The range of a light of Crimson Skies, 32 bytes. Source: `zipper-nodes.md`, section 6.6.";
}

/// The square of the near range that every light of Crimson Skies stores, even if its near range differs.
const NEAR_SQ_CS: f32 = 1024.0;

/// The sun.
#[derive(Clone, Debug, Default)]
pub struct Sun<G: Layouts> {
    /// The first fields, in Recoil only.
    pub recalc: G::LightRecalc,
    /// Position and direction.
    pub pose: LightPose,
    /// Brightness and color.
    pub tint: LightTint,
    /// The fields that depend on the game.
    pub mix: G::LightMix,
    /// The range.
    pub range: G::LightRange,
    /// The world nodes that it shines on.
    pub attached: Block<I32>,
}

lay! {
    impl<G: Layouts> Lay for Sun<G> {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let Self { recalc, pose, tint, mix, range, attached } = self;
            t.fields(recalc)?;
            t.fields(pose)?;
            t.fields(tint)?;
            t.fields(mix)?;
            t.when_recomputing(at!(*range), |range, t| range.fill_attached(t, attached.len()))?;
            t.fields_ruled(at!(*range), |range| range.by_rule(G::VERSION))?;
            let count = t.stated("attached_count", range.attached_count())?;
            t.judge(|t| null_where_nothing(t, "attached_ptr", range.attached_ptr(), count > 0));
            t.block("attached", count, attached)
        }
    }
}

/// The range of a light.
pub trait LightRange: GameRecord {
    /// Returns the number of nodes that it shines on.
    fn attached_count(&self) -> I32;
    /// Stores the number of nodes that it shines on.
    ///
    /// # Errors
    /// Returns an error if the number does not fit.
    fn fill_attached(&mut self, t: &Tape<'_>, count: usize) -> Result;
    /// Returns the address of the list of these nodes.
    fn attached_ptr(&self) -> U32;
    /// Returns the record with the values that the rules of a version give.
    #[must_use]
    fn by_rule(&self, version: u32) -> Self;
}

impl LightRange for LightRangeRc {
    fn attached_count(&self) -> I32 {
        self.attached_count
    }

    fn fill_attached(&mut self, t: &Tape<'_>, count: usize) -> Result {
        t.computed("attached_count", &mut self.attached_count, wide(count))
    }

    fn attached_ptr(&self) -> U32 {
        self.attached_ptr
    }

    fn by_rule(&self, _: u32) -> Self {
        *self
    }
}
