//! The files inside a `.zip`. None is written.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use anyhow::Context as _;
use bitexact::field::{memory, wide};
use bitexact::install::Found;
use zip::ZipArchive;
use zip::read::{ZipFile, read_zipfile_from_stream};

use super::{below, outside};
use crate::cli::zipped;

/// The memory of a file that is not read yet, without its name.
const ROW: u64 = 512;

/// Returns the files inside an archive, by their paths below that of the archive. Of one that has been cut, so that its list is missing, these
/// are the files that lie one after another from its beginning, and a row of the archive itself.
///
/// # Errors
/// Returns an error if the list of the archive cannot be read, and the archive does not begin with a file either.
pub(super) fn files(path: &Path) -> anyhow::Result<Vec<Found>> {
    match zipped::opened(path) {
        Ok((archive, _)) => listed(path, archive),
        Err(why) => {
            let mut found = unlisted(path)?;
            if found.is_empty() {
                return Err(why);
            }
            found.push(Found::new(path.to_owned(), Err(format!("{why:#}"))));
            Ok(found)
        }
    }
}

/// Returns the files in the list of an archive.
fn listed<R: Read + Seek + Send + 'static>(path: &Path, mut archive: ZipArchive<R>) -> anyhow::Result<Vec<Found>> {
    let mut names = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).with_context(|| format!("file {index} of the archive"))?;
        if !file.is_dir() {
            names.push((name_of(&file), index, file.size(), file.encrypted()));
        }
    }
    let archive = Arc::new(Mutex::new(archive));
    let found = names.into_iter().map(|(name, index, size, is_encrypted)| {
        let archive = Arc::clone(&archive);
        of(path, &name, is_encrypted, size, move || {
            let mut archive = held(&archive)?;
            bytes(archive.by_index(index).map_err(|error| error.to_string())?, size)
        })
    });
    Ok(found.collect())
}

/// Returns the files that lie one after another from the beginning of an archive. The first of unknown size ends the search: that of
/// a file packed from a pipe is only in the list.
fn unlisted(path: &Path) -> anyhow::Result<Vec<Found>> {
    let mut archive = BufReader::new(File::open(path)?);
    let (mut names, mut taken) = (Vec::new(), 0);
    loop {
        let at = archive.stream_position()?;
        let Ok(Some(file)) = read_zipfile_from_stream(&mut archive) else { break };
        if file.is_dir() {
            continue;
        }
        let name = name_of(&file);
        taken += ROW + wide(name.len());
        memory::fits(taken)?;
        names.push((name, at, file.size()));
    }
    let archive = Arc::new(Mutex::new(archive));
    let found = names.into_iter().map(|(name, at, size)| {
        let archive = Arc::clone(&archive);
        // None is encrypted: such a file ends the search, too.
        of(path, &name, false, size, move || {
            let mut archive = held(&archive)?;
            archive.seek(SeekFrom::Start(at)).map_err(|error| error.to_string())?;
            let file = read_zipfile_from_stream(&mut *archive).map_err(|error| error.to_string())?;
            bytes(file.ok_or_else(|| format!("expected a file at {at} of the archive, found none"))?, size)
        })
    });
    Ok(found.collect())
}

fn name_of<R: Read>(file: &ZipFile<'_, R>) -> String {
    file.name().map_or_else(|_| String::from_utf8_lossy(file.name_raw()).into_owned(), Into::into)
}

/// Returns a file by its path below that of its archive.
fn of(
    archive: &Path,
    name: &str,
    is_encrypted: bool,
    size: u64,
    read: impl Fn() -> Result<Vec<u8>, String> + Send + Sync + 'static,
) -> Found {
    match below(archive, name) {
        None => outside(archive, name),
        Some(path) if is_encrypted => {
            Found::new(path, Err("is encrypted; unpack the archive with its password".to_owned()))
        }
        Some(path) => Found::inside(path, size, read),
    }
}

fn held<T>(archive: &Mutex<T>) -> Result<MutexGuard<'_, T>, String> {
    archive.lock().map_err(|_| "the archive cannot be read after an earlier error".to_owned())
}

/// Reads a file, which has as many bytes as its row states, and whose checksum the archive has.
fn bytes<R: Read>(file: ZipFile<'_, R>, size: u64) -> Result<Vec<u8>, String> {
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
