//! Distributes work over several cores.

use std::io;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::{CodePage, Thresholds, limits};

/// Starts a thread that has the [`Thresholds`] and the chosen [`CodePage`] of this one, and a stack of this many bytes or of the usual size. The library starts
/// no thread in another way.
///
/// # Errors
/// Returns an error if the system cannot start it.
pub fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    stack: Option<usize>,
    job: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let (builder, here, page) = (thread::Builder::new(), Thresholds::here(), CodePage::chosen());
    let builder = if let Some(stack) = stack { builder.stack_size(stack) } else { builder };
    builder.spawn_scoped(scope, move || here.during(|| CodePage::during_or(page, job)))
}

/// Returns the number of threads for one file: that of the [`Thresholds`], or as many as can run at once.
pub fn cores() -> usize {
    let cores = Thresholds::here().cores;
    if cores > 0 { cores } else { of_machine() }
}

/// Returns `true` if this many bytes are worth another thread.
pub(crate) fn is_worth_threads(bytes: usize) -> bool {
    bytes >= Thresholds::here().bytes_for_threads
}

/// Returns the number of threads for this many bytes.
pub fn threads_for(bytes: usize, most: usize) -> usize {
    if is_worth_threads(bytes) { most } else { 1 }
}

/// Returns the number of threads for this many bytes of one file. The number of cores is read from the system only if it matters.
pub fn cores_for(bytes: usize) -> usize {
    if is_worth_threads(bytes) { cores() } else { 1 }
}

fn of_machine() -> usize {
    // Linux reads a dozen files to compute this.
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get))
}

/// Does a job for each item, on this number of threads, and returns the results in order.
pub fn share<T: Sync, R: Send>(things: &[T], threads: usize, job: impl Fn(&T) -> R + Sync) -> Vec<R> {
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
        // If a thread cannot be started, the others do its share.
        let others: Vec<_> = (1..threads).filter_map(|_| start(scope, Some(limits::STACK), work).ok()).collect();
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
