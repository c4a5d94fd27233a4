//! Traps: values that a file can hold and that a game does not handle as an editor might expect.
//!
//! A trap is not a deviation. Deviations are values that a layout does not expect; a trap is a value that every tool accepts, and that
//! the game ignores, draws at a wrong place or crashes on.

/// A trap. It is declared once, by `traps!`, beside the records that it concerns.
#[derive(Debug)]
#[non_exhaustive]
pub struct Trap {
    /// The words by which it is known, with hyphens. It never changes.
    pub id: &'static str,
    /// The occasion on which it is reported.
    pub scope: Scope,
    /// The sentence that names the value.
    pub what: &'static str,
    /// The sentence that names the consequence in the game.
    pub effect: &'static str,
    /// The format spec and its section, with the mark of the evidence.
    pub source: &'static str,
}

/// The occasion on which a trap is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In any file, edited or not.
    File,
    /// Only if an edit brings it. Files of the games contain it too, where the game copes with it.
    Addition,
    /// If an edit changes a value.
    Change,
    /// In any file: bytes are lost. `verify` reports it too, and counts it under `--strict`.
    Damage,
    /// In any file: bytes may be lost, or be meant so. `verify` reports it too.
    Doubt,
    /// In any file: nothing is lost, but there is more than the file. `verify` reports it too.
    Extra,
}

impl Scope {
    /// Returns its name in lists and rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Addition => "addition",
            Self::Change => "change",
            Self::Damage => "damage",
            Self::Doubt => "doubt",
            Self::Extra => "extra",
        }
    }

    /// Returns how serious a trap of damage is, `damaged`, `extra` or `suspect`, or `None` for other traps.
    #[must_use]
    pub const fn severity(self) -> Option<&'static str> {
        match self {
            Self::Damage => Some("damaged"),
            Self::Doubt => Some("suspect"),
            Self::Extra => Some("extra"),
            Self::File | Self::Addition | Self::Change => None,
        }
    }
}

impl Trap {
    /// Creates a trap.
    #[must_use]
    pub const fn new(
        id: &'static str,
        scope: Scope,
        what: &'static str,
        effect: &'static str,
        source: &'static str,
    ) -> Self {
        Self { id, scope, what, effect, source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_have_names() {
        let scopes = [Scope::File, Scope::Addition, Scope::Change, Scope::Damage, Scope::Doubt, Scope::Extra];
        assert_eq!(scopes.map(Scope::name), ["file", "addition", "change", "damage", "doubt", "extra"]);
    }
}
