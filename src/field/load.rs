//! From JSON to bytes: how the exchange form becomes a model again.
//!
//! What is expected anyway need not be there: reserved fields get their constants, exact rules compute their values. A
//! value that was kept though its rule gives another, `{"kept": 401.0, "instead_of": 400.0}`, is kept as long as the rule
//! gives what it gave; a plain value in its place is taken as it is. Values are taken out of the JSON as they are used, so
//! that what is left at the end is what nobody knows.

use std::mem::take;

use super::json::Json;
use super::layout::{Field, Layout, Rule, Shape};
use super::place::Step;

/// A value that does not fit where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// The steps to it, from where the loading began.
    pub steps: Vec<Step>,
    /// What would have fitted.
    pub expected: String,
    /// What is there.
    pub found: String,
}

/// What loading comes to.
pub type Loaded<T = ()> = Result<T, Misfit>;

/// A field whose rule its container has: what the exchange form says of it is settled when all is loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The steps to the field.
    pub steps: Vec<Step>,
    /// What the rule gave when the value was kept; nothing where the value is to be taken as it is.
    pub instead_of: Option<Vec<u8>>,
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
}

impl Loading {
    /// Whether a record has a say of its own: nothing where the value is plain.
    fn misfit(&self, expected: impl Into<String>, found: &Json) -> Misfit {
        Misfit { steps: self.trail.clone(), expected: expected.into(), found: found.describe() }
    }

    /// Checks that nothing is left of a value that no other field can read.
    ///
    /// # Errors
    /// The first member that no format reads.
    pub(super) fn ends(&self, json: &Json) -> Loaded {
        let mut keys = Vec::new();
        match json.first_left(&mut keys) {
            None => Ok(()),
            Some(found) => Err(self.misfit(format!("no member {}", keys.join("/")), found)),
        }
    }

    fn within<T>(&mut self, step: Step, load: impl FnOnce(&mut Self) -> Loaded<T>) -> Loaded<T> {
        self.trail.push(step);
        let outcome = load(self);
        self.trail.pop();
        outcome
    }
}

impl Shape {
    /// Sets a value from JSON, which is used up.
    ///
    /// # Errors
    /// What does not fit.
    pub fn load(&self, json: &mut Json, bytes: &mut [u8], loading: &mut Loading) -> Loaded {
        match self {
            Self::Leaf(leaf) => {
                let json = take(json);
                (leaf.load)(&json, bytes).map_err(|expected| loading.misfit(expected, &json))?;
                // A tail gives way to a longer text: what became of an object that says both is worth a word.
                if let Json::Object(_) = json {
                    let now = (leaf.show)(bytes);
                    if now != json {
                        loading.settled.push(Settled { steps: loading.trail.clone(), was: json, now });
                    }
                }
                Ok(())
            }
            Self::Record(layout) => match json {
                Json::Object(_) => {
                    layout.load(json, bytes, loading)?;
                    json.close();
                    Ok(())
                }
                other => Err(loading.misfit("an object", other)),
            },
            Self::Array(of, count) => match json {
                Json::List(items) if items.len() == *count => {
                    let rows = bytes.chunks_exact_mut(of.size().max(1));
                    (0..).zip(items.iter_mut().zip(rows)).try_for_each(|(index, (item, row))| {
                        loading.within(Step::Index(index), |loading| of.load(item, row, loading))
                    })?;
                    json.close();
                    Ok(())
                }
                other => Err(loading.misfit(format!("a list of {count}"), other)),
            },
        }
    }

    /// Sets any number of records from a list, which is used up.
    ///
    /// # Errors
    /// What does not fit.
    pub fn load_block(&self, json: &mut Json, loading: &mut Loading) -> Loaded<Vec<u8>> {
        let Json::List(items) = json else {
            return if *json == Json::Null { Ok(Vec::new()) } else { Err(loading.misfit("a list", json)) };
        };
        let mut bytes = vec![0; items.len().saturating_mul(self.size())];
        let rows = bytes.chunks_exact_mut(self.size().max(1));
        (0..).zip(items.iter_mut().zip(rows)).try_for_each(|(index, (item, row))| {
            loading.within(Step::Index(index), |loading| {
                self.load(item, row, loading)?;
                loading.ends(item)
            })
        })?;
        *json = Json::Null;
        Ok(bytes)
    }
}

impl Layout {
    /// Sets the fields of a record from the members of an object, which are used up.
    ///
    /// # Errors
    /// What does not fit, and the first field that is missing.
    pub fn load(&self, object: &mut Json, record: &mut [u8], loading: &mut Loading) -> Loaded {
        let (settles, mut buffer) = (self.settles(), Vec::new());
        // Rules come last: a rate stands before the time that it is over.
        let having = |rule| self.fields.iter().filter(move |field| field.rule.reads() == rule);
        let mut next = 0;
        for field in having(false).chain(having(true)) {
            let absent = &mut Json::Null;
            let json = object.member_from(&mut next, field.name).unwrap_or(absent);
            loading
                .within(Step::Name(field.name), |loading| field.load(json, record, settles, &mut buffer, loading))?;
        }
        Ok(())
    }
}

impl Field {
    fn load(
        &self,
        json: &mut Json,
        record: &mut [u8],
        settles: bool,
        buffer: &mut Vec<u8>,
        loading: &mut Loading,
    ) -> Loaded {
        self.of_mut(record).fill(0);
        match self.rule {
            Rule::Advisory(_) if json.only("recompute") == Some(&Json::Bool(true)) => {
                *json = Json::Null;
                self.follow(record, buffer);
            }
            Rule::Constant(_) if *json == Json::Null => self.follow(record, buffer),
            Rule::Free | Rule::Advisory(_) if *json == Json::Null => {
                if !self.is_usual(self.of_mut(record)) {
                    return Err(loading.misfit("a value", json));
                }
            }
            Rule::Free | Rule::Advisory(_) | Rule::Constant(_) => {
                self.shape.load(json, self.of_mut(record), loading)?;
            }
            // What its container fills in above it is not there yet.
            Rule::Exact(_) if settles => {
                if let Some(kept) = self.load_kept(json, loading)? {
                    loading.kept.push(kept);
                }
            }
            Rule::Exact(_) => {
                self.follow(record, buffer);
                let value = self.of_mut(record);
                match self.load_kept(json, loading)? {
                    Some(kept) if kept.instead_of.as_ref().is_none_or(|it| it == value) => {
                        value.copy_from_slice(&kept.value);
                    }
                    Some(kept) => loading.settled.push(Settled {
                        steps: kept.steps,
                        was: self.shape.show(&kept.value),
                        now: self.shape.show(value),
                    }),
                    None => {}
                }
            }
            Rule::Outside => {
                if let Some(kept) = self.load_kept(json, loading)? {
                    self.of_mut(record).copy_from_slice(&kept.value);
                    loading.kept.push(kept);
                }
            }
        }
        Ok(())
    }

    /// The bytes of this field in the bytes of its record.
    fn of_mut<'a>(&self, record: &'a mut [u8]) -> &'a mut [u8] {
        record.get_mut(self.offset..).and_then(|rest| rest.get_mut(..self.shape.size())).unwrap_or_default()
    }

    /// Sets what the rule gives.
    fn follow(&self, record: &mut [u8], buffer: &mut Vec<u8>) {
        if let Some(expected) = self.expected(record, buffer) {
            self.of_mut(record).copy_from_slice(expected);
        }
    }

    /// What the exchange form says of a field that a rule gives; nothing where it leaves it to the rule.
    fn load_kept(&self, json: &mut Json, loading: &mut Loading) -> Loaded<Option<Kept>> {
        if *json == Json::Null {
            return Ok(None);
        }
        let load = |json: &mut Json, loading: &mut Loading| {
            let mut value = vec![0; self.shape.size()];
            self.shape.load(json, &mut value, loading).map(|()| value)
        };
        let (value, instead_of) = match (json.get("kept").is_some(), json.step_mut("instead_of")) {
            (true, Some(before)) => {
                let before = load(before, loading)?;
                let value = json.step_mut("kept").map_or(Ok(Vec::new()), |value| load(value, loading))?;
                json.close();
                (value, Some(before))
            }
            _ => (load(json, loading)?, None),
        };
        Ok(Some(Kept { steps: loading.trail.clone(), instead_of, value }))
    }
}
