//! Work spread over threads, its results in the order of the work.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use crate::field::limits;

/// Does `work` on every item with so many threads, and hands each result to `sink` in the order of the items.
///
/// Several threads begin with the items of the greatest `weight`, so that none is left with a large one at the end.
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
    work: impl Fn(&T) -> R + Sync,
    mut sink: impl FnMut(&T, R) -> bool,
) -> io::Result<()> {
    let mut order: Vec<(usize, &T)> = items.iter().enumerate().collect();
    if threads > 1 {
        order.sort_by_key(|(_, item)| Reverse(weight(item)));
    }
    let next = AtomicUsize::new(0);
    let enough = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let (sender, next, enough, work, order) = (sender.clone(), &next, &enough, &work, &order);
            thread::Builder::new().stack_size(limits::STACK).spawn_scoped(scope, move || {
                while !stop.load(Ordering::Relaxed) && !enough.load(Ordering::Relaxed) {
                    let Some((index, item)) = order.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    if sender.send((*index, work(item))).is_err() {
                        break;
                    }
                }
            })?;
        }
        drop(sender);
        let mut tell = |index: usize, result| {
            let Some(item) = items.get(index) else { return };
            if !enough.load(Ordering::Relaxed) && !sink(item, result) {
                enough.store(true, Ordering::Relaxed);
            }
        };
        let (mut early, mut wanted) = (BTreeMap::new(), 0);
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&wanted) {
                tell(wanted, result);
                wanted = wanted.saturating_add(1);
            }
        }
        // What was stopped leaves gaps.
        early.into_iter().for_each(|(index, result)| tell(index, result));
        Ok(())
    })
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

    /// How much is taken. Nothing panics while it is counted.
    fn taken(&self) -> MutexGuard<'_, u64> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
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
        ordered(&items, 8, &never, |bytes| crate::field::wide(*bytes), work, sink).expect("threads start");
        assert_eq!((done, most.into_inner(), *budget.taken()), (400, 12, 0));
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
            slow_first,
            |_, result| {
                seen.push(result);
                seen.len() < 50
            },
        )
        .expect("threads start");
        assert_eq!(seen, (0..50).map(|item| item * 2).collect::<Vec<_>>());
        let stopped = AtomicBool::new(true);
        ordered(&items, 2, &stopped, |_| 0, |_| (), |_, ()| panic!("nothing was begun")).expect("threads start");
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
