//! JSON Schemas of the documents of the exchange format, so that editors complete names and mark what `pack` would refuse.
//!
//! The schemas of the kinds are the files beside this one. A test makes them from the layout tables and from the documents of all
//! samples, and holds them against every unpacked sample (`roundtrip-tests/schema`).

mod add;
mod pointer;

use bytes::Bytes;
use serde_json::{Value, json};

use json::{At, JsonText};

pub use pointer::POINTER;
pub(crate) use pointer::{head, join};

/// The folder of the schemas in an unpacked folder. `pack` does not read it.
pub const SCHEMAS: &str = ".schema";
/// The version of JSON Schema that editors know best.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

macro_rules! schemas {
    ($($kind:literal)*) => { [$(($kind, include_str!(concat!($kind, ".json")))),*] };
}

/// The schema of each kind.
static KINDS: &[(&str, &str)] = &schemas! {
    "2da" "ambient_sounds" "anim" "annotations" "applesingle" "archive" "arsenals" "avi" "bif" "binary-2da" "bm"
    "collection" "color-table" "colors" "compressed" "computers" "directory" "early_information" "early_lights"
    "early_objects" "early_polygons" "early_sides" "effects" "endpoints" "entry" "erf" "film" "finder-information"
    "flat-wad" "gamez" "gff" "image" "indices" "information" "interp" "key" "keys" "lights" "lines" "liquids" "ltr"
    "macbinary" "mdl" "mech-27" "mech-41" "mechlib-format" "mechlib-materials" "mechlib-version" "messages" "monsters"
    "motion" "name" "ncs" "objects" "opaque" "physics" "picture" "placeholder" "placement" "platform_plans" "platforms"
    "player_physics" "plt" "points" "polygons" "projectiles" "random_sounds" "raw-picture" "reader" "resources" "rof"
    "save-activation" "save-crater" "save-crimson-header" "save-crimson-player-vehicle" "save-crimson-ui-data"
    "save-dummy" "save-header" "save-late-mission" "save-mech-activation" "save-mine" "save-mission" "save-pickup"
    "save-player" "save-quicksand" "save-running" "save-timer" "save-vehicle" "save-weapons" "save-world"
    "saved_effects" "saved_lights" "saved_monsters" "saved_objects" "saved_players" "saved_projectiles" "script"
    "scripts" "seen_lines" "seen_polygons" "set" "shapes" "shapes-patch" "short_information" "sides" "sound" "sounds"
    "sounds-patch" "ssf" "string" "string-list" "targa" "terminals" "text" "text-model" "text-reader" "texture"
    "texture-settings" "tlk" "wad" "wave" "weapons" "worlds" "zlib" "zmap"
};

/// Returns the JSON Schema (draft 7) of the documents of a kind, or `None` if the kind is unknown.
#[must_use]
pub fn schema(kind: &str) -> Option<&'static str> {
    KINDS.iter().find_map(|(name, text)| (*name == kind).then_some(*text))
}

/// Returns the kinds that have a schema, including those that are only entries.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(kind, _)| *kind)
}

/// What a document contains.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct View {
    /// The kind of the model.
    pub(crate) kind: &'static str,
    /// The part of it.
    pub(crate) part: Part,
}

/// A part of a model that a document contains.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The manifest, with the whole model as a member.
    Manifest,
    /// The whole model.
    Whole,
    /// The value that these keys lead to, separated by `/`.
    Member(String),
    /// An item of the list that these keys lead to.
    Item(String),
}

impl View {
    /// Returns the path of its schema from a file.
    pub(crate) fn pointer(&self, file: &str) -> String {
        format!("{}{SCHEMAS}/{}", "../".repeat(file.matches('/').count()), self.file())
    }

    /// Returns the path of its schema in the folder of schemas.
    fn file(&self) -> String {
        let kind = self.kind;
        let name = |keys: &str| keys.replace('/', ".");
        match &self.part {
            Part::Manifest => format!("{kind}.manifest.json"),
            Part::Whole => format!("{kind}.json"),
            Part::Member(keys) => format!("{kind}.{}.json", name(keys)),
            Part::Item(keys) => format!("{kind}.{}.item.json", name(keys)),
        }
    }

    /// Returns its schema. One of a part that the schema of the kind does not know accepts everything.
    fn schema(&self) -> Option<Bytes> {
        let text = schema(self.kind)?;
        let of_part = |keys: &str, more: &[&str]| {
            let whole = JsonText::index(Bytes::from_static(text.as_bytes())).ok()?;
            let steps: Vec<&str> =
                keys.split('/').flat_map(|key| ["properties", key]).chain(more.iter().copied()).collect();
            let found = pointer(&whole, &steps)
                .map_or_else(|| json!({}), |at| json!({"$ref": format!("{}.json#{at}", self.kind)}));
            Some(found)
        };
        let found = match &self.part {
            Part::Whole => return Some(Bytes::from_static(text.as_bytes())),
            Part::Manifest => Some(manifest(self.kind)),
            Part::Member(keys) => of_part(keys, &[]),
            Part::Item(keys) => of_part(keys, &["items"]),
        };
        serde_json::to_vec_pretty(&found?).ok().map(Bytes::from)
    }
}

/// Returns the JSON pointer of the schema at these steps. Each step can be in the referenced schema or in one of the alternatives.
fn pointer(whole: &JsonText, steps: &[&str]) -> Option<String> {
    let (mut at, mut value) = (String::new(), whole.root());
    for step in steps {
        (at, value) = within(whole, at, value, step, 8)?;
    }
    Some(at)
}

/// Goes one step into a schema.
fn within(whole: &JsonText, at: String, value: At, step: &str, depth: usize) -> Option<(String, At)> {
    let depth = depth.checked_sub(1)?;
    if let Some(inner) = whole.member(value, step) {
        return Some((format!("{at}/{step}"), inner));
    }
    let target = whole.member(value, "$ref").and_then(|target| whole.text(target));
    if let Some(target) = target.as_ref().and_then(|target| target.strip_prefix('#')) {
        let mut names = target.split('/').skip(1);
        let inner = names.try_fold(whole.root(), |value, name| whole.member(value, name))?;
        return within(whole, target.to_owned(), inner, step, depth);
    }
    let choices = whole.items(whole.member(value, "anyOf")?);
    choices.enumerate().find_map(|(nth, choice)| within(whole, format!("{at}/anyOf/{nth}"), choice, step, depth))
}

/// Returns the schema of the manifest of a kind.
fn manifest(kind: &str) -> Value {
    json!({
        "$schema": DRAFT,
        "type": "object",
        "required": ["schema", "kind"],
        "additionalProperties": false,
        "properties": {
            POINTER: {"type": "string"},
            "schema": {"type": "integer", "description": "The version of the exchange format."},
            "kind": {"const": kind},
            "games": {"type": "array", "description": "The games that can have the original. Not read by pack."},
            "sha256": {"type": "string", "description": "The hash of the original."},
            "encoding": {"type": "string", "description": "The encoding of the texts, if it is not the usual one."},
            "deviations": {"type": "array", "description": "Deviations of the original. Not read by pack."},
            "file": {"type": "string", "description": "The file with the bytes of the model."},
            "data": {"$ref": format!("{kind}.json")},
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointer_follows_references_and_alternatives() {
        let whole = json!({
            "properties": {"a": {"anyOf": [{"type": "string"}, {"items": {"$ref": "#/definitions/x"}}]}},
            "definitions": {"x": {"properties": {"b": {}}}},
        });
        let whole = JsonText::index(whole.to_string().into()).expect("JSON");
        assert_eq!(pointer(&whole, &["properties", "a", "items"]).as_deref(), Some("/properties/a/anyOf/1/items"));
        let inner = ["properties", "a", "items", "properties", "b"];
        assert_eq!(pointer(&whole, &inner).as_deref(), Some("/definitions/x/properties/b"));
        assert_eq!(pointer(&whole, &["properties", "c"]), None);
    }
}
