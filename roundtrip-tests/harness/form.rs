//! The exchange format as values: complete documents including their images and sounds, for tests that edit and
//! compare.

use std::collections::BTreeMap;

use bitexact::edit::Edit;
use bitexact::exchange::{self, About, Form, MANIFEST, Packed, documents, print};
use bitexact::field::{Error, Value};
use bitexact::json::Document;
use bitexact::media::{Around, Files, Medium};
use bitexact::registry::{KINDS, Model};
use bytes::Bytes;

/// The documents of an unpacked folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchange {
    /// The files, [`MANIFEST`] among them.
    pub(crate) files: BTreeMap<String, Document>,
}

/// The unpacked folder of a model, and the means to edit it.
#[derive(Clone, Debug)]
pub(crate) struct Unpacked {
    pub(crate) exchange: Exchange,
    /// The file of each entry, by its place.
    pub(crate) files: BTreeMap<String, String>,
    /// The unpacked folder in a form for edits.
    pub(crate) edit: Edit,
}

/// Unpacks a model.
pub(crate) fn unpack(model: &Model, about: About<'_>) -> Result<Unpacked, Error> {
    let edit = Edit::of(model, about)?;
    let files = edit.entries().map(|(entry, file)| (entry.to_owned(), file.to_owned())).collect();
    Ok(Unpacked { exchange: Exchange { files: documents(model, about)? }, files, edit })
}

/// Packs documents to a model.
pub(crate) fn pack(exchange: Exchange) -> Result<Packed, Error> {
    Form::of(exchange.files).pack(KINDS)
}

impl Exchange {
    /// Returns the documents as text.
    pub(crate) fn contents(&self) -> BTreeMap<String, Bytes> {
        let text = |document: &Document| match document {
            Document::Json(json) => Bytes::from(print(json)),
            Document::Raw(bytes) => bytes.clone(),
        };
        self.files.iter().map(|(file, document)| (file.clone(), text(document))).collect()
    }

    /// Parses the files of a folder, and puts parts and media back in place of their file names.
    pub(crate) fn parse(contents: BTreeMap<String, Bytes>) -> Result<Self, String> {
        let parse = |(path, bytes): (String, Bytes)| {
            let document = match path.ends_with(".json") {
                true => Document::Json(exchange::parse(&bytes).map_err(|error| format!("{path}: {error}"))?),
                false => Document::Raw(bytes),
            };
            Ok((path, document))
        };
        let mut files = contents.into_iter().map(parse).collect::<Result<_, String>>()?;
        join(&mut files);
        put_back(&mut files)?;
        Ok(Self { files })
    }
}

/// Returns the data of a file.
fn data<'a>(file: &str, document: &'a Document) -> Option<&'a Value> {
    match document {
        Document::Json(json) if file == MANIFEST => json.get("data"),
        Document::Json(json) => Some(json),
        Document::Raw(_) => None,
    }
}

fn data_mut<'a>(file: &str, document: &'a mut Document) -> Option<&'a mut Value> {
    let Document::Json(json) = document else { return None };
    if file == MANIFEST { json.step_mut("data") } else { Some(json) }
}

/// Puts parts back in place.
fn join(files: &mut BTreeMap<String, Document>) {
    let names: Vec<String> = files.keys().cloned().collect();
    for name in names {
        // A part that is already in place is no longer a document.
        let Some(mut document) = files.remove(&name) else { continue };
        if let Some(Value::Object(members)) = data_mut(&name, &mut document) {
            for (_, value) in members {
                join_part(value, files);
                if let Value::List(items) = value {
                    items.iter_mut().for_each(|item| join_part(item, files));
                }
            }
        }
        files.insert(name, document);
    }
}

fn join_part(value: &mut Value, files: &mut BTreeMap<String, Document>) {
    let file = match &*value {
        Value::Object(members) if members.len() == 1 => value.get("file").and_then(Value::text).map(str::to_owned),
        _ => None,
    };
    if let Some(file) = file.filter(|file| matches!(files.get(file), Some(Document::Json(_))))
        && let Some(Document::Json(part)) = files.remove(&file)
    {
        *value = part;
    }
}

/// Returns the medium of this kind of entry, in any kind of file.
fn medium(kind: &str) -> Option<&'static Medium> {
    media().find(|medium| medium.kind == kind)
}

/// Returns the media of all kinds of files.
pub(crate) fn media() -> impl Iterator<Item = &'static Medium> {
    KINDS.iter().flat_map(|kind| kind.media).copied()
}

/// A document with media: the file and keys of the object that refers to it, and its own file.
type Site = ((String, Vec<String>), String, &'static Medium);

/// Completes every document with the contents of its images, sounds and text files.
fn put_back(files: &mut BTreeMap<String, Document>) -> Result<(), String> {
    let mut sites: Vec<Site> = Vec::new();
    for (container, document) in &*files {
        if let (MANIFEST, Document::Json(json)) = (container.as_str(), document)
            && let Some(medium) = json.get("kind").and_then(Value::text).and_then(medium)
        {
            sites.push(((MANIFEST.to_owned(), Vec::new()), MANIFEST.to_owned(), medium));
        }
        if let Some(json) = data(container, document) {
            rows(json, &mut Vec::new(), &mut |way, file, medium| {
                sites.push(((container.clone(), way.to_vec()), file.to_owned(), medium));
            });
        }
    }
    for ((container, way), file, medium) in sites {
        let container = files.get(&container).and_then(|whole| data(&container, whole)).cloned().unwrap_or_default();
        let row = way.iter().try_fold(&container, |json, key| json.step(key)).cloned().unwrap_or_default();
        let own = files.get(&file).and_then(|whole| data(&file, whole)).cloned();
        let Some(document) = own else { continue };
        let mut now = document.clone();
        for part in (medium.parts)(&document) {
            let Some(json) = part.way.iter().try_fold(&mut now, |json, key| json.step_mut(key)) else { continue };
            let mut contents = Files::new();
            for (member, _) in medium.files {
                let path = json.take_member(member);
                let path = path.as_ref().and_then(Value::text);
                contents.push(match path.map(|path| (path, files.remove(path))) {
                    None => None,
                    Some((_, Some(Document::Raw(bytes)))) => Some(bytes),
                    Some((path, _)) => return Err(format!("{file}: there is no file {path}")),
                });
            }
            if contents.first().is_none_or(Option::is_none) {
                continue;
            }
            let around = Around { part: json, way: &part.way, document: &document, row: &row, container: &container };
            let said = (medium.import)(&contents, &around).map_err(|why| format!("{file}: {why}"))?;
            *json = said.part;
        }
        if let Some(place) = files.get_mut(&file).and_then(|whole| data_mut(&file, whole)) {
            *place = now;
        }
    }
    Ok(())
}

/// Calls `tell` for every object with the kind and file of an entry with media.
fn rows(json: &Value, way: &mut Vec<String>, tell: &mut impl FnMut(&[String], &str, &'static Medium)) {
    let text = |name| json.get(name).and_then(Value::text);
    if let (Some(medium), Some(file)) = (text("kind").and_then(medium), text("file")) {
        return tell(way, file, medium);
    }
    let mut inner = |key: String, value: &Value| {
        way.push(key);
        rows(value, way, tell);
        way.pop();
    };
    match json {
        Value::List(items) => items.iter().enumerate().for_each(|(index, item)| inner(index.to_string(), item)),
        Value::Object(members) => members.iter().for_each(|(name, value)| inner(name.to_string(), value)),
        _ => {}
    }
}
