//! Images, sounds and text as files that other programs can edit, beside the JSON of their documents.
//!
//! The JSON does not repeat what such a file contains (the size of an image, its pixels, samples): it names the file instead. It
//! keeps whatever the file cannot represent.

use std::collections::HashSet;

use bytes::Bytes;

use crate::document::{MANIFEST, Names};
use field::{Address, Value};
use json::{Describe as _, DocumentError};
use media::{Around, Files, Location, Medium, MediumError, Replaced};

/// Returns the value at these keys.
pub fn follow<'a>(json: &'a Value, way: &[String]) -> Option<&'a Value> {
    way.iter().try_fold(json, |json, key| json.step(key))
}

/// Returns the medium of a kind.
pub fn medium_of(media: &[&'static Medium], kind: &str) -> Option<&'static Medium> {
    media.iter().copied().find(|medium| medium.kind == kind)
}

/// Returns the document with one part replaced by these files: the one at this place in its entry, or the only one.
///
/// # Errors
/// Returns an error if there is no such part, or if [`import`](Medium::import) fails.
pub fn put(medium: &Medium, files: &Files, around: Around<'_>, at: &Address) -> Result<Value, String> {
    let parts = (medium.parts)(around.document);
    let wanted: Vec<&Location> = parts.iter().filter(|part| part.way.starts_with(&at.keys)).collect();
    let place = |part: &Location| Address { entry: at.entry.clone(), keys: part.way.clone() };
    let way = match (wanted.as_slice(), parts.as_slice()) {
        ([part], _) => &part.way,
        (_, []) => return Err("has no image, sound or text that a file can replace".to_owned()),
        ([], [first, ..]) => {
            return Err(format!("no image, sound or text there; the first one is at {}", place(first)));
        }
        ([first, ..], _) => {
            let count = wanted.len();
            return Err(format!("has {count} images, sounds or texts; name one, such as {}", place(first)));
        }
    };
    let around = Around { part: follow(around.document, way).unwrap_or(&Value::Null), way, ..around };
    // What it has besides the file, such as bytes beyond the width of an image, stays with the same file.
    if (medium.export)(&around).is_some_and(|(_, now)| now.first() == files.first()) {
        return Ok(around.document.clone());
    }
    let said = (medium.import)(files, &around).map_err(|mismatch| mismatch.to_string())?;
    let mut document = around.document.clone();
    if let Some(part) = way.iter().try_fold(&mut document, |json, key| json.step_mut(key)) {
        *part = said.part;
    }
    Ok(document)
}

/// Returns the document of an entry whose contents are a file of its own.
///
/// # Errors
/// Returns an error if the file cannot be imported.
pub(super) fn whole(medium: &Medium, file: &str, content: Bytes) -> Result<Value, DocumentError> {
    let document = Value::Object(Vec::new());
    let (row, container) = (&Value::Null, &Value::Null);
    let around = Around { part: &document, way: &[], document: &document, row, container };
    let said = (medium.import)(&vec![Some(content)], &around);
    let amiss = |mismatch: MediumError| DocumentError {
        file: file.to_owned(),
        keys: None,
        is_surplus: false,
        why: mismatch.to_string(),
    };
    said.map(|said| said.part).map_err(amiss)
}

/// Returns the path of a file of a part of a document.
pub(super) fn path(file: &str, part: &Location, end: &str, names: &mut Names) -> String {
    let own = if file == MANIFEST { "data.json" } else { file };
    let own = own.strip_suffix(".json").unwrap_or(own);
    match (&part.name, end.rsplit_once('.')) {
        (None, _) | (_, None) => names.beside(own, end),
        (Some(name), Some((_, extension))) if file == MANIFEST => names.again(name, extension),
        (Some(name), Some((_, extension))) => names.again(&format!("{own}/{name}"), extension),
    }
}

/// Returns the paths of the files of the parts of a document.
pub(super) fn paths(medium: &Medium, document: &Value) -> Vec<String> {
    let parts = (medium.parts)(document);
    let parts = parts.iter().filter_map(|part| follow(document, &part.way));
    let paths = parts.flat_map(|part| medium.files.iter().filter_map(|(member, _)| part.get(member)?.text()));
    paths.map(str::to_owned).collect()
}

/// What is found in place of a file that is not there.
pub(crate) const NO_FILE: &str = "no such file";

/// Imports the files of the parts of a document, which are taken, and returns the values that they have replaced.
///
/// # Errors
/// Returns an error if a file is missing, cannot be imported, or contradicts the JSON beside it.
pub(crate) fn put_into(
    medium: &Medium,
    file: &str,
    document: &mut Value,
    row: &Value,
    container: &Value,
    mut take: impl FnMut(&str) -> Result<Bytes, String>,
) -> Result<Vec<Replaced>, DocumentError> {
    let beside = |file: &str, why: String| DocumentError { file: file.to_owned(), keys: None, is_surplus: false, why };
    let (mut all, mut taken) = (Vec::new(), HashSet::new());
    for part in (medium.parts)(document) {
        let place: String = part.way.iter().map(|key| format!("/{key}")).collect();
        let (mut contents, mut paths) = (Files::new(), Vec::new());
        for (member, _) in medium.files {
            let wrong = |what: String| DocumentError {
                keys: Some([part.way.as_slice(), &[(*member).to_owned()]].concat()),
                ..beside(file, format!("{place}/{member}: {what}"))
            };
            let path = part.way.iter().try_fold(&mut *document, |json, key| json.step_mut(key));
            contents.push(match path.and_then(|json| json.take_member(member)) {
                None => None,
                Some(path) => {
                    let path = path.text().ok_or_else(|| wrong("expected the name of a file".to_owned()))?;
                    paths.push(path.to_owned());
                    let bytes = take(path).map_err(|found| match taken.contains(path) {
                        true => wrong(format!("file {path} is named twice; copy it, and name the copy here")),
                        false if found == NO_FILE => wrong(format!("file {path} is missing")),
                        false => wrong(format!("expected the file {path}, found {found}")),
                    })?;
                    taken.insert(path.to_owned());
                    Some(bytes)
                }
            });
        }
        let Some(path) = paths.into_iter().next() else { continue };
        if contents.first().is_none_or(Option::is_none) {
            let first = medium.files.first().map(|(member, _)| *member).unwrap_or_default();
            return Err(beside(&path, format!("belongs to `{first}`, which is missing")));
        }
        let json = follow(document, &part.way).unwrap_or(&Value::Null);
        let around = Around { part: json, way: &part.way, document, row, container };
        let said = (medium.import)(&contents, &around).map_err(|mismatch| match &mismatch.keys {
            Some(keys) => {
                let (way, place) = if mismatch.is_around { (&[][..], "") } else { (&*part.way, &*place) };
                DocumentError {
                    keys: Some([way, keys, &mismatch.surplus].concat()),
                    is_surplus: !mismatch.surplus.is_empty(),
                    ..beside(file, format!("{place}{mismatch}"))
                }
            }
            None => beside(&path, mismatch.why),
        })?;
        for name in medium.determined {
            if let Some(stated) = json.get(name)
                && let told = said.part.get(name).unwrap_or(&Value::Null)
                && !covers(told, stated)
            {
                let (told, stated) = (told.describe(), stated.describe());
                let why = format!(
                    "{place}/{name}: expected {told} as in {path}, found {stated}; remove it to use the value of {path}"
                );
                let keys = Some([part.way.as_slice(), &[(*name).to_owned()]].concat());
                return Err(DocumentError { keys, ..beside(file, why) });
            }
        }
        let replaced = said.replaced.into_iter();
        all.extend(replaced.map(|it| Replaced { place: format!("{file}: {place}{}", it.place), ..it }));
        if let Some(json) = part.way.iter().try_fold(&mut *document, |json, key| json.step_mut(key)) {
            *json = said.part;
        }
    }
    Ok(all)
}

/// Returns `true` if a value contains everything that another one states. Objects may have more members than stated.
fn covers(whole: &Value, stated: &Value) -> bool {
    match (whole, stated) {
        (Value::Object(_), Value::Object(members)) => {
            members.iter().all(|(name, stated)| whole.get(name).is_some_and(|whole| covers(whole, stated)))
        }
        _ => whole == stated,
    }
}
