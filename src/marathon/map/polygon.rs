//! Polygons.

use field::record;
use field::{I16be, I32be, U16be};

use super::super::names::{EarlyPolygonKind, PolygonFlags, PolygonKind, TransferMode};
use super::super::numbers::{Distance, EarlyShape, Index, Shape};
use super::lists::Runs;
use super::rules::{Geometry, Outlined};

/// A polygon of any game of the trilogy. In Marathon, kinds and textures are of other types.
pub trait AnyPolygon {
    /// Returns the name of its kind, or `None` if no game has that kind.
    fn kind_name(&self) -> Option<&'static str>;
    /// Returns the number of its kind.
    fn kind_number(&self) -> i16;
    /// Returns the target of the kind: a platform, a light, a polygon, a team.
    fn permutation(&self) -> i16;
    /// Returns its endpoints clockwise, without the unused slots, or none if the count exceeds the slots.
    fn vertices(&self) -> &[Index];
    /// Returns its lines, one for each endpoint.
    fn lines(&self) -> &[Index];
    /// Returns the polygons beyond its lines; -1 for none.
    fn adjacent_polygons(&self) -> &[Index];
    /// Returns its sides of these lines; -1 for none.
    fn sides(&self) -> &[Index];
    /// Returns the height of its floor.
    fn floor_height(&self) -> Distance;
    /// Returns the height of its ceiling.
    fn ceiling_height(&self) -> Distance;
    /// Returns the mean of its endpoints.
    fn center(&self) -> [Distance; 2];
}

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
                self.used(&self.endpoints)
            }

            /// Returns the slots in use, or none if the count exceeds the slots.
            fn used<'s>(&self, slots: &'s [Index; 8]) -> &'s [Index] {
                slots.get(..self.vertex_count.get().into()).unwrap_or_default()
            }
        }

        impl AnyPolygon for $name {
            fn kind_name(&self) -> Option<&'static str> {
                self.kind.name()
            }

            fn kind_number(&self) -> i16 {
                self.kind.get()
            }

            fn permutation(&self) -> i16 {
                self.permutation.get()
            }

            fn vertices(&self) -> &[Index] {
                self.vertices()
            }

            fn lines(&self) -> &[Index] {
                self.used(&self.lines)
            }

            fn adjacent_polygons(&self) -> &[Index] {
                self.used(&self.adjacent_polygons)
            }

            fn sides(&self) -> &[Index] {
                self.used(&self.sides)
            }

            fn floor_height(&self) -> Distance {
                self.floor_height
            }

            fn ceiling_height(&self) -> Distance {
                self.ceiling_height
            }

            fn center(&self) -> [Distance; 2] {
                self.center
            }
        }

        impl Outlined for $name {
            fn runs(&self) -> Runs {
                Runs {
                    vertex_count: self.vertex_count.get(),
                    starts: [self.first_exclusion_zone, self.first_neighbor, self.first_sound_source],
                    zones: [self.line_exclusion_count, self.point_exclusion_count],
                    neighbor_count: self.neighbor_count,
                }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Array;
    use crate::chunk::Content;

    #[test]
    fn polygons_of_all_games_are_read_alike() {
        let index = |number: i16| Index::from(number);
        let mut late = Polygon { kind: PolygonKind::PLATFORM, vertex_count: 3.into(), ..Polygon::default() };
        late.endpoints = [7, 8, 9, -1, -1, -1, -1, -1].map(index);
        (late.floor_height, late.ceiling_height) = (Distance::new(-512), Distance::new(1024));
        let mut early =
            EarlyPolygon { kind: EarlyPolygonKind::PLATFORM, vertex_count: 3.into(), ..EarlyPolygon::default() };
        (early.endpoints, early.floor_height, early.ceiling_height) =
            (late.endpoints, late.floor_height, late.ceiling_height);
        // A count beyond the slots.
        let odd = Polygon { vertex_count: 9.into(), ..late };
        let late = Content::Polygons(Array { records: vec![late, odd].into(), ..Array::default() });
        let early = Content::EarlyPolygons(Array { records: vec![early].into(), ..Array::default() });
        for chunk in [&late, &early] {
            let polygon = chunk.any_polygons()[0];
            assert_eq!(polygon.kind_name(), Some("PLATFORM"));
            assert_eq!(polygon.vertices(), [7, 8, 9].map(index));
            assert_eq!([polygon.lines(), polygon.sides(), polygon.adjacent_polygons()].map(<[Index]>::len), [3; 3]);
            let heights = [polygon.floor_height(), polygon.ceiling_height()].map(|height| height.get());
            assert_eq!(heights, [-512, 1024]);
        }
        assert!(late.any_polygons()[1].vertices().is_empty());
        assert!(Content::default().any_polygons().is_empty());
    }
}
