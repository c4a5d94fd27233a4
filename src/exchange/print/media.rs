//! Images, sounds and text as separate files, for documents that are not printed yet.

use std::collections::{BTreeMap, HashMap};

use crate::document::{Body, Content, Doc, DocValue, Entered, Id, MANIFEST, Names};
use field::work::share;
use field::{Thresholds, Value};

use kind::Kind;
use media::{Around, Files, Location, Medium};

use super::super::media::{follow, medium_of, path};

/// A document that has media: the object that describes it, in its container, and its own file.
struct Site {
    container: String,
    row: Id,
    file: String,
    medium: &'static Medium,
}

/// The exported parts of a document.
type Exported = Vec<(Location, Value, Files)>;

/// Exports the media of all documents that have them to separate files. Returns the new names of files of documents.
pub(super) fn take_out(files: &mut BTreeMap<String, Entered>, kind: &Kind, threads: usize) -> HashMap<String, String> {
    let mut names = Names::default();
    files.keys().for_each(|file| names.take(file));
    let sites = sites(files, kind);
    // Few containers have many documents, and only these are decoded.
    let mut jsons: HashMap<&str, Value> = HashMap::new();
    for site in &sites {
        if let Some(Content::Doc(doc)) = files.get(&site.container).map(|entered| &entered.content)
            && doc.json().is_none()
        {
            jsons.entry(&site.container).or_insert_with(|| DocValue::Node(Id::ROOT).json(doc));
        }
    }
    let mut renamed = HashMap::new();
    // The results of one batch replace its documents before the next batch is exported.
    for sites in sites.chunks(threads.saturating_mul(Thresholds::here().media_of_batch).max(1)) {
        let exported = share(sites, threads, |site| export(site, files, &jsons));
        for (site, exported) in sites.iter().zip(exported) {
            let exported = match put_whole(site, exported, files, &mut names) {
                Ok(path) => {
                    renamed.insert(site.file.clone(), path);
                    continue;
                }
                Err(exported) => exported,
            };
            put(site, exported, files, &mut names);
        }
    }
    renamed
}

/// Replaces a document by the only file that it consists of, and returns the path of that file. Fails if there is more in the document.
fn put_whole(
    site: &Site,
    exported: (Option<Value>, Exported),
    files: &mut BTreeMap<String, Entered>,
    names: &mut Names,
) -> Result<String, (Option<Value>, Exported)> {
    let (true, [(Location { way, .. }, Value::Object(left), contents)], [(_, end)]) =
        (site.medium.is_whole, exported.1.as_slice(), site.medium.files)
    else {
        return Err(exported);
    };
    let ([Some(content)], true, true) = (contents.as_slice(), way.is_empty(), left.is_empty()) else {
        return Err(exported);
    };
    let Some(Content::Doc(outer)) = files.get_mut(&site.container).map(|entered| &mut entered.content) else {
        return Err(exported);
    };
    // A container that is itself a value lists no files by nodes.
    let Some(member) = outer.group(site.row, "file") else { return Err(exported) };
    let path = names.instead(&site.file, end);
    let body = outer.keep_value(path.as_str().into());
    outer.set(member, body);
    let content = Entered { content: Content::Raw(content.clone()), codec: None, rows: Vec::new() };
    files.remove(&site.file);
    files.insert(path.clone(), content);
    Ok(path)
}

/// Replaces a document by its exported parts.
fn put(
    site: &Site,
    (document, exported): (Option<Value>, Exported),
    files: &mut BTreeMap<String, Entered>,
    names: &mut Names,
) {
    if let Some(mut document) = document {
        for (part, mut left, contents) in exported {
            for ((member, end), bytes) in site.medium.files.iter().zip(contents) {
                if let Some(bytes) = bytes {
                    let path = path(&site.file, &part, end, names);
                    left.put(*member, path.as_str().into());
                    files.insert(path, Entered { content: Content::Raw(bytes), codec: None, rows: Vec::new() });
                }
            }
            if let Some(json) = part.way.iter().try_fold(&mut document, |json, key| json.step_mut(key)) {
                *json = left;
            }
        }
        if let Some(entered) = files.get_mut(&site.file) {
            entered.content = Content::Doc(Doc::of(document));
        }
    }
}

/// Exports the parts of a document, and returns the rest of the document, or `None` if it has no such parts.
fn export(site: &Site, files: &BTreeMap<String, Entered>, jsons: &HashMap<&str, Value>) -> (Option<Value>, Exported) {
    let doc = |file: &str| match files.get(file).map(|entered| &entered.content) {
        Some(Content::Doc(doc)) => Some(doc),
        _ => None,
    };
    let (Some(own), Some(outer)) = (doc(&site.file), doc(&site.container)) else { return (None, Vec::new()) };
    let Some(container) = outer.json().or_else(|| jsons.get(site.container.as_str())) else {
        return (None, Vec::new());
    };
    let made = |doc: &Doc, id| if doc.json().is_some() { Value::Null } else { DocValue::Node(id).json(doc) };
    let (other, row) = (made(own, Id::ROOT), made(outer, site.row));
    let document = own.json().unwrap_or(&other);
    let row = outer.json().unwrap_or(&row);
    let around = Around { part: document, way: &[], document, row, container };
    let mut exported: Exported = Vec::new();
    for part in (site.medium.parts)(document) {
        if let Some(json) = follow(document, &part.way)
            && let Some((left, contents)) = (site.medium.export)(&Around { part: json, way: &part.way, ..around })
        {
            exported.push((part, left, contents));
        }
    }
    if exported.is_empty() {
        return (None, exported);
    }
    // The contents of the files need not be in memory twice until all of them are made.
    let is_whole = exported.iter().any(|(part, ..)| part.way.is_empty());
    let mut document = if is_whole { Value::Null } else { document.clone() };
    for (part, ..) in &exported {
        if let Some(json) = part.way.iter().try_fold(&mut document, |json, key| json.step_mut(key)) {
            *json = Value::Null;
        }
    }
    (Some(document), exported)
}

/// Returns the documents that have media, in the order of their containers' files and of the objects that describe them.
fn sites(files: &BTreeMap<String, Entered>, kind: &Kind) -> Vec<Site> {
    let mut sites = Vec::new();
    for (container, entered) in files {
        if container == MANIFEST
            && let Some(medium) = medium_of(kind.media, kind.name)
        {
            sites.push(Site { container: MANIFEST.to_owned(), row: Id::ROOT, file: MANIFEST.to_owned(), medium });
        }
        let media = entered.rows.iter().filter_map(|(row, of, file)| Some((*row, (file, medium_of(kind.media, of)?))));
        let media: HashMap<Id, (&String, &'static Medium)> = media.collect();
        if let (Content::Doc(doc), false) = (&entered.content, media.is_empty()) {
            rows(doc, Id::ROOT, &mut |row| {
                let Some((file, medium)) = media.get(&row) else { return false };
                sites.push(Site { container: container.clone(), row, file: (*file).clone(), medium });
                true
            });
        }
    }
    sites
}

/// Walks the groups of a document in order, but not into those for which `tell` returns `true`.
fn rows(doc: &Doc, group: Id, tell: &mut impl FnMut(Id) -> bool) {
    if tell(group) {
        return;
    }
    for id in doc.inside(group) {
        if let Body::Group(_) = doc.node(id).body {
            rows(doc, id, tell);
        }
    }
}
