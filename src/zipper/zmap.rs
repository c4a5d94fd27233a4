//! Recoil's map files, `maps/m<N>.zmap`: the polylines of the map screen.
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`] | 32 |
//! | features to the end of the file, unaligned, no count | 11 + 12 per point |
//! | trailing bytes | at most 2 |
//!
//! The engine stops at the first short read, so one or two bytes, which cannot even hold a color, are kept as trailing
//! bytes. More bytes are a truncated feature and are refused, although the spec would keep them: a file truncated by a
//! bad copy must not pass. Not understood: `unk04` (1 to 31 in retail files).
//!
//! Source: [`zipper-zmap.md`](formats::zipper_zmap).

use field::macros::split_head;
use field::record;
use field::{Block, F32, I32, Result, Run, Step, U8, U32, lay, wide};
use kind::{Format, Game, binrw_over_lay};
use lint::{Lint, Trap, Warnings, Watch, traps};
use passes::damage::is_beyond_cut;
use passes::zeros::is_lost_end;

use super::Vec3;

/// The length of a color; fewer bytes cannot begin a feature.
const COLOR: u64 = 3;

traps! { TRAPS:
    NO_POINTS = "map-points" in File:
        "a feature has no points" => "the game reads a first point anyway", "zipper-zmap.md, section 1 (engine)";
    IGNORED = "map-value-ignored" in Change:
        "a value that the game does not use was changed" => "the edit has no effect",
        "zipper-editing.md, section 1 (engine)";
}

record! {
    /// The header, 32 bytes. Source: `zipper-zmap.md`, section 1.
    pub struct Header: 32 {
        version: U32 = 5,
        unk04: U32,
        /// The stored bounds; the engine enlarges its copy while loading, and files do not agree with their points.
        min: [F32; 3],
        max: [F32; 3],
    }
}

record! {
    /// Color (r, g, b) and number of points of a feature, 7 bytes. Source: `zipper-zmap.md`, section 1.
    pub struct FeatureHeader: 7 {
        color: [U8; 3],
        point_count: I32 as Outside,
    }
}

/// A polyline on the map.
#[derive(Clone, Debug, Default)]
pub struct Feature {
    /// Color and number of points.
    pub head: FeatureHeader,
    /// The points, in world units; the map is drawn over x and z.
    pub points: Block<Vec3>,
    /// The index of its objective, or -1.
    pub objective: I32,
}

/// A map file. Its warnings are found without a file:
///
/// ```
/// # mod bitexact { pub use {field, kind, lint, bitexact_zipper as zipper}; }
/// use bitexact::lint::warnings;
/// use bitexact::zipper::zmap::{Feature, Zmap};
///
/// let mut map = Zmap::default();
/// assert!(warnings(&map).is_empty());
/// map.features.push(Feature::default());
/// assert_eq!(warnings(&map)[0].trap.id, "map-points");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Zmap {
    /// Version and bounds.
    pub head: Header,
    /// The features in file order; the engine draws them last to first.
    pub features: Vec<Feature>,
    /// Bytes after the last feature.
    pub trailing: Block,
}

lay! {
    impl Lay for Zmap {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            t.list_while("features", |t| t.remaining() >= COLOR, at!(self.features), |t, feature| feature.lay(t))?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    impl Lay for Feature {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.computed("point_count", at!(self.head.point_count), wide(self.points.len()))?;
            t.fields(at!(self.head))?;
            let points = t.stated("point_count", self.head.point_count)?;
            t.block("points", points, at!(self.points))?;
            t.value("objective", at!(self.objective))
        }
    }
}

impl Lint for Zmap {
    fn lint(&self, out: &mut Warnings<'_>) {
        for (index, _) in self.features.iter().enumerate().filter(|(_, feature)| feature.points.is_empty()) {
            let place = [Step::Name("features"), Step::Index(wide(index)), Step::Name("points")];
            out.warn(&NO_POINTS, &place, "");
        }
    }

    fn watch(&self, out: &mut Watch<'_>) {
        out.watch_fields(&IGNORED, &[], &self.head, &["unk04", "min", "max"]);
    }
}

impl Format for Zmap {
    const NAME: &'static str = "zmap";
    const TITLE: &'static str = "map";
    const GAMES: &'static [Game] = &[Game::Recoil];
    const CLAIMS: &'static [&'static str] = &["*.zmap"];
    const TRAPS: &'static [&'static Trap] = TRAPS;

    /// Returns the end of the last feature before zeros, which would be features without points, or before other bytes, which would be
    /// one with more points than any file that was cut.
    fn ends_at(file: &[u8]) -> Option<usize> {
        let filled = file.iter().rposition(|byte| *byte != 0)?.checked_add(1)?;
        let (_, mut features): (Header, _) = split_head(file)?;
        while file.len().checked_sub(features.len())? < filled {
            let (head, rest): (FeatureHeader, _) = split_head(features)?;
            let size =
                usize::try_from(head.point_count.get()).ok().and_then(|count| count.checked_mul(size_of::<Vec3>()));
            let Some(points) = size.filter(|size| !is_beyond_cut(wide(*size), wide(file.len()))) else {
                return file.len().checked_sub(features.len());
            };
            features = rest.get(points.checked_add(size_of::<I32>())?..)?;
        }
        let is_lost = is_lost_end(wide(file.len() - filled), wide(file.len()));
        file.len().checked_sub(features.len()).filter(|_| !features.is_empty() && !is_lost)
    }

    /// Checks the version, which is too weak alone, and that the features end exactly at the end of the file
    /// (`zipper-zmap.md`, section 3).
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let (head, mut features): (Header, _) = split_head(file)?;
        if head.version != Header::default().version || features.is_empty() {
            return None;
        }
        while !features.is_empty() {
            let (head, rest): (FeatureHeader, _) = split_head(features)?;
            let points = usize::try_from(head.point_count.get()).ok()?.checked_mul(size_of::<Vec3>())?;
            features = rest.get(points.checked_add(size_of::<I32>())?..)?;
        }
        Some(Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Zmap);
