//! Values whose change is a trap: those of an edited model are compared with those of the original.

use core::hash::{Hash, Hasher as _};
use std::collections::HashMap;

use rustc_hash::{FxBuildHasher, FxHasher};

use field::{Class, Datum, Item, Layout, Place, Result, Shape, Step, Visitor, What, visit, walk};

use super::report::{IsSame, Value, each};
use super::{Lint, Trap, Warning, Watch};
use crate::traps;

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

/// A hash of the addresses of a model in file order, with null ones, which shift when others move. They are compared by their places only
/// if it differs.
#[derive(Default)]
pub struct Addresses(FxHasher);

impl Addresses {
    fn are_same(&self, other: &Self) -> bool {
        self.0.finish() == other.0.finish()
    }
}

impl Visitor for Addresses {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        pointers(datum, &mut |_, value| value.hash(&mut self.0));
        Ok(())
    }
}

/// The values of a model whose change is a trap, by hashes of their places. As a visitor, it finds its addresses.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    values: HashMap<u64, Known, FxBuildHasher>,
    /// The number of values by the common form of their places. If it differs, items of a list have moved.
    counts: HashMap<u64, u64, FxBuildHasher>,
}

/// A value, without its place.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The trap of its change.
    trap: &'static Trap,
    /// A hash of the value, or 0 if several values have its key: these are not compared.
    hash: u64,
    /// `true` if it has a key.
    has_key: bool,
    /// A hash of the common form of its place.
    kind: u64,
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

impl Watched {
    /// Returns the addresses of a model.
    fn addresses_of<M: walk::Lay + ?Sized>(model: &M) -> Result<Self> {
        let mut watched = Self::default();
        visit(model, &mut watched)?;
        Ok(watched)
    }

    /// Returns a hash of the values that the parts of a model watch themselves, in file order, with where they are in their parts.
    fn hash_of(model: &dyn Lint, is_same: IsSame<'_>) -> u64 {
        let (mut hasher, mut part_number) = (FxHasher::default(), 0_u64);
        each(model, is_same, &mut |place, part| {
            part_number += 1;
            let mut add = |it: Value<'_>| (part_number, it.steps, it.trap.id, it.key, it.bytes).hash(&mut hasher);
            part.watch(&mut Watch { place, add: &mut add });
        });
        hasher.finish()
    }

    /// Returns the values that the parts of a model watch themselves.
    fn of(model: &dyn Lint, is_same: IsSame<'_>) -> Self {
        let mut watched = Self::default();
        each(model, is_same, &mut |place, part| {
            part.watch(&mut Watch {
                place,
                add: &mut |it| watched.add(it.identity(), it.trap, it.key.is_some(), it.bytes),
            });
        });
        watched
    }

    fn add(&mut self, Identity { id, kind }: Identity, trap: &'static Trap, has_key: bool, value: &[u8]) {
        let hash = hash(value).max(1);
        self.values.entry(id).and_modify(|known| known.hash = 0).or_insert(Known { trap, hash, has_key, kind });
        let count = self.counts.entry(kind).or_default();
        *count += 1;
    }

    /// Returns the traps of the values that differ from those of the original, by their identities.
    fn changed_from(&self, original: &Self) -> Traps {
        let is_unmoved = |kind: &u64| original.counts.get(kind) == self.counts.get(kind);
        let changed = |(id, now): (&u64, &Known)| {
            let was = original.values.get(id)?;
            let is_changed = was.hash != 0 && now.hash != 0 && was.hash != now.hash;
            (is_changed && (now.has_key || is_unmoved(&now.kind))).then_some((*id, was.trap))
        };
        self.values.iter().filter_map(changed).collect()
    }
}

impl Visitor for Watched {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        addresses(datum, &mut |at, value| self.add(at.identity(datum.place), &ADDRESS, false, value));
        Ok(())
    }
}

/// Returns a warning for every changed value of an edited model: first for addresses, then for what its parts watch, without entries that
/// are the same in both.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn changed<M: walk::Lay + Lint>(
    (original, old): (&M, &Addresses),
    (edited, new): (&M, &Addresses),
    is_same: IsSame<'_>,
) -> Result<Vec<Warning>> {
    // Nearly all edits leave these values unchanged, so places are looked for only when one has.
    let mut changed = Changed::default();
    if !old.are_same(new) {
        changed.traps = Watched::addresses_of(edited)?.changed_from(&Watched::addresses_of(original)?);
        visit(edited, &mut changed)?;
    }
    if Watched::hash_of(original, is_same) != Watched::hash_of(edited, is_same) {
        changed.traps = Watched::of(edited, is_same).changed_from(&Watched::of(original, is_same));
        each(edited, is_same, &mut |place, part| {
            part.watch(&mut Watch {
                place,
                add: &mut |it| changed.add(it.identity(), || place.with(it.steps.iter().copied())),
            });
        });
    }
    Ok(changed.warnings)
}

/// Traps by the identities of changed values.
type Traps = HashMap<u64, &'static Trap, FxBuildHasher>;

/// A visitor that finds the places of changed values.
#[derive(Default)]
struct Changed {
    traps: Traps,
    warnings: Vec<Warning>,
}

impl Changed {
    fn add(&mut self, identity: Identity, place: impl FnOnce() -> Place) {
        if let Some(trap) = self.traps.get(&identity.id) {
            self.warnings.push(Warning::of(trap, place(), String::new()));
        }
    }
}

impl Visitor for Changed {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        addresses(datum, &mut |at, _| self.add(at.identity(datum.place), || datum.place.with(at.steps())));
        Ok(())
    }
}

impl Value<'_> {
    fn identity(&self) -> Identity {
        let identity = Identity::of(self.place, self.steps);
        self.key.map_or(identity, |key| identity.keyed(self.trap, key))
    }
}

/// Where an address is in a datum.
#[derive(Clone, Copy)]
struct InDatum {
    /// The step to the row, in a block.
    row: Option<Step>,
    field: &'static str,
}

impl InDatum {
    fn identity(self, place: &Place) -> Identity {
        Identity::of(place, self.row.as_slice()).field(self.field)
    }

    fn steps(self) -> impl Iterator<Item = Step> {
        self.row.into_iter().chain([Step::Name(self.field)])
    }
}

/// Receives an address: where it is, and the value.
type TellAddress<'t> = &'t mut dyn FnMut(InDatum, &[u8]);

/// Calls `tell` for every address.
fn addresses(datum: &Datum<'_>, tell: TellAddress<'_>) {
    // Null is not an address: it can decide whether data exists.
    pointers(datum, &mut |at, value| {
        if value.iter().any(|&byte| byte != 0) {
            tell(at, value);
        }
    });
}

/// Calls `tell` for every field that holds an address or null.
fn pointers(datum: &Datum<'_>, tell: TellAddress<'_>) {
    match datum.what {
        What::Fields(layout, _) => of_record(None, (layout, datum.bytes), tell),
        What::Block(Item { shape: Shape::Record(layout), size, .. }, _) => {
            for (index, record) in (0..).zip(datum.bytes.chunks_exact((*size).max(1))) {
                of_record(Some(Step::Index(index)), (layout, record), tell);
            }
        }
        _ => {}
    }
}

/// Calls `tell` for every address or null in a record, which is a row if there is a step to it.
fn of_record(row: Option<Step>, (layout, bytes): (&'static Layout, &[u8]), tell: TellAddress<'_>) {
    // In Crimson Skies, the address of a node's data is its offset, which is updated when the data before it grow.
    let is_address = |name: &str| name.ends_with("_ptr") && name != "data_ptr";
    for field in layout.fields.iter().filter(|it| it.class == Class::Pointer && is_address(it.name)) {
        if let Some(value) = field.of(bytes) {
            tell(InDatum { row, field: field.name }, value);
        }
    }
}
