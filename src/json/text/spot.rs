//! The line and column of a value in the file of its document, computed only when an error needs them.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::parse::{is_first, line_and};
use super::super::read::object;
use super::super::tokens::{At, INSIDE, narrow, position};
use super::origin::{Joined, Origin, PARTS, Source, Sources};
use super::{JsonText, Member};
use crate::keys::keys_to;
use field::{LoadError, Spot, Value};

impl Source {
    /// Returns the text with an index. It has had one before, so the numbers of its values are the same.
    fn indexed(&self) -> Option<JsonText> {
        JsonText::index_on(1, Origin::File(self.file.clone()), self.text.clone()).ok()
    }
}

impl Sources {
    /// Returns the sources of a document, or `None` if it was not made of text.
    pub(crate) fn of<'t>(text: &JsonText, at: At, parts: impl Iterator<Item = &'t JsonText>) -> Option<Self> {
        let mut sources = match &text.inner.origin {
            Origin::Nowhere => return None,
            Origin::File(file) => {
                let whole = Source { file: file.clone(), text: text.inner.text.clone(), at };
                Self { whole, parts: Vec::new() }
            }
            Origin::Text(sources) => sources.clone(),
        };
        let files = parts.filter_map(|part| match &part.inner.origin {
            Origin::File(file) => Some(Source { file: file.clone(), text: part.inner.text.clone(), at: part.root() }),
            Origin::Nowhere | Origin::Text(_) => None,
        });
        sources.parts.extend(files);
        Some(sources)
    }

    /// Returns the position that keys lead to; see [`JsonText::spot_of`].
    pub(crate) fn spot_of(&self, keys: &[String], is_name: bool) -> Option<Spot> {
        self.spot_with(keys, is_name, &|_| None)
    }

    /// Returns the position that keys lead to, if other parts are known as well.
    fn spot_with(&self, keys: &[String], is_name: bool, other: &dyn Fn(&str) -> Option<JsonText>) -> Option<Spot> {
        let own = |file: &str| self.parts.iter().find(|part| *part.file == *file)?.indexed();
        self.whole.indexed()?.spot_of(self.whole.at, keys, is_name, &|file| own(file).or_else(|| other(file)))
    }
}

impl JsonText {
    /// Returns the position of a value that does not fit, or of what should contain it; `None` if the text has no file.
    pub fn spot_of_misfit(&self, misfit: &LoadError) -> Option<Spot> {
        self.spot_of(self.root(), &keys_to(misfit), !misfit.surplus.is_empty(), &|_| None)
    }

    /// Creates the text of values that were made from values in this text and its parts, which errors refer to.
    pub fn remade(&self, json: &Value, sources: Option<Sources>) -> Self {
        Self::with_origin(json, sources.map_or(Origin::Nowhere, Origin::Text))
    }

    /// Parses a document or the value that is all of it, with its parts in place of the objects that name them. `take` returns the
    /// text of a part, given its file.
    ///
    /// # Errors
    /// Returns an error if [`json`](Self::json) does.
    pub fn whole(&self, at: At, take: &mut dyn FnMut(&str) -> Option<Self>) -> Result<Joined, String> {
        let mut parts: Vec<Self> = Vec::new();
        let mut files: HashMap<String, usize> = HashMap::new();
        let json = self.with_parts(at, &mut |file| {
            if !files.contains_key(file)
                && let Some(part) = take(file)
            {
                files.insert(file.to_owned(), parts.len());
                parts.push(part);
            }
            files.get(file).and_then(|part| parts.get(*part)).cloned()
        })?;
        Ok(Joined { json, sources: Sources::of(self, at, parts.iter()) })
    }

    /// Parses like [`whole`](Self::whole), with parts that can be requested several times.
    pub(crate) fn with_parts(&self, at: At, part: &mut dyn FnMut(&str) -> Option<Self>) -> Result<Value, String> {
        self.below(at, 0, part)
    }

    /// Parses a value at a depth in its document.
    fn below(&self, at: At, depth: usize, part: &mut dyn FnMut(&str) -> Option<Self>) -> Result<Value, String> {
        if depth >= PARTS {
            return self.json(at);
        }
        let mut inner = |at| match self.file_named(at).and_then(|file| part(&file)) {
            Some(text) => text.below(text.root(), depth + 1, &mut *part),
            None => self.below(at, depth + 1, &mut *part),
        };
        if self.is_object(at) {
            let member = |member: Member| Ok((self.name(&member).into(), inner(member.value)?));
            let members = self.members(at).map(member).collect::<Result<_, String>>()?;
            return object(members).map_err(|name| format!("duplicate key {name:?}"));
        }
        if self.is_list(at) {
            return self.items(at).map(inner).collect::<Result<_, String>>().map(Value::List);
        }
        self.json(at)
    }

    /// Returns the position where a value begins, or `None` if the text has no file.
    pub fn spot(&self, at: At) -> Option<Spot> {
        let Origin::File(file) = &self.inner.origin else { return None };
        let (line, column) = line_and(is_first, &self.inner.text, position(self.start(at)));
        Some(Spot::new(file.clone(), line, column))
    }

    /// Returns the position where a member begins, or `None` if the text has no file.
    pub fn spot_of_name(&self, member: &Member) -> Option<Spot> {
        self.spot(name_of(member))
    }

    /// Returns the position of the value at these keys, or of the last existing value on the way, which should contain the next one.
    /// If all keys exist and `is_name`, returns that of the member's name. An object that only names a part is replaced by the part.
    pub(crate) fn spot_of(
        &self,
        from: At,
        keys: &[String],
        is_name: bool,
        part: &dyn Fn(&str) -> Option<Self>,
    ) -> Option<Spot> {
        if let Origin::Text(sources) = &self.inner.origin {
            return sources.spot_with(keys, is_name, part);
        }
        let (mut text, mut at) = (Cow::Borrowed(self), from);
        let last = keys.len().checked_sub(1);
        for (index, key) in keys.iter().enumerate() {
            let stepped = text.step(at, key).or_else(|| {
                // A value with members beside it can be a part.
                let inner = part(&text.file_named(text.member(at, "value")?)?)?;
                (text, at) = (Cow::Owned(inner), At(0));
                text.step(at, key)
            });
            let Some((name, value)) = stepped else { break };
            if let Some(name) = name.filter(|_| is_name && Some(index) == last) {
                return text.spot(name);
            }
            at = value;
            if let Some(inner) = text.file_named(at).and_then(|file| part(&file)) {
                (text, at) = (Cow::Owned(inner), At(0));
            }
        }
        text.spot(at)
    }

    /// Returns the name and the value of a member, or an item.
    fn step(&self, at: At, key: &str) -> Option<(Option<At>, At)> {
        if self.is_list(at) {
            return self.items(at).nth(key.parse().ok()?).map(|item| (None, item));
        }
        let found = |member: Member| (Some(name_of(&member)), member.value);
        let named = |name: &str| self.members(at).find(|member| self.is_named(member, name));
        // If a value has members beside it, the value is a member.
        named(key).map(found).or_else(|| self.step(named("value")?.value, key))
    }

    /// Returns the file named by an object that contains nothing else.
    pub(crate) fn file_named(&self, at: At) -> Option<String> {
        let mut members = self.is_object(at).then(|| self.members(at))?;
        let member = members.next().filter(|member| self.is_named(member, "file"))?;
        if members.next().is_some() { None } else { self.text(member.value).map(Cow::into_owned) }
    }

    /// Returns the file that an object names although it has other members, and the first of these. The description of an entry also
    /// has a kind, and does not name a part.
    pub(crate) fn beside_file(&self, at: At) -> Option<(Cow<'_, str>, Member)> {
        let mut members = self.is_object(at).then(|| self.members(at))?;
        let (first, second) = (members.next()?, members.next()?);
        let is_file = |member: &Member| self.is_named(member, "file");
        let (file, other) = match (is_file(&first), is_file(&second)) {
            (true, _) => (first, second),
            (false, true) => (second, first),
            (false, false) => return None,
        };
        if self.member(at, "kind").is_some() { None } else { Some((self.text(file.value)?, other)) }
    }

    /// Returns the first duplicate name in an object: its line, its column in bytes, and the name.
    pub(super) fn second(&self) -> Option<(usize, usize, String)> {
        let last = self.inner.found.tokens.len().saturating_sub(1);
        let tokens = core::iter::successors(Some(0), |token| {
            let at = At(narrow(*token));
            Some(token + if self.is_object(at) || self.is_list(at) { INSIDE } else { 1 })
        });
        let objects = tokens.take_while(|token| *token < last).map(|token| At(narrow(token)));
        let second = objects.filter(|at| self.is_object(*at)).filter_map(|object| {
            let mut names = rustc_hash::FxHashSet::default();
            self.members(object).find(|member| !names.insert(self.name(member)))
        });
        let member = second.min_by_key(|member| member.value.0)?;
        let before = self.inner.text.get(..position(member.name.0))?;
        let (line, column) = line_and(|_| true, before, before.len().saturating_sub(1));
        Some((line, column, self.name(&member).into_owned()))
    }
}

/// Returns the token of the name of a member: the one before that of its value.
fn name_of(member: &Member) -> At {
    At(member.value.0.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use field::{Error, Fault, Place};

    #[test]
    fn position_is_a_line_and_a_column_in_characters() {
        let file = Bytes::from_static("{\n \"é\": [1,\n  \"ü\", {\"b\": 2}]}".as_bytes());
        let text = JsonText::index_file(1, "a.json", file).expect("JSON");
        let keys = |keys: &str| keys.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let spot = |to: &str, is_name| text.spot_of(text.root(), &keys(to), is_name, &|_| None);
        for (to, is_name, line, column) in [
            ("é", false, 2, 7),
            ("é", true, 2, 2),
            ("é 1", false, 3, 3),
            ("é 2 b", false, 3, 14),
            ("é 2 b", true, 3, 9),
        ] {
            let spot = spot(to, is_name).expect("is in the text");
            assert_eq!((spot.file(), spot.line(), spot.column()), ("a.json", line, column), "{to}");
            assert_eq!(spot.to_string(), format!("a.json:{line}:{column}"));
        }
        // An error names its file once.
        let beside = |file: &str| {
            let fault = Fault::Beside { file: file.to_owned(), why: "is wrong".to_owned() };
            Error::in_exchange(Place::default(), fault).with_spot(spot("é", false)).to_string()
        };
        assert_eq!(["a.json", "b.png"].map(beside), ["a.json:2:7: is wrong", "a.json:2:7: b.png: is wrong"]);
    }
}
