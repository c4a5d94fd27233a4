//! The places of the values of a file.

use bitexact::field::{Datum, Visitor, visit};
use bitexact::registry::Kind;

/// Returns the places of up to `most` values of a file.
pub(crate) fn places(kind: &Kind, bytes: Vec<u8>, most: usize) -> bitexact::field::Result<Vec<String>> {
    let mut places = Places { most, found: Vec::new() };
    visit(&(kind.decode)(bytes.into())?.model, &mut places)?;
    Ok(places.found)
}

/// Collects places.
struct Places {
    most: usize,
    found: Vec<String>,
}

impl Visitor for Places {
    fn data(&mut self, datum: &Datum<'_>) -> bitexact::field::Result {
        datum.owners(&mut |owner| {
            if self.found.len() < self.most {
                self.found.push(owner.place.to_string());
            }
        });
        Ok(())
    }
}
