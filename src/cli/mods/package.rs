//! A mod as a `.zip`, which any program for archives opens.

use std::path::Path;

use anyhow::{Context as _, bail};
use bitexact::mods::{CHANGES, Picture};

use super::super::inside::Archive;
use super::super::read_input;
use super::super::zipped::Zip;

/// The extensions of such archives. `.mod` is that of modules of Neverwinter Nights, too.
const EXTENSIONS: [&str; 2] = ["bxmod", "zip"];

/// Returns `true` if a mod of this name is an archive.
pub(super) fn is_package(path: &Path) -> bool {
    path.extension().is_some_and(|end| EXTENSIONS.iter().any(|it| end.eq_ignore_ascii_case(it)))
}

/// Reads the picture of a mod.
pub(super) fn picture(path: &Path) -> anyhow::Result<Picture> {
    let shown = path.display().to_string();
    let bytes = read_input(path).with_context(|| shown.clone())?;
    Ok(Picture::of(&shown, bytes.into())?)
}

/// Returns the text of a mod, which may be in an archive.
pub(super) fn text(path: &Path) -> anyhow::Result<Vec<u8>> {
    if path.is_dir() {
        bail!("{}: expected a mod, found a folder; the game comes before its mods", path.display());
    }
    if !matches!(Archive::of(path), Some(Archive::Zip)) {
        return read_input(path).with_context(|| path.display().to_string());
    }
    let mut zip = Zip::open(path)?;
    match zip.has(CHANGES) {
        true => zip.read(CHANGES).with_context(|| path.display().to_string()),
        false => bail!(
            "{}: expected a mod, found an archive without {CHANGES}; unpack it, and look for a mod inside",
            path.display()
        ),
    }
}
