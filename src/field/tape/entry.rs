//! Entries: parts of a file with a structure of their own.

use core::ops::Range;
use std::mem::replace;

use bytes::Bytes;

use super::super::driver::{Content, Document, Role};
use super::super::error::{Error, Fault, Result};
use super::super::limits;
use super::super::payload::Payload;
use super::super::place::{DescribedIn, Label, Place, Step};
use super::super::visit::{Detail, Group};
use super::super::wide::wide;
use super::{Mode, Source, Tape, Undecoded};

impl Tape<'_> {
    /// Lays out a part of the file that is an entry, described in a table, with its own structure.
    ///
    /// # Errors
    /// Returns an error if `lay` does.
    pub fn part(&mut self, label: Label, kind: &'static str, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        if self.loading() {
            let row = self.describing(&label);
            if let Some((loader, here)) = self.loader() {
                let (file, document) = loader.open_part(&label, kind, here.place, &row)?;
                return self.load_document(&file, document, lay);
            }
        }
        self.at_entry(label, Group::Entry { kind, raw: None, is_part: true }, lay)
    }

    /// Lays out an entry of `length` bytes by its payload, if the container and not the content determines what the entry holds, or how
    /// it is laid out.
    ///
    /// # Errors
    /// Returns an error if fewer bytes remain, or if `lay` does.
    pub fn entry_by<P: Payload>(
        &mut self,
        label: Label,
        length: u64,
        payload: &mut P,
        recognize: impl FnOnce(&Label, &Bytes) -> P,
        lay: impl Fn(&mut P, &mut Tape<'_>) -> Result,
    ) -> Result {
        if self.loading() {
            return self.load_entry(&label, payload, recognize, lay);
        }
        if !self.reading() {
            let group = Group::Entry { kind: payload.kind(), raw: payload.raw(), is_part: false };
            return self.at_entry(label, group, |t| lay(payload, t));
        }
        let (start, depth, noted, taken) =
            (self.at, self.place.steps().len(), self.undecoded.len(), self.memory.taken());
        let bytes = self.peek(start, length);
        let bytes = bytes.map_err(|fault| Error::new(start, self.place.with_entry(label.clone()), fault))?;
        *payload = recognize(&label, &bytes);
        self.within(label.clone(), length, payload, &lay).or_else(|error| {
            // The entry may be valid; it is the file that takes too much memory.
            if error.is_memory() {
                return Err(error);
            }
            self.at = start;
            self.place.truncate(depth);
            let entry = self.place.with_entry(label.clone());
            *payload = P::opaque();
            self.memory.release_to(taken);
            let undecoded = Undecoded { entry, error };
            self.charge(undecoded.memory())?;
            self.undecoded.truncate(noted);
            self.undecoded.push(undecoded);
            self.within(label, length, payload, &lay)
        })
    }

    /// Reads `length` bytes elsewhere in the file. The position stays the same.
    ///
    /// # Errors
    /// Returns an error if fewer bytes remain there, or if `lay` does.
    pub fn elsewhere(&mut self, offset: u64, length: u64, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        let at = replace(&mut self.at, offset);
        let outcome = self.window(length, lay);
        self.at = at;
        outcome
    }

    /// Reads a payload from exactly `length` bytes.
    fn within<P: Payload>(
        &mut self,
        label: Label,
        length: u64,
        payload: &mut P,
        lay: impl Fn(&mut P, &mut Tape<'_>) -> Result,
    ) -> Result {
        self.containers += 1;
        let outcome = self.window(length, |t| {
            t.at_entry(label, Group::Entry { kind: payload.kind(), raw: payload.raw(), is_part: false }, |t| {
                if t.containers > limits::CONTAINERS && payload.kind() != P::opaque().kind() {
                    return Err(t.error(Fault::TooDeep { limit: limits::CONTAINERS }));
                }
                lay(payload, t)?;
                t.finish()
            })
        });
        self.containers -= 1;
        outcome
    }

    /// Limits reading to `length` bytes; except in read mode, it just calls `lay`.
    ///
    /// # Errors
    /// Returns an error if fewer bytes remain, or if `lay` does.
    pub fn window(&mut self, length: u64, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        self.room(length, 1)?;
        let end = match &mut self.mode {
            Mode::Read(source) => Some(replace(&mut source.end, self.at + length)),
            _ => None,
        };
        let outcome = lay(self);
        if let (Some(end), Mode::Read(source)) = (end, &mut self.mode) {
            source.end = end;
        }
        outcome
    }

    fn at_entry<T>(&mut self, label: Label, group: Group, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.detail < Detail::Entries {
            return lay(self);
        }
        self.behind(label, |t| {
            let begin = t.at;
            if let Some((driver, _)) = t.driver() {
                driver.enter(group);
            }
            let outcome = lay(t)?;
            if let Some((driver, here)) = t.driver() {
                driver.leave(group, begin..here.at);
            }
            Ok(outcome)
        })
    }

    /// Lays out the contents of an entry, at places after its label. After an error the place is left unchanged for the message.
    fn behind<T>(&mut self, label: Label, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (depth, outer) = (self.place.steps().len(), self.entered);
        self.enter(self.at);
        self.place.enter(label);
        let outcome = lay(self)?;
        self.place.truncate(depth);
        self.enter(outer);
        Ok(outcome)
    }

    fn enter(&mut self, entered: u64) {
        self.entered = entered;
        if let Some((driver, _)) = self.driver() {
            driver.entered(entered);
        }
    }

    /// Returns the kind, the file and the contents of an entry in the exchange format.
    pub(super) fn document(&mut self, label: &Label) -> Result<(Option<String>, String, Content)> {
        let row = self.describing(label);
        match self.loader() {
            Some((loader, here)) => loader.open(label, here.place, &row),
            None => Ok((None, String::new(), Content::Raw(Bytes::new()))),
        }
    }

    /// Returns the place that describes an entry in the exchange format.
    fn describing(&self, label: &Label) -> Place {
        match label.described_in {
            DescribedIn::Here => self.place.clone(),
            // Its own name identifies it.
            DescribedIn::Member => self.place.with_entry(label.clone()),
            DescribedIn::Item(list, index) => self.place.document().with([Step::Name(list), Step::Index(wide(index))]),
        }
    }

    /// Adds the position of a member in the description of an entry to an error.
    fn in_row(&self, label: &Label, member: &'static str, error: Error) -> Error {
        let Mode::Drive(driver) = &self.mode else { return error };
        error.with_spot(driver.spot_in_row(&self.place, label, &[Step::Name(member)]))
    }

    /// Returns a payload of the kind stated for an entry, or `None` if its bytes decide.
    ///
    /// # Errors
    /// Returns an error if such an entry cannot be of this kind.
    pub(super) fn of_kind<P: Payload>(
        &self,
        label: &Label,
        kind: Option<&str>,
        file: &str,
        content: &Content,
    ) -> Result<Option<P>> {
        let known = kind.and_then(P::of_kind);
        if known.is_some() || (kind.is_none() && matches!(content, Content::Raw(_))) {
            return Ok(known);
        }
        let found = kind.unwrap_or("nothing").to_owned();
        let fault = Fault::Unknown { found, expected: "a kind that this entry can have".to_owned() };
        Err(self.in_row(label, "kind", Error::in_exchange(self.place.with_entry(Label::role(file)), fault)))
    }

    fn load_entry<P: Payload>(
        &mut self,
        label: &Label,
        payload: &mut P,
        recognize: impl FnOnce(&Label, &Bytes) -> P,
        lay: impl Fn(&mut P, &mut Tape<'_>) -> Result,
    ) -> Result {
        let (kind, file, document) = self.document(label)?;
        let known = self.of_kind(label, kind.as_deref(), &file, &document)?;
        if is_empty(known.as_ref(), &document) {
            let known = emptied(recognize(label, &Bytes::new()));
            return self.load_content(Some(known), &file, document, payload, P::recognize, lay);
        }
        self.load_content(known, &file, document, payload, recognize, lay)
    }

    /// Loads an entry from its contents in the exchange format.
    pub(super) fn load_content<P: Payload>(
        &mut self,
        known: Option<P>,
        file: &str,
        document: Content,
        payload: &mut P,
        recognize: impl FnOnce(&Label, &Bytes) -> P,
        lay: impl Fn(&mut P, &mut Tape<'_>) -> Result,
    ) -> Result {
        let here = Label::role(file);
        match document {
            Content::Document(document) => {
                let unknown = || {
                    let (found, expected) = ("none".to_owned(), "a kind for a document".to_owned());
                    let place = self.place.with_entry(here.clone());
                    Error::in_exchange(place, Fault::Unknown { found, expected })
                };
                *payload = known.ok_or_else(unknown)?;
                self.nested(|t| t.load_document(file, document, |t| lay(payload, t)))
            }
            Content::Raw(bytes) => {
                let is_stated = known.is_some();
                *payload = known.unwrap_or_else(|| recognize(&here, &bytes));
                // An entry without a stated kind is imported as the kind recognized from its name and bytes.
                if !is_stated
                    && let Some((loader, _)) = self.loader()
                    && let Some(document) = loader.imported((payload.kind(), false), file, &bytes)
                {
                    return self.nested(|t| t.load_document(file, document, |t| lay(payload, t)));
                }
                let group = Group::Entry { kind: payload.kind(), raw: payload.raw(), is_part: false };
                let read = self.nested(|t| t.read_alone(file, bytes, group, |t| lay(payload, t)))?;
                if let Some((loader, _)) = self.loader() {
                    loader.stays(read);
                }
                Ok(())
            }
            Content::AsIs(bytes, number) => {
                *payload = known.unwrap_or_else(|| recognize(&here, &bytes));
                let group = Group::Entry { kind: payload.kind(), raw: payload.raw(), is_part: false };
                let read = self.nested(|t| t.read_alone(file, bytes, group, |t| lay(payload, t)))?;
                self.stays_as_it_is(number, &read);
                Ok(())
            }
        }
    }

    /// Reads an entry from bytes of its own, and returns its range. They are read as the entry that they will become, so offsets in them
    /// count from their own beginning.
    fn read_alone(
        &mut self,
        file: &str,
        bytes: Bytes,
        group: Group,
        lay: impl FnOnce(&mut Self) -> Result,
    ) -> Result<Range<u64>> {
        let source = Mode::Read(Source { end: wide(bytes.len()), file: bytes });
        let (mode, at) = (replace(&mut self.mode, source), replace(&mut self.at, 0));
        let role = replace(&mut self.role, Role::Read);
        let outcome = self.at_entry(Label::role(file), group, |t| {
            lay(t)?;
            t.finish()
        });
        (self.mode, self.role) = (mode, role);
        self.at += at;
        outcome.map(|()| at..self.at)
    }

    /// Leaves to the loader what must stay in an entry that no edit has touched.
    fn stays_as_it_is(&mut self, number: usize, read: &Range<u64>) {
        if let Some((loader, here)) = self.loader() {
            loader.absorb(number, read.start, here.entered);
        }
    }

    /// Lays out a document of the exchange format completely.
    fn load_document(&mut self, file: &str, document: Document, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        self.behind(Label::role(file), |t| {
            if let Some((loader, here)) = t.loader() {
                loader.begin(document, here.place)?;
            }
            lay(t)?;
            match t.loader() {
                Some((loader, here)) => loader.end(here),
                None => Ok(()),
            }
        })
    }

    /// Lays out the contents of an entry, one level further in.
    fn nested<T>(&mut self, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.containers >= limits::CONTAINERS {
            return Err(self.error(Fault::TooDeep { limit: limits::CONTAINERS }));
        }
        self.containers += 1;
        let outcome = lay(self);
        self.containers -= 1;
        outcome
    }
}

/// Returns `true` for an entry without bytes that is stated to be raw: its name decides whether it is text.
pub(super) fn is_empty<P: Payload>(known: Option<&P>, content: &Content) -> bool {
    matches!(content, Content::Raw(bytes) if bytes.is_empty())
        && known.is_some_and(|it| it.kind() == P::opaque().kind())
}

/// Returns the payload of such an entry, given the one that its name decides: text is, other kinds cannot be empty.
pub(super) fn emptied<P: Payload>(named: P) -> P {
    if named.raw().is_some() { named } else { P::opaque() }
}
