//! Warnings: traps at places of a model, listed or counted.

use core::fmt::{self, Display};
use core::hash::{Hash as _, Hasher as _};
use std::collections::HashMap;

use rustc_hash::{FxBuildHasher, FxHasher};

use field::Place;

use super::report::{IsSame, each};
use super::{Lint, Trap, Warnings};

/// A kind of warning in a file: a trap at all places that differ only in their indices.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Warning {
    /// The trap.
    pub trap: &'static Trap,
    /// The places, indices as `*`.
    pub place: String,
    /// The number of such places.
    pub count: u64,
    /// The first of them.
    pub first_place: Place,
    /// The values found at the first, if they explain more than the trap; otherwise empty.
    pub found: String,
}

impl Warning {
    /// Creates the warning of a trap at one place.
    #[must_use]
    pub fn of(trap: &'static Trap, first_place: Place, found: String) -> Self {
        Self { trap, place: first_place.starred(), count: 1, first_place, found }
    }

    /// Returns what is wrong at the first place, with the values found there.
    #[must_use]
    pub fn message(&self) -> String {
        match self.found.as_str() {
            "" => self.trap.what.to_owned(),
            found => format!("{} ({found})", self.trap.what),
        }
    }
}

/// The warning on one line: place, what is wrong, consequence, id, source.
impl Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trap, count, first_place, .. } = self;
        write!(f, "{first_place}: {}; {}", self.message(), trap.effect)?;
        if *count > 1 {
            write!(f, " (and {} more)", count - 1)?;
        }
        write!(f, " [{}; {}]", trap.id, trap.source)
    }
}

/// Warnings by trap and place.
#[derive(Debug, Default)]
pub struct Counted {
    /// The warnings in the order in which they were added first.
    pub list: Vec<Warning>,
    /// The indices of the warnings by a hash of their traps and of their places without indices, which rarely collide.
    by_kind: HashMap<u64, Vec<usize>, FxBuildHasher>,
}

impl Counted {
    /// Counts a warning.
    pub fn add(&mut self, trap: &'static Trap, place: Place, found: String) {
        let same = self.by_kind.entry(kind(trap, &place)).or_default();
        for index in &*same {
            if let Some(known) = self
                .list
                .get_mut(*index)
                .filter(|known| known.trap.id == trap.id && place.is_kind_of(&[], &known.first_place))
            {
                known.count += 1;
                return;
            }
        }
        same.push(self.list.len());
        self.list.push(Warning::of(trap, place, found));
    }
}

/// Returns a hash of a trap and of the common form of a place.
fn kind(trap: &Trap, place: &Place) -> u64 {
    let mut hash = FxHasher::default();
    (trap.id, place.kind(&[])).hash(&mut hash);
    hash.finish()
}

/// Returns the warnings of a model, those at places that differ only in their indices together.
#[must_use]
pub fn warnings(model: &dyn Lint) -> Vec<Warning> {
    let mut counted = Counted::default();
    tell(model, &|_| false, &mut |place, trap, found| counted.add(trap, place, found));
    counted.list
}

/// Returns the warnings of a model that are signs of damage, counted in the same way.
#[must_use]
pub fn signs(model: &dyn Lint) -> Vec<Warning> {
    let mut counted = Counted::default();
    let mut add = |place, trap: &'static Trap, found| {
        if trap.scope.severity().is_some() {
            counted.add(trap, place, found);
        }
    };
    each(model, &|_| false, &mut |place, part| {
        if part.has_signs() {
            part.lint(&mut Warnings { place, add: &mut add });
        }
    });
    counted.list
}

/// Returns the warnings of an old and a new model, each by its own place, without those of entries that are the same in both, and only those
/// that the new one has more of, by their traps and their places without indices.
pub fn listed_more(old: &dyn Lint, new: &dyn Lint, is_same: IsSame<'_>) -> [Vec<Warning>; 2] {
    let [before, after] = [old, new].map(|model| {
        let mut counts: HashMap<u64, u64, FxBuildHasher> = HashMap::default();
        tell(model, is_same, &mut |place, trap, _| *counts.entry(kind(trap, &place)).or_default() += 1);
        counts
    });
    let is_more = |kind: &u64| after.get(kind) > before.get(kind);
    if !after.keys().any(is_more) {
        return [Vec::new(), Vec::new()];
    }
    [old, new].map(|model| {
        let mut list = Vec::new();
        tell(model, is_same, &mut |place, trap, found| {
            if is_more(&kind(trap, &place)) {
                list.push(Warning::of(trap, place, found));
            }
        });
        list
    })
}

/// Counts warnings together that were listed by their own places.
pub fn counted(warnings: impl IntoIterator<Item = Warning>) -> Vec<Warning> {
    let mut counted = Counted::default();
    for Warning { trap, first_place, found, .. } in warnings {
        counted.add(trap, first_place, found);
    }
    counted.list
}

/// Calls `add` for every trap in a model, without those in entries that are the same in another one.
pub(super) fn tell(model: &dyn Lint, is_same: IsSame<'_>, add: &mut dyn FnMut(Place, &'static Trap, String)) {
    each(model, is_same, &mut |place, part| part.lint(&mut Warnings { place, add: &mut *add }));
}
