//! Tracks temporary files and folders, so that a process that is asked to end can delete them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static STAGED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// No code panics while it changes the set.
fn staged() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    STAGED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A path that [`end_writing`] deletes while this value exists.
#[derive(Debug)]
pub struct Staged(PathBuf);

impl Drop for Staged {
    fn drop(&mut self) {
        staged().remove(&self.0);
    }
}

/// Creates a temporary file or folder and registers it, without an end of the process in between. The registration must outlive it.
pub fn stage<T>(make: impl FnOnce() -> io::Result<T>, path: impl FnOnce(&T) -> &Path) -> io::Result<(Staged, T)> {
    let mut staged = staged();
    let made = make()?;
    let path = path(&made).to_owned();
    staged.insert(path.clone());
    Ok((Staged(path), made))
}

/// Runs a step that is either complete or not begun when the process ends.
pub fn step<T>(step: impl FnOnce() -> T) -> T {
    let _held = staged();
    step()
}

/// Deletes all temporary files and folders. Afterward, any thread that tries to write waits forever, so this is for a process that is
/// about to end.
pub fn end_writing() {
    let staged = staged();
    for path in &*staged {
        // There is no way left to report a failure.
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
    core::mem::forget(staged);
}
