//! An edit of the model has the same result as the same edit of the exchange format, or is left to that.

use std::collections::{BTreeMap, HashSet};

use bitexact::edit::{Batch, Batched, Edit, InModel, WholeForm};
use bitexact::field::{Address, Json, Place, Visitor, visit};
use bitexact::registry::KINDS;

use super::edits::{Draw, Found, change, decoded, unpacked};
use crate::harness::Case;

/// The results of edits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// The number of edits.
    pub(crate) made: usize,
    /// The number of edits that produced another file.
    pub(crate) taken: usize,
    /// The number of edits made without unpacking.
    pub(crate) alone: usize,
    /// How often edits were left to the exchange format, and how many of them it took, by reason.
    pub(crate) left: BTreeMap<WholeForm, [usize; 2]>,
}

impl Tally {
    pub(crate) fn add(&mut self, more: &Self) {
        (self.made, self.taken, self.alone) = (self.made + more.made, self.taken + more.taken, self.alone + more.alone);
        for (why, [all, taken]) in &more.left {
            let left = self.left.entry(*why).or_default();
            *left = [left[0] + all, left[1] + taken];
        }
    }
}

/// Draws edits, and makes them one at a time: values that are set, items that are deleted, copies of items that are inserted, and entries
/// that are renamed.
pub(crate) fn values(case: &Case, times: usize, draw: Draw<'_>) -> Found<Tally> {
    let name = case.name.rsplit('/').next().unwrap_or_default();
    let mut unpacked = unpacked(case, &case.bytes)?;
    let model = decoded(case, &case.bytes)?;
    let entries: Vec<String> = unpacked.files.keys().cloned().collect();
    let labels = labels(case)?;
    let mut tally = Tally::default();
    for _ in 0..times {
        let Some((batch, words)) = drawn(&mut unpacked.edit, &entries, draw) else { continue };
        let alone = batch.in_model(KINDS, (case.kind, &model, name)).map_err(|why| why.to_string());
        let formed = batch.pack(KINDS, unpacked.edit.clone(), (case.kind, name)).map_err(|why| why.to_string());
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

fn told(batched: &Batched) -> String {
    let told = batched.recomputed.iter().map(|it| format!("{} {} {}", it.place, it.was, it.now));
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
fn place(whole: &Json, entry: String, draw: Draw<'_>) -> Option<Address> {
    let (mut json, mut at) = (whole, Address::of_entry(entry));
    loop {
        let keys: Vec<String> = match json {
            Json::List(items) => (0..items.len()).map(|index| index.to_string()).collect(),
            Json::Object(members) => {
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

        fn fact(&mut self, place: &Place, _: Json) {
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
