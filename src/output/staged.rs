//! What is written beside its place and not yet in it, so that a process that is told to end leaves none of it behind.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static STAGED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Nothing panics half way through a change of the set.
fn staged() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    STAGED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A path that [`end_writing`] deletes, for as long as this exists.
#[derive(Debug)]
pub(crate) struct Staged(PathBuf);

impl Drop for Staged {
    fn drop(&mut self) {
        staged().remove(&self.0);
    }
}

/// Makes something beside its place, and notes it: the process is not told to end in between. The note is to outlive it.
pub(crate) fn stage<T>(
    make: impl FnOnce() -> io::Result<T>,
    path: impl FnOnce(&T) -> &Path,
) -> io::Result<(Staged, T)> {
    let mut staged = staged();
    let made = make()?;
    let path = path(&made).to_owned();
    staged.insert(path.clone());
    Ok((Staged(path), made))
}

/// Takes a step that is either done or not begun when the process is told to end.
pub(crate) fn step<T>(step: impl FnOnce() -> T) -> T {
    let _held = staged();
    step()
}

/// Deletes everything that is written beside its place and not yet in it. From then on nothing is written any more: whoever
/// tries to waits, so this is for a process that is about to end.
pub fn end_writing() {
    let staged = staged();
    for path in &*staged {
        // What cannot be deleted has to stay; there is nobody left to tell.
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
    core::mem::forget(staged);
}
