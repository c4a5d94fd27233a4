//! The documents of a form that is being edited: as they were noted until an edit looks into them, then as values.

use std::collections::{BTreeMap, HashMap};
use std::mem::take;

use crate::document::{Body, Content, Doc, Entered, Id, MANIFEST, Recorder, Value};
use crate::field::memory::{self, Meter};
use crate::field::{Document, Error, Fault, Json, Layout, Members, Place, work};
use crate::format::Model;

use super::super::print::{self, with_head};
use super::super::{About, Form};

/// The files of a form that is being edited.
#[derive(Clone, Debug, Default)]
pub(super) struct Drafts {
    /// What each file holds; of [`MANIFEST`], what the model holds.
    files: BTreeMap<String, Draft>,
    /// What [`MANIFEST`] says besides.
    head: Members,
    /// The file that the model is if it is bytes as they are.
    raw: Option<String>,
    /// The records of lists that values have been made of, by their file and name.
    tables: HashMap<(String, String), &'static Layout>,
}

#[derive(Clone, Debug)]
enum Draft {
    Noted(Doc),
    Given(Document),
}

impl Drafts {
    /// The documents of a model, and the file of each entry, by its place.
    pub(super) fn of(model: &Model, about: About<'_>) -> Result<(Self, BTreeMap<String, String>), Error> {
        let recorder = Recorder::documents(about.kind.raw.is_some(), Meter::new(memory::allowed(), 0));
        let print::Noted { files, entries, head, raw, .. } = print::noted(model, about, recorder)?;
        let draft = |Entered { content, .. }| match content {
            Content::Doc(doc) => Draft::Noted(doc),
            Content::Raw(bytes) => Draft::Given(Document::Raw(bytes)),
        };
        let files = files.into_iter().map(|(file, entered)| (file, draft(entered))).collect();
        Ok((Self { files, head, raw, tables: HashMap::new() }, entries))
    }

    /// The names of all files.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The value that a file holds, if it is a document. Of a model that is bytes as they are, there is none.
    pub(super) fn value(&mut self, file: &str) -> Option<&mut Json> {
        if file == MANIFEST && self.raw.is_some() {
            return None;
        }
        let draft = self.files.get_mut(file)?;
        if let Draft::Noted(doc) = draft {
            self.tables.extend(tables(doc).map(|(list, layout)| ((file.to_owned(), list), layout)));
            *draft = Draft::Given(Document::Json(Value::Node(Id::ROOT).json(doc)));
        }
        if let Draft::Given(Document::Json(value)) = draft { Some(value) } else { None }
    }

    /// The record that the items of a list in a document are, if they are records.
    pub(super) fn table(&self, file: &str, list: &str) -> Option<&'static Layout> {
        self.tables.get(&(file.to_owned(), list.to_owned())).copied()
    }

    /// Puts a document in the place of a file.
    pub(super) fn insert(&mut self, file: String, document: Document) {
        self.files.insert(file, Draft::Given(document));
    }

    /// Takes a file away.
    pub(super) fn remove(&mut self, file: &str) {
        self.files.remove(file);
    }

    /// Replaces the bytes that the model is; says whether it is bytes.
    pub(super) fn replace_whole(&mut self, document: Document) -> bool {
        self.raw.clone().map(|file| self.insert(file, document)).is_some()
    }

    /// The form that they are.
    pub(super) fn finish(self) -> Result<Form, Error> {
        let Self { files, mut head, raw, .. } = self;
        let (mut noted, mut given) = (Vec::new(), BTreeMap::new());
        for (file, draft) in files {
            match draft {
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
            }
        }
        Form::of_texts(print::texts(noted, work::cores()), given).map_err(|error| {
            let (found, expected) = (error.to_string(), "JSON documents that can be read back".to_owned());
            Error::in_exchange(Place::default(), Fault::Unknown { found, expected })
        })
    }
}

/// The lists of a document whose items are records, by name.
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
