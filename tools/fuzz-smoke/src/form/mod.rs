//! Attacks on the unpacked folder: one change of its files, and the law for the result.
//!
//! No change is silent: it is refused with a place, or the packed file has it and no other changes, or pack reports the values that a rule
//! has replaced. The packed file unpacks to names that are valid in every file system, and packs to the same bytes again.

mod alter;
mod entries;
mod law;
mod mods;
mod sample;

pub use sample::Sample;

use bitexact::field::limits;

use crate::draw::Draw;
use crate::finding::{Finding, What};
use crate::prove::{Proven, bounded};
use crate::seed::Seed;

/// The number of attempts to draw a possible change.
const TRIES: usize = 8;

/// A violation of a law by a change.
pub(crate) struct Broken {
    /// Text shared by all violations that probably have one cause: the change and the place, without drawn values.
    pub(crate) cause: String,
    /// The violation in words.
    pub(crate) words: String,
}

/// The result of a change: `true` if it was accepted.
pub(crate) type Held = Result<bool, Broken>;

/// Changes the unpacked folder of a file, its entries via `patch`, or changes for it.
///
/// # Errors
/// Returns an error if a law is violated.
pub fn form(seeds: &[Seed], draw: Draw<'_>) -> Result<Proven, Finding> {
    let Some(seed) = seeds.get(draw(seeds.len() as u64) as usize) else { return Ok(Proven::default()) };
    let mut cause = None;
    let outcome = bounded(seed.kind, &seed.file.bytes, limits::MEMORY_FACTOR_OF_EXCHANGE, 16, || {
        let held = attack(seed, draw);
        held.map_err(|broken| {
            cause = Some(broken.cause);
            (What::Form, format!("{}: {}", seed.name, broken.words))
        })
    });
    outcome.map_err(|finding| Finding { alike: cause, ..finding })
}

fn attack(seed: &Seed, draw: Draw<'_>) -> Held {
    let sample = seed.sample().map_err(|words| Broken { cause: "unpack".to_owned(), words: words.to_owned() })?;
    match draw(12) {
        0 => entries::renamed(sample, draw),
        1 => entries::added(sample, draw),
        2 => mods::changed(sample, draw),
        _ => {
            for _ in 0..TRIES {
                if let Some(altered) = alter::alter(sample, draw) {
                    return law::holds(sample, &altered);
                }
            }
            Ok(false)
        }
    }
}
