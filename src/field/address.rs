//! Places as typed by a user: `ENTRY!ENTRY:/pointer`, `ENTRY` or `/pointer`.

use core::convert::Infallible;
use core::fmt::{self, Display};
use core::str::FromStr;

/// A place as typed by a user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(into = "String", from = "String"))]
pub struct Address {
    /// The entry, empty for the file itself.
    pub entry: String,
    /// The names and indices that lead from the entry to the place.
    pub keys: Vec<String>,
}

impl Address {
    /// Returns the place one step further in.
    #[must_use]
    pub fn with(&self, key: impl Into<String>) -> Self {
        let mut address = self.clone();
        address.keys.push(key.into());
        address
    }

    /// Returns the place around this one and the key that leads in, or `None` for an entry or the file itself.
    #[must_use]
    pub fn outer(&self) -> Option<(Self, &str)> {
        let (key, keys) = self.keys.split_last()?;
        Some((Self { entry: self.entry.clone(), keys: keys.to_vec() }, key))
    }

    /// Returns the place of an entry.
    #[must_use]
    pub fn of_entry(entry: impl Into<String>) -> Self {
        Self { entry: entry.into(), keys: Vec::new() }
    }

    /// Returns the entries on the way, from the file inward.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.entry.split('!').filter(|entry| !entry.is_empty())
    }
}

impl From<Address> for String {
    fn from(address: Address) -> Self {
        address.to_string()
    }
}

impl From<String> for Address {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl FromStr for Address {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(text.into())
    }
}

impl From<&str> for Address {
    fn from(text: &str) -> Self {
        let (entry, pointer) = match text.split_once(':') {
            Some(both) => both,
            None if text.starts_with('/') => ("", text),
            None => (text, ""),
        };
        let keys = pointer.split('/').filter(|step| !step.is_empty()).map(str::to_owned).collect();
        Self { entry: entry.to_owned(), keys }
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entry, keys } = self;
        match (entry.is_empty(), keys.is_empty()) {
            (true, true) => f.write_str("/"),
            (false, true) => f.write_str(entry),
            (true, false) => write!(f, "/{}", keys.join("/")),
            (false, false) => write!(f, "{entry}:/{}", keys.join("/")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_addresses_parse_again() {
        for text in ["/", "/head/name", "weapons.zrd:/12/3", "data!0", "data!0!term#2:/groups/1"] {
            let address = Address::from(text);
            assert_eq!(address.to_string(), text);
        }
    }
}
