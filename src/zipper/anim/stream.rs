//! The events of a sequence, which stay encoded until they are changed.

use core::fmt;
use std::borrow::Cow;

use bytes::Bytes;

use field::walk::sizes;
use field::{LazyItem, LazyList, Result, build, pieces, walk, wide};
use kind::Game;

use super::arrays::Arrays;
use super::event::{Event, EventHeader, HEAD};
use super::events::{EventType, Payload};
use super::trial::Trial;

/// The events of a sequence.
///
/// There are many events, and most are small, so they stay encoded until the list is [changed](Self::to_mut).
#[derive(Clone, Default)]
pub struct Events {
    list: LazyList<Event>,
    /// `true` if one of them called back into the game when they were read.
    called_back: bool,
}

impl LazyItem for Event {
    /// The game, which determines the types of events and their payloads.
    type By = Game;

    const SMALLEST: u64 = HEAD;

    fn length(bytes: &[u8]) -> Option<usize> {
        let head: EventHeader = field::macros::read_head(bytes)?;
        let is_complete = |size: &usize| (size_of::<EventHeader>()..=bytes.len()).contains(size);
        usize::try_from(head.size.get()).ok().filter(is_complete)
    }

    fn parse(bytes: Bytes, game: Game, _: usize) -> Self {
        let read = |event: &mut Self, t: &mut build::Tape<'_>| build::LayBy::lay_by(event, t, Arrays::none(game));
        // Any payload of the size in its header can be read, because an unknown one stays bytes. The fallback keeps bytes too.
        build::read_part(bytes.clone(), read).unwrap_or_else(|_| {
            let (head, payload) = field::macros::split_head(&bytes).unwrap_or_default();
            Self { head, payload: Payload::Opaque(payload.to_vec().into()) }
        })
    }
}

impl Events {
    /// Reads the events at the current position.
    fn read(t: &mut build::Tape<'_>, game: Game) -> Result<Self> {
        let ahead = t.peek(t.position(), t.remaining()).map_err(|fault| t.error(fault))?;
        let (mut count, mut length, mut called_back) = (0, 0_usize, false);
        for event in pieces::<Event>(&ahead) {
            let head: EventHeader = field::macros::read_head(event).unwrap_or_default();
            if Payload::known(head.event_type, game).is_some_and(|known| known.is_large) {
                // Parsing the event later takes memory, so the memory limit is checked now.
                t.for_now(|t| {
                    t.nth("events", count, |t| build::LayBy::lay_by(&mut Event::default(), t, Arrays::none(game)))
                })?;
            } else {
                t.pass(wide(event.len()))?;
            }
            count += 1;
            length += event.len();
            called_back |= head.event_type == EventType::CALLBACK;
        }
        Ok(Self { list: LazyList::of(ahead.slice(..length), count, game), called_back })
    }

    /// Returns the number of events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the events in file order. Encoded events are parsed one by one.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, Event>> {
        self.list.iter()
    }

    /// Returns `true` if an event calls back into the game.
    #[must_use]
    pub fn call_back(&self) -> bool {
        match self.list.parts() {
            Ok(_) => self.called_back,
            Err(events) => events.iter().any(|event| event.head.event_type == EventType::CALLBACK),
        }
    }

    /// Returns the list for editing. The first call parses all events.
    pub fn to_mut(&mut self) -> &mut Vec<Event> {
        self.list.to_mut()
    }

    /// Returns the length of the events in bytes.
    ///
    /// # Errors
    /// Returns an error if one of them cannot be written.
    pub(super) fn length(&self) -> Result<u64> {
        match self.list.parts() {
            Ok(bytes) => Ok(wide(bytes.len())),
            Err(events) => Ok(sizes("events", events, Event::length)?.into_iter().sum()),
        }
    }
}

impl From<Vec<Event>> for Events {
    fn from(events: Vec<Event>) -> Self {
        Self { list: events.into(), called_back: false }
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list.fmt(f)
    }
}

impl build::LayBy<Arrays<'_>> for Events {
    fn lay_by(&mut self, t: &mut build::Tape<'_>, arrays: Arrays<'_>) -> Result {
        if t.reading() {
            *self = Self::read(t, arrays.game)?;
            return Ok(());
        }
        let count = wide(self.len());
        let each = |t: &mut build::Tape<'_>, event: &mut Event| build::LayBy::lay_by(event, t, arrays);
        t.list("events", count, Event::SMALLEST, self.to_mut(), each)
    }
}

impl walk::LayBy<Arrays<'_>> for Events {
    fn lay_by(&self, t: &mut walk::Tape<'_>, arrays: Arrays<'_>) -> Result {
        let mut trial = Trial::new(arrays);
        let each = |t: &mut walk::Tape<'_>, event: &Event| walk::LayBy::lay_by(event, t, arrays);
        self.list.walk(t, "events", |event, sums| trial.event(event, sums), each)
    }
}
