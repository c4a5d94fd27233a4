//! Words about installs.

use crate::zipper::install::{Install, Why};

/// Files of an install that no list has.
pub fn unlisted(install: &Install) -> impl Iterator<Item = &str> {
    install.files.iter().filter(|(_, why)| why.is_none()).map(|(path, _)| path.as_str())
}

/// Why a file may be missing.
#[must_use]
pub fn why_missing(why: Why) -> &'static str {
    match why {
        Why::Always => "every install has it",
        Why::Option(name) | Why::Patch(name) => name,
        Why::Demo => "only the demo has it",
        Why::Disc => "may be on the disc",
        Why::Aside => "nothing of the game",
        Why::Written => "the game writes it",
    }
}
