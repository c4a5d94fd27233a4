//! A check that an event has only expected values, without building the event. Nearly all events pass.

use field::{Class, Integer, Record, Shaped};

use super::arrays::{Arrays, leads};
use super::event::EventHeader;
use super::events::Payload;
use super::expect::Gated;

/// A check of events, part by part in the order of their layout.
///
/// An event passes only if a walk would report no deviation in it.
pub(super) struct Trial<'a> {
    arrays: Arrays<'a>,
    /// The bytes of the event that are left.
    left: &'a [u8],
    /// The number of bytes left at the beginning of the last part.
    begun: usize,
    /// The bytes by class.
    census: [usize; 7],
}

impl<'a> Trial<'a> {
    /// Creates a check with no events yet.
    pub(super) fn new(arrays: Arrays<'a>) -> Self {
        Self { arrays, left: &[], begun: 0, census: [0; 7] }
    }

    /// Checks an event and counts its bytes by class. Returns the offset of its last part, or `None` if the event has a deviation;
    /// then it is not counted.
    pub(super) fn event(&mut self, event: &'a [u8], sums: &mut [usize; 7]) -> Option<usize> {
        (self.left, self.census) = (event, *sums);
        self.parts()?;
        *sums = self.census;
        Some(event.len().saturating_sub(self.begun))
    }

    fn parts(&mut self) -> Option<()> {
        let head = self.record::<EventHeader>()?;
        let known = Payload::known(head.event_type, self.arrays.game)?;
        (known.tried)(self)?;
        // An event of a different size is kept as raw bytes.
        self.left.is_empty().then_some(())
    }

    /// Takes this many bytes.
    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, left) = self.left.split_at_checked(length)?;
        self.begun = self.left.len();
        self.left = left;
        Some(bytes)
    }

    /// Takes a count, which is derived.
    pub(super) fn number<W: Integer + Shaped>(&mut self) -> Option<W> {
        Class::Derived.count(size_of::<W>(), &mut self.census);
        field::macros::read_pod(self.bytes(size_of::<W>())?)
    }

    /// Takes a value of a type without rules.
    pub(super) fn value<T: Shaped>(&mut self) -> Option<&'a T> {
        let bytes = self.bytes(size_of::<T>())?;
        T::SHAPE.count(T::CLASS, bytes, &mut self.census);
        field::macros::view(bytes).filter(|_| !T::SHAPE.ruled())
    }

    /// Takes `count` adjacent records.
    pub(super) fn records<R: Record>(&mut self, count: u32) -> Option<()> {
        let begun = self.left.len();
        (0..count).try_for_each(|_| self.record::<R>().map(drop))?;
        self.begun = begun;
        Some(())
    }

    /// Takes a record, or returns `None` if a field differs from its rule.
    pub(super) fn record<R: Record>(&mut self) -> Option<&'a R> {
        let bytes = self.bytes(size_of::<R>())?;
        if const { R::LAYOUT.ruled } && R::LAYOUT.template().deviates(bytes, None) {
            return None;
        }
        match const { R::LAYOUT.census } {
            Some(more) => self.census.iter_mut().zip(more).for_each(|(sum, more)| *sum += more),
            None => R::LAYOUT.template().count(bytes, &mut self.census),
        }
        field::macros::view(bytes)
    }

    /// Returns `None` if a field of a record has a value although its flags are not set.
    pub(super) fn gates<R: Gated>(&self, record: &R, flags: R::Flags) -> Option<()> {
        record.is_gated(flags).then_some(())
    }

    /// Returns `None` if an index of a record does not refer to an element.
    pub(super) fn indices<R: Record>(&self, record: &R) -> Option<()> {
        leads(record, &self.arrays).then_some(())
    }
}
