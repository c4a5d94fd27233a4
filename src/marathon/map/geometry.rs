//! Points and lines.

use field::record;
use field::{I16be, Stale};

use super::super::names::{EndpointFlags, LineFlags};
use super::super::numbers::{Distance, Index};

record! {
    /// A point of a level as an editor left it, 4 bytes. Source: `marathon-map.md`, `PNTS`.
    pub struct Point: 4 {
        x: Distance,
        y: Distance,
    }
}

record! {
    /// A point of a different level, 16 bytes. Source: `marathon-map.md`, `EPNT`.
    pub struct Endpoint: 16 {
        flags: EndpointFlags as Derived,
        /// The highest floor of the polygons at the point, -32768 without any.
        highest_adjacent_floor: Distance as Outside,
        /// The lowest ceiling of the polygons at the point, 32767 without any.
        lowest_adjacent_ceiling: Distance as Outside,
        x: Distance,
        y: Distance,
        /// Screen position in a running game.
        transformed: [I16be; 2] as Stale,
        supporting_polygon: Index as Derived,
    }
}

record! {
    /// A line, 32 bytes. Source: `marathon-map.md`, `LINS`.
    pub struct Line: 32 {
        endpoints: [Index; 2],
        flags: LineFlags as Derived,
        /// The distance between the endpoints, rounded to the nearest integer, its low 16 bits.
        length: Distance as Outside,
        /// The highest floor of the polygons of the line, 0 without any.
        highest_adjacent_floor: Distance as Outside,
        /// The lowest ceiling of the polygons of the line, 0 without any.
        lowest_adjacent_ceiling: Distance as Outside,
        clockwise_side: Index,
        counterclockwise_side: Index,
        clockwise_polygon: Index,
        counterclockwise_polygon: Index,
        unused: Stale<12>,
    }
}
