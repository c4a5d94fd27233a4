//! A hash of the places that a walk passes.

use core::hash::{Hash, Hasher as _};

use rustc_hash::FxHasher;

use field::{Place, Step};

/// A hash of places and what is there, in file order. The steps to a group are hashed once for all that it holds.
///
/// Different places can have the same hash of 64 bits, but no edit is made to find some. Then a difference between two models is not
/// noticed, so that an edited file is accepted although it is read back with other parts than were packed. No byte of it is wrong: the
/// proof compares all of them, and entries and facts are compared one by one.
#[derive(Default)]
pub(super) struct PlaceHash {
    hasher: FxHasher,
    /// The number of steps to the open group, and those to the groups around it.
    depth: usize,
    outer: Vec<usize>,
    /// The number of steps that the next place has in common with the last one, as far as groups tell.
    shared: usize,
}

impl PlaceHash {
    /// Begins a group. A group in which nothing is added does not change the hash.
    pub(super) fn enter(&mut self, place: &Place) {
        self.outer.push(self.depth);
        self.depth = place.steps().len();
    }

    /// Ends the last group that has begun.
    pub(super) fn leave(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.depth = outer;
        }
        self.shared = self.shared.min(self.depth);
    }

    /// Adds what is at a place in the open groups, with the labels of its entries or without.
    pub(super) fn add(&mut self, place: &Place, with_labels: bool, what: impl Hash) {
        debug_assert!(place.steps().len() >= self.shared, "{place} is in the open groups");
        let inner = place.steps().split_at_checked(self.shared).map_or(place.steps(), |(_, inner)| inner);
        (self.shared, inner, what).hash(&mut self.hasher);
        if with_labels && inner.contains(&Step::Entry) {
            place.labels().hash(&mut self.hasher);
        }
        self.shared = self.depth;
    }

    pub(super) fn finish(&self) -> u64 {
        self.hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::PlaceHash;
    use field::{Label, Place, Step};

    /// The groups around a place, that place, and the value there.
    type Placed<'p> = (&'p [&'p [Step]], &'p [Step], u8);

    /// Returns the hash of values at places, each in these groups.
    fn of(values: &[Placed<'_>]) -> u64 {
        let (mut hash, mut open): (PlaceHash, Vec<&[Step]>) = Default::default();
        for (groups, place, value) in values {
            let same = open.iter().zip(*groups).take_while(|(one, other)| one == other).count();
            open.drain(same..).for_each(|_| hash.leave());
            for group in groups.iter().skip(same) {
                hash.enter(&Place::default().with(group.iter().copied()));
                open.push(group);
            }
            if !place.is_empty() {
                hash.add(&Place::default().with(place.iter().copied()), true, value);
            }
        }
        hash.finish()
    }

    #[test]
    fn places_and_values_decide() {
        let [a, b, c] = ["a", "b", "c"].map(Step::Name);
        let (in_a, in_ab): (&[&[Step]], &[&[Step]]) = (&[&[a]], &[&[a], &[a, b]]);
        let first: &[Placed<'_>] = &[(in_ab, &[a, b, c], 1), (in_a, &[a, c], 2)];
        // Groups without values do not.
        assert_eq!(of(first), of(&[first[0], (&[&[a], &[a, c]], &[], 0), first[1]]));
        for other in [
            &[first[0]][..],
            &[first[0], (in_a, &[a, b], 2)],
            &[first[0], (in_a, &[a, c], 3)],
            &[(in_ab, &[a, b, b], 1), first[1]],
            &[first[0], (&[], &[c], 2)],
            &[first[0], (in_ab, &[a, b, c], 2)],
            &[first[1], first[0]],
        ] {
            assert_ne!(of(first), of(other), "{other:?}");
        }
        let indices = |index| of(&[(in_a, &[a, Step::Index(index)], 1)]);
        assert_ne!(indices(0), indices(1));
    }

    #[test]
    fn labels_decide_only_if_asked() {
        let of = |name: &str, with_labels| {
            let mut hash = PlaceHash::default();
            let entry = Place::default().with_entry(Label::role(name));
            hash.enter(&entry);
            hash.add(&entry.with([Step::Name("a")]), with_labels, 1);
            hash.add(&entry.with([Step::Name("b")]), with_labels, 1);
            hash.leave();
            hash.finish()
        };
        assert_eq!(of("x", false), of("y", false));
        assert_ne!(of("x", true), of("y", true));
    }
}
