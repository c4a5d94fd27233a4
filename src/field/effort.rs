//! How often the models of a process are built and walked. A test keeps every command from doing it more often than it must.

use core::sync::atomic::{AtomicU64, Ordering};

static BUILT: AtomicU64 = AtomicU64::new(0);
static WALKED: AtomicU64 = AtomicU64::new(0);

/// Counts a pass that reads, loads, recomputes or edits a model. Parts of a model that threads load by themselves belong to one pass, so that the
/// number does not depend on the machine.
pub(crate) fn build() {
    count(&BUILT);
}

/// Counts a walk over all bytes of a model.
pub(super) fn walk() {
    count(&WALKED);
}

fn count(passes: &AtomicU64) {
    // A published program does not count.
    if cfg!(debug_assertions) {
        passes.fetch_add(1, Ordering::Relaxed);
    }
}

/// Returns how often models have been built and walked so far; always 0 in a build without debug assertions.
#[doc(hidden)]
#[must_use]
pub fn passes() -> [u64; 2] {
    [&BUILT, &WALKED].map(|passes| passes.load(Ordering::Relaxed))
}
