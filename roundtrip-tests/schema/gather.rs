//! What the documents of samples contain: the JSON of their files, and the layouts of the bytes behind it.

use std::collections::{BTreeMap, BTreeSet};

use ::field::{Layout, Shape};
use bitexact::exchange::schema::POINTER;
use bitexact::exchange::{About, Contents, MANIFEST, contents};
use bitexact::field::{Datum, Group, Place, Result, Run, Step, Visitor, What, visit};
use bitexact::passes::Sha;
use bytes::Bytes;
use serde_json::Value;

use crate::harness::Case;

/// A step into a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Name(String),
    Item,
}

/// The steps to a value. A list in an item of a list of the same name is that list again, as in a tree of nodes.
pub(crate) type Path = Vec<Key>;

/// Goes one step further in.
pub(crate) fn step(path: &Path, key: Key) -> Path {
    let named = |name: &str| Key::Name(name.to_owned());
    // The nodes below a node are like it, and those of an animation are like those of a model.
    if *path == [named("root"), named("children")] && key == Key::Item {
        return vec![named("root")];
    }
    if *path == [named("animations"), Key::Item] && key == named("root") {
        return vec![key];
    }
    // The sequence that resets an animation is one of its sequences.
    if key == named("reset_sequence") {
        return [path.as_slice(), &[named("sequences"), Key::Item]].concat();
    }
    let again = path.windows(2).position(|keys| keys[0] == key && keys[1] == Key::Item);
    match again {
        Some(at) if matches!(key, Key::Name(_)) => path[..=at].to_vec(),
        _ => [path.as_slice(), &[key]].concat(),
    }
}

/// What is known of the values at a path.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The JSON types of plain values.
    pub(crate) types: BTreeSet<&'static str>,
    /// The members of objects.
    pub(crate) members: Option<BTreeSet<String>>,
    /// `true` for an object whose names are data.
    pub(crate) is_open: bool,
    /// `true` for an object whose names are numbers. Its values are those of a list.
    pub(crate) is_numbered: bool,
    /// `true` for a list.
    pub(crate) is_list: bool,
    /// `true` if it can be a file of its own.
    pub(crate) is_part: bool,
    /// The records whose fields are members.
    pub(crate) records: Vec<&'static Layout>,
    /// The shapes of values.
    pub(crate) shapes: Vec<&'static Shape>,
}

/// What is known of the documents of each kind.
pub(crate) type Kinds = BTreeMap<String, BTreeMap<Path, Seen>>;

/// Returns the value of a document, or `None` if it is nested so deeply that other readers refuse it, too.
pub(crate) fn parse(text: &[u8]) -> Option<Value> {
    match serde_json::from_slice(text) {
        Err(error) if error.to_string().starts_with("recursion limit exceeded") => None,
        parsed => Some(parsed.expect("is JSON")),
    }
}

/// Adds what the documents of a file contain.
pub(crate) fn gather(case: &Case, kinds: &mut Kinds) {
    let model = (case.kind.decode)(case.bytes.clone().into()).expect("decodes").model;
    let about = About { kind: case.kind, games: &[], sha256: Sha::of(&case.bytes), deviations: &[] };
    let Contents { files, .. } = contents(&model, about).expect("unpacks");
    let manifest = parse(&files[MANIFEST]);
    let mut texts = Texts { files: &files, kinds };
    if let Some(data) = manifest.as_ref().and_then(|manifest| manifest.get("data")) {
        texts.see(case.kind.name, data, Vec::new());
    }
    let mut layouts = Layouts { open: vec![case.kind.name], kinds };
    visit(&model, &mut layouts).expect("is laid out");
}

/// Reads the documents.
struct Texts<'a> {
    files: &'a BTreeMap<String, Bytes>,
    kinds: &'a mut Kinds,
}

impl Texts<'_> {
    fn seen(&mut self, kind: &str, path: &Path) -> &mut Seen {
        self.kinds.entry(kind.to_owned()).or_default().entry(path.clone()).or_default()
    }

    fn see(&mut self, kind: &str, value: &Value, path: Path) {
        let plain = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(items) => {
                self.seen(kind, &path).is_list = true;
                // Trees of any depth are described as lists of anything.
                if !matches!(kind, "reader" | "text-reader") {
                    items.iter().for_each(|item| self.see(kind, item, step(&path, Key::Item)));
                }
                return;
            }
            Value::Object(members) => {
                let file = members.get("file").and_then(Value::as_str);
                let document = |file: &str| parse(self.files.get(file).filter(|_| file.ends_with(".json"))?);
                let document = file.and_then(document);
                match (document, members.get("kind").and_then(Value::as_str)) {
                    (Some(document), None) if members.len() == 1 => {
                        self.seen(kind, &path).is_part = true;
                        return self.see(kind, &document, path);
                    }
                    (Some(document), Some(entry)) => self.see(entry, &document, Vec::new()),
                    _ => {}
                }
                // The names of its members are data.
                if kind == "gff" {
                    self.seen(kind, &path).is_open = true;
                    return;
                }
                let is_number = |name: &str| name.bytes().all(|it| it.is_ascii_digit());
                if !members.is_empty() && members.keys().all(|name| name == POINTER || is_number(name)) {
                    self.seen(kind, &path).is_numbered = true;
                    let values = members.iter().filter(|(name, _)| *name != POINTER);
                    values.for_each(|(_, value)| self.see(kind, value, step(&path, Key::Item)));
                    return;
                }
                let known = self.seen(kind, &path).members.get_or_insert_default();
                known.extend(members.keys().filter(|name| *name != POINTER).cloned());
                members.iter().for_each(|(name, value)| self.see(kind, value, step(&path, Key::Name(name.clone()))));
                return;
            }
        };
        self.seen(kind, &path).types.insert(plain);
    }
}

/// Reads the layouts.
struct Layouts<'a> {
    /// The kinds of the entries around the current bytes, from the file inward.
    open: Vec<&'static str>,
    kinds: &'a mut Kinds,
}

impl Visitor for Layouts<'_> {
    fn enter(&mut self, group: Group, _: &Place, _: u64) {
        if let Group::Entry { kind, .. } = group {
            self.open.push(kind);
        }
    }

    fn leave(&mut self, group: Group, _: &Place, _: u64) {
        if let Group::Entry { .. } = group {
            self.open.pop();
        }
    }

    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let steps = datum.place.pointer().iter().map(|it| match it {
            Step::Name(name) => Key::Name((*name).to_owned()),
            Step::Index(_) | Step::Entry => Key::Item,
        });
        let path = steps.fold(Vec::new(), |path, key| step(&path, key));
        let kind = *self.open.last().expect("is in a file");
        let seen = self.kinds.entry(kind.to_owned()).or_default();
        match datum.what {
            What::Fields(layout, _) => {
                let records = &mut seen.entry(path).or_default().records;
                if !records.iter().any(|known| std::ptr::eq(*known, layout)) {
                    records.push(layout);
                }
            }
            What::Value(item) => seen.entry(path).or_default().shapes.push(&item.shape),
            What::Block(item, _) => {
                let whole = seen.entry(path.clone()).or_default();
                // Bytes are digits, not a list.
                if item.size > 1 || !matches!(item.shape, Shape::Leaf(_)) {
                    whole.is_list = true;
                    seen.entry(step(&path, Key::Item)).or_default().shapes.push(&item.shape);
                }
            }
            What::Text(_) => drop(seen.entry(path).or_default().types.insert("string")),
            // Many bytes are a file.
            What::Run(Run::Pixels) => seen.entry(path).or_default().is_part = true,
            What::Count(_) | What::Coded(..) | What::Run(_) | What::AsExpected(_) => {}
        }
        Ok(())
    }
}
