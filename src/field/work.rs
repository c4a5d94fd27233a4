//! Distributes work over several cores.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::limits;

/// Fewer bytes than this are not worth another thread.
pub(crate) const SMALL: usize = 64 << 10;

/// Returns the number of threads that can run at once.
pub(crate) fn cores() -> usize {
    // Linux reads a dozen files to compute this.
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get))
}

/// Does a job for each item, on this number of threads, and returns the results in order.
pub(crate) fn share<T: Sync, R: Send>(things: &[T], threads: usize, job: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads.min(things.len());
    if threads <= 1 {
        return things.iter().map(job).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(index) else { return done };
            done.push((index, job(thing)));
        }
    };
    let mut done = thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().stack_size(limits::STACK).spawn_scoped(scope, work).ok();
        // If a thread cannot be started, the others do its share.
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let things: Vec<u64> = (0..1_000).collect();
        for threads in [0, 1, 3] {
            assert_eq!(share(&things, threads, |thing| thing * 2), (0..2_000).step_by(2).collect::<Vec<_>>());
        }
    }
}
