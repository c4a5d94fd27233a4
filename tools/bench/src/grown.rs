//! Files that differ only in size: one of their lists is repeated, via the exchange format.

use std::collections::BTreeMap;

use bitexact::exchange::{About, Form, documents};
use bitexact::field::{Value, encode};
use bitexact::json::Document;
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, Kind, named};
use forge::Sample;

/// The target size of the repeated items in the smallest file, if the format allows enough of them in the largest.
const GROWTH: usize = 16 << 10;

/// With fewer bytes of items, the file does not represent large ones.
const LEAST: usize = 2 << 10;

/// A file in three sizes: the items of one of its lists are repeated, then twice and four times as often.
#[derive(Debug)]
pub struct Grown {
    /// The name of the kind.
    pub kind: &'static str,
    /// The list, with indices as `*`.
    pub list: String,
    /// The files.
    pub files: [Vec<u8>; 3],
}

/// The place of a list: the file of the exchange format, and its keys.
type Site = (String, Vec<String>);

/// Returns the files generated from a sample, one for each of its lists that is not `known` yet.
#[must_use]
pub fn grown(sample: &Sample, known: &dyn Fn(&str) -> bool) -> Vec<Grown> {
    let Some(kind) = named(KINDS, sample.kind) else { return Vec::new() };
    let Some(files) = unpacked(kind, &sample.bytes) else { return Vec::new() };
    let mut longest: BTreeMap<String, (usize, Site)> = BTreeMap::new();
    for (file, document) in &files {
        if let Document::Json(json) = document {
            lists(json, &mut Vec::new(), &mut |keys, items| {
                let starred = keys.iter().map(|key| if key.parse::<usize>().is_ok() { "*" } else { key.as_str() });
                let file_part = if files.len() > 1 { "…" } else { "" };
                let list = format!("{file_part}/{}", starred.collect::<Vec<_>>().join("/"));
                let known = longest.get(&list).map_or(0, |(known, _)| *known);
                if items > known {
                    longest.insert(list, (items, (file.clone(), keys.to_vec())));
                }
            });
        }
    }
    longest.retain(|list, _| !known(list));
    let grow = |(list, (_, site)): (String, (usize, Site))| {
        let files = three(kind, &files, &site)?;
        Some(Grown { kind: kind.name, list, files })
    };
    longest.into_iter().filter_map(grow).collect()
}

/// The documents of an unpacked file.
type Documents = BTreeMap<String, Document>;

fn unpacked(kind: &'static Kind, bytes: &[u8]) -> Option<Documents> {
    let model = (kind.decode)(bytes.to_vec().into()).ok()?.model;
    let about = About { kind, games: &[], sha256: Sha::of(bytes), deviations: &[] };
    documents(&model, about).ok()
}

/// Calls `tell` for every list with items.
fn lists(json: &Value, keys: &mut Vec<String>, tell: &mut dyn FnMut(&[String], usize)) {
    let inner: Vec<(String, &Value)> = match json {
        Value::Object(members) => members.iter().map(|(name, value)| (name.to_string(), value)).collect(),
        Value::List(items) if items.is_empty() => return,
        Value::List(items) => {
            tell(keys, items.len());
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        _ => return,
    };
    for (key, value) in inner {
        keys.push(key);
        lists(value, keys, tell);
        keys.pop();
    }
}

/// Returns the file with the items of a list repeated.
fn with(files: &Documents, (file, keys): &Site, times: usize) -> Option<Vec<u8>> {
    let mut files = files.clone();
    let Some(Document::Json(json)) = files.get_mut(file) else { return None };
    let Value::List(items) = keys.iter().try_fold(json, |json, key| json.step_mut(key))? else { return None };
    let once = items.clone();
    items.reserve(once.len() * times.saturating_sub(1));
    (1..times).for_each(|_| items.extend(once.iter().cloned()));
    encode(&Form::of(files).pack(KINDS).ok()?.model).ok()
}

fn three(kind: &Kind, files: &Documents, site: &Site) -> Option<[Vec<u8>; 3]> {
    let once = with(files, site, 1)?.len();
    let growth = with(files, site, 2)?.len().checked_sub(once).filter(|growth| *growth > 0)?;
    let mut times = GROWTH.div_ceil(growth);
    // The field of the count may be too small.
    while times * growth >= LEAST {
        if let Some(largest) = with(files, site, 4 * times) {
            let files = [with(files, site, times)?, with(files, site, 2 * times)?, largest];
            return files.iter().all(|file| (kind.decode)(file.clone().into()).is_ok()).then_some(files);
        }
        times /= 4;
    }
    None
}
