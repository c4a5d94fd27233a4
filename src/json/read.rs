//! Values from any format of `serde`, such as JSON text.

use core::fmt;

use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use smol_str::SmolStr;

use field::{Members, Thresholds, Value, single};

use super::nesting::NESTING;

/// The error for a document that contains `null`.
pub(super) const NULL: &str = "expected a value, found null; remove the member instead";

/// The initial capacity of a list. Doubled, it also fits a box and a matrix, so that most lists need no further allocation when
/// they are complete.
const VECTOR: usize = 3;

/// A value that `serde` reads. Unlike [`parse`](super::parse()), it does not refuse a number that `serde_json` rounds.
#[derive(Debug)]
pub struct Parsed(pub Value);

impl<'de> Deserialize<'de> for Parsed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Nest(NESTING).deserialize(deserializer).map(Self)
    }
}

/// The number of levels of nesting still allowed.
#[derive(Clone, Copy)]
struct Nest(usize);

impl<'de> DeserializeSeed<'de> for Nest {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Nest {
    fn deeper<E: serde_core::de::Error>(self) -> Result<Self, E> {
        let left = self.0.checked_sub(1).map(Self);
        left.ok_or_else(|| E::custom(format_args!("nested more than {NESTING} levels deep")))
    }
}

impl<'de> Visitor<'de> for Nest {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: serde_core::de::Error>(self) -> Result<Value, E> {
        // In the model's JSON, null marks a taken value. No document may contain it.
        Err(E::custom(NULL))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E: serde_core::de::Error>(self, value: u64) -> Result<Value, E> {
        i64::try_from(value).map(Value::Integer).map_err(|_| E::custom(too_large(&value.to_string())))
    }

    fn visit_f64<E: serde_core::de::Error>(self, value: f64) -> Result<Value, E> {
        if single(value).is_finite() {
            Ok(Value::Float(value))
        } else {
            Err(E::custom(format_args!("{value:e} is too large for a float")))
        }
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(inner)? {
            if items.is_empty() {
                items.reserve_exact(VECTOR);
            }
            items.push(item);
        }
        items.shrink_to_fit();
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut members = Members::new();
        while let Some(name) = map.next_key_seed(Name)? {
            members.push((name, map.next_value_seed(inner)?));
        }
        match twice(&members) {
            Some(name) => Err(A::Error::custom(format_args!("duplicate key {name:?}"))),
            None => Ok(Value::Object(members)),
        }
    }
}

/// Returns why an integer is refused.
pub(super) fn too_large(number: &str) -> String {
    format!("{number} is too large for an integer; a field of 64 bits takes a string, \"{number}\"")
}

/// The name of a member.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = SmolStr;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<SmolStr, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = SmolStr;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, text: &str) -> Result<SmolStr, E> {
        Ok(text.into())
    }
}

/// Creates an object of these members.
///
/// # Errors
/// Returns an error with the first duplicate name.
pub fn object(members: Members) -> Result<Value, SmolStr> {
    match twice(&members) {
        Some(name) => Err(name.clone()),
        None => Ok(Value::Object(members)),
    }
}

/// Returns the first name that has a duplicate.
fn twice(members: &[(SmolStr, Value)]) -> Option<&SmolStr> {
    let mut names = members.iter().map(|(name, _)| name);
    if members.len() > Thresholds::here().names {
        let mut sorted: Vec<_> = names.enumerate().collect();
        sorted.sort_unstable_by_key(|(index, name)| (name.len(), *name, *index));
        let twins = sorted.windows(2).filter_map(|both| match both {
            [(index, name), (_, other)] if name == other => Some((*index, *name)),
            _ => None,
        });
        return twins.min_by_key(|(index, _)| *index).map(|(_, name)| name);
    }
    let mut rest = names.clone();
    names.find(|name| {
        rest.next();
        rest.clone().any(|other| other == *name)
    })
}
