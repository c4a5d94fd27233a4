//! Loads a model from the text of documents of the exchange format.
//!
//! Expected values can be left out: reserved fields get their constants, exact rules compute their values. A preserved value that
//! differs from the computed one, `{"kept": 401.0, "computed": 400.0}`, is preserved as long as its rule computes the same value
//! as before; a plain value in its place is used unchanged. A member that no field reads is refused.

use smol_str::SmolStr;

use super::describe::Describe as _;
use super::flat::Flat;
use super::recomputation::Kept;
use super::scan::{Token, is_said};
use super::text::{JsonText, Member, is_same};
use super::tokens::At;
use field::{
    Field, Layout, Leaf, LoadError, Loaded, ReplacedField, Rule, Shape, Source as _, Step, Takes, Thresholds, Value,
};

/// The work and the reports that loading leaves for later.
#[derive(Debug, Default)]
pub struct Loading {
    /// The steps to the value that is being loaded.
    trail: Vec<Step>,
    /// Fields that wait for their container.
    pub kept: Vec<Kept>,
    /// Preserved values that have been replaced.
    pub replaced: Vec<ReplacedField>,
    /// Fields for which names were given instead of indices: the steps to each, and the name.
    pub references: Vec<(Vec<Step>, SmolStr)>,
    /// Scratch space for computed values.
    buffer: Vec<u8>,
    /// Scratch space for the values of the fields of a record.
    rooms: Vec<Vec<Option<At>>>,
}

impl Loading {
    fn misfit(&self, expected: impl Into<String>, found: String) -> LoadError {
        LoadError::new(self.trail.clone(), expected, found)
    }

    fn within<T>(&mut self, step: Step, load: impl FnOnce(&mut Self) -> Loaded<T>) -> Loaded<T> {
        self.trail.push(step);
        let outcome = load(self);
        self.trail.pop();
        outcome
    }

    /// Returns scratch space for the values of the fields of a record.
    pub(super) fn room(&mut self, layout: &Layout) -> Vec<Option<At>> {
        let mut values = self.rooms.pop().unwrap_or_default();
        values.clear();
        values.resize(layout.fields.len(), None);
        values
    }

    /// Returns the value of a leaf.
    fn json(&self, text: &JsonText, at: At) -> Loaded<Value> {
        text.json(at).map_err(|found| self.misfit("a value", found))
    }

    fn load_leaf(&mut self, leaf: &Leaf, text: &JsonText, at: At, bytes: &mut [u8]) -> Loaded {
        if leaf_scans(leaf, text, at, bytes) {
            return Ok(());
        }
        // The things with names may not be loaded yet.
        if let Some(name) = Token(text.text_from(at)).text().filter(|_| leaf.refers) {
            self.references.push((self.trail.clone(), name.into()));
            return Ok(());
        }
        // Unusual forms of numbers and strings become the usual ones.
        let json = self.json(text, at)?;
        if let Err(expected) = leaf.set(&json, bytes) {
            let takes_text = matches!(leaf.takes, Takes::Text | Takes::Words);
            let found = if takes_text { json.describe_text() } else { json.describe() };
            return Err(self.misfit(expected, found));
        }
        // A longer string displaces its tail: report the change if the object contains both.
        if let Value::Object(_) = json {
            let now = leaf.show(bytes);
            if now != json {
                self.replaced.push(ReplacedField { steps: self.trail.clone(), was: json, now });
            }
        }
        Ok(())
    }

    /// Sets a value of this shape from text, which must not contain anything else there.
    ///
    /// # Errors
    /// Returns an error if the text does not fit.
    pub fn load(&mut self, shape: &Shape, text: &JsonText, at: At, bytes: &mut [u8]) -> Loaded {
        match shape {
            Shape::Leaf(leaf) => self.load_leaf(leaf, text, at, bytes),
            Shape::Record(layout) => self.load_whole(layout, text, at, bytes),
            Shape::Array(of, count) => {
                let misfit = |it: &Self| Err(it.misfit(format!("a list of {count}"), text.describe(at)));
                if !text.is_list(at) {
                    return misfit(self);
                }
                let (mut rows, mut items, mut index) = (bytes.chunks_exact_mut(of.size().max(1)), text.items(at), 0);
                loop {
                    match (items.next(), rows.next()) {
                        (None, None) => return Ok(()),
                        // Most items are numbers, which need no trail.
                        (Some(item), Some(row)) => {
                            if !scans(of, text, item, row) {
                                self.within(Step::Index(index), |loading| loading.load(of, text, item, row))?;
                            }
                        }
                        _ => return misfit(self),
                    }
                    index += 1;
                }
            }
        }
    }

    /// Sets an absent value, if its shape allows that.
    ///
    /// # Errors
    /// Returns an error with the expected value.
    pub fn load_nothing(&self, shape: &Shape, bytes: &mut [u8]) -> Loaded {
        let expected = match shape {
            Shape::Leaf(leaf) => match leaf.set(&Value::Null, bytes) {
                Ok(()) => return Ok(()),
                Err(expected) => expected,
            },
            Shape::Record(_) => "an object".to_owned(),
            Shape::Array(_, count) => format!("a list of {count}"),
        };
        Err(self.misfit(expected, Value::Null.describe()))
    }

    /// Loads any number of values of this shape from a list.
    ///
    /// # Errors
    /// Returns an error if the text does not fit.
    pub fn load_block(&mut self, shape: &Shape, text: &JsonText, at: At) -> Loaded<Vec<u8>> {
        if !text.is_list(at) {
            return Err(self.misfit("a list", text.describe(at)));
        }
        let size = shape.size();
        // A short text with many items must not reserve much memory before it is refused.
        let most = Thresholds::here().bytes_reserved;
        let mut bytes = Vec::with_capacity(text.count(at).saturating_mul(size).min(most));
        for (index, item) in (0..).zip(text.items(at)) {
            let begin = bytes.len();
            bytes.resize(begin + size, 0);
            let row = bytes.get_mut(begin..).unwrap_or_default();
            if !scans(shape, text, item, row) {
                self.within(Step::Index(index), |loading| loading.load(shape, text, item, row))?;
            }
        }
        bytes.shrink_to_fit();
        Ok(bytes)
    }

    /// Sets a record from an object that has no members except for its fields.
    fn load_whole(&mut self, layout: &Layout, text: &JsonText, at: At, record: &mut [u8]) -> Loaded {
        if !text.is_object(at) {
            return Err(self.misfit("an object", text.describe(at)));
        }
        let mut values = self.room(layout);
        // Members are mostly in the order of the fields.
        let mut next = 0;
        for member in text.members(at) {
            let field = named(layout, text, &member, next);
            match field.and_then(|index| values.get_mut(index)) {
                Some(slot @ None) => *slot = Some(member.value),
                other => {
                    let (name, found) = (text.name(&member).into_owned(), text.describe(member.value));
                    return Err(match other {
                        Some(_) => self.misfit(format!("no second member {name}"), found),
                        None => LoadError::surplus(self.trail.clone(), vec![name], found),
                    });
                }
            }
            next = field.unwrap_or(next) + 1;
        }
        self.load_fields(layout, values, text, record)
    }

    /// Sets the fields of a record from their values.
    ///
    /// # Errors
    /// Returns an error if a value does not fit or a field is missing.
    pub(super) fn load_fields(
        &mut self,
        layout: &Layout,
        values: Vec<Option<At>>,
        text: &JsonText,
        record: &mut [u8],
    ) -> Loaded {
        let waits = layout.waits_for_container();
        // Rules and dependent names come last: a rate is stored before the time that its rule reads.
        for reads in [false, true].into_iter().take(if layout.reads { 2 } else { 1 }) {
            let fields = layout.fields.iter().zip(&values);
            for (field, value) in fields.filter(|(field, _)| field.reads() == reads) {
                // Most fields are free, and most values are numbers.
                if let (Rule::Free, Some(at)) = (field.rule, value)
                    && scans(field.shape_in(record), text, *at, field.of_mut(record))
                {
                    continue;
                }
                self.within(Step::Name(field.name), |loading| loading.load_field(field, text, *value, record, waits))?;
            }
        }
        self.rooms.push(values);
        Ok(())
    }

    fn load_field(
        &mut self,
        field: &'static Field,
        text: &JsonText,
        value: Option<At>,
        record: &mut [u8],
        waits: bool,
    ) -> Loaded {
        field.of_mut(record).fill(0);
        match (field.rule, value) {
            (Rule::Advisory(_), Some(at)) if asks_to_recompute(text, at) => self.follow(field, record),
            (Rule::Constant(_), None) => self.follow(field, record),
            (Rule::Free | Rule::Advisory(_), None) => {
                if !field.is_usual(field.of_mut(record)) {
                    return Err(self.misfit("a value", Value::Null.describe()));
                }
            }
            (Rule::Free | Rule::Advisory(_) | Rule::Constant(_), Some(at)) => {
                self.load(field.shape_in(record), text, at, field.of_mut(record))?;
            }
            // Its rule can read a field that its container has not filled in yet.
            (Rule::Exact(_), None) if waits => {}
            (Rule::Exact(_), Some(at)) if waits => {
                let kept = self.load_kept(field, text, at)?;
                self.kept.push(kept);
            }
            (Rule::Exact(_), None) => self.follow(field, record),
            (Rule::Exact(_), Some(at)) => {
                self.follow(field, record);
                let kept = self.load_kept(field, text, at)?;
                let value = field.of_mut(record);
                if kept.computed.as_ref().is_none_or(|it| it == value) {
                    value.copy_from_slice(&kept.value);
                } else {
                    let (was, now) = (field.shape.show(&kept.value), field.shape.show(value));
                    self.replaced.push(ReplacedField { steps: kept.steps, was, now });
                }
            }
            (Rule::Outside, None) => {}
            (Rule::Outside, Some(at)) => {
                let kept = self.load_kept(field, text, at)?;
                field.of_mut(record).copy_from_slice(&kept.value);
                self.kept.push(kept);
            }
        }
        Ok(())
    }

    /// Sets the value that the rule computes.
    fn follow(&mut self, field: &Field, record: &mut [u8]) {
        if let Some(expected) = field.expected(record, &mut self.buffer) {
            field.of_mut(record).copy_from_slice(expected);
        }
    }

    /// Loads the stated value of a field that a rule computes.
    fn load_kept(&mut self, field: &Field, text: &JsonText, at: At) -> Loaded<Kept> {
        let load = |it: &mut Self, at| {
            let mut value = vec![0; field.shape.size()];
            it.load(&field.shape, text, at, &mut value).map(|()| value)
        };
        let (value, computed) = match (text.member(at, "kept"), text.member(at, "computed")) {
            (Some(kept), Some(before)) => {
                if let Some(other) = text.members(at).find(|it| it.value != kept && it.value != before) {
                    let (name, found) = (text.name(&other).into_owned(), text.describe(other.value));
                    return Err(LoadError::surplus(self.trail.clone(), vec![name], found));
                }
                let depth = self.trail.len();
                let mut load_member =
                    |name, at| load(self, at).map_err(|misfit| LoadError { of_kept: Some((depth, name)), ..misfit });
                let before = load_member("computed", before)?;
                (load_member("kept", kept)?, Some(before))
            }
            _ => (load(self, at)?, None),
        };
        Ok(Kept { steps: self.trail.clone(), computed, value })
    }
}

/// Sets a value without fields straight from its text. Returns `false` if that did not work.
#[inline]
fn scans(shape: &Shape, text: &JsonText, at: At, bytes: &mut [u8]) -> bool {
    if let Shape::Leaf(leaf) = shape { leaf_scans(leaf, text, at, bytes) } else { false }
}

/// Sets a leaf straight from its text. Returns `false` if that did not work, or if the value now differs from the text.
#[inline]
fn leaf_scans(leaf: &Leaf, text: &JsonText, at: At, bytes: &mut [u8]) -> bool {
    let value = text.text_from(at);
    match (leaf.load)(&Token(value), bytes) {
        Ok(()) => value.first() != Some(&b'{') || is_said(value, &Flat::of(leaf, bytes)),
        Err(_) => false,
    }
}

/// Returns the index of the field with the name of a member, searching from one field onward.
pub(super) fn named(layout: &Layout, text: &JsonText, member: &Member, from: usize) -> Option<usize> {
    let raw = text.raw_name(member);
    let (before, after) = layout.fields.split_at(layout.fields.len().min(from));
    let found = after.iter().position(|field| is_same(raw, field.name)).map(|index| index + before.len());
    let found = found.or_else(|| before.iter().position(|field| is_same(raw, field.name)));
    if found.is_some() || !text.name_escapes(member) {
        return found;
    }
    let name = text.name(member);
    layout.fields.iter().position(|field| *field.name == *name)
}

/// Returns `true` if a value is `{"recompute": true}`.
fn asks_to_recompute(text: &JsonText, at: At) -> bool {
    let mut members = text.members(at);
    members
        .next()
        .is_some_and(|member| text.is_named(&member, "recompute") && text.json(member.value) == Ok(Value::Bool(true)))
        && members.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::{Shaped as _, U32};

    #[test]
    fn numbers_and_names_are_set_from_their_tokens() {
        let text = JsonText::of(&vec![Value::Integer(7), Value::Text("x".into())].into());
        let [number, word] = text.items(text.root()).collect::<Vec<_>>()[..] else { panic!("two items") };
        let mut bytes = [0; 4];
        assert!(scans(&U32::SHAPE, &text, number, &mut bytes) && bytes == [7, 0, 0, 0]);
        assert!(!scans(&U32::SHAPE, &text, word, &mut bytes) && bytes == [7, 0, 0, 0]);
        assert!(!scans(&<[U32; 1]>::SHAPE, &text, number, &mut bytes));
    }
}
