//! Edits of pools: slots that are taken and freed, and the list of free ones.
//!
//! Counts and offsets of the arrays are computed when the file is written. Source: `zipper-nodes.md`, sections 1.2 to 1.4.

use std::collections::BTreeMap;

use crate::gamez::pool::Pool;
use field::{Address, Value};
use kind::{Imported, ImportedEdit};

/// The changed slots of a pool, in the exchange format.
pub(super) struct Slots {
    /// The place of the lists.
    pub(super) place: &'static str,
    /// The place of the first free slot.
    pub(super) head: &'static str,
    pub(super) before: Pool,
    pub(super) after: Pool,
    /// The taken slots.
    pub(super) filled: BTreeMap<usize, Value>,
    /// The freed slots, without their links.
    pub(super) freed: BTreeMap<usize, Value>,
    /// A slot that was never used, without its link.
    pub(super) blank: Value,
}

impl Slots {
    fn at(&self, list: &str, slot: usize) -> Address {
        Address::from(self.place).with(list).with(slot.to_string())
    }

    /// Adds the edits. A slot that was in use and stays so is never among them.
    pub(super) fn edit(&self, to: &mut Imported) {
        let Self { before, after, filled, freed, .. } = self;
        let stored = before.stored();
        for slot in 0..stored {
            let (link, was) = (after.next(slot), before.next(slot));
            if let Some(json) = filled.get(&slot) {
                // Nothing of the previous contents stays, not even the end of a longer name.
                to.edits.push(ImportedEdit::Delete(self.at("slots", slot)));
                to.edits.push(ImportedEdit::Insert(self.at("slots", slot), json.clone()));
            } else if let Some(json) = freed.get(&slot) {
                to.set(self.at("slots", slot), linked(json, link));
            } else if let Some(link) = link.filter(|_| link != was) {
                to.set(self.at("slots", slot).with("next_free"), link);
            }
        }
        // Slots that were never used are in a list of their own, after the others.
        let end = filled.keys().next_back().map_or(stored, |last| last + 1).max(stored);
        for slot in stored..end {
            let json = filled.get(&slot).cloned().unwrap_or_else(|| linked(&self.blank, after.next(slot)));
            to.set(Address::from(self.place).with("slots").with("-"), json);
        }
        for slot in stored..before.len() {
            let place = self.at("free", slot - stored);
            let link = after.next(slot);
            if slot < end {
                to.edits.push(ImportedEdit::Delete(place));
            } else if let Some(link) = link.filter(|_| link != before.next(slot)) {
                to.set(place.with("next_free"), link);
            }
        }
        if before.head() != after.head() {
            to.set(Address::from(self.head), after.head());
        }
    }
}

/// Returns a free slot with its link, if the game stores one.
fn linked(json: &Value, link: Option<i64>) -> Value {
    let mut json = json.clone();
    if let Some(link) = link {
        json.put("next_free", link.into());
    }
    json
}
