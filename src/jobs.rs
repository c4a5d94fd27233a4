//! Work spread over threads, its results in the order of the work.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use crate::field::limits;

/// Does `work` on every item with so many threads, and hands each result to `sink` in the order of the items.
///
/// Several threads begin with the items of the greatest `weight`, so that none is left with a large one at the end.
/// Results that wait for those before them `hold` no more than [`limits::HELD`] bytes, but for those that are being made:
/// beyond that, only the item whose turn it is may be begun.
///
/// When `stop` becomes true, no further item is begun; the results so far are handed over. When `sink` says no, the
/// rest is left undone as well.
///
/// # Errors
/// When a thread cannot be started.
pub fn ordered<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    stop: &AtomicBool,
    weight: impl Fn(&T) -> u64,
    hold: impl Fn(&R) -> u64 + Sync,
    work: impl Fn(&T) -> R + Sync,
    mut sink: impl FnMut(&T, R) -> bool,
) -> io::Result<()> {
    let turns = Turns::new(items, threads, stop, weight);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let (sender, turns, hold, work) = (sender.clone(), &turns, &hold, &work);
            let worker = move || {
                let _ends = EndsOnPanic(turns);
                while let Some((index, item)) = turns.begin() {
                    let result = work(item);
                    let bytes = hold(&result);
                    turns.done(bytes);
                    if sender.send((index, bytes, result)).is_err() {
                        break;
                    }
                }
            };
            // Without this thread, those that run need not go on.
            let started = thread::Builder::new().stack_size(limits::STACK).spawn_scoped(scope, worker);
            started.inspect_err(|_| turns.end())?;
        }
        drop(sender);
        let mut ended = false;
        let mut tell = |index: usize, bytes: u64, result| {
            let Some(item) = items.get(index) else { return };
            if !ended && !sink(item, result) {
                ended = true;
                turns.end();
            }
            turns.told(index, bytes);
        };
        let (mut early, mut wanted) = (BTreeMap::new(), 0);
        for (index, bytes, result) in results {
            early.insert(index, (bytes, result));
            while let Some((bytes, result)) = early.remove(&wanted) {
                tell(wanted, bytes, result);
                wanted = wanted.saturating_add(1);
            }
        }
        // What was stopped leaves gaps.
        early.into_iter().for_each(|(index, (bytes, result))| tell(index, bytes, result));
        Ok(())
    })
}

/// Which item is begun next.
struct Turns<'a, T> {
    /// The items with their indices, in the order in which they are begun as long as no results pile up.
    order: Vec<(usize, &'a T)>,
    items: &'a [T],
    stop: &'a AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Which items have been begun.
    begun: Vec<bool>,
    /// How many of the order have been begun, all of them.
    next: usize,
    /// The first item whose result has not been handed over.
    wanted: usize,
    /// Bytes of the results that have not been handed over.
    held: u64,
    ended: bool,
}

impl<'a, T> Turns<'a, T> {
    fn new(items: &'a [T], threads: usize, stop: &'a AtomicBool, weight: impl Fn(&T) -> u64) -> Self {
        let mut order: Vec<(usize, &T)> = items.iter().enumerate().collect();
        if threads > 1 {
            order.sort_by_key(|(_, item)| Reverse(weight(item)));
        }
        let state = State { begun: vec![false; items.len()], next: 0, wanted: 0, held: 0, ended: false };
        Self { order, items, stop, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next item, which is begun now; nothing where none is left, or no more is wanted.
    fn begin(&self) -> Option<(usize, &'a T)> {
        let mut state = self.state();
        loop {
            if state.ended || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let is_begun = |state: &State, index: usize| state.begun.get(index).copied().unwrap_or(true);
            while self.order.get(state.next).is_some_and(|(index, _)| is_begun(&state, *index)) {
                state.next = state.next.saturating_add(1);
            }
            let (first, _) = self.order.get(state.next)?;
            let index = if state.held < limits::HELD { *first } else { state.wanted };
            match state.begun.get_mut(index) {
                Some(begun) if !*begun => {
                    *begun = true;
                    return Some((index, self.items.get(index)?));
                }
                // The one that is wanted is being done, and its result lets others go.
                _ => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// A result of so many bytes has been made.
    fn done(&self, bytes: u64) {
        let mut state = self.state();
        state.held = state.held.saturating_add(bytes);
    }

    /// A result has been handed over.
    fn told(&self, index: usize, bytes: u64) {
        let mut state = self.state();
        state.wanted = index.saturating_add(1);
        state.held = state.held.saturating_sub(bytes);
        drop(state);
        self.changed.notify_all();
    }

    /// No more is wanted.
    fn end(&self) {
        self.state().ended = true;
        self.changed.notify_all();
    }

    /// Nothing panics while the state is changed.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that panics leaves nobody waiting for its result.
struct EndsOnPanic<'a, T>(&'a Turns<'a, T>);

impl<T> Drop for EndsOnPanic<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
        }
    }
}

/// What all jobs share: so many bytes of memory.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    taken: Mutex<u64>,
    given_back: Condvar,
}

/// A part of a [`Budget`], given back when it is dropped.
#[derive(Debug)]
pub struct Share<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Budget {
    /// A budget of so many bytes.
    #[must_use]
    pub const fn of(limit: u64) -> Self {
        Self { limit, taken: Mutex::new(0), given_back: Condvar::new() }
    }

    /// Waits until so much is left. Where nothing is taken, it is never too much: one file may always be worked on.
    #[must_use]
    pub fn share(&self, bytes: u64) -> Share<'_> {
        let too_much = |taken: &mut u64| *taken > 0 && taken.saturating_add(bytes) > self.limit;
        let taken = self.given_back.wait_while(self.taken(), too_much);
        let mut taken = taken.unwrap_or_else(PoisonError::into_inner);
        *taken = taken.saturating_add(bytes);
        Share { budget: self, bytes }
    }

    /// All there is.
    #[must_use]
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// How much is taken. Nothing panics while it is counted.
    fn taken(&self) -> MutexGuard<'_, u64> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share<'_> {
    /// The budget that it is a part of.
    #[must_use]
    pub const fn budget(&self) -> &Budget {
        self.budget
    }

    /// Makes the share as large as this if so much is left now; says whether it is.
    pub fn try_resize(&mut self, bytes: u64) -> bool {
        let mut taken = self.budget.taken();
        let others = taken.saturating_sub(self.bytes);
        let fits = others.saturating_add(bytes) <= self.budget.limit;
        if fits {
            *taken = others.saturating_add(bytes);
            self.bytes = bytes;
            self.budget.given_back.notify_all();
        }
        fits
    }

    /// Waits until so much is left, or nobody else has taken any, and makes the share as large as this. Who holds much in the
    /// meantime may wait for one who does the same, so it should have been given back.
    pub fn resize(&mut self, bytes: u64) {
        let own = self.bytes;
        let too_much = |taken: &mut u64| {
            let others = taken.saturating_sub(own);
            others > 0 && others.saturating_add(bytes) > self.budget.limit
        };
        let taken = self.budget.given_back.wait_while(self.budget.taken(), too_much);
        let mut taken = taken.unwrap_or_else(PoisonError::into_inner);
        *taken = taken.saturating_sub(own).saturating_add(bytes);
        self.bytes = bytes;
        drop(taken);
        self.budget.given_back.notify_all();
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        let mut taken = self.budget.taken();
        *taken = taken.saturating_sub(self.bytes);
        drop(taken);
        self.budget.given_back.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn jobs_share_a_budget() {
        let (budget, now, most) = (Budget::of(10), AtomicUsize::new(0), AtomicUsize::new(0));
        // The largest is over the budget by itself.
        let items: Vec<usize> = (0..400).map(|index| [1, 4, 6, 12][index % 4]).collect();
        let work = |bytes: &usize| {
            let share = budget.share(crate::field::wide(*bytes));
            let together = now.fetch_add(*bytes, Ordering::SeqCst) + bytes;
            assert!(together <= 10 || together == *bytes, "{together}");
            most.fetch_max(together, Ordering::SeqCst);
            thread::sleep(std::time::Duration::from_micros(20));
            now.fetch_sub(*bytes, Ordering::SeqCst);
            drop(share);
        };
        let never = AtomicBool::new(false);
        let mut done = 0;
        let sink = |_: &usize, ()| {
            done += 1;
            true
        };
        ordered(&items, 8, &never, |bytes| crate::field::wide(*bytes), |()| 1, work, sink).expect("threads start");
        assert_eq!((done, most.into_inner(), *budget.taken()), (400, 12, 0));
    }

    #[test]
    fn a_share_grows_only_as_far_as_the_budget_allows() {
        let budget = Budget::of(10);
        let (mut one, mut other) = (budget.share(3), budget.share(3));
        assert!(one.try_resize(7) && !one.try_resize(8) && !other.try_resize(4));
        one.resize(0);
        other.resize(12);
        assert_eq!(*budget.taken(), 12, "alone, one may take more than there is");
        assert!(!one.try_resize(1));
        drop(other);
        assert!(one.try_resize(10) && one.budget().limit() == 10);
    }

    #[test]
    fn results_that_wait_for_the_first_are_bounded() {
        // The first item is the lightest, so it would be done last, and every other result would wait for it.
        let items: Vec<u64> = (0..2000).collect();
        let each = limits::HELD / 100;
        for threads in [1, 2, 4] {
            let (made, most, mut told) = (AtomicUsize::new(0), AtomicUsize::new(0), 0);
            let told_so_far = AtomicUsize::new(0);
            let work = |_: &u64| {
                let held = made.fetch_add(1, Ordering::SeqCst) + 1 - told_so_far.load(Ordering::SeqCst);
                most.fetch_max(held, Ordering::SeqCst);
            };
            let sink = |item: &u64, ()| {
                assert_eq!(*item, told);
                told += 1;
                told_so_far.fetch_add(1, Ordering::SeqCst);
                true
            };
            let never = AtomicBool::new(false);
            ordered(&items, threads, &never, |item| *item, |()| each, work, sink).expect("threads start");
            let most = most.into_inner();
            assert_eq!(told, 2000);
            assert!(most <= 100 + 2 * threads, "{most} results were held with {threads} threads");
        }
    }

    #[test]
    fn results_come_in_order_and_stop_when_told() {
        let items: Vec<u64> = (0..100).collect();
        let mut seen = Vec::new();
        let slow_first = |item: &u64| {
            thread::sleep(std::time::Duration::from_micros(if *item == 0 { 2000 } else { 1 }));
            item * 2
        };
        let never = AtomicBool::new(false);
        ordered(
            &items,
            4,
            &never,
            |_| 0,
            |_| 1,
            slow_first,
            |_, result| {
                seen.push(result);
                seen.len() < 50
            },
        )
        .expect("threads start");
        assert_eq!(seen, (0..50).map(|item| item * 2).collect::<Vec<_>>());
        let stopped = AtomicBool::new(true);
        ordered(&items, 2, &stopped, |_| 0, |()| 1, |_| (), |_, ()| panic!("nothing was begun"))
            .expect("threads start");
    }
    #[test]
    fn the_heaviest_is_begun_first_and_told_in_its_place() {
        let items = [1_u64, 2, 9, 3];
        let begun = std::sync::Mutex::new(Vec::new());
        let (never, mut told) = (AtomicBool::new(false), Vec::new());
        let work = |item: &u64| begun.lock().expect("nobody panics").push(*item);
        ordered(
            &items,
            2,
            &never,
            |item| *item,
            |()| 1,
            work,
            |item, ()| {
                told.push(*item);
                true
            },
        )
        .expect("threads start");
        assert!(begun.into_inner().expect("nobody panics").iter().take(2).any(|item| *item == 9));
        assert_eq!(told, items);
    }
}
