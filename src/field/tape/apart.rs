//! Load mode on several cores, for entries and items of lists that do not depend on each other.
//!
//! Each is loaded by a separate tape that begins at 0. Its results are moved to their final offsets once those before it are known,
//! so that they do not depend on how the work was distributed.

use core::mem::take;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use super::super::driver::{Apart, Content, Driver, OUTER};
use super::super::error::{Error, Fault, Result};
use super::super::memory::{self, Meter};
use super::super::payload::Payload;
use super::super::place::{Label, Place, Step};
use super::super::visit::Group;
use super::super::wide::wide;
use super::entry::{emptied, is_empty};
use super::{Mode, Tape, Undecoded};

/// The results of laying out one of many, except for its value.
#[derive(Debug)]
struct Alone {
    undecoded: Vec<Undecoded>,
    /// The number of bytes of the file that it takes.
    length: u64,
    /// The memory that was charged.
    memory: u64,
}

/// An entry whose document has been taken, and loaded if it is text.
#[derive(Debug)]
pub struct Prepared<P> {
    file: String,
    state: State<P>,
}

/// What has been prepared of an entry.
#[derive(Debug)]
enum State<P> {
    /// Its stated kind, and its contents.
    Taken(Option<String>, Content),
    /// The payload, and the number of its part.
    Loaded(P, usize, Alone),
}

/// The initial state of a tape on another core.
struct Start {
    place: Place,
    containers: usize,
}

impl Start {
    /// Lays out something by a separate tape.
    fn lay(&self, driver: &mut dyn Driver, entered: u64, lay: impl FnOnce(&mut Tape<'_>) -> Result) -> Result<Alone> {
        let mut tape = Tape::driven(driver);
        (tape.place, tape.containers, tape.entered) = (self.place.clone(), self.containers, entered);
        tape.memory = Meter::new(memory::allowed(), 0);
        lay(&mut tape)?;
        let (length, memory) = (tape.at, tape.memory.taken());
        Ok(Alone { undecoded: tape.undecoded, length, memory })
    }
}

impl Tape<'_> {
    fn start(&self) -> Start {
        Start { place: self.place.clone(), containers: self.containers }
    }

    /// Returns the number of threads for loading, or 1 if not in load mode.
    fn threads(&self) -> usize {
        if let Mode::Drive(driver) = &self.mode { driver.threads() } else { 1 }
    }

    /// Moves the results of a part to the position of the tape, advances past them, and returns their beginning.
    fn absorb(&mut self, part: usize, alone: Alone) -> Result<u64> {
        let (begin, entered) = (self.at, self.entered);
        let Alone { undecoded, length, memory } = alone;
        self.charge(memory)?;
        self.undecoded.extend(undecoded);
        if let Some((loader, _)) = self.loader() {
            loader.absorb(part, begin, entered);
        }
        self.at += length;
        Ok(begin)
    }

    /// Loads the documents of entries that do not depend on each other, in load mode on all cores. Each must then be laid out by
    /// [`entry_prepared`](Self::entry_prepared). An item is `None` if the entry has no document; all are if one core suffices.
    ///
    /// # Errors
    /// Returns an error if a document is missing or does not fit.
    pub fn prepare<P: Payload + Send>(
        &mut self,
        labels: &[Label],
        recognize: fn(&Label, &Bytes) -> P,
    ) -> Result<Vec<Option<Prepared<P>>>> {
        let threads = self.threads();
        if threads < 2 || labels.len() < 2 {
            return Ok(labels.iter().map(|_| None).collect());
        }
        let mut prepared: Vec<Option<Prepared<P>>> = labels.iter().map(|_| None).collect();
        let mut jobs = Vec::with_capacity(labels.len());
        for (index, (label, slot)) in labels.iter().zip(&mut prepared).enumerate() {
            // An entry inside the bytes of another has no document.
            if self.has_entry(label)? {
                let (kind, file, content) = self.document(label)?;
                if let Content::Document(_) = content {
                    let known = self.of_kind::<P>(label, kind.as_deref(), &file, &content);
                    jobs.push((index, file, Mutex::new((Some((known, content)), None))));
                } else {
                    // Raw bytes wait.
                    *slot = Some(Prepared { file, state: State::Taken(kind, content) });
                }
            }
        }
        let start = self.start();
        let Some((loader, _)) = self.loader() else { return Ok(Vec::new()) };
        let first = loader.apart(Apart::Entries(jobs.len()), &start.place, &|nth, driver| {
            let Some((_, file, job)) = jobs.get(nth) else { return Ok(()) };
            let (waiting, loaded) = &mut *job.lock().unwrap_or_else(PoisonError::into_inner);
            let Some((known, content)) = waiting.take() else { return Ok(()) };
            let (known, mut payload) = (known?, P::default());
            let load = |t: &mut Tape<'_>| t.load_content(known, file, content, &mut payload, recognize, P::lay);
            let alone = start.lay(driver, 0, load)?;
            *loaded = Some((payload, alone));
            Ok(())
        })?;
        for (nth, (index, file, job)) in jobs.into_iter().enumerate() {
            let (_, loaded) = job.into_inner().unwrap_or_else(PoisonError::into_inner);
            if let (Some(slot), Some((payload, alone))) = (prepared.get_mut(index), loaded) {
                *slot = Some(Prepared { file, state: State::Loaded(payload, first + nth, alone) });
            }
        }
        Ok(prepared)
    }

    /// Lays out an entry as [`entry`](Self::entry) does, but in load mode uses the result of [`prepare`](Self::prepare) if there is one.
    ///
    /// # Errors
    /// Returns an error if [`entry`](Self::entry) does.
    pub fn entry_prepared<P: Payload>(
        &mut self,
        label: Label,
        length: u64,
        payload: &mut P,
        recognize: fn(&Label, &Bytes) -> P,
        prepared: Option<Prepared<P>>,
    ) -> Result {
        let Some(Prepared { file, state }) = prepared else {
            return self.entry_by(label, length, payload, recognize, P::lay);
        };
        match state {
            State::Loaded(loaded, part, alone) => {
                *payload = loaded;
                self.absorb(part, alone).map(|_| ())
            }
            State::Taken(kind, content) => {
                let known = self.of_kind(&label, kind.as_deref(), &file, &content)?;
                let known = match is_empty(known.as_ref(), &content) {
                    true => Some(emptied(recognize(&label, &Bytes::new()))),
                    false => known,
                };
                self.load_content(known, &file, content, payload, recognize, P::lay)
            }
        }
    }

    /// Checks that every prepared entry has been laid out.
    ///
    /// # Errors
    /// Returns an error if one remains.
    pub fn all_laid<P>(&self, prepared: &[Option<Prepared<P>>]) -> Result {
        match prepared.iter().flatten().next() {
            None => Ok(()),
            Some(Prepared { file, .. }) => {
                let fault = Fault::Unknown { found: file.clone(), expected: "the file of an entry".to_owned() };
                Err(Error::in_exchange(Place::default().with_entry(Label::role(file)), fault))
            }
        }
    }

    /// Lays out a list as [`list`](Self::list) does, of items that do not depend on each other and contain no entries: in load mode
    /// on all cores.
    ///
    /// # Errors
    /// Returns an error if [`list`](Self::list) does.
    pub fn list_apart<T: Default + Send>(
        &mut self,
        name: &'static str,
        count: u64,
        smallest: u64,
        items: &mut Vec<T>,
        each: impl Fn(&mut Tape<'_>, usize, &mut T) -> Result + Sync,
    ) -> Result {
        if self.threads() < 2 {
            let mut next = 0..;
            return self
                .list(name, count, smallest, items, |t, item| next.next().map_or(Ok(()), |nth| each(t, nth, item)));
        }
        self.nest(Step::Name(name), Group::List, |t| {
            let count = t.items_here()?.unwrap_or_default();
            *items = t.make(count)?;
            t.items_apart(items, &each, |_, _| {})
        })
    }

    /// Lays out the items of a list as [`each`](Self::each) does, if they do not depend on each other and contain no entries: in load
    /// mode on all cores. Positions then count from the beginning of the item, and `moved` receives the offset to add for each.
    ///
    /// # Errors
    /// Returns an error if [`each`](Self::each) does.
    pub fn each_apart<T: Default + Send>(
        &mut self,
        name: &'static str,
        items: &mut [T],
        each: impl Fn(&mut Tape<'_>, &mut T) -> Result + Sync,
        moved: impl Fn(&mut T, u64),
    ) -> Result {
        if self.threads() < 2 {
            return self.each(name, items, each);
        }
        self.nest(Step::Name(name), Group::List, |t| {
            t.all_given(items.len())?;
            t.items_apart(items, &|t: &mut Tape<'_>, _, item: &mut T| each(t, item), moved)
        })
    }

    fn items_apart<T: Default + Send>(
        &mut self,
        items: &mut [T],
        each: &(impl Fn(&mut Tape<'_>, usize, &mut T) -> Result + Sync),
        moved: impl Fn(&mut T, u64),
    ) -> Result {
        let start = self.start();
        let Some((loader, _)) = self.loader() else { return Ok(()) };
        let jobs: Vec<_> = items.iter_mut().map(|item| Mutex::new((take(item), None))).collect();
        let first = loader.apart(Apart::Items(jobs.len()), &start.place, &|nth, driver| {
            let Some(job) = jobs.get(nth) else { return Ok(()) };
            let (item, alone) = &mut *job.lock().unwrap_or_else(PoisonError::into_inner);
            *alone = Some(start.lay(driver, OUTER, |t| {
                t.place.push(Step::Index(wide(nth)));
                each(t, nth, item)
            })?);
            Ok(())
        })?;
        for (nth, (item, job)) in items.iter_mut().zip(jobs).enumerate() {
            let (value, alone) = job.into_inner().unwrap_or_else(PoisonError::into_inner);
            *item = value;
            if let Some(alone) = alone {
                let begin = self.absorb(first + nth, alone)?;
                moved(item, begin);
            }
        }
        Ok(())
    }
}
