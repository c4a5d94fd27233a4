//! The files inside a `.zip`, as `verify` finds them: each is read when its turn comes, and none is written.

use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::Context as _;
use bitexact::field::wide;
use bitexact::install::Found;
use zip::ZipArchive;

use super::zipped;

/// Returns `true` if a path is a file that begins like a `.zip`.
pub(crate) fn is_zip(path: &Path) -> bool {
    let begins = || {
        let mut first = [0; 4];
        std::fs::File::open(path)
            .and_then(|mut file| file.read_exact(&mut first))
            .is_ok_and(|()| first == *b"PK\x03\x04")
    };
    path.is_file() && begins()
}

/// Returns the files inside an archive, by their paths below that of the archive, in the order of the paths.
///
/// # Errors
/// Returns an error if the list of the archive cannot be read.
pub(crate) fn files(path: &Path) -> anyhow::Result<Vec<Found>> {
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
            None => Found::new(path.join("?"), Err(format!("{name}: expected a path inside the archive"))),
            Some(path) if is_encrypted => {
                Found::new(path, Err("is encrypted; unpack the archive with its password".to_owned()))
            }
            Some(path) => Found::inside(path, size, move || read(&archive, index, size)),
        }
    });
    let mut found: Vec<Found> = found.collect();
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// Returns the path of a file in an archive below that of the archive, or `None` if its name leads out of it. Old programs have `\`
/// between the parts.
fn below(archive: &Path, name: &str) -> Option<PathBuf> {
    let mut path = archive.to_owned();
    for part in name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." || part.contains([':', '\0']) {
            return None;
        }
        path.push(part);
    }
    (path != archive).then_some(path)
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
