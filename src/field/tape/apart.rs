//! Load mode on several cores, for entries and items of lists that do not depend on each other.
//!
//! Each is loaded by a separate tape that begins at 0. Its results are moved to their final offsets once those before it are known,
//! so that they do not depend on how the work was distributed.

use core::mem::take;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use super::super::error::{Error, Fault, Result};
use super::super::json::Json;
use super::super::json_index::JsonText;
use super::super::memory::{self, Meter};
use super::super::place::{Label, Place, Step};
use super::super::visit::{Group, Payload};
use super::super::wide::wide;
use super::super::work;
use super::driver::FromDocuments as _;
use super::entry::{emptied, is_empty};
use super::load::{Content, DocumentError, Documents, Loader, Media, keys_of};
use super::{Mode, Recomputation, Reference, ReplacedValue, Tape, Undecoded};

/// The results of loading one of many, except for its value.
#[derive(Debug)]
struct Alone {
    recomputation: Recomputation,
    undecoded: Vec<Undecoded>,
    /// The number of bytes of the file that it takes.
    length: u64,
    /// The memory that was charged.
    memory: u64,
}

/// An entry whose document has been taken, and loaded if it is text.
#[derive(Debug)]
pub(in crate::field) struct Prepared<P> {
    kind: Option<String>,
    file: String,
    content: Content,
    loaded: Option<(P, Alone)>,
}

/// The initial state of a tape on another core.
struct Start {
    place: Place,
    containers: usize,
}

/// The owner of facts of an item: the surrounding entry, which begins before it.
const OUTER: u64 = u64::MAX;

/// The files of a form, shared by several tapes.
struct Shared<'m, 'd>(&'m Mutex<&'d mut dyn Documents>);

impl Shared<'_, '_> {
    fn with<T>(&self, act: impl FnOnce(&mut dyn Documents) -> T) -> T {
        act(*self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Documents for Shared<'_, '_> {
    fn take(&mut self, file: &str) -> core::result::Result<Content, String> {
        self.with(|documents| documents.take(file))
    }

    fn has_part(&self, file: &str) -> bool {
        self.with(|documents| documents.has_part(file))
    }

    fn take_part(&mut self, file: &str) -> Option<JsonText> {
        self.with(|documents| documents.take_part(file))
    }

    fn media(&self, kind: &str) -> Option<Media> {
        self.with(|documents| documents.media(kind))
    }

    fn with_media(
        &mut self,
        kind: &str,
        file: &str,
        document: Json,
        container: Option<(&Json, &Json)>,
    ) -> core::result::Result<Json, DocumentError> {
        self.with(|documents| documents.with_media(kind, file, document, container))
    }

    fn of_medium(
        &mut self,
        kind: &str,
        file: &str,
        content: &Bytes,
    ) -> core::result::Result<Option<Json>, DocumentError> {
        self.with(|documents| documents.of_medium(kind, file, content))
    }
}

impl Start {
    /// Loads something by a separate tape.
    fn load<T>(
        &self,
        documents: &mut dyn Documents,
        entered: u64,
        lay: impl FnOnce(&mut Tape<'_>) -> Result<T>,
    ) -> Result<(T, Alone)> {
        let mut loader = Loader::new(documents);
        let mut tape = Tape::driven(&mut loader);
        (tape.place, tape.containers, tape.entered) = (self.place.clone(), self.containers, entered);
        tape.memory = Meter::new(memory::allowed(), 0);
        let value = lay(&mut tape)?;
        let (undecoded, length, memory) = (take(&mut tape.undecoded), tape.at, tape.memory.taken());
        let recomputation = take(loader.recomputation_mut());
        Ok((value, Alone { recomputation, undecoded, length, memory }))
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

    /// Moves results to the position of the tape, advances past them, and returns their beginning.
    fn absorb(&mut self, alone: Alone) -> Result<u64> {
        let (begin, entered) = (self.at, self.entered);
        let Alone { recomputation, undecoded, length, memory } = alone;
        self.charge(memory)?;
        self.undecoded.extend(undecoded);
        if let Some((loader, _)) = self.loader() {
            let moved = |at: u64| at + begin;
            let whole = loader.recomputation_mut();
            whole.kept.extend(recomputation.kept.into_iter().map(|(at, kept)| (moved(at), kept)));
            let reference = |(at, it): (u64, Reference)| (moved(at), it);
            whole.references.extend(recomputation.references.into_iter().map(reference));
            whole.stated.extend(recomputation.stated.into_iter().map(|((at, name), said)| ((moved(at), name), said)));
            whole.sources.extend(recomputation.sources.into_iter().map(|((at, deep), it)| ((moved(at), deep), it)));
            whole.as_they_are.extend(recomputation.as_they_are.into_iter().map(|it| moved(it.start)..moved(it.end)));
            let fact = |((at, steps), said)| ((if at == OUTER { entered } else { moved(at) }, steps), said);
            whole.facts.extend(recomputation.facts.into_iter().map(fact));
            let replaced: Vec<ReplacedValue> = recomputation.replaced;
            whole.replaced.extend(replaced);
        }
        self.at += length;
        Ok(begin)
    }

    /// Loads the documents of entries that do not depend on each other, in load mode on all cores. Each must then be laid out by
    /// [`entry_prepared`](Self::entry_prepared). An item is `None` if the entry has no document; all are if one core suffices.
    ///
    /// # Errors
    /// Returns an error if a document is missing or does not fit.
    pub(in crate::field) fn prepare<P: Payload + Send>(
        &mut self,
        labels: &[Label],
        recognize: fn(&Label, &Bytes) -> P,
    ) -> Result<Vec<Option<Prepared<P>>>> {
        let threads = self.threads();
        if threads < 2 || labels.len() < 2 {
            return Ok(labels.iter().map(|_| None).collect());
        }
        let mut jobs = Vec::with_capacity(labels.len());
        for (index, label) in labels.iter().enumerate() {
            // An entry inside the bytes of another has no document.
            if self.has_entry(label)? {
                let (kind, file, content) = self.document(label)?;
                let known = self.of_kind::<P>(label, kind.as_deref(), &file, &content);
                jobs.push((index, kind, file, Mutex::new((content, Some(known)))));
            }
        }
        let start = self.start();
        let Some((loader, _)) = self.loader() else { return Ok(Vec::new()) };
        let shared = Mutex::new(loader.documents());
        let loaded = work::share(&jobs, threads, |(_, _, file, job)| {
            // Text is dropped once it is loaded; raw bytes wait.
            let (content, known) = match &mut *job.lock().unwrap_or_else(PoisonError::into_inner) {
                (text @ Content::Text(_), known) => (take(text), known.take()),
                (Content::Raw(_), _) => return Ok(None),
            };
            let (known, mut payload) = (known.unwrap_or(Ok(None))?, P::default());
            let load = |t: &mut Tape<'_>| t.load_content(known, file, content, &mut payload, recognize, P::lay);
            let ((), alone) = start.load(&mut Shared(&shared), 0, load)?;
            Ok(Some((payload, alone)))
        });
        let mut prepared: Vec<_> = labels.iter().map(|_| None).collect();
        for ((index, kind, file, job), loaded) in jobs.into_iter().zip(loaded) {
            let (content, _) = job.into_inner().unwrap_or_else(PoisonError::into_inner);
            if let Some(slot) = prepared.get_mut(index) {
                *slot = Some(Prepared { kind, file, content, loaded: loaded? });
            }
        }
        Ok(prepared)
    }

    /// Lays out an entry as [`entry`](Self::entry) does, but in load mode uses the result of [`prepare`](Self::prepare) if there is one.
    ///
    /// # Errors
    /// Returns an error if [`entry`](Self::entry) does.
    pub(in crate::field) fn entry_prepared<P: Payload>(
        &mut self,
        label: Label,
        length: u64,
        payload: &mut P,
        recognize: fn(&Label, &Bytes) -> P,
        prepared: Option<Prepared<P>>,
    ) -> Result {
        let Some(Prepared { kind, file, content, loaded }) = prepared else {
            return self.entry_by(label, length, payload, recognize, P::lay);
        };
        match loaded {
            Some((loaded, alone)) => {
                *payload = loaded;
                self.absorb(alone).map(|_| ())
            }
            None => {
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
    pub(in crate::field) fn all_laid<P>(&self, prepared: &[Option<Prepared<P>>]) -> Result {
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
            let mut index = 0;
            return self.list(name, count, smallest, items, |t, item| {
                let nth = index;
                index += 1;
                each(t, nth, item)
            });
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
            if let Some(given) = t.items_here()?
                && given != items.len()
            {
                return Err(t.error(Fault::Count { expected: wide(items.len()), found: wide(given) }));
            }
            t.items_apart(items, &|t: &mut Tape<'_>, _, item: &mut T| each(t, item), moved)
        })
    }

    fn items_apart<T: Default + Send>(
        &mut self,
        items: &mut [T],
        each: &(impl Fn(&mut Tape<'_>, usize, &mut T) -> Result + Sync),
        moved: impl Fn(&mut T, u64),
    ) -> Result {
        let (threads, start) = (self.threads(), self.start());
        let Some((loader, _)) = self.loader() else { return Ok(()) };
        let mut jobs = Vec::with_capacity(items.len());
        for (index, item) in items.iter_mut().enumerate() {
            let given = loader.hand_out(wide(index), &start.place)?;
            jobs.push((index, Mutex::new(Some((take(item), given)))));
        }
        let shared = Mutex::new(loader.documents());
        let loaded = work::share(&jobs, threads, |(index, job)| {
            let Some((mut item, given)) = job.lock().unwrap_or_else(PoisonError::into_inner).take() else {
                return Ok((T::default(), None));
            };
            let load = |t: &mut Tape<'_>| {
                if let Some((loader, _)) = t.loader() {
                    loader.begin_handed(given);
                }
                t.place.push(Step::Index(wide(*index)));
                each(t, *index, &mut item)?;
                let document = t.document_place();
                let before = keys_of(&t.place);
                match t.loader() {
                    Some((loader, _)) => loader.end_within(before, &document),
                    None => Ok(()),
                }
            };
            let ((), alone) = start.load(&mut Shared(&shared), OUTER, load)?;
            Ok((item, Some(alone)))
        });
        for (item, loaded) in items.iter_mut().zip(loaded) {
            let (value, alone) = loaded?;
            *item = value;
            if let Some(alone) = alone {
                let begin = self.absorb(alone)?;
                moved(item, begin);
            }
        }
        Ok(())
    }
}
