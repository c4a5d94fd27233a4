//! Names of files.

use std::path::Path;

/// The prefix of the names of temporary files and folders.
pub(crate) const PREFIX: &str = ".bitexact-";

/// Returns the last part of a path; characters that are not Unicode are replaced.
#[must_use]
pub fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
