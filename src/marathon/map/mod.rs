//! Contents of the chunks of a level.
//!
//! Derived fields have the documented values in levels of Marathon and in those processed by Bungie's preprocessor, which have `EPNT` and
//! `iidx`. In a level saved by an editor they may be zeros, -1 or stale.
//!
//! Source: [`marathon-map.md`](formats::marathon_map).

mod geometry;
mod information;
mod light;
pub(super) mod lint;
mod lists;
mod object;
mod platform;
mod polygon;
mod rules;
mod side;
mod surroundings;

pub use geometry::{Endpoint, Line, Point};
pub use information::{EarlyInformation, Information, Name, ShortInformation};
pub use light::{EarlyLight, Light, Pulse, SavedLight};
pub(super) use lists::Lists;
pub use object::{Annotation, EarlyObject, Frequency, Object, Placement};
pub use platform::{EndpointOwner, Platform, PlatformPlan};
pub use polygon::{AnyPolygon, EarlyPolygon, Polygon};
pub(super) use rules::{Geometry, ruled};
pub use side::{EarlySide, EarlyTexture, Side, Texture};
pub use surroundings::{AmbientSource, Liquid, RandomSource};
