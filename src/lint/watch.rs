//! Values whose change is a trap: those of an edited model are compared with those of the original.

use core::hash::{Hash, Hasher as _};
use std::collections::HashMap;

use rustc_hash::{FxBuildHasher, FxHasher};

use crate::field::{Class, Datum, Item, Layout, Place, Result, Shape, Step, Visitor, What, visit, walk};

use super::report::{Value, each};
use super::{Lint, Trap, Warning, Watch, traps};

traps! { TRAPS:
    ADDRESS = "address-changed" in Change:
        "an address in the memory of the tool that wrote the file was changed" => "the game replaces all addresses on load",
        "zipper-editing.md, section 1 (engine)";
}

/// Returns a hash of a value or a place.
fn hash(of: &(impl Hash + ?Sized)) -> u64 {
    let mut hash = FxHasher::default();
    of.hash(&mut hash);
    hash.finish()
}

/// The values of a model whose change is a trap, by hashes of their places.
#[derive(Debug, Default)]
struct Values {
    values: HashMap<u64, (&'static Trap, u64), FxBuildHasher>,
    /// The number of values by the common form of their places. If it differs, items of a list have moved.
    counts: HashMap<u64, u64, FxBuildHasher>,
}

/// The identity of a value: hashes of its place or key, and of the common form of its place.
#[derive(Clone, Copy)]
struct Identity {
    id: u64,
    kind: u64,
}

impl Identity {
    /// Returns the identity of the value at a place.
    fn of(place: &Place, steps: &[Step]) -> Self {
        Self { id: hash(&(place, steps)), kind: place.kind(steps) }
    }

    /// Returns the identity of a field of the value.
    fn field(self, name: &str) -> Self {
        Self { id: hash(&(self.id, name)), kind: hash(&(self.kind, name)) }
    }

    /// Returns the identity of the value with a key, wherever it is.
    fn keyed(self, trap: &Trap, key: &[u8]) -> Self {
        Self { id: hash(&(self.kind, trap.id, key)), ..self }
    }
}

impl Values {
    fn add(&mut self, Identity { id, kind }: Identity, trap: &'static Trap, value: u64) {
        // If several values have one key, they are not compared.
        self.values.entry(id).and_modify(|(_, known)| *known = 0).or_insert((trap, value));
        let count = self.counts.entry(kind).or_default();
        *count += 1;
    }
}

/// The values of a model whose change is a trap, compared with those of the original.
#[derive(Debug, Default)]
struct Compared<'a> {
    original: Option<&'a Values>,
    watched: Values,
    changed: Vec<Changed>,
}

/// A changed value.
#[derive(Debug)]
struct Changed {
    place: Place,
    trap: &'static Trap,
    /// `true` if it was compared by its key.
    has_key: bool,
    id: u64,
    kind: u64,
}

/// Returns a warning for every changed value of an edited model: first for addresses, then for what its parts watch.
///
/// # Errors
/// Returns an error if a model cannot be laid out.
pub(crate) fn changed<M: walk::Lay + Lint>(before: &M, after: &M) -> Result<Vec<Warning>> {
    let mut original = Compared::default();
    original.model(before)?;
    let mut edited = Compared { original: Some(&original.watched), ..Compared::default() };
    edited.model(after)?;
    Ok(edited.finish())
}

impl Compared<'_> {
    /// Adds the values of a model.
    fn model<M: walk::Lay + Lint>(&mut self, model: &M) -> Result {
        visit(model, self)?;
        each(model, &mut |place, part| part.watch(&mut Watch { place, add: &mut |it| self.value(it) }));
        Ok(())
    }

    fn finish(self) -> Vec<Warning> {
        let Self { original, watched, changed } = self;
        let counts = original.map(|original| &original.counts);
        let is_unmoved = |kind: u64| counts.is_some_and(|it| it.get(&kind) == watched.counts.get(&kind));
        let is_single = |id: u64| watched.values.get(&id).is_some_and(|(_, value)| *value != 0);
        let changed = changed.into_iter();
        let changed = changed.filter(|it| if it.has_key { is_single(it.id) } else { is_unmoved(it.kind) });
        changed.map(|it| Warning::of(it.trap, it.place, String::new())).collect()
    }

    fn value(&mut self, Value { place, steps, trap, key, bytes }: Value<'_>) {
        let identity = Identity::of(place, steps);
        let identity = key.map_or(identity, |key| identity.keyed(trap, key));
        self.add(identity, || place.with(steps.iter().copied()), trap, key.is_some(), bytes);
    }

    fn add(
        &mut self,
        identity: Identity,
        place: impl FnOnce() -> Place,
        trap: &'static Trap,
        has_key: bool,
        value: &[u8],
    ) {
        let (value, Identity { id, kind }) = (hash(value).max(1), identity);
        self.watched.add(identity, trap, value);
        if let Some((trap, was)) = self.original.and_then(|original| original.values.get(&id))
            && *was != 0
            && *was != value
        {
            self.changed.push(Changed { place: place(), trap, has_key, id, kind });
        }
    }

    /// Adds the addresses in a record these steps from a place.
    fn addresses(&mut self, place: &Place, steps: &[Step], layout: &'static Layout, bytes: &[u8]) {
        let mut identity = None;
        // In Crimson Skies, the address of a node's data is its offset, which is updated when the data before it grow.
        let is_address = |name: &str| name.ends_with("_ptr") && name != "data_ptr";
        for field in layout.fields.iter().filter(|it| it.class == Class::Pointer && is_address(it.name)) {
            // Null is not an address: it can decide whether data exists.
            if let Some(value) = field.of(bytes).filter(|value| value.iter().any(|&byte| byte != 0)) {
                let identity = identity.get_or_insert_with(|| Identity::of(place, steps)).field(field.name);
                let place = || place.with(steps.iter().copied().chain([Step::Name(field.name)]));
                self.add(identity, place, &ADDRESS, false, value);
            }
        }
    }
}

impl Visitor for Compared<'_> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        match datum.what {
            What::Fields(layout, _) => self.addresses(datum.place, &[], layout, datum.bytes),
            What::Block(Item { shape: Shape::Record(layout), size, .. }, _) => {
                for (index, record) in (0..).zip(datum.bytes.chunks_exact((*size).max(1))) {
                    self.addresses(datum.place, &[Step::Index(index)], layout, record);
                }
            }
            _ => {}
        }
        Ok(())
    }
}
