//! Installs: the game and edition in a folder, its files, and the optional files that it lacks.
//!
//! A [`Survey`] receives every file in a set of folders. An install is a folder that contains a folder `zbd`; names are
//! compared without case. The game is inferred from data files first, because executables may be missing. No single
//! file is required.
//!
//! Source: [`zipper-installs.md`](crate::guide::formats::zipper_installs).

mod edition;
mod facts;
mod parts;
mod standing;

use std::collections::BTreeMap;

use field::Place;
use kind::Game;
use lint::{Warning, traps};
use passes::Sha;

traps! { TRAPS:
    LOOSE_SOURCE = "loose-source" in File:
        "a source of readers, animations or scripts is loose in the folder of the game" =>
        "the game refuses its own copy if the times differ", "zipper-editing.md, section 2 (engine)";
}

pub(crate) use crate::verify::most_named;
pub use crate::verify::{KnownFile, KnownFiles, pristine};
pub use edition::{Edition, Mark, is_only_in_demo};
pub use facts::{Facts, game_of_data};
pub use parts::{Caveat, Why};
pub(crate) use parts::{Part, expand, required_by_all};
use parts::{groups, is_list_whole, parts};
pub(crate) use standing::Item;
pub use standing::{Moved, Standing};

/// An install of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Install {
    /// The folder of the install, as a prefix of its paths; empty if it is the searched folder.
    pub root: String,
    /// The game, if it can be inferred.
    pub game: Option<Game>,
    /// The edition, as far as files reveal it.
    pub edition: Edition,
    /// The files with their spelling and their reason; `None` for unexpected files.
    pub files: Vec<(String, Option<Why>)>,
    /// Absent files of a full install, and the reasons why they may be absent.
    pub missing: Vec<(String, Why)>,
    /// How the files compare with the known ones.
    pub standing: Standing,
    /// The games that it can be, if one cannot be inferred.
    pub games: Vec<Game>,
    /// What is not known about the list of its files.
    pub caveats: Vec<Caveat>,
}

/// A file that was found in a set of folders.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Seen {
    /// Its path, with `/` between the parts.
    pub path: String,
    /// The facts in its content.
    pub facts: Facts,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its hash, if it could be read.
    pub sha256: Option<Sha>,
    /// The file of a list of the user's with this content.
    pub listed: Option<KnownFile>,
}

impl Seen {
    /// Creates a file about which only the path and the facts are known.
    #[must_use]
    pub fn new(path: impl Into<String>, facts: Facts) -> Self {
        Self { path: path.into(), facts, ..Self::default() }
    }

    /// Returns the file with the size and hash of its content, and its file of a list of the user's.
    #[must_use]
    pub fn with_content(self, bytes: u64, sha256: Option<Sha>, listed: Option<KnownFile>) -> Self {
        Self { bytes, sha256, listed, ..self }
    }

    /// Returns the files of a game with this content, in the table and in the list of the user's.
    fn all_known<'a>(&'a self, game: Option<Game>, list: Option<&'a KnownFiles>) -> Vec<&'a KnownFile> {
        let table = self.sha256.map(|sha256| sha256.to_string());
        let table = table.into_iter().flat_map(|digest| KnownFiles::table().with_digest(&digest).collect::<Vec<_>>());
        all_known(table, self.listed.as_ref(), list).into_iter().filter(|known| known.can_be_of(game)).collect()
    }

    /// Returns the file of the table with this hash, as sold or not.
    fn known(&self) -> Option<&'static KnownFile> {
        KnownFiles::table().with_digest(&self.sha256?.to_string()).next()
    }
}

/// Returns the known files with the same content: those of the table, and those of a list of the user's that have the digest of one of its
/// files.
pub(crate) fn all_known<'a>(
    table: impl Iterator<Item = &'a KnownFile>,
    listed: Option<&'a KnownFile>,
    list: Option<&'a KnownFiles>,
) -> Vec<&'a KnownFile> {
    let same = |it: &'a KnownFile| list.into_iter().flat_map(|list| list.with_digest(&it.digest));
    let mut all: Vec<&KnownFile> = table.chain(listed.into_iter().flat_map(same)).collect();
    if all.is_empty() {
        all.extend(listed);
    }
    all
}

/// Returns what belongs to the deepest of the roots around a path. Roots are nested if a game's folder contains a copy of a game.
pub(crate) fn deepest<'r, R: AsRef<str> + Ord, T>(roots: &'r mut BTreeMap<R, T>, path: &str) -> Option<&'r mut T> {
    let around = roots.iter_mut().filter(|(root, _)| path.starts_with((*root).as_ref()));
    around.max_by_key(|(root, _)| (*root).as_ref().len()).map(|(_, of)| of)
}

/// A file of an install.
struct Member<'a> {
    seen: &'a Seen,
    /// The path in the install, in lower case.
    path: String,
    why: Option<Why>,
}

/// All files found in a set of folders.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    files: Vec<Seen>,
}

impl Survey {
    /// Records a file.
    pub fn see(&mut self, file: Seen) {
        self.files.push(file);
    }

    /// Returns the game and the edition in words, if the files are those of one install whose game can be inferred.
    #[must_use]
    pub fn only(&self) -> Option<(Game, String)> {
        match self.installs(None).as_slice() {
            [install] => Some((install.game?, install.edition.to_string())),
            _ => None,
        }
    }

    /// Returns the installs among the files, by folder. The files are compared with the known ones, and with a list of the user's.
    #[must_use]
    pub fn installs(&self, list: Option<&KnownFiles>) -> Vec<Install> {
        let mut roots: BTreeMap<String, Vec<&Seen>> = BTreeMap::new();
        for file in &self.files {
            roots.extend(root_of(&file.path).map(|root| (root.to_owned(), Vec::new())));
        }
        for file in &self.files {
            if let Some(files) = deepest(&mut roots, &file.path) {
                files.push(file);
            }
        }
        roots.into_iter().map(|(root, files)| Install::of(root, &files, list)).collect()
    }

    /// Returns the game of the files if they are those of a folder `zbd` itself, whose parent would be the install: all of one game, and
    /// most of them on its list.
    #[must_use]
    pub fn is_too_deep(&self) -> Option<Game> {
        let has = |name: &str| self.files.iter().any(|file| file.path.eq_ignore_ascii_case(name));
        let mut games = self.files.iter().filter_map(|file| file.facts.game);
        let game = games.next().filter(|game| games.all(|other| other == *game))?;
        let parts = parts(game);
        let is_listed = |file: &&Seen| {
            let path = format!("zbd/{}", file.path.to_lowercase());
            parts.iter().any(|part| part.holds(&path))
        };
        let is_most = self.files.iter().filter(is_listed).count() * 2 > self.files.len();
        let is_whole = has("interp.zbd") && self.files.iter().all(|file| root_of(&file.path).is_none());
        (is_whole && is_most).then_some(game)
    }
}

/// Returns the part of a path before the folder `zbd`, or `None` if there is no such folder.
fn root_of(path: &str) -> Option<&str> {
    let mut end = 0;
    for part in path.split_inclusive('/') {
        if part.eq_ignore_ascii_case("zbd/") {
            return path.get(..end);
        }
        end += part.len();
    }
    None
}

/// Returns the game that occurs most often, of several the first: a file of another game can be mixed in.
fn most_common(games: impl Iterator<Item = Game>) -> Option<Game> {
    let mut counts: Vec<(Game, usize)> = Vec::new();
    for game in games {
        match counts.iter_mut().find(|(known, _)| *known == game) {
            Some((_, count)) => *count += 1,
            None => counts.push((game, 1)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max()?;
    counts.into_iter().find(|(_, count)| *count == most).map(|(game, _)| game)
}

/// Infers the game from lower-case paths, for installs whose data does not reveal it.
fn game_of_names(paths: &[String]) -> Option<Game> {
    let has = |name: &str| paths.iter().any(|path| path == name);
    let tells = [
        (has("recoil.exe") || has("messages.dll"), Game::Recoil),
        (has("mech3demo.exe") || has("zbd/rlab.zbd"), Game::MechWarrior3),
        (has("crimson.exe") || has("strings.dll"), Game::CrimsonSkies),
    ];
    tells.into_iter().find_map(|(is, game)| is.then_some(game))
}

/// Returns the games whose programs have the names of some files, for installs whose game nothing else reveals: the programs of
/// MechWarrior 3 and Pirate's Moon are named alike.
fn games_of_programs(paths: &[String]) -> Vec<Game> {
    let is_program = |path: &String| matches!(&**path, "mech3.exe" | "mech3msg.dll");
    if paths.iter().any(is_program) { vec![Game::MechWarrior3, Game::PiratesMoon] } else { Vec::new() }
}

/// Returns `true` for a file of one of Recoil's missions after this one.
fn is_mission_after(path: &str, last: u32) -> bool {
    let number = path.strip_prefix("zbd/m").and_then(|rest| rest.split_once('/')).map(|(number, _)| number);
    let map = path.strip_prefix("maps/m").and_then(|rest| rest.strip_suffix(".zmap"));
    number.or(map).and_then(|number| number.parse::<u32>().ok()).is_some_and(|mission| mission > last)
}

/// Returns the folder or the map of a mission: the part of a path that all files of the mission share.
fn mission(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(folder, _)| if folder == "maps" { path } else { folder })
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

    /// Returns the reason why the game has a file at a path in lower case, or `None` for other files.
    pub(crate) fn reasons(&self) -> impl Fn(&str) -> Option<Why> {
        let parts = self.game.map(parts).unwrap_or_default();
        // No list has the files of the demos.
        let is_demo = self.edition.is_demo();
        move |path| {
            let why = parts.iter().find(|part| part.holds(path)).map(|part| part.why);
            why.filter(|why| !(is_demo && *why == Why::Demo))
        }
    }

    fn of(root: String, files: &[&Seen], list: Option<&KnownFiles>) -> Self {
        let inner = |path: &str| path.get(root.len()..).unwrap_or_default().to_lowercase();
        let paths: Vec<String> = files.iter().map(|seen| inner(&seen.path)).collect();
        let game = most_common(files.iter().filter_map(|seen| seen.facts.game)).or_else(|| game_of_names(&paths));
        let parts = game.map(parts).unwrap_or_default();
        let why = |path: &str| parts.iter().find(|part| part.holds(path)).map(|part| part.why);
        let members = files.iter().zip(&paths);
        let members: Vec<Member<'_>> =
            members.map(|(seen, path)| Member { seen, path: path.clone(), why: why(path) }).collect();
        let edition = Edition::of(game, &members);
        let has = |path: &str| paths.iter().any(|it| it == path);
        let starts = |start: &str| paths.iter().any(|it| it.starts_with(start));
        // Of the first disc, sources disagree on the later missions.
        let is_first_disc = game == Some(Game::Recoil) && edition.release() == Some("1998-11-04");
        // A later mission of which the early edition has nothing was never in it. The files of Recoil's demo are not published, and
        // that of MechWarrior 3 has one chapter.
        let was_in_it = |path: &str| {
            let is_late = is_mission_after(path, 6) && !starts(mission(path));
            !(edition.is_demo() || edition.is_early() && is_late || is_first_disc && is_mission_after(path, 6))
        };
        // The engine takes either name.
        let has_other_name = |path: &str| path == "zbd/image.zbd" && has("zbd/rimage.zbd");
        let games = if game.is_none() { games_of_programs(&paths) } else { Vec::new() };
        let shared = required_by_all(&games, self::parts);
        let missing = parts.iter().chain(&shared);
        let missing = missing.filter(|part| part.is_one_file() && part.why != Why::Demo && !has(&part.path));
        let missing = missing.filter(|part| was_in_it(&part.path) && !has_other_name(&part.path));
        let groups = game.filter(|_| !edition.is_demo()).map(groups).into_iter().flatten();
        let groups = groups.flat_map(|group| group.lacking(&paths).collect::<Vec<_>>());
        let mut missing: Vec<_> = missing.map(|part| (part.path.clone(), part.why)).chain(groups).collect();
        let standing = Standing::of(game, &edition, &members, &missing, list);
        missing.retain(|(path, _)| !standing.has_moved(path));
        let files = members.iter().map(|it| (it.seen.path.clone(), it.why)).collect();
        let mut caveats = Vec::new();
        if edition.is_demo() || game.is_some_and(|game| !is_list_whole(game)) {
            caveats.push(Caveat::Open);
        }
        if edition.is_early() && !edition.is_vouched_for() {
            caveats.push(Caveat::MaybeLater);
        }
        Self { game, edition, missing, files, standing, root, games, caveats }
    }

    /// Returns the missing files that no option, edition or patch explains. A game can do without some of them, and files can lie
    /// elsewhere, so only a strict caller takes them for findings.
    pub fn unexplained(&self) -> impl Iterator<Item = &str> {
        self.missing.iter().filter(|(_, why)| why.is_required()).map(|(path, _)| path.as_str())
    }

    /// Returns the game and the edition in one sentence, with the evidence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let game = self.game.map_or("unknown game", Game::title);
        match self.edition.marks() {
            [] => format!("{game}, edition not identified: no known file and no name that only one edition has"),
            _ => format!("{game}, {} ({})", self.edition, self.edition.basis()),
        }
    }
}

#[cfg(test)]
mod tests;
