//! Counts of the entries of a file by kind, and of the items in its lists and blocks.

use std::collections::BTreeMap;

use field::{Class, Datum, Group, Place, Result, Step, Visitor, What, wide};

/// The number of entries and items in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Entries at all depths, by kind.
    pub entries: BTreeMap<&'static str, u64>,
    /// Items of lists and blocks, and values of encoded data, by place with indices replaced by `*`.
    ///
    /// Only lists of a file or entry and the lists in their items are counted, since trees would go on without end.
    pub records: BTreeMap<String, u64>,
    /// The items counted so far in the open lists.
    open: Vec<u64>,
}

impl Counts {
    fn count(&mut self, place: &Place, items: u64) {
        let indices = place.pointer().iter().filter(|step| matches!(step, Step::Index(_)));
        if indices.count() <= 1 {
            *self.records.entry(place.starred()).or_default() += items;
        }
    }
}

impl Visitor for Counts {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        match datum.what {
            What::Block(item, _) => self.count(datum.place, wide(datum.bytes.len() / item.size.max(1))),
            What::Coded(codec, _) => {
                let mut values = 0;
                (codec.owners)(datum.bytes, &mut |_, class, _| values += u64::from(class == Class::Semantic));
                self.count(datum.place, values);
            }
            _ => {}
        }
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, _: u64) {
        match group {
            Group::Entry { kind, .. } => *self.entries.entry(kind).or_default() += 1,
            Group::List => self.open.push(0),
            Group::Object => {
                if let (Some(Step::Index(_)), Some(items)) = (place.steps().last(), self.open.last_mut()) {
                    *items += 1;
                }
            }
        }
    }

    fn leave(&mut self, group: Group, place: &Place, _: u64) {
        if group == Group::List
            && let Some(items) = self.open.pop()
        {
            self.count(place, items);
        }
    }
}
