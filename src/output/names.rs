//! Names of files.

use std::path::Path;

/// The prefix of the names of temporary files and folders.
pub(crate) const PREFIX: &str = ".bitexact-";

/// Returns the last part of a path; characters that are not Unicode are replaced.
#[must_use]
pub fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
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
