//! Prints the files of a model in the exchange format from the model's bytes.
//!
//! First it records the documents. Then it moves images and sounds (`media`) and parts (`parts`) to separate files, and prints
//! every file by itself, on all cores (`lines`).

mod count;
mod lines;
mod media;
mod parts;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use crate::document::{Content, Doc, DocValue, Entered, Id, MANIFEST, Names, Recorded, Recorder};
use field::memory::{self, Meter};
use field::work;
use field::{Error, Fault, Label, Members, Place, Value, Visitor, visit, wide};
use json::Document;
use kind::{Kind, Model};
use passes::{Nobody, Several};

use super::About;
use super::schema::{self, Part, View};
use super::whole::head;

/// The factor by which text is charged to memory: it is held as text, in up to twice its length because it has grown, and again as a model.
const FORMS: u64 = 3;

/// The files of a model in the exchange format.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The text or the bytes of every file.
    pub files: BTreeMap<String, Bytes>,
    /// The file of each entry, by the place of the entry.
    pub entries: BTreeMap<String, String>,
    /// What each document contains, for its schema.
    pub(crate) views: BTreeMap<String, View>,
    /// `true` if each document already names its schema.
    pub(crate) are_pointed: bool,
}

/// Prints a model in the exchange format, on all cores.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn contents(model: &Model, about: About<'_>) -> Result<Contents, Error> {
    recorded(model, about.kind, None, (memory::allowed(), 0), None)?.print(about)
}

/// Records the documents of a model, which need none of the facts about its file, and [`Recording::print`] prints them. Raw entries
/// share the memory of the file that the model was read from.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn record(model: &Model, kind: &'static Kind, file: &Bytes) -> Result<Recording, Error> {
    recorded(model, kind, None, (memory::allowed(), 0), Some(file))
}

/// Prints a model in the exchange format on `threads` threads, using at most `memory` bytes, of which `elsewhere` are already in
/// use.
///
/// # Errors
/// Returns an error if the model cannot be laid out, or if the files take more memory.
pub fn contents_within(model: &Model, about: About<'_>, threads: usize, memory: (u64, u64)) -> Result<Contents, Error> {
    recorded(model, about.kind, Some(threads), memory, None)?.print(about)
}

/// The documents of a model, recorded and not printed yet.
#[derive(Debug)]
pub struct Recording {
    noted: Noted,
    threads: usize,
    /// `true` if each document will name its schema.
    are_pointed: bool,
}

/// Records the documents of a model on this number of threads, or on as many as they are worth; if its file is given, with the paths of
/// schemas.
fn recorded(
    model: &Model,
    kind: &'static Kind,
    threads: Option<usize>,
    (memory, elsewhere): (u64, u64),
    file: Option<&Bytes>,
) -> Result<Recording, Error> {
    let recorder = Recorder::documents(kind.raw.is_some(), Meter::new(memory, elsewhere));
    let (recorder, are_pointed) = match file {
        Some(file) => (recorder.sharing(file.clone()), true),
        None => (recorder, false),
    };
    let media = kind.media.iter().map(|medium| medium.kind).collect();
    let mut noted = noted(model, kind, recorder.with_values(media), &mut Nobody)?;
    let threads = threads.unwrap_or_else(|| work::cores_for(usize::try_from(noted.end).unwrap_or(usize::MAX)));
    let renamed = media::take_out(&mut noted.files, kind, threads);
    for file in noted.entries.values_mut() {
        if let Some(new) = renamed.get(file) {
            file.clone_from(new);
        }
    }
    Ok(Recording { noted, threads, are_pointed })
}

impl Recording {
    /// Prints the documents, on all cores. Those of a file still lack their schemas and the list of all files:
    /// [`with_schemas`](Contents::with_schemas) adds them.
    ///
    /// # Errors
    /// Returns an error if a document lacks a part of itself, or if the files take more memory than allowed.
    pub fn print(self, about: About<'_>) -> Result<Contents, Error> {
        let Self { noted, threads, are_pointed } = self;
        printed(noted, about, threads, are_pointed)
    }
}

fn printed(noted: Noted, about: About<'_>, threads: usize, are_pointed: bool) -> Result<Contents, Error> {
    let mut head = noted.head(about);
    let Noted { files: held, entries, raw, memory, end } = noted;
    let data = raw.is_none().then_some("data");
    let mut names = Names::default();
    held.keys().for_each(|file| names.take(file));
    let rows = held.values().flat_map(|entered| &entered.rows);
    let kinds: HashMap<String, &'static str> = rows.map(|(_, kind, file)| (file.clone(), *kind)).collect();
    let mut views = BTreeMap::new();
    let (mut files, mut docs) = (BTreeMap::new(), Vec::with_capacity(held.len()));
    for (file, Entered { content, .. }) in held {
        let mut doc = match content {
            Content::Doc(doc) => doc,
            Content::Raw(bytes) => {
                files.insert(file, bytes);
                continue;
            }
        };
        let (kind, whole, parts) = if file == MANIFEST {
            let data = doc.wrap(std::mem::take(&mut head), data);
            let split = |data| parts::split(&mut doc, data, "", about.kind.parts, &mut names);
            (Some(about.kind.name), Part::Manifest, data.map_or_else(Vec::new, split))
        } else {
            let folder = file.strip_suffix(".json").unwrap_or(&file);
            (kinds.get(&file).copied(), Part::Whole, parts::split(&mut doc, Id::ROOT, folder, &[], &mut names))
        };
        let mut in_files = Vec::with_capacity(parts.len() + 1);
        for (file, id, part) in parts.into_iter().chain([(file, Id::ROOT, whole)]) {
            views.extend(kind.map(|kind| (file.clone(), View { kind, part })));
            in_files.push((file, id));
        }
        docs.push((doc, in_files));
    }
    let pointer = |file: &str| views.get(file).filter(|_| are_pointed).map(|view| view.pointer(file));
    files.extend(texts_of(docs, threads, &pointer)?);
    let text = files.iter().filter(|(file, _)| file.ends_with(".json")).map(|(_, text)| wide(text.len()));
    memory.charge(text.sum::<u64>().saturating_mul(FORMS)).map_err(|fault| Error::new(end, Place::default(), fault))?;
    Ok(Contents { files, entries, views, are_pointed })
}

/// A document, and the nodes of it that are separate files.
pub(crate) type InFiles = (Doc, Vec<(String, Id)>);

/// Prints documents on this number of threads. Each is dropped as soon as it is printed.
///
/// # Errors
/// Returns an error if a document lacks a part of itself.
pub fn texts(docs: Vec<InFiles>, threads: usize) -> Result<Vec<(String, Bytes)>, Error> {
    texts_of(docs, threads, &|_| None)
}

/// Prints documents, each with the path of its schema.
fn texts_of(
    docs: Vec<InFiles>,
    threads: usize,
    pointer: &(dyn Fn(&str) -> Option<String> + Sync),
) -> Result<Vec<(String, Bytes)>, Error> {
    let weight = docs.iter().map(|(doc, _)| doc.weight()).sum::<usize>();
    let threads = work::threads_for(weight, threads);
    let is_large = |doc: &Doc, id| threads > 1 && lines::is_large(doc, id);
    let text = |doc: &Doc, file: String, id, threads| {
        let value = DocValue::Node(id);
        let text = match pointer(&file) {
            Some(path) => schema::join(lines::print(doc, value, threads, schema::head(&path)), &path),
            None => lines::print(doc, value, threads, Vec::new()).into(),
        };
        if doc.lacks_some() {
            let (found, expected) = ("nothing".to_owned(), "a value in every place of the document".to_owned());
            let place = Place::default().with_entry(Label::role(&file));
            return Err(Error::in_exchange(place, Fault::Unknown { found, expected }));
        }
        Ok((file, text))
    };
    let is_in_parts = |(doc, files): &InFiles| files.len() > 1 || files.iter().any(|(_, id)| is_large(doc, *id));
    let (in_parts, whole): (Vec<_>, Vec<_>) = docs.into_iter().partition(is_in_parts);
    let mut texts = Vec::new();
    for (doc, files) in in_parts {
        // A part with a long list takes all threads, any other one thread.
        let (large, small): (Vec<_>, Vec<_>) = files.into_iter().partition(|(_, id)| is_large(&doc, *id));
        texts.extend(large.into_iter().map(|(file, id)| text(&doc, file, id, threads)));
        texts.extend(work::share(&small, threads, |(file, id)| text(&doc, file.clone(), *id, 1)));
    }
    let whole: Vec<_> = whole.into_iter().map(|doc| Mutex::new(Some(doc))).collect();
    let printed = work::share(&whole, threads, |whole| {
        let (doc, files) = whole.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        files.into_iter().next().map(|(file, id)| text(&doc, file, id, 1))
    });
    texts.extend(printed.into_iter().flatten());
    texts.into_iter().collect()
}

/// The recorded documents of a model.
#[derive(Debug)]
pub struct Noted {
    /// The files, including [`MANIFEST`] with the contents of the model itself.
    pub files: BTreeMap<String, Entered>,
    /// The file of each entry, by its place.
    pub entries: BTreeMap<String, String>,
    /// The file of the model, if it is stored as raw bytes.
    pub raw: Option<String>,
    memory: Meter,
    end: u64,
}

impl Noted {
    /// Returns the members of [`MANIFEST`] that do not come from the values of the model.
    pub fn head(&self, about: About<'_>) -> Members {
        let mut head = head(about);
        head.extend(self.raw.as_ref().map(|file| ("file".into(), file.as_str().into())));
        head
    }

    /// Counts memory that is kept beside the documents.
    ///
    /// # Errors
    /// Returns an error if both together take more memory than allowed.
    pub fn charge(&self, bytes: u64) -> Result<(), Error> {
        self.memory.charge(bytes).map_err(|fault| Error::new(self.end, Place::default(), fault))
    }
}

/// Records the documents of a model of this kind, in a walk that another visitor shares.
pub fn noted(
    model: &Model,
    kind: &'static Kind,
    mut recorder: Recorder,
    other: &mut dyn Visitor,
) -> Result<Noted, Error> {
    let end = visit(model, &mut Several([&mut recorder, other]))?;
    let Recorded { root, entered: mut files, entries, memory } = recorder.finish(kind.name, end)?;
    let mut raw = None;
    if let Content::Raw(_) = root.content {
        let file = format!("data.{}", kind.raw.unwrap_or("bin"));
        files.insert(file.clone(), root);
        files.insert(
            MANIFEST.to_owned(),
            Entered { content: Content::Doc(Doc::default()), codec: None, rows: Vec::new() },
        );
        raw = Some(file);
    } else {
        files.insert(MANIFEST.to_owned(), root);
    }
    Ok(Noted { files, entries, raw, memory, end })
}

/// Returns a model in the exchange format as values: whole documents that include the contents of images and sounds.
///
/// # Errors
/// Returns an error if the model cannot be laid out, or if its values take more memory than allowed.
pub fn documents(model: &Model, about: About<'_>) -> Result<BTreeMap<String, Document>, Error> {
    let recorder = Recorder::documents(about.kind.raw.is_some(), Meter::new(memory::allowed(), 0));
    let noted = noted(model, about.kind, recorder, &mut Nobody)?;
    let head = noted.head(about);
    let Noted { files, raw, .. } = noted;
    let mut files: BTreeMap<_, _> = files.into_iter().map(|(file, it)| (file, it.content.into_values())).collect();
    if let Some(Document::Json(data)) = files.get_mut(MANIFEST) {
        *data = with_head(head, raw.is_none().then(|| std::mem::take(data)));
    }
    Ok(files)
}

/// Returns the contents of [`MANIFEST`].
pub fn with_head(mut head: Members, data: Option<Value>) -> Value {
    head.extend(data.map(|data| ("data".into(), data)));
    Value::Object(head)
}
