//! One of the two files being compared: its documents, without the parts that both have.

use std::collections::{BTreeMap, HashMap, HashSet};

use bytes::Bytes;

use exchange::document::{Body, Content, Id, Recorded, Recorder};
use field::memory::{self, Meter};
use field::{Codec, Datum, Error, Group, Place, Result as Laid, Value, Visitor, visit};
use json::Document;
use kind::{Kind, Model};
use passes::Spans;

use super::{CommonParts, Parts};

/// A file that has been walked: its bytes, its model, and the entries and parts of it.
#[derive(Clone, Copy)]
pub(in crate::edit) struct Walked<'c> {
    pub(in crate::edit) bytes: &'c Bytes,
    pub(in crate::edit) model: &'c Model,
    pub(in crate::edit) entries: &'c Spans,
    pub(in crate::edit) parts: &'c Parts,
}

#[derive(Default)]
pub(super) struct ComparedFile {
    pub(super) file: Bytes,
    /// `true` if the exchange format holds the file as raw bytes.
    pub(super) raw: bool,
    pub(super) kind: &'static str,
    pub(super) spans: Spans,
    pub(super) root: Value,
    /// The contents of each entry, by its file in the exchange format.
    pub(super) documents: BTreeMap<String, Document>,
    /// The encodings of raw bytes, by file; that of the model has no name.
    pub(super) codecs: HashMap<String, &'static Codec>,
    /// The files whose value is in an encoding of its own, which keeps the order of fields; that of the model has no name.
    pub(super) encoded: HashSet<String>,
    /// The file of each entry, by its place.
    pub(super) files: BTreeMap<String, String>,
    /// The entry of each file of the exchange format.
    pub(super) entries: BTreeMap<String, String>,
}

impl ComparedFile {
    pub(super) fn new(
        kind: &'static Kind,
        Walked { bytes, model, entries: spans, .. }: Walked<'_>,
        skipped: &HashSet<String>,
        common: Option<CommonParts<'_>>,
    ) -> Result<Self, Error> {
        let recorder = Recorder::documents(kind.raw.is_some(), Meter::new(memory::allowed(), 0));
        let mut unlike = Unlike { recorder, skipped, open: Vec::new(), common };
        let end = visit(model, &mut unlike)?;
        let Recorded { root, entered, entries: files, .. } = unlike.recorder.finish(kind.name, end)?;
        let entries = files.iter().map(|(entry, file)| (file.clone(), entry.clone())).collect();
        let own = root.codec.map(|codec| (String::new(), codec));
        let codecs = entered.iter().filter_map(|(file, it)| Some((file.clone(), it.codec?))).chain(own).collect();
        let is_encoded = |content: &Content| match content {
            Content::Doc(doc) => matches!(doc.node(Id::ROOT).body, Body::Coded { .. }),
            Content::Raw(_) => false,
        };
        let mut encoded: HashSet<String> =
            entered.iter().filter(|(_, it)| is_encoded(&it.content)).map(|(file, _)| file.clone()).collect();
        encoded.extend(is_encoded(&root.content).then(String::new));
        let documents = entered.into_iter().map(|(file, entered)| (file, entered.content.into_values())).collect();
        let root = match root.content {
            Content::Raw(_) => Value::Null,
            doc @ Content::Doc(_) => match doc.into_values() {
                Document::Json(json) => json,
                Document::Raw(_) => Value::Null,
            },
        };
        let raw = kind.raw.is_some();
        Ok(Self {
            file: bytes.clone(),
            raw,
            kind: kind.name,
            spans: spans.clone(),
            root,
            documents,
            codecs,
            encoded,
            files,
            entries,
        })
    }

    /// Returns `true` if an entry is a text.
    pub(super) fn is_text(&self, entry: &str) -> bool {
        let file = if entry.is_empty() { Some("") } else { self.files.get(entry).map(String::as_str) };
        file.and_then(|file| self.codecs.get(file)).is_some_and(|codec| codec.is_text())
    }

    /// Returns the kind and the bytes of an entry.
    pub(super) fn entry(&self, entry: &str) -> (&str, &[u8]) {
        if entry.is_empty() {
            return (self.kind, &self.file);
        }
        let span = self.spans.get(entry);
        (span.map_or("", |span| span.kind), span.and_then(|span| span.of(&self.file)).unwrap_or_default())
    }
}

/// Records the documents of a model, without the contents of some entries, and with a mark for each part that both models have.
struct Unlike<'a> {
    recorder: Recorder,
    /// The places of the entries to skip.
    skipped: &'a HashSet<String>,
    /// For each open entry, `true` if it is skipped.
    open: Vec<bool>,
    common: Option<CommonParts<'a>>,
}

impl Unlike<'_> {
    fn is_skipped(&self) -> bool {
        self.open.last().copied().unwrap_or_default()
    }

    fn is_alike(&self) -> bool {
        self.common.as_ref().is_some_and(CommonParts::is_inside)
    }
}

impl Visitor for Unlike<'_> {
    fn data(&mut self, datum: &Datum<'_>) -> Laid {
        if self.is_skipped() || self.is_alike() {
            return Ok(());
        }
        // Raw bytes may be needed, and cost no more than a mark.
        let common = self.common.as_ref().filter(|_| !self.recorder.is_raw());
        match common.and_then(|common| common.datum(datum)) {
            Some(mark) => self.recorder.put(datum.place, mark),
            None => return self.recorder.data(datum),
        }
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        match self.common.as_mut().map(|common| common.enter(group, place)) {
            // If an item is walked in pieces, the first one has already put the mark.
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
        if self.common.as_mut().is_some_and(|common| common.leave(place)) {
            return;
        }
        if let Group::Entry { .. } = group {
            self.open.pop();
        }
        self.recorder.leave(group, place, offset);
    }

    fn fact(&mut self, place: &Place, fact: Value) {
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
