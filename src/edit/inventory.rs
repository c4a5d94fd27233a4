//! What one walk of a model finds for comparing it with another.

use super::diff::{MediaFinder, Parts};
use super::read_back::Gist;
use field::{Error, Visitor, visit, walk};
use lint::Addresses;
use passes::{Check, Deviation, Nobody, Several, Spans};

/// The entries, parts, deviations, images and addresses of a model.
pub(super) struct Inventory {
    pub(super) gist: Gist,
    /// The parts, by which files are compared, unless nobody needs them.
    pub(super) parts: Option<Parts>,
    pub(super) deviations: Vec<Deviation>,
    pub(super) media: MediaFinder,
    pub(super) addresses: Addresses,
}

impl Inventory {
    /// Takes the inventory of a model.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub(super) fn of<M: walk::Lay>(model: &M) -> Result<Self, Error> {
        Self::beside(model, true, &mut Nobody)
    }

    /// Takes the inventory of a model in a walk that another visitor shares, with its parts or without.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out, or if the visitor stops.
    pub(super) fn beside<M: walk::Lay>(model: &M, with_parts: bool, other: &mut dyn Visitor) -> Result<Self, Error> {
        let (inventory, _) = Self::by((with_parts, other), |visitor| visit(model, visitor))?;
        Ok(inventory)
    }

    /// Takes the inventory of a model by a walk, with its parts or without, and returns it with the result of the walk.
    pub(super) fn by<T, E>(
        (with_parts, other): (bool, &mut dyn Visitor),
        walk: impl FnOnce(&mut dyn Visitor) -> Result<T, E>,
    ) -> Result<(Self, T), E> {
        let (mut gist, mut check, mut nobody) = (Gist::default(), Check::default(), Nobody);
        let mut parts = with_parts.then(Parts::default);
        let hash: &mut dyn Visitor = if let Some(parts) = &mut parts { parts } else { &mut nobody };
        let (mut media, mut addresses) = (MediaFinder::default(), Addresses::default());
        let outcome = walk(&mut Several([other, &mut gist, hash, &mut check, &mut media, &mut addresses]))?;
        Ok((Self { gist, parts, deviations: check.finish().0, media, addresses }, outcome))
    }

    pub(super) fn entries(&self) -> &Spans {
        &self.gist.entries.spans
    }
}
