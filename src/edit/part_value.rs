//! The value of a part.

use super::editor::Which;
use exchange::document::shown as value_of;
use field::{Datum, Shape, Value, What};

/// Returns the value at a place, as the exchange format has it.
pub(super) fn shown(datum: &Datum<'_>, which: Which) -> Value {
    let bytes = datum.bytes;
    match (datum.what, which) {
        (What::Block(item, rules), Which::Row(index)) => {
            let row = |bytes: &[u8]| {
                let begin = usize::try_from(index).ok()?.checked_mul(item.size)?;
                bytes.get(begin..)?.get(..item.size).map(<[u8]>::to_vec)
            };
            let (bytes, rules) = (row(bytes).unwrap_or_default(), rules.and_then(row));
            match item.shape {
                Shape::Record(layout) => Value::Object(layout.show(&bytes, rules.as_deref())),
                shape => shape.show(&bytes),
            }
        }
        _ => value_of(datum, false, &|_| true).unwrap_or_default(),
    }
}
