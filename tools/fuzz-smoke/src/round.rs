//! One input after another, each of its own numbers: the same in every run, from whichever it begins.

use bitexact::verify::VerifyOptions;
use forge::random::Random;

use crate::draw::{Draw, of_random};
use crate::finding::Finding;
use crate::form::form;
use crate::mutate::mutated;
use crate::prove::Proven;
use crate::seed::Seeds;
use crate::target;

/// So many inputs in turn are of one kind.
const TURN: u64 = 64;

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Any bytes, taken for every kind.
    Any,
    /// Forged files with fields and parts changed.
    Forged,
    /// Edits through the exchange form.
    Edited,
    /// Changes of the unpacked folder, in any of its files.
    Form,
}

/// Inputs by number.
pub struct Round<'a> {
    /// What is mutated.
    pub seeds: &'a Seeds,
    /// Where the numbers begin.
    pub seed: u64,
    /// The one target that is wanted, if not all are.
    pub only: Option<Target>,
}

/// An input that was tried.
pub struct Tried {
    /// The kind whose turn it was.
    pub kind: &'static str,
    /// What was tried.
    pub target: Target,
    /// Whether it went through its exchange form.
    pub exchange: bool,
    /// What came of it.
    pub outcome: Result<Proven, Finding>,
}

impl Round<'_> {
    /// Tries the input of this number: one of 64 is an edit, three are any bytes, one is a change of the unpacked
    /// folder; of the others one in 16 goes through its exchange form.
    #[must_use]
    pub fn input(&self, number: u64) -> Tried {
        let mut draw = of_random(Random::named(self.seed, &number.to_string()));
        let seeds = self.seeds.of(number / TURN);
        let kind = seeds.first().map_or("", |seed| seed.kind.name);
        let target = self.only.unwrap_or(match number % TURN {
            0 => Target::Edited,
            1..=3 => Target::Any,
            4 => Target::Form,
            _ => Target::Forged,
        });
        let how = VerifyOptions {
            entries: draw(8) == 0,
            counts: draw(8) == 0,
            via_exchange: !matches!(target, Target::Edited | Target::Form) && draw(16) == 0,
            ..VerifyOptions::default()
        };
        let outcome = match target {
            Target::Edited => target::edited(seeds, &mut draw),
            Target::Form => form(seeds, &mut draw),
            Target::Any => target::any(&self.bytes(number, &mut draw), how),
            Target::Forged => target::forged(seeds, how, &mut draw),
        };
        Tried { kind, target, exchange: how.via_exchange, outcome }
    }

    /// Bytes without meaning, or a file that every kind but its own must refuse or keep.
    fn bytes(&self, number: u64, draw: Draw<'_>) -> Vec<u8> {
        let seeds = self.seeds.of(number / TURN);
        match seeds.get(draw(seeds.len() as u64) as usize) {
            Some(seed) if draw(4) > 0 => mutated(seed, seeds, draw),
            _ => (0..draw(512)).map(|_| draw(256) as u8).collect(),
        }
    }
}
