//! Files with known hashes: one complete install of MechWarrior 3, taken before the 1.2 patch.
//!
//! A match proves that a file is a retail file. A mismatch proves nothing, except for the four files that are identical
//! in every edition. Source: `zipper-installs.md`, sections 2.5 and 7.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::kind::Game;
use crate::passes::Sha;

/// The list in `sha256sum` format, with one folder per game.
const KNOWN: &str = include_str!("../../../golden/known.sha256");

/// Files that are identical in every compared edition of MechWarrior 3.
const COMMON: [&str; 4] = ["zbd/mechlib.zbd", "zbd/motion.zbd", "zbd/rmechtex16.zbd", "zbd/rmechtexs.zbd"];

/// A retail file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pristine {
    /// The game of the file.
    pub game: Game,
    /// The path in an install, in lower case except for file names, which keep the spelling of the list.
    pub path: &'static str,
}

/// The result of comparing a file with the known ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The file matches the known retail release.
    Pristine,
    /// The file differs from every compared edition: it is changed, damaged, or from another edition.
    Other,
    /// The file has no known hash.
    Unknown,
}

/// The known files by the text of their hash.
static PRISTINE: LazyLock<HashMap<&str, Pristine>> = LazyLock::new(|| known().collect());

/// Parses the list: hashes as text, games, paths.
fn known() -> impl Iterator<Item = (&'static str, Pristine)> {
    KNOWN.lines().filter_map(|line| {
        let (sha, path) = line.split_once("  ")?;
        let (code, path) = path.split_once('/')?;
        let game = Game::ALL.into_iter().find(|game| game.code() == code)?;
        Some((sha, Pristine { game, path }))
    })
}

/// Returns the retail file with this hash, or `None` if there is none.
#[must_use]
pub fn pristine(sha: &Sha) -> Option<Pristine> {
    PRISTINE.get(sha.to_string().as_str()).copied()
}

/// Returns `true` if the hashes of a retail release of this game are known.
#[must_use]
pub fn has_reference(game: Game) -> bool {
    PRISTINE.values().any(|file| file.game == game)
}

/// Compares a file at a path of a MechWarrior 3 install with the known files.
#[must_use]
pub fn standing(path: &str, sha: &Sha) -> Standing {
    match pristine(sha) {
        Some(_) => Standing::Pristine,
        None if COMMON.iter().any(|common| path.eq_ignore_ascii_case(common)) => Standing::Other,
        None => Standing::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: `zipper-installs.md`, section 7.
    #[test]
    fn list_is_complete_and_has_no_duplicates() {
        let mut hashes: Vec<&str> = known().map(|(sha, _)| sha).collect();
        assert!(hashes.iter().all(|sha| sha.len() == 64 && sha.bytes().all(|byte| byte.is_ascii_hexdigit())));
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 110);
        assert_eq!(KNOWN.lines().count(), 110);
        assert!(COMMON.iter().all(|common| known().any(|(_, file)| file.path == *common)));
    }

    #[test]
    fn unlisted_file_is_unknown_unless_all_editions_share_its_path() {
        let sha = Sha::of(b"no such file");
        assert_eq!(pristine(&sha), None);
        assert_eq!(standing("zbd/c1/gamez.zbd", &sha), Standing::Unknown);
        assert_eq!(standing("ZBD/Motion.zbd", &sha), Standing::Other);
    }
}
