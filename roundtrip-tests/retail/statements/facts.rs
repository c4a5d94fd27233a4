//! The statements about retail installs, as data.

use bitexact::kind::Game;

use super::Statement;
use super::fact::Fact;
use super::{crimson_skies, mechwarrior, recoil, worlds};

/// A statement: its id, the pattern of its files, what it counts, and the number.
pub(super) type Row<'a> = (&'a str, &'a str, Fact, u64);

/// All bits of a value.
pub(super) const ALL: u64 = u64::MAX;

/// Returns the bits of a float.
pub(super) const fn bits(value: f32) -> u64 {
    value.to_bits() as u64
}

/// Defines the places of a field of events in the three kinds of sequences.
macro_rules! events {
    ($field:literal) => {
        &[
            concat!("/definitions/*/reset_sequence/events/*/", $field),
            concat!("/definitions/*/damage_sequence/events/*/", $field),
            concat!("/definitions/*/sequences/*/events/*/", $field),
        ]
    };
}
pub(super) use events;

/// Creates a statement about installs that have a file `needs`, if it is not empty.
pub(super) fn of(game: Game, needs: &'static str, &(id, files, fact, expected): &Row<'_>) -> Statement {
    Statement { id: id.to_owned(), game, needs, files: files.to_owned(), fact, expected }
}

/// Returns all statements.
pub(super) fn statements() -> Vec<Statement> {
    let rows = |game, needs, rows: &[Row<'_>]| rows.iter().map(|row| of(game, needs, row)).collect::<Vec<_>>();
    [
        rows(Game::CrimsonSkies, "", crimson_skies::ROWS),
        crimson_skies::counted(),
        worlds::statements(),
        // They are about the edition of 1999.
        rows(Game::Recoil, "zbd/m13/gamez.zbd", recoil::ROWS),
        rows(Game::MechWarrior3, "zbd/mechlib.zbd", mechwarrior::ROWS),
        rows(Game::MechWarrior3, "zbd/c3/readermp3.zbd", mechwarrior::PATCHED),
    ]
    .concat()
}
