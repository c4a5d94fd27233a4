//! Tables: rows that store where the items of a container lie.
//!
//! The fields of a row that do so are declared in its [`record!`](crate::record!), `as Offset` and `as Length`. A layout function names
//! the rows, with [`row`](Tape::row) for each, and the items, by one of the `arranged` methods. In read mode
//! [`find_arranged`](Tape::find_arranged) takes the items from where the rows say; in every other the rows follow from the sizes of the items.

use core::ops::Range;

use bytes::Bytes;

use super::arrangement::{Arrangement, Part, Places};
use super::cast::read_head;
use super::error::{Error, Fault, Result};
use super::layout::Record;
use super::number::Integer;
use super::payload::Payload;
use super::place::{Label, Step};
use super::tape::Tape;
use super::wide::wide;
use crate::lay;

/// A row that stores where its item begins. Written by [`record!`](crate::record!) for a field `as Offset`.
pub trait StoresOffset: Record {
    /// The type of the offset.
    type Offset: Integer;
    /// The name of its field.
    const OFFSET: &'static str;
    /// Returns the offset.
    fn offset(&mut self) -> &mut Self::Offset;
}

/// A row that stores where its item begins and how long it is. Written by [`record!`](crate::record!) for a field `as Length`.
pub trait StoresLength: StoresOffset {
    /// The type of the length.
    type Length: Integer;
    /// The name of its field.
    const LENGTH: &'static str;
    /// Returns the length.
    fn length(&mut self) -> &mut Self::Length;
}

/// A table: where its rows lie, and what they store. Offsets in them count from `base`.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The list of the rows, in places.
    pub list: &'static str,
    /// The offset from which those in the rows count.
    pub base: u64,
    /// The offset of the first row.
    pub at: u64,
    /// The size of a row.
    pub each: u64,
    /// The number of bytes between the rows and the items.
    pub between: u64,
    /// If the rows lie among the items: the field of a header that stores where, and their number.
    pub among: Option<(&'static str, u64)>,
    /// The field of a row that an error names if an item begins at an impossible offset.
    pub offset: &'static str,
    /// The field that an error names if an item extends past the data.
    pub cut: &'static str,
}

impl Table {
    /// Creates a table of such rows, which begin at the offset `at`, before the items.
    #[must_use]
    pub fn of<R: StoresOffset>(list: &'static str, base: u64, at: u64) -> Self {
        let each = wide(size_of::<R>());
        Self { list, base, at, each, between: 0, among: None, offset: R::OFFSET, cut: R::OFFSET }
    }

    /// Returns the table with its rows among the items, so that a field of a header states where it is, and how many rows there are.
    #[must_use]
    pub fn among(self, field: &'static str, rows: u64) -> Self {
        Self { among: Some((field, rows)), ..self }
    }

    /// Returns the rows of a table [`among`](Self::among) the items, in read mode, before the items are laid out.
    ///
    /// # Errors
    /// Returns an error if the table is not in the data being read, or if more memory would be needed than is allowed.
    pub fn rows<R: StoresOffset + Default>(&self, t: &Tape<'_>) -> Result<Vec<R>> {
        let Some((field, count)) = self.among else { return Ok(Vec::new()) };
        let bytes = t.peek(self.at, count.saturating_mul(self.each)).map_err(|fault| t.error_in(field, fault))?;
        let stored = bytes.chunks_exact(usize::try_from(self.each).unwrap_or(usize::MAX).max(1));
        let mut rows = t.make(stored.len())?;
        for (row, bytes) in rows.iter_mut().zip(stored) {
            if let Some(stored) = read_head(bytes) {
                *row = stored;
            }
        }
        Ok(rows)
    }

    /// Returns the byte ranges that rows store, in read mode.
    ///
    /// # Errors
    /// Returns an error if an offset or a length is negative.
    pub fn stated<'r, R: StoresLength>(
        &self,
        t: &Tape<'_>,
        rows: impl IntoIterator<Item = &'r R>,
    ) -> Result<Vec<Range<u64>>> {
        let range = |(item, row): (usize, &R)| {
            let mut row = *row;
            let begin = self.number(t, item, R::OFFSET, *row.offset())?;
            Ok(begin..begin + self.number(t, item, R::LENGTH, *row.length())?)
        };
        rows.into_iter().enumerate().map(range).collect()
    }

    fn number<W: Integer>(&self, t: &Tape<'_>, item: usize, field: &'static str, value: W) -> Result<u64> {
        let negative = || Fault::Outside { found: value.signed(), expected: "a number from 0".to_owned() };
        value.wide().ok_or_else(|| self.wrong_in(t, item, field, negative()))
    }

    /// Creates an error in the row of an item whose location is wrong.
    #[must_use]
    pub fn wrong(&self, t: &Tape<'_>, item: usize, fault: Fault) -> Error {
        let field = if matches!(fault, Fault::Ends { .. }) { self.cut } else { self.offset };
        self.wrong_in(t, item, field, fault)
    }

    fn wrong_in(&self, t: &Tape<'_>, item: usize, field: &'static str, fault: Fault) -> Error {
        let steps = [Step::Name(self.list), Step::Index(wide(item)), Step::Name(field)];
        t.error_at(self.at + wide(item) * self.each, steps, fault)
    }
}

lay! {
    impl Tape<'_> {
        /// Returns the byte ranges of the items after a table, given their sizes, or none if they are not needed.
        ///
        /// # Errors
        /// Returns an error if an item cannot be written, or if a piece of the arrangement is none of them.
        pub fn item_places(
            &self,
            arrangement: &Arrangement,
            table: &Table,
            sizes: impl FnOnce() -> Result<Vec<u64>>,
        ) -> Result<std::vec::IntoIter<Range<u64>>> {
            let places = self.from_sizes(|| {
                let sizes = sizes()?;
                let first = table.at - table.base + wide(sizes.len()) * table.each + table.between;
                Ok(arrangement.places(first, &sizes, None)?.items)
            })?;
            Ok(places.into_iter().flatten().collect::<Vec<_>>().into_iter())
        }

        /// Lays out a row of a table, given the byte range of its item. Only an item without bytes may have a stored offset that
        /// differs from its place, which is then a deviation.
        ///
        /// # Errors
        /// Returns an error if the file ends inside it, if its item does not lie where it says, or if the visitor stops.
        pub fn row<R: StoresLength>(&mut self, row: at!(R), place: Option<Range<u64>>) -> Result {
            let Some(place) = place else { return self.fields(row) };
            let mut now = *row;
            self.computed(R::LENGTH, at!(*now.length()), place.end - place.start)?;
            if !place.is_empty() {
                self.computed(R::OFFSET, at!(*now.offset()), place.start)?;
            }
            self.put(at!(*row), now);
            let stored = *now.offset();
            *now.offset() = self.rule(R::OFFSET, place.start, stored)?;
            self.fields_by(row, Some(&now))
        }

        /// Lays out a row that stores only the offset of its item, which has bytes.
        ///
        /// # Errors
        /// Returns an error if [`row`](Self::row) does.
        pub fn row_of_offset<R: StoresOffset>(&mut self, row: at!(R), place: Option<Range<u64>>) -> Result {
            if let Some(place) = place {
                let mut now = *row;
                self.computed(R::OFFSET, at!(*now.offset()), place.start)?;
                self.put(at!(*row), now);
            }
            self.fields(row)
        }

        /// Finds the arrangement of the items in read mode, given the byte ranges that the rows say.
        ///
        /// # Errors
        /// Returns an error if `ranges` does, or with the row of the first item that begins before the position or extends past the
        /// data being read.
        pub fn find_arranged(
            &mut self,
            arrangement: at!(Arrangement),
            table: &Table,
            ranges: impl FnOnce(&crate::Tape<'_>) -> Result<Vec<Range<u64>>>,
        ) -> Result {
            self.read(arrangement, |arrangement, t| {
                let begin = table.at - table.base;
                let rows = table.among.map(|(_, rows)| begin..begin + rows * table.each);
                let found = Arrangement::find(t, table.base, &Places { items: ranges(t)?, table: rows });
                found.map(|found| *arrangement = found).map_err(|(part, fault)| match (part, table.among) {
                    (Part::Table, Some((field, _))) => t.error_in(field, fault),
                    (Part::Table, None) => table.wrong(t, 0, fault),
                    (Part::Item(item), _) => table.wrong(t, item, fault),
                })
            })
        }

        /// Creates as many items as there are rows, in read and load mode.
        ///
        /// # Errors
        /// Returns an error if more memory would be needed than is allowed.
        pub fn as_many<T: Default>(&mut self, items: at!(Vec<T>), rows: usize) -> Result {
            self.build(items, |items, t| t.make(rows).map(|made| *items = made))
        }

        /// Lays out items with these labels, and the gaps between them, in file order.
        ///
        /// # Errors
        /// Returns an error if an item has no label, if a gap or an item cannot be laid out, or if the visitor stops.
        pub fn arranged_entries<T>(
            &mut self,
            arrangement: at!(Arrangement),
            list: &'static str,
            labels: &[Label],
            items: at!([T]),
            mut each: impl FnMut(&mut Self, Label, usize, at!(T)) -> Result,
        ) -> Result {
            self.arranged_items(arrangement, list, items, |t, item, it| {
                let label = t.label_of(list, labels, item)?;
                each(t, label, item, it)
            })
        }

        /// Lays out items whose payloads are entries with these labels, and the gaps between them. Returns the sizes of the payloads.
        ///
        /// # Errors
        /// Returns an error if [`arranged_entries`](Self::arranged_entries) does.
        pub fn arranged_payloads<T, P: Payload + Lay + Send>(
            &mut self,
            arrangement: at!(Arrangement),
            list: &'static str,
            labels: &[Label],
            items: at!([T]),
            recognize: fn(&Label, &Bytes) -> P,
            payload: impl Fn(at!(T)) -> at!(P),
        ) -> Result<Vec<u64>> {
            let mut prepared = self.prepare(labels, recognize)?;
            let mut sizes = vec![0; items.len()];
            self.arranged_entries(arrangement, list, labels, items, |t, label, item, it| {
                let begin = t.position();
                let prepared = prepared.get_mut(item).and_then(Option::take);
                t.entry_prepared(label, t.remaining(), payload(it), recognize, prepared)?;
                if let Some(size) = sizes.get_mut(item) {
                    *size = t.position() - begin;
                }
                Ok(())
            })?;
            self.all_laid(&prepared)?;
            Ok(sizes)
        }

        /// Returns the number of bytes from the position to an offset, from `base`, that a field of a header states, or 0 if not in read
        /// mode.
        ///
        /// # Errors
        /// Returns an error if the offset is before the position or past the data being read.
        pub fn until(&self, field: &'static str, offset: impl Into<u64>, base: u64) -> Result<u64> {
            let (offset, at): (u64, u64) = (offset.into(), self.position() - base);
            match offset.checked_sub(at) {
                _ if !self.reading() => Ok(0),
                Some(length) if length <= self.remaining() => Ok(length),
                _ => {
                    let end = at + self.remaining();
                    let expected = format!("an offset from {at}, the end of the part before it, to {end}");
                    Err(self.error_in(field, Fault::Outside { found: offset.into(), expected }))
                }
            }
        }
    }
}
