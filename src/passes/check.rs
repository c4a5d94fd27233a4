//! Deviations: values that the format specs do not expect. They are preserved and reported.

use std::collections::{BTreeMap, HashMap};

use rustc_hash::FxBuildHasher;

use field::{Datum, Layout, Place, Result, Rule, Run, Shape, Step, Value, Visitor, What, quote, wide};

/// One kind of deviation in a file: all places that differ only in their indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// The places, indices as `*`.
    pub place: String,
    /// The number of such deviations.
    pub count: u64,
    /// The first of them.
    pub first_place: Place,
    /// The file offset of the first.
    pub offset: u64,
    /// The value expected there.
    pub expected: Value,
    /// The value found there.
    pub found: Value,
}

/// The numbers of values that match a computed rule, and of those that do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Followed {
    /// The values that match.
    pub follow: u64,
    /// The values that do not.
    pub differ: u64,
}

impl Followed {
    /// Adds the numbers of values of the same rule.
    pub fn add(&mut self, other: &Self) {
        let Self { follow, differ } = other;
        self.follow += *follow;
        self.differ += *differ;
    }
}

/// The numbers for computed rules, by the places of their values with indices as `*`.
pub type Rules = BTreeMap<String, Followed>;

/// A visitor that compares values with their rules.
#[derive(Debug, Default)]
pub struct Check {
    deviations: Vec<Deviation>,
    /// The numbers of values that match computed rules, if requested.
    rules: Option<Rules>,
    /// The indices of the deviations by a hash of their places without indices, which rarely collide.
    by_kind: HashMap<u64, Vec<usize>, FxBuildHasher>,
    /// The steps from the place of a datum to the field being looked at.
    trail: Vec<Step>,
    /// A buffer for the value that a rule computes.
    expected: Vec<u8>,
    /// `true` if a deviation is in an entry without a label.
    lacks_labels: bool,
    /// `true` if deviations at different places are not counted together.
    each: bool,
}

impl Check {
    /// Creates a check that also counts the values that match computed rules.
    #[must_use]
    pub fn counting() -> Self {
        Self { rules: Some(Rules::new()), ..Self::default() }
    }

    /// Creates a check that lists every deviation by its own place.
    #[must_use]
    pub fn listing() -> Self {
        Self { each: true, ..Self::default() }
    }

    /// Returns the deviations in file order, and the numbers for computed rules if requested.
    #[must_use]
    pub fn finish(self) -> (Vec<Deviation>, Option<Rules>) {
        (self.deviations, self.rules)
    }

    /// Returns `true` if the place of a deviation is incomplete, because the label of an entry was not requested.
    #[must_use]
    pub fn lacks_labels(&self) -> bool {
        self.lacks_labels
    }

    /// Counts a value that a rule computes.
    fn count(&mut self, place: &Place, follows: bool) {
        if let Some(rules) = &mut self.rules {
            let rule = rules.entry(place.starred()).or_default();
            let count = if follows { &mut rule.follow } else { &mut rule.differ };
            *count += 1;
        }
    }

    /// Counts a deviation at `more` steps below a place. `shown` returns the expected value and the value found.
    fn report(&mut self, place: &Place, more: &[Step], offset: u64, shown: impl FnOnce() -> (Value, Value)) {
        self.lacks_labels |= place.lacks_labels();
        let same = self.by_kind.entry(place.kind(more)).or_default();
        for index in same.iter().filter(|_| !self.each) {
            if let Some(known) =
                self.deviations.get_mut(*index).filter(|known| place.is_kind_of(more, &known.first_place))
            {
                known.count += 1;
                return;
            }
        }
        same.push(self.deviations.len());
        let (first_place, (expected, found)) = (place.with(more.iter().copied()), shown());
        let place = first_place.starred();
        self.deviations.push(Deviation { place, count: 1, first_place, offset, expected, found });
    }

    /// Checks a record that begins at `at` in the datum.
    fn record(&mut self, layout: &'static Layout, datum: &Datum<'_>, bytes: &[u8], rules: Option<&[u8]>, at: usize) {
        // Fields are checked one by one only if the record has a deviation, or if all values are counted.
        if self.rules.is_some() || layout.template().deviates(bytes, rules) {
            self.fields(layout, datum, bytes, rules, at);
        }
    }

    /// Checks the fields of a record that begins at `at` in the datum.
    fn fields(&mut self, layout: &'static Layout, datum: &Datum<'_>, bytes: &[u8], rules: Option<&[u8]>, at: usize) {
        for field in layout.fields {
            let is_ruled = field.shape.ruled();
            if matches!(field.rule, Rule::Free) && !is_ruled {
                continue;
            }
            let Some(found) = field.of(bytes) else { continue };
            let at = at + field.offset;
            self.trail.push(Step::Name(field.name));
            let mut buffer = core::mem::take(&mut self.expected);
            let expected = match (field.rule, rules) {
                (Rule::Outside, Some(rules)) => field.of(rules),
                _ => field.expected(bytes, &mut buffer),
            };
            if let Some(expected) = expected {
                let agrees = field.shape.agrees(found, expected);
                let trail = core::mem::take(&mut self.trail);
                if self.rules.is_some() && !matches!(field.rule, Rule::Constant(_)) {
                    self.count(&datum.place.with(trail.iter().copied()), agrees);
                }
                if !agrees {
                    let shown = || (field.shape.show(expected), field.shape.show(found));
                    self.report(datum.place, &trail, datum.offset + wide(at), shown);
                }
                self.trail = trail;
            }
            self.expected = buffer;
            if is_ruled {
                self.shape(&field.shape, datum, found, None, at);
            }
            self.trail.pop();
        }
    }

    fn shape(&mut self, shape: &'static Shape, datum: &Datum<'_>, bytes: &[u8], rules: Option<&[u8]>, at: usize) {
        match shape {
            Shape::Record(layout) if layout.ruled || rules.is_some() => self.record(layout, datum, bytes, rules, at),
            Shape::Array(of, _) if of.ruled() => self.rows(of, datum, bytes, None, at),
            _ => {}
        }
    }

    fn rows(&mut self, of: &'static Shape, datum: &Datum<'_>, bytes: &[u8], rules: Option<&[u8]>, mut at: usize) {
        let each = of.size().max(1);
        let mut rules = rules.map(|rules| rules.chunks_exact(each));
        // As for a single record, rows without deviations need no closer look.
        let template =
            if let (Shape::Record(layout), None) = (of, &self.rules) { Some(layout.template()) } else { None };
        for (index, row) in (0..).zip(bytes.chunks_exact(each)) {
            let rules = rules.as_mut().and_then(Iterator::next);
            if template.is_none_or(|template| template.deviates(row, rules)) {
                self.trail.push(Step::Index(index));
                self.shape(of, datum, row, rules, at);
                self.trail.pop();
            }
            at += row.len();
        }
    }

    fn run(&mut self, run: Run, datum: &Datum<'_>) {
        let (expected, found) = match run {
            _ if run.is_as_expected(datum.bytes) => return,
            Run::Padding(wanted) => (format!("{wanted} zeros"), quote(datum.bytes)),
            Run::Overlap(shared) => {
                let own = datum.bytes.len();
                ("bytes of its own".to_owned(), format!("{shared} bytes of other entries, {own} of its own"))
            }
            _ => ("nothing".to_owned(), quote(datum.bytes)),
        };
        self.report(datum.place, &[], datum.offset, || (expected.into(), found.into()));
    }
}

impl Visitor for Check {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        match datum.what {
            What::Fields(layout, rules) if layout.ruled || rules.is_some() => {
                self.record(layout, datum, datum.bytes, rules, 0);
            }
            What::Value(item) if item.ruled => self.shape(&item.shape, datum, datum.bytes, None, 0),
            What::Block(item, rules) if item.ruled || rules.is_some() => {
                self.rows(&item.shape, datum, datum.bytes, rules, 0);
            }
            What::Run(run) => self.run(run, datum),
            _ => {}
        }
        Ok(())
    }

    fn holds(&mut self, place: &Place) {
        self.count(place, true);
    }

    fn counts(&self) -> bool {
        self.rules.is_some()
    }

    fn deviates(&mut self, place: &Place, offset: u64, expected: Value, found: Value) {
        self.count(place, false);
        self.report(place, &[], offset, || (expected, found));
    }

    fn judges(&self) -> bool {
        true
    }
}
