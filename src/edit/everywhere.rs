//! A value at the same place in many files and entries: `*.utc:/HitPoints`.

use super::by_key::all_by_keys;
use super::by_name::{label_of, named};
use super::entries::name_in;
use super::find_parts::PartFinder;
use super::typed::typed;
use super::value::fitted;
use exchange::show;
use field::{Address, Error, Value, visit, walk};
use kind::Kind;
use kind::glob::fits;
use passes::spans;

/// A place in every file and entry with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Everywhere {
    /// The name, in which `*` stands for any text, `@` and the name of things in a file, or nothing for all files and entries.
    name: String,
    /// The keys that lead to the value in it.
    keys: Vec<String>,
}

/// A value that a file has at such a place.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ValueAt {
    /// The place in the file.
    pub at: Address,
    /// The value, or `None` if it is as expected.
    pub value: Option<Value>,
}

impl From<&str> for Everywhere {
    fn from(place: &str) -> Self {
        let Address { entry, keys } = place.into();
        Self { name: entry, keys }
    }
}

impl Everywhere {
    /// Returns `true` if the keys lead to a value in a file or an entry, not to one as a whole.
    #[must_use]
    pub fn is_of_value(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Returns `true` if the keys lead through lists by name, and no name says in which files: each of them would have to be searched.
    #[must_use]
    pub fn needs_name(&self) -> bool {
        self.name.is_empty() && self.keys.iter().any(|key| key.starts_with('@'))
    }

    /// Returns `true` if the place begins with the name of a node, a definition or a thing, and not of a file or an entry.
    #[must_use]
    pub fn is_by_name(&self) -> bool {
        self.name.starts_with('@')
    }

    /// Returns `true` if a file or an entry of this name is meant; an entry can have the names of its containers before it.
    #[must_use]
    pub fn is_meant(&self, name: &str) -> bool {
        let label = label_of(name);
        self.name.is_empty() || [name, label, name_in(label)].iter().any(|name| fits(&self.name, name, false))
    }

    /// Returns the entries of a model whose names fit, in order.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn entries<M: walk::Lay + ?Sized>(&self, model: &M) -> Result<Vec<String>, Error> {
        Ok(spans(model)?.into_keys().filter(|entry| self.is_meant(entry)).collect())
    }

    /// Returns the values at this place in a file of this name (the last part of its path) and in its entries.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn values<M: walk::Lay + ?Sized>(
        &self,
        model: &M,
        (kind, kinds): (&Kind, &'static [Kind]),
        file: &str,
    ) -> Result<Vec<ValueAt>, Error> {
        let holders = match self.name.strip_prefix('@') {
            Some(name) => named(model, (kind, kinds), name)?,
            None => {
                let own = self.is_meant(file).then(Address::default);
                own.into_iter().chain(self.entries(model)?.into_iter().map(Address::of_entry)).collect()
            }
        };
        let mut places = Vec::new();
        for holder in holders {
            let keys = [holder.keys.as_slice(), &self.keys].concat();
            places.extend(all_by_keys(model, Address { keys, ..holder })?);
        }
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let mut finder = PartFinder::new(&places);
        visit(model, &mut finder)?;
        let found = places.into_iter().zip(finder.values());
        Ok(found.filter_map(|(at, value)| Some(ValueAt { at, value: value? })).collect())
    }
}

impl ValueAt {
    /// Returns `true` if the value is the one that a person means by a word.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn is<M: walk::Lay + ?Sized>(&self, model: &M, word: &str) -> Result<bool, Error> {
        let shown = match &self.value {
            Some(value) => Some(value.clone()),
            None => show(model, &self.at.to_string(), usize::MAX)?,
        };
        Ok(shown.is_some_and(|shown| is_meant_by(&shown, word)))
    }
}

/// Returns `true` if a word, in place of a value, would leave it as it is.
fn is_meant_by(value: &Value, word: &str) -> bool {
    let new = typed(Some(value), word, false).and_then(|new| fitted(value, new));
    new.is_ok_and(|new| new == *value || value.get("kept") == Some(&new))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::edit::tests::{Sample, samples};
    use crate::registry::KINDS;
    use json::parse;
    use kind::Named;
    use passes::names;

    #[test]
    fn name_after_an_at_leads_to_everything_that_has_it() {
        let mut kinds = BTreeSet::new();
        for Sample { kind, name: file, model, .. } in samples() {
            let entries: Vec<String> = spans(&model).expect("it is laid out").into_keys().collect();
            let known = names(&model, kind, KINDS).expect("it is laid out");
            for name in known.iter().filter(|it| {
                it.of == Named::Itself && it.rank == 0 && !it.text.is_empty() && !it.text.contains(['/', ':', '~'])
            }) {
                // An entry of this name comes first.
                if entries.iter().any(|entry| label_of(entry) == name.text) {
                    continue;
                }
                let Some((_, key)) = name.place.outer() else { continue };
                let everywhere = Everywhere::from(format!("@{}/{key}", name.text).as_str());
                let values = everywhere.values(&model, (kind, KINDS), &file).expect("it is laid out");
                let is_it = |it: &ValueAt| it.at == name.place && it.is(&model, &name.text).expect("it is laid out");
                assert!(values.iter().any(is_it), "{}: {:?} at {} in {values:?}", file, name.text, name.place);
                let other = Everywhere::from(format!("@no {}/{key}", name.text).as_str());
                assert_eq!(other.values(&model, (kind, KINDS), &file), Ok(Vec::new()));
                kinds.insert(kind.name);
            }
        }
        assert!(kinds.contains("anim"), "{kinds:?}");
    }

    #[test]
    fn name_can_be_that_of_an_entry_with_or_without_its_containers() {
        let is_meant = |place: &str, name: &str| Everywhere::from(place).is_meant(name);
        assert!(is_meant("*.utc:/Str", "a.mod!boar.UTC") && is_meant("boar.utc:/Str", "boar.utc#2"));
        assert!(is_meant("/Str", "boar.utc") && is_meant("a.mod!*:/Str", "a.mod!boar.utc"));
        assert!(!is_meant("*.utc:/Str", "boar.utp") && !is_meant("boar:/Str", "boar.utc"));
        assert!(Everywhere::from("/rows/@a").needs_name() && !Everywhere::from("a.2da:/rows/@a").needs_name());
        assert!(Everywhere::from("@a/b").is_by_name() && !Everywhere::from("a:/@b").is_by_name());
        assert!(Everywhere::from("/a").is_of_value() && !Everywhere::from("a").is_of_value());
    }

    #[test]
    fn word_is_compared_with_the_value_as_it_would_be_set() {
        let is = |value: &str, word: &str| is_meant_by(&parse(value.as_bytes()).expect("JSON"), word);
        for (value, word) in [
            ("400.0", "400"),
            ("4", "4"),
            (r#""Bob""#, "Bob"),
            (r#"{"type": "short", "value": 93}"#, "93"),
            (r#"{"kept": 4, "computed": 5}"#, "4"),
            (r#"{"text": "a", "tail": "00"}"#, "a"),
        ] {
            assert!(is(value, word), "{value} {word}");
        }
        for (value, word) in
            [("400.0", "401"), ("4", "four"), (r#""Bob""#, "bob"), (r#"{"kept": 4, "computed": 5}"#, "5")]
        {
            assert!(!is(value, word), "{value} {word}");
        }
    }
}
