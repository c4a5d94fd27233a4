//! Files with known digests, as sold and otherwise.
//!
//! A match proves that a file is as sold. What a mismatch proves, [`Standing`](crate::install::zipper::Standing) decides.
//! Source: the table in `golden/known.tsv`, which names the source of each row.

use std::collections::HashMap;
use std::sync::LazyLock;

use kind::Game;
use passes::Sha;

/// The table: digest, game, edition, path, source, with tabs between them.
const KNOWN: &str = include_str!("../../golden/known.tsv");

/// The beginnings of the editions that were not sold: changed files, and the output of tools.
const NOT_SOLD: [&str; 2] = ["altered", "never sold"];
/// The edition of files that are identical in all compared editions.
const EVERY: &str = "every edition";

/// A file with a known digest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct KnownFile {
    /// The digest in lower-case hexadecimal digits: 64 of SHA-256, 40 of SHA-1, `git:` and 40 of a blob of git, 32 of MD5 or 8 of CRC-32.
    pub digest: String,
    /// The size in bytes, if it is known.
    pub bytes: Option<u64>,
    /// The game, if it is known.
    pub game: Option<Game>,
    /// The edition, in words.
    pub edition: String,
    /// The path in an install, with `/` between its parts.
    pub path: String,
    /// Where the digest is from.
    pub source: String,
}

impl KnownFile {
    /// The edition of files of an install whose edition is not identified.
    pub const UNIDENTIFIED: &str = "not identified";

    /// Parses a row of a table: digest, code of the game, edition, path, source and, if it is known, the size in bytes, with tabs between
    /// them. Returns the column that is wrong, from 1.
    ///
    /// # Errors
    /// Returns an error if a column is missing or empty, if the digest or the game is unknown, or if the size is no number.
    pub fn of_row(row: &str) -> Result<Self, usize> {
        let columns: Vec<&str> = row.split('\t').map(str::trim).collect();
        let column = |at: usize| columns.get(at).copied().filter(|it| !it.is_empty()).ok_or(at + 1);
        let code = column(1)?;
        let digest = column(0)?.to_ascii_lowercase();
        let (digits, is_git) = digest.strip_prefix("git:").map_or((&*digest, false), |digits| (digits, true));
        let is_length = if is_git { digits.len() == 40 } else { matches!(digits.len(), 64 | 40 | 32 | 8) };
        let is_digest = is_length && digits.bytes().all(|it| it.is_ascii_hexdigit());
        let bytes = columns.get(5).map(|size| size.parse::<u64>()).transpose().map_err(|_| 6_usize)?;
        let game = Game::of_code(code);
        Ok(Self {
            digest: is_digest.then_some(digest).ok_or(1_usize)?,
            bytes,
            game: Some(game.ok_or(2_usize)?),
            edition: column(2)?.to_owned(),
            path: column(3)?.to_owned(),
            source: column(4)?.to_owned(),
        })
    }

    /// Creates a file of a list that names neither game nor edition.
    #[must_use]
    pub fn listed(digest: String, path: String, source: String) -> Self {
        Self { digest, bytes: None, game: None, edition: String::new(), path, source }
    }

    /// Returns `true` if this is the last part of its path, ignoring case.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.path.rsplit_once('/').map_or(&*self.path, |(_, last)| last).eq_ignore_ascii_case(name)
    }

    /// Returns `true` if a path can be its own: it ends with the known path, or is an end of it, ignoring case.
    pub(crate) fn fits(&self, path: &str) -> bool {
        let mut pairs = self.path.rsplit(['/', '\\']).zip(path.rsplit(['/', '\\']));
        pairs.all(|(known, found)| known.to_lowercase() == found.to_lowercase())
    }

    /// Returns `true` unless the file is known to be of a different game.
    pub(crate) fn can_be_of(&self, game: Option<Game>) -> bool {
        self.game.is_none() || self.game == game
    }

    /// Returns `true` if the file is known not to be as sold.
    #[must_use]
    pub fn is_altered(&self) -> bool {
        NOT_SOLD.iter().any(|start| self.edition.starts_with(start))
    }

    /// Returns `true` if the file is of one named edition, not of several, of none or of none that is known.
    pub(crate) fn is_of_one_edition(&self) -> bool {
        let is_none = self.edition.is_empty() || self.edition == Self::UNIDENTIFIED;
        !(is_none || self.is_of_every_edition() || self.is_altered())
    }

    /// Returns `true` if all compared editions have this file.
    #[must_use]
    pub fn is_of_every_edition(&self) -> bool {
        self.edition == EVERY
    }
}

/// Known files, by digest and by path.
#[derive(Clone, Debug, Default)]
pub struct KnownFiles {
    files: Vec<KnownFile>,
    by_digest: HashMap<String, Vec<usize>>,
    /// By path in lower case.
    by_path: HashMap<String, Vec<usize>>,
}

/// The table of this crate.
static TABLE: LazyLock<KnownFiles> = LazyLock::new(|| {
    let rows = KNOWN.lines().filter(|line| !line.starts_with('#'));
    KnownFiles::new(rows.filter_map(|row| KnownFile::of_row(row).ok()))
});

impl KnownFiles {
    /// Returns the table of this crate.
    #[must_use]
    pub fn table() -> &'static Self {
        &TABLE
    }

    /// Creates a table.
    pub fn new(files: impl IntoIterator<Item = KnownFile>) -> Self {
        let mut table = Self { files: files.into_iter().collect(), ..Self::default() };
        for (index, file) in table.files.iter().enumerate() {
            table.by_digest.entry(file.digest.clone()).or_default().push(index);
            table.by_path.entry(file.path.to_lowercase()).or_default().push(index);
        }
        table
    }

    /// Returns all files.
    #[must_use]
    pub fn files(&self) -> &[KnownFile] {
        &self.files
    }

    /// Returns the files with a digest, in lower-case hexadecimal digits.
    pub fn with_digest(&self, digest: &str) -> impl Iterator<Item = &KnownFile> {
        self.by_digest.get(digest).into_iter().flatten().filter_map(|index| self.files.get(*index))
    }

    /// Returns the files of a game at a path in lower case.
    pub fn at(&self, game: Option<Game>, path: &str) -> impl Iterator<Item = &KnownFile> {
        let here = self.by_path.get(path).into_iter().flatten().filter_map(|index| self.files.get(*index));
        here.filter(move |file| file.can_be_of(game))
    }
}

/// Returns the edition of most of these files, with their number. Files that name none, or that several editions share, do not count.
pub(crate) fn most_named<'a>(files: impl Iterator<Item = &'a KnownFile>) -> Option<(&'a str, usize)> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for file in files.filter(|file| file.is_of_one_edition()) {
        match counts.iter_mut().find(|(edition, _)| *edition == file.edition) {
            Some((_, count)) => *count += 1,
            None => counts.push((&file.edition, 1)),
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count)
}

/// Returns the file of the table of this crate with this hash that is as sold, or `None` if there is none.
#[must_use]
pub fn pristine(sha: &Sha) -> Option<&'static KnownFile> {
    KnownFiles::table().with_digest(&sha.to_string()).find(|file| !file.is_altered())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: `zipper-installs.md`, section 7, and the lists that the table names.
    #[test]
    fn table_is_complete_sorted_and_without_duplicates() {
        let rows: Vec<&str> = KNOWN.lines().filter(|line| !line.starts_with('#')).collect();
        let is_marathon =
            |file: &KnownFile| matches!(file.game, Some(Game::Marathon | Game::Marathon2 | Game::Infinity));
        assert!(
            rows.iter().all(|row| KnownFile::of_row(row).is_ok_and(|it| it.digest.len() == 64 || is_marathon(&it)))
        );
        let files = KnownFiles::table().files();
        let count = |game| files.iter().filter(|file| file.game == Some(game)).count();
        assert_eq!(
            [Game::Recoil, Game::MechWarrior3, Game::PiratesMoon, Game::CrimsonSkies].map(count),
            [3, 114, 4, 31]
        );
        assert_eq!([Game::Marathon, Game::Marathon2, Game::Infinity].map(count), [50, 32, 29]);
        // The games of the trilogy share some files, and a file of one is at two paths.
        let others: Vec<&KnownFile> = files.iter().filter(|file| !is_marathon(file)).collect();
        let digests: std::collections::HashSet<&str> = others.iter().map(|file| &*file.digest).collect();
        assert_eq!((files.len(), digests.len()), (rows.len(), others.len()));
        let order = [
            Game::Recoil,
            Game::MechWarrior3,
            Game::PiratesMoon,
            Game::CrimsonSkies,
            Game::Marathon,
            Game::Marathon2,
            Game::Infinity,
        ];
        let key = |file: &KnownFile| {
            let game = order.iter().position(|game| file.game == Some(*game));
            (game, file.path.to_lowercase(), file.edition.clone())
        };
        assert!(files.is_sorted_by_key(key));
        assert_eq!(files.iter().filter(|file| file.is_of_every_edition()).count(), 4);
        assert_eq!(files.iter().filter(|file| file.is_altered()).count(), 7);
    }

    #[test]
    fn wrong_column_is_named() {
        let digest = "00".repeat(16);
        let row = |columns: &[&str]| KnownFile::of_row(&columns.join("\t")).map(|file| file.path);
        assert_eq!(row(&[&digest, "mw", "1.1", "zbd/interp.zbd", "me"]).as_deref(), Ok("zbd/interp.zbd"));
        assert_eq!(row(&["00", "mw", "1.1", "a", "me"]), Err(1));
        assert_eq!(row(&[&digest, "xx", "1.1", "a", "me"]), Err(2));
        assert_eq!(row(&[&digest, "mw", "", "a", "me"]), Err(3));
        assert_eq!(row(&[&digest, "mw", "1.1", "a"]), Err(5));
    }
}
