//! What the files come to, by game and kind.

use std::collections::BTreeMap;

use crate::kind::Game;
use crate::passes::Census;
use crate::verify::{Report, Status};

/// What some files of one kind come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// How many there are.
    pub files: u64,
    /// How many are identical.
    pub identical: u64,
    /// Their size.
    pub bytes: u64,
    /// Who owns their bytes.
    pub census: Census,
    /// Files with a deviation.
    pub deviating: u64,
    /// Files with an entry that does not decode.
    pub undecoded: u64,
}

impl Sum {
    /// Adds another.
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

/// Files of kinds that are ours, by the games they can be of and by kind.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<(Vec<Game>, &'static str), Sum>);

impl Tally {
    /// Counts a file, if its kind is ours.
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

    /// Games, kind and sum, those of one game together.
    pub fn rows(&self) -> impl Iterator<Item = (&[Game], &'static str, &Sum)> {
        self.0.iter().map(|((games, kind), sum)| (games.as_slice(), *kind, sum))
    }

    /// The sums of the kinds, whatever the game.
    #[must_use]
    pub fn by_kind(&self) -> BTreeMap<&'static str, Sum> {
        let mut kinds: BTreeMap<&'static str, Sum> = BTreeMap::new();
        for ((_, kind), sum) in &self.0 {
            kinds.entry(kind).or_default().add(sum);
        }
        kinds
    }
}

/// A share in tenths of a percent, rounded up so that nothing opaque shows as none.
#[must_use]
pub fn percent(part: u64, whole: u64) -> String {
    let tenths = part.saturating_mul(1000).div_ceil(whole.max(1));
    format!("{}.{} %", tenths / 10, tenths % 10)
}
