//! A file attacked via its unpacked folder: data shared by all changes.

use std::collections::{BTreeMap, BTreeSet};

use bitexact::exchange::{About, MANIFEST, contents, parse};
use bitexact::field::{Address, Class, Datum, Result as Laid, Value, Visitor, visit};
use bitexact::json::Document;
use bitexact::passes::Sha;
use bytes::Bytes;

use crate::edits::{Found, decoded, unpacked};
use crate::harness::Case;
use crate::harness::form::{Exchange, Unpacked, media};

/// A value in the unpacked folder: its file, and its keys.
pub(crate) type Site = (String, Vec<String>);

/// A member that the folder omits: its object, name, and value.
pub(crate) struct Absent {
    pub(crate) object: Site,
    pub(crate) name: String,
    pub(crate) value: Value,
    /// `true` if a PNG, WAV or text contains the value.
    pub(crate) in_file: bool,
}

/// A file and its unpacked folder.
pub struct Sample {
    pub(crate) case: Case,
    pub(crate) unpacked: Unpacked,
    /// The contents of the folder.
    pub(crate) contents: BTreeMap<String, Bytes>,
    /// The parsed files of the folder.
    pub(crate) files: BTreeMap<String, Document>,
    /// Every value of the folder.
    pub(crate) sites: Vec<Site>,
    pub(crate) absent: Vec<Absent>,
}

impl Sample {
    /// Unpacks a file.
    ///
    /// # Errors
    /// Returns an error if it does not unpack.
    pub(crate) fn new(case: Case) -> Found<Self> {
        let unpacked = unpacked(&case, &case.bytes)?;
        let contents = contents_of(&case, &case.bytes)?;
        let files = documents(&contents)?;
        let mut sites = Vec::new();
        for (file, document) in &files {
            match document {
                Document::Json(json) => gather(json, file, &mut Vec::new(), &mut sites),
                Document::Raw(_) => sites.push((file.clone(), Vec::new())),
            }
        }
        let mut sample = Self { case, unpacked, contents, files, sites, absent: Vec::new() };
        sample.absent = sample.left_out()?;
        Ok(sample)
    }

    /// Returns the value at a site, or `None` if there is none.
    pub(crate) fn at(&self, (file, keys): &Site) -> Option<&Value> {
        let Some(Document::Json(json)) = self.files.get(file) else { return None };
        keys.iter().try_fold(json, |json, key| json.step(key))
    }

    /// Returns the members that the folder omits: computed ones, and those in separate files.
    fn left_out(&self) -> Found<Vec<Absent>> {
        let mut absent = Vec::new();
        let joined = joined(&self.files);
        let mut fields = Fields(Vec::new());
        visit(&decoded(&self.case, &self.case.bytes)?, &mut fields).map_err(|error| error.to_string())?;
        let found = fields.0.into_iter().filter_map(|(at, value)| {
            let at = Address::from(at.as_str());
            let file = if at.entry.is_empty() { MANIFEST } else { self.unpacked.files.get(&at.entry)? };
            let (name, way) = at.keys.split_last()?;
            let way: Vec<String> =
                (file == MANIFEST).then(|| "data".to_owned()).into_iter().chain(way.to_vec()).collect();
            Some((file.to_owned(), way, name.clone(), value, false))
        });
        let mut all: Vec<_> = found.collect();
        for (file, document) in &self.unpacked.exchange.files {
            if let (Document::Json(whole), Some(Document::Json(left))) = (document, joined.get(file)) {
                taken_out(whole, left, &mut Vec::new(), &mut |way, name, value| {
                    all.push((file.clone(), way.to_vec(), name.to_owned(), value.clone(), true));
                });
            }
        }
        let parts = parts(&self.files);
        for (file, way, name, value, in_file) in all {
            let object = apart(&parts, (file, way));
            let is_there = |json: &&Value| matches!(json, Value::Object(_)) && json.get(&name).is_none();
            if self.at(&object).filter(is_there).is_some() {
                absent.push(Absent { object, name, value, in_file });
            }
        }
        Ok(absent)
    }
}

/// Parses every file of a folder; parts are not joined.
pub(crate) fn documents(contents: &BTreeMap<String, Bytes>) -> Found<BTreeMap<String, Document>> {
    let parse = |(file, bytes): (&String, &Bytes)| {
        let document = match file.ends_with(".json") {
            true => Document::Json(parse(bytes).map_err(|error| format!("{file}: {error}"))?),
            false => Document::Raw(bytes.clone()),
        };
        Ok((file.clone(), document))
    };
    contents.iter().map(parse).collect()
}

/// Returns the file of a part, if the object contains only that.
fn part_of(json: &Value) -> Option<&str> {
    match json {
        Value::Object(members) if members.len() == 1 => json.get("file")?.text(),
        _ => None,
    }
}

/// Returns the place of each part, the last one if there are several.
pub(crate) fn parts(files: &BTreeMap<String, Document>) -> BTreeMap<String, Site> {
    references(files).into_iter().collect()
}

/// Returns all parts with their places: a doubled item names its part twice.
fn references(files: &BTreeMap<String, Document>) -> Vec<(String, Site)> {
    let mut parts = Vec::new();
    for (file, document) in files {
        let Document::Json(json) = document else { continue };
        let way: Vec<String> = if file == MANIFEST { vec!["data".to_owned()] } else { Vec::new() };
        let data = way.iter().try_fold(json, |json, key| json.step(key));
        let Some(Value::Object(members)) = data else { continue };
        let mut note = |value: &Value, keys: &[&str]| {
            if let Some(part) = part_of(value)
                && matches!(files.get(part), Some(Document::Json(_)))
            {
                let way = way.iter().map(String::as_str).chain(keys.iter().copied()).map(str::to_owned).collect();
                parts.push((part.to_owned(), (file.clone(), way)));
            }
        };
        for (name, value) in members {
            note(value, &[name]);
            for (index, item) in value.items().unwrap_or_default().iter().enumerate() {
                note(item, &[name, &index.to_string()]);
            }
        }
    }
    parts
}

/// Returns the site after all parts are joined.
pub(crate) fn whole(parts: &BTreeMap<String, Site>, (file, keys): &Site) -> Site {
    match parts.get(file) {
        Some((outer, way)) => whole(parts, &(outer.clone(), [&way[..], keys].concat())),
        None => (file.clone(), keys.clone()),
    }
}

/// Returns the site in its part: the reverse of [`whole`].
fn apart(parts: &BTreeMap<String, Site>, site: Site) -> Site {
    let (file, keys) = &site;
    let inner = parts.iter().find(|(_, (outer, way))| outer == file && keys.starts_with(way));
    match inner {
        Some((part, (_, way))) => apart(parts, (part.clone(), keys[way.len()..].to_vec())),
        None => site,
    }
}

/// Returns the files of a folder with all parts joined.
pub(crate) fn joined(files: &BTreeMap<String, Document>) -> BTreeMap<String, Document> {
    let (mut joined, mut all) = (files.clone(), references(files));
    // The innermost parts first.
    all.sort_by_key(|(part, _)| std::cmp::Reverse(part.matches('/').count()));
    for (part, (file, way)) in &all {
        let Some(Document::Json(json)) = joined.get(part).cloned() else { continue };
        if let Some(Document::Json(outer)) = joined.get_mut(file)
            && let Some(place) = way.iter().try_fold(outer, |json, key| json.step_mut(key))
        {
            *place = json;
        }
    }
    all.iter().for_each(|(part, _)| drop(joined.remove(part)));
    joined
}

/// Appends the sites of a value and of all values in it.
fn gather(json: &Value, file: &str, keys: &mut Vec<String>, sites: &mut Vec<Site>) {
    sites.push((file.to_owned(), keys.clone()));
    let mut inner = |key: String, value: &Value| {
        keys.push(key);
        gather(value, file, keys, sites);
        keys.pop();
    };
    match json {
        Value::Object(members) => members.iter().for_each(|(name, value)| inner(name.to_string(), value)),
        Value::List(items) => items.iter().enumerate().for_each(|(index, item)| inner(index.to_string(), item)),
        _ => {}
    }
}

/// Returns `true` if a member names the file of an image, a sound or a text.
pub(crate) fn names_a_medium(name: &str) -> bool {
    media().any(|medium| medium.files.iter().any(|(member, _)| *member == name))
}

/// Reports the members moved to separate files.
fn taken_out(whole: &Value, left: &Value, way: &mut Vec<String>, report: &mut impl FnMut(&[String], &str, &Value)) {
    let mut inner = |key: String, whole: &Value, left: &Value| {
        way.push(key);
        taken_out(whole, left, way, report);
        way.pop();
    };
    match (whole, left) {
        (Value::Object(members), Value::Object(now)) => {
            for (name, value) in members {
                if let Some(left) = left.get(name) {
                    inner(name.to_string(), value, left);
                }
            }
            if now.iter().any(|(name, _)| names_a_medium(name)) {
                let gone = members.iter().filter(|(name, _)| left.get(name).is_none());
                gone.for_each(|(name, value)| report(way, name, value));
            }
        }
        (Value::List(items), Value::List(now)) => {
            items.iter().zip(now).enumerate().for_each(|(index, (item, left))| inner(index.to_string(), item, left));
        }
        _ => {}
    }
}

/// The computed or constant fields.
struct Fields(Vec<(String, Value)>);

/// The maximum number of fields per file.
const FIELDS: usize = 4096;

impl Visitor for Fields {
    fn data(&mut self, datum: &Datum<'_>) -> Laid {
        datum.owners(&mut |owner| {
            if let (Class::Derived | Class::Reserved, Some(leaf)) = (owner.class, owner.leaf)
                && self.0.len() < FIELDS
            {
                self.0.push((owner.place.to_string(), leaf.show(owner.bytes)));
            }
        });
        Ok(())
    }
}

/// Returns all folders of a file list.
pub(crate) fn folders(contents: &BTreeMap<String, Bytes>) -> BTreeSet<String> {
    let parents = |path: &String| -> Vec<String> {
        path.match_indices('/').filter_map(|(end, _)| path.get(..end)).map(str::to_owned).collect()
    };
    contents.keys().flat_map(parents).collect()
}

/// Returns the contents of the folder that a file unpacks to.
pub(crate) fn contents_of(case: &Case, bytes: &[u8]) -> Found<BTreeMap<String, Bytes>> {
    let about = About { kind: case.kind, games: &[], sha256: Sha::of(bytes), deviations: &[] };
    Ok(contents(&decoded(case, bytes)?, about).map_err(|error| error.to_string())?.files)
}

/// Returns the exchange format of these files, for comparison.
pub(crate) fn exchange(files: &BTreeMap<String, Document>) -> Exchange {
    let mut files = joined(files);
    for document in files.values_mut() {
        if let Document::Json(json) = document {
            without_nulls(json);
        }
    }
    Exchange { files }
}

/// Removes members that are null, which is equivalent to absent.
pub(crate) fn without_nulls(json: &mut Value) {
    match json {
        Value::Object(members) => {
            members.retain(|(_, value)| *value != Value::Null);
            members.iter_mut().for_each(|(_, value)| without_nulls(value));
        }
        Value::List(items) => items.iter_mut().for_each(without_nulls),
        _ => {}
    }
}
