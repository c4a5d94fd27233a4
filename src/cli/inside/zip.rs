//! The files inside a `.zip`. None is written.

use std::io::{Read, Seek};
use std::path::Path;
use std::sync::{Arc, Mutex};

use anyhow::Context as _;
use bitexact::field::wide;
use bitexact::install::Found;
use zip::ZipArchive;

use super::{below, outside};
use crate::cli::zipped;

/// Returns the files inside an archive, by their paths below that of the archive.
///
/// # Errors
/// Returns an error if the list of the archive cannot be read.
pub(super) fn files(path: &Path) -> anyhow::Result<Vec<Found>> {
    let (mut archive, _) = zipped::opened(path)?;
    let mut names = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).with_context(|| format!("file {index} of the archive"))?;
        if !file.is_dir() {
            let name = file.name().map_or_else(|_| String::from_utf8_lossy(file.name_raw()).into_owned(), Into::into);
            names.push((name, index, file.size(), file.encrypted()));
        }
    }
    let archive = Arc::new(Mutex::new(archive));
    let found = names.into_iter().map(|(name, index, size, is_encrypted)| {
        let archive = Arc::clone(&archive);
        match below(path, &name) {
            None => outside(path, &name),
            Some(path) if is_encrypted => {
                Found::new(path, Err("is encrypted; unpack the archive with its password".to_owned()))
            }
            Some(path) => Found::inside(path, size, move || read(&archive, index, size)),
        }
    });
    Ok(found.collect())
}

/// Reads a file, which has as many bytes as its row states, and whose checksum the archive has.
fn read<R: Read + Seek>(archive: &Mutex<ZipArchive<R>>, index: usize, size: u64) -> Result<Vec<u8>, String> {
    let mut archive = archive.lock().map_err(|_| "the archive cannot be read after an earlier error".to_owned())?;
    let file = archive.by_index(index).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(size.checked_add(1).unwrap_or(size))
        .read_to_end(&mut bytes)
        .map_err(|error| format!("in the archive: {error}"))?;
    match wide(bytes.len()) {
        found if found == size => Ok(bytes),
        found => Err(format!(
            "expected {size} bytes, as the archive states, found {}{found}",
            if found > size { "at least " } else { "" }
        )),
    }
}
