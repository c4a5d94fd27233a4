//! Ctrl-C and SIGTERM: no file is left half written, and work on many files ends with the rows so far.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// `true` if the user has asked the program to stop.
static STOP: AtomicBool = AtomicBool::new(false);
/// `true` if the work checks [`STOP`] regularly.
static LOOKS: AtomicBool = AtomicBool::new(false);
/// The number of changes of several files in progress.
static CHANGES: Mutex<usize> = Mutex::new(0);
/// Notified when one of them ends.
static ENDED: Condvar = Condvar::new();

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
    if !was_asked && LOOKS.load(Ordering::SeqCst) {
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
pub(crate) struct Stoppable(&'static AtomicBool);

impl Stoppable {
    pub(crate) fn new() -> Self {
        LOOKS.store(true, Ordering::SeqCst);
        Self(&STOP)
    }

    /// Returns the flag that becomes true when the work has to stop.
    pub(crate) fn stop(&self) -> &'static AtomicBool {
        self.0
    }
}

impl Drop for Stoppable {
    fn drop(&mut self) {
        LOOKS.store(false, Ordering::SeqCst);
    }
}

/// Reads something that may never end, such as a pipe, and returns an error once the user has asked the program to stop.
pub(crate) fn waiting<T: Send + 'static>(read: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    /// How often it looks.
    const OFTEN: Duration = Duration::from_millis(20);
    let (done, all) = mpsc::channel();
    thread::Builder::new().spawn(move || drop(done.send(read())))?;
    loop {
        match all.recv_timeout(OFTEN) {
            Ok(read) => return read,
            Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other("cannot be read")),
            Err(RecvTimeoutError::Timeout) if STOP.load(Ordering::SeqCst) => {
                return Err(io::Error::other("interrupted"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
