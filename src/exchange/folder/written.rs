//! The list of the files that `unpack` has written, by which `unpack --force` knows what it may replace.
//!
//! The list comes with every copy of a folder, so it is no permission: a file is replaced only if it still has the bytes that the list
//! states, or those that are written now.

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;

use crate::litter_in;
use field::{wide, work};
use output::printable::{counted, first};
use passes::Sha;

/// The path of the list, among the [schemas](crate::schema::SCHEMAS). Everything that it does not name belongs to the user.
pub const WRITTEN: &str = ".schema/written.txt";

/// The files of a [list](WRITTEN), with their hashes.
#[derive(Clone, Debug, Default)]
pub struct Listed(BTreeMap<String, String>);

/// What is to become of a file in a folder that is unpacked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was written by an earlier unpack, or is written again in the same way.
    Replaced,
    /// It was written by an earlier unpack, and edited.
    Edited,
    /// It belongs to the user.
    Kept,
    /// It belongs to the user, and a new file has its path.
    InTheWay,
}

impl Listed {
    /// Lists these files.
    #[must_use]
    pub fn of(files: &BTreeMap<String, Bytes>) -> Self {
        let files: Vec<_> = files.iter().filter(|(path, _)| *path != WRITTEN).collect();
        let bytes = files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        let hashes = work::share(&files, work::cores_for(bytes), |(_, bytes)| Sha::of(bytes));
        files.into_iter().zip(hashes).map(|((path, _), sha)| (path.clone(), sha)).collect()
    }

    /// Reads a list in the form of `sha256sum`. Lines in another form name no file, nor do those of [litter](crate::is_litter).
    #[must_use]
    pub fn parse(text: &[u8]) -> Self {
        let text = String::from_utf8_lossy(text);
        // No unpack writes a path of litter.
        let row = |line: &str| {
            let (hash, path) = line.split_once("  ").filter(|(_, path)| litter_in(Path::new(path)).is_none())?;
            Some((path.to_owned(), hash.to_owned()))
        };
        Self(text.lines().filter_map(row).collect())
    }

    /// Returns the text of the list.
    #[must_use]
    pub fn print(&self) -> Bytes {
        self.0.iter().flat_map(|(path, hash)| [hash, "  ", path, "\n"]).collect::<String>().into()
    }

    /// Returns `true` if it names a file.
    #[must_use]
    pub fn names(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// Returns the paths of all files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Decides on a file that is in the folder, given its hash (`None` for what is no file) and that of the new file with its path.
    #[must_use]
    pub fn fate(&self, path: &str, old: Option<Sha>, new: Option<Sha>) -> Fate {
        let is = |hash: &String| old.is_some_and(|old| old.to_string() == *hash);
        match self.0.get(path) {
            _ if path == WRITTEN || old.is_some() && old == new => Fate::Replaced,
            Some(hash) if is(hash) => Fate::Replaced,
            Some(_) => Fate::Edited,
            None if new.is_some() => Fate::InTheWay,
            None => Fate::Kept,
        }
    }
}

impl FromIterator<(String, Sha)> for Listed {
    fn from_iter<I: IntoIterator<Item = (String, Sha)>>(files: I) -> Self {
        Self(files.into_iter().map(|(path, sha)| (path, sha.to_string())).collect())
    }
}

/// Returns why files that were edited are not replaced.
#[must_use]
pub fn edited(paths: &[String]) -> String {
    /// The most paths that are named.
    const MOST: usize = 3;
    let (have, them) = if paths.len() == 1 { ("has", "it") } else { ("have", "them") };
    format!(
        "{} {have} been edited since the file was unpacked, and packing the folder does not give that file: {}; \
         pack the folder first, or delete {them} to discard the edits",
        counted(wide(paths.len()), "file"),
        first(paths, MOST)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_is_no_permission() {
        let files = [("a.json", "1"), (".git/HEAD", "2"), ("b.json", "3")];
        let files = files.map(|(path, text)| (path.to_owned(), Bytes::from(text))).into();
        let list = Listed::parse(&Listed::of(&files).print());
        let sha = |text: &str| Some(Sha::of(text.as_bytes()));
        for (path, old, new, fate) in [
            ("a.json", sha("1"), None, Fate::Replaced),
            ("a.json", sha("2"), None, Fate::Edited),
            ("a.json", sha("2"), sha("2"), Fate::Replaced),
            ("a.json", None, sha("2"), Fate::Edited),
            (".git/HEAD", sha("2"), None, Fate::Kept),
            ("notes.txt", sha("2"), None, Fate::Kept),
            ("notes.txt", sha("2"), sha("3"), Fate::InTheWay),
            ("notes.txt", sha("2"), sha("2"), Fate::Replaced),
            (WRITTEN, sha("2"), sha("3"), Fate::Replaced),
        ] {
            assert_eq!(list.fate(path, old, new), fate, "{path}");
        }
        // A list without hashes names nothing.
        assert_eq!(Listed::parse(b"notes.txt\n").fate("notes.txt", sha("2"), None), Fate::Kept);
    }

    #[test]
    fn edited_files_are_counted_and_the_first_named() {
        let paths = |count: usize| (0..count).map(|nth| format!("{nth}.json")).collect::<Vec<_>>();
        assert!(edited(&paths(1)).starts_with("1 file has been edited since"), "{}", edited(&paths(1)));
        assert!(edited(&paths(5)).contains("0.json, 1.json, 2.json and 2 more; pack"), "{}", edited(&paths(5)));
    }
}
