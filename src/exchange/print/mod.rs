//! The exchange form of a model as it is on disk, printed from the model's bytes.
//!
//! What a tape tells is noted first: the groups of each document, and the bytes in them ([`record`], [`doc`]). Then it is known
//! what of them are images and sounds ([`media`]) and parts ([`parts`]), and every file is printed by itself, on all cores
//! ([`lines`], [`flow`]).

mod doc;
mod flow;
mod lines;
mod media;
mod parts;
mod record;
mod shelf;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::field::memory::{self, Meter};
use crate::field::work::{self, SMALL};
use crate::field::{Error, Place, visit, wide};
use crate::registry::Model;
use crate::tree::FORMS;

use self::doc::{Doc, Id};
use self::record::{Content, Entered, Recorder};
use self::value::Value;
use super::{About, HEAD, Names, head};

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
    let mut recorder = Recorder::new(about.kind.raw.is_some(), Meter::new(memory, elsewhere));
    let end = visit(model, &mut recorder)?;
    if let Some(fault) = recorder.refused() {
        return Err(Error::new(end, Place::default(), fault));
    }
    let Entered { content, rows } = recorder.root(about.kind.name);
    let (mut held, entries, memory, mut head) = (recorder.entered, recorder.entries, recorder.memory, head(about));
    let (content, data) = match content {
        doc @ Content::Doc(_) => (doc, Some("data")),
        raw @ Content::Raw(_) => {
            let file = format!("data.{}", about.kind.raw.unwrap_or("bin"));
            head.push(("file".into(), file.as_str().into()));
            held.insert(file, Entered { content: raw, rows: Vec::new() });
            (Content::Doc(Doc::default()), None)
        }
    };
    held.insert(HEAD.to_owned(), Entered { content, rows });
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
    let mut put = |file: String, text: Vec<u8>| {
        files.insert(file, Bytes::from(text));
    };
    let weight = docs.iter().map(|(doc, _)| doc.weight()).fold(0, usize::saturating_add);
    if threads > 1 && weight >= SMALL {
        let jobs = docs.iter().flat_map(|(doc, parts)| parts.iter().map(move |(file, id)| (doc, file, *id)));
        // What has a long list takes all threads, each of the others one.
        let (large, small): (Vec<_>, Vec<_>) = jobs.partition(|(doc, _, id)| lines::is_large(doc, *id));
        let mut texts: Vec<_> = large.iter().map(|(doc, _, id)| lines::print(doc, Value::Node(*id), threads)).collect();
        texts.extend(work::share(&small, threads, |(doc, _, id)| lines::print(doc, Value::Node(*id), 1)));
        large.into_iter().chain(small).zip(texts).for_each(|((_, file, _), text)| put(file.clone(), text));
    } else {
        // A document need not be in memory when it is printed.
        for (doc, parts) in docs {
            parts.into_iter().for_each(|(file, id)| put(file, lines::print(&doc, Value::Node(id), 1)));
        }
    }
    let text = files.iter().filter(|(file, _)| file.ends_with(".json")).map(|(_, text)| wide(text.len()));
    memory.charge(text.sum::<u64>().saturating_mul(FORMS)).map_err(|fault| Error::new(end, Place::default(), fault))?;
    Ok(Contents { files, entries })
}
