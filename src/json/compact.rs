//! Values as JSON on one line, for messages and rows.

use core::fmt;

use serde_core::ser::{Serialize, SerializeMap as _, Serializer};

use field::{Json, as_single, fixed, hex};

/// A value as JSON on one line, without spaces; for `serde`, as the value that it is.
pub struct Compact<'v>(pub &'v Json);

impl fmt::Display for Compact<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Compact<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Integer(value) | Json::Named(None, value) => serializer.serialize_i64(*value),
            // The shortest decimal of a float has fewer digits than that of its 64 bits.
            Json::Float(value) => match as_single(*value) {
                Some(value) => serializer.serialize_f32(value),
                None => serializer.serialize_f64(*value),
            },
            Json::Fixed(bits) => serializer.serialize_f64(fixed::shortest(*bits)),
            Json::Text(text) | Json::Named(Some(text), _) => serializer.serialize_str(text),
            Json::Bytes(bytes) => serializer.serialize_str(&hex(bytes)),
            Json::List(items) => serializer.collect_seq(items.iter().map(Compact)),
            Json::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                members.iter().try_for_each(|(name, value)| map.serialize_entry(name.as_str(), &Compact(value)))?;
                map.end()
            }
        }
    }
}
