//! Values that follow from others, after a model was changed in Rust and not by place.

use std::collections::HashMap;

use super::find_parts::each_preserved;
use field::{Datum, Error, Lay, Result, Step, Visitor, visit, walk};
use json::recompute::{fill_in, recompute};
use json::{Kept, Recomputation, ReplacedValue};

/// The derived values of a model that differ from what their rules compute, by their places.
#[derive(Debug, Default)]
pub struct Preserved {
    values: HashMap<String, Kept>,
}

impl Preserved {
    /// Finds the values that a change of the model must preserve.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn of<M: walk::Lay + ?Sized>(model: &M) -> core::result::Result<Self, Error> {
        let mut all = Self::default();
        visit(
            model,
            &mut Deviants { buffer: Vec::new(), each: |place, _, kept| drop(all.values.insert(place, kept)) },
        )?;
        Ok(all)
    }

    /// Fills in counts, lengths and offsets, and recomputes the values that rules derive from others, such as checksums. A value that was
    /// preserved stays if it is still at its place and its rule computes what it did. Returns the values that were replaced.
    ///
    /// # Errors
    /// Returns an error if the model cannot be written, or if a value keeps changing, so that no result is stable.
    pub fn settle<M: Lay + walk::Lay + ?Sized>(
        &self,
        model: &mut M,
    ) -> core::result::Result<Vec<ReplacedValue>, Error> {
        fill_in(model)?;
        let mut recomputation = Recomputation::default();
        visit(
            model,
            &mut Deviants {
                buffer: Vec::new(),
                each: |place: String, at: u64, found: Kept| {
                    if let Some(before) = self.values.get(&place).filter(|before| before.value == found.value) {
                        recomputation.kept.insert(at, before.clone());
                    }
                },
            },
        )?;
        recompute(model, &recomputation)
    }
}

/// Passes on derived values that differ from what the rules of their containers compute, with their places and offsets.
struct Deviants<F> {
    buffer: Vec<u8>,
    each: F,
}

impl<F: FnMut(String, u64, Kept)> Visitor for Deviants<F> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let Self { buffer, each } = self;
        each_preserved(datum, buffer, |row, at, kept| {
            let steps = row.map(Step::Index).into_iter().chain(kept.steps.iter().copied());
            each(datum.place.clone().with(steps).to_string(), datum.offset + at, kept);
        });
        Ok(())
    }

    fn judges(&self) -> bool {
        true
    }
}
