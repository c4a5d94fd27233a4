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

use bytes::Bytes;

use crate::document::{Content, Doc, Entered, HEAD, Id, Names, Recorded, Recorder, Value};
use crate::field::memory::{self, Meter};
use crate::field::work::{self, SMALL};
use crate::field::{Document, Error, Json, Members, Place, visit, wide};
use crate::registry::Model;

use super::{About, Medium, head};

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
    let drafts = drafts(model, about, recorder.with_values(|kind| Medium::of(kind).is_some()))?;
    let Drafts { files: mut held, entries, mut head, raw, memory, end } = drafts;
    let data = raw.is_none().then_some("data");
    media::take_out(&mut held, about.kind.name, threads);
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
        let mut parts = if file == HEAD {
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

/// Prints documents, of each the nodes that are files.
pub(super) fn texts(docs: Vec<(Doc, Vec<(String, Id)>)>, threads: usize) -> Vec<(String, Bytes)> {
    let mut texts = Vec::new();
    let weight = docs.iter().map(|(doc, _)| doc.weight()).fold(0, usize::saturating_add);
    if threads > 1 && weight >= SMALL {
        let jobs = docs.iter().flat_map(|(doc, parts)| parts.iter().map(move |(file, id)| (doc, file, *id)));
        // What has a long list takes all threads, each of the others one.
        let (large, small): (Vec<_>, Vec<_>) = jobs.partition(|(doc, _, id)| lines::is_large(doc, *id));
        let mut printed: Vec<_> =
            large.iter().map(|(doc, _, id)| lines::print(doc, Value::Node(*id), threads)).collect();
        printed.extend(work::share(&small, threads, |(doc, _, id)| lines::print(doc, Value::Node(*id), 1)));
        let files = large.into_iter().chain(small).map(|(_, file, _)| file.clone());
        texts.extend(files.zip(printed.into_iter().map(Bytes::from)));
    } else {
        // A document need not be in memory when it is printed.
        for (doc, parts) in docs {
            let text = |(file, id)| (file, lines::print(&doc, Value::Node(id), 1).into());
            texts.extend(parts.into_iter().map(text));
        }
    }
    texts
}

/// The documents of a model that are not printed yet.
pub(super) struct Drafts {
    /// The files, [`HEAD`] among them with what the model itself holds.
    pub(super) files: BTreeMap<String, Entered>,
    /// The file of each entry, by its place.
    pub(super) entries: BTreeMap<String, String>,
    /// What [`HEAD`] says besides.
    pub(super) head: Members,
    /// The file that the model is if it is bytes as they are.
    pub(super) raw: Option<String>,
    memory: Meter,
    end: u64,
}

/// Notes the documents of a model.
pub(super) fn drafts(model: &Model, about: About<'_>, mut recorder: Recorder) -> Result<Drafts, Error> {
    let end = visit(model, &mut recorder)?;
    let Recorded { root, entered: mut files, entries, memory } = recorder.finish(about.kind.name, end)?;
    let (mut head, mut raw) = (head(about), None);
    if let Content::Raw(_) = root.content {
        let file = format!("data.{}", about.kind.raw.unwrap_or("bin"));
        head.push(("file".into(), file.as_str().into()));
        files.insert(file.clone(), root);
        files.insert(HEAD.to_owned(), Entered { content: Content::Doc(Doc::default()), rows: Vec::new() });
        raw = Some(file);
    } else {
        files.insert(HEAD.to_owned(), root);
    }
    Ok(Drafts { files, entries, head, raw, memory, end })
}

/// Returns the exchange form of a model as values: whole documents, with all that is in images and sounds.
///
/// # Errors
/// Returns an error if the model cannot be laid out, or if its values take more memory than allowed.
pub fn documents(model: &Model, about: About<'_>) -> Result<BTreeMap<String, Document>, Error> {
    let recorder = Recorder::documents(about.kind.raw.is_some(), Meter::new(memory::allowed(), 0));
    let Drafts { files, head, raw, .. } = drafts(model, about, recorder)?;
    let mut files: BTreeMap<_, _> = files.into_iter().map(|(file, it)| (file, it.content.into_values())).collect();
    if let Some(Document::Json(data)) = files.get_mut(HEAD) {
        *data = with_head(head, raw.is_none().then(|| std::mem::take(data)));
    }
    Ok(files)
}

/// What [`HEAD`] holds.
pub(super) fn with_head(mut head: Members, data: Option<Json>) -> Json {
    head.extend(data.map(|data| ("data".into(), data)));
    Json::Object(head)
}
