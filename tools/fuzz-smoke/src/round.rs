//! A sequence of inputs, each with its own numbers: equal in every run, whatever the first input.

use bitexact::verify::VerifyOptions;
use forge::random::Random;

use crate::draw::{Draw, of_random};
use crate::drawings::drawings;
use crate::finding::Finding;
use crate::form::form;
use crate::journals::journals;
use crate::mutate::mutated;
use crate::prove::Proven;
use crate::seed::Seeds;
use crate::target;
use crate::texts::texts;

/// The number of successive inputs of one kind.
const TURN: u64 = 64;

/// The type of attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Arbitrary bytes, decoded as every kind.
    Any,
    /// Generated files with fields and parts changed.
    Forged,
    /// Edits via the exchange format.
    Edited,
    /// Changes of the unpacked folder, in any of its files.
    Form,
    /// Changes of files as text.
    Texts,
    /// Changes of exported models and tables.
    Drawings,
    /// Changes of mods and of the journal of a game; only if asked for, because it writes files.
    Journals,
}

/// Inputs by number.
pub struct Round<'a> {
    /// The files to mutate.
    pub seeds: &'a Seeds,
    /// The seed of the generator.
    pub seed: u64,
    /// The only target to try, or `None` for all.
    pub only: Option<Target>,
}

/// An input that was tried.
pub struct Tried {
    /// The kind of the seed files.
    pub kind: &'static str,
    /// The target that was tried.
    pub target: Target,
    /// `true` if it went through the exchange format.
    pub exchange: bool,
    /// The result.
    pub outcome: Result<Proven, Finding>,
}

impl Round<'_> {
    /// Tries the input of this number: one in 64 is an edit, three are arbitrary bytes, one is a change of the unpacked folder, one of a
    /// file as text, one of an export; one in 16 of the others goes through the exchange format.
    #[must_use]
    pub fn input(&self, number: u64) -> Tried {
        let mut draw = of_random(Random::named(self.seed, &number.to_string()));
        let seeds = self.seeds.of(number / TURN);
        let kind = seeds.first().map_or("", |seed| seed.kind.name);
        let target = self.only.unwrap_or(match number % TURN {
            0 => Target::Edited,
            1..=3 => Target::Any,
            4 => Target::Form,
            5 => Target::Texts,
            6 => Target::Drawings,
            _ => Target::Forged,
        });
        let how = VerifyOptions::default()
            .entries(draw(8) == 0)
            .counts(draw(8) == 0)
            .via_exchange(matches!(target, Target::Any | Target::Forged) && draw(16) == 0);
        let outcome = match target {
            Target::Edited => target::edited(seeds, &mut draw),
            Target::Form => form(seeds, &mut draw),
            Target::Texts => texts(seeds, &mut draw),
            Target::Drawings => drawings(seeds, &mut draw),
            Target::Journals => journals(seeds, &mut draw),
            Target::Any => target::any(&self.bytes(number, &mut draw), how),
            Target::Forged => target::forged(seeds, how, &mut draw),
        };
        Tried { kind, target, exchange: how.via_exchange, outcome }
    }

    /// Returns random bytes, or a mutated file that every other kind must refuse or preserve.
    fn bytes(&self, number: u64, draw: Draw<'_>) -> Vec<u8> {
        let seeds = self.seeds.of(number / TURN);
        match seeds.get(draw(seeds.len() as u64) as usize) {
            Some(seed) if draw(4) > 0 => mutated(&seed.file, seeds, draw),
            _ => (0..draw(512)).map(|_| draw(256) as u8).collect(),
        }
    }
}
