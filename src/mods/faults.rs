//! Faults of tests: a step of a transaction that fails.

use std::cell::Cell;
use std::io;

thread_local! {
    /// The number of steps until one fails, and `true` if all later ones fail too, as if the process was killed.
    pub(super) static FAULT: Cell<Option<(usize, bool)>> = const { Cell::new(None) };
}

pub(super) fn step() -> io::Result<()> {
    match FAULT.get() {
        None => Ok(()),
        Some((0, kills)) => {
            FAULT.set(kills.then_some((0, true)));
            Err(io::Error::other("injected"))
        }
        Some((left, kills)) => {
            FAULT.set(Some((left - 1, kills)));
            Ok(())
        }
    }
}
