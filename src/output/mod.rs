//! Output: files that are written atomically, and text that is safe for a terminal.

#[cfg(feature = "exchange")]
mod atomic;
#[cfg(feature = "exchange")]
pub(crate) mod cleanup;
pub mod printable;
#[cfg(any(feature = "exchange", feature = "export"))]
pub(crate) mod refusal;

use std::path::Path;

#[cfg(feature = "mods")]
pub(crate) use atomic::create_like;
#[cfg(feature = "exchange")]
pub use {
    atomic::{back_up, can_write_to, folder_of, is_one_place, is_stdout, write, write_and, write_by},
    cleanup::end_writing,
};

/// The prefix of the names of temporary files and folders.
pub(crate) const PREFIX: &str = ".bitexact-";

/// Returns the last part of a path; characters that are not Unicode are replaced.
#[must_use]
pub fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
