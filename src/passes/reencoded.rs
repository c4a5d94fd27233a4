//! Texts that an edit has put in another encoding than the game reads.

use std::collections::HashSet;

use super::Warning;
use super::encoding::each;
use crate::field::{Datum, Error, Place, Result, Visitor, visit, walk};

/// A visitor that collects the traps of encodings, each by its own place.
#[derive(Default)]
struct Encodings(Vec<Warning>);

impl Visitor for Encodings {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        each(datum, |trap, found| self.0.push(Warning::of(trap, datum.place.clone(), found)));
        Ok(())
    }
}

/// Returns a warning for each text that is in another encoding than the game reads, and was not in the model before.
///
/// # Errors
/// Returns an error if a model cannot be laid out.
pub fn reencoded<M: walk::Lay + ?Sized>(before: &M, after: &M) -> core::result::Result<Vec<Warning>, Error> {
    let mut sides = [Encodings::default(), Encodings::default()];
    for (side, model) in sides.iter_mut().zip([before, after]) {
        visit(model, side)?;
    }
    let [Encodings(old), Encodings(new)] = sides;
    let known: HashSet<(&str, &Place)> = old.iter().map(|it| (it.trap.id, &it.first_place)).collect();
    let mut new = new;
    new.retain(|it| !known.contains(&(it.trap.id, &it.first_place)));
    Ok(new)
}
