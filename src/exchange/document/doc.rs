//! A document of the exchange format before it is printed: its groups, and the bytes in them.
//!
//! Reentering a group continues it, wherever in the document it is. The contents of a group are bytes and their layouts; values are
//! made of them only when they are printed.

use core::num::{NonZeroU32, NonZeroUsize};
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::BTreeMap;

use field::CodePage;
use smol_str::SmolStr;

use field::{Codec, Item, Layout, Shape, Value};

use super::shelf::Shelf;

/// The value index of an item that has not been put yet, although later items have.
const NOTHING: usize = usize::MAX;

/// The tree of one document: its groups, and the values in them by their places in the bytes.
#[derive(Clone, Debug)]
pub struct Doc {
    /// The nodes; the first is the root.
    nodes: Shelf<Node>,
    /// The bytes of all of them.
    bytes: Vec<u8>,
    /// Values that are not bytes of the file.
    values: Shelf<Value>,
    /// For records whose indices have names: these fields, and the nodes with the names, which are in no group.
    names: Shelf<Vec<(&'static str, Id)>>,
    /// The items of lists that are not walked in order.
    items: BTreeMap<Id, Vec<Id>>,
    /// The value that makes up the whole document, if it has one.
    whole: Option<Id>,
    lacks: Lacks,
}

/// `true` if the document was asked for something that it does not have: a node of another document, or an item that was never put.
/// What was printed instead is wrong.
#[derive(Debug, Default)]
struct Lacks(AtomicBool);

impl Lacks {
    fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Clone for Lacks {
    fn clone(&self) -> Self {
        Self(AtomicBool::new(self.0.load(Ordering::Relaxed)))
    }
}

/// The number of a node in its document, from 1, so that `None` takes no extra space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(NonZeroUsize);

impl Id {
    /// The root of every document.
    pub const ROOT: Self = Self(NonZeroUsize::MIN);

    fn index(self) -> usize {
        self.0.get() - 1
    }
}

/// A value, or several members of an object.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name, if it is a member.
    pub name: Option<SmolStr>,
    /// Its contents.
    pub body: Body,
    /// The next node in its group.
    next: Option<Id>,
}

/// The contents of a node.
#[derive(Clone, Debug)]
pub enum Body {
    /// Members with names, or items.
    Group(Group),
    /// The members of a record, and the ones with names instead of indices.
    Fields {
        /// The layout of the record.
        layout: &'static Layout,
        /// Where its bytes begin in those of the document.
        at: usize,
        /// `true` if values that are as expected are left out.
        judged: bool,
        /// The members that have names instead of indices.
        names: Option<NamesId>,
    },
    /// A value of fixed shape.
    Value {
        /// Its shape.
        shape: &'static Shape,
        /// Where its bytes begin in those of the document.
        at: usize,
        /// `true` if it is left over from an earlier use of the memory.
        is_leftover: bool,
    },
    /// Any number of values of one shape.
    Block {
        /// The shape of each value.
        item: &'static Item,
        /// Where its bytes begin in those of the document.
        at: usize,
        /// The number of its bytes.
        length: usize,
        /// `true` if values that are as expected are left out.
        judged: bool,
    },
    /// Text in a code page.
    Text {
        /// Its encoding.
        page: &'static CodePage,
        /// Where its bytes begin in those of the document.
        at: usize,
        /// The number of its bytes.
        length: usize,
    },
    /// A value in its own encoding.
    Coded {
        /// Its encoding.
        codec: &'static Codec,
        /// Where its bytes begin in those of the document.
        at: usize,
        /// The number of its bytes.
        length: usize,
    },
    /// Raw bytes.
    Bytes {
        /// Where its bytes begin in those of the document.
        at: usize,
        /// The number of its bytes.
        length: usize,
    },
    /// A value that is not bytes of the file.
    Json(usize),
}

/// The number of a list of fields with names, from 1, so that `None` takes no extra space.
#[derive(Clone, Copy, Debug)]
pub struct NamesId(NonZeroU32);

/// A list or object of nodes.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// `true` if they are items.
    pub(crate) is_list: bool,
    count: usize,
    ends: Option<(Id, Id)>,
}

impl Group {
    pub(crate) fn of(is_list: bool) -> Self {
        Self { is_list, count: 0, ends: None }
    }

    /// Returns `true` if the group has no nodes.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number of nodes in the group.
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}

impl Default for Doc {
    fn default() -> Self {
        let mut nodes = Shelf::default();
        nodes.push(Node { name: None, body: Body::Group(Group::of(false)), next: None });
        Self {
            nodes,
            bytes: Vec::new(),
            values: Shelf::default(),
            names: Shelf::default(),
            items: BTreeMap::new(),
            whole: None,
            lacks: Lacks::default(),
        }
    }
}

impl Doc {
    /// Creates the document of a single value.
    pub(crate) fn of(value: Value) -> Self {
        let mut doc = Self::default();
        let body = doc.keep_value(value);
        doc.set(Id::ROOT, body);
        doc
    }

    /// Returns the value that makes up the whole document, if it has been made.
    pub(crate) fn json(&self) -> Option<&Value> {
        if let Body::Json(index) = self.node(Id::ROOT).body { self.values.get(index) } else { None }
    }

    /// Returns a node.
    pub fn node(&self, id: Id) -> &Node {
        static NONE: Node = Node { name: None, body: Body::Json(NOTHING), next: None };
        self.nodes.get(id.index()).unwrap_or_else(|| {
            self.lacks.note();
            &NONE
        })
    }

    /// Returns `true` if the document was asked for something that it does not have, so that what was printed is wrong.
    #[cfg(feature = "exchange")]
    pub(crate) fn lacks_some(&self) -> bool {
        self.lacks.0.load(Ordering::Relaxed)
    }

    fn node_mut(&mut self, id: Id) -> Option<&mut Node> {
        self.nodes.get_mut(id.index())
    }

    /// Returns stored bytes of nodes.
    pub(crate) fn bytes(&self, at: usize, length: usize) -> &[u8] {
        at.checked_add(length).and_then(|end| self.bytes.get(at..end)).unwrap_or_else(|| {
            self.lacks.note();
            &[]
        })
    }

    /// Returns the number of items in a list, or 0 if it is not known in advance.
    pub(crate) fn items(&self, id: Id) -> usize {
        match &self.node(id).body {
            Body::Group(group) => group.count,
            Body::Block { item, length, .. } => length.checked_div(item.size).unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns a value that is not bytes of the file.
    pub(crate) fn value(&self, index: usize) -> &Value {
        self.values.get(index).unwrap_or_else(|| {
            self.lacks.note();
            &Value::Null
        })
    }

    /// Returns the number of its bytes and nodes, by which work is divided among threads.
    pub(crate) fn weight(&self) -> usize {
        self.bytes.len() + self.nodes.len()
    }

    /// Returns the nodes in a node, in order.
    pub fn inside(&self, id: Id) -> impl Iterator<Item = Id> {
        let first = match self.node(id).body {
            Body::Group(Group { ends: Some((first, _)), .. }) => Some(first),
            _ => None,
        };
        std::iter::successors(first, |id| self.node(*id).next)
    }

    /// Stores bytes, and returns their position.
    pub(crate) fn keep(&mut self, bytes: &[u8]) -> usize {
        let at = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        at
    }

    /// Stores a value that is not bytes of the file.
    pub(crate) fn keep_value(&mut self, value: Value) -> Body {
        self.values.push(value);
        Body::Json(self.values.len() - 1)
    }

    /// Stores the fields of a record that show names instead of indices.
    pub(crate) fn keep_names(&mut self, fields: Vec<(&'static str, Value)>) -> Option<NamesId> {
        if fields.is_empty() {
            return None;
        }
        let mut names = Vec::with_capacity(fields.len());
        for (field, value) in fields {
            let body = self.keep_value(value);
            names.push((field, self.add(None, body)));
        }
        self.names.push(names);
        // Without a number, the fields show their indices.
        u32::try_from(self.names.len()).ok().and_then(NonZeroU32::new).map(NamesId)
    }

    /// Returns the fields of a record that show names, and the nodes with these.
    pub(crate) fn names(&self, names: Option<NamesId>) -> &[(&'static str, Id)] {
        let index = names.and_then(|NamesId(number)| usize::try_from(number.get()).ok());
        index.and_then(|index| self.names.get(index - 1)).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, name: Option<SmolStr>, body: Body) -> Id {
        self.nodes.push(Node { name, body, next: None });
        Id(NonZeroUsize::new(self.nodes.len()).unwrap_or(NonZeroUsize::MIN))
    }

    /// Appends a node to a group.
    pub(crate) fn push(&mut self, group: Id, name: Option<SmolStr>, body: Body) -> Id {
        let id = self.add(name, body);
        let mut last = None;
        if let Some(Node { body: Body::Group(group), .. }) = self.node_mut(group) {
            last = group.ends.map(|(_, last)| last);
            group.ends = Some((group.ends.map_or(id, |(first, _)| first), id));
            group.count += 1;
        }
        if let Some(last) = last.and_then(|last| self.node_mut(last)) {
            last.next = Some(id);
        }
        if !self.items.is_empty()
            && let Some(items) = self.items.get_mut(&group)
        {
            items.push(id);
        }
        id
    }

    /// Inserts a node into an object, after one that is not the last, or at the beginning.
    pub(crate) fn insert(&mut self, group: Id, after: Option<Id>, name: Option<SmolStr>, body: Body) -> Id {
        let id = self.add(name, body);
        let mut next = after.and_then(|after| self.node(after).next);
        if let Some(Node { body: Body::Group(group), .. }) = self.node_mut(group) {
            if after.is_none() {
                next = group.ends.map(|(first, _)| first);
                group.ends = Some((id, group.ends.map_or(id, |(_, last)| last)));
            }
            group.count += 1;
        }
        if let Some(after) = after.and_then(|after| self.node_mut(after)) {
            after.next = Some(id);
        }
        if let Some(node) = self.node_mut(id) {
            node.next = next;
        }
        id
    }

    /// Returns the last node in a group.
    pub(crate) fn last(&self, group: Id) -> Option<Id> {
        if let Body::Group(Group { ends: Some((_, last)), .. }) = self.node(group).body { Some(last) } else { None }
    }

    /// Returns `true` if a node belongs to an item that has not been put yet.
    pub(crate) fn is_nothing(&self, id: Id) -> bool {
        matches!(self.node(id).body, Body::Json(NOTHING))
    }

    /// Sets the contents of a node.
    pub(crate) fn set(&mut self, id: Id, body: Body) {
        if let Some(node) = self.node_mut(id) {
            node.body = body;
        }
    }

    /// Copies the contents of a node to a new node that is in no group.
    pub(crate) fn copy(&mut self, id: Id) -> Id {
        let body = self.node(id).body.clone();
        self.add(None, body)
    }

    /// Makes a value the whole document.
    pub(crate) fn set_whole(&mut self, body: Body) {
        let id = self.add(Some(SmolStr::new_static("value")), body);
        self.whole = Some(id);
    }

    /// Puts a value that makes up the whole document in place; if the document has other members, it becomes a member.
    pub(crate) fn finish(&mut self) {
        let Some(whole) = self.whole.take() else { return };
        let body = self.node(whole).body.clone();
        match self.node(Id::ROOT).body {
            Body::Group(root) if !root.is_empty() => {
                self.insert(Id::ROOT, None, Some(SmolStr::new_static("value")), body);
            }
            _ => self.set(Id::ROOT, body),
        }
    }

    /// Returns the member of an object that is a list or object with this name.
    pub(crate) fn group(&self, object: Id, name: &str) -> Option<Id> {
        self.inside(object).find(|id| {
            let node = self.node(*id);
            !matches!(node.body, Body::Fields { .. }) && node.name.as_deref() == Some(name)
        })
    }

    /// Returns the names of the fields of the records in an object.
    pub(crate) fn fields(&self, object: Id) -> impl Iterator<Item = &'static str> {
        let layouts = self.inside(object).filter_map(|id| match self.node(id).body {
            Body::Fields { layout, .. } => Some(layout),
            _ => None,
        });
        layouts.flat_map(|layout| layout.fields.iter().map(|field| field.name))
    }

    /// Returns the item of a list at an index.
    pub(crate) fn item(&mut self, list: Id, index: usize) -> Option<Id> {
        let Body::Group(group) = self.node(list).body else { return None };
        if index >= group.count() {
            return None;
        }
        if index + 1 == group.count() {
            return group.ends.map(|(_, last)| last);
        }
        if !self.items.contains_key(&list) {
            let items = self.inside(list).collect();
            self.items.insert(list, items);
        }
        self.items.get(&list)?.get(index).copied()
    }

    /// Puts an item into a list at an index. Items can come in any order: those before it are placeholders until they are put.
    pub(crate) fn put_item(&mut self, list: Id, index: usize, body: Body) -> Id {
        match self.item(list, index) {
            Some(known) if self.is_nothing(known) => {
                self.set(known, body);
                known
            }
            Some(_) => self.push(list, None, body),
            None => {
                let count = if let Body::Group(group) = self.node(list).body { group.count() } else { index };
                (count..index).for_each(|_| _ = self.push(list, None, Body::Json(NOTHING)));
                self.push(list, None, body)
            }
        }
    }

    /// Turns the items of a block, the fields of the records in an object, or the items or members of a value into nodes of their
    /// own.
    pub(crate) fn open(&mut self, id: Id) {
        match self.node(id).body.clone() {
            Body::Group(group) if !group.is_list => self.open_fields(id),
            Body::Block { item, at, length, judged } => {
                self.open_items(id, (&item.shape, at, length), judged.then(|| at + length));
            }
            Body::Value { shape: Shape::Array(of, count), at, .. } => {
                self.open_items(id, (of, at, of.size() * *count), None);
            }
            Body::Coded { codec, at, length } => {
                let body = self.keep_value((codec.show)(self.bytes(at, length)));
                self.set(id, body);
                self.open(id);
            }
            Body::Json(index) => self.open_json(id, index),
            _ => {}
        }
    }

    fn open_items(&mut self, id: Id, (shape, at, length): (&'static Shape, usize, usize), judged: Option<usize>) {
        self.set(id, Body::Group(Group::of(true)));
        let each = shape.size().max(1);
        for nth in 0..length / each {
            let begin = at + nth * each;
            match shape {
                Shape::Record(layout) => {
                    let item = self.push(id, None, Body::Group(Group::of(false)));
                    // The record and, after it, the values that its container's rules compute.
                    let (at, judged) = match judged {
                        Some(rules) => {
                            let rules = rules + nth * each;
                            let both = [self.bytes(begin, each), self.bytes(rules, each)].concat();
                            (self.keep(&both), true)
                        }
                        None => (begin, false),
                    };
                    self.push(item, None, Body::Fields { layout, at, judged, names: None });
                }
                shape => _ = self.push(id, None, Body::Value { shape, at: begin, is_leftover: false }),
            }
        }
    }

    fn open_fields(&mut self, id: Id) {
        let inside: Vec<Node> = self.inside(id).map(|id| self.node(id).clone()).collect();
        if !inside.iter().any(|node| matches!(node.body, Body::Fields { .. })) {
            return;
        }
        self.set(id, Body::Group(Group::of(false)));
        for Node { name, body, .. } in inside {
            let Body::Fields { layout, at, judged, names } = body else {
                self.push(id, name, body);
                continue;
            };
            let bytes = self.bytes(at, layout.size).to_vec();
            let rules = judged.then(|| self.bytes(at + layout.size, layout.size).to_vec());
            let mut fields = Vec::new();
            layout.shown(&bytes, rules.as_deref(), &mut Vec::new(), |field, found, computed| {
                let shape = field.shape_in(&bytes);
                fields.push((field, shape, computed.map(|it| Value::kept(shape.show(found), shape.show(it)))));
                true
            });
            let names = self.names(names).to_vec();
            for (field, shape, kept) in fields {
                let named = names.iter().find(|(name, _)| *name == field.name);
                let body = match (kept, named) {
                    (Some(kept), _) => self.keep_value(kept),
                    (None, Some((_, node))) => self.node(*node).body.clone(),
                    (None, None) => Body::Value { shape, at: at + field.offset, is_leftover: field.is_leftover() },
                };
                self.push(id, Some(SmolStr::new_static(field.name)), body);
            }
        }
    }

    fn open_json(&mut self, id: Id, index: usize) {
        let Some(value) = self.values.get_mut(index) else { return };
        let (is_list, inside) = match std::mem::take(value) {
            Value::List(items) => (true, items.into_iter().map(|item| (None, item)).collect::<Vec<_>>()),
            Value::Object(members) => (false, members.into_iter().map(|(name, value)| (Some(name), value)).collect()),
            plain => {
                *value = plain;
                return;
            }
        };
        self.set(id, Body::Group(Group::of(is_list)));
        for (name, value) in inside {
            let body = self.keep_value(value);
            self.push(id, name, body);
        }
    }

    /// Puts the whole document into an object after these members; without a name, they replace it.
    pub fn wrap(&mut self, before: Vec<(SmolStr, Value)>, name: Option<&'static str>) -> Option<Id> {
        let data = self.node(Id::ROOT).body.clone();
        self.set(Id::ROOT, Body::Group(Group::of(false)));
        for (name, value) in before {
            let body = self.keep_value(value);
            self.push(Id::ROOT, Some(name), body);
        }
        name.map(|name| self.push(Id::ROOT, Some(SmolStr::new_static(name)), data))
    }
}
