//! The memory that a model may take: counted as the model is read, so that a hostile file is refused before memory ends.
//!
//! Blocks share the bytes of their file and cost nothing. The cost is in lists whose items are larger in memory than in the
//! file. A model is charged for such a list when it grows, before the memory is allocated.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{Fault, Size};
use super::limits;
use super::wide::wide;

/// The capacity of a list when it gets its first item.
const FIRST: usize = 4;
/// The size of the first allocation of a list with a known count, unless fewer items are enough.
const FIRST_BYTES: usize = 16 << 10;

static ALLOWED: AtomicU64 = AtomicU64::new(limits::MEMORY);

/// Returns the memory in bytes that one file and its model may take if a call does not set its own limit.
#[must_use]
pub fn allowed() -> u64 {
    ALLOWED.load(Ordering::Relaxed)
}

/// Sets [`allowed`] for the whole process, which shares the memory.
pub fn allow(bytes: u64) {
    ALLOWED.store(bytes, Ordering::Relaxed);
}

/// Checks that a file of this size can be read as a whole.
///
/// # Errors
/// Returns an error with the size and the limit if the bytes alone are more than [`allowed`].
pub fn fits(bytes: u64) -> io::Result<()> {
    let limit = allowed();
    if bytes <= limit {
        return Ok(());
    }
    // Twice the size, because a model follows.
    let (bytes, limit, enough) = (Size(bytes), Size(limit), bytes.div_ceil(1 << 29));
    let why =
        format!("has {bytes}, more than the memory limit of {limit}; use --memory {enough}GiB or more to allow it");
    Err(io::Error::other(why))
}

/// Returns an empty list with room for a file of this size.
///
/// # Errors
/// Returns an error if the file does not [fit](fits), or if the system has no such memory.
pub fn room(size: u64) -> io::Result<Vec<u8>> {
    fits(size)?;
    let mut bytes = Vec::new();
    let size = usize::try_from(size).map_err(|_| ErrorKind::OutOfMemory)?;
    bytes.try_reserve_exact(size).map_err(|_| ErrorKind::OutOfMemory)?;
    Ok(bytes)
}

/// Reads everything from a file, or from a source whose size is not known.
///
/// # Errors
/// Returns an error if it cannot be read, or if it has more than [`allowed`]; no more than that is read.
pub fn read_to_end(from: impl Read, size: Option<u64>) -> io::Result<Vec<u8>> {
    let (mut bytes, limit) = (size.map_or(Ok(Vec::new()), room)?, allowed());
    from.take(limit.checked_add(1).unwrap_or(limit)).read_to_end(&mut bytes)?;
    fits(wide(bytes.len()))?;
    Ok(bytes)
}

/// Counts the memory of a model against a limit.
#[derive(Debug)]
pub struct Meter {
    /// The limit in error messages: the memory allowed for the file and the model together.
    limit: u64,
    /// The part of the limit that the model may take.
    allowed: u64,
    taken: Cell<u64>,
    /// `true` if a charge was refused. It stays so, because formats try other layouts when a part does not decode.
    exceeded: Cell<bool>,
}

impl Meter {
    /// Returns a meter of a limit, of which this many bytes are in use elsewhere. If that exceeds the limit, it refuses at once.
    pub const fn new(limit: u64, elsewhere: u64) -> Self {
        let (allowed, exceeded) = (limit.saturating_sub(elsewhere), Cell::new(elsewhere > limit));
        Self { limit, allowed, taken: Cell::new(0), exceeded }
    }

    /// Counts bytes that are about to be allocated.
    ///
    /// # Errors
    /// Returns an error if the limit does not allow them.
    pub fn charge(&self, bytes: u64) -> Result<(), Fault> {
        let taken = self.taken.get().saturating_add(bytes);
        if taken > self.allowed || self.exceeded.get() {
            return Err(self.refuse());
        }
        self.taken.set(taken);
        Ok(())
    }

    /// Counts that many items of a size in bytes, which are about to be allocated.
    ///
    /// # Errors
    /// Returns an error if the limit does not allow them.
    pub fn charge_all(&self, count: usize, each: usize) -> Result<(), Fault> {
        self.charge(wide(count).saturating_mul(wide(each)))
    }

    /// Returns the memory charged so far.
    pub fn taken(&self) -> u64 {
        self.taken.get()
    }

    /// Cancels the charges beyond this total, because their memory has been freed.
    pub fn release_to(&self, taken: u64) {
        self.taken.set(taken.min(self.taken.get()));
    }

    /// Returns the error if a charge was refused.
    #[inline]
    pub fn refused(&self) -> Option<Fault> {
        if self.exceeded.get() { Some(Fault::Memory { limit: self.limit }) } else { None }
    }

    /// Reserves space for one more item of a list, whose final `count` may be known.
    ///
    /// # Errors
    /// Returns an error if the limit does not allow it, or the system has no such memory.
    pub(crate) fn grow<T>(&self, items: &mut Vec<T>, count: Option<usize>) -> Result<(), Fault> {
        let (length, capacity) = (items.len(), items.capacity());
        if length < capacity {
            return Ok(());
        }
        let doubled = capacity.saturating_mul(2).max(FIRST);
        let wanted = match count {
            // Most lists fit into one allocation; a count that is too large wastes little.
            Some(count) => doubled.max(FIRST_BYTES.checked_div(size_of::<T>()).unwrap_or(FIRST)).min(count),
            None => doubled,
        };
        let wanted = wanted.max(length.saturating_add(1));
        let more = wide(wanted.saturating_sub(capacity)).saturating_mul(wide(size_of::<T>()));
        self.charge(if capacity == 0 { more.saturating_add(wide(limits::ALLOCATION)) } else { more })?;
        items.try_reserve_exact(wanted.saturating_sub(length)).map_err(|_| self.refuse())
    }

    /// Returns this many items with their default values.
    ///
    /// # Errors
    /// Returns an error if the limit does not allow them, or the system has no such memory.
    pub(crate) fn items<T: Default>(&self, count: usize) -> Result<Vec<T>, Fault> {
        let mut items = Vec::new();
        self.charge(wide(limits::ALLOCATION))?;
        self.charge_all(count, size_of::<T>())?;
        items.try_reserve_exact(count).map_err(|_| self.refuse())?;
        items.resize_with(count, T::default);
        Ok(items)
    }

    fn refuse(&self) -> Fault {
        self.exceeded.set(true);
        Fault::Memory { limit: self.limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_is_charged_for_its_capacity_and_gets_no_more_than_its_count() {
        let meter = Meter::new(1000, 0);
        let mut items: Vec<u64> = Vec::new();
        for _ in 0..6 {
            meter.grow(&mut items, Some(6)).expect("48 bytes");
            items.push(0);
        }
        assert_eq!((items.capacity(), meter.taken()), (6, 6 * 8 + wide(limits::ALLOCATION)));
        meter.grow(&mut items, None).expect("96 bytes");
        assert_eq!((items.capacity(), meter.taken()), (12, 12 * 8 + wide(limits::ALLOCATION)));
    }

    #[test]
    fn meter_refuses_everything_after_the_limit_was_exceeded() {
        let meter = Meter::new(100, 40);
        assert!(meter.charge(50).is_ok() && meter.refused().is_none());
        assert_eq!(meter.items::<u64>(2).err(), Some(Fault::Memory { limit: 100 }));
        meter.release_to(0);
        assert_eq!(meter.charge(1), Err(Fault::Memory { limit: 100 }));
        assert!(meter.refused().is_some());
        assert!(Meter::new(100, 101).refused().is_some());
    }

    #[test]
    fn freed_memory_can_be_charged_again() {
        let meter = Meter::new(100, 0);
        assert_eq!((meter.charge(80), meter.taken()), (Ok(()), 80));
        meter.release_to(10);
        assert_eq!((meter.charge(80), meter.taken()), (Ok(()), 90));
        meter.release_to(1000);
        assert_eq!(meter.taken(), 90);
        assert_eq!((meter.charge(10), meter.taken()), (Ok(()), 100));
        assert!(meter.charge(1).is_err() && meter.refused().is_some());
    }
}
