//! Polygons.

use field::record;
use field::{I16be, I32be, U16be};

use super::super::names::{EarlyPolygonKind, PolygonFlags, PolygonKind, TransferMode};
use super::super::numbers::{Distance, EarlyShape, Index, Shape};
use super::lists::Runs;
use super::rules::{Geometry, Heights, Outlined};

/// Declares a polygon: Marathon has different kinds.
macro_rules! polygon {
    ($(#[$meta:meta])* $name:ident, $kind:ty, $shape:ty) => {
        record! {
            $(#[$meta])*
            pub struct $name: 128 {
                kind: $kind,
                flags: PolygonFlags,
                /// The target of the kind: a platform, a light, a polygon, a team.
                permutation: I16be,
                /// The number of slots in use below, 3 to 8.
                vertex_count: U16be,
                /// Clockwise.
                endpoints: [Index; 8],
                lines: [Index; 8],
                floor_texture: $shape,
                ceiling_texture: $shape,
                floor_height: Distance,
                ceiling_height: Distance,
                floor_light: Index,
                ceiling_light: Index,
                area: I32be as Outside,
                /// Set in a running game.
                first_object: Index as Pointer,
                /// The start of its exclusion zones in the index lists.
                first_exclusion_zone: I16be as Derived,
                line_exclusion_count: I16be as Derived,
                point_exclusion_count: I16be as Derived,
                floor_transfer_mode: TransferMode,
                ceiling_transfer_mode: TransferMode,
                adjacent_polygons: [Index; 8] as Derived,
                /// The start of its neighbors in the index lists.
                first_neighbor: I16be as Derived,
                neighbor_count: I16be as Derived,
                /// The mean of the vertices, rounded toward zero.
                center: [Distance; 2] as Outside,
                sides: [Index; 8],
                floor_origin: [Distance; 2],
                ceiling_origin: [Distance; 2],
                /// 0 in Marathon, which has no liquids.
                media: Index,
                /// Leftover memory if there is no liquid.
                media_light: Index,
                /// The start of its sound sources in the index lists; 0 in Marathon, arbitrary in unprocessed maps.
                first_sound_source: I16be as Derived,
                ambient_sound: Index,
                random_sound: Index,
                unused: I16be = 0,
            }
        }

        impl $name {
            /// Returns its endpoints without the unused slots, or none if the count exceeds the slots.
            #[must_use]
            pub fn vertices(&self) -> &[Index] {
                self.endpoints.get(..self.vertex_count.get().into()).unwrap_or_default()
            }
        }

        impl Outlined for $name {
            fn vertices(&self) -> &[Index] {
                self.vertices()
            }

            fn runs(&self) -> Runs {
                Runs {
                    vertex_count: self.vertex_count.get(),
                    starts: [self.first_exclusion_zone, self.first_neighbor, self.first_sound_source],
                    zones: [self.line_exclusion_count, self.point_exclusion_count],
                    neighbor_count: self.neighbor_count,
                }
            }

            fn heights(&self) -> Heights {
                Heights { floor: self.floor_height.get(), ceiling: self.ceiling_height.get() }
            }

            fn by(&self, level: &Geometry) -> Self {
                let (area, center) = level.area_and_center(self.vertices()).unwrap_or_default();
                Self { area: area.into(), center: center.map(Distance::new), ..*self }
            }
        }
    };
}

polygon! {
    /// A polygon, 128 bytes. Source: `marathon-map.md`, `POLY`.
    Polygon, PolygonKind, Shape
}

polygon! {
    /// A polygon in Marathon, 128 bytes. Source: `marathon-map.md`, `POLY`.
    EarlyPolygon, EarlyPolygonKind, EarlyShape
}
