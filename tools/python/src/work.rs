//! Work without the global interpreter lock, on a stack that holds the deepest nesting.

use std::any::Any;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use bitexact::field::limits;
use pyo3::prelude::*;

use crate::failure::{Done, Failure};

/// Does work on a thread of its own. Other threads of Python go on meanwhile.
pub(crate) fn work<T: Send>(py: Python<'_>, work: impl FnOnce() -> Done<T> + Send) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let worker = thread::Builder::new().stack_size(limits::STACK).spawn_scoped(scope, work);
            let worker = worker.map_err(|error| Failure::new(format!("cannot start a thread: {error}")))?;
            worker.join().unwrap_or_else(|panic| Err(internal(&*panic)))
        })
    })
    .map_err(|failure| failure.raise(py))
}

fn internal(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    Failure::new(format!("internal error: {}; please report this", text.unwrap_or("panic without a message")))
}

/// Locks a value for work without the global interpreter lock. A value stays usable after a panic: it is replaced only as a whole.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
