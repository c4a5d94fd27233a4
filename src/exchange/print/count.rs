//! The number of values in a value, counted before it is printed.

use crate::document::{Body, Doc, DocValue};
use field::{Shape, Value};

impl DocValue<'_> {
    /// Subtracts the number of its values from `left`, and returns the rest or `None` if there are more. Raw bytes count as one value
    /// per 16.
    pub(crate) fn count(self, doc: &Doc, left: usize) -> Option<usize> {
        match self {
            Self::Node(id) => match &doc.node(id).body {
                Body::Bytes { length, .. } => return left.checked_sub(length / 16),
                Body::Value { shape, at, .. } => {
                    return DocValue::Shape(shape, doc.bytes(*at, shape.size())).count(doc, left);
                }
                Body::Json(index) => return count_json(doc.value(*index), left),
                Body::Coded { codec, at, length } => return count_json(&(codec.show)(doc.bytes(*at, *length)), left),
                Body::Text { .. } => return left.checked_sub(1),
                Body::Block { item, length, .. } if is_counted(&item.shape) => {
                    return left.checked_sub(1)?.checked_sub((length / item.size.max(1)) * values(&item.shape));
                }
                Body::Group(_) | Body::Fields { .. } | Body::Block { .. } => {}
            },
            Self::Shape(shape, _) if is_counted(shape) => return left.checked_sub(values(shape)),
            Self::Shape(Shape::Leaf(leaf), bytes) => return count_json(&leaf.show(bytes), left),
            Self::Shape(..) | Self::Kept(..) | Self::Record(..) => {}
        }
        let mut left = left.checked_sub(1);
        self.each(doc, &mut |_, value| {
            left = left.and_then(|left| value.count(doc, left));
            left.is_some()
        });
        left
    }
}

/// Returns `true` if the shape alone determines the number of values.
fn is_counted(shape: &Shape) -> bool {
    match shape {
        Shape::Leaf(leaf) => leaf.tail.is_none(),
        Shape::Array(of, _) => is_counted(of),
        Shape::Record(_) => false,
    }
}

/// Returns the number of values in a shape, if [`is_counted`] returns `true`.
fn values(shape: &Shape) -> usize {
    match shape {
        Shape::Array(of, count) => values(of) * *count + 1,
        Shape::Leaf(_) | Shape::Record(_) => 1,
    }
}

/// Subtracts the number of values in some JSON from `left`.
fn count_json(json: &Value, left: usize) -> Option<usize> {
    match json {
        Value::List(items) => items.iter().try_fold(left.checked_sub(1)?, |left, item| count_json(item, left)),
        Value::Object(members) => {
            members.iter().try_fold(left.checked_sub(1)?, |left, (_, value)| count_json(value, left))
        }
        Value::Bytes(bytes) => left.checked_sub(bytes.len() / 16),
        _ => left.checked_sub(1),
    }
}
