//! Ctrl-C and SIGTERM: no file is left half written, and work on many files ends with the rows so far.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// `true` if the user has asked the program to stop.
static STOP: AtomicBool = AtomicBool::new(false);
/// `true` if the work checks [`STOP`] regularly.
static LOOKS: AtomicBool = AtomicBool::new(false);

/// Starts to watch for signals.
#[cfg(unix)]
pub(crate) fn watch() -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || signals.forever().for_each(|_| end()))?;
    Ok(())
}

/// Starts to watch for Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn watch() -> io::Result<()> {
    ctrlc::set_handler(end).map_err(io::Error::other)
}

fn end() {
    let was_asked = STOP.swap(true, Ordering::SeqCst);
    // A second Ctrl-C does not wait for the files in progress.
    if was_asked || !LOOKS.load(Ordering::SeqCst) {
        bitexact::output::end_writing();
        std::process::exit(130);
    }
}

/// Marks work that checks for a stop request, while this value exists.
pub(crate) struct Gentle(&'static AtomicBool);

impl Gentle {
    pub(crate) fn new() -> Self {
        LOOKS.store(true, Ordering::SeqCst);
        Self(&STOP)
    }

    /// Returns the flag that becomes true when the work has to stop.
    pub(crate) fn stop(&self) -> &'static AtomicBool {
        self.0
    }
}

impl Drop for Gentle {
    fn drop(&mut self) {
        LOOKS.store(false, Ordering::SeqCst);
    }
}
