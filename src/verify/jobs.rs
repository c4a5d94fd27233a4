//! Distributes work over threads, and returns its results in the order of the items.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io;
use std::mem;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use field::limits;
use field::work::start;

/// The greatest weight of a small item, in bytes. An unknown weight is 0, which is not small.
const SMALL: u64 = 64 << 10;
/// The most results of small items that a thread passes on together. Each time costs as much as a file of some KB.
const TOGETHER: usize = 16;

/// Calls `work` for every item on this number of threads, and passes each result to `sink` in the order of the items.
///
/// The items are created in a separate thread, and work begins with the first of them. Several threads begin with the items of the
/// greatest `weight` among those known so far, so that no large item is left for the end.
/// Results that wait for earlier ones take at most [`limits::HELD`] bytes, as counted by `hold`, not including those in progress: beyond
/// that, only the item with the next result is begun.
///
/// Weights are bytes. A thread passes on the results of small items together, while others can be begun at once.
///
/// When `stop` becomes true, no further item is begun; the results so far are passed on. When `sink` asks to stop, the rest is
/// dropped as well. In both cases no further item is created.
///
/// # Errors
/// Returns an error if a thread cannot be started.
pub fn ordered<T: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    stop: &AtomicBool,
    weight: impl Fn(&T) -> u64 + Send,
    hold: impl Fn(&R) -> u64 + Sync,
    work: impl Fn(&T) -> R + Sync,
    mut sink: impl FnMut(&T, R) -> bool,
) -> io::Result<()> {
    let turns = Turns::new(stop);
    thread::scope(|scope| {
        let _ends = EndsOnPanic(&turns);
        let (sender, results) = mpsc::channel();
        let (turns, hold, work) = (&turns, &hold, &work);
        let worker = move |sender: Sender<_>| {
            let _ends = EndsOnPanic(turns);
            // The other side is gone only if it panics, which ends the work.
            let send = |done: &mut Vec<_>| _ = done.is_empty() || sender.send(mem::take(done)).is_err();
            let mut done = Vec::new();
            while let Some((index, item)) = turns.begin(|| send(&mut done)) {
                let result = work(&item);
                let bytes = hold(&result);
                turns.done(bytes);
                done.push((index, bytes, item, result));
                if done.len() >= TOGETHER {
                    send(&mut done);
                }
            }
            send(&mut done);
        };
        let walk = move || -> io::Result<()> {
            let _ends = EndsOnPanic(turns);
            let mut items = items.enumerate();
            let mut is_over = turns.is_over();
            while !is_over && let Some((index, item)) = items.next() {
                let weight = weight(&item);
                is_over = turns.add(index, if threads > 1 { weight } else { 0 }, (1..=SMALL).contains(&weight), item);
                // There are never more threads than items.
                if index < threads.max(1) {
                    let sender = sender.clone();
                    // Without this thread, the others need not continue.
                    start(scope, Some(limits::STACK), move || worker(sender)).inspect_err(|_| turns.end())?;
                }
            }
            turns.all_known();
            Ok(())
        };
        let walk = start(scope, None, walk)?;
        let mut ended = false;
        let mut tell = |index: usize, bytes: u64, item: &T, result| {
            if !ended && !sink(item, result) {
                ended = true;
                turns.end();
            }
            turns.passed_on(index, bytes);
        };
        let (mut early, mut wanted) = (BTreeMap::new(), 0);
        for (index, bytes, item, result) in results.into_iter().flatten() {
            early.insert(index, (bytes, item, result));
            while let Some((bytes, item, result)) = early.remove(&wanted) {
                tell(wanted, bytes, &item, result);
                wanted += 1;
            }
        }
        // Stopped items leave gaps.
        early.into_iter().for_each(|(index, (bytes, item, result))| tell(index, bytes, &item, result));
        walk.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// The choice of the item to begin next.
struct Turns<'a, T> {
    stop: &'a AtomicBool,
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    /// The known items that have not been begun, by their indices, and whether they are small.
    waiting: BTreeMap<usize, (bool, T)>,
    /// Their weights and indices, in the order in which they are begun unless results pile up. An item that was begun early because
    /// its result was next stays in it until its turn.
    order: BinaryHeap<(u64, Reverse<usize>)>,
    /// `true` if all items are known.
    all_known: bool,
    /// The first item whose result has not been passed on.
    wanted: usize,
    /// The size of the results that have not been passed on, in bytes.
    held: u64,
    /// The number of threads that wait for an item. A call that wakes none costs as much as one that does.
    idle: usize,
    ended: bool,
}

impl<T> State<T> {
    /// Takes the item to begin now, and whether it is small, or returns `None` if there is none.
    fn take(&mut self) -> Option<(usize, (bool, T))> {
        if self.held >= limits::HELD {
            return self.waiting.remove_entry(&self.wanted);
        }
        while let Some((_, Reverse(index))) = self.order.pop() {
            if let Some(item) = self.waiting.remove(&index) {
                return Some((index, item));
            }
        }
        None
    }
}

impl<'a, T> Turns<'a, T> {
    fn new(stop: &'a AtomicBool) -> Self {
        let (waiting, order) = (BTreeMap::new(), BinaryHeap::new());
        let state = State { waiting, order, all_known: false, wanted: 0, held: 0, idle: 0, ended: false };
        Self { stop, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Adds an item, which may be begun from now on. Returns `true` if no further item may be begun.
    fn add(&self, index: usize, weight: u64, is_small: bool, item: T) -> bool {
        let mut state = self.state();
        state.waiting.insert(index, (is_small, item));
        state.order.push((weight, Reverse(index)));
        let (is_idle, ended) = (state.idle > 0, state.ended);
        drop(state);
        if is_idle {
            self.changed.notify_one();
        }
        ended || self.stop.load(Ordering::Relaxed)
    }

    /// Records that all items are known.
    fn all_known(&self) {
        self.state().all_known = true;
        self.changed.notify_all();
    }

    /// Returns `true` if no further item may be begun.
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.state().ended
    }

    /// Waits for the next item to begin, or returns `None` if none is left or the work has ended. Calls `send` first if it waits, or if the
    /// item is not small.
    fn begin(&self, mut send: impl FnMut()) -> Option<(usize, T)> {
        let (mut state, mut is_sent) = (self.state(), false);
        loop {
            if state.ended || self.stop.load(Ordering::Relaxed) || state.all_known && state.waiting.is_empty() {
                return None;
            }
            if let Some((index, (is_small, item))) = state.take() {
                drop(state);
                if !is_small {
                    send();
                }
                return Some((index, item));
            }
            if is_sent {
                // The next result is in progress and will release other items, or the next item is not known yet.
                state.idle += 1;
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
            } else {
                drop(state);
                send();
                // Meanwhile another item may have become known.
                (state, is_sent) = (self.state(), true);
            }
        }
    }

    /// Records that a result of this size is complete.
    fn done(&self, bytes: u64) {
        let mut state = self.state();
        state.held = state.held.saturating_add(bytes);
    }

    /// Records that a result has been passed on.
    fn passed_on(&self, index: usize, bytes: u64) {
        let mut state = self.state();
        let was_full = state.held >= limits::HELD;
        state.wanted = index + 1;
        state.held = state.held.saturating_sub(bytes);
        drop(state);
        // Otherwise threads wait only for items that are not known yet.
        if was_full {
            self.changed.notify_all();
        }
    }

    /// Ends the work.
    fn end(&self) {
        self.state().ended = true;
        self.changed.notify_all();
    }

    /// No code panics while it changes the state.
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the work when a thread panics, since the others would wait for its result.
struct EndsOnPanic<'a, T>(&'a Turns<'a, T>);

impl<T> Drop for EndsOnPanic<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
        }
    }
}

/// A memory budget that all jobs share.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    taken: Mutex<Taken>,
    given_back: Condvar,
}

#[derive(Debug)]
struct Taken {
    bytes: u64,
    /// The number of threads that wait for more.
    waiting: usize,
}

/// A part of a [`Budget`], returned to it on drop.
#[derive(Debug)]
pub struct Share<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Budget {
    /// Creates a budget of this many bytes.
    #[must_use]
    pub const fn of(limit: u64) -> Self {
        Self { limit, taken: Mutex::new(Taken { bytes: 0, waiting: 0 }), given_back: Condvar::new() }
    }

    /// Waits until this much is free. If nothing else is in use, any amount is granted: one file can always be processed.
    #[must_use]
    pub fn share(&self, bytes: u64) -> Share<'_> {
        let mut taken = self.room(bytes, 0);
        taken.bytes = taken.bytes.saturating_add(bytes);
        Share { budget: self, bytes }
    }

    /// Waits until this much is free besides a share of this size, or no other share exists.
    fn room(&self, bytes: u64, own: u64) -> MutexGuard<'_, Taken> {
        let mut taken = self.taken();
        loop {
            let others = taken.bytes.saturating_sub(own);
            if others == 0 || others.saturating_add(bytes) <= self.limit {
                return taken;
            }
            taken.waiting += 1;
            taken = self.given_back.wait(taken).unwrap_or_else(PoisonError::into_inner);
            taken.waiting -= 1;
        }
    }

    /// Records that a share has a different size.
    fn change(&self, mut taken: MutexGuard<'_, Taken>, from: u64, to: u64) {
        taken.bytes = taken.bytes.saturating_sub(from).saturating_add(to);
        let is_awaited = taken.waiting > 0;
        drop(taken);
        if is_awaited {
            self.given_back.notify_all();
        }
    }

    /// Returns the limit in bytes.
    #[must_use]
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// Locks the number of bytes in use. No code panics while it changes the number.
    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share<'_> {
    /// Resizes the share if this much is free now. Returns `false` if it is not.
    pub fn try_resize(&mut self, bytes: u64) -> bool {
        let taken = self.budget.taken();
        let others = taken.bytes.saturating_sub(self.bytes);
        let fits = others.saturating_add(bytes) <= self.budget.limit;
        if fits {
            self.budget.change(taken, self.bytes, bytes);
            self.bytes = bytes;
        }
        fits
    }

    /// Waits until this much is free, or no other share exists, and resizes the share. Two large shares that wait this way can wait for
    /// each other forever, so resize to 0 first.
    pub fn resize(&mut self, bytes: u64) {
        self.budget.change(self.budget.room(bytes, self.bytes), self.bytes, bytes);
        self.bytes = bytes;
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.budget.change(self.budget.taken(), self.bytes, 0);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicUsize;
    use std::time::{Duration, Instant};

    use super::*;

    /// Waits for another thread.
    fn wait_until(is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the other thread does not get there");
            thread::sleep(Duration::from_micros(100));
        }
    }

    /// Returns the items, and sets the flag after the last of them.
    fn noted<'a, T: Copy + Send + Sync>(
        items: &'a [T],
        all_known: &'a AtomicBool,
    ) -> impl Iterator<Item = T> + Send + 'a {
        let end = std::iter::from_fn(move || {
            all_known.store(true, Ordering::SeqCst);
            None
        });
        items.iter().copied().chain(end)
    }

    #[test]
    fn jobs_share_a_budget() {
        let (budget, now, most) = (Budget::of(10), AtomicUsize::new(0), AtomicUsize::new(0));
        // The largest exceeds the budget by itself.
        let items: Vec<usize> = (0..400).map(|index| [1, 4, 6, 12][index % 4]).collect();
        let work = |bytes: &usize| {
            let share = budget.share(field::wide(*bytes));
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
        ordered(items.into_iter(), 8, &never, |bytes| field::wide(*bytes), |()| 1, work, sink).expect("threads start");
        assert_eq!((done, most.into_inner(), budget.taken().bytes), (400, 12, 0));
    }

    #[test]
    fn share_grows_only_as_far_as_the_budget_allows() {
        let budget = Budget::of(10);
        let (mut one, mut other) = (budget.share(3), budget.share(3));
        assert!(one.try_resize(7) && !one.try_resize(8) && !other.try_resize(4));
        one.resize(0);
        other.resize(12);
        assert_eq!(budget.taken().bytes, 12, "alone, one may take more than there is");
        assert!(!one.try_resize(1));
        drop(other);
        assert!(one.try_resize(10) && budget.limit() == 10);
    }

    #[test]
    fn results_that_wait_for_the_first_are_bounded() {
        // The first item is the lightest, so it would be last, and all other results would wait for it.
        let items: Vec<u64> = (0..2000).collect();
        let each = limits::HELD / 100;
        for threads in [1, 2, 4] {
            let (made, most, mut told) = (AtomicUsize::new(0), AtomicUsize::new(0), 0);
            let (told_so_far, all_known) = (AtomicUsize::new(0), AtomicBool::new(false));
            let work = |_: &u64| {
                wait_until(|| all_known.load(Ordering::SeqCst));
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
            let items = noted(&items, &all_known);
            ordered(items, threads, &never, |item| *item, |()| each, work, sink).expect("threads start");
            let most = most.into_inner();
            assert_eq!(told, 2000);
            assert!(threads == 1 || most >= 100, "{most} results were held with {threads} threads");
            assert!(most <= 100 + 2 * threads, "{most} results were held with {threads} threads");
        }
    }

    #[test]
    fn results_are_in_order_and_stop_on_request() {
        let items: Vec<u64> = (0..100).collect();
        let mut seen = Vec::new();
        let slow_first = |item: &u64| {
            thread::sleep(std::time::Duration::from_micros(if *item == 0 { 2000 } else { 1 }));
            item * 2
        };
        let never = AtomicBool::new(false);
        ordered(
            items.iter().copied(),
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
        ordered(items.into_iter(), 2, &stopped, |_| 0, |()| 1, |_| (), |_, ()| panic!("nothing was begun"))
            .expect("threads start");
    }

    #[test]
    fn heaviest_item_is_begun_first_and_passed_on_in_order() {
        // The first two occupy both threads until all items are known, and one of them until the rest is done.
        let items = [7_u64, 8, 1, 2, 9, 3];
        let (begun, all_known) = (Mutex::new(Vec::new()), AtomicBool::new(false));
        let count = || begun.lock().expect("nobody panics").len();
        let (never, mut told) = (AtomicBool::new(false), Vec::new());
        let work = |item: &u64| {
            begun.lock().expect("nobody panics").push(*item);
            wait_until(|| all_known.load(Ordering::SeqCst) && (*item != 7 || count() == items.len()));
        };
        let both_first = |item: &u64| wait_until(|| *item != 1 || count() == 2);
        let sink = |item: &u64, ()| {
            told.push(*item);
            true
        };
        let walk = noted(&items, &all_known).inspect(both_first);
        ordered(walk, 2, &never, |item| *item, |()| 1, work, sink).expect("threads start");
        assert_eq!(begun.lock().expect("nobody panics").get(2..), Some(&[9, 3, 2, 1][..]));
        assert_eq!(told, items);
    }

    #[test]
    fn result_is_passed_on_before_the_next_item_is_known() {
        for threads in [1, 4] {
            let (told, never) = (AtomicUsize::new(0), AtomicBool::new(false));
            let walk = (0..3).inspect(|item| wait_until(|| told.load(Ordering::SeqCst) == *item));
            let sink = |_: &usize, ()| {
                told.fetch_add(1, Ordering::SeqCst);
                true
            };
            ordered(walk, threads, &never, |_| 1, |()| 1, |_| (), sink).expect("threads start");
            assert_eq!(told.into_inner(), 3);
        }
    }

    #[test]
    fn endless_iterator_ends_when_the_sink_stops() {
        let (never, stop, mut told) = (AtomicBool::new(false), AtomicBool::new(false), 0);
        let sink = |item: &u64, ()| {
            told += 1;
            *item < 9
        };
        ordered(0_u64.., 2, &never, |_| 1, |()| 1, |_| (), sink).expect("threads start");
        assert_eq!(told, 10);
        let sink = |_: &u64, ()| {
            stop.store(true, Ordering::SeqCst);
            true
        };
        ordered(0_u64.., 2, &stop, |_| 1, |()| 1, |_| (), sink).expect("threads start");
    }

    #[test]
    fn panic_ends_the_work_and_is_passed_on() {
        for which in ["walk", "work", "sink"] {
            let never = AtomicBool::new(false);
            let walk = (0_u64..).inspect(|item| assert!(which != "walk" || *item < 9));
            let work = |item: &u64| assert!(which != "work" || *item < 9);
            let sink = |item: &u64, ()| {
                assert!(which != "sink" || *item < 9);
                true
            };
            let run = AssertUnwindSafe(|| ordered(walk, 2, &never, |_| 1, |()| 1, work, sink));
            assert!(catch_unwind(run).is_err(), "{which}");
        }
    }
}
