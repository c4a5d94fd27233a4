//! Searches a model for text, including the names of what indices refer to.

use crate::field::{Datum, Group, Json, Place, Result, Step, Visitor, What, decode_text};

/// Collects the strings that contain some text, ignoring case.
#[derive(Debug)]
pub struct Find {
    wanted: String,
    found: Vec<(String, String)>,
}

impl Find {
    /// Creates a search for this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { wanted: text.to_lowercase(), found: Vec::new() }
    }

    /// Returns the places of the strings found, and the strings.
    #[must_use]
    pub fn finish(self) -> Vec<(String, String)> {
        self.found
    }

    /// Searches the strings in nested lists and objects. Their keys can be names that only the file knows.
    fn texts(&mut self, json: &Json, place: &Place, way: &mut Vec<String>) {
        let inner: Vec<(String, &Json)> = match json {
            Json::Text(text) => {
                if self.fits(text) {
                    let place = place.to_string();
                    let before = if way.is_empty() { &place } else { place.strip_suffix('/').unwrap_or(&place) };
                    let way: String = way.iter().map(|key| format!("/{key}")).collect();
                    self.found.push((format!("{before}{way}"), text.to_string()));
                }
                return;
            }
            Json::List(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
            Json::Object(members) => members.iter().map(|(key, member)| (key.to_string(), member)).collect(),
            _ => return,
        };
        for (key, json) in inner {
            way.push(key);
            self.texts(json, place, way);
            way.pop();
        }
    }

    fn fits(&self, text: &str) -> bool {
        text.to_lowercase().contains(&self.wanted)
    }

    fn look(&mut self, place: &Place, text: &str) {
        if self.fits(text) {
            self.found.push((place.to_string(), text.to_owned()));
        }
    }
}

impl Visitor for Find {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if let What::Text(page) = datum.what {
            self.look(datum.place, &decode_text(page, datum.bytes));
            return Ok(());
        }
        if let What::Coded(coding, _) = datum.what {
            self.texts(&(coding.show)(datum.bytes), datum.place, &mut Vec::new());
            return Ok(());
        }
        datum.owners(&mut |owner| {
            // Fields that are shown as strings: text, four characters, names of values.
            if let Some(text) = owner.leaf.map(|leaf| (leaf.show)(owner.bytes)).as_ref().and_then(Json::text) {
                self.look(owner.place, text);
            }
        });
        if let (What::Fields(layout, _), Some(referents)) = (datum.what, datum.referents) {
            for (field, named) in layout.named_indices(datum.bytes, referents) {
                named.text().into_iter().for_each(|name| self.look(&datum.place.with([Step::Name(field.name)]), name));
            }
        }
        Ok(())
    }

    fn wants_facts(&self) -> bool {
        true
    }

    fn enter(&mut self, group: Group, place: &Place, _: u64) {
        if let (Group::Entry { .. }, Some(label)) = (group, place.labels().last()) {
            self.look(place, &label.to_string());
        }
    }
}
