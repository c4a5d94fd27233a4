//! The totals of files by game and kind.

use std::collections::BTreeMap;

use crate::census::Census;
use crate::format::Game;
use crate::verify::{Report, Status};

/// The totals of some files of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The number of files.
    pub files: u64,
    /// The number of identical files.
    pub identical: u64,
    /// The size of all files.
    pub bytes: u64,
    /// Their bytes, counted by class.
    pub census: Census,
    /// Files with deviations.
    pub deviating: u64,
    /// Files with entries that do not decode.
    pub undecoded: u64,
}

impl Sum {
    /// Returns the number of files that failed.
    #[must_use]
    pub const fn failed(&self) -> u64 {
        self.files.saturating_sub(self.identical)
    }

    /// Adds other totals.
    pub fn add(&mut self, other: &Self) {
        let Self { files, identical, bytes, census, deviating, undecoded } = other;
        self.files = self.files.saturating_add(*files);
        self.identical = self.identical.saturating_add(*identical);
        self.bytes = self.bytes.saturating_add(*bytes);
        self.census.add(census);
        self.deviating = self.deviating.saturating_add(*deviating);
        self.undecoded = self.undecoded.saturating_add(*undecoded);
    }
}

/// The totals of files of supported kinds, by kind and by the games they can belong to.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<(Vec<Game>, &'static str), Sum>);

impl Tally {
    /// Counts a file, if its kind is supported.
    pub fn count(&mut self, report: &Report) {
        let Some(kind) = report.kind else { return };
        if !report.status.is_ours() {
            return;
        }
        self.0.entry((report.games.clone(), kind)).or_default().add(&Sum {
            files: 1,
            identical: (report.status == Status::Identical).into(),
            bytes: report.bytes,
            census: report.census.unwrap_or_default(),
            deviating: (!report.deviations.is_empty()).into(),
            undecoded: (!report.undecoded.is_empty()).into(),
        });
    }

    /// Returns games, kind and totals, grouped by game.
    pub fn rows(&self) -> impl Iterator<Item = (&[Game], &'static str, &Sum)> {
        self.0.iter().map(|((games, kind), sum)| (games.as_slice(), *kind, sum))
    }

    /// Returns the totals per kind, over all games.
    #[must_use]
    pub fn by_kind(&self) -> BTreeMap<&'static str, Sum> {
        let mut kinds: BTreeMap<&'static str, Sum> = BTreeMap::new();
        for ((_, kind), sum) in &self.0 {
            kinds.entry(kind).or_default().add(sum);
        }
        kinds
    }
}

/// Returns a share in tenths of a percent, rounded up so that no opaque byte is shown as 0.0%.
#[must_use]
pub fn percent(part: u64, whole: u64) -> String {
    let tenths = part.saturating_mul(1000).div_ceil(whole.max(1));
    format!("{}.{}%", tenths / 10, tenths % 10)
}
