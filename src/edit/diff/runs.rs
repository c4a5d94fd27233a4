//! Compares sequences in a time that grows with their length, whatever they contain. The result depends on nothing but the sequences,
//! so that a file made from it is the same on every machine.

use core::hash::Hash;
use core::ops::Range;
use std::collections::HashMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use field::Thresholds;

/// Items that follow one another in an old and a new sequence, and are the same in both or differ.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub old: Range<usize>,
    pub new: Range<usize>,
    pub is_same: bool,
}

/// Returns the runs of two sequences in order; together they cover both.
///
/// Short sequences have the fewest changes. Longer ones are divided at the items that both contain once, as far as these are in the
/// same order; the longer parts that this leaves differ as a whole, except for the same items at both ends.
pub(super) fn runs<T: Hash + Eq>(old: &[T], new: &[T]) -> Vec<Run> {
    let Thresholds { items_compared: most, items_of_part, .. } = *Thresholds::here();
    let mut ids = HashMap::new();
    let [old, new] = [old, new].map(|items| {
        let id = |item| {
            let next = ids.len();
            *ids.entry(item).or_insert(next)
        };
        items.iter().map(id).collect::<Vec<usize>>()
    });
    let mut runs = Runs::default();
    if old.len() + new.len() <= most {
        runs.fewest(&old, &new);
        return runs.runs;
    }
    let (mut old_left, mut new_left) = (&*old, &*new);
    for (old_at, new_at) in anchors(&old, &new, ids.len()) {
        let gap = (old_left.split_at_checked(old_at - runs.old), new_left.split_at_checked(new_at - runs.new));
        if let (Some((old_gap, old_rest)), Some((new_gap, new_rest))) = gap {
            runs.part(old_gap, new_gap, items_of_part);
            (old_left, new_left) = (old_rest, new_rest);
        }
    }
    runs.part(old_left, new_left, items_of_part);
    runs.runs
}

/// The runs up to an index of each sequence.
#[derive(Default)]
struct Runs {
    runs: Vec<Run>,
    old: usize,
    new: usize,
}

impl Runs {
    fn push(&mut self, old: usize, new: usize, is_same: bool) {
        let (from_old, from_new) = (self.old, self.new);
        (self.old, self.new) = (from_old + old, from_new + new);
        match self.runs.last_mut() {
            _ if old + new == 0 => {}
            Some(last) if last.is_same == is_same => (last.old.end, last.new.end) = (self.old, self.new),
            _ => self.runs.push(Run { old: from_old..self.old, new: from_new..self.new, is_same }),
        }
    }

    /// Adds the fewest changes.
    fn fewest(&mut self, old: &[usize], new: &[usize]) {
        // An item that becomes the same as the next one is one that changes: `similar` moves such an insertion behind the next item.
        let first = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let shorter = old.len().min(new.len()) - first;
        let last = old.iter().rev().zip(new.iter().rev()).take(shorter).take_while(|(old, new)| old == new).count();
        if (old.len() - first - last, new.len() - first - last) == (1, 1) {
            self.push(first, first, true);
            self.push(1, 1, false);
            return self.push(last, last, true);
        }
        let steps = capture_diff_slices(Algorithm::Myers, old, new);
        match lead(&steps, old, new) {
            true => {
                steps.iter().for_each(|step| self.push(step.old_range().len(), step.new_range().len(), is_same(step)))
            }
            false => self.push(old.len(), new.len(), false),
        }
    }

    /// Adds a part of a long sequence.
    fn part(&mut self, old: &[usize], new: &[usize], most: usize) {
        if old.len() + new.len() <= most {
            return self.fewest(old, new);
        }
        let first = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let shorter = old.len().min(new.len()) - first;
        let last = old.iter().rev().zip(new.iter().rev()).take(shorter).take_while(|(old, new)| old == new).count();
        self.push(first, first, true);
        self.push(old.len() - first - last, new.len() - first - last, false);
        self.push(last, last, true);
    }
}

fn is_same(step: &DiffOp) -> bool {
    matches!(step, DiffOp::Equal { .. })
}

/// Returns `true` if these steps lead from the old sequence to the new one. Only their lengths count: `similar` can report a wrong
/// position on the other side of a shifted step.
fn lead(steps: &[DiffOp], mut old: &[usize], mut new: &[usize]) -> bool {
    let leads = steps.iter().all(|step| {
        let split = (old.split_at_checked(step.old_range().len()), new.split_at_checked(step.new_range().len()));
        let (Some((before, old_rest)), Some((after, new_rest))) = split else { return false };
        (old, new) = (old_rest, new_rest);
        !is_same(step) || before == after
    });
    leads && old.is_empty() && new.is_empty()
}

/// Returns the indexes of the items that both sequences contain exactly once: the most that are in the same order in both.
fn anchors(old: &[usize], new: &[usize], ids: usize) -> Vec<(usize, usize)> {
    let [old, new] = [old, new].map(|items| {
        let mut only = vec![None; ids];
        let mut is_known = vec![false; ids];
        for (at, id) in items.iter().enumerate() {
            if let (Some(only), Some(is_known)) = (only.get_mut(*id), is_known.get_mut(*id)) {
                *only = (!core::mem::replace(is_known, true)).then_some(at);
            }
        }
        only
    });
    let mut pairs: Vec<(usize, usize)> = old.into_iter().zip(new).filter_map(|(old, new)| old.zip(new)).collect();
    pairs.sort_unstable();
    // For each length, the pair with the lowest index that ends a chain of this length; each pair knows the one before.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = Vec::new();
    let new_of = |pair: &usize| pairs.get(*pair).map(|(_, new)| *new);
    for (pair, (_, new)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| new_of(end) < Some(*new));
        before.push(length.checked_sub(1).and_then(|length| ends.get(length)).copied());
        match ends.get_mut(length) {
            Some(end) => *end = pair,
            None => ends.push(pair),
        }
    }
    let chain = core::iter::successors(ends.last().copied(), |pair| before.get(*pair).copied().flatten());
    let mut chain: Vec<_> = chain.filter_map(|pair| pairs.get(pair).copied()).collect();
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the runs cover both sequences and are right, and returns how many items differ.
    fn differing(old: &[u32], new: &[u32]) -> usize {
        let (mut at, mut differing) = ((0, 0), 0);
        let found = runs(old, new);
        assert!(found.iter().all(|run| !(run.old.is_empty() && run.new.is_empty())));
        assert!(
            found.iter().zip(found.iter().skip(1)).all(|(run, next)| run.is_same != next.is_same),
            "they alternate"
        );
        for Run { old: before, new: after, is_same } in found {
            assert_eq!((before.start, after.start), at);
            at = (before.end, after.end);
            assert!(!is_same || old[before.clone()] == new[after.clone()]);
            differing += if is_same { 0 } else { before.len() + after.len() };
        }
        assert_eq!(at, (old.len(), new.len()));
        differing
    }

    #[test]
    fn long_sequences_are_divided_where_both_have_the_same_single_items() {
        let old: Vec<u32> = (0..100_000).collect();
        let mut new = old.clone();
        new.remove(70_000);
        new.insert(500, 7);
        new[90_000] = 1_000_000;
        assert_eq!(differing(&old, &new), 4);
        // The end at the beginning: the longer part keeps its order.
        let moved = [&old[60_000..], &old[..60_000]].concat();
        assert_eq!(differing(&old, &moved), 80_000);
        // Items that occur many times are searched between those that occur once.
        let mixed = |other| (0..50_000).map(|at| if at % 100 == 0 { at } else { at % 7 + other }).collect::<Vec<u32>>();
        let mut edited = mixed(0);
        edited.remove(20_050);
        assert_eq!(differing(&mixed(0), &edited), 1);
        assert_eq!(differing(&mixed(0), &mixed(1_000_000)), 99_000);
    }

    #[test]
    fn sequences_without_a_common_item_take_time_by_their_length() {
        let [old, new] = [0..200_000_u32, 200_000..400_000].map(Iterator::collect::<Vec<_>>);
        assert_eq!(differing(&old, &new), 400_000);
        let [old, new] = [2, 3].map(|of| (0..200_000).map(|at| at % of).collect::<Vec<u32>>());
        assert_eq!(differing(&old, &new), 399_992);
        let backwards: Vec<u32> = (0..200_000).rev().collect();
        assert_eq!(differing(&(0..200_000).collect::<Vec<_>>(), &backwards), 399_998);
    }

    #[test]
    fn steps_that_do_not_lead_to_the_other_sequence_are_refused() {
        let (old, new) = ([1, 2, 3], [1, 4, 3]);
        let equal = |at, len| DiffOp::Equal { old_index: at, new_index: at, len };
        let replace = DiffOp::Replace { old_index: 1, old_len: 1, new_index: 1, new_len: 1 };
        assert!(lead(&[equal(0, 1), replace, equal(2, 1)], &old, &new));
        assert!(!lead(&[equal(0, 1), replace], &old, &new), "too few");
        assert!(!lead(&[equal(0, 1), replace, equal(2, 2)], &old, &new), "too many");
        assert!(!lead(&[equal(0, 3)], &old, &new), "not equal");
    }

    #[test]
    fn short_sequences_have_the_fewest_changes_whatever_the_thresholds() {
        static SMALLEST: Thresholds = Thresholds::SMALLEST;
        let cases: [(&[u32], &[u32], usize); 5] = [
            (&[], &[], 0),
            (&[1], &[], 1),
            (&[1, 2, 3], &[1, 4, 3], 2),
            (&[1, 2, 3, 4], &[2, 3, 4, 5], 2),
            (&[1, 1, 2, 2], &[1, 2, 2], 1),
        ];
        for (old, new, count) in cases {
            assert_eq!(differing(old, new), count);
            SMALLEST.during(|| assert!(differing(old, new) >= count));
        }
    }

    #[test]
    fn item_that_becomes_the_same_as_its_neighbor_is_one_that_changes() {
        let found = |old: &[u32], new: &[u32]| {
            let run = |it: Run| format!("{:?} {:?} {}", it.old, it.new, if it.is_same { "same" } else { "differ" });
            runs(old, new).into_iter().map(run).collect::<Vec<_>>()
        };
        assert_eq!(found(&[1, 2, 3], &[1, 3, 3]), ["0..1 0..1 same", "1..2 1..2 differ", "2..3 2..3 same"]);
        assert_eq!(found(&[1, 2, 2, 3], &[1, 1, 2, 3]), ["0..1 0..1 same", "1..2 1..2 differ", "2..4 2..4 same"]);
        assert_eq!(found(&[2], &[3]), ["0..1 0..1 differ"]);
        assert_eq!(
            found(&[5, 5, 2, 5, 5, 5], &[5, 5, 5, 5, 5, 5]),
            ["0..2 0..2 same", "2..3 2..3 differ", "3..6 3..6 same"]
        );
        assert_eq!(found(&[1, 2, 3], &[1, 2, 2, 3]).len(), 3);
    }
}
