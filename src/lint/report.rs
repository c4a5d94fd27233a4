//! The interface by which models report their traps.

use field::{Arrangement, Label, Place, Record, Step, bytes_of};

use super::Trap;

/// A model, or a part of one, that reports its traps.
///
/// Its entries report first, by themselves; what depends on several of them is reported by their container.
pub trait Lint {
    /// Reports the traps in its own values, in file order.
    fn lint(&self, out: &mut Warnings<'_>) {
        let _ = out;
    }

    /// Returns `true` if one of its own traps is a sign of damage. Only then does `verify` ask for its traps: those of a level take ten times
    /// as long as the rest of its proof.
    fn has_signs(&self) -> bool {
        false
    }

    /// Reports its own values whose change is a trap, in file order.
    fn watch(&self, out: &mut Watch<'_>) {
        let _ = out;
    }

    /// Passes on its entries, in file order.
    fn each_entry(&self, pass: &mut Entries<'_>) {
        let _ = pass;
    }
}

/// Receives the traps of a part of a model.
pub struct Warnings<'w> {
    pub(super) place: &'w Place,
    pub(super) add: &'w mut dyn FnMut(Place, &'static Trap, String),
}

impl Warnings<'_> {
    /// Reports a trap these steps into the part, and the values found there.
    pub fn warn(&mut self, trap: &'static Trap, steps: &[Step], found: impl Into<String>) {
        (self.add)(self.place.with(steps.iter().copied()), trap, found.into());
    }
}

/// A value whose change is a trap.
pub(super) struct Value<'v> {
    /// The place of the part that reports it, and the steps from there.
    pub(super) place: &'v Place,
    pub(super) steps: &'v [Step],
    pub(super) trap: &'static Trap,
    pub(super) key: Option<&'v [u8]>,
    pub(super) bytes: &'v [u8],
}

/// Receives the values of a part of a model whose change is a trap.
pub struct Watch<'w> {
    pub(super) place: &'w Place,
    pub(super) add: &'w mut dyn FnMut(Value<'_>),
}

impl Watch<'_> {
    /// Reports a value whose change is a trap, these steps into the part.
    ///
    /// A value with a key is compared with that of the same key, wherever it is; others with that at the same place.
    pub fn watch(&mut self, trap: &'static Trap, steps: &[Step], key: Option<&[u8]>, bytes: &[u8]) {
        (self.add)(Value { place: self.place, steps, trap, key, bytes });
    }

    /// Reports fields of a record whose change is a trap, these steps into the part.
    pub fn watch_fields<R: Record>(&mut self, trap: &'static Trap, steps: &[Step], record: &R, names: &[&str]) {
        for field in R::LAYOUT.fields.iter().filter(|field| names.contains(&field.name)) {
            if let Some(value) = field.of(bytes_of(record)) {
                self.watch(trap, &[steps, &[Step::Name(field.name)]].concat(), None, value);
            }
        }
    }
}

/// Receives the entries of a container.
pub struct Entries<'w> {
    place: Place,
    is_same: IsSame<'w>,
    each: &'w mut dyn FnMut(&Place, &dyn Lint),
}

/// Returns `true` for an entry that two compared files have at this place with the same bytes, so that it has the same traps in both.
pub type IsSame<'s> = &'s dyn Fn(&Place) -> bool;

impl Entries<'_> {
    /// Passes on an entry with this label, whose traps depend on nothing beside it: first the entries in it, then itself.
    pub fn entry(&mut self, label: Label, entry: &dyn Lint) {
        let inside = self.place.with_entry(label);
        if !(self.is_same)(&inside) {
            self.pass(inside, entry);
        }
    }

    /// Passes on an entry with this label, whose traps depend on the entries beside it.
    pub fn part(&mut self, label: Label, entry: &dyn Lint) {
        self.pass(self.place.with_entry(label), entry);
    }

    fn pass(&mut self, inside: Place, entry: &dyn Lint) {
        let outside = core::mem::replace(&mut self.place, inside);
        entry.each_entry(self);
        (self.each)(&self.place, entry);
        self.place = outside;
    }

    /// Passes on the entries of a table with this arrangement, except for those that begin inside the bytes of another. An item without
    /// contents is `None`.
    pub fn items<L: Lint>(&mut self, arrangement: &Arrangement, items: impl IntoIterator<Item = (Label, Option<L>)>) {
        let mut items: Vec<_> = items.into_iter().map(Some).collect();
        for item in arrangement.items(items.len()) {
            if let Some((label, Some(entry))) = items.get_mut(item).and_then(Option::take) {
                self.entry(label, &entry);
            }
        }
    }
}

/// Calls `act` for every entry of a model that is not the same in another one, and then for the model itself, each with its place.
pub fn each(model: &dyn Lint, is_same: IsSame<'_>, act: &mut dyn FnMut(&Place, &dyn Lint)) {
    model.each_entry(&mut Entries { place: Place::default(), is_same, each: act });
    act(&Place::default(), model);
}

/// Contents without traps.
impl Lint for () {}
