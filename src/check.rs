//! Deviations: values that a file holds where the documents expect another. They are kept, and reported.

use core::ops::Range;
use std::collections::{BTreeMap, HashMap};

use crate::field::{Datum, Field, Json, Layout, Place, Result, Rule, Run, Shape, Step, Visitor, What, quote, wide};

/// One kind of deviation in a file: all places that are the same but for their indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// The places, indices as `*`.
    pub place: String,
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first_place: Place,
    /// Where that is in the file.
    pub offset: u64,
    /// What is expected there.
    pub expected: Json,
    /// What is found there.
    pub found: Json,
}

/// How many values that a rule computes are what it gives, and how many are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Those that are.
    pub follow: u64,
    /// Those that are not.
    pub differ: u64,
}

impl Followed {
    /// Adds others of the same rule.
    pub fn add(&mut self, other: &Self) {
        let Self { follow, differ } = other;
        self.follow = self.follow.saturating_add(*follow);
        self.differ = self.differ.saturating_add(*differ);
    }
}

/// Computed rules by the places of what they give, indices as `*`.
pub type Rules = BTreeMap<String, Followed>;

/// Compares what it sees with the rules.
#[derive(Debug, Default)]
pub struct Check {
    deviations: Vec<Deviation>,
    /// Where they are wanted, how many values follow computed rules.
    rules: Option<Rules>,
    by_place: HashMap<String, usize>,
    /// The steps from the place of a datum to the field being looked at.
    trail: Vec<Step>,
    /// What the rule of a field gives.
    expected: Vec<u8>,
}

/// The fields of a record that have to hold something, where nothing depends on the rest of the record.
struct Quick(Vec<Held>);

/// A field that has to hold something.
struct Held {
    field: &'static Field,
    at: Range<usize>,
    /// Nothing where the container knows it.
    constant: Option<Vec<u8>>,
    /// Which deviation it is when it holds something else.
    told: Option<usize>,
}

impl Quick {
    /// Nothing where a rule reads the record, fields have rules in them, or a value can differ from itself.
    fn of(shape: &Shape) -> Option<Self> {
        let Shape::Record(layout) = shape else { return None };
        let mut held = Vec::new();
        for field in layout.fields {
            let at = field.offset..field.offset.saturating_add(field.shape.size());
            let ones = vec![0xFF; at.len()];
            let constant = match field.rule {
                _ if field.shape.ruled() => return None,
                Rule::Free => continue,
                Rule::Exact(_) | Rule::Advisory(_) => return None,
                _ if !field.shape.agrees(&ones, &ones) => return None,
                Rule::Constant(_) => field.expected(&[], &mut Vec::new()).map(<[u8]>::to_vec),
                Rule::Outside => None,
            };
            held.push(Held { field, at, constant, told: None });
        }
        Some(Self(held))
    }
}

impl Check {
    /// One that counts what follows computed rules as well.
    #[must_use]
    pub fn counting() -> Self {
        Self { rules: Some(Rules::new()), ..Self::default() }
    }

    /// What deviates, in file order, and the rules where they were to be counted.
    #[must_use]
    pub fn finish(self) -> (Vec<Deviation>, Option<Rules>) {
        (self.deviations, self.rules)
    }

    /// Counts a value that a rule computes.
    fn count(&mut self, place: &Place, follows: bool) {
        if let Some(rules) = &mut self.rules {
            let rule = rules.entry(place.starred()).or_default();
            let count = if follows { &mut rule.follow } else { &mut rule.differ };
            *count = count.saturating_add(1);
        }
    }

    /// The place of a field in a datum.
    fn place_of(&self, field: &Field, datum: &Datum<'_>) -> Place {
        datum.place.with(self.trail.iter().copied().chain([Step::Name(field.name)]))
    }

    /// Counts one more deviation, and gives which it is.
    fn report(&mut self, place: Place, offset: u64, expected: Json, found: Json) -> usize {
        let starred = place.starred();
        let index = *self.by_place.entry(starred.clone()).or_insert(self.deviations.len());
        match self.deviations.get_mut(index) {
            Some(known) => known.count += 1,
            None => self.deviations.push(Deviation {
                place: starred,
                count: 1,
                first_place: place,
                offset,
                expected,
                found,
            }),
        }
        index
    }

    /// The same of a field that begins at `at` in the datum.
    fn report_field(&mut self, field: &Field, datum: &Datum<'_>, at: usize, expected: Json, found: Json) -> usize {
        self.report(self.place_of(field, datum), datum.offset.saturating_add(wide(at)), expected, found)
    }

    /// Looks at the fields of a record that begins at `at` in the datum.
    fn fields(&mut self, layout: &Layout, datum: &Datum<'_>, bytes: &[u8], rules: Option<&[u8]>, at: usize) {
        for field in layout.fields {
            let is_ruled = field.shape.ruled();
            if matches!(field.rule, Rule::Free) && !is_ruled {
                continue;
            }
            let Some(found) = field.of(bytes) else { continue };
            let at = at.saturating_add(field.offset);
            let expected = match (field.rule, rules) {
                (Rule::Outside, Some(rules)) => field.of(rules),
                _ => field.expected(bytes, &mut self.expected),
            };
            if let Some(expected) = expected {
                let broken = (!field.shape.agrees(found, expected))
                    .then(|| (field.shape.show(expected), field.shape.show(found)));
                if self.rules.is_some() && !matches!(field.rule, Rule::Constant(_)) {
                    self.count(&self.place_of(field, datum), broken.is_none());
                }
                if let Some((expected, found)) = broken {
                    self.report_field(field, datum, at, expected, found);
                }
            }
            if is_ruled {
                self.trail.push(Step::Name(field.name));
                self.shape(&field.shape, datum, found, None, at);
                self.trail.pop();
            }
        }
    }

    fn shape(&mut self, shape: &Shape, datum: &Datum<'_>, bytes: &[u8], rules: Option<&[u8]>, at: usize) {
        match shape {
            Shape::Record(layout) if layout.ruled || rules.is_some() => self.fields(layout, datum, bytes, rules, at),
            Shape::Array(of, _) if of.ruled() => self.rows(of, datum, bytes, None, at),
            _ => {}
        }
    }

    fn rows(&mut self, of: &Shape, datum: &Datum<'_>, bytes: &[u8], rules: Option<&[u8]>, mut at: usize) {
        let each = of.size().max(1);
        let mut rules = rules.map(|rules| rules.chunks_exact(each));
        let mut quick = (self.rules.is_none() && bytes.len() > each.saturating_mul(8)).then(|| Quick::of(of)).flatten();
        for (index, row) in (0..).zip(bytes.chunks_exact(each)) {
            let rules = rules.as_mut().and_then(Iterator::next);
            self.trail.push(Step::Index(index));
            match &mut quick {
                Some(quick) => self.held(quick, datum, row, rules, at),
                None => self.shape(of, datum, row, rules, at),
            }
            self.trail.pop();
            at = at.saturating_add(row.len());
        }
    }

    /// Looks at a record of a block, of which thousands can deviate in the same fields.
    fn held(&mut self, quick: &mut Quick, datum: &Datum<'_>, row: &[u8], rules: Option<&[u8]>, start: usize) {
        for Held { field, at, constant, told } in &mut quick.0 {
            let expected = constant.as_deref().or_else(|| rules.and_then(|rules| rules.get(at.clone())));
            let (Some(expected), Some(found)) = (expected, row.get(at.clone())) else { continue };
            if expected == found {
                continue;
            }
            match told.and_then(|told| self.deviations.get_mut(told)) {
                Some(known) => known.count += 1,
                None => {
                    let (expected, found) = (field.shape.show(expected), field.shape.show(found));
                    *told = Some(self.report_field(field, datum, start.saturating_add(at.start), expected, found));
                }
            }
        }
    }

    fn run(&mut self, run: Run, datum: &Datum<'_>) {
        let zeros = datum.bytes.iter().all(|&byte| byte == 0);
        let (expected, found) = match run {
            Run::Opaque | Run::Samples | Run::Pixels | Run::Packed => return,
            Run::Padding(wanted) if zeros && wide(datum.bytes.len()) == wanted => return,
            Run::Padding(wanted) => (format!("{wanted} zeros"), quote(datum.bytes)),
            Run::Surplus => ("nothing".to_owned(), quote(datum.bytes)),
            Run::Overlap(shared) => {
                let own = datum.bytes.len();
                ("bytes of its own".to_owned(), format!("{shared} bytes of other entries, {own} of its own"))
            }
        };
        self.report(datum.place.clone(), datum.offset, expected.into(), found.into());
    }
}

impl Visitor for Check {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        match datum.what {
            What::Fields(layout, rules) if layout.ruled || rules.is_some() => {
                self.fields(layout, datum, datum.bytes, rules, 0);
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

    fn deviates(&mut self, place: &Place, offset: u64, expected: Json, found: Json) {
        self.count(place, false);
        self.report(place.clone(), offset, expected, found);
    }

    fn judges(&self) -> bool {
        true
    }
}
