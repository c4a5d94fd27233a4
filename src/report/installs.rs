//! The words for files of installs.

use crate::install::certificate::{Missing, Unfound};
use crate::install::zipper::{Moved, Why};

/// Returns the reason why a file can be missing, in words.
#[must_use]
pub fn why_missing(why: Why) -> String {
    match why {
        Why::Always => "required".to_owned(),
        Why::OneOf(name) => format!("required, at least one: {name}"),
        Why::AtLeast(name) => format!("required, at least {name}"),
        Why::Option(name) => format!("option: {name}"),
        Why::Patch(name) => format!("patch {name}"),
        Why::Demo => "demo only".to_owned(),
        Why::Disc => "may be on the CD".to_owned(),
        Why::Aside => "not game data".to_owned(),
        Why::Written => "created by the game".to_owned(),
        Why::Added => "added by a modder".to_owned(),
    }
}

/// Returns the reason why a file of an install counts as missing, in words.
#[must_use]
pub fn why_lacking(missing: &Missing) -> String {
    match (&missing.named_in, &missing.found) {
        (Some(file), _) => format!("named in {file}"),
        (None, Some(found)) => match &missing.home {
            Some(home) => format!("{found}, and its own bytes seem to be in {home}"),
            None => found.clone(),
        },
        (None, None) => why_missing(missing.why),
    }
}

/// Returns why a copy can lack a file of a list, in words.
#[must_use]
pub fn why_unfound(unfound: &Unfound) -> String {
    unfound.why.map_or_else(|| "only the list names it".to_owned(), why_missing)
}

/// Returns how a file of an install has moved, in words.
#[must_use]
pub fn how_moved(moved: &Moved) -> String {
    let Moved { path, from, is_proven, .. } = moved;
    let name = |path: &str| path.rsplit_once('/').map_or(path, |(_, name)| name).to_lowercase();
    let how = if name(path) == name(from) { "moved" } else { "renamed" };
    match is_proven {
        true => format!("{how}: the same bytes are sold as {from}"),
        false => format!("perhaps moved: the game has a file of this name as {from}"),
    }
}
