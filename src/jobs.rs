//! Work spread over threads, its results in the order of the work.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::field::limits;

/// Does `work` on every item with so many threads, and hands each result to `sink` in the order of the items.
///
/// When `stop` becomes true, no further item is begun; the results so far have been handed over. When `sink` says no, the
/// rest is left undone as well.
///
/// # Errors
/// When a thread cannot be started.
pub fn ordered<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    stop: &AtomicBool,
    work: impl Fn(&T) -> R + Sync,
    mut sink: impl FnMut(&T, R) -> bool,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let enough = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let (sender, next, enough, work) = (sender.clone(), &next, &enough, &work);
            thread::Builder::new().stack_size(limits::STACK).spawn_scoped(scope, move || {
                while !stop.load(Ordering::Relaxed) && !enough.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    if sender.send((index, work(item))).is_err() {
                        break;
                    }
                }
            })?;
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut wanted = items.iter().enumerate();
        let mut following = wanted.next();
        for (index, result) in results {
            early.insert(index, result);
            while let Some((index, item)) = following {
                let Some(result) = early.remove(&index) else { break };
                if !enough.load(Ordering::Relaxed) && !sink(item, result) {
                    enough.store(true, Ordering::Relaxed);
                }
                following = wanted.next();
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_stop_when_told() {
        let items: Vec<u64> = (0..100).collect();
        let mut seen = Vec::new();
        let slow_first = |item: &u64| {
            thread::sleep(std::time::Duration::from_micros(if *item == 0 { 2000 } else { 1 }));
            item * 2
        };
        let never = AtomicBool::new(false);
        ordered(&items, 4, &never, slow_first, |_, result| {
            seen.push(result);
            seen.len() < 50
        })
        .expect("threads start");
        assert_eq!(seen, (0..50).map(|item| item * 2).collect::<Vec<_>>());
        let stopped = AtomicBool::new(true);
        ordered(&items, 2, &stopped, |_| (), |_, ()| panic!("nothing was begun")).expect("threads start");
    }
}
