//! The KEYs that state the size of a BIF. They follow when a BIF is written to where they name it.
//!
//! Source: `nwn-key-bif.md`, section 3.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;

use super::Refusal;
use crate::aurora::bif::Bif;
use crate::aurora::key::Key;
use field::{U32, decode, encode, wide};
use kind::{Format as _, Kind};
use output::{self, name_of};

/// Reads a file.
type Read<'r> = &'r dyn Fn(&Path) -> io::Result<Vec<u8>>;

/// KEYs that state another size of a BIF than the one it will have, with their new contents.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BifKeys {
    pub(crate) keys: Vec<(PathBuf, Vec<u8>)>,
    /// The sizes that will be set, and warnings of those that cannot be set.
    pub notes: Vec<String>,
}

impl BifKeys {
    /// Finds the KEYs that name a BIF at this path, and sets its size in them. Nothing is written: [`mods::write`](crate::mods::write)
    /// does that. Files of other kinds have none.
    ///
    /// # Errors
    /// Returns an error if a KEY cannot be read, or if the BIF is too large for one.
    pub fn of(kind: &Kind, bif: &Path, bytes: &[u8], read: Read<'_>) -> Result<Self, Refusal> {
        match kind.name == Bif::NAME {
            true => Self::sized(bif, wide(bytes.len()), read),
            false => Ok(Self::default()),
        }
    }

    /// Finds the KEYs that name a BIF at this path, and sets this size in them.
    pub(crate) fn sized(bif: &Path, size: u64, read: Read<'_>) -> Result<Self, Refusal> {
        let size = u32::try_from(size).map_err(|_| refused(bif, "a KEY states sizes below 4 GB"))?;
        let folder = output::folder_of(bif);
        let real = fs::canonicalize(folder).map_err(|error| refused(bif, error))?;
        let name = name_of(bif).to_lowercase();
        let inner = format!("{}/{name}", name_of(&real).to_lowercase());
        let mut all = Self::default();
        // The Enhanced Edition has its KEYs beside the BIFs, but they name those from the folder of the game as well.
        for at in found(&above(folder)).into_iter().chain(found(folder)) {
            all.follow(at, &[&inner, &name], size, read)?;
        }
        Ok(all)
    }

    /// Returns the paths of the KEYs that will be written.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.keys.iter().map(|(path, _)| path.as_path())
    }

    /// Sets the size in the KEY at a path, unless it does not name the BIF by one of these paths, states that size already, or cannot be
    /// edited.
    fn follow(&mut self, at: PathBuf, bif: &[&str], size: u32, read: Read<'_>) -> Result<(), Refusal> {
        let shown = at.display();
        let bytes = Bytes::from(read(&at).map_err(|error| refused(&at, error))?);
        // Certificates have the same ending.
        if Key::recognize(&bytes).is_none() {
            return Ok(());
        }
        let why = Key::uneditable(&bytes);
        let mut key = match decode::<Key>(bytes) {
            Ok(decoded) => decoded.model,
            Err(error) => {
                self.notes.push(format!("warning: {shown}: {error}; the size of the BIF in it is not set"));
                return Ok(());
            }
        };
        let mut is_behind = false;
        for (nth, file) in key.files.iter_mut().enumerate().filter(|(_, file)| bif.contains(&file.path().as_str())) {
            let was = file.slot.file_size.get();
            if was == size {
                continue;
            }
            self.notes.push(match why {
                Some(why) => format!("warning: {shown}:/files/{nth}/file_size: expected {size}, found {was}; {why}"),
                None => format!("recomputed: {shown}:/files/{nth}/file_size: {was} → {size}"),
            });
            file.slot.file_size = U32::from(size);
            is_behind = why.is_none();
        }
        if is_behind {
            let bytes = encode(&key).map_err(|error| refused(&at, error))?;
            self.keys.push((at, bytes));
        }
        Ok(())
    }
}

/// Creates the error about a file.
fn refused(path: &Path, why: impl core::fmt::Display) -> Refusal {
    Refusal::new(path.display().to_string(), why.to_string())
}

/// Returns the folder that holds a folder.
pub(crate) fn above(folder: &Path) -> PathBuf {
    match folder.components().next_back() {
        Some(Component::Normal(_)) => folder.parent().unwrap_or(folder).to_owned(),
        Some(Component::CurDir) => PathBuf::from(".."),
        _ => folder.join(".."),
    }
}

/// Returns `true` if a file has the ending of a KEY.
pub(crate) fn is_key(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("key"))
}

/// Returns the files in a folder that have the ending of a KEY. No KEY is at hand in a folder that cannot be listed.
fn found(folder: &Path) -> Vec<PathBuf> {
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = fs::read_dir(listed).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let mut found: Vec<PathBuf> =
        names.map(|name| folder.join(name)).filter(|path| is_key(path) && path.is_file()).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_above_is_that_of_the_system() {
        for (folder, expected) in
            [("a/b", "a"), ("a", ""), (".", ".."), ("", ".."), ("..", "../.."), ("a/..", "a/../.."), ("./a", ".")]
        {
            assert_eq!(above(Path::new(folder)), Path::new(expected), "{folder}");
        }
    }
}
