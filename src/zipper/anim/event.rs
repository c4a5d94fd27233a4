//! Events: what a sequence does, and when.

use crate::field::{F32, Lay, Result, Run, Tape, Truth, U16, U32, wide};
use crate::format::Game as Title;
use crate::{names, record};

use super::arrays::Arrays;
use super::events::{EventType, Payload};

/// Bytes of the head.
const HEAD: u64 = 12;

names! {
    /// From when the time of an event counts. Source: `zipper-anim.md`, section 13.
    pub struct StartOffset(U8: u8) {
        /// From the beginning of the animation.
        ANIMATION = 1;
        /// From the beginning of the sequence.
        SEQUENCE = 2;
        /// From the event before.
        EVENT = 3;
    }
}

record! {
    /// The head of an event, 12 bytes. Source: `zipper-anim.md`, section 13.
    pub struct EventHead: 12 {
        event_type: EventType,
        start_offset: StartOffset,
        pad: U16 = 0,
        /// Bytes of the event, the head included.
        size: U32 as Outside,
        /// Seconds.
        start_time: F32,
    }
}

/// An event.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// Type and time.
    pub head: EventHead,
    /// What it does.
    pub payload: Payload,
}

impl Event {
    /// In read mode, whether an event follows that ends where its sequence does, or before.
    pub(super) fn follows(t: &Tape<'_>) -> bool {
        let head: Option<EventHead> = crate::macros::read_pod(t.ahead(HEAD));
        head.is_some_and(|head| (HEAD..=t.remaining()).contains(&head.size.get().into()))
    }

    /// Makes the head say how many bytes it takes, and gives that.
    pub(super) fn settle(&mut self, t: &Tape<'_>) -> Result<u64> {
        let size = HEAD.saturating_add(self.payload.length());
        t.fill("size", &mut self.head.size, size)?;
        Ok(size)
    }

    pub(super) fn lay(&mut self, t: &mut Tape<'_>, game: Title, arrays: Arrays<'_>) -> Result {
        t.fields(&mut self.head)?;
        let length = t.stated("size", self.head.size)?.saturating_sub(HEAD);
        let kind = self.head.event_type;
        // A payload of another size than the type has: nothing else tells it from one that is known.
        let is_opaque = matches!(self.payload, Payload::Opaque(_));
        let mut undecoded = Truth::from(is_opaque && Payload::known(kind, game).is_some());
        t.fact("undecoded", &mut undecoded)?;
        if t.reading() {
            self.payload = Payload::of(kind, game, t.ahead(length));
        } else if t.loading() && !bool::from(undecoded) {
            self.payload = Payload::known(kind, game).unwrap_or_default();
        }
        if let Payload::Opaque(bytes) = &mut self.payload {
            t.expect("event_type", || kind.name().is_none().then(|| ("a type with a name".into(), kind.get().into())));
            let found = wide(bytes.len());
            t.expect("size", || kind.name().map(|_| ("a size that the type has".into(), (HEAD + found).into())));
            return t.run("payload", Run::Opaque, if t.reading() { length } else { found }, bytes);
        }
        if matches!(self.payload, Payload::Empty(_)) {
            return Ok(());
        }
        t.group("payload", |t| {
            self.payload.lay(t)?;
            self.payload.refer(t, arrays);
            Ok(())
        })
    }
}
