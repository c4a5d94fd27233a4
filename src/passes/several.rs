//! Several visitors in one walk.

use field::{Datum, Detail, Group, Place, Result, Value, Visitor};

/// Passes what a walk visits to several visitors, to each what it would receive alone. A walk is as detailed as the most detailed of them
/// needs; none of them may rely on a lower [`Detail`] than [`Detail::Places`].
pub struct Several<'v, const N: usize>(pub [&'v mut dyn Visitor; N]);

impl<const N: usize> Visitor for Several<'_, N> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        self.0.iter_mut().try_for_each(|visitor| match datum.referents {
            Some(_) if !visitor.wants_facts() => visitor.data(&Datum { referents: None, ..*datum }),
            _ => visitor.data(datum),
        })
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        self.0.iter_mut().for_each(|visitor| visitor.enter(group, place, offset));
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        self.0.iter_mut().for_each(|visitor| visitor.leave(group, place, offset));
    }

    fn holds(&mut self, place: &Place) {
        self.0.iter_mut().filter(|visitor| visitor.counts()).for_each(|visitor| visitor.holds(place));
    }

    fn counts(&self) -> bool {
        self.0.iter().any(|visitor| visitor.counts())
    }

    fn deviates(&mut self, place: &Place, offset: u64, expected: Value, found: Value) {
        let judging = self.0.iter_mut().filter(|visitor| visitor.judges());
        judging.for_each(|visitor| visitor.deviates(place, offset, expected.clone(), found.clone()));
    }

    fn fact(&mut self, place: &Place, fact: Value) {
        let wanting = self.0.iter_mut().filter(|visitor| visitor.wants_facts());
        wanting.for_each(|visitor| visitor.fact(place, fact.clone()));
    }

    fn wants_facts(&self) -> bool {
        self.0.iter().any(|visitor| visitor.wants_facts())
    }

    fn detail(&self) -> Detail {
        Detail::Places
    }

    fn judges(&self) -> bool {
        self.0.iter().any(|visitor| visitor.judges())
    }
}

/// A visitor that needs nothing.
pub struct Nobody;

impl Visitor for Nobody {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }
}
