//! The events of a sequence, which stay encoded until they are changed.

use core::{fmt, iter};
use std::borrow::Cow;

use bytes::Bytes;

use crate::field::{Result, build, walk, wide};
use crate::kind::Game;

use super::arrays::Arrays;
use super::event::{Event, EventHeader};
use super::events::{EventType, Payload};
use super::trial::Trial;

/// The events of a sequence.
///
/// There are many events, and most are small. A list that was read keeps the bytes of the file, and each event is
/// [parsed](Self::iter) on demand, until the list is [changed](Self::to_mut).
#[derive(Clone)]
pub struct Events(Store);

#[derive(Clone)]
enum Store {
    Packed(Packed),
    Parsed(Vec<Event>),
}

/// Encoded events.
#[derive(Clone)]
struct Packed {
    bytes: Bytes,
    count: usize,
    /// `true` if one of them calls back into the game.
    calls_back: bool,
    /// The game, which determines the types of events and their payloads.
    game: Game,
}

/// Returns the complete events at the beginning of some bytes: the header and all bytes of each.
fn pieces(mut bytes: &[u8]) -> impl Iterator<Item = (EventHeader, &[u8])> {
    iter::from_fn(move || {
        let head: EventHeader = crate::macros::read_head(bytes)?;
        let size = usize::try_from(head.size.get()).ok().filter(|size| *size >= size_of::<EventHeader>())?;
        let (event, rest) = bytes.split_at_checked(size)?;
        bytes = rest;
        Some((head, event))
    })
}

impl Packed {
    /// Reads the events at the current position.
    fn read(t: &mut build::Tape<'_>, game: Game) -> Result<Self> {
        let ahead = t.peek(t.position(), t.remaining()).map_err(|fault| t.error(fault))?;
        let (mut count, mut length, mut calls_back) = (0, 0_usize, false);
        for (head, event) in pieces(&ahead) {
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
            calls_back |= head.event_type == EventType::CALLBACK;
        }
        Ok(Self { bytes: ahead.slice(..length), count, calls_back, game })
    }

    /// Parses an event.
    fn parse(&self, head: EventHeader, event: &[u8]) -> Event {
        let bytes = self.bytes.slice_ref(event);
        let read = |event: &mut Event, t: &mut build::Tape<'_>| build::LayBy::lay_by(event, t, Arrays::none(self.game));
        // Any payload of the size in its header can be read, because an unknown one stays bytes. The fallback keeps bytes too.
        build::read_part(bytes, read).unwrap_or_else(|_| {
            let payload = event.get(size_of::<EventHeader>()..).unwrap_or_default();
            Event { head, payload: Payload::Opaque(payload.to_vec().into()) }
        })
    }

    /// Parses all events.
    fn events(&self) -> impl Iterator<Item = Event> {
        pieces(&self.bytes).map(|(head, event)| self.parse(head, event))
    }

    /// Parses all events as a list.
    fn list(&self) -> Vec<Event> {
        let read =
            |events: &mut Vec<Event>, t: &mut build::Tape<'_>| lay(events, t, Arrays::none(self.game), self.count);
        build::read_part(self.bytes.clone(), read).unwrap_or_else(|_| self.events().collect())
    }

    /// Passes the events to a visitor that does not need their places, with adjacent events that have no deviations as one datum.
    fn tell(&self, t: &mut walk::Tape<'_>, arrays: Arrays<'_>) -> Result {
        if t.wants_bytes_only() {
            return t.as_expected(&self.bytes, [0; 7], 0);
        }
        let mut trial = Trial::new(arrays);
        // The beginning and end of the events that were checked but not yet passed on, and the beginning of their last part.
        let (mut from, mut to, mut last) = (0, 0, 0);
        for (index, (head, event)) in pieces(&self.bytes).enumerate() {
            let begins = to;
            to += event.len();
            match trial.event(event) {
                Some(part) => last = begins.saturating_sub(from).saturating_add(part),
                None => {
                    let before = self.bytes.get(from..begins).unwrap_or_default();
                    t.as_expected(before, trial.counted(), last)?;
                    t.nth("events", index, |t| walk::LayBy::lay_by(&self.parse(head, event), t, arrays))?;
                    from = to;
                }
            }
        }
        t.as_expected(self.bytes.get(from..).unwrap_or_default(), trial.counted(), last)
    }
}

impl Events {
    /// Returns the number of events.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Store::Packed(packed) => packed.count,
            Store::Parsed(events) => events.len(),
        }
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the events in file order. Encoded events are parsed one by one.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, Event>> {
        let (packed, parsed) = self.parts();
        let packed = packed.into_iter().flat_map(Packed::events).map(Cow::Owned);
        packed.chain(parsed.iter().map(Cow::Borrowed))
    }

    /// Returns `true` if an event calls back into the game.
    #[must_use]
    pub fn call_back(&self) -> bool {
        match &self.0 {
            Store::Packed(packed) => packed.calls_back,
            Store::Parsed(events) => events.iter().any(|event| event.head.event_type == EventType::CALLBACK),
        }
    }

    /// Returns the list for editing. The first call parses all events.
    pub fn to_mut(&mut self) -> &mut Vec<Event> {
        match self.0 {
            Store::Packed(ref packed) => {
                self.0 = Store::Parsed(packed.list());
                self.to_mut()
            }
            Store::Parsed(ref mut events) => events,
        }
    }

    /// Returns the length of the events in bytes.
    pub(super) fn length(&self) -> u64 {
        match &self.0 {
            Store::Packed(packed) => wide(packed.bytes.len()),
            Store::Parsed(events) => events.iter().map(Event::length).fold(0, u64::saturating_add),
        }
    }

    fn parts(&self) -> (Option<&Packed>, &[Event]) {
        match &self.0 {
            Store::Packed(packed) => (Some(packed), &[]),
            Store::Parsed(events) => (None, events),
        }
    }
}

impl Default for Events {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl From<Vec<Event>> for Events {
    fn from(events: Vec<Event>) -> Self {
        Self(Store::Parsed(events))
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl build::LayBy<Arrays<'_>> for Events {
    fn lay_by(&mut self, t: &mut build::Tape<'_>, arrays: Arrays<'_>) -> Result {
        if t.reading() {
            self.0 = Store::Packed(Packed::read(t, arrays.game)?);
            return Ok(());
        }
        let events = self.to_mut();
        let count = events.len();
        lay(events, t, arrays, count)
    }
}

/// Lays out this many events as a list.
fn lay(events: &mut Vec<Event>, t: &mut build::Tape<'_>, arrays: Arrays<'_>, count: usize) -> Result {
    t.list("events", wide(count), Event::SMALLEST, events, |t, event| build::LayBy::lay_by(event, t, arrays))
}

impl walk::LayBy<Arrays<'_>> for Events {
    fn lay_by(&self, t: &mut walk::Tape<'_>, arrays: Arrays<'_>) -> Result {
        let events = match &self.0 {
            Store::Packed(packed) if t.is_coarse() => return packed.tell(t, arrays),
            Store::Packed(packed) => {
                return t.each_made("events", packed.events(), |t, event| walk::LayBy::lay_by(event, t, arrays));
            }
            Store::Parsed(events) => events,
        };
        t.list("events", wide(events.len()), Event::SMALLEST, events, |t, event| walk::LayBy::lay_by(event, t, arrays))
    }
}
