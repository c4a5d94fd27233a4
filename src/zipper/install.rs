//! Installs: the game and edition in a folder, its files, and the optional files that it lacks.
//!
//! A [`Survey`] receives every file in a set of folders. An install is a folder that contains a folder `zbd`; names are
//! compared without case. The game is inferred from data files first, because executables may be missing. No single
//! file is required.
//!
//! Source: `zipper-installs.md`.

mod known;
mod parts;

use std::collections::BTreeMap;
use std::fmt;

use super::anim::Anim;
use super::archive::Archive;
use super::gamez::Gamez;
use crate::field::{Place, traps};
use crate::kind::{Format as _, Game};
use crate::passes::Warning;

traps! { TRAPS:
    LOOSE_SOURCE = "loose-source" in File:
        "a source of readers, animations or scripts is loose in the folder of the game" =>
        "the game refuses its own copy if the times differ", "zipper-editing.md, section 2 (engine)";
}

pub use known::{Pristine, Standing, has_reference, pristine, standing};
pub use parts::Why;
use parts::parts;

/// An install of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Install {
    /// The folder of the install, as a prefix of its paths; empty if it is the searched folder.
    pub root: String,
    /// The game, if it can be inferred.
    pub game: Option<Game>,
    /// The edition, as far as names reveal it.
    pub edition: Edition,
    /// The files with their spelling and their reason; `None` for unexpected files.
    pub files: Vec<(String, Option<Why>)>,
    /// Absent files of a full install, and the reasons why they may be absent.
    pub missing: Vec<(String, Why)>,
}

/// The differences between installs of one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edition {
    /// The demo.
    pub demo: bool,
    /// The German edition, detected by its copy protection.
    pub german: bool,
    /// The edition patched to 1.2.
    pub patched: bool,
    /// The edition of 1998, with six missions.
    pub early: bool,
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words =
            [(self.demo, "demo"), (self.german, "German"), (self.patched, "patched to 1.2"), (self.early, "of 1998")];
        let words: Vec<&str> = words.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
        f.write_str(&words.join(", "))
    }
}

/// All files found in a set of folders.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    files: Vec<(String, Option<Game>)>,
}

impl Survey {
    /// Records a file: its path with `/` between the parts, and the game [inferred from its content](game_of_data).
    pub fn see(&mut self, path: &str, game: Option<Game>) {
        self.files.push((path.to_owned(), game));
    }

    /// Returns the installs among the files, by folder.
    #[must_use]
    pub fn installs(&self) -> Vec<Install> {
        let mut roots: BTreeMap<String, Vec<&(String, Option<Game>)>> = BTreeMap::new();
        for (path, _) in &self.files {
            roots.extend(root_of(path).map(|root| (root.to_owned(), Vec::new())));
        }
        for file in &self.files {
            // Roots are nested if a game's folder contains a copy of a game.
            let root = roots.iter_mut().filter(|(root, _)| file.0.starts_with(root.as_str()));
            if let Some((_, files)) = root.max_by_key(|(root, _)| root.len()) {
                files.push(file);
            }
        }
        roots.into_iter().map(|(root, files)| Install::of(root, &files)).collect()
    }
}

/// Returns the part of a path before the folder `zbd`, or `None` if there is no such folder.
fn root_of(path: &str) -> Option<&str> {
    let mut end = 0;
    for part in path.split_inclusive('/') {
        if part.eq_ignore_ascii_case("zbd/") {
            return path.get(..end);
        }
        end = end.saturating_add(part.len());
    }
    None
}

/// Returns the only game that a file can belong to by its content, or `None` if there are several or none
/// (`zipper-installs.md`, section 1).
#[must_use]
pub fn game_of_data(path: &str, bytes: &[u8]) -> Option<Game> {
    let is_zbd =
        path.len().checked_sub(4).and_then(|at| path.get(at..)).is_some_and(|it| it.eq_ignore_ascii_case(".zbd"));
    let archive = || if is_zbd { Archive::recognize(bytes) } else { None };
    let games = Gamez::recognize(bytes).or_else(|| Anim::recognize(bytes)).or_else(archive)?;
    if let [game] = games[..] { Some(game) } else { None }
}

/// Infers the game from lower-case paths, for installs whose data does not reveal it.
fn game_of_names(paths: &[String]) -> Option<Game> {
    let has = |name: &str| paths.iter().any(|path| path == name);
    let tells = [
        (has("recoil.exe") || has("messages.dll"), Game::Recoil),
        (has("crimson.exe") || has("strings.dll"), Game::CrimsonSkies),
    ];
    tells.into_iter().find_map(|(is, game)| is.then_some(game))
}

impl Install {
    /// Returns the warnings of files that do not belong into an install, each with the path of its file.
    pub fn warnings(&self) -> impl Iterator<Item = (&str, Warning)> {
        let is_source = |path: &str| {
            let (_, ending) = path.rsplit_once('.').unwrap_or_default();
            ["zrd", "zan", "gs", "gw"].iter().any(|it| ending.eq_ignore_ascii_case(it))
        };
        let loose = self.files.iter().filter(move |(path, why)| why.is_none() && is_source(path));
        loose.map(|(path, _)| (path.as_str(), Warning::of(&LOOSE_SOURCE, Place::default(), String::new())))
    }

    fn of(root: String, files: &[&(String, Option<Game>)]) -> Self {
        let inner = |path: &str| path.get(root.len()..).unwrap_or_default().to_lowercase();
        let paths: Vec<String> = files.iter().map(|(path, _)| inner(path)).collect();
        let game = files.iter().find_map(|(_, game)| *game).or_else(|| game_of_names(&paths));
        let parts = game.map(parts).unwrap_or_default();
        let edition = match game {
            Some(Game::MechWarrior3) => Edition::of(&paths),
            Some(Game::Recoil) => Edition::of_recoil(&paths),
            _ => Edition::default(),
        };
        let why = |path: &str| parts.iter().find(|part| part.holds(path)).map(|part| part.why);
        let missing = parts.iter().filter(|part| part.is_one_file()).filter(|part| !paths.contains(&part.path));
        let missing = missing.map(|part| (part.path.clone(), part.why)).filter(|(_, why)| *why != Why::Demo);
        let missing = missing.filter(|(path, _)| !edition.early || !is_late_mission(path));
        Self {
            game,
            edition,
            missing: missing.collect(),
            files: files.iter().zip(&paths).map(|((path, _), inner)| (path.clone(), why(inner))).collect(),
            root,
        }
    }

    /// Returns the missing files that no option, edition or patch explains. They are not errors: files can lie
    /// elsewhere.
    pub fn unexplained(&self) -> impl Iterator<Item = &str> {
        self.missing.iter().filter(|(_, why)| *why == Why::Always).map(|(path, _)| path.as_str())
    }
}

/// Returns `true` for a file of one of Recoil's missions after the sixth, which the edition of 1998 does not have.
fn is_late_mission(path: &str) -> bool {
    (7..=13).any(|mission| path.starts_with(&format!("zbd/m{mission}/")) || path == format!("maps/m{mission}.zmap"))
}

impl Edition {
    /// Infers the edition of Recoil from lower-case paths (`zipper-installs.md`, section 4.1).
    fn of_recoil(paths: &[String]) -> Self {
        let early =
            paths.iter().any(|path| path.starts_with("zbd/m6/")) && !paths.iter().any(|path| is_late_mission(path));
        Self { early, ..Self::default() }
    }

    /// Infers the edition of MechWarrior 3 from lower-case paths.
    fn of(paths: &[String]) -> Self {
        let has = |name: &str| paths.iter().any(|path| path == name);
        let sounds = has("zbd/soundsl.zbd") || has("zbd/soundsh.zbd");
        let is_loose_wave = |path: &str| {
            let name = path.strip_prefix("zbd/").and_then(|name| name.strip_suffix(".wav"));
            name.is_some_and(|name| !name.contains('/'))
        };
        Self {
            demo: has("zbd/soundsm.zbd") && !sounds,
            german: has("mech3.icd"),
            patched: has("zbd/c3/readermp3.zbd")
                || has("zbd/c3/readermp4.zbd")
                || paths.iter().any(|path| is_loose_wave(path)),
            early: false,
        }
    }
}

#[cfg(test)]
mod tests;
