//! Values as fields of types that `serde` derives: `#[serde(with = "json::serde")]`.

use serde_core::de::{Deserialize as _, Deserializer};
use serde_core::ser::{Serialize as _, Serializer};

use field::Value;

use super::compact::Compact;
use super::read::Parsed;

/// A field that is a value, or holds values.
pub trait Valued: Sized {
    /// Serializes it.
    ///
    /// # Errors
    /// Returns an error if the serializer does.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Deserializes it.
    ///
    /// # Errors
    /// Returns an error if the deserializer does.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

impl Valued for Value {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Compact(self).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Parsed::deserialize(deserializer).map(|Parsed(value)| value)
    }
}

impl Valued for Option<Value> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Compact).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map(|Parsed(value)| value))
    }
}

impl Valued for Vec<(String, Value)> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(|(name, value)| (name, Compact(value))))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named: Vec<(String, Parsed)> = Vec::deserialize(deserializer)?;
        Ok(named.into_iter().map(|(name, Parsed(value))| (name, value)).collect())
    }
}

/// Serializes a field.
///
/// # Errors
/// Returns an error if the serializer does.
pub fn serialize<T: Valued, S: Serializer>(field: &T, serializer: S) -> Result<S::Ok, S::Error> {
    field.write(serializer)
}

/// Deserializes a field.
///
/// # Errors
/// Returns an error if the deserializer does.
pub fn deserialize<'de, T: Valued, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::read(deserializer)
}
