//! The position of a tape, and errors at it.

use super::super::error::{Error, Fault, Result};
use super::super::number::Integer;
use super::super::place::{Label, Place, Step};
use super::super::visit::Detail;
use super::super::wide::wide;
use crate::lay;

lay! {
    impl Tape<'_> {
        /// Returns the place that is being laid out.
        #[must_use]
        pub fn place(&self) -> &Place {
            &self.place
        }

        /// Returns `true` if the model is laid out for people, so that parts can be shown differently from the file.
        #[must_use]
        pub fn shows(&self) -> bool {
            self.detail == Detail::Places
        }

        /// Returns the value from the file in read mode, otherwise that of the model.
        pub fn read_or<T>(&self, file: T, model: T) -> T {
            if self.reading() { file } else { model }
        }

        /// Returns `true` if entries need labels.
        pub(in crate) fn labelling(&self) -> bool {
            self.detail >= Detail::Entries
        }

        /// Returns the offset of the tape in the file.
        #[must_use]
        pub fn position(&self) -> u64 {
            self.at
        }

        /// Creates an error at the current place.
        #[must_use]
        pub fn error(&self, fault: Fault) -> Error {
            self.fail(self.at, self.place.clone(), fault)
        }

        /// Creates an error at a place; the exchange format has no offsets.
        fn fail(&self, offset: u64, place: Place, fault: Fault) -> Error {
            if self.loading() { self.in_exchange(place, fault) } else { Error::new(offset, place, fault) }
        }

        /// Creates an error in a field of the last record, or in a part of the model that is about to be laid out.
        #[must_use]
        pub fn error_in(&self, name: &'static str, fault: Fault) -> Error {
            let offset = self.last.and_then(|(layout, start)| {
                let field = layout.fields.iter().find(|field| field.name == name)?;
                start.checked_add(wide(field.offset))
            });
            self.fail(offset.unwrap_or(self.at), self.place.with([Step::Name(name)]), fault)
        }

        /// Creates an error at an offset, and at a place these steps further in from here.
        #[must_use]
        pub fn error_at(&self, offset: u64, steps: impl IntoIterator<Item = Step>, fault: Fault) -> Error {
            self.fail(offset, self.place.with(steps), fault)
        }

        /// Returns what labels of entries follow from, or nothing if no label is needed: the exchange format describes entries by their
        /// indices.
        ///
        /// # Errors
        /// Returns an error if `make` does.
        pub fn for_labels<T: Default>(&self, make: impl FnOnce() -> Result<T>) -> Result<T> {
            if self.labelling() && !self.loading() { make() } else { Ok(T::default()) }
        }

        /// Returns the labels of the entries of a table by their names, or none if no label is needed.
        #[must_use]
        pub fn labels(&self, list: &'static str, names: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<Label> {
            if self.labelling() { Label::table(list, names) } else { Vec::new() }
        }

        /// Returns the label of an entry of a table: one without a name if no label is needed, and its index if it is loaded.
        ///
        /// # Errors
        /// Returns an error if labels are needed, but the entry has none.
        pub fn label_of(&self, list: &'static str, labels: &[Label], entry: usize) -> Result<Label> {
            match labels.get(entry) {
                Some(label) => Ok(label.clone()),
                None if !self.labelling() => Ok(Label::default()),
                None if self.loading() => Ok(Label::nth(list, entry)),
                None => {
                    let fault = Fault::Unknown { found: "none".to_owned(), expected: "a label of the entry".to_owned() };
                    Err(self.error_at(self.at, [Step::Name(list), Step::Index(wide(entry))], fault))
                }
            }
        }

        /// Refuses a field of the last record while a file is read. Later, the field follows from the model, or an edit can still mend it.
        ///
        /// # Errors
        /// Returns an error in read mode if the field `is_wrong`.
        pub fn refuse(&self, name: &'static str, is_wrong: bool, fault: impl FnOnce() -> Fault) -> Result {
            if is_wrong && self.reading() { Err(self.error_in(name, fault())) } else { Ok(()) }
        }

        /// Checks two numbers that agree in a whole model, when it is recomputed or walked.
        ///
        /// # Errors
        /// Returns an error if they do not agree.
        pub fn agree(&mut self, name: &'static str, expected: u64, found: u64) -> Result {
            let differ = |t: &mut Self| Err(t.error_in(name, Fault::Count { expected, found }));
            if expected == found { Ok(()) } else { self.when_whole(differ) }
        }

        /// Calls `act` when values that follow from other parts are computed, or compared with those of the model.
        ///
        /// # Errors
        /// Returns an error if `act` does.
        pub fn when_whole(&mut self, act: impl FnOnce(&mut Self) -> Result) -> Result {
            if self.computing() { act(self) } else { Ok(()) }
        }

        /// Returns a count, length or offset of the last record.
        ///
        /// # Errors
        /// Returns an error if it is negative.
        pub fn stated<W: Integer>(&self, name: &'static str, value: W) -> Result<u64> {
            value.wide().ok_or_else(|| {
                self.error_in(name, Fault::Outside { found: value.signed(), expected: "a number from 0".to_owned() })
            })
        }
    }
}
