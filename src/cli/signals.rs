//! Ctrl-C and SIGTERM: no file is left half written, and work on many files ends with the rows so far.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// `true` if the user has asked the program to stop.
static STOP: AtomicBool = AtomicBool::new(false);
/// `true` if the work checks [`STOP`] regularly.
static LOOKS: AtomicBool = AtomicBool::new(false);
/// The number of changes of several files in progress.
static CHANGES: Mutex<usize> = Mutex::new(0);
/// Notified when one of them ends.
static ENDED: Condvar = Condvar::new();
/// The number of reads in progress that may never end, such as those of a pipe.
static WAITS: AtomicUsize = AtomicUsize::new(0);

/// Starts to watch for signals.
#[cfg(unix)]
pub(crate) fn watch() -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::Builder::new().spawn(move || signals.forever().for_each(|_| end_apart()))?;
    Ok(())
}

/// Starts to watch for Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn watch() -> io::Result<()> {
    ctrlc::set_handler(end_apart).map_err(io::Error::other)
}

/// Ends the program in a thread of its own, so that a second Ctrl-C arrives while the first one waits.
fn end_apart() {
    if thread::Builder::new().spawn(end).is_err() {
        end();
    }
}

fn end() {
    let was_asked = STOP.swap(true, Ordering::SeqCst);
    let looks = LOOKS.load(Ordering::SeqCst) && WAITS.load(Ordering::SeqCst) == 0;
    if !was_asked && looks {
        return;
    }
    // A second Ctrl-C does not wait for the files in progress.
    if !was_asked {
        drop(ENDED.wait_while(changes(), |changes| *changes > 0));
    }
    bitexact::output::end_writing();
    std::process::exit(130);
}

fn changes() -> MutexGuard<'static, usize> {
    CHANGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets the first Ctrl-C wait, while this value exists, until files that change together have changed.
pub(crate) struct Gentle;

impl Gentle {
    pub(crate) fn new() -> Self {
        *changes() += 1;
        Self
    }
}

impl Drop for Gentle {
    fn drop(&mut self) {
        *changes() -= 1;
        ENDED.notify_all();
    }
}

/// Marks work that checks for a stop request, while this value exists.
pub(crate) struct Looks(&'static AtomicBool);

impl Looks {
    pub(crate) fn new() -> Self {
        LOOKS.store(true, Ordering::SeqCst);
        Self(&STOP)
    }

    /// Returns the flag that becomes true when the work has to stop.
    pub(crate) fn stop(&self) -> &'static AtomicBool {
        self.0
    }
}

impl Drop for Looks {
    fn drop(&mut self) {
        LOOKS.store(false, Ordering::SeqCst);
    }
}

/// Reads something that may never end, such as a pipe: Ctrl-C ends the program at once.
pub(crate) fn waiting<T>(read: impl FnOnce() -> T) -> T {
    WAITS.fetch_add(1, Ordering::SeqCst);
    // It may have come just before.
    if STOP.load(Ordering::SeqCst) {
        bitexact::output::end_writing();
        std::process::exit(130);
    }
    let read = read();
    WAITS.fetch_sub(1, Ordering::SeqCst);
    read
}
