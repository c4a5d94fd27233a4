//! Sequences: events that run one after another.

use field::{Block, F32, Judge, Result, Run, Style as _, Text, U16, U32, Windows, decode_text, lay, quote, wide};
use field::{names, record};

use super::arrays::Arrays;
use super::expect::pointed;
use super::stream::Events;

names! {
    /// The state of a sequence. Source: `zipper-anim.md`, section 12.
    pub struct SequenceState(U8: u8) {
        /// It runs from the beginning.
        INITIAL = 0;
        /// It runs when called.
        ON_CALL = 3;
    }
}

record! {
    /// The header of a sequence except for its size, 60 bytes. Source: `zipper-anim.md`, section 12.
    pub struct SequenceHeader: 60 {
        name: Text<32>,
        seq_state: SequenceState,
        reset_state: SequenceState,
        pad_22: U16 = 0,
        sequence_clock: F32 = 0.0,
        event_clock: F32 = 0.0,
        loop_clock: F32 = 0.0,
        loop_passes: U16 = 0,
        pad_32: U16 = 0,
        current_event_ptr: U32 as Pointer = 0,
        events_ptr: U32 as Pointer,
    }
}

record! {
    /// The end of the header, 4 bytes. Source: `zipper-anim.md`, section 12.
    pub struct SequenceSize: 4 {
        /// The size of the events in bytes.
        size: U32 as Outside,
    }
}

/// A sequence.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// Name and states.
    pub head: SequenceHeader,
    /// The size of the events.
    pub size: SequenceSize,
    /// The events.
    pub events: Events,
    /// Bytes after the last event that can be recognized.
    pub rest: Block,
}

impl Sequence {
    /// The size of the smallest sequence in bytes.
    pub(super) const SMALLEST: u64 = 64;

    /// Returns `true` if an event calls back into the game.
    pub(super) fn calls_back(&self) -> bool {
        self.events.call_back()
    }

    /// Returns the number of bytes after its header.
    ///
    /// # Errors
    /// Returns an error if an event cannot be written.
    pub(super) fn length(&self) -> Result<u64> {
        Self::bytes(&self.events, &self.rest)
    }

    fn bytes(events: &Events, rest: &Block) -> Result<u64> {
        Ok(events.length()? + wide(rest.len()))
    }

    /// Expects this name.
    pub(super) fn expect_name(&self, t: &mut Judge<'_>, expected: &'static [u8]) {
        let found = self.head.name.bytes();
        let text = |bytes| decode_text(Windows::PAGE, bytes).into();
        t.expect("name", || (found != expected).then(|| (text(expected), text(found))));
    }
}

lay! {
    impl LayBy<Arrays<'_>> for Sequence {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, arrays: Arrays<'_>) -> Result {
            let (events, rest) = (&self.events, &self.rest);
            t.computed_by("size", at!(self.size.size), || Self::bytes(events, rest))?;
            t.fields(at!(self.head))?;
            t.fields(at!(self.size))?;
            let size = t.stated("size", self.size.size)?;
            t.expect("events_ptr", || pointed(self.head.events_ptr, size));
            t.window(size, |t| {
                self.events.lay_by(t, arrays)?;
                t.rest("rest", Run::Opaque, at!(self.rest))
            })?;
            let rest = &self.rest;
            t.expect("rest", || (!rest.is_empty()).then(|| ("events".into(), quote(rest).into())));
            Ok(())
        }
    }
}
