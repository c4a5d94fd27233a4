//! Searches a model for text, including the names of what indices refer to.

use crate::field::{Datum, Group, Json, Place, Result, Step, Visitor, What, decode_text, wide};

/// Collects the strings that contain some text, ignoring case.
#[derive(Debug)]
pub struct Find {
    wanted: String,
    found: Vec<(Place, String)>,
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
        self.found.into_iter().map(|(place, text)| (place.to_string(), text)).collect()
    }

    /// Searches the strings in nested lists.
    fn texts(&mut self, json: &Json, place: &Place) {
        match json {
            Json::Text(text) => self.look(place, text),
            Json::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.texts(item, &place.with([Step::Index(wide(index))]));
                }
            }
            _ => {}
        }
    }

    fn look(&mut self, place: &Place, text: &str) {
        if text.to_lowercase().contains(&self.wanted) {
            self.found.push((place.clone(), text.to_owned()));
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
            self.texts(&(coding.show)(datum.bytes), datum.place);
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
