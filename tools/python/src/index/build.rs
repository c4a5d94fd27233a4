//! Builds the index of a file in one walk.

use bitexact::field::{Datum, Group, Place, Result, Step, Value, Visitor, What};

use super::{Entry, Held, Holds, Id, Index, Node, Part, Slot};

/// An open group: the steps that lead to it in its entry, its node, and its entry.
struct Open {
    steps: Vec<Step>,
    node: Id,
    entry: usize,
}

/// Builds an index.
pub(super) struct Builder {
    index: Index,
    open: Vec<Open>,
}

impl Builder {
    /// Begins with an index that has only the node of the file itself.
    pub(super) fn of(index: Index) -> Self {
        Self { index, open: vec![Open { steps: Vec::new(), node: 0, entry: 0 }] }
    }

    pub(super) fn finish(self) -> Index {
        self.index
    }

    /// Returns the node at a place, and adds it if it is new.
    fn node_at(&mut self, place: &Place) -> Id {
        let steps = place.pointer();
        let open = self.open.iter().rev().find(|open| steps.starts_with(&open.steps));
        let (mut id, depth) = open.map_or((0, 0), |open| (open.node, open.steps.len()));
        for step in &steps[depth..] {
            id = self.step(id, *step);
        }
        id
    }

    fn step(&mut self, id: Id, step: Step) -> Id {
        let new = self.index.nodes.len() as Id;
        let parts = &mut self.index.nodes[id as usize].parts;
        let known = match step {
            Step::Name(name) => parts.iter().rev().find_map(|part| match part {
                Part::Named(known, id) if *known == name => Some(*id),
                _ => None,
            }),
            Step::Index(index) => match parts.get(index as usize) {
                Some(Part::Item(id)) => Some(*id),
                _ => None,
            },
            Step::Entry => Some(id),
        };
        if let Some(known) = known {
            return known;
        }
        match step {
            Step::Name(name) => parts.push(Part::Named(name, new)),
            _ => parts.push(Part::Item(new)),
        }
        if matches!(step, Step::Index(_)) {
            self.index.nodes[id as usize].is_list = true;
        }
        self.index.nodes.push(Node::default());
        new
    }
}

impl Visitor for Builder {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let id = self.node_at(datum.place);
        let slot = self.index.slots.len() as u32;
        let holds = match datum.what {
            What::Fields(layout, _) => Holds::Fields(layout),
            What::Value(item) => Holds::Value(item),
            What::Count(leaf) => Holds::Count(leaf),
            What::Block(item, _) => Holds::Block(item),
            What::Text(page) => Holds::Text(page),
            What::Coded(codec, _) => Holds::Coded(codec),
            _ => Holds::Raw,
        };
        let offset = usize::try_from(datum.offset).unwrap_or(usize::MAX);
        let node = &mut self.index.nodes[id as usize];
        match holds {
            Holds::Fields(layout) => node.parts.push(Part::Fields(slot, layout)),
            _ if matches!(node.held, Held::Nothing) => node.held = Held::Slot(slot),
            _ => return Ok(()),
        }
        self.index.slots.push(Slot { offset, length: datum.bytes.len(), holds });
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, _: u64) {
        match group {
            Group::Entry { kind, .. } => {
                let (entry, node) = (self.index.entries.len(), self.index.nodes.len() as Id);
                self.index.nodes.push(Node::default());
                let outer = self.open.last().map_or(0, |open| open.entry);
                self.index.entries[outer].inner.push(entry);
                self.index.by_entry.insert(place.container(), entry);
                self.index.entries.push(Entry { place: place.container(), kind, node, inner: Vec::new() });
                self.open.push(Open { steps: Vec::new(), node, entry });
            }
            group => {
                let node = self.node_at(place);
                if matches!(group, Group::List) {
                    self.index.nodes[node as usize].is_list = true;
                }
                let entry = self.open.last().map_or(0, |open| open.entry);
                self.open.push(Open { steps: place.pointer().to_vec(), node, entry });
            }
        }
    }

    fn leave(&mut self, _: Group, _: &Place, _: u64) {
        self.open.pop();
    }

    fn fact(&mut self, place: &Place, fact: Value) {
        let id = self.node_at(place);
        let node = &mut self.index.nodes[id as usize];
        if matches!(node.held, Held::Nothing) && node.parts.is_empty() {
            node.held = Held::Fact(Box::new(fact));
        }
    }

    fn wants_facts(&self) -> bool {
        true
    }
}
