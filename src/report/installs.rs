//! Words about installs.

use crate::zipper::install::{Install, Why};

/// Files of an install that no list has, by their paths from its root on: so are those told that are missing.
pub fn unlisted(install: &Install) -> impl Iterator<Item = &str> {
    let strangers = install.files.iter().filter(|(_, why)| why.is_none());
    strangers.map(|(path, _)| path.strip_prefix(&*install.root).unwrap_or(path))
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
