//! The strings of a model, and the names of resources among them.

use std::collections::BTreeSet;

use field::{Datum, Place, Result, Value, Visitor, What, decode_text};

/// Collects the strings of a model in lower case, and the values that can only be names of resources.
#[derive(Debug, Default)]
pub struct Strings {
    all: BTreeSet<String>,
    names: Vec<(String, String)>,
}

impl Strings {
    /// Returns all strings, in lower case.
    #[must_use]
    pub const fn all(&self) -> &BTreeSet<String> {
        &self.all
    }

    /// Returns the places of the fields that are names of resources, and the names.
    #[must_use]
    pub fn names(&self) -> &[(String, String)] {
        &self.names
    }

    /// Adds the words of bytes that no kind describes, such as the source of a script.
    pub fn words(&mut self, bytes: &[u8]) {
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let words = bytes.split(|byte| !is_letter(byte)).filter(|word| !word.is_empty());
        self.all.extend(words.map(|word| String::from_utf8_lossy(word).to_lowercase()));
    }

    /// Adds the strings in nested lists and objects.
    fn texts(&mut self, json: &Value, place: &Place, way: &str) {
        match json {
            Value::Text(text) => {
                self.all.insert(text.to_lowercase());
            }
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.texts(item, place, &format!("{way}/{index}"));
                }
            }
            Value::Object(members) => {
                let of = |name: &str| json.get(name).and_then(Value::text);
                if let (Some("resref"), Some(name @ [_, ..])) = (of("type"), of("value").map(str::as_bytes)) {
                    let place = place.to_string();
                    let before = place.strip_suffix('/').unwrap_or(&place);
                    self.names.push((format!("{before}{way}"), String::from_utf8_lossy(name).to_lowercase()));
                }
                members.iter().for_each(|(key, value)| self.texts(value, place, &format!("{way}/{key}")));
            }
            _ => {}
        }
    }
}

impl Visitor for Strings {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        match datum.what {
            What::Text(page) => {
                self.all.insert(decode_text(page, datum.bytes).to_lowercase());
            }
            What::Coded(codec, _) => self.texts(&(codec.show)(datum.bytes), datum.place, ""),
            _ => datum.owners(&mut |owner| {
                let text = owner.leaf.map(|leaf| leaf.show(owner.bytes));
                if let Some(text) = text.as_ref().and_then(|value| value.text().or_else(|| value.get("text")?.text())) {
                    self.all.insert(text.to_lowercase());
                }
            }),
        }
        Ok(())
    }

    fn wants_facts(&self) -> bool {
        true
    }
}
