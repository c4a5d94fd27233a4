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
        self.new_warnings_beside(name, &self.same_entries())
    }

    /// Does the same without looking at these entries, which are the same in both files.
    fn new_warnings_beside(&self, name: &str, same: &HashSet<&str>) -> Result<Vec<Warning>, Error> {
        let of_name = |bytes: &Bytes| (self.kind.trap_of_name)(name, wide(bytes.len()));
        let of_name = of_name(self.new.bytes).filter(|_| of_name(self.old.bytes).is_none());
        let of_name = of_name.map(|(trap, found)| Warning::of(trap, Place::default(), found));
        let [old, new] = [&self.old, &self.new].map(|side| (side.model, &side.inventory().addresses));
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

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use bytes::Bytes;

    use super::Comparison;
    use crate::edit::tests::{Sample, samples};
    use crate::edit::{Batch, Edit, InModel, label_of};
    use crate::registry::{KINDS, named};
    use exchange::About;
    use json::Document;
    use passes::{Sha, spans};

    /// The entries of a file that take the contents of others, and how many others each takes.
    const EDITS: [usize; 2] = [6, 3];

    /// The results of looking at all entries, at those that are not the same, and at those that have another length.
    #[derive(Debug, Default)]
    struct Seen {
        edits: usize,
        /// Edits with warnings that leave some entries as they are.
        telling: usize,
        /// Edits whose warnings a comparison of nothing but lengths would miss.
        missed: usize,
    }

    /// Returns each warning in words.
    fn warnings(compared: &Comparison<'_>, same: &HashSet<&str>) -> Vec<String> {
        let found = compared.new_warnings_beside("a.bin", same).expect("both are laid out");
        found.iter().map(|it| format!("{} {} {} {}", it.trap.id, it.first_place, it.found, it.count)).collect()
    }

    impl Seen {
        /// Gives entries of the files of a container the contents of others.
        fn look(&mut self, kind: &str) {
            let kind = named(KINDS, kind).expect("it is a kind");
            let mut files = Vec::new();
            let mut contents: BTreeMap<&str, Vec<Bytes>> = BTreeMap::new();
            for Sample { name, bytes, model, .. } in samples().filter(|it| it.kind.name == kind.name) {
                let entries = spans(&model).expect("it is laid out");
                for span in entries.values() {
                    let own = bytes.slice_ref(span.of(&bytes).expect("it is in the file"));
                    let known = contents.entry(span.kind).or_default();
                    if !known.contains(&own) {
                        known.push(own);
                    }
                }
                files.push((name, bytes, model, entries));
            }
            for (nth, (name, bytes, model, entries)) in files.iter().enumerate() {
                let [most, others] = EDITS;
                for (of, (entry, span)) in entries.iter().enumerate().take(most) {
                    let known = contents.get(span.kind).map_or(&[][..], Vec::as_slice);
                    let start = (nth * most + of) * others;
                    for content in known.iter().cycle().skip(start % known.len().max(1)).take(others) {
                        let about = About { kind, games: &[], sha256: Sha::of(bytes), deviations: &[] };
                        let replace = |edit: &mut Edit| Ok(edit.replace(entry, Document::Raw(content.clone()))?);
                        // Some contents fit only where they are.
                        let edited = Batch::default().apply(KINDS, (about, model, name), Some(&replace));
                        if let Ok(edited) = edited {
                            let compared = edited.compared(kind, (bytes, model)).expect("both are laid out");
                            self.compare(&compared, &format!("{name}: {entry}"));
                        }
                    }
                }
            }
        }

        fn compare(&mut self, compared: &Comparison<'_>, edit: &str) {
            let same = compared.same_entries();
            let all = warnings(compared, &HashSet::new());
            assert_eq!(warnings(compared, &same), all, "{edit}");
            self.edits += 1;
            self.telling += usize::from(!all.is_empty() && !same.is_empty());
            let [old, new] = [&compared.old, &compared.new].map(|side| side.inventory().entries());
            let length = |of: Option<&passes::Span>| of.map(|span| span.end - span.begin);
            let as_long = old.keys().map(String::as_str).filter(|it| length(old.get(*it)) == length(new.get(*it)));
            self.missed += usize::from(warnings(compared, &as_long.collect()) != all);
        }
    }

    #[test]
    fn renames_are_known_as_a_comparison_finds_them() {
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for Sample { kind, name, bytes, model } in samples() {
            for entry in spans(&model).expect("it is laid out").into_keys().take(12) {
                let label = label_of(&entry);
                let to =
                    if label.starts_with('q') { label.replacen('q', "z", 1) } else { label.replacen(|_| true, "q", 1) };
                let batch = Batch { rename: vec![(entry.clone(), to)], ..Batch::default() };
                // Entries without names have none to change, and some changes need the documents.
                let Ok(InModel::Made(made)) = batch.in_model(KINDS, (kind, &model, &name)) else { continue };
                let made_of = made.compared(kind, (&bytes, &model)).expect("both are laid out");
                if let Some(changes) = made_of.known {
                    let compared = Comparison::of(kind, (&bytes, &model), (&made.bytes, &made.model));
                    let found = compared.and_then(|it| it.changes()).expect("both are laid out");
                    assert_eq!(changes, found, "{name}: {entry}");
                    *known.entry(kind.name).or_default() += 1;
                }
            }
        }
        assert!(["archive", "erf", "texture"].iter().all(|kind| known.contains_key(kind)), "{known:?}");
        eprintln!("{known:?}");
    }

    #[test]
    fn entries_that_are_the_same_hide_no_warnings() {
        let mut seen = Seen::default();
        for kind in ["archive", "rof", "erf", "bif", "wad", "resources", "shapes", "macbinary", "applesingle"] {
            let before = seen.edits;
            seen.look(kind);
            assert!(seen.edits > before, "no edit of a {kind} is made");
        }
        assert!(seen.telling > 20 && seen.missed > 0, "{seen:?}");
        eprintln!("{seen:?}");
    }
}
