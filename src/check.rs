//! Deviations: values that a file holds where the documents expect another. They are kept, and reported.

use std::collections::HashMap;

use serde_json::Value;

use crate::field::{Datum, Field, Layout, Place, Result, Rule, Run, Shape, Step, Visitor, What, quote, wide};

/// One kind of deviation in a file: all places that are the same but for their indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// The places, indices as `*`.
    pub path: String,
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first: Place,
    /// Where that is in the file.
    pub offset: u64,
    /// What is expected there.
    pub expected: Value,
    /// What is found there.
    pub found: Value,
}

/// Compares what it sees with the rules.
#[derive(Debug, Default)]
pub struct Check {
    deviations: Vec<Deviation>,
    by_path: HashMap<String, usize>,
}

impl Check {
    /// What deviates, in file order.
    #[must_use]
    pub fn deviations(self) -> Vec<Deviation> {
        self.deviations
    }

    fn report(&mut self, place: &Place, offset: u64, expected: Value, found: Value) {
        let path = place.starred();
        if let Some(known) = self.by_path.get(&path).and_then(|&index| self.deviations.get_mut(index)) {
            known.count += 1;
            return;
        }
        self.by_path.insert(path.clone(), self.deviations.len());
        let first = place.clone();
        self.deviations.push(Deviation { path, count: 1, first, offset, expected, found });
    }

    fn fields(&mut self, layout: &Layout, bytes: &[u8], rules: Option<&[u8]>, offset: u64, place: &mut Place) {
        for field in layout.fields {
            let Some(found) = field.of(bytes) else { continue };
            place.push(Step::Name(field.name));
            let at = offset.saturating_add(wide(field.offset));
            if let Some(expected) = expected(field, bytes, rules).filter(|expected| found != expected) {
                self.report(place, at, field.shape.show(&expected), field.shape.show(found));
            }
            self.shape(&field.shape, found, at, place);
            place.pop();
        }
    }

    fn shape(&mut self, shape: &Shape, bytes: &[u8], offset: u64, place: &mut Place) {
        match shape {
            Shape::Record(layout) if layout.ruled => self.fields(layout, bytes, None, offset, place),
            Shape::Array(of, _) if of.ruled() => self.rows(of, bytes, offset, place),
            _ => {}
        }
    }

    fn rows(&mut self, of: &Shape, bytes: &[u8], offset: u64, place: &mut Place) {
        let mut at = offset;
        for (index, row) in (0..).zip(bytes.chunks_exact(of.size().max(1))) {
            place.push(Step::Index(index));
            self.shape(of, row, at, place);
            place.pop();
            at = at.saturating_add(wide(row.len()));
        }
    }

    fn run(&mut self, run: Run, datum: &Datum<'_>) {
        let zeros = datum.bytes.iter().all(|&byte| byte == 0);
        let (expected, found) = match run {
            Run::Opaque => return,
            Run::Padding(wanted) if zeros && wide(datum.bytes.len()) == wanted => return,
            Run::Padding(wanted) => (format!("{wanted} zeros"), quote(datum.bytes)),
            Run::Surplus => ("nothing".to_owned(), quote(datum.bytes)),
            Run::Overlap(shared) => {
                let own = datum.bytes.len();
                ("bytes of its own".to_owned(), format!("{shared} bytes of other entries, {own} of its own"))
            }
        };
        self.report(datum.place, datum.offset, expected.into(), found.into());
    }
}

impl Visitor for Check {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        match datum.what {
            What::Fields(layout, rules) if layout.ruled => {
                self.fields(layout, datum.bytes, rules, datum.offset, &mut datum.place.clone());
            }
            What::Value(shape, _) if shape.ruled() => {
                self.shape(shape, datum.bytes, datum.offset, &mut datum.place.clone());
            }
            What::Block(shape, _) if shape.ruled() => {
                self.rows(shape, datum.bytes, datum.offset, &mut datum.place.clone());
            }
            What::Run(run) => self.run(run, datum),
            _ => {}
        }
        Ok(())
    }

    fn deviates(&mut self, place: &Place, offset: u64, expected: Value, found: Value) {
        self.report(place, offset, expected, found);
    }

    fn judges(&self) -> bool {
        true
    }
}

/// What a field should hold: by its own rule, or as its container's rules would have the record.
fn expected(field: &Field, bytes: &[u8], rules: Option<&[u8]>) -> Option<Vec<u8>> {
    match field.rule {
        Rule::Outside => field.of(rules?).map(<[u8]>::to_vec),
        _ => field.expected(bytes),
    }
}
