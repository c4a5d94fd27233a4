//! Neverwinter Nights except for binary models: containers, trees of fields, tables, texts, scripts. Sources: nwn-*.md.

pub mod gff;
mod gff_samples;
pub(crate) mod resource_samples;
pub mod resources;
pub mod scripts;
pub(crate) mod small;
pub mod tables;

use crate::{Broken, Sample, Size};

/// The games.
pub(crate) const GAMES: &[&str] = &["nwn"];

/// Returns files of all these kinds.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    [
        gff_samples::samples(seed, size),
        resource_samples::samples(seed, size),
        tables::samples(seed, size),
        scripts::samples(),
        small::samples(seed, size),
    ]
    .concat()
}

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    [gff_samples::broken(seed), resource_samples::broken(seed), tables::broken(), scripts::broken(), small::broken()]
        .concat()
}

/// Creates a sample.
pub(crate) fn sample(name: &str, kind: &'static str, bytes: Vec<u8>, trap: Option<(&'static str, bool)>) -> Sample {
    Sample {
        name: name.into(),
        kind,
        games: GAMES,
        bytes,
        trap: trap.map(|(words, _)| words),
        deviates: trap.is_some_and(|(_, deviates)| deviates),
    }
}
