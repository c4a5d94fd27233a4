//! Targets: attacks determined by drawn numbers.

use bitexact::registry::{KINDS, Kind};
use bitexact::verify::VerifyOptions;

use crate::draw::Draw;
use crate::edits::edits;
use crate::finding::{Finding, What};
use crate::harness::Case;
use crate::mutate::mutated;
use crate::prove::{Proven, bounded, edited_to, prove};
use crate::seed::Seed;

/// The number of edits per file, one at a time.
const EDITS: usize = 2;

/// Proves the laws for arbitrary bytes, decoded as a file of every kind.
///
/// # Errors
/// Returns an error if a law is violated.
pub fn any(bytes: &[u8], how: VerifyOptions) -> Result<Proven, Finding> {
    KINDS.iter().try_fold(Proven::default(), |all, kind| {
        let one = prove(kind, bytes, how)?;
        Ok(Proven {
            accepted: all.accepted || one.accepted,
            peak: all.peak.max(one.peak),
            took: all.took.max(one.took),
        })
    })
}

/// Proves the laws for a generated file with fields and parts changed.
///
/// # Errors
/// Returns an error if a law is violated.
pub fn forged(seeds: &[Seed], how: VerifyOptions, draw: Draw<'_>) -> Result<Proven, Finding> {
    let Some(seed) = seeds.get(draw(seeds.len() as u64) as usize) else { return Ok(Proven::default()) };
    prove(seed.kind, &mutated(&seed.file, seeds, draw), how)
}

/// Proves the laws for edits of the exchange format of a generated file, or of a mutated one.
///
/// # Errors
/// Returns an error if a law is violated.
pub fn edited(seeds: &[Seed], draw: Draw<'_>) -> Result<Proven, Finding> {
    let Some(seed) = seeds.get(draw(seeds.len() as u64) as usize) else { return Ok(Proven::default()) };
    let bytes = match draw(4) {
        0 => Some(mutated(&seed.file, seeds, draw)).filter(|bytes| is_taken(seed.kind, bytes)),
        _ => None,
    };
    let bytes = bytes.unwrap_or_else(|| seed.file.bytes.clone());
    let case = Case { name: seed.name.clone(), kind: seed.kind, bytes, is_large: false };
    bounded(seed.kind, &case.bytes, seed.kind.memory.exchange, 16, || {
        let taken = edits(&case, EDITS, draw).map_err(|why| (What::Edit, format!("{}: {why}", case.name)))?;
        taken.iter().copied().for_each(edited_to);
        Ok(!taken.is_empty())
    })
}

/// Returns `true` if the bytes are a file of this kind only, without entries kept as raw bytes, which an edit of the container could make
/// readable.
fn is_taken(kind: &'static Kind, bytes: &[u8]) -> bool {
    let first = KINDS.iter().find(|kind| (kind.recognize)(bytes).is_some());
    first.is_some_and(|first| first.name == kind.name)
        && (kind.decode)(bytes.to_vec().into()).is_ok_and(|decoded| decoded.undecoded.is_empty())
}
