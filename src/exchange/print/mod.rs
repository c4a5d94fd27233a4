//! The exchange form of a model as it is on disk, printed from the model's bytes.
//!
//! Its documents are noted first. Then it is known what of them are images and sounds ([`media`]) and parts ([`parts`]), and
//! every file is printed by itself, on all cores ([`lines`], [`flow`]).

mod flow;
mod lines;
mod measure;
mod media;
mod parts;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use crate::document::{Content, Doc, Entered, Id, MANIFEST, Names, Recorded, Recorder, Value};
use crate::field::memory::{self, Meter};
use crate::field::work::{self, SMALL};
use crate::field::{Document, Error, Json, Members, Place, visit, wide};
use crate::format::Model;

use super::{About, head};

/// How many times the memory of the values a file takes on its way through them: they are text, and a model again.
const FORMS: u64 = 2;

/// The files of an exchange form as they are on disk.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The text or the bytes of every file.
    pub files: BTreeMap<String, Bytes>,
    /// The file of each entry, by the place of the entry.
    pub entries: BTreeMap<String, String>,
}

/// Returns the exchange form of a model, printed on all cores.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn contents(model: &Model, about: About<'_>) -> Result<Contents, Error> {
    contents_within(model, about, work::cores(), (memory::allowed(), 0))
}

/// Returns the exchange form of a model, printed on so many threads, with so much memory for all of it, of which so much is taken
/// by something else.
///
/// # Errors
/// Returns an error if the model cannot be laid out, or if the form takes more memory.
pub(super) fn contents_within(
    model: &Model,
    about: About<'_>,
    threads: usize,
    (memory, elsewhere): (u64, u64),
) -> Result<Contents, Error> {
    let recorder = Recorder::documents(about.kind.raw.is_some(), Meter::new(memory, elsewhere));
    let noted = noted(model, about, recorder.with_values(about.kind.media.iter().map(|medium| medium.kind).collect()))?;
    let Noted { files: mut held, entries, mut head, raw, memory, end } = noted;
    let data = raw.is_none().then_some("data");
    media::take_out(&mut held, about.kind, threads);
    let mut names = Names::default();
    held.keys().for_each(|file| names.take(file));
    let (mut files, mut docs) = (BTreeMap::new(), Vec::with_capacity(held.len()));
    for (file, Entered { content, .. }) in held {
        let mut doc = match content {
            Content::Doc(doc) => doc,
            Content::Raw(bytes) => {
                files.insert(file, bytes);
                continue;
            }
        };
        let mut parts = if file == MANIFEST {
            let data = doc.wrap(std::mem::take(&mut head), data);
            data.map_or_else(Vec::new, |data| parts::split(&mut doc, data, "", about.kind.parts, &mut names))
        } else {
            parts::split(&mut doc, Id::ROOT, file.strip_suffix(".json").unwrap_or(&file), &[], &mut names)
        };
        parts.push((file, Id::ROOT));
        docs.push((doc, parts));
    }
    files.extend(texts(docs, threads));
    let text = files.iter().filter(|(file, _)| file.ends_with(".json")).map(|(_, text)| wide(text.len()));
    memory.charge(text.sum::<u64>().saturating_mul(FORMS)).map_err(|fault| Error::new(end, Place::default(), fault))?;
    Ok(Contents { files, entries })
}

/// A document, and the files that nodes of it are.
pub(super) type InFiles = (Doc, Vec<(String, Id)>);

/// Prints documents on so many threads. None of them is in memory any longer than that takes.
pub(super) fn texts(docs: Vec<InFiles>, threads: usize) -> Vec<(String, Bytes)> {
    let weight = docs.iter().map(|(doc, _)| doc.weight()).fold(0, usize::saturating_add);
    let threads = if weight < SMALL { 1 } else { threads };
    let is_large = |doc: &Doc, id| threads > 1 && lines::is_large(doc, id);
    let text = |doc: &Doc, id, threads| Bytes::from(lines::print(doc, Value::Node(id), threads));
    let is_in_parts = |(doc, files): &InFiles| files.len() > 1 || files.iter().any(|(_, id)| is_large(doc, *id));
    let (in_parts, whole): (Vec<_>, Vec<_>) = docs.into_iter().partition(is_in_parts);
    let mut texts = Vec::new();
    for (doc, files) in in_parts {
        // What has a long list takes all threads, each of the others one.
        let (large, small): (Vec<_>, Vec<_>) = files.into_iter().partition(|(_, id)| is_large(&doc, *id));
        texts.extend(large.into_iter().map(|(file, id)| (file, text(&doc, id, threads))));
        let printed = work::share(&small, threads, |(_, id)| text(&doc, *id, 1));
        texts.extend(small.into_iter().map(|(file, _)| file).zip(printed));
    }
    let whole: Vec<_> = whole.into_iter().map(|doc| Mutex::new(Some(doc))).collect();
    let printed = work::share(&whole, threads, |whole| {
        let (doc, files) = whole.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        files.into_iter().next().map(|(file, id)| (file, text(&doc, id, 1)))
    });
    texts.extend(printed.into_iter().flatten());
    texts
}

/// The documents of a model that are not printed yet.
pub(super) struct Noted {
    /// The files, [`MANIFEST`] among them with what the model itself holds.
    pub(super) files: BTreeMap<String, Entered>,
    /// The file of each entry, by its place.
    pub(super) entries: BTreeMap<String, String>,
    /// What [`MANIFEST`] says besides.
    pub(super) head: Members,
    /// The file that the model is if it is bytes as they are.
    pub(super) raw: Option<String>,
    memory: Meter,
    end: u64,
}

/// Notes the documents of a model.
pub(super) fn noted(model: &Model, about: About<'_>, mut recorder: Recorder) -> Result<Noted, Error> {
    let end = visit(model, &mut recorder)?;
    let Recorded { root, entered: mut files, entries, memory } = recorder.finish(about.kind.name, end)?;
    let (mut head, mut raw) = (head(about), None);
    if let Content::Raw(_) = root.content {
        let file = format!("data.{}", about.kind.raw.unwrap_or("bin"));
        head.push(("file".into(), file.as_str().into()));
        files.insert(file.clone(), root);
        files.insert(MANIFEST.to_owned(), Entered { content: Content::Doc(Doc::default()), rows: Vec::new() });
        raw = Some(file);
    } else {
        files.insert(MANIFEST.to_owned(), root);
    }
    Ok(Noted { files, entries, head, raw, memory, end })
}

/// Returns the exchange form of a model as values: whole documents, with all that is in images and sounds.
///
/// # Errors
/// Returns an error if the model cannot be laid out, or if its values take more memory than allowed.
pub fn documents(model: &Model, about: About<'_>) -> Result<BTreeMap<String, Document>, Error> {
    let recorder = Recorder::documents(about.kind.raw.is_some(), Meter::new(memory::allowed(), 0));
    let Noted { files, head, raw, .. } = noted(model, about, recorder)?;
    let mut files: BTreeMap<_, _> = files.into_iter().map(|(file, it)| (file, it.content.into_values())).collect();
    if let Some(Document::Json(data)) = files.get_mut(MANIFEST) {
        *data = with_head(head, raw.is_none().then(|| std::mem::take(data)));
    }
    Ok(files)
}

/// What [`MANIFEST`] holds.
pub(super) fn with_head(mut head: Members, data: Option<Json>) -> Json {
    head.extend(data.map(|data| ("data".into(), data)));
    Json::Object(head)
}
