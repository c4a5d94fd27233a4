//! The entries that models pass on to be linted.

use crate::registry::{KINDS, Model, named};
use field::{Datum, Group, Place, Result, Visitor, visit};
use lint::each;

/// The places of the entries of a model, in file order.
#[derive(Default)]
struct Walked(Vec<String>);

impl Visitor for Walked {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }

    fn leave(&mut self, group: Group, place: &Place, _: u64) {
        // Groups of sounds have no traps, so they are not passed on.
        if let Group::Entry { kind, .. } = group
            && kind != "sounds"
        {
            self.0.push(place.container());
        }
    }
}

/// Returns the places of the entries that a model passes on.
fn passed(model: &Model) -> Vec<String> {
    let mut places = Vec::new();
    each(model, &|_| false, &mut |place, _| places.push(place.container()));
    assert_eq!(places.pop().as_deref(), Some(""), "the model itself comes last");
    places
}

#[test]
fn entries_are_passed_on_in_file_order_at_their_places() {
    let containers =
        ["archive", "rof", "interp", "erf", "bif", "wad", "resources", "shapes", "macbinary", "applesingle", "film"];
    let mut swapped = 0;
    let mut counts = containers.map(|kind| (kind, 0_usize));
    for sample in forge::samples(7, forge::Size::Tiny) {
        let kind = named(KINDS, sample.kind).expect("it is a kind");
        let model = (kind.decode)(sample.bytes.clone().into()).expect("it decodes").model;
        let mut walked = Walked::default();
        visit(&model, &mut walked).expect("it is walked");
        let passed = passed(&model);
        // Other kinds pass on no entries: their containers lint them, or nothing in them is a trap.
        let mut rest = walked.0.iter();
        for place in &passed {
            assert!(rest.any(|other| other == place), "{}: {place} in {:?}", sample.name, walked.0);
        }
        swapped += usize::from(!passed.is_sorted());
        if let Some((_, count)) = counts.iter_mut().find(|(of, _)| *of == sample.kind) {
            *count += passed.len();
            assert_eq!(passed.len(), walked.0.len(), "{}: {passed:?} {:?}", sample.name, walked.0);
        }
    }
    assert!(swapped > 0 && counts.iter().all(|(_, count)| *count > 0), "{swapped}, {counts:?}");
}
