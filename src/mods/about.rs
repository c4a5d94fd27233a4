//! What a mod says about itself.

use core::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use kind::Game;

/// What a mod says about itself, for people. Everything is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct About {
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Who has made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Its version, in any form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The game that it was made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_for: Option<Origin>,
}

/// A game, and which copy of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Origin {
    /// The game.
    pub game: Game,
    /// Its edition in words, such as `US, 1.2`, or an empty text if it is not identified.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub edition: String,
}

impl Origin {
    /// Creates the origin of a mod.
    #[must_use]
    pub fn new(game: Game, edition: impl Into<String>) -> Self {
        Self { game, edition: edition.into() }
    }

    /// Returns the sentence that a game is not the one of a mod, or `None` if it is, or if neither is known well enough.
    #[must_use]
    pub fn differs(&self, game: &Self) -> Option<String> {
        let is_other = self.game != game.game
            || !self.edition.is_empty() && !game.edition.is_empty() && self.edition != game.edition;
        is_other.then(|| format!("made for {self}; this is {game}"))
    }
}

impl Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.edition.as_str() {
            "" => f.write_str(self.game.title()),
            edition => write!(f, "{}, {edition}", self.game.title()),
        }
    }
}

impl About {
    /// Returns `true` if it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_game_or_edition_is_said() {
        let mod_of = Origin::new(Game::MechWarrior3, "US, 1.2");
        let said = mod_of.differs(&Origin::new(Game::Recoil, ""));
        assert_eq!(said.as_deref(), Some("made for MechWarrior 3, US, 1.2; this is Recoil"));
        assert!(mod_of.differs(&Origin::new(Game::MechWarrior3, "German")).is_some());
        assert_eq!(mod_of.differs(&Origin::new(Game::MechWarrior3, "")), None);
        assert_eq!(mod_of.differs(&mod_of), None);
    }
}
