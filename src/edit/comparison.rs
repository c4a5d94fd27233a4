//! Two files of one kind, compared: what an edit has done, or another program.

use std::collections::HashSet;

use bytes::Bytes;

use super::diff::{self, Change, MediaSummaries, Parts, Walked};
use super::inventory::Inventory;
use super::new_findings::{deviations_since, warnings_since};
use field::{Error, Place, visit, wide};
use kind::{Kind, Model};
use lint::Warning;
use passes::Deviation;

/// Returns the changes between two files of one kind.
///
/// # Errors
/// Returns an error if one of the files does not decode.
pub fn changes_between(kind: &'static Kind, old: Bytes, new: Bytes) -> Result<Vec<Change>, Error> {
    let [before, after] = [(kind.decode)(old.clone())?.model, (kind.decode)(new.clone())?.model];
    Comparison::of(kind, (&old, &before), (&new, &after))?.changes()
}

/// Two files of one kind, of which each model has been walked once.
pub struct Comparison<'c> {
    kind: &'static Kind,
    old: Side<'c>,
    new: Side<'c>,
    /// The changes, if an edit knows them.
    known: Option<&'c [Change]>,
}

/// One of the files.
struct Side<'c> {
    bytes: &'c Bytes,
    model: &'c Model,
    inventory: Known<'c>,
}

/// An inventory that was taken for the comparison, or before.
enum Known<'c> {
    Now(Box<Inventory>),
    Before(&'c Inventory),
}

impl<'c> Side<'c> {
    fn of((bytes, model): (&'c Bytes, &'c Model), known: Option<&'c Inventory>) -> Result<Self, Error> {
        let inventory = match known {
            Some(known) => Known::Before(known),
            None => Known::Now(Box::new(Inventory::of(model)?)),
        };
        Ok(Self { bytes, model, inventory })
    }

    fn inventory(&self) -> &Inventory {
        match &self.inventory {
            Known::Now(inventory) => inventory,
            Known::Before(inventory) => inventory,
        }
    }

    /// Returns the parts that the inventory lacks.
    fn other_parts(&self) -> Result<Parts, Error> {
        let mut parts = Parts::default();
        if self.inventory().parts.is_none() {
            visit(self.model, &mut parts)?;
        }
        Ok(parts)
    }

    fn walked<'s>(&'s self, others: &'s Parts) -> Walked<'s> {
        let inventory = self.inventory();
        let parts = inventory.parts.as_ref().unwrap_or(others);
        Walked { bytes: self.bytes, model: self.model, entries: inventory.entries(), parts }
    }
}

impl<'c> Comparison<'c> {
    /// Compares an old and a new file of this kind.
    ///
    /// # Errors
    /// Returns an error if one of the models cannot be laid out.
    pub fn of(kind: &'static Kind, old: (&'c Bytes, &'c Model), new: (&'c Bytes, &'c Model)) -> Result<Self, Error> {
        Self::with(kind, (old, None), (new, None))
    }

    /// Compares two files whose inventories may be known.
    pub(super) fn with(
        kind: &'static Kind,
        (old, old_known): ((&'c Bytes, &'c Model), Option<&'c Inventory>),
        (new, new_known): ((&'c Bytes, &'c Model), Option<&'c Inventory>),
    ) -> Result<Self, Error> {
        Ok(Self { kind, old: Side::of(old, old_known)?, new: Side::of(new, new_known)?, known: None })
    }

    /// Takes these changes for all, if there are some: an edit knows what it has done.
    pub(super) fn knowing(self, known: Option<&'c [Change]>) -> Self {
        Self { known, ..self }
    }

    /// Returns the changes that turn the old file into the new one. Parts that are identical byte by byte are not compared further.
    ///
    /// # Errors
    /// Returns an error if one of the models cannot be laid out.
    pub fn changes(&self) -> Result<Vec<Change>, Error> {
        match self.known {
            Some(known) => Ok(known.to_vec()),
            None => {
                let [old, new] = [self.old.other_parts()?, self.new.other_parts()?];
                diff::between(self.kind, self.old.walked(&old), self.new.walked(&new))
            }
        }
    }

    /// Returns the images and sounds of both files in words.
    #[must_use]
    pub fn media(&self) -> MediaSummaries {
        MediaSummaries::of(&self.old.inventory().media, &self.new.inventory().media)
    }

    /// Returns the deviations of the new file, each by its own place, that the old one does not have.
    ///
    /// An edit can move items of a list, so places are compared only for kinds of deviations that occur more often than before.
    ///
    /// # Errors
    /// Returns an error if one of the models cannot be laid out.
    pub fn new_deviations(&self) -> Result<Vec<Deviation>, Error> {
        let [old, new] = [&self.old, &self.new].map(|side| (side.model, &*side.inventory().deviations));
        deviations_since(old, new)
    }

    /// Returns the warnings that the new file has and the old one does not, and those of changed values. `name` is the last part of the
    /// path of the file.
    ///
    /// An edit can move items of a list, so places are compared only for kinds of warnings that occur more often than before.
    ///
    /// # Errors
    /// Returns an error if one of the models cannot be laid out.
    pub fn new_warnings(&self, name: &str) -> Result<Vec<Warning>, Error> {
        let of_name = |bytes: &Bytes| (self.kind.trap_of_name)(name, wide(bytes.len()));
        let of_name = of_name(self.new.bytes).filter(|_| of_name(self.old.bytes).is_none());
        let of_name = of_name.map(|(trap, found)| Warning::of(trap, Place::default(), found));
        let [old, new] = [&self.old, &self.new].map(|side| (side.model, &side.inventory().addresses));
        let same = self.same_entries();
        let is_same = |place: &Place| same.contains(place.container().as_str());
        Ok(of_name.into_iter().chain(warnings_since(old, new, &is_same)?).collect())
    }

    /// Returns the entries that both files have with the same kind and the same bytes.
    fn same_entries(&self) -> HashSet<&str> {
        let [old, new] = [&self.old, &self.new].map(|side| {
            move |entry: &str| {
                let span = side.inventory().entries().get(entry)?;
                Some((span.kind, span.of(side.bytes)?))
            }
        });
        let entries = self.old.inventory().entries().keys().map(String::as_str);
        entries.filter(|entry| old(entry).is_some_and(|was| new(entry) == Some(was))).collect()
    }
}
