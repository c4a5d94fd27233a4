//! How many items or bytes a part has.

/// How many items or bytes a part has.
///
/// A plain number is what the rest of the model states: a model with another number of them cannot be written. [`as_read`] is a number
/// that only the file knows.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    number: u64,
    is_stated: bool,
}

/// Returns the number of items or bytes that the file has in a part; afterwards, the part itself has the number.
///
/// That is right where nothing states the number, such as for what remains of a file, and where a rule of its own compares what does.
#[must_use]
pub fn as_read(number: u64) -> Count {
    Count { number, is_stated: false }
}

impl<N: Into<u64>> From<N> for Count {
    fn from(number: N) -> Self {
        Self { number: number.into(), is_stated: true }
    }
}

impl Count {
    /// Returns the number for a part that has `has` items in the model, while it is read or not.
    pub(super) fn of(self, has: u64, is_reading: bool) -> u64 {
        if self.is_stated || is_reading { self.number } else { has }
    }
}
