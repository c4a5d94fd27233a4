//! All files of a folder, and the installs among them.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::copy::{Certificate, Checked, digest};
use crate::install::Found;
use crate::install::aurora;
use crate::install::known::{KnownList, of_other_digest};
use crate::install::marathon;
use crate::install::snapshot::path_below;
use crate::install::zipper::{self, KnownFile, KnownFiles, Why, pristine};
use crate::verify::Report;
use kind::Game;
use passes::Sha;

/// What an install is told by in the content of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Facts {
    zipper: zipper::Facts,
    aurora: aurora::Facts,
    marathon: marathon::Facts,
    /// The file of the table with this content by another digest than SHA-256.
    #[serde(with = "of_table")]
    other: Option<&'static KnownFile>,
    /// The file of a list of the user's with this content.
    pub(super) listed: Option<KnownFile>,
    /// `true` if the file is known, but not at this path.
    is_misplaced: bool,
    /// What its entries are, if files of its kind hold different things.
    pub(super) holds: Option<String>,
    /// The games that it can belong to by its content.
    pub(super) games: Vec<Game>,
    /// The places of checksums in it that do not fit the bytes they cover.
    pub(super) checksums: Vec<String>,
    /// The entries in it that do not decode.
    pub(super) undecoded: Vec<String>,
}

impl Facts {
    /// Returns the facts in a file at a path, given the report on it. It may be known by its content, also in a list of the user's.
    #[must_use]
    pub fn of(path: &str, bytes: &Bytes, report: &Report, list: Option<&KnownList>) -> Self {
        let sha256 = report.sha256.as_ref();
        let name = path.rsplit_once(['/', '\\']).map_or(path, |(_, name)| name);
        let other = of_other_digest(name, bytes);
        let listed = list.and_then(|list| list.find(name, bytes, sha256));
        let same = list.zip(listed).into_iter().flat_map(|(list, file)| list.files().with_digest(&file.digest));
        let digest = sha256.map(Sha::to_string);
        let table = digest.iter().flat_map(|digest| KnownFiles::table().with_digest(digest));
        let known: Vec<&KnownFile> = table.chain(other).chain(same).collect();
        Self {
            is_misplaced: !known.is_empty() && !known.iter().any(|file| file.fits(path)),
            zipper: zipper::Facts::of(path, bytes),
            aurora: aurora::Facts::of(path, bytes),
            marathon: marathon::Facts::of(path, bytes),
            other,
            listed: listed.cloned(),
            holds: report.holds.map(str::to_owned),
            games: report.games.clone(),
            checksums: report.wrong_checksums().map(|it| it.first_place.to_string()).collect(),
            undecoded: report.undecoded.iter().map(|it| it.entry.entry()).collect(),
        }
    }

    /// Returns `true` if only a list of the user's knows the file, given its hash.
    pub(super) fn is_only_listed(&self, sha256: Option<Sha>) -> bool {
        self.other.is_none() && self.listed.is_some() && sha256.is_none_or(|sha256| pristine(&sha256).is_none())
    }

    /// Notes in the report on the file whether it is known to be as sold.
    pub fn note(&self, report: &mut Report) {
        report.is_listed = self.other.is_some() || self.listed.as_ref().is_some_and(|file| !file.is_altered());
        report.is_misplaced = self.is_misplaced;
    }
}

/// A file of the table as text: its digest and its path.
mod of_table {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use crate::install::zipper::{KnownFile, KnownFiles};

    type Known = Option<&'static KnownFile>;

    pub(super) fn serialize<S: Serializer>(file: &Known, to: S) -> Result<S::Ok, S::Error> {
        file.map(|file| (&file.digest, &file.path)).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Known, D::Error> {
        let Some((digest, path)) = Option::<(String, String)>::deserialize(from)? else { return Ok(None) };
        let found = KnownFiles::table().with_digest(&digest).find(|file| file.path == path);
        found.map(Some).ok_or_else(|| D::Error::custom(format!("{path}: the table has no file with this digest")))
    }
}

/// All files of a folder.
#[derive(Clone, Debug)]
pub struct Inventory {
    folder: PathBuf,
    zipper: zipper::Survey,
    aurora: aurora::Survey,
    marathon: marathon::Survey,
    files: Vec<Checked>,
}

impl Inventory {
    /// Creates the inventory of a folder, without files.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        let (zipper, aurora, marathon) = Default::default();
        Self { folder: folder.to_owned(), zipper, aurora, marathon, files: Vec::new() }
    }

    /// Records a file, unless it is elsewhere.
    pub fn see(&mut self, file: &Path, facts: &Facts, report: &Report) {
        let Ok(inner) = file.strip_prefix(&self.folder) else { return };
        // Of an archive that has been cut, the rest is a row of the archive itself.
        let own = file.file_name().filter(|_| inner.as_os_str().is_empty());
        let path = own.unwrap_or(inner.as_os_str()).to_string_lossy().replace('\\', "/");
        let listed = || facts.listed.clone();
        self.aurora.see(path.as_str(), report.bytes, facts.aurora.clone(), listed());
        let seen = marathon::Seen::new(path.as_str(), facts.marathon, report.sha256, facts.other);
        self.marathon.see(seen.with_listed(listed()));
        let seen = zipper::Seen::new(path.as_str(), facts.zipper);
        self.zipper.see(seen.with_content(report.bytes, report.sha256, listed()));
        self.files.push(Checked::new(path, path_below(&self.folder, file), report, facts));
    }

    /// Returns the installs among the files, by family and folder, compared with a list of the user's.
    #[must_use]
    pub fn certificates(&self, known: Option<&KnownList>) -> Vec<Certificate> {
        let list = known.map(KnownList::files);
        let (zipper, aurora) = (self.zipper.installs(list), self.aurora.installs(list));
        let marathon = self.marathon.installs(list);
        let roots = zipper.iter().map(|it| &*it.root).chain(aurora.iter().map(|it| &*it.root));
        let roots: Vec<&str> = roots.chain(marathon.iter().map(|it| &*it.root)).collect();
        // A file belongs to the deepest install around it.
        let of = |root: &str| -> Vec<Checked> {
            let is_deeper = |file: &Checked| roots.iter().any(|it| it.len() > root.len() && file.path.starts_with(it));
            let files = self.files.iter().filter(|file| file.path.starts_with(root) && !is_deeper(file));
            files.map(|file| file.below(root)).collect()
        };
        let compared = |it: Certificate, why: &dyn Fn(&str) -> Option<Why>| match known {
            Some(list) => it.with_list(list, why),
            None => it,
        };
        let zipper = zipper.iter().map(|it| {
            let install = Certificate::of_zipper(self.shown(&it.root), of(&it.root), it);
            compared(install, &it.reasons())
        });
        let aurora = aurora.iter().map(|it| {
            let install = Certificate::of_keys(self.shown(&it.root), of(&it.root), it);
            compared(install, &aurora::why_of)
        });
        let marathon = marathon.iter().map(|it| {
            let install = Certificate::of_marathon(self.shown(&it.root), of(&it.root), it);
            compared(install, &it.reasons())
        });
        zipper.chain(aurora).chain(marathon).collect()
    }

    /// Returns the game of the files if they are those of a folder `zbd` itself, whose parent would be the install.
    #[must_use]
    pub fn is_too_deep(&self) -> Option<Game> {
        self.zipper.is_too_deep()
    }

    /// Returns the game of the family of Recoil and the edition in words, if the files are those of one install of it.
    #[must_use]
    pub fn only(&self) -> Option<(Game, String)> {
        self.zipper.only()
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the files, with their paths from the folder.
    #[must_use]
    pub fn files(&self) -> &[Checked] {
        &self.files
    }

    /// Returns the SHA-256 of the list that `sha256sum` prints of all files, or `None` if there are none or one cannot be read.
    #[must_use]
    pub fn digest(&self) -> Option<Sha> {
        digest(&self.files)
    }

    /// Returns the path of an install below the folder, for people.
    pub(crate) fn shown(&self, root: &str) -> String {
        let root = self.folder.join(root);
        // Joining leaves a separator at the end, which `components` drops.
        Found::new(root.components().as_path().to_owned(), Ok(0)).shown()
    }
}
