//! The generated files that are measured if the user has none: an install, and a large container.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use forge::nwn::resources::{Erf, build_erf, resource};
use forge::{INSTALL_SEED, Size};

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
    forge::retail(INSTALL_SEED, game, put).context("cannot write the generated install")
}

/// Writes a HAK of about this many bytes to a folder: models, trees of fields, tables and textures, as packs of content have them.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn forge_hak(bytes: usize, folder: &Path) -> Result<()> {
    /// The number of a texture in the DDS format of the game, and the size of one.
    const TEXTURE: (u16, usize) = (2033, 174_776);
    let number = |kind: &str| match kind {
        "mdl" => Some(2002),
        "gff" => Some(2027),
        "2da" => Some(2017),
        _ => None,
    };
    let samples = forge::samples(INSTALL_SEED, Size::Retail).into_iter().filter(|sample| sample.trap.is_none());
    let mut cycle: Vec<_> = samples.filter_map(|sample| Some((number(sample.kind)?, sample.bytes))).collect();
    // Half of the bytes are textures.
    let others: usize = cycle.iter().map(|(_, data)| data.len()).sum();
    cycle.extend((0..others / TEXTURE.1).map(|_| (TEXTURE.0, vec![0x5A; TEXTURE.1])));
    let mut left = bytes;
    let resources = (0..).zip(cycle.iter().cycle()).map_while(|(at, (kind, data))| {
        left = left.checked_sub(data.len())?;
        Some(resource(format!("content_{at:08}"), *kind, data.clone()))
    });
    let file = build_erf(&Erf::new(b"HAK ", resources.collect()));
    fs::write(folder.join("content.hak"), file).context("cannot write the generated container")
}
