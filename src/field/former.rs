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

/// Whole names of fields, flags and values: the former and the current one. The same former name can stand for several fields, so
/// these are only looked up where the current name is known.
const NAMES: [(&str, &str); 19] = [
    ("UNK_12", "FLUFF"),
    ("UNK_3", "NO_CLUTTER"),
    ("UNK_5", "WORLD_MATRIX_STALE"),
    ("id", "name_offset"),
    ("unk_14", "color_alpha"),
    ("unk_18", "depth_bias"),
    ("unk_2c", "range_delta"),
    ("unk_30", "depth_fade_start"),
    ("unk_34", "depth_fade_end"),
    ("unk_38", "depth_fade_factor"),
    ("unk_3c", "far_fade"),
    ("unk_3c", "lens_flare"),
    ("unk_3c_sq", "far_fade_sq"),
    ("unk_40", "far_fade"),
    ("unk_40_sq", "far_fade_sq"),
    ("unk_44", "flare_fade_near"),
    ("unk_48", "color_delta"),
    ("unk_48", "flare_fade_far"),
    ("unk_48", "range_fade"),
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

/// Returns the name of a former one among the current ones: in a list of names separated by `|`, that of each.
pub(super) fn renamed<'a>(former: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    let one =
        |former: &str| names.clone().find(|name| is_current(former.as_bytes(), name)).unwrap_or(former).to_owned();
    former.split('|').map(|former| one(former.trim())).collect::<Vec<_>>().join(" | ")
}

/// Returns `true` if this is the current form of a former name.
pub(super) fn is_current(former: &[u8], name: &str) -> bool {
    // All of these names begin alike, and this is called for every name that differs.
    let can_be = former.starts_with(b"unk_") || former.starts_with(b"UNK_") || former == b"id";
    can_be && NAMES.iter().any(|pair| former == pair.0.as_bytes() && name == pair.1) || is_respelled(former, name)
}

fn is_respelled(former: &[u8], name: &str) -> bool {
    // Few names are long enough and contain one of the words.
    former.len() >= name.len()
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
