//! The values of a document, in one view: nodes, and the values in their bytes.

use bytes::Bytes;

use field::{Field, Layout, Leaf, Shape, Value, decode_text};
use json::is_plain;

use super::{Body, Doc, Id};

/// A node as a value, which is made when it is asked for.
#[derive(Clone, Copy)]
pub enum DocValue<'a> {
    /// The value of a node.
    Node(Id),
    /// A value of fixed shape.
    Shape(&'static Shape, &'a [u8]),
    /// A preserved value, and the different value that its rule computes.
    Kept(&'static Shape, &'a [u8], &'a [u8]),
    /// The members of a record, with the values that its container's rules compute.
    Record(&'static Layout, &'a [u8], Option<&'a [u8]>),
}

/// The type of a value for a printer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Neither a list nor an object.
    Plain,
    /// A string, or an object of a string and a tail that must be printed.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
    /// A value that is not printed item by item.
    Other,
}

impl<'a> DocValue<'a> {
    /// Returns the type of the value.
    pub(crate) fn sort(self, doc: &Doc) -> Sort {
        match self {
            Self::Node(id) => match &doc.node(id).body {
                Body::Group(group) if group.is_list => Sort::List,
                Body::Group(_) | Body::Fields { .. } => Sort::Object,
                Body::Block { .. } => Sort::List,
                Body::Value { shape, at, .. } => DocValue::Shape(shape, doc.bytes(*at, shape.size())).sort(doc),
                Body::Text { .. } | Body::Bytes { .. } => Sort::Plain,
                Body::Coded { .. } | Body::Json(_) => Sort::Other,
            },
            Self::Shape(Shape::Leaf(leaf), _) if leaf.tail.is_some() => Sort::Text,
            Self::Shape(Shape::Leaf(_), _) => Sort::Plain,
            Self::Shape(Shape::Array(..), _) => Sort::List,
            Self::Shape(Shape::Record(_), _) | Self::Kept(..) | Self::Record(..) => Sort::Object,
        }
    }

    /// Returns `true` if it is neither a list nor an object.
    pub(crate) fn is_plain(self, doc: &Doc) -> bool {
        match self.sort(doc) {
            Sort::Plain => true,
            Sort::List | Sort::Object => false,
            Sort::Text | Sort::Other => match self {
                Self::Shape(Shape::Leaf(leaf), bytes) => is_plain(&leaf.show(bytes)),
                _ => is_plain(&self.json(doc)),
            },
        }
    }

    /// Calls `tell` for every item of a list, or every member of an object with its name, as long as it returns `true`. Returns
    /// `true` if it was called for all of them.
    pub(crate) fn each(self, doc: &Doc, tell: &mut impl FnMut(&str, DocValue<'_>) -> bool) -> bool {
        match self {
            Self::Node(id) => node(doc, id, tell),
            Self::Shape(Shape::Array(of, _), bytes) => {
                bytes.chunks_exact(of.size().max(1)).all(|one| tell("", DocValue::Shape(of, one)))
            }
            Self::Shape(Shape::Record(layout), bytes) => fields(layout, bytes, None, &mut Vec::new(), tell),
            Self::Record(layout, bytes, rules) => fields(layout, bytes, rules, &mut Vec::new(), tell),
            Self::Kept(shape, found, expected) => {
                tell("kept", DocValue::Shape(shape, found)) && tell("computed", DocValue::Shape(shape, expected))
            }
            Self::Shape(Shape::Leaf(_), _) => true,
        }
    }

    /// Returns the items of a list of plain values of one shape, end to end: most values are in such lists.
    pub(crate) fn leaves(self, doc: &'a Doc) -> Option<(&'static Leaf, &'a [u8])> {
        let (shape, bytes) = match self {
            Self::Shape(Shape::Array(of, _), bytes) => (*of, bytes),
            Self::Node(id) => match &doc.node(id).body {
                Body::Block { item, at, length, .. } => (&item.shape, doc.bytes(*at, *length)),
                Body::Value { shape: Shape::Array(of, count), at, .. } => (*of, doc.bytes(*at, of.size() * *count)),
                _ => return None,
            },
            _ => return None,
        };
        match shape {
            Shape::Leaf(leaf) if leaf.tail.is_none() => Some((leaf, bytes)),
            _ => None,
        }
    }

    /// Converts it to a JSON value, for the few values that are inspected.
    pub fn json(self, doc: &Doc) -> Value {
        match self {
            Self::Node(id) => match &doc.node(id).body {
                Body::Text { page, at, length } => return decode_text(page, doc.bytes(*at, *length)).into(),
                Body::Bytes { at, length } => return Value::of_bytes(Bytes::copy_from_slice(doc.bytes(*at, *length))),
                Body::Coded { codec, at, length } => return (codec.show)(doc.bytes(*at, *length)),
                Body::Json(index) => return doc.value(*index).clone(),
                Body::Value { shape, at, .. } => return shape.show(doc.bytes(*at, shape.size())),
                Body::Group(_) | Body::Fields { .. } | Body::Block { .. } => {}
            },
            Self::Shape(shape, bytes) => return shape.show(bytes),
            Self::Kept(..) | Self::Record(..) => {}
        }
        let count = match self {
            Self::Node(id) => doc.items(id),
            _ => 0,
        };
        let (mut items, mut members) = (Vec::new(), Vec::new());
        let is_list = self.sort(doc) == Sort::List;
        if is_list {
            items.reserve_exact(count);
        }
        self.each(doc, &mut |name, value| {
            match is_list {
                true => items.push(value.json(doc)),
                false => members.push((name.into(), value.json(doc))),
            }
            true
        });
        items.shrink_to_fit();
        members.shrink_to_fit();
        if is_list { Value::List(items) } else { Value::Object(members) }
    }
}

fn node(doc: &Doc, id: Id, tell: &mut impl FnMut(&str, DocValue<'_>) -> bool) -> bool {
    let node = doc.node(id);
    match &node.body {
        Body::Group(group) if group.is_list => doc.inside(id).all(|id| tell("", DocValue::Node(id))),
        Body::Group(_) => {
            let mut has_leftovers = false;
            doc.inside(id).all(|id| {
                member(doc, id, &mut |is_leftover, name, value| {
                    has_leftovers |= is_leftover;
                    is_leftover || tell(name, value)
                })
            }) && (!has_leftovers
                || doc
                    .inside(id)
                    .all(|id| member(doc, id, &mut |is_leftover, name, value| !is_leftover || tell(name, value))))
        }
        Body::Fields { .. } => member(doc, id, &mut |_, name, value| tell(name, value)),
        Body::Value { shape, at, .. } => DocValue::Shape(shape, doc.bytes(*at, shape.size())).each(doc, tell),
        Body::Block { item, at, length, judged } => {
            let rows = doc.bytes(*at, *length).chunks_exact(item.size.max(1));
            match (&item.shape, judged) {
                (Shape::Record(layout), true) => {
                    let rules = doc.bytes(at + *length, *length).chunks_exact(item.size.max(1));
                    rows.zip(rules).all(|(row, rules)| tell("", DocValue::Record(layout, row, Some(rules))))
                }
                (shape, _) => rows.into_iter().all(|row| tell("", DocValue::Shape(shape, row))),
            }
        }
        Body::Text { .. } | Body::Coded { .. } | Body::Bytes { .. } | Body::Json(_) => true,
    }
}

/// Passes on the members of a node in an object, and whether they are leftover memory.
fn member(doc: &Doc, id: Id, tell: &mut impl FnMut(bool, &str, DocValue<'_>) -> bool) -> bool {
    let node = doc.node(id);
    match &node.body {
        Body::Fields { layout, at, judged, names } => {
            let rules = judged.then(|| doc.bytes(at + layout.size, layout.size));
            let names = doc.names(*names);
            let bytes = doc.bytes(*at, layout.size);
            layout.shown(bytes, rules, &mut Vec::new(), |field: &'static Field, found, computed| {
                let named = names.iter().find(|(name, _)| *name == field.name);
                let value =
                    named.map_or_else(|| value_of(field, bytes, found, computed), |(_, node)| DocValue::Node(*node));
                tell(field.is_leftover(), field.name, value)
            })
        }
        body => {
            let is_leftover = matches!(body, Body::Value { is_leftover: true, .. });
            tell(is_leftover, node.name.as_deref().unwrap_or_default(), DocValue::Node(id))
        }
    }
}

/// Passes on the members of a record.
fn fields(
    layout: &'static Layout,
    bytes: &[u8],
    rules: Option<&[u8]>,
    buffer: &mut Vec<u8>,
    tell: &mut impl FnMut(&str, DocValue<'_>) -> bool,
) -> bool {
    layout.shown(bytes, rules, buffer, |field: &'static Field, found, computed| {
        tell(field.name, value_of(field, bytes, found, computed))
    })
}

/// Returns the value of a field of a record.
fn value_of<'a>(field: &'static Field, record: &[u8], found: &'a [u8], computed: Option<&'a [u8]>) -> DocValue<'a> {
    match computed {
        Some(expected) => DocValue::Kept(field.shape_in(record), found, expected),
        None => DocValue::Shape(field.shape_in(record), found),
    }
}
