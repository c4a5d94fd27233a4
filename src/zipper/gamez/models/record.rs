//! The record of a model: the fields of every game, between those of some games.

use crate::Vec3;
use crate::gamez::games::{GameRecord, Nothing};
use field::build::Tape;
use field::{F32, I32, Result, U32, wide};
use field::{flags, names, record};

names! {
    /// The type of a model. Source: `zipper-models.md`, section 2.
    pub struct ModelKind(U32: u32) {
        /// A model that keeps its orientation.
        DEFAULT = 0;
        /// A facade, which turns to face the viewer.
        FACADE = 1;
        /// Points only.
        POINTS = 2;
    }
}

names! {
    /// The way in which a facade turns. Source: `zipper-models.md`, section 2.
    pub struct FacadeMode(U32: u32) {
        /// Around y.
        CYLINDRICAL_Y = 0;
        /// In all directions.
        SPHERICAL_Y = 1;
        /// Around x.
        CYLINDRICAL_X = 2;
        /// Around z.
        CYLINDRICAL_Z = 3;
    }
}

flags! {
    /// The properties of a model of Recoil. Source: `zipper-models.md`, section 2.
    pub struct ModelFlagsRc(U32: u32) {
        /// It is lit.
        LIGHTING = 0x01;
        /// Fog affects it.
        FOG = 0x02;
        /// Its textures are registered.
        TEXTURES_REGISTERED = 0x04;
        /// It morphs.
        MORPH = 0x08;
        /// A facade that turns in all directions.
        FACADE_SPHERICAL = 0x10;
        /// Its textures scroll; the engine's bounds code treats the bit as the axis of a facade.
        TEXTURE_SCROLL = 0x20;
    }
}

flags! {
    /// The properties of a model of later games. Source: `zipper-models.md`, section 2.
    pub struct ModelFlags(U32: u32) {
        /// It is lit.
        LIGHTING = 0x01;
        /// Fog affects it.
        FOG = 0x02;
        /// Its textures are registered.
        TEXTURES_REGISTERED = 0x04;
        /// It morphs.
        MORPH = 0x08;
        /// Its textures scroll.
        TEXTURE_SCROLL = 0x10;
        /// Clouds.
        CLOUDS = 0x20;
        /// A facade that turns around its centroid.
        FACADE_CENTROID = 0x40;
        /// The hardware draws it.
        HARDWARE_RENDER = 0x80;
    }
}

record! {
    /// The beginning of a model of Recoil, 8 bytes. Source: `zipper-models.md`, section 2.
    pub struct ModelHeadRc: 8 {
        model_type: ModelKind,
        flags: ModelFlagsRc,
    }
}

record! {
    /// The beginning of a model of later games, 12 bytes. Source: `zipper-models.md`, section 2.
    pub struct ModelHeadMw: 12 {
        model_type: ModelKind,
        facade_mode: FacadeMode,
        flags: ModelFlags,
    }
}

record! {
    /// The middle of a model, 76 bytes. Source: `zipper-models.md`, section 2.
    pub struct ModelBody: 76 {
        /// The number of references to it, as the engine counts them.
        parent_count: U32,
        polygon_count: U32 as Outside,
        vertex_count: U32 as Outside,
        normal_count: U32 as Outside,
        morph_count: U32 as Outside,
        light_count: U32 as Outside,
        morph_factor: F32 = 0.0,
        tex_scroll_u: F32,
        tex_scroll_v: F32,
        tex_scroll_frame: U32 = 0,
        polygons_ptr: U32 as Pointer,
        vertices_ptr: U32 as Pointer,
        normals_ptr: U32 as Pointer,
        lights_ptr: U32 as Pointer,
        morphs_ptr: U32 as Pointer,
        bbox_mid: Vec3,
        /// Half the diagonal of the bounds.
        bbox_diag: F32,
    }
}

record! {
    /// The end of a model of MechWarrior 3, 4 bytes. Source: `zipper-models.md`, section 2.
    pub struct ModelEndMw: 4 {
        active_polygon_index: U32 = 0,
    }
}

record! {
    /// The end of a model from Pirate's Moon onward, 12 bytes. Source: `zipper-models.md`, section 2.
    pub struct ModelEndPm: 12 {
        active_polygon_index: U32 = 0,
        material_ref_count: U32 as Outside,
        material_refs_ptr: U32 as Pointer,
    }
}

record! {
    /// A free slot of Recoil, 88 bytes. Source: `zipper-models.md`, section 1.
    pub struct FreeModelRc: 88 {
        unused: [U32; 21] = [U32::new(0); 21],
        next_free: I32,
    }
}

record! {
    /// A free slot of MechWarrior 3, 96 bytes. Source: `zipper-models.md`, section 1.
    pub struct FreeModelMw: 96 {
        unused: [U32; 23] = [U32::new(0); 23],
        next_free: I32,
    }
}

record! {
    /// A free slot from Pirate's Moon onward, 104 bytes. Source: `zipper-models.md`, section 1.
    pub struct FreeModelPm: 104 {
        unused: [U32; 25] = [U32::new(0); 25],
        next_free: I32,
    }
}

/// A free slot.
pub trait Next {
    /// Returns the next free slot, as stored.
    fn next(&self) -> u32;
}

macro_rules! next {
    ($($of:ty),*) => { $(
        impl Next for $of {
            fn next(&self) -> u32 {
                u32::from_le_bytes(self.next_free.get().to_le_bytes())
            }
        }
    )* };
}
next!(FreeModelRc, FreeModelMw, FreeModelPm);

/// The beginning of a model.
pub trait ModelHeader: GameRecord {
    /// Returns `true` if the model keeps its orientation and has more than points.
    fn is_plain(&self) -> bool;
}

impl ModelHeader for ModelHeadRc {
    fn is_plain(&self) -> bool {
        self.model_type == ModelKind::DEFAULT
    }
}

impl ModelHeader for ModelHeadMw {
    fn is_plain(&self) -> bool {
        self.model_type == ModelKind::DEFAULT
    }
}

/// The end of a model.
pub trait ModelEnd: GameRecord {
    /// Returns the stored address and count of the material references, or `None` if the game has none.
    fn references(&self) -> Option<(U32, U32)>;

    /// Stores the number of references.
    ///
    /// # Errors
    /// Returns an error if the number does not fit.
    fn fill(&mut self, t: &Tape<'_>, references: usize) -> Result;
}

impl ModelEnd for Nothing {
    fn references(&self) -> Option<(U32, U32)> {
        None
    }

    fn fill(&mut self, _: &Tape<'_>, _: usize) -> Result {
        Ok(())
    }
}

impl ModelEnd for ModelEndMw {
    fn references(&self) -> Option<(U32, U32)> {
        None
    }

    fn fill(&mut self, _: &Tape<'_>, _: usize) -> Result {
        Ok(())
    }
}

impl ModelEnd for ModelEndPm {
    fn references(&self) -> Option<(U32, U32)> {
        Some((self.material_refs_ptr, self.material_ref_count))
    }

    fn fill(&mut self, t: &Tape<'_>, references: usize) -> Result {
        t.computed("material_ref_count", &mut self.material_ref_count, wide(references))
    }
}
