//! Warnings: traps that a model contains, and values that an edit has changed to no effect.

use core::fmt::{self, Display};
use core::hash::{Hash as _, Hasher as _};
use std::collections::HashMap;

use rustc_hash::{FxBuildHasher, FxHasher};

use crate::field::{Class, Datum, Item, Layout, Place, Result, Shape, Step, Trap, Visitor, What, traps};

traps! { TRAPS:
    ADDRESS = "address-changed" in Change:
        "an address in the memory of the tool that wrote the file was changed" => "the game replaces all addresses on load",
        "zipper-editing.md, section 1 [engine]";
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
            write!(f, " (and {} more)", count.saturating_sub(1))?;
        }
        write!(f, " [{}: {}]", trap.id, trap.source)
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
                known.count = known.count.saturating_add(1);
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
    fn data(&mut self, _: &Datum<'_>) -> Result {
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

impl Watched {
    /// Adds a value, and returns its identity.
    fn add(&mut self, place: &Place, trap: &'static Trap, key: Option<&[u8]>, value: u64) -> u64 {
        let kind = place.kind(&[]);
        let id = match key {
            Some(key) => hash(&(kind, trap.id, key)),
            None => hash(&(place, trap.id)),
        };
        // If several values have one key, they are not compared.
        self.values.entry(id).and_modify(|(_, known)| *known = 0).or_insert((trap, value));
        let count = self.counts.entry(kind).or_default();
        *count = count.saturating_add(1);
        id
    }
}

/// A visitor that collects the values whose change is a trap, and compares them with those of the original.
#[derive(Debug, Default)]
pub struct Watch<'a> {
    original: Option<&'a Watched>,
    watched: Watched,
    /// The changed values: places, traps, whether they have keys, identities.
    changed: Vec<(Place, &'static Trap, bool, u64)>,
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
        let is_same = |place: &Place| {
            let kind = place.kind(&[]);
            counts.is_some_and(|counts| counts.get(&kind) == watched.counts.get(&kind))
        };
        let is_single = |id: &u64| watched.values.get(id).is_some_and(|(_, value)| *value != 0);
        let changed = changed.into_iter();
        let changed = changed.filter(|(place, _, has_key, id)| if *has_key { is_single(id) } else { is_same(place) });
        changed.map(|(place, trap, ..)| Warning::of(trap, place, String::new())).collect()
    }

    fn add(&mut self, place: Place, trap: &'static Trap, key: Option<&[u8]>, value: &[u8]) {
        let value = hash(value).max(1);
        let id = self.watched.add(&place, trap, key, value);
        if let Some((trap, was)) = self.original.and_then(|original| original.values.get(&id))
            && *was != 0
            && *was != value
        {
            self.changed.push((place, trap, key.is_some(), id));
        }
    }

    /// Adds the addresses in a record.
    fn addresses(&mut self, place: &Place, layout: &'static Layout, bytes: &[u8]) {
        for field in layout.fields.iter().filter(|it| it.class == Class::Pointer && it.name.ends_with("_ptr")) {
            // Null is not an address: it can decide whether data exists.
            if let Some(value) = field.of(bytes).filter(|value| value.iter().any(|&byte| byte != 0)) {
                self.add(place.with([Step::Name(field.name)]), &ADDRESS, None, value);
            }
        }
    }
}

impl Visitor for Watch<'_> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        match datum.what {
            What::Fields(layout, _) => self.addresses(datum.place, layout, datum.bytes),
            What::Block(Item { shape: Shape::Record(layout), size, .. }, _) => {
                for (index, record) in (0..).zip(datum.bytes.chunks_exact((*size).max(1))) {
                    if layout.fields.iter().any(|it| it.class == Class::Pointer) {
                        self.addresses(&datum.place.with([Step::Index(index)]), layout, record);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn watch(&mut self, place: Place, trap: &'static Trap, key: Option<&[u8]>, value: &[u8]) {
        self.add(place, trap, key, value);
    }

    fn watches(&self) -> bool {
        true
    }
}
