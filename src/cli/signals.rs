//! Ctrl-C and SIGTERM: nothing is left half written, and work on many files ends with the rows so far.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody has asked for the end.
static STOP: AtomicBool = AtomicBool::new(false);
/// Whether the work looks at [`STOP`] from time to time.
static LOOKS: AtomicBool = AtomicBool::new(false);

/// Watches from now on.
#[cfg(unix)]
pub(crate) fn watch() -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || signals.forever().for_each(|_| end()))?;
    Ok(())
}

/// Watches from now on.
#[cfg(not(unix))]
pub(crate) fn watch() -> io::Result<()> {
    ctrlc::set_handler(end).map_err(io::Error::other)
}

fn end() {
    let was_asked = STOP.swap(true, Ordering::SeqCst);
    // Whoever presses it twice does not want to wait for the files that have been begun.
    if was_asked || !LOOKS.load(Ordering::SeqCst) {
        bitexact::output::end_writing();
        std::process::exit(130);
    }
}

/// Work that looks whether somebody has asked for its end, for as long as this exists.
pub(crate) struct Gentle(&'static AtomicBool);

impl Gentle {
    pub(crate) fn new() -> Self {
        LOOKS.store(true, Ordering::SeqCst);
        Self(&STOP)
    }

    /// Whether it has to end: true from then on.
    pub(crate) fn stop(&self) -> &'static AtomicBool {
        self.0
    }
}

impl Drop for Gentle {
    fn drop(&mut self) {
        LOOKS.store(false, Ordering::SeqCst);
    }
}
