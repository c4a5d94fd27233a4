//! Paths in a mod, which anyone can have written: none leads out of the game.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::ErrorKind;

use crate::install::JOURNAL;
use exchange::{fold, is_safe};

use super::disk::{Disk, What};

/// Checks that a path is relative, that no part leads outward, and that every file system accepts it.
pub(super) fn check(path: &str) -> Result<(), String> {
    if let Some(part) = path.split('/').find(|part| !is_safe(part)) {
        return Err(format!("{path:?}: expected a path inside the game, found the part {part:?}"));
    }
    match path.split('/').any(|part| part.eq_ignore_ascii_case(JOURNAL)) {
        true => Err(format!("{path:?}: expected a file of the game, found one of the journal")),
        false => Ok(()),
    }
}

/// Finds files as the game spells them: Windows, for which the games were made, ignores case. Each folder is read once, so nothing may
/// change meanwhile.
#[derive(Debug)]
pub(super) struct Locator<'d, D> {
    disk: &'d D,
    folders: RefCell<HashMap<String, Names>>,
}

/// The names in a folder by their lower case.
type Names = HashMap<String, Vec<String>>;

impl<'d, D: Disk> Locator<'d, D> {
    pub(super) fn new(disk: &'d D) -> Self {
        Self { disk, folders: RefCell::default() }
    }

    /// Returns the path of a file on disk, with links to folders of the game resolved. What does not exist is spelled as given.
    ///
    /// # Errors
    /// Returns an error if the path leads through a link out of the game, or to something other than a file.
    pub(super) fn locate(&self, path: &str) -> Result<String, String> {
        check(path)?;
        let (folders, name) = path.rsplit_once('/').map_or((None, path), |(folders, name)| (Some(folders), name));
        let mut found = String::new();
        for part in folders.into_iter().flat_map(|folders| folders.split('/')) {
            found = self.folder(inside(&found, &self.spelled(&found, part)?))?;
        }
        let found = inside(&found, &self.spelled(&found, name)?);
        match self.what(&found)? {
            What::Nothing | What::File { .. } => Ok(found),
            What::Link => Err("expected a file, found a link; replace it by a copy of the file".to_owned()),
            other => Err(format!("expected a file, found {}; move it away", other.name())),
        }
    }

    fn what(&self, path: &str) -> Result<What, String> {
        self.disk.what(path).map_err(|error| error.to_string())
    }

    /// Returns the path of a folder that a file can be in.
    fn folder(&self, path: String) -> Result<String, String> {
        match self.what(&path)? {
            What::Nothing | What::Folder => Ok(path),
            What::Link => {
                let real = self.disk.resolve(&path).map_err(|error| format!("{path} is a broken link: {error}"))?;
                let real = real.ok_or("expected a file inside the game, found a link out of it")?;
                check(&real)?;
                match self.what(&real)? {
                    What::Folder => Ok(real),
                    other => Err(format!("{path}: expected a folder, found a link to {}", other.name())),
                }
            }
            other => Err(format!("{path}: expected a folder, found {}; move it away", other.name())),
        }
    }

    /// Returns a name as the folder spells it, or unchanged if nothing there has it.
    fn spelled(&self, folder: &str, name: &str) -> Result<String, String> {
        let mut folders = self.folders.borrow_mut();
        if !folders.contains_key(folder) {
            let mut names = Names::new();
            match self.disk.list(folder) {
                Ok(found) => found.into_iter().for_each(|it| names.entry(it.to_lowercase()).or_default().push(it)),
                // Files can be opened in a folder that cannot be listed.
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => {}
                Err(error) => return Err(format!("{folder}: {error}")),
            }
            folders.insert(folder.to_owned(), names);
        }
        let alike = folders.get(folder).and_then(|names| names.get(&name.to_lowercase()));
        match alike.map(Vec::as_slice) {
            Some(alike) if alike.iter().any(|it| it == name) => Ok(name.to_owned()),
            Some([one]) => Ok(one.clone()),
            Some([one, other, ..]) => Err(format!("both {one} and {other} exist; remove one of them")),
            Some([]) | None => Ok(name.to_owned()),
        }
    }
}

/// Returns the path of a name in a folder, which is empty for the folder of the game.
pub(super) fn inside(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Returns the folders of a path, the outer first.
pub(super) fn folders_of(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.match_indices('/').filter_map(|(end, _)| path.get(..end))
}

/// Returns why two paths cannot exist beside each other on every system: they or their folders differ only in case or in the form of
/// accents, or one is the folder of the other.
fn clash(one: &str, other: &str) -> Option<String> {
    let (mut parts, mut others) = (one.split('/'), other.split('/'));
    loop {
        match (parts.next(), others.next()) {
            (Some(part), Some(other_part)) if part == other_part => {}
            (Some(part), Some(other_part)) if fold(part) == fold(other_part) => {
                return Some(format!("{one} and {other} differ only in case or form"));
            }
            (Some(_), Some(_)) | (None, None) => return None,
            (None, Some(_)) => return Some(format!("{one} is a folder of {other}")),
            (Some(_), None) => return Some(format!("{other} is a folder of {one}")),
        }
    }
}

/// Returns why some of these paths cannot exist beside each other: the reason, one of the two paths, and what was given with it or the
/// other.
pub(super) fn clashes<'a, T: Copy>(
    paths: impl Iterator<Item = (&'a str, Option<T>)>,
) -> Vec<(String, &'a str, Option<T>)> {
    // Sorted by their folded parts, a path is directly followed by those that clash with it.
    let mut sorted: Vec<(Vec<String>, &str, Option<T>)> =
        paths.map(|(path, by)| (path.split('/').map(fold).collect(), path, by)).collect();
    sorted.sort_by(|one, other| one.0.cmp(&other.0));
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    let found = pairs.map(|((_, one, by), (_, other, by_other))| Some((clash(one, other)?, *other, by_other.or(*by))));
    found.flatten().collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::disk::Folder;
    use super::*;

    #[test]
    fn path_out_of_the_game_is_refused() {
        for path in [
            "",
            "/",
            "/etc/passwd",
            "..",
            "a/../b",
            "a//b",
            "a/",
            "./a",
            "C:/x",
            "c:x",
            "a\\b",
            "a/..\\b",
            "nul",
            "a/con.txt",
            "x.",
            "x ",
            "a\nb",
            ".bitexact-mods/state.json",
            "a/.BITEXACT-MODS/b",
        ] {
            assert!(check(path).is_err(), "{path:?}");
        }
        for path in ["a", "zbd/reader.zbd", ".hidden/a b%20.txt", "über/ß"] {
            assert_eq!(check(path), Ok(()), "{path:?}");
        }
    }

    #[test]
    fn paths_clash_by_case_and_by_folder() {
        assert!(clash("a/b", "A/b").is_some() && clash("a", "a/b").is_some() && clash("A/b/c", "a/B").is_some());
        assert!(clash("A/b", "a/c").is_some(), "two folders");
        assert!(clash("a/b", "a/b").is_none() && clash("a/b", "a/c").is_none() && clash("ab", "a").is_none());
    }

    #[test]
    fn path_is_spelled_as_the_game_spells_it() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("ZBD/C1")).expect("folders");
        fs::write(folder.path().join("ZBD/C1/GameZ.zbd"), b"").expect("a file");
        let disk = Folder(folder.path().to_owned());
        let found = |path| Locator::new(&disk).locate(path);
        assert_eq!(found("zbd/c1/gamez.ZBD").as_deref(), Ok("ZBD/C1/GameZ.zbd"));
        assert_eq!(found("zbd/new/x").as_deref(), Ok("ZBD/new/x"));
        assert!(found("zbd/c1").is_err(), "a folder is no file");
        #[cfg(unix)]
        {
            for (target, link) in [
                ("/tmp", "out"),
                ("ZBD/C1/GameZ.zbd", "link"),
                ("none", "broken"),
                ("../none", "outside"),
                ("ZBD", "in"),
            ] {
                std::os::unix::fs::symlink(target, folder.path().join(link)).expect("a link");
            }
            for path in ["out/x", "out/x/y", "link", "link/x", "broken", "broken/x", "outside/x"] {
                assert!(found(path).is_err(), "{path}");
            }
            assert_eq!(found("IN/c1/x").as_deref(), Ok("ZBD/C1/x"), "one file has one path");
        }
    }
}
