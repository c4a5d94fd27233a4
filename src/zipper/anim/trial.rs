//! Whether an event holds all that is expected, found without building it: nearly all do.

use crate::field::{Class, Record, Shaped, Whole};

use super::arrays::{Arrays, leads};
use super::event::EventHeader;
use super::events::Payload;
use super::expect::{Gated, stray};

/// Events that are gone through part by part, as they are laid out. The parts are counted by class.
///
/// What it takes for sound must never be something of which a walk would report a deviation.
pub(super) struct Trial<'a> {
    arrays: Arrays<'a>,
    /// What is left of the event.
    left: &'a [u8],
    /// How much was left where the part before began.
    begun: usize,
    census: [usize; 7],
}

impl<'a> Trial<'a> {
    /// No events yet.
    pub(super) fn new(arrays: Arrays<'a>) -> Self {
        Self { arrays, left: &[], begun: 0, census: [0; 7] }
    }

    /// Goes through an event. Returns where its last part begins, or `None` if something deviates; then it is not counted.
    pub(super) fn event(&mut self, event: &'a [u8]) -> Option<usize> {
        let before = self.census;
        self.left = event;
        let is_sound = self.parts();
        if is_sound.is_none() {
            self.census = before;
        }
        is_sound.map(|()| event.len().saturating_sub(self.begun))
    }

    fn parts(&mut self) -> Option<()> {
        let head = self.record::<EventHeader>()?;
        let known = Payload::known(head.event_type, self.arrays.game)?;
        (known.tried)(self)?;
        // Of another size, it would be kept as bytes.
        self.left.is_empty().then_some(())
    }

    /// Returns the bytes by class of what was sound since the last call.
    pub(super) fn counted(&mut self) -> [usize; 7] {
        core::mem::take(&mut self.census)
    }

    /// Goes on after so many bytes.
    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, left) = self.left.split_at_checked(length)?;
        self.begun = self.left.len();
        self.left = left;
        Some(bytes)
    }

    /// Goes on after a count, which is derived.
    pub(super) fn number<W: Whole + Shaped>(&mut self) -> Option<W> {
        Class::Derived.count(size_of::<W>(), &mut self.census);
        crate::macros::read_pod(self.bytes(size_of::<W>())?)
    }

    /// Goes on after a value of a type without rules.
    pub(super) fn value<T: Shaped>(&mut self) -> Option<&'a T> {
        let bytes = self.bytes(size_of::<T>())?;
        T::SHAPE.count(T::CLASS, bytes, &mut self.census);
        crate::macros::view(bytes).filter(|_| !T::SHAPE.ruled())
    }

    /// Goes on after so many records, end to end.
    pub(super) fn records<R: Record>(&mut self, count: u32) -> Option<()> {
        let begun = self.left.len();
        (0..count).try_for_each(|_| self.record::<R>().map(drop))?;
        self.begun = begun;
        Some(())
    }

    /// Goes on after a record, if each of its fields holds what its rule gives.
    pub(super) fn record<R: Record>(&mut self) -> Option<&'a R> {
        let bytes = self.bytes(size_of::<R>())?;
        if const { R::LAYOUT.ruled } && R::LAYOUT.plan().deviates(bytes, None) {
            return None;
        }
        match const { R::LAYOUT.census } {
            Some(more) => self.census.iter_mut().zip(more).for_each(|(sum, more)| *sum += more),
            None => R::LAYOUT.plan().count(bytes, &mut self.census),
        }
        crate::macros::view(bytes)
    }

    /// Whether nothing is in the fields of a record whose flags are not set.
    pub(super) fn gates<R: Gated>(&self, record: &R, flags: R::Flags) -> Option<()> {
        stray(record, flags).next().is_none().then_some(())
    }

    /// Whether the indices of a record lead to elements.
    pub(super) fn indices<R: Record>(&self, record: &R) -> Option<()> {
        leads(record, &self.arrays).then_some(())
    }
}
