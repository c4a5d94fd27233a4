//! Entries: parts of a file with a structure of their own.

use std::mem::replace;

use bytes::Bytes;

use super::super::error::{Error, Fault, Result};
use super::super::json_text::JsonText;
use super::super::limits;
use super::super::load::Misfit;
use super::super::place::{Label, Place, Row, Step};
use super::super::visit::{Detail, Group, Payload};
use super::load::Content;
use super::{Mode, Source, Tape, Undecoded, wide};

impl Tape<'_> {
    /// Lays a part of the file that is an entry with a structure of its own, known by its table.
    ///
    /// # Errors
    /// Those of `lay`.
    pub fn part(&mut self, label: Label, kind: &'static str, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        if self.loading() {
            return match self.document(&label)? {
                (Some(found), file, _) if found != kind => {
                    let fault = Fault::Unknown { found, expected: kind.to_owned() };
                    Err(Error::in_exchange(self.place.with_entry(Label::role(&file)), fault))
                }
                (_, file, Content::Text(text)) => self.load_text(&file, text, lay),
                (_, file, Content::Raw(_)) => {
                    let fault = Fault::Unknown { found: "raw bytes".into(), expected: "JSON".into() };
                    Err(Error::in_exchange(self.place.with_entry(Label::role(&file)), fault))
                }
            };
        }
        self.at_entry(label, Group::Entry { kind, raw: None }, lay)
    }

    /// Lays an entry of `length` bytes by its payload, where the container knows better than the content what the entry holds,
    /// or how it is laid.
    ///
    /// # Errors
    /// When fewer bytes remain; those of `lay`.
    pub fn entry_by<P: Payload>(
        &mut self,
        label: Label,
        length: u64,
        payload: &mut P,
        recognise: impl FnOnce(&Label, &Bytes) -> P,
        lay: impl Fn(&mut P, &mut Tape<'_>) -> Result,
    ) -> Result {
        if self.loading() {
            return self.load_entry(&label, payload, recognise, lay);
        }
        if !self.reading() {
            let group = Group::Entry { kind: payload.kind(), raw: payload.raw() };
            return self.at_entry(label, group, |t| lay(payload, t));
        }
        let (start, depth, noted, taken) =
            (self.at, self.place.steps().len(), self.undecoded.len(), self.memory.taken());
        let bytes = self.peek(start, length);
        let bytes = bytes.map_err(|fault| Error::new(start, self.place.with_entry(label.clone()), fault))?;
        *payload = recognise(&label, &bytes);
        self.within(label.clone(), length, payload, &lay).or_else(|error| {
            // The entry may be sound. It is the file that does not fit.
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

    /// In read mode, tries a lay; where it fails, the tape is back where it was.
    ///
    /// # Errors
    /// Those of `lay`.
    pub fn attempt(&mut self, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        let (start, depth, noted, taken) =
            (self.at, self.place.steps().len(), self.undecoded.len(), self.memory.taken());
        lay(self).inspect_err(|_| {
            self.at = start;
            self.memory.release_to(taken);
            self.place.truncate(depth);
            self.undecoded.truncate(noted);
        })
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
            t.at_entry(label, Group::Entry { kind: payload.kind(), raw: payload.raw() }, |t| {
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

    /// Reads with `length` bytes as all there is; where nothing is read, just lays.
    ///
    /// # Errors
    /// When fewer bytes remain; those of `lay`.
    pub fn window(&mut self, length: u64, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        self.room(length, 1)?;
        let end = match &mut self.mode {
            Mode::Read(source) => Some(replace(&mut source.end, self.at.saturating_add(length))),
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
            if let Mode::Edit(editor) = &mut t.mode {
                editor.enter(group);
            }
            let outcome = lay(t)?;
            if let Mode::Edit(editor) = &mut t.mode {
                editor.leave(group, begin..t.at);
            }
            Ok(outcome)
        })
    }

    /// Lays what is in an entry, at places behind its label. After an error the place stays, for the error says it.
    fn behind<T>(&mut self, label: Label, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (depth, outer) = (self.place.steps().len(), replace(&mut self.entered, self.at));
        self.place.enter(label);
        let outcome = lay(self)?;
        self.place.truncate(depth);
        self.entered = outer;
        Ok(outcome)
    }

    /// What the exchange form has for an entry: the kind, the file, what is in it.
    pub(super) fn document(&mut self, label: &Label) -> Result<(Option<String>, String, Content)> {
        let row = self.row(label);
        let Mode::Load(loader) = &mut self.mode else { return Ok((None, String::new(), Content::default())) };
        let (kind, file, document) = loader.document(label).map_err(|misfit| misfit.at(&row))?;
        let document = match (&kind, document) {
            (Some(kind), Content::Text(text)) if loader.has_media(kind) => {
                let here = self.place.with_entry(Label::role(&file));
                let json = text.json(text.root()).map_err(|found| Misfit::plain("a value", found));
                let said = json.and_then(|json| loader.with_media(label, kind, &file, json));
                let said = said.map_err(|misfit| misfit.at(&here))?;
                Content::Text(JsonText::of(&said.map_err(|why| Error::in_exchange(here, Fault::Beside { why }))?))
            }
            (_, document) => document,
        };
        Ok((kind, file, document))
    }

    /// Where the exchange form tells of an entry.
    fn row(&self, label: &Label) -> Place {
        match label.row {
            Row::Here => self.place.clone(),
            // That it has its own name says which it is.
            Row::Member => self.place.with_entry(label.clone()),
            Row::Item(list, index) => self.document_place().with([Step::Name(list), Step::Index(wide(index))]),
        }
    }

    /// The entry that is being laid, or the file.
    pub(super) fn document_place(&self) -> Place {
        let mut container = self.place.clone();
        container.truncate(container.steps().len().saturating_sub(container.pointer().len()));
        container
    }

    fn load_entry<P: Payload>(
        &mut self,
        label: &Label,
        payload: &mut P,
        recognise: impl FnOnce(&Label, &Bytes) -> P,
        lay: impl Fn(&mut P, &mut Tape<'_>) -> Result,
    ) -> Result {
        let (kind, file, document) = self.document(label)?;
        self.load_content(kind, &file, document, payload, recognise, lay)
    }

    /// Loads an entry from what the exchange form has for it.
    pub(super) fn load_content<P: Payload>(
        &mut self,
        kind: Option<String>,
        file: &str,
        document: Content,
        payload: &mut P,
        recognise: impl FnOnce(&Label, &Bytes) -> P,
        lay: impl Fn(&mut P, &mut Tape<'_>) -> Result,
    ) -> Result {
        let here = Label::role(file);
        let unknown = |t: &Self, kind: Option<String>| {
            let found = kind.unwrap_or_else(|| "nothing".to_owned());
            let fault = Fault::Unknown { found, expected: "a kind that such an entry can be".to_owned() };
            Error::in_exchange(t.place.with_entry(here.clone()), fault)
        };
        let known = kind.as_deref().and_then(P::of_kind);
        match document {
            Content::Text(text) => {
                *payload = known.ok_or_else(|| unknown(self, kind))?;
                self.nested(|t| t.load_text(file, text, |t| lay(payload, t)))
            }
            Content::Raw(bytes) => {
                *payload = match (kind, known) {
                    (None, _) => recognise(&here, &bytes),
                    (Some(_), Some(known)) => known,
                    (kind, None) => return Err(unknown(self, kind)),
                };
                // The file is read as the entry it will be, so offsets in it count from its own beginning.
                let source = Mode::Read(Source { end: wide(bytes.len()), file: bytes });
                let (mode, at) = (replace(&mut self.mode, source), replace(&mut self.at, 0));
                let group = Group::Entry { kind: payload.kind(), raw: payload.raw() };
                let outcome = self.nested(|t| {
                    t.at_entry(here, group, |t| {
                        lay(payload, t)?;
                        t.finish()
                    })
                });
                self.mode = mode;
                self.at = self.at.saturating_add(at);
                if let Mode::Load(loader) = &mut self.mode {
                    loader.stays(at..self.at);
                }
                outcome
            }
        }
    }

    /// Lays what a document of the exchange form says, all of it.
    fn load_text(&mut self, file: &str, text: JsonText, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        self.behind(Label::role(file), |t| {
            if let Mode::Load(loader) = &mut t.mode {
                loader.begin(text);
            }
            lay(t)?;
            match &mut t.mode {
                Mode::Load(loader) => loader.end().map_err(|misfit| misfit.at(&t.place)),
                _ => Ok(()),
            }
        })
    }

    /// Lays what is in an entry, one level further in.
    fn nested(&mut self, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        if self.containers >= limits::CONTAINERS {
            return Err(self.error(Fault::TooDeep { limit: limits::CONTAINERS }));
        }
        self.containers += 1;
        let outcome = lay(self);
        self.containers -= 1;
        outcome
    }
}
