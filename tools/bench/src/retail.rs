//! The generated install that is measured if the user has none.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// Writes the install of a game, as large as the retail release, to a folder.
///
/// # Errors
/// Returns an error if a file cannot be written.
///
/// # Panics
/// Panics if no game has this code.
pub fn forge_install(game: &str, folder: &Path) -> Result<()> {
    let put = |path: &str, bytes: &[u8]| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, bytes)
    };
    forge::retail(forge::INSTALL_SEED, game, put).context("cannot write the generated install")
}
