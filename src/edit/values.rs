//! Values of a model that are edited by place, without the exchange format of the rest of it.

#[cfg(feature = "exchange")]
use super::diff::{Change, changes_of_fields};
use super::editor::{Piece, Which, edit};
use super::find_parts::{FoundParts, PartFinder, Way};
use super::other_parts::Again;
#[cfg(feature = "exchange")]
use super::typed::typed_at;
#[cfg(feature = "exchange")]
use super::value;
use super::value::{new_entry, set};
use field::{Address, Error, Lay, Value, Visitor, visit, walk};
use json::{ReplacedValue, recompute::recompute};

/// Values of a model that are being edited.
#[derive(Debug)]
pub struct Values {
    found_parts: FoundParts,
    /// The target of each address: a part, and the keys in it.
    ways: Vec<Way>,
    /// The values that have been set, with the numbers of their addresses.
    set: Vec<(usize, Value)>,
    /// The places of the parts, and what they held.
    #[cfg(feature = "exchange")]
    before: Vec<Option<(Address, Value)>>,
}

/// Edits made to a model, which its file must contain when it is read again.
#[derive(Debug)]
pub struct Made {
    /// Preserved values that rules have replaced.
    pub replaced: Vec<ReplacedValue>,
    pieces: Vec<Piece>,
    outside: u64,
    ways: Vec<Way>,
    set: Vec<(usize, Value)>,
    #[cfg(feature = "exchange")]
    before: Vec<Option<(Address, Value)>>,
}

impl Values {
    /// Finds the values at some places. Returns `None` if one of them is not a part that can be loaded alone.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn open<M: walk::Lay + ?Sized>(model: &M, places: &[Address]) -> Result<Option<Self>, Error> {
        let places: Vec<&Address> = places.iter().collect();
        Ok(Self::find((&places, &[]), |finder| visit(model, finder).map(drop))?.0)
    }

    /// Finds the values at some places, and the lists of items that are to be deleted or inserted, by a walk, and returns its result. The
    /// addresses of items are numbered after the others.
    pub(super) fn find<T>(
        (places, items): (&[&Address], &[&Address]),
        walk: impl FnOnce(&mut dyn Visitor) -> Result<T, Error>,
    ) -> Result<(Option<Self>, T), Error> {
        let mut finder = PartFinder::of(places, items);
        let outcome = walk(&mut finder)?;
        let found = finder.finish().map(|(found_parts, ways)| Self {
            #[cfg(feature = "exchange")]
            before: contents(&found_parts.pieces, &ways, |number| places.iter().chain(items).nth(number).copied()),
            found_parts,
            ways,
            set: Vec::new(),
        });
        Ok((found, outcome))
    }

    /// Sets the value at the address with this number, as [`set`] does.
    ///
    /// # Errors
    /// Returns an error if the value cannot be set.
    pub fn set(&mut self, number: usize, value: Value, retyped: bool) -> Result<(), String> {
        let (whole, keys) = self.part(number)?;
        let value = new_entry(whole, keys, value);
        self.set.push((number, value.clone()));
        let (whole, keys) = self.part(number)?;
        set(whole, keys, value, retyped)
    }

    /// Sets the value at the address with this number to what a person has typed.
    ///
    /// # Errors
    /// Returns an error if the word is neither JSON nor the text that the value takes, or if the value cannot be set.
    #[cfg(feature = "exchange")]
    pub(super) fn set_typed(&mut self, number: usize, word: &str, retyped: bool) -> Result<(), String> {
        let (whole, keys) = self.part(number)?;
        let value = typed_at(whole, keys, word, (retyped, false))?;
        self.set(number, value, retyped)
    }

    /// Deletes the item or member at the address with this number, as [`delete`](value::delete) does.
    ///
    /// # Errors
    /// Returns an error if there is none.
    #[cfg(feature = "exchange")]
    pub(super) fn delete(&mut self, number: usize) -> Result<Value, String> {
        let (whole, keys) = self.part(number)?;
        value::delete(whole, keys)
    }

    /// Inserts an item before the one at the address with this number, as [`insert`](value::insert) does.
    ///
    /// # Errors
    /// Returns an error if there is no such list, or if it is shorter.
    #[cfg(feature = "exchange")]
    pub(super) fn insert(&mut self, number: usize, value: Value) -> Result<(), String> {
        let (whole, keys) = self.part(number)?;
        value::insert(whole, keys, value)
    }

    /// Inserts what a person has typed before the item at the address with this number.
    ///
    /// # Errors
    /// Returns an error if the word is neither JSON nor the text that the list takes, or if there is no such list.
    #[cfg(feature = "exchange")]
    pub(super) fn insert_typed(&mut self, number: usize, word: &str) -> Result<(), String> {
        let (whole, keys) = self.part(number)?;
        let value = typed_at(whole, keys, word, (false, true))?;
        value::insert(whole, keys, value)
    }

    /// Returns the value at the address with this number, or `None` if it is as expected.
    pub(crate) fn get(&self, number: usize) -> Option<&Value> {
        let (piece, keys) = self.ways.get(number)?;
        let whole = &self.found_parts.pieces.get(*piece)?.json;
        keys.iter().try_fold(whole, |json, key| json.step(key))
    }

    /// Returns the part that holds the address with this number, and the keys in that part.
    fn part(&mut self, number: usize) -> Result<(&mut Value, &[String]), String> {
        let part = self
            .ways
            .get(number)
            .and_then(|(piece, keys)| Some((&mut self.found_parts.pieces.get_mut(*piece)?.json, keys.as_slice())));
        part.ok_or_else(|| "nothing at this place".to_owned())
    }

    /// Loads the parts back into their model, and recomputes the values that depend on them. If the edits do not fit, the model must
    /// not be used again.
    ///
    /// # Errors
    /// Returns an error if an edit does not fit its place, or if the edited model cannot be laid out.
    pub fn load<M: Lay + ?Sized>(self, model: &mut M) -> Result<Made, Error> {
        let FoundParts { pieces, deviating, outside } = self.found_parts;
        let recomputation = edit(model, pieces.clone(), deviating)?;
        let replaced = recompute(model, &recomputation)?;
        Ok(Made {
            replaced,
            pieces,
            outside,
            ways: self.ways,
            set: self.set,
            #[cfg(feature = "exchange")]
            before: self.before,
        })
    }
}

impl Made {
    /// Returns `true` if a model that has been read again contains the values that were set, and otherwise consists of the same
    /// parts. A value can decide what other data are, and a format can change the value itself: neither is an edit of one value.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn is_in<M: walk::Lay + ?Sized>(&self, model: &M) -> Result<bool, Error> {
        let mut again = self.again();
        visit(model, &mut again)?;
        Ok(self.found_in(again).is_some())
    }

    /// Returns a visitor that finds the parts in a model that has been read again.
    pub(super) fn again(&self) -> Again {
        Again::of(self.pieces.clone())
    }

    /// Returns the edited parts of the model that this visitor has seen, if [`is_in`](Self::is_in) is true for it.
    pub(super) fn found_in(&self, again: Again) -> Option<Vec<Piece>> {
        let (outside, pieces) = again.finish();
        let is_said = |(number, value): &(usize, Value)| {
            let Some((piece, keys)) = self.ways.get(*number) else { return false };
            let Some(Piece { json, which, .. }) = pieces.get(*piece) else { return false };
            // A list loaded as a whole is compared by its parts, and the last item of a list is not known by its key.
            let is_shown = *which != Which::Step && keys.last().is_none_or(|key| key != "-");
            let found = keys.iter().try_fold(json, |json, key| json.step(key));
            !is_shown || matches_set(found, value)
        };
        // If a value is set twice, the last one counts.
        let is_last =
            |nth: usize, number: usize| self.set.iter().skip(nth + 1).all(|(it, _)| !self.is_same(*it, number));
        let all_said = self.set.iter().enumerate().all(|(nth, it)| !is_last(nth, it.0) || is_said(it));
        (outside == self.outside && all_said).then_some(pieces)
    }

    /// Returns what has changed in the parts, now that these are as read back, or `None` if something else may have: a preserved value, or
    /// more than fields.
    #[cfg(feature = "exchange")]
    pub(super) fn changes(&self, pieces: &[Piece]) -> Option<Vec<Change>> {
        let is_fields = |it: &Piece| match it.which {
            Which::Fields(_) | Which::Row(_) => true,
            Which::Datum => matches!(it.json, Value::Integer(_) | Value::Float(_) | Value::Named(..)),
            Which::Step => false,
        };
        let are_fields = pieces.iter().all(is_fields);
        if !are_fields || !self.replaced.is_empty() {
            return None;
        }
        let mut changes = Vec::new();
        for (before, piece) in self.before.iter().zip(pieces) {
            let (at, before) = before.as_ref()?;
            changes.extend(changes_of_fields(before, &piece.json, at));
        }
        Some(changes)
    }

    /// Returns `true` if two addresses lead to the same value, or one into the other.
    fn is_same(&self, one: usize, other: usize) -> bool {
        match (self.ways.get(one), self.ways.get(other)) {
            (Some((one, keys)), Some((other, others))) => {
                one == other && (keys.starts_with(others) || others.starts_with(keys))
            }
            _ => false,
        }
    }
}

/// Returns the places of parts, and what they hold. Each is on the way to one of the places.
#[cfg(feature = "exchange")]
fn contents<'p>(
    pieces: &[Piece],
    ways: &[Way],
    place: impl Fn(usize) -> Option<&'p Address>,
) -> Vec<Option<(Address, Value)>> {
    let content = |(part, piece): (usize, &Piece)| {
        let place = ways.iter().position(|(it, _)| *it == part).and_then(&place)?;
        Some((piece.address(place.entry.clone()), piece.json.clone()))
    };
    pieces.iter().enumerate().map(content).collect()
}

/// Returns `true` if the value found is the one that was set: a computed value is absent, and a preserved one is marked as kept.
fn matches_set(found: Option<&Value>, value: &Value) -> bool {
    match found {
        // The value that was set is the expected one, or it would be present.
        None => true,
        Some(found) => {
            found == value || found.get("kept").is_some_and(|kept| Some(kept) == value.get("kept") || kept == value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_is_found_as_it_was_set_or_as_kept_or_not_at_all() {
        let value = |text: &str| json::parse(text.as_bytes()).expect("JSON");
        let found = |found: &str, set: &str| matches_set(Some(&value(found)), &value(set));
        assert!(matches_set(None, &value("7")), "it is the expected one");
        assert!(found("7", "7"));
        assert!(!found("8", "7"));
        assert!(found(r#"{"kept": 7, "computed": 9}"#, "7"));
        assert!(found(r#"{"kept": 7, "computed": 9}"#, r#"{"kept": 7, "computed": 8}"#), "only what is kept was set");
        assert!(!found(r#"{"kept": 8, "computed": 7}"#, "7"));
        assert!(!found(r#"{"kept": 8, "computed": 9}"#, r#"{"kept": 7, "computed": 9}"#));
    }
}
