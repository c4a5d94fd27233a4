//! Counts: how many entries of each kind a file has, and how many items are in its lists and blocks.

use std::collections::BTreeMap;

use crate::field::{Class, Datum, Group, Place, Result, Step, Visitor, What, wide};

/// How much there is of what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Entries at all depths, by kind.
    pub entries: BTreeMap<&'static str, u64>,
    /// Items of lists and blocks, and values of data in an encoding of its own, by place with indices starred.
    ///
    /// Lists of a file or entry itself are counted, and lists in their items; trees would go on without end.
    pub records: BTreeMap<String, u64>,
    /// The items so far of the lists that are open.
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
            What::Coded(coding, _) => {
                let mut values = 0;
                (coding.owners)(datum.bytes, &mut |_, class, _| values += u64::from(class == Class::Semantic));
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
