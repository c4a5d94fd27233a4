//! Places as typed by a user: `ENTRY!ENTRY:/pointer`, `ENTRY`, `/pointer` or `@NAME/pointer`.

use core::convert::Infallible;
use core::fmt::{self, Display};
use core::str::FromStr;

use super::place::Step;

/// A place as typed by a user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(into = "String", from = "String"))]
pub struct Address {
    /// The entry, empty for the file itself, or `@` and the name of something in the file.
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

    /// Returns `true` if this place is the other one, or inside it, in the same entry.
    #[must_use]
    pub fn is_in(&self, other: &Self) -> bool {
        self.entry == other.entry && self.keys.starts_with(&other.keys)
    }

    /// Returns `true` if a value of an entry, to which these steps lead, is at this place or inside it.
    pub fn holds(&self, entry: &str, mut steps: impl Iterator<Item = Step>) -> bool {
        if self.entry != entry {
            let inner =
                entry.strip_prefix(&self.entry).is_some_and(|rest| self.entry.is_empty() || rest.starts_with('!'));
            return inner && self.keys.is_empty();
        }
        self.keys.iter().all(|key| steps.next().is_some_and(|step| is_key(key, step)))
    }

    /// Returns `true` if a value of an entry, to which these steps lead, has this place inside it.
    pub fn is_within(&self, entry: &str, steps: &[Step]) -> bool {
        let is_way = || self.keys.iter().zip(steps).all(|(key, step)| is_key(key, *step));
        self.entry == entry && steps.len() <= self.keys.len() && is_way()
    }

    /// Returns the place of an entry.
    #[must_use]
    pub fn of_entry(entry: impl Into<String>) -> Self {
        Self { entry: entry.into(), keys: Vec::new() }
    }

    /// Returns the place in a container of a place in this entry of it; an empty entry is the container itself. Names after `@` have no
    /// entry.
    #[must_use]
    pub fn inside(mut self, entry: &str) -> Self {
        self.entry = match self.entry.as_str() {
            "" => entry.to_owned(),
            own if own.starts_with('@') || entry.is_empty() => return self,
            own => format!("{entry}!{own}"),
        };
        self
    }

    /// Returns `true` if the place is in an entry, or in an entry of that.
    #[must_use]
    pub fn is_inside(&self, entry: &str) -> bool {
        self.entry.strip_prefix(entry).is_some_and(|rest| rest.is_empty() || rest.starts_with('!'))
    }

    /// Returns the entries on the way, from the file inward.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.entry.split('!').filter(|entry| !entry.is_empty())
    }
}

/// Returns `true` if a key is that of a step.
fn is_key(key: &str, step: Step) -> bool {
    match step {
        Step::Name(name) => key == name,
        Step::Index(index) => key.parse() == Ok(index),
        Step::Entry => false,
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
            // After a name, the pointer follows directly, or as after an entry.
            _ if text.starts_with('@') => {
                let (name, pointer) = text.split_once('/').unwrap_or((text, ""));
                (name.strip_suffix(':').unwrap_or(name), pointer)
            }
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
            (false, false) => {
                let colon = if entry.starts_with('@') { "" } else { ":" };
                write!(f, "{entry}{colon}/{}", keys.join("/"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_addresses_parse_again() {
        for text in
            ["/", "/head/name", "weapons.zrd:/12/3", "data!0", "data!0!term#2:/groups/1", "@dust", "@dust/emitter/0"]
        {
            let address = Address::from(text);
            assert_eq!(address.to_string(), text);
        }
    }

    #[test]
    fn entry_holds_what_is_in_it_and_a_value_what_its_keys_lead_to() {
        let holds =
            |address: &str, entry: &str, steps: &[Step]| Address::from(address).holds(entry, steps.iter().copied());
        let steps = [Step::Name("a"), Step::Index(3), Step::Name("b")];
        for (address, entry, is) in [
            ("/", "", true),
            ("/", "in", true),
            ("in:/", "in", true),
            ("in:/", "in!ner", true),
            ("in:/", "inner", false),
            ("in:/a", "in!ner", false),
            ("in:/a", "in", true),
            ("in:/a/3", "in", true),
            ("in:/a/4", "in", false),
            ("in:/b", "in", false),
            ("in:/a/3/b/c", "in", false),
        ] {
            assert_eq!(holds(address, entry, &steps), is, "{address} {entry}");
        }
    }

    #[test]
    fn place_is_inside_its_entries() {
        let inside = |entry: &str| Address::from("data!0:/a").is_inside(entry);
        assert_eq!(
            ["", "data", "data!0", "dat", "data!", "data!0!1"].map(inside),
            [false, true, true, false, false, false]
        );
    }

    #[test]
    fn place_in_an_entry_becomes_one_in_its_container() {
        let inside = |place: &str, entry: &str| Address::from(place).inside(entry).to_string();
        assert_eq!(inside("/a", "data"), "data:/a");
        assert_eq!(inside("in:/a", "data#1"), "data#1!in:/a");
        assert_eq!(inside("in:/a", ""), "in:/a");
        assert_eq!(inside("@dust/a", "data"), "@dust/a");
        assert_eq!(inside("@dust:/a", "data"), "@dust/a", "as after an entry");
        assert_eq!("in:/a/3".parse(), Ok(Address::from("in:/a/3")));
    }

    #[test]
    fn entries_lead_from_the_file_inward() {
        let entries = |place: &str| Address::from(place).entries().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!((entries("/a"), entries("a!b#2:/c")), (vec![], vec!["a".to_owned(), "b#2".to_owned()]));
    }
}
