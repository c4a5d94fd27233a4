//! Searches a model for text, including the names of what indices refer to.

use field::{Datum, Group, Place, Result, Step, Value, Visitor, What, decode_text};
use json::Compact;

/// Collects the strings that contain some text, or are it, ignoring case, and the numbers equal to it, if it is one.
#[derive(Debug)]
pub struct Find {
    wanted: String,
    /// Set if strings must be the text, not only contain it.
    is_whole: bool,
    number: Option<f64>,
    /// The kinds of entries that are searched; all, if there are none.
    kinds: Vec<String>,
    /// For each open entry, `true` if it is searched.
    open: Vec<bool>,
    found: Vec<(String, String)>,
}

impl Find {
    /// Creates a search for this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        Self {
            wanted: text.to_lowercase(),
            is_whole: false,
            number,
            kinds: Vec::new(),
            open: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Creates a search for the strings that are this name.
    #[must_use]
    pub fn uses(name: &str) -> Self {
        Self { is_whole: true, number: None, ..Self::new(name) }
    }

    /// Searches only entries of these kinds, and what is in them.
    #[must_use]
    pub fn only(mut self, kinds: Vec<String>) -> Self {
        self.kinds = kinds;
        self
    }

    fn is_searched(&self) -> bool {
        self.kinds.is_empty() || self.open.last().copied().unwrap_or_default()
    }

    /// Returns the places of the strings found, and the strings.
    #[must_use]
    pub fn finish(self) -> Vec<(String, String)> {
        self.found
    }

    /// Searches the strings in nested lists and objects. Their keys can be names that only the file knows.
    fn texts(&mut self, json: &Value, place: &Place, way: &mut Vec<String>) {
        if let Some(found) = self.hit(json) {
            let place = place.to_string();
            let before = if way.is_empty() { &place } else { place.strip_suffix('/').unwrap_or(&place) };
            let way: String = way.iter().map(|key| format!("/{key}")).collect();
            self.found.push((format!("{before}{way}"), found));
        }
        let inner: Vec<(String, &Value)> = match json {
            Value::List(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
            Value::Object(members) => members.iter().map(|(key, member)| (key.to_string(), member)).collect(),
            _ => return,
        };
        for (key, json) in inner {
            way.push(key);
            self.texts(json, place, way);
            way.pop();
        }
    }

    fn fits(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        if self.is_whole { text == self.wanted } else { text.contains(&self.wanted) }
    }

    /// Returns the text of a value that is found.
    fn hit(&self, json: &Value) -> Option<String> {
        if let Some(text) = json.text() {
            return self.fits(text).then(|| text.to_owned());
        }
        let wanted = self.number?;
        let number: f64 = match json {
            Value::Float(number) => *number,
            Value::Integer(_) | Value::Fixed(_) => Compact(json).to_string().parse().ok()?,
            _ => return None,
        };
        // 0.1 as a float is not 0.1 as a double, but both are typed as 0.1.
        let is_it = wanted == number || number.to_string() == wanted.to_string();
        is_it.then(|| Compact(json).to_string())
    }

    fn look(&mut self, place: &Place, text: &str) {
        if self.fits(text) {
            self.found.push((place.to_string(), text.to_owned()));
        }
    }
}

impl Visitor for Find {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if !self.is_searched() {
            return Ok(());
        }
        if let What::Text(page) = datum.what {
            self.look(datum.place, &decode_text(page, datum.bytes));
            return Ok(());
        }
        if let What::Coded(codec, _) = datum.what {
            self.texts(&(codec.show)(datum.bytes), datum.place, &mut Vec::new());
            return Ok(());
        }
        datum.owners(&mut |owner| {
            // Fields that are shown as strings: text, four characters, names of values. Others are numbers.
            if let Some(found) = owner.leaf.and_then(|leaf| self.hit(&leaf.show(owner.bytes))) {
                self.found.push((owner.place.to_string(), found));
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
        let Group::Entry { kind, .. } = group else { return };
        let is_searched = self.is_searched() || self.kinds.iter().any(|it| it == kind);
        self.open.push(is_searched);
        if let (true, Some(label)) = (self.is_searched(), place.labels().last()) {
            self.look(place, &label.to_string());
        }
    }

    fn leave(&mut self, group: Group, _: &Place, _: u64) {
        if let Group::Entry { .. } = group {
            self.open.pop();
        }
    }
}
