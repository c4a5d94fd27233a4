//! Values that follow from others, after a model was changed in Rust and not by place.

use std::collections::{HashMap, HashSet};

use super::find_parts::each_preserved;
use field::{Datum, Error, Item, Lay, Layout, Result, Rule, Shape, Step, Visitor, What, visit, walk, wide};
use json::recompute::{fill_in, recompute};
use json::{Kept, Recomputation, ReplacedValue};

/// The derived values of a model that differ from what their rules compute.
#[derive(Debug, Default)]
pub struct Preserved {
    /// Those of rules of containers, by their places.
    values: HashMap<String, Kept>,
    /// Those of rules of their own records, wherever these are.
    of_records: HashSet<OfRecord>,
}

/// A field that differs from what its own record gives: its name, that value and the found one.
type OfRecord = (&'static str, Vec<u8>, Vec<u8>);

impl Preserved {
    /// Finds the values that a change of the model must preserve.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn of<M: walk::Lay + ?Sized>(model: &M) -> core::result::Result<Self, Error> {
        let mut all = Self::default();
        let Self { values, of_records } = &mut all;
        let of_record = |_, field| {
            of_records.insert(field);
        };
        visit(
            model,
            &mut Deviants { buffer: Vec::new(), each: |place, _, kept| drop(values.insert(place, kept)), of_record },
        )?;
        Ok(all)
    }

    /// Fills in counts, lengths and offsets, and recomputes the values that rules derive from others, such as checksums and squared distances.
    /// A value that was preserved stays if its rule still computes what it did; one whose rule its container has must also be at its place.
    /// Returns the values that were replaced.
    ///
    /// # Errors
    /// Returns an error if the model cannot be written, or if a value keeps changing, so that no result is stable.
    pub fn settle<M: Lay + walk::Lay + ?Sized>(
        &self,
        model: &mut M,
    ) -> core::result::Result<Vec<ReplacedValue>, Error> {
        fill_in(model)?;
        let mut recomputation = Recomputation::default();
        let Recomputation { kept, stale, .. } = &mut recomputation;
        let each = |place: String, at: u64, found: Kept| {
            if let Some(before) = self.values.get(&place).filter(|before| before.value == found.value) {
                kept.insert(at, before.clone());
            }
        };
        let of_record = |at, field| {
            if !self.of_records.contains(&field) {
                stale.insert(at);
            }
        };
        visit(model, &mut Deviants { buffer: Vec::new(), each, of_record })?;
        recompute(model, &recomputation)
    }
}

/// Passes on derived values that differ from what rules compute: those of containers, with their places and offsets, and those of their own
/// records, with their offsets.
struct Deviants<F, R> {
    buffer: Vec<u8>,
    each: F,
    of_record: R,
}

impl<F: FnMut(String, u64, Kept), R: FnMut(u64, OfRecord)> Deviants<F, R> {
    /// Passes on the values in these bytes that differ from what their own records give.
    fn inside(&mut self, shape: &Shape, bytes: &[u8], at: u64) {
        match shape {
            Shape::Record(layout) => self.fields(layout, bytes, at),
            Shape::Array(of, _) if of.ruled() => {
                let each = of.size().max(1);
                let rows = (0..).zip(bytes.chunks_exact(each));
                rows.for_each(|(row, bytes)| self.inside(of, bytes, at + row * wide(each)));
            }
            Shape::Array(..) | Shape::Leaf(_) => {}
        }
    }

    fn fields(&mut self, layout: &Layout, record: &[u8], at: u64) {
        for field in layout.fields.iter().filter(|_| layout.ruled) {
            let (at, Some(found)) = (at + wide(field.offset), field.of(record)) else { continue };
            if let (Rule::Exact(_), false) = (field.rule, layout.waits_for_container())
                && let Some(expected) = field.expected(record, &mut self.buffer).filter(|expected| *expected != found)
            {
                (self.of_record)(at, (field.name, expected.to_vec(), found.to_vec()));
            }
            self.inside(&field.shape, found, at);
        }
    }
}

impl<F: FnMut(String, u64, Kept), R: FnMut(u64, OfRecord)> Visitor for Deviants<F, R> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let Self { buffer, each, .. } = self;
        each_preserved(datum, buffer, |row, at, kept| {
            let steps = row.map(Step::Index).into_iter().chain(kept.steps.iter().copied());
            each(datum.place.clone().with(steps).to_string(), datum.offset + at, kept);
        });
        match datum.what {
            What::Fields(layout, _) => self.fields(layout, datum.bytes, datum.offset),
            What::Value(Item { shape, ruled: true, .. }) => self.inside(shape, datum.bytes, datum.offset),
            What::Block(Item { shape, size, ruled: true, .. }, _) => {
                let each = (*size).max(1);
                let rows = (0..).zip(datum.bytes.chunks_exact(each));
                rows.for_each(|(row, bytes)| self.inside(shape, bytes, datum.offset + row * wide(each)));
            }
            _ => {}
        }
        Ok(())
    }

    fn judges(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::{Block, U32, lay, record};

    record! {
        struct Double: 8 {
            number: U32,
            double: U32 => |it| it.number.get() * 2,
        }
    }

    record! {
        /// Records with a rule in a field that is an array.
        struct Doubles: 20 {
            before: U32,
            pairs: [Double; 2],
        }
    }

    /// Such records after another value, as a value and as rows.
    #[derive(Clone, Default)]
    struct Pairs {
        before: U32,
        alone: Doubles,
        rows: Block<Doubles>,
    }

    lay! {
        impl Lay for Pairs {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                t.value("before", at!(self.before))?;
                t.value("alone", at!(self.alone))?;
                t.block("rows", wide(self.rows.len()), at!(self.rows))
            }
        }
    }

    #[test]
    fn rules_of_records_in_an_array_follow_a_change_in_rust() {
        let doubles = |pairs: [[u32; 2]; 2]| Doubles {
            before: U32::new(0),
            pairs: pairs.map(|[number, double]| Double { number: U32::new(number), double: U32::new(double) }),
        };
        let shown = |it: &Doubles| it.pairs.map(|it| [it.number.get(), it.double.get()]);
        let pairs = |alone, rows: [[[u32; 2]; 2]; 2]| Pairs {
            before: U32::new(0),
            alone: doubles(alone),
            rows: Block::from(rows.map(doubles).to_vec()),
        };
        let odd = pairs([[1, 9], [2, 4]], [[[3, 6], [4, 8]], [[5, 10], [6, 7]]]);
        let preserved = Preserved::of(&odd).expect("is laid out");
        // Without a change, what differs stays, and so it does if a neighbor changes.
        let mut model = pairs([[1, 9], [7, 4]], [[[3, 6], [8, 8]], [[9, 10], [6, 7]]]);
        preserved.settle(&mut model).expect("settles");
        assert_eq!(shown(&model.alone), [[1, 9], [7, 14]]);
        assert_eq!(model.rows.iter().map(shown).collect::<Vec<_>>(), [[[3, 6], [8, 16]], [[9, 18], [6, 7]]]);
        // A value that differs in another way than before follows its rule.
        let mut model = pairs([[3, 9], [2, 4]], [[[3, 6], [4, 8]], [[5, 10], [6, 8]]]);
        preserved.settle(&mut model).expect("settles");
        assert_eq!(shown(&model.alone), [[3, 6], [2, 4]]);
        assert_eq!(model.rows.iter().map(shown).collect::<Vec<_>>(), [[[3, 6], [4, 8]], [[5, 10], [6, 12]]]);
    }
}
