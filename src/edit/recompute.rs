//! Recomputes values by their rules when the user asks for it, including those that are normally only compared with their rule.

use field::{Address, Error, Lay, visit, walk};
use json::ReplacedValue;
use json::recompute::recompute_at;

use super::editor::edit;
use super::find_parts::PartFinder;

/// What has been recomputed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Recomputed<'a> {
    /// The values that have been replaced.
    pub replaced: Vec<ReplacedValue>,
    /// The places at which no value has a rule.
    pub idle: Vec<&'a Address>,
}

/// Recomputes every value at these places, or inside them, that has a rule, and the values that depend on it. Other derived values that
/// deviate stay.
///
/// # Errors
/// Returns an error if the model cannot be laid out, or if no result is stable.
pub fn recompute<'a, M: Lay + walk::Lay + ?Sized>(
    model: &mut M,
    places: &'a [Address],
) -> Result<Recomputed<'a>, Error> {
    let mut finder = PartFinder::new(&[]);
    visit(model, &mut finder)?;
    let recomputation = edit(model, Vec::new(), finder.into_deviating())?;
    let (replaced, idle) = recompute_at(model, recomputation, places)?;
    Ok(Recomputed { replaced, idle })
}
