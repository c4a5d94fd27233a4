//! Platforms.

use field::record;
use field::{I16be, Stale};

use super::super::names::{PlatformFlags, PlatformKind, PlatformSpeed, PlatformState};
use super::super::numbers::{Distance, Index};

record! {
    /// A platform as designed, 32 bytes. Source: `marathon-map.md`, `plat`.
    pub struct PlatformPlan: 32 {
        kind: PlatformKind,
        speed: PlatformSpeed,
        delay: I16be,
        /// -1 to use the heights around it.
        maximum_height: Distance,
        /// -1 to use the heights around it.
        minimum_height: Distance,
        flags: PlatformFlags,
        polygon: Index,
        tag: I16be,
        unused: [I16be; 7] = [I16be::new(0); 7],
    }
}

record! {
    /// The polygons and lines that move with a platform at one of its endpoints, 8 bytes: runs of the index lists. Source:
    /// `marathon-map.md`, `PLAT`.
    pub struct EndpointOwner: 8 {
        first_polygon: I16be,
        polygon_count: I16be,
        first_line: I16be,
        line_count: I16be,
    }
}

record! {
    /// A platform in its runtime form, 140 bytes. Source: `marathon-map.md`, `PLAT`.
    pub struct Platform: 140 {
        kind: PlatformKind,
        flags: PlatformFlags,
        speed: PlatformSpeed,
        delay: I16be,
        minimum_floor_height: Distance as Derived,
        maximum_floor_height: Distance as Derived,
        minimum_ceiling_height: Distance as Derived,
        maximum_ceiling_height: Distance as Derived,
        polygon: Index,
        state: PlatformState as Derived,
        floor_height: Distance as Derived,
        ceiling_height: Distance as Derived,
        ticks_until_restart: I16be as Stale,
        /// One per vertex of the polygon; leftover memory after them.
        endpoint_owners: [EndpointOwner; 8] as Derived,
        parent: Index = -1,
        tag: I16be,
        unused: Stale<44>,
    }
}
