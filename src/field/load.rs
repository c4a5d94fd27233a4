//! From the text of a document to bytes: how the exchange form becomes a model again.
//!
//! What is expected anyway need not be there: reserved fields get their constants, exact rules compute their values. A
//! value that was kept though its rule gives another, `{"kept": 401.0, "computed": 400.0}`, is kept as long as the rule
//! gives what it gave; a plain value in its place is taken as it is. A member that no field reads is refused.

use super::json::Json;
use super::json_text::{At, JsonText, Member};
use super::layout::{Field, Layout, Leaf, Rule, Shape};
use super::place::Step;

/// A value that does not fit where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// The steps to it, from where the loading began.
    pub steps: Vec<Step>,
    /// The keys that lead on from there to a member that is too much; none if it is the value that does not fit.
    pub surplus: Vec<String>,
    /// The member of a kept value that does not fit, and after how many steps that is.
    pub of_kept: Option<(usize, &'static str)>,
    /// What would have fitted.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl Misfit {
    /// A value that does not fit.
    #[must_use]
    pub fn new(steps: Vec<Step>, expected: impl Into<String>, found: String) -> Self {
        Self { steps, surplus: Vec::new(), of_kept: None, expected: expected.into(), found }
    }

    /// A member that is too much, to which these keys lead on.
    #[must_use]
    pub fn surplus(steps: Vec<Step>, keys: Vec<String>, found: String) -> Self {
        let expected = format!("no member {}", keys.join("/"));
        Self { surplus: keys, ..Self::new(steps, expected, found) }
    }
}

/// The most bytes that are reserved for a list of records before the first of them is loaded.
const FIRST: usize = 1 << 20;

/// What loading comes to.
pub type Loaded<T = ()> = Result<T, Misfit>;

/// A field whose rule its container has: what the exchange form says of it is settled when all is loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The steps to the field.
    pub steps: Vec<Step>,
    /// What the rule gave when the value was kept; nothing where the value is to be taken as it is.
    pub computed: Option<Vec<u8>>,
    /// The value.
    pub value: Vec<u8>,
}

/// A value that was kept, and that a rule which gives something else now has replaced.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// The steps to the field.
    pub steps: Vec<Step>,
    /// What had been kept.
    pub was: Json,
    /// What stands there now.
    pub now: Json,
}

/// What loading leaves to be done and said.
#[derive(Debug, Default)]
pub struct Loading {
    /// The steps to the value that is being loaded.
    trail: Vec<Step>,
    /// Fields that wait for their container.
    pub kept: Vec<Kept>,
    /// Kept values that have been replaced.
    pub settled: Vec<Settled>,
    /// Room for what rules give.
    buffer: Vec<u8>,
    /// Room for the values of the fields of a record.
    rooms: Vec<Vec<Option<At>>>,
}

impl Loading {
    fn misfit(&self, expected: impl Into<String>, found: String) -> Misfit {
        Misfit::new(self.trail.clone(), expected, found)
    }

    fn within<T>(&mut self, step: Step, load: impl FnOnce(&mut Self) -> Loaded<T>) -> Loaded<T> {
        self.trail.push(step);
        let outcome = load(self);
        self.trail.pop();
        outcome
    }

    /// Room for the values of the fields of a record.
    pub(super) fn room(&mut self, layout: &Layout) -> Vec<Option<At>> {
        let mut values = self.rooms.pop().unwrap_or_default();
        values.clear();
        values.resize(layout.fields.len(), None);
        values
    }

    /// The value of a leaf.
    fn json(&self, text: &JsonText, at: At) -> Loaded<Json> {
        text.json(at).map_err(|found| self.misfit("a value", found))
    }
}

impl Leaf {
    /// Sets a value in the quick way, if it has one.
    #[inline]
    fn scan(&self, text: &JsonText, at: At, bytes: &mut [u8]) -> bool {
        self.scan.is_some_and(|scan| scan(text.token_text(at), bytes))
    }

    fn load_from(&self, text: &JsonText, at: At, bytes: &mut [u8], loading: &mut Loading) -> Loaded {
        if self.scan(text, at, bytes) {
            return Ok(());
        }
        let json = loading.json(text, at)?;
        (self.load)(&json, bytes).map_err(|expected| loading.misfit(expected, json.describe()))?;
        // A tail gives way to a longer text: what became of an object that says both is worth a word.
        if let Json::Object(_) = json {
            let now = (self.show)(bytes);
            if now != json {
                loading.settled.push(Settled { steps: loading.trail.clone(), was: json, now });
            }
        }
        Ok(())
    }
}

impl Shape {
    /// Sets a value from a text, which must say nothing else there.
    ///
    /// # Errors
    /// What does not fit.
    pub fn load(&self, text: &JsonText, at: At, bytes: &mut [u8], loading: &mut Loading) -> Loaded {
        match self {
            Self::Leaf(leaf) => leaf.load_from(text, at, bytes, loading),
            Self::Record(layout) => layout.load_whole(text, at, bytes, loading),
            Self::Array(of, count) => {
                let misfit = |loading: &Loading| Err(loading.misfit(format!("a list of {count}"), text.describe(at)));
                if !text.is_list(at) {
                    return misfit(loading);
                }
                let (mut rows, mut items, mut index) = (bytes.chunks_exact_mut(of.size().max(1)), text.items(at), 0);
                loop {
                    match (items.next(), rows.next()) {
                        (None, None) => return Ok(()),
                        // Mostly they are numbers, which need no trail.
                        (Some(item), Some(row)) => {
                            if !of.scan(text, item, row) {
                                loading.within(Step::Index(index), |loading| of.load(text, item, row, loading))?;
                            }
                        }
                        _ => return misfit(loading),
                    }
                    index += 1;
                }
            }
        }
    }

    /// Sets a value in the quick way, if it has one.
    #[inline]
    fn scan(&self, text: &JsonText, at: At, bytes: &mut [u8]) -> bool {
        if let Self::Leaf(leaf) = self { leaf.scan(text, at, bytes) } else { false }
    }

    /// Says what is missing where there is no value.
    ///
    /// # Errors
    /// What would have fitted.
    pub fn load_nothing(&self, bytes: &mut [u8], loading: &Loading) -> Loaded {
        let expected = match self {
            Self::Leaf(leaf) => match (leaf.load)(&Json::Null, bytes) {
                Ok(()) => return Ok(()),
                Err(expected) => expected,
            },
            Self::Record(_) => "an object".to_owned(),
            Self::Array(_, count) => format!("a list of {count}"),
        };
        Err(loading.misfit(expected, Json::Null.describe()))
    }

    /// Sets any number of records from a list.
    ///
    /// # Errors
    /// What does not fit.
    pub fn load_block(&self, text: &JsonText, at: At, loading: &mut Loading) -> Loaded<Vec<u8>> {
        if !text.is_list(at) {
            return Err(loading.misfit("a list", text.describe(at)));
        }
        let size = self.size();
        // A short text can say that there are many large records, and be wrong.
        let mut bytes = Vec::with_capacity(text.count(at).saturating_mul(size).min(FIRST));
        for (index, item) in (0..).zip(text.items(at)) {
            let begin = bytes.len();
            bytes.resize(begin.saturating_add(size), 0);
            let row = bytes.get_mut(begin..).unwrap_or_default();
            if !self.scan(text, item, row) {
                loading.within(Step::Index(index), |loading| self.load(text, item, row, loading))?;
            }
        }
        bytes.shrink_to_fit();
        Ok(bytes)
    }
}

impl Layout {
    /// Sets a record from an object that has no members but its fields.
    fn load_whole(&self, text: &JsonText, at: At, record: &mut [u8], loading: &mut Loading) -> Loaded {
        if !text.is_object(at) {
            return Err(loading.misfit("an object", text.describe(at)));
        }
        let mut values = loading.room(self);
        // Mostly the members come in the order of the fields.
        let mut next = 0;
        for member in text.members(at) {
            let field = self.named(text, &member, next);
            match field.and_then(|index| values.get_mut(index)) {
                Some(slot @ None) => *slot = Some(member.value),
                other => {
                    let (name, found) = (text.name(&member).into_owned(), text.describe(member.value));
                    return Err(match other {
                        Some(_) => loading.misfit(format!("no second member {name}"), found),
                        None => Misfit::surplus(loading.trail.clone(), vec![name], found),
                    });
                }
            }
            next = field.unwrap_or(next).saturating_add(1);
        }
        self.load(values, text, record, loading)
    }

    /// Which field has the name of a member, looked for from one on.
    pub(super) fn named(&self, text: &JsonText, member: &Member, from: usize) -> Option<usize> {
        let is_it = |field: &Field| text.is_named(member, field.name);
        let after = self.fields.iter().skip(from).position(is_it).map(|index| index.saturating_add(from));
        after.or_else(|| self.fields.iter().take(from).position(is_it))
    }

    /// Sets the fields of a record from their values.
    ///
    /// # Errors
    /// What does not fit, and the first field that is missing.
    pub(super) fn load(
        &self,
        values: Vec<Option<At>>,
        text: &JsonText,
        record: &mut [u8],
        loading: &mut Loading,
    ) -> Loaded {
        let settles = self.settles();
        // Rules come last: a rate stands before the time that it is over.
        for reads in [false, true].into_iter().take(if self.reads { 2 } else { 1 }) {
            for (field, value) in self.fields.iter().zip(&values).filter(|(field, _)| field.rule.reads() == reads) {
                // Most fields are free, and most values numbers.
                if let (Rule::Free, Some(at)) = (field.rule, value)
                    && field.shape.scan(text, *at, field.of_mut(record))
                {
                    continue;
                }
                loading.within(Step::Name(field.name), |loading| field.load(text, *value, record, settles, loading))?;
            }
        }
        loading.rooms.push(values);
        Ok(())
    }
}

impl Field {
    fn load(
        &self,
        text: &JsonText,
        value: Option<At>,
        record: &mut [u8],
        settles: bool,
        loading: &mut Loading,
    ) -> Loaded {
        self.of_mut(record).fill(0);
        match (self.rule, value) {
            (Rule::Advisory(_), Some(at)) if asks_to_recompute(text, at) => self.follow(record, loading),
            (Rule::Constant(_), None) => self.follow(record, loading),
            (Rule::Free | Rule::Advisory(_), None) => {
                if !self.is_usual(self.of_mut(record)) {
                    return Err(loading.misfit("a value", Json::Null.describe()));
                }
            }
            (Rule::Free | Rule::Advisory(_) | Rule::Constant(_), Some(at)) => {
                self.shape.load(text, at, self.of_mut(record), loading)?;
            }
            // What its container fills in above it is not there yet.
            (Rule::Exact(_), None) if settles => {}
            (Rule::Exact(_), Some(at)) if settles => {
                let kept = self.load_kept(text, at, loading)?;
                loading.kept.push(kept);
            }
            (Rule::Exact(_), None) => self.follow(record, loading),
            (Rule::Exact(_), Some(at)) => {
                self.follow(record, loading);
                let kept = self.load_kept(text, at, loading)?;
                let value = self.of_mut(record);
                if kept.computed.as_ref().is_none_or(|it| it == value) {
                    value.copy_from_slice(&kept.value);
                } else {
                    let (was, now) = (self.shape.show(&kept.value), self.shape.show(value));
                    loading.settled.push(Settled { steps: kept.steps, was, now });
                }
            }
            (Rule::Outside, None) => {}
            (Rule::Outside, Some(at)) => {
                let kept = self.load_kept(text, at, loading)?;
                self.of_mut(record).copy_from_slice(&kept.value);
                loading.kept.push(kept);
            }
        }
        Ok(())
    }

    /// The bytes of this field in the bytes of its record.
    fn of_mut<'a>(&self, record: &'a mut [u8]) -> &'a mut [u8] {
        record.get_mut(self.offset..).and_then(|rest| rest.get_mut(..self.shape.size())).unwrap_or_default()
    }

    /// Sets what the rule gives.
    fn follow(&self, record: &mut [u8], loading: &mut Loading) {
        if let Some(expected) = self.expected(record, &mut loading.buffer) {
            self.of_mut(record).copy_from_slice(expected);
        }
    }

    /// What the exchange form says of a field that a rule gives.
    fn load_kept(&self, text: &JsonText, at: At, loading: &mut Loading) -> Loaded<Kept> {
        let load = |at, loading: &mut Loading| {
            let mut value = vec![0; self.shape.size()];
            self.shape.load(text, at, &mut value, loading).map(|()| value)
        };
        // Earlier versions wrote `instead_of`. Beside `computed`, it is a surplus member.
        let before = ["computed", "instead_of"].into_iter().find_map(|name| Some((name, text.member(at, name)?)));
        let (value, computed) = match (text.member(at, "kept"), before) {
            (Some(kept), Some((name, before))) => {
                if let Some(other) = text.members(at).find(|it| it.value != kept && it.value != before) {
                    let (name, found) = (text.name(&other).into_owned(), text.describe(other.value));
                    return Err(Misfit::surplus(loading.trail.clone(), vec![name], found));
                }
                let depth = loading.trail.len();
                let mut load_member =
                    |name, at| load(at, loading).map_err(|misfit| Misfit { of_kept: Some((depth, name)), ..misfit });
                let before = load_member(name, before)?;
                (load_member("kept", kept)?, Some(before))
            }
            _ => (load(at, loading)?, None),
        };
        Ok(Kept { steps: loading.trail.clone(), computed, value })
    }
}

/// Whether a value is `{"recompute": true}`.
fn asks_to_recompute(text: &JsonText, at: At) -> bool {
    let mut members = text.members(at);
    members
        .next()
        .is_some_and(|member| text.is_named(&member, "recompute") && text.json(member.value) == Ok(Json::Bool(true)))
        && members.next().is_none()
}
