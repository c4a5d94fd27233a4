//! Names of files.

use std::path::{Path, PathBuf};

/// The prefix of the names of temporary files and folders.
pub const PREFIX: &str = ".bitexact-";

/// Returns the last part of a path; characters that are not Unicode are replaced.
#[must_use]
pub fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Splits a path into a file and an entry or place in it, after `!`, if the path itself does not exist.
#[must_use]
pub fn parts(path: &Path) -> (PathBuf, Option<String>) {
    let text = path.to_string_lossy();
    let splits = text.match_indices('!').filter_map(|(at, _)| Some((text.get(..at)?, text.get(at + 1..)?)));
    let found = splits.into_iter().find(|(file, entry)| !entry.is_empty() && Path::new(file).is_file());
    match found.filter(|_| !path.exists()) {
        Some((file, entry)) => (file.into(), Some(entry.trim_end_matches(':').to_owned())),
        None => (path.to_owned(), None),
    }
}

/// Returns a name, such as that of a level, as a part of the name of a file on any system: up to 64 characters, `_` for those that a system
/// could refuse. It can be empty.
#[must_use]
pub fn plain_name(name: &str) -> String {
    /// The most characters of a name.
    const MOST: usize = 64;
    let is_plain = |it: &char| it.is_alphanumeric() || " !&'()+,-;=@_".contains(*it);
    let name: String = name.chars().take(MOST).map(|it| if is_plain(&it) { it } else { '_' }).collect();
    name.trim().to_owned()
}
