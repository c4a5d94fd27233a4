//! How the files of an install compare with the known ones. A known file counts as sold only where it belongs.

use std::collections::{HashMap, HashSet};

use super::parts::Why;
use super::{Edition, KnownFile, KnownFiles, Member, most_named};
use field::wide;
use kind::Game;
use output::printable::grouped;

/// The comparison of the files of an install with the known ones. Every file is counted once: as sold, as in a list, known to differ,
/// unknown, a copy or moved with proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Standing {
    /// The number of files that are as sold by the table of this crate, at the path where they were sold.
    pub as_sold: u64,
    /// The number of other files that are as in the list of the user's, at the path that they have there.
    pub as_listed: u64,
    /// The files that are known to differ from those that were sold at their path, by path, each with the reason.
    pub differ: Vec<(String, String)>,
    /// The paths of those of them that are in the place of another file.
    pub mixed_up: Vec<String>,
    /// Other files with the bytes of a file that is in its place too, each with the path of that file in the game.
    pub copies: Vec<(String, String)>,
    /// The number of files about which nothing is known.
    pub unknown: u64,
    /// Files in a wrong place.
    pub moved: Vec<Moved>,
    /// `true` if digests of files of the game are known.
    pub has_reference: bool,
    /// The only edition of which most files are known, if the install is not known to be of it, so that no other file can be compared.
    pub other_edition: Option<&'static str>,
}

/// A file to be compared with the known ones.
pub(crate) struct Item<'a> {
    /// The path, as it was found.
    pub(crate) path: &'a str,
    /// The path in the install, in lower case.
    pub(crate) inner: &'a str,
    /// The known files of the game with its content.
    pub(crate) known: Vec<&'a KnownFile>,
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
        let items = files.iter().map(|Member { seen, path, .. }| Item {
            path: &seen.path,
            inner: path,
            known: seen.all_known(game, list),
        });
        let items: Vec<Item<'_>> = items.collect();
        let at = |path: &str| -> Vec<&KnownFile> {
            table.at(game, path).chain(list.into_iter().flat_map(|list| list.at(game, path))).collect()
        };
        let strangers: HashMap<&str, String> =
            files.iter().filter_map(|it| Some((&*it.path, why_strange(game, edition, it)?))).collect();
        standing.place(&items, at, |inner| {
            strangers.get(inner).cloned().or_else(|| why_differs(game, edition, inner, list))
        });
        standing.find_renamed(files, missing);
        standing.find_deeper(files, missing);
        standing
    }

    /// Compares the files of an install with the table, if its game can be inferred, and with a list of the user's.
    pub(crate) fn of_items(game: Option<Game>, items: &[Item<'_>], list: Option<&KnownFiles>) -> Self {
        let table = KnownFiles::table();
        let has_reference = list.is_some() || table.files().iter().any(|known| known.game == game);
        let mut standing = Self { has_reference, ..Self::default() };
        let at = |path: &str| -> Vec<&KnownFile> {
            table.at(game, path).chain(list.into_iter().flat_map(|list| list.at(game, path))).collect()
        };
        standing.place(items, at, |inner| differs_from_list(game, inner, list));
        standing
    }

    /// Compares files with the known ones. `at` returns the known files at a path in lower case; `why_differs` the reason why a file
    /// there differs that is not known.
    fn place<'a>(
        &mut self,
        items: &[Item<'a>],
        at: impl Fn(&str) -> Vec<&'a KnownFile>,
        why_differs: impl Fn(&str) -> Option<String>,
    ) {
        let is_at = |known: &KnownFile, path: &str| known.path.eq_ignore_ascii_case(path);
        let sold = |known: &&KnownFile| !known.is_altered();
        // The paths of each content in lower case: many files can have one content, and one content many paths.
        let mut paths: HashMap<&str, HashSet<String>> = HashMap::new();
        for it in items {
            if let Some(first) = it.known.first() {
                let of = || it.known.iter().map(|known| known.path.to_lowercase()).collect();
                paths.entry(&first.digest).or_insert_with(of);
            }
        }
        let has_path = |it: &Item<'a>, path: &str| {
            it.known.first().and_then(|first| paths.get(&*first.digest)).is_some_and(|paths| paths.contains(path))
        };
        let in_place = |it: &'_ &Item<'a>| has_path(it, it.inner);
        let main = most_named(items.iter().filter(in_place).flat_map(|it| it.known.iter().copied()));
        let main = main.map(|(edition, _)| edition.to_owned());
        let there: HashSet<&str> = items.iter().map(|it| it.inner).collect();
        // Where the content of each known path is.
        let mut homes: HashMap<String, &str> = HashMap::new();
        for it in items {
            for known in it.known.iter().copied().filter(sold) {
                homes.entry(known.path.to_lowercase()).or_insert(it.inner);
            }
        }
        // Of several places with these bytes, that with which the file is swapped comes first, then one that lacks its own.
        let at_place: HashMap<&str, &Item<'a>> = items.iter().map(|it| (it.inner, it)).collect();
        let like = |it: &Item<'a>| -> Option<&'a KnownFile> {
            let there = |known: &KnownFile| at_place.get(&*known.path.to_lowercase()).copied();
            let is_swapped = |known: &&&KnownFile| {
                let has_own = |other: &Item<'a>| has_path(other, it.inner);
                there(known).is_some_and(|other| !in_place(&other) && has_own(other))
            };
            let is_without = |known: &&&KnownFile| !there(known).is_some_and(|other| in_place(&other));
            let known = || it.known.iter();
            known().find(is_swapped).or_else(|| known().find(is_without)).or_else(|| known().next()).copied()
        };
        for it in items {
            let path = it.path.to_owned();
            if let Some(altered) = it.known.iter().find(|known| known.is_altered()) {
                self.differ.push((path, altered_words(&altered.edition)));
            } else if let Some(known) = it.known.iter().find(|known| is_at(known, it.inner)) {
                let here = it.known.iter().filter(|known| is_at(known, it.inner));
                let here: Vec<&str> = here.map(|known| &*known.edition).collect();
                let of_main = |known: &&KnownFile| Some(&known.edition) == main.as_ref();
                let is_foreign = known.is_of_one_edition() && !here.iter().any(|it| Some(*it) == main.as_deref());
                match main.as_ref().filter(|_| is_foreign && at(it.inner).iter().any(of_main)) {
                    Some(main) => {
                        let why = format!("is that of {}, unlike most files, which are of {main}", known.edition);
                        self.differ.push((path, why));
                    }
                    None if it.known.iter().any(|known| is_at(known, it.inner) && is_of_table(known)) => {
                        self.as_sold += 1
                    }
                    None => self.as_listed += 1,
                }
            } else if let Some(first) = like(it) {
                let from = first.path.to_lowercase();
                if !at(it.inner).iter().any(sold) {
                    match there.contains(&*from) {
                        true => self.copies.push((path, first.path.clone())),
                        false => self.moved(it.path, &first.path, true),
                    }
                    continue;
                }
                let has_own = |other: &&Item<'a>| !in_place(other) && has_path(other, it.inner);
                let is_swapped = at_place.get(&*from).is_some_and(has_own);
                let own = match homes.get(it.inner) {
                    Some(_) if is_swapped => "; the two files are swapped".to_owned(),
                    Some(home) => format!("; its own bytes are in {home}"),
                    None => "; its own bytes are lost".to_owned(),
                };
                self.mixed_up.push(path.clone());
                self.differ.push((path, format!("has the bytes of {}{own}", first.path)));
            } else if let Some(why) = why_differs(it.inner) {
                self.differ.push((path, why));
            } else {
                self.unknown += 1;
            }
        }
    }

    /// Returns in words how many of the files of an install are as sold.
    #[must_use]
    pub fn words(&self, files: usize) -> String {
        let [as_sold, differ, unknown, files] =
            [self.as_sold + self.as_listed, wide(self.differ.len()), self.unknown, wide(files)].map(grouped);
        let elsewhere = wide(self.copies.len()) + wide(self.moved.iter().filter(|it| it.is_proven).count());
        let elsewhere = if elsewhere == 0 { String::new() } else { format!(", {} elsewhere", grouped(elsewhere)) };
        let note = match (self.has_reference, self.other_edition) {
            (false, _) => " (no digests of this game are known)".to_owned(),
            (true, Some(listed)) => {
                format!(" (known digests are those of the edition {listed}, so other editions differ)")
            }
            (true, None) => String::new(),
        };
        format!("{as_sold} of {files} files as sold, {differ} known to differ{elsewhere}, {unknown} unknown{note}")
    }

    fn moved(&mut self, path: &str, from: &str, is_proven: bool) {
        self.moved.push(Moved { path: path.to_owned(), from: from.to_owned(), is_proven });
    }

    /// Finds missing files under their names in other folders, if no other missing file has the name.
    fn find_renamed(&mut self, files: &[Member<'_>], missing: &[(String, Why)]) {
        let named = |wanted: &str| missing.iter().filter(|(path, _)| last(path) == wanted).count();
        for (from, why) in missing {
            let wanted = last(from);
            if matches!(why, Why::Aside | Why::Written | Why::Added) || named(wanted) != 1 || self.has_moved(from) {
                continue;
            }
            let mut same =
                files.iter().filter(|it| it.why.is_none_or(|why| why == Why::Aside) && last(&it.path) == wanted);
            if let (Some(it), None) = (same.next(), same.next()) {
                self.moved(&it.seen.path, from, false);
            }
        }
    }

    /// Finds missing files one folder deeper than they belong, such as those of `zbd/c1` in `zbd/zbd/c1`.
    fn find_deeper(&mut self, files: &[Member<'_>], missing: &[(String, Why)]) {
        let lost: HashMap<&str, &str> = missing.iter().map(|(path, _)| (path.as_str(), path.as_str())).collect();
        for it in files.iter().filter(|it| it.why.is_none()) {
            let parts: Vec<&str> = it.path.split('/').collect();
            let without = |at: usize| -> String {
                let rest = parts.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, part)| *part);
                rest.collect::<Vec<_>>().join("/")
            };
            let folders = parts.iter().enumerate().skip(1).map(|(index, _)| index - 1);
            let from = folders.into_iter().find_map(|at| lost.get(&*without(at)).copied());
            if let Some(from) = from.filter(|from| !self.has_moved(from) && !self.has_come(&it.seen.path)) {
                self.moved(&it.seen.path, from, false);
            }
        }
    }

    /// Returns `true` if a file is already said to be in a wrong place.
    fn has_come(&self, path: &str) -> bool {
        self.moved.iter().any(|moved| moved.path == path)
    }

    /// Returns `true` if a missing file is in a wrong place.
    pub(super) fn has_moved(&self, from: &str) -> bool {
        self.moved.iter().any(|moved| moved.from.eq_ignore_ascii_case(from))
    }
}

/// Returns `true` if a known file is one of the table of this crate, not only one of a list.
fn is_of_table(known: &KnownFile) -> bool {
    KnownFiles::table().with_digest(&known.digest).any(|it| it == known)
}

/// Returns the last part of a path.
fn last(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns the reason why a file cannot be of an install: its content is that of another game, or of the demo.
fn why_strange(game: Option<Game>, edition: &Edition, file: &Member<'_>) -> Option<String> {
    let facts = &file.seen.facts;
    match facts.game {
        Some(other) if game.is_some_and(|game| game != other) => Some(format!("is a file of {}", other.title())),
        _ if facts.demo_version.is_some() && !edition.is_demo() => Some("is that of the demo".to_owned()),
        _ => None,
    }
}

/// Returns in words that a file was changed or never sold, given its edition in the table.
fn altered_words(edition: &str) -> String {
    let kinds = [("altered ", "is known to be altered: "), ("never sold, ", "was never sold: ")];
    let words = kinds.iter().find_map(|(start, words)| Some(format!("{words}{}", edition.strip_prefix(start)?)));
    words.unwrap_or_else(|| format!("is known not to be as sold: {edition}"))
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
