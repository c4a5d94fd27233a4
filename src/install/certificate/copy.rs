//! A copy of a game: its files, and how they compare with those that it must have and with the known ones.

use std::collections::{HashMap, HashSet};

use super::inventory::Facts;
use crate::install::aurora;
use crate::install::known::{KnownList, Origin};
use crate::install::marathon;
use crate::install::places::Holds;
use crate::install::snapshot::sums_line;
use crate::install::zipper::{Caveat, Install, KnownFile, Standing, Why};
use crate::verify::{Failure, Report, Status};
use field::wide;
use kind::Game;
use passes::Sha;

/// An install of a game of any family, with what the files in it are.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Certificate {
    /// The path of the install.
    pub root: String,
    /// The game, if it can be inferred.
    pub game: Option<Game>,
    /// The games that it can be, if one cannot be inferred.
    pub games: Vec<Game>,
    /// The edition in words, or an empty text if it is not identified.
    pub edition: String,
    /// What the edition rests on, or an empty text.
    pub basis: String,
    /// The files below the install, in the order of their paths, which begin at its root.
    pub files: Vec<Checked>,
    /// How the files compare with the known ones, with paths from the root.
    pub standing: Standing,
    /// Absent files of a full install.
    pub missing: Vec<Missing>,
    /// Files that are on no list of the game.
    pub unexpected: Vec<String>,
    /// The list of the user's that the files are compared with.
    pub list: Option<Origin>,
    /// Files of that list that are absent.
    pub unfound: Vec<Unfound>,
    /// Files with the same bytes that should differ, in pairs.
    pub alike: Vec<(String, String)>,
    /// Files whose paths differ only in case, in pairs: the game has one place for both.
    pub rivals: Vec<(String, String)>,
    /// Files whose size is not the one that the game states, each with both sizes in words.
    pub resized: Vec<(String, String)>,
    /// What else is worth a look, as sentences.
    pub notes: Vec<String>,
    /// What is not known about the list of the files of the game.
    pub caveats: Vec<Caveat>,
    /// The paths of the files that the list of the game names, or that are known, so that a file bitexact does not read is expected there.
    pub expected: HashSet<String>,
    /// Of Neverwinter Nights: the number of the language of its talk table, and the number of resources that later KEYs replace.
    pub keyed: Option<(Option<u32>, usize)>,
}

/// A file of an install that has been verified.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// Its path, with `/` between the parts.
    pub path: String,
    /// The bytes of the path.
    raw: Vec<u8>,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its hash, if it could be read.
    pub sha256: Option<Sha>,
    /// Its kind, if any.
    pub kind: Option<&'static str>,
    /// What its entries are, if files of its kind hold different things.
    pub holds: Option<String>,
    /// The games that it can belong to by its content.
    pub games: Vec<Game>,
    /// Whether it comes back bit for bit.
    pub status: Status,
    /// The worst severity of its signs of damage.
    pub severity: Option<&'static str>,
    /// `true` if it is known to be as sold, or as in a list of the user's.
    pub is_pristine: bool,
    /// `true` if only a list of the user's knows it.
    pub is_listed: bool,
    /// The digest by which a list of the user's knows it.
    listed: Option<String>,
    /// The reason why it could not be read, if it could not.
    pub unread: Option<String>,
    /// `true` if its end is missing.
    pub is_cut: bool,
    /// `true` if bitexact itself failed at it.
    pub is_unproven: bool,
    /// The places of checksums in it that do not fit the bytes they cover.
    pub checksums: Vec<String>,
    /// The entries in it that do not decode.
    pub undecoded: Vec<String>,
}

/// A file of a list of the user's that a copy lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unfound {
    /// Its path in the list, from the root of the install.
    pub path: String,
    /// The reason why the copy can lack it, if an option, a patch, the disc or another program explains that.
    pub why: Option<Why>,
}

/// An absent file of a full install.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Missing {
    /// Its path from the root of the install.
    pub path: String,
    /// The reason why it may be absent.
    pub why: Why,
    /// The file that names it, if one does.
    pub named_in: Option<String>,
    /// What is in its place, in words, if that is no file of the game.
    pub found: Option<String>,
    /// The file that seems to be in its place, and it in that of the file, if their kinds are swapped.
    pub home: Option<String>,
}

impl Checked {
    /// Creates a file from its report and the facts in it, with its path in Unicode and in bytes.
    #[must_use]
    pub(super) fn new(path: String, raw: Vec<u8>, report: &Report, facts: &Facts) -> Self {
        let unread = match &report.failure {
            Some(Failure::Read(why)) => Some(why.clone()),
            _ => (report.status == Status::Unreadable).then(|| "it cannot be read".to_owned()),
        };
        Self {
            path,
            raw,
            bytes: report.bytes,
            sha256: report.sha256,
            kind: report.kind,
            holds: facts.holds.clone(),
            games: facts.games.clone(),
            status: report.status,
            severity: report.severity(),
            is_pristine: report.is_pristine(),
            is_listed: report.is_pristine() && facts.is_only_listed(report.sha256),
            listed: facts.listed.as_ref().map(|file| file.digest.clone()),
            unread,
            is_cut: report.damage.iter().any(|it| it.trap.id == "file-cut"),
            is_unproven: report.is_internal() || report.status == Status::Different,
            checksums: facts.checksums.clone(),
            undecoded: facts.undecoded.clone(),
        }
    }

    /// Returns the file with a path that begins at the root of its install.
    pub(super) fn below(&self, root: &str) -> Self {
        let path = self.path.strip_prefix(root).unwrap_or(&self.path).to_owned();
        let raw = self.raw.strip_prefix(root.as_bytes()).unwrap_or(&self.raw).to_vec();
        Self { path, raw, ..self.clone() }
    }

    /// Returns `true` if bytes of it are lost.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.severity == Some("damaged")
    }

    /// Returns `true` if its end is missing, so that it is not as it was.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        self.is_cut && self.unread.is_none() && !self.is_unproven
    }

    /// Returns `true` if its kind is one that a place holds.
    fn fits(&self, place: Holds) -> bool {
        place.takes(self.kind, self.holds.as_deref())
    }

    /// Returns `true` unless its content tells that it belongs to other games.
    fn can_be_of(&self, game: Option<Game>) -> bool {
        game.is_none_or(|game| self.games.is_empty() || self.games.contains(&game))
    }

    /// Returns `true` if a checksum in it does not fit, or an entry does not decode, although it is not known to be as it should be.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        !(self.is_pristine || self.checksums.is_empty() && self.undecoded.is_empty())
    }
}

impl Missing {
    fn new(path: &str, why: Why) -> Self {
        Self { path: path.to_owned(), why, named_in: None, found: None, home: None }
    }

    /// Returns `true` if the game needs the file: no option, edition or patch explains that it is absent, or something else is in its place.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        self.why.is_required() || self.found.is_some()
    }
}

/// Returns the files in whose place is something else, given the reason why the file at a path is part of the game: the game cannot read
/// them, so that they are as good as absent. With a game, a file of other games is something else too.
fn replaced<'a>(
    root: &str,
    game: Option<Game>,
    files: &[Checked],
    reasons: impl Iterator<Item = (&'a str, Option<Why>)>,
) -> Vec<Missing> {
    let is_place = |why: &Why| matches!(why, Why::Always | Why::Option(_) | Why::Patch(_) | Why::Disc);
    let places: HashMap<String, Why> =
        reasons.filter_map(|(path, why)| Some((inner(root, path), why.filter(is_place)?))).collect();
    let found = |file: &Checked| -> Option<(Why, String)> {
        let why = *places.get(&file.path)?;
        // What has happened to a damaged file says more, and a file that is not read can be anything.
        let is_judged = matches!(file.status, Status::Identical | Status::Foreign | Status::Unknown);
        let holds =
            Holds::at(&file.path.to_lowercase()).filter(|_| is_judged && !file.is_damaged() && file.bytes > 0)?;
        match file {
            _ if !file.fits(holds) => Some((why, described(file))),
            _ if file.can_be_of(game) => None,
            _ => Some((why, format!("a file of {} is in its place", any_of(&file.games)))),
        }
    };
    let replaced: Vec<(&Checked, (Why, String))> = files.iter().filter_map(|file| Some((file, found(file)?))).collect();
    let homes = homes(&replaced.iter().map(|(file, _)| *file).collect::<Vec<_>>(), game);
    let missing = |((file, (why, found)), home): ((&Checked, (Why, String)), Option<&Checked>)| Missing {
        found: Some(found),
        home: home.map(|home| home.path.clone()),
        ..Missing::new(&file.path, why)
    };
    replaced.into_iter().zip(homes).map(missing).collect()
}

/// Returns for each of some files that are in the places of others the only one with which it can be swapped, or `None` if there is none or
/// if several come into question. Those in its own folder come first.
fn homes<'a>(files: &[&'a Checked], game: Option<Game>) -> Vec<Option<&'a Checked>> {
    struct Spot<'a> {
        file: &'a Checked,
        folder: String,
        place: Option<Holds>,
    }
    let spot = |file: &&'a Checked| {
        let path = file.path.to_lowercase();
        Spot {
            file,
            place: Holds::at(&path),
            folder: path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
        }
    };
    let spots: Vec<Spot<'a>> = files.iter().map(spot).collect();
    let fits = |it: &Spot<'a>, place: &Spot<'a>| {
        it.file.can_be_of(game) && place.place.is_some_and(|holds| it.file.fits(holds))
    };
    let only = |place: &Spot<'a>| {
        let others = || {
            let all = spots.iter().enumerate();
            all.filter(|(_, it)| it.file.path != place.file.path && fits(it, place) && fits(place, it))
        };
        let mut beside = others().filter(|(_, it)| it.folder == place.folder).map(|(at, _)| at);
        let mut elsewhere = others().map(|(at, _)| at);
        match (beside.next(), beside.next()) {
            (Some(one), None) => Some(one),
            (Some(_), Some(_)) => None,
            (None, _) => elsewhere.next().filter(|_| elsewhere.next().is_none()),
        }
    };
    let chosen: Vec<Option<usize>> = spots.iter().map(only).collect();
    // A file is swapped with one other.
    let is_mutual = |at: usize, other: &usize| chosen.get(*other).copied().flatten() == Some(at);
    let homes = chosen.iter().enumerate().map(|(at, other)| other.filter(|other| is_mutual(at, other)));
    homes.map(|other| files.get(other?).copied()).collect()
}

/// Returns in words what is in the place of another file.
fn described(file: &Checked) -> String {
    match (file.kind, file.holds.as_deref()) {
        (Some("archive"), Some(entries)) => format!("an archive of {entries} is in its place"),
        (Some(kind), _) => format!("a file of kind {kind} is in its place"),
        (None, _) => "a file with other contents is in its place".to_owned(),
    }
}

/// Returns the titles of games, of which one is meant.
pub(super) fn any_of(games: &[Game]) -> String {
    let titles: Vec<&str> = games.iter().map(|game| game.title()).collect();
    match titles.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Marks the files that have lost all their bytes in places of the game, given the reason why the file at a path is part of it.
fn emptied<'a>(root: &str, files: &mut [Checked], reasons: impl Iterator<Item = (&'a str, Option<Why>)>) {
    let is_place = |why: &Option<Why>| !matches!(why, None | Some(Why::Written | Why::Added));
    let places: HashSet<String> = reasons.filter(|(_, why)| is_place(why)).map(|(path, _)| inner(root, path)).collect();
    let is_empty = |file: &&mut Checked| file.bytes == 0 && file.status != Status::Unreadable;
    for file in files.iter_mut().filter(is_empty).filter(|file| places.contains(&file.path)) {
        file.severity = Some("damaged");
    }
}

/// Returns the paths of the files that the list of the game names, or that are known, except for damaged ones and those in whose place is
/// something else.
fn expected<'a>(
    root: &str,
    files: &[Checked],
    missing: &[Missing],
    reasons: impl Iterator<Item = (&'a str, Option<Why>)>,
) -> HashSet<String> {
    let is_of_game = |why: &Option<Why>| !matches!(why, None | Some(Why::Written | Why::Added));
    let listed = reasons.filter(|(_, why)| is_of_game(why)).map(|(path, _)| inner(root, path));
    let known = files.iter().filter(|file| file.is_pristine).map(|file| file.path.clone());
    let replaced = missing.iter().filter(|it| it.found.is_some()).map(|it| &*it.path);
    let damaged = files.iter().filter(|file| file.is_damaged()).map(|file| &*file.path);
    let wrong: HashSet<&str> = replaced.chain(damaged).collect();
    listed.chain(known).filter(|path| !wrong.contains(&**path)).collect()
}

/// Returns a path from the root of its install.
fn inner(root: &str, path: &str) -> String {
    path.strip_prefix(root).unwrap_or(path).to_owned()
}

/// Returns the comparison with paths from the root of the install.
fn below(root: &str, mut standing: Standing) -> Standing {
    let differ = standing.differ.iter_mut().chain(&mut standing.copies).map(|(path, _)| path);
    let moved = standing.moved.iter_mut().map(|moved| &mut moved.path);
    for path in differ.chain(&mut standing.mixed_up).chain(moved) {
        *path = inner(root, path);
    }
    standing
}

/// Returns the comparison without the files in whose place is something else, which is said elsewhere.
fn without(missing: &[Missing], mut standing: Standing) -> Standing {
    let replaced: HashSet<&str> = missing.iter().filter(|it| it.found.is_some()).map(|it| &*it.path).collect();
    standing.differ.retain(|(path, _)| !replaced.contains(&**path) || standing.mixed_up.contains(path));
    standing
}

impl Certificate {
    /// Creates that of an install of Recoil, MechWarrior 3, Pirate's Moon or Crimson Skies.
    pub(super) fn of_zipper(root: String, mut files: Vec<Checked>, install: &Install) -> Self {
        let own = |path: &str| inner(&install.root, path);
        let unexpected = install.files.iter().filter(|(_, why)| why.is_none()).map(|(path, _)| own(path)).collect();
        // Worlds and animations of different missions differ, and of MechWarrior 3 all packages do (`golden/known.tsv`).
        let is_all = install.game == Some(Game::MechWarrior3);
        let differs = |path: &str| is_all || path.ends_with("/gamez.zbd") || path.ends_with("/anim.zbd");
        let data = install.files.iter().filter(|(_, why)| matches!(why, Some(Why::Always | Why::Option(_))));
        let data = data.map(|(path, _)| own(path)).filter(|path| differs(&path.to_lowercase()) && is_data(path));
        let missing = install.missing.iter().map(|(path, why)| Missing::new(path, *why));
        // No list has the files of the demos, and no format spec describes those of MechWarrior 3.
        let reasons = || install.files.iter().map(|(path, why)| (path.as_str(), *why));
        emptied(&install.root, &mut files, reasons());
        let judged = reasons().filter(|_| !install.edition.is_demo());
        let replaced = replaced(&install.root, install.game, &files, judged);
        let missing: Vec<Missing> = missing.chain(replaced).collect();
        let rivals = same_names(&files);
        Self {
            game: install.game,
            games: install.games.clone(),
            caveats: install.caveats.clone(),
            expected: expected(&install.root, &files, &missing, reasons()),
            list: None,
            unfound: Vec::new(),
            edition: install.edition.to_string(),
            basis: install.edition.basis(),
            alike: alike(&files, &data.collect::<Vec<_>>()),
            standing: without(&missing, below(&install.root, install.standing.clone())),
            missing,
            unexpected,
            notes: Vec::new(),
            rivals,
            resized: Vec::new(),
            keyed: None,
            root,
            files,
        }
    }

    /// Creates that of an install of Neverwinter Nights.
    pub(super) fn of_keys(root: String, mut files: Vec<Checked>, install: &aurora::Install) -> Self {
        let named = install.missing().map(|(path, key)| Missing {
            path: path.to_owned(),
            why: Why::Always,
            named_in: Some(key.to_owned()),
            found: None,
            home: None,
        });
        let absent = install.absent.iter().map(|(path, why)| Missing::new(path, *why));
        let sold: Vec<(&str, Option<Why>)> = install
            .sold
            .iter()
            .filter(|path| aurora::is_place(&inner(&install.root, path).to_lowercase()))
            .map(|path| (path.as_str(), Some(Why::Always)))
            .collect();
        let reasons = || sold.iter().copied();
        emptied(&install.root, &mut files, reasons());
        let replaced = replaced(&install.root, None, &files, reasons());
        let missing: Vec<Missing> = absent.chain(named).chain(replaced).collect();
        let is_expected = |path: &&String| aurora::is_expected(&inner(&install.root, path).to_lowercase());
        let files_of_root = files.iter().map(|file| format!("{}{}", install.root, file.path)).collect::<Vec<_>>();
        let others = files_of_root.iter().filter(is_expected).map(|path| (path.as_str(), Some(Why::Always)));
        let is_bif = |file: &&Checked| file.path.to_lowercase().ends_with(".bif");
        let bifs: Vec<String> = files.iter().filter(is_bif).map(|file| file.path.clone()).collect();
        let listed = install.listed.as_ref().map(|edition| format!(", {edition} by the given list"));
        Self {
            game: Some(Game::Neverwinter),
            games: Vec::new(),
            caveats: vec![Caveat::OpenBesideKeys],
            expected: expected(&install.root, &files, &missing, others),
            list: None,
            unfound: Vec::new(),
            edition: format!("{}{}", install.edition, listed.unwrap_or_default()),
            basis: install.basis(),
            alike: alike(&files, &bifs),
            standing: below(&install.root, install.standing.clone()),
            missing,
            rivals: install.rivals().map(|(one, other)| (one.to_owned(), other.to_owned())).collect(),
            unexpected: install.unnamed().map(str::to_owned).collect(),
            resized: install.resized().map(|(path, why)| (path.to_owned(), why)).collect(),
            notes: install.others().filter(|it| !it.is_size() && !it.is_same_name()).map(ToString::to_string).collect(),
            keyed: Some((install.language, install.shadowed)),
            root,
            files,
        }
    }

    /// Creates that of an install of Marathon.
    pub(super) fn of_marathon(root: String, mut files: Vec<Checked>, install: &marathon::Install) -> Self {
        let unexpected = install.files.iter().filter(|(_, why)| why.is_none());
        let missing = install.missing.iter().map(|(path, why)| Missing::new(path, *why));
        let reasons = || install.files.iter().map(|(path, why)| (path.as_str(), *why));
        emptied(&install.root, &mut files, reasons());
        let replaced = replaced(&install.root, None, &files, reasons());
        let missing: Vec<Missing> = missing.chain(replaced).collect();
        let rivals = same_names(&files);
        Self {
            game: install.game,
            games: install.games.clone(),
            caveats: install.caveats.clone(),
            expected: expected(&install.root, &files, &missing, reasons()),
            list: None,
            unfound: Vec::new(),
            edition: install.edition.clone(),
            basis: install.basis.clone(),
            standing: without(&missing, below(&install.root, install.standing.clone())),
            missing,
            rivals,
            unexpected: unexpected.map(|(path, _)| inner(&install.root, path)).collect(),
            alike: Vec::new(),
            notes: Vec::new(),
            resized: Vec::new(),
            keyed: None,
            root,
            files,
        }
    }

    /// Compares the files with a list of the user's, whose files they may lack, given the reason why the game has a file at a path in lower
    /// case.
    pub(super) fn with_list(self, list: &KnownList, why: impl Fn(&str) -> Option<Why>) -> Self {
        let digest = |file: &Checked| (file.path.to_lowercase(), file.listed.clone());
        let digests: Vec<(String, Option<String>)> = self.files.iter().map(digest).collect();
        let has = digests.iter().map(|(path, digest)| (path.clone(), digest.as_deref())).collect();
        let moved: HashSet<String> = self.standing.moved.iter().map(|moved| moved.from.to_lowercase()).collect();
        let missed: HashMap<String, Why> = self.missing.iter().map(|it| (it.path.to_lowercase(), it.why)).collect();
        let lacking =
            list.lacking(self.game, &has).into_iter().filter(|file| !moved.contains(&file.path.to_lowercase()));
        let unfound = |file: &KnownFile| {
            let path = file.path.to_lowercase();
            // That a file is required is counted with the others that are.
            let why = missed.get(&path).copied().or_else(|| why(&path));
            let is_of_player = matches!(why, Some(Why::Written | Why::Added));
            let is_named = missed.contains_key(&path);
            // Of the files that match a pattern, only the list tells which ones the game or an option has.
            let why = why.filter(|why| is_named || matches!(why, Why::Patch(_) | Why::Demo | Why::Disc | Why::Aside));
            (!is_of_player).then(|| Unfound { path: file.path.clone(), why })
        };
        Self { list: Some(list.origin().clone()), unfound: lacking.filter_map(unfound).collect(), ..self }
    }

    /// Returns the places in which something else is.
    pub(super) fn replaced(&self) -> impl Iterator<Item = &Missing> {
        self.missing.iter().filter(|it| it.found.is_some())
    }

    /// Returns the absent files that no option, edition or patch explains, and those in whose place is something else.
    pub fn required(&self) -> impl Iterator<Item = &Missing> {
        self.missing.iter().filter(|it| it.is_required())
    }

    /// Returns the absent files that an option, an edition or a patch explains.
    pub fn optional(&self) -> impl Iterator<Item = &Missing> {
        self.missing.iter().filter(|it| !it.is_required())
    }

    /// Returns the files that only the list of the user's requires.
    pub fn unexplained(&self) -> impl Iterator<Item = &Unfound> {
        self.unfound.iter().filter(|it| it.why.is_none())
    }

    /// Returns `true` if the list of the game, or that of the user's, has a file at a path, so that a file that bitexact does not read is
    /// expected there.
    #[must_use]
    pub fn expects(&self, path: &str) -> bool {
        self.expected.contains(path)
    }

    /// Returns the SHA-256 of the list that `sha256sum` prints of all files, sorted by the bytes of their paths from the root, or `None` if
    /// one cannot be read.
    #[must_use]
    pub fn digest(&self) -> Option<Sha> {
        digest(&self.files)
    }
}

/// Returns the SHA-256 of the list that `sha256sum` prints of some files, sorted by the bytes of their paths, or `None` if there are none or
/// one cannot be read.
pub(super) fn digest(files: &[Checked]) -> Option<Sha> {
    let mut lines: Vec<(&[u8], Sha)> = Vec::with_capacity(files.len());
    for file in files {
        lines.push((&file.raw, file.sha256?));
    }
    lines.sort_unstable_by_key(|(path, _)| *path);
    let list: Vec<u8> = lines.into_iter().flat_map(|(path, sha256)| sums_line(sha256, path)).collect();
    (!list.is_empty()).then(|| Sha::of(&list))
}

/// Returns `true` for a file of a kind whose bytes differ between missions.
fn is_data(path: &str) -> bool {
    path.to_lowercase().ends_with(".zbd")
}

/// Returns pairs of files with the same bytes among those at some paths. Two files of one place are no such pair.
fn alike(files: &[Checked], paths: &[String]) -> Vec<(String, String)> {
    let paths: HashSet<&str> = paths.iter().map(String::as_str).collect();
    let mut first: HashMap<Sha, &str> = HashMap::new();
    let mut pairs = Vec::new();
    for file in files.iter().filter(|file| file.bytes > 0 && paths.contains(&*file.path)) {
        let Some(sha256) = file.sha256 else { continue };
        match first.get(&sha256) {
            Some(other) if other.to_lowercase() == file.path.to_lowercase() => {}
            Some(other) => pairs.push((file.path.clone(), (*other).to_owned())),
            None => _ = first.insert(sha256, &file.path),
        }
    }
    pairs
}

/// Returns pairs of files whose paths differ only in case.
fn same_names(files: &[Checked]) -> Vec<(String, String)> {
    let mut first: HashMap<String, &str> = HashMap::new();
    let mut pairs = Vec::new();
    for file in files {
        if let Some(other) = first.insert(file.path.to_lowercase(), &file.path) {
            pairs.push((file.path.clone(), other.to_owned()));
        }
    }
    pairs
}

impl Certificate {
    /// Returns the number of files.
    #[must_use]
    pub fn count(&self) -> u64 {
        wide(self.files.len())
    }
}
