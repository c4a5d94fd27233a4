//! Documents in parts: the items that a kind names, and in large documents sections, and items of a list that are large
//! themselves, are files of their own.
//!
//! A part is told by an object whose only member is `file`; what an entry is in is told with its kind, so the two cannot be
//! taken for one another.

use std::collections::BTreeMap;
use std::mem::take;

use crate::field::{Document, Json};

use super::{HEAD, Names};
use crate::format::Parts;

/// A document of up to so many values stays whole.
pub(super) const WHOLE: usize = 5_000;
/// A member of so many is a file of its own.
pub(super) const MEMBER: usize = 500;
/// Items of a list that have so many on average are files of their own.
pub(super) const ITEM: usize = 100;

/// Takes the parts out: those that the kind names, and those of large documents.
pub(super) fn split(files: &mut BTreeMap<String, Document>, named: &[Parts]) {
    let mut names = Names::default();
    files.keys().for_each(|file| names.take(file));
    let mut parts = Vec::new();
    for (file, document) in files.iter_mut() {
        let Document::Json(json) = document else { continue };
        let mut data = if file == HEAD { json.step_mut("data") } else { Some(json) };
        let folder = if file == HEAD { "" } else { file.strip_suffix(".json").unwrap_or(file) };
        if let (HEAD, Some(data)) = (file.as_str(), data.as_deref_mut()) {
            for Parts { list, name } in named {
                if let Some(Json::List(items)) = data.step_mut(list) {
                    each(list, name, items, &mut names, &mut parts);
                }
            }
        }
        if let Some(Json::Object(members)) = data.filter(|json| is_more(json, WHOLE)) {
            for (name, value) in members {
                part(folder, name, value, &mut names, &mut parts);
            }
        }
    }
    files.extend(parts.into_iter().map(|(file, json)| (file, Document::Json(json))));
}

fn part(folder: &str, name: &str, value: &mut Json, names: &mut Names, parts: &mut Vec<(String, Json)>) {
    if !is_more(value, MEMBER) {
        return;
    }
    let path = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    if let Json::List(items) = value
        && is_more_in(items, items.len().saturating_mul(ITEM))
    {
        each(&path(name), "name", items, names, parts);
    }
    away(value, names.again(&path(&format!("{name}.json")), "json"), parts);
}

/// Puts items into files of their own, below a folder, called by their numbers and what a member calls them.
fn each(folder: &str, name: &str, items: &mut [Json], names: &mut Names, parts: &mut Vec<(String, Json)>) {
    for (index, item) in items.iter_mut().enumerate() {
        let own = item.get(name).and_then(|name| name.text().or_else(|| name.get("text")?.text()));
        let own = own.filter(|name| !name.is_empty());
        let own = own.map_or(String::new(), |name| format!(" {name}"));
        away(item, names.part(folder, &format!("{index:04}{own}")), parts);
    }
}

/// Puts a value into a file of its own.
fn away(value: &mut Json, file: String, parts: &mut Vec<(String, Json)>) {
    let whole = take(value);
    *value = Json::from([("file", file.as_str().into())]);
    parts.push((file, whole));
}

/// Whether there are more than so many values in it. They are counted no further than that.
fn is_more(json: &Json, than: usize) -> bool {
    count(json, than).is_none()
}

/// Whether there are more than so many values in all items.
fn is_more_in(items: &[Json], than: usize) -> bool {
    items.iter().try_fold(than, |left, item| count(item, left)).is_none()
}

/// What is left of a number of values when those in it are counted; nothing where there are more.
fn count(json: &Json, left: usize) -> Option<usize> {
    match json {
        Json::List(items) => items.iter().try_fold(left.checked_sub(1)?, |left, item| count(item, left)),
        Json::Object(members) => members.iter().try_fold(left.checked_sub(1)?, |left, (_, value)| count(value, left)),
        Json::Bytes(bytes) => left.checked_sub(bytes.len() / 16),
        _ => left.checked_sub(1),
    }
}

/// Puts parts back where they belong.
pub(super) fn join(files: &mut BTreeMap<String, Document>) {
    let names: Vec<String> = files.keys().cloned().collect();
    for name in names {
        // A part that is in its place already is no document any more; bytes have no parts.
        let Some(Document::Json(json)) = files.get_mut(&name) else { continue };
        let mut json = take(json);
        let data = if name == HEAD { json.step_mut("data") } else { Some(&mut json) };
        if let Some(Json::Object(members)) = data {
            for (_, value) in members {
                put_back(value, files);
                if let Json::List(items) = value {
                    items.iter_mut().for_each(|item| put_back(item, files));
                }
            }
        }
        files.insert(name, Document::Json(json));
    }
}

fn put_back(value: &mut Json, files: &mut BTreeMap<String, Document>) {
    let file = match &*value {
        Json::Object(members) => match members.as_slice() {
            [(key, Json::Text(file))] if key == "file" => file.as_str(),
            _ => return,
        },
        _ => return,
    };
    if matches!(files.get(file), Some(Document::Json(_)))
        && let Some(Document::Json(part)) = files.remove(file)
    {
        *value = part;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_where_they_belong() {
        let model = |index: i64| {
            let points: Json = (0..200).collect();
            Json::from([("name", format!("model {index}").into()), ("points", points)])
        };
        let data = Json::from([
            ("version", 27.into()),
            ("models", (0..30).map(model).collect()),
            ("nodes", (0..600).collect()),
        ]);
        let whole: BTreeMap<_, _> = [(HEAD.to_owned(), Document::Json(Json::from([("data", data)])))].into();
        let mut files = whole.clone();
        split(&mut files, &[]);
        assert!(files.contains_key("nodes.json") && files.contains_key("models/0007 model 7.json"));
        assert_eq!(files.len(), 33);
        join(&mut files);
        assert_eq!(format!("{files:?}"), format!("{whole:?}"));
    }

    #[test]
    fn items_that_a_kind_names_are_files_however_small() {
        let item = |name: &str| Json::from([("anim_name", name.into())]);
        let data = Json::from([("definitions", [item(""), item("a/b")].into_iter().collect())]);
        let whole: BTreeMap<_, _> = [(HEAD.to_owned(), Document::Json(Json::from([("data", data)])))].into();
        let mut files = whole.clone();
        split(&mut files, &[Parts { list: "definitions", name: "anim_name" }]);
        let names: Vec<_> = files.keys().map(String::as_str).collect();
        assert_eq!(names, [HEAD, "definitions/0000.json", "definitions/0001 a%2Fb.json"]);
        join(&mut files);
        assert_eq!(format!("{files:?}"), format!("{whole:?}"));
    }
}
