//! Values as people see them: the editable form of a model.
//!
//! Members keep their order, integers and floats are distinct (`1`, `1.0`), and a value takes 32 bytes, since the vertices of a
//! world are a few million of them. The crate `bitexact-json` reads and writes their text.

use std::borrow::Cow;

use bytes::Bytes;
use smol_str::SmolStr;

use super::decimal::{decimal, single};
use super::hex::{hex, unhex};
use super::wide::wide;
use super::{fixed, limits};

/// A value as people see it.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// No value, and the remainder where a value was taken.
    #[default]
    Null,
    /// A Boolean.
    Bool(bool),
    /// An integer, written without a decimal point.
    Integer(i64),
    /// A number of a field whose values have names, written as its name if it has one. The name and the number are equal to it.
    Named(Option<SmolStr>, i64),
    /// A float, written with a decimal point, as the shortest decimal that reads back to the same bits. Fields have 32 bits: the 64 bits
    /// are for decimals that a person has written.
    Float(f64),
    /// A number in parts of 65,536, written as the shortest decimal that reads back to the same bits: 98,304 is 1.5.
    Fixed(i64),
    /// A string.
    Text(SmolStr),
    /// Raw bytes, written as a hexadecimal string.
    Bytes(Box<Bytes>),
    /// A list of values.
    List(Vec<Value>),
    /// An object: values by name, in order.
    Object(Members),
}

/// The members of an object. Names of fields are stored without a copy, other short names without an allocation.
pub type Members = Vec<(SmolStr, Value)>;

impl Value {
    /// Creates a preserved value that differs from the one its rule computes.
    #[must_use]
    pub fn kept(found: impl Into<Self>, expected: impl Into<Self>) -> Self {
        Self::from([("kept", found.into()), ("computed", expected.into())])
    }

    /// Returns the computed value beside a kept one, or `None` if this is not a kept value.
    #[must_use]
    pub fn computed(&self) -> Option<&Self> {
        self.get("computed")
    }

    /// Returns the approximate memory that it takes as a value or as text, itself included, in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let inner = match self {
            Self::Null | Self::Bool(_) | Self::Integer(_) | Self::Named(None, _) => 0,
            Self::Float(_) | Self::Fixed(_) => 0,
            Self::Text(text) | Self::Named(Some(text), _) if !text.is_heap_allocated() => 0,
            Self::Text(text) | Self::Named(Some(text), _) => wide(text.len()) + wide(limits::ALLOCATION),
            // As text, a byte is two digits.
            Self::Bytes(bytes) => wide(bytes.len()) * 3 + wide(limits::ALLOCATION),
            Self::List(items) => {
                let spare = wide((items.capacity() - items.len()) * size_of::<Self>());
                items.iter().map(Self::memory).sum::<u64>() + spare + wide(limits::ALLOCATION)
            }
            Self::Object(members) => Self::memory_of_members(members),
        };
        inner + wide(size_of::<Self>())
    }

    /// Returns the approximate memory that the members of an object take, in bytes.
    #[must_use]
    pub fn memory_of_members(members: &Members) -> u64 {
        let slots = wide(members.capacity() * size_of::<(SmolStr, Self)>());
        let inner = members.iter().map(|(_, value)| value.memory().saturating_sub(wide(size_of::<Self>())));
        slots + inner.sum::<u64>() + wide(limits::ALLOCATION)
    }

    /// Puts a member into an object. An existing object is extended by the members of a new one; a value that is not an object
    /// becomes the member `value` of one.
    pub fn put(&mut self, name: impl Into<SmolStr>, value: Self) {
        let name = name.into();
        match self {
            Self::Object(members) => match (members.iter_mut().find(|(key, _)| *key == name), value) {
                (Some((_, Self::Object(before))), Self::Object(more)) => before.extend(more),
                (Some((_, before)), value) => *before = value,
                (None, value) => members.push((name, value)),
            },
            whole => *whole = Self::Object(vec![(SmolStr::new_static("value"), std::mem::take(whole)), (name, value)]),
        }
    }

    /// Puts members into an object.
    pub fn put_all(&mut self, more: Members) {
        match self {
            Self::Object(members) if members.is_empty() => *members = more,
            _ => more.into_iter().for_each(|(name, value)| self.put(name, value)),
        }
    }

    /// Returns an object without these members.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        match self {
            Self::Object(members) => {
                let others = members.iter().filter(|(name, _)| !names.contains(&name.as_str()));
                Self::Object(others.cloned().collect())
            }
            other => other.clone(),
        }
    }

    /// Takes a member out of an object.
    pub fn take_member(&mut self, name: &str) -> Option<Self> {
        let Self::Object(members) = self else { return None };
        let found = members.iter().position(|(member, _)| member == name)?;
        Some(members.remove(found).1)
    }

    /// Puts an item into a list; an existing object is extended by the members of a new one. Items can come in any order: those
    /// before it are null until they come.
    pub fn put_item(&mut self, index: u64, value: Self) {
        let (Self::List(items), Ok(index)) = (self, usize::try_from(index)) else { return };
        if index >= items.len() {
            items.resize(index, Self::Null);
        }
        match (items.get_mut(index), value) {
            (Some(Self::Object(before)), Self::Object(more)) => before.extend(more),
            (Some(before @ Self::Null), value) => *before = value,
            (_, value) => items.push(value),
        }
    }

    /// Appends an item to a list.
    pub fn push(&mut self, value: Self) {
        if let Self::List(items) = self {
            items.push(value);
        }
    }

    /// Returns the member with this name of an object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find_map(|(key, value)| (key == name).then_some(value)),
            _ => None,
        }
    }

    /// Returns the member with this name, or the item at this index in decimal digits.
    #[must_use]
    pub fn step(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(_) => self.get(key),
            Self::List(items) => items.get(key.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// Returns the member with this name, or the item at this index in decimal digits, for changing.
    pub fn step_mut(&mut self, key: &str) -> Option<&mut Self> {
        match self {
            Self::Object(members) => members.iter_mut().find_map(|(name, value)| (name == key).then_some(value)),
            Self::List(items) => items.get_mut(key.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// Returns the string.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) | Self::Named(Some(text), _) = self { Some(text) } else { None }
    }

    /// Returns a value of raw bytes.
    #[must_use]
    pub fn of_bytes(bytes: impl Into<Bytes>) -> Self {
        Self::Bytes(Box::new(bytes.into()))
    }

    /// Returns the raw bytes, also if they are a hexadecimal string.
    #[must_use]
    pub fn bytes(&self) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Bytes(bytes) => Some(Cow::Borrowed(bytes)),
            Self::Text(text) => unhex(text).map(Cow::Owned),
            _ => None,
        }
    }

    /// Returns the items of the list with this name, or none if there is no such list.
    pub fn list(&self, name: &str) -> &[Self] {
        self.get(name).and_then(Self::items).unwrap_or_default()
    }

    /// Returns the items of a list.
    #[must_use]
    pub fn items(&self) -> Option<&[Self]> {
        if let Self::List(items) = self { Some(items) } else { None }
    }

    /// Returns the integer if it is not negative.
    #[must_use]
    pub fn whole(&self) -> Option<u64> {
        self.integer().and_then(|value| value.try_into().ok())
    }

    /// Returns the integer.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        if let Self::Integer(value) | Self::Named(_, value) = self { Some(*value) } else { None }
    }

    /// Returns a number in parts of 65,536 if it is one, or the one that is nearest to any other number.
    #[must_use]
    pub fn fixed(&self) -> Option<i64> {
        match self {
            Self::Fixed(parts) => Some(*parts),
            Self::Float(value) => Some(fixed::nearest(*value)),
            Self::Integer(value) => Some(fixed::whole(*value)),
            _ => None,
        }
    }

    /// Returns a number that was given for one in parts of 65,536 as such.
    #[must_use]
    pub fn into_fixed(self) -> Self {
        match self {
            Self::Integer(value) => Self::Fixed(fixed::whole(value)),
            Self::Float(value) => Self::Fixed(fixed::nearest(value)),
            other => other,
        }
    }

    /// Returns `true` if all of its items or members have been taken.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        match self {
            Self::Null => true,
            // Items are taken from either end, so a remaining one is found at the other: this is called after each of them.
            Self::List(items) => {
                let left = |item: Option<&Self>| item.is_some_and(|item| *item != Self::Null);
                !left(items.last()) && !left(items.first()) && items.iter().all(|item| *item == Self::Null)
            }
            Self::Object(members) => members.iter().all(|(_, value)| *value == Self::Null),
            _ => false,
        }
    }

    /// Returns the member with this name, if the object has no other.
    #[must_use]
    pub fn only(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => match members.as_slice() {
                [(key, value)] if key == name => Some(value),
                _ => None,
            },
            _ => None,
        }
    }
}

macro_rules! from_whole {
    ($($of:ty)*) => { $(
        impl From<$of> for Value {
            fn from(value: $of) -> Self {
                // No number in these files exceeds 64 bits.
                i64::try_from(value).map_or_else(|_| Self::from(value.to_string()), Self::Integer)
            }
        }
    )* };
}
from_whole! { u8 i8 u16 i16 u32 i32 u64 i64 usize i128 }

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// Values that no decimal represents become strings: `"f32:7fa00001"`.
impl From<f32> for Value {
    fn from(value: f32) -> Self {
        match value.is_finite() {
            true => Self::Float(decimal(value)),
            false => Self::from(format!("f32:{:08x}", value.to_bits())),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

/// Creates an object of these members.
impl<const N: usize> From<[(&'static str, Self); N]> for Value {
    fn from(members: [(&'static str, Self); N]) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (SmolStr::new_static(name), value)).collect())
    }
}

impl<T: Into<Self>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

/// Floats are compared by their bits: 0.0 is not -0.0. A number in parts of 65,536 equals every decimal that is nearest to it.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Integer(a), Self::Integer(b) | Self::Named(_, b)) | (Self::Named(_, a), Self::Integer(b)) => a == b,
            (Self::Named(a, of_a), Self::Named(b, of_b)) => a == b && of_a == of_b,
            (Self::Named(Some(a), _), Self::Text(b)) | (Self::Text(a), Self::Named(Some(b), _)) => a == b,
            (Self::Float(a), Self::Float(b)) => single(*a).to_bits() == single(*b).to_bits(),
            (Self::Fixed(a), Self::Fixed(b)) => a == b,
            (Self::Fixed(a), Self::Float(b)) | (Self::Float(b), Self::Fixed(a)) => fixed::nearest(*b) == *a,
            (Self::Fixed(a), Self::Integer(b)) | (Self::Integer(b), Self::Fixed(a)) => fixed::whole(*b) == *a,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::Bytes(bytes), Self::Text(text)) | (Self::Text(text), Self::Bytes(bytes)) => hex(bytes) == *text,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => a == b,
            _ => false,
        }
    }
}

impl PartialEq<&str> for Value {
    fn eq(&self, text: &&str) -> bool {
        self.text() == Some(*text)
    }
}

impl PartialEq<i64> for Value {
    fn eq(&self, value: &i64) -> bool {
        self.integer() == Some(*value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_takes_32_bytes() {
        assert_eq!(size_of::<Value>(), 32);
    }

    #[test]
    fn numbers_in_parts_equal_the_decimals_nearest_to_them() {
        let half = Value::Fixed(0x8000);
        for (other, is) in [
            (Value::Float(0.5), true),
            (Value::Float(0.5 + 1.0 / 200_000.0), true),
            (Value::Float(0.6), false),
            (Value::Fixed(0x8000), true),
            (Value::Integer(0x8000), false),
        ] {
            assert_eq!([half == other, other == half], [is; 2], "{other:?}");
        }
        let two = Value::Fixed(0x20000);
        assert!(two == Value::Integer(2) && Value::Integer(2) == two && two != Value::Integer(0x20000));
    }

    #[test]
    fn only_member_has_no_others() {
        let object = |names: &[&'static str]| {
            Value::Object(names.iter().map(|name| (SmolStr::new_static(name), Value::Integer(1))).collect())
        };
        assert_eq!(object(&["a"]).only("a"), Some(&Value::Integer(1)));
        let others = [object(&["b"]), object(&["a", "b"]), object(&[]), Value::Integer(1)];
        assert!(others.iter().all(|it| it.only("a").is_none()));
    }

    #[test]
    fn decimals_and_integers_are_numbers_in_parts() {
        let fixed = |json: Value| json.fixed();
        let some = [Value::Fixed(3), Value::Float(0.5), Value::Integer(0), Value::Integer(2)].map(fixed);
        assert_eq!(some, [Some(3), Some(0x8000), Some(0), Some(0x20000)]);
        assert_eq!(fixed(Value::Text("1".into())), None);
    }

    #[test]
    fn names_equal_their_text_and_numbers_their_value() {
        let named = |name: &str, value: i64| Value::Named(Some(name.into()), value);
        let text = |text: &str| Value::Text(text.into());
        for (one, other, is) in [
            (named("A", 1), text("A"), true),
            (named("A", 1), text("B"), false),
            (named("A", 1), Value::Integer(1), true),
            (named("A", 1), Value::Integer(2), false),
            (named("A", 1), named("A", 1), true),
            (named("A", 1), named("A", 2), false),
            (named("A", 1), named("B", 1), false),
            (Value::Named(None, 1), text("A"), false),
        ] {
            assert_eq!([one == other, other == one], [is; 2], "{one:?} {other:?}");
        }
    }
}
