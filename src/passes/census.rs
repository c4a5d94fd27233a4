//! The census counts the bytes of a file by class. Every byte has exactly one class, so the classes add up to the size of the file.

use field::{Class, Datum, Item, Layout, Result, Visitor, What, wide};

/// Bytes by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Census {
    /// Free values with a meaning in the game.
    pub semantic: u64,
    /// Bytes that a rule computes.
    pub derived: u64,
    /// Constants.
    pub reserved: u64,
    /// Stale addresses.
    pub pointer: u64,
    /// Leftover memory.
    pub stale: u64,
    /// Gaps and alignment.
    pub padding: u64,
    /// Bytes whose meaning is not yet known.
    pub opaque: u64,
}

impl Census {
    /// Returns the number of bytes of one class.
    #[must_use]
    pub fn of(&self, class: Class) -> u64 {
        let mut copy = *self;
        *copy.slot(class)
    }

    /// Returns the number of all bytes.
    #[must_use]
    pub fn total(&self) -> u64 {
        Class::ALL.into_iter().map(|class| self.of(class)).sum()
    }

    /// Counts bytes of one class.
    pub fn count(&mut self, class: Class, bytes: u64) {
        *self.slot(class) += bytes;
    }

    /// Adds the bytes of another census.
    pub fn add(&mut self, other: &Self) {
        let Self { semantic, derived, reserved, pointer, stale, padding, opaque } = other;
        self.semantic += semantic;
        self.derived += derived;
        self.reserved += reserved;
        self.pointer += pointer;
        self.stale += stale;
        self.padding += padding;
        self.opaque += opaque;
    }

    /// Returns the bytes counted since an earlier census of the same file.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let mut since = *self;
        for class in Class::ALL {
            *since.slot(class) = self.of(class).saturating_sub(before.of(class));
        }
        since
    }

    fn slot(&mut self, class: Class) -> &mut u64 {
        match class {
            Class::Semantic => &mut self.semantic,
            Class::Derived => &mut self.derived,
            Class::Reserved => &mut self.reserved,
            Class::Pointer => &mut self.pointer,
            Class::Stale => &mut self.stale,
            Class::Padding => &mut self.padding,
            Class::Opaque => &mut self.opaque,
        }
    }

    /// Counts the bytes of records: as a multiple of the sums, or record by record if the classes depend on the bytes.
    fn sums(&mut self, item: &Item, bytes: &[u8]) {
        let rows = bytes.chunks_exact(item.size.max(1));
        match item.census {
            Some(sums) => self.add_sums(sums.map(|one| one * rows.len())),
            None => {
                let mut sums = [0; 7];
                rows.for_each(|row| item.shape.count(item.class, row, &mut sums));
                self.add_sums(sums);
            }
        }
    }

    /// Adds numbers of bytes, in the order of the classes.
    fn add_sums(&mut self, sums: [usize; 7]) {
        let [semantic, derived, reserved, pointer, stale, padding, opaque] = sums.map(wide);
        self.add(&Self { semantic, derived, reserved, pointer, stale, padding, opaque });
    }
}

impl Visitor for Census {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        match datum.what {
            What::Fields(Layout { census: Some(sums), .. }, _) => self.add_sums(*sums),
            What::Fields(layout, _) => {
                let mut sums = [0; 7];
                layout.template().count(datum.bytes, &mut sums);
                self.add_sums(sums);
            }
            What::Value(Item { only_class: Some(class), .. })
            | What::Block(Item { only_class: Some(class), .. }, _) => {
                self.count(*class, wide(datum.bytes.len()));
            }
            What::Value(item) | What::Block(item, _) => self.sums(item, datum.bytes),
            What::Coded(_, census) | What::AsExpected(census) => self.add_sums(*census),
            What::Count(_) => self.derived += wide(datum.bytes.len()),
            What::Text(_) => self.semantic += wide(datum.bytes.len()),
            What::Run(run) => self.count(run.class(datum.bytes), wide(datum.bytes.len())),
        }
        Ok(())
    }
}
