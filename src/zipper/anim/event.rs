//! Events: the actions of a sequence, and their times.

use field::{F32, Result, Run, Truth, U16, U32, as_read, lay, wide};
use field::{names, record};

use super::arrays::Arrays;
use super::events::{EventType, Payload};

/// The size of the header in bytes.
pub(super) const HEAD: u64 = 12;

names! {
    /// The reference of an event's time. Source: `zipper-anim.md`, section 13.
    pub struct StartOffset(U8: u8) {
        /// The beginning of the animation.
        ANIMATION = 1;
        /// The beginning of the sequence.
        SEQUENCE = 2;
        /// The previous event.
        EVENT = 3;
    }
}

record! {
    /// The header of an event, 12 bytes. Source: `zipper-anim.md`, section 13.
    pub struct EventHeader: 12 {
        event_type: EventType,
        start_offset: StartOffset,
        pad: U16 = 0,
        /// The size of the event in bytes, including the header.
        size: U32 as Outside,
        /// Seconds.
        start_time: F32,
    }
}

/// An event.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// Type and time.
    pub head: EventHeader,
    /// The data of its type.
    pub payload: Payload,
}

impl Event {
    /// Returns its length in bytes, including the header.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub(super) fn length(&self) -> Result<u64> {
        Ok(HEAD + self.payload.length()?)
    }
}

lay! {
    impl LayBy<Arrays<'_>> for Event {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, arrays: Arrays<'_>) -> Result {
            let payload = &self.payload;
            t.computed_by("size", at!(self.head.size), || Ok(HEAD + payload.length()?))?;
            t.fields(at!(self.head))?;
            let length = t.stated("size", self.head.size)?.saturating_sub(HEAD);
            let kind = self.head.event_type;
            let known = || Payload::known(kind, arrays.game);
            // A payload whose size does not fit the type; only this fact distinguishes it from a known one.
            let undecoded = at!(Truth::from(matches!(self.payload, Payload::Opaque(_)) && known().is_some()));
            t.seen_fact("undecoded", undecoded, |t| known().is_some_and(|it| !(it.fits)(t.ahead(length))).into())?;
            let undecoded = bool::from(*undecoded);
            t.choose(at!(self.payload), |_| {
                known().filter(|_| !undecoded).map(|it| (it.empty)()).unwrap_or_default()
            });
            match at!(self.payload) {
                Payload::Opaque(bytes) => {
                    let name = kind.name();
                    t.expect("event_type", || name.is_none().then(|| ("a type with a name".into(), kind.get().into())));
                    let found = wide(bytes.len());
                    t.expect("size", || name.map(|_| ("a size of this type".into(), (HEAD + found).into())));
                    t.run("payload", Run::Opaque, as_read(length), bytes)
                }
                Payload::Empty(_) => Ok(()),
                payload => t.group("payload", |t| {
                    payload.lay(t)?;
                    t.judge(|t| payload.refer(t, arrays));
                    Ok(())
                }),
            }
        }
    }
}
