//! Polygons: first all records, then the data of each.

use bitflags::Flags as _;

use crate::Vec3;
use crate::gamez::free::null_where_nothing;
use crate::gamez::games::{GameRecord, Layouts};
use field::build::Tape;
use field::{Block, F32, Fault, I32, Place, Result, U8, U32, lay, wide};
use field::{flags, record};

use super::halves::{Data, Head};

record! {
    /// The zones in which an object is visible, 4 bytes. Source: `zipper-models.md`, section 5.
    pub struct Zones: 4 {
        /// The number of zones in use, at most three.
        length: U8,
        /// Signed; 255 if unused.
        zones: [U8; 3],
    }
}

flags! {
    /// The properties of a polygon of Recoil or MechWarrior 3; the low 8 bits are its number of corners.
    /// Source: `zipper-models.md`, section 4.
    pub struct PolygonFlagsRc(U32: u32) {
        /// It is two-sided.
        SHOW_BACKFACE = 0x100;
        /// Its corners have normals.
        NORMALS = 0x200;
        /// A strip of triangles, in MechWarrior 3.
        TRIANGLE_STRIP = 0x400;
    }
}

flags! {
    /// The properties of a polygon from Pirate's Moon onward; the low 10 bits are its number of corners.
    /// Source: `zipper-models.md`, section 4.
    pub struct PolygonFlags(U32: u32) {
        /// It is two-sided.
        SHOW_BACKFACE = 0x0400;
        /// Nothing grows on it; Crimson Skies.
        NO_CLUTTER = 0x0800;
        /// Its corners have normals.
        NORMALS = 0x1000;
        /// A strip of triangles.
        TRIANGLE_STRIP = 0x2000;
        /// In and out.
        IN_OUT = 0x4000;
    }
}

record! {
    /// A polygon of Recoil, 28 bytes. Source: `zipper-models.md`, section 4.
    pub struct PolygonRc: 28 {
        flags: PolygonFlagsRc,
        priority: I32,
        vertex_indices_ptr: U32 as Pointer,
        normal_indices_ptr: U32 as Pointer,
        /// Not null if texture coordinates follow.
        uvs_ptr: U32 as Pointer,
        material_index: I32,
        zone_set: Zones,
    }
}

record! {
    /// A polygon of MechWarrior 3, 36 bytes. Source: `zipper-models.md`, section 4.
    pub struct PolygonMw: 36 {
        flags: PolygonFlagsRc,
        priority: I32,
        vertex_indices_ptr: U32 as Pointer,
        normal_indices_ptr: U32 as Pointer,
        /// Not null if texture coordinates follow.
        uvs_ptr: U32 as Pointer,
        vertex_colors_ptr: U32 as Pointer,
        matl_refs_ptr: U32 as Pointer,
        material_index: I32,
        zone_set: Zones,
    }
}

record! {
    /// A polygon from Pirate's Moon onward, 40 bytes. Source: `zipper-models.md`, section 4.
    pub struct PolygonPm: 40 {
        flags: PolygonFlags,
        priority: I32,
        vertex_indices_ptr: U32 as Pointer,
        normal_indices_ptr: U32 as Pointer,
        material_count: U32 as Outside,
        materials_ptr: U32 as Pointer,
        /// Not null if texture coordinates follow, for each material.
        uvs_ptr: U32 as Pointer,
        vertex_colors_ptr: U32 as Pointer,
        matl_refs_ptr: U32 as Pointer,
        zone_set: Zones,
    }
}

/// The record of a polygon.
pub trait PolygonHeader: GameRecord {
    /// The bits of the flags that are the number of corners.
    const CORNERS: u32;
    /// `true` if corners have colors.
    const COLORS: bool;

    /// Returns the stored number of corners.
    fn corners(&self) -> u32;
    /// Stores a number of corners, which must fit.
    fn set_corners(&mut self, corners: u32);
    /// Returns `true` if corners have normals.
    fn has_normals(&self) -> bool;
    /// Returns `true` if it is a strip of triangles.
    fn is_strip(&self) -> bool;
    /// Returns the address of the texture coordinates, which is null if there are none.
    fn uvs_ptr(&self) -> U32;
    /// Returns the material in the record, or `None` if the materials follow the record.
    fn material_index(&self) -> Option<I32> {
        None
    }
    /// Returns the number of materials after the record, or `None` if the record holds its only material.
    fn material_count(&self) -> Option<U32> {
        None
    }
    /// Stores the number of materials, if they follow the record.
    ///
    /// # Errors
    /// Returns an error if the number does not fit.
    fn fill_materials(&mut self, t: &Tape<'_>, count: usize) -> Result {
        let _ = (t, count);
        Ok(())
    }
    /// Returns the zones.
    fn zones(&self) -> Zones;
    /// Returns the addresses by field, and for each whether its data must exist.
    fn addresses(&self) -> [(&'static str, U32, bool); 5];
}

/// Placeholder for an address that a game does not have.
const NONE: (&str, U32, bool) = ("flags", U32::new(0), false);

/// Defines the functions for fields that have the same names in every game. The flags are those of the game.
macro_rules! common {
    ($flags:ty) => {
        fn corners(&self) -> u32 {
            self.flags.bits() & Self::CORNERS
        }

        fn set_corners(&mut self, corners: u32) {
            self.flags = <$flags>::from_bits_retain(self.flags.bits() & !Self::CORNERS | corners);
        }

        fn has_normals(&self) -> bool {
            self.flags.contains(<$flags>::NORMALS)
        }

        fn is_strip(&self) -> bool {
            self.flags.contains(<$flags>::TRIANGLE_STRIP)
        }

        fn uvs_ptr(&self) -> U32 {
            self.uvs_ptr
        }

        fn zones(&self) -> Zones {
            self.zone_set
        }
    };
}

impl PolygonHeader for PolygonRc {
    const CORNERS: u32 = 0xFF;
    const COLORS: bool = false;

    common!(PolygonFlagsRc);

    fn material_index(&self) -> Option<I32> {
        Some(self.material_index)
    }

    fn addresses(&self) -> [(&'static str, U32, bool); 5] {
        [
            ("vertex_indices_ptr", self.vertex_indices_ptr, true),
            ("normal_indices_ptr", self.normal_indices_ptr, self.has_normals()),
            NONE,
            NONE,
            NONE,
        ]
    }
}

impl PolygonHeader for PolygonMw {
    const CORNERS: u32 = 0xFF;
    const COLORS: bool = true;

    common!(PolygonFlagsRc);

    fn material_index(&self) -> Option<I32> {
        Some(self.material_index)
    }

    fn addresses(&self) -> [(&'static str, U32, bool); 5] {
        [
            ("vertex_indices_ptr", self.vertex_indices_ptr, true),
            ("normal_indices_ptr", self.normal_indices_ptr, self.has_normals()),
            ("vertex_colors_ptr", self.vertex_colors_ptr, true),
            ("matl_refs_ptr", self.matl_refs_ptr, true),
            NONE,
        ]
    }
}

impl PolygonHeader for PolygonPm {
    const CORNERS: u32 = 0x3FF;
    const COLORS: bool = true;

    common!(PolygonFlags);

    fn material_count(&self) -> Option<U32> {
        Some(self.material_count)
    }

    fn fill_materials(&mut self, t: &Tape<'_>, count: usize) -> Result {
        t.computed("material_count", &mut self.material_count, wide(count))
    }

    fn addresses(&self) -> [(&'static str, U32, bool); 5] {
        [
            ("vertex_indices_ptr", self.vertex_indices_ptr, true),
            ("normal_indices_ptr", self.normal_indices_ptr, self.has_normals()),
            ("materials_ptr", self.materials_ptr, true),
            ("vertex_colors_ptr", self.vertex_colors_ptr, true),
            ("matl_refs_ptr", self.matl_refs_ptr, true),
        ]
    }
}

/// A polygon.
#[derive(Clone, Debug, Default)]
pub struct Polygon<G: Layouts> {
    /// The properties of the polygon.
    pub head: G::Polygon,
    /// The points of its corners.
    pub vertices: Block<U32>,
    /// The normals of its corners.
    pub normals: Block<U32>,
    /// Its materials, from Pirate's Moon onward.
    pub materials: Block<I32>,
    /// The texture coordinates of its corners, for each material in turn.
    pub uvs: Block<[F32; 2]>,
    /// The colors of its corners, from MechWarrior 3 onward.
    pub colors: Block<Vec3>,
}

lay! {
    impl<G: Layouts> LayBy<Head> for Polygon<G> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, _: Head) -> Result {
            t.when_recomputing(at!(*self), |polygon, t| polygon.count(t))?;
            let head = at!(self.head);
            t.fields(at!(*head))?;
            for (name, address, something) in head.addresses() {
                t.judge(|t| null_where_nothing(t, name, address, something));
            }
            let Zones { length, zones } = head.zones();
            let unused = zones.iter().skip(length.get().into());
            if length.get() > 3 || unused.into_iter().any(|zone| zone.get() != 0xFF) {
                t.expect("zone_set", || Some(("at most three zones, then 255".into(), "other zones".into())));
            }
            Ok(())
        }
    }

    /// Its data, as much as the record states.
    impl<G: Layouts> LayBy<Data> for Polygon<G> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, _: Data) -> Result {
            let Self { head, vertices, normals, materials, uvs, colors } = self;
            let corners = u64::from(head.corners());
            t.block("vertices", corners, vertices)?;
            let present = |present: bool| if present { corners } else { 0 };
            if head.has_normals() || !normals.is_empty() {
                t.block("normals", present(head.has_normals()), normals)?;
            }
            let mut groups = 1;
            if let Some(count) = head.material_count() {
                groups = count.get().into();
                t.block("materials", groups, materials)?;
            }
            let has_uvs = head.uvs_ptr().get() != 0;
            if has_uvs || !uvs.is_empty() {
                t.block("uvs", present(has_uvs) * groups, uvs)?;
            }
            if G::Polygon::COLORS {
                t.block("colors", corners, colors)?;
            }
            Ok(())
        }
    }
}

impl<G: Layouts> Polygon<G> {
    /// Stores the numbers of corners and materials in the record.
    fn count(&mut self, t: &mut Tape<'_>) -> Result {
        let was = self.head;
        let corners = wide(self.vertices.len());
        let fits = u32::try_from(corners).ok().filter(|corners| corners & !G::Polygon::CORNERS == 0);
        let too_many = || t.error_in("flags", Fault::TooLarge { value: corners, field: "number of corners" });
        self.head.set_corners(fits.ok_or_else(too_many)?);
        t.report_replaced(Place::clone, &was, &self.head);
        self.head.fill_materials(t, self.materials.len())
    }

    /// Returns the first of its materials, from Pirate's Moon onward.
    pub(super) fn first_material(&self) -> Option<I32> {
        self.materials.first().copied()
    }

    /// Returns its only or first material, or `None` if it has none or -1.
    #[must_use]
    pub fn material(&self) -> Option<usize> {
        let index = self.head.material_index().or_else(|| self.first_material())?;
        usize::try_from(index.get()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: `zipper-models.md`, sections 5 and 7.
    #[test]
    fn flags_and_zones_match_the_spec() {
        for (word, length, zones) in [
            (0xFFFF_FF00_u32, 0, [0xFF, 0xFF, 0xFF]),
            (0xFFFF_0101, 1, [1, 0xFF, 0xFF]),
            (0xFF05_0202, 2, [2, 5, 0xFF]),
            (0x0302_0103, 3, [1, 2, 3]),
            (0xFFFF_FF01, 1, [0xFF, 0xFF, 0xFF]),
        ] {
            let found: Zones = bytemuck::pod_read_unaligned(&word.to_le_bytes());
            assert_eq!((found.length.get(), found.zones.map(U8::get)), (length, zones));
        }
        let shown = |word: u32| format!("{:?}", PolygonFlags::from_bits_retain(word));
        assert_eq!(shown(0x1403), "SHOW_BACKFACE | NORMALS | 0x3");
        assert_eq!(shown(0x300C), "NORMALS | TRIANGLE_STRIP | 0xc");
        assert_eq!(format!("{:?}", PolygonFlagsRc::from_bits_retain(0x0204)), "NORMALS | 0x4");
    }
}
