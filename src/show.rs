//! A model as JSON for people: what `inspect` prints.
//!
//! Members by name, what is as expected left out, entries under their label and `!` as in places, long raw bytes as
//! their first few. It is not the exchange form: nothing can be packed from it.

use serde_json::{Map, Value, json};

use crate::field::{Datum, Group, Place, Result, Step, Visitor, What, decode_text, hex, quote};

/// Raw bytes up to so many are shown whole.
const LONG: usize = 64;

/// Builds the JSON of a model, or of one place in it.
#[derive(Debug)]
pub struct Show {
    /// The keys on the way to the place asked for.
    target: Vec<String>,
    /// How many items of a list or block are shown at most.
    most: usize,
    open: Vec<Open>,
}

/// A group whose members are still coming.
#[derive(Debug)]
struct Open {
    key: String,
    value: Value,
    entry: bool,
    /// Whether it is all there is of the file or entry.
    whole: bool,
    /// Whether it is on the way to the place asked for, or in it.
    wanted: bool,
    /// Items left out.
    more: usize,
}

/// How a place lies to the place asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// It holds it.
    To,
    /// It is it, or lies in it.
    In,
    /// Neither.
    Apart,
}

impl Show {
    /// Shows what is at `place` (in the notation of places; empty for all), at most so many items of each list.
    #[must_use]
    pub fn new(place: &str, most: usize) -> Self {
        let whole = Open { key: String::new(), value: json!({}), entry: true, whole: false, wanted: true, more: 0 };
        Self { target: keys_of(place), most, open: vec![whole] }
    }

    /// The JSON, or nothing where there is no such place.
    #[must_use]
    pub fn finish(mut self) -> Option<Value> {
        let mut value = self.open.pop()?.value;
        for key in &self.target {
            value = match value {
                Value::Object(mut members) => members.remove(key)?,
                Value::Array(mut items) => {
                    let index: usize = key.parse().ok()?;
                    (index < items.len()).then(|| items.swap_remove(index))?
                }
                _ => return None,
            };
        }
        Some(value)
    }

    fn way(&self, place: &Place) -> Way {
        let mut target = self.target.iter();
        for key in keys_to(place) {
            match target.next() {
                None => return Way::In,
                Some(wanted) if *wanted == key => {}
                Some(_) => return Way::Apart,
            }
        }
        if target.as_slice().is_empty() { Way::In } else { Way::To }
    }

    /// Whether this is the place asked for.
    fn is_target(&self, place: &Place) -> bool {
        // The head of a list is no item of it.
        let list = self.open.last().is_some_and(|open| open.value.is_array());
        !list && !self.target.is_empty() && keys_to(place).eq(self.target.iter().cloned())
    }

    fn put(open: Option<&mut Open>, most: usize, key: &str, value: Value) {
        match open {
            Some(Open { value: Value::Object(members), .. }) => match (members.get_mut(key), value) {
                // What comes in pieces, in file order.
                (Some(Value::Object(before)), Value::Object(more)) => before.extend(more),
                (_, value) => _ = members.insert(key.to_owned(), value),
            },
            Some(Open { value: Value::Array(items), .. }) if key.parse::<u64>().is_err() => {
                items.push(json!({key: value}))
            }
            Some(Open { value: Value::Array(items), .. }) if items.len() < most => items.push(value),
            Some(open) => open.more = open.more.saturating_add(1),
            None => {}
        }
    }

    /// Puts what stands at a place; what is all there is of a file or entry takes its place.
    fn put_at(&mut self, place: &Place, value: Value) {
        match self.open.last_mut() {
            Some(open) if place.pointer().is_empty() => open.value = value,
            open => Self::put(open, self.most, &last_key(place), value),
        }
    }

    fn members(&mut self, members: Map<String, Value>) {
        for (key, value) in members {
            Self::put(self.open.last_mut(), self.most, &key, value);
        }
    }
}

impl Visitor for Show {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let way = self.way(datum.place);
        if way == Way::Apart {
            return Ok(());
        }
        let most = if way == Way::To { usize::MAX } else { self.most };
        let value = match datum.what {
            // All of what is asked for, even if it is as expected.
            What::Fields(layout, _) if way == Way::To || self.is_target(datum.place) => {
                self.members(layout.show_all(datum.bytes));
                return Ok(());
            }
            What::Fields(layout, rules) => {
                self.members(layout.show(datum.bytes, rules));
                return Ok(());
            }
            What::Bare(layout) if way == Way::To => Value::Object(layout.show_all(datum.bytes)),
            What::Bare(layout) => match layout.show(datum.bytes, None).into_iter().next() {
                Some((_, value)) => value,
                None => return Ok(()),
            },
            // A text has nothing in it; its length may be asked for.
            What::Text(_) if way == Way::To => return Ok(()),
            What::Count(_) if way == Way::In && !self.target.ends_with(&[last_key(datum.place)]) => return Ok(()),
            What::Count(leaf) => (leaf.show)(datum.bytes),
            What::Value(item) => item.shape.show(datum.bytes),
            What::Block(item) => {
                let rows = datum.bytes.chunks_exact(item.size.max(1));
                let more = rows.len().saturating_sub(most);
                with_more(rows.take(most).map(|row| item.shape.show(row)).collect(), more)
            }
            What::Text(page) => decode_text(page, datum.bytes).into(),
            What::Run(run) if datum.bytes.len() > LONG => {
                format!("{}, {}", run.class(datum.bytes).name(), quote(datum.bytes)).into()
            }
            What::Run(_) => hex(datum.bytes).into(),
        };
        self.put_at(datum.place, value);
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, _: u64) {
        let way = self.way(place);
        // On the way to a place, items are kept by index, for only one of them is wanted.
        let value = if group == Group::List && way == Way::In { json!([]) } else { json!({}) };
        let entry = matches!(group, Group::Entry(_));
        let whole = !entry && place.pointer().is_empty();
        self.open.push(Open { key: last_key(place), value, entry, whole, wanted: way != Way::Apart, more: 0 });
    }

    fn leave(&mut self, _: Group, _: u64) {
        if let Some(Open { key, value, entry, whole, wanted: true, more }) = self.open.pop() {
            if let (true, Some(open)) = (whole, self.open.last_mut()) {
                open.value = with_more(value, more);
                return;
            }
            // Entries stand beside the fields of the container they are in, as in places.
            let home = self.open.iter_mut().rev().find(|open| open.entry || !entry);
            Self::put(home, self.most, &key, with_more(value, more));
        }
    }

    fn judges(&self) -> bool {
        true
    }
}

/// A list, and how many items were left out of it.
fn with_more(mut value: Value, more: usize) -> Value {
    if let (Value::Array(items), 1..) = (&mut value, more) {
        items.push(format!("… {more} more").into());
    }
    value
}

/// The keys on the way to a place: pointers start anew behind an entry.
fn keys_to(place: &Place) -> impl Iterator<Item = String> {
    let entries = place.labels().iter().map(|label| format!("{label}!"));
    entries.chain(place.pointer().iter().map(|step| match step {
        Step::Entry => String::new(),
        Step::Name(name) => (*name).to_owned(),
        Step::Index(index) => index.to_string(),
    }))
}

fn last_key(place: &Place) -> String {
    keys_to(place).last().unwrap_or_default()
}

/// The keys on the way to a place in its notation: `data!0:/name` or `data!0` or `/head/name`.
fn keys_of(place: &str) -> Vec<String> {
    let (entries, pointer) = match place.split_once(':') {
        Some(both) => both,
        None if place.starts_with('/') => ("", place),
        None => (place, ""),
    };
    let entries = entries.split('!').filter(|entry| !entry.is_empty()).map(|entry| format!("{entry}!"));
    let pointer = pointer.split('/').filter(|step| !step.is_empty()).map(str::to_owned);
    entries.chain(pointer).collect()
}
