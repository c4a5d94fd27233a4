//! One of the files that are compared: its documents, without what both have.

use std::collections::{BTreeMap, HashSet};

use bytes::Bytes;

use crate::exchange::document::{Content, Recorded, Recorder};
use crate::field::memory::{self, Meter};
use crate::field::{Datum, Document, Error, Group, Json, Place, Result as Laid, Visitor, visit};
use crate::kind::{Kind, Model};
use crate::passes::Spans;

use super::Alike;

/// One of two files.
pub(super) struct Side {
    pub(super) file: Bytes,
    /// Whether the exchange form has it as it is.
    pub(super) raw: bool,
    pub(super) kind: &'static str,
    pub(super) spans: Spans,
    pub(super) root: Json,
    /// What each entry holds, by the file that the exchange form has for it.
    pub(super) documents: BTreeMap<String, Document>,
    /// The file of each entry, by its place.
    pub(super) files: BTreeMap<String, String>,
    /// The entry that a file of the form is.
    pub(super) entries: BTreeMap<String, String>,
}

impl Side {
    pub(super) fn new(
        kind: &'static Kind,
        file: Bytes,
        (model, spans): (&Model, Spans),
        skipped: &HashSet<String>,
        alike: Option<Alike>,
    ) -> Result<Self, Error> {
        let recorder = Recorder::documents(kind.raw.is_some(), Meter::new(memory::allowed(), 0));
        let mut unlike = Unlike { recorder, skipped, open: Vec::new(), alike };
        let end = visit(model, &mut unlike)?;
        let Recorded { root, entered, entries: files, .. } = unlike.recorder.finish(kind.name, end)?;
        let entries = files.iter().map(|(entry, file)| (file.clone(), entry.clone())).collect();
        let documents = entered.into_iter().map(|(file, entered)| (file, entered.content.into_values())).collect();
        let root = match root.content {
            Content::Raw(_) => Json::Null,
            doc @ Content::Doc(_) => match doc.into_values() {
                Document::Json(json) => json,
                Document::Raw(_) => Json::Null,
            },
        };
        Ok(Self { file, raw: kind.raw.is_some(), kind: kind.name, spans, root, documents, files, entries })
    }

    /// The bytes of an entry, and what they are.
    pub(super) fn entry(&self, entry: &str) -> (&str, &[u8]) {
        if entry.is_empty() {
            return (self.kind, &self.file);
        }
        let span = self.spans.get(entry);
        (span.map_or("", |span| span.kind), span.and_then(|span| span.of(&self.file)).unwrap_or_default())
    }
}

/// Notes the documents of a model, but not what is in some entries, and a mark for each other part that both models have.
struct Unlike<'a> {
    recorder: Recorder,
    /// Entries whose bytes are not looked at, by their places.
    skipped: &'a HashSet<String>,
    /// Whether the entries that are open are not looked at.
    open: Vec<bool>,
    alike: Option<Alike>,
}

impl Unlike<'_> {
    fn is_skipped(&self) -> bool {
        self.open.last().copied().unwrap_or_default()
    }

    fn is_alike(&self) -> bool {
        self.alike.as_ref().is_some_and(Alike::is_inside)
    }
}

impl Visitor for Unlike<'_> {
    fn data(&mut self, datum: &Datum<'_>) -> Laid {
        if self.is_skipped() || self.is_alike() {
            return Ok(());
        }
        // Bytes as they are may be wanted, and cost no more than a mark.
        let alike = self.alike.as_ref().filter(|_| !self.recorder.is_raw());
        match alike.and_then(|alike| alike.datum(datum)) {
            Some(mark) => self.recorder.put(datum.place, mark),
            None => return self.recorder.data(datum),
        }
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        match self.alike.as_mut().map(|alike| alike.enter(group, place)) {
            // Of an item that is told in pieces, the mark is there after the first.
            Some((Some(_), _)) if self.recorder.has_item(place) => return,
            Some((Some(mark), _)) => return self.recorder.put(place, mark),
            Some((None, true)) => return,
            Some((None, false)) | None => {}
        }
        if let Group::Entry { .. } = group {
            self.open.push(self.is_skipped() || self.skipped.contains(&place.container()));
        }
        self.recorder.enter(group, place, offset);
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        if self.alike.as_mut().is_some_and(|alike| alike.leave(place)) {
            return;
        }
        if let Group::Entry { .. } = group {
            self.open.pop();
        }
        self.recorder.leave(group, place, offset);
    }

    fn fact(&mut self, place: &Place, fact: Json) {
        if !self.is_alike() {
            self.recorder.fact(place, fact);
        }
    }

    fn wants_facts(&self) -> bool {
        true
    }

    fn judges(&self) -> bool {
        true
    }
}
