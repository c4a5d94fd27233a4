//! Several edits of one file in one step: all are made, or none.

use core::cmp::Reverse;
use core::fmt::{self, Display};

use bytes::Bytes;

use exchange::{About, Packed, show};
use field::{Address, Error, Thresholds, Value, visit};
use json::ReplacedValue;
use kind::{Kind, Model};
use media::Replaced;
use passes::{Nobody, Several, Sha};

use super::advice::near;
use super::diff::Change;
use super::inventory::Inventory;
use super::prove::prove_beside;
use super::read_back::Gist;
use super::{Comparison, Edit, Refusal, Values, recompute, why_nothing};

/// Edits of values, at places without names.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Batch {
    /// The entries to rename, with their new labels, before anything else.
    pub rename: Vec<(String, String)>,
    /// The values to set, in order.
    pub set: Vec<(Address, Value)>,
    /// The values to set after these, in order, as a person types them: JSON, or a word where there is a text.
    pub typed: Vec<(Address, String)>,
    /// The values to delete, at the places that they have before any deletion.
    pub delete: Vec<Address>,
    /// The items to insert into lists, each before the one at its place.
    pub insert: Vec<(Address, Value)>,
    /// The items to insert after these, as a person types them.
    pub typed_insert: Vec<(Address, String)>,
    /// The places at which values are recomputed by their rules, even if the rule is normally only checked.
    pub recompute: Vec<Address>,
    /// `true` if a value may change its type.
    pub retype: bool,
}

/// A file after all edits, proven to round-trip.
#[non_exhaustive]
pub struct Batched {
    /// The bytes of the file.
    pub bytes: Bytes,
    /// The model that they are read back as.
    pub model: Model,
    /// The values that have been recomputed because of the edits.
    pub recomputed: Vec<Replaced>,
    /// What the edits themselves know to be all changes.
    changes: Option<Vec<Change>>,
    /// What the walks of the edits have found in the file before, if they have looked for it, and in the file after.
    before: Option<Inventory>,
    after: Inventory,
}

impl Batched {
    /// Returns a file of a kind and name that other bytes replace as a whole, such as those of its text form.
    ///
    /// # Errors
    /// Returns an error if the bytes are no file of this kind that round-trips.
    pub fn whole(
        kinds: &'static [Kind],
        (kind, name): (&'static Kind, &str),
        bytes: Bytes,
    ) -> Result<Self, BatchError> {
        let model = (kind.decode)(bytes.clone())?.model;
        let gist = Gist::of(&model)?;
        let proven = prove_beside(kinds, kind, (Some(&model), &gist), (name, &bytes), (true, &mut Nobody));
        let (model, after) = proven.map_err(BatchError::Unproven)?;
        Ok(Self { bytes, model, recomputed: Vec::new(), changes: None, before: None, after })
    }

    /// Compares the file with the one that was edited, which has these bytes and this model.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn compared<'c>(
        &'c self,
        kind: &'static Kind,
        before: (&'c Bytes, &'c Model),
    ) -> Result<Comparison<'c>, Error> {
        let compared =
            Comparison::with(kind, (before, self.before.as_ref()), ((&self.bytes, &self.model), Some(&self.after)))?;
        Ok(compared.knowing(self.changes.as_deref()))
    }

    /// Adds edits made before in the same file.
    #[must_use]
    pub fn following(self, earlier: Self) -> Self {
        let recomputed = earlier.recomputed.into_iter().chain(self.recomputed).collect();
        Self { recomputed, changes: None, before: earlier.before, ..self }
    }
}

/// The edits of a batch, made in the model alone or not.
#[non_exhaustive]
pub enum InModel {
    /// The file after all edits.
    Made(Box<Batched>),
    /// The edits must be made in the documents of the entries with the places, or these have the reason why they cannot be made at all.
    Needs(ByDocument),
}

/// Why edits of values are made in the documents of the entries that they touch instead of in the parts with the values: a value can decide
/// what else the entry holds. Other entries stay as they are either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ByDocument {
    /// There are so many that all parts are loaded at once.
    Many,
    /// A place is none of a part that can be loaded alone, or two overlap.
    NoPart,
    /// A value does not fit its part.
    Unfit,
    /// A part cannot be loaded with its new value.
    Unloaded,
    /// The model cannot be laid out afterward.
    Unwritten,
    /// The file is not read back as the model.
    Unproven,
    /// The edit has changed what other parts there are.
    OtherParts,
}

/// The reason why a batch cannot be made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BatchError {
    /// An edit does not fit the format.
    Error(Error),
    /// An edit does not fit its place.
    Refusal(Refusal),
    /// The edited file would not be a file of its kind that round-trips.
    Unproven(String),
}

impl Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(error) => error.fmt(f),
            Self::Refusal(refusal) => refusal.fmt(f),
            Self::Unproven(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for BatchError {}

impl From<Error> for BatchError {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<Refusal> for BatchError {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

impl BatchError {
    pub(super) fn at(place: &Address, why: impl Into<String>) -> Self {
        Self::Refusal(Refusal { place: place.to_string(), why: why.into() })
    }
}

/// Changes entries in the exchange format.
pub(crate) type Entries<'e> = &'e dyn Fn(&mut Edit) -> Result<(), BatchError>;

impl Batch {
    /// Returns the edits of an entry as those of the file that holds it.
    #[must_use]
    pub fn inside(self, entry: &str) -> Self {
        fn values<T>(list: Vec<(Address, T)>, entry: &str) -> Vec<(Address, T)> {
            list.into_iter().map(|(place, value)| (place.inside(entry), value)).collect()
        }
        let places = |list: Vec<Address>| list.into_iter().map(|place| place.inside(entry));
        let within = |(old, new): (String, String)| (format!("{entry}!{old}"), new);
        Self {
            rename: self.rename.into_iter().map(within).collect(),
            set: values(self.set, entry),
            typed: values(self.typed, entry),
            delete: places(self.delete).collect(),
            insert: values(self.insert, entry),
            typed_insert: values(self.typed_insert, entry),
            recompute: places(self.recompute).collect(),
            retype: self.retype,
        }
    }

    /// Makes the edits in a model of a file with this name (the last part of its path): first those of `entries`, then those of values.
    ///
    /// Values are set, inserted and deleted in the parts with them if possible. Otherwise, and for entries, the documents of the entries that
    /// the edits touch are loaded again, which also gives the reason if one is rejected; [`ByDocument`] lists when.
    ///
    /// # Errors
    /// Returns an error if an edit does not fit, or if the edited file would not round-trip.
    pub fn apply(
        &self,
        kinds: &'static [Kind],
        (about, model, name): (About<'_>, &Model, &str),
        entries: Option<Entries<'_>>,
    ) -> Result<Batched, BatchError> {
        if entries.is_none()
            && let Some(batched) = self.of_values(kinds, (about.kind, model, name))?
        {
            return Ok(batched);
        }
        let kind = about.kind;
        let mut edit = Edit::of(model, about)?;
        entries.map_or(Ok(()), |entries| entries(&mut edit))?;
        self.pack(kinds, edit, (kind, name)).map_err(|error| match error {
            BatchError::Error(error) => self.meant(model, &error).map_or_else(|| error.into(), BatchError::from),
            other => other,
        })
    }

    /// Returns why a new value in a model is refused, given the error, with the name beside it that may have been meant; `None` if the error is
    /// of something else, or if no name is similar.
    #[must_use]
    pub fn meant(&self, model: &Model, error: &Error) -> Option<Refusal> {
        let error = error.to_string();
        let of_error = |place: &Address| error.strip_prefix(&place.to_string())?.strip_prefix(": ").map(str::to_owned);
        let (place, why) = self.places_set().find_map(|place| Some((place, of_error(place)?)))?;
        let shown = |at: &Address, depth: usize| show(model, &at.to_string(), depth).ok();
        shown(place, 0)?.is_none().then_some(())?;
        let (outer, key) = place.outer()?;
        let Value::Object(members) = shown(&outer, usize::MAX)?? else { return None };
        let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        let name = near(key, &names)?;
        Some(Refusal::new(place.to_string(), format!("{why}; or did you mean {name}?")))
    }

    /// Makes the edits in the documents of a file of this kind and name, in which entries may have been edited already.
    ///
    /// # Errors
    /// Returns an error if an edit does not fit, or if the edited file would not round-trip.
    pub fn pack(
        &self,
        kinds: &'static [Kind],
        mut edit: Edit,
        (kind, name): (&'static Kind, &str),
    ) -> Result<Batched, BatchError> {
        self.in_documents(&mut edit)?;
        let Packed { mut model, mut recomputed, .. } = edit.pack(kinds)?;
        recomputed.extend(self.recompute_in(&mut model)?);
        let (bytes, gist) = encoded(&model)?;
        let proven = prove_beside(kinds, kind, (Some(&model), &gist), (name, &bytes), (true, &mut Nobody));
        let (model, after) = proven.map_err(BatchError::Unproven)?;
        Ok(Batched { bytes, model, recomputed, changes: None, before: None, after })
    }

    /// Makes the edits in the model if all are of values that can be loaded alone, or returns `None`.
    ///
    /// # Errors
    /// Returns an error if an edit does not fit a file that the exchange format has as raw bytes.
    pub fn of_values(
        &self,
        kinds: &'static [Kind],
        file: (&'static Kind, &Model, &str),
    ) -> Result<Option<Batched>, BatchError> {
        Ok(match self.in_model(kinds, file)? {
            InModel::Made(batched) => Some(*batched),
            InModel::Needs(_) => None,
        })
    }

    /// Makes the edits in the model of a file of this kind and name: only the parts with the places are loaded again. Returns the reason
    /// if documents are needed.
    ///
    /// # Errors
    /// Returns an error if an edit does not fit a file that the exchange format has as raw bytes.
    pub fn in_model(
        &self,
        kinds: &'static [Kind],
        (kind, model, name): (&'static Kind, &Model, &str),
    ) -> Result<InModel, BatchError> {
        match self.rename.as_slice() {
            [] => self.in_parts(kinds, (kind, model, name), None),
            [only] if self.places().next().is_none() => {
                self.naming((kind, model))?.in_parts(kinds, (kind, model, name), Some(only))
            }
            _ => self.naming((kind, model))?.in_parts(kinds, (kind, model, name), None),
        }
    }

    /// Makes the edits in the parts with their places, which are those of the name of an entry if it is `renamed`: its old place and its
    /// new name.
    fn in_parts(
        &self,
        kinds: &'static [Kind],
        (kind, model, name): (&'static Kind, &Model, &str),
        renamed: Option<&(String, String)>,
    ) -> Result<InModel, BatchError> {
        // The exchange format has only some values of a file that it stores as raw bytes, and no other reasons why one cannot be set.
        let is_raw = kind.raw.is_some();
        let is_refused = is_raw && self.places_of_items().next().is_none();
        // To edit values one by one takes time for each value and part; a document takes it for each part once.
        if self.places().count() > Thresholds::here().values_edited && !is_raw {
            return Ok(InModel::Needs(ByDocument::Many));
        }
        let (places, items): (Vec<_>, Vec<_>) = (self.places_set().collect(), self.places_of_items().collect());
        // What the edit knows itself needs no comparison.
        let with_parts = !items.is_empty() || !self.recompute.is_empty();
        let (values, before) = Values::find((&places, &items), |finder| Inventory::beside(model, with_parts, finder))?;
        let Some(mut values) = values else { return Ok(InModel::Needs(ByDocument::NoPart)) };
        match self.change(&mut values) {
            Ok(()) => {}
            Err(refusal) if is_refused => return Err(refusal.into()),
            Err(_) => return Ok(InModel::Needs(ByDocument::Unfit)),
        }
        let mut model = model.copy();
        let made = match values.load(&mut model) {
            Ok(made) => made,
            Err(error) if is_refused => return Err(error.into()),
            Err(_) => return Ok(InModel::Needs(ByDocument::Unloaded)),
        };
        let by_wish = self.recompute_in(&mut model)?;
        let Ok((bytes, gist)) = encoded(&model) else { return Ok(InModel::Needs(ByDocument::Unwritten)) };
        // The one that is read back can have its memory.
        drop(model);
        let mut again = made.again();
        let (model, after) = match prove_beside(kinds, kind, (None, &gist), (name, &bytes), (with_parts, &mut again)) {
            Ok(proven) => proven,
            Err(why) if (kind.uneditable)(&bytes).is_some() => return Err(BatchError::Unproven(why)),
            Err(_) => return Ok(InModel::Needs(ByDocument::Unproven)),
        };
        let Some(pieces) = made.found_in(again) else { return Ok(InModel::Needs(ByDocument::OtherParts)) };
        let changes = made.changes(&pieces).filter(|_| by_wish.is_empty());
        let changes = match renamed {
            None => changes.filter(|_| before.gist.names_as(&after.gist)),
            Some((entry, to)) => changes
                .filter(|changes| {
                    changes.iter().all(|it| self.sets(it)) && before.gist.renames_as((entry, to), &after.gist)
                })
                .map(|_| vec![Change::Rename { entry: entry.clone(), to: to.clone() }]),
        };
        let recomputed = made.replaced.into_iter().map(replaced).chain(by_wish).collect();
        Ok(InModel::Made(Box::new(Batched { bytes, model, recomputed, changes, before: Some(before), after })))
    }

    /// Returns `true` if a change is of a value that the edits set.
    fn sets(&self, change: &Change) -> bool {
        let Change::Set { at, .. } = change else { return false };
        self.set.iter().any(|(place, _)| at.is_in(place))
    }

    /// Returns the same edits with the names of entries as values to set.
    fn naming(&self, (kind, model): (&'static Kind, &Model)) -> Result<Self, BatchError> {
        // Only the rows of entries are looked at, not what the manifest says.
        let about = About { kind, games: &[], sha256: Sha::of(&[]), deviations: &[] };
        let mut edit = Edit::to_look_at(model, about)?;
        let mut names = Vec::new();
        for (old, new) in &self.rename {
            names.extend(edit.renamed(old, new)?);
        }
        names.extend_from_slice(&self.set);
        Ok(Self { rename: Vec::new(), set: names, ..self.clone() })
    }

    /// Makes the edits in the parts that have been found, in the order of the exchange format.
    fn change(&self, values: &mut Values) -> Result<(), Refusal> {
        let at = |place: &Address, why: String| Refusal::new(place.to_string(), why);
        for (nth, (place, value)) in self.set.iter().enumerate() {
            values.set(nth, value.clone(), self.retype).map_err(|why| at(place, why))?;
        }
        let first = self.set.len();
        for (nth, (place, word)) in self.typed.iter().enumerate() {
            values.set_typed(first + nth, word, self.retype).map_err(|why| at(place, why))?;
        }
        let first = first + self.typed.len();
        for nth in last_first(&self.delete) {
            if let Some(place) = self.delete.get(nth) {
                values.delete(first + nth).map_err(|why| at(place, why))?;
            }
        }
        let first = first + self.delete.len();
        for (nth, (place, value)) in self.insert.iter().enumerate() {
            values.insert(first + nth, value.clone()).map_err(|why| at(place, why))?;
        }
        let first = first + self.insert.len();
        for (nth, (place, word)) in self.typed_insert.iter().enumerate() {
            values.insert_typed(first + nth, word).map_err(|why| at(place, why))?;
        }
        Ok(())
    }

    /// Makes the edits in documents.
    fn in_documents(&self, edit: &mut Edit) -> Result<(), Refusal> {
        for (old, new) in &self.rename {
            edit.rename(old, new)?;
        }
        for (place, value) in &self.set {
            edit.set(place, value.clone(), self.retype)?;
        }
        for (place, word) in &self.typed {
            edit.set_typed(place, word, self.retype)?;
        }
        for place in last_first(&self.delete).into_iter().filter_map(|nth| self.delete.get(nth)) {
            edit.delete(place)?;
        }
        for (place, value) in &self.insert {
            edit.insert_new(place, value.clone())?;
        }
        for (place, word) in &self.typed_insert {
            edit.insert_typed(place, word)?;
        }
        Ok(())
    }

    /// Returns the places of the values to set, in order.
    pub fn places_set(&self) -> impl Iterator<Item = &Address> {
        self.set.iter().map(|(place, _)| place).chain(self.typed.iter().map(|(place, _)| place))
    }

    /// Returns the places of the items to delete and to insert, in order.
    fn places_of_items(&self) -> impl Iterator<Item = &Address> {
        let inserted = self.insert.iter().map(|(place, _)| place);
        self.delete.iter().chain(inserted).chain(self.typed_insert.iter().map(|(place, _)| place))
    }

    /// Returns `true` if there are no edits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rename.is_empty() && self.places().next().is_none() && self.recompute.is_empty()
    }

    /// Returns all places that are edited.
    fn places(&self) -> impl Iterator<Item = &Address> {
        self.places_set().chain(self.places_of_items())
    }

    /// Returns all places that are edited, and those to recompute, for changing.
    #[cfg(feature = "mods")]
    pub(crate) fn places_mut(&mut self) -> impl Iterator<Item = &mut Address> {
        let Self { rename: _, set, typed, delete, insert, typed_insert, recompute, retype: _ } = self;
        let of_json = set.iter_mut().chain(insert).map(|(place, _)| place);
        let of_words = typed.iter_mut().chain(typed_insert).map(|(place, _)| place);
        of_json.chain(of_words).chain(delete).chain(recompute)
    }

    /// Recomputes the values at the places where that is requested.
    fn recompute_in(&self, model: &mut Model) -> Result<Vec<Replaced>, BatchError> {
        if self.recompute.is_empty() {
            return Ok(Vec::new());
        }
        let recomputed = recompute(model, &self.recompute)?;
        if let Some(place) = recomputed.idle.first() {
            let is_there = show(model, &place.to_string(), 0)?.is_some();
            let why = if is_there { "no rule computes a value here".to_owned() } else { why_nothing(model, place)? };
            return Err(BatchError::at(place, why));
        }
        Ok(recomputed.replaced.into_iter().map(replaced).collect())
    }
}

/// Returns the bytes of an edited model, and what must be the same when they are read back.
fn encoded(model: &Model) -> Result<(Bytes, Gist), Error> {
    let (mut bytes, mut gist) = (Vec::new(), Gist::default());
    visit(model, &mut Several([&mut bytes, &mut gist]))?;
    Ok((bytes.into(), gist))
}

fn replaced(ReplacedValue { place, was, now }: ReplacedValue) -> Replaced {
    Replaced { place: place.to_string(), was, now }
}

/// Returns the numbers of places with later items of a list before earlier ones, so that deleting one does not move the next.
fn last_first(places: &[Address]) -> Vec<usize> {
    let key = |place: &Address| {
        let keys = place.keys.iter().map(|key| (key.parse::<u64>().ok(), key.clone()));
        (place.entry.clone(), keys.collect::<Vec<_>>())
    };
    let mut numbers: Vec<usize> = (0..places.len()).collect();
    numbers.sort_by_cached_key(|nth| Reverse(places.get(*nth).map(key)));
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::tests::{Sample, archive};
    use crate::registry::KINDS;
    use field::{Block, Result as Laid, U32, lay, wide};

    /// Numbers, and rows.
    #[derive(Clone, Default)]
    struct Sheet {
        first: U32,
        second: U32,
        third: U32,
        fourth: U32,
        rows: Block<U32>,
    }

    lay! {
        impl Lay for Sheet {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Laid {
                t.value("first", at!(self.first))?;
                t.value("second", at!(self.second))?;
                t.value("third", at!(self.third))?;
                t.value("fourth", at!(self.fourth))?;
                t.block("rows", wide(self.rows.len()), at!(self.rows))
            }
        }
    }

    fn every_kind_of_edit() -> Batch {
        Batch {
            set: vec![("/third".into(), 13.into())],
            typed: ["/second", "/first", "/fourth"]
                .iter()
                .zip(["12", "11", "14"])
                .map(|(at, it)| ((*at).into(), it.to_owned()))
                .collect(),
            delete: vec!["/rows/0".into(), "/rows/3".into(), "/rows/1".into()],
            insert: vec![("/rows/1".into(), 91.into()), ("/rows/0".into(), 90.into())],
            typed_insert: vec![("/rows/2".into(), "92".to_owned()), ("/rows/-".into(), "93".to_owned())],
            ..Batch::default()
        }
    }

    #[test]
    fn each_edit_reaches_its_own_place_in_parts() {
        let numbers = |it: &Sheet| [it.first, it.second, it.third, it.fourth].map(U32::get);
        let mut sheet = Sheet { rows: [20, 21, 22, 23, 24].into_iter().map(U32::new).collect(), ..Sheet::default() };
        let batch = every_kind_of_edit();
        let (places, items): (Vec<_>, Vec<_>) = (batch.places_set().collect(), batch.places_of_items().collect());
        let found = Values::find((&places, &items), |finder| visit(&sheet, finder));
        let mut values = found.expect("is laid out").0.expect("all are parts");
        batch.change(&mut values).expect("all fit");
        values.load(&mut sheet).expect("is laid out");
        assert_eq!(numbers(&sheet), [11, 12, 13, 14]);
        // Deleted are 20, 21 and 23, whose places are those before any deletion; the others go where they are when their turn comes.
        let rows: Vec<u32> = sheet.rows.iter().map(|it| it.get()).collect();
        assert_eq!(rows, [90, 22, 92, 91, 24, 93]);
    }

    #[test]
    fn batch_with_any_edit_is_not_empty() {
        let batch = every_kind_of_edit();
        let one = |change: fn(&mut Batch, &Batch)| {
            let mut empty = Batch::default();
            change(&mut empty, &batch);
            empty
        };
        assert!(Batch::default().is_empty() && Batch { retype: true, ..Batch::default() }.is_empty());
        for batch in [
            one(|new, all| new.set.clone_from(&all.set)),
            one(|new, all| new.typed.clone_from(&all.typed)),
            one(|new, all| new.delete.clone_from(&all.delete)),
            one(|new, all| new.insert.clone_from(&all.insert)),
            one(|new, all| new.typed_insert.clone_from(&all.typed_insert)),
            one(|new, _| new.rename.push(("a".to_owned(), "b".to_owned()))),
            one(|new, _| new.recompute.push("/first".into())),
        ] {
            assert!(!batch.is_empty(), "{batch:?}");
        }
    }

    #[test]
    #[cfg(feature = "mods")]
    fn every_place_can_be_changed() {
        let mut batch = Batch { recompute: vec!["/second".into()], ..every_kind_of_edit() };
        let count = batch.places().count() + 1;
        for place in batch.places_mut() {
            *place = Address { entry: "inner".to_owned(), ..place.clone() };
        }
        assert_eq!(batch.places_mut().count(), count);
        assert!(batch.places().chain(&batch.recompute).all(|place| place.entry == "inner"), "{batch:?}");
    }

    #[test]
    fn entry_that_is_renamed_beside_another_edit_is_not_the_only_change() {
        let Sample { kind, name, bytes, model } = archive();
        let entry = passes::spans(&model).expect("is laid out").into_keys().next().expect("it has entries");
        let rename = vec![(entry, "q.zrd".to_owned())];
        let batch = Batch { rename, set: vec![("/entries/0/flags".into(), 77.into())], ..Batch::default() };
        let made = batch.in_model(KINDS, (kind, &model, &name)).expect("it fits");
        let InModel::Made(made) = made else { panic!("its parts are edited") };
        let compared = made.compared(kind, (&bytes, &model)).expect("are laid out");
        let found = Comparison::of(kind, (&bytes, &model), (&made.bytes, &made.model)).and_then(|it| it.changes());
        let changes = compared.changes().expect("are laid out");
        assert_eq!((changes.len(), Ok(changes)), (2, found));
    }
}
