//! Warnings: traps that a model contains, and values that an edit has changed to no effect.

use core::fmt::{self, Display};
use core::hash::{Hash as _, Hasher as _};
use std::collections::HashMap;

use rustc_hash::{FxBuildHasher, FxHasher};

use crate::field::{Class, Datum, Item, Layout, Place, Result, Shape, Step, Trap, Visitor, What, traps};

traps! { TRAPS:
    ADDRESS = "address-changed" in Change:
        "an address in the memory of the tool that wrote the file was changed" => "the game replaces all addresses on load",
        "zipper-editing.md, section 1 (engine)";
}

/// A kind of warning in a file: a trap at all places that differ only in their indices.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Warning {
    /// The trap.
    pub trap: &'static Trap,
    /// The places, indices as `*`.
    pub place: String,
    /// The number of such places.
    pub count: u64,
    /// The first of them.
    pub first_place: Place,
    /// The values found at the first, if they explain more than the trap; otherwise empty.
    pub found: String,
}

impl Warning {
    /// Creates the warning of a trap at one place.
    #[must_use]
    pub fn of(trap: &'static Trap, first_place: Place, found: String) -> Self {
        Self { trap, place: first_place.starred(), count: 1, first_place, found }
    }

    /// Returns what is wrong at the first place, with the values found there.
    #[must_use]
    pub fn message(&self) -> String {
        match self.found.as_str() {
            "" => self.trap.what.to_owned(),
            found => format!("{} ({found})", self.trap.what),
        }
    }
}

/// The warning on one line: place, what is wrong, consequence, id, source.
impl Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trap, count, first_place, .. } = self;
        write!(f, "{first_place}: {}; {}", self.message(), trap.effect)?;
        if *count > 1 {
            write!(f, " (and {} more)", count - 1)?;
        }
        write!(f, " [{}; {}]", trap.id, trap.source)
    }
}

/// Warnings by trap and place.
#[derive(Debug, Default)]
struct Warnings {
    list: Vec<Warning>,
    /// The indices of the warnings by a hash of their traps and of their places without indices, which rarely collide.
    by_kind: HashMap<u64, Vec<usize>, FxBuildHasher>,
    /// `true` if warnings at different places are not counted together.
    each: bool,
}

impl Warnings {
    fn add(&mut self, trap: &'static Trap, place: Place, found: String) {
        let same = self.by_kind.entry(kind(trap, &place)).or_default();
        for index in same.iter().filter(|_| !self.each) {
            if let Some(known) = self
                .list
                .get_mut(*index)
                .filter(|known| known.trap.id == trap.id && place.is_kind_of(&[], &known.first_place))
            {
                known.count += 1;
                return;
            }
        }
        same.push(self.list.len());
        self.list.push(Warning::of(trap, place, found));
    }
}

/// Returns a hash of a trap and of the common form of a place.
fn kind(trap: &Trap, place: &Place) -> u64 {
    let mut hash = FxHasher::default();
    (trap.id, place.kind(&[])).hash(&mut hash);
    hash.finish()
}

/// Returns a hash of a value or a place.
fn hash(of: &(impl core::hash::Hash + ?Sized)) -> u64 {
    let mut hash = FxHasher::default();
    of.hash(&mut hash);
    hash.finish()
}

/// A visitor that collects warnings.
#[derive(Debug, Default)]
pub struct Lint(Warnings);

impl Lint {
    /// Creates a lint that lists every warning by its own place.
    #[must_use]
    pub fn listing() -> Self {
        Self(Warnings { each: true, ..Warnings::default() })
    }

    /// Returns the warnings in file order.
    #[must_use]
    pub fn finish(self) -> Vec<Warning> {
        self.0.list
    }

    /// Counts warnings together that were listed by their own places.
    #[must_use]
    pub fn count(warnings: impl IntoIterator<Item = Warning>) -> Vec<Warning> {
        let mut counted = Warnings::default();
        for Warning { trap, first_place, found, .. } in warnings {
            counted.add(trap, first_place, found);
        }
        counted.list
    }
}

impl Visitor for Lint {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        super::encoding::each(datum, |trap, found| self.0.add(trap, datum.place.clone(), found));
        Ok(())
    }

    fn warn(&mut self, place: Place, trap: &'static Trap, found: String) {
        self.0.add(trap, place, found);
    }

    fn lints(&self) -> bool {
        true
    }
}

/// The values of a model whose change is a trap, by hashes of their places.
#[derive(Debug, Default)]
pub struct Watched {
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

impl Watched {
    fn add(&mut self, Identity { id, kind }: Identity, trap: &'static Trap, value: u64) {
        // If several values have one key, they are not compared.
        self.values.entry(id).and_modify(|(_, known)| *known = 0).or_insert((trap, value));
        let count = self.counts.entry(kind).or_default();
        *count += 1;
    }
}

/// A visitor that collects the values whose change is a trap, and compares them with those of the original.
#[derive(Debug, Default)]
pub struct Watch<'a> {
    original: Option<&'a Watched>,
    watched: Watched,
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

impl<'a> Watch<'a> {
    /// Creates a visitor that compares the values of an edited model with those of the original.
    #[must_use]
    pub fn against(original: &'a Watched) -> Self {
        Self { original: Some(original), ..Self::default() }
    }

    /// Returns the values.
    #[must_use]
    pub fn watched(self) -> Watched {
        self.watched
    }

    /// Returns a warning for every changed value.
    #[must_use]
    pub fn finish(self) -> Vec<Warning> {
        let Self { original, watched, changed } = self;
        let counts = original.map(|original| &original.counts);
        let is_unmoved = |kind: u64| counts.is_some_and(|it| it.get(&kind) == watched.counts.get(&kind));
        let is_single = |id: u64| watched.values.get(&id).is_some_and(|(_, value)| *value != 0);
        let changed = changed.into_iter();
        let changed = changed.filter(|it| if it.has_key { is_single(it.id) } else { is_unmoved(it.kind) });
        changed.map(|it| Warning::of(it.trap, it.place, String::new())).collect()
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

impl Visitor for Watch<'_> {
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

    fn watch(&mut self, place: &Place, steps: &[Step], trap: &'static Trap, key: Option<&[u8]>, value: &[u8]) {
        let identity = Identity::of(place, steps);
        let identity = key.map_or(identity, |key| identity.keyed(trap, key));
        self.add(identity, || place.with(steps.iter().copied()), trap, key.is_some(), value);
    }

    fn watches(&self) -> bool {
        true
    }
}
