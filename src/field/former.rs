//! Names and values that earlier versions wrote into the exchange format and into mods. They are still read.

#[cfg(feature = "exchange")]
use smol_str::SmolStr;

#[cfg(feature = "exchange")]
use super::json::Json;
#[cfg(feature = "exchange")]
use super::page::WORDS;

/// The member with the words of a line.
#[cfg(feature = "exchange")]
const WORDS_OF: &str = "words";

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
const NAMES: [(&str, &str); 25] = [
    ("UNK_12", "FLUFF"),
    ("UNK_3", "NO_CLUTTER"),
    ("UNK_5", "WORLD_MATRIX_STALE"),
    ("hits", "ace_kills"),
    ("id", "name_offset"),
    ("shots", "kills"),
    ("total_hits", "gun_hits"),
    ("total_shots", "gun_shots"),
    ("unk_00", "sample_ptr"),
    ("unk_14", "color_alpha"),
    ("unk_18", "depth_bias"),
    ("unk_28", "ownership"),
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

/// Returns the name of the index beside which a member with this name was the name of what it refers to.
#[cfg(feature = "exchange")]
pub(crate) fn former_index(name: &str) -> Option<&str> {
    if name == "texture" { Some("texture_index") } else { name.strip_suffix("_name") }
}

/// Returns `true` if a name is a former one, at least of some fields.
#[cfg(feature = "exchange")]
pub(crate) fn is_former(name: &str) -> bool {
    current(name).is_some() || NAMES.iter().any(|(former, _)| *former == name)
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
    // Most of these names begin alike, and this is called for every name that differs.
    let can_be = former.starts_with(b"unk_")
        || former.starts_with(b"UNK_")
        || matches!(former, b"id" | b"shots" | b"hits" | b"total_shots" | b"total_hits");
    can_be && NAMES.iter().any(|pair| former == pair.0.as_bytes() && name == pair.1) || is_respelled(former, name)
}

/// Returns `true` if this is the current form of a former name, also of a name that is not that of a field.
#[cfg(feature = "exchange")]
fn became(former: &str, name: &str) -> bool {
    is_current(former.as_bytes(), name) || current(former).is_some_and(|current| current == name)
}

#[inline]
fn is_respelled(former: &[u8], name: &str) -> bool {
    // The words are sought only in the few names that can be former ones: no word has changed at its start, a name has at most two of
    // them, and each is at most one byte shorter now.
    former.first() == name.as_bytes().first()
        && former.len().checked_sub(name.len()).is_some_and(|longer| longer <= 2)
        && SPELLINGS.iter().any(|(_, current)| name.contains(current))
        && core::str::from_utf8(former).is_ok_and(|former| current(former).is_some_and(|current| current == name))
}

#[cfg(feature = "exchange")]
impl Json {
    /// Returns the current name of a member with a former name, or `None` if this object has none.
    #[must_use]
    pub(crate) fn renamed_member(&self, former: &str) -> Option<&str> {
        let Self::Object(members) = self else { return None };
        let names = || members.iter().map(|(name, _)| name.as_str());
        names().all(|name| name != former).then(|| names().find(|name| became(former, name)))?
    }

    /// Returns `true` if this value, that of the member `name` if it is one, equals another one, in which names and values can be former
    /// ones.
    #[must_use]
    pub(crate) fn is_current_form_of(&self, former: &Self, name: &str) -> bool {
        match (self, former) {
            (Self::List(items), Self::List(former)) => {
                items.len() == former.len()
                    && items.iter().zip(former).all(|(item, it)| item.is_current_form_of(it, ""))
            }
            // The NULs after words were written, and empty words between others in quotes.
            (Self::Text(text), Self::Text(former)) if name == WORDS_OF => {
                text == former || WORDS.encode(former).is_some_and(|words| WORDS.decode(&words) == *text)
            }
            (Self::Object(members), Self::Object(former)) => {
                let is_it = |was: &str, (name, _): &&(SmolStr, Self)| *name == *was || became(was, name);
                // Members mostly have the same order.
                let find = |at: usize, was: &str| {
                    members.get(at).filter(|it| is_it(was, it)).or_else(|| members.iter().find(|it| is_it(was, it)))
                };
                let has = |(at, (was, it)): (usize, &(SmolStr, Self))| {
                    find(at, was).is_some_and(|(name, value)| value.is_current_form_of(it, name))
                };
                members.len() == former.len() && former.iter().enumerate().all(has)
            }
            (Self::Named(Some(name), _), Self::Text(former)) => {
                **name == **former || **name == *renamed(former, name.split(" | "))
            }
            _ => self == former,
        }
    }
}

#[cfg(all(test, feature = "exchange"))]
mod tests {
    use super::*;

    #[test]
    fn former_names_become_the_current_ones() {
        assert_eq!(["texture", "mesh_name", "name"].map(former_index), [Some("texture_index"), Some("mesh"), None]);
        assert_eq!(
            ["/colour/3/centre_x", "/Colour/COLOUR", "/a/unk_30", "/neighbour.zrd"].map(current_place),
            ["/color/3/center_x", "/Colour/COLOUR", "/a/unk_30", "/neighbour.zrd"],
        );
        assert!(["colour", "unk_12", "UNK_12"].map(is_former) == [true, false, true] && !is_former("color"));
        for (former, name, is) in [
            ("unk_30", "depth_fade_start", true),
            ("unk_30", "depth_fade_end", false),
            ("id", "name_offset", true),
            ("start_colour", "start_color", true),
            ("colour_of_colour", "color_of_color", true),
            ("start_colour", "end_color", false),
            ("start_color", "start_color", false),
        ] {
            assert_eq!(is_current(former.as_bytes(), name), is, "{former} {name}");
        }
    }

    #[test]
    fn values_of_earlier_versions_equal_the_current_ones() {
        let flags = |bits: i64, names: &str| Json::Named(Some(names.into()), bits);
        let text = |text: &str| Json::Text(text.into());
        let object = |name: &'static str, value: Json| Json::from([(name, value)]);
        for (now, former, is) in [
            (flags(5, "FLUFF | OTHER"), text("UNK_12 | OTHER"), true),
            (flags(5, "FLUFF | OTHER"), text("FLUFF | OTHER"), true),
            (flags(5, "FLUFF | OTHER"), text("UNK_3 | OTHER"), false),
            (object("color", text("a")), object("colour", text("a")), true),
            (object("color", text("a")), object("colour", text("b")), false),
            (object("color", text("a")), object("center", text("a")), false),
            (vec![flags(4, "FLUFF")].into(), vec![text("UNK_12")].into(), true),
            (vec![flags(4, "FLUFF")].into(), Json::List(vec![]), false),
            // The NULs after words were written, in the member of words only.
            (object("words", text("go to")), object("words", text("go\0to\0")), true),
            (object("words", text("go to")), object("words", text("go\0on\0")), false),
            (object("other", text("go to")), object("other", text("go\0to\0")), false),
            (object("words", text("go to")), object("words", text("go on")), false),
            (object("words", text("go,,to")), object("words", text("go \"\" to")), true),
            (object("other", text("go,,to")), object("other", text("go \"\" to")), false),
        ] {
            assert_eq!(now.is_current_form_of(&former, ""), is, "{now} {former}");
        }
    }
}
