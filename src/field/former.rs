//! Names that earlier versions wrote into the exchange format and into mods. They are still read.

#[cfg(feature = "exchange")]
use super::json::Json;

/// Parts of names: the former and the current spelling.
const SPELLINGS: [(&str, &str); 6] = [
    ("colour", "color"),
    ("COLOUR", "COLOR"),
    ("neighbour", "neighbor"),
    ("NEIGHBOUR", "NEIGHBOR"),
    ("centre", "center"),
    ("CENTRE", "CENTER"),
];

/// Returns the current name, or `None` if the name has not changed.
pub(super) fn current(name: &str) -> Option<String> {
    if name == "instead_of" {
        return Some("computed".to_owned());
    }
    let (former, current) = SPELLINGS.iter().find(|(former, _)| name.contains(former))?;
    Some(name.replace(former, current))
}

/// Returns a place, or a pattern of places, with the current names of its keys.
#[cfg(feature = "serde")]
pub(crate) fn current_place(place: &str) -> String {
    let is_name = |key: &str| key.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_');
    let renamed = |key: &str| current(key).filter(|_| is_name(key)).unwrap_or_else(|| key.to_owned());
    place.split('/').map(renamed).collect::<Vec<_>>().join("/")
}

/// Returns `true` if this is the current form of a former name with another spelling.
#[inline]
pub(super) fn is_current(former: &[u8], name: &str) -> bool {
    // This is called for every name that differs, and the words are sought only in the few that can be former ones: no word has
    // changed at its start, a name has at most two of them, and each is at most one byte shorter now.
    former.first() == name.as_bytes().first()
        && former.len().checked_sub(name.len()).is_some_and(|longer| longer <= 2)
        && SPELLINGS.iter().any(|(_, current)| name.contains(current))
        && core::str::from_utf8(former).is_ok_and(|former| current(former).is_some_and(|current| current == name))
}

#[cfg(feature = "exchange")]
impl Json {
    /// Returns the value with the current names of all its members.
    #[must_use]
    pub(crate) fn with_current_names(&self) -> Self {
        match self {
            Self::List(items) => Self::List(items.iter().map(Self::with_current_names).collect()),
            Self::Object(members) => {
                let renamed = members.iter().map(|(name, value)| {
                    (current(name).map_or_else(|| name.clone(), Into::into), value.with_current_names())
                });
                Self::Object(renamed.collect())
            }
            other => other.clone(),
        }
    }
}
