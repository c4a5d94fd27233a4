//! Places as people write them: `ENTRY!ENTRY:/pointer`, `ENTRY`, `/pointer`.

use core::convert::Infallible;
use core::fmt::{self, Display};
use core::str::FromStr;

/// A place that someone names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(into = "String", from = "String"))]
pub struct Address {
    /// The entry; empty for the file itself.
    pub entry: String,
    /// The names and indices from there.
    pub keys: Vec<String>,
}

impl Address {
    /// The place one step further in.
    #[must_use]
    pub fn with(&self, key: impl Into<String>) -> Self {
        let mut address = self.clone();
        address.keys.push(key.into());
        address
    }

    /// An entry.
    #[must_use]
    pub fn of_entry(entry: impl Into<String>) -> Self {
        Self { entry: entry.into(), keys: Vec::new() }
    }

    /// The entries on the way, from the file inwards.
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
    fn what_is_printed_is_read_again() {
        for text in ["/", "/head/name", "weapons.zrd:/12/3", "data!0", "data!0!term#2:/groups/1"] {
            let address = Address::from(text);
            assert_eq!(address.to_string(), text);
        }
    }
}
