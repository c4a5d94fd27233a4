//! Values as JSON on one line, for messages and rows.

use core::fmt;

use serde_core::ser::{Serialize, SerializeMap as _, Serializer};

use field::{Value, as_single, fixed, hex};

/// A value as JSON on one line, without spaces; for `serde`, as the value that it is.
pub struct Compact<'v>(pub &'v Value);

impl fmt::Display for Compact<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Compact<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Integer(value) | Value::Named(None, value) => serializer.serialize_i64(*value),
            // The shortest decimal of a float has fewer digits than that of its 64 bits.
            Value::Float(value) => match as_single(*value) {
                Some(value) => serializer.serialize_f32(value),
                None => serializer.serialize_f64(*value),
            },
            Value::Fixed(bits) => serializer.serialize_f64(fixed::shortest(*bits)),
            Value::Text(text) | Value::Named(Some(text), _) => serializer.serialize_str(text),
            Value::Bytes(bytes) => serializer.serialize_str(&hex(bytes)),
            Value::List(items) => serializer.collect_seq(items.iter().map(Compact)),
            Value::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                members.iter().try_for_each(|(name, value)| map.serialize_entry(name.as_str(), &Compact(value)))?;
                map.end()
            }
        }
    }
}
