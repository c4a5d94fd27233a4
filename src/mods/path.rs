//! Paths in a mod, which anyone can have written: none leads out of the game.

use std::fs;
use std::path::{Path, PathBuf};

use crate::exchange::document::is_safe;
use crate::install::JOURNAL;

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

/// Returns the path of a file as the game spells it: Windows, for which the games were made, ignores case.
///
/// # Errors
/// Returns an error if the path leads through a link out of the game, or to something other than a file.
pub(super) fn locate(root: &Path, path: &str) -> Result<String, String> {
    check(path)?;
    let (mut found, mut inner) = (root.to_owned(), Vec::new());
    for part in path.split('/') {
        let part = spelled(&found, part)?;
        found.push(&part);
        inner.push(part);
    }
    if let Ok(about) = fs::symlink_metadata(&found) {
        if about.is_symlink() {
            return Err("expected a file, found a link; replace it by a copy of the file".to_owned());
        }
        if !about.is_file() {
            return Err("expected a file, found something else; move it away".to_owned());
        }
    }
    let existing = found.ancestors().find_map(|folder| fs::canonicalize(folder).ok());
    let real = fs::canonicalize(root).map_err(|error| error.to_string())?;
    match existing.is_some_and(|existing| existing.starts_with(&real)) {
        true => Ok(inner.join("/")),
        false => Err("expected a file inside the game, found a link out of it".to_owned()),
    }
}

/// Returns a name as the folder spells it, or unchanged if nothing there has it.
fn spelled(folder: &Path, name: &str) -> Result<String, String> {
    if fs::symlink_metadata(folder.join(name)).is_ok() {
        return Ok(name.to_owned());
    }
    let Ok(entries) = fs::read_dir(folder) else { return Ok(name.to_owned()) };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut alike = names.filter(|it| it.to_lowercase() == name.to_lowercase());
    match (alike.next(), alike.next()) {
        (Some(one), None) => Ok(one),
        (Some(one), Some(other)) => Err(format!("both {one} and {other} exist; remove one of them")),
        (None, _) => Ok(name.to_owned()),
    }
}

/// Returns `true` if Windows takes two paths for the same.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    one == other || one.to_lowercase() == other.to_lowercase()
}

/// Returns why two paths cannot exist beside each other on every system: they differ only in case, or one is the folder of the other.
pub(super) fn clash(one: &str, other: &str) -> Option<String> {
    let [small, large] = [one, other].map(str::to_lowercase);
    let is_inside = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
    match () {
        () if one != other && small == large => Some(format!("{one} and {other} differ only in case")),
        () if is_inside(&small, &large) => Some(format!("{other} is a folder of {one}")),
        () if is_inside(&large, &small) => Some(format!("{one} is a folder of {other}")),
        () => None,
    }
}

/// Returns the path of a file on disk.
pub(super) fn on_disk(root: &Path, path: &str) -> PathBuf {
    path.split('/').fold(root.to_owned(), |found, part| found.join(part))
}

#[cfg(test)]
mod tests {
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
        assert!(clash("a/b", "a/b").is_none() && clash("a/b", "a/c").is_none() && clash("ab", "a").is_none());
    }

    #[test]
    fn path_is_spelled_as_the_game_spells_it() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("ZBD/C1")).expect("folders");
        fs::write(folder.path().join("ZBD/C1/GameZ.zbd"), b"").expect("a file");
        let found = |path| locate(folder.path(), path);
        assert_eq!(found("zbd/c1/gamez.ZBD").as_deref(), Ok("ZBD/C1/GameZ.zbd"));
        assert_eq!(found("zbd/new/x").as_deref(), Ok("ZBD/new/x"));
        assert!(found("zbd/c1").is_err(), "a folder is no file");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/tmp", folder.path().join("out")).expect("a link");
            std::os::unix::fs::symlink("ZBD/C1/GameZ.zbd", folder.path().join("link")).expect("a link");
            assert!(found("out/x").is_err() && found("out/x/y").is_err() && found("link").is_err());
        }
    }
}
