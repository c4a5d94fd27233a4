//! An edit of parts of a model has the same result as the same edit of whole documents, or is left to that. An edit of the documents that
//! it touches has the same result as one of all documents.

use std::collections::{BTreeMap, HashSet};

use bitexact::edit::{Batch, Batched, ByDocument, Edit, Edited, InModel, changes_between};
use bitexact::field::{Address, Place, Value, Visitor, visit};
use bitexact::json::{Compact, Document};
use bitexact::passes::{Spans, spans};
use bitexact::registry::KINDS;
use bytes::Bytes;

use super::edits::{Draw, Found, change, decoded, unpacked};
use crate::harness::Case;

/// The results of edits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// The number of edits.
    pub(crate) made: usize,
    /// The number of edits that produced another file.
    pub(crate) taken: usize,
    /// The number of edits made in their parts alone.
    pub(crate) alone: usize,
    /// The number of edits of entries, and how many of them produced another file.
    pub(crate) entries: [usize; 2],
    /// How often edits were left to whole documents, and how many of them were made there, by reason.
    pub(crate) left: BTreeMap<ByDocument, [usize; 2]>,
}

impl Tally {
    pub(crate) fn add(&mut self, more: &Self) {
        (self.made, self.taken, self.alone) = (self.made + more.made, self.taken + more.taken, self.alone + more.alone);
        self.entries = [self.entries[0] + more.entries[0], self.entries[1] + more.entries[1]];
        for (why, [all, taken]) in &more.left {
            let left = self.left.entry(*why).or_default();
            *left = [left[0] + all, left[1] + taken];
        }
    }
}

/// Draws edits, and makes them one at a time: values that are set, items that are deleted, copies of items that are inserted, and entries
/// that are renamed, removed, moved, replaced and added.
pub(crate) fn values(case: &Case, times: usize, draw: Draw<'_>) -> Found<Tally> {
    let name = case.name.rsplit('/').next().unwrap_or_default();
    let unpacked = unpacked(case, &case.bytes)?;
    let model = decoded(case, &case.bytes)?;
    let entries: Vec<String> = unpacked.files.keys().cloned().collect();
    let labels = labels(case)?;
    let mut tally = Tally::default();
    let mut all = unpacked.edit.clone();
    for entry in &entries {
        _ = all.get(&Address::of_entry(entry));
    }
    let spans = spans(&model).map_err(|why| why.to_string())?;
    let same = |words: &str, some: &Result<Batched, String>, all: &Result<Batched, String>| match (some, all) {
        (Err(_), Err(_)) => Ok(()),
        (Ok(some), Ok(all)) if some.bytes == all.bytes => Ok(()),
        (Ok(_), Ok(_)) => Err(format!("{words}: from all documents it makes another file")),
        (Ok(_), Err(why)) => Err(format!("{words}: from all documents it is refused: {why}")),
        (Err(why), Ok(_)) => Err(format!("{words}: only from all documents it is not refused: {why}")),
    };
    for _ in 0..times {
        if !entries.is_empty() && draw(4) == 0 {
            let (change, words) = change_of_entry(case, &entries, &spans, draw);
            let made = |mut edit: Edit| {
                change.make(&mut edit).map_err(|why| why.to_string())?;
                Batch::default().pack(KINDS, edit, (case.kind, name)).map_err(|why| why.to_string())
            };
            let some = made(unpacked.edit.clone());
            same(&words, &some, &made(all.clone()))?;
            tally.made += 1;
            tally.entries = [tally.entries[0] + 1, tally.entries[1] + usize::from(some.is_ok())];
            continue;
        }
        let Some((batch, words)) = drawn(&mut all.clone(), &entries, draw) else { continue };
        let alone = batch.in_model(KINDS, (case.kind, &model, name)).map_err(|why| why.to_string());
        let formed = batch.pack(KINDS, unpacked.edit.clone(), (case.kind, name)).map_err(|why| why.to_string());
        let from_all = batch.pack(KINDS, all.clone(), (case.kind, name)).map_err(|why| why.to_string());
        same(&words, &formed, &from_all)?;
        let wrong = |why: String| Err(format!("{words}: {why}"));
        tally.made += 1;
        tally.taken += usize::from(formed.is_ok());
        match (alone, formed) {
            (Err(_), Err(_)) => {}
            (Ok(InModel::Needs(why)), formed) => {
                let left = tally.left.entry(why).or_default();
                *left = [left[0] + 1, left[1] + usize::from(formed.is_ok())];
            }
            (Ok(InModel::Made(alone)), Ok(formed)) => {
                tally.alone += 1;
                if alone.bytes != formed.bytes {
                    return wrong("alone it makes another file".to_owned());
                }
                let bytes = Bytes::from(case.bytes.clone());
                let said = alone.compared(case.kind, (&bytes, &model)).and_then(|it| it.changes());
                let found = changes_between(case.kind, bytes, alone.bytes.clone());
                if said != found {
                    return wrong(format!("it says that it made {said:?}, and a comparison finds {found:?}"));
                }
                // Entries are named by their files in the unpacked folder, so places are not compared. The exchange format also has labels,
                // which follow; a single value has none beside it.
                let is_label = |place: &str| labels.contains(place.rsplit(':').next().unwrap_or_default());
                let expected = formed.recomputed.iter().filter(|it| !is_label(&it.place)).count();
                if alone.recomputed.len() < expected {
                    return wrong(format!("alone it reports {}, not {}", told(&alone), told(&formed)));
                }
            }
            (Ok(InModel::Made(_)), Err(why)) => return wrong(format!("alone it is not refused: {why}")),
            (Err(why), Ok(_)) => return wrong(format!("alone it is refused: {why}")),
            (Ok(_), _) => return wrong("another outcome".to_owned()),
        }
    }
    Ok(tally)
}

/// An edit of an entry.
enum OfEntry {
    Rename(String, String),
    Remove(String),
    Move(String, usize),
    Replace(String, Bytes),
    Add(String, Bytes),
}

impl OfEntry {
    fn make(&self, edit: &mut Edit) -> Edited {
        match self {
            Self::Rename(entry, to) => edit.rename(entry, to),
            Self::Remove(entry) => edit.remove(entry),
            Self::Move(entry, to) => edit.shift(entry, *to),
            Self::Replace(entry, bytes) => edit.replace(entry, Document::Raw(bytes.clone())),
            Self::Add(entry, bytes) => edit.add(entry, Document::Raw(bytes.clone())),
        }
    }
}

/// Draws an edit of an entry. Returns it with its description.
fn change_of_entry(case: &Case, entries: &[String], spans: &Spans, draw: Draw<'_>) -> (OfEntry, String) {
    let entry = entries[draw(entries.len() as u64) as usize].clone();
    let other = &entries[draw(entries.len() as u64) as usize];
    let bytes = spans.get(other).and_then(|span| span.of(&case.bytes)).unwrap_or_default();
    let bytes = Bytes::copy_from_slice(bytes);
    match draw(5) {
        0 => {
            let label = entry.rsplit('!').next().unwrap_or_default();
            let new = ["x", "new name", "é", "a.b", &format!("x{label}")][draw(5) as usize].to_owned();
            (OfEntry::Rename(entry.clone(), new.clone()), format!("{entry} renamed to {new}"))
        }
        1 => (OfEntry::Remove(entry.clone()), format!("{entry} removed")),
        2 => {
            let to = draw(entries.len() as u64) as usize;
            (OfEntry::Move(entry.clone(), to), format!("{entry} moved to {to}"))
        }
        3 => (OfEntry::Replace(entry.clone(), bytes), format!("{entry} replaced by {other}")),
        _ => {
            let new = match entry.rsplit_once('!') {
                Some((outer, name)) => format!("{outer}!y{name}"),
                None => format!("y{entry}"),
            };
            (OfEntry::Add(new.clone(), bytes), format!("{new} added as {other}"))
        }
    }
}

fn told(batched: &Batched) -> String {
    let told = batched.recomputed.iter().map(|it| format!("{} {} {}", it.place, Compact(&it.was), Compact(&it.now)));
    told.collect::<Vec<_>>().join(", ")
}

/// Draws an edit. Returns it with its description.
fn drawn(edit: &mut Edit, entries: &[String], draw: Draw<'_>) -> Option<(Batch, String)> {
    let entry = match entries.is_empty() || draw(3) == 0 {
        true => String::new(),
        false => entries[draw(entries.len() as u64) as usize].clone(),
    };
    let mut batch = Batch::default();
    if !entry.is_empty() && draw(8) == 0 {
        let label = entry.rsplit('!').next().unwrap_or_default();
        let new = ["q", "new name", "é", "a.b"][draw(4) as usize];
        let new = if draw(2) == 0 { new.to_owned() } else { format!("x{label}") };
        batch.rename.push((entry.clone(), new.clone()));
        return Some((batch, format!("{entry} renamed to {new}")));
    }
    let at = place(edit.get(&Address::of_entry(&entry))?, entry, draw)?;
    batch.retype = true;
    let last = at.keys.iter().rposition(|key| key.parse::<u64>().is_ok());
    let item = last.map(|last| Address { entry: at.entry.clone(), keys: at.keys[..=last].to_vec() });
    let words = match (draw(4), item) {
        (0, Some(item)) => {
            batch.delete.push(item.clone());
            format!("{item} deleted")
        }
        (1, Some(item)) => {
            let copy = edit.get(&item)?.clone();
            batch.insert.push((item.clone(), copy));
            format!("{item} inserted")
        }
        (2, _) => {
            batch.delete.push(at.clone());
            format!("{at} deleted")
        }
        _ => {
            let mut value = edit.get(&at)?.clone();
            let words = change(&mut value, draw)?;
            batch.set.push((at.clone(), value));
            format!("{at} set: {words}")
        }
    };
    Some((batch, words))
}

/// Draws a place in a document. The files that a document names are of the unpacked folder, and no values.
fn place(whole: &Value, entry: String, draw: Draw<'_>) -> Option<Address> {
    let (mut json, mut at) = (whole, Address::of_entry(entry));
    loop {
        let keys: Vec<String> = match json {
            Value::List(items) => (0..items.len()).map(|index| index.to_string()).collect(),
            Value::Object(members) => {
                let is_row = members.iter().any(|(name, _)| name == "file");
                let names = members.iter().map(|(name, _)| name.to_string());
                names.filter(|name| !(is_row && (name == "file" || name == "kind"))).collect()
            }
            _ => Vec::new(),
        };
        if keys.is_empty() || !at.keys.is_empty() && draw(8) == 0 {
            return Some(at).filter(|at| !at.keys.is_empty());
        }
        let key = &keys[draw(keys.len() as u64) as usize];
        json = json.step(key)?;
        at.keys.push(key.clone());
    }
}

/// Returns the places of all labels and other facts. Entries are named by their files in the unpacked folder, so they are left out.
fn labels(case: &Case) -> Found<HashSet<String>> {
    #[derive(Default)]
    struct Labels(HashSet<String>);
    impl Visitor for Labels {
        fn data(&mut self, _: &bitexact::field::Datum<'_>) -> bitexact::field::Result {
            Ok(())
        }

        fn fact(&mut self, place: &Place, _: Value) {
            self.0.insert(Place::default().with(place.pointer().iter().copied()).to_string());
        }

        fn wants_facts(&self) -> bool {
            true
        }
    }
    let mut labels = Labels::default();
    visit(&decoded(case, &case.bytes)?, &mut labels).map_err(|why| why.to_string())?;
    Ok(labels.0)
}
