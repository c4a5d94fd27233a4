//! How the files of an install compare with the known ones.

use super::known::{KnownFile, KnownFiles, most_named};
use super::parts::Why;
use super::{Edition, Member, Seen};
use crate::field::wide;
use crate::kind::Game;
use crate::output::printable::grouped;

/// The comparison of the files of an install with the known ones. Every file is counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Standing {
    /// The number of files that are as sold, wherever they are.
    pub as_sold: u64,
    /// The files that are known to differ from those that were sold, by path, each with the reason.
    pub differ: Vec<(String, String)>,
    /// The number of files about which nothing is known.
    pub unknown: u64,
    /// Files in a wrong place.
    pub moved: Vec<Moved>,
    /// `true` if digests of files of the game are known.
    pub has_reference: bool,
    /// The only edition of which most files are known, if the install is not known to be of it, so that no other file can be compared.
    pub other_edition: Option<&'static str>,
}

/// The edition of the list of MechWarrior 3, one of the US editions 1.0, 1.1 and Gold. Source: `zipper-installs.md`, section 7.
const LISTED: &str = "US, before 1.2";

/// A file in a wrong place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moved {
    /// Its path in the install.
    pub path: String,
    /// The path at which the game has it.
    pub from: String,
    /// `true` if its digest proves it, `false` if only its name suggests it.
    pub is_proven: bool,
}

/// Files that the 1.2 patch of MechWarrior 3 leaves unchanged in every compared edition. Source: `zipper-installs.md`, section 2.5.
const UNPATCHED: [&str; 8] = [
    "zbd/rimage.zbd",
    "zbd/rmechtex.zbd",
    "zbd/soundsh.zbd",
    "zbd/soundsl.zbd",
    "zbd/c1/anim.zbd",
    "zbd/c1/gamez.zbd",
    "zbd/c2/anim.zbd",
    "zbd/c2/gamez.zbd",
];

/// Returns the edition of the table of which most files of an install are, with their number. `files` are paths in lower case.
pub(super) fn release(game: Game, files: &[Member<'_>]) -> Option<(&'static str, usize)> {
    let table = KnownFiles::table();
    let known = files.iter().filter_map(|it| it.seen.known()).filter(|known| known.game == Some(game));
    let (edition, count) = most_named(known)?;
    let listed = |path: &str| table.at(Some(game), path).any(|known| known.edition == edition);
    let listed = files.iter().filter(|it| listed(&it.path)).count();
    // Half of them: a few files can be shared by editions whose digests are not known.
    (count * 2 >= listed).then_some((edition, count))
}

impl Standing {
    /// Compares the files of an install, with their paths in lower case, with the table and with a list of the user's.
    pub(super) fn of(
        game: Option<Game>,
        edition: &Edition,
        files: &[Member<'_>],
        missing: &[(String, Why)],
        list: Option<&KnownFiles>,
    ) -> Self {
        let table = KnownFiles::table();
        let has_reference = list.is_some() || table.files().iter().any(|known| known.game == game);
        let is_other = game == Some(Game::MechWarrior3) && edition.release() != Some(LISTED) && list.is_none();
        let mut standing = Self { has_reference, other_edition: is_other.then_some(LISTED), ..Self::default() };
        for Member { seen, path, .. } in files {
            let known = seen.known().into_iter().chain(&seen.listed);
            let known: Vec<&KnownFile> = known.filter(|it| it.can_be_of(game)).collect();
            standing.count(&seen.path, &known, || why_differs(game, edition, path, list));
            let Some(first) = known.first().filter(|_| !known.iter().any(|known| known.is_altered())) else { continue };
            let is_free = |from: &str| !files.iter().any(|it| it.path.eq_ignore_ascii_case(from));
            if known.iter().all(|known| !known.path.eq_ignore_ascii_case(path) && is_free(&known.path)) {
                standing.moved(seen, &first.path, true);
            }
        }
        standing.find_renamed(files, missing);
        standing
    }

    /// Compares the files of an install of a game without known digests with a list of the user's: each with its path, its path in the
    /// install in lower case, and the file of the list with its content.
    pub(crate) fn of_list<'a>(
        game: Game,
        files: impl Iterator<Item = (&'a str, &'a str, Option<&'a KnownFile>)>,
        list: Option<&KnownFiles>,
    ) -> Self {
        let mut standing = Self { has_reference: list.is_some(), ..Self::default() };
        for (path, inner, listed) in files {
            let known: Vec<&KnownFile> = listed.into_iter().filter(|it| it.can_be_of(Some(game))).collect();
            standing.count(path, &known, || differs_from_list(Some(game), inner, list));
        }
        standing
    }

    /// Counts a file, given the known ones with its content, and the reason why it differs if there are none.
    fn count(&mut self, path: &str, known: &[&KnownFile], why_differs: impl FnOnce() -> Option<String>) {
        if let Some(altered) = known.iter().find(|known| known.is_altered()) {
            self.differ.push((path.to_owned(), format!("known not to be as sold: {}", altered.edition)));
        } else if !known.is_empty() {
            self.as_sold += 1;
        } else if let Some(why) = why_differs() {
            self.differ.push((path.to_owned(), why));
        } else {
            self.unknown += 1;
        }
    }

    /// Returns in words how many of the files of an install are as sold.
    #[must_use]
    pub fn words(&self, files: usize) -> String {
        let [as_sold, differ, unknown, files] =
            [self.as_sold, wide(self.differ.len()), self.unknown, wide(files)].map(grouped);
        let note = match (self.has_reference, self.other_edition) {
            (false, _) => " (no digests of this game are known)".to_owned(),
            (true, Some(listed)) => {
                format!(" (known digests are those of the edition {listed}, so other editions differ)")
            }
            (true, None) => String::new(),
        };
        format!("{as_sold} of {files} files as sold, {differ} known to differ, {unknown} unknown{note}")
    }

    fn moved(&mut self, seen: &Seen, from: &str, is_proven: bool) {
        self.moved.push(Moved { path: seen.path.clone(), from: from.to_owned(), is_proven });
    }

    /// Finds missing files under their names in other folders, if no other missing file has the name.
    fn find_renamed(&mut self, files: &[Member<'_>], missing: &[(String, Why)]) {
        let name = |path: &str| path.rsplit_once('/').map_or(path, |(_, name)| name).to_owned();
        let named = |wanted: &str| missing.iter().filter(|(path, _)| name(path) == wanted).count();
        for (from, why) in missing {
            let wanted = name(from);
            if matches!(why, Why::Aside | Why::Written | Why::Added) || named(&wanted) != 1 || self.has_moved(from) {
                continue;
            }
            let mut same =
                files.iter().filter(|it| it.why.is_none_or(|why| why == Why::Aside) && name(&it.path) == wanted);
            if let (Some(it), None) = (same.next(), same.next()) {
                self.moved(it.seen, from, false);
            }
        }
    }

    /// Returns `true` if a missing file is in a wrong place.
    pub(super) fn has_moved(&self, from: &str) -> bool {
        self.moved.iter().any(|moved| moved.from.eq_ignore_ascii_case(from))
    }
}

/// Returns the reason why a file without a known digest is known to differ from what was sold, or `None` if nothing is known.
fn why_differs(game: Option<Game>, edition: &Edition, path: &str, list: Option<&KnownFiles>) -> Option<String> {
    if let Some(why) = differs_from_list(game, path, list) {
        return Some(why);
    }
    // A patch replaces programs, so another digest of a program proves nothing.
    let is_program = [".exe", ".dll", ".icd"].iter().any(|ending| path.ends_with(ending));
    let is_compared = !edition.is_patched() || UNPATCHED.contains(&path);
    let release = edition.release().filter(|_| is_compared && !is_program);
    KnownFiles::table().at(game, path).find_map(|known| match known {
        known if known.is_of_every_edition() => Some("differs from all compared editions".to_owned()),
        known if release == Some(&*known.edition) => Some(format!("differs from the edition {}", known.edition)),
        _ => None,
    })
}

/// Returns the reason why a file without a digest of a list differs from it: the list has another file at its path.
fn differs_from_list(game: Option<Game>, path: &str, list: Option<&KnownFiles>) -> Option<String> {
    Some(format!("differs from {}", list?.at(game, path).next()?.source))
}
