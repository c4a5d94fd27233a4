//! The output of `inspect`: a model, or one place in it, as JSON for people.

use crate::document::{Recorder, shown};
use field::{
    Address, Datum, Error, Group, Place, Result as Laid, Step, Value, Visitor, What, quote, visit, walk, wide,
};

/// Raw bytes up to this length are shown in full.
const LONG: usize = 64;

/// Returns the value at a place of a model (or all of it if `place` is empty), with at most this many items per list, or `None` if
/// there is no such place. Long raw bytes are shortened too, unless `most` is [`usize::MAX`].
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn show<M: walk::Lay + ?Sized>(model: &M, place: &str, most: usize) -> Result<Option<Value>, Error> {
    let address = Address::from(place);
    let entries = address.entries().map(|entry| format!("{entry}!"));
    let keys: Vec<String> = entries.chain(address.keys.iter().cloned()).collect();
    // Expected values are omitted unless they are requested.
    for all in [false, true] {
        let mut below = Below::new(&keys, most, all);
        visit(model, &mut below)?;
        if let Some(mut value) = below.shown.value(&keys) {
            shorten(&mut value, most);
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Records the shown values, and the groups that lead to them.
struct Below<'a> {
    shown: Recorder,
    keys: &'a [String],
    /// The number of items shown per list.
    most: u64,
    all: bool,
    /// The open groups.
    open: Vec<Open>,
}

/// An open group: the depth of its place, and its relation to the shown place.
#[derive(Clone, Copy)]
struct Open {
    depth: usize,
    is: Where,
    is_told: bool,
}

/// The relation of a group or datum to the shown place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// On the way to the shown place, after this number of keys.
    Way(usize),
    /// Inside the shown place.
    Inside,
    /// Inside the shown place, but after the items that are shown: it is counted, and only its entries are visited.
    Cut,
    /// Inside something that is cut.
    Hidden,
    /// Elsewhere.
    Off,
    /// Elsewhere, but in the container of an entry that this number of keys lead to.
    Beside(usize),
}

impl<'a> Below<'a> {
    fn new(keys: &'a [String], most: usize, all: bool) -> Self {
        let is = if keys.is_empty() { Where::Inside } else { Where::Way(0) };
        let root = Open { depth: 0, is, is_told: true };
        Self { shown: Recorder::whole(all), keys, most: wide(most), all, open: vec![root] }
    }

    fn last(&self) -> Open {
        self.open.last().copied().unwrap_or(Open { depth: 0, is: Where::Off, is_told: false })
    }

    /// Returns the relation of a place: that of the open group, or one step further in.
    fn place(&self, place: &Place) -> Where {
        let last = self.last();
        let Some(step) = place.steps().last().filter(|_| place.steps().len() > last.depth) else { return last.is };
        match (last.is, step) {
            (Where::Way(keys), Step::Name(_) | Step::Index(_)) => {
                let Some(key) = self.keys.get(keys) else { return Where::Off };
                let is_next = match step {
                    Step::Name(name) => key == name,
                    Step::Index(index) => key.parse() == Ok(*index),
                    Step::Entry => false,
                };
                match is_next {
                    true => self.behind(keys),
                    false if key.ends_with('!') => Where::Beside(keys),
                    // A value that makes up a whole file becomes a member if there are members beside it.
                    false if key == "value" => Where::Inside,
                    false => Where::Off,
                }
            }
            (Where::Way(keys) | Where::Beside(keys), Step::Entry) => {
                let label = place.labels().last().map(ToString::to_string).unwrap_or_default();
                let is_next = self.keys.get(keys).and_then(|key| key.strip_suffix('!')) == Some(&label);
                if is_next { self.behind(keys) } else { Where::Off }
            }
            (Where::Inside, Step::Index(index)) if *index >= self.most => Where::Cut,
            (Where::Cut | Where::Hidden, Step::Entry) => Where::Inside,
            (Where::Cut | Where::Hidden, _) => Where::Hidden,
            (is, _) => is,
        }
    }

    /// Returns the relation of the place that one more key leads to.
    fn behind(&self, keys: usize) -> Where {
        let keys = keys + 1;
        if keys == self.keys.len() { Where::Inside } else { Where::Way(keys) }
    }
}

impl Where {
    /// Returns `true` if none of it is shown.
    fn is_off(self) -> bool {
        matches!(self, Self::Off | Self::Beside(_) | Self::Hidden)
    }
}

impl Visitor for Below<'_> {
    fn data(&mut self, datum: &Datum<'_>) -> Laid {
        let is = self.place(datum.place);
        let row = |keys: usize| self.keys.get(keys).and_then(|key| key.parse::<u64>().ok());
        let value = match (is, datum.what) {
            (is, _) if is.is_off() => return Ok(()),
            (Where::Cut, What::Fields(..)) => return Ok(()),
            (Where::Cut, _) => Some(Value::Null),
            (Where::Inside, What::Block(..)) => shown(datum, self.all, &|index| index < self.most),
            (Where::Way(keys), What::Block(..)) => {
                let row = row(keys);
                shown(datum, self.all, &|index| row == Some(index))
            }
            _ => return self.shown.data(datum),
        };
        if let Some(value) = value {
            self.shown.put(datum.place, value);
        }
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        let is = self.place(place);
        let is_told = !is.is_off();
        self.open.push(Open { depth: place.steps().len(), is, is_told });
        if is_told {
            self.shown.enter(group, place, offset);
        }
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        if self.last().is_told {
            self.shown.leave(group, place, offset);
        }
        self.open.pop();
    }

    fn fact(&mut self, place: &Place, fact: Value) {
        let is = self.place(place);
        if !is.is_off() && is != Where::Cut {
            self.shown.fact(place, fact);
        }
    }

    fn wants_facts(&self) -> bool {
        let is = self.last().is;
        !is.is_off() && is != Where::Cut
    }

    fn judges(&self) -> bool {
        true
    }
}

/// Removes items beyond the maximum.
fn shorten(value: &mut Value, most: usize) {
    match value {
        Value::List(items) => {
            let more = items.len().saturating_sub(most);
            items.truncate(most);
            items.iter_mut().for_each(|item| shorten(item, most));
            if more > 0 {
                items.push(format!("… {more} more").into());
            }
        }
        Value::Object(members) => members.iter_mut().for_each(|(_, value)| shorten(value, most)),
        Value::Bytes(bytes) if bytes.len() > LONG && most < usize::MAX => *value = quote(bytes).into(),
        _ => {}
    }
}
