//! The places of a file: which bytes are where, found by one walk of its model.

mod build;

use std::collections::HashMap;

use ::field::{Item, Layout, Leaf, Shape, Takes};
use bitexact::field::{Address, CodePage, Codec, Error, Value, visit};
use bitexact::kind::Model;

use build::Builder;

/// The number of a node.
pub(crate) type Id = u32;

/// All nodes of a file, and the bytes that they hold.
#[derive(Default)]
pub(crate) struct Index {
    nodes: Vec<Node>,
    slots: Vec<Slot>,
    /// The entries in file order, by their places. The first is the file itself.
    entries: Vec<Entry>,
    by_entry: HashMap<String, usize>,
}

/// An entry, or the file itself.
pub(crate) struct Entry {
    /// Its place; empty for the file itself.
    pub(crate) place: String,
    pub(crate) kind: &'static str,
    node: Id,
    /// The entries in it.
    pub(crate) inner: Vec<usize>,
}

/// An object, a list, or a value.
#[derive(Default)]
struct Node {
    is_list: bool,
    held: Held,
    parts: Vec<Part>,
}

#[derive(Default)]
enum Held {
    #[default]
    Nothing,
    Slot(u32),
    /// A value that no byte stores.
    Fact(Box<Value>),
}

/// A part of an object or a list.
enum Part {
    Named(&'static str, Id),
    Item(Id),
    /// The fields of a record are members of the object.
    Fields(u32, &'static Layout),
}

/// Bytes of one type.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) offset: usize,
    pub(crate) length: usize,
    pub(crate) holds: Holds,
}

/// The type of the bytes of a slot.
#[derive(Clone, Copy)]
pub(crate) enum Holds {
    Fields(&'static Layout),
    Value(&'static Item),
    Count(&'static Leaf),
    Block(&'static Item),
    Text(&'static CodePage),
    Coded(&'static Codec),
    Raw,
}

/// What is at a place.
#[derive(Clone)]
pub(crate) enum Spot {
    /// An object or a list with parts.
    Group(Id),
    /// All bytes of a slot, except for a record.
    Slot(u32),
    /// Bytes of fixed shape: the slot, their position in it, and their shape.
    Bytes(u32, usize, &'static Shape),
    /// A value that no byte stores, or a part of a value with its own encoding.
    Inside(Id, Vec<String>),
}

impl Index {
    /// Walks a model of this kind.
    pub(crate) fn of(kind: &'static str, model: &Model) -> core::result::Result<Self, Error> {
        let mut index = Self { nodes: vec![Node::default()], ..Self::default() };
        index.entries.push(Entry { place: String::new(), kind, node: 0, inner: Vec::new() });
        index.by_entry.insert(String::new(), 0);
        let mut builder = Builder::of(index);
        visit(model, &mut builder)?;
        Ok(builder.finish())
    }

    pub(crate) fn slot(&self, slot: u32) -> Slot {
        self.slots[slot as usize]
    }

    pub(crate) fn slots(&self) -> impl Iterator<Item = (u32, Slot)> + '_ {
        (0..).zip(self.slots.iter().copied())
    }

    /// Returns an entry by its place.
    pub(crate) fn entry(&self, place: &str) -> Option<&Entry> {
        self.by_entry.get(place).map(|entry| &self.entries[*entry])
    }

    pub(crate) fn nth_entry(&self, entry: usize) -> &Entry {
        &self.entries[entry]
    }

    fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn is_list(&self, id: Id) -> bool {
        self.node(id).is_list
    }

    /// Returns the number of items of a list.
    pub(crate) fn items(&self, id: Id) -> usize {
        self.node(id).parts.len()
    }

    /// Returns the names of the members of an object, in file order.
    pub(crate) fn names(&self, id: Id) -> Vec<&'static str> {
        let mut names = Vec::new();
        for part in &self.node(id).parts {
            match part {
                Part::Named(name, _) => names.push(*name),
                Part::Fields(_, layout) => names.extend(layout.fields.iter().map(|field| field.name)),
                Part::Item(_) => {}
            }
        }
        names
    }

    /// Returns the fact that a node holds.
    pub(crate) fn fact(&self, id: Id) -> Option<&Value> {
        if let Held::Fact(fact) = &self.node(id).held { Some(fact) } else { None }
    }

    /// Returns the slot that a node holds.
    pub(crate) fn held(&self, id: Id) -> Option<u32> {
        if let Held::Slot(slot) = self.node(id).held { Some(slot) } else { None }
    }

    /// Finds a place; `bytes` returns the bytes of a slot from a position onward, which can decide the names of a value.
    pub(crate) fn find(&self, place: &Address, bytes: &dyn Fn(u32, usize, usize) -> Vec<u8>) -> Option<Spot> {
        let mut id = self.entry(&place.entry)?.node;
        let mut keys = place.keys.as_slice();
        while let [key, rest @ ..] = keys {
            let node = self.node(id);
            if let Some(inner) = node.part(key) {
                (id, keys) = (inner, rest);
                continue;
            }
            if let Some((slot, layout)) = node.record(key) {
                let shape = Shape::Record(layout);
                return within(&shape, 0, keys, &|at, size| bytes(slot, at, size))
                    .map(|(shape, at)| Spot::Bytes(slot, at, shape));
            }
            return match node.held {
                Held::Slot(slot) => match self.slot(slot).holds {
                    Holds::Block(item) => {
                        let row: usize =
                            key.parse().ok().filter(|row| row * item.size.max(1) < self.slot(slot).length)?;
                        let at = row * item.size;
                        if rest.is_empty() {
                            return Some(Spot::Bytes(slot, at, &item.shape));
                        }
                        within(&item.shape, at, rest, &|at, size| bytes(slot, at, size))
                            .map(|(shape, at)| Spot::Bytes(slot, at, shape))
                    }
                    Holds::Value(item) => within(&item.shape, 0, keys, &|at, size| bytes(slot, at, size))
                        .map(|(shape, at)| Spot::Bytes(slot, at, shape)),
                    Holds::Coded(_) => Some(Spot::Inside(id, keys.to_vec())),
                    _ => None,
                },
                Held::Fact(_) => Some(Spot::Inside(id, keys.to_vec())),
                Held::Nothing => None,
            };
        }
        Some(self.spot_of(id))
    }

    /// Returns what a node is.
    fn spot_of(&self, id: Id) -> Spot {
        let node = self.node(id);
        match node.held {
            Held::Slot(slot) if node.parts.is_empty() => match self.slot(slot).holds {
                Holds::Value(item) => Spot::Bytes(slot, 0, &item.shape),
                _ => Spot::Slot(slot),
            },
            Held::Fact(_) if node.parts.is_empty() => Spot::Inside(id, Vec::new()),
            _ => Spot::Group(id),
        }
    }

    /// Calls `tell` for every part of an object or list: with its name, or an empty one, and what it is.
    pub(crate) fn each(&self, id: Id, tell: &mut dyn FnMut(&str, Spot)) {
        for part in &self.node(id).parts {
            match part {
                Part::Named(name, inner) => tell(name, self.spot_of(*inner)),
                Part::Item(inner) => tell("", self.spot_of(*inner)),
                Part::Fields(slot, layout) => {
                    for field in layout.fields {
                        tell(field.name, Spot::Bytes(*slot, field.offset, &field.shape));
                    }
                }
            }
        }
    }

    /// Returns the places of all slots that `wanted` contains.
    pub(crate) fn places(&self, wanted: impl Fn(u32) -> bool) -> HashMap<u32, Address> {
        let mut found = HashMap::new();
        for entry in &self.entries {
            self.places_in(entry.node, &Address::of_entry(entry.place.clone()), &wanted, &mut found);
        }
        found
    }

    fn places_in(&self, id: Id, at: &Address, wanted: &impl Fn(u32) -> bool, found: &mut HashMap<u32, Address>) {
        let node = self.node(id);
        if let Held::Slot(slot) = node.held
            && wanted(slot)
        {
            found.insert(slot, at.clone());
        }
        for (index, part) in node.parts.iter().enumerate() {
            match part {
                Part::Named(name, inner) => self.places_in(*inner, &at.with(*name), wanted, found),
                Part::Item(inner) => self.places_in(*inner, &at.with(index.to_string()), wanted, found),
                Part::Fields(slot, _) if wanted(*slot) => drop(found.insert(*slot, at.clone())),
                Part::Fields(..) => {}
            }
        }
    }
}

/// Follows keys into a value of fixed shape. Returns the shape there and its position.
fn within(
    shape: &Shape,
    at: usize,
    keys: &[String],
    bytes: &dyn Fn(usize, usize) -> Vec<u8>,
) -> Option<(&'static Shape, usize)> {
    let (key, rest) = keys.split_first()?;
    let (inner, at) = match *shape {
        Shape::Record(layout) => {
            let field = layout.fields.iter().find(|field| field.name == key)?;
            let shape = if field.named.is_some() { field.shape_in(&bytes(at, layout.size)) } else { &field.shape };
            (shape, at + field.offset)
        }
        Shape::Array(of, count) => {
            let index: usize = key.parse().ok().filter(|index| *index < count)?;
            (of, at + index * of.size())
        }
        Shape::Leaf(_) => return None,
    };
    if rest.is_empty() { Some((inner, at)) } else { within(inner, at, rest, bytes) }
}

impl Node {
    /// Returns the part with this name or at this index.
    fn part(&self, key: &str) -> Option<Id> {
        if self.is_list {
            return match self.parts.get(key.parse::<usize>().ok()?) {
                Some(Part::Item(id)) => Some(*id),
                _ => None,
            };
        }
        self.parts.iter().find_map(|part| match part {
            Part::Named(name, id) if *name == key => Some(*id),
            _ => None,
        })
    }

    /// Returns the record that has this field.
    fn record(&self, key: &str) -> Option<(u32, &'static Layout)> {
        self.parts.iter().find_map(|part| match part {
            Part::Fields(slot, layout) if layout.fields.iter().any(|field| field.name == key) => Some((*slot, *layout)),
            _ => None,
        })
    }
}

impl Index {
    /// Returns the slot at a place that has the same type and length as another, perhaps in another index.
    pub(crate) fn slot_at(&self, place: &Address, like: Slot) -> Option<u32> {
        let mut id = self.entry(&place.entry)?.node;
        for key in &place.keys {
            id = self.node(id).part(key)?;
        }
        let node = self.node(id);
        let held = if let Held::Slot(slot) = node.held { Some(slot) } else { None };
        let records =
            node.parts.iter().filter_map(|part| if let Part::Fields(slot, _) = part { Some(*slot) } else { None });
        held.into_iter().chain(records).find(|slot| self.slot(*slot).is_like(like))
    }
}

impl Spot {
    /// Returns `true` for a text field, which can have a tail.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Self::Bytes(_, _, Shape::Leaf(leaf)) if leaf.tail.is_some())
    }

    /// Returns `true` for a float.
    pub(crate) fn is_float(&self) -> bool {
        matches!(self, Self::Bytes(_, _, Shape::Leaf(leaf)) if matches!(leaf.takes, Takes::Float))
    }
}

impl Slot {
    fn is_like(self, other: Self) -> bool {
        let is_same = match (self.holds, other.holds) {
            (Holds::Fields(one), Holds::Fields(other)) => std::ptr::eq(one, other),
            (Holds::Value(one), Holds::Value(other)) | (Holds::Block(one), Holds::Block(other)) => {
                std::ptr::eq(one, other)
            }
            (Holds::Raw, Holds::Raw) => true,
            _ => false,
        };
        is_same && self.length == other.length
    }
}
