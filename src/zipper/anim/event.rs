//! Events: what a sequence does, and when.

use crate::field::build::Tape;
use crate::field::{F32, Result, Run, Truth, U16, U32, lay, wide};
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

    /// Bytes it takes, the head included.
    pub(super) fn length(&self) -> u64 {
        HEAD.saturating_add(self.payload.length())
    }
}

lay! {
    impl LayBy<Arrays<'_>> for Event {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, arrays: Arrays<'_>) -> Result {
            let size = self.length();
            t.fill("size", at!(self.head.size), size)?;
            t.fields(at!(self.head))?;
            let length = t.stated("size", self.head.size)?.saturating_sub(HEAD);
            let kind = self.head.event_type;
            let known = || Payload::known(kind, arrays.game);
            // A payload of another size than the type has: nothing else tells it from one that is known.
            let undecoded = at!(Truth::from(matches!(self.payload, Payload::Opaque(_)) && known().is_some()));
            t.fact("undecoded", undecoded)?;
            let undecoded = bool::from(*undecoded);
            t.build(at!(self.payload), |payload, t| {
                let fits = |it: &Payload| if t.reading() { it.fits(t.ahead(length)) } else { !undecoded };
                *payload = known().filter(fits).unwrap_or_default();
                Ok(())
            })?;
            match at!(self.payload) {
                Payload::Opaque(bytes) => {
                    let name = kind.name();
                    t.expect("event_type", || name.is_none().then(|| ("a type with a name".into(), kind.get().into())));
                    let found = wide(bytes.len());
                    t.expect("size", || name.map(|_| ("a size of this type".into(), (HEAD + found).into())));
                    t.run("payload", Run::Opaque, t.told(length, found), bytes)
                }
                Payload::Empty(_) => Ok(()),
                payload => t.group("payload", |t| {
                    payload.lay(t)?;
                    payload.refer(t, arrays);
                    Ok(())
                }),
            }
        }
    }
}
