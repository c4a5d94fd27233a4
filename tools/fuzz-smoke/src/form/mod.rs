//! The unpacked folder under attack: one change of its files, and what must come of it.
//!
//! Nothing is silent: a change is refused with a place, or the packed file has it and nothing else has changed, or pack reports
//! what a rule has replaced. What is packed unpacks to names that every file system holds, and packs to the same bytes again.

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

/// So many changes are drawn until one is possible.
const TRIES: usize = 8;

/// A law that does not hold for a change.
pub(crate) struct Broken {
    /// What all have in common that are likely of one cause: the change and the place, without what was drawn.
    pub(crate) cause: String,
    /// How, in words.
    pub(crate) words: String,
}

/// What comes of a change: whether it was accepted.
pub(crate) type Held = Result<bool, Broken>;

/// Changes the unpacked folder of a file, or its entries by `patch`, or a mod for it.
///
/// # Errors
/// Returns an error if a law does not hold.
pub fn form(seeds: &[Seed], draw: Draw<'_>) -> Result<Proven, Finding> {
    let Some(seed) = seeds.get(draw(seeds.len() as u64) as usize) else { return Ok(Proven::default()) };
    let mut cause = None;
    let outcome = bounded(seed.kind, &seed.bytes, limits::MEMORY_FACTOR_OF_EXCHANGE, 16, || {
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
