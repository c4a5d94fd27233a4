//! The files inside a tar archive. One that gzip has compressed is decompressed into a temporary file without a name, which the system
//! removes with the program however that ends: its files cannot be read without all that is before them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, bail};
use bitexact::field::wide;
use bitexact::install::{Found, lossless};
use bytesize::ByteSize;
use flate2::read::MultiGzDecoder;
use tar::{Archive, EntryType};

use super::{below, outside};

/// The size of a header, and of what it is padded to.
pub(super) const BLOCK: u64 = 512;
/// The offset of the mark of a tar archive in its first header.
const MARK: (usize, &[u8]) = (257, b"ustar");
/// How many bytes a compressed archive may become: so many, and so many for each of its own. Copies of games become 2 to 10 times as large,
/// and gzip makes at most 1,032 bytes of one.
const MOST: (u64, u64) = (1 << 26, 100);

/// Returns `true` if a file begins like a tar archive.
pub(super) fn begins(first: &[u8]) -> bool {
    first.get(MARK.0..).is_some_and(|rest| rest.starts_with(MARK.1))
}

/// Returns `true` if a tar archive is in a file that gzip has compressed.
pub(super) fn is_compressed(path: &Path) -> bool {
    let mut first = Vec::new();
    File::open(path)
        .is_ok_and(|file| MultiGzDecoder::new(BufReader::new(file)).take(BLOCK).read_to_end(&mut first).is_ok())
        && begins(&first)
}

/// Returns the files inside a compressed archive, by their paths below that of the archive. What follows an error is a row of the archive
/// itself.
///
/// # Errors
/// Returns an error if there is too little room for the decompressed archive.
pub(super) fn compressed_files(path: &Path) -> anyhow::Result<Vec<Found>> {
    let (whole, error) = decompressed(path)?;
    let mut found = files(path, whole)?;
    if let Some(error) = error {
        found.retain(|file| file.path != path);
        found.push(Found::new(path.to_owned(), Err(error)));
    }
    Ok(found)
}

/// Returns a decompressed archive, which ends before the error, if there is one.
fn decompressed(path: &Path) -> anyhow::Result<(File, Option<String>)> {
    let file = File::open(path)?;
    let most = file.metadata()?.len().saturating_mul(MOST.1).saturating_add(MOST.0);
    let mut from = MultiGzDecoder::new(BufReader::new(file)).take(most.saturating_add(1));
    let whole = tempfile::tempfile().context("expected a temporary file")?;
    let mut to = BufWriter::new(whole);
    let (mut piece, mut written) = (vec![0; 1 << 16], 0_u64);
    let error = loop {
        match from.read(&mut piece) {
            Ok(0) => break None,
            Ok(read) => {
                let read = piece.get(..read).unwrap_or_default();
                written = written.saturating_add(wide(read.len()));
                if written > most {
                    let shown = ByteSize(most);
                    bail!(
                        "expected at most {shown} when decompressed; decompress it (7-Zip does) and verify what is in it"
                    );
                }
                to.write_all(read).with_context(|| {
                    let folder = std::env::temp_dir();
                    format!(
                        "no room in {} for the decompressed archive; name another folder by TMPDIR",
                        folder.display()
                    )
                })?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Some(format!("cannot be decompressed after {written} bytes: {error}")),
        }
    };
    Ok((to.into_inner().map_err(io::IntoInnerError::into_error)?, error))
}

/// Returns the files inside an archive, by their paths below that of the archive. What follows an error is a row of the archive itself.
///
/// # Errors
/// Returns an error if the archive cannot be read at all.
pub(super) fn files(path: &Path, mut archive: File) -> anyhow::Result<Vec<Found>> {
    let length = archive.seek(SeekFrom::End(0))?;
    archive.rewind()?;
    // An archive that was added to has the newest file of a name last.
    let mut found: BTreeMap<PathBuf, Result<(u64, u64), String>> = BTreeMap::new();
    let mut rest = Vec::new();
    {
        let mut archive = Archive::new(BufReader::new(&archive));
        // Another archive can follow the end of one.
        archive.set_ignore_zeros(true);
        for entry in archive.entries_with_seek()? {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let why = format!("cannot be read after {} files: {error}", found.len());
                    rest.push(Found::new(path.to_owned(), Err(why)));
                    break;
                }
            };
            let name = lossless(&entry.path_bytes());
            let kind = entry.header().entry_type();
            if kind.is_dir() || kind == EntryType::XGlobalHeader {
                continue;
            }
            let Some(inside) = below(path, &name) else {
                rest.push(outside(path, &name));
                continue;
            };
            let (at, size) = (entry.raw_file_position(), entry.size());
            let linked = || entry.link_name_bytes().map(|name| lossless(&name)).unwrap_or_default();
            let place = match kind {
                EntryType::Regular | EntryType::Continuous if at.checked_add(size).is_none_or(|end| end > length) => {
                    Err(format!("is cut off: expected {size} bytes at {at} of the archive, which has {length}"))
                }
                EntryType::Regular | EntryType::Continuous => Ok((at, size)),
                // A second name of an earlier file.
                EntryType::Link => match below(path, &linked()).and_then(|first| found.get(&first).cloned()) {
                    Some(place) => place,
                    None => Err(format!("is another name of {}, which the archive does not have before it", linked())),
                },
                EntryType::Symlink => {
                    Err(format!("is a link to {}; unpack the archive and verify the folder", linked()))
                }
                _ => Err("is no plain file; unpack the archive and verify the folder".to_owned()),
            };
            found.insert(inside, place);
        }
    }
    let archive = Arc::new(Mutex::new(archive));
    rest.extend(found.into_iter().map(|(path, place)| match place {
        Ok((at, size)) => {
            let archive = Arc::clone(&archive);
            Found::inside(path, size, move || read(&archive, at, size))
        }
        Err(why) => Found::new(path, Err(why)),
    }));
    Ok(rest)
}

/// Reads the bytes of a file.
fn read(archive: &Mutex<File>, at: u64, size: u64) -> Result<Vec<u8>, String> {
    let mut archive = archive.lock().map_err(|_| "the archive cannot be read after an earlier error".to_owned())?;
    let mut bytes = Vec::new();
    archive
        .seek(SeekFrom::Start(at))
        .and_then(|_| (&mut *archive).take(size).read_to_end(&mut bytes))
        .map_err(|error| format!("in the archive: {error}"))?;
    match wide(bytes.len()) {
        found if found == size => Ok(bytes),
        found => Err(format!("expected {size} bytes at {at} of the archive, found {found}")),
    }
}
