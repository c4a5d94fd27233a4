//! Files whose hash is known: one complete install of MechWarrior 3, taken before the 1.2 patch.
//!
//! A match proves a file to be as it was sold; a mismatch proves nothing, but for the four files that every edition has
//! alike. Source: `zipper-installs.md`, sections 2.5 and 7.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::format::Game;
use crate::proof::Sha;

/// As `sha256sum` prints them, paths below a folder for the game.
const KNOWN: &str = include_str!("../../../golden/known.sha256");

/// The same in every edition of MechWarrior 3 that was compared.
const COMMON: [&str; 4] = ["zbd/mechlib.zbd", "zbd/motion.zbd", "zbd/rmechtex16.zbd", "zbd/rmechtexs.zbd"];

/// A file as it was sold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pristine {
    /// The game it is of.
    pub game: Game,
    /// Where it lies in an install, in lower case but for the file names of the list.
    pub path: &'static str,
}

/// How a file stands to those that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// As it was sold.
    Pristine,
    /// Another than in every edition that was compared: changed, damaged, or of one that was not.
    Other,
    /// Nothing is known.
    Unknown,
}

/// All that is known, by the hashes as text.
static PRISTINE: LazyLock<HashMap<&str, Pristine>> = LazyLock::new(|| known().collect());

/// The list: hashes as text, games, paths.
fn known() -> impl Iterator<Item = (&'static str, Pristine)> {
    KNOWN.lines().filter_map(|line| {
        let (sha, path) = line.split_once("  ")?;
        let (code, path) = path.split_once('/')?;
        let game = Game::ALL.into_iter().find(|game| game.code() == code)?;
        Some((sha, Pristine { game, path }))
    })
}

/// The file as it was sold that has this hash.
#[must_use]
pub fn pristine(sha: &Sha) -> Option<Pristine> {
    PRISTINE.get(sha.to_string().as_str()).copied()
}

/// Returns `true` if the hashes of a retail release of this game are known.
#[must_use]
pub fn has_reference(game: Game) -> bool {
    PRISTINE.values().any(|file| file.game == game)
}

/// How a file of MechWarrior 3 at this place of an install stands to those that are known.
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
    fn the_list_is_whole_and_no_file_is_twice_in_it() {
        let mut hashes: Vec<&str> = known().map(|(sha, _)| sha).collect();
        assert!(hashes.iter().all(|sha| sha.len() == 64 && sha.bytes().all(|byte| byte.is_ascii_hexdigit())));
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 110);
        assert_eq!(KNOWN.lines().count(), 110);
        assert!(COMMON.iter().all(|common| known().any(|(_, file)| file.path == *common)));
    }

    #[test]
    fn what_is_not_on_the_list_is_unknown_unless_all_editions_have_it_alike() {
        let sha = Sha::of(b"no such file");
        assert_eq!(pristine(&sha), None);
        assert_eq!(standing("zbd/c1/gamez.zbd", &sha), Standing::Unknown);
        assert_eq!(standing("ZBD/Motion.zbd", &sha), Standing::Other);
    }
}
