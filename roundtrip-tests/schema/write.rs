//! Writes the JSON Schema of a kind from what is known of its documents.

use std::collections::{BTreeMap, BTreeSet};

use ::field::{Layout, Leaf, Rule, Shape, Takes};
use bitexact::exchange::schema::POINTER;
use serde_json::{Map, Value, json};

use super::gather::{Key, Path, Seen, step};

/// Writes the schema of a kind.
pub(crate) fn write(kind: &str, seen: &BTreeMap<Path, Seen>) -> String {
    let mut writer = Writer { seen, definitions: BTreeMap::new(), again: BTreeSet::new() };
    for (path, known) in seen {
        let names = known.members.iter().flatten().map(|name| Key::Name(name.clone()));
        let inner = names.chain([Key::Item]).map(|key| step(path, key));
        writer.again.extend(inner.filter(|inner| inner.len() <= path.len() && path.starts_with(inner)));
    }
    for path in writer.again.clone() {
        let value = writer.value(&path, true);
        writer.definitions.insert(name_of(&path), value);
    }
    let root = writer.value(&Vec::new(), true);
    let mut whole = Map::new();
    whole.insert("$schema".to_owned(), "http://json-schema.org/draft-07/schema#".into());
    whole.insert("title".to_owned(), kind.into());
    whole.extend(root.as_object().cloned().unwrap_or_default());
    if !writer.definitions.is_empty() {
        whole.insert("definitions".to_owned(), json!(writer.definitions));
    }
    let mut text = String::new();
    print(&Value::Object(whole), 0, &mut text);
    text.push('\n');
    text
}

/// Returns the name of the definition of a value that contains values like itself.
fn name_of(path: &Path) -> String {
    let names = path.iter().filter_map(|key| match key {
        Key::Name(name) => Some(name.as_str()),
        Key::Item => None,
    });
    names.collect::<Vec<_>>().join(".")
}

struct Writer<'a> {
    seen: &'a BTreeMap<Path, Seen>,
    definitions: BTreeMap<String, Value>,
    /// Values that contain values like themselves.
    again: BTreeSet<Path>,
}

impl Writer<'_> {
    /// Returns the schema of the value at a path.
    fn value(&mut self, path: &Path, is_definition: bool) -> Value {
        if !is_definition && self.again.contains(path) {
            return reference(&name_of(path));
        }
        let Some(seen) = self.seen.get(path) else { return json!({}) };
        if seen.is_open {
            return json!({"type": "object"});
        }
        let mut choices: Vec<Value> = Vec::new();
        let members = self.members(path, seen);
        // `unpack` moves members, and items of lists that are members, to files of their own if they are large.
        let can_be_part = seen.is_part || matches!(path.as_slice(), [Key::Name(_)] | [Key::Name(_), Key::Item]);
        let is_object = !members.is_empty() || seen.members.is_some() || path.is_empty();
        let is_kept = members.keys().eq(["computed", "kept"]);
        for shape in &seen.shapes {
            let schema = self.shape(shape);
            if !choices.contains(&schema) {
                choices.push(schema);
            }
        }
        if is_kept {
            choices.push(kept());
        } else if is_object && seen.shapes.is_empty() && (!seen.is_list || seen.members.is_some()) {
            let mut members = members;
            if path.is_empty() || can_be_part {
                members.insert(POINTER.to_owned(), json!({"type": "string"}));
            }
            choices.push(json!({"type": "object", "additionalProperties": false, "properties": members}));
        }
        if seen.is_numbered {
            let items = self.value(&step(path, Key::Item), false);
            let mut numbered =
                json!({"type": "object", "additionalProperties": false, "patternProperties": {"^[0-9]+$": items}});
            if can_be_part {
                numbered["properties"] = json!({POINTER: {"type": "string"}});
            }
            choices.push(numbered);
        }
        if seen.is_list && !seen.shapes.iter().any(|shape| matches!(shape, Shape::Array(..))) {
            let item = step(path, Key::Item);
            let items = self.value(&item, false);
            choices.push(if items == json!({}) {
                json!({"type": "array"})
            } else {
                json!({"type": "array", "items": items})
            });
        }
        if can_be_part && (is_object || seen.is_list || seen.is_numbered || seen.is_part) {
            choices.push(reference_to("file", &mut self.definitions, || {
                json!({"type": "object", "required": ["file"], "additionalProperties": false, "properties": {"file": {"type": "string"}}})
            }));
        }
        if seen.shapes.is_empty() && !seen.types.is_empty() {
            let has_float = seen.types.contains("number");
            let types: Vec<_> = seen.types.iter().filter(|it| !(has_float && **it == "integer")).collect();
            choices.push(if let [one] = types[..] { json!({"type": one}) } else { json!({"type": types}) });
        }
        any_of(choices)
    }

    /// Returns the schemas of the members of an object.
    fn members(&mut self, path: &Path, seen: &Seen) -> BTreeMap<String, Value> {
        let mut members: BTreeMap<String, Value> = BTreeMap::new();
        for name in seen.members.iter().flatten() {
            members.insert(name.clone(), self.value(&step(path, Key::Name(name.clone())), false));
        }
        let mut own = BTreeSet::new();
        for layout in &seen.records {
            for (name, schema) in self.fields(layout) {
                let seen = self.seen.get(&step(path, Key::Name(name.clone())));
                let kept = seen.and_then(|it| it.members.as_ref()).is_some_and(|it| it.contains("kept"));
                let kept = kept.then(|| kept_in(&mut self.definitions));
                // Variants have fields of the same name.
                let is_other = !own.insert(name.clone()) || seen.is_some_and(|it| !it.shapes.is_empty());
                let other = if is_other { members.remove(&name) } else { None };
                members.insert(name, any_of(other.into_iter().chain([schema]).chain(kept).collect()));
            }
        }
        // Parts that no sample shows, because they are as expected in all.
        let inner = self.seen.keys().filter(|inner| inner.len() == path.len() + 1 && inner.starts_with(path));
        for inner in inner.cloned().collect::<Vec<_>>() {
            if let Some(Key::Name(name)) = inner.last()
                && !members.contains_key(name)
                && self.seen.get(&inner).is_some_and(|it| it.is_list || !it.records.is_empty() || !it.shapes.is_empty())
            {
                let value = self.value(&inner, false);
                members.insert(name.clone(), value);
            }
        }
        members
    }

    /// Returns the schemas of the fields of a record.
    fn fields(&mut self, layout: &'static Layout) -> Vec<(String, Value)> {
        let field = |field: &'static ::field::Field| {
            let own = match field.named {
                // The names depend on other fields.
                Some(_) => json!({"type": ["number", "string"]}),
                None => self.shape(&field.shape),
            };
            let can_be_kept = matches!(field.rule, Rule::Exact(_) | Rule::Outside | Rule::Constant(_));
            let schema = if can_be_kept { any_of(vec![own, kept_in(&mut self.definitions)]) } else { own };
            (field.name.to_owned(), schema)
        };
        layout.fields.iter().map(field).collect()
    }

    fn shape(&mut self, shape: &'static Shape) -> Value {
        match shape {
            Shape::Leaf(leaf) => plain(leaf),
            Shape::Array(of, count) => {
                json!({"type": "array", "items": self.shape(of), "minItems": count, "maxItems": count})
            }
            Shape::Record(layout) => {
                if !self.definitions.contains_key(layout.name) {
                    self.definitions.insert(layout.name.to_owned(), Value::Null);
                    let fields: Map<String, Value> = self.fields(layout).into_iter().collect();
                    let object = json!({"type": "object", "additionalProperties": false, "properties": fields});
                    self.definitions.insert(layout.name.to_owned(), object);
                }
                reference(layout.name)
            }
        }
    }
}

/// Returns the schema of a value without fields.
fn plain(leaf: &Leaf) -> Value {
    let text = json!({"type": "string"});
    let schema = match leaf.takes {
        Takes::Whole(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
        Takes::Float => {
            any_of(vec![json!({"type": "number"}), json!({"type": "string", "pattern": "^f32:[0-9a-f]{8}$"})])
        }
        Takes::Fixed => json!({"type": "number"}),
        Takes::Truth => json!({"type": "boolean"}),
        Takes::Hex => json!({"type": "string", "pattern": "^([0-9a-fA-F]{2} ?)*$"}),
        Takes::Text => json!({"type": ["string", "object"]}),
        Takes::Names(names) if names().is_empty() => json!({"type": "integer"}),
        Takes::Names(names) => any_of(vec![json!({"enum": names()}), json!({"type": "integer"})]),
        Takes::Flags(names) => {
            let one = format!("({}|0x[0-9a-fA-F]+)", names().join("|"));
            let described = format!("Any of {}, with | between them.", names().join(", "));
            any_of(vec![
                json!({"type": "string", "pattern": format!("^{one}?( *\\| *{one})*$"), "description": described}),
                json!({"type": "integer"}),
            ])
        }
        Takes::Words => json!({"type": ["string", "integer"]}),
    };
    if leaf.refers { any_of(vec![text, schema]) } else { schema }
}

/// Returns the schema of a value that deviates from its rule.
fn kept() -> Value {
    json!({"type": "object", "required": ["kept", "computed"], "additionalProperties": false, "properties": {"kept": {}, "computed": {}}})
}

fn kept_in(definitions: &mut BTreeMap<String, Value>) -> Value {
    reference_to("kept", definitions, kept)
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/definitions/{name}")})
}

/// Returns a reference to a definition, which is added if it is new.
fn reference_to(name: &str, definitions: &mut BTreeMap<String, Value>, make: impl FnOnce() -> Value) -> Value {
    definitions.entry(name.to_owned()).or_insert_with(make);
    reference(name)
}

/// Returns a schema that accepts what one of these accepts.
fn any_of(choices: Vec<Value>) -> Value {
    let mut flat: Vec<Value> = Vec::new();
    for choice in choices {
        let inner =
            choice.as_object().filter(|it| it.len() == 1).and_then(|it| it.get("anyOf")).and_then(Value::as_array);
        for one in inner.cloned().unwrap_or_else(|| vec![choice.clone()]) {
            if !flat.contains(&one) {
                flat.push(one);
            }
        }
    }
    match flat.len() {
        0 => json!({}),
        1 => flat.remove(0),
        _ => json!({"anyOf": flat}),
    }
}

/// Prints JSON with short values on one line.
fn print(value: &Value, indent: usize, text: &mut String) {
    let flat = value.to_string();
    let (Value::Object(members), true) = (value, indent + flat.len() > 120) else { return text.push_str(&flat) };
    text.push_str("{\n");
    for (nth, (name, member)) in members.iter().enumerate() {
        text.push_str(&format!("{}{}: ", " ".repeat(indent + 2), Value::from(name.as_str())));
        print(member, indent + 2, text);
        text.push_str(if nth + 1 < members.len() { ",\n" } else { "\n" });
    }
    text.push_str(&format!("{}}}", " ".repeat(indent)));
}
