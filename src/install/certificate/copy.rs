//! A copy of a game: its files, and how they compare with those that it must have and with the known ones.

use std::collections::{HashMap, HashSet};

use crate::install::aurora;
use crate::install::marathon;
use crate::install::snapshot::sums_line;
use crate::install::zipper::{Install, Standing, Why};
use crate::verify::{Report, Status};
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
    /// Files with the same bytes that should differ, in pairs.
    pub alike: Vec<(String, String)>,
    /// Files whose size is not the one that the game states, each with both sizes in words.
    pub resized: Vec<(String, String)>,
    /// What else is worth a look, as sentences.
    pub notes: Vec<String>,
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
    /// Whether it comes back bit for bit.
    pub status: Status,
    /// The worst severity of its signs of damage.
    pub severity: Option<&'static str>,
    /// `true` if it is known to be as sold.
    pub is_pristine: bool,
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
}

impl Checked {
    /// Creates a file from its report, with its path in Unicode and in bytes.
    #[must_use]
    pub fn new(path: String, raw: Vec<u8>, report: &Report) -> Self {
        Self {
            path,
            raw,
            bytes: report.bytes,
            sha256: report.sha256,
            kind: report.kind,
            status: report.status,
            severity: report.severity(),
            is_pristine: report.is_pristine(),
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
}

impl Missing {
    fn new(path: &str, why: Why) -> Self {
        Self { path: path.to_owned(), why, named_in: None, found: None }
    }
}

/// The endings of files of the games whose content always tells what they are.
const TELLING: [&str; 9] = [".zbd", ".zmap", ".rof", ".scen", ".scea", ".sce2", ".shps", ".shpa", ".shp2"];
/// The endings of programs, which all begin alike.
const PROGRAMS: [&str; 2] = [".exe", ".dll"];

/// Returns the required files in whose place is something else, given the reason why the file at a path is part of the game: the game cannot
/// read them, so that they are as good as absent.
fn replaced<'a>(
    root: &str,
    files: &'a [Checked],
    reasons: impl Iterator<Item = (&'a str, Option<Why>)>,
) -> Vec<Missing> {
    let required: HashSet<String> =
        reasons.filter(|(_, why)| *why == Some(Why::Always)).map(|(path, _)| inner(root, path)).collect();
    let is_none = |file: &&Checked| {
        let path = file.path.to_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| path.ends_with(ending));
        let is_strange = matches!(file.status, Status::Foreign | Status::Unknown);
        let is_program = ends(&PROGRAMS) && file.kind == Some("program");
        // The sign of what has happened to an empty file or a web page says more.
        let is_said = file.severity == Some("damaged");
        is_strange && !is_said && (ends(&TELLING) || ends(&PROGRAMS) && !is_program)
    };
    let found = |file: &Checked| match file.kind {
        Some(kind) => format!("a file of kind {kind} is in its place"),
        None => "a file with other contents is in its place".to_owned(),
    };
    let files = files.iter().filter(|file| required.contains(&file.path)).filter(is_none);
    files.map(|file| Missing { found: Some(found(file)), ..Missing::new(&file.path, Why::Always) }).collect()
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

impl Certificate {
    /// Creates that of an install of Recoil, MechWarrior 3, Pirate's Moon or Crimson Skies.
    pub(super) fn of_zipper(root: String, files: Vec<Checked>, install: &Install) -> Self {
        let own = |path: &str| inner(&install.root, path);
        let unexpected = install.files.iter().filter(|(_, why)| why.is_none()).map(|(path, _)| own(path)).collect();
        // Worlds and animations of different missions differ, and of MechWarrior 3 all packages do (`golden/known.tsv`).
        let is_all = install.game == Some(Game::MechWarrior3);
        let differs = |path: &str| is_all || path.ends_with("/gamez.zbd") || path.ends_with("/anim.zbd");
        let data = install.files.iter().filter(|(_, why)| matches!(why, Some(Why::Always | Why::Option(_))));
        let data = data.map(|(path, _)| own(path)).filter(|path| differs(&path.to_lowercase()) && is_data(path));
        let missing = install.missing.iter().map(|(path, why)| Missing::new(path, *why));
        // No list has the files of the demos, and no format spec describes those of MechWarrior 3.
        let reasons = install.files.iter().filter(|_| !install.edition.is_demo());
        let replaced = replaced(&install.root, &files, reasons.map(|(path, why)| (path.as_str(), *why)));
        Self {
            game: install.game,
            edition: install.edition.to_string(),
            basis: install.edition.basis(),
            alike: alike(&files, &data.collect::<Vec<_>>()),
            standing: below(&install.root, install.standing.clone()),
            missing: missing.chain(replaced).collect(),
            unexpected,
            notes: same_names(&files),
            resized: Vec::new(),
            keyed: None,
            root,
            files,
        }
    }

    /// Creates that of an install of Neverwinter Nights.
    pub(super) fn of_keys(root: String, files: Vec<Checked>, install: &aurora::Install) -> Self {
        let missing = install.missing().map(|(path, key)| Missing {
            path: path.to_owned(),
            why: Why::Always,
            named_in: Some(key.to_owned()),
            found: None,
        });
        let is_bif = |file: &&Checked| file.path.to_lowercase().ends_with(".bif");
        let bifs: Vec<String> = files.iter().filter(is_bif).map(|file| file.path.clone()).collect();
        let listed = install.listed.as_ref().map(|edition| format!(", {edition} by the given list"));
        Self {
            game: Some(Game::Neverwinter),
            edition: format!("{}{}", install.edition, listed.unwrap_or_default()),
            basis: install.basis(),
            alike: alike(&files, &bifs),
            standing: below(&install.root, install.standing.clone()),
            missing: missing.collect(),
            unexpected: install.unnamed().map(str::to_owned).collect(),
            resized: install.resized().map(|(path, why)| (path.to_owned(), why)).collect(),
            notes: install.others().filter(|it| !it.is_size()).map(ToString::to_string).collect(),
            keyed: Some((install.language, install.shadowed)),
            root,
            files,
        }
    }

    /// Creates that of an install of Marathon.
    pub(super) fn of_marathon(root: String, files: Vec<Checked>, install: &marathon::Install) -> Self {
        let unexpected = install.files.iter().filter(|(_, why)| why.is_none());
        let missing = install.missing.iter().map(|(path, why)| Missing::new(path, *why));
        let reasons = install.files.iter().map(|(path, why)| (path.as_str(), *why));
        let replaced = replaced(&install.root, &files, reasons);
        Self {
            game: install.game,
            edition: install.edition.clone(),
            basis: install.basis.clone(),
            standing: below(&install.root, install.standing.clone()),
            missing: missing.chain(replaced).collect(),
            unexpected: unexpected.map(|(path, _)| inner(&install.root, path)).collect(),
            alike: Vec::new(),
            notes: same_names(&files),
            resized: Vec::new(),
            keyed: None,
            root,
            files,
        }
    }

    /// Returns the absent files that no option, edition or patch explains.
    pub fn required(&self) -> impl Iterator<Item = &Missing> {
        self.missing.iter().filter(|it| it.why == Why::Always)
    }

    /// Returns the absent files that an option, an edition or a patch explains.
    pub fn optional(&self) -> impl Iterator<Item = &Missing> {
        self.missing.iter().filter(|it| it.why != Why::Always)
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

/// Returns pairs of files with the same bytes among those at some paths.
fn alike(files: &[Checked], paths: &[String]) -> Vec<(String, String)> {
    let paths: HashSet<&str> = paths.iter().map(String::as_str).collect();
    let mut first: HashMap<Sha, &str> = HashMap::new();
    let mut pairs = Vec::new();
    for file in files.iter().filter(|file| file.bytes > 0 && paths.contains(&*file.path)) {
        let Some(sha256) = file.sha256 else { continue };
        match first.get(&sha256) {
            Some(other) => pairs.push((file.path.clone(), (*other).to_owned())),
            None => _ = first.insert(sha256, &file.path),
        }
    }
    pairs
}

/// Returns a sentence for each two files whose paths differ only in case.
fn same_names(files: &[Checked]) -> Vec<String> {
    let mut first: HashMap<String, &str> = HashMap::new();
    let mut said = Vec::new();
    for file in files {
        if let Some(other) = first.insert(file.path.to_lowercase(), &file.path) {
            said.push(format!("{other}: {} differs only in case, and the game sees only one of them", file.path));
        }
    }
    said
}

impl Certificate {
    /// Returns the number of files.
    #[must_use]
    pub fn count(&self) -> u64 {
        wide(self.files.len())
    }
}
