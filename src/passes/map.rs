//! The byte map: the owner of every byte, or of a single one, and the bytes of a value.

use core::ops::Range;

use field::{Address, Class, Datum, Place, Result, Step, Visitor, What, wide};

/// A range of a file that one part of the model owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The offset at which it begins.
    pub offset: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// The class of its bytes.
    pub class: Class,
    /// The field, or the block if `each` is set.
    pub place: String,
    /// For a block: the size of one record in bytes.
    pub each: Option<u64>,
}

/// Collects the ranges in file order, with a block as one range.
#[derive(Debug, Default)]
pub struct Map {
    /// The ranges so far. Together they cover the file without gaps.
    pub stretches: Vec<Stretch>,
}

impl Visitor for Map {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        // A block whose records have only one class is one range.
        if let What::Block(item, _) = datum.what
            && let Some(class) = item.only_class
        {
            self.stretches.push(Stretch {
                offset: datum.offset,
                bytes: wide(datum.bytes.len()),
                class,
                place: datum.place.to_string(),
                each: Some(wide(item.size)),
            });
        } else {
            datum.owners(&mut |owner| {
                let mut place = owner.place.clone();
                // The numbers of an array are one field.
                while let Some(Step::Index(_)) = place.steps().last()
                    && place.steps().len() > datum.place.steps().len()
                {
                    place = place.parent();
                }
                let (place, bytes) = (place.to_string(), wide(owner.bytes.len()));
                match self.stretches.last_mut() {
                    Some(last) if last.place == place && last.class == owner.class => last.bytes += bytes,
                    _ => {
                        let (offset, class) = (owner.offset, owner.class);
                        self.stretches.push(Stretch { offset, bytes, class, place, each: None });
                    }
                }
            });
        }
        Ok(())
    }
}

/// Finds the field that owns the byte at an offset.
#[derive(Debug)]
pub struct Locate {
    offset: u64,
    place: Option<Place>,
}

impl Locate {
    /// Finds the owner of the byte at `offset`.
    #[must_use]
    pub const fn at(offset: u64) -> Self {
        Self { offset, place: None }
    }

    /// Returns the field, or `None` if there is no such byte.
    #[must_use]
    pub fn place(self) -> Option<Place> {
        self.place
    }
}

impl Visitor for Locate {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let covers =
            |offset: u64, bytes: &[u8]| self.offset.checked_sub(offset).is_some_and(|into| into < wide(bytes.len()));
        if covers(datum.offset, datum.bytes) {
            datum.owners(&mut |owner| {
                if covers(owner.offset, owner.bytes) {
                    self.place = Some(owner.place.clone());
                }
            });
        }
        Ok(())
    }
}

/// Finds the bytes of a value: those of all fields at a place and inside it.
#[derive(Debug)]
pub struct Extent {
    at: Address,
    ranges: Vec<Range<u64>>,
}

impl Extent {
    /// Finds the bytes of the value at a place.
    #[must_use]
    pub const fn of(at: Address) -> Self {
        Self { at, ranges: Vec::new() }
    }

    /// Returns the ranges in file order, adjacent ones as one. An empty value has an empty range, at the offset of its first byte if it had
    /// any. There are none for a value that the file stores only by other values, such as the length of a list that ends with the file, or
    /// as a part of the field around it.
    #[must_use]
    pub fn ranges(self) -> Vec<Range<u64>> {
        self.ranges
    }

    fn add(&mut self, offset: u64, bytes: &[u8]) {
        let end = offset + wide(bytes.len());
        match self.ranges.last_mut() {
            Some(last) if last.end == offset => last.end = end,
            // An empty part has no range of its own beside others.
            Some(_) if bytes.is_empty() => {}
            Some(last) if last.is_empty() => *last = offset..end,
            _ => self.ranges.push(offset..end),
        }
    }
}

impl Visitor for Extent {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let entry = datum.place.container();
        if self.at.holds(&entry, datum.place.pointer().iter().copied()) {
            self.add(datum.offset, datum.bytes);
        } else if self.at.is_within(&entry, datum.place.pointer()) {
            // Fields elsewhere are not even looked at: a world has millions.
            datum.owners(&mut |owner| {
                if self.at.holds(&entry, owner.place.pointer().iter().copied()) {
                    self.add(owner.offset, owner.bytes);
                }
            });
        }
        Ok(())
    }
}
