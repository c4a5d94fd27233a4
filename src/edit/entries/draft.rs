//! The documents of a model that is being edited: as recorded until an edit uses them, then as values.

use std::collections::{BTreeMap, HashMap};
use std::mem::take;

use bytes::Bytes;

use exchange::document::{Body, Content, Doc, DocValue, Entered, Id, MANIFEST, Recorder};
use field::memory::{self, Meter};
use field::{Codec, Error, Fault, Layout, LoadError, Members, Place, Value, Visitor, work};
use json::Document;
use kind::Model;
use passes::Nobody;

use super::untouched::{Settled, Untouched, UntouchedFinder};
use exchange::print::{self, with_head};
use exchange::{About, Form};

/// The files of a model that is being edited.
#[derive(Clone, Debug, Default)]
pub(super) struct Drafts {
    /// The contents of each file; for [`MANIFEST`], those of the model.
    files: BTreeMap<String, Draft>,
    /// The other members of [`MANIFEST`].
    head: Members,
    /// The file of the model, if it is stored as raw bytes.
    raw: Option<String>,
    /// The record layouts of lists that have been converted to values, by file and name.
    tables: HashMap<(String, String), &'static Layout>,
    /// The entries that no edit has touched.
    untouched: Untouched,
}

#[derive(Clone, Debug)]
enum Draft {
    Noted(Doc),
    Given(Document),
    /// Raw bytes with their encoding, and their value once an edit uses it.
    Coded(Bytes, &'static Codec, Option<Value>),
}

impl Drafts {
    /// Returns the documents of a model, and the file of each entry, by its place.
    pub(super) fn of(model: &Model, about: About<'_>) -> Result<(Self, BTreeMap<String, String>), Error> {
        let mut finder = UntouchedFinder::default();
        let recorder = recorder(about);
        let (mut drafts, entries) =
            Self::noted(model, (about, recorder), &mut finder, |noted, finder| noted.charge(finder.held()))?;
        drafts.untouched = finder.finish(&entries);
        Ok((drafts, entries))
    }

    /// Returns the documents of a model that will not be packed, and the file of each entry, by its place.
    pub(super) fn to_look_at(model: &Model, about: About<'_>) -> Result<(Self, BTreeMap<String, String>), Error> {
        Self::noted(model, (about, recorder(about).unjudged()), &mut Nobody, |_, _| Ok(()))
    }

    /// Returns the documents of a model in a walk that a visitor shares, with no entry that stays as it is.
    fn noted<V: Visitor>(
        model: &Model,
        (about, recorder): (About<'_>, Recorder),
        other: &mut V,
        charge: impl FnOnce(&print::Noted, &V) -> Result<(), Error>,
    ) -> Result<(Self, BTreeMap<String, String>), Error> {
        let noted = print::noted(model, about.kind, recorder, other)?;
        charge(&noted, other)?;
        let head = noted.head(about);
        let print::Noted { files, entries, raw, .. } = noted;
        let draft = |Entered { content, codec, .. }| match (content, codec) {
            (Content::Doc(doc), _) => Draft::Noted(doc),
            (Content::Raw(bytes), Some(codec)) => Draft::Coded(bytes, codec, None),
            (Content::Raw(bytes), None) => Draft::Given(Document::Raw(bytes)),
        };
        let files = files.into_iter().map(|(file, entered)| (file, draft(entered))).collect();
        Ok((Self { files, head, raw, tables: HashMap::new(), untouched: Untouched::default() }, entries))
    }

    /// Returns the names of all files.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns the value of a file if it is a document, or has the encoding of one. For [`MANIFEST`], it is that of the model.
    pub(super) fn value(&mut self, file: &str) -> Option<&mut Value> {
        let file = self.raw.as_deref().filter(|_| file == MANIFEST).unwrap_or(file);
        let draft = self.files.get_mut(file)?;
        self.untouched.touch(file);
        if let Draft::Coded(bytes, codec, value) = draft {
            return Some(value.get_or_insert_with(|| (codec.show)(bytes)));
        }
        if let Draft::Noted(doc) = draft {
            self.tables.extend(tables(doc).map(|(list, layout)| ((file.to_owned(), list), layout)));
            *draft = Draft::Given(Document::Json(DocValue::Node(Id::ROOT).json(doc)));
        }
        if let Draft::Given(Document::Json(value)) = draft { Some(value) } else { None }
    }

    /// Returns the record layout of the items of a list, if they are records.
    pub(super) fn table(&self, file: &str, list: &str) -> Option<&'static Layout> {
        self.tables.get(&(file.to_owned(), list.to_owned())).copied()
    }

    /// Replaces or adds a file.
    pub(super) fn insert(&mut self, file: String, document: Document) {
        self.untouched.touch(&file);
        self.files.insert(file, Draft::Given(document));
    }

    /// Removes a file.
    pub(super) fn remove(&mut self, file: &str) {
        self.untouched.touch(file);
        self.files.remove(file);
    }

    /// Replaces the bytes of the model. Returns `false` if the model is not stored as raw bytes.
    pub(super) fn replace_whole(&mut self, document: Document) -> bool {
        self.raw.clone().map(|file| self.insert(file, document)).is_some()
    }

    /// Encodes the values of raw bytes that an edit has used. Returns the file of one that does not fit; for that of the model,
    /// [`MANIFEST`].
    pub(super) fn encode(&mut self) -> Result<(), (&str, Box<LoadError>)> {
        for (file, draft) in &mut self.files {
            if let Draft::Coded(bytes, codec, value) = draft
                && let (Some(value), Some(merge)) = (value.take(), codec.merge)
            {
                let is_model = self.raw.as_ref() == Some(file);
                *bytes =
                    merge(bytes, &value).map_err(|why| (if is_model { MANIFEST } else { file }, Box::new(why)))?.into();
            }
        }
        Ok(())
    }

    /// Returns the files in the exchange format.
    pub(super) fn finish(self) -> Result<Form, Error> {
        let Self { files, mut head, raw, untouched, .. } = self;
        let (mut noted, mut given) = (Vec::new(), BTreeMap::new());
        let Settled { mut contents, inside } = untouched.finish();
        let mut as_they_are = BTreeMap::new();
        for (file, draft) in files {
            if inside.contains(&file) {
                continue;
            }
            match draft {
                // The name of an entry of bytes can decide what it is.
                Draft::Noted(_) if let Some(content) = contents.remove(&file) => {
                    as_they_are.insert(file, content);
                }
                Draft::Noted(mut doc) => {
                    if file == MANIFEST {
                        doc.wrap(take(&mut head), raw.is_none().then_some("data"));
                    }
                    noted.push((doc, vec![(file, Id::ROOT)]));
                }
                Draft::Given(Document::Json(data)) if file == MANIFEST => {
                    let head = with_head(take(&mut head), raw.is_none().then_some(data));
                    given.insert(file, Document::Json(head));
                }
                Draft::Given(document) => _ = given.insert(file, document),
                Draft::Coded(bytes, ..) => _ = given.insert(file, Document::Raw(bytes)),
            }
        }
        Form::of_texts(print::texts(noted, work::cores())?, given, as_they_are).map_err(|error| {
            let (found, expected) = (error.to_string(), "JSON documents that can be read back".to_owned());
            Error::in_exchange(Place::default(), Fault::Unknown { found, expected })
        })
    }
}

/// Creates a recorder of the documents of a model.
fn recorder(about: About<'_>) -> Recorder {
    Recorder::documents(about.kind.raw.is_some(), Meter::new(memory::allowed(), 0))
}

/// Returns the lists of a document whose items are records, by name.
fn tables(doc: &Doc) -> impl Iterator<Item = (String, &'static Layout)> {
    let layout = |list: Id| {
        let item = doc.inside(list).next()?;
        doc.inside(item).find_map(|id| match doc.node(id).body {
            Body::Fields { layout, .. } => Some(layout),
            _ => None,
        })
    };
    doc.inside(Id::ROOT).filter_map(move |list| Some((doc.node(list).name.as_ref()?.to_string(), layout(list)?)))
}
